"""Imports documentation in the Git layout into a space, as its next revision.

Reading and parsing happen outside the transaction; the write itself is one.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from content.documents.limits import document_problem, text_problem
from content.documents.nodes import Node
from content.git.import_links import ImportLinks
from content.git.space_import import FileImport, PageImport, ReusableContentImport, SpaceImport
from content.markdown.spelling import parse_with_style
from content.ordering import spread
from content.pages.stored import stored_title
from content.sources.tree import CommitInfo
from db.content_enums import PageType
from db.ids import new_id
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.runners import run
from resolvers.imports.app_links import lead_changes
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import ContentRedirect, File, Page, ReusableContent
from resolvers.revisions.states import Changes, revision_of_space, write_revision
from resolvers.revisions.write_targets import Target
from resolvers.spaces.operations import CreateSpaceInput, make_space
from resolvers.writing.commits import activate_revision

Json = dict[str, Any]
TOO_LARGE_SHOWN = 20
NO_TEXT: Node = {"object": "document", "data": {}, "nodes": []}
# Called with the number of finished and of all steps.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything of an import that needs no database: ids are given, bodies are parsed."""

    changes: Changes
    files: tuple[tuple[str, FileImport], ...]
    git: Json | None


@dataclass(frozen=True, slots=True)
class Imported:
    """The space and revision that an import made."""

    space: Space
    revision: Revision
    pages: int
    files: int

    @property
    def audited(self) -> Space:
        """What the audit log names."""
        return self.space


class TooLargeError(ValueError):
    """The source holds more than a space may."""


def prepare(
    source: SpaceImport,
    commit: CommitInfo | None,
    progress: Progress = lambda done, total: None,
) -> Prepared:
    """Turn a source into the changes of a revision; takes a while, so run it in a thread."""
    pages = list(source.walk())
    for count, limit, what in (
        (len(pages), content_limits.PAGES, "pages"),
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
    builder = _Builder(source)
    total = len(pages) + len(source.reusable_contents)
    for done, _ in enumerate(builder.build(), start=1):
        progress(done, total)
    if builder.too_large:
        shown = builder.too_large[:TOO_LARGE_SHOWN]
        if len(builder.too_large) > TOO_LARGE_SHOWN:
            shown.append(f"and {len(builder.too_large) - TOO_LARGE_SHOWN} more")
        raise TooLargeError(f"texts are beyond the limits of a page: {'; '.join(shown)}")
    builder.changes.variables = dict(source.variables)
    git = None
    if commit is not None:
        git = {"oid": commit.oid, "message": commit.message, "ref": commit.ref}
    return Prepared(builder.changes, tuple(builder.files.items()), git)


class _Builder:
    """Makes the rows of pages and files, with the links between them.

    Which space and revision the rows belong to is known when they are stored.
    """

    def __init__(self, source: SpaceImport) -> None:
        self.changes = Changes()
        # Pages and reusable contents whose texts are beyond the limits, and why.
        self.too_large: list[str] = []
        self._source = source
        self._links = ImportLinks(source, new_id)
        self.files = {self._links.file_id(file.path): file for file in source.files}

    def build(self) -> Iterable[None]:
        """Make all rows; yields after each page and reusable content."""
        for id, file in self.files.items():
            self.changes.files[id] = self._file(id, file)
        levels: list[tuple[str | None, tuple[PageImport, ...]]] = [(None, self._source.pages)]
        while levels:
            parent_id, siblings = levels.pop()
            for page, order in zip(siblings, spread(len(siblings)), strict=True):
                row = self._page(page, parent_id, order)
                self.changes.pages[row.id] = row
                levels.append((row.id, page.children))
                yield
        for content in self._source.reusable_contents:
            made_content = self._content(content)
            self.changes.contents[made_content.id] = made_content
            yield
        for path, (page_id, anchor) in self._links.redirects().items():
            self.changes.redirects[path] = ContentRedirect(
                space_id="", revision_id="", path=path, page_id=page_id, anchor=anchor
            )

    def _page(self, page: PageImport, parent_id: str | None, order: str) -> Page:
        id = self._links.page_id(page)
        row = Page(
            space_id="",
            revision_id="",
            id=id,
            type=PageType(page.kind),
            title=stored_title(page.title),
            parent_id=parent_id,
            order=order,
            description=page.description,
            emoji=page.emoji,
            icon=page.icon,
            hidden=page.hidden,
            no_index=page.no_index,
            no_robots_index=page.no_robots_index,
            layout=dict(page.layout),
            cover=self._links.cover(page),
            variables=dict(page.variables),
            condition=page.condition,
            extra=dict(page.extra),
            git=self._blob(page.git_oid, page.git_path),
            updated_at=self._source.changed_at(page.git_path or ""),
        )
        if row.type in (PageType.DOCUMENT, PageType.GROUP):
            row.slug = page.slug
        if row.type is PageType.DOCUMENT:
            row.document_id = self._body(page.markdown, id, page.git_path)
        elif row.type is PageType.LINK:
            row.target = self._links.reference(page.target or "", None)
        elif row.type is PageType.COMPUTED:
            row.computed = dict(page.source or {})
        return row

    def _body(self, markdown: str, seed: str, git_path: str | None) -> str:
        problem = text_problem(markdown)
        document: Node = dict(NO_TEXT)
        if problem is None:
            document = parse_with_style(
                markdown, seed=seed, resolve=lambda url: self._links.resolve(url, git_path)
            )
            problem = document_problem(document)
        if problem is not None:
            self.too_large.append(f"{git_path}: {problem}")
        return self.changes.add_document(markdown, document)

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
            git=self._blob(file.git_oid, file.git_path),
        )

    def _content(self, content: ReusableContentImport) -> ReusableContent:
        id = self._links.content_id(content.path)
        return ReusableContent(
            space_id="",
            revision_id="",
            id=id,
            title=stored_title(content.title),
            document_id=self._body(content.markdown, id, content.git_path),
            git=self._blob(content.git_oid, content.git_path),
        )

    def _blob(self, oid: str | None, path: str | None) -> Json | None:
        """Where something stands in Git; with the content root, which links count from."""
        if oid is None or path is None:
            return None
        root = {"root": self._source.root} if self._source.root else {}
        return {"oid": oid, "path": path, **root}


@operation(transactions=Transactions.IN_STEPS)
async def import_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, prepared: Prepared
) -> Imported:
    """Make a space with the prepared content; when that fails nothing of it remains."""
    space_id = new_id()
    try:
        await keep_files(ctx, space_id, prepared)
        return await run(ctx, make_imported_space, organization_id, input, space_id, prepared)
    except BaseException:
        # The transaction takes the rows back; bytes of files are not part of it.
        await ctx.blobs.delete_space(space_id)
        raise


async def keep_files(ctx: Context, space_id: str, prepared: Prepared) -> None:
    """Keep the bytes of the files, before a transaction that would hold locks meanwhile."""
    for _, file in prepared.files:
        await ctx.blobs.put(space_id, await asyncio.to_thread(file.read))


async def make_imported_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, space_id: str, prepared: Prepared
) -> Imported:
    """Make a space with the prepared content, in the transaction; its files are stored already."""
    space = await make_space(ctx, organization_id, input, space_id)
    await lead_changes(ctx, prepared.changes)
    now = ctx.now()
    for page in prepared.changes.pages.values():
        assert page is not None
        # Of what the source does not say, the time of the import is known.
        page.created_at = page.updated_at = min(page.updated_at or now, now)
    revision = await write_revision(ctx, space.id, None, prepared.changes, git=prepared.git)
    revision.parents = [space.revision_id]
    before = await revision_of_space(ctx, space)
    await activate_revision(ctx, Target(space.id, space, None, before), revision)
    return Imported(space, revision, len(prepared.changes.pages), len(prepared.changes.files))
