"""Addresses that show a published site as a visitor with chosen claims sees it, a draft of its
content, or settings of how it looks that are not saved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import and_

from content.errors import RisonError
from content.links.published_urls import MAX_URL_LENGTH, address
from content.rison import read_rison_object
from db.enums import Role, SitePreviews, TokenScope
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.sites import Site
from resolvers.access.drafts import NOTHING, Draft, previews_of
from resolvers.access.policy import must
from resolvers.addresses.hosts import OWN_ROOT
from resolvers.addresses.sites import site_urls
from resolvers.change_requests.operations import IN_SPACE, naming_of
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, BadRequest, Forbidden, NotFound, PreconditionFailed
from resolvers.core.scalars import read_object
from resolvers.customization.operations import unsaved_changes
from resolvers.customization.settings import SiteCustomizationSettingsInput
from resolvers.lists.batches import for_role, reads
from resolvers.published import preview_tokens
from resolvers.published.named_previews import CHANGES, PREVIEWS, REVISIONS
from resolvers.published.paths import SiteMap
from resolvers.published.visitors import everything_in, structures_of
from resolvers.sites.operations import must_site

PreviewedSiteSpace = Annotated[
    strawberry.ID | None, inputs.argument("Id of the site space to begin at; the root when absent.")
]
PreviewClaims = Annotated[
    str | None,
    inputs.argument(
        "Claims of the visitor to look like, as an object in Rison: "
        "`(beta:!t,unsigned:(language:fr))`."
    ),
]
PreviewedChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument(
        "Show the content of this change request: its id, or with `siteSpace` its "
        "number in the space."
    ),
]
PreviewedRevision = Annotated[
    strawberry.ID | None, inputs.argument("Show the content of this revision.")
]
_READ = frozenset(
    {
        "id", "organization_id", "published", "hostname", "proxy_origin", "basename", "visibility",
        "default_section_id", "default_site_space_id", "previews",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SitePreview:
    """Where a preview is found."""

    url: str


@dataclass(frozen=True, slots=True)
class PreviewArguments:
    """Where a preview begins, and what it shows to whom."""

    site_space: PreviewedSiteSpace = None
    claims: PreviewClaims = None
    change_request: PreviewedChangeRequest = None
    revision: PreviewedRevision = None

    @property
    def of_draft(self) -> bool:
        """Whether a draft is shown."""
        return self.change_request is not None or self.revision is not None

    @property
    def needs_role(self) -> bool:
        """Whether it needs a role on the site: drafts without claims need none."""
        return not self.of_draft or self.claims is not None


@reads(*sorted(_READ), scope=TokenScope.SITE_AUTH_READ)
async def previews_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: PreviewArguments
) -> list[SitePreview | ApiError]:
    """A preview of each site."""
    if not arguments.needs_role:
        return await _previews(ctx, rows, arguments)
    return await for_role(
        ctx, Site, rows, Role.EDIT, lambda sites: _previews(ctx, sites, arguments)
    )


async def get_site_preview(
    ctx: Context,
    id: SiteId,
    site_space: PreviewedSiteSpace = None,
    claims: PreviewClaims = None,
    organization_id: InOrganization = None,
    change_request: PreviewedChangeRequest = None,
    revision: PreviewedRevision = None,
) -> SitePreview:
    """An address that shows a published site for an hour as a visitor with these claims sees it,
    whatever its audience; needs the organization role `edit`. With a change request or a revision
    it shows that draft to whoever has the address; without claims it needs the right to read the
    draft only, and visitors see what their own claims let them.

    BadRequest for claims that are no Rison, or too many for an address; PreconditionFailed while
    the site is not published, and for drafts of a site whose visibility or setting `previews`
    allows nobody to preview them.
    """
    arguments = PreviewArguments(site_space, claims, change_request, revision)
    role = Role.EDIT if arguments.needs_role else None
    site = await must_site(ctx, id, organization_id, role, projection=Projection(_READ))
    (preview,) = await _previews(ctx, [site], arguments)
    if isinstance(preview, ApiError):
        raise preview
    return preview


async def get_site_customization_preview(
    ctx: Context,
    site_id: SiteId,
    input: SiteCustomizationSettingsInput,
    organization_id: InOrganization = None,
) -> SitePreview:
    """An address that shows a published site for an hour as it would look with these settings in
    place of its own, to whoever has the address and whatever its audience; overrides of site spaces
    stay. Nothing is saved. Needs the organization role `create`, as saving them does.

    Its pages can stand in a frame on this server. What is more than an address can hold stays on
    this server as long as it lasts, of each site the last 50. PreconditionFailed while the site is
    not published.
    """
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, projection=Projection(_READ))
    if (problem := _problem(site, PreviewArguments())) is not None:
        raise problem
    changes = await unsaved_changes(ctx, site, input)
    token = preview_tokens.issue(_key_of(ctx), site.id, {}, ctx.now(), customization=changes)
    root = f"{ctx.settings.public_url}/{OWN_ROOT}/{site.id}"
    return SitePreview(address(root, (preview_tokens.MARKER, token)))


async def _previews(
    ctx: Context, sites: Sequence[Site], arguments: PreviewArguments
) -> list[SitePreview | ApiError]:
    """Previews of sites on which the caller has the role that they need."""
    if ctx.actor.visitor is not None:
        raise Forbidden("visitors of a site cannot make previews of it")
    open_sites = [site for site in sites if _problem(site, arguments) is None]
    structures = await structures_of(ctx, [site.id for site in open_sites])
    maps = {
        site.id: SiteMap(site, structures[site.id], everything_in(structures[site.id]))
        for site in open_sites
    }
    draft = await _draft(ctx, maps.values(), arguments) if maps and arguments.of_draft else None
    urls = dict(zip(maps, await site_urls(ctx, open_sites, None), strict=True))
    previews: list[SitePreview | ApiError] = []
    for site in sites:
        try:
            if (problem := _problem(site, arguments)) is not None:
                raise problem
            published = urls[site.id].published
            assert published is not None
            previews.append(_preview(ctx, maps[site.id], published, arguments, draft))
        except ApiError as error:
            previews.append(error)
    return previews


def _problem(site: Site, arguments: PreviewArguments) -> ApiError | None:
    """Why the state of the site allows no such preview."""
    if not site.published:
        return PreconditionFailed("only published sites have previews; publish the site first")
    if arguments.of_draft and previews_of(site) is SitePreviews.NOBODY:
        return PreconditionFailed(
            "drafts of this site cannot be previewed: its visibility has to be public or unlisted, "
            "and its setting `previews` must not be `nobody`"
        )
    return None


def _preview(
    ctx: Context,
    map: SiteMap,
    published: str,
    arguments: PreviewArguments,
    found_draft: "_FoundDraft | ApiError | None",
) -> SitePreview:
    shown_claims = _claims(arguments.claims) if arguments.needs_role else None
    site_space: str | None = arguments.site_space
    draft, shown = NOTHING, tuple[str, ...]()
    if isinstance(found_draft, ApiError):
        raise found_draft
    if found_draft is not None:
        draft, shown = found_draft.draft, found_draft.segments
        site_space = _site_space_of(map, found_draft, site_space)
    path = () if site_space is None else _path(map, site_space)
    token = preview_tokens.issue(_key_of(ctx), map.site_id, shown_claims, ctx.now(), draft)
    url = address(published, (preview_tokens.MARKER, token, *path, *shown))
    if len(url) > MAX_URL_LENGTH:
        raise BadRequest(
            f"claims: the address would have {len(url)} characters, at most {MAX_URL_LENGTH} are "
            "allowed; give fewer claims"
        )
    return SitePreview(url)


def _key_of(ctx: Context) -> bytes:
    if ctx.token_key is None:
        raise RuntimeError("this context was opened without the key of content tokens")
    return ctx.token_key


def _claims(text: str | None) -> dict[str, object]:
    try:
        return read_object(read_rison_object(text)) if text else {}
    except RisonError as error:
        raise BadRequest(f"claims: is not valid Rison: {error}") from error
    except ValueError as error:
        raise BadRequest(f"claims: {error}") from error


def _path(map: SiteMap, site_space_id: str) -> tuple[str, ...]:
    path = map.path_of(None, site_space_id)
    if path is None:
        raise NotFound(f"site space {site_space_id!r} does not exist on this site")
    return path


@dataclass(frozen=True, slots=True)
class _FoundDraft:
    """A draft that the caller may read, the space that it is of, and how addresses name it."""

    draft: Draft
    segments: tuple[str, ...]
    space_id: str


async def _draft(
    ctx: Context, maps: Iterable[SiteMap], arguments: PreviewArguments
) -> _FoundDraft | ApiError | None:
    """The draft, or why it is not for the caller; None where no site has the site space named."""
    change_request, revision = arguments.change_request, arguments.revision
    if change_request is not None and revision is not None:
        return BadRequest("revision: cannot stand beside changeRequest; give one of the two")
    values: dict[str, Any] = {}
    if arguments.site_space is not None:
        places = (map.site_spaces.get(arguments.site_space) for map in maps)
        place = next((candidate for candidate in places if candidate is not None), None)
        if place is None:
            return None
        values["space_id"] = place.space_id
    try:
        if change_request is None:
            row = await must(ctx, Revision, revision)
            return _FoundDraft(
                Draft(revision_id=row.id), (PREVIEWS, REVISIONS, row.id), row.space_id
            )
        naming, values["named"] = naming_of(change_request)
        in_space = "space_id" in values
        if not in_space and change_request.isascii() and change_request.isdecimal():
            raise BadRequest("changeRequest: a number needs `siteSpace` beside it; or give the id")
        where = and_(IN_SPACE, naming) if in_space else naming
        request = await must(ctx, ChangeRequest, None, where=where, **values)
    except ApiError as error:
        return error
    segments = (PREVIEWS, CHANGES, str(request.number))
    return _FoundDraft(Draft(change_request_id=request.id), segments, request.space_id)


def _site_space_of(map: SiteMap, found_draft: _FoundDraft, site_space: str | None) -> str:
    """Where on the site the draft's space is; NotFound when it is not there."""
    if site_space is not None and site_space not in map.site_spaces:
        raise NotFound(f"site space {site_space!r} does not exist on this site")
    placed = [row for row in map.site_spaces.values() if row.space_id == found_draft.space_id]
    named = None if site_space is None else map.site_spaces[site_space].space_id
    if not placed or named not in (None, found_draft.space_id):
        raise NotFound("the space of this draft is not on this site")
    return str(placed[0].id)
