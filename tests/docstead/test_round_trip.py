"""`docstead round-trip`: a report that stores nothing."""

import json
from pathlib import Path

from tests.docstead.command_line import docstead


def test_report(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Home\n\n* canonical\n")
    (tmp_path / "page.md").write_text("# Page\n\n- own \\(style) (style\\)\n\nA\n=\n")
    (tmp_path / "links.md").write_text("# Links\n\n[a][b] \x1b[31m\n\n[b]: https://c.example\n")
    done = docstead("round-trip", str(tmp_path), "--json")
    value = json.loads(done.out)
    assert done.status == 0
    names = ("pages", "identicalFromJson", "identicalWithStoredMarkdown", "sameDocument")
    assert [value[name] for name in names] == [3, 2, 3, 3]
    assert value["editsLeaveTheRest"] == 3
    assert {entry["kind"] for entry in value["differences"]} >= {"link references"}
    output = docstead("round-trip", str(tmp_path)).out
    assert "identical from the JSON document alone            2   66.7 %" in output
    assert "\x1b" not in output


def test_a_source_that_is_none(tmp_path: Path) -> None:
    done = docstead("round-trip", str(tmp_path / "missing"))
    assert (done.status, done.out) == (1, "")
    assert "missing" in done.err
