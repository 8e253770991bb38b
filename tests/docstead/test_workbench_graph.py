"""The Workbench asks for nothing that others do not have: no field of the graph is for it alone.

What it asks for is known elsewhere, too: /v1 answers with it, or the documentation tells of it,
which is written for whoever uses the graph.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from graphql import (
    FieldNode,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    build_schema,
    parse,
    visit,
)

from tests.docstead.test_workbench import OPERATION, source_files

ROOT = Path(__file__).parents[2]
SDL = (ROOT / "schema" / "schema.graphql").read_text(encoding="utf-8")
NAME = re.compile(r"\w+")
# How every list is read, whoever does.
LISTS = re.compile(r"(?:Connection|Edge|PageInfo)\.")


def used(schema: GraphQLSchema, documents: str) -> set[str]:
    """The fields that operations ask for, as `Type.field`."""
    info = TypeInfo(schema)
    found: set[str] = set()

    class Fields(Visitor):
        def enter_field(self, node: FieldNode, *_: object) -> None:
            parent = info.get_parent_type()
            if parent is not None and not node.name.value.startswith("__"):
                found.add(f"{parent.name}.{node.name.value}")

    visit(parse(documents), TypeInfoVisitor(info, Fields()))
    return {field for field in found if not LISTS.search(field)}


def known_to_others() -> set[str]:
    """Names that /v1 answers with, and that the documentation says; not that of the Workbench."""
    docs = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.stem != "workbench"]
    # Where a name of /v1 is another one than that of the graph, the shape has both.
    shapes = [*sorted((ROOT / "rest_compat").rglob("*.py")), ROOT / "rest_compat" / "openapi.json"]
    return {
        name for path in (*docs, *shapes) for name in NAME.findall(path.read_text(encoding="utf-8"))
    }


def of_nobody_else(schema: GraphQLSchema, documents: Iterable[str]) -> list[str]:
    known = known_to_others()
    fields = used(schema, "\n".join(documents))
    return sorted(field for field in fields if field.partition(".")[2] not in known)


def documents() -> list[str]:
    return [text for path in source_files() for text in OPERATION.findall(path.read_text("utf-8"))]


def test_no_field_is_for_the_workbench_alone() -> None:
    assert of_nobody_else(build_schema(SDL), documents()) == []


def test_one_that_was_would_be_seen() -> None:
    schema = build_schema(f"{SDL}\nextend type Space {{ panelOfSide: Int }}")
    asked = [*documents(), "query Panel { space(id: 1) { panelOfSide } }"]
    assert of_nobody_else(schema, asked) == ["Space.panelOfSide"]
