"""Time of a block edit grows with the page and the keys, not with their product: ratios."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from content.documents.edits import Place, delete_blocks, insert_blocks, move_blocks
from content.documents.nodes import paragraph, text
from content.markdown.parser import parse_document
from tests.growth import Work, assert_growth, assert_ratio

Node = dict[str, Any]
Edit = Callable[[Node, list[str]], Node]

PARAGRAPHS = 4_000
QUOTES = 3_000


def assert_linear(edit: Edit, document: Node, keys: list[str]) -> None:
    # One walk each, and little for a key. Ten times would be a walk for every key.
    assert_ratio(
        lambda: partial(edit, document, keys[-100:]),
        lambda: partial(edit, document, keys[-1_000:]),
        at_most=5,
    )


@pytest.fixture(scope="module")
def page() -> Node:
    return parse_document("\n\n".join(f"a {number}" for number in range(PARAGRAPHS)))


@pytest.mark.parametrize(
    "edit",
    [
        delete_blocks,
        lambda document, keys: move_blocks(document, keys, Place("inside", index=0)),
        lambda document, keys: move_blocks(
            document, keys, Place("before", document["nodes"][0]["key"])
        ),
    ],
    ids=["delete", "move to an index", "move before a block"],
)
def test_ten_times_the_keys_take_no_ten_times_as_long(page: Node, edit: Edit) -> None:
    assert_linear(edit, page, [node["key"] for node in page["nodes"]])


def test_every_block_that_is_emptied_costs_the_same() -> None:
    page = parse_document("\n\n".join(f"> a {number}\n\n----" for number in range(QUOTES)))
    quoted = [node["nodes"][0]["key"] for node in page["nodes"] if node["type"] == "blockquote"]
    assert len(quoted) == QUOTES
    assert_linear(delete_blocks, page, quoted)


def test_ten_times_the_blocks_with_one_key_take_about_ten_times_as_long() -> None:
    page = parse_document("a")

    def insert(number: int) -> Work:
        blocks = [{**paragraph([text("b")]), "key": "same"} for _ in range(number)]
        return lambda: insert_blocks(page, blocks, Place("inside"))

    # A hundred times would be quadratic.
    assert_growth(insert, 300, times=10, at_most=30)
