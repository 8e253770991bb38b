"""Decision records are short, complete and listed."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent.parent / "docs" / "decisions"
RECORDS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
# A page.
MOST_LINES = 70


def test_every_number_is_there_once() -> None:
    numbers = [int(path.name[:4]) for path in RECORDS]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_fits_on_a_page_and_says_when_to_change_our_mind(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= MOST_LINES
    assert re.fullmatch(rf"# {int(path.name[:4])}\. \S.*", lines[0])
    headings = [line for line in lines if line.startswith("## ")]
    assert headings[0] == "## Decision"
    assert "## Change our mind" in headings


def test_index_lists_every_record_by_its_title() -> None:
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \|$", (FOLDER / "README.md").read_text(),
                      re.MULTILINE)  # fmt: skip
    assert [(number, name) for number, name, _ in rows] == [
        (path.name[:4], path.name) for path in RECORDS
    ]
    for _, name, title in rows:
        heading = (FOLDER / name).read_text().partition("\n")[0].partition(". ")[2]
        assert heading.startswith(title.split(",")[0]), name
