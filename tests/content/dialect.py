"""Strategies for all of the dialect: nodes as reading Markdown gives them.

Each is made once: Hypothesis looks through every new strategy, and all that it is made of, before
it draws from it.
"""

from __future__ import annotations

import string
from functools import cache
from typing import Any

from hypothesis import strategies as st

from content.documents.nodes import block, fragment, inline, paragraph
from content.markdown.tables import row_order
from tests.content.markdown.test_markdown_writer import blocks, inlines, texts

Node = dict[str, Any]
Nodes = st.SearchStrategy[Node]

NAMES = st.text(alphabet=string.ascii_letters + string.digits + "-", min_size=1, max_size=8)
# Values of attributes: with everything that quotes, tags and HTML could trip over.
VALUES = st.one_of(
    NAMES,
    st.text(alphabet="ab \"'\\<>&;{}%=\n\té:", min_size=1, max_size=10),
    st.sampled_from(["a b", "%}", "&amp;", "docs/a b.md?x=1&y#z", "</a>", '"x"', "a\\"]),
)
URLS = st.one_of(
    VALUES.map(lambda url: {"kind": "url", "url": url}),
    st.sampled_from(
        [
            {"kind": "page", "page": "p&1", "space": "s"},
            {"kind": "file", "file": "f"},
            {"kind": "anchor", "anchor": "a b", "page": "p"},
            {"kind": "user", "user": "u"},
            {"kind": "url", "url": "https://a.test/b/c.png"},
        ]
    ),
)
# Files in cells are ids, where no more is to be said.
OF_CELLS = URLS.map(lambda ref: ref["file"] if ref["kind"] == "file" else ref)
FLAGS = st.booleans()
LENGTHS = st.one_of(
    st.integers(0, 5000),
    st.just({"value": 50, "unit": "%"}),
    st.just({"value": 33.33333333333333, "unit": "%"}),
    st.just({"value": 1.5, "unit": "rem"}),
)


def some(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Data with these fields, the optional ones sometimes."""
    return st.fixed_dictionaries(required, optional=optional)


def captioned(kind: str, data: st.SearchStrategy[dict[str, Any]], inner: Any) -> Nodes:
    """A void block, sometimes with a caption; without one an image has an empty list."""
    without: list[Node] | None = [] if kind == "image" else None
    return st.builds(
        lambda found, nodes: block(
            kind, None, found, [fragment("caption", nodes, "caption")] if nodes else without
        ),
        data,
        inner,
    )


@cache
def containers(depth: int) -> dict[str, Nodes]:
    """Blocks that hold other blocks."""
    inner = st.lists(all_blocks(depth - 1), min_size=1, max_size=2)

    def parts(kind: str, part: str, own: Any, outer: Any) -> Nodes:
        one = st.builds(lambda nodes, data: block(part, nodes, data), inner, own)
        several = st.lists(one, min_size=1, max_size=3)
        return st.builds(lambda nodes, data: block(kind, nodes, data), several, outer)

    titled = some({}, {"title": VALUES, "icon": NAMES})
    wide = some({}, {"fullWidth": FLAGS})
    words = st.lists(NAMES, min_size=1, max_size=3)
    body = st.builds(
        lambda title, nodes, data: block(
            "expandable", None, data,
            [fragment("expandable-title", [paragraph(title)], "expandable-title"),
             fragment("expandable-body", nodes, "expandable-body")],
        ),
        inlines(), inner, st.sampled_from([{}, {"open": True}]),
    )  # fmt: skip
    return {
        "tabs": parts("tabs", "tabs-item", titled, wide),
        "code-tabs": parts(
            "tabs", "tabs-item",
            st.builds(lambda data: {**data, "attributes": {"tag": "code-tabs-item"}}, titled),
            st.builds(lambda data: {**data, "attributes": {"tag": "code-tabs"}}, wide),
        ),
        "stepper": parts("stepper", "stepper-step", titled, st.just({})),
        "columns": parts(
            "columns", "column",
            some({}, {"width": LENGTHS, "verticalAlignment": st.sampled_from(["top", "bottom"])}),
            wide,
        ),
        "updates": parts(
            "updates", "update", some({}, {"date": VALUES, "tags": words}),
            some({}, {"format": VALUES}),
        ),
        "expandable": body,
        "if": st.builds(
            lambda nodes, data: block("if", nodes, data), inner, some({"expression": VALUES}, {})
        ),
        "hint": st.builds(
            lambda nodes, data: block("hint", nodes, data), inner,
            some({"style": st.sampled_from(["info", "success"])}, {"icon": VALUES}),
        ),
        "prompt": st.builds(
            lambda nodes, data: block("prompt", nodes, data), inner,
            some({}, {"description": VALUES, "icon": VALUES, "openInAIProviders": FLAGS,
                      "defaultExpanded": VALUES}),
        ),
    }  # fmt: skip


@cache
def leaves() -> dict[str, Nodes]:
    """Blocks without blocks in them, apart from captions."""
    caption = st.lists(inlines().map(paragraph), max_size=2)
    picture = some(
        {"ref": URLS},
        {"refDark": URLS, "alt": VALUES, "width": LENGTHS, "height": LENGTHS},
    )
    image = captioned("image", picture, caption)
    spec = st.builds(lambda name: {"kind": "openapi", "spec": name}, VALUES)
    names = st.lists(NAMES, min_size=1, max_size=2)
    return {
        "images": st.builds(
            lambda nodes, data: block("images", nodes, data),
            st.lists(image, min_size=1, max_size=2),
            some({}, {"align": st.sampled_from(["left", "center"]), "fullWidth": FLAGS,
                      "withFrame": FLAGS}),
        ),
        "drawing": captioned("drawing", some({"ref": URLS}, {"alt": VALUES}), caption),
        "embed": captioned("embed", some({"url": VALUES}, {"fullWidth": FLAGS}), caption),
        "file": captioned("file", some({"ref": URLS}, {}), caption),
        "content-ref": captioned("content-ref", some({"ref": URLS}, {}), st.just([])),
        "reusable-content": st.builds(
            lambda ref: block("reusable-content", None, {"ref": ref}),
            URLS | NAMES.map(lambda id: {"kind": "reusable-content", "reusableContent": id}),
        ),
        "math": VALUES.map(lambda formula: block("math", None, {"formula": formula})),
        "swagger": some(
            {"ref": URLS}, {"path": VALUES, "method": NAMES, "expanded": FLAGS, "fullWidth": FLAGS}
        ).map(lambda data: block("swagger", None, data)),
        "openapi-operation": some({"ref": spec}, {"path": VALUES, "method": NAMES}).map(
            lambda data: block("openapi-operation", None, data)
        ),
        "openapi-schemas": some({"ref": spec}, {"schemas": names, "grouped": FLAGS}).map(
            lambda data: block("openapi-schemas", None, data)
        ),
        "openapi-webhook": some({"ref": spec}, {"name": VALUES, "method": NAMES}).map(
            lambda data: block("openapi-webhook", None, data)
        ),
        "integration": st.builds(
            lambda name, kind, props: block(
                "integration", None, {"integration": name, "block": kind, "props": props}
            ),
            NAMES, NAMES, st.dictionaries(NAMES, VALUES, max_size=3),
        ),
        "table": tables(),
    }  # fmt: skip


# The kinds of columns, each with what its definition has beside title and type, and its values.
COLUMNS: dict[str, tuple[dict[str, Any], st.SearchStrategy[Any]]] = {
    "text": ({"textAlignment": st.sampled_from(["left", "center", "right"])}, st.none()),
    "number": ({}, st.none() | st.integers(-999, 999) | st.sampled_from([0.5, -2.25])),
    "checkbox": ({}, FLAGS),
    "rating": ({"max": st.integers(1, 10)}, st.none() | st.integers(0, 5)),
    "files": ({}, st.lists(OF_CELLS, max_size=2)),
    "image": (
        {},
        st.none() | URLS | some({"ref": URLS, "objectFit": st.sampled_from(["cover", "fit"])}, {}),
    ),
    "content-ref": ({}, st.none() | URLS),
    "users": ({"multiple": FLAGS}, st.lists(st.just("u"), max_size=2)),
    "select": (
        {
            "multiple": FLAGS,
            "options": st.just([{"value": "a", "label": "A <b>", "color": "blue"},
                                {"value": "o2", "label": "B", "color": "red"}]),
        },
        st.lists(st.sampled_from(["a", "o2"]), unique=True, max_size=2),
    ),
}  # fmt: skip


# What tables are drawn from.
DEFINITIONS = {kind: st.fixed_dictionaries(own) for kind, (own, _) in COLUMNS.items()}
SOME_COLUMNS = st.lists(st.sampled_from(["text", "text", *COLUMNS]), min_size=1, max_size=4)
TITLES = st.sampled_from(["", "Title", "a | <b> & `c`", ":house: *x*"])
SIZES, WIDTHS = st.sampled_from(["large", "medium"]), st.integers(1, 900)
OF_TEXT_CELLS = st.just([]) | inlines()
UP_TO = [st.integers(0, most) for most in range(5)]


@cache
@st.composite
def tables(draw: st.DrawFn) -> Node:
    """Tables of all kinds of columns, as grids and as cards."""
    cards = draw(FLAGS)
    kinds = draw(SOME_COLUMNS)
    ids = [f"column{index + 1}" for index in range(len(kinds))]
    definition: Node = {}
    for id, kind in zip(ids, kinds, strict=True):
        own = draw(DEFINITIONS[kind])
        title = draw(TITLES)
        definition[id] = {"id": id, "title": title, "type": kind, **own}
    shown = [id for id in ids if draw(UP_TO[4])]
    view: Node = {"type": "grid", "columns": shown, "hideHeader": draw(FLAGS)}
    if cards:
        view = {"type": "cards", "cardSize": draw(SIZES), "columns": shown}
        for key in ("targetDefinition", "coverDefinition", "coverDefinitionDark"):
            if draw(UP_TO[2]) == 0:
                view[key] = draw(st.sampled_from(ids))
        if draw(FLAGS):
            view["hideColumnTitle"] = draw(FLAGS)
    elif draw(UP_TO[2]) == 0:
        view["columnWidths"] = {ids[0]: draw(WIDTHS)}
    records: Node = {}
    fragments: list[Node] = []
    for index in range(draw(UP_TO[3])):
        values: Node = {}
        for id, kind in zip(ids, kinds, strict=True):
            values[id] = draw(COLUMNS[kind][1])
            if kind == "text":
                values[id] = f"row{index + 1}-{id}"
                content = paragraph(draw(OF_TEXT_CELLS))
                fragments.append(fragment(values[id], [content], "table-cell"))
        records[f"row{index + 1}"] = {"orderIndex": row_order(index), "values": values}
    data: Node = {"view": view, "records": records, "definition": definition}
    if draw(UP_TO[3]) == 0:
        data["fullWidth"] = draw(FLAGS)
    return block("table", None, data, fragments)


@cache
def inline_nodes() -> dict[str, Nodes]:
    """Inlines of the dialect."""

    def void(kind: str, data: st.SearchStrategy[dict[str, Any]]) -> Nodes:
        return data.map(lambda found: inline(kind, data=found))

    label = texts().map(lambda node: [node])
    codes = st.sampled_from(["1f3e0", "fffff", "1f44d-1f3fd"])
    plain = {"alt": VALUES, "caption": VALUES}
    action = some({"action": st.sampled_from(["search", "ask"])}, {"query": VALUES})
    return {
        "math": void("inline-math", some({"formula": VALUES}, {})),
        "expression": void("expression", some({"expression": VALUES}, {})),
        "icon": void("icon", some({"icon": st.sampled_from(["github", "a-b"])}, {})),
        "emoji": void("emoji", some({"code": codes}, {})),
        "button": void(
            "button",
            some({"label": VALUES, "kind": st.sampled_from(["primary", "secondary"])},
                 {"icon": NAMES, "ref": URLS}),
        ),
        "action": void(
            "button",
            some({"label": VALUES, "kind": st.just("primary"), "action": action}, {}),
        ),
        "image": void(
            "inline-image",
            some({"ref": URLS, "size": st.sampled_from(["line", "original"])},
                 {**plain, "refDark": URLS}),
        ),
        "plain image": void("inline-image", some({"ref": URLS}, plain)),
        "mention": void("mention", some({"ref": URLS}, {})),
        "link": st.builds(
            lambda nodes, data: inline("link", nodes, data),
            label, some({"ref": URLS}, {"title": VALUES}),
        ),
        "annotation": st.builds(
            lambda nodes, body: inline(
                "annotation", nodes, {}, [fragment("body", body, "annotation-body")]
            ),
            label, st.lists(blocks(0), min_size=1, max_size=2),
        ),
    }  # fmt: skip


ONCE_OR_TWICE = st.integers(1, 2)


@cache
@st.composite
def lines(draw: st.DrawFn, kinds: st.SearchStrategy[str]) -> list[Node]:
    """Text, an inline, text, as often as that goes."""
    made = inline_nodes()
    nodes: list[Node] = [draw(texts())]
    for _ in range(draw(ONCE_OR_TWICE)):
        nodes += [draw(made[draw(kinds)]), draw(texts())]
    return nodes


BLOCKS = tuple(leaves())
CONTAINERS = ("tabs", "stepper", "columns", "updates", "expandable", "if", "hint", "prompt")
INLINES = tuple(inline_nodes())


@cache
def all_blocks(depth: int) -> Nodes:
    """Blocks of any kind."""
    rich = lines(st.sampled_from(INLINES)).map(lambda nodes: block("paragraph", nodes))
    plain = [blocks(0), rich, *leaves().values()]
    if depth <= 0:
        return st.one_of(plain)
    return st.one_of(blocks(1), *plain, *containers(depth).values())
