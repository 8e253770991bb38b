"""Dictionaries of all rows of a level, built by one generated comprehension.

Light rows have a layout: which position a column has, and what its raw values are. For each
selection and layout one function is generated, which reads positions and writes dictionary
displays, so that a value costs one index and one store. Rows without a layout are read by
attribute, a column at a time.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from schema.engine.failures import Failure, null_error
from schema.engine.leaves import coerce_all, coerce_one
from schema.engine.plan import Field, Leaf, NonNull, Selection, leaf_of
from schema.engine.sources import Attribute, Constant

Json = dict[str, Any]
Builder = Callable[..., list[Json]]
# Layouts that one selection keeps builders for: one for each database, usually.
LAYOUTS = 16


class Layout(Protocol):
    """What is known of light rows, by attribute; found as `row_layout` on the class of a row."""

    # Position in the row.
    index: dict[str, int]
    # From the raw value to the Python value; absent where they are the same.
    convert: dict[str, Callable[[Any], Any]]
    # From the raw value straight to the JSON of the scalar with this name, None where it is that.
    wire: dict[tuple[str, str], Callable[[Any], Any] | None]
    # Makes of a raw value, the text of some JSON, what stands for that text in an answer that is
    # to be written as JSON at once; by attribute and scalar.
    fragments: dict[tuple[str, str], Callable[[Any], Any]]
    # Type of every raw value that is not null.
    types: dict[str, type]
    not_null: frozenset[str]


class Unfit(Exception):
    """A value did not go through a generated builder: build a column at a time."""


def layout_of(kinds: set[type]) -> Layout | None:
    """The layout of rows of these classes; None unless it is the same for all."""
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    found: Layout | None = getattr(kind, "row_layout", None)
    return found


def build(
    selection: Selection,
    layout: Layout | None,
    rows: Sequence[Any],
    outputs: list[list[Any]],
    *,
    fragments: bool = False,
) -> tuple[list[Json], bool]:
    """The dictionaries of `rows`; `outputs` are the values of the selection's fetched fields.

    Also whether a value of the rows has failed.
    """
    if layout is not None:
        builder = selection.builders.get((layout, fragments))
        if builder is None:
            if len(selection.builders) >= LAYOUTS:
                selection.builders.clear()
            builder = generate(selection, layout, fragments=fragments)
            selection.builders[layout, fragments] = builder
        try:
            return builder(rows, *outputs), False
        except Exception:
            # Some value is not what it should be; the slow way finds which one.
            return _by_columns(selection, rows, outputs)
    return _by_columns(selection, rows, outputs)


def generate(selection: Selection, layout: Layout, *, fragments: bool = False) -> Builder:
    """The function that builds dictionaries from rows of a layout."""
    names: dict[str, Any] = {}
    members, loops = [], []
    place = 0
    for number, field in enumerate(selection.fields):
        if not field.plain:
            value = f"o{place}"
            loops.append(value)
            place += 1
        elif isinstance(field.source, Constant):
            names[f"k{number}"] = field.source.value
            value = f"k{number}"
        else:
            value = _expression(field, layout, number, names, fragments=fragments)
        members.append(f"{field.name!r}: {value}")
    targets = "".join(f", {name}" for name in loops)
    lists = "".join(f", l{name}" for name in loops)
    over = f"r{targets} in zip(rows{lists})" if loops else "r in rows"
    text = f"def builder(rows{lists}):\n    return [{{{', '.join(members)}}} for {over}]\n"
    # Only names that GraphQL allows, positions and our own names get into the text.
    exec(compile(text, f"<builder of {len(members)} fields>", "exec"), names)  # noqa: S102
    builder: Builder = names["builder"]
    return builder


def _expression(
    field: Field, layout: Layout, number: int, names: dict[str, Any], *, fragments: bool
) -> str:
    """What stands for a column in the generated text."""
    assert isinstance(field.source, Attribute)
    attribute = field.source.name
    leaf = leaf_of(field.completion)
    position = layout.index.get(attribute)
    assert leaf is not None
    if position is None:
        # Not a column: a property of the row class.
        names[f"f{number}"] = _checked(field, leaf, lambda row: getattr(row, attribute))
        return f"f{number}(r)"
    raw = f"r[{position}]"
    strict = isinstance(field.completion, NonNull) and attribute not in layout.not_null
    convert = layout.convert.get(attribute)
    if not strict and convert is None and layout.types.get(attribute) is leaf.ready is not None:
        return raw
    key = (attribute, leaf.name)
    if not strict and (key in layout.wire or (fragments and key in layout.fragments)):
        wire = layout.wire[key] if key in layout.wire else layout.fragments[key]
        if wire is None:
            return raw
        names[f"f{number}"] = wire
        if attribute in layout.not_null:
            return f"f{number}({raw})"
        return f"(None if {raw} is None else f{number}({raw}))"
    if not strict and leaf.few and layout.types.get(attribute) in (str, int):
        names[f"f{number}"] = _Few(leaf, convert, attribute in layout.not_null)
        return f"f{number}[{raw}]"
    names[f"f{number}"] = _checked(field, leaf, convert)
    return f"f{number}({raw})"


class _Few(dict[Any, Any]):
    """Raw values of an enumeration's column, each made into JSON when it is first met."""

    def __init__(self, leaf: Leaf, convert: Callable[[Any], Any] | None, not_null: bool) -> None:
        super().__init__({} if not_null else {None: None})
        self._leaf, self._convert = leaf, convert

    def __missing__(self, raw: Any) -> Any:
        value = raw if self._convert is None else self._convert(raw)
        made = self[raw] = _fit(coerce_one(self._leaf, value))
        return made


def _checked(
    field: Field, leaf: Leaf, convert: Callable[[Any], Any] | None
) -> Callable[[Any], Any]:
    """A function from the raw value to JSON that raises Unfit for what is wrong."""
    nullable = not isinstance(field.completion, NonNull)

    def checked(raw: Any) -> Any:
        value = raw if raw is None or convert is None else convert(raw)
        if value is None and nullable:
            return None
        made = coerce_one(leaf, value)
        if made is None:
            raise Unfit
        return _fit(made)

    return checked


def _fit(made: Any) -> Any:
    if isinstance(made, Failure):
        raise Unfit
    return made


def _by_columns(
    selection: Selection, rows: Sequence[Any], outputs: list[list[Any]]
) -> tuple[list[Json], bool]:
    """The same from rows of any kind; what is wrong with a value stays its own."""
    columns: list[Sequence[Any]] = []
    failed = False
    fetched = iter(outputs)
    for field in selection.fields:
        if not field.plain:
            columns.append(next(fetched))
        elif isinstance(field.source, Constant):
            columns.append([field.source.value] * len(rows))
        else:
            column = plain_column(field, rows)
            failed = failed or Failure in set(map(type, column))
            columns.append(column)
    names = [field.name for field in selection.fields]
    if not names:
        return [{} for _ in rows], False
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)], failed


def plain_column(field: Field, rows: Sequence[Any]) -> Sequence[Any]:
    """The values of a leaf that is an attribute of the rows."""
    assert isinstance(field.source, Attribute)
    leaf = leaf_of(field.completion)
    assert leaf is not None
    values = coerce_all(leaf, read_attribute(rows, field.source.name))
    if isinstance(field.completion, NonNull) and None in values:
        return [Failure(null_error(field)) if value is None else value for value in values]
    return values


def read_attribute(rows: Sequence[Any], name: str) -> Sequence[Any]:
    """An attribute of each row, a Failure where reading it failed."""
    try:
        return [getattr(row, name) for row in rows]
    except Exception:
        return [_attribute_of(row, name) for row in rows]


def _attribute_of(row: Any, name: str) -> Any:
    try:
        return getattr(row, name)
    except Exception as error:
        return Failure(error)
