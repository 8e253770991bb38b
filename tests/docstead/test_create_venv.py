"""Which interpreter `make` takes for the virtual environment."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "requirements" / "create-venv"
# An interpreter that takes as long as it says for plain work, and writes where it is asked to
# create an environment.
INTERPRETER = """#!/bin/bash
case "$*" in
  *process_time*) echo {time} ;;
  "-m venv"*) mkdir -p "${{@: -1}}"; echo "$0" > "${{@: -1}}/chosen" ;;
  *ensurepip*) exit {without_venv} ;;
  *sys.exit*) exit {is_old} ;;
  *) echo {version} ;;
esac
"""


def interpreter(
    folder: Path, name: str, time: int, *, version: str = "3.12", has_venv: bool = True
) -> None:
    folder.mkdir(exist_ok=True)
    is_old = int(tuple(map(int, version.split("."))) < (3, 11))
    text = INTERPRETER.format(
        time=time, version=version, without_venv=int(not has_venv), is_old=is_old
    )
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def create(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What it says with the interpreters of the folders `first` and `second`, in this order, and
    none of this machine."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for tool in ("mkdir", "rm"):
        if not (tools / tool).exists():
            (tools / tool).symlink_to(str(shutil.which(tool)))
    path = os.pathsep.join(map(str, (folder / "first", folder / "second", tools)))
    return subprocess.run(
        ["/bin/bash", SCRIPT, folder / "venv", *arguments],
        env={"PATH": path}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def chosen(folder: Path) -> str:
    return str(Path((folder / "venv" / "chosen").read_text().strip()).relative_to(folder))


@pytest.mark.parametrize(
    ("first", "second", "expected"), [(150, 100, "second"), (110, 100, "first"), (90, 100, "first")]
)
def test_of_one_version_it_is_the_faster(
    tmp_path: Path, first: int, second: int, expected: str
) -> None:
    interpreter(tmp_path / "first", "python3.12", first)
    interpreter(tmp_path / "second", "python3.12", second)
    # An older one is not looked at, however fast it is.
    interpreter(tmp_path / "second", "python3.11", 1, version="3.11")
    said = create(tmp_path)
    assert said.returncode == 0, said.stderr
    assert chosen(tmp_path) == f"{expected}/python3.12"
    assert "(Python 3.12)" in said.stdout


def test_one_that_cannot_create_it_is_passed_over(tmp_path: Path) -> None:
    interpreter(tmp_path / "first", "python3.12", 100, has_venv=False)
    interpreter(tmp_path / "second", "python3.12", 300)
    assert create(tmp_path).returncode == 0
    assert chosen(tmp_path) == "second/python3.12"


def test_who_names_one_gets_it(tmp_path: Path) -> None:
    interpreter(tmp_path / "first", "python3.12", 100)
    interpreter(tmp_path / "second", "mine", 900, version="3.11")
    assert create(tmp_path, str(tmp_path / "second" / "mine")).returncode == 0
    assert chosen(tmp_path) == "second/mine"


def test_without_a_suitable_one_it_says_what_is_missing(tmp_path: Path) -> None:
    nothing = create(tmp_path)
    assert nothing.returncode == 1
    assert "none of these runs: python3.14 python3.13" in nothing.stderr
    interpreter(tmp_path / "first", "python3", 100, version="3.10")
    old = create(tmp_path)
    assert old.returncode == 1
    assert f"found only: {tmp_path}/first/python3 (Python 3.10)." in old.stderr
    interpreter(tmp_path / "second", "python3.11", 100, version="3.11", has_venv=False)
    without = create(tmp_path)
    assert without.returncode == 1
    assert "apt-get install python3.11-venv" in without.stderr
    assert not (tmp_path / "venv").exists()


def test_plain_work_is_timed_by_a_real_interpreter(tmp_path: Path) -> None:
    work = SCRIPT.read_text().partition("plain_work='")[2].partition("'")[0]
    timed = subprocess.run(
        [sys.executable, "-c", work], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(timed.stdout) > 0
