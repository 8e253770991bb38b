"""Makes the pages that the sources of computed pages stand for, in one space at a time."""

import asyncio
import logging
from dataclasses import replace

from jobs.kinds import Work
from resolvers.content.computed import StaleSource, made_pages, stale_sources
from resolvers.content.specification_pages import pages_within
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NoCapacity
from resolvers.core.runners import read, run
from resolvers.revisions.expansion import stored_values
from resolvers.specifications.uses import (
    StalePage,
    note_attempts,
    specification_of_space,
    stale_pages,
)
from resolvers.writing.computed_pages import MadePages, fetch_offered, put_made_pages

log = logging.getLogger("docstead.jobs")
# Seconds after which a job asks no further integration: it has to end within its time.
SECONDS = 240.0


async def make(work: Work) -> None:
    """Make the pages of a space whose sources have other versions.

    What one of them fails with is raised once the others are there; what was there before stays.
    """
    space_id = str(work.arguments["space"])
    stale = await read(work.ctx, stale_pages, space_id)
    outcomes: list[MadePages] = []
    failures: list[Exception] = []
    if stale:
        await run(work.ctx, note_attempts, space_id, stale)
    for page in stale:
        try:
            outcomes.append(await _made(work.ctx, space_id, page))
        except Exception as error:
            log.warning("computed page %s of space %s could not be made", page.page_id, space_id)
            failures.append(error)
    if outcomes:
        await run(work.ctx, put_made_pages, space_id, outcomes)
    await _make_by_integrations(work.ctx, space_id)
    if failures:
        raise failures[0]


async def _made(ctx: Context, space_id: str, stale: StalePage) -> MadePages:
    root = await read(ctx, specification_of_space, space_id, stale.slug)
    if root is None:
        return MadePages(stale, None, {})
    source, seed = dict(stale.source), stale.page_id
    pages, bodies = await asyncio.to_thread(pages_within, space_id, seed, source, dict(root))
    return MadePages(stale, [stored_values(page) for page in pages], bodies.documents)


async def _make_by_integrations(ctx: Context, space_id: str) -> None:
    """Make the pages of the sources of integrations, as many as there is time for: the next sweep
    finds the others. Each is noted, whatever comes of it, so that none is asked for ever."""
    clock = asyncio.get_running_loop().time
    begun = clock()
    outcomes: list[tuple[StaleSource, MadePages]] = []
    for source in await read(ctx, stale_sources, space_id):
        if clock() - begun > SECONDS:
            break
        try:
            outcomes.append((source, await _made_by_integration(ctx, space_id, source)))
        except NoCapacity as error:
            # It has not failed: the next sweep, within a minute, finds it again.
            log.info("the pages of page %s of space %s have to wait: %s", source.page.page_id,
                     space_id, error.message)  # fmt: skip
    if not outcomes:
        return
    try:
        await run(ctx, put_made_pages, space_id, [outcome for _, outcome in outcomes])
        return
    except Exception:
        log.exception("pages of integrations in space %s could not be stored together", space_id)
    for source, outcome in outcomes:
        try:
            await run(ctx, put_made_pages, space_id, [outcome])
        except Exception:
            log.warning("computed page %s of space %s could not be stored", source.page.page_id,
                        space_id)  # fmt: skip
            await run(ctx, put_made_pages, space_id, [_failed(source)])


def _failed(stale: StaleSource) -> MadePages:
    return MadePages(replace(stale.page, version=stale.failed), None, {})


async def _made_by_integration(ctx: Context, space_id: str, stale: StaleSource) -> MadePages:
    """What an integration makes of a computed page; where it fails nothing, and later again."""
    page = stale.page
    # Each read is one of its own: between them lie events that may take seconds.
    ctx.snapshot = False
    try:
        answered = await read(
            ctx, made_pages, space_id, page.page_id, dict(page.source), stale.state
        )
        files = await fetch_offered(ctx, space_id, answered.files)
    except NoCapacity:
        raise
    except ApiError as error:
        log.warning("the pages of page %s of space %s: %s", page.page_id, space_id, error.message)
        return _failed(stale)
    except Exception:
        log.exception("the pages of page %s of space %s", page.page_id, space_id)
        return _failed(stale)
    return MadePages(
        page, [stored_values(page) for page in answered.pages], answered.bodies.documents, files
    )
