"""The editor of the Workbench: documents come back as they were, whatever stands in them."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from content.documents.keys import assign_keys
from content.git.layout import read_space
from content.markdown.spelling import parse_with_style
from content.sources.opening import open_source
from tests.content import dialect
from tests.content.html.test_html_properties import DOCUMENTS
from tests.node_packages import run_node
from tests.sources import sources

EVERY_KIND = Path(__file__).parents[1] / "rest_compat" / "every_kind.md"


# One program reads several documents, and names the first that is not fine: none is looked for.
FEW = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def taken_through_the_editor(documents: Iterable[Any]) -> Any:
    """What came of documents that were opened and saved, each with one edit as well."""
    lines = "\n".join(json.dumps(document) for document in documents)
    return json.loads(asyncio.run(run_node("workbench_editor.js", stdin=lines)))


class Several(list[Any]):
    """Documents that one program reads; it shows what is not fine of them."""

    def __repr__(self) -> str:
        return f"{len(self)} documents"


def document(nodes: list[Any]) -> Any:
    # Strategies give some nodes twice, and each is to have a key of its own.
    nodes = json.loads(json.dumps(nodes))
    assign_keys(nodes, "")
    return {"object": "document", "data": {"schemaVersion": 1}, "nodes": nodes}


GENERATED = st.lists(dialect.all_blocks(2), min_size=1, max_size=3).map(document)


@FEW
@given(st.lists(GENERATED, min_size=5, max_size=9).map(Several))
def test_generated_documents_come_back_the_same(documents: list[Any]) -> None:
    done = taken_through_the_editor(documents)
    assert done["documents"] == len(documents)


@FEW
@given(st.lists(DOCUMENTS, min_size=5, max_size=9).map(Several))
def test_documents_of_anything_come_back_the_same(documents: list[Any]) -> None:
    # Infinite numbers are no JSON.
    documents = json.loads(json.dumps(documents), parse_constant=lambda _: 0)
    for one in documents:
        for number, node in enumerate(one["nodes"]):
            node["key"] = f"key{number}"
    done = taken_through_the_editor(documents)
    assert done["documents"] == len(documents)


def test_pages_of_documentation_come_back_and_can_be_edited() -> None:
    read = [parse_with_style(EVERY_KIND.read_text("utf-8"), seed="every")]
    for source in sources("team-handbook", "gauge-manual", "docstead-guide"):
        with open_source(source) as tree:
            pages = [page for top in read_space(tree).pages for page in top.walk()]
        read += [parse_with_style(page.markdown, seed=page.path) for page in pages if page.markdown]
    done = taken_through_the_editor(read)
    assert done["documents"] == len(read) > 1
    assert done["edited"] > len(read) // 2
    # Whatever the editor has nodes for is edited as such, and not kept as a whole.
    assert done["unfit"] == []


def test_saving_loses_nothing_and_writes_in_no_other_name() -> None:
    assert json.loads(asyncio.run(run_node("workbench_saving.js"))) == "done"
