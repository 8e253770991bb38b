"""Queries and mutations over the protocols of subscriptions: what has one result."""

import pytest

from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.docstead.subscriptions.clients import base_of, event_stream, socket

PAGES = """
query ($id: ID!) {
  space(id: $id) { title revision { pages(first: 5) { nodes { title path } } } }
}
"""
QUERIES = {
    "one statement": "{ viewer { displayName } }",
    "several": "{ viewer { organizations(first: 2) { nodes { spaces { totalCount } } } } }",
    "the schema": "{ __schema { queryType { name } } }",
    "several roots": "{ a: viewer { id } b: viewer { organizations(first: 1) { totalCount } } }",
    "a part that is refused": '{ viewer { id } space(id: "nowhere") { title } }',
    "content": PAGES,
    "a mutation": "mutation { markNotificationsRead(input: {all: true}) { __typename } }",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
async def test_each_protocol_has_the_answer_of_a_request(
    query: str, live: Api, world: World, session: Session
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    token = await live.token_of(world.admin)
    variables = {"id": space.id} if query is PAGES else {}
    posted = await live.client.post(
        "/graphql", json={"query": query, "variables": variables},
        headers={"Authorization": f"Bearer {token}"},
    )  # fmt: skip
    expected = [posted.json()]
    # The second one may be kept from the first.
    for _ in range(2):
        async with event_stream(live.client, token, query, **variables) as events:
            results = [data async for name, _, data in events if name == "next"]
        assert results == expected
        async with socket(base_of(live), token) as client:
            await client.subscribe("q", query, **variables)
            assert await client.results(1) == expected
            assert await client.receive() == {"id": "q", "type": "complete"}


async def test_mutations_of_a_socket_whose_handshake_has_a_key(live: Api, world: World) -> None:
    headers = {"Idempotency-Key": "of-the-handshake"}
    token = await live.token_of(world.admin)
    async with socket(base_of(live), token, additional_headers=headers) as client:
        for id in ("1", "2"):
            await client.subscribe(id, QUERIES["a mutation"])
            (result,) = await client.results(1)
            assert result["data"]["markNotificationsRead"], result
            assert await client.receive() == {"id": id, "type": "complete"}


REFUSED: dict[str, tuple[bytes, dict[str, str], int]] = {
    "an array": (b"[]", {}, 400),
    "no JSON": (b"{", {}, 400),
    "no text": (b"\xff", {}, 400),
    "no query": (b"{}", {}, 400),
    "another type": (b"{}", {"Content-Type": "text/plain"}, 415),
    "no token": (b"{}", {"Authorization": "Bearer nobody"}, 401),
}


@pytest.mark.parametrize(("content", "headers_of_case", "status"), REFUSED.values(), ids=REFUSED)
async def test_a_wrong_request_for_a_stream_is_refused_like_any_other(
    content: bytes, headers_of_case: dict[str, str], status: int, live: Api, world: World
) -> None:
    """At once, too: the body is there once."""
    headers = {
        "Authorization": f"Bearer {await live.token_of(world.admin)}",
        "Content-Type": "application/json", **headers_of_case,
    }  # fmt: skip
    plain, stream = [
        await live.client.post(
            "/graphql", headers={**headers, "Accept": accept}, content=content, timeout=60
        )
        for accept in ("application/graphql-response+json", "text/event-stream")
    ]
    assert plain.status_code == stream.status_code == status
    assert plain.json() == stream.json()
    for name in ("content-type", "www-authenticate"):
        assert plain.headers.get(name) == stream.headers.get(name)
