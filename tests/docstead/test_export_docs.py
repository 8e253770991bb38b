"""`docstead export-docs` and `import-docs --space`: what is in a folder, and what changes of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.docstead.command_line import docstead

FILES = {
    "README.md": b"# Home\r\n\r\nSee [a](a.md).\r\n",
    "SUMMARY.md": b"# Contents\n- [Home](README.md)\n- [A](a.md)\n  - [B](a/b.md)\n",
    "a.md": b"---\nicon: house # of us\n---\n# A\n\n1) one\n2) two",
    "a/b.md": b"# B\n\n![](../.gitbook/assets/x%20y.png) [A](../a.md#one)\n",
    ".gitbook/assets/x y.png": b"\x89PNG",
    "Makefile": b"all:\n",
}


def run_json(*arguments: str) -> Any:
    done = docstead(*arguments, "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".docstead-export.json"
    }


@pytest.fixture
def data(tmp_path: Path, migrated_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DOCSTEAD_DATA_DIR", str(migrated_data))
    return tmp_path


@pytest.fixture
def space(data: Path) -> str:
    made = run_json("init", "--email", "a@x.org", "--name", "A", "--organization", "Acme")
    write(data / "docs", FILES)
    id = made["organization"]["id"]
    return str(run_json("import-docs", str(data / "docs"), "--organization", id)["space"]["id"])


def test_what_nobody_has_changed_stays_and_comes_back(data: Path, space: str) -> None:
    assert run_json("export-docs", space, str(data / "docs"))["changes"] == []
    assert contents(data / "docs") == FILES
    assert not (data / "docs" / ".docstead-export.json").exists()
    run_json("export-docs", space, str(data / "new"))
    written = contents(data / "new")
    assert written.keys() == FILES.keys() - {"Makefile"}
    assert written["a/b.md"] == FILES["a/b.md"]
    assert run_json("export-docs", space, str(data / "new"))["changes"] == []
    # What was written reads as the space that it was.
    again = run_json("import-docs", str(data / "new"), "--space", space, "--dry-run")
    assert [one["change"] for one in again["changes"] if one["kind"] == "page"] == []


def test_people_read_what_a_plan_does_in_words(data: Path, space: str) -> None:
    exported = docstead("export-docs", space, str(data / "new"))
    assert "  created  path              a/b.md\n" in exported.out
    write(data / "new", {"a.md": b"# Another\n"})
    update = docstead("import-docs", str(data / "new"), "--space", space, "--dry-run")
    assert "  updated  page " in update.out
    for said in (exported.out, update.out):
        assert "Git" not in said.replace(str(data), "")


def test_an_update_says_first_what_changes_and_an_export_follows(data: Path, space: str) -> None:
    docs = data / "docs"
    run_json("export-docs", space, str(data / "out"))
    (docs / "a" / "b.md").unlink()
    (docs / "a").rmdir()
    (docs / "c.md").write_bytes(b"# C\n\nNew.\n")
    (docs / "SUMMARY.md").write_bytes(b"- [Home](README.md)\n- [A](a.md)\n- [C](c.md)\n")
    plan = run_json("import-docs", str(docs), "--space", space, "--dry-run")
    assert plan["counts"] == {"page created": 1, "page deleted": 1}
    assert run_json("export-docs", space, str(data / "out"))["changes"] == []
    done = docstead("import-docs", str(docs), "--space", space)
    assert done.status == 0, done.err
    assert "1 page created, 1 page deleted" in done.err
    assert not run_json("import-docs", str(docs), "--space", space)["changed"]
    (data / "out" / "mine.txt").write_text("mine")
    dry = run_json("export-docs", space, str(data / "out"), "--dry-run")
    assert dry["counts"] == {"path created": 1, "path deleted": 1, "path updated": 1}
    assert (data / "out" / "a" / "b.md").exists()
    assert run_json("export-docs", space, str(data / "out"))["counts"] == dry["counts"]
    assert not (data / "out" / "a").exists()
    assert (data / "out" / "mine.txt").read_text() == "mine"
    assert (data / "out" / "c.md").read_bytes() == b"# C\n\nNew.\n"


def test_what_somebody_has_changed_is_not_deleted(data: Path, space: str) -> None:
    docs, out = data / "docs", data / "out"
    run_json("export-docs", space, str(out))
    (out / "a" / "b.md").write_bytes(b"# B\n\nMine now.\n")
    (docs / "SUMMARY.md").write_bytes(b"- [Home](README.md)\n- [A](a.md)\n")
    (docs / "a" / "b.md").unlink()
    run_json("import-docs", str(docs), "--space", space)
    assert run_json("export-docs", space, str(out))["kept"] == ["a/b.md"]
    assert (out / "a" / "b.md").read_bytes() == b"# B\n\nMine now.\n"


def test_the_same_documentation_makes_no_second_space_unless_asked(data: Path, space: str) -> None:
    organization = run_json("init", "--email", "b@x.org", "--name", "B", "--organization", "Other")
    other = organization["organization"]["id"]
    first = run_json("import-docs", str(data / "docs"), "--organization", other)["space"]["id"]
    assert first != space
    done = docstead("import-docs", str(data / "docs"), "--organization", other)
    assert done.status == 1
    assert f"the space {first} has this documentation already" in done.err
    again = run_json("import-docs", str(data / "docs"), "--organization", other, "--new")
    assert again["space"]["id"] != first


def test_a_foolish_source_changes_nothing(data: Path, space: str) -> None:
    (data / "empty").mkdir()
    write(data / "code", {"main.c": b"int main;"})
    for place, problem in (("empty", "there is nothing"), ("code", "there are 1 .c")):
        done = docstead("import-docs", str(data / place), "--space", space)
        assert done.status == 1
        assert "there is no page in the source" in done.err
        assert problem in done.err
    assert run_json("export-docs", space, str(data / "docs"))["changes"] == []


def test_links_in_a_folder_are_not_followed(data: Path, space: str) -> None:
    (data / "elsewhere").mkdir()
    (data / "out").mkdir()
    (data / "out" / "a").symlink_to(data / "elsewhere")
    done = docstead("export-docs", space, str(data / "out"))
    assert done.status == 1
    assert "is a symbolic link, which is not followed" in done.err
    assert list((data / "elsewhere").iterdir()) == []


def test_the_folder_of_another_space_is_refused(data: Path, space: str) -> None:
    run_json("export-docs", space, str(data / "out"))
    record = data / "out" / ".docstead-export.json"
    record.write_text(record.read_text().replace(space, "0WZ3Yq8sT1aBcD2eF3gH"))
    done = docstead("export-docs", space, str(data / "out"))
    assert done.status == 1
    assert "has the space '0WZ3Yq8sT1aBcD2eF3gH'" in done.err
