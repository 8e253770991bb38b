"""Subscriptions go on at any point, while events come and servers of their own are busy."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import update

from db.base import utc_now
from db.models.organizations import Token
from db.session import Session
from docstead.subscriptions import groups
from tests.conftest import Api, World
from tests.docstead.subscriptions.clients import base_of, event_stream, socket
from tests.docstead.subscriptions.test_slow_readers import write
from tests.docstead.subscriptions.test_subscriptions import ALL, make_space, until

KNOWN, MORE = 24, 16


async def known_events(live: Api, world: World) -> list[str]:
    path = f"/orgs/{world.organization.id}/events?limit=1000"
    return [item["eventId"] for item in (await live.rest("GET", path, world.admin)).json()["items"]]


async def test_whoever_goes_on_anywhere_misses_nothing(
    live: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every event, while others are written, in portions that end anywhere."""
    monkeypatch.setattr(groups, "BATCH", 5)
    space = await make_space(session, world)
    await write(live, world, space, KNOWN)
    ids = await known_events(live, world)
    token = await live.token_of(world.reader)
    async with socket(base_of(live), token) as client, asyncio.TaskGroup() as tasks:
        for place, id in enumerate(ids):
            await client.subscribe(str(place), ALL, id=world.organization.id, after=id)
            if place % 3 == 0 and place < 3 * MORE:
                tasks.create_task(write(live, world, space, MORE * 3 // KNOWN))
        last = KNOWN + (KNOWN // 3) * (MORE * 3 // KNOWN)
        seen: dict[str, list[int]] = {str(place): [] for place in range(KNOWN)}
        while not all(positions and positions[-1] == last for positions in seen.values()):
            message = await client.receive()
            assert message["type"] == "next", message
            seen[message["id"]].append(message["payload"]["data"]["events"]["position"])
    for place, positions in seen.items():
        assert positions == list(range(int(place) + 2, last + 1))
    # They follow together again.
    await until(lambda: len(live.app.state.hub._groups) <= 1)


@pytest.mark.parametrize("how", ["revoked", "expired"])
async def test_a_token_that_ends_in_a_burst_gets_nothing_from_then_on(
    how: str, live: Api, world: World, session: Session
) -> None:
    """What was written behind its end is never delivered, over neither protocol."""
    space = await make_space(session, world)
    token = await live.token_of(world.reader)
    mine = Token.user_id == world.reader.id
    async with (
        socket(base_of(live), token) as client,
        event_stream(live.client, token, ALL, id=world.organization.id) as events,
    ):
        await client.subscribe("1", ALL, id=world.organization.id)
        await until(lambda: live.app.state.hub.number == 2)
        await write(live, world, space, 30)
        values = {"revoked_at": utc_now()} if how == "revoked" else {"expires_at": utc_now()}
        await session.begin_write()
        await session.execute(update(Token).where(mine).values(values))
        await session.commit()
        before = len(await known_events(live, world))
        await write(live, world, space, 30)
        received: list[Any] = []
        while isinstance(message := await client.receive(), dict) and message["type"] == "next":
            received.append(message["payload"]["data"]["events"]["position"])
        assert message["payload"][0]["extensions"]["code"] == "UNAUTHENTICATED"
        assert await client.receive() == 4403
        assert received == list(range(1, len(received) + 1))
        assert len(received) <= before
        last: Any = None
        async for name, _, result in events:
            if name == "next" and "errors" not in result:
                assert result["data"]["events"]["position"] <= before
            elif name == "next":
                last = result["errors"][0]["extensions"]["code"]
        assert last == "UNAUTHENTICATED"
