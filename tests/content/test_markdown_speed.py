"""Time grows with the length of a page, whatever is on it: ratios, not seconds."""

import time

import pytest

from content.key_matching import carry_keys
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.writer.document import write_markdown

PAGES = {
    "paragraphs": "a\n\n",
    "items": "* a\n",
    "rows": "| a | b |\n",
    "headings": "# a\n",
    "emphasis": "*a* ",
    "hints": "{% hint %}\na\n{% endhint %}\n",
    "embeds": '{% embed url="x" %}\n\n',
    "links": "[a](b) ",
    "brackets": "[a] ",
    "notes": "a[^1] ",
    "html": "<kbd>a</kbd> ",
}


def seconds(piece: str, size: int) -> float:
    head = "| a | b |\n| - | - |\n" if piece.startswith("|") else ""
    page = head + piece * (size // len(piece))
    start = time.process_time()
    document = parse_document(page)
    write_markdown(document)
    rewritten = rewrite_markdown(document, [page])
    carry_keys(document, parse_document(rewritten, seed="later"))
    return time.process_time() - start


@pytest.mark.parametrize("name", PAGES)
def test_four_times_the_page_takes_about_four_times_as_long(name: str) -> None:
    small = min(seconds(PAGES[name], 10_000) for _ in range(3))
    large = min(seconds(PAGES[name], 40_000) for _ in range(2))
    # Sixteen times would be quadratic.
    assert large < 9 * small + 0.05
