"""The draft that a preview shows, and the path of the published page."""

from dataclasses import dataclass

from db.models.change_requests import ChangeRequest
from resolvers.access.policy import must
from resolvers.content.pages import landing_pages
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.revisions.objects import active_revisions, find_pages


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """The draft behind a page of a preview."""

    # The number of the change request; None for a revision.
    number: int | None
    # The path of the same page in the primary content, empty for the landing page; None where the
    # visitor finds no such page there.
    path: str | None


async def read_shown_draft(
    ctx: Context, space_id: str, change_request_id: str | None, page_id: str
) -> ShownDraft:
    """The draft behind a visitor's page, as far as the visitor may know it."""
    number = None
    if change_request_id is not None:
        request = await must(ctx, ChangeRequest, change_request_id, projection=only("number"))
        number = request.number
    revision = (await active_revisions(ctx, [space_id])).get(space_id)
    if revision is None:
        return ShownDraft(number, None)
    (pages,) = await find_pages(ctx, [(revision, [page_id])])
    (landing,) = await landing_pages(ctx, [revision], None)
    if page_id not in pages:
        return ShownDraft(number, None)
    is_landing = landing is not None and landing.id == page_id
    return ShownDraft(number, "" if is_landing else pages[page_id].path)
