"""Outcomes of the pages that a batch of operations touched."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from db.content_enums import PageOutcome
from resolvers.core.urls import Urls
from resolvers.drafts.draft import Draft
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import Target


class Touched(NamedTuple):
    """A page that an operation made or named, and what the batch calls one that it made."""

    page_id: str
    ref: str | None


@dataclass(frozen=True, slots=True)
class AffectedPage:
    """The outcome of a page that a batch touched, with the name that the batch gave it."""

    page_id: str
    outcome: PageOutcome
    location: str
    ref: str | None = None

    @property
    def page(self) -> "AffectedPage | None":
        """The page as something to read; None when it is gone."""
        return None if self.outcome is PageOutcome.DELETED else self

    @property
    def id(self) -> str:
        return self.page_id

    @property
    def urls(self) -> Urls:
        return Urls(location=self.location)


async def affected_pages(
    draft: Draft, target: Target, touched: Iterable[Touched], changes: Changes
) -> list[AffectedPage]:
    """Outcomes of pages in the order in which they were touched; then of those deleted with them.

    Pages that the batch made and deleted again are left out.
    """
    refs: dict[str, str | None] = {}
    for touched_page in touched:
        refs.setdefault(touched_page.page_id, touched_page.ref)
    for id, page in changes.pages.items():
        if page is None:
            refs.setdefault(id, None)
    there = await draft.find_pages(refs)
    place = f"spaces/{target.space_id}"
    if target.change_request is not None:
        place += f"/change-requests/{target.change_request.id}"
    affected = []
    for id, ref in refs.items():
        existed = draft.stored_page(id) is not None
        if not existed and id not in there:
            continue
        outcome = PageOutcome.UPDATED if existed else PageOutcome.CREATED
        if id not in there:
            outcome = PageOutcome.DELETED
        location = f"{draft.ctx.settings.public_url}/v1/{place}/content/page/{id}"
        affected.append(AffectedPage(id, outcome, location, ref))
    return affected
