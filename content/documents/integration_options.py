"""Options of selects that integrations name by an address: which these are, and in their place.

What is at the address is a list of options, or an object with `items` and with those that are
chosen already, `selected`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from content.documents.integration_elements import Elements, listed, texts
from content.documents.nodes import object_of
from content.json_types import JsonObject, values_in

# Addresses of one drawing that are asked; options of one that are shown, and characters of these.
MOST_ADDRESSES, MOST_OPTIONS, MOST_CHARACTERS = 6, 200, 200


def option_addresses(shown: JsonObject) -> list[str]:
    """The addresses of options, with what the state has in the place of names; each once."""
    elements = Elements(object_of(shown, "state"))
    selects = [value for value in values_in([shown.get("element")]) if isinstance(value, dict)]
    addresses = dict.fromkeys(
        elements.address(select["options"]) for select in selects if _is_open(select)
    )
    return [address for address in addresses if address.startswith(("https://", "http://"))][
        :MOST_ADDRESSES
    ]


def _is_open(value: Any) -> bool:
    options = value.get("options") if isinstance(value, dict) else None
    return isinstance(options, dict) and value.get("type") == "select" and "url" in options


def read_options(data: bytes | None) -> list[JsonObject]:
    """The options of an answer, each id once; none where it is no such answer."""
    try:
        value = orjson.loads(data or b"[]")
    except orjson.JSONDecodeError:
        return []
    if isinstance(value, dict):
        value = [*listed(value.get("selected")), *listed(value.get("items"))]
    options: dict[str, JsonObject] = {}
    for option in value if isinstance(value, list) else ():
        id = texts(option, "id") if isinstance(option, dict) else ""
        if id and id not in options and len(id) <= MOST_CHARACTERS:
            label, icon = texts(option, "label"), texts(option, "icon")
            options[id] = {"id": id, "label": label[:MOST_CHARACTERS], "icon": icon[:20]}
        if len(options) == MOST_OPTIONS:
            break
    return list(options.values())


def with_options(shown: JsonObject, options_of: Mapping[str, Sequence[JsonObject]]) -> JsonObject:
    """What a block shows with these options, by their addresses.

    A select whose address follows from the state says in `follows` by which names.
    """
    elements = Elements(object_of(shown, "state"))

    def filled(value: Any) -> Any:
        if isinstance(value, list):
            return [filled(item) for item in value]
        if not isinstance(value, dict):
            return value
        if not _is_open(value):
            return {name: filled(item) for name, item in value.items()}
        options = value["options"]
        names = [part["$state"] for part in values_in([options])
                 if isinstance(part, dict) and isinstance(part.get("$state"), str)]  # fmt: skip
        address = elements.address(options)
        return {
            **value,
            "options": list(options_of.get(address, ())),
            "follows": sorted(set(names)),
        }

    return {**shown, "element": filled(shown.get("element"))}
