"""Builds the index of spaces that have none: for the command line, and when the server starts.

Every step is a transaction of its own. A build that ends in the middle is begun again by whoever
comes five minutes later.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from jobs.kinds import Work
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, NotFound
from resolvers.core.runners import run
from resolvers.search.builds import (
    STEP_PAGES,
    begin_build,
    build_pages,
    finish_build,
    spaces_to_index,
)

log = logging.getLogger("docstead.index")
# Called with the space, the number of its pages that are done, and of all its pages.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Indexed:
    """The result of a step for a space; `taken` when another process indexes it."""

    space_id: str
    pages: int
    taken: bool = False


def _quiet(space_id: str, done: int, total: int) -> None:
    """For those who do not watch."""


async def index_space(ctx: Context, space_id: str, progress: Progress = _quiet) -> Indexed:
    """Build the index of one space."""
    try:
        build = await run(ctx, begin_build, space_id)
        total = len(build.page_ids)
        for start in range(0, total, STEP_PAGES):
            progress(space_id, start, total)
            await run(ctx, build_pages, build, start)
            ctx.session.expunge_all()
        await run(ctx, finish_build, build)
        progress(space_id, total, total)
    except (Conflict, NotFound):
        # Another process builds it, or it was removed for good.
        return Indexed(space_id, 0, taken=True)
    return Indexed(space_id, total)


async def reindex(
    ctx: Context, space_id: str | None = None, *, again: bool, progress: Progress = _quiet
) -> list[Indexed]:
    """Build the index of one space or of all: of those that have none, or `again` of every one.

    NotFound when there is no such space.
    """
    spaces = await run(ctx, spaces_to_index, space_id, again=again)
    return [await index_space(ctx, id, progress) for id in spaces]


async def index_missing(work: Work) -> None:
    """Index what is not indexed: the job that comes again every ten minutes."""
    done = await reindex(
        work.ctx,
        again=False,
        progress=lambda space_id, done, total: work.ctx.report(f"indexing {space_id}", done, total),
    )
    if done:
        log.info("%d spaces were indexed", len(done))
