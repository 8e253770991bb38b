"""The quick ways through blocks give what the library's own rules give."""

from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import example, given, settings, strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import list_block

from content.markdown import parser
from content.markdown.engine import BlockRules, make_engine
from content.markdown.parser import clean, parse_places

PIECES = [
    "- ", "* ", "+ ", "1. ", "2) ", "10. ", "0001. ", "1234567890. ", "-", "*", "1.", "- item\n",
    "  - sub\n", "   - three\n", "     - five\n", "1. one\n", "  1. one\n", "  2. two\n", "-\n",
    "  ", "   ", "    ", "\t", "\n", "\n\n", "  \n", "a", "b c", "word\n", "é\n", "漢字", "\u00a0",
    "\u2003", "\x0b", "\x0c", "> ", ">\n", "# ", "```", "~~~", "***", "---", "===", "- - -\n",
    "[ ] ", "[x] ", "{% hint %}", "{% endhint %}", "<details>", "</details>", "$$", "$$\n", "| a |",
    "|-|", "\n| - |\n", "[^1]: ", "[^1]", "[a]: b", "<p>", "</p>", "<!--", "-->", "\\", "&amp;",
]  # fmt: skip


def library_engine() -> MarkdownIt:
    """The engine of the dialect with the library's way for lists and plain paragraphs, and with
    every rule asked at every line."""
    engine = make_engine()
    ruler = cast("BlockRules", engine.block.ruler).ruler
    ruler.at("list", list_block, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.disable("plain_paragraph")
    engine.block.ruler = ruler
    return engine


LIBRARY = library_engine()


def _both(text: str) -> Iterator[tuple[object, ...]]:
    for engine in (parser._ENGINE, LIBRARY):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parser, "_ENGINE", engine)
            document, places = parse_places(clean(text), keep_style=True)
        spans = sorted((start, end, str(node["type"])) for node, start, end in places.values())
        yield document, spans


@settings(max_examples=800)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("- a\n  - b\n- c\n")
@example("- a\n\n\n- b\n\n  c\n")
@example("> - a\n>\n\nfoo\n")
@example("a\n2. b\na\n1. b\na\n- \n")
@example("-\n-\n\n  a\n-\n  b\n")
@example("- a\n    - b\n")
@example("a b\nc \u00a0")
@example("1. a\n2) b\n- c\n* d\n- - -\n")
def test_documents_are_those_of_the_rules_of_the_library(text: str) -> None:
    own, library = _both(text)
    assert own == library
