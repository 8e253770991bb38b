"""Dictionaries of all rows of a level, built by one generated comprehension.

Rows of the database layer have a layout: which position a column has, and what its raw values are.
For each selection and layout one function is generated, which reads positions and writes dictionary
displays, so that a value costs one index and one store. Rows without a layout are read by
attribute. Where a value is not what it should be, the slow way finds which: a column at a time.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from keyword import iskeyword
from types import CodeType
from typing import Any, NamedTuple, Protocol

from schema.engine.failures import Failure, null_error
from schema.engine.leaves import LARGEST, MAX_CACHED_VALUES, SMALLEST, coerce_all, coerce_one
from schema.engine.plan import Field, Leaf, NonNull, Selection, leaf_of
from schema.engine.sources import Attribute, Constant

Json = dict[str, Any]
Builder = Callable[..., list[Json]]
# Forms that one selection keeps builders for: one for each database, usually.
FORMS = 16
# Builders whose code is kept: compiling one takes longer than many an answer.
BUILDERS = 512


class Layout(Protocol):
    """Positions, types and conversions of attributes; `row_layout` of the class of a row."""

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


class Form(NamedTuple):
    """What a builder depends on besides the selection."""

    layout: Layout | None = None
    # Text of JSON may stand in the answer.
    fragments: bool = False
    # Fields that can be withheld are.
    withheld: bool = False


class Unfit(Exception):
    """A value did not go through a generated builder: build a column at a time."""


def layout_of(kinds: set[type]) -> Layout | None:
    """The layout of rows of these classes; None unless it is the same for all."""
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    layout: Layout | None = getattr(kind, "row_layout", None)
    return layout


def build(
    selection: Selection, form: Form, rows: Sequence[Any], outputs: Sequence[Sequence[Any]]
) -> tuple[list[Json], bool]:
    """The dictionaries of `rows`; `outputs` are the values of the selection's fetched fields.

    Also whether a value of the rows has failed.
    """
    builder = selection.builders.get(form)
    if builder is None:
        if len(selection.builders) >= FORMS:
            selection.builders.clear()
        builder = selection.builders[form] = generate(selection, form)
    try:
        return builder(rows, *outputs), False
    except Exception:
        # Some value is not what it should be; the slow way finds which one.
        return _by_columns(selection, rows, outputs, withheld=form.withheld)


def generate(selection: Selection, form: Form) -> Builder:
    """The function that builds dictionaries from rows of a layout, or from rows of any kind."""
    text = _Text(form)
    for number, field in enumerate(selection.fields):
        text.add(field, number)
    # Only names that GraphQL allows, positions and our own names get into the text.
    exec(_compiled(text.written(), text.size), text.names)  # noqa: S102
    builder: Builder = text.names["builder"]
    return builder


@lru_cache(maxsize=BUILDERS)
def _compiled(text: str, size: int) -> CodeType:
    """The code of a builder, which documents with the same members share."""
    return compile(text, f"<builder of {size} fields>", "exec")


class _Text:
    """The text of a builder while it is made.

    Values that are looked at twice get a name. Members that are left out when they are null are
    mostly null all together, or few of them are not: the former have a display of their own.
    """

    def __init__(self, form: Form) -> None:
        self._layout, self._fragments, self._withheld = form
        self.names: dict[str, Any] = {}
        self._members: list[tuple[str, str]] = []
        self._loops: list[str] = []
        self._steps: list[str] = []
        # Names of optional members, and of their values.
        self._optional: dict[str, str] = {}

    @property
    def size(self) -> int:
        return len(self._members)

    def add(self, field: Field, number: int) -> None:
        """One more member."""
        if not field.plain:
            value = f"o{number}"
            self._loops.append(value)
        elif isinstance(field.source, Constant):
            value = f"k{number}"
            self.names[value] = field.source.value
        elif self._withheld and field.shown_as is not None:
            value = f"k{number}"
            self.names[value] = withheld_value(field)
        else:
            value = self._value(field, number)
        if field.optional:
            if not value.isidentifier():
                self._steps.append(f"v{number} = {value}")
                value = f"v{number}"
            self._optional[field.name] = value
        self._members.append((field.name, value))

    def _value(self, field: Field, number: int) -> str:
        """The expression in generated code for an attribute of the row."""
        assert isinstance(field.source, Attribute)
        attribute = field.source.name
        leaf = leaf_of(field.completion)
        assert leaf is not None
        layout = self._layout
        if layout is not None and attribute in layout.index:
            return _expression(field, leaf, layout, number, self.names, fragments=self._fragments)
        # Whatever the class of the row has under this name.
        usual = attribute.isidentifier() and not iskeyword(attribute)
        read = f"r.{attribute}" if usual else f"getattr(r, {attribute!r})"
        if leaf.few:
            self.names[f"f{number}"] = _Few(leaf, None, isinstance(field.completion, NonNull))
            return f"f{number}[{read}]"
        self.names[f"f{number}"] = _checked(field, leaf, None)
        if leaf.ready is None:
            return f"f{number}({read})"
        self.names[f"t{number}"] = leaf.ready
        self._steps.append(f"v{number} = {read}")
        fits = f"type(v{number}) is t{number}"
        if leaf.ready is int:
            fits += f" and {SMALLEST} <= v{number} <= {LARGEST}"
        self._steps.append(f"if not ({fits}): v{number} = f{number}(v{number})")
        return f"v{number}"

    def written(self) -> str:
        """The text of a function `builder`."""
        targets = "".join(f", {name}" for name in self._loops)
        lists = "".join(f", l{name}" for name in self._loops)
        over = f"for r{targets} in zip(rows{lists})" if self._loops else "for r in rows"
        whole = _display(self._members)
        if not self._steps and not self._optional:
            return f"def builder(rows{lists}):\n    return [{whole} {over}]\n"
        lines = [*self._steps]
        if self._optional:
            nothing = " and ".join(f"{value} is None" for value in self._optional.values())
            always = [(name, value) for name, value in self._members if name not in self._optional]
            lines += [f"if {nothing}:", f"    add({_display(always)})", "    continue"]
        lines.append(f"d = {whole}")
        for name, value in self._optional.items():
            lines.append(f"if {value} is None: del d[{name!r}]")
        body = "".join(f"        {line}\n" for line in (*lines, "add(d)"))
        return (
            f"def builder(rows{lists}):\n    made = []\n    add = made.append\n"
            f"    {over}:\n{body}    return made\n"
        )


def _display(members: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{name!r}: {value}" for name, value in members) + "}"


def _expression(
    field: Field, leaf: Leaf, layout: Layout, number: int, names: dict[str, Any], *, fragments: bool
) -> str:
    """The expression in generated code for a column."""
    assert isinstance(field.source, Attribute)
    attribute = field.source.name
    raw = f"r[{layout.index[attribute]}]"
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
    """Values of an enumeration, each made into JSON when it is first met."""

    def __init__(self, leaf: Leaf, convert: Callable[[Any], Any] | None, not_null: bool) -> None:
        super().__init__({} if not_null else {None: None})
        self._leaf, self._convert = leaf, convert

    def __missing__(self, raw: Any) -> Any:
        value = raw if self._convert is None else self._convert(raw)
        coerced = _fit(coerce_one(self._leaf, value))
        if coerced is None and None not in self:
            raise Unfit
        if len(self) < MAX_CACHED_VALUES:
            self[raw] = coerced
        return coerced


def _checked(
    field: Field, leaf: Leaf, convert: Callable[[Any], Any] | None
) -> Callable[[Any], Any]:
    """A function from the raw value to JSON that raises Unfit for what is wrong."""
    nullable = not isinstance(field.completion, NonNull)

    def checked(raw: Any) -> Any:
        value = raw if raw is None or convert is None else convert(raw)
        if value is None and nullable:
            return None
        coerced = coerce_one(leaf, value)
        if coerced is None:
            raise Unfit
        return _fit(coerced)

    return checked


def _fit(coerced: Any) -> Any:
    if isinstance(coerced, Failure):
        raise Unfit
    return coerced


def withheld_value(field: Field) -> Any:
    """What stands in the answer in place of an attribute that is withheld."""
    leaf = leaf_of(field.completion)
    assert leaf is not None
    assert field.shown_as is not None
    return _checked(field, leaf, None)(field.shown_as.value)


def _by_columns(
    selection: Selection,
    rows: Sequence[Any],
    outputs: Sequence[Sequence[Any]],
    *,
    withheld: bool,
) -> tuple[list[Json], bool]:
    """The objects of rows of any class, column by column; each value fails by itself."""
    columns: list[Sequence[Any]] = []
    failed = False
    fetched = iter(outputs)
    for field in selection.fields:
        if not field.plain:
            columns.append(next(fetched))
        elif isinstance(field.source, Constant):
            columns.append([field.source.value] * len(rows))
        elif withheld and field.shown_as is not None:
            columns.append([withheld_value(field)] * len(rows))
        else:
            column = plain_column(field, rows)
            failed = failed or Failure in set(map(type, column))
            columns.append(column)
    names = [field.name for field in selection.fields]
    if not names:
        return [{} for _ in rows], False
    objects = [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    for name in [field.name for field in selection.fields if field.optional]:
        for object_ in objects:
            if object_[name] is None:
                del object_[name]
    return objects, failed


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
