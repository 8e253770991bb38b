"""Blocks put in, replaced, taken out and moved by their keys."""

import copy
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.edits import (
    EditError,
    Place,
    delete_blocks,
    find_block,
    insert_blocks,
    move_blocks,
    replace_block,
)
from content.documents.nodes import block, paragraph, text
from content.documents.plain_text import plain_text
from content.markdown.parser import parse_document

Node = dict[str, Any]

PAGE = """one

two

* a
* b

{% hint style="info" %}
inside

> quote
{% endhint %}

{% tabs %}
{% tab title="T" %}
tab
{% endtab %}
{% endtabs %}

<details>

<summary>Title</summary>

body

</details>
"""


@pytest.fixture
def page() -> Node:
    return parse_document(PAGE, seed="page")


def walk(node: Node) -> list[Node]:
    found = [node]
    for name in ("nodes", "fragments"):
        for child in node.get(name, []):
            found += walk(child)
    return found


def key_of(document: Node, wanted: str) -> str:
    """The key of the innermost block or fragment of that type or with that text."""
    found = [
        node["key"]
        for node in walk(document)
        if node["object"] in ("block", "fragment")
        and (node.get("type") == wanted or plain_text(node) == wanted)
    ]
    return str(found[-1])


def texts(document: Node) -> list[str]:
    return plain_text(document).split("\n")


def new(content: str) -> Node:
    return paragraph([text(content)])


def test_insert(page: Node) -> None:
    before = copy.deepcopy(page)
    two = key_of(page, "two")
    assert texts(insert_blocks(page, [new("x"), new("y")], Place("before", two)))[:4] == [
        "one", "x", "y", "two"
    ]  # fmt: skip
    assert texts(insert_blocks(page, [new("x")], Place("after", two)))[:3] == ["one", "two", "x"]
    assert texts(insert_blocks(page, [new("x")], Place("inside")))[-1] == "x"
    assert texts(insert_blocks(page, [new("x")], Place("inside", index=0)))[0] == "x"
    hint = key_of(page, "hint")
    assert texts(insert_blocks(page, [new("x")], Place("inside", hint, 1)))[4:7] == [
        "inside", "x", "quote"
    ]  # fmt: skip
    body = key_of(page, "expandable-body")
    assert texts(insert_blocks(page, [new("x")], Place("inside", body)))[-2:] == ["body", "x"]
    assert page == before, "the document itself stays as it is"


def test_inserted_blocks_have_keys_of_their_own(page: Node) -> None:
    copied = copy.deepcopy(page["nodes"])
    grown = insert_blocks(page, copied, Place("inside"))
    keys = [node["key"] for node in walk(grown)[1:]]
    assert len(keys) == len(set(keys))
    assert grown["nodes"][: len(page["nodes"])] == page["nodes"]
    kept = insert_blocks(page, [{**new("x"), "key": "mine"}], Place("inside"))
    assert kept["nodes"][-1]["key"] == "mine"


def test_replace(page: Node) -> None:
    two, hint = key_of(page, "two"), key_of(page, "hint")
    replaced = replace_block(page, two, [new("two and a half")])
    assert replaced["nodes"][1]["key"] == two
    changed = parse_document('{% hint style="danger" %}\ninside\n\n> other\n{% endhint %}')
    replaced = replace_block(page, hint, changed["nodes"])
    found = find_block(replaced, hint)
    assert found is not None
    assert found["data"] == {"style": "danger"}
    assert key_of(replaced, "inside") == key_of(page, "inside")
    assert replace_block(page, two, []) == delete_blocks(page, [two])


def test_delete(page: Node) -> None:
    assert texts(delete_blocks(page, [key_of(page, "a"), key_of(page, "two")]))[:2] == ["one", "b"]
    items = [node["key"] for node in walk(page) if node.get("type") == "list-item"]
    types = [node["type"] for node in delete_blocks(page, items)["nodes"]]
    assert types == ["paragraph", "paragraph", "hint", "tabs", "expandable"]
    assert "tabs" not in [
        node["type"] for node in delete_blocks(page, [key_of(page, "tabs-item")])["nodes"]
    ]
    quote = next(node for node in walk(page) if node.get("type") == "blockquote")
    left = find_block(delete_blocks(page, [quote["nodes"][0]["key"]]), quote["key"])
    assert left is not None
    assert [node["type"] for node in left["nodes"]] == ["paragraph"]
    nothing = delete_blocks(page, [node["key"] for node in page["nodes"]])
    assert [node["type"] for node in nothing["nodes"]] == ["paragraph"]
    hint = key_of(page, "hint")
    assert find_block(delete_blocks(page, [hint, key_of(page, "inside")]), hint) is None


def test_move(page: Node) -> None:
    one, two, hint = key_of(page, "one"), key_of(page, "two"), key_of(page, "hint")
    moved = move_blocks(page, [two, one], Place("inside", hint, 1))
    assert texts(moved)[:6] == ["a", "b", "inside", "two", "one", "quote"]
    assert key_of(moved, "two") == two
    assert texts(move_blocks(page, [one], Place("after", two)))[:2] == ["two", "one"]
    assert texts(move_blocks(page, [two], Place("inside", index=0)))[:2] == ["two", "one"]
    last = len(page["nodes"]) - 1
    assert move_blocks(page, [one], Place("inside", index=last))["nodes"][-1]["key"] == one
    items = [node["key"] for node in walk(page) if node.get("type") == "list-item"]
    assert texts(move_blocks(page, items[1:], Place("before", items[0])))[2:4] == ["b", "a"]


@pytest.mark.parametrize(
    ("argument", "problem", "edit"),
    [
        ("place.key", "no block", lambda p: insert_blocks(p, [new("x")], Place("after", "none"))),
        ("place.key", "missing", lambda p: insert_blocks(p, [new("x")], Place("before"))),
        (
            "place.index",
            "0 to 6",
            lambda p: insert_blocks(p, [new("x")], Place("inside", index=7)),
        ),
        (
            "place.index",
            "inside",
            lambda p: insert_blocks(p, [new("x")], Place("after", key_of(p, "two"), 1)),
        ),
        (
            "blocks[0]",
            "paragraph holds text",
            lambda p: insert_blocks(p, [new("x")], Place("inside", key_of(p, "two"))),
        ),
        (
            "blocks[0]",
            "expandable is void: it holds no blocks; its fragments do: expandable-title",
            lambda p: insert_blocks(p, [new("x")], Place("inside", key_of(p, "expandable"))),
        ),
        (
            "blocks",
            "1 block at most",
            lambda p: insert_blocks(p, [new("x")], Place("inside", key_of(p, "expandable-title"))),
        ),
        (
            "blocks[1]",
            "tabs holds tabs-item only, not paragraph",
            lambda p: insert_blocks(
                p, [block("tabs-item", []), new("x")], Place("inside", key_of(p, "tabs"))
            ),
        ),
        (
            "blocks[0]",
            "stands in list-ordered or list-tasks or list-unordered only, not in document",
            lambda p: insert_blocks(p, [block("list-item", [])], Place("inside")),
        ),
        (
            "place.key",
            "fragment",
            lambda p: insert_blocks(p, [new("x")], Place("after", key_of(p, "expandable-body"))),
        ),
        ("key", "no block", lambda p: replace_block(p, "none", [new("x")])),
        ("key", "fragment", lambda p: replace_block(p, key_of(p, "expandable-body"), [])),
        (
            "blocks[0]",
            "tabs holds",
            lambda p: replace_block(p, key_of(p, "tabs-item"), [new("x")]),
        ),
        ("key", "no block", lambda p: delete_blocks(p, ["none"])),
        ("keys", "twice", lambda p: move_blocks(p, ["a", "a"], Place("inside"))),
        (
            "keys",
            "already",
            lambda p: move_blocks(p, [key_of(p, "hint"), key_of(p, "inside")], Place("inside")),
        ),
        (
            "place.key",
            "moves",
            lambda p: move_blocks(p, [key_of(p, "hint")], Place("after", key_of(p, "inside"))),
        ),
        (
            "place.key",
            "moves",
            lambda p: move_blocks(p, [key_of(p, "two")], Place("after", key_of(p, "two"))),
        ),
        (
            "keys[0]",
            "tabs holds",
            lambda p: move_blocks(p, [key_of(p, "two")], Place("inside", key_of(p, "tabs"))),
        ),
        (
            "place.index",
            "0 to 5",
            lambda p: move_blocks(p, [key_of(p, "two")], Place("inside", index=6)),
        ),
    ],
)
def test_what_is_not_allowed(page: Node, argument: str, problem: str, edit: Any) -> None:
    with pytest.raises(EditError) as caught:
        edit(page)
    assert caught.value.argument == argument
    assert problem in caught.value.problem


@given(st.data())
def test_moves_lose_nothing(data: st.DataObject) -> None:
    page: Node = parse_document(PAGE, seed="page")
    blocks = [node for node in walk(page)[1:] if node["object"] == "block"]
    chosen = data.draw(st.lists(st.sampled_from(blocks), max_size=3, unique_by=id))
    target = data.draw(st.sampled_from(blocks))
    side = data.draw(st.sampled_from(["before", "after", "inside"]))
    try:
        moved = move_blocks(page, [node["key"] for node in chosen], Place(side, target["key"]))
    except EditError:
        return
    words = sorted(texts(page))
    assert sorted(texts(moved)) == words
    keys = [node["key"] for node in walk(moved)[1:]]
    assert len(keys) == len(set(keys))
