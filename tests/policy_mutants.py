"""A check of the tests of the policy, run by hand: `python -m tests.policy_mutants`.

Each condition of the rules is negated, moved by one or left out, one at a time, and the tests that
guard them must fail for it. A mutant is never written to a file. Where it is inside a function, a
fork of this process, which has imported everything, puts its code in place of the function's; what
is elsewhere, and what survives, is compiled by a process of its own that imports it anew.
Survivors are conditions that no test holds; docs/development.md says what to do with them.
"""

import argparse
import ast
import copy
import gc
import importlib
import importlib.abc
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHOSEN = "DOCSTEAD_POLICY_MUTANT"
TIMEOUT = 300

# Where conditions of the policy are, with the functions that hold them; all of them for None.
PLACES: dict[str, tuple[str, ...] | None] = {
    "resolvers/access/ranks.py": None,
    "resolvers/access/people_policy.py": None,
    "resolvers/access/site_policy.py": None,
    "resolvers/access/published_rows.py": None,
    "resolvers/access/policy.py": None,
    "resolvers/content/pages.py": (
        "_spaces", "_requests", "page_permissions", "_of_space", "_of_request",
    ),
    "resolvers/sites/fields.py": ("_holding", "site_permissions", "_rights_of"),
    "resolvers/change_requests/fields.py": ("rights_of", "change_request_permissions", "_ranks"),
    "resolvers/comments/fields.py": ("rights_of", "comment_rights"),
    "resolvers/spaces/fields.py": ("space_permissions", "_permissions"),
    "resolvers/spaces/collections.py": ("collection_permissions", "_permissions"),
    "resolvers/organizations/teams.py": ("team_permissions",),
    "resolvers/organizations/operations.py": (
        "organization_permissions", "_permissions", "_owned_teams",
    ),
}  # fmt: skip
# Functions of these modules that decide how rows are read, not which.
NOT_RULES = {"resolvers/access/policy.py": ("_read",)}

# What may be left out without a difference. `IN` finds nothing by a null, nobody and visitors are
# no members of anything, and rows that were not asked for only cost time.
EQUIVALENT = {
    ("resolvers/access/ranks.py", ".where(target.is_not(None))"),
    ("resolvers/access/site_policy.py", "SiteSpace.section_id.is_not(None), "),
    ("resolvers/access/published_rows.py", "SiteSection.group_id.is_not(None), "),
    ("resolvers/access/published_rows.py", "inner.parent_id.is_not(None), "),
    ("resolvers/access/policy.py", "ctx.actor.nobody or "),
    ("resolvers/access/policy.py", " or ctx.actor.visitor is not None"),
    ("resolvers/access/policy.py", ".where(among(model.id, 'ids'))"),
    ("resolvers/access/policy.py", ".where(among(model.id, KEYS))"),
    ("resolvers/content/pages.py", ".where(among(Space.id, 'spaces'))"),
    ("resolvers/content/pages.py", "place is not None and "),
    ("resolvers/content/pages.py", "among(ChangeRequest.revision_id, 'revisions'), "),
    ("resolvers/change_requests/fields.py", "among(ChangeRequest.id, 'ids'), "),
    ("resolvers/organizations/operations.py", ".where(among(Team.organization_id, 'ids'))"),
}
# How `must` reads is no rule: a lock makes no difference to one caller, and SQLite has none.
NO_RULES = {
    ("resolvers/access/policy.py", "ctx.writing or lock"),
    ("resolvers/access/policy.py", "if lock: pass"),
}

# What most mutants of rows, and of rights on them, fail in first; then the quickest.
PROPERTY = "tests/resolvers/access/test_rights_property.py"
SEEN = (f"{PROPERTY}::test_everybody_sees_what_the_reference_says",)
MAY = (f"{PROPERTY}::test_everybody_may_what_the_reference_says",)
TESTS = (
    "tests/resolvers/access/test_policy.py",
    "tests/resolvers/access/test_rights.py",
    "tests/test_visibility.py",
    "tests/resolvers/access/test_roles_property.py",
    PROPERTY,
)

# Tests of single rules, which are asked before these, and behind them.
OF_PEOPLE = (
    "tests/resolvers/organizations/test_people.py",
    "tests/resolvers/organizations/test_teams.py",
    "tests/resolvers/organizations/test_invitations.py",
    "tests/rest_compat/organizations",
    "tests/test_authorization.py",
)
OWN_TESTS: dict[str, tuple[str, ...]] = {
    "resolvers/access/people_policy.py": OF_PEOPLE,
    "resolvers/organizations/teams.py": OF_PEOPLE,
    "resolvers/content/pages.py": ("tests/resolvers/content/test_pages_within.py",),
    "resolvers/sites/fields.py": ("tests/resolvers/sites/test_sites.py",),
}
OTHERS = {
    "resolvers/access/policy.py": (
        "tests/rest_compat/sites/test_sites.py::test_a_site_is_found_in_its_own_organization_only",
    ),
}

OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.GtE: ast.Lt, ast.Lt: ast.GtE, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
BOUNDS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.Lt: ast.LtE,
}  # fmt: skip
METHODS = {"is_": "is_not", "is_not": "is_", "in_": "not_in", "not_in": "in_"}
# What is negated itself, wherever it stands.
_NEGATED = (ast.Compare, ast.UnaryOp)
JUNCTIONS = {"and_": "or_", "or_": "and_"}


@dataclass(frozen=True)
class Mutant:
    """One change: `node` counts the nodes of the file, `variant` the changes of that node."""

    path: str
    line: int
    node: int
    variant: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.node}:{self.variant}"

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"

    @property
    def is_equivalent(self) -> bool:
        """Whether it changes what is no rule, or leaves out a part that changes nothing."""
        return (self.path, self.before) in NO_RULES or any(
            self.path == path and self.before.replace(part, "", 1) == self.after
            for path, part in EQUIVALENT
        )


# ------------------------------------------------------------------ making mutants


def variants(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """What may stand in place of a condition, or of what holds it."""
    match node:
        case ast.Compare(left, [operator], comparators):
            for table in (OPPOSITES, BOUNDS):
                if type(operator) in table:
                    yield ast.Compare(left, [table[type(operator)]()], comparators)
        case ast.BoolOp(operator, values):
            for index in range(len(values)):
                yield _joined(ast.BoolOp(operator, values[:index] + values[index + 1 :]))
        case ast.If(test, body, orelse) if not isinstance(test, _NEGATED):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse) if not isinstance(test, _NEGATED):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Call(ast.Attribute(value, name), arguments, keywords) if name in METHODS:
            yield ast.Call(ast.Attribute(value, METHODS[name], ast.Load()), arguments, keywords)
        case ast.Call(ast.Attribute(value, "where"), arguments):
            for index in range(len(arguments)):
                left = arguments[:index] + arguments[index + 1 :]
                yield ast.Call(node.func, left, []) if left else value
        case ast.Call(ast.Name(name), arguments) if name in JUNCTIONS:
            yield ast.Call(ast.Name(JUNCTIONS[name], ast.Load()), arguments, [])
            for index in range(len(arguments)):
                left = arguments[:index] + arguments[index + 1 :]
                yield left[0] if len(left) == 1 else ast.Call(node.func, left, [])
        case ast.Call(ast.Name("case"), arguments, keywords):
            for index, argument in enumerate(arguments):
                left = arguments[:index] + arguments[index + 1 :]
                if left:
                    yield ast.Call(node.func, left, keywords)
                elif isinstance(argument, ast.Tuple):
                    yield argument.elts[1]


def _joined(node: ast.BoolOp) -> ast.expr:
    return node.values[0] if len(node.values) == 1 else node


def _counted(path: str) -> tuple[ast.Module, set[int]]:
    """The tree of a file, and the ids of those of its nodes that rules consist of."""
    tree = ast.parse((ROOT / path).read_text())
    names, left_out = PLACES[path], NOT_RULES.get(path, ())
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    chosen = [tree] if names is None else [one for one in functions if one.name in names]
    inside = {id(node) for one in chosen for node in ast.walk(one)}
    outside = {id(node) for one in functions if one.name in left_out for node in ast.walk(one)}
    return tree, inside - outside


def mutants_of(path: str) -> Iterator[Mutant]:
    tree, inside = _counted(path)
    for index, node in enumerate(ast.walk(tree)):
        if id(node) not in inside:
            continue
        for variant, after in enumerate(variants(node)):
            line = getattr(node, "lineno", 0)
            mutant = Mutant(path, line, index, variant, _shown(node), _shown(after))
            if not mutant.is_equivalent:
                yield mutant


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If):
        node = ast.If(node.test, [ast.Pass()], [])
    return " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, instead: ast.AST) -> None:
        self.target, self.instead = target, instead

    def visit(self, node: ast.AST) -> ast.AST:
        return self.instead if node is self.target else self.generic_visit(node)


def mutated(name: str) -> tuple[str, ast.Module]:
    """The file of a mutant, and its tree with the change."""
    path, index, variant = name.split(":")
    tree = ast.parse((ROOT / path).read_text())
    target = list(ast.walk(tree))[int(index)]
    instead = list(variants(target))[int(variant)]
    _Replace(target, instead).visit(tree)
    return path, ast.fix_missing_locations(tree)


def tests_of(mutant: Mutant | None) -> tuple[str, ...]:
    """The tests in the order in which they are asked; those named twice run once."""
    if mutant is None:
        return TESTS
    first = SEEN if mutant.path.startswith("resolvers/access/") else MAY
    return (*OWN_TESTS.get(mutant.path, ()), *first, *TESTS, *OTHERS.get(mutant.path, ()))


# ------------------------------------------------------------------ in the process of the tests


class MutantLoader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the import system one module with a change in it."""

    def __init__(self, name: str) -> None:
        self.path, self.tree = mutated(name)
        self.module = self.path.removesuffix(".py").replace("/", ".")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.module:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(ROOT / self.path))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(ROOT / self.path)
        exec(compile(self.tree, module.__file__, "exec"), module.__dict__)


# This module is a plugin of the tests of a mutant (`-p`): it is imported before what they test.
if os.environ.get(CHOSEN):
    sys.meta_path.insert(0, MutantLoader(os.environ[CHOSEN]))


# ------------------------------------------------------------------ in a fork of this process


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside of it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def swap_code(name: str) -> bool:
    """Give the functions of a mutant's module their changed code; False where that cannot be."""
    path, tree = mutated(name)
    filename = str(ROOT / path)
    by_place: dict[tuple[str, int], list[CodeType]] = {}
    for code in _codes(compile(tree, filename, "exec")):
        by_place.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
    functions = [
        item
        for item in gc.get_objects()
        if isinstance(item, FunctionType) and item.__code__.co_filename == filename
    ]
    swapped = False
    for function in functions:
        codes = by_place.get((function.__qualname__, function.__code__.co_firstlineno), [])
        if len(codes) != 1 or len(codes[0].co_freevars) != len(function.__code__.co_freevars):
            continue
        if codes[0] != function.__code__:
            function.__code__ = codes[0]
            swapped = True
    return swapped


def fails_in_fork(mutant: Mutant) -> str | None:
    """The first test that fails in a fork; None where all pass or the code cannot be swapped."""
    with tempfile.TemporaryFile("w+") as output:
        pid = os.fork()
        if pid == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            # Plugins are imported already; without the rewriting, failures only say less.
            quiet = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
            arguments = [*OPTIONS, *quiet, *tests_of(mutant)]
            status = pytest.main(arguments) if swap_code(mutant.name) else 0
            sys.stdout.flush()
            os._exit(status)
        end = time.monotonic() + TIMEOUT
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return UNDECIDED
            time.sleep(0.05)
        output.seek(0)
        # What fails in another way is left to a process of its own.
        failure = _first_failure(output.read())
        return None if status == 0 or failure == BROKEN else failure


# ------------------------------------------------------------------ running them

BROKEN = "does not start"
# Time ran out, or a signal ended it: that may be the load of the machine, so it is no catch.
UNDECIDED = "undecided"
OPTIONS = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--tb=no")


def fails(mutant: Mutant | None) -> str | None:
    """The first test that fails for a mutant; None where all pass."""
    environment = {**os.environ, CHOSEN: "" if mutant is None else mutant.name}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.policy_mutants",
        *OPTIONS,
        *tests_of(mutant),
    ]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        return UNDECIDED
    if done.returncode < 0:
        return UNDECIDED
    return None if done.returncode == 0 else _first_failure(done.stdout)


def _first_failure(output: str) -> str:
    lines = output.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else BROKEN


def show_progress(done: int, total: int, survived: int) -> None:
    width = 40
    filled = width * done // total
    bar = "#" * filled + "." * (width - filled)
    sys.stderr.write(f"\r[{bar}] {done}/{total}, {survived} survived")
    sys.stderr.flush()


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("tests.policy_mutants", description=__doc__)
    parser.add_argument("--only", default="", help="mutants whose path or change contains this")
    parser.add_argument("--skip", type=int, default=0, help="how many to leave out first")
    parser.add_argument("--limit", type=int, default=1000, help="how many to run at most")
    parser.add_argument("--list", action="store_true", help="show the mutants and run none")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON")
    options = parser.parse_args(arguments)
    mutants = [
        mutant for path in PLACES for mutant in mutants_of(path) if options.only in mutant.shown
    ][options.skip : options.skip + options.limit]
    if options.list:
        for mutant in mutants:
            say(mutant.shown)
        return 0
    os.environ["DOCSTEAD_TEST_DATABASES"] = "sqlite"
    broken = fails(None)
    if broken is not None:
        sys.stderr.write(f"the tests fail without any mutant: {broken}\n")
        return 2
    # All that the tests import, for the forks.
    importlib.import_module("tests.conftest")
    outcomes: list[tuple[Mutant, str | None]] = []
    for mutant in mutants:
        test = fails_in_fork(mutant) or fails(mutant)
        outcomes.append((mutant, test))
        if test in (None, UNDECIDED):
            sys.stderr.write(f"\r{test or 'survived'}: {mutant.shown}\n")
        survived = sum(test is None for _, test in outcomes)
        show_progress(len(outcomes), len(mutants), survived)
    sys.stderr.write("\n")
    survivors = [mutant for mutant, test in outcomes if test is None]
    undecided = [mutant for mutant, test in outcomes if test == UNDECIDED]
    if options.json:
        rows = [asdict(mutant) | {"caught_by": test} for mutant, test in outcomes]
        say(json.dumps({"survived": len(survivors), "mutants": rows}, indent=2))
    else:
        for mutant in survivors:
            say(mutant.shown)
        for mutant in undecided:
            say(f"{UNDECIDED}: {mutant.shown}")
        say(f"{len(outcomes)} mutants, {len(survivors)} survived, {len(undecided)} {UNDECIDED}")
    return 1 if survivors or undecided else 0


if __name__ == "__main__":
    raise SystemExit(main())
