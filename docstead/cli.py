"""The `docstead` command. A fault of the person who types is one clear line, never a traceback."""

import socket
import sys
from collections.abc import Sequence
from typing import Any

import typer
from alembic.util import CommandError as MigrationError
from sqlalchemy.exc import SQLAlchemyError

from docstead.commands import (
    accounts,
    audit,
    content,
    database,
    demo,
    documents,
    index,
    invitations,
    members,
    round_trip,
    saml,
    serve,
    sign_in,
    teams,
)
from docstead.commands.shared import CommandError, errors, printable
from docstead.settings import SettingError
from resolvers.core.errors import ApiError

app = typer.Typer(
    name="docstead",
    help="Self-hosted documentation publishing: GraphQL and /v1 on one graph.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command(epilog="Example: docstead serve --port 8080 --workers 2")(serve.serve)
app.command(epilog="Example: docstead migrate --database-url postgresql://me@localhost/docs")(
    database.migrate
)
app.command(
    epilog="Example: docstead init --email ada@example.com --name Ada --organization Acme --json"
)(accounts.init)
accounts.user_app.command(
    "sign-in-link", epilog="Example: docstead user sign-in-link ada@example.com"
)(sign_in.sign_in_link)
accounts.user_app.command("sign-out", epilog="Example: docstead user sign-out ada@example.com")(
    sign_in.sign_out
)
app.add_typer(accounts.user_app, name="user")
app.add_typer(accounts.token_app, name="token")
app.add_typer(members.member_app, name="member")
app.add_typer(teams.team_app, name="team")
app.add_typer(invitations.invite_app, name="invite")
app.add_typer(saml.saml_app, name="saml")
app.add_typer(audit.audit_app, name="audit")
app.command(epilog="Example: docstead demo --port 8080 --data-dir ./demo")(demo.demo)
app.command(
    "import-docs",
    epilog="Example: docstead import-docs ./handbook --organization 0WZ3Yq8sT1aBcD2eF3gH --json",
)(content.import_docs)
app.command(epilog="Example: docstead purge --json")(content.purge)
app.command("round-trip", epilog="Example: docstead round-trip ./handbook --json")(
    round_trip.round_trip_report
)
app.command(epilog="Example: docstead reindex --space 0WZ3Yq8sT1aBcD2eF3gH")(index.reindex)
app.command(epilog="Example: docstead openapi > openapi.json")(documents.openapi)
app.command(epilog="Example: docstead sdl > schema.graphql")(documents.sdl)
app.command(
    "document-schema", epilog="Example: docstead document-schema --typescript > document.d.ts"
)(documents.document_schema)
app.command(epilog="Example: docstead doctor --json")(database.doctor)


# Typer brings its own copy of click; this is the public way to its error for wrong usage.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point: exit status 0, 1 for an expected fault, 2 for wrong usage.

    `arguments` are those of the process when they are not given.
    """
    try:
        status = app(arguments, prog_name="docstead", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except UsageError as error:
        _fail_usage(error)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except (SettingError, CommandError, MigrationError) as error:
        _fail(str(error))
    except ApiError as error:
        _fail(error.message)
    except SQLAlchemyError as error:
        _fail(f"the database answered: {getattr(error, 'orig', None) or error}")
    except (ConnectionRefusedError, ConnectionResetError, TimeoutError, socket.gaierror) as error:
        _fail(
            f"cannot connect to the database: {error.strerror or error}; check "
            "DOCSTEAD_DATABASE_URL and that the database server runs"
        )
    except OSError as error:
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")


def _fail_usage(error: Any) -> None:
    if not error.format_message():
        sys.exit(2)  # called without a command: the help is on the screen already
    command = error.ctx.command_path if error.ctx is not None else "docstead"
    line = f"{error.format_message().rstrip('.')}. See `{command} --help`."
    errors.print(f"docstead: {printable(line)}", markup=False, soft_wrap=True)
    sys.exit(2)


def _fail(message: str) -> None:
    line = printable(message.strip().partition("\n")[0])
    errors.print(f"docstead: {line}", markup=False, soft_wrap=True)
    sys.exit(1)
