"""Search in a site: which of its spaces are searched (docs/sites.md, "Search in a site").

Spaces are those that the caller may read: for a visitor of the published site what its claims
leave of the site, for people of the organization what their roles show them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import func

from db.enums import TokenScope
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from db.site_enums import SiteSearchMode, SiteSearchOldMode
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.inputs import BOUNDS, LIST_LIMIT, Bounds
from resolvers.core.pagination import PageArguments, Slice, fingerprint
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.search.groups import SpaceHits, grouped
from resolvers.search.homes import searched_within
from resolvers.search.operations import QUERY_LENGTH

_SPECIFIC = "siteSpaceIds"


@dataclass(frozen=True)
class SiteSearchArguments(PageArguments):
    """Arguments of a search in a site: the query, and the site spaces that it looks in."""

    query: Annotated[
        str,
        inputs.argument(
            "Words, and phrases in quotes, 1 to 512 characters; the last word may be "
            "the beginning of one. Pages with all of them, or, when there are none, with any."
        ),
    ] = field(kw_only=True, metadata={BOUNDS: Bounds(1, QUERY_LENGTH)})
    mode: Annotated[
        SiteSearchMode,
        inputs.argument(
            "Which spaces are searched: of each section the default or, where there "
            "is one, the variant in the language of `currentSiteSpace`, and that one itself; "
            "those in `siteSpaceIds`; or all."
        ),
    ] = SiteSearchMode.DEFAULT
    current_site_space: Annotated[
        strawberry.ID | None, inputs.argument("Id of the site space that is read now.")
    ] = None
    included_site_spaces: Annotated[
        list[strawberry.ID] | None, inputs.argument("Ids of site spaces that are searched besides.")
    ] = field(default=None, metadata={BOUNDS: Bounds(maximum=LIST_LIMIT)})
    site_space_ids: Annotated[
        list[strawberry.ID] | None,
        inputs.argument("Ids of the site spaces for the mode `specific`."),
    ] = field(default=None, metadata={BOUNDS: Bounds(1, LIST_LIMIT)})


@strawberry.input(description="Which spaces of a site are searched.")
class SiteSearchScopeInput:
    mode: SiteSearchMode = inputs.field(
        "`default`: of each section the default or, where there is one, the variant in the "
        "language of the current site space, and that one itself; `specific`: those that are "
        "named; `all`.",
        required=True,
    )
    current_site_space: str | None = inputs.text(
        "Id of the site space that is read now, for the mode `default`."
    )
    included_site_spaces: list[strawberry.ID] | None = inputs.items(
        "Ids of site spaces that are searched besides, for the mode `default`. Deprecated: name "
        "all of them in the mode `specific`."
    )
    site_space_ids: list[strawberry.ID] | None = inputs.items(
        "Ids of the site spaces for the mode `specific`.", min=1
    )


@strawberry.input(description="A search in a site; `scope`, or else the deprecated fields.")
class SiteSearchInput:
    query: str = inputs.text(
        "Words, and phrases in quotes; the last word may be the beginning of one.",
        required=True, min=1, max=QUERY_LENGTH,
    )  # fmt: skip
    scope: SiteSearchScopeInput | None = inputs.field(
        "Which spaces are searched; the mode `default` when absent."
    )
    mode: SiteSearchOldMode | None = inputs.field("Deprecated: use `scope`.")
    site_space_ids: list[strawberry.ID] | None = inputs.items(
        "Deprecated: use `scope`. Ids of the site spaces that are searched.", min=1
    )
    site_space_id: str | None = inputs.text(
        "Deprecated: use `scope`. Id of the one site space that the mode `current` searches."
    )


def search_arguments(input: SiteSearchInput) -> Mapping[str, Any]:
    """The arguments of a search from its body; Invalid for forms that do not go together."""
    scope = input.scope
    if scope is None:
        return {"query": input.query, **_old_scope(input)}
    for name, value in (
        ("mode", input.mode), (_SPECIFIC, input.site_space_ids),
        ("siteSpaceId", input.site_space_id),
    ):  # fmt: skip
        if value is not None:
            raise invalid(name, "is not allowed beside `scope`")
    return {
        "query": input.query,
        "mode": scope.mode,
        "current_site_space": scope.current_site_space,
        "included_site_spaces": scope.included_site_spaces,
        "site_space_ids": scope.site_space_ids,
    }


def _old_scope(input: SiteSearchInput) -> Mapping[str, Any]:
    """The scope of the deprecated fields: `current`, `all`, or `specific`, which is the default."""
    mode, ids = input.mode, input.site_space_ids
    if mode is SiteSearchOldMode.CURRENT:
        if input.site_space_id is None:
            raise invalid("siteSpaceId", "is required with the mode 'current'")
        if ids is not None:
            raise invalid(_SPECIFIC, "is not allowed with the mode 'current'")
        return {"mode": SiteSearchMode.SPECIFIC, "site_space_ids": [input.site_space_id]}
    if input.site_space_id is not None:
        raise invalid("siteSpaceId", "is allowed with the mode 'current' only")
    if mode is SiteSearchOldMode.ALL:
        if ids is not None:
            raise invalid(_SPECIFIC, "is not allowed with the mode 'all'")
        return {"mode": SiteSearchMode.ALL}
    if mode is None and ids is None:
        return {"mode": SiteSearchMode.DEFAULT}
    return {"mode": SiteSearchMode.SPECIFIC, "site_space_ids": ids}


@statement
def _placed(viewer: Viewer) -> Written:
    """The site spaces that may be read with what the scope of a search follows from, in order."""
    default = func.coalesce(SiteSection.default_site_space_id, Site.default_site_space_id)
    return (
        visible(viewer, SiteSpace)
        .outerjoin(SiteSection, SiteSection.id == SiteSpace.section_id)
        .where(among(SiteSpace.site_id, "sites"))
        .with_only_columns(
            SiteSpace.id,
            SiteSpace.site_id,
            SiteSpace.section_id,
            SiteSpace.space_id,
            Space.language,
            (SiteSpace.id == default).label("is_default"),
        )
        .order_by(SiteSpace.site_id, SiteSpace.position, SiteSpace.id)
    )


@reads("id", "organization_id", scope=TokenScope.SITE_SEARCH)
async def search_sites(
    ctx: Context, rows: Sequence[Site], arguments: SiteSearchArguments
) -> list[Slice[SpaceHits]]:
    """Spaces of a site in which a query finds pages, with the best pages first."""
    _check(arguments)
    placed: dict[str, list[Any]] = {row.id: [] for row in rows}
    ctx.count_searches(len(placed))
    for row in await _placed.rows(ctx, sites=list(placed)):
        placed[row.site_id].append(row)
    # Each is a search of its own; parents may lead to the same site.
    organizations = {row.id: row.organization_id for row in rows}
    scopes = [
        (organization, sorted({row.space_id for row in _in_scope(placed[id], arguments)}))
        for id, organization in organizations.items()
    ]
    slices = {}
    for id, within in zip(organizations, await searched_within(ctx, scopes), strict=True):
        mark = fingerprint("site-search", id, arguments.query, *within.spaces)
        slices[id] = await grouped(ctx, arguments, arguments.query, mark, id, within)
    return [slices[row.id] for row in rows]


def _check(arguments: SiteSearchArguments) -> None:
    """Raise Invalid for ids that the mode does not take, or lacks."""
    mode = arguments.mode
    specific = mode is SiteSearchMode.SPECIFIC
    if specific and not arguments.site_space_ids:
        raise invalid(_SPECIFIC, "is required with the mode 'specific'")
    others = (
        (_SPECIFIC, arguments.site_space_ids, specific),
        ("currentSiteSpace", arguments.current_site_space, mode is SiteSearchMode.DEFAULT),
        ("includedSiteSpaces", arguments.included_site_spaces, mode is SiteSearchMode.DEFAULT),
    )
    for name, value, allowed in others:
        if value is not None and not allowed:
            raise invalid(name, f"is not allowed with the mode {mode.value!r}")


def _in_scope(placed: Sequence[Any], arguments: SiteSearchArguments) -> list[Any]:
    """The site spaces that are searched; Invalid for the id of none that may be read."""
    if arguments.mode is SiteSearchMode.ALL:
        return list(placed)
    by_id = {row.id: row for row in placed}
    if arguments.mode is SiteSearchMode.SPECIFIC:
        return _named(by_id, _SPECIFIC, arguments.site_space_ids or ())
    current = _named(by_id, "currentSiteSpace", filter(None, [arguments.current_site_space]))
    included = _named(by_id, "includedSiteSpaces", arguments.included_site_spaces or ())
    language = current[0].language if current else None
    sections: dict[str | None, list[Any]] = {}
    for row in placed:
        sections.setdefault(row.section_id, []).append(row)
    chosen = [_chosen(variants, language) for variants in sections.values()]
    return [*chosen, *current, *included]


def _named(by_id: Mapping[str, Any], name: str, ids: Iterable[str]) -> list[Any]:
    rows = []
    for id in ids:
        if id not in by_id:
            raise invalid(name, f"{id!r} is no space of this site that you may read")
        rows.append(by_id[id])
    return rows


def _chosen(variants: Sequence[Any], language: Any) -> Any:
    """The site space of one section to search: a variant in the wanted language, or the default.

    A default that is not there for the caller is stood in for by the first one that is.
    """
    default = next((variant for variant in variants if variant.is_default), variants[0])
    if language is None or default.language == language:
        return default
    return next((variant for variant in variants if variant.language == language), default)
