"""Spaces: their lists and computed fields."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam

from db.enums import ChangeRequestStatus, CommentStatus, EditMode, Role, SiteVisibility, Visibility
from db.models.discussions import ChangeRequest, Comment
from db.models.spaces import Space
from db.prepared import ACTOR_RANK, KEY
from resolvers import inputs
from resolvers.batches import Count, CountBy, reads
from resolvers.collection_fields import display_order
from resolvers.context import Context
from resolvers.filters import Filter, containing, part_of
from resolvers.listings import Listing
from resolvers.pagination import PageArguments, by_id
from resolvers.policy import ranks_of, spaces_with_bin
from resolvers.site_urls import on_published_sites, published_spaces
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


spaces_of_organizations = Listing(
    "spaces_of_organizations",
    Space,
    Space.organization_id,
    by_id(Space),
    about="Spaces of organizations that you may read, oldest first.",
    filters=(
        Filter(
            "parent",
            lambda arguments: arguments.parent,
            Space.parent_id == bindparam("parent", type_=KEY),
        ),
        Filter(
            "title", lambda arguments: part_of(arguments.title), containing(Space.title, "title")
        ),
    ),
)
spaces_of_collections = Listing(
    "spaces_of_collections",
    Space,
    Space.parent_id,
    display_order(Space),
    about="Spaces directly in collections, in display order.",
)


# The widest first: a space on several published sites is as visible as the widest of them.
WIDEST = (
    Visibility.PUBLIC,
    Visibility.UNLISTED,
    Visibility.SHARE_LINK,
    Visibility.VISITOR_AUTH,
)


@reads("id", "parent_id")
async def space_visibilities(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[Visibility]:
    """Who can see each space: the readers of its published sites, else its members."""
    found: dict[str, set[Visibility]] = {}
    for one in await on_published_sites.once(ctx, spaces=[row.id for row in rows]):
        found.setdefault(one.space_id, set()).add(Visibility(one.visibility.value))
    return [_widest(row, found.get(row.id, set())) for row in rows]


def _widest(row: Space, published: set[Visibility]) -> Visibility:
    for visibility in WIDEST:
        if visibility in published:
            return visibility
    return Visibility.PRIVATE if row.parent_id is None else Visibility.IN_COLLECTION


open_comment_counts = Count(
    "Open comments on the primary content, without replies.",
    Comment.space_id,
    Comment.change_request_id.is_(None),
    Comment.parent_id.is_(None),
    Comment.status == CommentStatus.OPEN,
)
_CHANGE_REQUESTS = CountBy(ChangeRequest.space_id, ChangeRequest.status)
change_request_counts = _CHANGE_REQUESTS.whole(
    "All change requests of each space, whatever their status."
)
open_change_request_counts = _CHANGE_REQUESTS.only(
    ChangeRequestStatus.OPEN, "Change requests with the status `open`."
)
draft_change_request_counts = _CHANGE_REQUESTS.only(
    ChangeRequestStatus.DRAFT, "Change requests with the status `draft`."
)


@reads("id", "icon_url")
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


@reads("id", "edit_mode", ACTOR_RANK)
async def space_permissions(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[SpacePermissions]:
    """What the caller may do with each space (workflow.md section 6)."""
    found = await ranks_of(ctx, Space, rows, spaces_with_bin)
    return [_permissions(row, rank) for row, rank in zip(rows, found, strict=True)]


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
