"""Claims of visitors in insights: as they were given, and one by one under their paths."""

from collections.abc import Mapping
from typing import Any

import orjson

from resolvers.core.errors import invalid

Json = dict[str, Any]
CLAIMS, CHARACTERS, NAME, DEPTH = 100, 8192, 100, 5
# They would end the quoted name in a path into the stored JSON.
FORBIDDEN = frozenset('"\\')
NAME_WORDS = f"1 to {NAME} characters without quotes, backslashes and control characters"


def is_name(name: str) -> bool:
    """Whether a text may be the name of a claim."""
    plain = all(ord(character) >= 32 and ord(character) != 127 for character in name)
    return 0 < len(name) <= NAME and plain and not FORBIDDEN.intersection(name)


def read_claims(claims: Mapping[str, Any] | None, path: str) -> Json:
    """Claims as they are stored, sorted by name; Invalid says what is wrong with them."""
    if not claims:
        return {}
    text = orjson.dumps(claims, option=orjson.OPT_SORT_KEYS)
    if len(text) > CHARACTERS:
        raise invalid(path, f"has {len(text)} characters of JSON; at most {CHARACTERS} are allowed")
    ordered: Json = orjson.loads(text)
    paths = by_path(ordered)
    if len(paths) > CLAIMS:
        raise invalid(path, f"has {len(paths)} claims; at most {CLAIMS} are allowed")
    for name in paths:
        if not is_name(name):
            raise invalid(path, f"{name[:100]!r} is no name of a claim; it must be {NAME_WORDS}")
    return ordered


def by_path(claims: Mapping[str, Any], prefix: str = "", depth: int = 1) -> dict[str, str]:
    """Each claim as text under its path (`unsigned.plan`); what is not text as JSON."""
    paths: dict[str, str] = {}
    for name, value in claims.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and depth < DEPTH:
            paths.update(by_path(value, f"{path}.", depth + 1))
        elif value is not None:
            paths[path] = as_text(value)
    return paths


def as_text(value: Any) -> str:
    """A value of a claim as it is compared."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()
