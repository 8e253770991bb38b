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
    """Whether a claim may be called so."""
    plain = all(ord(one) >= 32 and ord(one) != 127 for one in name)
    return 0 < len(name) <= NAME and plain and not FORBIDDEN.intersection(name)


def read_claims(given: Mapping[str, Any] | None, path: str) -> Json:
    """Claims as they are kept, sorted by name; Invalid says what is wrong with them."""
    if not given:
        return {}
    text = orjson.dumps(given, option=orjson.OPT_SORT_KEYS)
    if len(text) > CHARACTERS:
        raise invalid(path, f"has {len(text)} characters of JSON; at most {CHARACTERS} are allowed")
    kept: Json = orjson.loads(text)
    found = by_path(kept)
    if len(found) > CLAIMS:
        raise invalid(path, f"has {len(found)} claims; at most {CLAIMS} are allowed")
    for name in found:
        if not is_name(name):
            raise invalid(path, f"{name[:100]!r} is no name of a claim; it must be {NAME_WORDS}")
    return kept


def by_path(claims: Mapping[str, Any], prefix: str = "", depth: int = 1) -> dict[str, str]:
    """Each claim as text under its path (`unsigned.plan`); what is not text as JSON."""
    found: dict[str, str] = {}
    for name, value in claims.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and depth < DEPTH:
            found.update(by_path(value, f"{path}.", depth + 1))
        elif value is not None:
            found[path] = as_text(value)
    return found


def as_text(value: Any) -> str:
    """A value of a claim as it is compared."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()
