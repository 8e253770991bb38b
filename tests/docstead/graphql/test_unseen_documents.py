"""Long documents that were never seen: one at a time, and everybody else goes on between two."""

import asyncio
import itertools
from typing import Any

import httpx2
import pytest

from db.session import Session
from docstead.graphql.endpoint import SHORT
from resolvers.core.nesting import SHAPES
from tests.conftest import Api, World, settle
from tests.docstead.graphql_server import endpoint

CLIENTS = 6


def _text(number: int, *, refused: bool) -> str:
    name = "nothing" if refused else "hello"
    fields = " ".join(f"alias_{number}_{n}: {name}" for n in range(SHORT // 12))
    return f"{{ {fields} }}"


@pytest.mark.parametrize("refused", [False, True])
async def test_others_have_a_turn_between_two_of_them(
    monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    app = endpoint()
    prepare, turn, prepared_in = app.documents.document, itertools.count(), list[int]()
    now = 0

    async def other() -> None:
        nonlocal now
        while True:
            now = next(turn)
            await asyncio.sleep(0)

    def document(text: str) -> Any:
        prepared_in.append(now)
        return prepare(text)

    monkeypatch.setattr(app.documents, "document", document)
    task = asyncio.create_task(other())
    texts = [_text(number, refused=refused) for number in range(CLIENTS)]
    assert len(texts[0]) > SHORT
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as http:
        answers = await asyncio.gather(
            *(http.post("/graphql", json={"query": text}) for text in texts)
        )
        assert all(("errors" in answer.json()) == refused for answer in answers)
        assert len(set(prepared_in)) == len(prepared_in) == CLIENTS
        # What was seen waits for nobody.
        prepared_in.clear()
        async with app._turns.turn(("other", True)):
            again = await http.post("/graphql", json={"query": texts[0]})
        assert again.json() == answers[0].json()
    task.cancel()


async def test_whoever_has_no_token_has_no_part_in_statements_that_are_kept(
    session: Session, api: Api, world: World
) -> None:
    await settle(session)
    text = "{ organization(id: %s) { id title sites(first: 7) { nodes { id title } } } }"
    # What it asks for is not open, whatever else it names.
    text = f"{text} # publishedSite {'x' * SHORT}"
    SHAPES.clear()
    refused = await api.graphql(text % '"nothing"', None)
    assert refused["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    assert not SHAPES
    named = text % f'"{world.organization.id}"'
    assert "errors" not in await api.graphql(named, world.creator)
    assert SHAPES
