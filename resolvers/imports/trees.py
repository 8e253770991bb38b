"""A tree of files as the content of a space: what an import makes, before the database is asked.

Parts of the space that the tree has, too, keep their ids. Pages whose blob and links are as they
were when they were synchronized, and that nobody has edited since, are not parsed again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from content.documents.content_references import SCHEME
from content.documents.keys import content_digest
from content.documents.limits import document_problem, text_problem
from content.documents.nodes import Node
from content.git.identity import Traces, identify
from content.git.import_links import NOTHING, WITH_ADDRESS, ImportLinks, Known
from content.git.path_links import PathLinks, urls_in
from content.git.space_import import (
    FileFacts,
    FileImport,
    PageImport,
    ReusableContentImport,
    SpaceImport,
)
from content.links.meaning import from_root
from content.markdown.spelling import parse_with_style
from content.media.image_size import Dimensions
from content.ordering import spread
from content.pages.stored import stored_title
from content.slugs import slug_key, unique_slug
from content.sources.tree import CommitInfo
from db.content_enums import PageType
from db.ids import new_id
from resolvers.drafts.bodies import carried
from resolvers.imports.order import keys_in_order
from resolvers.revisions import limits as content_limits
from resolvers.revisions.git_marks import git_mark, is_synced, traces_of, tree_url_of, with_digest
from resolvers.revisions.rows import ContentRedirect, File, Page, ReusableContent
from resolvers.revisions.states import Body, Changes

Json = dict[str, Any]
TOO_LARGE_SHOWN = 20
NO_TEXT: Node = {"object": "document", "data": {}, "nodes": []}
# Called with the number of finished and of all steps.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The content of a revision that a tree takes the place of; pages have their paths."""

    revision_id: str = ""
    pages: Mapping[str, Page] = field(default_factory=dict)
    files: Mapping[str, File] = field(default_factory=dict)
    contents: Mapping[str, ReusableContent] = field(default_factory=dict)
    redirects: Mapping[str, ContentRedirect] = field(default_factory=dict)
    variables: Json = field(default_factory=dict)

    def facts(self) -> dict[str, FileFacts]:
        """What is known of the bytes of its files, by the ids of their blobs in Git; not of those
        that have had other bytes since."""
        return {
            str(file.git["oid"]): FileFacts(
                file.content_type,
                file.size,
                file.sha256,
                None
                if file.width is None or file.height is None
                else Dimensions(file.width, file.height),
            )
            for file in self.files.values()
            if file.git is not None and "oid" in file.git and is_synced(file)
        }

    def traces(self) -> Traces:
        """Where its parts were in the tree that they came from."""
        return traces_of(
            list(self.pages.values()), list(self.files.values()), list(self.contents.values())
        )


EMPTY = StoredContent()


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything of an import that needs no database: ids are given, bodies are parsed.

    `changes` are those to `stored`; `files` the files whose bytes may be new to the space.
    """

    changes: Changes
    files: tuple[tuple[str, FileImport], ...]
    git: Json | None
    stored: StoredContent = EMPTY
    # Pages and files that the source has in all.
    pages: int = 0
    all_files: int = 0


class TooLargeError(ValueError):
    """The source holds more than a space may."""


def prepare(
    source: SpaceImport,
    commit: CommitInfo | None,
    progress: Progress = lambda done, total: None,
    *,
    ids: Known = NOTHING,
    stored: StoredContent = EMPTY,
    bodies: Mapping[str, Body] | None = None,
) -> Prepared:
    """Turn a source into the changes of a revision; takes a while, so run it in a thread.

    `ids` are those by path (`known_in`), `bodies` those that `bodies_needed` names, by id.
    """
    check_bounds(source)
    builder = _Builder(source, ids, stored, bodies or {})
    total = sum(1 for _ in source.walk()) + len(source.reusable_contents)
    for done, _ in enumerate(builder.build(), start=1):
        progress(done, total)
    if builder.too_large:
        shown = builder.too_large[:TOO_LARGE_SHOWN]
        if len(builder.too_large) > TOO_LARGE_SHOWN:
            shown.append(f"and {len(builder.too_large) - TOO_LARGE_SHOWN} more")
        raise TooLargeError(f"texts are beyond the limits of a page: {'; '.join(shown)}")
    git = None
    if commit is not None:
        git = {"oid": commit.oid, "message": commit.message, "ref": commit.ref}
    return Prepared(
        builder.changes,
        tuple(builder.new_files()),
        git,
        stored,
        total - len(source.reusable_contents),
        len(source.files),
    )


def check_bounds(source: SpaceImport) -> None:
    """Raise `TooLargeError` for a source with more of anything than a space may hold."""
    for count, limit, what in (
        (sum(1 for _ in source.walk()), content_limits.PAGES, "pages"),
        (len(source.files), content_limits.FILES, "files"),
        (
            len(source.reusable_contents),
            content_limits.REUSABLE_CONTENTS,
            "reusable contents",
        ),
        (len(source.variables), content_limits.VARIABLES, "variables"),
        (len(source.redirects), content_limits.REDIRECTS, "redirects"),
    ):
        if count > limit:
            raise TooLargeError(f"the source has {count} {what}; a space holds {limit}")


def known_in(
    source: SpaceImport,
    stored: StoredContent,
    read_new: Callable[[str], bytes | None],
    read_old: Callable[[str], bytes | None] = lambda oid: None,
) -> Known:
    """The ids that parts of a source have in the stored content (`content.git.identity`)."""
    return identify(source, stored.traces(), read_new=read_new, read_old=read_old)


def bodies_needed(source: SpaceImport, ids: Known, stored: StoredContent) -> list[str]:
    """Document ids of bodies that the import compares with, of pages and reusable contents."""
    if not stored.pages and not stored.contents:
        return []
    builder = _Builder(source, ids, stored, {})
    needed: dict[str, None] = {}
    for page in source.walk():
        if page.kind == "document":
            id = builder.links.page_id(page)
            old = stored.pages.get(id)
            if old is not None and old.document_id and not builder.stays(page, old):
                needed[old.document_id] = None
    for content in source.reusable_contents:
        old_content = stored.contents.get(builder.links.content_id(content.path))
        if (
            old_content is not None
            and old_content.document_id
            and not builder.stays(content, old_content)
        ):
            needed[old_content.document_id] = None
    return list(needed)


class _Builder:
    """Makes the rows of pages and files, with the links between them.

    Which space and revision the rows belong to is known when they are stored.
    """

    def __init__(
        self,
        source: SpaceImport,
        ids: Known,
        stored: StoredContent,
        bodies: Mapping[str, Body],
    ) -> None:
        self.changes = Changes()
        # Pages and reusable contents whose texts are beyond the limits, and why.
        self.too_large: list[str] = []
        self._source = source
        self._stored = stored
        self._bodies = bodies
        self.links = ImportLinks(source, new_id, existing=ids, keep_claimed=not stored.pages)
        self._old_links = _stored_links(stored)
        self._files = {self.links.file_id(file.path): file for file in source.files}

    def new_files(self) -> Iterable[tuple[str, FileImport]]:
        """Files whose bytes the stored content does not have."""
        there = {file.sha256 for file in self._stored.files.values()}
        return ((id, file) for id, file in self._files.items() if file.sha256 not in there)

    def build(self) -> Iterable[None]:
        """Make all rows; yields after each page and reusable content."""
        changes, stored = self.changes, self._stored
        for id, file in self._files.items():
            row, old = self._file(id, file), stored.files.get(id)
            if old is None or not _same_file(row, old):
                changes.files[id] = row
        yield from self._pages()
        for content in self._source.reusable_contents:
            id = self.links.content_id(content.path)
            content_row = self._content(content, stored.contents.get(id))
            old_content = stored.contents.get(id)
            if old_content is None or content_row != replace(old_content, **_NOWHERE):
                changes.contents[id] = content_row
            yield
        for path, (page_id, anchor) in self.links.redirects().items():
            redirect = ContentRedirect(
                space_id="", revision_id="", path=path, page_id=page_id, anchor=anchor
            )
            there = stored.redirects.get(path)
            if there is None or (there.page_id, there.anchor) != (page_id, anchor):
                changes.redirects[path] = redirect
        changes.files.update(dict.fromkeys(stored.files.keys() - self._files.keys()))
        contents = {self.links.content_id(c.path) for c in self._source.reusable_contents}
        changes.contents.update(dict.fromkeys(stored.contents.keys() - contents))
        changes.redirects.update(
            dict.fromkeys(stored.redirects.keys() - self.links.redirects().keys())
        )
        changes.variables = dict(self._source.variables)

    def _pages(self) -> Iterable[None]:
        there: set[str] = set()
        levels: list[tuple[str | None, tuple[PageImport, ...]]] = [(None, self._source.pages)]
        while levels:
            parent_id, siblings = levels.pop()
            rows: list[Page] = []
            for page in siblings:
                row = self._page(page, parent_id)
                rows.append(row)
                levels.append((row.id, page.children))
                yield
            self._place(rows, parent_id)
            for row in rows:
                there.add(row.id)
                old = self._stored.pages.get(row.id)
                if old is None:
                    self.changes.pages[row.id] = row
                elif not _same_page(row, old):
                    self.changes.pages[row.id], self.changes.before[row.id] = row, old
        for id, gone in self._stored.pages.items():
            if id not in there:
                self.changes.pages[id], self.changes.before[id] = None, gone

    def _place(self, rows: Sequence[Page], parent_id: str | None) -> None:
        """Give siblings their order and slugs: those that were there keep theirs."""
        pages = self._stored.pages
        stay = [
            (row.id, pages[row.id].order)
            for row in rows
            if row.id in pages and pages[row.id].parent_id == parent_id
        ]
        if stay:
            stay.sort(key=lambda pair: (pair[1], pair[0]))
            orders = keys_in_order([row.id for row in rows], stay)
        else:
            orders = dict(zip([row.id for row in rows], spread(len(rows)), strict=True))
        slugs: set[str] = set()
        moving: list[Page] = []
        for row in rows:
            row.order = orders[row.id]
            old = pages.get(row.id)
            if row.slug is None:
                continue
            same_file = (
                old is not None and _path_of(old) is not None and (_path_of(old) == _path_of(row))
            )
            if (
                old is not None
                and old.slug
                and old.parent_id == parent_id
                and same_file
                and (slug_key(old.slug) not in slugs)
            ):
                # It may be one that no file can have.
                row.slug = old.slug
                slugs.add(slug_key(row.slug))
            else:
                moving.append(row)
        for row in moving:
            assert row.slug is not None
            row.slug = unique_slug(row.slug, slugs, at_root=parent_id is None)
            slugs.add(slug_key(row.slug))

    def stays(
        self, source: PageImport | ReusableContentImport, old: Page | ReusableContent
    ) -> bool:
        """Whether a row says what its blob says, and its links lead where they led."""
        if source.git_oid is None or source.git_path is None or old.git is None:
            return False
        if old.git.get("oid") != source.git_oid or not is_synced(old):
            return False
        if (old.git.get("path"), old.git.get("root", "")) != (source.git_path, self._source.root):
            return False
        if isinstance(source, PageImport) and source.kind != "document":
            return False
        path = from_root(source.git_path, self._source.root)
        urls = [*urls_in(source.markdown)]
        if isinstance(source, PageImport) and source.cover is not None:
            urls += [url for url in source.cover.values() if isinstance(url, str)]
        before, after = self._old_links, self.links.links
        return all(
            before.resolve(url, path) == after.resolve(url, path) for url in dict.fromkeys(urls)
        )

    def _page(self, page: PageImport, parent_id: str | None) -> Page:
        id = self.links.page_id(page)
        old = self._stored.pages.get(id)
        if old is not None and self.stays(page, old):
            return replace(old, **_NOWHERE, parent_id=parent_id, slug=page.slug, children=None)
        row = Page(
            space_id="",
            revision_id="",
            id=id,
            type=PageType(page.kind),
            title=stored_title(page.title),
            parent_id=parent_id,
            order="",
            description=page.description,
            emoji=page.emoji,
            icon=page.icon,
            hidden=page.hidden,
            no_index=page.no_index,
            no_robots_index=page.no_robots_index,
            layout=dict(page.layout),
            cover=self.links.cover(page),
            variables=dict(page.variables),
            condition=page.condition,
            extra=dict(page.extra),
            git=self._blob(page.git_oid, page.git_path),
            updated_at=self._source.changed_at(page.git_path or ""),
        )
        if old is not None:
            row.created_at, row.slug_set = old.created_at, old.slug_set
        if row.type in (PageType.DOCUMENT, PageType.GROUP):
            row.slug = page.slug
        if row.type is PageType.DOCUMENT:
            before = None if old is None else old.document_id
            row.document_id = self._body(page.markdown, id, page.git_path, before)
        elif row.type is PageType.LINK:
            row.target = self.links.reference(page.target or "", None)
        elif row.type is PageType.COMPUTED:
            row.computed = dict(page.source or {})
        with_digest(row)
        return row

    def _body(self, markdown: str, seed: str, git_path: str | None, before: str | None) -> str:
        problem = text_problem(markdown)
        document: Node = dict(NO_TEXT)
        if problem is None:
            document = parse_with_style(
                markdown, seed=seed, resolve=lambda url: self.links.resolve(url, git_path)
            )
            problem = document_problem(document)
        if problem is not None:
            self.too_large.append(f"{git_path}: {problem}")
        old = None if before is None else self._bodies.get(before)
        if old is not None and before is not None:
            # Markdown that was written here may name what links lead to.
            as_good = old.markdown.strip() == markdown.strip() or SCHEME in old.markdown
            if as_good and content_digest(old.document) == content_digest(document):
                return before
            document = dict(carried(old.document, document))
        return self.changes.add_document(markdown, document)

    def _file(self, id: str, file: FileImport) -> File:
        size = file.dimensions
        row = File(
            space_id="",
            revision_id="",
            id=id,
            name=file.name,
            content_type=file.content_type,
            size=file.size,
            sha256=file.sha256,
            width=size.width if size is not None else None,
            height=size.height if size is not None else None,
            git=self._blob(file.git_oid, file.git_path),
        )
        with_digest(row)
        return row

    def _content(
        self, content: ReusableContentImport, old: ReusableContent | None
    ) -> ReusableContent:
        id = self.links.content_id(content.path)
        if old is not None and self.stays(content, old):
            return replace(old, **_NOWHERE)
        row = ReusableContent(
            space_id="",
            revision_id="",
            id=id,
            title=stored_title(content.title),
            document_id=self._body(
                content.markdown, id, content.git_path, None if old is None else old.document_id
            ),
            git=self._blob(content.git_oid, content.git_path),
        )
        with_digest(row)
        return row

    def _blob(self, oid: str | None, path: str | None) -> Json | None:
        """Where something stands in Git; with the content root, which links count from."""
        if oid is None or path is None:
            return None
        return git_mark(oid, path, self._source.root, self._source.tree_url)


# What says which revision a row was read from.
_NOWHERE: Mapping[str, Any] = {"space_id": "", "revision_id": ""}


def _path_of(page: Page) -> str | None:
    return None if page.git is None else str(page.git.get("path"))


def _same_file(row: File, old: File) -> bool:
    """Whether a file is what it was; marks of before say nothing of the bytes."""
    there = replace(old, **_NOWHERE)
    if row.git is not None and there.git is not None and "digest" not in there.git:
        row = replace(row, git={name: row.git[name] for name in row.git if name != "digest"})
    return row == there


def _same_page(page: Page, old: Page) -> bool:
    """Whether a page is stored as it was but for the time."""
    names = (
        "type", "title", "parent_id", "order", "slug", "slug_set", "description", "emoji", "icon",
        "hidden", "no_index", "no_robots_index", "layout", "cover", "variables", "condition",
        "extra", "document_id", "target", "computed", "git", "imported",
    )  # fmt: skip
    return all(getattr(page, name) == getattr(old, name) for name in names)


def _stored_links(stored: StoredContent) -> PathLinks:
    """The links between files as they were when the stored content was synchronized."""
    marks = [row.git for row in stored.pages.values() if row.git]
    root = next((str(mark["root"]) for mark in marks if mark.get("root")), "")
    links = PathLinks(tree_url_of(stored.pages.values()), root)

    def path_of(row: Page | File | ReusableContent) -> str | None:
        if row.git is None or "path" not in row.git:
            return None
        return from_root(str(row.git["path"]), str(row.git.get("root") or ""))

    for page in stored.pages.values():
        address = page.path if page.type.value in WITH_ADDRESS else None
        links.add_page(page.id, address, path_of(page))
    for file in stored.files.values():
        if (path := path_of(file)) is not None:
            links.add("file", file.id, path)
    for content in stored.contents.values():
        if (path := path_of(content)) is not None:
            links.add("reusable-content", content.id, path)
    links.set_redirects({path: (row.page_id, row.anchor) for path, row in stored.redirects.items()})
    return links
