"""What failures of databases and disks mean: no space left, a connection that is gone."""

import errno
import sqlite3
import sys

from sqlalchemy import exc

from db.file_stores import FileStoreError

# Exceeding a quota or the largest size of a file is the same to whoever writes.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FULL_IN_STORE = tuple(f"(os error {number})" for number in sorted(_FULL))
_DISK_FULL, _OPERATOR, _CONNECTION = "53100", "57P", "08"


class CommitLostError(Exception):
    """The connection was lost while a transaction was committed: it is stored, or it is not."""


def driver_errors(*names: str) -> tuple[type[Exception], ...]:
    """Errors of PostgreSQL's driver by their names; none where it was never loaded."""
    driver = sys.modules.get("asyncpg")
    return () if driver is None else tuple(getattr(driver, name) for name in names)


def store_errors() -> tuple[type[Exception], ...]:
    """What the store of files raises; errors of the bucket's library only where it was loaded."""
    library = sys.modules.get("obstore")
    return (FileStoreError,) if library is None else (FileStoreError, library.exceptions.BaseError)


def sqlstate_of(error: object) -> str:
    """The SQLSTATE of an error of PostgreSQL, or of one that wraps it; empty for others."""
    if isinstance(error, exc.DBAPIError):
        error = error.orig
    return str(getattr(error, "sqlstate", None) or "")


def is_full(error: BaseException) -> bool:
    """Whether there was no space left for what was to be stored."""
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return "database or disk is full" in str(cause)
    if isinstance(cause, OSError) and cause.errno in _FULL:
        return True
    if isinstance(cause, store_errors()):
        return any(sign in str(cause) for sign in _FULL_IN_STORE)
    return sqlstate_of(error) == _DISK_FULL


def is_lost(error: BaseException) -> bool:
    """Whether the connection to PostgreSQL is gone; on SQLite there is none."""
    if isinstance(error, exc.DBAPIError):
        if error.connection_invalidated:
            return True
    elif isinstance(error, driver_errors("InterfaceError", "InternalClientError")):
        # Values that the driver refuses are InterfaceErrors, too.
        return not isinstance(error, ValueError)
    state = sqlstate_of(error)
    gone = state.startswith(_CONNECTION) or state.startswith(_OPERATOR)
    return gone or isinstance(error, ConnectionError)
