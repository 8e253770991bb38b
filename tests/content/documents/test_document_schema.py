"""The JSON Schema and the TypeScript types of documents, and the documents that Markdown makes."""

import ast
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from jsonschema import Draft202012Validator

import content.markdown
from content.documents.anchors import with_anchors
from content.documents.content_references import read_reference
from content.documents.node_types import FRAGMENTS, INLINE_MARKDOWN, MARKS, NODES
from content.documents.schema import json_schema_text, typescript_text
from content.markdown.html_inlines import MARK_ORDER
from content.markdown.spelling import parse_with_style, write_markdown
from docstead.demo.filling import EXAMPLES
from tests import published_shapes
from tests.content import dialect
from tests.content.markdown.test_markdown_writer import document
from tests.node_packages import NODE, install, run_node

SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCHEMA = json.loads(json_schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)
EVERY_KIND = Path(__file__).parents[2] / "rest_compat" / "every_kind.md"
DOCS = Path(__file__).parents[3] / "docs" / "front-ends.md"
PARSED = re.compile(r"_?(?:block|inline|container|items|leading|captioned)$")


def problems(document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def parsed(markdown: str) -> Any:
    return parse_with_style(markdown, resolve=read_reference)


def test_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.md")), ids=lambda path: path.name)
def test_examples_validate(path: Path) -> None:
    assert problems(with_anchors(parsed(path.read_text(encoding="utf-8")))) == []


def test_page_with_every_kind_validates() -> None:
    assert problems(parsed(EVERY_KIND.read_text(encoding="utf-8"))) == []


@SETTINGS
@given(st.lists(dialect.all_blocks(2), min_size=1, max_size=3))
def test_generated_pages_validate(nodes: list[Any]) -> None:
    assert problems(parsed(write_markdown(document(nodes)))) == []


@SETTINGS
@given(st.text(alphabet="ab*_`#>-[]()!|<>{}%$=:\\&;\n 1", max_size=200))
def test_any_text_validates(text: str) -> None:
    assert problems(parsed(text)) == []


def test_deep_nesting_costs_what_it_is_long() -> None:
    """Errors are looked for along the document, not once for every alternative at every level."""
    broken = parsed("> " * 30 + "deep")
    node = broken["nodes"][0]
    while node["type"] != "paragraph":
        node = node["nodes"][0]
    node["data"]["align"] = 7
    assert len(problems(broken)) == 1


def valid(text: str) -> Any:
    """A valid document to break."""
    made = parsed(text)
    assert problems(made) == []
    return copy.deepcopy(made)


BROKEN: list[tuple[str, str, list[Any], Any]] = [
    ("no such block", "a", ["nodes", 0, "type"], "paragraf"),
    ("no such object", "a", ["nodes", 0, "object"], "inline"),
    ("wrong version", "a", ["data", "schemaVersion"], 2),
    ("no document", "a", ["object"], "block"),
    ("nodes are none", "a", ["nodes"], {}),
    ("void with nodes", "***", ["nodes", 0, "nodes"], []),
    ("wrong isVoid", "a", ["nodes", 0, "isVoid"], True),
    ("unknown member", "a", ["nodes", 0, "class"], "x"),
    ("bad key", "a", ["nodes", 0, "key"], "a b"),
    ("text in place of a block", "a", ["nodes", 0], {"object": "text", "leaves": []}),
    ("block among inlines", "a", ["nodes", 0, "nodes", 0], parsed("***")["nodes"][0]),
    ("unknown mark", "**a**", ["nodes", 0, "nodes", 0, "leaves", 0, "marks", 0, "type"], "loud"),
    ("leaf without text", "a", ["nodes", 0, "nodes", 0, "leaves", 0, "text"], None),
    ("item outside of a list", "* a", ["nodes", 0, "type"], "list-item"),
    ("paragraph in a list", "* a", ["nodes", 0, "nodes", 0], parsed("a")["nodes"][0]),
    ("unknown style", '{% hint style="info" %}\na\n{% endhint %}', ["nodes", 0, "data", "style"],
     "loud"),
    ("formula missing", "$$\na\n$$", ["nodes", 0, "data"], {}),
    ("checked is text", "* [x] a", ["nodes", 0, "nodes", 0, "data", "checked"], "yes"),
    ("reference of no kind", "[a](https://a.test)", ["nodes", 0, "nodes", 0, "data", "ref"],
     {"url": "https://a.test"}),
    ("reference to nothing", "[a](https://a.test)", ["nodes", 0, "nodes", 0, "data", "ref"],
     {"kind": "page"}),
    ("aliases are text", "# a", ["nodes", 0, "aliases"], "a"),
    ("fragments of another type", "![a](b.png)",
     ["nodes", 0, "nodes", 0, "fragments"], parsed("| a |\n| - |\n| b |")["nodes"][0]["fragments"]),
    ("fragments missing", "| a |\n| - |\n| b |", ["nodes", 0, "fragments"], None),
    ("no such view", "| a |\n| - |\n| b |", ["nodes", 0, "data", "view", "type"], "list"),
    ("no such column", "| a |\n| - |\n| b |",
     ["nodes", 0, "data", "definition", "column1", "type"], "list"),
    ("order of a row missing", "| a |\n| - |\n| b |", ["nodes", 0, "data", "records", "row1"],
     {"values": {}}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "path", "value"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_broken_documents_are_refused(text: str, path: list[Any], value: Any) -> None:
    broken = valid(text)
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert problems(broken) != []


def types_of_the_parser() -> Iterator[str]:
    """Types that the code of the parser names where it makes nodes."""
    for path in Path(content.markdown.__path__[0]).glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if PARSED.match(call.func.id):
                yield from (
                    argument.value
                    for argument in call.args[: 2 if call.func.id == "_items" else 1]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                )


def test_table_has_every_type() -> None:
    made = set(types_of_the_parser())
    assert {"tabs", "tabs-item", "hint", "link", "if", "update", "openapi-webhook"} <= made
    assert made - NODES.keys() == set()
    assert published_shapes.SHAPES.keys() - NODES.keys() == set()
    assert set(MARKS) == set(MARK_ORDER)
    shaped = published_shapes.SHAPES.values()
    assert {kind for shape in shaped for kind in shape.fragments or ()} == set(FRAGMENTS)
    assert INLINE_MARKDOWN.required == NODES["markdown"].required


@pytest.mark.parametrize("kind", published_shapes.SHAPES)
def test_table_agrees_with_the_published_schemas(kind: str) -> None:
    """Members that these know are known here, and void is what is void there."""
    shape, node = published_shapes.SHAPES[kind], NODES[kind]
    assert {*shape.required, *shape.optional} - {*node.required, *node.optional} == set()
    assert (shape.holds is None) is (node.holds is None)
    assert set(shape.fragments or ()) - set(node.fragments) == set()


async def test_types_compile_and_a_document_is_walked() -> None:
    """The program of docs/front-ends.md under `tsc --strict`, and a page that keeps its types."""
    (program,) = re.findall(r"```ts\n// (?:\S+\.ts)\n(.*?)```", DOCS.read_text(), re.DOTALL)
    await install()
    folder = NODE / "node_modules" / ".document-types"
    folder.mkdir(exist_ok=True)
    (folder / "document.d.ts").write_text(typescript_text())
    (folder / "text.ts").write_text(program)
    page = parsed(EVERY_KIND.read_text(encoding="utf-8"))
    written = json.dumps(page, ensure_ascii=True)
    (folder / "page.ts").write_text(
        f"import type {{ Document }} from './document';\nexport const page: Document = {written};\n"
    )
    (folder / "wrong.ts").write_text(
        "import type { Hint } from './document';\n"
        "// @ts-expect-error: no such style\n"
        "export const style: Hint['data']['style'] = 'loud';\n"
    )
    (folder / "package.json").write_text('{"type": "module"}')
    compiled = await run_node(
        "node_modules/typescript/bin/tsc", "--strict", "--target", "es2022", "--module", "esnext",
        "--moduleResolution", "bundler", "--skipLibCheck", "false",
        *(str(folder / name) for name in ("text.ts", "page.ts", "wrong.ts", "document.d.ts")),
    )  # fmt: skip
    assert compiled == ""
    (folder / "run.js").write_text(
        "import { textOf } from './text.js';\nimport { page } from './page.js';\n"
        "console.log(textOf(page));\n"
    )
    read = await run_node(str(folder / "run.js"))
    assert "Everything" in read
    assert "In the middle" in read
