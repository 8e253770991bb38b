"""Whatever a script answers for a block, the page stays a page: nothing of it runs."""

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.integration_elements import nodes_of
from content.documents.nodes import block, objects_in
from content.html.document import render_document
from content.html.integration_blocks import MOST_FRAME_ORIGINS
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from published.answers import page_policy
from tests.content.html.html_reader import read_html
from tests.published.test_frame import NASTY

# Controls are shown, without a form and without a use.
ALLOWED = frozenset({"input", "button", "iframe"})
TEXTS = st.one_of(
    st.sampled_from([*NASTY, "javascript:alert(1)", "https://ok.example/a b'\"", "//host"]),
    st.text(max_size=8),
)  # fmt: skip
KINDS = (
    "block", "vstack", "hstack", "box", "card", "step", "stepper", "modal", "configuration",
    "text", "link", "hint", "markdown", "codeblock", "divider", "image", "webframe", "button",
    "input", "textinput", "select", "switch", "checkbox", "radio", "unknown",
)  # fmt: skip
MEMBERS = (
    "title", "children", "hint", "icon", "label", "state", "initialValue", "placeholder", "style",
    "content", "syntax", "align", "grow", "element", "header", "footer", "buttons", "options",
    "aspectRatio", "inputType", "value", "tooltip", "lineNumbers",
)  # fmt: skip
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 9), TEXTS)
ADDRESSES = st.one_of(
    TEXTS.map(lambda url: {"url": url}),
    st.fixed_dictionaries(
        {"host": TEXTS, "pathname": TEXTS, "query": st.dictionaries(TEXTS, SCALARS, max_size=2)}
    ).map(lambda url: {"url": url}),
    SCALARS,
)


def elements(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(
        st.sampled_from(MEMBERS),
        st.one_of(inner, st.lists(inner, max_size=3), SCALARS, st.just({"$state": "x"})),
        max_size=5,
    )
    places = st.fixed_dictionaries(
        {},
        optional={
            "source": ADDRESSES, "target": ADDRESSES, "url": ADDRESSES,
            "onPress": TEXTS.map(lambda url: {"action": "@ui.url.open", "url": url}),
        },
    )  # fmt: skip
    kinds = st.sampled_from(KINDS).map(lambda kind: {"type": kind})
    return st.tuples(members, places, kinds).map(lambda parts: parts[0] | parts[1] | parts[2])


TREES = elements(st.recursive(SCALARS, elements, max_leaves=8))


def drawn(element: Any, state: Any = None) -> dict[str, Any]:
    data = {"integration": "a", "block": "b", "props": {},
            "shown": {"element": element, "state": state or {}}}  # fmt: skip
    return block("integration", None, data)


@given(TREES, st.dictionaries(st.sampled_from(["x", "y"]), SCALARS))
def test_nothing_of_an_answer_runs(element: Any, state: Any) -> None:
    rendered = render_document({"object": "document", "nodes": [drawn(element, state)]})
    page = read_html(rendered.html, ALLOWED)
    assert page.faults == []
    for tag, attributes in page.elements:
        if tag == "iframe":
            # Never with the origin of whoever serves it.
            assert attributes["sandbox"] == "allow-scripts allow-forms allow-popups"
            assert re.fullmatch(r"https?://.*", attributes["src"], re.DOTALL | re.IGNORECASE)
        if tag in ("input", "button", "select", "textarea"):
            assert "disabled" in attributes
    # Nothing is added to the policy but what can be named in it.
    policy = page_policy("sha256-x", uses=rendered.uses)
    frames = policy.partition("frame-src ")[2].split()
    assert all(re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]+)?", frame) for frame in frames)
    assert ";" not in policy.partition("frame-src ")[2]


@given(TREES)
def test_the_text_of_an_answer_is_a_document(element: Any) -> None:
    shown = {"element": element, "state": {"x": "y"}}
    nodes = nodes_of(shown, lambda source: objects_in(parse_document(source).get("nodes")))
    written = write_markdown({"object": "document", "data": {}, "nodes": nodes})
    assert isinstance(written, str)
    assert parse_document(written)["object"] == "document"


def html_of(element: Any, state: Any = None) -> str:
    document = {"object": "document", "nodes": [drawn({"type": "block", "children": [element]},
                                                      state)]}  # fmt: skip
    return str(render_document(document).html)


@pytest.mark.parametrize(
    ("element", "parts"),
    [
        ({"type": "text", "style": "italic", "children": ["a", {"type": "text", "style": "code",
          "children": "b"}]}, ["<em>a<code>b</code></em>"]),
        ({"type": "link", "target": {"url": {"host": "h.example", "pathname": "/p",
          "query": {"q": {"$state": "s"}}}}, "children": ["x"]},
         ['href="https://h.example/p?q=from+state"', ">x</a>"]),
        ({"type": "markdown", "content": {"$state": "s"}}, ["<p>from state</p>"]),
        ({"type": "codeblock", "content": "let a", "syntax": "javascript",
          "footer": [{"type": "text", "children": "foot"}]}, ["let", "foot"]),
        ({"type": "card", "title": "T", "hint": [{"type": "text", "children": "h"}],
          "icon": {"type": "image", "source": {"url": "https://i.example/i.png"}},
          "onPress": {"action": "@ui.url.open", "url": "https://c.example"},
          "buttons": [{"type": "button", "label": "Press", "onPress": {"action": "own"}}]},
         ['href="https://c.example"', "<strong>", "https://i.example/i.png", "disabled"]),
        ({"type": "hstack", "align": "center", "children": [{"type": "box", "grow": 1,
          "children": [{"type": "divider"}]}]}, ["kit-row kit-center", "kit-grows", "<hr>"]),
        ({"type": "input", "label": "Name", "hint": "why", "element": {"type": "textinput",
          "state": "s"}}, ["Name", "why", 'value="from state"']),
        ({"type": "input", "label": "Word", "element": {"type": "textinput", "state": "s",
          "inputType": "password"}}, ["Word", "disabled"]),
        ({"type": "select", "state": "t", "initialValue": "b", "options": [
          {"id": "a", "label": "A"}, {"id": "b", "label": "Bee"}]}, [">Bee<"]),
        ({"type": "switch", "state": "t", "initialValue": True}, ["checkbox", "checked"]),
        ({"type": "checkbox", "state": "u", "value": "v"}, ["checkbox", "checked"]),
        ({"type": "radio", "state": "u", "value": "w"}, ['type="radio"']),
        ({"type": "hint", "children": ["careful"]}, ["kit-hint", "careful"]),
        ({"type": "webframe", "source": {"url": "https://f.example/x"}, "aspectRatio": 1},
         ["<iframe", "https://f.example/x", "sandbox="]),
    ],
)  # fmt: skip
def test_every_element_that_a_reader_sees(element: Any, parts: list[str]) -> None:
    html = html_of(element, {"s": "from state", "u": "v"})
    for part in parts:
        assert part in html
    if element.get("label") == "Word":
        assert "from state" not in html
    if element["type"] == "radio":
        assert "checked" not in html


def test_large_answers_end() -> None:
    """An element of many parts is shown up to a bound; the work grows with it and no faster."""
    many = {"type": "vstack", "children": [{"type": "text", "children": "x"}] * 2_000}
    assert html_of(many).count("<span>") < 500
    deep: Any = {"type": "text", "children": "end"}
    for _ in range(50):
        deep = {"type": "vstack", "children": [deep]}
    assert "end" not in html_of(deep)


def test_frames_of_one_page_are_of_a_few_origins() -> None:
    """The policy of the page names each in a header, which proxies refuse when it is long."""
    frames = [{"type": "webframe", "source": {"url": f"https://h{n}.example/x"}} for n in range(99)]
    html = html_of({"type": "vstack", "children": [*frames, frames[0]]})
    assert html.count("<iframe") == MOST_FRAME_ORIGINS + 1
    # Those that have no frame are links, and none is lost.
    assert 'href="https://h98.example/x"' in html
