"""Change requests: creating, finding and changing them (workflow.md section 1)."""

import strawberry
from sqlalchemy import ColumnElement, and_, false, select, update
from strawberry import Maybe

from db.enums import ChangeRequestStatus, ChangeRequestWritableStatus, Role
from db.models.discussions import ChangeRequest
from db.models.spaces import Space
from resolvers import inputs
from resolvers.arguments import ChangeRequestId, SpaceId
from resolvers.comment_bodies import read_document
from resolvers.context import Context
from resolvers.errors import Forbidden, NotFound, PreconditionFailed
from resolvers.policy import must, ranks
from resolvers.scalars import JsonObject

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
        "A JSON document that describes it; null removes it."
    )
    status: Maybe[ChangeRequestWritableStatus] = inputs.field(
        "`draft`, `open` or `archived`; a merge makes it `merged`."
    )


def addressed(space_id: str, id: str) -> ColumnElement[bool]:
    """The change request of a space that `id` names: by number when it is all digits."""
    return and_(ChangeRequest.space_id == space_id, named_by(id))


def named_by(id: str) -> ColumnElement[bool]:
    """Change requests with this number (all digits) or id."""
    if not (id.isascii() and id.isdecimal()):
        return ChangeRequest.id == id
    # Beyond nine digits there is no change request, and the database has no such integer.
    return ChangeRequest.number == int(id) if len(id) < 10 else false()


async def get_change_request(ctx: Context, space_id: SpaceId, id: ChangeRequestId) -> ChangeRequest:
    """A change request of a space, by its id or its number in the space."""
    return await must(ctx, ChangeRequest, None, where=addressed(space_id, id))


async def writable_change_request(
    ctx: Context, space_id: str, id: str, role: Role | None = None
) -> ChangeRequest:
    """A locked change request for a write; NotFound while its space is in the bin."""
    alive = and_(addressed(space_id, id), Space.deleted_at.is_(None))
    return await must(ctx, ChangeRequest, None, role, where=alive, lock=True)


async def create_change_request(
    ctx: Context, space_id: SpaceId, input: CreateChangeRequestInput
) -> ChangeRequest:
    """Start a change request from the active revision of a space; it begins as a draft."""
    await must(ctx, Space, space_id, Role.EDIT)
    if input.agent_task_id is not None:
        raise NotFound(f"agentTaskId: agent task {input.agent_task_id!r} does not exist")
    # The update locks the row, so that numbers have no gaps and no duplicates, and answers with
    # the revision that is active at that moment.
    taken = (
        update(Space)
        .where(Space.id == space_id, Space.deleted_at.is_(None))
        .values(last_change_request=Space.last_change_request + 1)
        .returning(Space.last_change_request, Space.revision_id)
        .execution_options(synchronize_session=False)
    )
    found = (await ctx.session.execute(taken)).first()
    if found is None:
        raise NotFound(f"space {space_id!r} does not exist or is not visible to you")
    number, revision_id = found
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
    rank = (await ranks(ctx, ChangeRequest, [row.id])).get(row.id, 0)
    author = row.created_by_id == ctx.actor.user_id
    if not author and rank < Role.EDIT.rank:
        raise Forbidden("only its author or the role 'edit' may change a change request")
    before = (row.subject, row.description, row.status)
    if input.status is not None:
        wanted = ChangeRequestStatus(input.status.value.value)
        if wanted is not row.status:
            await _move(ctx, row, wanted, may_close=author or rank >= Role.REVIEW.rank)
    if input.description is not None:
        value = input.description.value
        row.description = None if value is None else await read_document("description", value)
    inputs.assign(row, input, "subject")
    if (row.subject, row.description, row.status) != before:
        row.updated_at = ctx.now()
    return row


async def _move(
    ctx: Context, row: ChangeRequest, wanted: ChangeRequestStatus, *, may_close: bool
) -> None:
    """Take the transition to `wanted`, which is another status than the present one."""
    if row.status is ChangeRequestStatus.MERGED:
        raise PreconditionFailed(
            "status: a merged change request keeps its status; undo it with a new change request"
        )
    if ChangeRequestStatus.ARCHIVED in (wanted, row.status) and not may_close:
        raise Forbidden("only its author or the role 'review' may archive or reopen it")
    row.outdated_when_closed = await is_outdated(ctx, row) if wanted in CLOSED else None
    row.status = wanted


async def is_outdated(ctx: Context, row: ChangeRequest) -> bool:
    """Whether the space has moved on since the request began or last pulled its content."""
    statement = select(Space.revision_id).where(Space.id == row.space_id)
    active = (await ctx.session.execute(statement)).scalar_one()
    return bool(active != (row.revision_merged_ancestor_id or row.revision_initial_id))
