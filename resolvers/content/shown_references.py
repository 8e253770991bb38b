"""References in documents: to files, people and reusable contents, wherever they are named."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, select

from content.documents.content_references import read_reference
from content.documents.kept_html import addresses_in, with_led
from content.links.meaning import Standing
from content.links.references import reference_key
from db.models.content import Revision
from db.models.organizations import Member, User
from db.prepared import KEY, among
from resolvers.addresses.app import AppAddresses
from resolvers.content.documents import EMPTY
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.objects import CONTENTS, FILES
from resolvers.revisions.references import elsewhere_in, pairs
from resolvers.revisions.rows import File
from resolvers.revisions.source_paths import led_by_paths
from resolvers.revisions.states import Body, bodies

Json = dict[str, Any]
# Reusable contents in reusable contents; deeper ones are not shown.
CONTENT_DEPTH = 5


@dataclass(slots=True)
class Named:
    """Ids of the objects that documents refer to, by kind."""

    files: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)
    # Pages of other spaces: (space, page), the page empty where the space itself is meant.
    elsewhere: set[tuple[str, str]] = field(default_factory=set)
    # Spaces whose pages are shown beside those of the documents.
    shown: frozenset[str] = frozenset()
    # How the texts write references to other spaces than these: addresses of this application, by
    # `reference_key`. Whoever may read a text may read this.
    written: dict[str, str] = field(default_factory=dict)


async def collect(documents: Iterable[Json], named: Named) -> None:
    """Add what documents refer to; in a thread, because documents may be large."""
    await asyncio.to_thread(_walk, list(documents), named)


async def with_kept_html(
    ctx: Context, revision: Revision, rows: Sequence[Any], documents: Sequence[Json]
) -> list[Json]:
    """Documents of pages or reusable contents, in which kept HTML has what its addresses lead to:
    pictures of the space among them, by the rules of all links in a text."""
    addresses = await asyncio.to_thread(lambda: [addresses_in(document) for document in documents])
    if not any(addresses):
        return list(documents)
    standings = [Standing.of(str(getattr(row, "path", "")), row.git) for row in rows]
    led = await led_by_paths(ctx, revision, list(zip(standings, addresses, strict=True)))
    for own, urls in zip(led, addresses, strict=True):
        own.update((url, named) for url in urls if (named := read_reference(url)) is not None)
    return await asyncio.to_thread(
        lambda: [with_led(*pair) if pair[1] else pair[0]
                 for pair in zip(documents, led, strict=True)]
    )  # fmt: skip


async def collect_written(ctx: Context, read: Iterable[Body], named: Named) -> None:
    """Note how texts write their references to other spaces; in a thread, as it reads them anew."""
    await asyncio.to_thread(_note_written, AppAddresses.of(ctx), list(read), named)


def _note_written(addresses: AppAddresses, read: list[Body], named: Named) -> None:
    for body in read:
        if not elsewhere_in(body.document) - named.shown:
            continue
        for url, reference in pairs(body.markdown, body.document).items():
            address = addresses.absolute(url)
            if address is not None:
                named.written.setdefault(reference_key(reference), address)


def _walk(documents: list[Any], named: Named) -> None:
    stack: list[Any] = documents
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            _name(value, named)
            stack.extend(value.values())


def _name(value: Json, named: Named) -> None:
    """Add a reference, if that is what the object is, or the values of a table that name some."""
    kind = value.get("kind")
    kinds = (("file", named.files, "file"), ("user", named.users, "user"),
             ("reusable-content", named.contents, "reusableContent"))  # fmt: skip
    for candidate, names, key in kinds:
        id = value.get(key)
        if kind == candidate and isinstance(id, str):
            names.add(id)
    space, page = value.get("space"), value.get("page")
    if kind in ("page", "anchor", "space") and isinstance(space, str):
        named.elsewhere.add((space, page if isinstance(page, str) else ""))
    definition, records = value.get("definition"), value.get("records")
    if isinstance(definition, dict) and isinstance(records, dict):
        for id, column in definition.items():
            column_type = column.get("type") if isinstance(column, dict) else None
            if column_type == "users":
                named.users.update(_cell_texts(records, id))
            elif column_type == "files":
                named.files.update(_cell_texts(records, id))


def _cell_texts(records: Json, column: str) -> Iterator[str]:
    """The texts in the cells of a column, which may be one or a list of them."""
    for record in records.values():
        values = record.get("values") if isinstance(record, dict) else None
        cell = values.get(column) if isinstance(values, dict) else None
        yield from (item for item in (cell if isinstance(cell, list) else [cell])
                    if isinstance(item, str))  # fmt: skip


@statement
def _members(viewer: Viewer) -> Written:
    return (
        select(User.id, User.display_name)
        .join(Member, Member.user_id == User.id)
        .where(
            among(User.id, "users"),
            Member.organization_id == bindparam("organization_id", type_=KEY),
        )
    )


async def contents_of(ctx: Context, revision: Revision, named: Named) -> dict[str, Json]:
    """The documents of reusable contents that pages hold, and those hold in turn."""
    documents: dict[str, Json] = {}
    for _ in range(CONTENT_DEPTH):
        missing = sorted(named.contents - documents.keys())
        if not missing:
            break
        (found_contents,) = await CONTENTS.find(ctx, [(revision, missing)])
        rows = list(found_contents.values())
        read = await bodies(ctx, [(row.space_id, row.document_id) for row in rows])
        there = [(row, body.document) for row, body in zip(rows, read, strict=True) if body]
        owners = [row for row, _ in there]
        led = await with_kept_html(ctx, revision, owners, [document for _, document in there])
        new = {row.id: document for row, document in zip(owners, led, strict=True)}
        # What does not exist is not looked for again.
        documents |= {id: new.get(id, EMPTY) for id in missing}
        await collect(new.values(), named)
        await collect_written(ctx, (body for body in read if body), named)
    return documents


async def files_of(ctx: Context, revision: Revision, ids: Collection[str]) -> list[File]:
    """The files of a revision with these ids, in order of their ids."""
    (files,) = await FILES.find(ctx, [(revision, ids)])
    return [files[id] for id in sorted(files)]


async def names_of(ctx: Context, organization_id: str, ids: set[str]) -> dict[str, str]:
    """Names of people by id: members of the organization only."""
    if not ids:
        return {}
    rows = await _members.rows(ctx, users=ids, organization_id=organization_id)
    return {row.id: row.display_name for row in rows}
