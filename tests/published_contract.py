"""The published contract as its npm packages state it, and where an answer does not keep to it.

The packages are those of tests/node: the release that /v1 follows, and the newest one known.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from rest_compat.deviations import Deviation
from tests.node_packages import install
from tests.published_shapes import deviations

Schema = dict[str, Any]
FOLLOWED, NEWEST = "api", "api-newest"
_METHODS = ("get", "post", "put", "patch", "delete")
_DOCUMENT = "contract:"


@dataclass(frozen=True, slots=True)
class ContractOperation:
    """An operation of the contract; `path` begins behind `/v1`."""

    id: str
    method: str
    path: str
    definition: Schema


async def published_contract(
    package: str = FOLLOWED, without: Sequence[Deviation] = ()
) -> "PublishedContract":
    """The contract of a package, which is installed when it is missing."""
    modules = await install()
    return PublishedContract(modules / "@gitbook" / package, without)


class PublishedContract:
    """One release of the contract."""

    def __init__(self, package: Path, without: Sequence[Deviation] = ()) -> None:
        """`without` are members that the schemas then no longer require."""
        self.version: str = json.loads((package / "package.json").read_text())["version"]
        document = json.loads((package / "spec" / "openapi.json").read_text())
        # Documents have blocks of later releases; what may be in them is in published_shapes.py.
        document["components"]["schemas"]["JSONDocument"]["properties"]["nodes"].pop("items")
        for one in without:
            _release(document["components"]["schemas"], one)
        self.document: Schema = _json_schema(document)
        resource = Resource.from_contents(self.document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(_DOCUMENT, resource)
        self._quick_registry = jsonschema_rs.Registry(
            [(_DOCUMENT, self.document)], draft=jsonschema_rs.Draft202012
        )
        self._validators: dict[tuple[str, str], _Validator | None] = {}

    @cached_property
    def operations(self) -> dict[str, ContractOperation]:
        """By their ids."""
        return {
            definition["operationId"]: ContractOperation(
                definition["operationId"], method.upper(), path, definition
            )
            for path, item in self.document["paths"].items()
            for method, definition in item.items()
            if method in _METHODS
        }

    def operation_of(self, method: str, path: str) -> ContractOperation | None:
        """The operation that a request asks for; paths without parameters come first."""
        for pattern, operation in self._patterns:
            if operation.method == method and pattern.fullmatch(path):
                return operation
        return None

    def schemas_of_answers(self, id: str) -> frozenset[str]:
        """The names of the schemas that the answers of success of an operation are made of."""
        names: set[str] = set()
        answers = self.operations[id].definition["responses"]
        waiting = [answer for status, answer in answers.items() if status.startswith("2")]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                parts = node["$ref"].partition("#/")[2].split("/")
                if parts[-1] not in names:
                    names.add(parts[-1])
                    waiting.append(self.document[parts[0]][parts[1]][parts[2]])
            if isinstance(node, dict | list):
                waiting += node.values() if isinstance(node, dict) else node
        return frozenset(names)

    def problems(self, id: str, status: int, body: Any) -> list[str]:
        """What is wrong with an answer; `body` is None when it has none or is no JSON."""
        answers = self.operations[id].definition["responses"]
        key = str(status) if str(status) in answers else "default"
        if key not in answers:
            # The contract does not list every error of every operation; those have one form.
            return [f"{id}: status {status} is not declared"] if status < 400 else _error(id, body)
        validator = self._validator(id, key)
        found = [] if validator is None else [*validator.problems(body)]
        found += [
            f"document: {one}" for document in _documents(body) for one in deviations(document)
        ]
        return [f"{id} {status} {problem}" for problem in found]

    def _validator(self, id: str, status: str) -> "_Validator | None":
        if (id, status) not in self._validators:
            operation = self.operations[id]
            pointer = ["paths", operation.path, operation.method.lower(), "responses", status]
            answer = operation.definition["responses"][status]
            if "$ref" in answer:
                pointer = answer["$ref"].removeprefix("#/").split("/")
                answer = self.document["components"]["responses"][pointer[-1]]
            media = answer.get("content", {})
            self._validators[id, status] = None
            if "application/json" in media:
                pointer = [*pointer, "content", "application/json", "schema"]
                place = "/".join(map(_pointer_part, pointer))
                schema = {"$ref": f"{_DOCUMENT}#/{place}"}
                self._validators[id, status] = _Validator(
                    jsonschema_rs.Draft202012Validator(schema, registry=self._quick_registry),
                    Draft202012Validator(schema, registry=self._registry),
                )
        return self._validators[id, status]

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], ContractOperation]]:
        def pattern(path: str) -> re.Pattern[str]:
            return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))

        ordered = sorted(self.operations.values(), key=lambda one: one.path.count("{"))
        return [(pattern(operation.path), operation) for operation in ordered]


@dataclass(frozen=True, slots=True)
class _Validator:
    """Two libraries with one schema: whether it fits is asked of the one that is a hundred times
    as quick, and what does not fit of the one that knows of each variant."""

    quick: jsonschema_rs.Draft202012Validator
    thorough: Draft202012Validator

    def problems(self, body: Any) -> Iterator[str]:
        if self.quick.is_valid(body):
            return
        for error in self.thorough.iter_errors(body):
            for cause in _causes(error):
                parts = ("*" if isinstance(part, int) else part for part in cause.absolute_path)
                yield f"{'.'.join(parts)}: {cause.message[-300:]} ({cause.validator})"


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """What is wrong in the variant that was meant: the one whose constants fit, or nearly so."""
    if error.validator != "anyOf" or not error.context:
        yield error
        return
    variants: dict[int, list[ValidationError]] = {}
    for part in error.context:
        variants.setdefault(int(part.relative_schema_path[0]), []).append(part)

    def strangeness(errors: list[ValidationError]) -> tuple[int, int]:
        depth = len(error.absolute_path)
        other = sum(one.validator in ("enum", "type") and len(one.absolute_path) <= depth + 1
                    for one in errors)  # fmt: skip
        return other, len(errors)

    for part in min(variants.values(), key=strangeness):
        yield from _causes(part)


def _documents(body: Any) -> Iterator[Any]:
    if isinstance(body, list):
        for value in body:
            yield from _documents(value)
    elif isinstance(body, dict):
        if body.get("object") == "document" and isinstance(body.get("nodes"), list):
            yield body
        else:
            yield from _documents(list(body.values()))


def _release(schemas: Schema, deviation: Deviation) -> None:
    """Let a schema do without members; AssertionError where it does not require them."""
    for member in deviation.members:
        *above, name = member.split(".")
        released = []
        for requires in _nodes_below(schemas[deviation.schema], above):
            if name in requires.get("required", ()):
                requires["required"].remove(name)
                released.append(name)
        assert released, f"{deviation.schema} does not require {member}"


def _nodes_below(node: Schema, path: Sequence[str]) -> Iterator[Schema]:
    """The parts of a schema that speak of a member of its objects, but for other schemas."""
    if not path:
        yield node
    elif path[0] in node.get("properties", {}):
        yield from _nodes_below(node["properties"][path[0]], path[1:])
    for variant in ("allOf", "oneOf", "anyOf"):
        for part in node.get(variant, ()):
            yield from _nodes_below(part, path)


def _error(id: str, body: Any) -> list[str]:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and {"code", "message"} <= error.keys():
        return []
    return [f"{id}: an error without code and message"]


def _pointer_part(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _json_schema(node: Any) -> Any:
    """The same in JSON Schema, where OpenAPI 3.0 says `nullable`.

    Variants of `oneOf` overlap in the contract (an object that allows any member is beside one
    that requires some), so one of them or more has to fit. One that says that nothing is there
    stands beside others of an object (`allOf`), which have members. References are to the one
    document.
    """
    if isinstance(node, list):
        return [_json_schema(value) for value in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _json_schema(value) for key, value in node.items()}
    if schema.get("properties") == {} and schema.get("additionalProperties") is False:
        del schema["additionalProperties"]
    if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#/components/schemas"):
        schema["$ref"] = _DOCUMENT + schema["$ref"]
    if isinstance(schema.get("oneOf"), list):
        variants = schema.pop("oneOf")
        schema = {**schema, "allOf": [*schema.get("allOf", []), {"anyOf": variants}]}
    if schema.pop("nullable", None) is True:
        return {"anyOf": [{"type": "null"}, schema]}
    return schema
