"""Writes events: each write of the product leaves its events, in its own transaction.

`run` (resolvers/core/runners.py) derives them from what the audit log is written from, too. One
statement adds all of a write and numbers them. It comes last, since it locks the number of the
organization until the commit: so numbers have no gap, and whoever has read event 7 has missed none
before it (docs/decisions/0106-outbox.md).
"""

from collections.abc import Sequence
from typing import Any

import orjson

from db.ids import new_id
from db.models.audit import ACTION_LENGTH
from db.rows import SQLITE
from resolvers.core.audit import actor_kind
from resolvers.core.audit_notes import Notes
from resolvers.core.context import Context
from resolvers.core.event_derivation import drafts_of
from resolvers.core.event_drafts import Draft
from resolvers.core.event_statement import IDS, insert_events
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.naming import camel

Json = dict[str, Any]


def rows_of(ctx: Context, notes: Notes, action: str) -> list[Json]:
    """The events of an operation that has ended, as the statement takes them; none if it changed
    nothing that anybody follows."""
    drafts = drafts_of(notes.changes, notes.contents, notes.facts)
    if not drafts:
        return []
    origin = ctx.origin()
    common = {
        "at": _time(ctx),
        "actor_kind": actor_kind(ctx.actor, origin, ctx.actor.user_id).value,
        "actor_id": ctx.actor.user_id,
        "action": camel(action.strip("_"))[:ACTION_LENGTH],
    }
    homes = _homes(notes, drafts)
    return [_row(draft, homes) | common for draft in drafts]


def _time(ctx: Context) -> str:
    now = ctx.now()
    if ctx.session.get_bind().dialect.name == SQLITE:
        return now.strftime("%Y-%m-%d %H:%M:%S.%f")
    return now.isoformat()


def _homes(notes: Notes, drafts: Sequence[Draft]) -> dict[str, str]:
    """The organizations of rows that a write has changed: they may be gone when it is asked."""
    homes: dict[str, str] = {}
    for change in notes.changes:
        id, organization_id = (getattr(change.row, n, None) for n in ("id", "organization_id"))
        if id is not None and organization_id is not None:
            homes[id] = organization_id
    return homes


def _row(draft: Draft, homes: dict[str, str]) -> Json:
    kind = EVENT_KINDS[draft.type]
    row: Json = {name: getattr(draft, name) for name in IDS}
    if row["organization_id"] is None and row["account_id"] is None:
        for name in ("space_id", "site_id", "collection_id", "team_id"):
            if (home := homes.get(row[name])) is not None:
                row["organization_id"] = home
                break
    return row | {
        "id": new_id(),
        "type": draft.type.value,
        "audience": (draft.audience or kind.audience).value,
        "object_type": (draft.object_type or kind.object).value,
        "changed": list(draft.changed),
        "data": draft.data,
    }


async def write_events(ctx: Context, rows: Sequence[Json]) -> None:
    """Write events in the transaction of the session, which is to be committed at once."""
    if not rows:
        return
    dialect = ctx.session.get_bind().dialect.name
    numbered = [row | {"n": number} for number, row in enumerate(rows, start=1)]
    values = (orjson.dumps(numbered).decode(),)
    written = await ctx.session.fetch_text(insert_events(dialect), values)
    ctx.events.streams.update(stream for (stream,) in written)


async def write_held_events(ctx: Context) -> None:
    """Write the events of all writes in a transaction that was held, which ends now."""
    rows, ctx.events.held = ctx.events.held, []
    await write_events(ctx, rows)
