"""Checks of customization settings beyond their types: links, conditions, favicons, size."""

from collections.abc import Iterator

import orjson

from resolvers.core.errors import Invalid, invalid
from resolvers.customization.table import Json
from resolvers.drafts.page_fields import check_condition
from resolvers.revisions.references import MEMBERS, read_reference_input

# Every page view reads the settings.
SIZE = 256 * 1024
KINDS = tuple(kind for kind in MEMBERS if kind != "tag")
# Members that a reference may have beside `kind` and the one it cannot be without.
_BESIDE = {
    "page": ("space",),
    "anchor": ("space", "page"),
    "reusable-content": ("space",),
}


def check_settings(data: Json) -> None:
    """Invalid, with its position, for a wrong reference, condition, favicon, or too much."""
    favicon = data.get("favicon", {})
    if "icon" in favicon and "emoji" in favicon:
        raise invalid("favicon", "has an icon and an emoji; at most one of them is allowed")
    for item, where in _items(data.get("header", {}).get("links"), "header.links"):
        if item.get("condition"):
            check_condition(item["condition"], f"{where}.condition")
        if item.get("to") is not None:
            _check_reference(item["to"], f"{where}.to")
    for link, where in _content_links(data):
        _check_reference(link["to"], f"{where}.to")
    size = len(orjson.dumps(data))
    if size > SIZE:
        raise Invalid(f"the settings take {size} bytes; at most {SIZE} are allowed")


def _items(listed: list[Json] | None, path: str) -> Iterator[tuple[Json, str]]:
    for index, item in enumerate(listed or ()):
        yield item, f"{path}[{index}]"


def _content_links(data: Json) -> Iterator[tuple[Json, str]]:
    """Links that have nothing but a title and a reference, each with its position."""
    for item, where in _items(data.get("header", {}).get("links"), "header.links"):
        yield from _items(item.get("links"), f"{where}.links")
    for group, where in _items(data.get("footer", {}).get("groups"), "footer.groups"):
        yield from _items(group.get("links"), f"{where}.links")
    link = data.get("announcement", {}).get("link")
    if link is not None:
        yield link, "announcement.link"


def _check_reference(reference: Json, where: str) -> None:
    checked = read_reference_input(reference, where, {}, KINDS)  # type: ignore[arg-type]
    allowed = ("kind", MEMBERS[checked["kind"]], *_BESIDE.get(checked["kind"], ()))
    for name in checked:
        if name not in allowed:
            raise invalid(f"{where}.{name}", f"is unknown; allowed are {', '.join(allowed)}")
