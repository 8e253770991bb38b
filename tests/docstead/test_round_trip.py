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


def test_what_stays_markdown_and_why(tmp_path: Path) -> None:
    body = (
        "<!-- a -->\n\n{% foreign-tag %}\n{% endhint %}\n\n<center>b</center>\n\n[c]: d\n\n"
        "Text <custom>e</custom>[^1] and [^1]\n\n[^1]: note\n"
    )
    (tmp_path / "README.md").write_text(f"# Home\n\n{body}")
    (tmp_path / "b.md").write_text("# B\n\n<!-- again -->\n\n* plain\n")
    value = json.loads(docstead("round-trip", str(tmp_path), "--json").out)
    kept = {entry["kind"]: entry for entry in value["staysMarkdown"]}
    assert {kind: entry["count"] for kind, entry in kept.items()} == {
        "comments": 2, "tag foreign-tag": 1, "tag hint": 1, "HTML center": 1,
        "definitions of links": 1, "HTML custom": 2, "notes": 1,
    }  # fmt: skip
    assert kept["comments"]["pages"] == 2
    assert kept["comments"]["examples"][0] == {"path": "README.md", "source": "<!-- a -->"}
    assert "does not have the tag" in kept["tag foreign-tag"]["reason"]
    assert "start or end is missing" in kept["tag hint"]["reason"]
    shown = docstead("round-trip", str(tmp_path)).out
    assert "what stays Markdown in the documents" in shown
    assert "they are for authors" in shown


def test_a_source_that_is_none(tmp_path: Path) -> None:
    done = docstead("round-trip", str(tmp_path / "missing"))
    assert (done.status, done.out) == (1, "")
    assert "missing" in done.err
