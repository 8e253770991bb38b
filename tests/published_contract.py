"""The published contract as its npm packages state it, and where an answer does not keep to it.

The packages are those of tests/node: the release that /v1 follows, and the newest one known.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.node_packages import install

Schema = dict[str, Any]
FOLLOWED, NEWEST = "api", "api-newest"
_METHODS = ("get", "post", "put", "patch", "delete")
_DOCUMENT = "contract:"
# Members that say which variant a value is.
_MARKS = ("type", "kind", "object", "operation", "status")


# What is meant by an empty object beside those with a body: a page has other members, too.
_BODILESS = {
    "type": "object",
    "not": {"anyOf": [{"required": ["markdown"]}, {"required": ["document"]}]},
}


@dataclass(frozen=True, slots=True)
class ContractOperation:
    """An operation of the contract; `path` begins behind `/v1`."""

    id: str
    method: str
    path: str
    definition: Schema


async def published_contract(package: str = FOLLOWED) -> "PublishedContract":
    """The contract of a package, which is installed when it is missing."""
    modules = await install()
    return PublishedContract(modules / "@gitbook" / package)


class PublishedContract:
    """One release of the contract."""

    def __init__(self, package: Path) -> None:
        self.version: str = json.loads((package / "package.json").read_text())["version"]
        document = json.loads((package / "spec" / "openapi.json").read_text())
        self.document: Schema = _json_schema(document)
        resource = Resource.from_contents(self.document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(_DOCUMENT, resource)
        self._validators: dict[tuple[str, str], Draft202012Validator | None] = {}

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

    def problems(self, id: str, status: int, body: Any) -> list[str]:
        """What is wrong with an answer; `body` is None when it has none or is no JSON."""
        answers = self.operations[id].definition["responses"]
        key = str(status) if str(status) in answers else "default"
        if key not in answers:
            # The contract does not list every error of every operation; those have one form.
            return [f"{id}: status {status} is not declared"] if status < 400 else _error(id, body)
        validator = self._validator(id, key)
        if validator is None:
            return []
        return [f"{id} {status} {problem}" for problem in _problems(validator, body)]

    def _validator(self, id: str, status: str) -> Draft202012Validator | None:
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
                self._validators[id, status] = Draft202012Validator(
                    {"$ref": f"{_DOCUMENT}#/{place}"}, registry=self._registry
                )
        return self._validators[id, status]

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], ContractOperation]]:
        def pattern(path: str) -> re.Pattern[str]:
            return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)))

        ordered = sorted(self.operations.values(), key=lambda one: one.path.count("{"))
        return [(pattern(operation.path), operation) for operation in ordered]


def _problems(validator: Draft202012Validator, body: Any) -> Iterator[str]:
    for error in validator.iter_errors(body):
        for deepest in _deepest(error):
            place = ".".join(map(str, deepest.absolute_path))
            yield f"{place}: {deepest.message[:300]} ({deepest.validator})"


def _deepest(error: ValidationError) -> Iterator[ValidationError]:
    """What is wrong within a value of several variants: in those whose marks it has."""
    variants: dict[Any, list[ValidationError]] = {}
    for one in error.context or ():
        variants.setdefault(one.schema_path[0], []).append(one)
    meant = [errors for errors in variants.values() if not any(map(_is_other, errors))]
    if not meant:
        yield best_match([error]) or error
        return
    for one in min(meant, key=len):
        yield from _deepest(one)


def _is_other(error: ValidationError) -> bool:
    """Whether the mark of a variant is another one: a type, a kind or an object."""
    if error.validator in ("enum", "const") and error.path and error.path[-1] in _MARKS:
        return len(error.path) == 1
    found = [one for one in error.context or () if one.path]
    return (
        bool(found) and error.validator == "anyOf" and not error.path and all(map(_is_other, found))
    )


def _error(id: str, body: Any) -> list[str]:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and {"code", "message"} <= error.keys():
        return []
    return [f"{id}: an error without code and message"]


def _is_empty(variant: Schema) -> bool:
    return variant.get("properties") == {} and variant.get("additionalProperties") is False


def _pointer_part(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _json_schema(node: Any) -> Any:
    """The same in JSON Schema, where OpenAPI 3.0 says `nullable`.

    Variants of `oneOf` overlap in the contract (an object that allows any member is beside one
    that requires some), so one of them or more has to fit. References are to the one document.
    """
    if isinstance(node, list):
        return [_json_schema(value) for value in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _json_schema(value) for key, value in node.items()}
    if isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#/components/schemas"):
        schema["$ref"] = _DOCUMENT + schema["$ref"]
    if isinstance(schema.get("oneOf"), list):
        variants = [_BODILESS if _is_empty(one) else one for one in schema.pop("oneOf")]
        schema = {**schema, "allOf": [*schema.get("allOf", []), {"anyOf": variants}]}
    if schema.pop("nullable", None) is True:
        return {"anyOf": [{"type": "null"}, schema]}
    return schema
