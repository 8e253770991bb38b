"""Every difference between a page and what is written of its JSON document has a name."""

import os

import pytest

from content.markdown.parser import parse_document
from content.markdown.round_trip import OTHER, difference_kinds, round_trip
from content.markdown.spelling import write_markdown
from docstead.commands.round_trip import page_bodies
from tests.content.markdown.test_styles import KEPT
from tests.sources import sources

# Markdown that the JSON document does not hold to the letter.
DIFFERENT = {
    "link references": "[a][b] c\n\n[b]: d\n",
    "trailing blanks": '{% hint style="info" %} \na\n{% endhint %}\n',
    "blank lines": "a\n\n\n\n\n\nb\n",
    "escapes that nothing needs": "a \\(b) (c\\)\n",
    "entities": "a &eacute; b\n",
    "numbers of items": "1. a\n5. b\n",
    "indentation": "* a\n\n    b\n",
    "closing hashes": "## a ##\n",
    "underlined headings": "a\n---\n",
    "code fences": "    a\n",
    "tables": "a | b\n--|--\nc | d\n",
    "titles and forms of links": "<https://a.example>\n",
    "hard breaks": "a<br>b\n",
    "forms of tags": '{%hint style="info"%}\na\n{% endhint %}\n',
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_each_kind(name: str) -> None:
    spelled = round_trip(DIFFERENT[name])
    # Where the lines of a block say all that it means, it keeps them.
    assert spelled.alone == (name != "link references")
    # A document that says nothing of its spelling is written in canonical form.
    trip = round_trip(DIFFERENT[name], parse_document)
    kinds = {kind for difference in trip.differences for kind in difference.kinds}
    assert (trip.alone, trip.kept, trip.same_document) == (False, True, True)
    assert name in kinds
    assert OTHER not in kinds


@pytest.mark.parametrize("name", KEPT)
def test_what_a_style_keeps_has_a_name_without_it(name: str) -> None:
    canonical = write_markdown(parse_document(KEPT[name]))
    assert OTHER not in difference_kinds(KEPT[name], canonical)


def test_what_has_no_name() -> None:
    assert difference_kinds("one\n", "two\n") == (OTHER,)
    assert OTHER in difference_kinds("- one\n", "* two\n")


@pytest.mark.parametrize(
    "source", sources("data-api", "docstead-guide", "gauge-manual", "team-handbook")
)
def test_pages_of_spaces(source: str) -> None:
    trips = {path: round_trip(markdown) for path, markdown in page_bodies(source)}
    unnamed = {
        path: difference
        for path, trip in trips.items()
        for difference in trip.differences
        if OTHER in difference.kinds
    }
    assert trips
    assert unnamed == {}
    assert all(trip.kept and trip.same_document and trip.local for trip in trips.values())
    alone = sum(trip.alone for trip in trips.values())
    # A space of a few pages says little about shares.
    if "DOCSTEAD_TEST_SOURCE" in os.environ:
        assert alone >= 0.95 * len(trips)
