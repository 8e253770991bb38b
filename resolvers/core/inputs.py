"""Input fields with their bounds, and the one place where arguments are checked.

Inputs are Strawberry input classes beside their operation. A field declares its bounds with
`text`, `number` or `items`; both doors check them here before the operation runs, and OpenAPI
prints them. `Maybe[T]` = may be absent, `Maybe[T | None]` = absent or null (null clears).
"""

import dataclasses
import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

import strawberry
from strawberry import UNSET, Maybe, Some

import resolvers.core.enumerations  # noqa: F401 (before any input class)
from resolvers.core.errors import FieldError, Invalid
from resolvers.core.naming import camel

T = TypeVar("T")

BOUNDS = "bounds"
# Of a `Maybe`: it may be null, but not absent.
PRESENT = "present"
# Surrogates cannot be encoded, NUL cannot be stored.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
TEXT_LIMIT = 2_000_000
LIST_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a field allows, in the units of JSON Schema."""

    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    # For people: what the pattern means.
    allowed: str | None = None
    # Words that may stand in place of a list; the operation gets a list of that one word.
    keywords: tuple[str, ...] = ()
    # What a list allows of each of its items.
    each: "Bounds | None" = None
    # The field of a list's items by which /v1 writes the list as an object: its values are the
    # names of the object's members.
    keyed: str | None = None

    def problems(self, value: object) -> Iterator[str]:
        if isinstance(value, str | list):
            unit = "characters" if isinstance(value, str) else "items"
            if self.minimum is not None and len(value) < self.minimum:
                yield f"has {len(value)} {unit}; at least {self.minimum} are needed"
            if self.maximum is not None and len(value) > self.maximum:
                yield f"has {len(value)} {unit}; at most {self.maximum} are allowed"
        elif type(value) is int:
            yield from self._out_of_range(value)
        if (
            isinstance(value, str)
            and self.pattern is not None
            and not re.fullmatch(self.pattern, value)
        ):
            yield f"{value[:100]!r} is not allowed; it must be {self.allowed or self.pattern}"

    def _out_of_range(self, value: int) -> Iterator[str]:
        if self.minimum is not None and value < self.minimum:
            yield f"{value} is not allowed; it must be at least {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            yield f"{value} is not allowed; it must be at most {self.maximum}"


def argument(description: str) -> Any:
    """The description of an argument, in `Annotated`."""
    return strawberry.argument(description=description)


def field(
    description: str,
    *,
    required: bool = False,
    bounds: Bounds | None = None,
    name: str | None = None,
    one_of: bool = False,
    present: bool = False,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """An input field; optional unless `required`; `name` where camel case does not give it.

    `present` is for a `Maybe[T | None]` that must be given, as null or as a value; `one_of` for the
    fields of inputs of which exactly one is given (see `OneOf`); `metadata` for what else a room
    says of its fields.
    """
    options: dict[str, Any] = {} if required else {"default": UNSET if one_of else None}
    if name is not None:
        options["name"] = name
    options["metadata"] = {BOUNDS: bounds, PRESENT: present, **(metadata or {})}
    return strawberry.field(description=description, **options)


def text(
    description: str,
    *,
    min: int | None = None,
    max: int | None = None,
    pattern: str | None = None,
    allowed: str | None = None,
    required: bool = False,
    one_of: bool = False,
) -> Any:
    """A text field with its length in characters and, if given, a pattern of the whole text."""
    bounds = Bounds(min, max, pattern, allowed)
    return field(description, required=required, bounds=bounds, one_of=one_of)


def number(description: str, *, min: int, max: int, required: bool = False) -> Any:
    """A field for a whole number with its range."""
    return field(description, required=required, bounds=Bounds(min, max))


def items(
    description: str,
    *,
    min: int | None = None,
    max: int = LIST_LIMIT,
    required: bool = False,
    keywords: tuple[str, ...] = (),
    each: Bounds | None = None,
    keyed: str | None = None,
    one_of: bool = False,
) -> Any:
    """A list field with its number of items, and words that may stand in place of the list.

    A list that is `keyed` by a field of its items is an object in /v1.

    GraphQL reads a single value as a list of one, so `empty` is the same as `["empty"]`.
    """
    bounds = Bounds(min, max, keywords=keywords, each=each, keyed=keyed)
    return field(description, required=required, bounds=bounds, one_of=one_of)


class OneOf:
    """A mixin of inputs with `one_of=True`: fields that are not given are None, as elsewhere."""

    def __post_init__(self) -> None:
        for attribute in dataclasses.fields(self):  # type: ignore[arg-type]
            if getattr(self, attribute.name) is UNSET:
                setattr(self, attribute.name, None)

    def given(self) -> list[str]:
        """The names of the fields that are given; whoever asks wants exactly one."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return [field.name for field in fields if getattr(self, field.name) is not None]


class Untagged(OneOf):
    """A mixin of such inputs that /v1 writes bare: a value by itself, of either field's type.

    The first field is text or an enumeration, the second an object.
    """


def given(maybe: Maybe[T], default: T) -> T:
    """The value of a Maybe, or `default` when it is absent."""
    return default if maybe is None else maybe.value


def assign(row: Any, input: Any, *names: str) -> None:
    """Copy the fields that are present in `input` to the attributes of the same names."""
    for name in names:
        maybe = getattr(input, name)
        if maybe is not None:
            setattr(row, name, maybe.value)


def check(arguments: dict[str, Any]) -> None:
    """Raise Invalid with every value that breaks its bounds."""
    problems = tuple(
        problem
        for name, value in arguments.items()
        if not _harmless(value)
        for problem in _problems(camel(name), value, None)
    )
    if problems:
        summary = "; ".join(f"{problem.path}: {problem.message}" for problem in problems[:5])
        raise Invalid(summary, problems)


def _harmless(value: object) -> bool:
    """Whether a value is one of the usual, or JSON, that has no problem."""
    waiting: list[Any] = [value]
    # What is found inside goes to the end.
    for each in waiting:
        kind = type(each)
        if kind is str:
            if len(each) > TEXT_LIMIT or _UNSTORABLE.search(each):
                return False
        elif kind is dict:
            waiting.extend(each.values())
        elif kind is list:
            waiting.extend(each)
        elif each is not None and kind not in (bool, int, float):
            return False
    return True


def _problems(path: str, value: object, bounds: Bounds | None) -> Iterator[FieldError]:
    if isinstance(value, Some):
        value = value.value
    if value is None:
        return
    if bounds is not None:
        for message in bounds.problems(value):
            yield FieldError(path, message)
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            yield FieldError(path, "has a NUL character or a lone surrogate")
        limit = TEXT_LIMIT
        if bounds is not None and bounds.maximum is not None:
            limit = max(TEXT_LIMIT, bounds.maximum)
        if len(value) > limit:
            yield FieldError(path, f"has more than {limit} characters")
    elif isinstance(value, list | tuple):
        each = None if bounds is None else bounds.each
        for index, item in enumerate(value):
            yield from _problems(f"{path}[{index}]", item, each)
    elif isinstance(value, dict):
        if not _harmless(value):
            yield from _problems_of_json(path, value)
    elif isinstance(value, enum.Enum):
        return
    elif isinstance(value, Untagged):
        # As /v1 writes it: without the name of the field.
        for attribute in dataclasses.fields(value):  # type: ignore[arg-type]
            yield from _problems(path, getattr(value, attribute.name), None)
    elif hasattr(type(value), "__strawberry_definition__"):
        prefix, kind = "" if path == "input" else f"{path}.", cast(Any, type(value))
        for own_name, public_name, present, its_bounds in _members(kind):
            member = getattr(value, own_name)
            if member is None and present:
                yield FieldError(prefix + public_name, "is required; it may be null")
            if its_bounds is not None or not _harmless(member):
                yield from _problems(prefix + public_name, member, its_bounds)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for name, path, its_bounds in _attributes(type(value)):
            yield from _problems(path, getattr(value, name), its_bounds)


def _problems_of_json(path: str, value: object) -> Iterator[FieldError]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _problems_of_json(f"{path}.{key}", item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems_of_json(f"{path}[{index}]", item)
    else:
        yield from _problems(path, value, None)


@cache
def _members(kind: type[Any]) -> list[tuple[str, str, bool, Bounds | None]]:
    """The fields of an input: their own names, those for callers, whether they have to be there,
    and their bounds."""
    return [
        (
            part.python_name,
            part.graphql_name or camel(part.python_name),
            bool(part.metadata.get(PRESENT)),
            part.metadata.get(BOUNDS),
        )
        for part in kind.__strawberry_definition__.fields
    ]


@cache
def _attributes(kind: type[Any]) -> list[tuple[str, str, Bounds | None]]:
    """The attributes of arguments: their own names, those for callers, and their bounds."""
    fields = dataclasses.fields(kind)
    return [(part.name, camel(part.name), part.metadata.get(BOUNDS)) for part in fields]
