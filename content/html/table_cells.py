"""What stands in the cells of tables: one function for each type of column."""

from __future__ import annotations

from collections.abc import Callable

from content.documents.cell_references import cell_reference
from content.html.inlines import anchor, image_element, name_of
from content.html.marks import COLORS
from content.html.markup import EMPTY, Html, element, escape, joined
from content.html.reading import object_of, objects_in, text_of
from content.html.rendering import Rendering
from content.html.symbols import CHECKED, UNCHECKED
from content.json_types import Json, JsonObject

Fragments = dict[str, list[JsonObject]]
Cell = Callable[[Rendering, JsonObject, Json, Fragments], Html]
RATING_LIMIT = 20


def cell_content(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    """A value of a column; nothing for null and for types that are not known."""
    kind = text_of(definition, "type") or "text"
    make = CELLS.get(kind)
    return EMPTY if make is None or value is None else make(rendering, definition, value, fragments)


def _text(rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments) -> Html:
    if not isinstance(value, str):
        return escape(str(value)) if isinstance(value, int | float) else EMPTY
    nodes = fragments.get(value)
    # Without the fragment that it names, the value is the text.
    return escape(value) if nodes is None else rendering.blocks(nodes)


def _number(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return EMPTY
    return escape(f"{value:g}" if isinstance(value, float) else str(value))


def _checkbox(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    return CHECKED if value is True else UNCHECKED


def _files(rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments) -> Html:
    items = value if isinstance(value, list) else [value]
    links = []
    for item in items:
        reference = cell_reference("files", item)
        if reference is not None:
            target = rendering.target_of(reference)
            links.append(element("div", anchor(target, name_of(target)), class_="cell-file"))
    return joined(links)


def _users(rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments) -> Html:
    items = value if isinstance(value, list) else [value]
    names = []
    for item in items:
        reference = cell_reference("users", item)
        if reference is not None:
            target = rendering.target_of(reference)
            names.append(element("span", name_of(target), class_="mention"))
    return Html(", ".join(name for name in names))


def _rating(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return EMPTY
    most = definition.get("max")
    limit = most if isinstance(most, int) and 1 <= most <= RATING_LIMIT else 5
    given = max(0, min(limit, round(value)))
    stars = escape("★" * given + "☆" * (limit - given))
    return element("span", stars, class_="rating", role="img", aria_label=f"{given} of {limit}")


def _select(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    chosen = value if isinstance(value, list) else [value]
    options = {text_of(option, "value"): option for option in objects_in(definition.get("options"))}
    badges = []
    for name in chosen:
        if not isinstance(name, str):
            continue
        option = options.get(name, {})
        color = COLORS.get(text_of(option, "color"), "")
        badges.append(
            element(
                "span",
                escape(text_of(option, "label") or name),
                class_=f"badge background-{color}" if color else "badge",
            )
        )
    return Html(" ".join(badges))


def _content_ref(
    rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments
) -> Html:
    if not isinstance(value, dict):
        return EMPTY
    target = rendering.target_of(value)
    return anchor(target, name_of(target))


def image_reference(definition: JsonObject, value: Json) -> JsonObject | None:
    """The reference of an image value: the value itself, its `ref`, or the first of some files."""
    if isinstance(value, list):
        value = cell_reference(text_of(definition, "type"), value[0]) if value else None
    if not isinstance(value, dict):
        return None
    return object_of(value, "ref") or (value if "kind" in value else None)


def _image(rendering: Rendering, definition: JsonObject, value: Json, fragments: Fragments) -> Html:
    reference = image_reference(definition, value)
    if reference is None:
        return EMPTY
    target = rendering.target_of(reference)
    if target.image is None:
        return anchor(target, name_of(target), "missing-image")
    return image_element(target.image, target.title, class_="cell-image")


CELLS: dict[str, Cell] = {
    "text": _text,
    "number": _number,
    "checkbox": _checkbox,
    "files": _files,
    "users": _users,
    "rating": _rating,
    "select": _select,
    "content-ref": _content_ref,
    "image": _image,
}
