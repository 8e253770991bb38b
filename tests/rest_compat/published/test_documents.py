"""A page with all of the dialect, as a document of the published schemas, through both doors."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from content.documents.schema import json_schema_text
from tests.conftest import Api, Sown, World
from tests.published_shapes import SHAPES, deviations
from tests.seeds import Seed

FILE, USER = "docstead:file?file=apng", "docstead:user?user=USER"
PAGE = (Path(__file__).parents[1] / "every_kind.md").read_text(encoding="utf-8")
QUERY = """query ($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) { ... on DocumentPage {
  document evaluated: document(evaluated: TRUE) documentId } } }"""


@pytest.fixture
def world(sown: Sown) -> World:
    return sown.world


@pytest.fixture
def seed(sown: Sown) -> Seed:
    return sown.seed  # type: ignore[no-any-return]


def types_in(nodes: list[Any]) -> set[str]:
    """The types of nodes and of all that is below them."""
    found: set[str] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        found.add(node.get("type", ""))
        stack += [*node.get("nodes", []), *node.get("fragments", [])]
    return found


async def test_documents_are_of_the_published_schemas(api: Api, world: World, seed: Seed) -> None:
    text = PAGE.replace("FILE", FILE).replace("USER", f"docstead:user?user={world.editor.id}")
    content = f"/spaces/{seed.space.id}/content"
    written = await api.rest(
        "POST", content, world.editor,
        {"changes": [{"type": "insert_page", "slug": "all", "document": {"markdown": text}}]},
    )  # fmt: skip
    assert written.status_code == 200, written.text
    found = await api.rest("GET", f"{content}/path/all?format=document", world.reader)
    page = found.json()
    document = page["document"]
    assert types_in(document["nodes"]) >= SHAPES.keys()
    assert deviations(document) == []
    space = f"/spaces/{seed.space.id}"
    by_id = await api.rest("GET", f"{space}/documents/{page['documentId']}", world.reader)
    assert by_id.json() == document
    revision = (await api.rest("GET", content, world.reader)).json()["id"]
    evaluated = await api.rest(
        "GET", f"{space}/revisions/{revision}/page/{page['id']}/document?evaluated=true",
        world.reader,
    )  # fmt: skip
    assert deviations(evaluated.json()) == []
    own = Draft202012Validator(json.loads(json_schema_text()))
    for shown in (document, evaluated.json()):
        assert [error.message for error in own.iter_errors(shown)] == []
    assert types_in(document["nodes"]) - types_in(evaluated.json()["nodes"]) == {"expression", "if"}
    ours = (await api.data(QUERY, world.reader, s=seed.space.id, p=page["id"]))["page"]
    assert (ours["document"], ours["evaluated"]) == (document, evaluated.json())
    # As a client sends it back: the same document, and the same Markdown.
    sent = await api.rest(
        "POST", f"{content}?compat=false", world.editor,
        {"changes": [{"type": "update_page", "page": page["id"], "document": document}]},
    )  # fmt: skip
    assert sent.json()["changed"] is False


async def test_names_in_cells_are_found(api: Api, world: World, seed: Seed) -> None:
    """Files in cells are ids, as published; they are links of the page as others are."""
    cells = (
        '<table><thead><tr><th data-type="files">F</th></tr></thead><tbody><tr><td>'
        f'<a href="{FILE}">f</a></td></tr></tbody></table>\n'
    )
    content = f"/spaces/{seed.space.id}/content"
    written = await api.rest(
        "POST", content, world.editor,
        {"changes": [{"type": "insert_page", "slug": "cells", "document": {"markdown": cells}}]},
    )  # fmt: skip
    assert written.status_code == 200, written.text
    page = (await api.rest("GET", f"{content}/path/cells?format=document", world.reader)).json()
    (table,) = page["document"]["nodes"]
    assert table["data"]["records"]["row1"]["values"] == {"column1": ["apng"]}
    links = await api.rest("GET", f"{content}/page/{page['id']}/links", world.editor)
    (link,) = links.json()["items"]
    assert (link["status"], link["targetReference"]["kind"]) == ("ok", "file")
    found = await api.rest("GET", f"{content}/files/apng/backlinks", world.editor)
    assert page["id"] in str(found.json())
