"""`## Title {#id}`: the anchor of a heading as other generators of documentation write it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.anchors import block_anchors
from content.documents.nodes import block, children_of, data_of, text
from content.documents.plain_text import plain_text
from content.git.page_text import page_text
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from content.pages.front_matter import FrontMatter
from content.pages.title import split_title

ENDS = st.lists(
    st.sampled_from(
        ["{", "}", "#", "{#", "{#a}", " {#b-1}", "{ #c }", "{#d .wide}", " {#__e_}", "{#f_", "\\",
         "`", "*", "_", "__", " ",
         "x", "文", "&", "&amp;", "[x](y)", '<a id="e"></a>', ":", "\t"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words", "anchor"),
    [
        ("## Install {#set-up}", "Install", "set-up"),
        ("## 安装{#install}", "安装", "install"),
        ("### **Bold** and more { #bold }", "Bold and more", "bold"),
        ("## Wide {#wide .no-toc .x}", "Wide", "wide"),
        ("## Closed {#closed} ##", "Closed", "closed"),
        ("Under {#under}\n---", "Under", "under"),
        ("## Made {#__init__}", "Made", "__init__"),
        ("## _Made_ {#a.___b__.c_}", "Made", "a.___b__.c_"),
        ("## _Made {#own_}", "Made {#own}", None),
        ("## Kept `{#code}`", "Kept {#code}", None),
        (r"## Kept \{#escaped}", "Kept {#escaped}", None),
        ("## {#each}", "{#each}", None),
        ("## Loops {#each items as item}", "Loops {#each items as item}", None),
        ("## Other {#Ä}", "Other {#Ä}", None),
    ],
)
def test_what_is_an_anchor(line: str, words: str, anchor: str | None) -> None:
    document = parse_with_style(f"{line}\n")
    (heading,) = children_of(document)
    assert (plain_text(heading), data_of(heading).get("id")) == (words, anchor)
    if anchor is not None:
        assert block_anchors(document)[id(heading)] == anchor
    if "---" not in line and not line.endswith("##"):
        assert write_markdown(document) == f"{line}\n"


@settings(max_examples=400, deadline=None)
@given(ENDS)
def test_any_heading_is_written_as_it_was_read(end: str) -> None:
    document = parse_document(f"## x{end}\n")
    again = parse_document(write_markdown(document))
    assert [(plain_text(node), data_of(node)) for node in children_of(again)] == [
        (plain_text(node), data_of(node)) for node in children_of(document)
    ]


@settings(max_examples=400, deadline=None)
@given(ENDS, st.none() | st.just("own"))
def test_what_people_type_in_a_heading_is_no_anchor(end: str, anchor: str | None) -> None:
    words = f"x{end}x{{#a}}"
    heading = block("heading-1", [text(words)], {} if anchor is None else {"id": anchor})
    document = parse_document("")
    document["nodes"] = [heading]
    (again,) = children_of(parse_document(write_markdown(document)))
    assert plain_text(again) == " ".join(words.split()) or plain_text(again) == words
    assert data_of(again).get("id") == anchor


def test_an_edited_heading_keeps_how_its_anchor_is_written() -> None:
    document = parse_with_style("## Old words {#here}\n\nText\n")
    heading = children_of(document)[0]
    heading["nodes"] = [text("New words")]
    assert write_markdown(document) == "## New words {#here}\n\nText\n"
    heading["data"] = {"id": "there"}
    assert write_markdown(document) == '## New words <a href="#there" id="there"></a>\n\nText\n'


def test_the_anchor_is_no_part_of_the_title_of_a_page() -> None:
    old = "# First steps {#first}\n\nText\n"
    assert split_title(old) == ("First steps", "Text\n")
    assert split_title("# {#each}\n") == ("{#each}", "")
    keep = page_text(old, "First steps", FrontMatter(), lambda body: body or "")
    assert keep == old
    renamed = page_text(old, "Next steps", FrontMatter(), lambda body: body or "")
    assert renamed == "# Next steps {#first}\n\nText\n"
    typed = page_text(None, "Words {#typed}", FrontMatter(), lambda body: "Text\n")
    assert split_title(typed)[0] == "Words {#typed}"
