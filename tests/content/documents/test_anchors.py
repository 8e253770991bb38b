"""Anchors of headings: the same ones in JSON, in HTML and in sections."""

from typing import Any

from hypothesis import given, strategies as st

from content.documents.anchors import (
    HEADINGS,
    block_anchors,
    expandable_anchors,
    expandable_title,
    heading_anchors,
    with_anchors,
)
from content.documents.evaluation import Evaluation, evaluate_document, variables_context
from content.documents.nodes import Node, child_lists, walk
from content.documents.sections import sections_of
from content.html.document import render_document
from content.html.rendering import Options
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown

TEXT = st.sampled_from(["One", "one", "Two `x`", "É", "", "A\u00a0b", "<code>", "\ue000One"])
EXPRESSION = '<code class="expression">space.vars.x</code>'
HEADING = st.builds(
    lambda level, text, id, more: "#" * level + " " + text + more + id,
    st.integers(1, 3),
    TEXT,
    st.sampled_from(["", "", ' <a href="#one" id="one"></a>', ' <a href="#b" id="b"></a>']),
    st.sampled_from(["", f" {EXPRESSION}"]),
)
PLACES = (
    "{}",
    "> {}",
    "* item\n\n  {}",
    "{{% if space.vars.x == 'shown' %}}\n{}\n{{% endif %}}",
    "{{% if space.vars.x == 'other' %}}\n{}\n{{% endif %}}",
    '{{% tabs %}}\n{{% tab title="T" %}}\n{}\n{{% endtab %}}\n{{% endtabs %}}',
    "<details>\n\n<summary>S</summary>\n\n{}\n\n</details>",
)
DOCUMENTS = st.lists(
    st.builds(lambda place, heading: place.format(heading), st.sampled_from(PLACES), HEADING),
    max_size=8,
).map("\n\n".join)


def said(document: Node) -> list[str]:
    """What headings of a document say in `meta.id`, in document order."""
    found: list[str] = []
    stack: list[Any] = [document]
    while stack:
        node = stack.pop()
        if node.get("type") in HEADINGS:
            found.append(node["meta"]["id"])
        children = [child for group in child_lists(node) for child in group]
        stack.extend(reversed(children))
    return found


def worded(document: Node) -> list[str]:
    """The anchors of headings with words: those without are places of a page, but no headings."""
    sections = sections_of(document)
    return [one.anchor for one in sections if one.anchor is not None and one.heading.strip()]


@given(DOCUMENTS)
def test_the_same_anchors_everywhere(markdown: str) -> None:
    document = parse_document(markdown)
    anchors = list(heading_anchors(document).values())
    assert len(set(anchors)) == len(anchors)
    shown = with_anchors(document)
    assert said(shown) == anchors
    assert with_anchors(shown) == shown
    assert list(heading_anchors(document).values()) == anchors
    assert [one.anchor for one in sections_of(document) if one.anchor is not None] == anchors
    for one in (document, shown):
        assert [heading.id for heading in render_document(dict(one)).headings] == worded(document)
    # `meta` is no part of the content.
    assert write_markdown(dict(shown)) == write_markdown(dict(document))


@given(DOCUMENTS)
def test_what_a_reader_does_not_see_changes_no_anchor(markdown: str) -> None:
    document = parse_document(markdown)
    shown = with_anchors(document)
    evaluated = evaluate_document(dict(shown), Evaluation(variables_context({"x": "shown"}, None)))
    anchors, left = said(shown), said(evaluated)
    # Those that are left, in the same order.
    remaining = iter(anchors)
    assert all(one in remaining for one in left)
    assert [heading.id for heading in render_document(evaluated).headings] == worded(evaluated)
    hides = "'other'" in markdown
    assert (len(left) == len(anchors)) or hides


def test_headings_of_reusable_contents_have_anchors_of_their_own() -> None:
    inner = parse_document('## One\n\n## Own <a href="#two" id="two"></a>')
    document = parse_document('{% include "x.md" %}\n\n## One\n\n## Two')
    rendered = render_document(dict(document), Options(reusable=lambda reference: dict(inner)))
    ids = [heading.id for heading in rendered.headings]
    assert ids[2:] == ["one", "two"]
    assert len(set(ids)) == 4


EXPANDABLE = "<details>\n\n<summary>{}</summary>\n\n{}\n\n</details>"
FOLDED = st.recursive(
    HEADING,
    lambda inner: st.builds(EXPANDABLE.format, TEXT, st.lists(inner, max_size=3).map("\n\n".join)),
    max_leaves=6,
)


@given(st.lists(FOLDED, max_size=6).map("\n\n".join))
def test_anchors_of_expandables(markdown: str) -> None:
    """Each that has a title has one of its own, which changes none of a heading."""
    document = parse_document(markdown)
    anchors = block_anchors(document)
    assert len(set(anchors.values())) == len(anchors)
    assert list(anchors.values())[: len(heading_anchors(document))] == list(
        heading_anchors(document).values()
    )
    titled = [
        node for node in walk([document])
        if node.get("type") == "expandable" and expandable_title(node)
    ]  # fmt: skip
    # In the order in which they are read.
    assert [anchors[id(node)] for node in titled] == expandable_anchors(document, anchors)
    shown = with_anchors(document)
    ids = [dict(node).get("meta", {}).get("id") for node in walk([shown])
           if node.get("type") == "expandable" and expandable_title(node)]  # type: ignore[attr-defined]  # fmt: skip
    assert ids == expandable_anchors(document, anchors)
    assert ids == expandable_anchors(shown, block_anchors(shown))
    assert with_anchors(shown) == shown
    html = render_document(dict(shown)).html
    assert all(html.count(f' id="{anchor}"') == 1 for anchor in anchors.values())
    assert write_markdown(dict(shown)) == write_markdown(dict(document))


def test_expandables_of_reusable_contents_have_anchors_of_their_own() -> None:
    inner = parse_document(EXPANDABLE.format("One", "x"))
    document = parse_document('{% include "x.md" %}\n\n' + EXPANDABLE.format("One", "y"))
    html = render_document(dict(document), Options(reusable=lambda reference: dict(inner))).html
    assert html.index('id="one-1"') < html.index('id="one"')
