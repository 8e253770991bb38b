"""Conflicts of change requests: how they are stored, and whether all are resolved."""

import datetime as dt
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    ColumnElement,
    Insert,
    String,
    and_,
    bindparam,
    delete,
    insert,
    not_,
    or_,
    select,
)
from sqlalchemy.orm import aliased, defer

from content.merge.conflict import Conflict, conflict_json
from db.content_enums import ConflictKind
from db.event_enums import EventType
from db.ids import new_id
from db.inserts import json_text, parts
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict, recorded
from db.models.spaces import Space
from db.session import Session
from resolvers.access.policy import must, must_be_operator
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.event_drafts import Draft

KEYS_AT_ONCE, SUBJECTS_AT_ONCE = 5000, 100
# What is removed at once of what was staged in vain, and when a merge has certainly ended.
PORTION, STAGED_FOR = 500, dt.timedelta(hours=1)
Row = dict[str, Any]


def conflict_rows(
    request_id: str, space_id: str, conflicts: Sequence[Conflict], now: dt.datetime
) -> list[Row]:
    """What `record_conflicts` writes of new conflicts, each once; for a merge it is made before
    the lock is taken."""
    rows: dict[str, Row] = {}
    for conflict in conflicts:
        if conflict.id not in rows:
            rows[conflict.id] = {
                "id": new_id(),
                "space_id": space_id,
                "change_request_id": request_id,
                "key": conflict.id,
                "kind": conflict.kind.value,
                "page_id": conflict.page,
                "file_id": conflict.file,
                "content_id": conflict.content,
                "block": conflict.block,
                "field": conflict.field,
                "json": orjson.dumps(conflict_json(conflict)).decode(),
                "created_at": now,
            }
    return [*rows.values()]


def _insertion(session: Session) -> Insert:
    """Inserts `conflict_rows`, whose values are as the database takes them."""
    table = MergeConflict.__table__
    values: dict[str, ColumnElement[Any]] = {
        name: bindparam(name, type_=table.c[name].type)
        for name in (
            "id", "space_id", "change_request_id", "key", "page_id", "file_id", "content_id",
            "block", "field", "created_at", "comes_with",
        )
    }  # fmt: skip
    values["kind"] = bindparam("kind", type_=String())
    values["data"] = json_text(session, "json")
    return insert(table).values(values)  # type: ignore[arg-type]


def _of_others(row: ChangeRequest, revision_id: str) -> ColumnElement[bool]:
    """The conflicts of a change request that came with another revision."""
    return and_(
        MergeConflict.change_request_id == row.id,
        MergeConflict.comes_with.is_distinct_from(revision_id),
        recorded(),
    )


@operation(audited=False)
async def stage_conflicts(
    ctx: Context, space_id: str, revision_id: str, rows: Sequence[Row]
) -> None:
    """Store a portion of the `conflict_rows` of a revision that is not written yet.

    With it they are there, without a statement for each; without it nobody sees them, and the
    purge removes them.
    """
    await must(ctx, Space, space_id)
    staged = [{**values, "comes_with": revision_id} for values in rows]
    await ctx.session.execute(_insertion(ctx.session), staged)


async def staged_in_vain(ctx: Context, before: dt.datetime) -> list[str]:
    """Ids of some conflicts that were staged before a time for revisions that are not there.

    An index has all that says which revisions these are: there may be many conflicts.
    """
    must_be_operator(ctx)
    other = aliased(MergeConflict)
    lacking = select(other.comes_with).where(not_(recorded(other))).distinct()
    ids = select(MergeConflict.id).where(
        MergeConflict.comes_with.in_(lacking), MergeConflict.created_at < before
    )
    return list((await ctx.session.execute(ids.limit(PORTION))).scalars())


@operation(audited=False)
async def forget_staged(ctx: Context, ids: Sequence[str]) -> int:
    """Remove conflicts whose revisions are still not there; how many."""
    must_be_operator(ctx)
    left = delete(MergeConflict).where(MergeConflict.id.in_(ids), not_(recorded()))
    return await ctx.session.change(left)


async def record_conflicts(
    ctx: Context,
    row: ChangeRequest,
    conflicts: Sequence[Conflict],
    rows: Sequence[Row],
    revision_id: str,
    staged: Container[str] = (),
) -> None:
    """Store what the merge of a revision could not decide; what was met before is open again.

    There may be thousands, and others wait: new ones are the `conflict_rows` of the conflicts,
    without those that are `staged` by their keys.
    """
    if not conflicts:
        return
    stored: dict[str, MergeConflict] = {}
    before = _of_others(row, revision_id)
    any_before = await ctx.session.execute(select(MergeConflict.id).where(before).limit(1))
    keys = [conflict.id for conflict in conflicts] if any_before.first() else []
    for some in parts(keys, KEYS_AT_ONCE):
        # Without what each has of the three versions, for it is written anew.
        met = (
            select(MergeConflict)
            .options(defer(MergeConflict.data))
            .where(before, MergeConflict.key.in_(some))
        )
        stored |= {earlier.key: earlier for earlier in (await ctx.session.execute(met)).scalars()}
    for conflict in conflicts if stored else ():
        if (earlier := stored.get(conflict.id)) is not None:
            # Both have made the same of it once more, and the decision was about that time.
            earlier.data = conflict_json(conflict)
            earlier.resolution = earlier.resolved_at = earlier.resolved_by_id = None
    new = [
        {**values, "comes_with": revision_id}
        for values in rows
        if values["key"] not in stored and values["key"] not in staged
    ]
    await ctx.session.flush()
    if new:
        await ctx.session.execute(_insertion(ctx.session), new)
    conflicted = Draft(
        type=EventType.CHANGE_REQUEST_CONFLICTED,
        object_id=row.id,
        space_id=row.space_id,
        change_request_id=row.id,
        data={"conflicts": len(conflicts)},
    )
    note_fact(ctx.session, conflicted)


async def keys_before(ctx: Context, row: ChangeRequest) -> set[str]:
    """The keys of all conflicts of a change request."""
    statement = select(MergeConflict.key).where(
        MergeConflict.change_request_id == row.id, recorded()
    )
    return set((await ctx.session.execute(statement)).scalars())


async def undecided_objects(ctx: Context, row: ChangeRequest) -> list[str]:
    """The page or reusable content of each conflict that nobody has resolved; empty for others."""
    statement = select(MergeConflict.page_id, MergeConflict.content_id).where(
        MergeConflict.change_request_id == row.id, MergeConflict.resolution.is_(None), recorded()
    )
    rows = (await ctx.session.execute(statement)).all()
    return [page_id or content_id or "" for page_id, content_id in rows]


# The page, file or reusable content of a conflict; none of them for variables of the space.
Subject = tuple[str | None, str | None, str | None]
_SUBJECT = MergeConflict.page_id, MergeConflict.file_id, MergeConflict.content_id


async def changed_at(ctx: Context, id: str) -> tuple[str, dt.datetime] | None:
    """The newest revision of a change request and when it was changed: open conflicts are others
    only where these are."""
    state = select(ChangeRequest.revision_id, ChangeRequest.updated_at).where(
        ChangeRequest.id == id
    )
    row = (await ctx.session.execute(state)).first()
    return None if row is None else (row.revision_id, row.updated_at)


async def open_subjects(ctx: Context, row: ChangeRequest, revision_id: str) -> list[Subject]:
    """What the conflicts of a change request are about that nobody has resolved, without those that
    came with a revision."""
    undecided = and_(_of_others(row, revision_id), MergeConflict.resolution.is_(None))
    rows = await ctx.session.execute(select(*_SUBJECT).where(undecided).distinct())
    return [(page, file, content) for page, file, content in rows]


def _is_about(ids: Subject) -> ColumnElement[bool]:
    pairs = zip(_SUBJECT, ids, strict=True)
    return and_(*[column.is_not_distinct_from(id) for column, id in pairs])


class OpenPlace(NamedTuple):
    """Where a conflict is that nobody has resolved; without its versions, for many have some."""

    id: str
    kind: ConflictKind
    page: str | None
    file: str | None
    content: str | None
    block: str | None
    ours: str | None
    theirs: str | None

    @property
    def subject(self) -> Subject:
        """What it is about."""
        return self.page, self.file, self.content

    @property
    def keys(self) -> set[str | None]:
        """The keys of the nodes that it is about in a document."""
        return {self.block, self.ours, self.theirs} - {None}


async def open_places(
    ctx: Context,
    row: ChangeRequest,
    revision_id: str,
    subjects: Sequence[Subject],
    but: Sequence[ConflictKind] = (),
) -> list[OpenPlace]:
    """The conflicts about some subjects of those that `open_subjects` looks at, without kinds."""
    undecided = and_(
        _of_others(row, revision_id),
        MergeConflict.resolution.is_(None),
        MergeConflict.kind.not_in(but),
    )
    keys = [MergeConflict.data[name, "key"].as_string() for name in ("ours", "theirs")]
    columns = MergeConflict.id, MergeConflict.kind, *_SUBJECT, MergeConflict.block, *keys
    places: list[OpenPlace] = []
    for some in parts(subjects, SUBJECTS_AT_ONCE):
        statement = select(*columns).where(undecided, or_(*map(_is_about, some)))
        places += map(OpenPlace._make, await ctx.session.execute(statement))
    return places


async def with_ids(ctx: Context, ids: Sequence[str]) -> list[MergeConflict]:
    """The rows of those of some conflicts that nobody has resolved."""
    rows: list[MergeConflict] = []
    for some in parts(ids, KEYS_AT_ONCE):
        statement = select(MergeConflict).where(
            MergeConflict.id.in_(some), MergeConflict.resolution.is_(None)
        )
        rows += (await ctx.session.execute(statement)).scalars()
    return rows
