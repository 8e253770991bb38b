"""Redirects of the paths of a published site: sections and site spaces that were given others,
and those that somebody made. A live page always comes before them.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select

from content.slugs import slug_key
from db.models.site_settings import SitePathRedirect
from db.prepared import KEY, among
from resolvers.content_revisions import find_revision
from resolvers.context import Context, Visitor
from resolvers.errors import ApiError
from resolvers.page_tree import find_page_by_path
from resolvers.published_paths import Place, SiteMap
from resolvers.statements import Asks, Written, statement
from resolvers.visitors import as_visitor

# Segments of the longest path that a section with a site space has.
LONGEST = 2


@statement
def _moved(asks: Asks) -> Written:
    return select(
        SitePathRedirect.key, SitePathRedirect.section_id, SitePathRedirect.site_space_id
    ).where(
        SitePathRedirect.site_id == bindparam("site_id", type_=KEY),
        among(SitePathRedirect.key, "keys"),
    )


async def moved_to(
    ctx: Context, site: Any, map: SiteMap, place: Place, segments: Sequence[str]
) -> tuple[str, ...] | None:
    """Where the section or the site space is now that had the beginning of a path, with the rest
    of the path; None when it never was anything else.
    """
    folded = tuple(slug_key(segment) for segment in segments)
    ends = range(min(LONGEST, len(segments)), place.depth, -1)
    keys = {"/".join(folded[:end]): end for end in ends}
    if not keys:
        return None
    rows = {row.key: row for row in await _moved.rows(ctx, site_id=site.id, keys=list(keys))}
    for key, end in keys.items():
        if key in rows:
            now_at = map.path_of(rows[key].section_id, rows[key].site_space_id)
            if now_at is not None:
                return (*now_at, *segments[end:])
    return None


async def is_live(ctx: Context, visitor: Visitor, space_id: str, path: Sequence[str]) -> bool:
    """Whether a page of primary content stands at a path of a space."""
    seen = as_visitor(ctx, visitor)
    try:
        await find_page_by_path(seen, await find_revision(seen, space_id), "/".join(path))
    except ApiError:
        return False
    return True
