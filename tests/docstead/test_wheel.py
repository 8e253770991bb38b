"""The wheel, installed where nothing else is: the demo runs, and foreign packages are noticed."""

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from docstead.packages import PACKAGES, foreign_packages
from tests.docstead.test_serve import environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, and the requirements of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ":!tests"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, files):
        if (ROOT / name).is_file():
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "source" / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    building = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder)]
    subprocess.run([*pip, *building, str(folder / "source")], check=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", symlinks=True)
    python = str(folder / "venv/bin/python")
    subprocess.run(
        [*pip, "--python", python, "install", "--no-deps", "--no-index", str(wheel)],
        check=True, timeout=120,
    )  # fmt: skip
    (packages,) = (folder / "venv/lib").glob("python*/site-packages")
    # A path alone: the links of editable installations in it are not followed.
    (packages / "requirements.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "venv"


def docstead(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(installed / "bin/docstead"), *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
        env=environment() | {"PYTHONPATH": ""},
    )  # fmt: skip


def test_the_demo_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = docstead(installed, tmp_path, "demo", "--no-serve", "--json", "--data-dir", "data")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["site"]


def test_a_foreign_package_is_one_clear_line(installed: Path, tmp_path: Path) -> None:
    (packages,) = (installed / "lib").glob("python*/site-packages")
    own = packages / "schema"
    aside = own.rename(tmp_path / "schema")
    (packages / "schema.py").write_text("")
    try:
        done = docstead(installed, tmp_path, "--version")
    finally:
        (packages / "schema.py").unlink()
        aside.rename(own)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert f"schema ({packages / 'schema.py'})" in line
    assert "pipx install" in line
    assert docstead(installed, tmp_path, "--version").stdout.startswith("docstead ")


def test_which_packages_are_foreign(tmp_path: Path) -> None:
    assert foreign_packages() == []
    assert foreign_packages(home=tmp_path) == [
        f"{name} ({ROOT / name / '__init__.py'})" for name in PACKAGES
    ]
    assert foreign_packages(["no_such_package"]) == ["no_such_package (missing)"]
