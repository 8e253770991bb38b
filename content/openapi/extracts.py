"""What a block shows of a specification: one operation, webhook or list of schemas, with all that
it refers to, as a specification of its own.

Extracts are small: schemas that are reached over many steps are named and not shown.
"""

from __future__ import annotations

from typing import Any

import orjson

from content.openapi.structure import METHODS, OPENAPI, JsonObject, local_target, parts_of

# Components of one extract, and bytes of all of them as JSON.
MOST_COMPONENTS, MOST_BYTES = 200, 400_000
# References of path items and others that lead to references.
_STEPS = 20


def resolved(root: JsonObject, value: Any) -> Any:
    """What a value is where it may be a reference; None where that leads to nothing."""
    for _ in range(_STEPS):
        reference = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(reference, str):
            return value
        try:
            value = local_target(root, reference)
        except LookupError:
            return None
    return None


def is_hidden(value: JsonObject) -> bool:
    """Whether an operation, tag or field is not for readers."""
    return value.get("x-internal") is True or value.get("x-gitbook-ignore") is True


def operation_of(root: JsonObject, path: str, method: str) -> JsonObject | None:
    """The extract of an operation; None when there is none for readers."""
    items = root.get("paths")
    item = items.get(path) if isinstance(items, dict) else None
    return _extract(root, item, method, {"path": path})


def webhook_of(root: JsonObject, name: str, method: str) -> JsonObject | None:
    """The extract of a webhook; None when there is none for readers."""
    items = root.get("webhooks")
    item = items.get(name) if isinstance(items, dict) else None
    return _extract(root, item, method, {"webhook": name})


def schemas_of(root: JsonObject, names: list[str], *, alone: bool = False) -> JsonObject | None:
    """The extract of schemas by name; None when there are none of them for readers.

    `alone`: without those that they refer to.
    """
    schemas = _components(root).get("schemas")
    if not isinstance(schemas, dict):
        return None
    shown = {
        name: schemas[name]
        for name in names[:MOST_COMPONENTS]
        if isinstance(schemas.get(name), dict) and not is_hidden(schemas[name])
    }
    if not shown:
        return None
    reached = {} if alone else _reached(root, "components", {"schemas": shown})
    components = {f"#/components/schemas/{name}": schema for name, schema in shown.items()}
    kinds = dict.fromkeys(components, "schema") | {
        name: kind for name, (_, kind) in reached.items()
    }
    components |= {name: part for name, (part, _) in reached.items()}
    return {"names": list(shown), "components": _for_readers(components, kinds)}


def _components(root: JsonObject) -> JsonObject:
    value = root.get("components")
    return value if isinstance(value, dict) else {}


def _extract(root: JsonObject, item: Any, method: str, about: JsonObject) -> JsonObject | None:
    item = resolved(root, item)
    method = method.lower()
    if not isinstance(item, dict) or method not in METHODS:
        return None
    operation = item.get(method)
    if not isinstance(operation, dict) or is_hidden(operation):
        return None
    own = operation.get("parameters")
    parameters = own if isinstance(own, list) else []
    names = {_name(root, part) for part in parameters}
    shared = item.get("parameters")
    more = [part for part in shared if _name(root, part) not in names] if isinstance(
        shared, list
    ) else []  # fmt: skip
    operation = {**operation, "parameters": [*parameters, *more]}
    extract = {**about, "method": method, "operation": operation}
    for name in ("servers", "security"):
        value = operation.get(name, item.get(name, root.get(name)))
        if isinstance(value, list):
            extract[name] = value
    for name in ("x-hideTryItPanel", "x-codeSamples", "x-expandAllResponses", "x-enable-proxy"):
        if name in root:
            extract[name] = root[name]
    schemes = _components(root).get("securitySchemes")
    if isinstance(schemes, dict):
        used = {
            name
            for requirement in extract.get("security", ())
            if isinstance(requirement, dict)
            for name in requirement
        }
        extract["securitySchemes"] = {
            name: resolved(root, scheme) for name, scheme in schemes.items() if name in used
        }
    reached = _reached(root, "operation", operation)
    extract["components"] = _for_readers(
        {name: part for name, (part, _) in reached.items()},
        {name: kind for name, (_, kind) in reached.items()},
    )
    return extract | _for_readers({"operation": operation}, {"operation": "operation"})


def _for_readers(parts: JsonObject, kinds: dict[str, str]) -> JsonObject:
    """Copies of parts, each of its kind, without the fields that are not for readers."""
    copies: JsonObject = orjson.loads(orjson.dumps(parts))
    waiting = [(copies[name], kind) for name, kind in kinds.items()]
    while waiting:
        node, kind = waiting.pop()
        hidden: list[tuple[Any, Any]] = []
        for container, key, part_kind in parts_of(OPENAPI, kind, node):
            if is_hidden(container[key]):
                hidden.append((container, key))
            else:
                waiting.append((container[key], part_kind))
        # From the end, so that places in lists stay what they are.
        for container, key in reversed(hidden):
            del container[key]
    return copies


def _name(root: JsonObject, parameter: Any) -> tuple[str, str]:
    value = resolved(root, parameter)
    if not isinstance(value, dict):
        return "", ""
    return str(value.get("in")), str(value.get("name"))


def _reached(root: JsonObject, kind: str, node: JsonObject) -> dict[str, tuple[JsonObject, str]]:
    """The components that an object refers to with their kinds, nearest first, as far as there is
    room; by the whole reference: `#/components/schemas/Pet`.
    """
    reached: dict[str, tuple[JsonObject, str]] = {}
    left = MOST_BYTES
    level: list[tuple[JsonObject, str]] = [(node, kind)]
    while level:
        below: list[tuple[JsonObject, str]] = []
        for holder, holder_kind in level:
            for container, key, part_kind in parts_of(OPENAPI, holder_kind, holder):
                part = container[key]
                reference = part.get("$ref")
                if isinstance(reference, str):
                    if reference in reached or len(reached) >= MOST_COMPONENTS:
                        continue
                    try:
                        part = local_target(root, reference)
                    except LookupError:
                        continue
                    size = len(orjson.dumps(part))
                    if not isinstance(part, dict) or size > left:
                        continue
                    left -= size
                    reached[reference] = part, part_kind
                below.append((part, part_kind))
        level = below
    return reached
