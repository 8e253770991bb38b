"""Block tags that stand on one line with their body and their end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from content.documents.keys import content_digest
from content.documents.nodes import Node, children_of, data_of, paragraph, text, walk
from content.documents.plain_text import plain_text
from content.markdown.line_tags import line_tag
from content.markdown.parser import parse_document
from content.markdown.round_trip import round_trip
from content.markdown.spelling import parse_with_style, write_markdown

# What is on one line, and the same on several.
ONE_LINE = {
    '{% hint style="info" %}Read *this*.{% endhint %}':
        '{% hint style="info" %}\nRead *this*.\n{% endhint %}',
    '{% hint style="danger" %} ![](https://a.b/c.png) {% endhint %}  ':
        '{% hint style="danger" %}\n![](https://a.b/c.png)\n{% endhint %}',
    "{% hint %}{% endhint %}": "{% hint %}\n{% endhint %}",
    "{% hint %}- no list{% endhint %}": "{% hint %}\n\\- no list\n{% endhint %}",
    '{% content-ref url="a.md" %}[a](a.md){% endcontent-ref %}':
        '{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}',
    '{% embed url="https://a.b" %}A *film*{% endembed %}':
        '{% embed url="https://a.b" %}\nA *film*\n{% endembed %}',
    '{% file src="a.pdf" %}A file{% endfile %}': '{% file src="a.pdf" %}\nA file\n{% endfile %}',
    "{% if visitor.claims.a %}x{% endif %}": "{% if visitor.claims.a %}\nx\n{% endif %}",
    '{% hint %}{% include "a.md" %}{% endhint %}':
        '{% hint %}\n{% include "a.md" %}\n{% endhint %}',
    '{% hint %}{% embed url="https://a.b" %}{% endhint %}':
        '{% hint %}\n{% embed url="https://a.b" %}\n{% endhint %}',
    '{% tabs %}{% tab title="A" %}a{% endtab %} {% tab title="B" %}{% hint %}b{% endhint %}'
    "{% endtab %}{% endtabs %}":
        '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n\n{% tab title="B" %}\n{% hint %}\nb\n'
        "{% endhint %}\n{% endtab %}\n{% endtabs %}",
}  # fmt: skip
AROUND = (
    "@\n", "a\n@\nb\n", "a\n\n@\n\nb\n", "* a\n* b\n\n  @\n\n  c\n", "1. @\n2. @\n", "> @\n",
    "* a\n  * b\n    @\n", '{% hint style="info" %}\n@\n{% endhint %}\n',
    '{% stepper %}\n{% step %}\na\n\n@\n{% endstep %}\n{% endstepper %}\n',
    "<details>\n\n<summary>S</summary>\n\n@\n\n</details>\n",
)  # fmt: skip


def document_of(said: str) -> Node:
    return {"object": "document", "nodes": [paragraph([text(said)])]}


def indented(around: str, body: str) -> str:
    """The body where `@` is, its lines indented by as much."""
    lines = [
        "\n".join(
            line.replace("@", first) if not number else re.match("[> ]*", line)[0] + first  # type: ignore[index]
            for number, first in enumerate(body.split("\n"))
        )
        if "@" in line
        else line
        for line in around.split("\n")
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("line", ONE_LINE)
def test_a_tag_on_one_line_is_the_block(line: str, around: str) -> None:
    source = around.replace("@", line)
    document = parse_with_style(source)
    assert not any(node.get("type") == "markdown" for node in walk([document]))
    if not re.match(r"[0-9]", around):
        # The same on several lines; what follows the marker of an item needs other indentation.
        several = parse_document(indented(around, ONE_LINE[line]))
        assert content_digest(document) == content_digest(several)
    # It stays as it is written, alone and when something is added to the page.
    trip = round_trip(source)
    assert (trip.alone, trip.kept, trip.same_document, trip.local) == (True, True, True, True)
    canonical = write_markdown(parse_document(source))
    assert content_digest(parse_document(canonical)) == content_digest(document)


@pytest.mark.parametrize(
    "line",
    [
        "{% hint %}a{% endhint %} and more",
        "{% hint %}a{% endhint %} {% hint %}b{% endhint %}",
        "{% code %}`a`{% endcode %}",
        "{% tabs %}a{% endtabs %}",
        "{% tabs %}{% step %}a{% endstep %}{% endtabs %}",
        "{% tabs %}{% endtabs %}",
        "{% other %}a{% endother %}",
        "{% hint %}{% other %}{% endhint %}",
        "{% hint %}{% endhint %}a{% endhint %}",
        "{% hint %}{% embed %}{% endhint %}{% endembed %}",
        '{% include "a.md" %}a{% endinclude %}',
        "\\{% hint %}a{% endhint %}",
    ],
)
def test_other_lines_stay_text(line: str) -> None:
    document = parse_with_style(f"a\n\n{line}\n")
    assert [node["type"] for node in children_of(document)] == ["paragraph", "paragraph"]
    assert write_markdown(document) == f"a\n\n{line}\n"
    canonical = write_markdown(parse_document(line))
    assert content_digest(parse_document(canonical)) == content_digest(parse_document(line))


@pytest.mark.parametrize(
    "line", ["{% step %}a{% endstep %}", '{% content-ref url="a.md" %}no link{% endcontent-ref %}']
)
def test_what_no_block_can_be_stays_as_it_is(line: str) -> None:
    document = parse_with_style(f"{line}\n")
    kept = [data_of(node).get("source") for node in children_of(document)]
    assert kept == [line]
    assert write_markdown(document) == f"{line}\n"


def test_an_edited_block_is_written_on_several_lines_and_its_neighbours_stay() -> None:
    line = '{% hint style="info" %}One{% endhint %}'
    document = parse_with_style(f"{line}\n\n{line.replace('One', 'Two')}\n")
    children_of(document)[1]["nodes"] = [paragraph([text("Three")])]
    several = '{% hint style="info" %}\nThree\n{% endhint %}'
    assert write_markdown(document) == f"{line}\n\n{several}\n"


def test_texts_that_look_like_such_a_line_are_written_as_texts() -> None:
    written = write_markdown(document_of("{% hint %}a{% endhint %}"))
    assert written == "\\{% hint %}a{% endhint %}\n"
    assert plain_text(parse_document(written)) == "{% hint %}a{% endhint %}"


PIECES = st.sampled_from(
    ["{% hint %}", "{% endhint %}", "{% tabs %}", "{% endtabs %}", '{% tab title="a" %}',
     "{% endtab %}", '{% embed url="u" %}', "{% endembed %}", '{% include "a" %}', "{% x %}",
     "{% code %}", "{% endcode %}", "word", " ", "*a*", "`", "[^1]", "- ", "{%", "%}", "\\",
     "<br>", "![](a.png)"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=9).map("".join)
PAGES = st.lists(st.tuples(st.sampled_from(["", "* ", "> ", "  ", "    "]), TEXTS), max_size=5).map(
    lambda lines: "".join(f"{start}{line}\n" for start, line in lines)
)


@given(PAGES)
def test_any_lines_of_tags_keep_their_words_and_their_form(source: str) -> None:
    document = parse_with_style(source)
    shown = [str(node.get("data")) + str(node.get("leaves")) for node in walk([document])]
    assert "".join(shown).count("word") >= source.count("word")
    assert content_digest(parse_document(write_markdown(document))) == content_digest(document)
    assert round_trip(f"word\n\n{source}").same_document


@given(TEXTS)
def test_any_text_comes_back_as_text(said: str) -> None:
    written = write_markdown(document_of(said))
    read = parse_document(written)
    assert [node["type"] for node in children_of(read)] == ["paragraph"]
    assert plain_text(read) == plain_text(document_of(said))


def test_tags_in_tags_of_a_line_have_a_bound() -> None:
    assert line_tag("{% hint %}" * 8 + "a" + "{% endhint %}" * 8) is not None
    assert line_tag("{% hint %}" * 80 + "a" + "{% endhint %}" * 80) is None
