"""Entries of installations for spaces and sites, and the events that integrations get of them.

Writes of any room make, move and delete spaces and sites. Installations that are selected for all
of them follow in the transaction of the write: `follow_places` gets what it has changed
(resolvers/core/runners.py), `leave_site` is called before a site is deleted.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, select

from db.audit_enums import AuditChangeKind as Kind
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_missing, parts
from db.integration_enums import (
    InstallationSelection as Selection,
    InstallationStatus as Status,
    IntegrationTarget as Target,
)
from db.models.integrations import (
    Installation,
    Integration,
    IntegrationEvent,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.sites import Site
from db.models.spaces import Space
from resolvers.core.audit_notes import Change, Notes
from resolvers.core.context import Context
from resolvers.core.integration_configurations import masked, status_of

Json = dict[str, Any]
Entry = type[SpaceInstallation] | type[SiteInstallation]
# What an integration may be installed on, by the kind of its entries.
TARGETS: Mapping[Entry, tuple[Target, ...]] = {
    SpaceInstallation: (Target.ALL, Target.SPACE),
    SiteInstallation: (Target.ALL, Target.SITE),
}
# By the kind of entries: the column with the place, the word of its events and configuration.
PLACES: Mapping[Entry, str] = {SpaceInstallation: "space", SiteInstallation: "site"}


def entry_id(installation_id: str, place_id: str) -> str:
    """The id of the entry of an installation for a space or a site."""
    return f"{installation_id}~{place_id}"


def event_row(ctx: Context, installation: Any, type: str, **members: Any) -> Json:
    """An event for an installation, as a row that waits for its delivery."""
    id = new_id()
    payload = {"eventId": id, "type": type, "installationId": installation.id} | members
    return {
        "id": id,
        "integration_id": installation.integration_id,
        "installation_id": installation.id,
        "organization_id": installation.organization_id,
        "type": type,
        "payload": payload,
        "status": None,
        "logs": [],
        "position": None,
        "attempt_count": 0,
        "created_at": ctx.now(),
        "finished_at": None,
    }


async def record_events(ctx: Context, rows: Sequence[Json]) -> None:
    """Put events behind those that wait, in the transaction of the write."""
    statement = insert(IntegrationEvent).execution_options(render_nulls=True)
    for some in parts(rows, ROWS_PER_INSERT):
        await ctx.session.execute(statement, list(some))


def setup_members(status: Status, before: Status | None, configuration: Any = None) -> Json:
    """What a setup event says: the status, and what was before it unless it is the first one."""
    members: Json = {"status": status.value}
    if before is not None:
        members["previous"] = {"status": before.value, "configuration": masked(configuration or {})}
    return members


async def add_entries(
    ctx: Context,
    kind: Entry,
    installation: Any,
    configurations: Mapping[str, Any],
    places: Sequence[str],
) -> None:
    """Make the entries of an installation for spaces or sites that have none, with their events."""
    of = PLACES[kind]
    status = status_of(configurations.get(of), {})
    now = ctx.now()
    rows = [
        {
            "id": entry_id(installation.id, place),
            "installation_id": installation.id,
            f"{of}_id": place,
            "integration_id": installation.integration_id,
            "organization_id": installation.organization_id,
            "status": status,
            "configuration": {},
            "external_ids": [],
            "created_at": now,
            "updated_at": now,
        }
        for place in places
    ]
    await insert_missing(ctx.session, kind, rows)
    await record_events(
        ctx,
        [
            event_row(ctx, installation, f"{of}_installation_setup", **{f"{of}Id": place},
                      **setup_members(status, None))
            for place in places
        ],
    )  # fmt: skip


async def remove_entries(ctx: Context, kind: Entry, *conditions: Any) -> None:
    """Remove entries for which the conditions hold, with their events."""
    of = PLACES[kind]
    place = getattr(kind, f"{of}_id")
    entries = await ctx.session.execute(
        select(
            kind.installation_id.label("id"),
            kind.integration_id,
            kind.organization_id,
            kind.configuration,
            place.label("place"),
        ).where(*conditions)
    )
    rows = [
        event_row(
            ctx, entry, f"{of}_installation_deleted",
            **{f"{of}Id": entry.place, "previous": {"configuration": masked(entry.configuration)}},
        )
        for entry in entries.all()
    ]  # fmt: skip
    if rows:
        await record_events(ctx, rows)
        await ctx.session.execute(delete(kind).where(*conditions))


@dataclass(slots=True)
class Places:
    """Spaces and sites that a write has made or restored, and spaces that it has removed: ids by
    their organization. A space that goes elsewhere is both."""

    spaces: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sites: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    gone: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def places_of(notes: Notes) -> Places:
    """The spaces and sites among what a write has changed."""
    places = Places()
    for change in notes.changes:
        row = change.row
        if isinstance(row, Site) and change.kind is Kind.ADDED:
            places.sites[row.organization_id].append(row.id)
        elif isinstance(row, Space):
            _place(places, change, row)
    return places


def _place(places: Places, change: Change, row: Space) -> None:
    if change.kind is Kind.ADDED:
        places.spaces[row.organization_id].append(row.id)
    elif change.kind is Kind.REMOVED:
        return
    elif change.left is not None:
        places.gone[change.left].append(row.id)
        places.spaces[row.organization_id].append(row.id)
    elif "deleted_at" in change.changed:
        by_organization = places.spaces if row.deleted_at is None else places.gone
        by_organization[row.organization_id].append(row.id)


async def follow_places(ctx: Context, places: Places) -> None:
    """Make and remove entries for the spaces and sites that a write has made, moved or removed."""
    for organization_id, spaces in places.gone.items():
        for some in parts(spaces, ROWS_PER_INSERT):
            await remove_entries(
                ctx, SpaceInstallation, SpaceInstallation.organization_id == organization_id,
                SpaceInstallation.space_id.in_(some),
            )  # fmt: skip
    if places.spaces:
        await _join(ctx, SpaceInstallation, places.spaces)
    if places.sites:
        await _join(ctx, SiteInstallation, places.sites)


async def _join(ctx: Context, kind: Entry, places: Mapping[str, Sequence[str]]) -> None:
    selection = (
        Installation.space_selection if kind is SpaceInstallation else Installation.site_selection
    )
    installations = await ctx.session.execute(
        select(Installation, Integration.configurations)
        .join(Integration, Integration.id == Installation.integration_id)
        .where(
            Installation.organization_id.in_(list(places)),
            selection == Selection.ALL,
            Integration.target.in_(TARGETS[kind]),
        )
    )
    for installation, configurations in installations.all():
        ids: Collection[str] = dict.fromkeys(places[installation.organization_id])
        await add_entries(ctx, kind, installation, configurations, list(ids))


async def leave_site(ctx: Context, site_id: str) -> None:
    """Remove the entries for a site that is about to be deleted."""
    await remove_entries(ctx, SiteInstallation, SiteInstallation.site_id == site_id)
