"""The layout that CONTRIBUTING.md describes: names that are ours alone, and modules of one subject.

The direction of imports is checked by import-linter (`make check`).
"""

import ast
import importlib.util
import re
import tomllib
from collections.abc import Iterable
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import grimp
import pytest
from grimp import ImportGraph, build_graph

from tests.slow import SLOW

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "docstead",
    "published",
    "account_pages",
    "rest_compat",
    "schema",
    "jobs",
    "resolvers",
    "db",
    "content",
    "fetching",
    "runtime",
)
MOST_LINES = 500
STARTS_PROGRAMS = re.compile(
    r"subprocess|run_node|TemporaryPostgres\(|test_serve import|tests\.forked import|playwright"
)
# Letters in place of the end of a text.
FORGES = re.compile(r"""\[:-\d+\](?:\}[0-9A-Za-z]| \+ (?:f?["'][0-9A-Za-z]|\())""")
# In lists of signs, which are no expressions, nothing stands between the parentheses.
POSSESSIVE = re.compile(r"(?<![\\(\[])\)(?:[*+?]|\{[0-9]*,?[0-9]*\})\+")
SLOW_FILES = [name.partition("::")[0] for name in SLOW]
# A module that needs such a name has no subject yet.
NAMES_WITHOUT_SUBJECT = {"utils", "util", "helpers", "common", "base", "manager", "service"}

# A parameter or local that is called so does not say what it holds: a row, a page, a role.
MEANINGLESS = {"asked", "found", "given", "kept", "known", "made", "one", "told", "wanted"}


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
    allowed = {
        Path("db/base.py"),  # SQLAlchemy's word for the root of the models
        Path("resolvers/tokens/service_accounts.py"),  # what everybody calls these accounts
    }
    nameless = [
        str(path)
        for path in modules()
        if path not in allowed
        and NAMES_WITHOUT_SUBJECT & {path.stem, *path.parent.parts, *path.stem.split("_")}
    ]
    assert nameless == []


def test_modules_import_each_other_in_no_circle() -> None:
    """Imports for types alone count, and so do those inside of functions."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    # Cells hold blocks: tables get their merge as an argument.
    graph.remove_import(importer="content.merge.tables", imported="content.merge.blocks")
    TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    ).prepare()


def names_of_locals(source: str) -> set[str]:
    """Names of the parameters and locals of all functions in a module."""
    names = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.arg):
                    names.add(node.arg)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.add(node.id)
    return names


def test_locals_say_what_they_hold() -> None:
    named = {str(path): names_of_locals((ROOT / path).read_text()) for path in modules()}
    assert {"ctx", "rows"} <= set.union(*named.values())
    meaningless = {
        path: sorted(names & MEANINGLESS) for path, names in named.items() if names & MEANINGLESS
    }
    assert meaningless == {}


def test_locals_of_the_workbench_say_what_they_hold() -> None:
    words = "|".join(MEANINGLESS)
    name = re.compile(
        rf"\b(?:const|let) [\[{{]?(?:{words})\b|\((?:{words})(?::|, \w+|\)) =>|\b(?:{words}) =>"
    )
    sources = [path for path in (ROOT / "app/src").rglob("*.ts*") if "generated" not in path.parts]
    assert len(sources) > 100
    meaningless = {
        f"{path.relative_to(ROOT)}": matches
        for path in sources
        if (matches := name.findall(path.read_text()))
    }
    assert meaningless == {}


def test_no_requirement_names_a_package_index() -> None:
    named = [
        f"{path.name}: {line}"
        for path in sorted((ROOT / "requirements").glob("*.txt"))
        for line in path.read_text().splitlines()
        if "://" in line or line.startswith(("-i", "--index", "--extra-index", "--find-links"))
    ]
    assert named == []


def literals(path: Path) -> Iterable[tuple[int, str]]:
    """Texts of a module, with 0 for what is put into them, and their lines."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else 0 for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_groups_are_not_possessive() -> None:
    """Before Python 3.11.5 `(?:ab)*+` takes what the group has read before it failed, too; the
    atomic `(?>(?:ab)*)` means the same in all."""
    assert POSSESSIVE.search("(?:a|bc){0,2}+")
    assert not POSSESSIVE.search(r"[)]*+\)*+")
    wrong = [
        f"{path}:{line}"
        for path in modules()
        for line, text in literals(ROOT / path)
        if POSSESSIVE.search(text)
    ]
    assert wrong == []


def test_tokens_are_forged_in_one_way() -> None:
    """Random letters may be already what a test writes in their place."""
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FORGES.search(line)
    ]
    assert wrong == [], "tests/chance.py has `forged`"


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


def test_browsers_are_waited_for_without_texts_to_evaluate() -> None:
    """`wait_until` of tests/browser/conftest.py says why."""
    paths = list((ROOT / "tests" / "browser").glob("*.py"))
    assert any("wait_until(" in path.read_text() for path in paths)
    assert [path.name for path in paths if "wait_for_function" in path.read_text()] == []


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


# What stands above the rooms, and what knows all kinds of objects: both come through doors.
INTERFACES = (
    "schema", "rest_compat", "published", "account_pages", "resolvers.nodes",
    "resolvers.typed_fields",
)  # fmt: skip
DOORS = ("operations", "fields")
MOST_BESIDE = 3


@pytest.fixture(scope="module")
def imports() -> ImportGraph:
    return build_graph(*PACKAGES, cache_dir=None)


def is_in(module: str, packages: Iterable[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def test_at_most_three_modules_beside_a_door_are_used_from_outside(imports: ImportGraph) -> None:
    """What no interface calls is no door: it is there for other rooms, and for jobs."""
    seen = 0
    for one in contracts("protected"):
        (room,) = one["protected_modules"]
        users = {
            module: {
                user
                for user in imports.find_modules_that_directly_import(module)
                if not is_in(user, [room])
            }
            for module in imports.find_descendants(room)
        }
        open_modules = {module for module, by in users.items() if by}
        assert {line.removeprefix("** -> ") for line in one["ignore_imports"]} == open_modules
        beside = {
            module
            for module in open_modules
            if module.rpartition(".")[2] not in DOORS
            and not any(is_in(user, INTERFACES) for user in users[module])
        }
        assert len(beside) <= MOST_BESIDE, sorted(beside)
        seen += len(beside)
    assert seen > len(contracts("protected")) // 2
