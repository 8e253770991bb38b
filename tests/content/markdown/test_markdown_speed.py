"""Time grows with the length of a page, whatever is on it: ratios, not seconds."""

from functools import partial

import pytest
from markdown_it import MarkdownIt

from content.documents.key_matching import carry_keys
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.round_trip import round_trip
from content.markdown.spelling import write_markdown
from tests.growth import assert_growth, assert_ratio

PAGES = {
    "paragraphs": "a\n\n",
    "items": "* a\n",
    "loose items": "* a\n\n",
    "items in items": "* a\n  * b\n",
    "lines": "a\n",
    "tables": "| a |\n| - |\n| b |\n\n",
    "quotes": "> a\n\n",
    "rows": "| a | b |\n",
    "headings": "# a\n",
    "emphasis": "*a* ",
    "emphasis beside ideographs": "**中：**中",
    "ends beside ideographs": "中**",
    "hints": "{% hint %}\na\n{% endhint %}\n",
    "hints on a line": "{% hint %}a{% endhint %}\n",
    "embeds": '{% embed url="x" %}\n\n',
    "links": "[a](b) ",
    "brackets": "[a] ",
    "starts of images": "![",
    "escaped brackets": "\\[",
    "notes": "a[^1] ",
    "html": "<kbd>a</kbd> ",
    "starts of tabs in items": "* <Tabs>\n  <TabItem>\n",
}


def written_again(page: str) -> None:
    document = parse_document(page)
    write_markdown(document)
    rewritten = rewrite_markdown(document, [page])
    carry_keys(document, parse_document(rewritten, seed="later"))


@pytest.mark.parametrize("name", PAGES)
def test_four_times_the_page_takes_about_four_times_as_long(name: str) -> None:
    piece = PAGES[name]
    head = "| a | b |\n| - | - |\n" if name == "rows" else ""
    # Images in each other take the longest where they are fewer.
    size = 4_000 if name == "starts of images" else 1_000
    # A square that is a third of the time of this page makes it so many times as long.
    assert_growth(
        lambda size: partial(written_again, head + piece * (size // len(piece))), size, at_most=20
    )


# What canonical Markdown has otherwise, so that its differences are looked for, too.
DIFFERENT = {
    "underlined headings": "Title\n=====\n\n",
    "wide tables": f"| a{' ' * 60}| b |\n| --- | - |\n| c | d |\n\n",
    "references": "[a][x]\n\n[x]: b\n\n",
    "entities": "&amp; \\* \\_ ",
    "cells of HTML": "<table><tr><td>a</td></tr></table>\n\n",
    "breaks": "a<br>b\\\n",
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_twice_the_page_takes_twice_as_long_to_report(name: str) -> None:
    piece = DIFFERENT[name]
    assert_growth(
        lambda size: partial(round_trip, piece * (size // len(piece))), 2_000, times=2, at_most=2.3
    )


@pytest.mark.parametrize(
    ("name", "most"),
    [("paragraphs", 3), ("items", 2.5), ("items in items", 3), ("lines", 1)],
)
def test_plain_text_takes_about_as_long_as_its_tokens(name: str, most: float) -> None:
    page = PAGES[name] * 8_000
    tokenizer = MarkdownIt("commonmark")

    # Against the library alone, with its own rules. Alone on a machine it is 1.1, 0.7, 0.9 and 0.2
    # times as long.
    assert_ratio(
        lambda: partial(tokenizer.parse, page), lambda: partial(parse_document, page), most
    )
