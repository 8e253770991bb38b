"""Revisions: immutable states of a space's content, and how new ones are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import orjson
from sqlalchemy import bindparam, select

from content.collector import paused_for
from content.hashing import content_id
from content.markdown.parser import parse_document
from content.merkle.write import update
from content.ordering import spread
from db.content_enums import PageType, RevisionType
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.content import Document, Revision
from db.models.spaces import Space, written_revision
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, lasting_statement, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, visible_by_key
from resolvers.revisions.rows import (
    ContentRedirect,
    File,
    Page,
    ReusableContent,
    content_entry,
    entry_of,
    file_entry,
    redirect_entry,
)
from resolvers.revisions.store import put_documents, put_nodes, walk_one

Json = dict[str, Any]
EMPTY_SLUG = "readme"


@dataclass(slots=True)
class Changes:
    """The changes of a new revision to its parent: by id, None removes. Bodies by document id,
    redirects by old path."""

    pages: dict[str, Page | None] = field(default_factory=dict)
    # Pages as the parent revision has them, where a page moves, is renamed or is removed.
    before: dict[str, Page] = field(default_factory=dict)
    files: dict[str, File | None] = field(default_factory=dict)
    contents: dict[str, ReusableContent | None] = field(default_factory=dict)
    redirects: dict[str, ContentRedirect | None] = field(default_factory=dict)
    documents: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    variables: Json | None = None

    def add_document(self, markdown: str, document: Mapping[str, Any]) -> str:
        """Remember a body; returns its id."""
        return self.add_body(markdown, orjson.dumps(document))

    def add_body(self, markdown: str, data: bytes) -> str:
        """The same for a document as the bytes of its JSON, as `orjson` writes it."""
        id = content_id(orjson.dumps([markdown]) + data)
        self.documents[id] = (markdown, data)
        return id

    def body(self, document_id: str) -> "Body":
        """A body that was remembered."""
        markdown, data = self.documents[document_id]
        with paused_for(markdown):
            return Body(markdown, orjson.loads(data))


async def write_revision(
    ctx: Context,
    space_id: str,
    parent: Revision | None,
    changes: Changes,
    *,
    type: RevisionType = RevisionType.EDITS,
    others: Sequence[str] = (),
    merged_from_id: str | None = None,
    git: Json | None = None,
    revision_id: str | None = None,
) -> Revision:
    """A new revision on top of `parent`: stores only the nodes and bodies that are new.

    When nothing differs from `parent`, that one is returned: history has no empty steps. Merges
    and pulls (`others` are ids of their further parents) and commits of Git are steps in any case.
    """
    slugs: dict[str, Json | None] = {}
    for page in changes.before.values():
        slugs[page.key] = None
    for id, changed in changes.pages.items():
        if changed is not None:
            slugs[changed.key] = {"id": id}
    roots: dict[str, str | None] = {}
    nodes: dict[str, bytes] = {}
    for name, entries in (
        ("pages_root", _entries(changes.pages, entry_of)),
        ("slugs_root", slugs),
        ("files_root", _entries(changes.files, file_entry)),
        ("contents_root", _entries(changes.contents, content_entry)),
        ("redirects_root", _entries(changes.redirects, redirect_entry)),
    ):
        root = getattr(parent, name) if parent is not None else None
        roots[name], new_nodes = await walk_one(ctx, space_id, update(root, entries))
        nodes.update(new_nodes)
    variables = changes.variables
    if variables is None:
        variables = dict(parent.variables) if parent is not None else {}
    if parent is not None and not others and git is None and _equal(parent, roots, variables):
        return parent
    await put_nodes(ctx, space_id, nodes)
    await put_documents(ctx, space_id, changes.documents)
    revision = Revision(
        id=revision_id or new_id(),
        space_id=space_id,
        type=type,
        parents=[*([parent.id] if parent is not None else []), *others],
        variables=variables,
        conditional=_conditional(parent, changes),
        git=git,
        merged_from_id=merged_from_id,
        author_id=ctx.actor.user_id,
        created_at=ctx.now(),
        **roots,
    )
    ctx.session.add(revision)
    await ctx.session.flush()
    return revision


def _conditional(parent: Revision | None, changes: Changes) -> bool:
    """Whether pages may have conditions: some were given one, now or in a revision before."""
    before = parent is not None and parent.conditional
    return before or any(page is not None and page.condition for page in changes.pages.values())


def _equal(parent: Revision, roots: Mapping[str, str | None], variables: Json) -> bool:
    """Whether the parent has the same content; compared as stored: in Python 1 equals true."""
    same = all(getattr(parent, name) == root for name, root in roots.items())
    return same and orjson.dumps(dict(parent.variables), option=orjson.OPT_SORT_KEYS) == (
        orjson.dumps(variables, option=orjson.OPT_SORT_KEYS)
    )


T = TypeVar("T")


def _entries(rows: Mapping[str, T | None], entry: Any) -> dict[str, Json | None]:
    return {id: None if row is None else entry(row) for id, row in rows.items()}


async def first_revision(ctx: Context, space_id: str, title: str) -> Revision:
    """The first revision of a new space: one empty page with the space's title."""
    page_id = new_id()
    changes = Changes()
    changes.pages[page_id] = Page(
        space_id=space_id,
        revision_id="",
        id=page_id,
        type=PageType.DOCUMENT,
        title=title or "Untitled",
        parent_id=None,
        order=spread(1)[0],
        slug=EMPTY_SLUG,
        document_id=_add_empty(changes, page_id),
    )
    return await write_revision(ctx, space_id, None, changes)


def _add_empty(changes: Changes, page_id: str) -> str:
    return changes.add_document("", parse_document("", seed=page_id))


def is_first_page(page: Page) -> bool:
    """Whether nobody has touched the page with which a new space begins."""
    return (
        page.slug == EMPTY_SLUG
        and page.created_at == page.updated_at
        and page.git is None
        and page.imported is None
        # Last, for it makes a document.
        and page.document_id == _add_empty(Changes(), page.id)
    )


@statement
def _in_space(viewer: Viewer) -> Written:
    return select(Revision).where(
        Revision.id == bindparam("id", type_=KEY),
        Revision.space_id == bindparam("space_id", type_=KEY),
    )


async def find_in_space(ctx: Context, space_id: str, id: str) -> Revision | None:
    """A revision of a space that the caller has found already."""
    return next(iter(await _in_space.rows(ctx, id=id, space_id=space_id)), None)


async def get_in_space(ctx: Context, space_id: str, id: str) -> Revision:
    """The same for a revision that has to be there."""
    (revision,) = await _in_space.rows(ctx, id=id, space_id=space_id)
    return cast(Revision, revision)


async def revision_of_space(ctx: Context, space: Space) -> Revision:
    """The newest revision that was written in a space that the caller has found already."""
    return await get_in_space(ctx, space.id, written_revision(space))


merge_requests = visible_by_key(ChangeRequest, "merged_from_id")


@computed_from("type", "merged_from_id", "expands_id")
async def revision_types(
    ctx: Context, rows: Sequence[Revision], arguments: Any
) -> list[RevisionType]:
    """The kind of write that each revision came from.

    One with pages of sources in it is `computed`. A merge says which change request it is of. To
    those who do not see that one, such as visitors of a site, it is a revision with edits.
    """
    shown = [row.type if row.expands_id is None else RevisionType.COMPUTED for row in rows]
    merged = [row for row in rows if row.type is RevisionType.MERGE]
    if not merged:
        return shown
    origins = [row.merged_from_id for row in merged]
    if ctx.actor.visitor is not None:
        requests = await merge_requests(ctx, merged, None)
        origins = [None if request is None else request.id for request in requests]
    visible = {id for id in origins if id is not None}
    return [
        RevisionType.EDITS
        if type is RevisionType.MERGE and row.merged_from_id not in visible
        else type
        for row, type in zip(rows, shown, strict=True)
    ]


@computed_from("id", "space_id")
async def revision_urls(ctx: Context, rows: Sequence[Revision], arguments: Any) -> list[Urls]:
    """Where a revision is found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.space_id}/~/revisions/{row.id}") for row in rows]


@dataclass(frozen=True, slots=True)
class GitCommit:
    """The commit that a revision was imported from."""

    oid: str
    message: str
    created_by_service: bool = False
    url: str | None = None
    ref: str | None = None


@computed_from("git")
async def revision_commits(
    ctx: Context, rows: Sequence[Revision], arguments: Any
) -> list[GitCommit | None]:
    """The commit of each revision that came from Git."""
    return [GitCommit(**row.git) if row.git else None for row in rows]


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a page in both forms."""

    markdown: str
    document: Json


@lasting_statement
def _documents(viewer: Viewer) -> Written:
    # Of several spaces this may find a document that only another one was asked for.
    return select(Document.space_id, Document.id, Document.markdown, Document.data).where(
        among(Document.space_id, "spaces"), among(Document.id, "documents")
    )


def show_unstored(ctx: Context, space_id: str, changes: Changes, ids: Iterable[str | None]) -> None:
    """Have these bodies in the answer, though a dry run stores none."""
    for id in ids:
        if id in changes.documents:
            ctx.cache[show_unstored, space_id, id] = changes.documents[id]


async def bodies(ctx: Context, document_ids: Sequence[tuple[str, str | None]]) -> list[Body | None]:
    """Bodies by (space id, document id), in one statement."""
    keys = {(space_id, id) for space_id, id in document_ids if id is not None}
    stored: dict[tuple[str, str], Body] = {}
    for key in list(keys):
        unstored = ctx.cache.get((show_unstored, *key))
        if unstored is not None:
            markdown, data = unstored
            with paused_for(markdown):
                stored[key] = Body(markdown, orjson.loads(data))
            keys.remove(key)
    if keys:
        spaces, documents = {space_id for space_id, _ in keys}, {id for _, id in keys}
        for row in await _documents.rows(ctx, spaces=spaces, documents=documents):
            if (row.space_id, row.id) in keys:
                with paused_for(row.markdown):
                    stored[row.space_id, row.id] = Body(row.markdown, orjson.loads(row.data))
    return [stored.get((space_id, id or "")) for space_id, id in document_ids]
