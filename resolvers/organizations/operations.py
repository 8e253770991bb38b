"""Organizations: the owners of everything else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import strawberry
from sqlalchemy import Select, select
from strawberry import Maybe

from db.enums import Role
from db.models.organizations import Member, Organization, Team, TeamMember
from db.models.sites import Site
from db.order_enums import OrganizationOrderField
from db.prepared import among
from db.rows import with_row_layout
from db.storage_enums import StorageUploadKind
from resolvers.access.policy import must, ranks, visible
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict, Invalid
from resolvers.core.orders import Orders, OrganizationOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import ID, computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.organizations.email_domains import check_email_domains
from resolvers.organizations.merge_rules import StandaloneMergeRules, read_merge_rules
from resolvers.storage.operations import release_uploads, stored_key, use_upload

DOMAIN = r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
HOSTNAME = "[a-z0-9](?:[a-z0-9-]{1,30}[a-z0-9])"


@strawberry.input(description="What an organization shows first: one of its sites.")
class DefaultContentInput:
    type: str = inputs.text("Always `site`.", pattern="site", allowed="'site'", required=True)
    site: strawberry.ID = inputs.text("Id of the site.", required=True)


@strawberry.input(description="Changes to an organization; absent fields stay as they are.")
class UpdateOrganizationInput:
    title: Maybe[str] = inputs.text("Name of the organization.", min=2, max=255)
    email_domains: Maybe[list[str]] = inputs.items(
        "Domains whose people may join.",
        max=100,
        each=inputs.Bounds(3, 253, DOMAIN, "a domain such as example.com"),
    )
    hostname: Maybe[str] = inputs.text(
        "Label of its default host.",
        min=3,
        max=32,
        pattern=HOSTNAME,
        allowed="lower-case letters, digits and inner hyphens",
    )
    default_role: Maybe[Role | None] = inputs.field("Role of new members; null makes them guests.")
    default_content: Maybe[DefaultContentInput | None] = inputs.field(
        "What the organization shows first; null removes it."
    )
    logo: Maybe[Url | None] = inputs.field(
        "Picture: any address, or that of an upload of the kind `organization_logo`; null removes "
        "it."
    )
    sso: Maybe[bool] = inputs.field("Whether single sign-on is enforced.")
    ai: Maybe[bool] = inputs.field("Whether assistants may be used.")
    invite_links: Maybe[bool] = inputs.field("Whether links by which people join work.")
    merge_rules: Maybe[StandaloneMergeRules] = inputs.field("When change requests may be merged.")


@operation(one_statement=True)
async def get_organization(
    ctx: Context, id: OrganizationId, *, projection: Projection = ALL
) -> Organization:
    """An organization that you are a member of."""
    return await must(ctx, Organization, id, projection=projection)


async def update_organization(
    ctx: Context, id: OrganizationId, input: UpdateOrganizationInput
) -> Organization:
    """Change an organization's settings; needs its role `admin`."""
    organization = await must(ctx, Organization, id, Role.ADMIN, lock=True)
    if input.email_domains is not None:
        check_email_domains(input.email_domains.value)
    if input.hostname is not None and input.hostname.value != organization.hostname:
        same_hostname = select(Organization.id).where(Organization.hostname == input.hostname.value)
        if (await ctx.session.execute(same_hostname)).first() is not None:
            raise Conflict(f"hostname: {input.hostname.value!r} is taken")
    if input.default_content is not None:
        chosen = input.default_content.value
        organization.default_site_id = None
        if chosen is not None:
            site = await must(ctx, Site, chosen.site, where=Site.organization_id == id)
            organization.default_site_id = site.id
    if input.merge_rules is not None:
        organization.merge_rules = read_merge_rules(input.merge_rules.value)
    if input.logo is not None:
        await _change_logo(ctx, organization, input.logo.value)
    inputs.assign(
        organization,
        input,
        "title",
        "email_domains",
        "hostname",
        "default_role",
        "sso",
        "ai",
        "invite_links",
    )
    return organization


def stored_domains_problem(domains: list[str]) -> str | None:
    """What is wrong with domains that say that they were stored; None where nothing is."""
    try:
        check_email_domains(domains)
    except Invalid as error:
        return error.message
    return None


async def _change_logo(ctx: Context, organization: Organization, url: str | None) -> None:
    """Set the picture; one that was uploaded here is taken over, the one before is let go."""
    if url == organization.logo_url:
        return
    key = stored_key(ctx, url)
    if key is not None:
        kind = StorageUploadKind.ORGANIZATION_LOGO
        await use_upload(ctx, organization.id, key, kind, "logo", lasting=True)
    former = stored_key(ctx, organization.logo_url)
    await release_uploads(ctx, organization.id, [] if former is None else [former])
    organization.logo_url = url


def _own_organizations(viewer: Viewer) -> Select[Any]:
    own = visible(viewer, Organization).join(Member, Member.organization_id == Organization.id)
    own = own.where(Member.disabled.is_(False))
    if viewer.actor.operator:
        return own
    return own.where(Member.user_id == viewer.actor.user_id)


@dataclass(frozen=True)
class OrganizationArguments(PageArguments):
    """The order of a list of organizations."""

    order_by: Annotated[
        OrganizationOrder | None,
        strawberry.argument(description="Order; oldest first when absent."),
    ] = None


ORDERS = Orders(
    by(Organization.id),
    {
        OrganizationOrderField.CREATED_AT: by(Organization.created_at),
        OrganizationOrderField.TITLE: by(Organization.title_key),
    },
)
organizations_of_users = Listing(
    "organizations_of_users",
    Organization,
    Member.user_id,
    ORDERS.or_else(by_id(Organization)),
    about="Organizations of the caller, oldest first; empty for other people.",
    rows=_own_organizations,
)


@computed_from("id", "logo_url")
async def organization_urls(
    ctx: Context, rows: Sequence[Organization], arguments: Any
) -> list[Urls]:
    """Where an organization is found."""
    base = ctx.settings.public_url
    return [
        Urls(location=f"{base}/v1/orgs/{row.id}", app=f"{base}/o/{row.id}", logo=row.logo_url)
        for row in rows
    ]


@with_row_layout
class OrganizationPermissions(NamedTuple):
    """What the caller may do in an organization."""

    view: bool
    admin: bool
    own_team: bool
    create_content: bool
    create_open_api_spec: bool
    ingest_conversations: bool
    view_billing: bool
    list_members: bool
    list_teams: bool
    list_integrations: bool
    list_installations: bool
    install_integration: bool


@statement
def _owned_teams(viewer: Viewer) -> Written:
    return (
        select(Team.organization_id)
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(TeamMember.user_id == viewer.actor.user_id, TeamMember.owner.is_(True))
        .where(among(Team.organization_id, "ids"))
    )


@reads("id")
async def organization_permissions(
    ctx: Context, rows: Sequence[Organization], arguments: Any
) -> list[OrganizationPermissions]:
    """What the caller may do, from the role of the membership (docs/roles.md)."""
    ids = {row.id for row in rows}
    ranks_by_id = await ranks(ctx, Organization, ids)
    owned = {row.organization_id for row in await _owned_teams.rows(ctx, ids=ids)}
    return [_permissions(ranks_by_id.get(row.id), row.id in owned) for row in rows]


def _permissions(rank: int | None, owns_team: bool) -> OrganizationPermissions:
    member = rank is not None and rank >= Role.READ.rank
    creator = rank is not None and rank >= Role.CREATE.rank
    admin = rank is not None and rank >= Role.ADMIN.rank
    return OrganizationPermissions(
        view=rank is not None,
        admin=admin,
        own_team=admin or (owns_team and rank is not None),
        create_content=creator,
        create_open_api_spec=creator,
        ingest_conversations=False,
        view_billing=False,
        list_members=member,
        list_teams=member,
        list_integrations=member,
        list_installations=admin,
        install_integration=admin,
    )


@dataclass(frozen=True, slots=True)
class SitePointer:
    """A site as an organization's default content."""

    site: str
    type: str = "site"


@statement
def _visible_sites(viewer: Viewer) -> Written:
    return visible(viewer, Site).where(among(Site.id, "ids"))


@reads("default_site_id")
async def default_contents(
    ctx: Context, rows: Sequence[Organization], arguments: Any
) -> list[SitePointer | None]:
    """The site that an organization shows first; None where the caller may not see it."""
    ids = {row.default_site_id for row in rows} - {None}
    if not ids:
        return [None for _ in rows]
    sites = await _visible_sites.rows(ctx, columns=ID, ids=ids)
    pointers = {row.id: SitePointer(row.id) for row in sites}
    return [pointers.get(row.default_site_id or "") for row in rows]


@computed_from()
async def plans(ctx: Context, rows: Sequence[Organization], arguments: Any) -> list[str]:
    """There are no plans on a self-hosted server."""
    return ["internal" for _ in rows]


@dataclass(frozen=True, slots=True)
class Trial:
    """There are no trials on a self-hosted server."""

    status: str = "notapplicable"


@computed_from()
async def trials(ctx: Context, rows: Sequence[Organization], arguments: Any) -> list[Trial]:
    """The state of each organization's trial."""
    return [Trial() for _ in rows]
