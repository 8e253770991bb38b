"""Table blocks: grids with columns of types, cards, and how both fit on paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from content.documents.content_references import cell_reference
from content.documents.named_places import names_in_head
from content.documents.nodes import (
    data_of,
    flag_of,
    fragments_by_name,
    object_of,
    objects_in,
    text_of,
)
from content.html.directions import direction_of_block
from content.html.inlines import COLORS, anchor, image_of, name_of
from content.html.markup import EMPTY, Html, classes, element, escape, joined, task_symbol
from content.html.rendering import Rendering, Target
from content.json_types import Json, JsonObject

Fragments = dict[str, list[JsonObject]]
Cell = Callable[[Rendering, JsonObject, Json], Html]
RATING_LIMIT = 20


def _text(rendering: Rendering, value: Json, fragments: Fragments) -> Html:
    if not isinstance(value, str):
        return escape(str(value)) if isinstance(value, int | float) else EMPTY
    nodes = fragments.get(value)
    # Without the fragment that it names, the value is the text.
    return escape(value) if nodes is None else rendering.blocks(nodes)


def _number_cell(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return EMPTY
    return escape(f"{value:g}" if isinstance(value, float) else str(value))


def _checkbox(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    words = rendering.options.words
    return task_symbol(value is True, words.done if value is True else words.open)


def _files(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    links = (anchor(target, name_of(target)) for target in _targets(rendering, "files", value))
    return joined(element("div", link, class_="cell-file") for link in links)


def _users(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    names = (name_of(target) for target in _targets(rendering, "users", value))
    return Html(", ".join(element("span", name, class_="mention") for name in names))


def _targets(rendering: Rendering, column: str, value: Json) -> Iterator[Target]:
    """The targets of the files or people in a cell."""
    for item in value if isinstance(value, list) else [value]:
        reference = cell_reference(column, item)
        if reference is not None:
            yield rendering.target_of(reference)


def _rating(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return EMPTY
    most = definition.get("max")
    limit = most if isinstance(most, int) and 1 <= most <= RATING_LIMIT else 5
    rating = max(0, min(limit, round(value)))
    stars = escape("★" * rating + "☆" * (limit - rating))
    label = rendering.options.words.rating.format(given=rating, limit=limit)
    return element("span", stars, class_="rating", role="img", aria_label=label)


def _select(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    chosen = value if isinstance(value, list) else [value]
    options = {text_of(option, "value"): option for option in objects_in(definition.get("options"))}
    badges = []
    for name in chosen:
        if not isinstance(name, str):
            continue
        option = options.get(name, {})
        label = escape(text_of(option, "label") or name)
        color = COLORS.get(text_of(option, "color"), "")
        badge = classes("badge", color and f"background-{color}")
        badges.append(element("span", label, class_=badge))
    return Html(" ".join(badges))


def _content_ref(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
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


def _image(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    reference = image_reference(definition, value)
    if reference is None:
        return EMPTY
    target = rendering.target_of(reference)
    if target.image is None:
        return anchor(target, name_of(target), "missing-image")
    return image_of(rendering, target, target.title, class_="cell-image")


CELLS: dict[str, Cell] = {
    "number": _number_cell,
    "checkbox": _checkbox,
    "files": _files,
    "users": _users,
    "rating": _rating,
    "select": _select,
    "content-ref": _content_ref,
    "image": _image,
}


# Tables on paper, where nobody can scroll: they are set smaller, so that all columns are seen.
# What lines may not be broken in; signs of East Asian scripts stand by themselves.
_PIECES = re.compile("[^\\s\u2e80-\ud7ff\uf900-\uffef]+|[\u2e80-\ud7ff\uf900-\uffef]")
_TAG = re.compile(r"<(/?)([a-z0-9]+)[^<>]*>")
_MARKS = frozenset(
    {"a", "b", "code", "em", "i", "kbd", "mark", "s", "span", "strong", "sub", "sup"}
)
_SHEET_POINTS = 470.0
# Width of a character of the fonts of tables in relation to their height: rather more than less.
_CHARACTER = 0.58
# (class, height of type in points, blank beside the text of a cell in heights), as in print.css.
_SIZES = (("", 9.0, 1.4), ("narrow", 7.5, 0.9), ("narrower", 6.0, 0.6))
# Still too wide: all columns are as wide, and words are broken anywhere.
BROKEN = "broken"


def paper_fit(rows: Sequence[Sequence[Html]]) -> str:
    """The class of a table with these cells, heads among them; "" where it fits as it is."""
    if not rows:
        return ""
    longest = [max(map(_longest, column)) for column in zip(*rows, strict=True)]
    for name, height, blank in _SIZES:
        if sum(_CHARACTER * count + blank for count in longest) * height <= _SHEET_POINTS:
            return name
    return BROKEN


def _longest(cell: Html) -> int:
    """Characters of the longest piece in which no line may end."""
    text = unescape(_TAG.sub(_between, cell))
    return max(map(len, _PIECES.findall(text)), default=0)


def _between(tag: re.Match[str]) -> str:
    return "" if tag[2] in _MARKS else " "


_ALIGNMENTS = {"center": "align-center", "right": "align-end"}
# More columns than anybody can see are not drawn.
COLUMN_LIMIT = 100
# Nor are more cells than that: a row without values is short where it is written.
CELL_LIMIT = 200_000
# Shares that add up to more than this are no percents, whatever was rounded.
WHOLE_PERCENT = 110
PAGE_PIXELS = 750.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table block taken apart: shown columns, their definitions, rows in order."""

    columns: list[str]
    definitions: JsonObject
    rows: list[JsonObject]
    fragments: Fragments

    def definition(self, column: str) -> JsonObject:
        return object_of(self.definitions, column)


def table(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    view = object_of(data, "view")
    definitions = object_of(data, "definition")
    listed = view.get("columns")
    names = listed if isinstance(listed, list) else list(definitions)
    rows = _rows(object_of(data, "records"))
    most = max(1, min(COLUMN_LIMIT, CELL_LIMIT // max(1, len(rows))))
    taken = Table(
        [name for name in names if isinstance(name, str) and name in definitions][:most],
        definitions,
        rows,
        fragments_by_name(node),
    )
    if view.get("type") == "cards":
        return _cards(rendering, taken, view)
    return _grid(rendering, node, taken, view)


def _rows(records: JsonObject) -> list[JsonObject]:
    """The values of the records in display order."""
    rows = objects_in(list(records.values()))
    ordered = sorted(rows, key=lambda record: text_of(record, "orderIndex"))
    return [object_of(record, "values") for record in ordered]


def _cell(rendering: Rendering, taken: Table, row: JsonObject, column: str) -> Html:
    """A value of a column; nothing for null and for types that are not known."""
    definition, value = taken.definition(column), row.get(column)
    kind = text_of(definition, "type") or "text"
    if kind == "text":
        return _text(rendering, value, taken.fragments)
    make = CELLS.get(kind)
    return EMPTY if make is None or value is None else make(rendering, definition, value)


def _grid(rendering: Rendering, node: JsonObject, taken: Table, view: JsonObject) -> Html:
    if not taken.columns:
        return EMPTY
    hidden = flag_of(view, "hideHeader")
    titles = [escape(text_of(taken.definition(column), "title")) for column in taken.columns]
    alignments = [_alignment(taken, column) for column in taken.columns]
    defined = list(taken.definitions)
    heads = [
        element(
            "th",
            joined([*rendering.places_named(names_in_head(node, defined.index(column))), title]),
            scope="col",
            class_=alignment,
        )
        for column, title, alignment in zip(taken.columns, titles, alignments, strict=True)
    ]
    # A hidden header is still read out: it says what the columns are.
    row = element("tr", joined(heads))
    head = element("thead", row, class_="visually-hidden" if hidden else None)
    cells = [[_cell(rendering, taken, row, column) for column in taken.columns]
             for row in taken.rows]  # fmt: skip
    body = []
    for line in cells:
        aligned = zip(line, alignments, strict=True)
        data = (element("td", cell, class_=alignment) for cell, alignment in aligned)
        body.append(element("tr", joined(data)))
    fit = paper_fit([titles, *cells]) if rendering.options.paper else ""
    content = joined([_widths(taken, view), head, element("tbody", joined(body))])
    direction = direction_of_block(content, node)
    table = element("table", content, dir=direction)
    # On a narrow screen it is scrolled: by keyboard, too.
    focusable = None if rendering.options.paper else 0
    return element("div", table, class_=classes("table", fit), tabindex=focusable)


def _alignment(taken: Table, column: str) -> str | None:
    definition = taken.definition(column)
    vertical = text_of(definition, "verticalAlignment")
    return classes(
        _ALIGNMENTS.get(text_of(definition, "textAlignment"), ""),
        f"vertical-{vertical}" if vertical in ("middle", "bottom") else "",
        "number" if definition.get("type") == "number" else "",
    )


def _widths(taken: Table, view: JsonObject) -> Html:
    """Columns' shares of the width, where the table says any."""
    width_of = object_of(view, "columnWidths")
    widths = [_number(width_of.get(column)) for column in taken.columns]
    given_widths = [width for width in widths if width is not None]
    if not given_widths:
        return EMPTY
    # The contract has percents; tables that came as HTML have pixels of a page.
    whole = 100.0 if sum(given_widths) <= WHOLE_PERCENT else max(PAGE_PIXELS, sum(given_widths))
    cols = [element("col", class_=_share(width, whole)) for width in widths]
    return element("colgroup", joined(cols))


def _share(width: float | None, whole: float) -> str | None:
    return None if width is None else f"share-{min(max(5, round(width / whole * 20) * 5), 100)}"


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 100_000:
        return None
    return float(value)


def _cards(rendering: Rendering, taken: Table, view: JsonObject) -> Html:
    target = text_of(view, "targetDefinition")
    covers = [text_of(view, name) for name in ("coverDefinition", "coverDefinitionDark")]
    fields = [column for column in taken.columns if column not in (target, *covers)]
    titled = view.get("hideColumnTitle") is False
    cards = []
    for row in taken.rows:
        parts = [_cover(rendering, taken.definition(covers[0]), row.get(covers[0]))]
        for number, column in enumerate(fields):
            content = _cell(rendering, taken, row, column)
            if not content:
                continue
            title = escape(text_of(taken.definition(column), "title")) if titled else EMPTY
            label = element("span", title, class_="card-label") if title else EMPTY
            name = "card-title" if number == 0 else "card-text"
            parts.append(element("div", joined([label, content]), class_=name))
        parts.append(_card_link(rendering, row.get(target)))
        cards.append(element("li", joined(parts), class_="card"))
    size = "large" if view.get("cardSize") == "large" else "medium"
    return element("ul", joined(cards), class_=f"cards cards-{size}") if cards else EMPTY


def _cover(rendering: Rendering, definition: JsonObject, value: Json) -> Html:
    reference = image_reference(definition, value)
    target = None if reference is None else rendering.target_of(reference)
    if target is None or target.image is None:
        return EMPTY
    return element("div", image_of(rendering, target, ""), class_="card-cover")


def _card_link(rendering: Rendering, value: Json) -> Html:
    if not isinstance(value, dict):
        return EMPTY
    target = rendering.target_of(value)
    if target.href is None:
        return EMPTY
    return element("div", anchor(target, name_of(target)), class_="card-link")
