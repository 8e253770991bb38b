"""Why something of a site is hidden: every condition, worked out for chosen claims.

For those who edit a site. Nothing here decides what visitors see (resolvers/published/visitors.py
does), so a test compares the two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
import strawberry

from content.documents.evaluation import variables_context
from content.expressions.conditions import Explanation, explain
from content.expressions.references import Path
from content.expressions.syntax import UNDEFINED
from content.visitors.claims_schema import UNSIGNED, member_path
from db.enums import Role
from db.models.sites import Site
from db.site_enums import ConditionPlace
from resolvers.access.claims_schemas import claims_schemas
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound
from resolvers.core.scalars import JsonObject
from resolvers.lists.batches import for_role, reads
from resolvers.published.audiences import taken_claims
from resolvers.published.visitors import Structure, structures_of
from resolvers.revisions.read_targets import ROOTS, find_revision
from resolvers.revisions.tree import all_pages
from resolvers.sites.operations import must_site

# Pages with conditions in one answer.
PAGES = 1000

ChosenClaims = Annotated[
    JsonObject | None,
    inputs.argument("Claims of the visitor; those without a signature in `unsigned`."),
]
OfSiteSpace = Annotated[
    strawberry.ID | None, inputs.argument("With the conditions of the pages of this site space.")
]


@dataclass(frozen=True, slots=True)
class ReadName:
    """A name that a condition reads."""

    name: str
    # As JSON; None when there is nothing.
    value: str | None


@dataclass(frozen=True, slots=True)
class ConditionOutcome:
    """The outcome of a condition, and where it stands."""

    place: ConditionPlace
    id: str
    title: str
    condition: str
    holds: bool
    shown: bool
    problem: str | None
    reads: Sequence[ReadName]


@dataclass(frozen=True, slots=True)
class SiteConditions:
    """The conditions of a site for some claims."""

    claims: Mapping[str, Any]
    structure: Sequence[ConditionOutcome]
    pages: Sequence[ConditionOutcome] | None
    more_pages: int | None


async def get_site_conditions(
    ctx: Context,
    id: SiteId,
    claims: ChosenClaims = None,
    site_space: OfSiteSpace = None,
    organization_id: InOrganization = None,
) -> SiteConditions:
    """What the conditions of a site come to for a visitor with these claims, and which values they
    read: why something is hidden. Needs the organization role `edit`.

    NotFound for a site space that is not on the site, or whose space you may not read.
    """
    site = await must_site(ctx, id, organization_id, Role.EDIT, projection=only("id"))
    (result,) = await _conditions(ctx, [site], claims, site_space)
    if isinstance(result, ApiError):
        raise result
    return result


@dataclass(frozen=True)
class ConditionArguments:
    """For which visitor conditions are worked out."""

    claims: ChosenClaims = None
    site_space: OfSiteSpace = None


@reads("id")
async def conditions_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: ConditionArguments
) -> list[SiteConditions | ApiError]:
    """The conditions of each site for some claims; Forbidden without the role `edit`."""
    return await for_role(
        ctx, Site, rows, Role.EDIT,
        lambda sites: _conditions(ctx, sites, arguments.claims, arguments.site_space),
    )  # fmt: skip


async def _conditions(
    ctx: Context, sites: Sequence[Site], claims: ChosenClaims, site_space: str | None
) -> list[SiteConditions | ApiError]:
    """The conditions of sites that the caller may edit, read for all of them at once."""
    ids = [site.id for site in sites]
    schemas = await claims_schemas(ctx, ids)
    structures = await structures_of(ctx, ids)
    signed = dict(claims or {})
    unsigned = signed.pop(UNSIGNED, None)
    unsigned = unsigned if isinstance(unsigned, Mapping) else {}
    results: list[SiteConditions | ApiError] = []
    for id in ids:
        claims_taken = taken_claims(schemas.get(id), signed, unsigned)
        outcomes, hidden = _of_structure(structures[id], claims_taken)
        if site_space is None:
            results.append(SiteConditions(claims_taken, outcomes, None, None))
            continue
        spaces = structures[id].site_spaces
        # On one site at most, so that this is read once.
        placed = [row for row in spaces if row.id == site_space and not row.in_bin]
        try:
            if not placed:
                raise NotFound(f"site space {site_space!r} does not exist on this site")
            shown = placed[0].id not in hidden
            pages = await _of_pages(ctx, placed[0].space_id, claims_taken, shown=shown)
        except NotFound as error:
            results.append(error)
            continue
        more = max(0, len(pages) - PAGES)
        results.append(SiteConditions(claims_taken, outcomes, pages[:PAGES], more))
    return results


def _of_structure(
    structure: Structure, claims: Mapping[str, Any]
) -> tuple[list[ConditionOutcome], set[str]]:
    """Outcomes of sections and site spaces in their order, and what is hidden of both."""
    context = variables_context({}, None, dict(claims))
    outcomes: list[ConditionOutcome] = []
    hidden: set[str] = set()

    def look(place: ConditionPlace, row: Any, above: str | None) -> None:
        explained = explain(row.condition, context)
        shown = explained.holds and above not in hidden
        if not shown:
            hidden.add(row.id)
        if row.condition is not None:
            outcomes.append(_outcome(place, row, explained, shown))

    for row in structure.sections:
        look(ConditionPlace.SECTION, row, None)
    for row in structure.site_spaces:
        if not row.in_bin:
            look(ConditionPlace.SITE_SPACE, row, row.section_id)
    return outcomes, hidden


async def _of_pages(
    ctx: Context, space_id: str, claims: Mapping[str, Any], *, shown: bool
) -> list[ConditionOutcome]:
    revision = await find_revision(ctx, space_id, columns=ROOTS | {"variables"})
    (pages,) = await all_pages(ctx, [revision])
    outcomes = []
    hidden: set[str] = set()
    for page in pages:
        there = shown and page.parent_id not in hidden
        if page.condition is not None:
            context = variables_context(dict(revision.variables), page.variables, dict(claims))
            explained = explain(page.condition, context)
            there = there and explained.holds
            outcomes.append(_outcome(ConditionPlace.PAGE, page, explained, there))
        if not there:
            hidden.add(page.id)
    return outcomes


def _outcome(
    place: ConditionPlace, row: Any, explained: Explanation, shown: bool
) -> ConditionOutcome:
    reads = [ReadName(_name(path), _json(value)) for path, value in explained.reads.items()]
    return ConditionOutcome(
        place,
        row.id,
        row.title,
        row.condition,
        explained.holds,
        shown,
        explained.problem,
        reads,
    )


def _name(path: Path) -> str:
    text = path[0]
    for name in path[1:]:
        text = member_path(text, name)
    return text


def _json(value: Any) -> str | None:
    return None if value is UNDEFINED else orjson.dumps(value).decode()
