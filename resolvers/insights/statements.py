"""Questions about the events of sites as one SQL statement.

Events come first, with the columns that the plan needs and the filters that they can meet; then
groups with their counts; then the filters of counts, the order and the limit, for each site apart.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    distinct,
    exists,
    func,
    literal_column,
    or_,
    select,
    true,
    type_coerce,
)
from sqlalchemy.sql.expression import collate

from db.base import Timestamp
from db.models.insights import InsightsEvent
from db.models.sites import Site
from db.prepared import among
from db.rows import SQLITE
from db.site_enums import InsightsColumn, InsightsOperator
from resolvers.access.policy import visible
from resolvers.core.statements import ViewerKind, Written, statement
from resolvers.insights.columns import COLUMNS, RATINGS, claim_of, moment, quoted
from resolvers.insights.questions import Condition, Ordering, Plan, Term

Named = Mapping[Term, ColumnElement[Any]]
PROPERTY = InsightsColumn.VISITOR_CLAIM_PROPERTY
COMPARED: Mapping[InsightsOperator, Callable[[Any, Any], Any]] = {
    InsightsOperator.GREATER_THAN: lambda value, other: value > other,
    InsightsOperator.GREATER_THAN_OR_EQUAL: lambda value, other: value >= other,
    InsightsOperator.LESS_THAN: lambda value, other: value < other,
    InsightsOperator.LESS_THAN_OR_EQUAL: lambda value, other: value <= other,
}


@statement
def answers(viewer: ViewerKind, plan: Plan) -> Written:
    """The rows of the answer for the sites `sites`, each with its site and its place."""
    dialect = viewer.dialect
    events, names = _events(viewer, plan)
    if plan.single:
        rows, counted, ties = events, dict[Term, ColumnElement[Any]](), [events.c.id.desc()]
    else:
        rows, counted = _groups(events, names, plan)
        ties = []
    columns = {term: rows.c[label] for term, label in names.items()} | counted
    order = _order(plan, columns, rows, dialect) + ties
    place = func.row_number().over(partition_by=rows.c.site_id, order_by=order or rows.c.site_id)
    chosen: list[ColumnElement[Any]] = [
        columns[term].label(f"answer_{number}")
        for number, term in enumerate(plan.select)
        if not _parts(term)
    ]
    chosen += [
        rows.c[f"{term.column.name.lower()}_{part}"]
        for term in plan.select
        for part in _parts(term)
    ]
    placed = select(rows.c.site_id, place.label("place"), *dict.fromkeys(chosen))
    for condition in plan.where:
        if condition.term.counts:
            placed = placed.where(_meets(condition, columns[condition.term], dialect))
    numbered = placed.subquery("placed")
    return (
        select(numbered)
        .where(numbered.c.place <= bindparam("most", type_=Integer()))
        .order_by(numbered.c.site_id, numbered.c.place)
    )


def _parts(term: Term) -> tuple[str, ...]:
    """The numbers that a rating consists of."""
    return tuple(RATINGS[term.column][2]) if term.column in RATINGS else ()


def _events(viewer: ViewerKind, plan: Plan) -> tuple[FromClause, dict[Term, str]]:
    """The events that the filters leave, and the labels of the columns that stand for terms."""
    dialect = viewer.dialect
    terms = [*plan.groups, *(term for term in plan.select if not term.counts)]
    properties = _properties(dialect) if any(term.column is PROPERTY for term in terms) else None
    sql: dict[Term, ColumnElement[Any]] = {}
    for term in terms:
        if term not in sql:
            sql[term] = _sql(dialect, term, properties)
    names = {term: f"column_{number}" for number, term in enumerate(sql)}
    columns: list[ColumnElement[Any]] = [InsightsEvent.site_id.label("site_id")]
    columns += [expression.label(names[term]) for term, expression in sql.items()]
    columns += _counted(plan, dialect)
    statement: Select[Any] = select(*columns).select_from(InsightsEvent)
    if properties is not None:
        statement = statement.join(properties, true())
    # Rows of a site follow it; the viewer has the role already.
    readable = visible(viewer, Site).with_only_columns(Site.id).where(among(Site.id, "sites"))
    statement = statement.where(
        InsightsEvent.site_id.in_(readable),
        InsightsEvent.happened_at >= bindparam("start", type_=Timestamp()),
        InsightsEvent.happened_at < bindparam("end", type_=Timestamp()),
    )
    for condition in plan.where:
        if not condition.term.counts:
            statement = statement.where(_condition(condition, dialect, properties))
    return statement.subquery("events"), names


def _sql(dialect: str, term: Term, properties: Any = None) -> ColumnElement[Any]:
    if term.column is InsightsColumn.DATETIME:
        return moment(dialect, term.interval)
    if term.column is InsightsColumn.VISITOR_CLAIM:
        assert term.claim is not None
        return func.coalesce(claim_of(dialect, term.claim), literal_column("''"), type_=String())
    if term.column is PROPERTY:
        column: ColumnElement[Any] = type_coerce(properties.c.key, String())
        return column
    make = COLUMNS[term.column].sql
    assert make is not None
    return make(dialect)


def _properties(dialect: str) -> Any:
    """The paths of an event's claims, a row for each."""
    if dialect == SQLITE:
        return func.json_each(InsightsEvent.data, quoted("$.claim")).table_valued(
            "key", name="properties"
        )
    claims: Any = InsightsEvent.data.op("->")(quoted("claim"))
    table: Any = func.json_object_keys(claims).table_valued("key", name="properties")
    return table.render_derived()


def _condition(condition: Condition, dialect: str, properties: Any) -> ColumnElement[bool]:
    if condition.term.column is not PROPERTY or properties is not None:
        return _meets(condition, _sql(dialect, condition.term, properties), dialect)
    listed = _properties(dialect)
    held = exists(
        select(literal_column("1"))
        .select_from(listed)
        .where(among(_key(listed), condition.parameters[0]))
    ).correlate(InsightsEvent)
    return ~held if condition.operator is InsightsOperator.NOT_IN else held


def _key(listed: Any) -> ColumnElement[Any]:
    column: ColumnElement[Any] = type_coerce(listed.c.key, String())
    return column


def _meets(condition: Condition, value: ColumnElement[Any], dialect: str) -> ColumnElement[bool]:
    """The condition on a value; null is in no list that does not name it."""
    definition = COLUMNS[condition.term.column]
    kind = value.type if definition.sql is not None else Integer()
    parameters = [bindparam(name, type_=kind) for name in condition.parameters]
    if condition.operator in COMPARED:
        return COMPARED[condition.operator](value, parameters[0])  # type: ignore[no-any-return]
    same: list[ColumnElement[bool]]
    if definition.listed:
        same = [among(value, condition.parameters[0])]
    else:
        same = [value == parameter for parameter in parameters]
    if condition.empty:
        same.append(value.is_(None))
    if condition.operator is InsightsOperator.IN:
        return or_(*same) if same else literal_column("1") == literal_column("0")
    if not same:
        return true()
    apart = and_(*(~_condition_of(part) for part in same))
    return apart if condition.empty else or_(value.is_(None), apart)


def _condition_of(part: ColumnElement[Any]) -> ColumnElement[bool]:
    # `among` is a number to SQLAlchemy, which it would not negate as a condition.
    return case((part, literal_column("1")), else_=literal_column("0")) == literal_column("1")


def _counted(plan: Plan, dialect: str) -> list[ColumnElement[Any]]:
    """The columns of an event that counts read; for lists of events its id and time."""
    if plan.single:
        event: Any = InsightsEvent
        return [event.id.label("id"), event.happened_at.label("happened_at")]
    columns: list[Any] = []
    for name in sorted({term.column.name for term in _counts(plan)}):
        kind = InsightsColumn[name]
        if kind is InsightsColumn.SESSIONS_COUNT:
            columns.append(InsightsEvent.session_id.label("session_id"))
        elif kind is InsightsColumn.VISITORS_COUNT:
            columns.append(InsightsEvent.visitor_id.label("visitor_id"))
        elif kind in RATINGS:
            rating, type_, _ = RATINGS[kind]
            of_type = InsightsEvent.type == literal_column(f"'{type_.value}'")
            value = _sql(dialect, Term(rating))
            columns.append(case((of_type, value)).label(kind.name.lower()))
    return columns


def _counts(plan: Plan) -> list[Term]:
    """Every count that the answer shows, or that filters or the order need."""
    named = [*plan.select, *(condition.term for condition in plan.where)]
    if plan.order is not None:
        named.append(plan.order.term)
    return list(dict.fromkeys(term for term in named if term.counts))


def _groups(
    events: FromClause, names: Mapping[Term, str], plan: Plan
) -> tuple[FromClause, dict[Term, ColumnElement[Any]]]:
    """Events that are equal in the columns of the groups, with their counts."""
    keys = [events.c.site_id, *(events.c[names[term]] for term in plan.groups)]
    counts: list[ColumnElement[Any]] = []
    for term in _counts(plan):
        counts += _count(events, term)
    groups = select(*keys, *counts).group_by(*keys).subquery("groups")
    aggregates: dict[Term, ColumnElement[Any]] = {}
    for term in _counts(plan):
        name = term.column.name.lower()
        parts = _parts(term)
        # Of ratings the score: the first is neither good nor bad, or good.
        good, bad = ("good", "bad") if "good" in parts else ("positive", "negative")
        aggregates[term] = (
            groups.c[f"{name}_{good}"] - groups.c[f"{name}_{bad}"] if parts else groups.c[name]
        )
    return groups, aggregates


def _count(events: FromClause, term: Term) -> list[ColumnElement[Any]]:
    name = term.column.name.lower()
    if term.column is InsightsColumn.EVENTS_COUNT:
        return [func.count().label(name)]
    if term.column is InsightsColumn.SESSIONS_COUNT:
        return [func.count(distinct(events.c.session_id)).label(name)]
    if term.column is InsightsColumn.VISITORS_COUNT:
        return [func.count(distinct(events.c.visitor_id)).label(name)]
    return [
        func.count(case((events.c[name] == _literal(value), literal_column("1")))).label(
            f"{name}_{part}"
        )
        for part, value in RATINGS[term.column][2].items()
    ]


def _literal(value: Any) -> ColumnElement[Any]:
    return literal_column(str(value) if isinstance(value, int) else f"'{value}'")


def _order(plan: Plan, columns: Named, rows: FromClause, dialect: str) -> list[Any]:
    """The order of the rows: as asked for, then by the columns of the groups."""
    order: list[Any] = []
    if plan.order is not None:
        order.append(_sorted(plan.order, columns[plan.order.term], dialect))
    if plan.single:
        return order or [rows.c.happened_at.desc()]
    return order + [_sorted(Ordering(term, False), columns[term], dialect) for term in plan.groups]


def _sorted(ordering: Ordering, value: ColumnElement[Any], dialect: str) -> Any:
    """Null comes before everything, text is compared by its bytes: the same on every database."""
    if dialect != SQLITE and isinstance(value.type, String):
        value = collate(value, "C")
    return value.desc().nulls_last() if ordering.descending else value.asc().nulls_first()
