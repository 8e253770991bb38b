"""Writes the audit log: each write of the product leaves an entry, in its own transaction.

`run` (resolvers/core/runners.py) notes what the session changes while an operation runs, and then
writes one entry: nothing of it is left when the write fails, and there is none where nothing was
changed. The object is the row that the operation returns; where it returns none, what it has
changed. Acts that are no writes of the product, such as a sign-in, call `record`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import JSON, String, bindparam, event, func, insert, inspect, select
from sqlalchemy.orm import ORMExecuteState, Session as SyncSession, SessionTransaction

from db.audit_enums import AuditActorKind, AuditChangeKind, AuditDoor, AuditObjectType
from db.base import Base
from db.commits import WriteSession
from db.ids import new_id
from db.models.audit import ACTION_LENGTH, AuditEntry
from db.models.organizations import Organization, Team, User
from db.models.sites import Site, SiteSpace
from db.models.spaces import Collection, Space
from db.session import Session
from resolvers.core.actors import Actor, Origin
from resolvers.core.audit_objects import OBJECTS, AuditObject, object_of, shown
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion
from resolvers.core.naming import camel

# Changes that one entry shows.
MOST_CHANGES = 100
_NOTES = "audit"


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to a row."""

    kind: AuditChangeKind
    row: Base
    # Of the fields that are shown: before and after.
    values: dict[str, tuple[Any, Any]]
    # The organization that it was in before.
    left: str | None = None


@dataclass(slots=True)
class Notes:
    """What a session has changed since a write began."""

    changes: list[Change] = field(default_factory=list)
    # How many statements changed rows that the session does not hold.
    statements: int = 0
    # The write has called `record` itself.
    recorded: bool = False
    _savepoints: dict[SessionTransaction, tuple[int, int]] = field(default_factory=dict)

    @property
    def anything(self) -> bool:
        """Whether something was changed."""
        return bool(self.changes or self.statements)

    def begin(self, savepoint: SessionTransaction) -> None:
        """Remember where a savepoint begins."""
        self._savepoints[savepoint] = len(self.changes), self.statements

    def undo(self, savepoint: SessionTransaction) -> None:
        """Forget what was changed since a savepoint that was taken back."""
        if savepoint in self._savepoints:
            count, self.statements = self._savepoints.pop(savepoint)
            del self.changes[count:]

    def flushed(self, session: SyncSession) -> None:
        """Note the rows that are being written."""
        for row in session.new:
            self.note(AuditChangeKind.ADDED, row)
        for row in session.dirty:
            if session.is_modified(row):
                self.note(AuditChangeKind.CHANGED, row)
        for row in session.deleted:
            self.note(AuditChangeKind.REMOVED, row)

    def note(self, kind: AuditChangeKind, row: Any) -> None:
        """Note one row, with the values that are shown of it."""
        object_kind = OBJECTS.get(type(row))
        values: dict[str, tuple[Any, Any]] = {}
        left = None
        state = inspect(row)
        for name in () if object_kind is None else object_kind.fields:
            history = state.attrs[name].history
            if kind is AuditChangeKind.CHANGED:
                if not history.has_changes():
                    continue
                before = history.deleted[0] if history.deleted else None
                values[name] = before, history.added[0] if history.added else None
                if name == "organization_id":
                    left = before
            else:
                value = getattr(row, name)
                both = (None, value) if kind is AuditChangeKind.ADDED else (value, None)
                if value is not None:
                    values[name] = both
        self.changes.append(Change(kind, row, values, left))


@event.listens_for(WriteSession, "after_flush")
def _flushed(session: SyncSession, context: object) -> None:
    if (notes := session.info.get(_NOTES)) is not None:
        notes.flushed(session)


@event.listens_for(WriteSession, "do_orm_execute")
def _executed(state: ORMExecuteState) -> None:
    changes = state.is_insert or state.is_update or state.is_delete
    if changes and (notes := state.session.info.get(_NOTES)) is not None:
        notes.statements += 1


@event.listens_for(WriteSession, "after_transaction_create")
def _began(session: SyncSession, transaction: SessionTransaction) -> None:
    if transaction.nested and (notes := session.info.get(_NOTES)) is not None:
        notes.begin(transaction)


@event.listens_for(WriteSession, "after_soft_rollback")
def _rolled_back(session: SyncSession, transaction: SessionTransaction) -> None:
    if (notes := session.info.get(_NOTES)) is not None:
        notes.undo(transaction)


def note_removal(session: Session, *rows: Base) -> None:
    """Note rows that a statement has deleted, which the session does not see."""
    if (notes := session.info.get(_NOTES)) is not None:
        for row in rows:
            notes.note(AuditChangeKind.REMOVED, row)


def note_transfer(session: Session, row: Any, organization_id: str) -> None:
    """Note the organization that a row has been taken out of by a statement."""
    if (notes := session.info.get(_NOTES)) is not None:
        values = {"organization_id": (organization_id, row.organization_id)}
        change = Change(AuditChangeKind.CHANGED, row, values, organization_id)
        notes.changes.append(change)


@contextmanager
def noting(session: Session) -> Iterator[Notes]:
    """Note what a session changes until the end of the block."""
    notes = session.info[_NOTES] = Notes()
    try:
        yield notes
    finally:
        session.info.pop(_NOTES, None)


async def record_write(ctx: Context, notes: Notes, action: str, result: Any) -> None:
    """Write the entry of an operation that has ended with `result`; none if it changed nothing."""
    if notes.recorded or not notes.anything:
        return
    await _write(ctx, action, _subject(notes, result), notes)


async def record(
    ctx: Context,
    action: str,
    subject: Base | AuditObject,
    *,
    actor_id: str | None = None,
    organization_id: str | None = None,
    session_id: str | None = None,
) -> None:
    """Write an entry for an act in the transaction of the session, in place of that of `run`.

    `actor_id` is the person who acts where the context does not know it yet, as at a sign-in;
    `organization_id` the organization whose administrators see it, if the subject has none.
    """
    notes = ctx.session.info.get(_NOTES) or Notes()
    notes.recorded = True
    await ctx.session.flush()
    named = object_of(subject) if isinstance(subject, Base) else subject
    await _write(
        ctx, action, named, notes, actor_id=actor_id, organization_id=organization_id,
        session_id=session_id,
    )  # fmt: skip


def _subject(notes: Notes, result: Any) -> AuditObject:
    """What an operation was about."""
    rows = [change.row for change in notes.changes]
    if isinstance(result, tuple | list) and result:
        result = result[0]
    row = getattr(result, "audited", result)
    if isinstance(row, Base):
        return object_of(row)
    if isinstance(result, Deletion):
        for named in map(object_of, rows):
            if result.deleted_id in (named.id, named.person_id):
                return named
    for row in rows:
        if type(row) in OBJECTS:
            return object_of(row)
    return AuditObject(type=AuditObjectType.OTHER, id=None)


# ------------------------------------------------------------------ the statement


def _parameter(name: str) -> Any:
    return bindparam(f"p_{name}", type_=String())


def _found(column: Any, model: Any, parameter: str) -> Any:
    """A value of the row whose id a parameter holds."""
    return select(column).where(model.id == _parameter(parameter)).scalar_subquery()


_PERSON = User.display_name
# Names and organizations are looked up by the statement itself, so that an entry costs one.
_SITE = func.coalesce(_parameter("site_id"), _found(SiteSpace.site_id, SiteSpace, "site_space_id"))
_INSERT = insert(AuditEntry).values(
    id=bindparam("p_id"),
    at=bindparam("p_at", type_=AuditEntry.at.type),
    organization_id=func.coalesce(
        _parameter("organization_id"),
        select(Site.organization_id).where(Site.id == _SITE).scalar_subquery(),
        _found(Space.organization_id, Space, "space_id"),
        _found(Collection.organization_id, Collection, "collection_id"),
        _found(Team.organization_id, Team, "team_id"),
    ),
    action=bindparam("p_action"),
    actor_kind=bindparam("p_actor_kind", type_=AuditEntry.actor_kind.type),
    actor_id=_parameter("actor_id"),
    actor_name=_found(_PERSON, User, "actor_id"),
    door=bindparam("p_door", type_=AuditEntry.door.type),
    token_id=_parameter("token_id"),
    session_id=_parameter("session_id"),
    address=_parameter("address"),
    request_id=_parameter("request_id"),
    object_type=bindparam("p_object_type", type_=AuditEntry.object_type.type),
    object_id=_parameter("object_id"),
    object_name=func.coalesce(
        _parameter("object_name"),
        *(
            _found(column, model, "named_elsewhere")
            for column, model in (
                (Space.title, Space), (Site.title, Site), (Team.title, Team), (_PERSON, User),
                (Collection.title, Collection), (Organization.title, Organization),
                (SiteSpace.path, SiteSpace),
            )
        ),
    ),
    person_id=_parameter("person_id"),
    person_name=_found(_PERSON, User, "person_id"),
    space_id=_parameter("space_id"),
    site_id=_SITE,
    changes=bindparam("p_changes", type_=JSON()),
)  # fmt: skip


async def _write(
    ctx: Context,
    action: str,
    named: AuditObject,
    notes: Notes,
    *,
    actor_id: str | None = None,
    organization_id: str | None = None,
    session_id: str | None = None,
) -> None:
    actor, origin = ctx.actor, ctx.origin()
    person = actor_id or actor.user_id
    values: dict[str, Any] = {
        "at": ctx.now(),
        "organization_id": named.organization_id or organization_id,
        "action": camel(action.strip("_"))[:ACTION_LENGTH],
        "actor_kind": _kind(actor, origin, person),
        "actor_id": person,
        "door": origin.door,
        "token_id": actor.token_id,
        "session_id": session_id or actor.session_id,
        "address": origin.address or None,
        "request_id": origin.request_id,
        "object_type": named.type,
        "object_id": named.id,
        "object_name": named.name,
        "named_elsewhere": named.id if named.named_elsewhere else None,
        "person_id": named.person_id,
        "space_id": named.space_id,
        "site_id": named.site_id,
        "site_space_id": named.site_space_id,
        "collection_id": named.collection_id,
        "team_id": named.team_id,
        "changes": _shown_changes(notes),
    }
    organizations = [values["organization_id"], *_left(notes)]
    for organization in dict.fromkeys(organizations):
        values |= {"id": new_id(), "organization_id": organization}
        parameters = {f"p_{name}": value for name, value in values.items()}
        await ctx.session.execute(_INSERT, parameters)


def _kind(actor: Actor, origin: Origin, person: str | None) -> AuditActorKind:
    if person is not None:
        return AuditActorKind.PERSON
    if actor.operator:
        by_hand = origin.door is AuditDoor.COMMAND
        return AuditActorKind.OPERATOR if by_hand else AuditActorKind.SYSTEM
    return AuditActorKind.ANONYMOUS


def _left(notes: Notes) -> list[str]:
    """The organizations that something was taken out of: their administrators see it, too."""
    return [change.left for change in notes.changes if change.left is not None]


def _shown_changes(notes: Notes) -> list[dict[str, Any]]:
    """Values before and after, as they are stored; the first of many."""
    listed: list[dict[str, Any]] = []
    for change in notes.changes:
        if len(listed) >= MOST_CHANGES:
            break
        if not change.values:
            continue
        named = object_of(change.row)
        listed += [
            {
                "kind": change.kind.value,
                "objectType": named.type.value,
                "objectId": named.id,
                "personId": named.person_id,
                "field": camel(name),
                "before": shown(before),
                "after": shown(after),
            }
            for name, (before, after) in change.values.items()
        ]
    return listed[:MOST_CHANGES]
