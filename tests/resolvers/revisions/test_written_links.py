"""How a text writes what it links to: all that it led to before it leads to again."""

import pytest

from content.json_types import JsonObject
from content.markdown.parser import parse_document
from resolvers.revisions.references import Addresses, lead_on

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


def test_cells_have_the_ids_of_what_their_addresses_lead_to() -> None:
    file = {"kind": "url", "url": "a.png"}
    other = {"kind": "url", "url": "https://example.com/b.png"}
    table = {
        "object": "block",
        "type": "table",
        "data": {
            "definition": {"f": {"type": "files"}, "t": {"type": "content-ref"}},
            "records": {"1": {"values": {"f": [dict(file), dict(other)], "t": dict(file)}}},
        },
    }
    lead_on({"nodes": [table]}, {"a.png": {"kind": "file", "file": "x"}})
    values = table["data"]["records"]["1"]["values"]  # type: ignore[index]
    assert values == {"f": ["x", other], "t": {"kind": "file", "file": "x"}}
