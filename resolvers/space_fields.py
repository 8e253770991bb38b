"""Spaces: their lists and computed fields."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import func, select

from db.enums import ChangeRequestStatus, CommentStatus, EditMode, Role, SiteVisibility, Visibility
from db.models.discussions import ChangeRequest, Comment
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from resolvers import inputs
from resolvers.batches import counts
from resolvers.collection_fields import display_order
from resolvers.context import Context
from resolvers.pagination import Listing, PageArguments, Slice, by_id, pages
from resolvers.policy import ranked, spaces_with_bin, visible
from resolvers.site_urls import published_spaces
from resolvers.urls import Urls


@dataclass(frozen=True)
class SpaceArguments(PageArguments):
    """Which spaces of an organization are wanted."""

    parent: Annotated[
        strawberry.ID | None,
        strawberry.argument(description="Only those directly in the collection with this id."),
    ] = None
    title: Annotated[
        str | None,
        strawberry.argument(description="Part of the title; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=50)})


async def spaces_of_organizations(
    ctx: Context, rows: Sequence[Any], arguments: SpaceArguments
) -> list[Slice[Space]]:
    """Spaces of organizations that you may read, oldest first."""
    statement = visible(ctx, Space)
    if arguments.parent is not None:
        statement = statement.where(Space.parent_id == arguments.parent)
    if arguments.title:
        part = arguments.title.lower()
        statement = statement.where(func.lower(Space.title).contains(part, autoescape=True))
    identity = ("spaces", arguments.parent, arguments.title)
    listing = Listing(Space, Space.organization_id, by_id(Space), identity)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


async def spaces_of_collections(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Space]]:
    """Spaces directly in collections, in display order."""
    listing = Listing(Space, Space.parent_id, display_order(Space), ("spaces-in",))
    statement = visible(ctx, Space)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


# The widest first: a space on several published sites is as visible as the widest of them.
WIDEST = (
    Visibility.PUBLIC,
    Visibility.UNLISTED,
    Visibility.SHARE_LINK,
    Visibility.VISITOR_AUTH,
)


async def space_visibilities(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[Visibility]:
    """Who can see each space: the readers of its published sites, else its members."""
    statement = (
        select(SiteSpace.space_id, Site.visibility)
        .join(Site, Site.id == SiteSpace.site_id)
        .where(SiteSpace.space_id.in_({row.id for row in rows}), Site.published.is_(True))
    )
    found: dict[str, set[Visibility]] = {}
    for space_id, visibility in await ctx.session.execute(statement):
        found.setdefault(space_id, set()).add(Visibility(visibility.value))
    return [_widest(row, found.get(row.id, set())) for row in rows]


def _widest(row: Space, published: set[Visibility]) -> Visibility:
    for visibility in WIDEST:
        # Sites do not show what is in the bin.
        if visibility in published and row.deleted_at is None:
            return visibility
    return Visibility.PRIVATE if row.parent_id is None else Visibility.IN_COLLECTION


async def open_comment_counts(ctx: Context, rows: Sequence[Space], arguments: Any) -> list[int]:
    """Open comments on the primary content, without replies."""
    statement = select(Comment).where(
        Comment.change_request_id.is_(None),
        Comment.parent_id.is_(None),
        Comment.status == CommentStatus.OPEN,
    )
    return await counts(ctx, Comment.space_id, statement, [row.id for row in rows])


async def change_request_counts(ctx: Context, rows: Sequence[Space], arguments: Any) -> list[int]:
    """All change requests of each space, whatever their status."""
    return await _change_requests(ctx, rows, None)


async def open_change_request_counts(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[int]:
    """Change requests with the status `open`."""
    return await _change_requests(ctx, rows, ChangeRequestStatus.OPEN)


async def draft_change_request_counts(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[int]:
    """Change requests with the status `draft`."""
    return await _change_requests(ctx, rows, ChangeRequestStatus.DRAFT)


async def _change_requests(
    ctx: Context, rows: Sequence[Space], status: ChangeRequestStatus | None
) -> list[int]:
    statement = select(ChangeRequest)
    if status is not None:
        statement = statement.where(ChangeRequest.status == status)
    return await counts(ctx, ChangeRequest.space_id, statement, [row.id for row in rows])


async def space_urls(ctx: Context, rows: Sequence[Space], arguments: Any) -> list[Urls]:
    """Where each space is found; by readers on the published site with the widest audience."""
    base = ctx.settings.public_url
    published = await published_spaces(ctx, {row.id for row in rows})
    results = []
    for row in rows:
        by_audience = sorted(published.get(row.id, []), key=lambda one: _width(one[0]))
        audience, address = by_audience[0] if by_audience else (None, None)
        results.append(
            Urls(
                location=f"{base}/v1/spaces/{row.id}",
                app=f"{base}/s/{row.id}",
                published=address,
                public=address if audience is SiteVisibility.PUBLIC else None,
                icon=row.icon_url,
            )
        )
    return results


def _width(visibility: SiteVisibility) -> int:
    return WIDEST.index(Visibility(visibility.value))


@dataclass(frozen=True, slots=True)
class SpacePermissions:
    """What the caller may do with a space."""

    view: bool
    access: bool
    admin: bool
    view_invite_links: bool
    edit: bool
    trigger_git_sync: bool
    comment: bool
    merge: bool
    review: bool
    install_integration: bool


async def space_permissions(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[SpacePermissions]:
    """What the caller may do with each space (workflow.md section 6)."""
    statement, rank = ranked(ctx, Space, spaces_with_bin)
    found = await ctx.session.execute(
        statement.with_only_columns(Space.id, rank).where(Space.id.in_({row.id for row in rows}))
    )
    ranks = dict(found.all())
    return [_permissions(row, ranks.get(row.id, 0)) for row in rows]


def _permissions(row: Space, rank: int) -> SpacePermissions:
    creator = rank >= Role.CREATE.rank
    reviewer = rank >= Role.REVIEW.rank
    return SpacePermissions(
        view=rank >= Role.READ.rank,
        access=rank >= Role.READ.rank,
        admin=creator,
        view_invite_links=creator,
        # Without live editing, content is changed in change requests only.
        edit=rank >= Role.EDIT.rank and row.edit_mode is EditMode.LIVE,
        trigger_git_sync=creator,
        comment=rank >= Role.COMMENT.rank,
        merge=reviewer,
        review=reviewer,
        install_integration=creator,
    )
