"""Computed content: what a source makes, and how one that is not there is refused."""

from typing import Any

import pytest

from db.session import Session
from resolvers.content.computed import SOURCES
from tests.conftest import STRICT, Api, World
from tests.seeds import SAMPLE_SOURCE, SampleSource, sow


@pytest.mark.parametrize(
    ("body", "path", "problem"),
    [
        ({"source": {"type": "builtin:other"}, "seed": "s"}, "source.type",
         "'builtin:other' is no source of this server; sources here: builtin:openapi, "
         "builtin:sample"),
        ({"source": {"type": "builtin:openapi"}, "seed": "s"}, "source.dependencies.spec.ref.spec",
         "is required: the slug of a specification"),
        ({"source": {}, "seed": "s"}, "source.type", "is required"),
        ({"source": {"type": ["x"]}, "seed": "s"}, "source.type", "is required"),
        ({"source": SAMPLE_SOURCE}, "seed", "is required"),
        ({"source": SAMPLE_SOURCE, "seed": ""}, "input.seed", "1"),
        ({"source": "openapi", "seed": "s"}, "source", "must be an object"),
        ({"source": SAMPLE_SOURCE, "seed": "s", "x": 1}, "x", "is unknown"),
    ],
)  # fmt: skip
async def test_sources_that_are_refused(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch,
    body: dict[str, Any], path: str, problem: str,
) -> None:  # fmt: skip
    monkeypatch.setitem(SOURCES, "builtin:sample", SampleSource())
    seed = await sow(session, world)
    for name in ("document", "revision"):
        answer = await api.rest(
            "POST",
            f"/spaces/{seed.space.id}/content/computed/{name}",
            world.guest,
            body,
            headers=STRICT,
        )
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["path"].removeprefix("input.") in path
        assert problem in answer.json()["error"]["message"]


async def test_both_doors_show_what_a_source_makes(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, "builtin:sample", SampleSource())
    seed = await sow(session, world)
    base = f"/spaces/{seed.space.id}/content/computed"
    body = {"source": SAMPLE_SOURCE, "seed": "s"}
    document = (await api.rest("POST", f"{base}/document?schema=next", world.guest, body)).json()
    revision = (await api.rest("POST", f"{base}/revision", world.guest, body)).json()
    query = """query ($s: ID!, $input: ComputedContentInput!) {
      computedDocument(spaceId: $s, input: $input) { id: documentId data nodes markdown }
      computedRevision(spaceId: $s, input: $input) {
        files { id: fileId } reusableContents { id: reusableContentId }
        pages { id: pageId ... on DocumentPage { path pages { nodes { id: pageId } } } }
      }
    }"""
    data = await api.data(query, world.guest, s=seed.space.id, input=body)
    assert data["computedDocument"] == {
        "id": None, "data": document["data"], "nodes": document["nodes"],
        "markdown": "Made of Made.\n",
    }  # fmt: skip
    assert document["object"] == "document"
    (page,) = data["computedRevision"]["pages"]
    assert page == {"id": "s-made", "path": "made", "pages": {"nodes": [{"id": "s-below"}]}}
    assert revision["pages"][0]["id"] == "s-made"
    assert revision["pages"][0]["pages"][0]["id"] == "s-below"
    assert (revision["files"], revision["reusableContents"]) == ([], [])


async def test_reading_needs_no_right_to_write(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, "builtin:sample", SampleSource())
    seed = await sow(session, world)
    path = f"/spaces/{seed.space.id}/content/computed/revision"
    body = {"source": SAMPLE_SOURCE, "seed": "s"}
    assert (await api.rest("POST", path, world.reader, body)).status_code == 200
    assert (await api.rest("POST", path, world.outsider, body)).status_code == 404
