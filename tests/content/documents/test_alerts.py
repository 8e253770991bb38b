"""Quotes that GitHub shows as alerts are shown as hints, and stay quotes."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from content.documents.alerts import STYLES, with_alerts
from content.documents.nodes import children_of, data_of, text_of, walk
from content.documents.plain_text import plain_text
from content.documents.sections import sections_of
from content.html.document import render_document
from content.html.rendering import Options
from content.json_types import Json, JsonObject
from content.markdown.spelling import parse_with_style, write_markdown
from tests.content.dialect import all_blocks
from tests.growth import assert_growth


def styles_of(source: str) -> list[str]:
    """The styles of the hints that a page shows."""
    shown = with_alerts(parse_with_style(source))
    hints = [node for node in walk([shown]) if node.get("type") == "hint"]
    return [text_of(data_of(node), "style") for node in hints]


# Markdown, the style of the hint that it is shown as, and its text.
ALERTS = [
    ("> [!NOTE]\n> Read *this*.\n", "info", "Read this."),
    ("> [!tip]\n> Read\n> this.\n", "success", "Read this."),
    ("> [!Important]  \n> Read this.\n", "warning", "Read this."),
    ("> [!WARNING]\n>\n> Read this.\n", "warning", "Read this."),
    ("> [!CAUTION]\n> - Read\n> - this.\n", "danger", "Read\nthis."),
    (">[!NOTE]\nRead this.\n", "info", "Read this."),
    ("> [!NOTE]\n> [Read](https://example.com) this.\n", "info", "Read this."),
    ("> [!NOTE]\n> `Read` this.\n\nEnd \\[here].\n", "info", "Read this."),
    ("> [!NOTE]\n> ```\n> Read this.\n> ```\n", "info", "Read this."),
    ("> [!NOTE]\n> ![](https://example.com/x.png)\n", "info", ""),
]
# What GitHub shows as a quote.
NO_ALERTS = [
    "> [!NOTE] Read this.\n",
    "> [!NOTE] A title\n> Read this.\n",
    "> \\[!NOTE]\n> Read this.\n",
    "> [!NOTE]\\\n> Read this.\n",
    "> **[!NOTE]**\n> Read this.\n",
    "> [!NOTE]**x**\n> Read this.\n",
    "> [!NOTES]\n> Read this.\n",
    "> [!TıP]\n> Read this.\n",
    "> [!NOTE]\n",
    "> Read this.\n>\n> [!NOTE]\n> Or this.\n",
    "> Read this.\n> [!NOTE]\n> Or this.\n",
    "[!NOTE]\nRead this.\n",
    "- > [!NOTE]\n  > Read this.\n",
    "> > [!NOTE]\n> > Read this.\n",
    "> [!NOTE]\n> Read this.\n\n[!NOTE]: https://example.com\n",
    "> ## [!NOTE]\n> Read this.\n",
    "> `[!NOTE]`\n> Read this.\n",
]


@pytest.mark.parametrize(("source", "style", "text"), ALERTS)
def test_alerts_are_shown_as_hints(source: str, style: str, text: str) -> None:
    document = parse_with_style(source)
    (hint, *_) = children_of(with_alerts(document))
    assert (hint["type"], hint["data"]) == ("hint", {"style": style})
    assert plain_text(hint) == text
    html = render_document(document).html
    assert f'class="hint hint-{style}" role="note"' in html
    assert "[!" not in html
    assert "[!" not in "".join(section.text for section in sections_of(document))
    # The document and its Markdown are what they were.
    assert children_of(document)[0]["type"] == "blockquote"
    assert write_markdown(document) == source


@pytest.mark.parametrize("source", NO_ALERTS)
def test_other_quotes_stay_quotes(source: str) -> None:
    document = parse_with_style(source)
    assert with_alerts(document) is document
    assert 'class="hint' not in render_document(document).html


@pytest.mark.parametrize(
    "around",
    [
        '{% hint style="success" %}\n{}\n{% endhint %}\n',
        '{% tabs %}\n{% tab title="One" %}\n{}\n{% endtab %}\n{% endtabs %}\n',
        "{% stepper %}\n{% step %}\n{}\n{% endstep %}\n{% endstepper %}\n",
        "<details>\n\n<summary>More</summary>\n\n{}\n\n</details>\n",
    ],
)
def test_tags_around_markdown_are_nothing_to_it(around: str) -> None:
    assert styles_of(around.replace("{}", "> [!TIP]\n> Read this."))[-1:] == ["success"]
    document = parse_with_style(around.replace("{}", "> [!CAUTION]\n> ## Here"))
    html = render_document(document).html
    assert html.count("hint-danger") == html.count('id="here"') == 1


def test_alerts_of_reusable_contents() -> None:
    note = parse_with_style(
        "> [!NOTE]\n> Read this.\n\n{% updates %}\n"
        '{% update date="2026-02-01" %}\n> [!TIP]\n> New.\n{% endupdate %}\n{% endupdates %}\n'
    )
    document = parse_with_style('{% include "a.md" %}\n\n{% include "b.md" %}\n')
    html = render_document(document, Options(reusable=lambda reference: note)).html
    assert html.count("hint-info") == html.count("hint-success") == 2
    # The places of updates are found in what is shown.
    assert html.count('id="update:2026-02-01"') == 1


def edited(document: JsonObject, text: str) -> JsonObject:
    """The document whose first quote has another text behind its marker, as an editor sends it."""
    new = copy.deepcopy(document)
    (quote, *_) = children_of(new)
    (paragraph, *_) = children_of(quote)
    paragraph["nodes"] = [{"object": "text", "leaves": [
        {"object": "leaf", "text": f"[!NOTE] {text}", "marks": []}]}]  # fmt: skip
    return new


@pytest.mark.parametrize("text", ["Read", "Read this and more of it", "One\nTwo three"])
def test_an_alert_that_is_edited_stays_one(text: str) -> None:
    document = edited(parse_with_style("> [!NOTE]\n> Read this.\n> And that.\n"), text)
    written = write_markdown(document)
    assert written.startswith("> [!NOTE]\n> ")
    assert styles_of(written) == ["info"]
    assert plain_text(with_alerts(parse_with_style(written))) == text


LINES = st.sampled_from(
    ["[!NOTE]", "[!tip]", "[!CAUTION] x", "\\[!NOTE]", "[!NOTE]  ", "[!NOTE]\\", "word", "*a* b",
     "", "- item", "> ", "> [!NOTE]", "    [!NOTE]", "# [!TIP]", "[!WARNING]x", "**[!NOTE]**",
     "| a |"]
)  # fmt: skip
QUOTES = st.lists(
    st.tuples(st.sampled_from(["> ", ">", "", "- > ", "  "]), LINES).map("".join), max_size=8
).map(lambda lines: "\n".join(lines) + "\n")


@given(QUOTES)
def test_showing_changes_no_document(source: str) -> None:
    document = parse_with_style(source)
    before = copy.deepcopy(document)
    written = write_markdown(document)
    html = render_document(document).html
    sections_of(document)
    assert document == before
    assert write_markdown(document) == written
    shown = with_alerts(document)
    # No word is lost but the markers, and what is shown is shown the same once more.
    assert with_alerts(shown) is shown
    hints = html.count('class="hint ')
    words, all_words = plain_text(shown).split(), plain_text(document).split()
    assert len(all_words) - len(words) == hints
    assert [word for word in all_words if word.lower()[2:-1] not in STYLES] == [
        word for word in words if word.lower()[2:-1] not in STYLES
    ]


@given(st.lists(all_blocks(2), max_size=3))
def test_any_document_is_shown_and_stays(blocks: list[JsonObject]) -> None:
    document: JsonObject = {"object": "document", "nodes": list[Json](blocks)}
    before = copy.deepcopy(document)
    with_alerts(document)
    assert document == before


def test_work_grows_with_the_document() -> None:
    def show(size: int) -> Callable[[], object]:
        document = parse_with_style("> [!NOTE]\n> Read this.\n\n" * size)
        return lambda: with_alerts(document)

    assert_growth(show, 500)
