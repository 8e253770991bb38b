"""Values of /v1 bodies and queries: read by the type of the operation's parameter.

The same type gives the JSON Schema, so the OpenAPI document cannot drift from what is accepted.
The problems of a body are reported together, each with its path. Members that are not part of an
input are ignored and named, or refused where the caller asks for strict handling (decision 41).
"""

import datetime as dt
import enum
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin

import orjson
from strawberry import Maybe, Some

from resolvers.core.errors import FieldError, Invalid
from resolvers.core.inputs import BOUNDS, PRESENT, Bounds, Untagged
from resolvers.core.naming import camel
from resolvers.core.scalars import JsonObject, JsonValue, Url, read_object, read_time, read_url

# Of one body or query; the first ones are as good as all.
MOST_PROBLEMS = 100


class Problems(list[FieldError]):
    """Errors in the fields of a body or a query, and its members that no input has.

    Such members are problems where the handling is `strict`, else they are in `ignored`.
    """

    def __init__(self, *, strict: bool = True) -> None:
        super().__init__()
        self.strict = strict
        self.ignored: list[str] = []

    def append(self, problem: FieldError) -> None:
        """Add a problem; Invalid with all of them as soon as there are 100."""
        super().append(problem)
        if len(self) >= MOST_PROBLEMS:
            raise self.error()

    def unknown(self, path: str, names: Iterable[str]) -> None:
        """Note a member that the input does not have."""
        if self.strict:
            allowed = ", ".join(sorted(names))
            self.append(FieldError(path, f"is unknown; allowed are {allowed}"))
        else:
            self.ignored.append(path)

    def error(self) -> Invalid:
        """The error that names them."""
        summary = "; ".join(f"{problem.path}: {problem.message}" for problem in self[:5])
        return Invalid(summary, tuple(self))


Parse = Callable[[Any, str, Problems], Any]
JsonSchema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """The parser of values of one type, and their JSON Schema."""

    parse: Parse
    schema: JsonSchema
    # The fields of an object, for those who list them.
    required: bool = True


def kind_of(hint: Any, bounds: Bounds | None = None) -> Kind:
    """The Kind of a Python type hint; TypeError for a type that no operation may use."""
    origin = get_origin(hint)
    if origin is typing.Annotated:
        return kind_of(get_args(hint)[0], bounds)
    if origin is Maybe:
        return _maybe(get_args(hint)[0], bounds)
    if origin in (Union, types.UnionType):
        return _optional(hint, bounds)
    if origin is list and bounds is not None and bounds.keyed is not None:
        return _keyed(kind_of(get_args(hint)[0]), bounds, bounds.keyed)
    if origin is list or origin is tuple:
        each = None if bounds is None else bounds.each
        return _list(kind_of(get_args(hint)[0], each), bounds)
    if isinstance(hint, typing.NewType):
        return _named(hint, bounds)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _enum(hint)
    if hasattr(hint, "__strawberry_definition__"):
        return _untagged(hint) if issubclass(hint, Untagged) else _object(hint)
    if hint in _SCALARS:
        return _scalar(hint, bounds)
    raise TypeError(f"{hint!r} cannot be a /v1 value")


def _optional(hint: Any, bounds: Bounds | None) -> Kind:
    inner = [part for part in get_args(hint) if part is not types.NoneType]
    if len(inner) != 1:
        raise TypeError(f"{hint!r}: only `T | None` is supported")
    kind = kind_of(inner[0], bounds)

    def parse(value: Any, path: str, problems: Problems) -> Any:
        return None if value is None else kind.parse(value, path, problems)

    return Kind(parse, _nullable(kind.schema), required=False)


def _maybe(hint: Any, bounds: Bounds | None) -> Kind:
    kind = kind_of(hint, bounds)

    def parse(value: Any, path: str, problems: Problems) -> Any:
        return Some(kind.parse(value, path, problems))

    return Kind(parse, kind.schema, required=False)


def _nullable(schema: JsonSchema) -> JsonSchema:
    if isinstance(schema.get("type"), str):
        if "enum" in schema:
            return {**schema, "type": [schema["type"], "null"], "enum": [*schema["enum"], None]}
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _list(item: Kind, bounds: Bounds | None) -> Kind:
    keywords = () if bounds is None else bounds.keywords

    def parse(value: Any, path: str, problems: Problems) -> Any:
        if isinstance(value, str) and value in keywords:
            return [value]
        if keywords and not isinstance(value, list):
            listed = ", ".join(keywords)
            message = f"must be an array or one of {listed}, not {_shown(value)}"
            problems.append(FieldError(path, message))
            return []
        if not isinstance(value, list):
            problems.append(FieldError(path, f"must be an array, not {_shown(value)}"))
            return []
        return [
            item.parse(element, f"{path}[{index}]", problems) for index, element in enumerate(value)
        ]

    schema: JsonSchema = {"type": "array", "items": item.schema}
    if bounds is not None:
        schema |= _without_none(minItems=bounds.minimum, maxItems=bounds.maximum)
    if keywords:
        schema = {"anyOf": [schema, {"type": "string", "enum": list(keywords)}]}
    return Kind(parse, schema)


def _keyed(item: Kind, bounds: Bounds, key: str) -> Kind:
    """A list as an object: the values of the field `key` of its items are the members' names."""

    def parse(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, dict):
            problems.append(FieldError(path, f"must be an object, not {_shown(value)}"))
            return []
        parsed = []
        for name, element in value.items():
            if isinstance(element, dict):
                if key in element:
                    problems.unknown(f"{path}.{name}.{key}", inner["properties"])
                element = {**element, key: name}
            parsed.append(item.parse(element, f"{path}.{name}", problems))
        return parsed

    inner = {
        **item.schema,
        "properties": {
            name: schema for name, schema in item.schema["properties"].items() if name != key
        },
        "required": [name for name in item.schema["required"] if name != key],
    }
    schema: JsonSchema = {"type": "object", "additionalProperties": inner}
    return Kind(parse, schema | _without_none(maxProperties=bounds.maximum))


def _enum(values: type[enum.Enum]) -> Kind:
    allowed = [member.value for member in values]

    def parse(value: Any, path: str, problems: Problems) -> Any:
        if isinstance(value, str) and value in allowed:
            return values(value)
        listed = ", ".join(allowed)
        problems.append(FieldError(path, f"{_shown(value)} is not allowed; use one of {listed}"))
        return None

    return Kind(parse, {"type": "string", "enum": allowed})


def _object(input_class: Any) -> Kind:
    fields: dict[str, tuple[str, Kind]] = {}
    hints = typing.get_type_hints(input_class, include_extras=True)
    for part in input_class.__strawberry_definition__.fields:
        name = part.graphql_name or camel(part.python_name)
        kind = kind_of(hints[part.python_name], part.metadata.get(BOUNDS))
        described = {**kind.schema, "description": part.description}
        required = kind.required or part.metadata.get(PRESENT, False)
        fields[name] = (part.python_name, Kind(kind.parse, described, required))

    # A word may stand for the object with that word in one of its fields.
    short = getattr(input_class, "stands_for", None)

    def parse(value: Any, path: str, problems: Problems) -> Any:
        prefix = f"{path}." if path else ""
        if short is not None and isinstance(value, str):
            before = len(problems)
            word = fields[short][1].parse(value, path, problems)
            return input_class(**{fields[short][0]: word}) if len(problems) == before else None
        if not isinstance(value, dict):
            problems.append(FieldError(path or "body", f"must be an object, not {_shown(value)}"))
            return None
        for name in value:
            if name not in fields:
                problems.unknown(prefix + name, fields)
        values: dict[str, Any] = {}
        before = len(problems)
        for name, (attribute, kind) in fields.items():
            if name in value:
                values[attribute] = kind.parse(value[name], prefix + name, problems)
            elif kind.required:
                problems.append(FieldError(prefix + name, "is required"))
        return input_class(**values) if len(problems) == before else None

    schema: JsonSchema = {
        "type": "object",
        "description": input_class.__strawberry_definition__.description,
        "properties": {name: kind.schema for name, (_, kind) in fields.items()},
    }
    required = [name for name, (_, kind) in fields.items() if kind.required]
    if required:
        schema["required"] = required
    if short is not None:
        word = fields[short][1].schema
        listed = [keyword for keyword in word["enum"] if keyword is not None]
        schema = {"anyOf": [{"type": "string", "enum": listed}, schema]}
    return Kind(parse, schema)


def _untagged(input_class: Any) -> Kind:
    """A value without the name of its field: objects are the second's, others the first's."""
    hints = typing.get_type_hints(input_class, include_extras=True)
    bare, whole = [
        (part.python_name, kind_of(_core(hints[part.python_name]), part.metadata.get(BOUNDS)))
        for part in input_class.__strawberry_definition__.fields
    ]

    def parse(value: Any, path: str, problems: Problems) -> Any:
        attribute, kind = whole if isinstance(value, dict) else bare
        before = len(problems)
        parsed = kind.parse(value, path, problems)
        return input_class(**{attribute: parsed}) if len(problems) == before else None

    return Kind(parse, {"oneOf": [bare[1].schema, whole[1].schema]})


def _named(hint: Any, bounds: Bounds | None) -> Kind:
    if hint is Url:
        return _checked(read_url, str, {"type": "string", "format": "uri", "maxLength": 2048})
    if hint is JsonObject:
        return _checked(read_object, dict, {"type": "object"})
    if hint is JsonValue:
        # What was read from a body is JSON.
        return Kind(lambda value, path, problems: value, {})
    # Ids are text.
    return kind_of(hint.__supertype__, bounds)


def _checked(read: Callable[[Any], Any], type_: type, schema: JsonSchema) -> Kind:
    def parse(value: Any, path: str, problems: Problems) -> Any:
        try:
            if not isinstance(value, type_):
                raise ValueError(f"must be {_NAMES[type_]}, not {_shown(value)}")
            return read(value)
        except ValueError as error:
            problems.append(FieldError(path, str(error)))
            return None

    return Kind(parse, schema)


_SCALARS: dict[Any, JsonSchema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    dt.datetime: {"type": "string", "format": "date-time"},
}
_NAMES: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "an object",
}
# GraphQL's Int; both doors have the same range.
INTEGER_LIMIT = 2**31 - 1


def _scalar(hint: Any, bounds: Bounds | None) -> Kind:
    schema = dict(_SCALARS[hint])
    if hint is dt.datetime:
        return _checked(read_time, str, schema)
    if hint is str and bounds is not None:
        schema |= _without_none(
            minLength=bounds.minimum,
            maxLength=bounds.maximum,
            pattern=f"^(?:{bounds.pattern})$" if bounds.pattern else None,
        )
    elif hint is int and bounds is not None:
        schema |= _without_none(minimum=bounds.minimum, maximum=bounds.maximum)

    def parse(value: Any, path: str, problems: Problems) -> Any:
        right = isinstance(value, (int, float) if hint is float else hint)
        if isinstance(value, bool) and hint is not bool:
            right = False
        if not right:
            problems.append(FieldError(path, f"must be {_NAMES[hint]}, not {_shown(value)}"))
        elif hint is int and abs(value) > INTEGER_LIMIT:
            problems.append(FieldError(path, f"must be between ±{INTEGER_LIMIT}"))
        return value

    return Kind(parse, schema)


FromText = Callable[[list[str], str, Problems], Any]


def from_text(hint: Any) -> FromText:
    """Reads a query parameter, given as text once or, for lists, repeatedly or with commas."""
    inner = _core(hint)
    parse = kind_of(inner).parse

    def many(texts: list[str], path: str, problems: Problems) -> Any:
        items = [item for text in texts for item in text.split(",") if item]
        return tuple(parse(items, path, problems))

    def single(texts: list[str], path: str, problems: Problems) -> Any:
        if len(texts) > 1:
            problems.append(FieldError(path, "is given more than once"))
        return parse(_untexted(inner, texts[0]), path, problems)

    return many if get_origin(inner) in (list, tuple) else single


def _core(hint: Any) -> Any:
    """The type inside Annotated and Optional."""
    while True:
        if get_origin(hint) is typing.Annotated:
            hint = get_args(hint)[0]
        elif get_origin(hint) in (Union, types.UnionType):
            hint = next(part for part in get_args(hint) if part is not types.NoneType)
        else:
            return hint


def _untexted(hint: Any, text: str) -> Any:
    if hint is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if hint is int:
        digits = text.removeprefix("-")
        return int(text) if digits.isdecimal() and digits.isascii() and len(text) < 12 else text
    return text


def _shown(value: Any) -> str:
    """A value as the caller wrote it: `null` and `true` as in JSON, text in quotes."""
    text = repr(value) if isinstance(value, str) else orjson.dumps(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
