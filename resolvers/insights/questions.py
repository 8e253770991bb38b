"""Questions about the events of a site as callers ask them, checked and taken apart."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import strawberry

from db.site_enums import (
    InsightsColumn,
    InsightsDirection,
    InsightsInterval,
    InsightsOperator,
    InsightsRangePreset,
)
from resolvers.core import inputs
from resolvers.core.errors import invalid
from resolvers.core.scalars import JsonValue
from resolvers.insights.claims import NAME_WORDS, is_name
from resolvers.insights.columns import COLUMNS, COUNTS, Value, read_values

LIMIT = 1000
COLUMNS_LIMIT, GROUPS_LIMIT, FILTERS_LIMIT, VALUES_LIMIT = 50, 10, 50, 100
PRESETS = {
    InsightsRangePreset.LAST_YEAR: dt.timedelta(days=365),
    InsightsRangePreset.LAST_3_MONTHS: dt.timedelta(days=90),
    InsightsRangePreset.LAST_30_DAYS: dt.timedelta(days=30),
    InsightsRangePreset.LAST_7_DAYS: dt.timedelta(days=7),
    InsightsRangePreset.LAST_24_HOURS: dt.timedelta(hours=24),
}


@strawberry.input(description="A column of the events of a site.")
class InsightsColumnInput:
    column: InsightsColumn = inputs.field("Which one.", required=True)
    interval: InsightsInterval | None = inputs.field(
        "Only with `datetime`: times are cut to the beginning of their period, in UTC."
    )
    claim: str | None = inputs.text(
        "Only with `visitorClaim`, which needs it: path of the claim, such as `unsigned.plan`.",
        max=100,
    )
    precision: int | None = inputs.field(
        "Only with `visitorGeoPoint`: 0 to 15; points are not known to this server."
    )


@strawberry.input(description="A condition that events, or the rows of the answer, have to meet.")
class InsightsFilterInput:
    column: InsightsColumn = inputs.field(
        "What is compared; counts are compared after grouping.", required=True
    )
    claim: str | None = inputs.text(
        "Only with `visitorClaim`, which needs it: path of the claim.", max=100
    )
    values: list[JsonValue | None] = inputs.items(
        f"At most {VALUES_LIMIT} values, in the form that the column has in answers; one with the "
        "operators that compare sizes.",
        required=True,
        max=VALUES_LIMIT,
    )
    operator: InsightsOperator | None = inputs.field("How it is compared; `in` when absent.")


@strawberry.input(description="The order of the rows of an answer.")
class InsightsOrderInput:
    by: InsightsColumnInput = inputs.field("A count, or a column of the answer.", required=True)
    direction: InsightsDirection = inputs.field("Smallest or largest first.", required=True)


@strawberry.input(description="A time: a preset, or from one moment until just before another.")
class InsightsRangeInput:
    preset: InsightsRangePreset | None = inputs.field("A time that ends now.")
    start: dt.datetime | None = inputs.field("When it begins.", name="from")
    end: dt.datetime | None = inputs.field("When it is over.", name="to")


# In /v1 the name of a preset stands for the whole object.
InsightsRangeInput.stands_for = "preset"  # type: ignore[attr-defined]


@strawberry.input(description="A question about the events of a site.")
class InsightsQueryInput:
    range: InsightsRangeInput = inputs.field("When the events happened.", required=True)
    select: list[InsightsColumnInput] | None = inputs.items(
        f"What is answered, at most {COLUMNS_LIMIT} columns; `groupBy` and the number of events "
        "when absent.",
        max=COLUMNS_LIMIT,
    )
    where: list[InsightsFilterInput] | None = inputs.items(
        f"At most {FILTERS_LIMIT} conditions, all of which have to hold.", max=FILTERS_LIMIT
    )
    group_by: list[InsightsColumnInput] | None = inputs.items(
        f"Events that are equal in these columns, at most {GROUPS_LIMIT}, are one row. When "
        "absent: by the other selected columns beside a selected count, else not at all.",
        max=GROUPS_LIMIT,
    )
    order: InsightsOrderInput | None = inputs.field(
        "When absent, groups are in the order of their columns, single events newest first."
    )
    limit: int | None = inputs.field(f"Number of rows, 1 to {LIMIT}; {LIMIT} when absent.")

    # Inputs are arguments of batch functions, which are keys of loaders.
    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True, slots=True)
class Term:
    """A column of a question: its interval, or the parameter that holds the path of its claim."""

    column: InsightsColumn
    interval: InsightsInterval | None = None
    claim: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the term counts events of a group."""
        return self.column in COUNTS


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter; `parameters` names what holds its values, `empty` says whether null is one."""

    term: Term
    operator: InsightsOperator
    parameters: tuple[str, ...]
    empty: bool


@dataclass(frozen=True, slots=True)
class Ordering:
    """By what rows are ordered."""

    term: Term
    descending: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A question without its values: everything that its SQL depends on."""

    select: tuple[Term, ...]
    groups: tuple[Term, ...]
    # Without groups, and without counts: each event is a row.
    single: bool
    where: tuple[Condition, ...]
    order: Ordering | None


@dataclass(frozen=True, slots=True)
class Question:
    """A plan with the values of its parameters."""

    plan: Plan
    values: dict[str, Value]
    limit: int


def read_question(query: InsightsQueryInput, now: dt.datetime) -> Question:
    """The plan of a question; Invalid names what is wrong with it."""
    limit = LIMIT if query.limit is None else query.limit
    if not 1 <= limit <= LIMIT:
        raise invalid("limit", f"{limit} is not allowed; it must be 1 to {LIMIT}")
    reading = _Reading()
    start, end = _range(query.range, now)
    values: dict[str, Value] = {"start": start, "end": end}
    select, groups = _shape(query, reading)
    single = not groups and not any(term.counts for term in select)
    where = _conditions(query.where or [], reading, values, single)
    order = None if query.order is None else _order(query.order, reading, select, groups, single)
    values.update((name, claim) for claim, name in reading.claims.items())
    return Question(Plan(select, groups, single, where, order), values, limit)


class _Reading:
    """Reads columns; each claim has one parameter, however often it is named."""

    def __init__(self) -> None:
        self.claims: dict[str, str] = {}

    def term(self, input: InsightsColumnInput, path: str) -> Term:
        """A column, with nothing beside it that belongs to others."""
        column = input.column
        if input.interval is not None and column is not InsightsColumn.DATETIME:
            raise invalid(f"{path}.interval", f"does not go with the column {column.value}")
        if input.precision is not None and (
            column is not InsightsColumn.VISITOR_GEO_POINT or not 0 <= input.precision <= 15
        ):
            raise invalid(f"{path}.precision", "must be 0 to 15 with the column visitorGeoPoint")
        return Term(column, input.interval, self.claim(column, input.claim, path))

    def claim(self, column: InsightsColumn, claim: str | None, path: str) -> str | None:
        """The parameter of a claim."""
        if column is not InsightsColumn.VISITOR_CLAIM:
            if claim is not None:
                raise invalid(f"{path}.claim", f"does not go with the column {column.value}")
            return None
        if claim is None:
            raise invalid(f"{path}.claim", "is required with the column visitorClaim")
        if not is_name(claim):
            raise invalid(f"{path}.claim", f"must be {NAME_WORDS}")
        return self.claims.setdefault(claim, f"claim_{len(self.claims)}")


def _shape(
    query: InsightsQueryInput, reading: _Reading
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The columns of the answer, and those that rows are grouped by."""
    groups = [
        reading.term(column, f"groupBy[{index}]")
        for index, column in enumerate(query.group_by or [])
    ]
    for index, group in enumerate(groups):
        if group.counts:
            raise invalid(f"groupBy[{index}].column", f"{group.column.value} counts; group by less")
    groups = list(dict.fromkeys(groups))
    if not query.select:
        return (*groups, Term(InsightsColumn.EVENTS_COUNT)), tuple(groups)
    select = [reading.term(column, f"select[{index}]") for index, column in enumerate(query.select)]
    plain = [term for term in select if not term.counts]
    if not groups and len(plain) < len(select):
        groups = list(dict.fromkeys(plain))
    if groups:
        for index, term in enumerate(select):
            if not term.counts and term not in groups:
                raise invalid(
                    f"select[{index}]",
                    f"{term.column.value} has many values in a group; name it in groupBy, too",
                )
    return tuple(select), tuple(groups)


def _range(range_: InsightsRangeInput, now: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    custom = range_.start is not None or range_.end is not None
    if custom == (range_.preset is not None):
        raise invalid("range", "must be a preset, or `from` and `to`")
    if range_.preset is not None:
        # Clocks of visitors may be ahead by as much as events may.
        return now - PRESETS[range_.preset], now + dt.timedelta(minutes=6)
    if range_.start is None or range_.end is None:
        raise invalid("range", "needs both `from` and `to`")
    if range_.start >= range_.end:
        raise invalid("range.to", "must be after `from`")
    return range_.start, range_.end


def _conditions(
    filters: Sequence[InsightsFilterInput],
    reading: _Reading,
    values: dict[str, Value],
    single: bool,
) -> tuple[Condition, ...]:
    conditions = []
    for index, filter_ in enumerate(filters):
        path = f"where[{index}]"
        term = Term(filter_.column, None, reading.claim(filter_.column, filter_.claim, path))
        if term.counts and single:
            raise invalid(
                f"{path}.column", f"{filter_.column.value} needs groups or a selected count"
            )
        operator = filter_.operator or InsightsOperator.IN
        compared, empty = read_values(filter_.column, operator, filter_.values, f"{path}.values")
        names = tuple(f"value_{index}_{number}" for number in range(len(compared)))
        if COLUMNS[filter_.column].listed:
            names = (f"values_{index}",)
            values[names[0]] = compared
        else:
            values.update(zip(names, compared, strict=True))
        conditions.append(Condition(term, operator, names, empty))
    return tuple(conditions)


def _order(
    order: InsightsOrderInput,
    reading: _Reading,
    select: tuple[Term, ...],
    groups: tuple[Term, ...],
    single: bool,
) -> Ordering:
    term = reading.term(order.by, "order.by")
    selectable = select if single else groups
    if term not in selectable and (single or not term.counts):
        raise invalid("order.by", f"{term.column.value} is no column of the answer, nor a count")
    return Ordering(term, order.direction is InsightsDirection.DESC)
