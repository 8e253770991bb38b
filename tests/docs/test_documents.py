"""The documentation says what is: links, settings, commands, codes and examples of code."""

import ast
import json
import os
import re
import shlex
import subprocess
import textwrap
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from graphql import build_schema, parse, validate

from docstead.settings import PREFIX, Settings
from resolvers.core import errors
from tests.docstead.command_line import COMMANDS

ROOT = Path(__file__).parent.parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def text_of(name: str) -> str:
    return (ROOT / name).read_text()


def table_rows(text: str) -> list[list[str]]:
    """The cells of all table rows, without their code marks."""
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [[cell.strip().strip("`") for cell in line.split(" | ")] for line in lines]


def anchor_of(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


GUIDE = [*(ROOT / "examples").rglob("*.md")]
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def test_examples_are_what_they_say() -> None:
    """Queries are valid for the schema; JSON, YAML and Python can be read; shells take commands."""
    schema = build_schema((ROOT / "schema" / "schema.graphql").read_text())
    counts: Counter[str] = Counter()
    for page in [*PAGES, *GUIDE]:
        for indent, kind, block in _BLOCK.findall(page.read_text()):
            source = re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
            counts[kind] += 1
            where = f"{page.relative_to(ROOT)}:\n{source}"
            if kind == "graphql":
                assert validate(schema, parse(source)) == [], where
            elif kind == "json":
                # What is left out is written with dots.
                json.loads(re.sub(r",?\s*(?:\.\.\.|…)", "", source))
            elif kind == "yaml":
                list(yaml.safe_load_all(source))
            elif kind == "python":
                compile(textwrap.dedent(source), where, "exec", ast.PyCF_ONLY_AST)
            elif kind in ("bash", "sh"):
                done = subprocess.run(["bash", "-n"], input=source, text=True, capture_output=True)
                assert done.returncode == 0, (where, done.stderr)
    assert counts["graphql"] >= 10
    assert counts["bash"] >= 20


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        place = page.parent / path if path else page
        assert place.exists(), f"{name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", place.read_text(), re.MULTILINE)
            assert anchor in map(anchor_of, headings), f"{name}: {target}"


def test_every_setting_is_documented_with_its_default_and_bounds() -> None:
    rows = {row[0]: row for row in table_rows(text_of("docs/configuration.md"))}
    documented = {name for name in rows if name.startswith(PREFIX)}
    assert documented == {PREFIX + one.name.upper() for one in fields(Settings)}
    for one in fields(Settings):
        _, default, allowed, _ = rows[PREFIX + one.name.upper()]
        expected = str(one.default).lower() if one.default != "" else "empty"
        assert default == expected, one.name
        if one.metadata["high"]:
            assert allowed == f"{one.metadata['low']} to {one.metadata['high']}", one.name


def test_every_error_code_is_documented_with_its_status() -> None:
    rows = {row[0]: row[1] for row in table_rows(text_of("docs/graphql.md")) if len(row) > 1}
    for kind in errors.ApiError.__subclasses__():
        if kind.__module__ == errors.__name__:
            assert rows.get(kind.code) == str(kind.status), kind.code


def blocks(text: str, language: str) -> list[str]:
    """Fenced code of a language, without common indentation."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return ["\n".join(line.removeprefix(indent) for line in code.splitlines())
            for indent, code in found]  # fmt: skip


def test_code_in_contributing_is_the_real_code() -> None:
    text = text_of("CONTRIBUTING.md")
    files = ["resolvers/sites/operations.py", "schema/mutation.py",
             "rest_compat/routes/sites/sites.py",
             "tests/resolvers/sites/test_sites.py"]  # fmt: skip
    code = "\n".join(text_of(name) for name in files)
    plain = [line.strip() for line in code.splitlines()]
    # The row of a table is no statement of its own, so it is not marked as Python.
    examples = [*blocks(text, "python"), *blocks(text, "text")]
    assert len(examples) == 5
    for example in examples:
        lines = [line.strip() for line in example.splitlines()]
        starts = (at for at, line in enumerate(plain) if line == lines[0])
        assert any(plain[at : at + len(lines)] == lines for at in starts), example


def commands() -> list[tuple[str, str]]:
    """Every `docstead` command line in a block of shell code, with its page."""
    found = []
    guide = [str(path.relative_to(ROOT)) for path in (ROOT / "examples").rglob("*.md")]
    for name in [*NAMES, *guide]:
        for block in blocks(text_of(name), "bash"):
            for line in block.splitlines():
                if line.startswith(("docstead ", ".venv/bin/docstead ")):
                    found.append((name, line.partition("docstead ")[2]))
    return found


def test_commands_exist_and_take_the_options_that_are_shown() -> None:
    shown = commands()
    assert len(shown) > 8
    for name, line in shown:
        words = shlex.split(line, comments=True)
        called = [path for path in COMMANDS if tuple(words[: len(path)]) == path]
        if words[:1] in (["--help"], ["--version"]):
            continue
        assert called, f"{name}: {line}"
        parameters = COMMANDS[called[0]].params
        known = {option for known in parameters for option in (*known.opts, *known.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= known, f"{name}: {line}"


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    for name in NAMES:
        for target in re.findall(r"(?:`|^)make ([a-z]+)", text_of(name), re.MULTILINE):
            assert target in targets, f"{name}: make {target}"


def test_tests_are_run_once_more_but_in_a_debugger() -> None:
    """pytest refuses both at once."""
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    environment.pop("MFLAGS", None)

    def commands(arguments: str) -> str:
        make = ["make", "--dry-run", "test", "WORKERS=0", f"ARGS={arguments}"]
        return subprocess.run(
            make, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert "--reruns 1 --max-suite-reruns 3" in commands("-k table")
    assert "--reruns" not in commands("--pdb")


def test_examples_of_writes_ask_for_strict_handling() -> None:
    guide = [
        str(path.relative_to(ROOT)) for path in (ROOT / "examples/docstead-guide").rglob("*.md")
    ]
    writes = []
    for name in [*NAMES, *guide]:
        for block in blocks(text_of(name), "bash"):
            for command in block.replace("\\\n", " ").splitlines():
                if "curl" in command and "/v1/" in command and re.search(r" (-d|--json) ", command):
                    writes.append((name, command))
    assert len(writes) > 4
    for name, command in writes:
        assert 'Prefer: handling=strict"' in command, f"{name}: {command}"
