"""Sites: docs sites built from spaces (docs/sites.md)."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import strawberry
from sqlalchemy import and_, bindparam, delete, func, select, update
from strawberry import Maybe, Some

from content.errors import SlugError
from content.slugs import check_slug, slug_from_title, slug_key, unique_slug
from db.enums import AgentsContext, Role, SitePreviews, SiteType, SiteVisibility
from db.models.organizations import Organization
from db.models.site_settings import PublishingAuth
from db.models.sites import Site
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must, ranked
from resolvers.access.share_keys import OPENS_SITE, needed_key, use_share_key, wrong_key
from resolvers.addresses.visibilities import note_visibilities, spaces_on
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, OrganizationId, ShareKey, SiteId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest, Conflict, Forbidden, NotFound, invalid, invalid_at
from resolvers.core.integration_records import leave_site
from resolvers.sites.custom_hostnames import refuse_proxy_beside_hostname
from resolvers.sites.paths import RESERVED
from resolvers.sites.revalidation_calls import note_deletion
from resolvers.sites.structure import Structure
from resolvers.sites.writes import load, lock_spaces_shown_to_all, save, seen_spaces
from resolvers.spaces.operations import (
    TITLE_LENGTH as SPACE_TITLE_LENGTH,
    CreateSpaceInput,
    create_space,
)
from resolvers.spaces.sample_pages import add_sample_pages

DEFAULT_TITLE = "Untitled site"
EMPTY, SAMPLE = NEW_SPACES = ("empty", "sample")
# A host and path as in `docs.example.com/help`; the letters are ASCII.
PROXY_ORIGIN = r"(?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+\.[a-zA-Z]{2,}(?:/[A-Za-z0-9_-]+)+"


@strawberry.input(description="A new site; every field may be absent.")
class CreateSiteInput:
    type: Maybe[SiteType] = inputs.field("Type of the site; `basic` when absent.")
    title: Maybe[str] = inputs.text("Name; `Untitled site` when absent.", min=2, max=128)
    visibility: Maybe[SiteVisibility] = inputs.field("Who can see it; `public` when absent.")
    spaces: Maybe[list[strawberry.ID]] = inputs.items(
        "Ids of spaces to put on it, in their order; the first is the default. Or one word "
        "for a new space: `empty`, or `sample` for one with pages to start from.",
        keywords=NEW_SPACES,
    )


@strawberry.input(description="Content that depends on the visitor.")
class SiteAdaptiveContentInput:
    enabled: bool = inputs.field("Whether it is on.", required=True)


@strawberry.input(description="Changes to a site; absent fields stay as they are.")
class UpdateSiteInput:
    title: Maybe[str] = inputs.text("Name of the site.", min=2, max=128)
    visibility: Maybe[SiteVisibility] = inputs.field("Who can see it once it is published.")
    basename: Maybe[str | None] = inputs.text(
        "Its path below the organization's host: a lower-case slug, unique in the organization. "
        "Null serves it at the root of that host, which one site of an organization can be.",
        min=1,
        max=100,
    )
    adaptive_content: Maybe[SiteAdaptiveContentInput] = inputs.field(
        "Content that depends on the visitor."
    )
    agents_context: Maybe[AgentsContext] = inputs.field("Whether assistants may read it.")
    previews: Maybe[SitePreviews] = inputs.field(
        "Who may preview its change requests and revisions: `anybody` with the address, whose "
        "numbers can be guessed; `members`, by addresses that they ask for; or `nobody`."
    )
    default_site_space: Maybe[strawberry.ID] = inputs.text(
        "Id of the site space served at the root; with sections, one of the default section."
    )
    default_site_section: Maybe[strawberry.ID] = inputs.text(
        "Id of the section served at the root; refused while a site has no sections."
    )
    proxy: Maybe[str | None] = inputs.text(
        "Host and path under which it is proxied, such as `example.com/docs`; null removes it.",
        max=512,
        pattern=PROXY_ORIGIN,
        allowed="a host name and one or more path segments, without a scheme: example.com/docs",
    )


IN_ORGANIZATION = Site.organization_id == bindparam("organization_id", type_=KEY)


@cache
def _within(in_organization: bool, by_key: bool) -> Any:
    """The condition for what the path and the share key say."""
    conditions = [IN_ORGANIZATION] if in_organization else []
    if by_key:
        conditions.append(OPENS_SITE)
    return and_(*conditions) if conditions else None


async def must_site(
    ctx: Context,
    id: str,
    organization_id: str | None,
    role: Role | None = None,
    *,
    lock: bool = False,
    projection: Projection = ALL,
) -> Site:
    """The site with this id, as `must` finds it, in the organization that the path may name."""
    return await must(
        ctx,
        Site,
        id,
        role,
        where=_within(organization_id is not None, by_key=False),
        lock=lock,
        projection=projection,
        organization_id=organization_id,
    )


@operation(one_statement=True)
async def get_site(
    ctx: Context,
    id: SiteId,
    organization_id: InOrganization = None,
    share_key: ShareKey = None,
    *,
    projection: Projection = ALL,
) -> Site:
    """A site of an organization in which you have a role, or with a space you may read."""
    key = needed_key(ctx, share_key)
    try:
        site = await must(
            ctx,
            Site,
            id,
            where=_within(organization_id is not None, key is not None),
            projection=projection,
            organization_id=organization_id,
            share_key=key,
        )
    except NotFound as error:
        raise wrong_key(error, key) from error
    use_share_key(ctx, share_key)
    return site


async def create_site(
    ctx: Context, organization_id: OrganizationId, input: CreateSiteInput
) -> Site:
    """Make a site, unpublished; needs the organization role `create`, also on each space."""
    # The lock keeps two new sites with one title from choosing the same basename.
    organization = await must(ctx, Organization, organization_id, Role.CREATE, lock=True)
    ids = inputs.given(input.spaces, [])
    title = inputs.given(input.title, DEFAULT_TITLE)
    if len(ids) == 1 and ids[0] in NEW_SPACES:
        spaces = [await _new_space(ctx, organization.id, title, ids[0])]
    else:
        spaces = await _spaces_for(ctx, organization.id, ids)
    site = Site(
        organization_id=organization.id,
        title=title,
        type=inputs.given(input.type, SiteType.BASIC),
        visibility=inputs.given(input.visibility, SiteVisibility.PUBLIC),
        basename=await _free_basename(ctx, organization.id, title),
    )
    ctx.session.add(site)
    await ctx.session.flush()
    ctx.session.add(PublishingAuth(site_id=site.id))
    structure = Structure(site)
    for space in spaces:
        structure.add_space(space)
    await save(ctx, structure)
    return site


async def _new_space(ctx: Context, organization_id: str, title: str, word: str) -> Space:
    """A new space at the top level, named like the site."""
    new_space = CreateSpaceInput(title=Some(title[:SPACE_TITLE_LENGTH]))
    space = await create_space(ctx, strawberry.ID(organization_id), new_space)
    if word == SAMPLE:
        await add_sample_pages(ctx, space)
    return space


async def _spaces_for(ctx: Context, organization_id: str, ids: Sequence[str]) -> list[Space]:
    """The spaces with these ids in their order, each once; NotFound names one that is missing."""
    if not ids:
        return []
    statement, rank = ranked(ctx, Space)
    statement = statement.where(Space.organization_id == organization_id, Space.id.in_(set(ids)))
    rows = await ctx.session.execute(statement.add_columns(rank))
    by_id = {space.id: (space, held) for space, held in rows}
    spaces = []
    for id in dict.fromkeys(ids):
        if id not in by_id:
            raise NotFound(f"spaces: {id!r} does not exist in this organization for you")
        space, held = by_id[id]
        if held < Role.CREATE.rank:
            raise Forbidden(f"spaces: this needs the role 'create' on the space {id!r}")
        spaces.append(space)
    return spaces


async def _free_basename(ctx: Context, organization_id: str, title: str) -> str:
    """A basename from the title that no other site of the organization has."""
    slug = slug_from_title(title)
    statement = select(Site.basename).where(
        Site.organization_id == organization_id,
        # Leaves room for the number that tells equal titles apart.
        func.lower(Site.basename).startswith(slug[:90], autoescape=True),
    )
    names = {slug_key(name) for name in (await ctx.session.execute(statement)).scalars()}
    return unique_slug(slug, names | RESERVED)


async def update_site(
    ctx: Context, id: SiteId, input: UpdateSiteInput, organization_id: InOrganization = None
) -> Site:
    """Change a site's settings; needs the organization role `create`."""
    site = await must_site(ctx, id, organization_id, Role.CREATE, lock=True)
    if input.basename is not None and input.basename.value != site.basename:
        await _check_basename(ctx, site, input.basename.value)
    if input.default_site_section is not None or input.default_site_space is not None:
        await _choose_defaults(ctx, site, input)
    if input.adaptive_content is not None:
        site.adaptive_content = input.adaptive_content.value.enabled
    if input.proxy is not None:
        if input.proxy.value is not None:
            await refuse_proxy_beside_hostname(ctx, site)
        site.proxy_origin = input.proxy.value
    visibility = site.visibility
    inputs.assign(site, input, "title", "visibility", "basename", "agents_context", "previews")
    if site.published:
        await note_visibilities(ctx, site, spaces_on(site), visibility, site.visibility)
    await lock_spaces_shown_to_all(ctx, site)
    return site


async def _check_basename(ctx: Context, site: Site, name: str | None) -> None:
    """Raise Invalid for what is no basename, Conflict for one that another site has."""
    if name is None:
        await _check_root(ctx, site)
        return
    with invalid_at("basename", SlugError, without="slug: "):
        check_slug(name)
    if name != name.lower():
        raise invalid("basename", f"{name!r} is not allowed; it must be lower-case")
    if slug_key(name) in RESERVED:
        raise invalid("basename", f"{name!r} is reserved")
    statement = select(Site.id).where(
        Site.organization_id == site.organization_id, Site.id != site.id, Site.basename == name
    )
    if (await ctx.session.execute(statement)).first() is not None:
        raise Conflict(f"basename: {name!r} is taken by another site of the organization")


async def _check_root(ctx: Context, site: Site) -> None:
    """Raise Conflict when the root of the organization's host is another site's."""
    # No index keeps two sites from having none at the same time; the lock does.
    await ctx.session.execute(
        select(Organization.id)
        .where(Organization.id == site.organization_id)
        .with_for_update(key_share=True)
    )
    statement = select(Site.id).where(
        Site.organization_id == site.organization_id, Site.id != site.id, Site.basename.is_(None)
    )
    if (await ctx.session.execute(statement.limit(1))).first() is not None:
        raise Conflict(
            "basename: another site of the organization has none and is served at the root; "
            "give that one a basename first"
        )


async def _choose_defaults(ctx: Context, site: Site, input: UpdateSiteInput) -> None:
    """First the section, for the site space has to be in the default section then."""
    structure = await load(ctx, site)
    if input.default_site_section is not None:
        structure.choose_default_section(input.default_site_section.value, "defaultSiteSection")
    if input.default_site_space is not None:
        id = input.default_site_space.value
        if id not in await seen_spaces(ctx, site):
            raise BadRequest(f"defaultSiteSpace: {id!r} is not a site space of this site")
        structure.choose_default_space(id, structure.default_section, "defaultSiteSpace")
    await save(ctx, structure)


async def delete_site(ctx: Context, id: SiteId, organization_id: InOrganization = None) -> Deletion:
    """Delete a site for good; its spaces stay."""
    with finding_what_to_delete():
        site = await must_site(ctx, id, organization_id, Role.CREATE, lock=True)
    await ctx.session.execute(
        update(Organization)
        .where(Organization.default_site_id == site.id)
        .values(default_site_id=None)
    )
    await leave_site(ctx, site.id)
    await note_deletion(ctx, site.id)
    if site.published:
        await note_visibilities(ctx, site, spaces_on(site), site.visibility, None)
    await ctx.session.execute(delete(Site).where(Site.id == site.id))
    return Deletion(deleted_id=site.id, organization_id=site.organization_id, audited=site)
