"""Subscriptions over both protocols, against a server on a port of loopback."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from websockets.exceptions import ConnectionClosed

from db.enums import Role
from db.models.organizations import Member, Token
from db.models.spaces import Space
from db.session import Database, Session
from docstead.subscriptions import sockets
from docstead.subscriptions.event_feeds import EventFeed
from resolvers.core.events import write_events
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.docstead.subscriptions.clients import base_of, event_stream, socket
from tests.outbox import event_row
from tests.rest_compat.test_published_client import listening

SPACE = """
subscription ($id: ID!, $after: ID) {
  space(id: $id, after: $after) {
    id type position changed space { title } actor { user { displayName } }
  }
}
"""
ALL = """
subscription ($id: ID!, $after: ID, $topics: [EventTopic!]) {
  events(organizationId: $id, after: $after, topics: $topics) { id type position }
}
"""


async def make_space(session: Session, world: World, **changes: Any) -> Space:
    space = await factories.make_space(session, world.organization, **changes)
    await session.commit()
    return space


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so; it has to be within a minute."""
    for _ in range(6_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not become so")


async def rename(api: Api, world: World, space: Space, title: str) -> None:
    answer = await api.rest("PATCH", f"/spaces/{space.id}", world.admin, {"title": title})
    assert answer.status_code == 200, answer.text


async def test_events_arrive_over_a_socket(live: Api, world: World, session: Session) -> None:
    space = await make_space(session, world, title="Before")
    other = await make_space(session, world)
    async with socket(base_of(live), await live.token_of(world.reader)) as client:
        await client.subscribe("1", SPACE, id=space.id)
        await client.subscribe("2", ALL, id=world.organization.id, topics=["SPACE"])
        await until(lambda: live.app.state.hub.number == 2)
        await rename(live, world, other, "Elsewhere")
        await rename(live, world, space, "After")
        seen: dict[str, list[Any]] = {"1": [], "2": []}
        while sum(map(len, seen.values())) < 3:
            message = await client.receive()
            assert message["type"] == "next", message
            seen[message["id"]].append(message["payload"])
        (payload,) = seen["1"]
        event = payload["data"]["space"]
        assert event["type"] == "SPACE_UPDATED"
        assert event["changed"] == ["title"]
        assert event["space"] == {"title": "After"}
        assert event["actor"]["user"]["displayName"] == "Admin"
        positions = [payload["data"]["events"]["position"] for payload in seen["2"]]
        assert positions == [event["position"] - 1, event["position"]]
        await client.send(id="1", type="complete")
        await rename(live, world, space, "Again")
        message = await client.receive()
        assert message["id"] == "2"


async def test_a_stream_of_events_goes_on_after_one_that_is_known(
    live: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world)
    token = await live.token_of(world.reader)
    for number in range(3):
        await rename(live, world, space, f"T{number}")
    path = f"/orgs/{world.organization.id}/events"
    known = (await live.rest("GET", path, world.reader)).json()["items"]
    # By the argument, and by the header of browsers.
    ways: list[dict[str, Any]] = [
        {"after": known[0]["eventId"]}, {"headers": {"Last-Event-ID": known[0]["eventId"]}},
    ]  # fmt: skip
    for way in ways:
        async with event_stream(live.client, token, SPACE, id=space.id, **way) as events:
            ids = []
            for _ in range(2):
                name, id, result = await anext(events)
                assert (name, id) == ("next", result["data"]["space"]["id"])
                ids.append(id)
            assert ids == [item["eventId"] for item in known[1:]]
            await rename(live, world, space, f"More {way}"[:40])
            _, id, result = await anext(events)
            newest = result["data"]["space"]
            assert newest["position"] == known[-1]["position"] + 1


async def test_a_query_is_one_result(live: Api, world: World, session: Session) -> None:
    query = "{ viewer { displayName } }"
    token = await live.token_of(world.reader)
    async with event_stream(live.client, token, query) as events:
        (name, id, result), last = [event async for event in events]
    assert (name, id, result["data"]) == ("next", None, {"viewer": {"displayName": "Reader"}})
    assert last == ("complete", None, None)
    async with socket(base_of(live), token) as client:
        await client.subscribe("q", query)
        (result,) = await client.results(1)
        assert result["data"] == {"viewer": {"displayName": "Reader"}}
        assert await client.receive() == {"id": "q", "type": "complete"}
        await client.subscribe(
            "m", 'mutation { updateUser(id: "x", input: {displayName: "N"}) { id } }'
        )
        (result,) = await client.results(1)
        assert result["errors"]
        assert await client.receive() == {"id": "m", "type": "complete"}
        await client.subscribe("w", "{ nothing }")
        message = await client.receive()
        assert (message["id"], message["type"]) == ("w", "error")
        assert message["payload"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


async def test_who_may_not_read_is_refused(live: Api, world: World, session: Session) -> None:
    space = await make_space(session, world)
    token = await live.token_of(world.outsider)
    async with socket(base_of(live), token) as client:
        await client.subscribe("1", SPACE, id=space.id)
        message = await client.receive()
        assert message["type"] == "error"
        assert message["payload"][0]["extensions"]["code"] == "NOT_FOUND"
    async with event_stream(live.client, token, SPACE, id=space.id) as events:
        received = [event async for event in events]
    assert [name for name, _, _ in received] == ["next", "complete"]
    assert received[0][2]["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    answer = await live.client.post(
        "/graphql", json={"query": "subscription { account { id } }"},
        headers={"Accept": "text/event-stream"},
    )  # fmt: skip
    assert answer.status_code == 401 or "UNAUTHENTICATED" in answer.text


@pytest.mark.parametrize("how", ["token", "member", "grant", "space"])
async def test_rights_that_end_end_the_stream_at_once(
    how: str, live: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world)
    await session.begin_write()
    person = world.guest if how == "grant" else world.reader
    if how == "grant":
        await factories.make_grant(session, space, world.guest, Role.READ)
    await session.commit()
    token = await live.token_of(person)
    async with socket(base_of(live), token) as client:
        await client.subscribe("1", SPACE, id=space.id)
        await until(lambda: live.app.state.hub.number == 1)
        await rename(live, world, space, "Seen")
        await client.results(1)
        if how == "token":
            statement = select(Token.id).where(Token.user_id == person.id)
            id = (await session.execute(statement)).scalars().first()
            data = f'mutation {{ revokeToken(id: "{id}") {{ id }} }}'
            assert "errors" not in await live.graphql(data, person)
        elif how == "member":
            path = f"/orgs/{world.organization.id}/members/{person.id}"
            assert (await live.rest("DELETE", path, world.admin)).status_code == 205
        elif how == "grant":
            path = f"/spaces/{space.id}/permissions/users/{person.id}"
            assert (await live.rest("DELETE", path, world.admin)).status_code == 205
        else:
            assert (
                await live.rest("DELETE", f"/spaces/{space.id}", world.admin)
            ).status_code == 205
        message = await client.receive()
        assert message["type"] == "error", message
        code = message["payload"][0]["extensions"]["code"]
        assert code == ("UNAUTHENTICATED" if how == "token" else "NOT_FOUND")
        if how == "token":
            assert await client.receive() == 4403


async def test_what_happens_unseen_is_not_delivered(
    live: Api, world: World, session: Session
) -> None:
    hidden = await make_space(session, world)
    await session.begin_write()
    await factories.make_grant(session, hidden, world.reader, None)
    shown = await factories.make_space(session, world.organization)
    await session.commit()
    async with socket(base_of(live), await live.token_of(world.reader)) as client:
        await client.subscribe("1", ALL, id=world.organization.id)
        await until(lambda: live.app.state.hub.number == 1)
        await rename(live, world, hidden, "Hidden")
        await rename(live, world, shown, "Shown")
        (result,) = await client.results(1)
        assert result["data"]["events"]["position"] == 2


MESSAGES: list[tuple[Any, int]] = [
    ("no JSON", 4400),
    ("[]", 4400),
    ("null", 4400),
    ("1", 4400),
    ('{"type": "nothing"}', 4400),
    ('{"type": 1}', 4400),
    ("[" * 5000, 4400),
    ('{"type": "subscribe", "id": "1", "payload": {"query": "{ viewer { id } }"}}', 4401),
    ('{"type": "connection_init", "payload": {"Authorization": "Bearer wrong"}}', 4403),
    ('{"type": "connection_init", "payload": {"Authorization": 1}}', 4400),
    ('{"type": "connection_init", "payload": []}', 4400),
    ('{"type": "connection_init"}', 4403),
    (b"\x00", 4400),
]


@pytest.mark.parametrize(("text", "code"), MESSAGES)
async def test_wrong_messages_close_with_a_code(text: Any, code: int, live: Api) -> None:
    async with socket(base_of(live)) as client:
        await client.connection.send(text)
        assert await client.receive() == code


SUBSCRIBE = '{{"type": "subscribe", "id": {id}, "payload": {payload}}}'
WRONG: list[tuple[list[str], int]] = [
    ([SUBSCRIBE.format(id='""', payload='{"query": "{ a }"}')], 4400),
    ([SUBSCRIBE.format(id="1", payload='{"query": "{ a }"}')], 4400),
    ([SUBSCRIBE.format(id='"1"', payload="null")], 4400),
    ([SUBSCRIBE.format(id='"1"', payload='{"query": 1}')], 4400),
    (['{"type": "connection_init"}'], 4429),
    (
        [SUBSCRIBE.format(id='"1"', payload=json.dumps({"query": "subscription {account {id}}"}))]
        * 2,
        4409,
    ),
]


@pytest.mark.parametrize(("texts", "code"), WRONG)
async def test_wrong_operations_close_with_a_code(
    texts: list[str], code: int, live: Api, world: World
) -> None:
    async with socket(base_of(live), await live.token_of(world.reader)) as client:
        for text in texts:
            await client.connection.send(text)
        assert await client.receive() == code


async def test_who_says_nothing_is_not_waited_for(
    live: Api, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "INIT_SECONDS", 0.2)
    async with socket(base_of(live)) as client:
        assert await client.receive() == 4408
    monkeypatch.setattr(sockets, "INIT_SECONDS", 60)
    monkeypatch.setattr(sockets, "PING_SECONDS", 0.3)
    payload = {"Authorization": f"Bearer {await live.token_of(world.reader)}"}
    async with socket(base_of(live)) as client:
        await client.send(type="connection_init", payload=payload)
        # Pings come, and are not answered.
        types = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                types.append(json.loads(await client.connection.recv())["type"])
        assert types[0] == "connection_ack"
        # The second one where the first message took longer than to the first.
        assert types[1:] in (["ping"], ["ping", "ping"])
        assert client.connection.close_code == 4408


async def test_pages_of_other_origins_open_no_socket(live: Api, world: World) -> None:
    token = await live.token_of(world.reader)
    async with socket(base_of(live), token, origin=base_of(live)):
        pass
    with pytest.raises(Exception, match="403"):
        async with socket(base_of(live), token, origin="https://evil.example"):
            pass


async def test_another_protocol_is_refused(live: Api) -> None:
    from websockets.asyncio.client import connect

    url = base_of(live).replace("http", "ws", 1) + "/graphql"
    async with connect(url, proxy=None) as connection:
        await connection.wait_closed()
        assert connection.close_code == 4406


async def test_connections_of_a_token_are_counted(
    database: Database, world: World, session: Session, tmp_path: Path
) -> None:
    await session.commit()
    async with listening(database, tmp_path / "data", subscription_connections=1) as api:
        token = await api.token_of(world.reader)
        async with socket(base_of(api), token), socket(base_of(api)) as second:
            payload = {"Authorization": f"Bearer {token}"}
            await second.send(type="connection_init", payload=payload)
            assert await second.receive() == 4429
        async with socket(base_of(api), token):
            answer = await api.client.post(
                "/graphql", json={"query": "subscription { account { id } }"},
                headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"},
            )  # fmt: skip
            assert answer.status_code == 429


async def test_disabled_members_hear_nothing(live: Api, world: World, session: Session) -> None:
    """Whatever changes a right beside a write of the product is found at the next delivery."""
    space = await make_space(session, world)
    async with socket(base_of(live), await live.token_of(world.reader)) as client:
        await client.subscribe("1", SPACE, id=space.id)
        await until(lambda: live.app.state.hub.number == 1)
        await session.begin_write()
        mine = Member.user_id == world.reader.id
        await session.execute(update(Member).where(mine).values(disabled=True))
        await session.commit()
        await rename(live, world, space, "Unseen")
        await client.send(type="ping", payload={"n": 1})
        message = await client.receive()
        # Either the answer to the ping, or the end: never the event.
        assert message["type"] in ("pong", "error")


@pytest.mark.usefixtures("_nothing_by_the_clock")
async def test_an_event_is_read_once_for_all_who_follow_the_same(
    live: Api, world: World, session: Session, queries: Queries
) -> None:
    space = await make_space(session, world)
    counts = []
    for number in (1, 60):
        async with socket(base_of(live), await live.token_of(world.reader)) as client:
            for name in range(number):
                await client.subscribe(str(name), SPACE, id=space.id)
            await until(lambda count=number: live.app.state.hub.number == count)
            async with live.server.database.session() as own:
                ctx = context(own, world.admin)
                await ctx.begin_write()
                await write_events(ctx, [event_row(world.organization.id, space.id)])
                await own.commit()
            queries.statements.clear()
            assert live.server.on_events is not None
            live.server.on_events([world.organization.id])
            bodies = await client.results(number)
            counts.append(len(queries.statements))
            assert all(body == bodies[0] for body in bodies)
    # New events of the stream, those that may be seen, what is selected of them, the token, rights.
    assert max(counts) <= 8, queries.statements


async def test_who_begins_while_the_last_one_leaves_hears_all_the_same(
    live: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = await make_space(session, world)
    token = await live.token_of(world.reader)
    refresh, waits, goes_on = EventFeed.refresh, asyncio.Event(), asyncio.Event()

    async def slow(feed: EventFeed) -> int:
        waits.set()
        await goes_on.wait()
        return await refresh(feed)

    async with socket(base_of(live), token) as client:
        await client.subscribe("1", SPACE, id=space.id)
        await until(lambda: live.app.state.hub.number == 1)
        with monkeypatch.context() as patched:
            patched.setattr(EventFeed, "refresh", slow)
            await client.subscribe("2", ALL, id=world.organization.id, topics=["SPACE"])
            await waits.wait()
            await client.send(id="1", type="complete")
            await until(lambda: not live.app.state.hub._groups)
            goes_on.set()
            await asyncio.sleep(0.1)
        await rename(live, world, space, "Heard")
        message = await client.receive()
        assert (message["id"], message["type"]) == ("2", "next")
        await client.send(id="2", type="complete")
        # Nothing is read for nobody.
        await until(lambda: not live.app.state.hub._feeds)
