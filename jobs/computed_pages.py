"""Makes the pages that the sources of computed pages stand for, in one space at a time."""

import asyncio

from jobs.kinds import Work
from resolvers.content.specification_pages import pages_within
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.revisions.expansion import stored_values
from resolvers.specifications.uses import StalePage, specification_of_space, stale_pages
from resolvers.writing.computed_pages import MadePages, put_made_pages


async def make(work: Work) -> None:
    """Make the pages of a space whose sources have other versions."""
    space_id = str(work.arguments["space"])
    stale = await read(work.ctx, stale_pages, space_id)
    outcomes = [await _made(work.ctx, space_id, page) for page in stale]
    if outcomes:
        await run(work.ctx, put_made_pages, space_id, outcomes)


async def _made(ctx: Context, space_id: str, stale: StalePage) -> MadePages:
    root = await read(ctx, specification_of_space, space_id, stale.slug)
    if root is None:
        return MadePages(stale, None, {})
    source, seed = dict(stale.source), stale.page_id
    pages, bodies = await asyncio.to_thread(pages_within, space_id, seed, source, dict(root))
    return MadePages(stale, [stored_values(page) for page in pages], bodies.documents)
