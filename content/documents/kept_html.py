"""Addresses in HTML that is kept as it stands: what they lead to is found when it is shown.

Its text is its author's, so nothing else of a document says it. Whoever shows a document notes the
content references beside the source (`LED`), in a copy that is never stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import islice
from typing import Any

from content.documents.nodes import Node, data_of, object_of, text_of, walk
from content.json_types import JsonObject

# The member of a block's data that holds what its addresses lead to.
LED = "led"
# Addresses of one document; those behind them lead nowhere.
MOST_ADDRESSES = 5_000
_ADDRESS = re.compile(
    r"\s(?:src|href)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))", re.IGNORECASE
)


def addresses_of(node: JsonObject) -> Iterator[str]:
    """The addresses in a block of kept HTML, as a parser reads them; code may add some."""
    source = text_of(data_of(node), "source") if node.get("type") == "markdown" else ""
    for match in _ADDRESS.finditer(source) if "<" in source else ():
        yield unescape(match[1] or match[2] or match[3] or "").strip()


def addresses_in(document: Node) -> set[str]:
    """The addresses in all kept HTML of a document."""
    addresses = (address for node in walk([document]) for address in addresses_of(node))
    return set(islice(addresses, MOST_ADDRESSES))


def with_led(value: Any, led: Mapping[str, JsonObject]) -> Any:
    """A document, or nodes, in which kept HTML has what its addresses lead to."""
    if isinstance(value, list):
        return [with_led(item, led) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "markdown":
        own = {address: led[address] for address in addresses_of(value) if address in led}
        return {**value, "data": {**data_of(value), LED: own}} if own else value
    return {
        name: with_led(item, led) if name in ("nodes", "fragments") else item
        for name, item in value.items()
    }


def led_of(node: JsonObject) -> JsonObject:
    """What the addresses of a block lead to, as far as whoever shows it has noted it."""
    return object_of(data_of(node), LED)
