"""Notes what a session changes while a write runs, for its entry in the audit log and its events.

Rows of a flush are seen by themselves. Of a statement that changes or deletes rows the first ones
are looked up before it runs, and the others counted. What the database takes along by its foreign
keys is said by whoever deletes (`note_removals`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Delete,
    Update,
    event,
    func,
    inspect,
    select,
    true,
)
from sqlalchemy.orm import ORMExecuteState, Session as SyncSession, SessionTransaction
from sqlalchemy.orm.attributes import set_committed_value

from db.audit_enums import AuditChangeKind, AuditObjectType
from db.base import Base
from db.commits import WriteSession
from db.session import Session
from resolvers.core.audit_objects import OBJECTS
from resolvers.core.event_drafts import Draft

# Objects of one entry that are named; the others are counted.
MOST_NAMED = 50
# Rows of one statement that are noted; the others are counted.
MOST_NOTED = 1000
# Pages, files and reusable contents of one entry that can be asked for.
MOST_MENTIONED = 1000
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
    # Names of all attributes that differ, of a row that was changed.
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChange:
    """What happened to a page, a file or a reusable content, which are no rows."""

    kind: AuditChangeKind
    type: AuditObjectType
    id: str
    name: str
    # Where: the space, and the change request unless it is the primary content.
    space_id: str
    change_request_id: str | None
    revision_id: str
    # Of a page that was changed: whether it has another place, whether anything else differs.
    moved: bool = False
    edited: bool = True


@dataclass(slots=True)
class Notes:
    """What a session has changed since a write began."""

    changes: list[Change] = field(default_factory=list)
    contents: list[ContentChange] = field(default_factory=list)
    # Events that follow from no row.
    facts: list[Draft] = field(default_factory=list)
    # How many rows or contents were changed beside these.
    more: int = 0
    # How many statements changed rows that the session does not hold.
    statements: int = 0
    # The write has called `record` itself.
    recorded: bool = False
    _savepoints: dict[SessionTransaction, tuple[int, ...]] = field(default_factory=dict)

    @property
    def anything(self) -> bool:
        """Whether something was changed."""
        return bool(self.changes or self.statements)

    def begin(self, savepoint: SessionTransaction) -> None:
        """Remember where a savepoint begins."""
        self._savepoints[savepoint] = (
            len(self.changes), len(self.contents), len(self.facts), self.more, self.statements,
        )  # fmt: skip

    def undo(self, savepoint: SessionTransaction) -> None:
        """Forget what was changed since a savepoint that was taken back."""
        if savepoint in self._savepoints:
            changes, contents, facts, self.more, self.statements = self._savepoints.pop(savepoint)
            del self.changes[changes:]
            del self.contents[contents:]
            del self.facts[facts:]

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
        changed: tuple[str, ...] = ()
        if kind is AuditChangeKind.CHANGED:
            changed = tuple(
                name for name in state.committed_state if state.attrs[name].history.has_changes()
            )
        self.changes.append(Change(kind, row, values, left, changed))

    def note_matching(
        self,
        session: SyncSession,
        model: type[Base],
        condition: ColumnElement[bool],
        new: Mapping[str, Any] | None = None,
    ) -> None:
        """Note the rows for which a condition holds, which are about to be changed.

        `new` are their new values of fields that are shown; None for rows that are removed.
        """
        keys = [attribute.key for attribute in inspect(model).column_attrs]
        after = {
            name: value
            for name, value in (new or {}).items()
            if isinstance(value, ColumnElement) and not isinstance(value, BindParameter)
        }
        # In no order: the first ones by an index on something else might be read for long.
        rows = session.execute(
            select(
                *(getattr(model, key) for key in keys),
                *(value.label(f"new_{name}") for name, value in after.items()),
            )
            .where(condition)
            .limit(MOST_NOTED + 1)
        ).all()
        if len(rows) > MOST_NOTED:
            rows = rows[:MOST_NOTED]
            count = select(func.count()).select_from(model).where(condition)
            self.more += session.execute(count).scalar_one() - MOST_NOTED
        for row in rows:
            named = model(**{key: getattr(row, key) for key in keys})
            if new is None:
                self.note(AuditChangeKind.REMOVED, named)
                continue
            values: dict[str, tuple[Any, Any]] = {}
            for name, value in new.items():
                if name in after:
                    value = getattr(row, f"new_{name}")
                elif isinstance(value, BindParameter):
                    value = value.effective_value
                if value != getattr(row, name):
                    values[name] = getattr(row, name), value
            if values:
                left, _ = values.get("organization_id", (None, None))
                for name, (_, value) in values.items():
                    set_committed_value(named, name, value)
                change = Change(AuditChangeKind.CHANGED, named, values, left, tuple(values))
                self.changes.append(change)


@event.listens_for(WriteSession, "after_flush")
def _flushed(session: SyncSession, context: object) -> None:
    if (notes := session.info.get(_NOTES)) is not None:
        notes.flushed(session)


@event.listens_for(WriteSession, "do_orm_execute")
def _executed(state: ORMExecuteState) -> None:
    changes = state.is_insert or state.is_update or state.is_delete
    if not changes or (notes := state.session.info.get(_NOTES)) is None:
        return
    notes.statements += 1
    model = None if state.bind_mapper is None else state.bind_mapper.class_
    kind = OBJECTS.get(cast(type[Base], model))
    statement = state.statement
    # Many values for many rows are never of fields that are shown.
    if kind is None or state.is_executemany or not isinstance(statement, Update | Delete):
        return
    new = None
    if isinstance(statement, Update):
        written: Mapping[Any, Any] = statement._values or {}
        new = {column.key: written[column] for column in written if column.key in kind.fields}
        if not new:
            return
    condition = true() if statement.whereclause is None else statement.whereclause
    notes.note_matching(state.session, cast(type[Base], model), condition, new)


@event.listens_for(WriteSession, "after_transaction_create")
def _began(session: SyncSession, transaction: SessionTransaction) -> None:
    if transaction.nested and (notes := session.info.get(_NOTES)) is not None:
        notes.begin(transaction)


@event.listens_for(WriteSession, "after_soft_rollback")
def _rolled_back(session: SyncSession, transaction: SessionTransaction) -> None:
    if (notes := session.info.get(_NOTES)) is not None:
        notes.undo(transaction)


def notes_of(session: Session) -> Notes | None:
    """What a session has changed; None where nothing is noted."""
    notes: Notes | None = session.info.get(_NOTES)
    return notes


async def note_removals(
    session: Session, model: type[Base], condition: ColumnElement[bool]
) -> None:
    """Note rows that a foreign key will remove together with what is about to be deleted."""
    if (notes := notes_of(session)) is not None:
        await session.flush()
        await session.run_sync(notes.note_matching, model, condition)


async def note_unset(
    session: Session, model: type[Base], column: str, condition: ColumnElement[bool]
) -> None:
    """Note rows whose column a foreign key will unset with what is about to be deleted."""
    if (notes := notes_of(session)) is not None:
        await session.flush()
        await session.run_sync(notes.note_matching, model, condition, {column: None})


def note_contents(session: Session, contents: Sequence[ContentChange]) -> None:
    """Note changed pages, files and reusable contents."""
    if (notes := notes_of(session)) is not None:
        room = MOST_MENTIONED - len(notes.contents)
        notes.contents += contents[:room]
        notes.more += len(contents[room:])


def note_fact(session: Session, draft: Draft) -> None:
    """Note an event that follows from no row by itself."""
    if (notes := notes_of(session)) is not None:
        notes.facts.append(draft)


@contextmanager
def noting(session: Session) -> Iterator[Notes]:
    """Note what a session changes until the end of the block."""
    notes = session.info[_NOTES] = Notes()
    try:
        yield notes
    finally:
        session.info.pop(_NOTES, None)
