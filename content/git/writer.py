"""Writing a space into a tree of files: only what does not say yet what it is to say.

Nothing is remembered of how files were written. What is there is read, and stays where it is read
as what is wanted; so a tree that nobody has changed has no changes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from content.errors import ContentError
from content.git.config import CONFIG_NAME, GitConfig
from content.git.config_writer import RedirectWriter, with_variables
from content.git.import_links import WITH_ADDRESS, ImportLinks, Known
from content.git.layout import VARIABLES
from content.git.page_files import decode_text
from content.git.page_text import content_text, page_text
from content.git.path_links import PathLinks, cover_urls, spelled, urls_in
from content.git.path_plan import ASSETS, Ground, PlannedPaths, TreePage, plan_paths, without_place
from content.git.space_content import (
    Body,
    PageContent,
    ReusableContentContent,
    SpaceContent,
)
from content.git.space_import import PageImport, SpaceImport
from content.git.summary import (
    SummaryEntry,
    infer_summary,
    parse_summary,
    title_from_name,
    with_links_for_repeated_files,
)
from content.git.summary_writer import write_summary
from content.git.text_bytes import encode_like
from content.git.tree_changes import SyncedPaths, TreeChanges, WriteProblem, Written
from content.git.wanted_table import WantedTable, is_unlisted
from content.json_types import JsonObject
from content.links.meaning import from_root
from content.links.references import reference_key
from content.markdown.rewriting import rewrite_markdown
from content.markdown.spelling import parse_with_style, write_markdown
from content.pages.front_matter import FrontMatter
from content.pages.stored import stored_title
from content.sources.tree import SourceTree

# Kinds of files that whoever opens them runs.
UNSAFE: Final = (
    ".bat", ".cjs", ".cmd", ".com", ".dll", ".exe", ".hta", ".htm", ".html", ".jar", ".js", ".jse",
    ".mjs", ".msi", ".php", ".ps1", ".scr", ".sh", ".shtml", ".vbs", ".wsf", ".xht", ".xhtml",
)  # fmt: skip
LARGEST = 100 * 1024 * 1024
# The URL of a content reference that leads out of the tree; None for one that says all of it.
Outside = Callable[[JsonObject], str | None]


@dataclass(frozen=True, slots=True)
class Tip:
    """The tree that is written to, as it is read, and the ids of what is in it: `ids` has those of
    what the space has, too."""

    tree: SourceTree
    layout: SpaceImport
    ids: Known


def write_space(
    tip: Tip | None,
    content: SpaceContent,
    *,
    synced: Collection[str] = frozenset(),
    directory: str = "",
    outside: Outside = lambda reference: None,
) -> TreeChanges:
    """The changes that make a tree hold a space.

    `synced` are the paths that a synchronization has written or read as parts of the space: no
    others are deleted. Without a `tip` the tree is empty, and `directory` the content root. The
    time is linear in what the tree and the space hold; pages that are `unchanged` since their blob
    are not parsed, unless their links lead elsewhere now.
    """
    return _Writer(tip, content, synced, directory.strip("/"), outside).write()


class _Writer:
    def __init__(
        self,
        tip: Tip | None,
        content: SpaceContent,
        synced: Collection[str],
        directory: str,
        outside: Outside,
    ) -> None:
        self.tip = tip
        self.wanted = content
        self.synced = synced
        self.outside = outside
        self.layout = None if tip is None else tip.layout
        self.config = GitConfig(root=directory) if tip is None else tip.layout.config
        self.directory = directory if tip is None else tip.layout.directory
        self.root = self.config.root
        self.prefix = f"{self.root}/" if self.root else ""
        self.writes: dict[str, Written] = {}
        self.problems: list[WriteProblem] = []
        self.warnings: list[str] = []
        self.old_links = self._old_links()
        # Pages of the tree by id, and what they are in it.
        self.there: dict[str, PageImport] = {}
        self.tree_pages: dict[str, TreePage] = {}
        self.entry_of: dict[str, SummaryEntry] = {}
        if self.layout is not None:
            self._read_tree(self.layout.pages, self.layout.entries, None)
        self.paths = self._plan()
        self.links = self._new_links()

    def write(self) -> TreeChanges:
        for page in self.wanted.walk():
            if page.id in self.paths.pages:
                self._page(page)
        self._contents()
        self._files()
        self._variables()
        self._redirects()
        renames = self._renames()
        deletes = self._deletes(renames)
        self._summary(deletes)
        synced = SyncedPaths(
            *(
                {id: self.prefix + path for id, path in paths.items()}
                for paths in (self.paths.pages, self.paths.files, self.paths.contents)
            )
        )
        return TreeChanges(
            writes=dict(sorted(self.writes.items())),
            deletes=tuple(sorted(deletes)),
            renames=dict(sorted(renames.items())),
            problems=tuple(self.problems),
            warnings=tuple(self.warnings),
            paths=synced,
        )

    # ------------------------------------------------------------ what is there

    def _old_links(self) -> ImportLinks | None:
        if self.tip is None:
            return None
        numbers = iter(range(len(self.tip.tree.paths()) + 200_000))
        return ImportLinks(
            self.tip.layout,
            lambda: f"?{next(numbers)}",
            keep_claimed=False,
            existing=self.tip.ids,
        )

    def _read_tree(
        self, pages: Sequence[PageImport], entries: Sequence[SummaryEntry], parent: str | None
    ) -> None:
        assert self.old_links is not None
        stack = [(page, entry, parent) for page, entry in zip(pages, entries, strict=True)]
        while stack:
            page, entry, above = stack.pop()
            id = self.old_links.page_id(page)
            path = None if page.git_path is None else from_root(page.git_path, self.root)
            self.there[id] = page
            self.entry_of[id] = entry
            self.tree_pages[id] = TreePage(id, page.slug, page.kind, above, path)
            below = zip(page.children, entry.children, strict=True)
            stack += [(child, entry, id) for child, entry in below]

    def _plan(self) -> PlannedPaths:
        ground = Ground(self.config)
        if self.tip is not None and self.old_links is not None:
            links = self.old_links
            ground = Ground(
                self.config,
                self.tree_pages,
                {links.file_id(file.path): file.path for file in self.tip.layout.files},
                {links.content_id(c.path): c.path for c in self.tip.layout.reusable_contents},
                self._below_root(self.tip.tree.paths()),
                self._below_root(self.tip.tree.left_out),
            )
        self.ground = ground
        planned = plan_paths(self.wanted, ground, _says_something)
        for path, place in without_place(planned, ground):
            self._problem(path, f"has no place: a link, a submodule or a file is at {place!r}")
        return planned

    def _below_root(self, paths: Iterable[str]) -> frozenset[str]:
        own = (path for path in paths if path.startswith(self.prefix))
        return frozenset(path.removeprefix(self.prefix) for path in own)

    def _new_links(self) -> PathLinks:
        tree_url = "" if self.layout is None else self.layout.tree_url
        links = PathLinks(tree_url, self.root)
        for page, address in _addresses(self.wanted):
            has_address = page.kind in WITH_ADDRESS
            links.add_page(page.id, address if has_address else None, self.paths.pages.get(page.id))
        for file in self.wanted.files:
            links.add("file", file.id, self.paths.files[file.id])
        for content in self.wanted.reusable_contents:
            links.add("reusable-content", content.id, self.paths.contents[content.id])
        links.set_redirects(self.wanted.redirects)
        return links

    def _bytes(self, path: str) -> bytes | None:
        """The bytes of a file that is there; `path` from the content root."""
        if self.tip is None or self.prefix + path not in self.tip.tree:
            return None
        return self.tip.tree.read(self.prefix + path)

    def _text(self, path: str) -> str | None:
        data = self._bytes(path)
        return None if data is None else decode_text(data)[0]

    def _put(self, path: str, text: str, old_path: str | None) -> None:
        before = None if old_path is None else self._bytes(old_path)
        data = encode_like(text, before)
        if path == old_path and data == before:
            return
        if len(data) > LARGEST:
            self._problem(path, f"has {len(data)} bytes, a file may have {LARGEST}")
        self.writes[self.prefix + path] = Written.of(data)

    def _problem(self, path: str, problem: str) -> None:
        self.problems.append(WriteProblem(self.prefix + path, problem))

    # ------------------------------------------------------------ pages

    def _page(self, page: PageContent) -> None:
        path = self.paths.pages[page.id]
        there = self.tree_pages.get(page.id)
        old_path = None if there is None else there.path
        old = self._old_text(page, path, old_path)
        if old is _SAME:
            return
        assert old is None or isinstance(old, str)
        if (
            old is None
            and old_path is not None
            and (
                stored_title(self.there[page.id].title) == page.title and not _says_something(page)
            )
        ):
            # It is listed, and has no file; that says the same.
            return
        fallback = self.there[page.id].title if page.id in self.there else ""
        matter = replace(page.matter, cover=self._cover(page, path))
        try:
            text = page_text(
                old,
                page.title,
                matter,
                self._body(page.body, path, self._same_blob(page, old_path)),
                fallback=fallback,
            )
        except ContentError as error:
            self._problem(path, str(error))
            return
        self._put(path, text, old_path if old is not None else None)

    def _old_text(self, page: PageContent, path: str, old_path: str | None) -> str | _Same | None:
        """The text of the file as it is; `_SAME` where it need not be looked at any closer."""
        if old_path is None or self.tip is None:
            return None
        git_path = self.prefix + old_path
        if git_path not in self.tip.tree:
            return None
        if path == old_path and self._same_blob(page, old_path) is not None:
            there = self.there[page.id]
            if self._lead_on(f"{there.lead}{there.markdown}", path, path):
                return _SAME
        return self._text(old_path)

    def _lead_on(self, text: str, old_path: str, path: str) -> bool:
        """Whether all links of a text still lead to where they led."""
        assert self.old_links is not None
        before, after = self.old_links.links, self.links
        return all(
            before.resolve(url, old_path) == after.resolve(url, path)
            for url in dict.fromkeys((*urls_in(text), *cover_urls(text)))
        )

    def _same_blob(
        self, page: PageContent | ReusableContentContent, old_path: str | None
    ) -> str | None:
        """The path of the file that a page is as, when nobody has edited it since."""
        if not page.unchanged or self.tip is None or old_path is None:
            return None
        same = self.tip.tree.blob_oid(self.prefix + old_path) == page.git_oid
        return old_path if same else None

    def _body(self, body: Body, path: str, same_as: str | None) -> Callable[[str | None], str]:
        """Writes a body; with `same_as` it means what its file at that path has meant."""

        def write(before: str | None) -> str:
            if same_as is not None and before is not None and self.old_links is not None:
                links = self.old_links.links
                document = parse_with_style(before, resolve=lambda url: links.resolve(url, same_as))
            elif body is None:
                return before or ""
            else:
                document = body()
            spellings = {} if before is None else spelled(before, self.links, path)

            def link(reference: JsonObject) -> str | None:
                there = spellings.get(reference_key(reference))
                if reference.get("kind") == "url":
                    # An address that authors have written as such stays one.
                    written = before is not None and str(reference.get("url")) in before
                    return there or (None if written else self.links.url(reference, path))
                return there or self.links.url(reference, path) or self.outside(reference)

            return rewrite_markdown(
                document,
                [] if before is None else [before],
                resolve=lambda url: self.links.resolve(url, path),
                link=link,
            )

        return write

    def _cover(self, page: PageContent, path: str) -> JsonObject | None:
        """The cover with paths in place of references; as the file has them where they fit."""
        if page.matter.cover is None:
            return None
        there = self.there.get(page.id)
        written = (there.cover if there is not None else None) or {}
        cover = dict(page.matter.cover)
        for name in ("ref", "refDark"):
            reference = cover.get(name)
            if not isinstance(reference, dict):
                continue
            url = written.get(name)
            if isinstance(url, str) and self._means(url, path) == reference:
                cover[name] = url
            elif reference.get("kind") == "url":
                cover[name] = str(reference.get("url", ""))
            else:
                cover[name] = self.links.url(reference, path) or self.outside(reference) or ""
        return cover

    def _means(self, url: str, path: str) -> JsonObject:
        return self.links.resolve(url, path) or {"kind": "url", "url": url}

    # ------------------------------------------------------------ other files

    def _contents(self) -> None:
        for content in self.wanted.reusable_contents:
            path = self.paths.contents[content.id]
            old_path = self.ground.contents.get(content.id)
            old = None if old_path is None else self._text(old_path)
            same_as = self._same_blob(content, old_path)
            if same_as == path and old is not None and self._lead_on(old, path, path):
                continue
            try:
                text = content_text(
                    old, content.title, self._body(content.body, path, same_as),
                    fallback=title_from_name(path),
                )  # fmt: skip
            except ContentError as error:
                self._problem(path, str(error))
                continue
            self._put(path, text, old_path)

    def _files(self) -> None:
        there = {} if self.layout is None else {file.path: file for file in self.layout.files}
        for file in self.wanted.files:
            path = self.paths.files[file.id]
            if (
                path == self.ground.files.get(file.id)
                and path in there
                and (there[path].sha256 == file.sha256)
            ):
                continue
            ending = posixpath.splitext(path)[1].lower()
            if ending in UNSAFE:
                self._problem(path, f"files that end with '{ending}' run where they are opened")
            if file.size > LARGEST:
                self._problem(path, f"has {file.size} bytes, a file may have {LARGEST}")
            self.writes[self.prefix + path] = Written(file.size, file.read)

    def _variables(self) -> None:
        path = self.config.inside(VARIABLES)
        text = self._text(path)
        edited = with_variables(text or "", self.wanted.variables)
        if edited != (text or ""):
            self._put(path, edited, None if text is None else path)

    def _redirects(self) -> None:
        path = posixpath.join(self.directory, CONFIG_NAME)
        data = None
        if self.tip is not None and path in self.tip.tree:
            data = self.tip.tree.read(path)
        text = "" if data is None else decode_text(data)[0]
        old_page_at = {page.path: id for id, page in self.tree_pages.items() if page.path}
        edited = RedirectWriter(self.config, self.wanted.redirects, old_page_at, self.paths.pages)
        new = edited.write(text)
        self.warnings += [f"{path}: {warning}" for warning in edited.warnings]
        if new != text:
            self.writes[path] = Written.of(encode_like(new, data))

    # ------------------------------------------------------------ renames, deletions, contents

    def _renames(self) -> dict[str, str]:
        renames: dict[str, str] = {}
        for old, new in (
            ({id: page.path for id, page in self.tree_pages.items()}, self.paths.pages),
            (self.ground.files, self.paths.files),
            (self.ground.contents, self.paths.contents),
        ):
            for id, path in new.items():
                before = old.get(id)
                if before is None or before == path or before not in self.ground.paths:
                    continue
                renames[self.prefix + before] = self.prefix + path
        return renames

    def _deletes(self, renames: Mapping[str, str]) -> set[str]:
        after = {
            self.prefix + path
            for paths in (self.paths.pages, self.paths.files, self.paths.contents)
            for path in paths.values()
        }
        deletes = set(renames) - after
        for path in self._gone():
            full = self.prefix + path
            if full not in after and full in self.synced and path in self.ground.paths:
                deletes.add(full)
        return deletes

    def _gone(self) -> Iterator[str]:
        """The paths of parts of the tree that the space no longer has."""
        pages = {page.id for page in self.wanted.walk()}
        for id, page in self.tree_pages.items():
            if id not in pages and page.path is not None:
                yield page.path
        for id, path in self.ground.files.items():
            if id not in self.paths.files and path.startswith(self.config.inside(ASSETS)):
                yield path
        for id, path in self.ground.contents.items():
            if id not in self.paths.contents:
                yield path

    def _summary(self, deletes: Collection[str]) -> None:
        path = self.config.summary
        text = self._text(path)
        repeated = self.layout is not None and self.layout.repeated_as_links
        table = WantedTable(
            self.config.readme, self.paths.pages, self.there, self.entry_of, self.links,
            self.outside,
        )  # fmt: skip
        entries = [table.entry(page) for page in self.wanted.pages]

        def says(read: tuple[SummaryEntry, ...]) -> bool:
            return table.says(read, entries)

        if text is None:
            here = [path for path in self.writes if path.startswith(self.prefix)]
            paths = {path.removeprefix(self.prefix) for path in here}
            paths |= self.ground.paths - {from_root(path, self.root) for path in deletes}
            inferred = infer_summary(
                sorted(paths), readme=self.config.readme, summary=path, folder=self.config.folder
            )
            if self.layout is not None and says(inferred):
                return
            self._put(path, write_summary(None, entries, path, says), None)
            return
        read = parse_summary(text, path)
        if says(with_links_for_repeated_files(read) if repeated else read):
            return
        listed = entries[1:] if entries and is_unlisted(entries[0]) else entries
        new = write_summary(text, listed, path, says, repeated_as_links=repeated)
        self._put(path, new, path)


def _says_something(page: PageContent) -> bool:
    """Whether a page has more than a title."""
    if page.matter != FrontMatter():
        return True
    return page.body is not None and bool(write_markdown(page.body()).strip())


class _Same:
    """That a text need not be looked at."""


_SAME = _Same()


def _addresses(content: SpaceContent) -> Iterator[tuple[PageContent, str]]:
    """All pages with their paths of slugs."""
    stack = [(page, "") for page in reversed(content.pages)]
    while stack:
        page, above = stack.pop()
        address = f"{above}/{page.slug}".strip("/") if page.slug else above
        yield page, address
        stack += [(child, address) for child in reversed(page.children)]
