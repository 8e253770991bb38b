"""Where redirects of sites lead: which destinations are there (docs/sites.md, "Redirects")."""

from collections.abc import Sequence
from typing import Any

import strawberry
from sqlalchemy import select

from content.merkle.read import lookup
from db.base import Data
from db.models.content import Revision
from db.models.sites import SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from db.site_enums import SiteRedirectKind
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.ids import (
    LONGEST,
    PAGE as PAGE_KIND,
    placed_id,
    stable_ids_of,
    stable_part,
)
from resolvers.revisions.objects import each_object, find_pages
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all

Json = dict[str, Any]
KIND = "kind"
SECTION, SITE_SPACE, PAGE, URL = "siteSectionId", "siteSpaceId", "pageId", "url"
# What destinations of each kind have beside it.
MEMBERS: dict[SiteRedirectKind, tuple[str, ...]] = {
    SiteRedirectKind.SITE_SECTION: (SECTION,),
    SiteRedirectKind.SITE_SPACE: (SITE_SPACE,),
    SiteRedirectKind.SITE_PAGE: (SITE_SPACE, PAGE),
    SiteRedirectKind.URL: (URL,),
}


@strawberry.input(description="Where a redirect leads; the kind says which members it has.")
class SiteRedirectDestinationInput:
    kind: SiteRedirectKind = inputs.field("What it is.", required=True)
    site_section_id: strawberry.ID | None = inputs.text(
        "Id of a section of the site; for `site-section`.", max=64
    )
    site_space_id: strawberry.ID | None = inputs.text(
        "Id of a site space of the site; for `site-space` and `site-page`.", max=64
    )
    page_id: strawberry.ID | None = inputs.text(
        "Id of a page of that space; for `site-page`.", max=LONGEST
    )
    url: Url | None = inputs.field("An address anywhere; for `url`.")


def read_destination(input: SiteRedirectDestinationInput) -> tuple[Json, str | None]:
    """The destination as it is stored, and what is wrong with it: its members, not what they name.

    What is wrong begins with the name of the member.
    """
    members = {
        SECTION: input.site_section_id,
        SITE_SPACE: input.site_space_id,
        PAGE: input.page_id,
        URL: input.url,
    }
    stored: Json = {KIND: input.kind.value}
    for name, value in members.items():
        needed = name in MEMBERS[input.kind]
        if needed and not value:
            return stored, f"{name}: is required with the kind {input.kind.value!r}"
        if not needed and value is not None:
            return stored, f"{name}: is not allowed with the kind {input.kind.value!r}"
        if needed:
            stored[name] = value
    return stored, None


@statement
def _sections(viewer: Viewer, for_caller: bool) -> Written:
    rows = visible(viewer, SiteSection) if for_caller else select(SiteSection)
    return rows.with_only_columns(SiteSection.id, SiteSection.site_id).where(
        among(SiteSection.id, "ids")
    )


@statement
def _site_spaces(viewer: Viewer, for_caller: bool) -> Written:
    """Site spaces whose spaces are not in the bin, with the map of their pages."""
    if for_caller:
        rows = visible(viewer, SiteSpace)
    else:
        rows = select(SiteSpace).join(Space, Space.id == SiteSpace.space_id)
    rows = rows.join(Revision, Revision.id == Space.revision_id)
    return rows.with_only_columns(
        SiteSpace.id, SiteSpace.site_id, SiteSpace.space_id, Revision.pages_root
    ).where(among(SiteSpace.id, "ids"), Space.deleted_at.is_(None))


@statement
def _shown(viewer: Viewer) -> Written:
    """The revisions that readers of site spaces see."""
    rows = visible(viewer, SiteSpace)
    return rows.with_only_columns(SiteSpace.id, Space.revision_id).where(
        among(SiteSpace.id, "ids"), Space.deleted_at.is_(None)
    )


async def pages_of_destinations(
    ctx: Context, rows: Sequence[Any], arguments: Any
) -> list[Page | None]:
    """The pages that redirects lead to; None for other kinds, and where there is none any more."""
    ids = {row.site_space_id for row in rows if row.page_id is not None}
    if not ids:
        return [None for _ in rows]
    shown = {row.id: row.revision_id for row in await _shown.rows(ctx, ids=ids)}
    revisions = await revisions_by_id(ctx, shown.values())
    pairs = ((revisions.get(shown.get(row.site_space_id, "")), row.page_id) for row in rows)
    return await each_object(ctx, find_pages, pairs)


async def with_stable_pages(ctx: Context, destinations: Sequence[Data]) -> list[Data]:
    """Destinations with stable ids of pages, where they name one by an id with a place.

    That place is in the space of the site space. Ids with other places stay, and name nothing.
    """
    named_spaces = {
        destination[SITE_SPACE]
        for destination in destinations
        if PAGE in destination and placed_id(destination[PAGE]) is not None
    }
    if not named_spaces:
        return list(destinations)
    spaces = {row.id: row.space_id for row in await _site_spaces.rows(ctx, True, ids=named_spaces)}
    # (space, page) of each; "" where it names none.
    named = [
        (spaces.get(destination.get(SITE_SPACE), ""), destination.get(PAGE, ""))
        for destination in destinations
    ]
    stable_ids = await stable_ids_of(ctx, named)
    return [
        {**destination, PAGE: stable_ids[name]}
        if stable_ids.get(name) == stable_part(PAGE_KIND, name[1])
        else destination
        for name, destination in zip(named, destinations, strict=True)
    ]


async def missing_members(
    ctx: Context, destinations: Sequence[tuple[str, Data]], *, for_caller: bool = False
) -> list[str | None]:
    """For each site and destination on it: the member that names nothing; None if all is there.

    `for_caller` takes what the caller may not see for absent. It takes a statement for sections,
    one for site spaces, and one for each level of the maps of pages.
    """
    sections = {destination[SECTION] for _, destination in destinations if SECTION in destination}
    spaces = {
        destination[SITE_SPACE] for _, destination in destinations if SITE_SPACE in destination
    }
    there = {}
    if sections:
        there = dict(await _sections.rows(ctx, for_caller, ids=sections))
    placed: dict[str, Any] = {}
    if spaces:
        placed = {row.id: row for row in await _site_spaces.rows(ctx, for_caller, ids=spaces)}
    pages: dict[str, set[str]] = {}
    for _, destination in destinations:
        if PAGE in destination and destination[SITE_SPACE] in placed:
            pages.setdefault(destination[SITE_SPACE], set()).add(destination[PAGE])
    walks = [(placed[id].space_id, lookup(placed[id].pages_root, ids)) for id, ids in pages.items()]
    entries = dict(zip(pages, await walk_all(ctx, walks), strict=True))

    def missing(site_id: str, destination: Data) -> str | None:
        if SECTION in destination:
            return None if there.get(destination[SECTION]) == site_id else SECTION
        if SITE_SPACE in destination:
            space = placed.get(destination[SITE_SPACE])
            if space is None or space.site_id != site_id:
                return SITE_SPACE
            if PAGE in destination and destination[PAGE] not in entries[destination[SITE_SPACE]]:
                return PAGE
        return None

    return [missing(site_id, destination) for site_id, destination in destinations]
