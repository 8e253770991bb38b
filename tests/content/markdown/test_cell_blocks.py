"""Blocks within the cells of HTML tables, and void elements before the end of a container."""

import re
from html import escape

import nh3
import pytest
from hypothesis import given, settings, strategies as st

from content.documents.keys import content_digest
from content.documents.named_places import named_places
from content.documents.nodes import Node, walk
from content.documents.plain_text import plain_text
from content.html.document import render_document
from content.html.rendering import Options, Target
from content.markdown.html_tree import VOID_ELEMENTS
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from tests.growth import assert_growth

OPTIONS = Options(resolve=lambda reference: Target(href="/x", title="t"), reusable=lambda _: None)


def table(*cells: str, view: str = "") -> str:
    head = "<th></th>" * len(cells)
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<table{view}><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>\n"


def outline(nodes: list[Node]) -> list[object]:
    """Kinds of blocks with what is in them; a paragraph is its text."""
    shown: list[object] = []
    for node in nodes:
        kind, below = node["type"], node.get("nodes")
        if kind in ("paragraph", "code-line"):
            shown.append(plain_text(node))
        elif str(kind).startswith("heading"):
            shown.append((kind, plain_text(node)))
        else:
            assert below is None or isinstance(below, list)
            shown.append((kind, *outline(below or [])))  # type: ignore[arg-type]
    return shown


def cell_of(source: str) -> list[object]:
    document = parse_document(table(source))
    (block,) = document["nodes"]  # type: ignore[misc]
    (fragment,) = block["fragments"]  # type: ignore[index, call-overload]
    return outline(fragment["nodes"])  # type: ignore[index, call-overload, arg-type]


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("a<br>b", ["a\nb"]),
        ("<p>a</p>", ["a"]),
        ("<p>a</p><p>b</p>", ["a", "b"]),
        ("a<p>b</p>c", ["a", "b", "c"]),
        ("<ul><li>a</li><li><p>b</p></li></ul>",
         [("list-unordered", ("list-item", "a"), ("list-item", "b"))]),
        ("<ul><li>a<ol><li>b</li></ol></li></ul>",
         [("list-unordered", ("list-item", "a", ("list-ordered", ("list-item", "b"))))]),
        # As older editors write it.
        ("<ul><li>a</li><ul><li>b</li></ul></ul>",
         [("list-unordered", ("list-item", "a", ("list-unordered", ("list-item", "b"))))]),
        ('<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
         [("list-tasks", ("list-item", "a"), ("list-item", "b"))]),
        ("<h4>a</h4><br>b<br/>", [("heading-3", "a"), "b"]),
        ("<pre>a\n b</pre>", [("code", "a", "b")]),
        ("<pre><code>a<br>b</code></pre>", [("code", "a", "b")]),
        ("<blockquote><p>a</p>b</blockquote><hr>", [("blockquote", "a", "b"), ("divider",)]),
        ("<div>a</div><div><div>b</div></div>", ["a", "b"]),
        ("<dl><dt>a</dt><dd>b</dd></dl>", ["a", "b"]),
        # End tags that HTML lets authors leave out, and one that is none.
        ("<ul><li>a<li><p>b<p>c</ul>d</br>e",
         [("list-unordered", ("list-item", "a"), ("list-item", "b", "c")), "d\ne"]),
        # Elements of a line around blocks.
        ("<b><ul><li>a</li></ul>b</b>", [("list-unordered", ("list-item", "a")), "b"]),
        ("<a><p>a</p><span><p>b</p></span></a>", ["a", "b"]),
        ("<strong>a</strong><ul><li></li></ul>",
         ["a", ("list-unordered", ("list-item", ""))]),
        ("", [""]),
    ],
)  # fmt: skip
def test_blocks_of_a_cell(source: str, blocks: list[object]) -> None:
    assert cell_of(source) == blocks


def test_elements_around_blocks_are_around_their_lines() -> None:
    around = '<a id="x"><b><ul><li>a</li><li><a href="u.md">b</a></li></ul><pre>c</pre></b></a>'
    document = parse_document(table(around))
    assert named_places(document) == ["x"]
    assert write_markdown(document) == table(
        '<ul><li><a id="x"></a><strong>a</strong></li>'
        '<li><a href="u.md"><strong>b</strong></a></li></ul><pre><code>c\n</code></pre>'
    )


def test_a_table_in_a_cell() -> None:
    document = parse_document(table(table("a", "b").strip(), "c"))
    kinds = [node["type"] for node in walk([document]) if node.get("type") == "table"]
    assert kinds == ["table", "table"]
    assert write_markdown(document) == table(table("a", "b").strip(), "c")


def test_alignment_and_anchors_of_blocks_come_back() -> None:
    source = table(
        '<h3 id="x" align="center">a</h3><p align="right">b</p><ol start="3"><li>c</li></ol>'
    )
    document = parse_document(source)
    for node in walk([document]):
        node.pop("source", None)
    assert write_markdown(document) == source


# ------------------------------------------------------------------ words

_WORDS = st.integers(0, 9_999).map(lambda number: f"w{number:04}")
_LEAF = st.one_of(
    _WORDS,
    _WORDS.map(lambda word: f"<strong>{word}</strong> "),
    _WORDS.map(lambda word: f"{word}<br>"),
)
_TAGS = st.sampled_from(["p", "div", "ul>li", "ol>li", "h2", "h4", "blockquote", "pre", "section",
                         "span>p", "b>h3", "center", "dl>dd", "table>tr>td", "details",
                         "u>li"])  # fmt: skip


def _wrapped(tags: str, inner: str) -> str:
    names = tags.split(">")
    return (
        "".join(f"<{name}>" for name in names)
        + inner
        + "".join(f"</{name}>" for name in reversed(names))
    )


_HTML = st.recursive(
    _LEAF,
    lambda inner: st.builds(_wrapped, _TAGS, st.lists(inner, max_size=3).map("".join)),
    max_leaves=8,
)


@settings(max_examples=150)
@given(st.lists(_HTML, min_size=1, max_size=4).map("".join), st.booleans())
def test_words_stay_apart_wherever_they_are_shown(source: str, cards: bool) -> None:
    document = parse_document(table(source, view=' data-view="cards"' if cards else ""))
    words = re.findall(r"w\d{4}", source)
    assert re.findall(r"w\d{4}", plain_text(document)) == words
    html = render_document(document, OPTIONS).html
    # As a browser shows it: elements of blocks end lines, others do not.
    ends = "p|li|ul|ol|div|h[1-6]|td|th|tr|pre|blockquote|br|hr|dd|dt|table|tbody|figure"
    shown = re.sub(rf"</?(?:{ends})\b[^<>]*>", "\n", html)
    shown = nh3.clean(shown, tags=set())
    assert re.findall(r"w\d{4}", shown) == words
    glued = re.compile(r"w\d{4}w\d{4}")
    if not glued.search(re.sub(r"</?(?:strong|u|span|a)>", "", source)):
        assert not glued.search(plain_text(document))
        assert not glued.search(shown)
    # What is written of the document alone reads as the same.
    again = parse_document(write_markdown(document))
    assert plain_text(again).split() == plain_text(document).split()


# ------------------------------------------------------------------ void elements

CONTAINERS = {
    "hint": ('{% hint style="info" %}', "{% endhint %}"),
    "tabs-item": ('{% tabs %}\n{% tab title="A" %}', "{% endtab %}\n{% endtabs %}"),
    "stepper-step": ("{% stepper %}\n{% step %}", "{% endstep %}\n{% endstepper %}"),
    "column": ("{% columns %}\n{% column %}", "{% endcolumn %}\n{% endcolumns %}"),
    "expandable": ("<details>\n\n<summary>A</summary>\n", "</details>"),
}


@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("name", sorted(VOID_ELEMENTS))
def test_a_void_element_before_an_end_tag(kind: str, name: str) -> None:
    opening, closing = CONTAINERS[kind]
    for end in (">", "/>", " />", ' class="x">'):
        for before in ("", "text\n", "text\n\n", "* item\n", "text "):
            element = f"<{name}{' src=a.png' if name == 'img' else ''}{end}"
            source = f"{opening}\n{before}{element}\n{closing}\n\nafter\n"
            document = parse_document(source)
            kinds = [node.get("type") for node in walk([document])]
            assert kind in kinds, source
            *_, last = document["nodes"]  # type: ignore[misc]
            assert plain_text(last) == "after"  # type: ignore[arg-type]
            kept = [node["data"] for node in walk([document]) if node.get("type") == "markdown"]
            assert "{%" not in str(kept), source
            assert "details" not in str(kept), source
            again = parse_document(write_markdown(document))
            assert [node.get("type") for node in walk([again])] == kinds, source


def test_comments_and_scripts_hide_tags() -> None:
    source = "<!--\n{% endhint %}\n-->\n\n<pre>\n{% hint %}\n</pre>\n"
    kinds = [node.get("type") for node in walk([parse_document(source)])]
    assert "hint" not in kinds


def test_the_line_of_html_is_read_once() -> None:
    for line in (
        "<br>\n{% endhint %}\n",
        "<div>\n",
        "<div>\n{%\n",
        '<div>\n{% hint style="info" %}\n',
    ):
        assert_growth(lambda size, line=line: lambda: parse_document(line * size), 100)  # type: ignore[misc]


@pytest.mark.parametrize(
    "part",
    ["<ul><li>", "<p>", "<br>", "a<hr>", "<div>a</div>", "<li>a</li>", escape("<ul>"), "<p>a"],
)
def test_cells_take_time_in_proportion(part: str) -> None:
    assert_growth(lambda size: lambda: parse_document(table(part * size)), 200)


def test_blocks_in_the_cells_of_pipe_tables() -> None:
    """As editors write them: HTML with Markdown in it."""
    source = (
        "| A | B |\n| --- | --- |\n| <ul><li>**a**</li><li>[b](c.md)<br>d</li></ul> "
        "| <p>e</p><p>_f_</p> |\n| `<p>` x | g \\| h |\n"
    )
    document = parse_with_style(source)
    (block,) = document["nodes"]  # type: ignore[misc]
    cells = [outline(part["nodes"]) for part in block["fragments"]]  # type: ignore[index, call-overload, union-attr, arg-type]
    assert cells[0] == [("list-unordered", ("list-item", "a"), ("list-item", "b\nd"))]
    assert cells[1:] == [["e", "f"], ["<p> x"], ["g | h"]]
    assert write_markdown(document) == source
    alone = parse_document(source)
    assert plain_text(parse_document(write_markdown(alone))) == plain_text(alone)


@pytest.mark.parametrize("cell", ["<b>a", "`<b>` <ul><li>a</li></ul>", "a</span>", "<ul>a</b>"])
def test_html_that_is_not_whole_leaves_a_table_its_lines(cell: str) -> None:
    source = f"| A | B |\n| --- | --- |\n| {cell} | <p>b</p><p>c</p> |\n"
    document = parse_with_style(source)
    (block,) = document["nodes"]  # type: ignore[misc]
    assert [len(part["nodes"]) for part in block["fragments"]] == [1, 1]  # type: ignore[index, call-overload, union-attr, arg-type]
    assert write_markdown(document) == source
    alone = parse_document(source)
    assert content_digest(parse_document(write_markdown(alone))) == content_digest(alone)
