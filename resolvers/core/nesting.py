"""Relations that are read with their rows: one statement for several levels.

Whoever fetches rows is told which batch functions will be called with them (`Wanted.below`). Where
few rows are to be expected, the statement selects for each row what those functions would find, as
JSON (`written`), and leaves it with the context (`leave`), where they look first. A statement for
each level costs the way to the database and the policy anew; nested subqueries cost more for each
row. So the number of rows decides, and the policy is part of the statement either way: rows of a
relation are nested only under rows of what they follow, which the policy has let through.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from sqlalchemy import BindParameter, ColumnElement, Select, func, select, type_coerce
from sqlalchemy.sql import visitors

from db.prepared import ACTOR_RANK, POSTGRESQL, as_driver_text
from db.rows import SQLITE, Column, Nested, RowClasses, model_row_classes
from resolvers.core.context import Context
from resolvers.core.installation import Settings
from resolvers.core.statements import ACTOR_ID, Columns, ViewerKind

# Rows that a statement may nest. More of them take longer than a statement for each level does
# (docs/performance.md).
LIMITS: Mapping[str, int] = {POSTGRESQL: 100, SQLITE: 100}
# Ways to ask that one field's plans are kept for.
KEPT = 32
# Callers choose the shapes of statements, so that not all are kept.
MOST_SHAPES = 256
# Relations in one statement. Callers choose them, and each takes time to write; functions of
# PostgreSQL take 100 arguments at most.
NESTS = 16
# Levels below a row.
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Part:
    """What a relation says of its rows under one row of `model`, before they are read."""

    # Everything that changes the text.
    variant: tuple[Hashable, ...]
    # At most so many under each row.
    size: int
    # Of the parameters in the text.
    values: Mapping[str, Any]
    # Attributes that have to be read of its rows.
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class OuterRow:
    """A row of the statement around, as what is nested in it sees it."""

    model: Any
    # What stands for it in the FROM clause.
    source: Any
    # What has its columns by the names of the attributes.
    columns: Any

    def column(self, name: str) -> Any:
        """Its column for an attribute of the model."""
        return getattr(self.columns, name)


class Relation(Protocol):
    """A batch function whose values can be read with the rows it is called with."""

    model: Any
    reads: frozenset[str]

    def foresee(
        self, settings: Settings, model: Any, arguments: Any, columns: Columns, *, single: bool
    ) -> Part | None:
        """What it would read under rows of `model`, of which there is one at most if `single`.

        None where it has to be read by itself.
        """
        ...

    def nested(self, viewer: ViewerKind, outer: OuterRow, nest: "Nest", prefix: str) -> Select[Any]:
        """Its rows under one row: a correlated statement, whatever its columns."""
        ...

    def parent(self, row: Any) -> str:
        """The key of a row that its values are found by."""
        ...


@dataclass(frozen=True, slots=True)
class Nest:
    """A relation in a statement: what its text depends on."""

    relation: Any
    variant: tuple[Hashable, ...]
    columns: tuple[str, ...]
    # Whether it gives a list for each row, or one row or none.
    many: bool
    below: tuple["Nest", ...]
    # It is looked up with every request.
    hash: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        own = hash((self.relation, self.variant, self.columns, self.many, self.below))
        object.__setattr__(self, "hash", own)

    def __hash__(self) -> int:
        return self.hash


@dataclass(frozen=True, slots=True)
class Place:
    """Where the values of a nest are left."""

    nest: Nest
    key: Hashable
    below: tuple["Place", ...]


@dataclass(slots=True, eq=False)
class Shape:
    """What whoever nests the same in rows of the same model shares, whatever the document."""

    # Whether anybody has asked in it before.
    asked: bool = False
    statements: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Nesting:
    """What one statement nests in its rows."""

    places: tuple[Place, ...]
    # What the statement's text depends on.
    nests: tuple[Nest, ...]
    values: dict[str, Any]
    # Whether that is all that will be asked of the rows, on all levels.
    whole: bool
    shape: Shape


class _Unknown:
    """Nothing was worked out yet."""


_UNKNOWN = _Unknown()


def _key(relation: Any, arguments: Any, columns: Columns) -> Hashable:
    """What tells a call of a batch function from others."""
    return relation, arguments, columns, getattr(columns, "beside", None)


def foreseen(
    ctx: Context, relation: Any, arguments: Any, columns: Columns, keys: set[str]
) -> dict[str, Any] | None:
    """What was read with the rows for this call, by the keys of all the rows; or None."""
    if not ctx.foreseen:
        return None
    left = ctx.foreseen.get(_key(relation, arguments, columns))
    return left if left is not None and left.keys() >= keys else None


def nesting(
    settings: Settings, dialect: str, model: Any, columns: Columns, rows: int = 1
) -> Nesting | None:
    """What to nest in so many rows of `model`; None without anything."""
    below = getattr(columns, "below", ())
    if not below:
        return None
    # What is told of the rows is one object for all requests that ask in the same way.
    kept: dict[Hashable, Nesting | _Unknown | None] = columns.kept  # type: ignore[union-attr]
    key = (settings, dialect, model, rows)
    # Another thread may change the dictionary at any time.
    found = kept.get(key, _UNKNOWN)
    if isinstance(found, _Unknown):
        planner = _Planner(settings, LIMITS[dialect])
        places = planner.places(model, below, rows, "", 0, single=rows == 1)
        nests = tuple(place.nest for place in places)
        found = None
        if places:
            shape = _shape(dialect, model, nests)
            found = Nesting(places, nests, planner.values, planner.whole, shape)
        if len(kept) >= KEPT:
            kept.clear()
        kept[key] = found
    return found


def nesting_for(ctx: Context, model: Any, columns: Columns, rows: int = 1) -> Nesting | None:
    """What a request nests in so many rows; None where it goes level by level.

    That is also what the first request of a shape does: a statement takes milliseconds to write.
    """
    if not ctx.nesting:
        return None
    found = nesting(ctx.settings, ctx.reader.dialect, model, columns, rows)
    if found is None or found.shape.asked:
        return found
    found.shape.asked = True
    return None


# Shapes by database, model of the rows, and what is nested in them.
SHAPES: dict[tuple[str, Any, tuple[Nest, ...]], Shape] = {}


def _shape(dialect: str, model: Any, nests: tuple[Nest, ...]) -> Shape:
    """The shape of statements that nest this in rows of the model."""
    key = (dialect, model, nests)
    found = SHAPES.get(key)
    if found is None:
        if len(SHAPES) >= MOST_SHAPES:
            # Documents that are in use hold on to theirs.
            SHAPES.clear()
        found = SHAPES[key] = Shape()
    return found


class _Planner:
    """Chooses what is nested while the rows are few enough."""

    def __init__(self, settings: Settings, limit: int) -> None:
        self._settings = settings
        self._left = limit
        self._nests = NESTS
        self.values: dict[str, Any] = {}
        self.whole = True

    def places(
        self, model: Any, below: Sequence[Any], rows: int, prefix: str, depth: int, *, single: bool
    ) -> tuple[Place, ...]:
        found: list[Place] = []
        for one in below:
            place = self._place(model, one, rows, f"{prefix}{len(found)}_", depth, single=single)
            if place is None:
                self.whole = False
            else:
                found.append(place)
        return tuple(found)

    def _place(
        self, model: Any, one: Any, rows: int, prefix: str, depth: int, *, single: bool
    ) -> Place | None:
        relation: Relation = one.call
        part = relation.foresee(self._settings, model, one.arguments, one.columns, single=single)
        if part is None or depth >= DEPTH or rows * part.size > self._left or not self._nests:
            return None
        total = rows * part.size
        self._left -= total
        self._nests -= 1
        many = getattr(relation, "many", True)
        below = self.places(
            relation.model, getattr(one.columns, "below", ()), total, prefix, depth + 1,
            single=False,
        )  # fmt: skip
        self.values.update({f"n{prefix}{name}": value for name, value in part.values.items()})
        keys = {name for place in below for name in place.nest.relation.reads}
        columns = tuple(sorted((part.columns | keys) - {ACTOR_RANK}))
        nest = Nest(relation, part.variant, columns, many, tuple(place.nest for place in below))
        return Place(nest, _key(relation, one.arguments, one.columns), below)


# ------------------------------------------------------------------ statements


def name_of(place: int) -> str:
    """The name of the column that holds the values of a statement's nest."""
    return f"nested_{place}"


def written(
    viewer: ViewerKind, outer: OuterRow, nests: Sequence[Nest], prefix: str = ""
) -> list[ColumnElement[Any]]:
    """The columns that hold the values of nests, as JSON: lists of the values of each row."""
    return [
        _written(viewer, outer, nest, f"{prefix}{place}_").label(name_of(place))
        for place, nest in enumerate(nests)
    ]


def _written(viewer: ViewerKind, outer: OuterRow, nest: Nest, prefix: str) -> ColumnElement[Any]:
    model = nest.relation.model
    found = nest.relation.nested(viewer, outer, nest, prefix).correlate(outer.source)
    own = OuterRow(model, model.__table__, model)
    columns = [getattr(model, name) for name in nest.columns]
    inner = written(viewer, own, nest.below, prefix)
    if viewer.dialect == SQLITE:
        return _sqlite(found, columns, inner, many=nest.many)
    values = func.json_build_array(*map(as_driver_text, columns), *inner)
    one = found.with_only_columns(values, maintain_column_froms=True).scalar_subquery()
    return func.to_json(func.array(one) if nest.many else one, type_=Nested())


def _sqlite(
    found: Select[Any], columns: list[Any], inner: list[ColumnElement[Any]], *, many: bool
) -> ColumnElement[Any]:
    named = [column.label(f"c{place}") for place, column in enumerate(columns)]
    rows = found.with_only_columns(*named, *inner, maintain_column_froms=True).subquery()
    # What subqueries give is text to their surroundings, unless it is said again to be JSON.
    nested = {one.name for one in inner}
    values = [func.json(one) if one.name in nested else one for one in rows.c]
    made = func.json_array(*values)
    whole = func.json_group_array(made) if many else made
    return select(type_coerce(whole, Nested())).scalar_subquery()


def named_apart(condition: ColumnElement[bool], prefix: str) -> ColumnElement[bool]:
    """The condition with other names for its parameters."""

    def renamed(element: Any, **_: Any) -> Any:
        if isinstance(element, BindParameter) and element.required and element.key != ACTOR_ID:
            return BindParameter(f"n{prefix}{element.key}", type_=element.type, required=True)
        return None

    made: ColumnElement[bool] = visitors.replacement_traverse(condition, {}, renamed)
    return made


# ------------------------------------------------------------------ rows


def leave(ctx: Context, found: Nesting | None, rows: Sequence[Any]) -> None:
    """Leave with the context what is nested in rows, for the batch functions."""
    if found is None:
        return
    dialect = ctx.reader.dialect
    for number, place in enumerate(found.places):
        name = name_of(number)
        _leave(ctx, dialect, place, rows, [getattr(row, name) for row in rows])


def _leave(
    ctx: Context, dialect: str, place: Place, rows: Sequence[Any], values: Sequence[Any]
) -> None:
    nest = place.nest
    parent = nest.relation.parent
    make = _classes(nest.relation.model, nest.columns, dialect).of_tuple
    left = ctx.foreseen.setdefault(place.key, {})
    made: list[Any] = []
    if nest.many:
        for row, value in zip(rows, values, strict=True):
            own = [make(one) for one in value]
            left[parent(row)] = own
            made += own
    else:
        for row, value in zip(rows, values, strict=True):
            key = parent(row)
            if key in left:
                continue
            own_row = left[key] = None if value is None else make(value)
            if own_row is not None:
                made.append(own_row)
    width = len(nest.columns)
    for number, below in enumerate(place.below):
        _leave(ctx, dialect, below, made, [row[width + number] for row in made])


@lru_cache(maxsize=1024)
def _classes(model: Any, names: tuple[str, ...], dialect: str) -> RowClasses:
    found = [(name, getattr(model, name).__clause_element__()) for name in names]
    columns = [Column(name, one.type, one.nullable) for name, one in found]
    return model_row_classes(model, columns, dialect)
