"""The header Prefer (RFC 7240) of requests with a body, and what an answer says of it.

By default members that nobody knows are ignored and named in `Docstead-Ignored`; with
`Prefer: handling=strict` they are refused by name (decision 41).
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from urllib.parse import quote

from starlette.requests import Request

IGNORED = "Docstead-Ignored"
APPLIED = "Preference-Applied"
# Members that the header names, and bytes of each as it is written there: proxies allow 8 kB of
# headers or less.
MOST_NAMED, LONGEST_NAME = 20, 100
# What stands in a path as it is; the rest is percent-encoded as UTF-8, so no name ends the header.
_PLAIN = "[]$@"

# How much of the header is read, in characters.
MOST_READ = 1000
# A quoted text that nothing ends is one, too, so that no quote is looked at twice.
_TOKEN = re.compile(r'"(?>(?:[^"\\]|\\.)*)"?|[,;=]|[^\s",;=]+')
HANDLING = "handling"
STRICT, LENIENT = "strict", "lenient"
# Where a request's scope has its `preference_headers`, for the answers to errors.
PREFERENCE_HEADERS = "docstead.preference_headers"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def preferences(headers: Iterable[str]) -> dict[str, str]:
    """The preferences of the headers by their names, in small letters; the first of a name counts.

    A preference is a name, perhaps with a value, and parameters, which none of ours has.
    """
    applied: dict[str, str] = {}
    element: list[str] = []
    for part in [*_TOKEN.findall(",".join(headers)[:MOST_READ]), ","]:
        if part != ",":
            element.append(part)
            continue
        value = element[2] if element[1:2] == ["="] and len(element) > 2 else ""
        if element:
            applied.setdefault(element[0].lower(), _unquoted(value))
        element = []
    return applied


def _unquoted(value: str) -> str:
    """A value without its quotes; one that nothing ends says nothing that we know."""
    if len(value) > 1 and value.startswith('"') and value.endswith('"'):
        return re.sub(r"\\(.)", r"\1", value[1:-1])
    return value


def handling_of(request: Request) -> str | None:
    """Which handling of unknown members the caller prefers; None without a preference."""
    if not (values := request.headers.getlist("prefer")):
        return None
    value = preferences(values).get(HANDLING, "").lower()
    return value if value in (STRICT, LENIENT) else None


def ignored_header(paths: list[str]) -> str:
    """The ignored members as a header: paths, and the number of those that it does not name."""
    named = [_named(path) for path in paths[:MOST_NAMED]]
    more = len(paths) - len(named)
    return ", ".join([*named, f"+{more}"] if more else named)


def _named(path: str) -> str:
    """As many characters of a path as have room."""
    path = path[:LONGEST_NAME]
    while len(named := quote(path, safe=_PLAIN)) > LONGEST_NAME:
        path = path[:-1]
    return named


def preference_headers(handling: str | None, ignored: list[str]) -> Mapping[str, str]:
    """Headers of the response that tell which preferences were applied, and what was ignored."""
    headers = {}
    if handling is not None:
        headers[APPLIED] = f"{HANDLING}={handling}"
    if ignored:
        headers[IGNORED] = ignored_header(ignored)
    return headers
