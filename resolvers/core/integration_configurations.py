"""Configurations of installations and their entries: whether they fit, what of them is secret.

A text is secret where the name of its property ends in `secret`, `token` or `key`, however deep it
stands. It is stored as `{"$sealed": text}`, and shown to nobody: in its place stands `MASK`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from db.integration_enums import InstallationStatus as Status
from resolvers.core.errors import invalid
from resolvers.core.sealing import Sealer

Json = dict[str, Any]
SEALED = "$sealed"
# Written in place of a secret, it leaves the value that is there.
MASK = "********"
MOST_BYTES, DEEPEST = 100_000, 10
_SECRET = re.compile(r"(secret|token|key)$", re.IGNORECASE)
_TYPES: Mapping[str, tuple[type[Any] | tuple[type[Any], ...], str]] = {
    "string": (str, "a text"),
    "number": ((int, float), "a number"),
    "boolean": (bool, "true or false"),
}


def status_of(schema: Mapping[str, Any] | None, configuration: Mapping[str, Any]) -> Status:
    """`active` where nothing that is required is missing; a component says nothing of that, so
    something has to be configured."""
    if not schema:
        return Status.ACTIVE
    if "componentId" in schema:
        return Status.ACTIVE if configuration else Status.PENDING
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        value = configuration.get(name)
        fits = value is not None and _problem(properties.get(name, {}), value) is None
        if not fits and "default" not in properties.get(name, {}):
            return Status.PENDING
    return Status.ACTIVE


def check_configuration(schema: Mapping[str, Any] | None, configuration: Any) -> None:
    """Invalid names the property whose value does not fit; others than those of the schema may be
    there, too."""
    if not isinstance(configuration, dict):
        raise invalid("configuration", "must be an object")
    if len(orjson.dumps(configuration)) > MOST_BYTES:
        raise invalid("configuration", f"has more than {MOST_BYTES} bytes as JSON")
    _check_form("configuration", configuration, 1)
    properties = (schema or {}).get("properties", {})
    for name, value in configuration.items():
        if name in properties and value is not None:
            problem = _problem(properties[name], value)
            if problem is not None:
                raise invalid(f"configuration.{name}", problem)


def _problem(declared: Mapping[str, Any], value: Any) -> str | None:
    kind: str = declared.get("type", "")
    if kind not in _TYPES:
        # A button brings whatever its callback stores.
        return None
    if isinstance(value, dict) and set(value) == {SEALED}:
        return None if kind == "string" else "must not be sealed"
    expected, called = _TYPES[kind]
    if not isinstance(value, expected) or (kind == "number" and isinstance(value, bool)):
        return f"must be {called}"
    allowed = declared.get("enum")
    if allowed and value not in allowed:
        return f"must be one of {', '.join(map(repr, allowed))}"
    return None


def _check_form(path: str, value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise invalid(path, f"is nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        for name, member in value.items():
            if name.startswith("$"):
                raise invalid(f"{path}.{name}", "must not begin with '$'")
            _check_form(f"{path}.{name}", member, depth + 1)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            _check_form(f"{path}[{index}]", member, depth + 1)


def sealed(sealer: Sealer, configuration: Json, before: Mapping[str, Any]) -> Json:
    """A configuration as it is stored; a mask leaves the secret of `before` in its place."""

    def seal(text: str, old: Any) -> Any:
        if text == MASK and _is_sealed(old):
            return old
        return {SEALED: sealer.seal(text)}

    return {
        name: _sealed(name, value, before.get(name), seal) for name, value in configuration.items()
    }


def _is_sealed(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {SEALED}


def _sealed(name: str, value: Any, old: Any, seal: Callable[[str, Any], Any]) -> Any:
    if isinstance(value, str) and _SECRET.search(name):
        return seal(value, old)
    if isinstance(value, dict):
        inner = old if isinstance(old, dict) else {}
        return {key: _sealed(key, member, inner.get(key), seal) for key, member in value.items()}
    if isinstance(value, list):
        inner_list = old if isinstance(old, list) else []
        return [
            _sealed(name, member, inner_list[index] if index < len(inner_list) else None, seal)
            for index, member in enumerate(value)
        ]
    return value


def masked(configuration: Any) -> Any:
    """A stored configuration as it is shown."""
    return _replaced(configuration, lambda text: MASK)


def opened(sealer: Sealer, configuration: Any) -> Any:
    """A stored configuration with its secrets, for the integration itself."""
    return _replaced(configuration, sealer.open)


def resealed(sealer: Sealer, configuration: Any) -> Any:
    """A stored configuration whose secrets are sealed with the key of today."""
    return _replaced(configuration, lambda text: {SEALED: sealer.renew(text)})


def _replaced(value: Any, of_sealed: Callable[[str], Any]) -> Any:
    if _is_sealed(value):
        return of_sealed(value[SEALED])
    if isinstance(value, dict):
        return {name: _replaced(member, of_sealed) for name, member in value.items()}
    if isinstance(value, list):
        return [_replaced(member, of_sealed) for member in value]
    return value
