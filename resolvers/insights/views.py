"""Views of pages of published sites as events: counted in the process, and written together.

A view costs its reader nothing but an addition. What a process has counted becomes one event for
each site, twice a minute; what a killed process has not written is lost, as it is no business of
anybody's but of statistics.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import select

from db.event_enums import EventType
from db.models.sites import Site
from resolvers.access.policy import must_be_operator
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.event_drafts import Draft

# Pages that an event names, those that were viewed most.
MOST_NAMED = 20
# Pages that a process counts apart; views of others count for their site.
MOST_COUNTED = 50_000
# Sites of one transaction.
PORTION = 500

Views = Mapping[str, Mapping[str | None, int]]


class ViewCounts:
    """What a process has counted since it was last written: views by site and page."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str | None]] = {}
        self._pages = 0

    def add(self, site_id: str, page_id: str | None, number: int = 1) -> None:
        """Count views of a page of a site; None for those of no page that is known."""
        counter = self._counts.setdefault(site_id, Counter())
        if page_id not in counter:
            if self._pages >= MOST_COUNTED:
                page_id = None
            else:
                self._pages += 1
        counter[page_id] += number

    def take(self) -> Views:
        """What was counted; it begins anew."""
        counts, self._counts, self._pages = self._counts, {}, 0
        return counts


@operation(audited=False)
async def record_views(ctx: Context, views: Views) -> None:
    """Leave an event for each site whose pages were viewed, unless it is gone meanwhile; for at
    most 500 sites."""
    must_be_operator(ctx)
    statement = select(Site.id).where(Site.id.in_(views)).order_by(Site.id)
    for site_id in (await ctx.session.execute(statement)).scalars():
        note_fact(ctx.session, _draft(site_id, views[site_id]))


def _draft(site_id: str, pages: Mapping[str | None, int]) -> Draft:
    named = [(id, number) for id, number in pages.items() if id is not None]
    most: Sequence[tuple[str, int]] = sorted(named, key=lambda pair: (-pair[1], pair[0]))
    return Draft(
        type=EventType.SITE_VIEW,
        object_id=site_id,
        site_id=site_id,
        data={
            "views": sum(pages.values()),
            "pages": [{"pageId": id, "views": number} for id, number in most[:MOST_NAMED]],
        },
    )
