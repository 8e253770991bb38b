"""Commands for the audit log."""

import asyncio
import datetime as dt
import json as jsons
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

import typer
from strawberry import ID

from db.audit_enums import AuditDoor, AuditObjectType
from db.models.audit import AuditEntry
from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, printable, show
from docstead.settings import Settings
from resolvers.audit.entries import (
    AuditArguments,
    Server,
    audit_log_of_organizations,
    audit_log_of_server,
)
from resolvers.audit.operations import allow_pruning, prune_audit_log
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.pagination import Slice
from resolvers.core.runners import read, run
from resolvers.core.scalars import read_time, write_time
from resolvers.organizations.operations import get_organization
from rest_compat.selections import project
from rest_compat.shapes.audit import AUDIT_ENTRY

audit_app = typer.Typer(help="The audit log: who did what.", no_args_is_help=True)

PAGE = 1000
Json = dict[str, Any]
OrganizationOption = Annotated[
    str | None, typer.Option("--organization", help="Id of the organization.")
]
WithoutOrganization = Annotated[
    bool,
    typer.Option(
        "--without-organization",
        help="What concerns no organization: sign-ins, accounts and their tokens.",
    ),
]
Actor = Annotated[str | None, typer.Option("--actor", help="Id of the person who acted.")]
Action = Annotated[str | None, typer.Option("--action", help="What was done, as `updateMember`.")]
ObjectKind = Annotated[AuditObjectType | None, typer.Option("--type", help="Kind of the object.")]
ObjectId = Annotated[str | None, typer.Option("--object", help="Id of the object.")]
Door = Annotated[AuditDoor | None, typer.Option("--door", help="Interface that was used.")]
Since = Annotated[
    str | None, typer.Option("--since", help="From this time on, as 2026-01-31T08:00:00Z.")
]
Until = Annotated[str | None, typer.Option("--until", help="Up to this time.")]


def _time(option: str, text: str | None) -> dt.datetime | None:
    try:
        return None if text is None else read_time(text)
    except ValueError as error:
        raise CommandError(f"{option}: {error}") from error


def _arguments(
    actor: str | None,
    action: str | None,
    type: AuditObjectType | None,
    object: str | None,
    door: AuditDoor | None,
    since: str | None,
    until: str | None,
) -> AuditArguments:
    arguments = AuditArguments(
        actor=None if actor is None else ID(actor),
        action=action,
        object_type=type,
        object_id=object,
        door=door,
        since=_time("--since", since),
        until=_time("--until", until),
    )
    inputs.check({"": arguments})
    return arguments


def _whose(organization: str | None, without: bool) -> str | None:
    """The id of the organization whose log is wanted; None for what concerns none."""
    if (organization is not None) is without:
        raise CommandError("give either --organization ID or --without-organization")
    return organization


async def _page(
    ctx: Context, organization_id: str | None, arguments: AuditArguments
) -> tuple[list[Json], str | None]:
    """A page of entries as /v1 shows them, and the cursor of the next one."""
    page: Slice[AuditEntry] | ApiError
    if organization_id is None:
        (page,) = await audit_log_of_server(ctx, [Server()], arguments)
    else:
        organization = await get_organization(ctx, ID(organization_id))
        (page,) = await audit_log_of_organizations(ctx, [organization], arguments)
    if isinstance(page, ApiError):
        raise page
    return await project(ctx, AUDIT_ENTRY, page.rows), page.next_cursor


async def _entries(
    settings: Settings, organization_id: str | None, arguments: AuditArguments, most: int | None
) -> AsyncIterator[Json]:
    """Entries, newest first; each page is a read of its own."""
    async with open_server(settings, create=True) as server:
        cursor, left = None, most
        while left is None or left > 0:
            page_arguments = replace(
                arguments, first=PAGE if left is None else min(PAGE, left), after=cursor
            )
            async with server.context_of(OPERATOR) as ctx:
                rows, cursor = await read(ctx, _page, organization_id, page_arguments)
            for row in rows:
                yield row
            left = None if left is None else left - len(rows)
            if cursor is None:
                return


def _line(entry: Json) -> str:
    actor, target = entry["actor"], entry["target"]
    who = actor.get("name") or actor["kind"]
    what = " ".join(filter(None, (target["type"], target.get("objectId"), target.get("name"))))
    act = printable(f"{who}  {entry['action']}  {what}")
    return f"{entry['at']}  {entry['door']:8} {act}"


@audit_app.command(
    "list", epilog="Example: docstead audit list --organization 0WZ3Yq8sT1aBcD2eF3gH --json"
)
def list_entries(
    organization: OrganizationOption = None,
    without_organization: WithoutOrganization = False,
    actor: Actor = None,
    action: Action = None,
    type: ObjectKind = None,
    object: ObjectId = None,
    door: Door = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="Entries to show.")] = 50,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """List what was done in an organization, or what concerns none, newest first."""
    whose = _whose(organization, without_organization)
    arguments = _arguments(actor, action, type, object, door, since, until)
    settings = settings_of(data_dir, database_url)

    async def go() -> list[Json]:
        return [entry async for entry in _entries(settings, whose, arguments, limit)]

    entries = asyncio.run(go())
    show(entries, json, "\n".join(map(_line, entries)) or "no entries")


@audit_app.command(
    "export",
    epilog="Example: docstead audit export --organization 0WZ3Yq8sT1aBcD2eF3gH > log.jsonl",
)
def export(
    organization: OrganizationOption = None,
    without_organization: WithoutOrganization = False,
    actor: Actor = None,
    action: Action = None,
    type: ObjectKind = None,
    object: ObjectId = None,
    door: Door = None,
    since: Since = None,
    until: Until = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Print the audit log as lines of JSON, newest first; `--json` changes nothing."""
    whose = _whose(organization, without_organization)
    arguments = _arguments(actor, action, type, object, door, since, until)
    settings = settings_of(data_dir, database_url)

    async def go() -> None:
        async for entry in _entries(settings, whose, arguments, None):
            typer.echo(jsons.dumps(entry, ensure_ascii=False))

    asyncio.run(go())


@audit_app.command("prune", epilog="Example: docstead audit prune --before 2025-01-01T00:00:00Z")
def prune(
    before: Annotated[
        str, typer.Option("--before", help="Remove what is older, as 2025-01-01T00:00:00Z.")
    ],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Remove old entries of all organizations for good; that it was done is in the log."""
    moment = _time("--before", before)
    assert moment is not None
    settings = settings_of(data_dir, database_url)

    async def go() -> int:
        async with open_server(settings, create=True) as server:
            async with server.context_of(OPERATOR) as ctx:
                count = await run(ctx, allow_pruning, moment)
                removed = 0
                while removed < count and (part := await run(ctx, prune_audit_log, moment)):
                    removed += part
            return removed

    count = asyncio.run(go())
    show(
        {"removed": count, "before": write_time(moment)},
        json,
        f"removed {count} entr{'y' if count == 1 else 'ies'}",
    )
