"""Change requests: creating, finding and changing them (docs/change-requests.md)."""

import asyncio
from collections.abc import Collection
from functools import cache
from typing import Any

import strawberry
from sqlalchemy import ColumnElement, Integer, and_, bindparam, false, select, update
from strawberry import Maybe

from db.content_enums import ChangeRequestStatus
from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space, written_revision_of
from db.prepared import KEY, among
from resolvers.access.computed_spaces import must_be_written_by_hand
from resolvers.access.policy import must, ranks
from resolvers.change_requests.bodies import checked_input
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, SpaceId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Forbidden, NotFound, PreconditionFailed, invalid
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject
from resolvers.core.statements import Viewer, Written, statement

SUBJECT_LIMIT = 100
CLOSED = (ChangeRequestStatus.ARCHIVED, ChangeRequestStatus.MERGED)


@strawberry.input(description="A new change request.")
class CreateChangeRequestInput:
    subject: str | None = inputs.text(
        "What it is about, at most 100 characters; empty when absent.", max=SUBJECT_LIMIT
    )
    agent_task_id: strawberry.ID | None = inputs.text(
        "Id of an agent task to implement; this server has none, so any id is unknown."
    )


@strawberry.input(description="Changes to a change request; absent fields stay as they are.")
class UpdateChangeRequestInput:
    subject: Maybe[str] = inputs.text("What it is about.", max=SUBJECT_LIMIT)
    description: Maybe[JsonObject | None] = inputs.field(
        f"A JSON document that describes it; null removes it. {DOCUMENT_SCHEMA}"
    )
    status: Maybe[ChangeRequestStatus] = inputs.field(
        "`draft`, `open` or `archived`; only a merge makes it `merged`."
    )


NAMED_BY_ID = ChangeRequest.id == bindparam("named", type_=KEY)
NAMED_BY_NUMBER = ChangeRequest.number == bindparam("named", type_=Integer())
NAMED_BY_NOTHING = false()
IN_SPACE = ChangeRequest.space_id == bindparam("space_id", type_=KEY)


def naming_of(id: str) -> tuple[ColumnElement[bool], str | int | None]:
    """The condition for change requests with this number (all digits) or id, and its `named`."""
    if not (id.isascii() and id.isdecimal()):
        return NAMED_BY_ID, id
    # Beyond nine digits there is no change request, and the database has no such integer.
    return (NAMED_BY_NUMBER, int(id)) if len(id) < 10 else (NAMED_BY_NOTHING, None)


@cache
def addressing(naming: ColumnElement[bool]) -> ColumnElement[bool]:
    """The change request of the space `space_id` that a condition of `naming_of` holds for."""
    return and_(IN_SPACE, naming)


@cache
def _writable(naming: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(addressing(naming), Space.deleted_at.is_(None))


@statement
def _pointers(viewer: Viewer, model: Any) -> Written:
    return select(model.id, model.revision_id).where(among(model.id, "ids"))


async def newest_revisions(
    ctx: Context, model: type[ChangeRequest] | type[Space], ids: Collection[str]
) -> dict[str, str]:
    """Ids of the newest revisions of change requests, or of spaces, that the caller has found."""
    return dict(await _pointers.rows(ctx, model, ids=ids)) if ids else {}


@operation(one_statement=True)
async def get_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, *, projection: Projection = ALL
) -> ChangeRequest:
    """A change request of a space, by its id or its number in the space."""
    naming, named = naming_of(id)
    where = addressing(naming)
    return await must(
        ctx, ChangeRequest, None, where=where, projection=projection, space_id=space_id, named=named
    )


async def writable_change_request(
    ctx: Context, space_id: str, id: str, role: Role | None = None, *, lock: bool = True
) -> ChangeRequest:
    """A locked change request for a write; NotFound while its space is in the bin."""
    naming, named = naming_of(id)
    return await must(
        ctx, ChangeRequest, None, role, where=_writable(naming), lock=lock, space_id=space_id,
        named=named,
    )  # fmt: skip


async def create_change_request(
    ctx: Context, space_id: SpaceId, input: CreateChangeRequestInput
) -> ChangeRequest:
    """Start a change request from the active revision of a space; it begins as a draft."""
    must_be_written_by_hand(await must(ctx, Space, space_id, Role.EDIT))
    if input.agent_task_id is not None:
        raise NotFound(f"agentTaskId: agent task {input.agent_task_id!r} does not exist")
    # The update locks the row, so that numbers have no gaps and no duplicates, and answers with
    # the revision that is active at that moment.
    newest = (
        update(Space)
        .where(Space.id == space_id, Space.deleted_at.is_(None))
        .values(last_change_request=Space.last_change_request + 1)
        .returning(Space.last_change_request, written_revision_of(Space))
        .execution_options(synchronize_session=False)
    )
    numbered = (await ctx.session.execute(newest)).first()
    if numbered is None:
        raise NotFound(f"space {space_id!r} does not exist or is not visible to you")
    number, revision_id = numbered
    row = ChangeRequest(
        space_id=space_id,
        number=number,
        status=ChangeRequestStatus.DRAFT,
        subject=input.subject or "",
        created_by_id=ctx.user_id,
        created_at=ctx.now(),
        updated_at=ctx.now(),
        revision_id=revision_id,
        revision_initial_id=revision_id,
    )
    ctx.session.add(row)
    await ctx.session.flush()
    return row


async def update_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, input: UpdateChangeRequestInput
) -> ChangeRequest:
    """Change the subject, the description or the status of a change request.

    For its author and for the role `edit`; archiving and reopening an archived one is for its
    author and for the role `review`. A merged one keeps its status.
    """
    row = await writable_change_request(ctx, space_id, id)
    await must_change(ctx, row)
    await change(ctx, row, input)
    return row


async def rank_on(ctx: Context, row: ChangeRequest) -> int:
    """The caller's rank on a change request; 0 without access."""
    return (await ranks(ctx, ChangeRequest, [row.id])).get(row.id, 0)


async def must_change(ctx: Context, row: ChangeRequest) -> None:
    """Forbidden unless the caller is the author or has the role `edit`."""
    if row.created_by_id != ctx.actor.user_id and await rank_on(ctx, row) < Role.EDIT.rank:
        raise Forbidden("only its author or the role 'edit' may change a change request")


async def change(ctx: Context, row: ChangeRequest, input: UpdateChangeRequestInput) -> None:
    """Change a locked change request as far as the input says."""
    before = (row.subject, row.description, row.status)
    if input.status is not None:
        status = input.status.value
        if status is not row.status:
            await _move(ctx, row, status)
    if input.description is not None:
        value = input.description.value
        row.description = (
            None if value is None else await asyncio.to_thread(checked_input, "description", value)
        )
    inputs.assign(row, input, "subject")
    if (row.subject, row.description, row.status) != before:
        row.updated_at = ctx.now()


async def _move(ctx: Context, row: ChangeRequest, status: ChangeRequestStatus) -> None:
    """Take the transition to `status`, which is another status than the present one."""
    if row.status is ChangeRequestStatus.MERGED:
        raise PreconditionFailed(
            "status: a merged change request keeps its status; undo it with a new change request"
        )
    if status is ChangeRequestStatus.MERGED:
        raise invalid("status", "only a merge makes it merged; use one of draft, open, archived")
    closing = ChangeRequestStatus.ARCHIVED in (status, row.status)
    author = row.created_by_id == ctx.actor.user_id
    if closing and not author and await rank_on(ctx, row) < Role.REVIEW.rank:
        raise Forbidden("only its author or the role 'review' may archive or reopen it")
    row.outdated_when_closed = await is_outdated(ctx, row) if status in CLOSED else None
    row.status = status


def must_be_active(row: ChangeRequest) -> None:
    """PreconditionFailed when the change request is merged or archived."""
    if row.status in CLOSED:
        raise PreconditionFailed(
            f"the change request is {row.status.value}; only a draft or an open one allows this"
        )


async def is_outdated(ctx: Context, row: ChangeRequest) -> bool:
    """Whether the space has moved on since the request began or last pulled its content."""
    statement = select(written_revision_of(Space)).where(Space.id == row.space_id)
    active = (await ctx.session.execute(statement)).scalar_one()
    return bool(active != (row.revision_merged_ancestor_id or row.revision_initial_id))
