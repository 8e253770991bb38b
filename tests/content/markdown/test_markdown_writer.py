"""Documents written as Markdown come back as the same documents."""

import string
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.content_references import KINDS, read_reference, reference_url
from content.documents.limits import BYTES, NODES
from content.documents.nodes import block, inline, leaf, mark
from content.documents.plain_text import plain_text
from content.documents.shape import DocumentError, checked_document
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown

PUNCTUATED = st.text(
    alphabet=string.ascii_letters + string.digits + string.punctuation + " \n\u00a0é世👍",
    min_size=1,
    max_size=24,
)
COLOURS = st.sampled_from(["default", "green", "$primary"])
MARKS = ["bold", "italic", "strikethrough", "keyboard", "superscript", "subscript"]
# What is drawn again and again: Hypothesis looks through each new strategy before it draws.
SOME_MARKS = st.lists(st.sampled_from(MARKS), unique=True, max_size=3)
UP_TO_FOUR, ONE_IN_SIX, ONE_IN_EIGHT = st.integers(1, 4), st.integers(0, 5), st.integers(0, 7)
FLAGS = st.booleans()
ADDRESSES = st.sampled_from(["https://a.test/x?y=1&z", "/a(b)", "#c", "a b<c>\\&amp;"])


def without_keys(value: Any) -> Any:
    """A document without node keys, and with the marks of a leaf in one order."""
    if isinstance(value, dict):
        kept = {name: without_keys(item) for name, item in value.items() if name != "key"}
        if kept.get("object") == "leaf":
            kept["marks"] = sorted(kept["marks"], key=str)
        return kept
    return [without_keys(item) for item in value] if isinstance(value, list) else value


@cache
@st.composite
def texts(draw: st.DrawFn, content: st.SearchStrategy[str] = PUNCTUATED) -> dict[str, Any]:
    leaves: list[Any] = []
    for _ in range(draw(UP_TO_FOUR)):
        kinds = draw(SOME_MARKS)
        marks: list[Any] = [mark(kind) for kind in kinds]
        if draw(ONE_IN_EIGHT) == 0:
            colours = {"text": draw(COLOURS), "background": draw(COLOURS)}
            marks.append(mark("color", colours))
        if draw(ONE_IN_SIX) == 0:
            marks.append(mark("code"))
        found = leaf(draw(content), marks)
        if mark("code") in marks:
            # Code within a line has no line breaks.
            found["text"] = str(found["text"]).replace("\n", " ")
        if leaves and without_keys(leaves[-1])["marks"] == without_keys(found)["marks"]:
            continue
        leaves.append(found)
    return {"object": "text", "leaves": leaves}


@cache
@st.composite
def inlines(draw: st.DrawFn) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = [draw(texts())]
    if draw(FLAGS):
        url = draw(ADDRESSES)
        ref: dict[str, Any] = {"kind": "url", "url": url}
        if draw(FLAGS):
            ref = {"kind": "page", "page": "p&1", "space": "s=2"}
        if draw(FLAGS):
            nodes.append(inline("link", [draw(texts())], {"ref": ref}))
        else:
            nodes.append(inline("mention", data={"ref": {"kind": "user", "user": "u"}}))
        nodes.append(draw(texts()))
    return nodes


def plain_end(nodes: list[dict[str, Any]]) -> str:
    """The last character of the text of a heading."""
    return str(nodes[-1]["leaves"][-1]["text"][-1])


def starts_blank(paragraph: dict[str, Any]) -> bool:
    """Whether the text of a paragraph starts with white space."""
    first = paragraph["nodes"][0]
    return bool(first["object"] == "text" and str(first["leaves"][0]["text"])[:1].isspace())


@cache
def blocks(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    paragraph = inlines().map(lambda nodes: block("paragraph", nodes))
    heading = st.builds(
        lambda level, nodes, data: block(
            # Blanks in front of an anchor mean nothing.
            f"heading-{level}",
            nodes,
            {} if plain_end(nodes).isspace() else data,
        ),
        st.integers(1, 3),
        inlines(),
        st.sampled_from([{}, {"id": "an-id"}]),
    )
    line = st.text(alphabet="ab `~<&\\*\t", max_size=8).map(
        lambda text: block("code-line", [{"object": "text", "leaves": [leaf(text, [])]}])
    )
    code = st.builds(
        lambda lines, data: block("code", lines, data),
        st.lists(line, min_size=1, max_size=4),
        st.sampled_from([{}, {"syntax": "python"}]),
    )
    plain = [paragraph, heading, code, st.just(block("divider"))]
    if depth == 0:
        return st.one_of(plain)
    inner = st.lists(blocks(depth - 1), min_size=1, max_size=3)
    # The first block of an item is a paragraph, or it would stand beside the marker.
    contents = st.builds(
        lambda first, rest: [first, *rest], paragraph, st.lists(blocks(depth - 1), max_size=2)
    )
    item = contents.map(lambda nodes: block("list-item", nodes))
    # Blanks behind a checkbox mean nothing.
    task = st.builds(
        lambda nodes, checked: block("list-item", nodes, {"checked": checked}),
        contents.filter(lambda nodes: not starts_blank(nodes[0])),
        st.booleans(),
    )
    quote = inner.map(lambda nodes: block("blockquote", nodes))
    hint = st.builds(
        lambda nodes, style: block("hint", nodes, {"style": style}),
        inner,
        st.sampled_from(["info", "danger"]),
    )
    return st.one_of(
        *plain,
        quote,
        hint,
        st.lists(item, min_size=1, max_size=3).map(lambda nodes: block("list-unordered", nodes)),
        st.lists(task, min_size=1, max_size=3).map(lambda nodes: block("list-tasks", nodes)),
        st.builds(
            lambda nodes, data: block("list-ordered", nodes, data),
            st.lists(item, min_size=1, max_size=3),
            st.sampled_from([{}, {"start": 7}]),
        ),
    )


def document(nodes: list[Any]) -> dict[str, Any]:
    return {"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes}


@settings(max_examples=300, deadline=None)
@given(st.lists(blocks(2), min_size=1, max_size=4))
def test_documents_come_back(nodes: list[Any]) -> None:
    markdown = write_markdown(document(nodes))
    again = parse_document(markdown, resolve=read_reference)
    assert without_keys(again) == without_keys(document(nodes)), markdown


@given(PUNCTUATED)
def test_any_text_comes_back(content: str) -> None:
    nodes = [block("paragraph", [{"object": "text", "leaves": [leaf(content, [])]}])]
    assert without_keys(parse_document(write_markdown(document(nodes)))) == document(nodes)


@pytest.mark.parametrize("kind", KINDS)
def test_references_come_back(kind: str) -> None:
    reference: dict[str, Any] = {"kind": kind, kind: "a b&c=d/é", "space": "s?#"}
    assert read_reference(reference_url(reference)) == reference


@pytest.mark.parametrize("url", ["https://a.test", "docstead:", "docstead:spell?x=1", "page:1"])
def test_other_addresses_are_no_references(url: str) -> None:
    assert read_reference(url) is None


@pytest.mark.parametrize(
    "markdown",
    [
        "| a | b |\n| - | - |\n| one | two |",
        '{% tabs %}\n{% tab title="First" %}\nText\n{% endtab %}\n{% endtabs %}',
        '<figure><img src="a.png" alt="Alt"><figcaption><p>Below</p></figcaption></figure>',
        "word[^1]\n\n[^1]: the note",
        "<details><summary>Title</summary>\n\nBody\n\n</details>",
        "$$\na + b\n$$",
    ],
)
def test_what_has_no_form_keeps_its_text(markdown: str) -> None:
    parsed = parse_document(markdown)
    again = parse_document(write_markdown(parsed))
    assert plain_text(again).split() == plain_text(parsed).split()


GOOD: dict[str, Any] = {
    "object": "document",
    "nodes": [
        {
            "object": "block",
            "type": "a-later-kind",
            "data": {"deep": [1, 2.5, None, True, {"x": "y"}]},
            "nodes": [{"object": "text", "leaves": [{"text": "a", "marks": [{"type": "new"}]}]}],
        },
        {"object": "block", "type": "paragraph", "key": "k", "nodes": []},
    ],
}


def test_checked_documents_have_keys_and_keep_the_rest() -> None:
    checked = checked_document(GOOD)
    assert checked_document(GOOD) == checked
    assert without_keys(checked)["nodes"][0]["data"] == GOOD["nodes"][0]["data"]
    first, second = checked["nodes"]  # type: ignore[misc]
    assert len(first["key"]) == 20  # type: ignore[arg-type]
    assert second["key"] == "k"
    assert "key" not in GOOD["nodes"][0], "the caller's document is not changed"


def nest(depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"object": "block", "type": "paragraph", "nodes": []}
    for _ in range(depth - 1):
        node = {"object": "block", "type": "blockquote", "nodes": [node]}
    return document([node])


TEXT = {"object": "text", "leaves": [{"text": "a"}]}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([], "object"),
        ({"object": "document"}, "nodes"),
        ({"object": "document", "nodes": [], "extra": 1}, "extra"),
        (document([1]), "nodes[0]"),
        (document([TEXT]), "nodes[0].object"),
        (document([{"object": "block"}]), "nodes[0].type"),
        (document([{"object": "block", "type": "x y"}]), "nodes[0].type"),
        (document([block("p", [])] * 2) | {"data": 1}, "data"),
        (document([{**block("p"), "key": "a b"}]), "nodes[0].key"),
        (document([{**block("p"), "isVoid": 1}]), "nodes[0].isVoid"),
        (document([{**block("p"), "other": 1}]), "nodes[0].other"),
        (document([{**block("p"), "fragments": [TEXT]}]), "nodes[0].fragments[0].object"),
        (document([block("p", [{"object": "text"}])]), "nodes[0].nodes[0].leaves"),
        (
            document([block("p", [{"object": "text", "leaves": [{"text": "\x00"}]}])]),
            "nodes[0].nodes[0].leaves[0].text",
        ),
        (
            document([block("p", [{"object": "text", "leaves": [{"text": "", "marks": [1]}]}])]),
            "nodes[0].nodes[0].leaves[0].marks[0]",
        ),
        (document([block("p", data={"x": float("inf")})]), "nodes[0].data"),
        (document([block("p", data={"x": 2**60})]), "nodes[0].data"),
        (document([block("p", data={"\ud800": 1})]), "nodes[0].data"),
        (document([{**block("p"), "key": "k"}, {**block("p"), "key": "k"}]), "nodes[0].key"),
        (document([block("p", data={"x": "y" * (BYTES + 1)})]), "nodes[0].data"),
        (document([block("p")] * (NODES + 1)), "nodes"),
    ],
)
def test_wrong_documents_are_refused(value: Any, path: str) -> None:
    with pytest.raises(DocumentError) as caught:
        checked_document(value)
    assert caught.value.path == path


def test_depth_is_bounded() -> None:
    checked_document(nest(100))
    with pytest.raises(DocumentError, match="deeper"):
        checked_document(nest(101))
    assert write_markdown(nest(100)) == " ".join(">" * 99) + "\n"
