"""Tables with every type of column, and cards."""

from __future__ import annotations

import re
from typing import Any

import pytest

from content.documents.named_places import named_places
from content.documents.nodes import block, fragment, paragraph, text, walk
from content.html.document import render_document
from content.markdown.spelling import parse_with_style, write_markdown
from tests.content.html.html_reader import read_html, text_of
from tests.content.html.test_blocks import PAGE, PICTURE, html, of

Node = dict[str, Any]


def table(definitions: list[Node], rows: list[Node], **view: Any) -> Node:
    columns = [one["id"] for one in definitions]
    records = {
        f"r{number}": {"orderIndex": f"{number:03d}", "values": values}
        for number, values in enumerate(rows)
    }
    # Records stand in any order; `orderIndex` decides.
    records = dict(reversed(records.items()))
    data = {
        "view": {"type": "grid", "columns": columns, **view},
        "records": records,
        "definition": {one["id"]: one for one in definitions},
    }
    return block("table", None, data, [fragment("cell", [paragraph([text("rich")])])])


def test_pipe_tables_have_heads_and_alignment() -> None:
    made = of("| a | b |\n| --- | ---: |\n| 1 | `2` |\n")
    assert '<th scope="col">a</th><th scope="col" class="align-end">b</th>' in made
    assert '<td class="align-end"><p><code>2</code></p></td>' in made


@pytest.mark.parametrize(
    ("cell", "columns", "name"),
    [
        ("word", 3, "table"), ("word word word word word word", 10, "table"),
        ("averyverylongword", 5, "table narrow"), ("word-word", 12, "table narrower"),
        ("averyveryverylongword", 14, "table broken"),
        ("中文文本很长很长很长很长很长很长", 12, "table"),
        ("**long**_word_`word`~~word~~word", 7, "table broken"),
    ],
)  # fmt: skip
def test_wide_tables_are_set_smaller_on_paper(cell: str, columns: int, name: str) -> None:
    row = f"| {' | '.join([cell] * columns)} |\n"
    markdown = f"{row}|{' -- |' * columns}\n{row}"
    assert f'<div class="{name}">' in of(markdown, paper=True)
    assert '<div class="table" tabindex="0">' in of(markdown)


def test_cells_of_every_type() -> None:
    definitions = [
        {"id": "text", "type": "text", "title": "Text"},
        {"id": "number", "type": "number", "title": "Number"},
        {"id": "checkbox", "type": "checkbox", "title": "Done"},
        {"id": "files", "type": "files", "title": "Files"},
        {"id": "users", "type": "users", "title": "People"},
        {"id": "rating", "type": "rating", "title": "Stars", "max": 4},
        {"id": "select", "type": "select", "title": "Tags",
         "options": [{"value": "a", "label": "Alpha", "color": "blue"}]},
        {"id": "ref", "type": "content-ref", "title": "Page"},
        {"id": "image", "type": "image", "title": "Image"},
        {"id": "later", "type": "later", "title": "Later"},
    ]  # fmt: skip
    row = {
        "text": "cell", "number": 2.5, "checkbox": True, "files": ["f1"], "users": ["u1", "u2"],
        "rating": 3, "select": ["a", "b"], "ref": PAGE, "image": {"ref": PICTURE, "objectFit": "x"},
        "later": {"any": ["thing"]},
    }  # fmt: skip
    made = html(table(definitions, [row, dict.fromkeys(row)]))
    assert '<td><p>rich</p></td><td class="number">2.5</td>' in made
    assert 'aria-label="Done"' in made
    assert '<a href="/files/f1">tide.png</a>' in made
    assert text_of(made).count("Ada, Ada") == 1
    assert 'aria-label="3 of 4">★★★☆</span>' in made
    assert '<span class="badge background-blue">Alpha</span> <span class="badge">b</span>' in made
    assert '<a href="guide/page">The page</a>' in made
    assert (
        '<img src="/files/f1" alt="tide.png" width="600" height="300" class="cell-image">' in made
    )


def test_values_of_wrong_types_show_nothing() -> None:
    kinds = ["text", "number", "checkbox", "files", "users", "rating", "select", "content-ref"]
    definitions = [{"id": kind, "type": kind, "title": kind} for kind in [*kinds, "image"]]
    for value in ("<b>", 7, True, ["<i>"], {"kind": "<k>"}, {}, [[]], [{}], {"ref": 5}):
        html(table(definitions, [{one["id"]: value for one in definitions}]))


def test_rows_stand_in_order_and_hidden_columns_are_left_out() -> None:
    definitions = [{"id": "a", "type": "text", "title": "A"}, {"id": "b", "title": "B"}]
    made = html(table(definitions, [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}], columns=["a"]))
    assert text_of(made) == "A12"
    hidden = html(table(definitions, [{"a": "1"}], hideHeader=True))
    assert '<thead class="visually-hidden">' in hidden


def test_widths_are_percents_or_pixels() -> None:
    definitions = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]
    percents = html(table(definitions, [], columnWidths={"a": 30, "b": 70}))
    assert '<col class="share-30"><col class="share-70">' in percents
    pixels = html(table(definitions, [], columnWidths={"a": 150}))
    assert '<col class="share-20"><col>' in pixels
    html(table(definitions, [], columnWidths={"a": "x", "b": -1}))


def test_cards_have_covers_titles_and_targets() -> None:
    definitions = [
        {"id": "title", "type": "text", "title": "Title"},
        {"id": "about", "type": "text", "title": "About"},
        {"id": "cover", "type": "image", "title": "Cover"},
        {"id": "target", "type": "content-ref", "title": "Target"},
    ]
    row = {"title": "cell", "about": "plain", "cover": {"ref": PICTURE}, "target": PAGE}
    cards = table(definitions, [row, {}], type="cards", cardSize="large",
                  coverDefinition="cover", targetDefinition="target")  # fmt: skip
    made = html(cards)
    assert '<ul class="cards cards-large">' in made
    assert (
        '<div class="card-cover"><img src="/files/f1" width="600" height="300" alt=""></div>'
        in made
    )
    assert '<div class="card-title"><p>rich</p></div><div class="card-text">plain</div>' in made
    assert '<div class="card-link"><a href="guide/page">The page</a></div>' in made
    assert len([1 for name, _ in read_html(made).elements if name == "li"]) == 2
    titled = table(definitions, [row], type="cards", hideColumnTitle=False)
    assert '<span class="card-label">About</span>' in html(titled)


@pytest.mark.parametrize("cover", [["f1"], [PICTURE], [PICTURE, PAGE]])
def test_covers_may_be_files(cover: list[Any]) -> None:
    definitions = [{"id": "cover", "type": "files", "title": "Cover"}]
    made = html(table(definitions, [{"cover": cover}], type="cards", coverDefinition="cover"))
    assert (
        '<div class="card-cover"><img src="/files/f1" width="600" height="300" alt=""></div>'
        in made
    )
    for nothing in ([], [5], [[]], None):
        row = {"cover": nothing}
        assert "card-cover" not in html(
            table(definitions, [row], type="cards", coverDefinition="cover")
        )


def test_people_in_cells_are_ids_or_references() -> None:
    definitions = [{"id": "a", "type": "users", "title": "A"}]
    by_id = html(table(definitions, [{"a": ["u1"]}]))
    assert html(table(definitions, [{"a": [{"kind": "user", "user": "u1"}]}])) == by_id
    assert "mention" in by_id


def test_tables_of_nothing() -> None:
    assert html(block("table", None, {})) == ""
    assert html(block("table", None, {"view": {"type": "cards"}})) == ""


def test_heads_keep_the_places_that_they_name() -> None:
    source = (
        '| <a id="first"></a>One | Two | <a name="third"></a> **Three** |\n'
        "| --- | --- | --- |\n| a | b | c |\n"
    )
    document = parse_with_style(source)
    assert named_places(document) == ["first", "third"]
    shown = render_document(document).html
    assert re.search(r'<th scope="col"><span [^>]*id="[^"]*first"[^>]*></span>One</th>', shown)
    assert re.search(r'<th scope="col"><span [^>]*id="[^"]*third"[^>]*></span>Three</th>', shown)
    assert write_markdown(document) == source
    # Without its spelling it is a table like any other.
    for node in walk([document]):
        node.pop("style", None)
    assert named_places(document) == []
