"""Spaces: their lists and computed fields."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

import strawberry

from db.content_enums import ChangeRequestStatus, CommentStatus
from db.enums import EditMode, Role, Visibility
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.spaces import Space
from db.order_enums import SpaceOrderField
from db.prepared import ACTOR_RANK
from db.rows import values_of, with_row_layout
from resolvers.access.policy import ranks_of, spaces_with_bin
from resolvers.addresses.sites import on_published_sites
from resolvers.addresses.visibilities import visibility_of
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.filters import equal_to, of_part
from resolvers.core.orders import Orders, SpaceOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.lists.batches import Count, CountBy, reads
from resolvers.lists.listings import Listing
from resolvers.spaces.collections import display_order


@dataclass(frozen=True)
class SortedSpaces(PageArguments):
    """The order of a list of spaces."""

    order_by: Annotated[
        SpaceOrder | None, inputs.argument("Order; that of the list itself when absent.")
    ] = None


@dataclass(frozen=True)
class SpaceArguments(SortedSpaces):
    """Which spaces of an organization are wanted."""

    parent: Annotated[
        strawberry.ID | None, inputs.argument("Only those directly in the collection with this id.")
    ] = None
    title: Annotated[str | None, inputs.argument("Part of the title; capitals do not matter.")] = (
        field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=50)})
    )


ORDERS = Orders(
    by(Space.id),
    {
        SpaceOrderField.CREATED_AT: by(Space.created_at),
        SpaceOrderField.UPDATED_AT: by(Space.updated_at),
        SpaceOrderField.TITLE: by(Space.title_key),
    },
)
spaces_of_organizations = Listing(
    "spaces_of_organizations",
    Space,
    Space.organization_id,
    ORDERS.or_else(by_id(Space)),
    about="Spaces of organizations that you may read, oldest first.",
    filters=(
        equal_to("parent", Space.parent_id),
        of_part("title", Space.title),
    ),
)
spaces_of_collections = Listing(
    "spaces_of_collections",
    Space,
    Space.parent_id,
    ORDERS.or_else(display_order(Space)),
    about="Spaces directly in collections, in display order.",
)


@reads("id", "parent_id")
async def space_visibilities(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[Visibility]:
    """Who can see each space: the readers of its published sites, else its members."""
    visibilities: dict[str, set[Visibility]] = {}
    ids = values_of(rows, "id")
    for site in await on_published_sites.once(ctx, list, spaces=ids):
        visibilities.setdefault(site.space_id, set()).add(Visibility(site.visibility.value))
    return [
        visibility_of(visibilities.get(id, ()), parent)
        for id, parent in zip(ids, values_of(rows, "parent_id"), strict=True)
    ]


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


# What visitors of a site, who edit nothing, read in place of how a space is edited and of rules,
# which name people.
EDIT_MODE_OF_VISITORS: Final = EditMode.LOCKED
RULES_OF_VISITORS: Final = {"type": "inherit"}


@with_row_layout
class SpacePermissions(NamedTuple):
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
    """What the caller may do with each space (docs/roles.md)."""
    ranks = await ranks_of(ctx, Space, rows, spaces_with_bin)
    return [
        _permissions(rank, mode is EditMode.LIVE)
        for rank, mode in zip(ranks, values_of(rows, "edit_mode"), strict=True)
    ]


# There are few, and many rows have the same.
@cache
def _permissions(rank: int, live: bool) -> SpacePermissions:
    creator = rank >= Role.CREATE.rank
    reviewer = rank >= Role.REVIEW.rank
    return SpacePermissions(
        view=rank >= Role.READ.rank,
        access=rank >= Role.READ.rank,
        admin=creator,
        view_invite_links=creator,
        # Without live editing, content is changed in change requests only.
        edit=rank >= Role.EDIT.rank and live,
        trigger_git_sync=creator,
        comment=rank >= Role.COMMENT.rank,
        merge=reviewer,
        review=reviewer,
        install_integration=creator,
    )
