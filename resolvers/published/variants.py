"""Pages of other variants, versions and languages, that stand where a page stands."""

from collections.abc import Mapping

from content.slugs import slug_key
from db.content_enums import PageType
from resolvers.core.context import Context
from resolvers.published.frames import SiteFrame
from resolvers.published.urls import PublishedContent
from resolvers.revisions.objects import active_revisions
from resolvers.revisions.tree import all_pages

# Of more variants only the first are looked at: each is one more version of the page.
MOST_VARIANTS = 20


async def find_counterparts(
    ctx: Context, frame: SiteFrame, content: PublishedContent, path: str
) -> Mapping[str, str | None]:
    """The paths of the pages at the same path in the other spaces of the section, by space; the
    empty path is that of a landing page. None for a space without such a page.

    Only spaces and pages that are there for the visitor; one statement, and cached trees.
    """
    rows = [row for row in frame.site_spaces(content.site_section) if row.space_id != content.space]
    rows = rows[:MOST_VARIANTS]
    revisions = await active_revisions(ctx, [row.space_id for row in rows])
    spaces = [row.space_id for row in rows if row.space_id in revisions]
    trees = await all_pages(ctx, [revisions[space] for space in spaces])
    counterparts: dict[str, str | None] = {}
    for space, tree in zip(spaces, trees, strict=True):
        page = tree.by_path.get(slug_key(path))
        if not path:
            counterparts[space] = ""
        elif page is not None and page.type is PageType.DOCUMENT and not page.hidden:
            counterparts[space] = page.path
        else:
            counterparts[space] = None
    return counterparts
