"""Bounds of every state of content: a first document, and numbers of pages, files and levels."""

from collections.abc import Iterable

from db.content_enums import PageType
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.drafts.draft import Draft
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes


async def has_document(draft: Draft, changes: Changes) -> bool:
    """Whether the draft has a first document, which a space opens with, if it had one before."""
    gone = [draft.stored_page(id) for id, page in changes.pages.items() if page is None]
    if not any(page is not None and page.type is PageType.DOCUMENT for page in gone):
        return True
    top = await draft.children(None)
    below = await draft.below([page.id for page in top if page.type is PageType.GROUP])
    return any(page.type is PageType.DOCUMENT for page in (*top, *below))


async def check_merged(ctx: Context, onto: Revision, changes: Changes) -> None:
    """Check the content that a merge would make; PreconditionFailed names the bound that it breaks.

    Each side alone has passed these checks, both combined need not.
    """
    draft = Draft(ctx, onto)
    await draft.take(changes)
    if not await has_document(draft, changes):
        raise PreconditionFailed(
            "the space and the change request have together deleted all documents, and the last "
            "one of a space cannot be deleted; revert the deletion or create another one first"
        )
    await draft.check_size(changes)
    await _check_depth(draft, changes.pages.values())


async def _check_depth(draft: Draft, pages: Iterable[Page | None]) -> None:
    """PreconditionFailed when pages that are new somewhere, or those below them, are too deep."""
    depths: dict[str | None, int] = {None: 0}
    level = []
    for page in pages:
        if page is None:
            continue
        old = draft.stored_page(page.id)
        if old is None or old.parent_id != page.parent_id:
            level.append(page)
    await draft.load_above(level)
    for page in level:
        way = [page]
        while way[-1].parent_id not in depths:
            if len(way) > content_limits.DEPTH:
                raise _too_deep()
            above = await draft.find_page(way[-1].parent_id or "")
            if above is None:
                depths[way[-1].parent_id] = 0
                break
            way.append(above)
        for ancestor in reversed(way):
            depths[ancestor.id] = depths[ancestor.parent_id] + 1
    # Pages that moved take along what is below them; what is new has only what is here as well.
    moved = [page for page in level if draft.stored_page(page.id) is not None]
    walked: set[str] = set()
    while moved:
        walked.update(page.id for page in moved)
        below = await draft.below([page.id for page in moved])
        depths.update((page.id, depths[page.parent_id] + 1) for page in below)
        moved = [page for page in below if page.id not in walked]
        if max(depths.values()) > content_limits.DEPTH:
            break
    if max(depths.values()) > content_limits.DEPTH:
        raise _too_deep()


def _too_deep() -> PreconditionFailed:
    return PreconditionFailed(
        f"merged, pages would nest deeper than {content_limits.DEPTH} levels; move some first"
    )
