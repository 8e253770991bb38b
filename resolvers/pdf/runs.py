"""PDFs that nobody waits for: a job makes one, and its address is there when it has ended."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select

from db.job_enums import JobKind, JobState
from db.models.change_requests import ChangeRequest
from db.models.jobs import Job
from db.models.organizations import User
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.change_requests.operations import get_change_request
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.jobs.queue import NewJob, check_room, enqueue_or_join, open_job_of
from resolvers.lists.batches import computed_from, visible_in
from resolvers.pdf.operations import (
    InChangeRequest,
    OnlyPage,
    PagesFrom,
    Pdf,
    PdfArguments,
    Printout,
    printout_of_change_request,
    printout_of_space,
    signed_pdf,
)
from resolvers.revisions.read_targets import find_revision

# PDFs of one person that wait or are made.
MOST_OF_PERSON = 10


async def start_pdf(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: InChangeRequest = None,
    page: PagesFrom = None,
    only: OnlyPage = None,
) -> Job:
    """Have a PDF made of content: all pages, or one with those below it. The job says how far it
    is, and where the PDF is fetched once it has ended.

    Whoever asks for the same again while it is made gets the same job. PRECONDITION_FAILED (412)
    for more than ten at a time.
    """
    person = None if ctx.actor.operator else ctx.user_id
    space = await must(ctx, Space, space_id)
    arguments = PdfArguments(page, only)
    if change_request_id is None:
        printout, name = await printout_of_space(ctx, space, arguments)
    else:
        change_request = await get_change_request(ctx, space_id, change_request_id)
        printout, name = await printout_of_change_request(ctx, change_request, arguments)
    if person is not None:
        # Of one person's requests each counts those before it.
        locked = select(User.id).where(User.id == person).with_for_update(key_share=True)
        await ctx.session.execute(locked)
    await check_room(ctx, space.organization_id)
    open_jobs = select(func.count()).where(
        Job.organization_id == space.organization_id, Job.due_at.is_not(None),
        Job.kind == JobKind.PDF, Job.started_by_id.is_not_distinct_from(person),
    )  # fmt: skip
    key = _key(person, printout)
    id = await open_job_of(ctx, key)
    if id is None:
        if (await ctx.session.execute(open_jobs)).scalar_one() >= MOST_OF_PERSON:
            raise PreconditionFailed(
                f"{MOST_OF_PERSON} PDFs that you have asked for wait or are made already"
            )
        # Another request with the same may be faster.
        id = await enqueue_or_join(
            ctx,
            NewJob(
                kind=JobKind.PDF, organization_id=space.organization_id, space_id=space.id,
                arguments={"printout": printout.parts(), "name": name}, unique_key=key,
            ),
        )  # fmt: skip
    return await must(ctx, Job, id)


def _key(person: str | None, printout: Printout) -> str:
    parts = repr([person, *printout.parts()])
    return f"pdf:{hashlib.sha256(parts.encode()).hexdigest()}"


def printout_of(arguments: Mapping[str, Any]) -> Printout:
    """What the job with these arguments prints."""
    return Printout(*arguments["printout"])


async def check_printout(ctx: Context, printout: Printout) -> None:
    """NotFound unless the caller may read what a job prints, which they could when it began."""
    await find_revision(ctx, printout.space_id, revision_id=printout.revision_id)
    if printout.change_request_id:
        await must(ctx, ChangeRequest, printout.change_request_id)


_requests = visible_in(ChangeRequest.id, "ids")


@computed_from("kind", "state", "arguments")
async def job_pdfs(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[Pdf | None]:
    """Where the PDFs of jobs are fetched; None for other jobs and for those that have not ended."""
    printouts = [
        printout_of(row.arguments)
        if row.kind is JobKind.PDF and row.state is JobState.SUCCEEDED
        else None
        for row in rows
    ]
    # A job is for whoever reads its space; change requests may be for fewer.
    ids = {printout.change_request_id for printout in printouts if printout is not None} - {""}
    readable = {""}
    if ids:
        readable |= {row.id for row in await _requests.rows(ctx, ids=ids)}
    return [
        None
        if printout is None or printout.change_request_id not in readable
        else signed_pdf(ctx, printout, row.arguments["name"])
        for row, printout in zip(rows, printouts, strict=True)
    ]
