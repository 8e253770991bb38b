"""How a text writes what it links to: all that it led to before it leads to again."""

import pytest

from content.json_types import JsonObject
from content.markdown.parser import parse_document
from resolvers.draft_links import Addresses

TABLE = (
    '<table><thead><tr><th data-type="files">F</th></tr></thead><tbody><tr><td>'
    '<a href="there">f</a></td></tr></tbody></table>\n'
)
PAGE: JsonObject = {"kind": "page", "page": "p"}
FILE: JsonObject = {"kind": "file", "file": "f"}


@pytest.mark.parametrize(
    ("markdown", "target"),
    [
        ("[a](there) and [b](https://a.example)\n", PAGE),
        ('<a href="there" class="button primary">Go</a> [b](https://a.example)\n', PAGE),
        ('<img src="there" alt="" data-size="line"> [b](https://a.example)\n', FILE),
        (TABLE, FILE),
        (TABLE + "\n[b](https://a.example)\n", FILE),
    ],
)
def test_urls_are_found_again(markdown: str, target: JsonObject) -> None:
    document = parse_document(markdown, resolve=lambda url: target if url == "there" else None)
    addresses = Addresses(markdown, dict(document))
    assert addresses.link(target) == "there"
    assert addresses.resolve("there") == target
    assert addresses.resolve("https://a.example") is None
