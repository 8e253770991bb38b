"""Time grows with the length of a page, whatever is on it: ratios, not seconds."""

import time
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from content.collector import collector_paused
from content.documents.key_matching import carry_keys
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.writer.document import write_markdown

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
    "hints": "{% hint %}\na\n{% endhint %}\n",
    "embeds": '{% embed url="x" %}\n\n',
    "links": "[a](b) ",
    "brackets": "[a] ",
    "starts of images": "![",
    "escaped brackets": "\\[",
    "notes": "a[^1] ",
    "html": "<kbd>a</kbd> ",
}


def seconds(piece: str, size: int) -> float:
    head = "| a | b |\n| - | - |\n" if piece == PAGES["rows"] else ""
    page = head + piece * (size // len(piece))
    # Collections look at all that other tests have left, the more often the longer the page is.
    with collector_paused():
        start = time.process_time()
        document = parse_document(page)
        write_markdown(document)
        rewritten = rewrite_markdown(document, [page])
        carry_keys(document, parse_document(rewritten, seed="later"))
        return time.process_time() - start


@pytest.mark.parametrize("name", PAGES)
def test_four_times_the_page_takes_about_four_times_as_long(name: str) -> None:
    small = min(seconds(PAGES[name], 4_000) for _ in range(3))
    large = min(seconds(PAGES[name], 16_000) for _ in range(2))
    # Sixteen times would be quadratic.
    assert large < 9 * small + 0.05


@pytest.mark.parametrize(
    ("name", "most"),
    [("paragraphs", 3), ("items", 2.5), ("items in items", 3), ("lines", 1)],
)
def test_plain_text_takes_about_as_long_as_its_tokens(name: str, most: float) -> None:
    page = PAGES[name] * 8_000
    tokenizer = MarkdownIt("commonmark")

    def taken(parse: Callable[[str], object]) -> float:
        start = time.process_time()
        with collector_paused():
            parse(page)
        return time.process_time() - start

    # Against the library alone, with its own rules, in turns: a busy machine slows both. Alone
    # on a machine it is 1.1, 0.7, 0.9 and 0.2 times as long.
    times = [(taken(parse_document), taken(tokenizer.parse)) for _ in range(5)]
    assert min(ours for ours, _ in times) < most * min(library for _, library in times)
