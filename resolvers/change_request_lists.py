"""Lists of change requests, and what is worked out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Select, select

from db.enums import ChangeRequestStatus
from db.models.discussions import ChangeRequest, Contributor
from db.models.spaces import Space
from resolvers.change_requests import named_by
from resolvers.context import Context
from resolvers.pagination import Listing, Order, PageArguments, Slice, SortColumn, by_id, pages
from resolvers.policy import visible
from resolvers.urls import Urls


@dataclass(frozen=True)
class ChangeRequestArguments(PageArguments):
    """Filters of a list of change requests; all of them must hold."""

    status: Annotated[
        list[ChangeRequestStatus] | None,
        strawberry.argument(description="Only with one of these statuses."),
    ] = None
    creator: Annotated[
        strawberry.ID | None, strawberry.argument(description="Only those that this user made.")
    ] = None
    contributor: Annotated[
        strawberry.ID | None,
        strawberry.argument(description="Only those in which this user edited or commented."),
    ] = None


@dataclass(frozen=True, slots=True)
class ChangeRequestKey:
    """One change request of a space."""

    id: Annotated[
        strawberry.ID,
        strawberry.argument(description="Id of the change request, or its number in the space."),
    ]


async def change_requests_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: ChangeRequestArguments
) -> list[Slice[ChangeRequest]]:
    """Change requests of a space, newest first."""
    # The number orders those that began in the same millisecond, too.
    order = Order((SortColumn(ChangeRequest.number, lambda row: row.number, descending=True),))
    listing = _listing(ChangeRequest.space_id, order, arguments)
    return await pages(ctx, listing, _filtered(ctx, arguments), [row.id for row in rows], arguments)


async def change_requests_of_organizations(
    ctx: Context, rows: Sequence[Any], arguments: ChangeRequestArguments
) -> list[Slice[ChangeRequest]]:
    """Change requests of the spaces of an organization that you may read, newest first."""
    # The rule for change requests has joined the space.
    order = by_id(ChangeRequest, descending=True)
    listing = _listing(Space.organization_id, order, arguments)
    statement = _filtered(ctx, arguments).where(Space.deleted_at.is_(None))
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


def _listing(parent: Any, order: Order, arguments: ChangeRequestArguments) -> Listing:
    statuses = tuple(sorted(status.value for status in arguments.status or ()))
    identity = ("change-requests", statuses, arguments.creator, arguments.contributor)
    return Listing(ChangeRequest, parent, order, identity)


def _filtered(ctx: Context, arguments: ChangeRequestArguments) -> Select[Any]:
    statement = visible(ctx, ChangeRequest)
    if arguments.status:
        statement = statement.where(ChangeRequest.status.in_(arguments.status))
    if arguments.creator is not None:
        statement = statement.where(ChangeRequest.created_by_id == arguments.creator)
    if arguments.contributor is not None:
        took_part = select(Contributor.change_request_id).where(
            Contributor.user_id == arguments.contributor
        )
        statement = statement.where(ChangeRequest.id.in_(took_part))
    return statement


async def change_request_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: ChangeRequestKey
) -> list[ChangeRequest | None]:
    """The change request with an id or number in each space; None where there is none."""
    statement = visible(ctx, ChangeRequest).where(
        ChangeRequest.space_id.in_({row.id for row in rows}), named_by(arguments.id)
    )
    found = {row.space_id: row for row in (await ctx.session.execute(statement)).scalars()}
    return [found.get(row.id) for row in rows]


async def change_requests_outdated(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[bool]:
    """Whether each lacks changes of the space's content; frozen when it was closed."""
    spaces = {row.space_id for row in rows if row.outdated_when_closed is None}
    active: dict[str, str] = {}
    if spaces:
        statement = select(Space.id, Space.revision_id).where(Space.id.in_(spaces))
        active = dict((await ctx.session.execute(statement)).all())
    return [
        active[row.space_id] != (row.revision_merged_ancestor_id or row.revision_initial_id)
        if row.outdated_when_closed is None
        else row.outdated_when_closed
        for row in rows
    ]


async def change_request_urls(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[Urls]:
    """Where a change request is found."""
    base = ctx.settings.public_url
    return [
        Urls(
            location=f"{base}/v1/spaces/{row.space_id}/change-requests/{row.id}",
            app=f"{base}/s/{row.space_id}/~/changes/{row.number}",
        )
        for row in rows
    ]
