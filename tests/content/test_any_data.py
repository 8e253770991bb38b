"""Documents whose data holds any JSON are written, drawn and searched for references."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.html.document import BLOCKS, INLINES, render_document
from content.html.inlines import MARKS
from content.html.rendering import Options
from content.markdown.spelling import write_markdown
from resolvers.content.shown_references import Named, collect

Node = dict[str, Any]
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, -1, 5, 3.5, 2**53, "", "x", "text", "center", "%", "url", "a\nb"]
)
NAMES = st.sampled_from(
    ["a", "action", "align", "alt", "attributes", "background", "body", "caption", "cardSize",
     "checked", "code", "color", "columnWidths", "columns", "coverDefinition", "definition",
     "expression", "file", "formula", "fullWidth", "height", "hideHeader", "highlighted", "icon",
     "id", "kind", "label", "lineNumbers", "max", "method", "multiple", "objectFit",
     "options", "orderIndex", "overflow", "page", "path", "props", "query", "records", "ref",
     "refDark", "reusableContent", "schemas", "size", "source", "space", "start", "style",
     "syntax", "targetDefinition", "text", "textAlignment", "title", "type", "unit", "url", "user",
     "value", "values", "verticalAlignment", "view", "width"]
)  # fmt: skip
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
KINDS = ["file", "page", "anchor", "user", "url", "reusable-content", "openapi", "space"]
REFERENCES = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS)},
    optional={name: JSON for name in ("file", "page", "user", "url", "anchor", "space",
                                      "reusableContent", "spec")},
)  # fmt: skip
ANYTHING = JSON | REFERENCES


def mostly(right: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The right kind of value, or anything."""
    return st.one_of(right, right, right, ANYTHING)


TYPES = ["text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image"]
COLUMN = st.fixed_dictionaries(
    {"type": mostly(st.sampled_from(TYPES))},
    optional={name: ANYTHING for name in ("id", "title", "textAlignment", "verticalAlignment",
                                          "max", "multiple", "options")},
)  # fmt: skip
RECORD = st.fixed_dictionaries(
    {"values": mostly(st.dictionaries(st.sampled_from("ab"), ANYTHING))},
    optional={"orderIndex": ANYTHING},
)
VIEW = st.fixed_dictionaries(
    {"type": st.sampled_from(["grid", "cards"]), "columns": mostly(st.just(["a", "b"]))},
    optional={name: ANYTHING for name in ("hideHeader", "columnWidths", "cardSize",
                                          "hideColumnTitle", "coverDefinition",
                                          "targetDefinition")},
)  # fmt: skip
TABLE = st.fixed_dictionaries(
    {
        "view": mostly(VIEW),
        "definition": mostly(st.dictionaries(st.sampled_from("ab"), mostly(COLUMN), min_size=1)),
        "records": mostly(st.dictionaries(st.sampled_from("rs"), mostly(RECORD), max_size=2)),
    }
)
DATA = st.dictionaries(NAMES, ANYTHING, max_size=4)
MARK = st.fixed_dictionaries({"type": st.sampled_from([*MARKS, "other"]), "data": DATA})
COLOR = st.fixed_dictionaries(
    {"type": st.just("color"),
     "data": st.fixed_dictionaries({}, optional={"text": ANYTHING, "background": ANYTHING})}
)  # fmt: skip
BUTTON = st.fixed_dictionaries(
    {"object": st.just("inline"), "type": st.just("button"),
     "data": st.fixed_dictionaries({"label": st.just("x"), "kind": ANYTHING})}
)  # fmt: skip
LEAF = st.fixed_dictionaries(
    {
        "object": st.just("leaf"),
        "text": st.just("word"),
        "marks": st.lists(MARK | COLOR, max_size=2),
    }
)
TEXT = st.fixed_dictionaries({"object": st.just("text"), "leaves": st.lists(LEAF, max_size=2)})


def containers(
    kind: str, types: list[str], inner: st.SearchStrategy[Node]
) -> st.SearchStrategy[Node]:
    fragment = st.fixed_dictionaries(
        {"object": st.just("fragment"),
         "type": st.sampled_from(["caption", "annotation-body", "expandable-body"]),
         "nodes": st.lists(inner, max_size=2)}
    )  # fmt: skip
    return st.fixed_dictionaries(
        {"object": st.just(kind), "type": st.sampled_from(types), "data": DATA,
         "nodes": st.lists(inner, max_size=2), "fragments": st.lists(fragment, max_size=1)}
    )  # fmt: skip


INLINE = st.one_of(TEXT, BUTTON, containers("inline", list(INLINES), TEXT))
PARAGRAPH = st.fixed_dictionaries(
    {
        "object": st.just("block"),
        "type": st.just("paragraph"),
        "nodes": st.lists(INLINE, max_size=2),
    }
)
TABLES = st.fixed_dictionaries(
    {"object": st.just("block"), "type": st.just("table"), "data": TABLE, "nodes": st.just([])}
)


def use(document: Node) -> None:
    """Everything that is done to documents without a database."""
    assert isinstance(write_markdown(document), str)
    assert isinstance(render_document(document, Options(paper=True)).html, str)
    asyncio.run(collect([document], Named()))


@settings(max_examples=20)
@pytest.mark.parametrize("type", BLOCKS)
@given(data=st.data())
def test_blocks_with_any_data(type: str, data: st.DataObject) -> None:
    inner = st.one_of(INLINE, PARAGRAPH, containers("block", list(BLOCKS), INLINE))
    use({"object": "document", "nodes": [data.draw(containers("block", [type], inner))]})


@settings(max_examples=200)
@given(TABLES)
def test_tables_with_any_data(table: Node) -> None:
    use({"object": "document", "nodes": [table]})


@settings(max_examples=100)
@given(PARAGRAPH)
def test_paragraphs_with_any_data(paragraph: Node) -> None:
    use({"object": "document", "nodes": [paragraph]})


def _table(column: Node, value: Any) -> Node:
    data = {
        "view": {"type": "grid", "columns": ["c"]},
        "definition": {"c": column},
        "records": {"r": {"orderIndex": "a", "values": {"c": value}}},
    }
    return {"object": "block", "type": "table", "data": data, "nodes": []}


@pytest.mark.parametrize(
    "node",
    [
        _table({"type": "text", "title": "x", "textAlignment": {}}, "x"),
        _table({"type": "text", "title": "x", "textAlignment": []}, "x"),
        _table({"type": "users", "id": "c"}, 5),
        _table({"type": "users", "id": []}, ["u"]),
        _table({"type": {}, "id": "c"}, "x"),
        {"object": "block", "type": "paragraph", "nodes": [{"object": "text", "leaves": [
            {"text": "x", "marks": [{"type": "color", "data": {"text": []}}]}]}]},
        {"object": "block", "type": "paragraph", "nodes": [
            {"object": "inline", "type": "button", "data": {"label": "x", "kind": {}}}]},
    ],
)  # fmt: skip
def test_values_that_are_no_text_where_text_belongs(node: Node) -> None:
    use({"object": "document", "nodes": [node]})


async def test_people_and_files_are_found_in_cells_by_the_name_of_their_column() -> None:
    named = Named()
    nodes = [_table({"type": "users", "id": []}, ["u1", 5, "u2"]), _table({"type": "files"}, "f1")]
    await collect(nodes, named)
    assert (named.users, named.files) == ({"u1", "u2"}, {"f1"})
