"""Installations of integrations in organizations."""

from typing import Annotated

import strawberry
from sqlalchemy import bindparam, delete, select
from strawberry import Maybe

from db.enums import Role
from db.ids import new_id
from db.integration_enums import (
    InstallationSelection as Selection,
    InstallationStatus as Status,
    IntegrationVisibility as Visibility,
)
from db.models.events import EventCounter
from db.models.integrations import (
    EXTERNAL_ID_LENGTH,
    NAME_LENGTH,
    ExternalId,
    Installation,
    Integration,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.organizations import Member, Organization
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.integration_tokens import LIFETIME, issue
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.actors import Program
from resolvers.core.audit import record
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict, Forbidden, invalid
from resolvers.core.integration_configurations import check_configuration, sealed, status_of
from resolvers.core.integration_records import (
    TARGETS,
    Entry,
    add_entries,
    event_row,
    record_events,
    remove_entries,
)
from resolvers.core.scalars import JsonObject
from resolvers.integrations.manifests import IntegrationName
from resolvers.integrations.operations import (
    ProgramToken,
    get_integration,
    must_be_integration,
    must_own,
    new_account,
    new_signing_secret,
    set_status,
    setup_event,
)

MOST_EXTERNAL_IDS = 5
InstallationId = Annotated[strawberry.ID, inputs.argument("Id of the installation.")]
_EXTERNAL = inputs.Bounds(1, EXTERNAL_ID_LENGTH)
OF_INTEGRATION = Installation.integration_id == (
    select(Integration.id).where(Integration.name == bindparam("name", type_=KEY)).scalar_subquery()
)


@strawberry.input(description="Where an integration is installed.")
class InstallIntegrationInput:
    organization: str = inputs.text("Id of the organization.", min=1, max=64, required=True)


@strawberry.input(description="Changes to an installation; absent fields stay as they are.")
class UpdateInstallationInput:
    configuration: Maybe[JsonObject] = inputs.field(
        "Its whole configuration. A secret that is shown as `********` stays as it is."
    )
    external_ids: Maybe[list[str]] = inputs.items(
        "Ids by which it is found, at most 5.", max=MOST_EXTERNAL_IDS, each=_EXTERNAL
    )
    space_selection: Maybe[Selection] = inputs.field(
        "For which spaces it has entries; `selected` removes those that it has.",
        name="space_selection",
    )
    site_selection: Maybe[Selection] = inputs.field(
        "For which sites it has entries; `selected` removes those that it has.",
        name="site_selection",
    )
    status: Maybe[Status] = inputs.field("`paused` to pause it, `active` to resume it.")


@operation(one_statement=True)
async def get_installation(
    ctx: Context,
    id: InstallationId,
    integration_name: IntegrationName,
    *,
    projection: Projection = ALL,
) -> Installation:
    """An installation, for administrators of the organization and for the integration itself."""
    return await must(
        ctx, Installation, id, where=OF_INTEGRATION, projection=projection,
        name=integration_name[: NAME_LENGTH + 1],
    )  # fmt: skip


async def locked_installation(ctx: Context, id: str, integration_name: str) -> Installation:
    """A locked installation of an integration, which the caller may change."""
    return await must(
        ctx, Installation, id, Role.ADMIN, where=OF_INTEGRATION, lock=True,
        name=integration_name[: NAME_LENGTH + 1],
    )  # fmt: skip


async def integration_of(ctx: Context, id: str) -> Integration:
    """The integration of an installation."""
    row: Integration = (
        await ctx.session.execute(select(Integration).where(Integration.id == id))
    ).scalar_one()
    return row


async def install_integration(
    ctx: Context, name: IntegrationName, input: InstallIntegrationInput
) -> Installation:
    """Install an integration in an organization; needs its role `admin`.

    It is `pending` until everything that its configuration requires is there. CONFLICT (409) where
    it is installed already. One that is private is installed by the organization that publishes it.
    """
    must_not_be_program(ctx)
    integration = await get_integration(ctx, name)
    organization = await must(ctx, Organization, input.organization, Role.ADMIN, lock=True)
    own = integration.organization_id == organization.id
    if integration.visibility is Visibility.PRIVATE and not own:
        raise Forbidden("a private integration is installed by its own organization alone")
    existing = select(Installation.id).where(
        Installation.integration_id == integration.id,
        Installation.organization_id == organization.id,
    )
    if (await ctx.session.execute(existing)).first() is not None:
        raise Conflict(f"{name!r} is installed in this organization already")
    account = await new_account(ctx, integration.title)
    member = Member(
        organization_id=organization.id, user_id=account.id, role=None, service=True,
        joined_at=ctx.now(),
    )  # fmt: skip
    counter = select(EventCounter.last).where(EventCounter.stream_id == organization.id)
    row = Installation(
        id=new_id(), integration_id=integration.id, organization_id=organization.id,
        account_id=account.id, status=status_of(integration.configurations.get("account"), {}),
        configuration={}, space_selection=Selection.SELECTED, site_selection=Selection.SELECTED,
        external_ids=[], signing_secret=ctx.sealer.seal(new_signing_secret()), failures=0,
        position=(await ctx.session.execute(counter)).scalar() or 0,
        created_at=ctx.now(), updated_at=ctx.now(),
    )  # fmt: skip
    ctx.session.add_all([row, member])
    await ctx.session.flush()
    await record_events(ctx, [setup_event(ctx, row, "account", None)])
    return row


def must_not_be_program(ctx: Context) -> None:
    """Integrations do not install or uninstall themselves."""
    if ctx.actor.program is not None:
        raise Forbidden("integrations do not install or uninstall themselves")


async def update_installation(
    ctx: Context,
    id: InstallationId,
    integration_name: IntegrationName,
    input: UpdateInstallationInput,
) -> Installation:
    """Configure an installation, pause or resume it, choose its spaces and sites; for
    administrators of the organization.

    The integration itself changes its configuration and its external ids.
    """
    row = await locked_installation(ctx, id, integration_name)
    chosen = (input.space_selection, input.site_selection, input.status)
    if any(value is not None for value in chosen):
        must_not_be_program(ctx)
    integration = await integration_of(ctx, row.integration_id)
    before, old = row.configuration, row.status
    if input.configuration is not None:
        configuration = input.configuration.value
        check_configuration(integration.configurations.get("account"), configuration)
        row.configuration = sealed(ctx.sealer, dict(configuration), before)
    if input.status is not None:
        _set_paused(row, integration, input.status.value)
    if input.external_ids is not None:
        row.external_ids = await set_external_ids(
            ctx, row.integration_id, ExternalId.installation_id, row.id, input.external_ids.value
        )
    if ctx.session.is_modified(row):
        row.updated_at = ctx.now()
    changed = row.configuration != before
    if old is not Status.PAUSED and row.status is not Status.PAUSED:
        event = set_status(ctx, row, integration, "account", before if changed else None)
    elif changed or row.status is not old:
        event = setup_event(ctx, row, "account", old, before)
    else:
        event = None
    if event is not None:
        await record_events(ctx, [event])
    if input.space_selection is not None:
        await _select(ctx, row, integration, SpaceInstallation, input.space_selection.value)
    if input.site_selection is not None:
        await _select(ctx, row, integration, SiteInstallation, input.site_selection.value)
    return row


def _set_paused(row: Installation, integration: Integration, status: Status) -> None:
    if status is Status.PENDING:
        raise invalid("status", "'pending' follows from the configuration; use active or paused")
    if status is Status.PAUSED:
        row.status = status
    elif row.status is Status.PAUSED:
        row.status = status_of(integration.configurations.get("account"), row.configuration)
        row.failures, row.next_attempt_at = 0, None


async def _select(
    ctx: Context, row: Installation, integration: Integration, kind: Entry, selection: Selection
) -> None:
    spaces = kind is SpaceInstallation
    name = "space_selection" if spaces else "site_selection"
    if getattr(row, name) is selection:
        return
    if selection is Selection.ALL and integration.target not in TARGETS[kind]:
        raise invalid(name, f"the integration is for {integration.target.value!r} alone")
    setattr(row, name, selection)
    await ctx.session.flush()
    if selection is Selection.SELECTED:
        await remove_entries(ctx, kind, kind.installation_id == row.id)
        return
    here = kind.installation_id == row.id
    if spaces:
        places = select(Space.id).where(
            Space.organization_id == row.organization_id,
            Space.deleted_at.is_(None),
            Space.id.not_in(select(SpaceInstallation.space_id).where(here)),
        )
    else:
        places = select(Site.id).where(
            Site.organization_id == row.organization_id,
            Site.id.not_in(select(SiteInstallation.site_id).where(here)),
        )
    ids = (await ctx.session.execute(places)).scalars().all()
    await add_entries(ctx, kind, row, integration.configurations, ids)


async def set_external_ids(
    ctx: Context, integration_id: str, column: object, id: str, values: list[str]
) -> list[str]:
    """Replace the external ids of an installation or an entry; what is stored in its row."""
    unique = list(dict.fromkeys(values))
    await ctx.session.execute(delete(ExternalId).where(column == id))  # type: ignore[arg-type]
    key = column.key  # type: ignore[attr-defined]
    ctx.session.add_all(
        ExternalId(id=new_id(), integration_id=integration_id, value=value, **{key: id})
        for value in unique
    )
    return unique


async def uninstall_integration(
    ctx: Context, id: InstallationId, integration_name: IntegrationName
) -> Deletion:
    """Uninstall an integration from an organization; needs its role `admin`. Its tokens end."""
    with finding_what_to_delete():
        row = await locked_installation(ctx, id, integration_name)
    must_not_be_program(ctx)
    for kind in (SpaceInstallation, SiteInstallation):
        await remove_entries(ctx, kind, kind.installation_id == row.id)
    await record_deletion(ctx, row)
    await ctx.session.delete(row)
    await ctx.session.execute(
        delete(Member).where(
            Member.organization_id == row.organization_id, Member.user_id == row.account_id
        )
    )
    return Deletion(deleted_id=row.id, organization_id=row.organization_id, audited=row)


async def record_deletion(ctx: Context, row: Installation) -> None:
    """The event of an installation that is about to be deleted."""
    from resolvers.core.integration_configurations import masked

    previous = {"configuration": masked(row.configuration)}
    await record_events(ctx, [event_row(ctx, row, "installation_deleted", previous=previous)])


# ------------------------------------------------------------------ tokens


async def create_integration_token(ctx: Context, name: IntegrationName) -> ProgramToken:
    """The token of an integration, which works until it is unpublished; needs the role `admin` in
    the organization that publishes it."""
    row = await must_own(ctx, name)
    await record(ctx, "create_integration_token", row)
    return ProgramToken(token_of_integration(ctx, row), row)


def token_of_integration(ctx: Context, row: Integration) -> str:
    """The text of the token of an integration."""
    return issue(ctx.signing_key, Program.INTEGRATION, row.id, row.token_mark)


def token_of_installation(ctx: Context, integration: Integration, id: str) -> str:
    """The text of a token of an installation, which works for an hour."""
    end = ctx.now() + LIFETIME
    return issue(ctx.signing_key, Program.INSTALLATION, id, integration.token_mark, end)


async def create_installation_token(
    ctx: Context, id: InstallationId, integration_name: IntegrationName
) -> ProgramToken:
    """A token of an installation, which works for an hour in its organization, on the spaces and
    sites that it has entries for, with the scopes of the integration; needs its token."""
    integration = await get_integration(ctx, integration_name)
    must_be_integration(ctx, integration)
    row = await get_installation(ctx, id, integration_name)
    await record(ctx, "create_installation_token", row)
    return ProgramToken(token_of_installation(ctx, integration, row.id), row)
