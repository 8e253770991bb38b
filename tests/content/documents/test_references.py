"""References and sections of documents."""

from typing import Any

from hypothesis import given, strategies as st

from content.documents.content_references import NAMES
from content.documents.nodes import block, fragment, inline, paragraph, text
from content.documents.sections import sections_of
from content.links.references import references_of, url_status
from content.markdown.parser import parse_document

MARKDOWN = """Intro [web](https://a.example) [web](https://a.example) ![x](https://a.example/x.png).

## One <a href="#first" id="first"></a>

{% tabs %}
{% tab title="T" %}
### Inner

[here](#first)
{% endtab %}
{% endtabs %}

## One

{% include "/reusable-content/n1" %}

{% embed url="https://video.example" %}

<table><thead><tr><th data-type="content-ref"></th></tr></thead><tbody><tr><td>
<a href="https://cell.example">c</a></td></tr></tbody></table>
"""
REFS: Any = st.one_of(
    st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=2),
    st.dictionaries(
        st.sampled_from(["kind", "url", "page", "anchor", "file", "space", "user", "spec"]),
        st.sampled_from([*NAMES, "", "#x", "a" * 100, "id1", "own"]) | st.none() | st.integers(),
        max_size=4,
    ),
)  # fmt: skip


def test_a_page_of_the_dialect() -> None:
    found = references_of(parse_document(MARKDOWN, seed="s"), "home", "own")
    assert [(one.kind, one.relation, one.target.get("url", one.target_id)) for one in found] == [
        ("url", "reference", "https://a.example"),
        ("url", "reference", "https://a.example/x.png"),
        ("anchor", "reference", "home"),
        ("reusable-content", "dependsOn", "n1"),
        ("url", "reference", "https://video.example"),
        ("url", "reference", "https://cell.example"),
    ]
    assert found[0].text == "web"
    assert found[0].node == found[1].node
    assert len({one.node for one in found}) == 5


def test_sections_have_anchors_in_reading_order() -> None:
    sections = sections_of(parse_document(MARKDOWN, seed="s"))
    assert [(one.anchor, one.heading) for one in sections] == [
        (None, ""), ("first", "One"), ("inner", "Inner"), ("one", "One"),
    ]  # fmt: skip
    assert sections[0].text == "Intro web web x."
    assert sections[2].text == "here"


def test_one_thing_has_one_digest() -> None:
    nodes = [
        paragraph([inline("link", [text("a")], {"ref": ref})])
        for ref in (
            {"kind": "page", "page": "p"},
            {"kind": "page", "page": "p", "space": "own", "more": 1},
            {"kind": "page", "page": "p", "space": "other"},
        )
    ]
    for index, node in enumerate(nodes):
        node["key"] = f"k{index}"
    document: Any = {"object": "document", "nodes": nodes}
    first, second, third = references_of(document, "home", "own")
    assert first.digest == second.digest != third.digest
    assert (first.space_id, third.space_id) == (None, "other")


@given(st.lists(st.tuples(REFS, REFS, st.booleans()), max_size=8))
def test_any_data_gives_references_or_none(data: list[tuple[Any, Any, bool]]) -> None:
    nodes = [
        block("x", [text("t")], {"ref": first, "records": second}, [fragment("f", [])])
        if plain
        else block("table", None, {"records": {"r": {"values": {"v": first, "w": [second]}}}})
        for first, second, plain in data
    ]
    document: Any = {"object": "document", "nodes": nodes}
    found = references_of(document, "home", "own")
    keys = [(one.node, one.digest) for one in found]
    assert len(keys) == len(set(keys))
    for one in found:
        assert one.kind in NAMES
        assert one.target_id is None or 0 < len(one.target_id) <= 64
        assert one.space_id != "own"
        assert (one.anchor is not None) == (one.kind == "anchor")
    assert references_of(document, "home", "own") == found


def test_what_can_be_said_of_urls() -> None:
    app = "http://docs.test"
    for url, status in {
        "https://a.example": "ok", "mailto:a@b.example": "ok", "//cdn.example/x": "ok",
        "http://docs.test/s/x/y": "in-app", "/s/x/y": "in-app", "http://docs.test/other": "ok",
        "": "broken", "page.md": "broken", "../a.md#x": "broken", "#": "broken", "/a": "broken",
        "{{ space.vars.base }}/x": "ok",
    }.items():  # fmt: skip
        assert url_status(url, app) == status, url
