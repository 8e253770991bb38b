"""Limits of a space's content, checked where a write makes it larger."""

from collections.abc import Mapping

from content.merkle.read import count, lookup
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.revisions import limits
from resolvers.revisions.states import Changes
from resolvers.revisions.store import walk_all, walk_one


async def check_size(ctx: Context, revision: Revision, pages: int, changes: Changes) -> None:
    """PreconditionFailed when changes of a revision make its content larger than it may be.

    `pages` is the number of pages that it gets more; the other numbers are found here.
    """
    bounds: list[tuple[str, str | None, Mapping[str, object | None], int]] = [
        ("pages", revision.pages_root, {}, limits.PAGES),
        ("files", revision.files_root, changes.files, limits.FILES),
        ("reusable contents", revision.contents_root, changes.contents, limits.REUSABLE_CONTENTS),
        ("redirects", revision.redirects_root, changes.redirects, limits.REDIRECTS),
    ]
    written = {what: sum(row is not None for row in rows.values()) for what, _, rows, _ in bounds}
    written["pages"] = pages
    grown = [bound for bound in bounds if written[bound[0]] > 0]
    counts = await walk_all(ctx, [(revision.space_id, count(root)) for _, root, *_ in grown])
    for (what, root, rows, limit), held in zip(grown, counts, strict=True):
        added = written[what]
        if held + added > limit and rows:
            # Some of those that are written were there before.
            added = await _growth(ctx, revision.space_id, root, rows)
        if added > 0 and held + added > limit:
            raise PreconditionFailed(f"a space holds at most {limit} {what}")


def check_variables(before: int, after: int) -> None:
    """PreconditionFailed when a space gets more variables than it may have."""
    if after > max(before, limits.VARIABLES):
        problem = f"there would be {after}; a space has at most {limits.VARIABLES}"
        raise PreconditionFailed.at("variables", problem)


async def _growth(
    ctx: Context, space_id: str, root: str | None, rows: Mapping[str, object | None]
) -> int:
    """By how many entries a map grows when these rows are written."""
    stored = await walk_one(ctx, space_id, lookup(root, rows))
    return sum((row is not None) - (id in stored) for id, row in rows.items())
