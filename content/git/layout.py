"""Reading a space from the Git layout: configuration, table of contents, pages, files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from content.errors import SlugError, YamlError
from content.git.case_twins import case_twins, refuse_case_twins, twins_of_pages
from content.git.config import CONFIG_NAME, GitConfig, read_git_config
from content.git.lfs import pointer_at, read_text
from content.git.page_files import PageFileReader, decode_text, read_page_file
from content.git.pages import PageBuilder
from content.git.space_import import (
    FileFacts,
    FileImport,
    PageImport,
    ReusableContentImport,
    SpaceImport,
)
from content.git.summary import (
    SummaryEntry,
    infer_summary,
    parse_summary,
    refuse_repeated_files,
    repeated_files,
    title_from_name,
    with_links_for_repeated_files,
)
from content.json_types import JsonObject
from content.links.redirect_paths import old_path_key
from content.links.relative import MARKDOWN, link_candidates, relative_target
from content.media.media_types import media_type
from content.pages.front_matter import read_front_matter, read_variables, split_front_matter
from content.pages.title import split_title
from content.safe_yaml import load_yaml
from content.sources.tree import SourceTree

ASSETS = ".gitbook/assets/"
INCLUDES = ".gitbook/includes/"
VARIABLES = ".gitbook/vars.yaml"


def space_folders(paths: Iterable[str]) -> list[str]:
    """The folders of a source that each hold a space of their own: those with a configuration, or,
    without any, those with a table of contents that stand beside each other; "" is the root.

    A configuration at the root makes all of the source one space.
    """
    for name in (CONFIG_NAME, "SUMMARY.md"):
        folders = sorted(
            posixpath.dirname(path) for path in paths if posixpath.basename(path) == name
        )
        if "" in folders:
            return [""]
        if folders:
            # What stands within another one is a part of it.
            return [
                folder
                for folder in folders
                if not any(folder.startswith(f"{other}/") for other in folders)
            ]
    return []


def read_space(
    source: SourceTree,
    *,
    directory: str = "",
    repeated_as_links: bool = False,
    tree_url: str = "",
    facts: Mapping[str, FileFacts] = MappingProxyType({}),
    read_file: PageFileReader = read_page_file,
    behind_pointers: bool = False,
) -> SpaceImport:
    """The space that `source` holds in its project `directory` ("" is the root of the source).

    A file that the table of contents lists several times is refused with a `RepeatedFileError`, or
    `repeated_as_links`: it is the page where it is listed first, and links to it elsewhere. Raises
    a `ContentError` for a configuration, table of contents or front matter that is not
    valid, and for pages whose paths differ only in case; everything that can be read in spite of a
    flaw is read, with a line in `warnings`.
    The result reads file bytes from `source`, which has to stay open for that. Links to files
    outside of the content root lead to addresses that begin with `tree_url`, where there is one.
    `facts` are those of blobs, by their ids, whose bytes need not be read. With `behind_pointers`
    files are those that pointers of Git LFS stand for: the caller has to get their bytes. A text
    that is a pointer is a PointerError.
    """
    layout = _SpaceReader(
        source, directory.strip("/"), repeated_as_links, facts, read_file, behind_pointers
    ).read()
    return replace(layout, tree_url=tree_url) if tree_url else layout


class _SpaceReader:
    def __init__(
        self,
        source: SourceTree,
        directory: str,
        repeated_as_links: bool,
        facts: Mapping[str, FileFacts],
        read_file: PageFileReader,
        behind_pointers: bool,
    ) -> None:
        self.source = source
        self.behind_pointers = behind_pointers
        self.read_file = read_file
        self.facts = facts
        self.directory = directory
        self.repeated_as_links = repeated_as_links
        self.config = self._read_config(directory)
        self.prefix = f"{self.config.root}/" if self.config.root else ""
        self.base = self.config.inside("")
        self.assets, self.includes = self.config.inside(ASSETS), self.config.inside(INCLUDES)
        self.variables = self.config.inside(VARIABLES)
        self.warnings: list[str] = []
        self.paths = [
            path.removeprefix(self.prefix)
            for path in source.paths()
            if path.startswith(self.prefix)
        ]
        self.known = frozenset(self.paths)
        self._warn_of_what_is_left_out()

    def _warn_of_what_is_left_out(self) -> None:
        """Name what would be a part of the space if it were a file with a usable name."""
        tables = (self.config.summary, self.config.readme)
        for path, what in self.source.left_out.items():
            own = path.removeprefix(self.prefix)
            is_ours = own in tables or (
                own.startswith(self.base)
                and (
                    own.startswith((self.assets, self.includes))
                    or own == self.variables
                    or own.lower().endswith(MARKDOWN)
                )
            )
            if path.startswith(self.prefix) and is_ours:
                self.warnings.append(f"{path}: is left out, for {what}")

    def _read_config(self, directory: str) -> GitConfig:
        path = posixpath.join(directory, CONFIG_NAME)
        if path not in self.source:
            return GitConfig(root=directory)
        text, _ = decode_text(read_text(self.source, path))
        return read_git_config(text, path, directory=directory)

    def read(self) -> SpaceImport:
        builder = PageBuilder(self.source, self.prefix, self.known, self.config, self.read_file)
        entries = self._entries(builder)
        pages = builder.build(entries)
        self.warnings += builder.warnings
        if not pages:
            place = f"the folder '{self.config.root}'" if self.config.root else "the source"
            self.warnings.append(
                f"{place} has no page: there is no Markdown file, "
                f"or '{self.config.summary}' lists none"
            )
        every_page = [page for top in pages for page in top.walk()]
        self._compare_case(every_page)
        contents = tuple(self._reusable_contents())
        files = tuple(self._files(every_page, contents))
        landing = next((page for page in every_page if page.kind == "document"), None)
        return SpaceImport(
            title=landing.title if landing is not None else self.source.name,
            root=self.config.root,
            pages=pages,
            files=files,
            reusable_contents=contents,
            variables=self._variables(),
            redirects=self._redirects(every_page),
            warnings=tuple(self.warnings),
            config=self.config,
            directory=self.directory,
            entries=entries,
            repeated_as_links=self.repeated_as_links,
            changed_at=self.source.changed_at,
        )

    def _compare_case(self, pages: Iterable[PageImport]) -> None:
        """Refuse pages whose files have one path but for capitals, and name what is left out
        because a page has its path."""
        files = [page.git_path for page in pages if page.git_path and page.git_oid]
        refuse_case_twins(files)
        markdown = (self.prefix + path for path in self.paths if path.lower().endswith(MARKDOWN))
        for twin, page in twins_of_pages(files, markdown):
            self.warnings.append(
                f"{twin}: is left out, for it differs only in upper and lower case from '{page}', "
                "which is a page"
            )

    def _text(self, path: str) -> str:
        text, damaged = decode_text(read_text(self.source, self.prefix + path))
        if damaged:
            self.warnings.append(f"{self.prefix}{path}: is not UTF-8, some characters are replaced")
        return text

    def _entries(self, builder: PageBuilder) -> tuple[SummaryEntry, ...]:
        summary, readme = self.config.summary, self.config.readme
        if summary not in self.known:
            return infer_summary(
                self.paths, readme=readme, summary=summary, folder=self.config.folder,
                title_of=builder.title_of,
            )  # fmt: skip
        entries = parse_summary(self._text(summary), summary)
        if self.repeated_as_links:
            for earlier, entry in repeated_files(entries):
                self.warnings.append(
                    f"{self.prefix}{summary}, line {entry.line}: '{entry.target}' is listed again, "
                    f"so this is a link to its page of line {earlier.line}"
                )
            entries = with_links_for_repeated_files(entries)
        else:
            refuse_repeated_files(entries, summary)
        listed = {entry.target for top in entries for entry in top.walk() if entry.kind == "page"}
        if readme in self.known and readme not in listed:
            # The readme is the home page whether the table of contents says so or not.
            entries = (SummaryEntry("page", builder.title_of(readme), 0, target=readme), *entries)
        return entries

    def _reusable_contents(self) -> Iterator[ReusableContentImport]:
        for path in self.paths:
            if not path.startswith(self.includes) or not path.lower().endswith(MARKDOWN):
                continue
            yaml_text, body, _ = split_front_matter(self._text(path))
            matter = read_front_matter(yaml_text or "", self.prefix + path)
            title = matter.title
            if title is None:
                title, body = split_title(body)
            yield ReusableContentImport(
                title=title or title_from_name(path),
                path=path,
                markdown=body.lstrip("\n"),
                git_path=self.prefix + path,
                git_oid=self.source.blob_oid(self.prefix + path),
                id=matter.id,
            )

    def _variables(self) -> JsonObject:
        if self.variables not in self.known:
            return {}
        path = self.prefix + self.variables
        loaded = load_yaml(self._text(self.variables), path)
        if loaded is None:
            return {}
        if not isinstance(loaded, dict):
            raise YamlError(path, 1, "must be a mapping of variable names to values")
        variables: JsonObject = {}
        for name, value in loaded.items():
            if read_variables({name: value}) is None:
                self.warnings.append(
                    f"{path}: variable '{name[:100]}' is left out: a name is a letter followed by "
                    "letters, digits and '_', a value is text of at most 256 characters, "
                    "a number or a boolean"
                )
            else:
                variables[name] = value
        return variables

    def _files(
        self, pages: Iterable[PageImport], contents: Iterable[ReusableContentImport]
    ) -> Iterator[FileImport]:
        """All assets, and whatever else pages link to within the content root."""
        listed = {path for path in self.paths if path.startswith(self.assets)}
        for page in pages:
            if page.git_path is not None:
                covers = (page.cover or {}).values()
                urls = [value for value in covers if isinstance(value, str)]
                urls += link_candidates(page.markdown)
                listed.update(self._existing(page.git_path, urls))
            elif page.kind == "link" and page.target is not None:
                summary = self.prefix + self.config.summary
                listed.update(self._existing(summary, [page.target]))
        for content in contents:
            listed.update(self._existing(content.git_path, link_candidates(content.markdown)))
        for first, second in case_twins([*listed, *(content.path for content in contents)]):
            self.warnings.append(
                f"{self.prefix}{second}: differs from '{self.prefix}{first}' only in upper and "
                "lower case; both are imported, and links lead to the one that they name exactly"
            )
        for path in sorted(listed):
            git_path = self.prefix + path
            oid = self.source.blob_oid(git_path)
            facts = self.facts.get(oid or "")
            pointer = pointer_at(self.source, git_path) if facts is None else None
            if pointer is not None and self.behind_pointers:
                facts = FileFacts(media_type(path), pointer.size, pointer.oid, None)
            elif pointer is not None:
                self.warnings.append(
                    f"{git_path}: is a pointer of Git LFS; the bytes that it stands for are not in "
                    "the repository, so readers get the pointer"
                )
                pointer = None
            file = FileImport.of(self.source, path, git_path, oid, facts)
            yield file if pointer is None else replace(file, pointer=pointer)

    def _existing(self, git_path: str, urls: Iterable[str]) -> Iterator[str]:
        folder = posixpath.dirname(git_path.removeprefix(self.prefix))
        for url in urls:
            target = relative_target(url, folder)
            if target is None or target[0] not in self.known:
                continue
            if not target[0].lower().endswith(MARKDOWN):
                yield target[0]

    def _redirects(self, pages: Iterable[PageImport]) -> dict[str, str]:
        by_file = {
            page.git_path.removeprefix(self.prefix): page.path
            for page in pages
            if page.git_path is not None
        }
        redirects: dict[str, str] = {}
        source_of: dict[str, str] = {}
        for old, target in self.config.redirects.items():
            file = self.config.redirected(target)
            page_path = None if file is None else by_file.get(file[0])
            try:
                key = old_path_key(old)
            except SlugError as error:
                self._leave_out(old, str(error))
                continue
            if file is None or page_path is None:
                self._leave_out(old, f"'{target[:200]}' is not the file of a page")
            elif key in source_of:
                self._leave_out(old, f"it is the same path as '{source_of[key][:200]}'")
            else:
                source_of[key] = old
                redirects[old.strip("/")] = f"{page_path}#{file[1]}" if file[1] else page_path
        return redirects

    def _leave_out(self, old: str, problem: str) -> None:
        self.warnings.append(
            f"{CONFIG_NAME}: the redirect from '{old[:200]}' is left out, {problem}"
        )
