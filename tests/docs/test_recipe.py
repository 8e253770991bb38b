"""CONTRIBUTING.md's recipe for an operation is true to the letter.

In a copy of the repository the operation of the recipe is taken out, the steps are followed as they
are written, and the tests that hold operations together pass.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "CONTRIBUTING.md").read_text().partition("## How to add one operation")[2]
BLOCKS = [
    re.sub(r"^   ", "", block, flags=re.MULTILINE).strip()
    for block in re.findall(r"   ```\w+\n(.*?)   ```", RECIPE, re.DOTALL)
]
FUNCTION, FIELD, ROW, *TEST = BLOCKS
OPERATION = "deleteSiteById"
WEAKEST = f'"{OPERATION}": "creator",'
CHECKS = (
    "tests/test_layout.py",
    # Names of locals are those of the repository, whose test walks over all functions.
    "--deselect=tests/test_layout.py::test_locals_say_what_they_hold",
    # That the document is valid is shown in the repository, where it is the same.
    "tests/test_snapshots.py::test_snapshot_is_current",
    "tests/test_authorization.py::test_every_operation_is_listed",
    "tests/rest_compat/test_coverage.py",
    # Its writes are asked when the answer is written.
    "tests/rest_compat/test_answers.py::test_reads",
    "tests/rest_compat/test_answers.py::test_every_operation_has_an_answer_and_no_other",
)
# What is run in the copy imports its modules once: for the answer, for both snapshots, and for the
# tests behind them. The tests that write the answer read a variable where they are imported.
ANSWER_SNAPSHOTS_AND_TESTS = """
import contextlib, os, sys
from docstead.cli import main
from rest_compat.app import v1_routes
import pytest
written, *tests = sys.argv[1:]
options = {options}
if os.fork() == 0:
    os.environ["DOCSTEAD_TEST_WRITE_ANSWERS"] = written
    os._exit(pytest.main([*options, "tests/rest_compat/test_answers.py::test_writes"]))
os.wait()
for command, file in (("sdl", "schema/schema.graphql"), ("openapi", "rest_compat/openapi.json")):
    with open(file, "w") as out, contextlib.redirect_stdout(out):
        try:
            main([command])
        except SystemExit as ended:
            assert not ended.code, command
sys.exit(pytest.main([*options, *tests]))
"""
OPTIONS = ["-q", "-n", "0", "-p", "no:cacheprovider"]
# A plugin of pytest is among what is imported.
EARLY = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]


class Copy:
    """A copy of the repository, with the commands of the recipe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # With what is compiled, but not while it is written.
        shutil.copytree(
            ROOT, folder, symlinks=True,
            ignore=shutil.ignore_patterns(".*", "node_modules", "*.pyc.*", "*.egg-info"),
        )  # fmt: skip
        self.environment = {**os.environ, "DOCSTEAD_TEST_DATABASES": "sqlite"}

    def take_out(self, file: str, text: str) -> None:
        """Remove a text that stands there once."""
        path = self.folder / file
        before, found, after = path.read_text().partition(text)
        assert found, f"{file} has no {text!r}"
        assert text not in after
        path.write_text(before.rstrip(" ") + after.removeprefix("\n"))

    def put_in(self, file: str, mark: str, text: str) -> None:
        """Put a text behind the first line with a mark, indented as what stands there."""
        path = self.folder / file
        lines = path.read_text().splitlines()
        at = next(number for number, line in enumerate(lines) if mark in line) + 1
        indent = re.match(r" *", lines[at])[0]  # type: ignore[index]
        lines[at:at] = [indent + line for line in text.splitlines()]
        path.write_text("\n".join(lines) + "\n")

    def write_and_check(self, answer: str, *tests: str) -> "subprocess.CompletedProcess[str]":
        """Write an answer and the snapshots, and run tests."""
        program = ANSWER_SNAPSHOTS_AND_TESTS.replace("{options}", repr([*EARLY, *OPTIONS]))
        return self._run("-c", program, answer, *tests)

    def check(self, *tests: str) -> "subprocess.CompletedProcess[str]":
        return self._run("-m", "pytest", *OPTIONS, *tests)

    def _run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=self.environment, check=False,
            capture_output=True, text=True, timeout=800,
        )  # fmt: skip


@pytest.mark.timeout(1800)
def test_an_operation_that_follows_the_recipe_is_accepted(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy")
    copy.take_out("schema/mutation.py", FIELD)
    copy.take_out("rest_compat/routes/sites/sites.py", ROW)
    copy.take_out("tests/test_authorization.py", WEAKEST)
    answer = copy.folder / "tests" / "rest_compat" / "answers" / f"{OPERATION}.json"
    committed = answer.read_text()
    answer.unlink()
    missing = copy.check(
        "tests/rest_compat/test_coverage.py", "tests/test_snapshots.py::test_snapshot_is_current"
    )
    assert OPERATION in missing.stdout, missing.stdout[-3000:]

    # 1 and 4: the function and its test.
    assert FUNCTION in (copy.folder / "resolvers/sites/operations.py").read_text()
    for block in TEST:
        lines = [line.strip() for line in block.splitlines()]
        test = (copy.folder / "tests/resolvers/sites/test_sites.py").read_text()
        assert all(line in test for line in lines), block
    # 2, 3 and 5: the line of schema, the row, the weakest caller.
    copy.put_in("schema/mutation.py", "class Mutation", FIELD)
    copy.put_in("rest_compat/routes/sites/sites.py", "ROUTES = (", ROW)
    copy.put_in("tests/test_authorization.py", "WEAKEST = {", WEAKEST)
    # 6 and 7: the answer, and the snapshots.
    # `make answers` asks all others, too: the reads are asked by the checks, and the other writes,
    # which each begin with the same content, by this very test in the repository itself.
    done = copy.write_and_check(OPERATION, *CHECKS)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert answer.read_text() == committed
