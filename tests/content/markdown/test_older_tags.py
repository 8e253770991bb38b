"""What older files of the layout hold: tags of before, names of emoji, pictures for the dark."""

import re
from html import unescape
from typing import Any

import pytest

from content.documents.nodes import fragment_of, walk
from content.documents.plain_text import plain_text
from content.emoji import code_of
from content.html.document import render_document
from content.html.rendering import Options, Target
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown

OPTIONS = Options(resolve=lambda reference: Target(href="/x", title="t"), reusable=lambda _: None)


def only(source: str, kind: str) -> Any:
    (node,) = [node for node in walk([parse_document(source)]) if node.get("type") == kind]
    return node


def test_a_page_reference_is_a_link_card() -> None:
    source = '{% page-ref page="guide/a.md" %}\n'
    node = only(source, "content-ref")
    assert node["data"]["ref"] == {"kind": "url", "url": "guide/a.md"}
    assert write_markdown(parse_document(source)) == source
    assert 'class="content-ref"' in render_document(parse_document(source), OPTIONS).html


@pytest.mark.parametrize("name", ['file src="x.pdf"', 'embed url="https://example.com"'])
def test_a_caption_that_is_an_attribute(name: str) -> None:
    source = f'{{% {name} caption="Read this" %}}\n'
    document = parse_document(source)
    node = only(source, name.split(" ", maxsplit=1)[0])
    caption = fragment_of(node, "caption")
    assert caption
    assert plain_text(caption[0]) == "Read this"
    assert "<figcaption><p>Read this</p></figcaption>" in render_document(document, OPTIONS).html
    assert write_markdown(document) == source
    # Another caption is written in place of it.
    leaf = caption[0]["nodes"][0]["leaves"][0]
    leaf["text"] = "Read that"
    other = {"object": "document", "data": {}, "nodes": [node]}
    written = write_markdown(other)
    assert "Read this" not in written
    assert plain_text(parse_document(written)).endswith("Read that")


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (":thumbsup:", "1f44d"), (":white\\_check\\_mark:", "2705"), (":+1:", "1f44d"),
        (":e-mail:", "1f4e7"), (":grinning-face:", "1f600"), (":grinning_face:", "1f600"),
        (":flag-de:", "1f1e9-1f1ea"), (":de:", "1f1e9-1f1ea"), (":dog:", "1f436"),
        (":thumbsup::skin-tone-2:", "1f44d-1f3fb"), (":wave_tone5:", "1f44b-1f3ff"),
        (":egg:", "1f95a"), (":man\\_technologist:", "1f468-200d-1f4bb"),
    ],
)  # fmt: skip
def test_names_of_emoji(written: str, code: str) -> None:
    assert only(f"a {written} b\n", "emoji")["data"] == {"code": code}


@pytest.mark.parametrize("text", [":no_such_emoji:", ":flag-xx:", "10:30:00", ":a\\*b:", "x:dog:y"])
def test_what_is_no_name_of_an_emoji(text: str) -> None:
    document = parse_document(f"{text}\n")
    assert all(node.get("type") != "emoji" for node in walk([document]))
    assert plain_text(document) == text.replace("\\*", "*")
    assert code_of("flag-xx") is None


DARK = '<source srcset="d.png" media="(prefers-color-scheme: dark)">'
LIGHT = '<source srcset="l.png" media="(prefers-color-scheme: light)">'


@pytest.mark.parametrize("sources", [DARK, DARK + LIGHT, LIGHT + DARK])
def test_pictures_for_dark_surroundings(sources: str) -> None:
    picture = f'<picture>{sources}<img src="l.png" alt="x"></picture>'
    dark = {"kind": "url", "url": "d.png"}
    assert only(f"In a {picture} line\n", "inline-image")["data"]["refDark"] == dark
    assert only(f"<figure>{picture}</figure>\n", "image")["data"]["refDark"] == dark
    other = picture.replace("l.png", "m.png", 1) if LIGHT in sources else None
    if other is not None:
        # A third picture would be lost.
        assert "refDark" not in str(parse_document(f"In a {other} line\n"))


def test_widths_of_columns_have_as_many_decimals_as_they_have() -> None:
    for width in ("33.33333333333333", "205.66665649414062", "100.5", "90"):
        source = (
            f'<table><thead><tr><th width="{width}">A</th></tr></thead>'
            "<tbody><tr><td>x</td></tr></tbody></table>\n"
        )
        assert only(source, "table")["data"]["view"]["columnWidths"] == {"column1": float(width)}
        assert write_markdown(parse_document(source)) == source


def test_tabs_of_code_are_tabs() -> None:
    source = (
        '{% code-tabs %}\n{% code-tabs-item title="a.js" %}\n```js\nx\n```\n'
        '{% endcode-tabs-item %}\n\n{% code-tabs-item title="b" %}\n```\ny\n```\n'
        "{% endcode-tabs-item %}\n{% endcode-tabs %}\n"
    )
    document = parse_document(source)
    tabs = only(source, "tabs")
    assert [item["data"]["title"] for item in tabs["nodes"]] == ["a.js", "b"]
    assert write_markdown(parse_with_style(source)) == source
    # A tab of today among them is one of them.
    tabs["nodes"][1]["data"] = {"title": "new"}
    written = write_markdown({"object": "document", "data": {}, "nodes": [tabs]})
    assert '{% tab title="new" %}' in written
    (again,) = parse_document(written)["nodes"]
    assert [item["data"]["title"] for item in again["nodes"]] == ["a.js", "new"]
    assert "code-tabs" not in str(render_document(document, OPTIONS).html)


METHOD = """\
{% api-method method="get" host="https://api.test" path="/a/{id}" %}
{% api-method-summary %}
Find
{% endapi-method-summary %}
{% api-method-path-parameters %}
{% api-method-parameter name="some\\_id" type="string" required=true %}
What is **found**
{% endapi-method-parameter %}
{% endapi-method-path-parameters %}
{% api-method-response-example httpCode=404 %}
```json
{}
```
{% endapi-method-response-example %}
{% endapi-method %}
"""
SWAGGER = """\
{% swagger method="post" baseUrl="https://api.test" path="/b" summary="Add" %}
{% swagger-parameter in="query" name="q" type="String" required="false" %}
Words <b>
{% endswagger-parameter %}
{% swagger-response status="200: OK" description="Added <all>" %}
{% endswagger-response %}
{% endswagger %}
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (METHOD, "GET https://api.test/a/{id}|Find|Path parameters|some_id string required|"
                 "What is found|404|{}"),
        (SWAGGER, "Add|POST https://api.test/b|q query String|Words|200: OK Added <all>"),
        ('{% api-method %}\n', ""),
        ('{% swagger-response description="{% x %}" %}\n', None),
        ("{% unknown a=\"b\" %}\n", ""),
    ],
)  # fmt: skip
def test_methods_of_apis_show_what_their_tags_say(source: str, text: str | None) -> None:
    document = parse_document(source)
    if text is not None:
        assert plain_text(document) == text.replace("|", "\n")
    html = str(render_document(document, OPTIONS).html)
    shown = unescape(re.sub("<[^>]*>", " ", html)).split()
    assert shown == plain_text(document).split()
    assert write_markdown(parse_with_style(source)) == source


@pytest.mark.parametrize("above", ["", "\n", " \n", "\n\t\n\n\n\n"])
@pytest.mark.parametrize("behind", ["\n", "", "\n    ", "\n\n\n\n\n\n\n", " \n \n"])
@pytest.mark.parametrize(
    "text",
    ["Words", "* a", "    code", "```\ncode\n```", "<!-- x -->", "{% hint %}\na\n{% endhint %}"],
)
def test_white_space_around_a_page_comes_back(above: str, behind: str, text: str) -> None:
    source = f"{above}{text}{behind}"
    assert write_markdown(parse_with_style(source)) == source
