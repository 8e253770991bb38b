"""What holds for any text: a document, always the same, with nothing lost, in bounded time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from content.documents.plain_text import plain_text, text_preview
from content.markdown.parser import parse_document
from tests.growth import soon

Node = dict[str, Any]
KEY = re.compile(r"[0-9A-Za-z]{20}")

PIECES = [
    "\n", "\n\n", "  ", "    ", "* ", "1. ", "> ", "# ", "```", "$$", "[", "](", ")", "![", "|",
    "|-|", "**", "_", "`", "<kbd>", "</kbd>", "<a href='x'>", "</a>", "<details>", "<summary>",
    "</summary>", "</details>", "<table>", "<figure>", "</figure>", '<img src="x">', "[^1]",
    "[^1]: ", "[r]: x", "{% hint %}", "{% endhint %}", "{% tabs %}", "{% tab %}", "{% endtab %}",
    "{% endtabs %}", '{% embed url="x" %}', '{% a "', "%}", "<!--", "-->", "word", "é", "\t",
    "\\", "&amp;", "\x00", "\r",
]  # fmt: skip
MARKDOWN = st.one_of(
    st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
)


def walk(node: Node) -> Iterator[Node]:
    yield node
    for name in ("nodes", "fragments"):
        for child in node.get(name, []):
            yield from walk(child)


@given(MARKDOWN)
def test_any_text_gives_one_valid_document(markdown: str) -> None:
    document = parse_document(markdown, seed="s")
    assert document == parse_document(markdown, seed="s")
    assert orjson.loads(orjson.dumps(document)) == document
    keys = [node["key"] for node in walk(document) if node is not document]
    assert len(keys) == len(set(keys))
    assert all(KEY.fullmatch(key) for key in keys)
    plain_text(document)


@given(st.lists(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1), min_size=1))
def test_every_word_of_paragraphs_is_in_the_plain_text(paragraphs: list[list[str]]) -> None:
    markdown = "\n\n".join(" ".join(words) for words in paragraphs)
    assert plain_text(parse_document(markdown)) == markdown.replace("\n\n", "\n")


@given(st.lists(st.sampled_from(PIECES)))
def test_no_word_is_lost_whatever_stands_around_it(pieces: list[str]) -> None:
    markdown = "".join(f"{piece}unique{number}q " for number, piece in enumerate(pieces))
    dumped = orjson.dumps(parse_document(markdown)).decode()
    for number in range(len(pieces)):
        assert f"unique{number}q" in dumped


def test_keys_depend_on_seed_and_content_only() -> None:
    first = parse_document("a\n\nb\n\na", seed="1")["nodes"]
    assert len({node["key"] for node in first}) == 3
    other = parse_document("a\n\nb\n\na", seed="2")["nodes"]
    assert {node["key"] for node in first}.isdisjoint({node["key"] for node in other})
    moved = parse_document("new\n\na\n\nb", seed="1")["nodes"]
    assert [node["key"] for node in moved[1:]] == [node["key"] for node in first[:2]]


BOMBS = {
    "quotes": "> " * 50_000,
    "lists": "- " * 50_000,
    "indented lists": "".join("  " * depth + "* a\n" for depth in range(200)),
    "hints": "{% hint %}\n" * 5_000 + "x\n" + "{% endhint %}\n" * 5_000,
    "hints on one line": "{% hint %}" * 5_000 + "x" + "{% endhint %}" * 5_000,
    "tags on one line": "{% hint %}" + '{% embed url="a" %}' * 10_000 + "{% endhint %}",
    "lines of tags": "{% hint %}{% tab %}a{% endtab %}\n" * 5_000,
    "unclosed tags": '{% a "\n' * 15_000 + "%} x",
    "brackets": "[" * 100_000,
    "images": "![" * 50_000,
    "html": "<kbd>" * 20_000,
    "links": "<a href=x>" * 5_000 + "</a>" * 5_000,
    "elements": "<div>" * 20_000,
    "cells": "<table><tr>" + "<td>" * 20_000 + "</table>",
    "tables": "<table>\n" * 12_000,
    "comments": "<!-- " * 20_000,
    "details": "<details>\n" * 10_000,
    "formulas": "$$\n" * 33_333,
    "components": "<Tabs>\n<Tab title='a'>\n" * 6_000,
    "components in each other": "<Tabs>\n<Tab title='a'>\n" * 500 + "</Tab>\n</Tabs>\n" * 500,
    "items of HTML": "<ul>" + "<li>a" * 40_000 + "</ul>",
    "lists of HTML": "<ul>\n\n" * 15_000,
    "around blocks": "<ul><li>"
    + "<a href='x'><b>" * 5
    + "<p>a" * 20_000
    + "</b></a>" * 5
    + "</ul>",
    "notes of one label": "[^a]: a\n\n" * 15_000,
    "indented tags": "{% hint %}\n\n" + "    {% endhint %}\n\na\n\n" * 8_000,
    "stars": "*a " * 30_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_give_a_document_soon(name: str) -> None:
    with soon():
        document = parse_document(BOMBS[name])
        plain_text(document)
    orjson.dumps(document)


def test_deep_content_is_kept_as_markdown() -> None:
    document = parse_document("> " * 60 + "bottom")
    sources = [node["data"]["source"] for node in walk(document) if node.get("type") == "markdown"]
    assert len(sources) == 1
    assert sources[0].endswith("> bottom")


def test_text_preview_cuts_one_node() -> None:
    document = parse_document("first\n\n" + "word " * 50)
    first, second = document["nodes"]
    assert text_preview(document, first["key"]) == "first"
    preview = text_preview(document, second["key"], limit=20)
    assert preview == "word word word word…"
    assert text_preview(document, "absent") is None


def test_plain_text_has_titles_captions_cells_and_code() -> None:
    text = plain_text(
        parse_document(
            '{% tabs %}\n{% tab title="Tab" %}\n```\ncode\n```\n{% endtab %}\n{% endtabs %}\n\n'
            "| Head |\n|-|\n| cell |\n\n<figure><img src='a' alt='alt'><figcaption>cap</figcaption>"
            "</figure>\n\n<video>kept</video>\n\nx $$f$$"
        )
    )
    assert text.split("\n") == ["Tab", "code", "Head", "cell", "alt", "cap", "kept", "x f"]
