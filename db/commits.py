"""Changes of a transaction, published once it is committed.

Rows that the session writes are looked at when it flushes; what statements change by themselves is
noted by whoever runs them (`note_change`). A savepoint that is rolled back leaves its notes: what
hears of them may hear of too much, never of too little.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session as SyncSession

# A kind of thing, and what names it.
Change = tuple[str, ...]
SITE, SITE_SPACE, SPACE, CHANGE_REQUEST = "site", "site-space", "space", "change-request"
# A site that is gone, with what its renderer is called by; a space that came into the bin or out.
DELETED_SITE, BINNED_SPACE = "deleted-site", "binned-space"
FOLLOWER, CHANGES = "follower", "changes"
# What is called after the commit, whatever it has changed.
AFTER_COMMIT = "after-commit"


@dataclass(frozen=True, slots=True)
class CommitFollower:
    """The facts noted of changed rows, by model, and the callback that gets them after each commit.

    `heard` is called in the event loop of the write: it must neither wait nor fail.
    """

    changes: Mapping[type[Any], Callable[[Any], Change]]
    heard: Callable[[Iterable[Change]], None]


class WriteSession(SyncSession):
    """The session of the ORM, whose commits can be followed."""


def note_change(session: AsyncSession, change: Change) -> None:
    """Note what a statement has changed that is no row of the session."""
    if FOLLOWER in session.info:
        session.info.setdefault(CHANGES, set()).add(change)


def after_commit(session: AsyncSession, call: Callable[[], None]) -> None:
    """Call something once the transaction is committed, in its event loop: it must neither wait
    nor fail. The same function is called once."""
    session.info.setdefault(AFTER_COMMIT, set()).add(call)


@event.listens_for(WriteSession, "after_flush")
def _flushed(session: SyncSession, context: object) -> None:
    follower = session.info.get(FOLLOWER)
    if follower is None:
        return
    changes = session.info.setdefault(CHANGES, set())
    written = [*session.new, *session.deleted]
    for row in (*written, *(dirty for dirty in session.dirty if session.is_modified(dirty))):
        change = follower.changes.get(type(row))
        if change is not None:
            changes.add(change(row))


@event.listens_for(WriteSession, "after_commit")
def _committed(session: SyncSession) -> None:
    # The end of a savepoint is none of the transaction.
    if session.in_nested_transaction():
        return
    changes = session.info.pop(CHANGES, None)
    if changes:
        session.info[FOLLOWER].heard(changes)
    for call in session.info.pop(AFTER_COMMIT, ()):
        call()


@event.listens_for(WriteSession, "after_rollback")
def _rolled_back(session: SyncSession) -> None:
    if not session.in_nested_transaction():
        session.info.pop(CHANGES, None)
        session.info.pop(AFTER_COMMIT, None)
