"""Lists and captions of Word documents, which are paragraphs with levels and styles there."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.nodes import Node, children_of
from content.documents.plain_text import plain_text
from content.imports import word_numbers
from content.imports.docx import read_docx
from content.imports.safe_xml import parse_xml
from content.markdown.parser import parse_document
from content.sources.tree import SourceLimits
from tests.importing.documents import NAMESPACES, docx, word_paragraph

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


# ------------------------------------------------------------------ numbers that go on


def test_lists_go_on_counting() -> None:
    text = markdown_of(
        item("a", ordered=True), item("b", ordered=True), word_paragraph("Between."),
        item("c", ordered=True), item("deep", 1, ordered=True), item("d", ordered=True),
        word_paragraph("Again."), item("bullet"), item("e", ordered=True),
    )  # fmt: skip
    assert "1. a\n2. b\n\nBetween.\n\n3. c\n   1. deep\n4. d\n\nAgain." in text
    assert text.rstrip().endswith("5. e")
    assert "docstead-number" not in text


PARTS = st.lists(
    st.sampled_from(["item", "deeper", "bullet", "text"]), min_size=1, max_size=14
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(PARTS)
def test_numbers_are_those_that_word_shows(parts: list[str]) -> None:
    """Each list begins with the number that its first item has in Word, which counts on."""
    paragraphs, shown, count, deep = [], [], 0, 0
    for at, part in enumerate(parts):
        if part == "deeper" and (at == 0 or parts[at - 1] not in ("item", "deeper")):
            # A level that is skipped is none.
            part = parts[at] = "item"
        if part == "text":
            paragraphs.append(word_paragraph(f"w{at}"))
            continue
        level = 1 if part == "deeper" else 0
        paragraphs.append(item(f"w{at}", level, part != "bullet"))
        if part == "item":
            count, deep = count + 1, 0
            shown.append((f"w{at}", count))
        elif part == "deeper":
            deep += 1
    text = markdown_of(*paragraphs)
    assert "docstead-number" not in text
    numbered = dict(_numbers(children_of(parse_document(text)), top=True))
    for word, number in shown:
        assert numbered.get(word) == number, (text, shown)


def _numbers(nodes: list[Node], *, top: bool) -> list[tuple[str, int]]:
    """First words of items of ordered lists at the top, with the numbers that they have."""
    found = []
    for node in nodes:
        if node["type"] == "list-ordered" and top:
            data = node.get("data")
            start = data.get("start", 1) if isinstance(data, dict) else 1
            for place, one in enumerate(children_of(node)):
                text = plain_text(children_of(one)[0])
                found.append((text, int(str(start)) + place))
    return found


def test_a_list_that_begins_anew() -> None:
    """Another list of the same kind that says where it begins."""
    numbering = _numbering('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')
    other = item("c", ordered=True).replace('numId w:val="2"', 'numId w:val="3"')
    body = item("a", ordered=True) + item("b", ordered=True) + word_paragraph("x") + other
    (page,) = read_docx(docx(body, numbering=numbering), "a.docx", SourceLimits()).pages
    assert page.markdown.rstrip().endswith("7. c")


def _numbering(override: str) -> str:
    with zipfile.ZipFile(io.BytesIO(docx(""))) as package:
        own = package.read("word/numbering.xml").decode()
    number = f'<w:num w:numId="3"><w:abstractNumId w:val="2"/>{override}</w:num>'
    return own.replace("</w:numbering>", f"{number}</w:numbering>")


def test_levels_that_word_does_not_have_are_not_counted() -> None:
    """Of each level a count is kept, and those of the deeper ones end with each item: levels
    without end would take the square of their number."""
    items = "".join(item(f"w{level}", level, True) for level in range(200))
    root = parse_xml(f"<w:body {NAMESPACES}>{items}</w:body>".encode(), "word/document.xml")
    assert [level for _, _, level in word_numbers._items(root, {})] == list(range(9))
    assert "w199" in markdown_of(items)
