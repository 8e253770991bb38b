"""Anchors that headings had still lead to them after they were renamed."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.anchors import heading_anchors, headings_of, with_anchors
from content.documents.heading_aliases import (
    ALIASES_LIMIT,
    alias_problem,
    carry_aliases,
    heading_aliases,
    own_aliases,
)
from content.documents.key_matching import carry_keys
from content.documents.sections import sections_of
from content.documents.shape import DocumentError, checked_document
from content.html.document import render_document
from content.html.rendering import Options
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.spelling import write_markdown
from content.merge.conflict import Conflict
from content.merge.documents import Body, merge_bodies
from content.merge.nodes import same
from content.merge.versions import Found

Node = dict[str, Any]


def parsed(markdown: str) -> Node:
    return parse_document(markdown, seed="first")


def rewritten(old: Node, markdown: str) -> Node:
    """The next version of a page whose Markdown was written as a whole."""
    new: Node = parse_document(markdown, seed="later")
    carry_keys(old, new)
    return dict(carry_aliases(new, old))


def versions(*texts: str) -> Node:
    """The last of some versions of a page, written one after the other."""
    document = parsed(texts[0])
    for text in texts[1:]:
        document = rewritten(document, text)
    return document


def aliases(document: Node) -> dict[str, list[str]]:
    """The aliases of a document by the anchor of their heading."""
    anchors = heading_anchors(document)
    return {anchors[key]: found for key, found in heading_aliases(document, anchors).items()}


CASES: dict[str, tuple[tuple[str, ...], dict[str, list[str]]]] = {
    "renamed": (("## A\n\nx", "## B\n\nx"), {"b": ["a"]}),
    "renamed twice": (("## A\n\nx", "## B\n\nx", "## C\n\nx"), {"c": ["b", "a"]}),
    "back again": (("## A\n\nx", "## B\n\nx", "## A\n\nx"), {"a": ["b"]}),
    "back from the third": (("## A", "## B", "## C", "## B"), {"b": ["c", "a"]}),
    "edited below": (("## A\n\nx", "## B\n\nx", "## B\n\ny"), {"b": ["a"]}),
    "other level": (("## A\n\nx", "## B\n\nx", "#### B\n\nx"), {"b": ["a"]}),
    "moved": (("## A\n\nx", "## B\n\nx\n\n## Z", "## Z\n\n## B\n\nx"), {"b": ["a"]}),
    "into a hint": (
        ("## A\n\nx", "## B\n\nx", '{% hint style="info" %}\n## B\n{% endhint %}\n\nx'),
        {"b": ["a"]},
    ),
    "deleted": (("## A\n\nx", "## B\n\nx", "x"), {}),
    "a new heading has the name": (("## A\n\nx", "## B\n\nx\n\n## A\n\nz"), {}),
    "id set": (("## A\n\nx", '## A <a href="#i" id="i"></a>\n\nx'), {"i": ["a"]}),
    "id changed": (
        ('## A <a href="#i" id="i"></a>', '## A <a href="#j" id="j"></a>'),
        {"j": ["i"]},
    ),
    "id stays": (('## A <a href="#i" id="i"></a>', '## B <a href="#i" id="i"></a>'), {}),
    "other script": (("## 概要\n\nx", "## 设置\n\nx"), {"设置": ["概要"]}),
    "the first of two equals": (("## A\n\nx\n\n## A\n\ny", "## A\n\ny"), {"a": ["a-1"]}),
    "exchanged": (("## A\n\nx\n\n## B\n\ny", "## B\n\ny\n\n## A\n\nx"), {}),
    "many": (
        tuple(f"## N{number}" for number in range(14)),
        {"n13": [f"n{number}" for number in (12, 11, 10, 9, 8, 4, 3, 2, 1, 0)]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_former_anchors_are_aliases(name: str) -> None:
    texts, expected = CASES[name]
    document = versions(*texts)
    assert aliases(document) == expected
    # They are said beside the data, and nowhere else.
    said = [heading.get("aliases") for heading in headings_of(document) if "aliases" in heading]
    assert said == list(expected.values())


# What a person takes for the same heading, though its words are all others.
RENAMED = {
    "alone": ("## Alpha", "## Beta"),
    "above the same text": ("one\n\n## Alpha\n\ntext", "one\n\n## Beta\n\ntext"),
    "a paragraph before it edited": (
        "one two three\n\n## Alpha\n\ntext",
        "one two four\n\n## Beta\n\ntext",
    ),
    "the text below edited": (
        "## Alpha\n\none two three\n\n## Rest",
        "## Beta\n\none two four\n\n## Rest",
    ),
    "only the end of its text stays": (
        "one\n\n## Alpha\n\nfirst\n\nsecond",
        "one\n\n## Beta\n\nanother\n\nsecond",
    ),
    "one put before it": ("## Alpha\n\ntext", "## New\n\nwords\n\n## Beta\n\ntext"),
    "with one above it": ("## Alpha\n\n### One\n\ntext", "## Beta\n\n### Two\n\ntext"),
    "other level": ("## Alpha\n\ntext\n\n## Rest", "### Beta\n\ntext\n\n## Rest"),
    "its section moved": (
        "## Zero\n\nnothing\n\n## Alpha\n\ntext",
        "## Beta\n\ntext\n\n## Zero\n\nnothing",
    ),
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_heading_with_other_words_is_the_same_one(name: str) -> None:
    before, after = RENAMED[name]
    assert aliases(rewritten(parsed(before), after))["beta"] == ["alpha"]


NOT_RENAMED = {
    "another in its place with a text of its own": (
        "one\n\n## Alpha\n\ntext\n\nmore",
        "one\n\n## Beta\n\nquite\n\ndifferent",
    ),
    "a section before it": ("## Alpha\n\ntext", "## Beta\n\nwords\n\n## Alpha\n\ntext"),
    "the end of its section": (
        "## Alpha\n\none\n\ntwo",
        "## Alpha\n\none\n\n## Beta\n\ntwo",
    ),
}


@pytest.mark.parametrize("name", NOT_RENAMED)
def test_a_new_heading_takes_no_anchor_over(name: str) -> None:
    before, after = NOT_RENAMED[name]
    assert aliases(rewritten(parsed(before), after)) == {}


def merged_body(base: Node, ours: Node, theirs: Node) -> tuple[Node, tuple[Conflict, ...]]:
    """The document that a merge stores, and its conflicts."""
    documents = {"base": base, "ours": ours, "theirs": theirs}
    merge = merge_bodies([Body("base", "ours", "theirs", page="p")])
    next(merge)
    with pytest.raises(StopIteration) as done:
        merge.send(Found(documents=documents))
    (found,) = done.value.value
    return documents[found.id] if found.document is None else found.document, found.conflicts


NAMES = st.sampled_from(["A", "B", "a", "C", "A 1", "É", "概要", "", "page", "x.y"])
HEADING = st.builds(
    lambda level, name, id: "#" * level + f" {name}{id}",
    st.integers(1, 4),
    NAMES,
    st.sampled_from(["", "", "", ' <a href="#b" id="b"></a>', ' <a href="#a-1" id="a-1"></a>']),
)
BLOCKS = st.one_of(HEADING, HEADING.map("> {}".format), st.sampled_from(["one two", "three"]))
TEXTS = st.lists(BLOCKS, max_size=6).map("\n\n".join)


def check(document: Node) -> None:
    """What holds for the aliases of every document that is stored."""
    anchors = list(heading_anchors(document).values())
    said: list[Any] = [one["aliases"] for one in headings_of(document) if "aliases" in one]
    flat = [alias for one in said for alias in one]
    assert len(set(flat)) == len(flat)
    assert not set(flat) & set(anchors)
    assert all(0 < len(one) <= ALIASES_LIMIT for one in said)
    assert all(alias_problem(alias) is None for alias in flat)
    # Stored ones are as they are read, and stay with the next write.
    assert list(aliases(document).values()) == said
    assert carry_aliases(document, document) is document
    assert dict(checked_document(document)) == document


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_aliases_are_bounded_and_never_collide(texts: list[str]) -> None:
    document = parsed(texts[0])
    check(document)
    for text in texts[1:]:
        before, document = document, rewritten(document, text)
        check(document)
        # Whatever led to a heading that is still there leads to it or to another one now.
        known = aliases(document)
        there = {*known, *heading_anchors(document).values()}
        there |= {alias for one in known.values() for alias in one}
        keys = {heading["key"] for heading in headings_of(document)}
        anchors = heading_anchors(before)
        for heading in headings_of(before):
            if heading["key"] in keys:
                assert anchors[id(heading)] in there


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_merges_keep_the_aliases_of_both_sides(
    first: str, base_text: str, left: str, right: str
) -> None:
    base = versions(first, base_text)
    ours, theirs = rewritten(base, left), rewritten(base, right)
    assert merged_body(base, ours, base)[0] == ours
    assert merged_body(base, base, theirs)[0] == theirs
    merged, _ = merged_body(base, ours, theirs)
    check(merged)
    kept = {alias for one in aliases(merged).values() for alias in one}
    kept |= set(heading_anchors(merged).values())
    keys = {heading["key"] for heading in headings_of(merged)}
    for heading in headings_of(theirs):
        if heading["key"] in keys:
            # More than ten are not to be had in so few steps.
            assert set(own_aliases(heading)) <= kept


def test_what_both_sides_renamed_has_the_names_of_both() -> None:
    base = parsed("## Set up your first small machine\n\ntext")
    ours = rewritten(base, "## Set up your second small machine\n\ntext")
    theirs = rewritten(base, "## Set up your first small server\n\ntext")
    merged, conflicts = merged_body(base, ours, theirs)
    assert not conflicts
    assert aliases(merged) == {
        "set-up-your-second-small-server": [
            "set-up-your-first-small-server",
            "set-up-your-second-small-machine",
            "set-up-your-first-small-machine",
        ]
    }


def test_both_sides_come_to_the_same_name_on_different_ways() -> None:
    base = parsed("## A\n\nx")
    ours = rewritten(rewritten(base, "## O\n\nx"), "## C\n\nx")
    theirs = rewritten(rewritten(base, "## T\n\nx"), "## C\n\nx")
    assert same(ours, theirs)
    merged, _ = merged_body(base, ours, theirs)
    assert sorted(aliases(merged)["c"]) == ["a", "o", "t"]


def test_an_alias_that_one_side_removed_is_gone() -> None:
    base = versions("## A\n\nx", "## B\n\nx")
    ours = copy.deepcopy(base)
    del ours["nodes"][0]["aliases"]
    theirs = rewritten(base, "## B\n\nx\n\ny")
    assert aliases(theirs) == {"b": ["a"]}
    assert aliases(merged_body(base, ours, theirs)[0]) == {}


def test_of_what_clashes_the_first_heading_has_the_alias() -> None:
    base = versions("## A\n\nx", "## Completely\n\nx")
    ours, theirs = rewritten(base, "## Other words\n\nx"), rewritten(base, "## Nothing alike\n\nx")
    merged, conflicts = merged_body(base, ours, theirs)
    assert len(conflicts) == 1
    check(merged)
    assert aliases(merged) == {"nothing-alike": ["completely", "a"]}


def test_authors_of_documents_may_set_aliases() -> None:
    before = versions("## A\n\nx", "## B\n\nx")

    def sent(**members: Any) -> Node:
        document = copy.deepcopy(before)
        document["nodes"][0].pop("aliases")
        document["nodes"][0].update(members)
        return dict(carry_aliases(document, before, authored=True))

    # Clients that do not know of aliases lose none.
    assert sent() == before
    assert aliases(sent(aliases=["z", "b", "a"])) == {"b": ["z", "a"]}
    emptied = sent(aliases=[])
    assert "aliases" not in emptied["nodes"][0]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("a", "nodes[0].aliases"),
        (None, "nodes[0].aliases"),
        ([str(number) for number in range(11)], "nodes[0].aliases"),
        (["a", "B"], "nodes[0].aliases[1]"),
        ([""], "nodes[0].aliases[0]"),
        (["a b"], "nodes[0].aliases[0]"),
        (["a\u00a0b"], "nodes[0].aliases[0]"),
        (["x" * 111], "nodes[0].aliases[0]"),
        (['"><script>'], "nodes[0].aliases[0]"),
        ([1], "nodes[0].aliases[0]"),
    ],
)
def test_aliases_from_outside_are_checked(value: Any, path: str) -> None:
    document = parsed("## A")
    document["nodes"][0]["aliases"] = value
    with pytest.raises(DocumentError) as caught:
        checked_document(document)
    assert caught.value.path == path


def test_aliases_are_no_content() -> None:
    document = versions("## A\n\n*x*", "## B\n\n*x*")
    assert write_markdown(document) == write_markdown(parsed("## B\n\n*x*"))
    assert rewrite_markdown(document, ["## B\n\n_x_\n"]) == "## B\n\n_x_\n"
    assert same(document, parsed("## B\n\n*x*"))
    assert with_anchors(document)["nodes"][0]["meta"] == {"id": "b"}  # type: ignore[call-overload,index]
    assert [(one.anchor, one.heading) for one in sections_of(document)] == [("b", "B")]


def test_html_has_a_place_for_each_alias_and_one_heading() -> None:
    document = versions("## A\n\nx", "## B\n\nx", "## 概要\n\nx")
    rendered = render_document(document)
    assert [(one.id, one.text) for one in rendered.headings] == [("概要", "概要")]
    assert rendered.html.startswith(
        '<h2 id="概要"><span id="b" class="old-anchor"></span>'
        '<span id="a" class="old-anchor"></span>概要</h2>'
    )
    ids = re.findall(
        r' id="([^"]+)"', render_document(document, Options(identify="p-{}".format)).html
    )
    assert ids == ["p-概要", "p-b", "p-a"]


def test_aliases_in_reusable_contents_lead_there_unless_the_page_has_the_anchor() -> None:
    inner = versions("## A\n\nx\n\n## M\n\ny", "## B\n\nx\n\n## N\n\ny")
    page = parsed('{% include "x.md" %}\n\n{% include "x.md" %}\n\n## M')
    html = render_document(page, Options(reusable=lambda reference: inner)).html
    ids = re.findall(r' id="([^"]+)"', html)
    assert ids == ["b", "a", "n", "b-1", "n-1", "m"]
