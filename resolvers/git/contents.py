"""The content of a revision as it is written to Git: loaded at once, to be written in a thread.

Bodies of pages that are as their blobs have them are not loaded where the tree has those blobs.
Others are held packed, so that a space of 5,000 pages takes some 20 MB.
"""

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from sqlalchemy import select

from content.documents.content_references import NAMES
from content.git.space_content import (
    Body,
    FileContent,
    PageContent,
    ReusableContentContent,
    SpaceContent,
)
from content.json_types import JsonObject
from content.links.references import reference_key
from content.pages.front_matter import FrontMatter
from db.inserts import parts
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.access.policy import must, must_be_operator
from resolvers.content.client_markdown import Standpoint, client_addresses
from resolvers.core.context import Context
from resolvers.imports.tree_writes import stored_content
from resolvers.imports.trees import StoredContent
from resolvers.revisions.git_marks import is_synced
from resolvers.revisions.read_targets import ROOTS, find_revision
from resolvers.revisions.references import references_in
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import bodies, revision_of_space

Json = dict[str, Any]
_FIELDS = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout", "cover",
    "variables", "condition", "extra",
)  # fmt: skip
BODIES_AT_ONCE = 200
EXPORTED = ROOTS | {"redirects_root", "variables", "git"}


@dataclass(frozen=True, slots=True)
class RevisionContent:
    """A revision for Git, and the rows that it was made of. `outside` gives the addresses of what
    is in other spaces, or nowhere."""

    content: SpaceContent
    stored: StoredContent
    outside: Callable[[JsonObject], str | None]


def _as_it_is(stored: StoredContent) -> None:
    """Leave the marks of a revision."""


async def revision_content(
    ctx: Context,
    revision: Revision,
    title: str,
    blobs: Container[str] = frozenset(),
    mark: Callable[[StoredContent], None] = _as_it_is,
) -> RevisionContent:
    """The content of a revision that the caller may read; `blobs` are those that the tree has.

    Bytes of files are read one by one, from a thread other than that of the running event loop.
    `mark` may give the rows other marks of Git, those of the tree that is written to.
    """
    stored = await stored_content(ctx, revision)
    mark(stored)
    rows: list[Page | ReusableContent] = [*stored.pages.values(), *stored.contents.values()]
    needed = {
        row.document_id for row in rows if row.document_id is not None and not _is_in(row, blobs)
    }
    documents: dict[str, bytes] = {}
    elsewhere: dict[str, JsonObject] = {}
    for some in parts(sorted(needed), BODIES_AT_ONCE):
        read = await bodies(ctx, [(revision.space_id, id) for id in some])
        for id, body in zip(some, read, strict=True):
            if body is not None:
                packed = await asyncio.to_thread(_pack, body.document, stored, elsewhere)
                documents[id] = packed
    for page in stored.pages.values():
        _note_outside([page.cover, page.target], stored, elsewhere)
    addresses = await _addresses(ctx, revision, elsewhere)
    content = _content(ctx, revision.space_id, title, stored, documents, blobs)
    return RevisionContent(
        content, stored, lambda reference: addresses.get(reference_key(reference))
    )


def _is_in(row: Page | ReusableContent, blobs: Container[str]) -> bool:
    return row.git is not None and row.git.get("oid") in blobs and is_synced(row)


def _pack(document: Json, stored: StoredContent, elsewhere: dict[str, JsonObject]) -> bytes:
    _note_outside(document, stored, elsewhere)
    return zlib.compress(orjson.dumps(document), 1)


def _note_outside(value: Any, stored: StoredContent, elsewhere: dict[str, JsonObject]) -> None:
    """Note references to what the content itself does not have."""
    for reference in references_in(value):
        kind = str(reference.get("kind"))
        id = reference.get(NAMES.get(kind, ""))
        if kind == "url":
            continue
        there: Mapping[str, Any] = {}
        if reference.get("space") is None:
            there = {
                "page": stored.pages, "anchor": stored.pages, "file": stored.files,
                "reusable-content": stored.contents,
            }.get(kind, {})  # fmt: skip
        row = there.get(str(id))
        if row is None or (isinstance(row, Page) and row.type.value != "document"):
            elsewhere.setdefault(reference_key(reference), dict(reference))


async def _addresses(
    ctx: Context, revision: Revision, elsewhere: Mapping[str, JsonObject]
) -> dict[str, str]:
    if not elsewhere:
        return {}
    (urls,) = await client_addresses(ctx, [Standpoint(revision.id)], [list(elsewhere.values())])
    return dict(zip(elsewhere, urls, strict=True))


def _content(
    ctx: Context,
    space_id: str,
    title: str,
    stored: StoredContent,
    documents: Mapping[str, bytes],
    blobs: Container[str],
) -> SpaceContent:
    children: dict[str | None, list[Page]] = {}
    for page in stored.pages.values():
        children.setdefault(page.parent_id, []).append(page)
    root = next(
        (str(row.git["root"]) for row in _rows(stored) if row.git and row.git.get("root")), ""
    )

    def body(row: Page | ReusableContent) -> Body:
        return partial(_unpack, documents.get(row.document_id or ""))

    def pages(parent: str | None) -> tuple[PageContent, ...]:
        rows = sorted(children.get(parent, ()), key=lambda page: (page.order, page.id))
        return tuple(_page(row, body(row), pages(row.id), blobs) for row in rows)

    read = _reader(ctx, space_id)
    return SpaceContent(
        title=title,
        pages=pages(None),
        files=tuple(
            FileContent(
                file.id, file.name, file.sha256, file.size, partial(read, file.sha256),
                _path_of(file),
            )
            for file in stored.files.values()
        ),
        reusable_contents=tuple(
            ReusableContentContent(
                content.id, content.title, body(content), _path_of(content), _oid_of(content),
                _is_in(content, blobs),
            )
            for content in stored.contents.values()
        ),
        variables=dict(stored.variables),
        redirects={path: (row.page_id, row.anchor) for path, row in stored.redirects.items()},
        root=root,
    )  # fmt: skip


def _rows(stored: StoredContent) -> Iterable[Page | File | ReusableContent]:
    yield from stored.pages.values()
    yield from stored.contents.values()
    yield from stored.files.values()


def _page(
    row: Page, body: Body, children: Sequence[PageContent], blobs: Container[str]
) -> PageContent:
    kind = row.type.value
    return PageContent(
        id=row.id,
        kind=kind,
        title=row.title,
        slug=row.slug or "",
        matter=FrontMatter(**{name: getattr(row, name) for name in _FIELDS}),
        body=body if kind == "document" else None,
        target=row.target,
        source=row.computed,
        git_path=_path_of(row),
        git_oid=_oid_of(row),
        unchanged=_is_in(row, blobs),
        children=tuple(children),
    )


def _unpack(packed: bytes | None) -> JsonObject:
    if packed is None:
        return {"object": "document", "data": {}, "nodes": []}
    document: JsonObject = orjson.loads(zlib.decompress(packed))
    return document


def _path_of(row: Page | File | ReusableContent) -> str | None:
    return None if row.git is None or "path" not in row.git else str(row.git["path"])


def _oid_of(row: Page | ReusableContent) -> str | None:
    return None if row.git is None else row.git.get("oid")


def _reader(ctx: Context, space_id: str) -> Callable[[str], bytes]:
    """Reads bytes of files of a space from a thread, on the event loop that runs now."""
    loop, store = asyncio.get_running_loop(), ctx.blobs

    async def all_of(chunks: AsyncIterator[bytes]) -> bytes:
        return b"".join([chunk async for chunk in chunks])

    def read(sha256: str) -> bytes:
        reading = all_of(store.read(space_id, sha256))
        return asyncio.run_coroutine_threadsafe(reading, loop).result()

    return read


async def content_to_export(
    ctx: Context,
    space_id: str,
    change_request_id: str | None = None,
    revision_id: str | None = None,
) -> RevisionContent:
    """The content of a space, a change request (by id or number) or a revision of the space."""
    space = await must(ctx, Space, space_id)
    revision = await find_revision(
        ctx, space_id, change_request_id, revision_id, columns=EXPORTED, computed=False
    )
    return await revision_content(ctx, revision, space.title)


# Spaces of one title that are looked into, and the part of the paths that must be in one.
LOOKED_INTO = 20


async def spaces_with(
    ctx: Context, organization_id: str, title: str, paths: Sequence[str]
) -> list[Space]:
    """The spaces of an organization that have a documentation already: those of its title that
    have at least half of the paths of its pages."""
    must_be_operator(ctx)
    statement = (
        select(Space)
        .where(
            Space.organization_id == organization_id,
            Space.title == title,
            Space.deleted_at.is_(None),
        )
        .order_by(Space.created_at.desc(), Space.id)
        .limit(LOOKED_INTO)
    )
    there: list[Space] = []
    for space in (await ctx.session.execute(statement)).scalars().all():
        stored = await stored_content(ctx, await revision_of_space(ctx, space))
        there_already = {trace.path for trace in stored.traces().pages.values()}
        if paths and 2 * len(there_already.intersection(paths)) >= len(paths):
            there.append(space)
    return there
