"""Addresses that show a published site as a visitor with chosen claims sees it, or a draft."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import and_

from content.errors import RisonError
from content.published_urls import MAX_URL_LENGTH, address
from content.rison import read_rison_object
from db.enums import Role, SitePreviews
from db.models.content import Revision
from db.models.discussions import ChangeRequest
from db.models.sites import Site
from resolvers import preview_tokens
from resolvers.arguments import InOrganization, SiteId
from resolvers.batches import one_by_one, reads
from resolvers.change_requests import IN_SPACE, naming_of
from resolvers.context import Context
from resolvers.drafts import Draft, previews_of
from resolvers.errors import ApiError, BadRequest, Forbidden, NotFound, PreconditionFailed
from resolvers.named_previews import CHANGES, PREVIEWS, REVISIONS
from resolvers.policy import must
from resolvers.published_paths import SiteMap
from resolvers.scalars import read_object
from resolvers.site_urls import site_urls
from resolvers.sites import IN_ORGANIZATION
from resolvers.visitors import everything_in, structure_of

PreviewedSiteSpace = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="Id of the site space to begin at; the root when absent."),
]
PreviewClaims = Annotated[
    str | None,
    strawberry.argument(
        description="Claims of the visitor to look like, as an object in Rison: "
        "`(beta:!t,unsigned:(language:fr))`."
    ),
]
PreviewedChangeRequest = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Show the content of this change request: its id, or with `siteSpace` its "
        "number in the space."
    ),
]
PreviewedRevision = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="Show the content of this revision."),
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


@reads("id")
async def previews_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: PreviewArguments
) -> list[SitePreview | ApiError]:
    """A preview of each site."""
    shown = arguments
    return await one_by_one(
        rows,
        lambda row: get_site_preview(
            ctx, row.id, shown.site_space, shown.claims, None, shown.change_request, shown.revision
        ),
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
    drafts = change_request is not None or revision is not None
    role = None if drafts and claims is None else Role.EDIT
    where = None if organization_id is None else IN_ORGANIZATION
    site = await must(
        ctx, Site, id, role, where=where, columns=_READ, organization_id=organization_id
    )
    if ctx.actor.visitor is not None:
        raise Forbidden("visitors of a site cannot make previews of it")
    if not site.published:
        raise PreconditionFailed("only published sites have previews; publish the site first")
    if drafts and previews_of(site) is SitePreviews.NOBODY:
        raise PreconditionFailed(
            "drafts of this site cannot be previewed: its visibility has to be public or unlisted, "
            "and its setting `previews` must not be `nobody`"
        )
    shown_claims = None if role is None else _claims(claims)
    structure = await structure_of(ctx, site.id)
    map = SiteMap(site, structure, everything_in(structure))
    draft = Draft()
    shown: tuple[str, ...] = ()
    if drafts:
        found = await _draft(ctx, map, site_space, change_request, revision)
        draft, shown, site_space = found.draft, found.segments, found.site_space
    path = () if site_space is None else _path(map, site_space)
    if ctx.token_key is None:
        raise RuntimeError("this context was opened without the key of content tokens")
    token = preview_tokens.issue(ctx.token_key, site.id, shown_claims, ctx.now(), draft)
    (urls,) = await site_urls(ctx, [site], None)
    assert urls.published is not None
    url = address(urls.published, (preview_tokens.MARKER, token, *path, *shown))
    if len(url) > MAX_URL_LENGTH:
        raise BadRequest(
            f"claims: the address would have {len(url)} characters, at most {MAX_URL_LENGTH} are "
            "allowed; give fewer claims"
        )
    return SitePreview(url)


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
    """A draft that the caller may read, and where on the site its space is."""

    draft: Draft
    segments: tuple[str, ...]
    site_space: strawberry.ID


async def _draft(
    ctx: Context,
    map: SiteMap,
    site_space_id: str | None,
    change_request: str | None,
    revision: str | None,
) -> _FoundDraft:
    if change_request is not None and revision is not None:
        raise BadRequest("revision: cannot stand beside changeRequest; give one of the two")
    place = None if site_space_id is None else map.site_spaces.get(site_space_id)
    if site_space_id is not None and place is None:
        raise NotFound(f"site space {site_space_id!r} does not exist on this site")
    values: dict[str, Any] = {} if place is None else {"space_id": place.space_id}
    if change_request is not None:
        naming, values["named"] = naming_of(change_request)
        if place is None and change_request.isascii() and change_request.isdecimal():
            raise BadRequest("changeRequest: a number needs `siteSpace` beside it; or give the id")
        where = naming if place is None else and_(IN_SPACE, naming)
        request = await must(ctx, ChangeRequest, None, where=where, **values)
        draft, space_id = Draft(change_request_id=request.id), request.space_id
        segments = (PREVIEWS, CHANGES, str(request.number))
    else:
        row = await must(ctx, Revision, revision)
        draft, space_id = Draft(revision_id=row.id), row.space_id
        segments = (PREVIEWS, REVISIONS, row.id)
    placed = [one for one in map.site_spaces.values() if one.space_id == space_id]
    if not placed or (place is not None and place.space_id != space_id):
        raise NotFound("the space of this draft is not on this site")
    return _FoundDraft(draft, segments, strawberry.ID(placed[0].id))
