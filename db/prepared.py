"""Statements as text: compiled once for a database, run on its driver with new values.

SQLAlchemy writes the text, once; each run only puts the values of the named parameters in their
places. A list is one parameter (`among`), so that no text depends on how long a list is.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

import orjson
from sqlalchemy import (
    JSON,
    BindParameter,
    ColumnElement,
    Integer,
    Select,
    String,
    Text,
    TypeDecorator,
    bindparam,
    cast,
    column,
    func,
    literal_column,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.asyncpg import dialect as asyncpg_dialect
from sqlalchemy.dialects.sqlite.aiosqlite import dialect as aiosqlite_dialect
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine

from db.base import Timestamp, ordered_text
from db.rows import SQLITE, Column, Layout, RowClasses, model_row_classes, row_classes

POSTGRESQL = "postgresql"
DIALECTS: Mapping[str, Dialect] = {
    POSTGRESQL: asyncpg_dialect(),  # type: ignore[no-untyped-call]
    SQLITE: aiosqlite_dialect(),
}
KEY = ordered_text(64)


class Values(TypeDecorator[Sequence[Any]]):
    """A list as one parameter: an array on PostgreSQL, a JSON text on SQLite."""

    impl = String
    cache_ok = True

    def __init__(self, element: TypeEngine[Any] = KEY) -> None:
        super().__init__()
        self.element = element

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == SQLITE:
            return dialect.type_descriptor(String())
        # Without the length: a cast to it would cut longer values, which could then match.
        return dialect.type_descriptor(ARRAY(String()))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        process = self.element.dialect_impl(dialect).bind_processor(dialect)
        values = list(value) if process is None else [process(item) for item in value]
        return orjson.dumps(values).decode() if dialect.name == SQLITE else values


class _Among(FunctionElement[Any]):
    # Not Boolean: SQLite has none, and would compare the condition with 1 and use no index.
    type = Integer()
    inherit_cache = True


def among(column: Any, name: str) -> ColumnElement[bool]:
    """The condition that `column`, a text, is one of the values of the list parameter `name`."""
    return _Among(column, bindparam(name, type_=Values(column.type)))


@compiles(_Among, POSTGRESQL)
def _among_postgresql(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{column} = ANY ({values})"


@compiles(_Among, SQLITE)
def _among_sqlite(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608 (compiled parts)


def listed(name: str, dialect: str) -> TableValuedAlias:
    """The values of the list parameter `name` as a table: `value` and `key`, which counts up."""
    values = bindparam(name, type_=Values())
    if dialect == SQLITE:
        return func.json_each(values).table_valued(
            column("value", KEY), column("key", Integer()), name="listed"
        )
    return (
        func.unnest(values)
        .table_valued(column("value", KEY), with_ordinality="key", name="listed")
        .render_derived(name="listed")
    )


def _with_times_as_text(
    statement: Select[*tuple[Any, ...]],
) -> Select[*tuple[Any, ...]]:
    """The statement with its times as both interfaces show them.

    The database writes them in less time than the driver and Python take to read and write them.
    """
    selected = list(statement.selected_columns)
    if not any(isinstance(column.type, Timestamp) for column in selected):
        return statement
    shown = [
        _time_as_text(column).label(str(column.key))
        if isinstance(column.type, Timestamp)
        else column
        for column in selected
    ]
    return statement.with_only_columns(*shown, maintain_column_froms=True)


def _time_as_text(column: Any) -> ColumnElement[Any]:
    return func.to_char(
        func.timezone(literal_column(_UTC), column),
        literal_column(_TIME_FORMAT),
        type_=column.type,
    )


def as_driver_text(column: Any) -> ColumnElement[Any]:
    """A column in a JSON array of PostgreSQL: with the values that the driver would give."""
    if isinstance(column.type, Timestamp):
        return _time_as_text(column)
    return cast(column, Text()) if isinstance(column.type, JSON) else column


# PostgreSQL's text for a time as both interfaces show it.
_UTC, _TIME_FORMAT = "'UTC'", """'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'"""
Bind = Callable[[Any], Any]


class Prepared:
    """One statement as text for one kind of database, with the class of its rows."""

    __slots__ = ("_binds", "_packed", "classes", "dialect", "text")

    def __init__(
        self,
        statement: Select[*tuple[Any, ...]],
        dialect: str,
        model: Any = None,
        names: Sequence[str] = (),
    ) -> None:
        """Compile `statement`; its columns get their own names, or `names`.

        With `model`, the rows count as rows of this class. ValueError when the text would depend
        on values (an IN with a list instead of `among`).
        """
        selected = list(statement.selected_columns)
        if dialect == POSTGRESQL:
            statement = _with_times_as_text(statement)
        compiled: Any = statement.compile(dialect=DIALECTS[dialect])
        if compiled.post_compile_params or compiled.literal_execute_params:
            raise ValueError(f"the text of this statement depends on values: {compiled.string}")
        self.dialect = dialect
        self.text: str = compiled.string
        # Not made yet; empty when it cannot be made.
        self._packed: str | None = None
        names = names or [str(column.key) for column in selected]
        columns = [
            Column(name, column.type, getattr(column, "nullable", True))
            for name, column in zip(names, selected, strict=True)
        ]
        make = row_classes if model is None else model_row_classes
        self.classes: RowClasses = make(model, columns, dialect)
        processors = compiled._bind_processors
        # Name and processor of each place; without a name, the value that is always there.
        self._binds: list[tuple[str | None, Bind | None, Any]] = []
        for name in compiled.positiontup or ():
            bind: BindParameter[Any] = compiled.binds[name]
            process = processors.get(name)
            if bind.required:
                self._binds.append((name, process, None))
            else:
                value = bind.effective_value
                self._binds.append((None, None, value if process is None else process(value)))

    @property
    def packed(self) -> str | None:
        """The statement for SQLite with all its rows as one JSON text; None where that cannot be.

        The driver lets go of the interpreter's lock for each row, and takes longer to make it
        than the database needs for its JSON.
        """
        if self._packed is None:
            self._packed = _packed(self.text, self.classes.layout)
        return self._packed or None

    @property
    def layout(self) -> Layout:
        """Where the columns stand in a row."""
        return self.classes.layout

    def parameters(self, values: Mapping[str, Any]) -> list[Any]:
        """The driver's parameters in order; KeyError when a named value is missing."""
        return [
            fixed if name is None else (values[name] if process is None else process(values[name]))
            for name, process, fixed in self._binds
        ]


def _packed(text: str, layout: Layout) -> str:
    if not layout.plain:
        return ""
    names = [f"c{place}" for place in range(len(layout.names))]
    values = [
        f"json({name})" if own in layout.nested else name
        for name, own in zip(names, layout.names, strict=True)
    ]
    return (
        f"WITH packed({', '.join(names)}) AS ({text}) "  # noqa: S608 (a compiled statement)
        f"SELECT json_group_array(json_array({', '.join(values)})) FROM packed"
    )


# The rank of who asks, on a row that was found by the policy. It is no column of a model: to ask
# for it where the statement does not select it is no error.
ACTOR_RANK = "actor_rank"
_OFFERED = frozenset({ACTOR_RANK})
# Stands in a text for the columns that are chosen later.
MARK = "columns_of_the_row"


class Template:
    """A statement compiled but for the columns of its model, of which each use wants others.

    Compiling takes milliseconds, putting columns into the text takes microseconds.
    """

    def __init__(
        self,
        statement: Select[*tuple[Any, ...]],
        dialect: str,
        model: Any,
        columns: Mapping[str, Any],
        others: Mapping[str, Any],
    ) -> None:
        """`columns` are those of the model by name, `others` what is selected besides."""
        self._model = model
        marked = statement.with_only_columns(
            literal_column(MARK), *others.values(), maintain_column_froms=True
        )
        self._whole = Prepared(marked, dialect, None, [MARK, *others])
        self._before, _, self._after = self._whole.text.partition(MARK)
        if not self._before or MARK in self._after:
            raise ValueError(f"the columns do not stand in one place: {self._whole.text}")
        quote = DIALECTS[dialect].identifier_preparer.quote
        self._columns: dict[str, tuple[str, Column]] = {}
        for name, attribute in columns.items():
            mapped = hasattr(attribute, "__clause_element__")
            column = attribute.__clause_element__() if mapped else attribute
            text = f"{quote(column.table.name)}.{quote(column.name)}"
            if dialect == POSTGRESQL and isinstance(column.type, Timestamp):
                text = f"to_char(timezone({_UTC}, {text}), {_TIME_FORMAT})"
            self._columns[name] = (text, Column(name, column.type, column.nullable))
        self._others = [
            Column(name, other.type, getattr(other, "nullable", True))
            for name, other in others.items()
        ]

    def prepared(self, selected: frozenset[str] | None) -> Prepared:
        """The statement with these columns, all when None, and at least one; LookupError."""
        if selected is not None:
            selected -= _OFFERED
        names = [name for name in self._columns if selected is None or name in selected]
        if selected is not None and len(names) != len(selected):
            unknown = ", ".join(sorted(selected - set(names)))
            raise LookupError(f"{self._model.__name__} has no columns {unknown}")
        chosen = [self._columns[name] for name in names or list(self._columns)[:1]]
        prepared = copy(self._whole)
        prepared._packed = None
        prepared.text = self._before + ", ".join(text for text, _ in chosen) + self._after
        columns = [column for _, column in chosen] + self._others
        prepared.classes = model_row_classes(self._model, columns, prepared.dialect)
        return prepared
