"""The layout that CONTRIBUTING.md describes: names that are ours alone, and modules of one subject.

The direction of imports is checked by import-linter (`make check`).
"""

import importlib.util
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from tests.slow import SLOW

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "docstead",
    "published",
    "rest_compat",
    "schema",
    "jobs",
    "resolvers",
    "db",
    "content",
    "fetching",
)
MOST_LINES = 500
STARTS_PROGRAMS = re.compile(
    r"subprocess|run_node|TemporaryPostgres\(|test_serve import|playwright"
)
SLOW_FILES = [name.partition("::")[0] for name in SLOW]
# A module that needs such a name has no subject yet.
NAMES_WITHOUT_SUBJECT = {"utils", "util", "helpers", "common", "base", "manager", "service"}


def modules() -> list[Path]:
    """Every Python file of the product but the migrations, relative to the repository."""
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path.relative_to(ROOT) for path in found if "migrations" not in path.parts)


def test_list_of_packages_is_the_one_that_is_installed_and_layered() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    patterns = project["setuptools"]["packages"]["find"]["include"]
    assert sorted(patterns) == sorted(f"{package}*" for package in PACKAGES)
    assert sorted(project["importlinter"]["root_packages"]) == sorted(PACKAGES)
    assert set(project["mypy"]["packages"]) >= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_offers_our_name(package: str) -> None:
    assert set(packages_distributions().get(package, [])) <= {"docstead"}


@pytest.mark.parametrize("package", PACKAGES)
def test_name_is_found_in_the_repository(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin == str(ROOT / package / "__init__.py")


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in modules()}
    missing = [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()]
    assert missing == []


def test_package_files_are_empty() -> None:
    packages = [path for path in modules() if path.name == "__init__.py"]
    assert len(packages) >= len(PACKAGES)
    assert [str(path) for path in packages if (ROOT / path).read_text()] == []


def test_modules_are_short() -> None:
    lengths = {str(path): len((ROOT / path).read_text().splitlines()) for path in modules()}
    too_long = {path: lines for path, lines in lengths.items() if lines > MOST_LINES}
    assert too_long == {}, f"split by resource or subject; at most {MOST_LINES} lines"


def test_modules_are_named_after_a_subject() -> None:
    allowed = {Path("db/base.py")}  # SQLAlchemy's word for the root of the models
    nameless = [
        str(path)
        for path in modules()
        if path not in allowed
        and NAMES_WITHOUT_SUBJECT & {path.stem, *path.parent.parts, *path.stem.split("_")}
    ]
    assert nameless == []


def test_no_requirement_names_a_package_index() -> None:
    named = [
        f"{path.name}: {line}"
        for path in sorted((ROOT / "requirements").glob("*.txt"))
        for line in path.read_text().splitlines()
        if "://" in line or line.startswith(("-i", "--index", "--extra-index", "--find-links"))
    ]
    assert named == []


def test_slow_tests_exist() -> None:
    for name in SLOW:
        path, _, function = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not function or f"def {function}(" in (ROOT / path).read_text(), name


def test_tests_that_start_programs_are_slow() -> None:
    """`make quick` starts none but those that the product starts."""
    paths = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    starting = [
        f"{path.relative_to(ROOT)}" for path in paths if STARTS_PROGRAMS.search(path.read_text())
    ]
    assert len(starting) > 10
    assert [path for path in starting if not any(map(path.startswith, SLOW_FILES))] == []


# What rooms are made of: open to all that stands above.
FLOORS = {"core", "access", "lists", "addresses", "revisions", "drafts"}


def contracts(kind: str) -> list[dict[str, Any]]:
    """The contracts of import-linter of one type."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    return [one for one in project["importlinter"]["contracts"] if one["type"] == kind]


def test_every_room_is_a_floor_or_has_a_door() -> None:
    rooms = {
        path.name for path in (ROOT / "resolvers").iterdir() if (path / "__init__.py").exists()
    }
    with_door = {
        one["protected_modules"][0].removeprefix("resolvers.") for one in contracts("protected")
    }
    assert with_door == rooms - FLOORS


def test_doors_are_of_their_room_and_nobody_else_has_a_key() -> None:
    for one in contracts("protected"):
        (room,) = one["protected_modules"]
        assert one["allowed_importers"] == [room]
        assert all(line.startswith(f"** -> {room}.") for line in one["ignore_imports"]), room
