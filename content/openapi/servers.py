"""Where an API is: the addresses of the servers that a specification names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, product
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from content.openapi.structure import METHODS, JsonObject

# Addresses of one operation: servers, and the values of their variables.
MOST_ADDRESSES = 20
_LONGEST = 2_000
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\.?|\[[0-9A-Fa-f:.]+\]")


def server_addresses(servers: Any) -> list[str]:
    """Complete addresses without a slash at the end, each once: those of servers at the defaults
    of their variables first, then with the other values that variables may have.

    Addresses of other schemes than http and https, with a user or a query, are left out.
    """
    listed = servers if isinstance(servers, list) else []
    spellings = [_addresses(server) for server in listed if isinstance(server, dict)]
    addresses = dict.fromkeys(next(each, "") for each in spellings)
    addresses |= dict.fromkeys(islice(chain.from_iterable(spellings), MOST_ADDRESSES))
    return list(islice(filter(origin_of, addresses), MOST_ADDRESSES))


def origin_of(address: str) -> str:
    """Scheme, host and port, as policies of pages write them; "" for what is no such address."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return ""
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc.rstrip(":")
    known_scheme = parts.scheme in ("http", "https")
    if not known_scheme or not _HOST.fullmatch(host) or parts.query or parts.fragment:
        return ""
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def _addresses(server: JsonObject) -> Iterator[str]:
    url, variables = server.get("url"), server.get("variables")
    if not isinstance(url, str):
        return
    names = list(dict.fromkeys(_VARIABLE.findall(url)))
    choices = [_values(variables, name) for name in names]
    for values in islice(product(*choices), MOST_ADDRESSES):
        by_name = dict(zip(names, values, strict=True))
        address = _VARIABLE.sub(lambda match, of=by_name: of[match[1]], url)  # type: ignore[misc]
        # As it goes into a form and back: without blanks and other signs that have no place in it.
        yield quote(address[:_LONGEST], safe="/:?#[]@!$&'()*+,;=%~").rstrip("/")


def _values(variables: Any, name: str) -> list[str]:
    """The values that a variable may have, its default first; without any it stays as it is."""
    variable = variables.get(name) if isinstance(variables, dict) else None
    if not isinstance(variable, dict):
        return [f"{{{name}}}"]
    listed = variable.get("enum")
    values = [variable.get("default"), *(listed if isinstance(listed, list) else [])]
    return list(dict.fromkeys(str(value) for value in values if value is not None)) or [
        f"{{{name}}}"
    ]


def with_whole_servers(root: JsonObject, url: str) -> None:
    """Make the addresses of servers complete, which are relative to that of the specification."""
    holders: list[Any] = [root]
    for place in ("paths", "webhooks"):
        items = root.get(place)
        for item in items.values() if isinstance(items, dict) else ():
            if isinstance(item, dict):
                holders += [item, *(item.get(method) for method in METHODS)]
    for holder in holders:
        servers = holder.get("servers") if isinstance(holder, dict) else None
        for server in servers if isinstance(servers, list) else ():
            if isinstance(server, dict) and isinstance(server.get("url"), str):
                server["url"] = _whole(url, server["url"])


def _whole(url: str, address: str) -> str:
    # A variable may stand for the scheme.
    if "://" in address or address.startswith("{"):
        return address
    try:
        return urljoin(url, address)
    except ValueError:
        return address
