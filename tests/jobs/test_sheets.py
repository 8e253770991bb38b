"""What is on the sheets of PDFs: nothing is cut off, and nothing stands there for nobody."""

import io
from pathlib import Path
from typing import cast

import pytest
from pypdf import PdfReader
from pypdf.generic import ArrayObject

from content.pdf.job import IMAGES, JOB_FILE, KnownPage, write_job
from jobs.print_process import run_print_process
from tests.jobs.test_printing import GENEROUS, make_job

MARGIN = 20 / 25.4 * 72
WORDS = ["some words", "averyveryverylongword", "x", "wordswords", "`code_with_underscores`"]


async def drawn(markdown: str, folder: Path) -> PdfReader:
    (folder / IMAGES).mkdir()
    job = make_job(markdown, known_pages={"a": KnownPage("A page", "a")})
    (folder / JOB_FILE).write_bytes(write_job(job))
    pdf = await run_print_process(folder, GENEROUS)
    return PdfReader(io.BytesIO(pdf.read_bytes()))


def beginnings(pdf: PdfReader) -> dict[str, float]:
    """Where the text of each piece begins, counted from the left edge of its sheet."""
    found: dict[str, float] = {}
    for sheet in pdf.pages:

        def visit(text: str, matrix: list[float], place: list[float], *_: object) -> None:
            if text.strip():
                found[text.strip()] = matrix[0] * place[4] + matrix[4]

        sheet.extract_text(visitor_text=visit)
    return found


@pytest.mark.parametrize("columns", [5, 12, 16, 40])
async def test_all_columns_of_a_table_are_on_the_sheet(columns: int, tmp_path: Path) -> None:
    cells = [WORDS[number % len(WORDS)] for number in range(columns - 1)] + ["zz"]
    lines = [["h"] * columns, ["--"] * columns, cells, cells]
    pdf = await drawn("\n".join(f"| {' | '.join(line)} |" for line in lines), tmp_path)
    (sheet,) = pdf.pages
    places = beginnings(pdf)
    last = next(place for text, place in places.items() if text.endswith("zz"))
    assert last < float(sheet.mediabox.width) - MARGIN - 5


async def test_a_note_has_no_way_back_which_could_stand_on_a_sheet_of_its_own(
    tmp_path: Path,
) -> None:
    pdf = await drawn("Word[^1]\n\n[^1]: The note.\n", tmp_path)
    (sheet,) = pdf.pages
    text = sheet.extract_text()
    assert "The note." in text
    assert "↩" not in text


async def test_text_from_right_to_left_begins_at_the_right(tmp_path: Path) -> None:
    pdf = await drawn("שלום world.\n\nplain שלום\n", tmp_path)
    places = beginnings(pdf)
    hebrew = [place for text, place in places.items() if "world" in text]
    plain = [place for text, place in places.items() if "plain" in text]
    assert hebrew[0] > 300
    assert plain[0] < 100


async def test_links_to_the_title_of_a_page_lead_to_its_beginning(tmp_path: Path) -> None:
    links = "[up](#a-page) [Up](#A_Page) [on](#PART)"
    pdf = await drawn("word\n\n" * 80 + f"## Part\n\n{links}\n", tmp_path)
    *_, last = pdf.pages
    links_of_it = [note.get_object() for note in cast("ArrayObject", last["/Annots"])]
    ends = [pdf.named_destinations[link["/Dest"]] for link in links_of_it]
    sheets = [pdf.get_destination_page_number(end) for end in ends]
    assert sheets == [0, 0, pdf.get_page_number(last)]
    assert len(pdf.pages) > 1
