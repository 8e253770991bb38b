"""Who can see spaces, as far as that follows from the sites they are on; events of its changes."""

from collections.abc import Collection as Values, Iterable

from sqlalchemy import Select, and_, exists, not_, select

from db.enums import SiteVisibility, Visibility
from db.event_enums import EventType
from db.models.sites import Site, SiteSpace
from db.models.spaces import Collection, Space
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.event_drafts import Draft

# The widest first: a space on several published sites is as visible as the widest of them.
WIDEST = (
    Visibility.PUBLIC,
    Visibility.UNLISTED,
    Visibility.SHARE_LINK,
    Visibility.VISITOR_AUTH,
)


def visibility_of(sites: Values[Visibility], parent_id: str | None) -> Visibility:
    """Who can see a space: the readers of the published sites that it is on, else its members."""
    for candidate in WIDEST:
        if candidate in sites:
            return candidate
    return Visibility.PRIVATE if parent_id is None else Visibility.IN_COLLECTION


def spaces_on(site: Site) -> Select[str]:
    """Ids of the spaces on a site."""
    return select(SiteSpace.space_id).where(SiteSpace.site_id == site.id)


async def note_visibilities(
    ctx: Context,
    site: Site,
    spaces: Select[str] | Iterable[str],
    before: SiteVisibility | None,
    after: SiteVisibility | None,
) -> None:
    """Note for which spaces something changes when one of their sites shows them to others.

    `before` and `after` say to whom the site has shown and shows them, None to nobody. It is one
    statement, about the other sites that they are on, and none when nothing changes.
    """
    if before is after:
        return
    ids = spaces if isinstance(spaces, Select) else list(spaces)
    elsewhere = and_(
        SiteSpace.space_id == Space.id, SiteSpace.site_id == Site.id,
        Site.published.is_(True), Site.id != site.id,
    )  # fmt: skip
    statement = (
        select(Space.id, Space.parent_id, Space.organization_id, Site.visibility)
        .select_from(Space)
        .outerjoin(SiteSpace.__table__.join(Site.__table__), elsewhere)
        .where(Space.id.in_(ids), Space.deleted_at.is_(None))
        .order_by(Space.id)
    )
    others: dict[tuple[str, str | None, str], set[Visibility]] = {}
    for id, parent_id, organization_id, visibility in await ctx.session.execute(statement):
        sites = others.setdefault((id, parent_id, organization_id), set())
        if visibility is not None:
            sites.add(Visibility(visibility.value))
    for (id, parent_id, organization_id), sites in others.items():
        former, new = (
            visibility_of(sites if here is None else {*sites, Visibility(here.value)}, parent_id)
            for here in (before, after)
        )
        _note(ctx, id, organization_id, former, new)


async def note_visibility_of_moved(ctx: Context, space: Space, parent_id: str | None) -> None:
    """Note when a space is seen by others because it is not in the collection that it was in.

    That is so where it comes to the top level or from there, and is on no published site.
    """
    former, new = visibility_of((), parent_id), visibility_of((), space.parent_id)
    if former is new:
        return
    published = (
        select(SiteSpace.id)
        .join(Site, Site.id == SiteSpace.site_id)
        .where(SiteSpace.space_id == space.id, Site.published.is_(True))
        .limit(1)
    )
    if (await ctx.session.execute(published)).first() is None:
        _note(ctx, space.id, space.organization_id, former, new)


async def note_visibilities_at_top(ctx: Context, collection: Collection) -> None:
    """Note that the spaces of a collection of the top level come to the top level themselves.

    Others see those that are on no published site. It is one statement.
    """
    published = exists().where(
        SiteSpace.space_id == Space.id, SiteSpace.site_id == Site.id, Site.published.is_(True)
    )
    statement = (
        select(Space.id)
        .where(Space.parent_id == collection.id, Space.deleted_at.is_(None), not_(published))
        .order_by(Space.id)
    )
    former, new = visibility_of((), collection.id), visibility_of((), None)
    for id in (await ctx.session.execute(statement)).scalars():
        _note(ctx, id, collection.organization_id, former, new)


def _note(ctx: Context, id: str, organization_id: str, former: Visibility, new: Visibility) -> None:
    if former is not new:
        draft = Draft(
            type=EventType.SPACE_VISIBILITY_UPDATED,
            object_id=id,
            space_id=id,
            organization_id=organization_id,
            data={"visibility": new.value, "previousVisibility": former.value},
        )
        note_fact(ctx.session, draft)
