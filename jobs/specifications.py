"""Processes OpenAPI specifications: a job for each that has to be, one at a time.

A process with bounds reads them (content/openapi/worker.py); what it names elsewhere is fetched
here, by the client that treats addresses as hostile.
"""

import logging
from dataclasses import replace

from content.openapi.reading import MOST_BYTES
from db.specification_enums import SpecificationErrorCode as Code
from fetching.client import Fetcher
from fetching.errors import FetchError, FetchTimeoutError
from jobs.kinds import Work
from jobs.specification_process import ProcessLimits, read_specification
from resolvers.content.computed import spaces_with_stale_sources
from resolvers.core.runners import read, run
from resolvers.specifications import processing, uses
from resolvers.specifications.processing import Failure, Outcome, Reading, Source, Unchanged

log = logging.getLogger("docstead.specifications")
LIMITS = ProcessLimits()


async def process(work: Work) -> None:
    """Process a specification."""
    ctx = work.ctx
    source = await run(ctx, processing.begin_processing, str(work.arguments["specification"]))
    if source is None:
        return
    outcome = await outcome_of(ctx.import_access.fetcher, source, LIMITS)
    # The write ends the job itself, so that another one can follow it.
    ctx.lease = None
    await run(ctx, processing.end_processing, work.lease, source, outcome)


async def outcome_of(fetcher: Fetcher, source: Source, limits: ProcessLimits) -> Outcome:
    """What comes of a source."""
    if source.url is None:
        if source.text is None:
            return Failure(Code.FETCH_ERROR, ("its text is not there any more; send it again",))
        return await read_specification(fetcher, source.text, None, limits)
    try:
        file = await fetcher.get(
            source.url, max_bytes=MOST_BYTES, entity_tag=source.entity_tag or None
        )
    except FetchTimeoutError as error:
        return Failure(Code.FETCH_TIMEOUT, (str(error),))
    except FetchError as error:
        return Failure(Code.FETCH_ERROR, (str(error),))
    if file.unchanged:
        return Unchanged()
    outcome = await read_specification(fetcher, file.data, file.url, limits)
    if isinstance(outcome, Reading):
        return replace(outcome, entity_tag=file.entity_tag or None)
    return outcome


async def sweep(work: Work) -> None:
    """Enqueue specifications whose sources were not looked at for six hours, and spaces whose
    computed pages were not made of the last version."""
    due = await read(work.ctx, processing.due_specifications)
    if due:
        await run(work.ctx, processing.wake_specifications, due)
    stale = await read(work.ctx, uses.stale_spaces)
    stale += await read(work.ctx, spaces_with_stale_sources)
    if stale:
        await run(work.ctx, uses.wake_spaces, stale)
