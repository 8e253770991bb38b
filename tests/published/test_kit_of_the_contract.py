"""Every element of the published UI kit: as the contract has it, and what a page, paper and text
show of it."""

from collections.abc import Iterator
from typing import Any

from content.documents.integration_elements import nodes_of, windows_in
from content.documents.nodes import objects_in
from content.html.document import render_document
from content.html.integration_blocks import _KINDS
from content.html.integration_controls import SYMBOLS
from content.html.rendering import Options
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from tests.content.html.html_reader import read_html
from tests.content.html.test_integration_blocks import ALLOWED
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
        ['src="https://f.example/x"', "sandbox=", 'data-ratio="4.0"', "$state", "Press"],
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


def drawn(element: Any, *, paper: bool = False, root: bool = False) -> str:
    window = root and element["type"] == "modal"
    shown = {"element": element if root else {"type": "block", "children": [element]},
             "state": STATE, **({"component": "c", "props": {}} if window else {})}  # fmt: skip
    data = {"integration": "a", "block": "b", "props": {}, "shown": shown, "key": "k",
            "window": window, "seals": dict.fromkeys(windows_in(shown), "seal")}  # fmt: skip
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
    assert set(icons) == SYMBOLS.keys()


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
    # A window is shown to whoever has opened it, and never within a page.
    for root in ("modal", "configuration"):
        assert "some" not in drawn({"type": root, "children": [TEXT]})


# ------------------------------------------------------------------ every property, generated

# Properties that change nothing of what a reader sees, and why. Where all types have it: "*".
UNSEEN = {
    ("block", "controls"): "the menu of a block in an editor",
    ("codeblock", "onContentChange"): "readers do not write source",
    ("codeblock", "state"): "where the source stands that readers do not write",
    ("configuration", "children"): "forms of configurations",
    ("step", "id"): "names a step for a configuration", ("step", "next"): "of a configuration",
    ("stepper", "activeStep"): "of a configuration",
    ("stepper", "onComplete"): "of a configuration",
    ("stepper", "onStepChange"): "of a configuration",
}  # fmt: skip
# What besides is nothing on paper: what is used, and windows.
OF_USE = {
    "onPress", "onValueChange", "confirm", "disabled", "data", "acceptInput", "placeholder",
    "value",
}  # fmt: skip
# What the text says: for machines, and for the index of searches.
SAID = {
    ("block", "children"), ("box", "children"), ("button", "label"), ("button", "onPress"),
    ("card", "children"), ("card", "hint"), ("card", "onPress"),
    ("card", "title"), ("codeblock", "content"), ("codeblock", "footer"), ("codeblock", "header"),
    ("codeblock", "syntax"), ("hint", "children"), ("hstack", "children"),
    ("input", "label"), ("link", "children"), ("link", "target"), ("markdown", "content"),
    ("step", "children"), ("step", "title"), ("stepper", "children"), ("text", "children"),
    ("text", "style"), ("vstack", "children"), ("webframe", "source"),
}  # fmt: skip
CODE = {"syntax": ["python", "json"], "content": ["def some(): pass", "*other*"]}
PRESS = {"action": "@ui.url.open", "url": "https://pressed.example/"}
LEAVES = {"text": TEXT, "button": BUTTON, "image": IMAGE}


class Values:
    """Values of the schemas of a contract: each choice of an enumeration, each variant."""

    def __init__(self, contract: PublishedContract) -> None:
        self._schemas = contract.document["components"]["schemas"]

    def schema(self, schema: Any) -> Any:
        while "$ref" in schema or "allOf" in schema:
            if "$ref" in schema:
                schema = self._schemas[schema["$ref"].rpartition("/")[2]]
            else:
                (schema,) = schema["allOf"]
        return schema

    def of(self, schema: Any, name: str) -> list[Any]:
        schema = self.schema(schema)
        variants = schema.get("oneOf") or schema.get("anyOf")
        if variants:
            kinds = {self._type_of(variant) for variant in variants}
            if kinds & LEAVES.keys() and len(kinds) > 1:
                return [LEAVES[kind] for kind in LEAVES if kind in kinds] + [
                    value for variant in variants if self._type_of(variant) == ""
                    for value in self.of(variant, name)
                ]  # fmt: skip
            # Lists before what names them.
            lists = sorted(variants, key=lambda one: self.schema(one).get("type") != "array")
            return [value for variant in lists for value in self.of(variant, name)]
        if "enum" in schema:
            return list(schema["enum"])
        if schema.get("type") in (None, "object") and not schema.get("properties"):
            # Of plain objects any value will do.
            return [{"some": "value"}, {"other": {"$state": "word"}}]
        if schema["type"] == "array":
            return [[value] for value in self.of(schema["items"], name)]
        if schema["type"] == "object":
            return [self.element(schema)]
        if schema.get("format") == "uri" or name == "url":
            return ["https://one.example/", "https://two.example/"]
        if name in CODE:
            return CODE[name]
        return {"string": [f"some {name}", f"other {name}"], "boolean": [True, False],
                "number": [3, 0.5]}[schema["type"]]  # fmt: skip

    def _type_of(self, schema: Any) -> str:
        declared = self.schema(schema).get("properties", {}).get("type", {}).get("enum", [""])
        return str(declared[0])

    def element(self, schema: Any) -> dict[str, Any]:
        """An element with what it must have."""
        kind, schema = self._type_of(schema), self.schema(schema)
        properties = schema.get("properties", {})
        made = {name: self.of(properties[name], name)[0] for name in schema.get("required", ())}
        return {**made, "type": kind} if kind else made


async def test_every_property_of_every_element_is_shown() -> None:
    contract = await published_contract()
    values = Values(contract)
    unseen, unprinted, said = set(), set(), set()
    for type, name in types_of(contract):
        schema = values.schema({"$ref": f"#/{name}"})
        properties = {key: of for key, of in schema["properties"].items() if key != "type"}
        root = type in ROOTS
        # Beside nothing else, and beside everything else.
        whole = {"type": type} | {key: values.of(of, key)[0] for key, of in properties.items()}
        bases = [values.element(schema), whole | ({"onPress": PRESS} if "onPress" in whole else {})]
        for member, of_member in properties.items():
            seen = set()
            for base in bases:
                without = {key: value for key, value in base.items() if key != member}
                elements = [{**base, member: value} for value in values.of(of_member, member)]
                looks = [
                    (drawn(one, root=root), drawn(one, paper=True, root=root), text_of(one))
                    for one in [without, *elements]
                ]
                for html, printed, _ in looks:
                    assert read_html(html + printed, ALLOWED).faults == [], (type, member, html)
                seen |= {kind for kind in range(3) if len({look[kind] for look in looks}) > 1}
            place = type, member
            unseen |= set() if 0 in seen else {place}
            unprinted |= set() if 1 in seen else {place}
            said |= {place} if 2 in seen else set()
    assert unseen == set(UNSEEN)
    # Frames are links on paper, and there are no windows.
    unused = {place for place in unprinted - unseen if place[1] not in OF_USE}
    assert {place for place in unused if place[0] != "modal"} == {("webframe", "aspectRatio")}
    assert said == SAID
