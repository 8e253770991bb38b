"""Table blocks: grids with typed columns, and cards."""

from __future__ import annotations

from dataclasses import dataclass

from content.html.directions import direction_of_block
from content.html.inlines import anchor, image_element, name_of
from content.html.markup import EMPTY, Html, classes, element, escape, joined
from content.html.paper_tables import paper_fit
from content.html.reading import data_of, flag_of, fragments_by_name, object_of, text_of
from content.html.rendering import Rendering
from content.html.table_cells import cell_content, image_reference
from content.json_types import Json, JsonObject

_ALIGNMENTS = {"center": "align-center", "right": "align-end"}
# More columns than anybody can see are not drawn.
COLUMN_LIMIT = 100
# Shares that add up to more than this are no percents, whatever was rounded.
WHOLE_PERCENT = 110
PAGE_PIXELS = 750.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table block taken apart: shown columns, their definitions, rows in order."""

    columns: list[str]
    definitions: JsonObject
    rows: list[JsonObject]
    fragments: dict[str, list[JsonObject]]

    def definition(self, column: str) -> JsonObject:
        return object_of(self.definitions, column)


def table(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    view = object_of(data, "view")
    definitions = object_of(data, "definition")
    listed = view.get("columns")
    names = listed if isinstance(listed, list) else list(definitions)
    taken = Table(
        [name for name in names if isinstance(name, str) and name in definitions][:COLUMN_LIMIT],
        definitions,
        _rows(object_of(data, "records")),
        fragments_by_name(node),
    )
    if view.get("type") == "cards":
        return _cards(rendering, taken, view)
    return _grid(rendering, node, taken, view)


def _rows(records: JsonObject) -> list[JsonObject]:
    """The values of the records in display order."""
    known = [record for record in records.values() if isinstance(record, dict)]
    return [
        object_of(record, "values")
        for record in sorted(known, key=lambda record: text_of(record, "orderIndex"))
    ]


def _cell(rendering: Rendering, taken: Table, row: JsonObject, column: str) -> Html:
    return cell_content(rendering, taken.definition(column), row.get(column), taken.fragments)


def _grid(rendering: Rendering, node: JsonObject, taken: Table, view: JsonObject) -> Html:
    if not taken.columns:
        return EMPTY
    hidden = flag_of(view, "hideHeader")
    titles = [escape(text_of(taken.definition(column), "title")) for column in taken.columns]
    heads = [
        element("th", title, scope="col", class_=_alignment(taken, column))
        for column, title in zip(taken.columns, titles, strict=True)
    ]
    # A hidden header is still read out: it says what the columns are.
    row = element("tr", joined(heads))
    head = element("thead", row, class_="visually-hidden" if hidden else None)
    cells = [[_cell(rendering, taken, row, column) for column in taken.columns]
             for row in taken.rows]  # fmt: skip
    body = [
        element(
            "tr",
            joined(
                element("td", cell, class_=_alignment(taken, column))
                for column, cell in zip(taken.columns, line, strict=True)
            ),
        )
        for line in cells
    ]
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
    given = object_of(view, "columnWidths")
    widths = [_number(given.get(column)) for column in taken.columns]
    known = [width for width in widths if width is not None]
    if not known:
        return EMPTY
    # The contract has percents; tables that came as HTML have pixels of a page.
    whole = 100.0 if sum(known) <= WHOLE_PERCENT else max(PAGE_PIXELS, sum(known))
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
    if reference is None:
        return EMPTY
    image = rendering.target_of(reference).image
    if image is None:
        return EMPTY
    return element("div", image_element(image, ""), class_="card-cover")


def _card_link(rendering: Rendering, value: Json) -> Html:
    if not isinstance(value, dict):
        return EMPTY
    target = rendering.target_of(value)
    if target.href is None:
        return EMPTY
    return element("div", anchor(target, name_of(target)), class_="card-link")
