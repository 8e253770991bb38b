"""Which kinds of redirects a path of a site has, before anything of the content is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, literal_column, null, select, union_all

from content.links.redirect_paths import keys_above, path_key, without_markdown_end
from db.models.content import ContentRedirect, PageRedirect
from db.models.site_settings import SitePathRedirect, SiteRedirect
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.automatic_redirects import path_id, redirect_keys

# Segments of the longest path that a section with a site space has.
LONGEST = 2


@dataclass(frozen=True, slots=True)
class Signs:
    """Which redirects a path has, or the path of the page whose Markdown it names."""

    # Rows of `SitePathRedirect`, longest key first.
    renamed: Sequence[Any]
    moved: bool
    of_content: bool
    made: bool
    # Whether one of them is for this very path.
    exact: bool
    # Whether there is any, those of the page whose Markdown it names included.
    any: bool


@statement
def _signs(viewer: Viewer) -> Written:
    site = bindparam("site", type_=KEY)
    space = bindparam("space", type_=KEY)
    renamed: Written = select(
        literal_column("'renamed'").label("kind"),
        SitePathRedirect.key.label("key"),
        SitePathRedirect.section_id.label("section_id"),
        SitePathRedirect.site_space_id.label("site_space_id"),
    ).where(SitePathRedirect.site_id == site, among(SitePathRedirect.key, "places"))
    moved: Written = select(literal_column("'moved'"), PageRedirect.key, null(), null()).where(
        PageRedirect.space_id == space, among(PageRedirect.key, "pages")
    )
    of_content: Written = select(
        literal_column("'content'"), ContentRedirect.key, null(), null()
    ).where(ContentRedirect.space_id == space, among(ContentRedirect.key, "exact"))
    set_by_people: Written = select(
        literal_column("'made'"), SiteRedirect.source_key, null(), null()
    ).where(
        SiteRedirect.site_id == site,
        among(SiteRedirect.source_key, "sources"),
        SiteRedirect.draft.is_(False),
    )
    return select(union_all(renamed, moved, of_content, set_by_people).subquery())


async def find_signs(
    ctx: Context,
    site_id: str,
    segments: Sequence[str],
    space_id: str,
    path: str,
    plain: str | None,
) -> Signs:
    """The signs of a path of a site: one statement.

    `path` is what it is in the space that it names ("" for none), `plain` the same of the page
    whose Markdown it names.
    """
    own = keys_above(segments)
    named = without_markdown_end(segments)
    more = set() if named is None else {path_key(named)}
    paths = [path] if plain is None else [path, plain]
    rows = await _signs.rows(
        ctx,
        site=site_id,
        sources={*own, *more},
        places={*own[-LONGEST:], *more},
        space=space_id,
        pages={key for candidate in paths for key in redirect_keys(candidate)},
        exact={path_id(candidate) for candidate in paths},
    )
    kinds = {row.kind for row in rows}
    renamed = [row for row in rows if row.kind == "renamed" and row.key in own]
    renamed.sort(key=lambda row: len(row.key), reverse=True)
    exact = {("moved", path_id(path)), ("content", path_id(path)), ("made", path_key(segments))}
    return Signs(
        renamed,
        "moved" in kinds,
        "content" in kinds,
        "made" in kinds,
        any((row.kind, row.key) in exact for row in rows),
        bool(rows),
    )
