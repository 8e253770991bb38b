"""Imports documentation in the Git layout into a space, as its next revision.

Reading and parsing happen outside the transaction; the write itself is one.
"""

import asyncio
import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from strawberry import ID

from content.links import relative_target
from content.markdown.parser import parse_document
from content.ordering import spread
from content.source_tree import CommitInfo
from content.space_import import FileImport, PageImport, ReusableContentImport, SpaceImport
from db.enums import PageType, Role
from db.ids import new_id
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.content_commits import activate_revision
from resolvers.content_targets import Target
from resolvers.context import Context
from resolvers.page_rows import File, Page, ReusableContent
from resolvers.policy import must
from resolvers.revisions import Changes, revision_of_space, write_revision
from resolvers.spaces import CreateSpaceInput, create_space

Json = dict[str, Any]
# Called with the number of finished and of all steps.
Progress = Callable[[int, int], None]
PAGE_LIMIT = 10_000
FILE_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything of an import that needs no database: ids are given, bodies are parsed."""

    changes: Changes
    files: tuple[tuple[str, FileImport], ...]
    git: Json | None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import made."""

    space: Space
    revision: Revision
    pages: int
    files: int


class TooLargeError(ValueError):
    """The source holds more than a space may."""


def prepare(
    source: SpaceImport,
    commit: CommitInfo | None,
    progress: Progress = lambda done, total: None,
) -> Prepared:
    """Turn a source into the changes of a revision; takes a while, so run it in a thread."""
    pages = list(source.walk())
    if len(pages) > PAGE_LIMIT:
        raise TooLargeError(f"the source has {len(pages)} pages; a space holds {PAGE_LIMIT}")
    if len(source.files) > FILE_LIMIT:
        raise TooLargeError(f"the source has {len(source.files)} files; a space holds {FILE_LIMIT}")
    builder = _Builder(source)
    total = len(pages) + len(source.reusable_contents)
    for done, _ in enumerate(builder.build(), start=1):
        progress(done, total)
    builder.changes.variables = dict(source.variables)
    git = None
    if commit is not None:
        git = {"oid": commit.oid, "message": commit.message, "ref": commit.ref}
    return Prepared(builder.changes, tuple(builder.files.items()), git)


class _Builder:
    """Gives ids to pages and files and resolves the links between them.

    Which space and revision the rows belong to is known when they are stored.
    """

    def __init__(self, source: SpaceImport) -> None:
        self.changes = Changes()
        self.files: dict[str, FileImport] = {}
        self._source = source
        self._page_ids: dict[int, str] = {}
        # Paths from the content root, as links name them -> ids.
        self._pages_by_path: dict[str, str] = {}
        self._files_by_path: dict[str, str] = {}
        self._contents_by_path: dict[str, str] = {}
        taken: set[str] = set()
        for page in source.walk():
            id = self._page_ids[id_of(page)] = _own_id(page.id, taken)
            if page.git_path is not None:
                self._pages_by_path[self._from_root(page.git_path)] = id
        for file in source.files:
            id = new_id()
            self.files[id] = file
            self._files_by_path[file.path] = id
        taken = set()
        for content in source.reusable_contents:
            self._contents_by_path[content.path] = _own_id(content.id, taken)

    def _from_root(self, path: str) -> str:
        root = self._source.root
        return path.removeprefix(f"{root}/") if root else path

    def build(self) -> Iterable[None]:
        """Make all rows; yields after each page and reusable content."""
        for id, file in self.files.items():
            self.changes.files[id] = self._file(id, file)
        levels: list[tuple[str | None, tuple[PageImport, ...]]] = [(None, self._source.pages)]
        while levels:
            parent_id, siblings = levels.pop()
            for page, order in zip(siblings, spread(len(siblings)), strict=True):
                made = self._page(page, parent_id, order)
                self.changes.pages[made.id] = made
                levels.append((made.id, page.children))
                yield
        for content in self._source.reusable_contents:
            made_content = self._content(content)
            self.changes.contents[made_content.id] = made_content
            yield

    def _page(self, page: PageImport, parent_id: str | None, order: str) -> Page:
        id = self._page_ids[id_of(page)]
        made = Page(
            space_id="",
            revision_id="",
            id=id,
            type=PageType(page.kind),
            title=page.title,
            parent_id=parent_id,
            order=order,
            description=page.description,
            emoji=page.emoji,
            icon=page.icon,
            hidden=page.hidden,
            no_index=page.no_index,
            no_robots_index=page.no_robots_index,
            layout=dict(page.layout or {}),
            cover=self._cover(page),
            variables=dict(page.variables),
            condition=page.condition,
            extra=dict(page.extra),
            git=_blob(page.git_oid, page.git_path),
        )
        if made.type in (PageType.DOCUMENT, PageType.GROUP):
            made.slug = page.slug
        if made.type is PageType.DOCUMENT:
            made.document_id = self._body(page.markdown, id, page.git_path)
        elif made.type is PageType.LINK:
            made.target = self._reference(page.target or "", "")
        elif made.type is PageType.COMPUTED:
            made.computed = dict(page.source or {})
        return made

    def _body(self, markdown: str, seed: str, git_path: str | None) -> str:
        folder = posixpath.dirname(self._from_root(git_path)) if git_path is not None else ""
        document = parse_document(
            markdown, seed=seed, resolve=lambda url: self._resolve(url, folder)
        )
        return self.changes.add_document(markdown, document)

    def _resolve(self, url: str, folder: str) -> Json | None:
        """The content reference that a relative link stands for; None for other links."""
        target = relative_target(url, folder)
        if target is None:
            return None
        path, anchor = target
        page_id = self._pages_by_path.get(path) or self._pages_by_path.get(
            posixpath.join(path, "README.md")
        )
        if page_id is not None:
            if anchor:
                return {"kind": "anchor", "anchor": anchor, "page": page_id}
            return {"kind": "page", "page": page_id}
        content_id = self._contents_by_path.get(path)
        if content_id is not None:
            return {"kind": "reusable-content", "reusableContent": content_id}
        file_id = self._files_by_path.get(path)
        return None if file_id is None else {"kind": "file", "file": file_id}

    def _reference(self, url: str, folder: str) -> Json:
        return self._resolve(url, folder) or {"kind": "url", "url": url}

    def _cover(self, page: PageImport) -> Json | None:
        if page.cover is None:
            return None
        folder = posixpath.dirname(self._from_root(page.git_path or ""))
        cover = dict(page.cover)
        for name in ("ref", "refDark"):
            value = cover.get(name)
            if isinstance(value, str):
                cover[name] = self._reference(value, folder)
        return cover

    def _file(self, id: str, file: FileImport) -> File:
        size = file.dimensions
        return File(
            space_id="",
            revision_id="",
            id=id,
            name=file.name,
            content_type=file.content_type,
            size=file.size,
            sha256=file.sha256,
            width=size.width if size is not None else None,
            height=size.height if size is not None else None,
            git=_blob(file.git_oid, file.git_path),
        )

    def _content(self, content: ReusableContentImport) -> ReusableContent:
        id = self._contents_by_path[content.path]
        return ReusableContent(
            space_id="",
            revision_id="",
            id=id,
            title=content.title,
            document_id=self._body(content.markdown, id, content.git_path),
            git=_blob(content.git_oid, content.git_path),
        )


def id_of(page: PageImport) -> int:
    """Pages of one import are told apart by identity: two may be equal."""
    return id(page)


def _own_id(claimed: str | None, taken: set[str]) -> str:
    """The id that front matter claims, unless something before has claimed it; else a new one."""
    id = claimed if claimed is not None and claimed not in taken else new_id()
    taken.add(id)
    return id


def _blob(oid: str | None, path: str | None) -> Json | None:
    return {"oid": oid, "path": path} if oid is not None and path is not None else None


async def store_import(ctx: Context, space_id: str, prepared: Prepared) -> Imported:
    """Make the prepared content the space's primary content; needs the role `create`."""
    space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    for _, file in prepared.files:
        await ctx.blobs.put(space.id, await asyncio.to_thread(file.read))
    revision = await write_revision(ctx, space.id, None, prepared.changes, git=prepared.git)
    revision.parents = [space.revision_id]
    before = await revision_of_space(ctx, space)
    await activate_revision(ctx, Target(space.id, space, None, before), revision)
    return Imported(space, revision, len(prepared.changes.pages), len(prepared.changes.files))


async def import_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, prepared: Prepared
) -> Imported:
    """Make a space with the prepared content; when that fails nothing of it remains."""
    space = await create_space(ctx, ID(organization_id), input)
    try:
        return await store_import(ctx, space.id, prepared)
    except BaseException:
        # The transaction takes the rows back; bytes of files are not part of it.
        await ctx.blobs.delete_space(space.id)
        raise
