"""The rights of the caller on a page where it was read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, or_

from db.enums import EditMode, Role
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import ranked
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.ids import asked_places
from resolvers.revisions.rows import Page
from resolvers.revisions.write_targets import EDITABLE


@dataclass(frozen=True, slots=True)
class PageRights:
    """The rights of the caller on one page."""

    view: bool = True
    comment: bool = False
    edit: bool = False


VIEWS_ONLY = PageRights()


@statement
def _spaces(viewer: Viewer) -> Written:
    statement, rank = ranked(viewer, Space)
    return statement.where(among(Space.id, "spaces")).with_only_columns(
        Space.id, Space.revision_id, Space.edit_mode, rank.label("rank")
    )


@statement
def _requests(viewer: Viewer) -> Written:
    """Change requests by their ids, and by the newest revisions of those that were edited."""
    statement, rank = ranked(viewer, ChangeRequest)
    own = ChangeRequest.revision_id != ChangeRequest.revision_initial_id
    statement = statement.where(
        or_(
            among(ChangeRequest.id, "ids"), and_(among(ChangeRequest.revision_id, "revisions"), own)
        )
    )
    return statement.with_only_columns(
        ChangeRequest.id,
        ChangeRequest.revision_id,
        ChangeRequest.created_by_id,
        ChangeRequest.status,
        rank.label("rank"),
    )


async def page_permissions(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[PageRights]:
    """What the caller may do with each page: in primary content as the space says, in a change
    request as that does while it is a draft or open, and nothing in older revisions.

    A change request that was not edited yet shares its revision with the space: what was asked for
    in it is changed there all the same.
    """
    if ctx.actor.visitor is not None:
        return [VIEWS_ONLY] * len(rows)
    spaces = await _spaces.rows(ctx, spaces={row.space_id for row in rows})
    active = {space.revision_id: space for space in spaces}
    places = await asked_places(ctx, rows)
    ids = {place for place in places if place is not None}
    others = {row.revision_id for row in rows} - active.keys()
    drafts: dict[str, Any] = {}
    if ids or others:
        for request in await _requests.rows(ctx, ids=ids, revisions=others):
            drafts[request.id] = request
            if request.revision_id in others:
                drafts.setdefault(request.revision_id, request)
    return [
        _of_request(drafts[place], ctx.actor.user_id)
        if place is not None and place in drafts
        else _of_space(active[row.revision_id])
        if row.revision_id in active
        else _of_request(drafts.get(row.revision_id), ctx.actor.user_id)
        for row, place in zip(rows, places, strict=True)
    ]


def _of_space(space: Any) -> PageRights:
    # Whoever reviews may edit where others edit in change requests only.
    needed = Role.EDIT if space.edit_mode is EditMode.LIVE else Role.REVIEW
    return PageRights(comment=space.rank >= Role.COMMENT.rank, edit=space.rank >= needed.rank)


def _of_request(request: Any, caller: str | None) -> PageRights:
    if request is None:
        return VIEWS_ONLY
    return PageRights(
        comment=request.rank >= Role.COMMENT.rank,
        edit=request.status in EDITABLE
        and (request.created_by_id == caller or request.rank >= Role.EDIT.rank),
    )
