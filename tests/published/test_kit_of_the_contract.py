"""Every element of the published UI kit: as the contract has it, and what a page, paper and text
show of it."""

from collections.abc import Iterator
from typing import Any

from content.documents.integration_elements import nodes_of
from content.documents.nodes import objects_in
from content.html.document import render_document
from content.html.integration_blocks import _KINDS, _SYMBOLS
from content.html.rendering import Options
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from tests.published_contract import FOLLOWED, NEWEST, PublishedContract, published_contract

ACTION = {"action": "own", "id": 1}
CONFIRM = {"title": "Sure?", "text": "Really", "confirm": "Yes"}
TEXT = {
    "type": "text",
    "style": "bold",
    "children": ["some ", {"type": "text", "children": "text"}],
}
IMAGE = {"type": "image", "source": {"url": "https://i.example/i.png"}, "aspectRatio": 2}
BUTTON = {"type": "button", "style": "danger", "label": "Press", "icon": "star",
          "trailingIcon": "check", "tooltip": "Do it", "confirm": CONFIRM, "onPress": ACTION,
          }  # fmt: skip
STATE = {"word": "from state", "many": ["a"], "on": True, "one": "b"}
# A sample of each element; parts of what a page shows of it, and of what its text says.
SAMPLES: dict[str, tuple[Any, list[str], list[str]]] = {
    "button": (
        BUTTON,
        ["kit-danger", "★", "✓", ">Press<".replace("<", ""), "data-action=", "data-confirm=",
         'title="Do it"'],
        [],
    ),
    "textinput": (
        {"type": "textinput", "state": "word", "placeholder": "Type", "inputType": "email"},
        ['type="email"', 'value="from state"', 'data-name="word"', 'placeholder="Type"'], [],
    ),
    "hstack": ({"type": "hstack", "align": "end", "children": [TEXT]}, ["kit-row kit-end"],
               ["some"]),
    "vstack": ({"type": "vstack", "align": "center", "children": [TEXT]},
               ["kit-column kit-center"], ["some"]),
    "box": ({"type": "box", "grow": 1, "children": [TEXT]}, ["kit-grows"], ["some"]),
    "divider": ({"type": "divider", "size": "large"}, ['<hr class="kit-large">'], ["***"]),
    "webframe": (
        {"type": "webframe", "source": {"url": "https://f.example/x"}, "aspectRatio": 4,
         "buttons": [BUTTON], "data": {"a": "plain", "b": {"$state": "word"}}},
        ['src="https://f.example/x"', "sandbox=", 'data-ratio="4.0"', "from state", "Press"],
        ["https://f.example/x"],
    ),
    "codeblock": (
        {"type": "codeblock", "content": {"$state": "word"}, "syntax": "python",
         "lineNumbers": True, "buttons": [BUTTON], "header": [TEXT], "footer": [TEXT]},
        ["code-lines", "from", "state", "Press", "some"], ["```python\nfrom state\n```", "some"],
    ),
    "markdown": ({"type": "markdown", "content": "*hi* `there`"}, ["<em>hi</em>"], ["_hi_"]),
    "card": (
        {"type": "card", "title": "Title", "hint": [TEXT], "icon": "github", "buttons": [BUTTON],
         "onPress": {"action": "@ui.url.open", "url": "https://c.example"}, "children": [TEXT]},
        ["kit-card", "◉", 'href="https://c.example"', "Title", "Press"],
        ["[Title](https://c.example)", "some"],
    ),
    "image": (IMAGE, ['width="1000"', 'height="500"', 'loading="lazy"'], []),
    "input": (
        {"type": "input", "label": "Label", "hint": TEXT,
         "element": {"type": "textinput", "state": "word"}},
        ["<label", "Label", "some", 'value="from state"'], ["Label: from state"],
    ),
    "select": (
        {"type": "select", "state": "one", "onValueChange": ACTION, "options": [
            {"id": "a", "label": "Ay"}, {"id": "b", "label": "Bee"}]},
        ['<option value="a">Ay', '<option value="b" selected>Bee', "data-action="], [],
    ),
    "switch": ({"type": "switch", "state": "on", "onValueChange": ACTION, "confirm": CONFIRM},
               ['role="switch"', "checked", "data-confirm="], []),
    "checkbox": ({"type": "checkbox", "state": "many", "value": "a"},
                 ['type="checkbox"', "checked", "data-choice="], []),
    "radio": ({"type": "radio", "state": "one", "value": "a"},
              ['type="radio"', "data-choice="], []),
    "text": (TEXT, ["<strong>some <span>text</span></strong>"], ["**some text**"]),
    "hint": ({"type": "hint", "children": [TEXT]}, ["kit-hint", "some"], ["some"]),
    "link": (
        {"type": "link", "target": {"url": {"host": "h.example", "pathname": "/p", "query": {
            "q": {"$state": "word"}}}}, "children": ["on"]},
        ['href="https://h.example/p?q=from+state"', ">on</a>"],
        ["[on](https://h.example/p?q=from+state)"],
    ),
    "step": ({"type": "step", "id": "s", "title": "Step", "children": [TEXT]},
             ["Step", "some"], ["Step", "some"]),
}  # fmt: skip
# At the root: of these a reader sees a block, the others belong to editors and configurations.
ROOTS = {"block", "modal", "configuration"}
# Stands in configurations alone.
WITHIN = {"stepper"}


def types_of(contract: PublishedContract) -> Iterator[tuple[str, str]]:
    """The types of elements, with the names of their schemas."""
    for name, schema in contract.document["components"]["schemas"].items():
        declared = schema.get("properties", {}).get("type", {}).get("enum", [])
        is_element = name.startswith("ContentKit") and "Context" not in name
        if is_element and len(declared) == 1 and "RenderOutput" not in name:
            yield declared[0], name


def drawn(element: Any, *, paper: bool = False) -> str:
    shown = {"element": {"type": "block", "children": [element]}, "state": STATE}
    data = {"integration": "a", "block": "b", "props": {}, "shown": shown, "key": "k"}
    node = {"object": "block", "type": "integration", "data": data}
    options = Options(blocks="/block?page=p", paper=paper)
    return str(render_document({"object": "document", "nodes": [node]}, options).html)


def text_of(element: Any) -> str:
    nodes = nodes_of({"element": element, "state": STATE},
                     lambda source: objects_in(parse_document(source).get("nodes")))  # fmt: skip
    return write_markdown({"object": "document", "data": {}, "nodes": nodes})


async def test_all_elements_are_here_and_no_other() -> None:
    for package in (FOLLOWED, NEWEST):
        types = dict(types_of(await published_contract(package)))
        assert types.keys() == SAMPLES.keys() | ROOTS | WITHIN, package
        assert types.keys() == _KINDS.keys(), package


async def test_samples_are_what_the_contract_has() -> None:
    contract = await published_contract()
    for type, (element, _, _) in SAMPLES.items():
        output = {"type": "element", "element": {"type": "block", "children": [element]},
                  "state": STATE, "props": {}}  # fmt: skip
        assert contract.problems("renderIntegrationUIWithPost", 200, output) == [], type
    icons = contract.document["components"]["schemas"]["ContentKitIcon"]["enum"]
    assert set(icons) == _SYMBOLS.keys()


def test_each_element_is_shown() -> None:
    for type, (element, parts, texts) in SAMPLES.items():
        html, paper, text = drawn(element), drawn(element, paper=True), text_of(element)
        for part in parts:
            assert part in html, (type, part, html)
        for part in texts:
            assert part in text, (type, part, text)
        # Nothing on paper asks to be used.
        for part in ("data-action", "data-name", "<iframe", "data-block"):
            assert part not in paper, (type, part)
    assert "disabled" in drawn({**BUTTON, "disabled": True})
    assert "data-action" not in drawn({**BUTTON, "disabled": True})


def test_what_belongs_to_editors_is_not_shown() -> None:
    for root in ("modal", "configuration"):
        assert "some" not in drawn({"type": root, "children": [TEXT]})
