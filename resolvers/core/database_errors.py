"""Failures of the database as errors of the API, for both interfaces."""

import logging
import socket
import sqlite3

import asyncpg
from sqlalchemy import exc

from db.reading import UnfitValueError
from resolvers.core.errors import ApiError, BadRequest, Conflict, Unavailable

log = logging.getLogger("docstead.database")

# What the database and its drivers raise; a connection that is refused is a plain OSError.
DATABASE_ERRORS: tuple[type[Exception], ...] = (
    exc.SQLAlchemyError,
    sqlite3.Error,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    UnfitValueError,
    OSError,
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
    return _sqlstate(error) in _RETRIED or is_locked(error)


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
    if isinstance(error, exc.IntegrityError):
        return Conflict("somebody else changed the same thing at the same time")
    if isinstance(error, exc.DBAPIError) and _sqlstate(error) == _LOCK_NOT_AVAILABLE:
        return Conflict("somebody else is changing the same thing; try again in a moment")
    if isinstance(error, exc.DataError | UnfitValueError):
        log.warning("a value was refused by the database only: %s", getattr(error, "orig", error))
        return BadRequest("a value is out of the range that can be stored")
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
    if not isinstance(error, exc.DBAPIError):
        return str(_sqlstate_of(error))[:2] in _TRANSIENT_CLASSES
    if error.connection_invalidated or _sqlstate(error)[:2] in _TRANSIENT_CLASSES:
        return True
    return any(text in str(error.orig) for text in _SQLITE_BUSY)


def _sqlstate(error: exc.DBAPIError) -> str:
    return _sqlstate_of(error.orig)


def _sqlstate_of(error: object) -> str:
    return str(getattr(error, "sqlstate", None) or "")
