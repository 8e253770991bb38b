"""Revisions as readers see them: with the pages that the sources of computed pages have made.

The revision that was written stays as it is. Beside it stands one that shows it: the same maps, in
which each computed page has given its place to the pages that its source has made of it. Whoever
reads needs to know nothing of sources; whoever writes stands on what was written.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from content.merkle.read import lookup, scan
from content.merkle.write import update
from content.ordering import between
from content.slugs import slug_key, unique_slug
from db.content_enums import PageType
from db.ids import new_id
from db.models.content import ComputedPage, Revision
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.revisions.rows import Page, entry_of, page_of
from resolvers.revisions.store import put_nodes, walk_all, walk_one

Json = dict[str, Any]
# What the pages of a source have of the page that stands for them: who sees them, and who finds
# them. Those below other ones have it of those.
_INHERITED = ("hidden", "no_index", "no_robots_index", "condition")


async def computed_pages(ctx: Context, revision: Revision, ids: Iterable[str]) -> list[Page]:
    """The computed pages with these ids that the revision has."""
    entries = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, ids))
    rows = [page_of(revision.space_id, revision.id, id, entry) for id, entry in entries.items()]
    places = [row for row in rows if row.type is PageType.COMPUTED]
    return sorted(places, key=lambda row: (row.parent_id or "", row.order, row.id))


async def expanded(
    ctx: Context,
    written: Revision,
    computed: Sequence[ComputedPage],
    places: Sequence[Page] | None = None,
) -> Revision:
    """The revision that shows a written one with the pages of its sources; the written one itself
    where there are none yet. It is stored each time. `places` are its computed pages, where the
    caller has looked them up."""
    by_place = {row.page_id: row.pages for row in computed if row.pages}
    files_by_place = {row.page_id: row.files for row in computed if row.files}
    if places is None:
        places = await computed_pages(ctx, written, by_place.keys())
    places = [place for place in places if place.id in by_place]
    if not places:
        return written
    pages: dict[str, Json | None] = {}
    slugs: dict[str, Json | None] = {}
    files: dict[str, Json | None] = {}
    siblings = await _siblings(ctx, written, {place.parent_id for place in places})
    for place in places:
        pages[place.id] = slugs[place.key] = None
    for place in places:
        for file in files_by_place.get(place.id, ()):
            files[file["id"]] = {name: value for name, value in file.items() if name != "id"}
        for page in _standing(place, by_place[place.id], siblings[place.parent_id]):
            pages[page.id] = entry_of(page)
            slugs[page.key] = {"id": page.id}
    nodes: dict[str, bytes] = {}
    roots: dict[str, str | None] = {}
    maps = (("pages_root", pages), ("slugs_root", slugs), ("files_root", files))
    for name, entries in maps:
        roots[name], added = await walk_one(
            ctx, written.space_id, update(getattr(written, name), entries)
        )
        nodes.update(added)
    await put_nodes(ctx, written.space_id, nodes)
    revision = Revision(
        id=new_id(),
        space_id=written.space_id,
        type=written.type,
        parents=[written.id],
        contents_root=written.contents_root,
        redirects_root=written.redirects_root,
        variables=dict(written.variables),
        conditional=written.conditional,
        git=written.git,
        merged_from_id=written.merged_from_id,
        expands_id=written.id,
        author_id=written.author_id,
        created_at=written.created_at,
        **roots,
    )
    ctx.session.add(revision)
    await ctx.session.flush()
    return revision


class _Siblings:
    """The pages below one: their slugs, and the keys of their order."""

    def __init__(self, pages: Iterable[Page]) -> None:
        pages = list(pages)
        self._slugs = {slug_key(page.slug) for page in pages if page.slug is not None}
        self._orders = sorted(page.order for page in pages)

    def behind(self, order: str) -> str | None:
        """The key of the page behind one."""
        at = bisect_right(self._orders, order)
        return self._orders[at] if at < len(self._orders) else None

    def free_slug(self, slug: str, *, at_root: bool) -> str:
        """A slug that no page there has, which is taken from now on."""
        free = unique_slug(slug, self._slugs, at_root=at_root)
        self._slugs.add(slug_key(free))
        return free


async def _siblings(
    ctx: Context, revision: Revision, parents: set[str | None]
) -> dict[str | None, _Siblings]:
    above = list(parents)
    scans = [
        (revision.space_id, scan(revision.slugs_root, prefix=f"{parent or ''}/"))
        for parent in above
    ]
    ids = [[value["id"] for _, value in entries] for entries in await walk_all(ctx, scans)]
    lookups = [(revision.space_id, lookup(revision.pages_root, some)) for some in ids]
    return {
        parent: _Siblings(
            page_of(revision.space_id, revision.id, id, entry) for id, entry in entries.items()
        )
        for parent, entries in zip(above, await walk_all(ctx, lookups), strict=True)
    }


def _standing(
    place: Page, stored_pages: Sequence[Mapping[str, Any]], siblings: _Siblings
) -> list[Page]:
    """The pages of a source in the place of the page that stands for them: those at the top beside
    its siblings, with slugs that none of them has."""
    order, behind = place.order, siblings.behind(place.order)
    pages: list[Page] = []
    for stored in stored_pages:
        page = stored_page(place.space_id, stored)
        if page.parent_id is None:
            page.parent_id = place.parent_id
            page.slug = siblings.free_slug(page.slug or "page", at_root=place.parent_id is None)
            order = page.order = between(order, behind)
            for name in _INHERITED:
                setattr(page, name, getattr(place, name))
        pages.append(page)
    return pages


async def refuse_made_page(ctx: Context, space_id: str, page_id: str, where: str) -> None:
    """PreconditionFailed for a page that a source has made in a space: it says of what, and what
    to do instead."""
    statement = select(ComputedPage.page_id, ComputedPage.name, ComputedPage.pages).where(
        ComputedPage.space_id == space_id, ComputedPage.pages.is_not(None)
    )
    for row in (await ctx.session.execute(statement)).all():
        title = next((str(page["title"]) for page in row.pages if page["id"] == page_id), None)
        if title is not None:
            raise PreconditionFailed.at(
                where,
                f"page {page_id!r} ({title!r}) is made of the OpenAPI specification {row.name!r} "
                f"and cannot be edited; change the specification, or move, edit or delete the "
                f"computed page {row.page_id!r}, which stands for all of its pages",
            )


# ------------------------------------------------------------------ pages as they are stored


def stored_values(page: Page) -> Json:
    """A page that a source has made, as `ComputedPage.pages` holds it."""
    return {"id": page.id, **entry_of(page)}


def stored_page(space_id: str, stored: Mapping[str, Any]) -> Page:
    """The page that such values describe."""
    values = dict(stored)
    return page_of(space_id, "", values.pop("id"), values)
