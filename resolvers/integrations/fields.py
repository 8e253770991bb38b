"""What integrations, installations, entries and events show."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Text,
    cast,
    select,
)

from db.enums import Role
from db.integration_enums import (
    InstallationStatus as Status,
    IntegrationCategory,
    IntegrationScope,
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
from db.prepared import among
from resolvers.access.policy import ranks_of
from resolvers.core.context import Context
from resolvers.core.integration_configurations import masked
from resolvers.core.scalars import JsonObject, read_time
from resolvers.core.statements import Viewer, Written, statement
from resolvers.integrations.manifests import policy_text
from resolvers.lists.batches import computed_from, reads


@dataclass(frozen=True, slots=True)
class IntegrationUrls:
    """Addresses of an integration."""

    location: str
    icon: str | None
    app: str
    assets: str
    public_endpoint: str


@dataclass(frozen=True, slots=True)
class InstallationUrls:
    """Addresses of an installation, or of an entry, which has no `app`."""

    location: str
    app: str
    public_endpoint: str


@dataclass(frozen=True, slots=True)
class IntegrationPermissions:
    """What the caller may do with an integration."""

    admin: bool


FILES_PATH = "/integration-files"
ENDPOINT_PATH = "/integration-endpoints"


def public_endpoint(ctx: Context, integration: str, *parts: str) -> str:
    """Where everybody reaches an integration, or an installation or entry of it: `parts` are
    `installations`, its id, and `spaces` or `sites` with an id."""
    path = "/".join((integration, *parts))
    return f"{ctx.settings.public_url}{ENDPOINT_PATH}/{path}"


def picture_url(ctx: Context, files_id: str, picture: Any) -> str:
    """Where a picture of an integration is shown."""
    return f"{ctx.settings.public_url}{FILES_PATH}/{files_id}/{picture['sha256']}"


@computed_from("name", "files_id", "icon")
async def integration_urls(
    ctx: Context, rows: Sequence[Integration], arguments: Any
) -> list[IntegrationUrls]:
    """The addresses of integrations."""
    base = ctx.settings.public_url
    return [
        IntegrationUrls(
            f"{base}/v1/integrations/{row.name}",
            None if row.icon is None else picture_url(ctx, row.files_id, row.icon),
            f"{base}/integrations/{row.name}",
            f"{base}{FILES_PATH}/{row.files_id}",
            public_endpoint(ctx, row.name),
        )
        for row in rows
    ]


_SCOPES = {scope.value: scope for scope in IntegrationScope}
_CATEGORIES = {category.value: category for category in IntegrationCategory}


@computed_from("scopes")
async def scopes(
    ctx: Context, rows: Sequence[Integration], arguments: Any
) -> list[list[IntegrationScope]]:
    """The scopes of integrations, without those that only a newer version knows."""
    return [[_SCOPES[value] for value in row.scopes if value in _SCOPES] for row in rows]


@computed_from("categories")
async def categories(
    ctx: Context, rows: Sequence[Integration], arguments: Any
) -> list[list[IntegrationCategory]]:
    """The categories of integrations, without those that only a newer version knows."""
    return [
        [_CATEGORIES[value] for value in row.categories if value in _CATEGORIES] for row in rows
    ]


@computed_from("files_id", "previews")
async def preview_images(
    ctx: Context, rows: Sequence[Integration], arguments: Any
) -> list[list[str]]:
    """The addresses of the pictures of integrations."""
    return [[picture_url(ctx, row.files_id, one_) for one_ in row.previews] for row in rows]


@reads("id")
async def integration_permissions(
    ctx: Context, rows: Sequence[Integration], arguments: Any
) -> list[IntegrationPermissions]:
    """What the caller may do with integrations."""
    ranks = await ranks_of(ctx, Integration, rows)
    return [IntegrationPermissions(rank >= Role.ADMIN.rank) for rank in ranks]


@computed_from("configuration")
async def configurations(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[JsonObject]:
    """Configurations with masks in place of secrets."""
    return [JsonObject(masked(row.configuration)) for row in rows]


@statement
def _names(viewer: Viewer) -> Written:
    return select(Integration.id, Integration.name).where(among(Integration.id, "ids"))


def _by_id(rows: Sequence[Any]) -> dict[str, str]:
    return {row.id: row.name for row in rows}


@reads("integration_id")
async def integration_names(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[str]:
    """The name of the integration of each row."""
    ids = [row.integration_id for row in rows]
    names = await _names.once(ctx, _by_id, ids=ids)
    return [names[id] for id in ids]


@reads("id", "integration_id")
async def installation_urls(
    ctx: Context, rows: Sequence[Installation], arguments: Any
) -> list[InstallationUrls]:
    """The addresses of installations."""
    names = await integration_names(ctx, rows, None)
    return [
        _urls(ctx, name, "installations", row.id) for name, row in zip(names, rows, strict=True)
    ]


@reads("installation_id", "integration_id", "space_id")
async def space_entry_urls(
    ctx: Context, rows: Sequence[SpaceInstallation], arguments: Any
) -> list[InstallationUrls]:
    """The addresses of entries for spaces."""
    names = await integration_names(ctx, rows, None)
    return [
        _urls(ctx, name, "installations", row.installation_id, "spaces", row.space_id)
        for name, row in zip(names, rows, strict=True)
    ]


@reads("installation_id", "integration_id", "site_id")
async def site_entry_urls(
    ctx: Context, rows: Sequence[SiteInstallation], arguments: Any
) -> list[InstallationUrls]:
    """The addresses of entries for sites."""
    names = await integration_names(ctx, rows, None)
    return [
        _urls(ctx, name, "installations", row.installation_id, "sites", row.site_id)
        for name, row in zip(names, rows, strict=True)
    ]


def _urls(ctx: Context, name: str, *parts: str) -> InstallationUrls:
    base, path = ctx.settings.public_url, "/".join((name, *parts))
    return InstallationUrls(
        f"{base}/v1/integrations/{path}", f"{base}/integrations/{path}",
        public_endpoint(ctx, name, *parts),
    )  # fmt: skip


# ------------------------------------------------------------------ sites and spaces


@dataclass(frozen=True, slots=True)
class SiteIntegrationScript:
    """A script that an integration adds to the pages of a site."""

    script: str
    content_security_policy: str | None
    cookies: bool


def script_url(ctx: Context, integration: str, installation_id: str, site_id: str) -> str:
    """Where the script of an entry for a site is served."""
    entry = public_endpoint(ctx, integration, "installations", installation_id, "sites", site_id)
    return f"{entry}/script"


@statement
def _scripts(viewer: Viewer) -> Written:
    return (
        select(
            SiteInstallation.site_id, SiteInstallation.installation_id, Integration.name,
            Integration.scopes, Integration.content_security_policy,
        )
        .join(Integration, Integration.id == SiteInstallation.integration_id)
        .join(Installation, Installation.id == SiteInstallation.installation_id)
        .where(
            among(SiteInstallation.site_id, "ids"),
            SiteInstallation.status == Status.ACTIVE,
            Installation.status == Status.ACTIVE,
        )
        .order_by(SiteInstallation.site_id, SiteInstallation.installation_id)
    )  # fmt: skip


@reads("id")
async def integration_scripts_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[list[SiteIntegrationScript]]:
    """The scripts that integrations add to the pages of each site."""
    scripts = await scripts_by_site(ctx, {site.id for site in rows})
    return [scripts.get(site.id, []) for site in rows]


async def scripts_by_site(
    ctx: Context, ids: Collection[str]
) -> dict[str, list[SiteIntegrationScript]]:
    """The same by the ids of sites, which the caller may see."""
    scripts: dict[str, list[SiteIntegrationScript]] = {}
    for row in await _scripts.rows(ctx, ids=set(ids)):
        if IntegrationScope.SITE_SCRIPT_INJECT.value not in row.scopes:
            continue
        scripts.setdefault(row.site_id, []).append(
            SiteIntegrationScript(
                script_url(ctx, row.name, row.installation_id, row.site_id),
                policy_text(row.content_security_policy),
                IntegrationScope.SITE_SCRIPT_COOKIES.value in row.scopes,
            )
        )
    return scripts


@dataclass(frozen=True, slots=True)
class SpaceIntegrationBlocks:
    """The blocks that an integration offers in a space."""

    name: str
    blocks: list[JsonObject]


@statement
def _blocks(viewer: Viewer) -> Written:
    return (
        select(SpaceInstallation.space_id, Integration.name, Integration.blocks)
        .join(Integration, Integration.id == SpaceInstallation.integration_id)
        .join(Installation, Installation.id == SpaceInstallation.installation_id)
        .where(
            among(SpaceInstallation.space_id, "ids"),
            cast(Integration.blocks, Text()) != "[]",
            SpaceInstallation.status == Status.ACTIVE,
            Installation.status == Status.ACTIVE,
        )
        .order_by(SpaceInstallation.space_id, SpaceInstallation.installation_id)
    )


@reads("id")
async def blocks_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[list[SpaceIntegrationBlocks]]:
    """The blocks that active integrations offer in each space."""
    blocks: dict[str, list[SpaceIntegrationBlocks]] = {}
    if ctx.actor.visitor is None:
        for row in await _blocks.rows(ctx, ids={space.id for space in rows}):
            offered = SpaceIntegrationBlocks(row.name, [JsonObject(one_) for one_ in row.blocks])
            blocks.setdefault(row.space_id, []).append(offered)
    return [blocks.get(space.id, []) for space in rows]


# ------------------------------------------------------------------ events


@dataclass(frozen=True, slots=True)
class IntegrationEventLog:
    """A line of the trace of an event."""

    message: str
    timestamp: dt.datetime
    level: str


@computed_from("logs")
async def event_logs(
    ctx: Context, rows: Sequence[IntegrationEvent], arguments: Any
) -> list[list[IntegrationEventLog]]:
    """What integrations have written while they worked on events."""
    return [
        [
            IntegrationEventLog(line["message"], read_time(line["timestamp"]), line["level"])
            for line in row.logs
        ]
        for row in rows
    ]
