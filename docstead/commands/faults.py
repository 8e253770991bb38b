"""Which exceptions are faults of the person at the command line, and their one line."""

import socket
import sys

from sqlalchemy.exc import SQLAlchemyError

from db.standing import UnknownMigration
from docstead.commands.terminal import CommandError
from docstead.settings import SettingError
from resolvers.core.errors import ApiError


def described(error: Exception) -> str | None:
    """The line that is printed; None for a fault of the program, which needs its traceback."""
    match error:
        case SettingError() | CommandError() | UnknownMigration():
            return str(error)
        case ApiError():
            return error.message
        case SQLAlchemyError():
            return f"the database answered: {getattr(error, 'orig', None) or error}"
        case ConnectionRefusedError() | ConnectionResetError() | TimeoutError() | socket.gaierror():
            return (
                f"cannot connect to the database: {error.strerror or error}; check "
                "DOCSTEAD_DATABASE_URL and that the database server runs"
            )
        case OSError():
            return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
    # What runs migrations is loaded where there is one to run, and then its errors are known.
    migrations = sys.modules.get("alembic.util")
    if migrations is not None and isinstance(error, migrations.CommandError):
        return str(error)
    return None
