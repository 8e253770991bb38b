"""The `docstead` command. A fault of the person who types is one clear line, never a traceback.

A command is imported when it is called: the list of commands appears at once.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from docstead.commands.terminal import complain, printable
from docstead.garbage import without_collections
from docstead.packages import check_packages


@dataclass(frozen=True, slots=True)
class Entry:
    """A command, or a group of commands, and what the list of commands says of it."""

    module: str
    # A function, or the Typer application of a group.
    name: str
    help: str
    example: str = ""


COMMANDS = {
    "serve": Entry(
        "serve",
        "serve",
        "Run the server; an empty database is migrated first.",
        "docstead serve --port 8080 --workers 2",
    ),
    "worker": Entry(
        "jobs",
        "worker",
        "Do jobs, as server processes do; any number may run on PostgreSQL.",
        "docstead worker --at-once 8",
    ),
    "migrate": Entry(
        "database",
        "migrate",
        "Bring the database to the newest schema (or another one).",
        "docstead migrate --database-url postgresql://me@localhost/docs",
    ),
    "init": Entry(
        "accounts",
        "init",
        "Make a person (if new), an organization they administrate, and a token.",
        "docstead init --email ada@example.com --name Ada --organization Acme --json",
    ),
    "demo": Entry(
        "demo",
        "demo",
        "Fill a database with a demo organization, print a token and serve.",
        "docstead demo --port 8080 --data-dir ./demo",
    ),
    "import-docs": Entry(
        "imports",
        "import_docs",
        "Import documentation in the Git layout into a new space, or as the content of one.",
        "docstead import-docs ./handbook --organization 0WZ3Yq8sT1aBcD2eF3gH --json",
    ),
    "export-docs": Entry(
        "export",
        "export_docs",
        "Write a space into a folder in the Git layout: only what changes.",
        "docstead export-docs 0WZ3Yq8sT1aBcD2eF3gH ./handbook --dry-run",
    ),
    "export-organization": Entry(
        "organization_copies",
        "export_organization_command",
        "Write everything that an organization holds, in open formats.",
        "docstead export-organization 0WZ3Yq8sT1aBcD2eF3gH ./acme.tar.gz",
    ),
    "import-organization": Entry(
        "organization_copies",
        "import_organization_command",
        "Read an organization that another installation has exported.",
        "docstead import-organization ./acme.tar.gz --json",
    ),
    "publish": Entry(
        "publishing",
        "publish",
        "Publish a space on a site, which is made when there is none; print its address.",
        "docstead publish 0WZ3Yq8sT1aBcD2eF3gH --visibility unlisted --json",
    ),
    "purge": Entry(
        "content",
        "purge",
        "Remove spaces for good that were deleted more than seven days ago.",
        "docstead purge --json",
    ),
    "rollback": Entry(
        "content",
        "rollback",
        "Take all content of a space back to an earlier revision.",
        "docstead rollback 0WZ3Yq8sT1aBcD2eF3gH 5sT1aBcD2eF3gH0WZ3Yq --dry-run",
    ),
    "round-trip": Entry(
        "round_trip",
        "round_trip_report",
        "Report how the Markdown of pages comes back from JSON documents; nothing is stored.",
        "docstead round-trip ./handbook --json",
    ),
    "reindex": Entry(
        "index",
        "reindex",
        "Build the index of content again: what search finds, and what links to what.",
        "docstead reindex --space 0WZ3Yq8sT1aBcD2eF3gH",
    ),
    "reseal": Entry(
        "resealing",
        "reseal",
        "Seal secrets with the present key again that a former one has sealed.",
        "docstead reseal --json",
    ),
    "backup": Entry(
        "backups",
        "backup",
        "Write everything into one archive, as it is at this moment; the server may run.",
        "docstead backup /backups/docstead-monday.tar.gz",
    ),
    "restore": Entry(
        "backups",
        "restore",
        "Fill an empty database and an empty data folder from a backup.",
        "docstead restore /backups/docstead-monday.tar.gz --data-dir ./restored",
    ),
    "copy-database": Entry(
        "backups",
        "copy_database",
        "Copy everything into an empty database, of this kind or of the other; files stay.",
        "docstead copy-database --to postgresql://me@localhost/docs",
    ),
    "openapi": Entry(
        "documents",
        "openapi",
        "Print the OpenAPI 3.1 document of /v1.",
        "docstead openapi > openapi.json",
    ),
    "sdl": Entry(
        "documents", "sdl", "Print the GraphQL schema (SDL).", "docstead sdl > schema.graphql"
    ),
    "document-schema": Entry(
        "documents",
        "document_schema",
        "Print the JSON Schema of JSON documents, or their TypeScript types.",
        "docstead document-schema --typescript > document.d.ts",
    ),
    "doctor": Entry(
        "database",
        "doctor",
        "Check settings, folders, database and migrations, and say what to do.",
        "docstead doctor --json",
    ),
    "user": Entry("sign_in", "user_app", "Accounts of people."),
    "token": Entry("accounts", "token_app", "API tokens of people."),
    "member": Entry("members", "member_app", "Members of organizations."),
    "team": Entry("teams", "team_app", "Teams of organizations."),
    "invite": Entry(
        "invitations", "invite_app", "Invitations to organizations and to what is in them."
    ),
    "saml": Entry("saml", "saml_app", "SAML providers of organizations."),
    "jobs": Entry("jobs", "jobs_app", "Jobs: how far they are; cancelling and trying again."),
    "audit": Entry("audit", "audit_app", "The audit log: who did what."),
}


def load(name: str) -> Any:
    """A command of the table, or a group of commands, imported."""
    entry = COMMANDS[name]
    with without_collections():
        member = getattr(import_module(f"docstead.commands.{entry.module}"), entry.name)
    if isinstance(member, typer.Typer):
        return typer.main.get_command(member)
    single = typer.Typer(add_completion=False)
    single.command(name, epilog=f"Example: {entry.example}")(member)
    return typer.main.get_command(single)


class _Commands(TyperGroup):
    """The commands of the table; the one that is called takes the place of its entry."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first argument names."""
        if args[0] in COMMANDS:
            self.add_command(load(args[0]), args[0])
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="docstead",
    cls=_Commands,
    help="Self-hosted documentation publishing: GraphQL and /v1 on one graph.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"docstead {version('docstead')}")
        raise typer.Exit


@app.callback()
def _options(
    is_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Nothing happens before a command but that."""


# Typer brings its own copy of click; this is the public way to its error for wrong usage.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point: exit status 0, 1 for an expected fault, 2 for wrong usage.

    `arguments` are those of the process when they are not given.
    """
    check_packages()
    try:
        status = app(arguments, prog_name="docstead", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except UsageError as error:
        _fail_usage(error)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:
        # What it is one of takes long to import, and is imported by now.
        from docstead.commands.faults import described

        line = described(error)
        if line is None:
            raise
        _fail(line)


def _fail_usage(error: Any) -> None:
    if not error.format_message():
        sys.exit(2)  # called without a command: the help is on the screen already
    command = error.ctx.command_path if error.ctx is not None else "docstead"
    line = f"{error.format_message().rstrip('.')}. See `{command} --help`."
    complain(f"docstead: {printable(line)}")
    sys.exit(2)


def _fail(message: str) -> None:
    line = printable(message.strip().partition("\n")[0])
    complain(f"docstead: {line}")
    sys.exit(1)
