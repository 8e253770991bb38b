"""Failures of the database as errors of the API, for both interfaces."""

import logging
import socket
import sqlite3

from sqlalchemy import exc

from db.failures import (
    CommitLostError,
    driver_errors,
    is_full,
    is_lost,
    sqlstate_of,
    store_errors,
)
from db.reading import UnfitValueError
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    Conflict,
    OutcomeUnknown,
    StorageFull,
    Unanswered,
    Unavailable,
)

log = logging.getLogger("docstead.database")


def database_errors() -> tuple[type[Exception], ...]:
    """What the database that is open and its driver raise; a connection that is refused is a plain
    OSError."""
    return (
        exc.SQLAlchemyError,
        sqlite3.Error,
        *driver_errors("PostgresError", "InterfaceError"),
        UnfitValueError,
        OSError,
        CommitLostError,
        *store_errors(),
    )


# SQLSTATE classes of PostgreSQL: connection, resources, intervention of an operator, serialization.
_TRANSIENT_CLASSES = ("08", "53", "57", "40")
_RETRIED = {"40001", "40P01"}
_LOCK_NOT_AVAILABLE = "55P03"
_SQLITE_BUSY = ("database is locked", "database table is locked", "unable to open database file")


def worth_repeating(error: BaseException) -> bool:
    """Whether the database gave up on a transaction that may succeed when it is tried again."""
    if not isinstance(error, exc.DBAPIError):
        return False
    # A connection that is lost before the commit has taken everything back.
    return sqlstate_of(error) in _RETRIED or is_locked(error) or is_lost(error)


def is_locked(error: BaseException) -> bool:
    """Whether another writer kept SQLite's database locked for as long as a connection waits."""
    return isinstance(error, exc.DBAPIError) and "database is locked" in str(error.orig)


def expected(error: BaseException) -> ApiError | None:
    """The error of ours that says this one to the caller; None for a fault in the program.

    Conflict for a broken constraint or a row that stays locked, BadRequest for a value that the
    database cannot hold, Unavailable when the database or a connection to it cannot be had in time.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, CommitLostError):
        log.error("the connection to the database was lost during a commit", exc_info=error)
        return OutcomeUnknown(
            "the connection to the database was lost while the write was committed: it is stored, "
            "or it is not. Read what is there before you repeat it; with the header "
            "Idempotency-Key a write can be repeated safely"
        )
    if is_full(error):
        log.error("no space is left: %s", error)
        return StorageFull("the server has no space left to store this; nothing was written")
    if isinstance(error, exc.IntegrityError):
        return Conflict("somebody else changed the same thing at the same time")
    if isinstance(error, exc.DBAPIError) and sqlstate_of(error) == _LOCK_NOT_AVAILABLE:
        return Conflict("somebody else is changing the same thing; try again in a moment")
    if isinstance(error, exc.DataError | UnfitValueError):
        log.warning("a value was refused by the database only: %s", getattr(error, "orig", error))
        return BadRequest("a value is out of the range that can be stored")
    if isinstance(error, store_errors()):
        log.error("the store of files has failed: %s", error)
        return Unavailable("the store of files is not available; try again")
    if _is_unavailable(error):
        log.warning("the database is not available: %s", error)
        return Unavailable("the database is busy or not available; try again")
    return None


def _is_unavailable(error: BaseException) -> bool:
    # A refused connection is not wrapped by SQLAlchemy.
    if isinstance(error, exc.TimeoutError | ConnectionError | TimeoutError | socket.gaierror):
        return True
    if isinstance(error, sqlite3.OperationalError):
        return any(text in str(error) for text in _SQLITE_BUSY)
    if is_lost(error) or sqlstate_of(error)[:2] in _TRANSIENT_CLASSES:
        return True
    cause = str(error.orig) if isinstance(error, exc.DBAPIError) else ""
    return any(text in cause for text in _SQLITE_BUSY)


def not_written(error: ApiError) -> ApiError:
    """The refusal of a write that was taken back; one that asks to try again says so."""
    if type(error) is not Unavailable:
        return error
    refusal = Unavailable(f"{error.message}; nothing was written")
    refusal.facts = {"outcome": "not-written"}
    return refusal


def unanswered(error: Exception) -> Exception:
    """The failure of a read that makes the answer of a write which is stored."""
    if isinstance(error, ApiError) or not isinstance(expected(error), Unavailable):
        return error
    return Unanswered(
        "it was written, but the database was lost before the answer could be made: read what is "
        "there, and do not repeat it"
    )
