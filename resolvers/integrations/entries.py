"""Entries of installations for spaces and sites."""

from typing import Any

import strawberry
from sqlalchemy import bindparam, select
from strawberry import Maybe

from db.enums import Role
from db.event_enums import EventType
from db.integration_enums import InstallationSelection as Selection
from db.models.integrations import (
    NAME_LENGTH,
    ExternalId,
    Installation,
    Integration,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import SiteId, SpaceId
from resolvers.core.audit_notes import note_fact
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict, NotFound, PreconditionFailed
from resolvers.core.event_drafts import Draft
from resolvers.core.integration_configurations import check_configuration, sealed
from resolvers.core.integration_records import (
    PLACES,
    TARGETS,
    Entry,
    add_entries,
    entry_id,
    record_events,
    remove_entries,
)
from resolvers.core.scalars import JsonObject
from resolvers.integrations.installations import (
    _EXTERNAL as EXTERNAL,
    MOST_EXTERNAL_IDS,
    InstallationId,
    must_not_be_program,
    set_external_ids,
)
from resolvers.integrations.manifests import IntegrationName
from resolvers.integrations.operations import set_status

_OF_INTEGRATION = {
    kind: kind.integration_id
    == (
        select(Integration.id)
        .where(Integration.name == bindparam("name", type_=KEY))
        .scalar_subquery()
    )
    for kind in PLACES
}


@strawberry.input(description="A space that an integration is installed on.")
class InstallOnSpaceInput:
    space: str = inputs.text("Id of the space.", min=1, max=64, required=True)


@strawberry.input(description="A site that an integration is installed on.")
class InstallOnSiteInput:
    site_id: str = inputs.text("Id of the site.", min=1, max=64, required=True)


@strawberry.input(description="Changes to an entry; absent fields stay as they are.")
class UpdateEntryInput:
    configuration: Maybe[JsonObject] = inputs.field(
        "Its whole configuration. A secret that is shown as `********` stays as it is."
    )
    external_ids: Maybe[list[str]] = inputs.items(
        "Ids by which it is found, at most 5.", max=MOST_EXTERNAL_IDS, each=EXTERNAL
    )


@operation(one_statement=True)
async def get_space_installation(
    ctx: Context,
    installation_id: InstallationId,
    space_id: SpaceId,
    integration_name: IntegrationName,
    *,
    projection: Projection = ALL,
) -> SpaceInstallation:
    """The entry of an installation for a space; needs the role `create` on it."""
    return await must(
        ctx, SpaceInstallation, entry_id(installation_id, space_id)[:131],
        where=_OF_INTEGRATION[SpaceInstallation], projection=projection,
        name=integration_name[: NAME_LENGTH + 1],
    )  # fmt: skip


@operation(one_statement=True)
async def get_site_installation(
    ctx: Context,
    installation_id: InstallationId,
    site_id: SiteId,
    integration_name: IntegrationName,
    *,
    projection: Projection = ALL,
) -> SiteInstallation:
    """The entry of an installation for a site; needs the role `create` on it."""
    return await must(
        ctx, SiteInstallation, entry_id(installation_id, site_id)[:131],
        where=_OF_INTEGRATION[SiteInstallation], projection=projection,
        name=integration_name[: NAME_LENGTH + 1],
    )  # fmt: skip


async def install_on_space(
    ctx: Context,
    installation_id: InstallationId,
    integration_name: IntegrationName,
    input: InstallOnSpaceInput,
) -> SpaceInstallation:
    """Install an integration on a space; needs the role `create` on it. CONFLICT (409) where it is
    installed there already."""
    must_not_be_program(ctx)
    space = await must(ctx, Space, input.space, Role.CREATE)
    await _install(ctx, SpaceInstallation, installation_id, integration_name, space)
    note_fact(
        ctx.session,
        Draft(
            type=EventType.SPACE_INTEGRATIONS_UPDATED,
            object_id=space.id,
            organization_id=space.organization_id,
            space_id=space.id,
        ),
    )
    return await get_space_installation(
        ctx, installation_id, strawberry.ID(space.id), integration_name
    )


async def install_on_site(
    ctx: Context,
    installation_id: InstallationId,
    integration_name: IntegrationName,
    input: InstallOnSiteInput,
) -> SiteInstallation:
    """Install an integration on a site; needs the role `create` on it. CONFLICT (409) where it is
    installed there already."""
    must_not_be_program(ctx)
    site = await must(ctx, Site, input.site_id, Role.CREATE)
    await _install(ctx, SiteInstallation, installation_id, integration_name, site)
    note_fact(
        ctx.session,
        Draft(
            type=EventType.SITE_INTEGRATIONS_UPDATED,
            object_id=site.id,
            organization_id=site.organization_id,
            site_id=site.id,
        ),
    )
    return await get_site_installation(
        ctx, installation_id, strawberry.ID(site.id), integration_name
    )


async def _install(ctx: Context, kind: Entry, id: str, name: str, place: Any) -> None:
    # Whoever may install on the space or site of an organization need not administer it.
    matching = await ctx.session.execute(
        select(Installation, Integration)
        .join(Integration, Integration.id == Installation.integration_id)
        .where(
            Installation.id == id,
            Integration.name == name,
            Installation.organization_id == place.organization_id,
        )
        .with_for_update(of=Installation)
    )
    row = matching.first()
    if row is None:
        raise NotFound(f"installation {id[:100]!r} does not exist or is not visible to you")
    installation, integration = row
    if integration.target not in TARGETS[kind]:
        raise PreconditionFailed(
            f"the integration is for {integration.target.value!r} alone, not for a {PLACES[kind]}"
        )
    if await ctx.session.get(kind, entry_id(id, place.id)) is not None:
        raise Conflict(f"it is installed on this {PLACES[kind]} already")
    await add_entries(ctx, kind, installation, integration.configurations, [place.id])


async def update_space_installation(
    ctx: Context,
    installation_id: InstallationId,
    space_id: SpaceId,
    integration_name: IntegrationName,
    input: UpdateEntryInput,
) -> SpaceInstallation:
    """Configure an integration on a space; needs the role `create` on it, or its own token."""
    row = await _locked(ctx, SpaceInstallation, installation_id, space_id, integration_name)
    await _update(ctx, row, "space", ExternalId.space_entry_id, input)
    entry: SpaceInstallation = row
    return entry


async def update_site_installation(
    ctx: Context,
    installation_id: InstallationId,
    site_id: SiteId,
    integration_name: IntegrationName,
    input: UpdateEntryInput,
) -> SiteInstallation:
    """Configure an integration on a site; needs the role `create` on it, or its own token."""
    row = await _locked(ctx, SiteInstallation, installation_id, site_id, integration_name)
    await _update(ctx, row, "site", ExternalId.site_entry_id, input)
    entry: SiteInstallation = row
    return entry


async def _locked(ctx: Context, kind: Any, installation_id: str, place_id: str, name: str) -> Any:
    return await must(
        ctx, kind, entry_id(installation_id, place_id)[:131], Role.CREATE, lock=True,
        where=_OF_INTEGRATION[kind], name=name[: NAME_LENGTH + 1],
    )  # fmt: skip


async def _update(ctx: Context, row: Any, place: str, column: Any, input: UpdateEntryInput) -> None:
    integration: Integration = (
        await ctx.session.execute(select(Integration).where(Integration.id == row.integration_id))
    ).scalar_one()
    before = row.configuration
    if input.configuration is not None:
        configuration = input.configuration.value
        check_configuration(integration.configurations.get(place), configuration)
        row.configuration = sealed(ctx.sealer, dict(configuration), before)
    if input.external_ids is not None:
        row.external_ids = await set_external_ids(
            ctx, row.integration_id, column, row.id, input.external_ids.value
        )
    if ctx.session.is_modified(row):
        row.updated_at = ctx.now()
    changed = row.configuration != before
    event = set_status(ctx, row, integration, place, before if changed else None)
    if event is not None:
        await record_events(ctx, [event])


async def uninstall_from_space(
    ctx: Context,
    installation_id: InstallationId,
    space_id: SpaceId,
    integration_name: IntegrationName,
) -> Deletion:
    """Uninstall an integration from a space; needs the role `create` on it. PRECONDITION_FAILED
    (412) where the installation is for all spaces."""
    row = await _leave(ctx, SpaceInstallation, installation_id, space_id, integration_name)
    return Deletion(
        deleted_id=row.id, organization_id=row.organization_id, space_id=space_id, audited=row
    )


async def uninstall_from_site(
    ctx: Context,
    installation_id: InstallationId,
    site_id: SiteId,
    integration_name: IntegrationName,
) -> Deletion:
    """Uninstall an integration from a site; needs the role `create` on it. PRECONDITION_FAILED
    (412) where the installation is for all sites."""
    row = await _leave(ctx, SiteInstallation, installation_id, site_id, integration_name)
    return Deletion(
        deleted_id=row.id, organization_id=row.organization_id, site_id=site_id, audited=row
    )


async def _leave(ctx: Context, kind: Entry, installation_id: str, place: str, name: str) -> Any:
    with finding_what_to_delete():
        row = await _locked(ctx, kind, installation_id, place, name)
    must_not_be_program(ctx)
    selection = (
        Installation.space_selection if kind is SpaceInstallation else Installation.site_selection
    )
    chosen = select(selection).where(Installation.id == installation_id)
    if (await ctx.session.execute(chosen)).scalar() is Selection.ALL:
        raise PreconditionFailed(
            f"the installation is for all {PLACES[kind]}s; select them one by one to leave this out"
        )
    await remove_entries(ctx, kind, kind.id == row.id)
    return row
