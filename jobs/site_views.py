"""Writes how often pages of sites were viewed, as events (resolvers/insights/views.py)."""

from db.inserts import parts
from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.insights.views import PORTION, ViewCounts, record_views


async def write_views(open_context: OpenContext, counts: ViewCounts) -> None:
    """Leave events of the views that a process has counted since it has last done so."""
    views = counts.take()
    for sites in parts(sorted(views), PORTION):
        async with open_context(OPERATOR) as ctx:
            await run(ctx, record_views, {site: views[site] for site in sites})
