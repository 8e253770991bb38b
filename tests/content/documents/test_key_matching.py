"""Keys stay with the blocks that an edit leaves alone."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.key_matching import carry_keys
from content.markdown.parser import parse_document

Node = dict[str, Any]


def edited(old: Node, markdown: str) -> Node:
    new: Node = parse_document(markdown, seed="later")
    carry_keys(old, new)
    return new


def parsed(markdown: str) -> Node:
    return parse_document(markdown, seed="first")


def keys(document: Node) -> list[str]:
    return [node["key"] for node in document["nodes"]]


def all_keys(node: Node) -> list[str]:
    found = [node["key"]] if "key" in node else []
    for name in ("nodes", "fragments"):
        for child in node.get(name, []):
            found += all_keys(child)
    return found


WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"])
TEXT = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
BLOCK = st.one_of(
    TEXT,
    TEXT.map(lambda text: f"## {text}"),
    TEXT.map(lambda text: f"> {text}\n>\n> more"),
    TEXT.map(lambda text: "* " + text.replace(" ", "\n* ")),
    TEXT.map(lambda text: f"```\n{text}\n```"),
    TEXT.map(lambda text: f'{{% hint style="info" %}}\n{text}\n\nsecond\n{{% endhint %}}'),
)
PAGES = st.lists(BLOCK, min_size=1, max_size=12)


@given(PAGES, PAGES)
def test_keys_are_unique_whatever_the_two_documents_are(one: list[str], other: list[str]) -> None:
    new = edited(parsed("\n\n".join(one)), "\n\n".join(other))
    found = all_keys(new)
    assert len(found) == len(set(found))


@given(PAGES)
def test_an_equal_document_keeps_all_keys(page: list[str]) -> None:
    old = parsed("\n\n".join(page))
    assert edited(old, "\n\n".join(page)) == old


@given(PAGES, st.data())
def test_blocks_around_a_change_keep_their_keys(page: list[str], data: st.DataObject) -> None:
    # Blocks that differ: then the identity of each is beyond doubt.
    page = [f"{block}\n" if block.endswith("```") else block for block in dict.fromkeys(page)]
    lines = [parse_document(block)["nodes"] for block in page]
    old = parsed("\n\n".join(page))
    if len(old["nodes"]) != len(page) or any(len(nodes) != 1 for nodes in lines):
        return  # neighbouring lists are one
    at = data.draw(st.integers(0, len(page) - 1))
    change = data.draw(st.sampled_from(["insert", "replace", "delete"]))
    before, after = page[:at], page[at + (change != "insert") :]
    middle = [] if change == "delete" else ["wholly new"]
    new = edited(old, "\n\n".join([*before, *middle, *after]))
    if len(new["nodes"]) != len(before) + len(middle) + len(after):
        return
    assert keys(new)[: len(before)] == keys(old)[: len(before)]
    if after:
        assert keys(new)[-len(after) :] == keys(old)[-len(after) :]


@given(PAGES, st.randoms(use_true_random=False))
def test_moved_blocks_keep_their_keys(page: list[str], order: random.Random) -> None:
    old = parsed("\n\n".join(page))
    new = copy.deepcopy(old)
    order.shuffle(new["nodes"])
    wanted = sorted(all_keys(new))
    for node in new["nodes"]:
        node["key"] = "x"
    carry_keys(old, new)
    assert sorted(all_keys(new)) == wanted


def word_changed(text: str) -> str:
    return text.replace("three", "3")


EDITS: dict[str, tuple[str, Callable[[str], str]]] = {
    "paragraph": ("one\n\none two three four\n\nlast", word_changed),
    "item": ("* one\n* one two three four\n* last", word_changed),
    "in a hint": ("{% hint %}\none\n\none two three four\n\nlast\n{% endhint %}", word_changed),
    "cell": ("| a | b |\n| - | - |\n| one two three four | x |\n| y | z |", word_changed),
    "heading level": ("## one\n\n## two three", lambda text: text.replace("## two", "### two")),
    "mark": ("a\n\none two three\n\nb", lambda text: text.replace("two", "**two**")),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_block_keeps_its_key_and_those_of_its_containers(name: str) -> None:
    markdown, change = EDITS[name]
    old = parsed(markdown)
    new = edited(old, change(markdown))
    blocks = [key for key in all_blocks(new) if key not in all_blocks(old)]
    assert blocks == []


def all_blocks(node: Node) -> list[str]:
    found = [node["key"]] if node["object"] == "block" else []
    for name in ("nodes", "fragments"):
        for child in node.get(name, []):
            found += all_blocks(child)
    return found


def test_a_block_that_moves_into_a_container_keeps_its_key() -> None:
    old = parsed("one\n\ntwo\n\nthree")
    new = edited(old, "one\n\n{% hint %}\ntwo\n{% endhint %}\n\nthree")
    assert new["nodes"][1]["nodes"][0]["key"] == old["nodes"][1]["key"]


def test_of_equal_blocks_the_neighbours_decide() -> None:
    old = parsed("a\n\nx\n\nb\n\nx\n\nc")
    new = edited(old, "a\n\nb\n\nx\n\nc")
    assert keys(new) == [keys(old)[index] for index in (0, 2, 3, 4)]


def test_given_keys_are_pairs() -> None:
    old = parsed("one\n\ntwo")
    new = copy.deepcopy(old)
    new["nodes"][0]["nodes"], new["nodes"][1]["nodes"] = (
        new["nodes"][1]["nodes"],
        new["nodes"][0]["nodes"],
    )
    carry_keys(old, new, authored=True)
    assert keys(new) == keys(old)


def test_time_grows_with_the_documents_only() -> None:
    """Two unlike documents of many short blocks: each is compared with a few others only."""

    def compared(count: int) -> int:
        calls = 0
        old = parsed("\n\n".join(f"old {number} word" for number in range(count)))
        new = parsed("\n\n".join(f"new {number} text" for number in range(count)))

        class Counted(dict[str, Any]):
            def get(self, *arguments: Any) -> Any:
                nonlocal calls
                calls += 1
                return super().get(*arguments)

        old["nodes"] = [Counted(node) for node in old["nodes"]]
        carry_keys(old, new)
        return calls

    assert compared(800) < 5 * compared(200)
