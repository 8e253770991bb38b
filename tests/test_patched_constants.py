"""A constant that a test changes stays in no statement that outlives the test.

Statements are compiled once in a process, with the numbers that their modules had then: with the
one of the test, which is wrong for all tests after it, or with the usual one, when another test was
before. Such a test compiles a statement of its own.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from resolvers.core.statements import Statement

TESTS = Path(__file__).parent


def imported(tree: ast.Module) -> dict[str, str]:
    """What the names of a file stand for, dotted."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                found[one.asname or one.name] = f"{node.module}.{one.name}"
        if isinstance(node, ast.Import):
            found |= {one.asname or one.name: one.name for one in node.names}
    return found


def patched(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that is set in something: what it is written as, and the name."""
    # Of a loop over modules, each of them.
    loops = {
        node.target.id: [ast.unparse(one) for one in node.iter.elts]
        for node in ast.walk(tree)
        if isinstance(node, ast.For)
        and isinstance(node.target, ast.Name)
        and isinstance(node.iter, ast.Tuple)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(".setattr"):
            continue
        written = node.args[0] if node.args else None
        if isinstance(written, ast.Constant):
            # The whole name, as a text.
            path, _, name = str(written.value).rpartition(".")
            yield path, name
        elif len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            place = ast.unparse(node.args[0])
            for one in loops.get(place, [place]):
                yield one, str(node.args[1].value)


def module_of(place: str, names: dict[str, str]) -> ModuleType | None:
    first, _, rest = place.partition(".")
    path = names.get(first, first) + (f".{rest}" if rest else "")
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def names_in(code: CodeType) -> set[str]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*map(names_in, inner))


def uses(function: Any, module: ModuleType, name: str, seen: set[Any]) -> bool:
    """Whether a function, or one of its module that it calls, reads a name of the module."""
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType) or function in seen:
        return False
    seen.add(function)
    if function.__module__ != module.__name__:
        return False
    used = names_in(function.__code__)
    return name in used or any(uses(vars(module).get(one), module, name, seen) for one in used)


def built_with(module: ModuleType, name: str) -> list[str]:
    """The statements of a module that are built with a constant of it."""
    return [
        key
        for key, value in vars(module).items()
        if isinstance(value, Statement) and uses(value.build, module, name, set())
    ]


def wrong(text: str) -> set[str]:
    """Constants that a file changes for statements that it does not build anew."""
    tree = ast.parse(text)
    names, changed = imported(tree), [*patched(tree)]
    own = {name for _, name in changed}
    found = set()
    for place, name in changed:
        module = module_of(place, names) if name.isupper() else None
        if module is not None:
            found |= {f"{name} in {one}" for one in built_with(module, name) if one not in own}
    return found


def files() -> list[Path]:
    return [file for file in sorted(TESTS.rglob("*.py")) if ".setattr(" in file.read_text("utf-8")]


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(TESTS)))
def test_no_statement_keeps_what_a_test_has_changed(file: Path) -> None:
    assert wrong(file.read_text("utf-8")) == set()


def test_it_is_seen() -> None:
    text = "from resolvers.search import spellings\n"
    text += 'monkeypatch.setattr(spellings, "READ", 5)\n'
    assert wrong(text) == {"READ in _with_letters"}
    as_text = 'monkeypatch.setattr("resolvers.search.spellings.READ", 5)\n'
    assert wrong(as_text) == {"READ in _with_letters"}
    text += 'monkeypatch.setattr(spellings, "_with_letters", statement(build))\n'
    assert wrong(text) == set()
