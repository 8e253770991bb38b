"""Foreign HTML: what a parser may see of it, and that it takes no longer than it is long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.nodes import verbatim
from content.html import code
from content.html.bounds import DEPTH, ELEMENTS, FEW, elements_of
from content.html.document import render_document
from content.html.rendering import HighlightingTime
from content.html.verbatim import TAGS
from content.markdown.parser import parse_document
from tests.content.html.html_reader import read_html
from tests.growth import Work, assert_growth

HOSTILE = {
    "unclosed": lambda size: "<div>" * size,
    "nested": lambda size: "<div>" * size + "</div>" * size,
    "attributes": lambda size: f"<div {' '.join(f'a{place}=1' for place in range(size))}>x</div>",
    "formatting that nobody closes": lambda size: (
        "".join(f'<b id="{place}">' for place in range(size)) + "<p>x" * size
    ),
    "formatting around blocks": lambda size: (
        "".join(f'<b id="{place}">' for place in range(DEPTH - 1)) + "<p>x" * size
    ),
    "links in links": lambda size: "<a href=x>" * size,
    "tables in tables": lambda size: "<table><tr><td>" * size,
    "ends that say nothing": lambda size: "<span><li></span><span><dd></span>" * size,
    "ends of paragraphs": lambda size: "<div>" + "</p>" * size,
    "comments that nobody closes": lambda size: "<!--" * size,
    "tags that nobody closes": lambda size: "<div a " * size,
    "quotes that nobody closes": lambda size: "<div a='\"" * size,
    "blanks in a tag": lambda size: f"<div{' ' * size}",
    "brackets": lambda size: "<" * size,
    "foreign elements": lambda size: "<svg><wbr>" * size,
    "a long table": lambda size: f"<table>{'<tr><td>x</td></tr>' * size}</table>",
    "references to characters": lambda size: "<p>" + "&amp;" * size,
}


def html_of(source: str) -> str:
    return render_document({"object": "document", "data": {}, "nodes": [verbatim(source)]}).html


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_length(name: str) -> None:
    def work(size: int) -> Work:
        source = HOSTILE[name](size)
        return lambda: html_of(source)

    # Four times the input: 2.3 times for each doubling are 5.3, 16 is a square.
    assert_growth(work, 2_000, times=4, at_most=5.3)


def test_what_is_too_much_is_shown_as_its_text() -> None:
    deep = "<div>" * (DEPTH + FEW) + "<script>bad()</script> word"
    assert elements_of(deep) is None
    assert html_of(deep).split() == ["<p>", "bad()", "word</p>"]
    assert "<script" not in html_of(deep)


@pytest.mark.parametrize(
    "source",
    [
        "<div>a</div>" * 5_000,
        "<ul>" + "<li>a<li>b" * 2_000 + "</ul>",
        "<table><thead><tr><th>a</th></tr></thead>" + "<tr><td>a<td>b" * 2_000 + "</table>",
        "<p>a<br>b<img src=x.png alt='a > b'/>" * 2_000,
        '<!-- a comment --><DIV CLASS="x">\n  a &lt; b < c\n</DIV>\n' * 2_000,
    ],
)
def test_long_usual_html_is_read(source: str) -> None:
    assert elements_of(source) is not None
    assert html_of(source).count("<") > 2_000


def test_a_page_has_so_many_elements() -> None:
    piece = "<div>a</div>" * (ELEMENTS // 2)
    nodes = [verbatim(piece)] * 3
    html = render_document({"object": "document", "data": {}, "nodes": nodes}).html
    assert html.count("<div>") == ELEMENTS
    assert html.count("a") == 3 * (ELEMENTS // 2)


NAMES = st.sampled_from(
    ["div", "p", "li", "td", "tr", "table", "b", "span", "a", "ul", "dd", "dt", "br", "h1"]
)
PIECES = st.lists(
    st.one_of(
        NAMES.map(lambda name: f"<{name}>"),
        NAMES.map(lambda name: f"</{name}>"),
        st.sampled_from(["x", "<!-- y -->", "<svg>", "<!", "</", "<b id='1'>", "<i/>"]),
    ),
    max_size=12,
)


@given(PIECES)
@settings(max_examples=150)
def test_what_is_let_through_nests_as_deep_as_it_was_counted(pieces: list[str]) -> None:
    """Repeated, so that whatever is left open each time adds up."""
    source = "".join(pieces) * 150
    if elements_of(source) is None or (len(source) <= 10_000 and source.count("<") <= FEW):
        return
    html = html_of(source)
    depth = deepest = 0
    for closing, name in re.findall(r"<(/?)([a-z0-9]+)", html):
        if name in ("br", "hr"):
            continue
        assert name in TAGS | {"p"}
        depth += -1 if closing else 1
        deepest = max(deepest, depth)
    assert deepest <= 2 * DEPTH
    read_html(html)


def _clocked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A clock of the thread that goes on by a millisecond each time it is asked; counts that."""
    asked = [0]

    def thread_time() -> float:
        asked[0] += 1
        return asked[0] / 1_000

    monkeypatch.setattr(code, "thread_time", thread_time)
    return asked


def test_colours_of_code_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twice as much code no more is read, and all code of a page shares the bound."""
    asked = _clocked(monkeypatch)
    tokens = []
    for size in (500, 1_000, 2_000):
        before, time = asked[0], HighlightingTime(0.2)
        lines = ["a = (1 + b) * 'c'"] * size
        shown = code.highlighted(lines, "python", time)
        tokens.append(asked[0] - before)
        assert shown == [[(line, "")] for line in lines]
        assert time.left == 0
    assert max(tokens) - min(tokens) <= 1
    assert code.highlighted(["a = 1"], "python", time) == [[("a = 1", "")]]
    assert code.highlighted(["a = 1"], "python", HighlightingTime()) != [[("a = 1", "")]]


def test_pages_keep_their_code_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    _clocked(monkeypatch)
    block = "```python\n" + "a = (1 + b)\n" * 60 + "```\n\n"
    html = render_document(parse_document(block * 5)).html
    assert re.sub("<[^>]*>", "", html).count("a = (1 + b)") == 5 * 60
    # The first blocks have colours, the last one has none.
    assert 'class="n"' in html
    assert html.rindex('class="n"') < html.rindex("<figure")
