"""Lists and captions of Word documents, which are paragraphs with levels and styles there."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.nodes import Node, children_of
from content.documents.plain_text import plain_text
from content.imports.docx import read_docx
from content.markdown.parser import parse_document
from content.sources.tree import SourceLimits
from tests.importing.documents import docx, word_paragraph

PICTURE = '<figure><img src="images/image1.png" alt="A dot">'


def markdown_of(*paragraphs: str) -> str:
    (page,) = read_docx(docx("".join(paragraphs)), "a.docx", SourceLimits()).pages
    return page.markdown


def item(text: str, level: int = 0, ordered: bool = False) -> str:
    return word_paragraph(text, "ListParagraph", (level, ordered))


def depths(nodes: list[Node], depth: int = 0) -> list[tuple[str, int]]:
    """The text of items with how deep they are nested."""
    listed: list[tuple[str, int]] = []
    for node in nodes:
        inner = children_of(node)
        if str(node["type"]).startswith("list-"):
            listed += depths(inner, depth + (node["type"] != "list-item"))
        else:
            listed.append((plain_text(node), depth))
    return listed


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=12))
def test_levels_nest(levels: list[tuple[int, bool]]) -> None:
    """Levels that an author has skipped are none; all nine of Word are there."""
    text = markdown_of(*(item(f"w{at}", *level) for at, level in enumerate(levels)))
    listed = depths(children_of(parse_document(text)))
    assert [word for word, _ in listed] == [f"w{at}" for at in range(len(levels))]
    for (above, _), (level, _), (_, before), (_, depth) in zip(
        levels, levels[1:], listed, listed[1:], strict=False
    ):
        if level > above:
            assert depth == before + 1
        else:
            assert depth == before if level == above else depth <= before


def test_all_levels_in_each_other() -> None:
    text = markdown_of(*(item(f"l{level}", level, level % 2 == 1) for level in range(9)))
    assert [depth for _, depth in depths(children_of(parse_document(text)))] == list(range(1, 10))
    assert text.startswith("* l0\n  1. l1\n     * l2\n")


def test_items_go_on_with_paragraphs_and_pictures() -> None:
    text = markdown_of(
        item("a", ordered=True), word_paragraph("more", "ListParagraph"),
        word_paragraph("", "ListParagraph"), word_paragraph("A figure", "Caption"),
        item("b", ordered=True), item("c", 1), word_paragraph("of c", "ListContinue2"),
        item("d", ordered=True),
    )  # fmt: skip
    assert text == (
        f"1. a\n\n   more\n\n   {PICTURE}<figcaption><p>A figure</p></figcaption></figure>\n"
        "2. b\n   * c\n\n     of c\n3. d"
    )


def test_paragraphs_that_look_like_those_of_lists() -> None:
    text = markdown_of(
        word_paragraph("a", "ListParagraph"), word_paragraph("b"),
        word_paragraph("c", "ListParagraph"), item("d"),
    )  # fmt: skip
    assert text == "a\n\nb\n\nc\n\n* d"


def captioned(text: str, number: int = 1) -> str:
    picture = PICTURE.replace("image1", f"image{number}")
    return f"{picture}<figcaption><p>{text}</p></figcaption></figure>"


@pytest.mark.parametrize(
    ("paragraphs", "text"),
    [
        ([("", ""), ("C", "Caption")], captioned("C")),
        ([("C", "Caption"), ("", "")], captioned("C")),
        ([("C", "Caption"), ("x", "")], "C\n\nx"),
        (
            [("", ""), ("C", "Caption"), ("", ""), ("D", "Caption")],
            f"{captioned('C')}\n\n{captioned('D', 2)}",
        ),
    ],
)
def test_captions_belong_to_pictures(paragraphs: list[tuple[str, str]], text: str) -> None:
    assert markdown_of(*(word_paragraph(*paragraph) for paragraph in paragraphs)) == text


def test_documents_say_when_they_were_saved() -> None:
    core = (
        '<cp:coreProperties xmlns:dcterms="http://purl.org/dc/terms/" xmlns:cp="x">'
        '<dcterms:modified xsi:type="dcterms:W3CDTF">{}</dcterms:modified></cp:coreProperties>'
    )

    def changed(time: str) -> dt.datetime | None:
        data = docx(word_paragraph("a"), core=core.format(time))
        return read_docx(data, "a.docx", SourceLimits()).changed_at("")

    assert changed("2024-05-06T07:08:09Z") == dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=dt.UTC)
    assert changed("2024-55-06T07:08:09Z") is None
    assert read_docx(docx(), "a.docx", SourceLimits()).changed_at("") is None
