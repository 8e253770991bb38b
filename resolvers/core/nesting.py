"""Prefetch of relations: one statement for the rows of several levels.

Whoever fetches rows gets the calls of batch functions that follow (`Projection.calls`). Where few
rows are to be expected, the statement selects with each row the values of those calls as JSON
(`nested_columns`) and stores them in the context (`store_prefetched`), where the batch functions
look first (`Relation.prefetched`). A statement for each level costs a round trip and another
evaluation of the policy; nested subqueries cost more for each row. So the number of rows decides.
The policy is part of the statement either way: rows of a relation are nested only under rows whose
access they follow, and those have passed the policy.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, func, select, type_coerce
from sqlalchemy.sql import visitors

from db.prepared import ACTOR_RANK, POSTGRESQL, as_driver_text
from db.rows import SQLITE, Column, Nested, RowClasses, model_row_classes, values_of
from resolvers.core.batch_functions import BatchCall, BatchFunction, Projection
from resolvers.core.context import Context
from resolvers.core.installation import Settings
from resolvers.core.statements import ACTOR_ID, StatementCache, ViewerKind

# Rows that a statement may nest. More of them take longer than a statement for each level does
# (docs/performance.md).
LIMITS: Mapping[str, int] = {POSTGRESQL: 100, SQLITE: 100}
# Plans that one projection caches: by settings, database, model and number of rows.
MAX_CACHED_PLANS = 32
# Callers choose the shapes of statements, so the cache of shapes has a bound.
MAX_SHAPES = 256
# Relations in one statement. Callers choose them, and each takes time to write; functions of
# PostgreSQL take 100 arguments at most.
NESTS = 16
# Levels below a row.
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Part:
    """The plan of a relation: its rows under one row of another model."""

    # Everything that changes the text of the statement.
    variant: tuple[Hashable, ...]
    # The largest number of rows under one row.
    size: int
    # Values of the parameters in the text.
    values: Mapping[str, Any]
    # Attributes to select of its rows.
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class OuterRow:
    """A row of the outer statement, for the statements that are nested in it."""

    model: Any
    # Its element of the FROM clause.
    source: Any
    # Holds its columns by the names of the attributes.
    columns: Any

    def column(self, name: str) -> Any:
        """Its column for an attribute of the model."""
        return getattr(self.columns, name)


class Relation(BatchFunction, ABC):
    """A batch function whose values can be prefetched with its parents."""

    takes_projection = True
    # Whether its value is a list, or one row or null.
    many: bool

    def __init__(self, model: Any, key: str, *, by_itself: bool) -> None:
        """It finds rows of `model` for the attribute `key` of the parents, and is never prefetched
        if `by_itself`."""
        self.model, self.key = model, key
        self.reads = frozenset({key})
        self.prefetchable = not by_itself

    def prefetched(
        self, ctx: Context, arguments: Any, projection: Projection, keys: set[str]
    ) -> dict[str, Any] | None:
        """The prefetched values of a call by key; None unless they are there for all `keys`."""
        if not ctx.prefetched:
            return None
        values = ctx.prefetched.get(BatchCall(self, arguments, projection))
        return values if values is not None and values.keys() >= keys else None

    @abstractmethod
    def plan_prefetch(
        self, settings: Settings, model: Any, call: BatchCall, *, single: bool
    ) -> Part | None:
        """Its rows under rows of `model`, of which there is one at most if `single`.

        None where it cannot be prefetched.
        """

    @abstractmethod
    def nested(self, viewer: ViewerKind, outer: OuterRow, nest: "Nest", prefix: str) -> Select[Any]:
        """Its rows under one row: a correlated statement; the caller replaces its columns."""


@dataclass(frozen=True, slots=True)
class Nest:
    """A relation nested in a statement: everything that the text depends on."""

    relation: Relation
    variant: tuple[Hashable, ...]
    columns: tuple[str, ...]
    children: tuple["Nest", ...]
    # Every request looks it up in caches.
    hash: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        own = hash((self.relation, self.variant, self.columns, self.children))
        object.__setattr__(self, "hash", own)

    def __hash__(self) -> int:
        return self.hash


@dataclass(frozen=True, slots=True)
class Place:
    """A nest with the call whose values it prefetches."""

    nest: Nest
    call: BatchCall
    children: tuple["Place", ...]


@dataclass(slots=True, eq=False)
class Shape:
    """Statements shared by documents that nest the same relations in rows of the same model."""

    # Whether it was requested before.
    requested: bool = False
    statements: StatementCache = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Nesting:
    """The plan of what one statement nests in its rows; by default nothing."""

    places: tuple[Place, ...] = ()
    # The part of it that the text depends on.
    nests: tuple[Nest, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    # Whether no other call will read anything for the rows, on any level.
    whole: bool = False
    # None where nothing is nested.
    shape: Shape | None = None

    @property
    def statements(self) -> StatementCache | None:
        """Where its compiled statements are cached; None for those without nests."""
        return None if self.shape is None else self.shape.statements

    @property
    def is_one_statement(self) -> bool:
        """Whether the statement with the rows is all that is read for them."""
        return self.whole and (self.shape is None or self.shape.requested)


NOTHING = Nesting()


def nesting(
    settings: Settings, dialect: str, model: Any, projection: Projection, rows: int = 1
) -> Nesting:
    """The plan of what to nest in `rows` rows of `model`."""
    key = (settings, dialect, model, rows)
    # Another thread may change the dictionary at any time.
    plan: Nesting | None = projection.cache.get(key)
    if plan is None:
        planner = _Planner(settings, LIMITS[dialect])
        places = planner.places(model, projection.calls, rows, "", 0, single=rows == 1)
        nests = tuple(place.nest for place in places)
        shape = _shape(dialect, model, nests) if nests else None
        plan = Nesting(places, nests, planner.values, planner.whole, shape)
        if len(projection.cache) >= MAX_CACHED_PLANS:
            projection.cache.clear()
        projection.cache[key] = plan
    return plan


def nesting_for(ctx: Context, model: Any, projection: Projection, rows: int = 1) -> Nesting:
    """The plan of what a request nests in `rows` rows; of nothing where it reads level by level.

    The first request of a shape reads level by level, too: building a statement takes milliseconds.
    Nested statements are written for people, not for visitors.
    """
    if not projection.calls or ctx.actor.visitor is not None:
        return NOTHING
    plan = nesting(ctx.settings, ctx.dialect, model, projection, rows)
    if plan.shape is None or plan.shape.requested:
        return plan
    plan.shape.requested = True
    return NOTHING


# Shapes by database, model of the rows, and what is nested in them.
SHAPES: dict[tuple[str, Any, tuple[Nest, ...]], Shape] = {}


def _shape(dialect: str, model: Any, nests: tuple[Nest, ...]) -> Shape:
    """The shape of statements that nest this in rows of the model."""
    key = (dialect, model, nests)
    shape = SHAPES.get(key)
    if shape is None:
        if len(SHAPES) >= MAX_SHAPES:
            # Plans of documents in use hold references to theirs.
            SHAPES.clear()
        shape = SHAPES[key] = Shape()
    return shape


class _Planner:
    """Chooses what is nested while the rows are few enough."""

    def __init__(self, settings: Settings, limit: int) -> None:
        self._settings = settings
        self._left = limit
        self._nests = NESTS
        self.values: dict[str, Any] = {}
        self.whole = True

    def places(
        self,
        model: Any,
        calls: Sequence[BatchCall],
        rows: int,
        prefix: str,
        depth: int,
        *,
        single: bool,
    ) -> tuple[Place, ...]:
        places: list[Place] = []
        for call in calls:
            place = self._place(model, call, rows, f"{prefix}{len(places)}_", depth, single=single)
            if place is None:
                self.whole = False
            else:
                places.append(place)
        return tuple(places)

    def _place(
        self, model: Any, call: BatchCall, rows: int, prefix: str, depth: int, *, single: bool
    ) -> Place | None:
        relation = call.function
        assert isinstance(relation, Relation)
        part = relation.plan_prefetch(self._settings, model, call, single=single)
        if part is None or depth >= DEPTH or rows * part.size > self._left or not self._nests:
            return None
        total = rows * part.size
        self._left -= total
        self._nests -= 1
        children = self.places(
            relation.model, call.projection.calls, total, prefix, depth + 1, single=False
        )
        self.values.update({f"n{prefix}{name}": value for name, value in part.values.items()})
        keys = {place.nest.relation.key for place in children}
        names = tuple(sorted((part.columns | keys) - {ACTOR_RANK}))
        nest = Nest(relation, part.variant, names, tuple(place.nest for place in children))
        return Place(nest, call, children)


# ------------------------------------------------------------------ statements


def nest_label(index: int) -> str:
    """The label of the column that holds the values of a nest."""
    return f"nested_{index}"


def nested_columns(
    viewer: ViewerKind, outer: OuterRow, nests: Sequence[Nest], prefix: str = ""
) -> list[ColumnElement[Any]]:
    """The columns with the values of nests, as JSON: a list of values for each row."""
    return [
        _nested_column(viewer, outer, nest, f"{prefix}{index}_").label(nest_label(index))
        for index, nest in enumerate(nests)
    ]


def _nested_column(
    viewer: ViewerKind, outer: OuterRow, nest: Nest, prefix: str
) -> ColumnElement[Any]:
    model = nest.relation.model
    statement = nest.relation.nested(viewer, outer, nest, prefix).correlate(outer.source)
    own = OuterRow(model, model.__table__, model)
    columns = [getattr(model, name) for name in nest.columns]
    inner = nested_columns(viewer, own, nest.children, prefix)
    if viewer.dialect == SQLITE:
        return _sqlite(statement, columns, inner, many=nest.relation.many)
    values = func.json_build_array(*map(as_driver_text, columns), *inner)
    subquery = statement.with_only_columns(values, maintain_column_froms=True).scalar_subquery()
    return func.to_json(func.array(subquery) if nest.relation.many else subquery, type_=Nested())


def _sqlite(
    statement: Select[Any], columns: list[Any], inner: list[ColumnElement[Any]], *, many: bool
) -> ColumnElement[Any]:
    labelled = [column.label(f"c{index}") for index, column in enumerate(columns)]
    rows = statement.with_only_columns(*labelled, *inner, maintain_column_froms=True).subquery()
    # JSON from a subquery is text outside of it, unless `json` reads it again.
    nested = {column.name for column in inner}
    values = [func.json(column) if column.name in nested else column for column in rows.c]
    array = func.json_array(*values)
    result = func.json_group_array(array) if many else array
    return select(type_coerce(result, Nested())).scalar_subquery()


def with_prefixed_parameters(condition: ColumnElement[bool], prefix: str) -> ColumnElement[bool]:
    """The condition with a prefix on the names of its parameters."""

    def renamed(element: Any, **_: Any) -> Any:
        if isinstance(element, BindParameter) and element.required and element.key != ACTOR_ID:
            return BindParameter(f"n{prefix}{element.key}", type_=element.type, required=True)
        return None

    result: ColumnElement[bool] = visitors.replacement_traverse(condition, {}, renamed)
    return result


# ------------------------------------------------------------------ rows


def store_prefetched(ctx: Context, plan: Nesting, rows: Sequence[Any]) -> None:
    """Store the values that are nested in rows in the context, for the batch functions."""
    dialect = ctx.dialect
    for index, place in enumerate(plan.places):
        name = nest_label(index)
        _store(ctx, dialect, place, rows, [getattr(row, name) for row in rows])


def _store(
    ctx: Context, dialect: str, place: Place, rows: Sequence[Any], values: Sequence[Any]
) -> None:
    nest = place.nest
    make = _classes(nest.relation.model, nest.columns, dialect).of_tuple
    by_key = ctx.prefetched.setdefault(place.call, {})
    keys = values_of(rows, nest.relation.key)
    nested: list[Any] = []
    if nest.relation.many:
        for key, value in zip(keys, values, strict=True):
            children = by_key[key] = [make(item) for item in value]
            nested += children
    else:
        for key, value in zip(keys, values, strict=True):
            if key in by_key:
                continue
            child = by_key[key] = None if value is None else make(value)
            if child is not None:
                nested.append(child)
    width = len(nest.columns)
    for index, inner in enumerate(place.children):
        _store(ctx, dialect, inner, nested, [row[width + index] for row in nested])


@lru_cache(maxsize=1024)
def _classes(model: Any, names: tuple[str, ...], dialect: str) -> RowClasses:
    elements = [getattr(model, name).__clause_element__() for name in names]
    columns = [
        Column(name, element.type, element.nullable)
        for name, element in zip(names, elements, strict=True)
    ]
    return model_row_classes(model, columns, dialect)
