"""How much the content of one space may hold, checked where a write makes it larger."""

from collections.abc import Mapping

from content.merkle.read import count, lookup
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.errors import FieldError, PreconditionFailed
from resolvers.revisions import limits as content_limits
from resolvers.revisions.states import Changes
from resolvers.revisions.store import walk_all, walk_one


async def check_size(ctx: Context, revision: Revision, pages: int, changes: Changes) -> None:
    """PreconditionFailed when changes of a revision make its content larger than it may be.

    `pages` is the number of pages that it gets more; the other numbers are found here.
    """
    files = _present(changes.files)
    contents = _present(changes.contents)
    redirects = _present(changes.redirects)
    grown = [
        bound
        for bound in (
            ("pages", revision.pages_root, pages, {}, content_limits.PAGES),
            ("files", revision.files_root, files, changes.files, content_limits.FILES),
            (
                "reusable contents",
                revision.contents_root,
                contents,
                changes.contents,
                content_limits.REUSABLE_CONTENTS,
            ),
            (
                "redirects",
                revision.redirects_root,
                redirects,
                changes.redirects,
                content_limits.REDIRECTS,
            ),
        )
        if bound[2] > 0
    ]
    counts = await walk_all(ctx, [(revision.space_id, count(root)) for _, root, *_ in grown])
    for (what, root, added, rows, limit), held in zip(grown, counts, strict=True):
        if held + added > limit and rows:
            # Some of those that are written were there before.
            added = await _growth(ctx, revision.space_id, root, rows)
        if added > 0 and held + added > limit:
            raise PreconditionFailed(f"a space holds at most {limit} {what}")


def check_variables(before: int, after: int) -> None:
    """PreconditionFailed when a space gets more variables than it may have."""
    if after > max(before, content_limits.VARIABLES):
        problem = f"there would be {after}; a space has at most {content_limits.VARIABLES}"
        raise PreconditionFailed(f"variables: {problem}", (FieldError("variables", problem),))


def _present(rows: Mapping[str, object | None]) -> int:
    return sum(row is not None for row in rows.values())


async def _growth(
    ctx: Context, space_id: str, root: str | None, rows: Mapping[str, object | None]
) -> int:
    """By how many entries a map grows when these rows are written."""
    stored = await walk_one(ctx, space_id, lookup(root, rows))
    return sum((row is not None) - (id in stored) for id, row in rows.items())
