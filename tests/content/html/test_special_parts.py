"""Diagrams, players and updates as HTML, on screens and on paper."""

from html import unescape

import pytest
from hypothesis import given, strategies as st

from content.html.diagrams import CHARACTERS, ON_PAGE, diagram_label
from content.html.document import render_document
from content.html.rendering import Options
from content.html.words import ENGLISH, TABLES, document_words
from content.markdown.parser import parse_document
from content.media.players import player_of
from tests.content.html.html_reader import read_html, text_of
from tests.growth import Work, assert_growth


def diagram(source: str) -> str:
    return f"```mermaid\n{source}\n```\n\n"


def test_a_diagram_is_its_source_in_a_place_with_a_name() -> None:
    document = parse_document(diagram("graph TD\n  A --> B"))
    rendered = render_document(document)
    assert rendered.uses.diagrams
    assert (
        '<div class="diagram" data-label="Flowchart" data-source="Source of the diagram"'
        in rendered.html
    )
    assert "A --&gt; B" in rendered.html
    paper = render_document(document, Options(paper=True))
    assert not paper.uses.diagrams
    assert 'class="diagram"' not in paper.html
    assert "graph TD" in text_of(paper.html)


def test_diagrams_are_bounded() -> None:
    many = render_document(parse_document(diagram("pie") * (ON_PAGE + 5)))
    assert many.html.count('class="diagram"') == ON_PAGE
    assert many.html.count("<pre") == ON_PAGE + 5
    long = render_document(parse_document(diagram("graph TD\n" + "x" * CHARACTERS)))
    assert not long.uses.diagrams
    assert not render_document(parse_document("```mermaid\n\n```\n")).uses.diagrams


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("graph TD\nA", "Flowchart"),
        ("%% a comment\n  flowchart LR", "Flowchart"),
        ("%%{init: {}}%%\nsequenceDiagram", "Sequence diagram"),
        ("stateDiagram-v2", "State diagram"),
        ("---\ntitle: \"My chart\"\n---\npie", "My chart"),
        ("---\nconfig: {}\n---\npie", "Pie chart"),
        ("gantt\n  accTitle: The plan\n", "The plan"),
        ("something", "Diagram"),
        ("%%", "Diagram"),
        ("", "Diagram"),
    ],
)  # fmt: skip
def test_names_of_diagrams(source: str, label: str) -> None:
    assert diagram_label(source, ENGLISH.blocks) == label


@given(st.text(alphabet="%\n -{}titleacT:x", max_size=60))
def test_any_source_has_a_name(source: str) -> None:
    assert diagram_label(source, ENGLISH.blocks)


@pytest.mark.parametrize("pattern", ["%%\n", " \n", "---\n", "accTitle", "%"])
def test_names_are_found_in_linear_time(pattern: str) -> None:
    def work(size: int) -> Work:
        source = pattern * size
        return lambda: diagram_label(source, ENGLISH.blocks)

    assert_growth(work, 5_000)


OF_OURS = """\
```mermaid
pie
```

{% embed url="https://vimeo.com/1234" %}

{% openapi-operation spec="pets" path="/x" method="get" %}

{% openapi-webhook spec="pets" name="x" method="get" %}

{% openapi-schemas spec="pets" schemas="A" %}

{% api-method-query-parameters %}

{% api-method-parameter name="x" required=true %}
"""


@pytest.mark.parametrize("language", TABLES)
def test_words_of_blocks_are_those_of_the_language(language: str) -> None:
    words = document_words(language).blocks
    shown = render_document(
        parse_document(OF_OURS), Options(words=document_words(language))
    ).html  # fmt: skip
    for word in (
        words.pie_chart, words.diagram_source, words.diagram_failed, words.specification,
        words.kind, words.webhook, words.schemas, words.names, words.query_parameters,
        words.required, words.load_from.format(service="Vimeo"),
        words.content_from.format(service="Vimeo"),
        words.host_learns.format(host="player.vimeo.com"),
    ):  # fmt: skip
        assert word in unescape(shown)
    if language != "en":
        english = ENGLISH.blocks
        assert english.diagram_failed not in shown
        assert english.specification not in shown


def test_players_wait_in_attributes() -> None:
    text = '{% embed url="https://vimeo.com/1234" %}\nA *caption*\n{% endembed %}\n'
    rendered = render_document(parse_document(text))
    assert rendered.uses.players == {"https://player.vimeo.com"}
    found = read_html(rendered.html)
    assert found.faults == []
    (attributes,) = [
        attributes for _, attributes in found.elements if attributes.get("class") == "player"
    ]
    assert attributes["data-src"] == "https://player.vimeo.com/video/1234"
    assert attributes["data-title"] == "A caption (Vimeo)"
    assert ("a", {"href": "https://vimeo.com/1234"}) in found.elements
    paper = render_document(parse_document(text), Options(paper=True))
    assert "player" not in paper.html
    other = render_document(parse_document('{% embed url="https://example.com/x" %}\n'))
    assert other.uses.players == set()


@pytest.mark.parametrize(
    ("url", "service", "src"),
    [
        ("https://youtu.be/abcdef", "YouTube", "https://www.youtube-nocookie.com/embed/abcdef"),
        ("https://www.loom.com/share/abc", "Loom", "https://www.loom.com/embed/abc"),
        ("https://codepen.io/a/pen/b", "CodePen", "https://codepen.io/a/embed/b"),
    ],
)
def test_services(url: str, service: str, src: str) -> None:
    player = player_of(url)
    assert player is not None
    assert (player.service, player.src) == (service, src)
    assert src.startswith(f"{player.origin}/")
    assert player_of(url.replace("https", "http")) is None


def test_updates_have_dates_tags_and_places() -> None:
    rendered = render_document(
        parse_document(
            '{% updates %}\n{% update date="2025-12-25" tags="a,b" %}\nText\n{% endupdate %}\n\n'
            '{% update date="soon" %}\nLater\n{% endupdate %}\n{% endupdates %}\n'
        )
    )
    found = read_html(rendered.html)
    assert found.faults == []
    assert ("time", {"datetime": "2025-12-25"}) in found.elements
    assert ("a", {"href": "#update:2025-12-25"}) in found.elements
    assert text_of(rendered.html) == "2025-12-25abTextsoonLater"
