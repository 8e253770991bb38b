"""The audience of a published site, and the conditions of its structure, for one visitor.

The site is read whole, in a constant number of statements: its settings and the conditions of its
sections and site spaces. They say which of these are there for the claims of a visitor
(docs/sites.md, "What a visitor sees"): what a condition hides counts as absent.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import bindparam, select

from content.documents.evaluation import variables_context
from content.expressions.evaluation import Budget, holds
from db.enums import SiteVisibility
from db.models.change_requests import ChangeRequest
from db.models.site_settings import PublishingAuth, ShareLink
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import KEY, among
from resolvers.access.content_tokens import Grant, key_id, verify
from resolvers.access.drafts import OPEN, Draft, opened, spaces_for_anybody
from resolvers.access.versions import read_versions
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Unauthenticated
from resolvers.core.statements import Viewer, Written, statement
from resolvers.customization.operations import carried_changes
from resolvers.published.integration_sign_in import visitor_key

# For all conditions of one site's structure; each alone has the bound of the language.
SITE_STEPS = 200_000


@dataclass(frozen=True, slots=True)
class Hidden:
    """Why something of a site is not there for a visitor."""

    id: str
    condition: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The sections, site spaces and spaces of a site whose conditions a visitor meets."""

    section_ids: frozenset[str]
    site_space_ids: frozenset[str]
    space_ids: frozenset[str]
    # By the id of what is hidden: the condition that is not met.
    hidden: Mapping[str, Hidden] = field(default_factory=dict)


_SITE = bindparam("site_id", type_=KEY)


@statement
def _site(viewer: Viewer) -> Written:
    return (
        select(
            Site.id,
            Site.organization_id,
            Site.published,
            Site.visibility,
            Site.previews,
            Site.adaptive_content,
            PublishingAuth.private_key,
            PublishingAuth.backend,
            PublishingAuth.integration,
        )
        .outerjoin(PublishingAuth, PublishingAuth.site_id == Site.id)
        .where(Site.id == _SITE)
    )


@statement
def _sections(viewer: Viewer) -> Written:
    return (
        select(
            SiteSection.id,
            SiteSection.site_id,
            SiteSection.title,
            SiteSection.path,
            SiteSection.condition,
            SiteSection.group_id,
            SiteSection.default_site_space_id,
        )
        .where(among(SiteSection.site_id, "sites"))
        .order_by(SiteSection.place, SiteSection.id)
    )


@statement
def _site_spaces(viewer: Viewer) -> Written:
    return (
        select(
            SiteSpace.id,
            SiteSpace.site_id,
            SiteSpace.path,
            SiteSpace.condition,
            SiteSpace.section_id,
            SiteSpace.space_id,
            Space.title,
            Space.revision_id,
            Space.deleted_at.is_not(None).label("in_bin"),
        )
        .join(Space, Space.id == SiteSpace.space_id)
        .where(among(SiteSpace.site_id, "sites"))
        .order_by(SiteSpace.place, SiteSpace.id)
    )


@statement
def _active_link(viewer: Viewer) -> Written:
    secret = bindparam("secret", type_=KEY)
    return select(ShareLink.id).where(
        ShareLink.site_id == _SITE, ShareLink.secret == secret, ShareLink.active.is_(True)
    )


@statement
def _previewed(viewer: Viewer) -> Written:
    return select(ChangeRequest.revision_id).where(
        ChangeRequest.id == bindparam("change_request_id", type_=KEY)
    )


@dataclass(frozen=True, slots=True)
class Structure:
    """The sections and the site spaces of a site, in the order in which they are shown."""

    sections: Sequence[Any]
    # With those whose space is in the bin (`in_bin`).
    site_spaces: Sequence[Any]


async def structure_of(ctx: Context, site_id: str) -> Structure:
    """The whole structure of a site: two statements, whatever its size."""
    return (await structures_of(ctx, [site_id]))[site_id]


async def structures_of(ctx: Context, site_ids: Collection[str]) -> dict[str, Structure]:
    """The whole structure of each site: two statements for all of them."""
    sections: dict[str, list[Any]] = {id: [] for id in site_ids}
    spaces: dict[str, list[Any]] = {id: [] for id in site_ids}
    for read, rows in ((_sections, sections), (_site_spaces, spaces)):
        for row in await read.rows(ctx, sites=set(site_ids)):
            rows[row.site_id].append(row)
    return {id: Structure(sections[id], spaces[id]) for id in site_ids}


def everything_in(structure: Structure) -> Shown:
    """All of a structure, whatever its conditions say; without spaces in the bin."""
    spaces = [row for row in structure.site_spaces if not row.in_bin]
    return shown_of(spaces)


def shown_of(spaces: Sequence[Any], hidden: Mapping[str, Hidden] | None = None) -> Shown:
    """The part of a structure that has these site spaces, with their sections."""
    return Shown(
        # A section without anything to show is left out.
        frozenset(row.section_id for row in spaces if row.section_id is not None),
        frozenset(row.id for row in spaces),
        frozenset(row.space_id for row in spaces),
        hidden or {},
    )


def shown_in(structure: Structure, claims: Mapping[str, Any]) -> Shown:
    """The part of a structure that a visitor with these claims sees."""
    conditions = _Conditions(claims)
    hidden: dict[str, Hidden] = {}

    def is_there(row: Any) -> bool:
        if row.condition is None or conditions.hold(row.condition):
            return True
        hidden[row.id] = Hidden(row.id, row.condition)
        return False

    sections = {row.id for row in structure.sections if is_there(row)}
    spaces = [
        row
        for row in structure.site_spaces
        if not row.in_bin
        and is_there(row)
        and (row.section_id is None or row.section_id in sections)
    ]
    return shown_of(spaces, hidden)


class _Conditions:
    """The conditions of one site, each worked out once."""

    def __init__(self, claims: Mapping[str, Any]) -> None:
        self._context = variables_context({}, None, dict(claims))
        self._known: dict[str, bool] = {}
        self._steps = SITE_STEPS

    def hold(self, condition: str) -> bool:
        """Whether a condition is met; false for all when the budget of steps is used up."""
        if condition not in self._known:
            budget = Budget(min(Budget().steps, self._steps))
            before = budget.steps
            self._known[condition] = holds(condition, self._context, budget=budget)
            self._steps -= before - max(budget.steps, 0)
        return self._known[condition]


async def shown(ctx: Context, site_id: str, claims: Mapping[str, Any]) -> Shown:
    """The part of a site that a visitor with these claims sees: two statements, always."""
    return shown_in(await structure_of(ctx, site_id), claims)


def as_visitor(ctx: Context, visitor: Visitor) -> Context:
    """The context of the same request with a visitor as its actor, and with the same reader."""
    # Opened now if it is not yet, so that both have the same.
    _ = ctx.lasting_reader
    return replace(
        ctx,
        actor=Actor(visitor=visitor),
        # What was read for somebody else is not for the visitor.
        prefetched={},
        cache={},
        _loaders={},
        alone=False,
        snapshot=True,
    )


async def as_bearer(ctx: Context, content_token: str) -> Context:
    """As `as_visitor`, with the bearer of a content token as the site is now; Unauthenticated when
    the token has ended or the site has another audience: for what goes on for long."""
    if ctx.token_key is None:
        raise RuntimeError("this context was opened without the key of content tokens")
    grant = verify(ctx.token_key, content_token, ctx.now())
    return as_visitor(ctx, await visitor_of(ctx, grant))


async def is_active(ctx: Context, site_id: str, share_key: str | None) -> bool:
    """Whether a share key opens the site."""
    if share_key is None:
        return False
    return bool(await _active_link.rows(ctx, site_id=site_id, secret=share_key))


async def visitor_of(ctx: Context, grant: Grant) -> Visitor:
    """The bearer of a content token as the site is now; Unauthenticated when it is closed."""
    rows = await _site.rows(ctx, site_id=grant.site_id)
    if not rows or not rows[0].published or rows[0].organization_id != grant.organization_id:
        raise Unauthenticated("the content token is of a site that is not published")
    (site,) = rows
    if grant.key_id is not None and grant.key_id != key_id(await visitor_key(ctx, site)):
        raise Unauthenticated("the key of the site's visitors was changed")
    if grant.preview:
        allowed = True
    elif site.visibility is SiteVisibility.SHARE_LINK:
        allowed = await is_active(ctx, site.id, grant.share_key)
    else:
        allowed = site.visibility in OPEN or grant.authenticated
    if not allowed:
        raise Unauthenticated("the content token is of a site with another audience now")
    claims = grant.claims if site.adaptive_content else {}
    visible = await shown(ctx, site.id, claims)
    visitor = await visitor_with(ctx, site, grant, claims, visible)
    if not (visitor.change_request_id is visitor.revision_id is visitor.customization is None):
        return visitor
    versions = await read_versions(ctx, [site.id])
    return replace(visitor, site_version=versions[site.id])


async def visitor_with(
    ctx: Context, site: Any, grant: Grant, claims: Mapping[str, Any], visible: Shown
) -> Visitor:
    """The bearer of a grant to whom the site shows this much.

    `site` has `visibility` and `previews`, which say what drafts there are beside that.
    """
    draft = opened(
        site,
        Draft(grant.change_request_id, grant.revision_id),
        Draft(grant.draft_change_request_id, grant.draft_revision_id),
    )
    revision_id = draft.revision_id
    if draft.change_request_id is not None:
        rows = await _previewed.rows(ctx, change_request_id=draft.change_request_id)
        revision_id = rows[0].revision_id if rows else None
    look = grant.customization
    if look is not None:
        look = await carried_changes(ctx, grant.site_id, look)
    return Visitor(
        grant.site_id,
        grant.organization_id,
        visible.section_ids,
        visible.site_space_ids,
        visible.space_ids,
        draft.change_request_id,
        revision_id,
        spaces_for_anybody(site, visible.space_ids),
        grant.share_key,
        look,
        claims,
    )
