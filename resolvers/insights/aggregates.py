"""Answers to questions about the events of sites (docs/sites.md, "Questions")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from db.enums import Role, TokenScope
from db.models.sites import Site
from db.site_enums import InsightsColumn, InsightsInterval
from resolvers.access.policy import ranks_of
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.statements import StatementCache
from resolvers.insights.columns import COLUMNS, RATINGS
from resolvers.insights.questions import InsightsQueryInput, Plan, Question, Term, read_question
from resolvers.insights.statements import answers
from resolvers.lists.batches import reads
from resolvers.sites.operations import must_site

# Plans are as many as callers think of: they are kept apart from the statements of everybody.
_STATEMENTS: StatementCache = {}


@dataclass(frozen=True, slots=True)
class InsightsValues:
    """One column of an answer; the values of a row stand at the same place in all columns."""

    column: InsightsColumn
    values: Sequence[Any]
    interval: InsightsInterval | None = None
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Insights:
    """The answer to a question."""

    columns: Sequence[InsightsValues]


@dataclass(frozen=True)
class InsightsArguments:
    """Arguments of a question about the events of sites."""

    input: Annotated[InsightsQueryInput, inputs.argument("The question.")]


async def get_site_insights(
    ctx: Context,
    site_id: SiteId,
    input: InsightsQueryInput,
    organization_id: InOrganization = None,
) -> Insights:
    """What visitors did on a site, counted; needs the organization role `create`."""
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, projection=only("id"))
    return (await _answer(ctx, [site.id], input))[site.id]


@reads("id", scope=TokenScope.SITE_INSIGHTS_READ)
async def insights_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: InsightsArguments
) -> list[Insights]:
    """What visitors did on each site, counted; needs the organization role `create`."""
    await must_create(ctx, rows)
    ids = [row.id for row in rows]
    insights = await _answer(ctx, ids, arguments.input)
    return [insights[id] for id in ids]


async def must_create(ctx: Context, rows: Sequence[Site]) -> None:
    """Forbidden unless the caller has the role `create` on every one of the sites.

    Readers are not enough: keys of share links and claims of visitors are secrets.
    """
    if any(rank < Role.CREATE.rank for rank in await ranks_of(ctx, Site, rows)):
        raise Forbidden("this needs the role 'create' on the site")


async def _answer(
    ctx: Context, ids: Sequence[str], query: InsightsQueryInput
) -> dict[str, Insights]:
    """The answers by the ids of sites, in one statement."""
    question = read_question(query, ctx.now())
    rows_by_site: dict[str, list[Any]] = {id: [] for id in ids}
    rows = await answers.rows(
        ctx,
        question.plan,
        cache=_STATEMENTS,
        sites=list(rows_by_site),
        most=question.limit,
        **question.values,
    )
    for row in rows:
        rows_by_site[row.site_id].append(row)
    return {id: _insights(question, under) for id, under in rows_by_site.items()}


def _insights(question: Question, rows: list[Any]) -> Insights:
    plan = question.plan
    nothing = not rows and not plan.single and not plan.groups
    # Counts without groups are one row, also where there is nothing to count; filters of counts
    # may have left that row out.
    zero = nothing and not any(condition.term.counts for condition in plan.where)
    return Insights(
        [
            InsightsValues(
                term.column,
                [_zero(term)] if zero else _values(plan, number, term, rows),
                term.interval,
                None if term.claim is None else str(question.values[term.claim]),
            )
            for number, term in enumerate(plan.select)
        ]
    )


def _zero(term: Term) -> Any:
    if term.column in RATINGS:
        return dict.fromkeys(RATINGS[term.column][2], 0)
    return 0


def _values(plan: Plan, number: int, term: Term, rows: list[Any]) -> list[Any]:
    if term.column in RATINGS:
        name = term.column.name.lower()
        return [
            {part: getattr(row, f"{name}_{part}") for part in RATINGS[term.column][2]}
            for row in rows
        ]
    show = COLUMNS[term.column].show
    return [show(getattr(row, f"answer_{number}")) for row in rows]
