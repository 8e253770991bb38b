"""Many people who follow the same: asked for together, each gets what they alone may read."""

import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from db.enums import DefaultLevel, Role
from db.event_enums import EventAudience
from db.session import Database, Session
from resolvers.core.events import write_events
from resolvers.core.runners import read
from resolvers.events.streams import event_rows, seen_by, visible_events
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.docstead.subscriptions.clients import Socket, base_of, socket
from tests.docstead.subscriptions.test_subscriptions import make_space, rename, until
from tests.outbox import event_row

PLAIN = "subscription ($id: ID!) { events(organizationId: $id) { id position object { type } } }"
NESTED = "subscription ($id: ID!) { events(organizationId: $id) { id space { title } } }"


@pytest.mark.parametrize("seed", range(3))
async def test_the_rule_for_many_is_the_rule_for_one(
    database: Database, session: Session, world: World, seed: int
) -> None:
    """Places, levels, grants, teams and audiences at random."""
    chosen, organization = random.Random(seed), world.organization
    people = [
        await factories.make_member(
            session, organization, chosen.choice([None, *Role]), disabled=chosen.random() < 0.1
        )
        for _ in range(12)
    ]
    people += [await factories.make_user(session), world.admin, world.guest]
    teams = [
        await factories.make_team(session, organization, *chosen.sample(people[:12], 3))
        for _ in range(3)
    ]
    top = await factories.make_collection(session, organization)
    collections = [top, await factories.make_collection(session, organization, top)]
    spaces = []
    for _ in range(8):
        parent = chosen.choice([None, *collections])
        spaces.append(
            await factories.make_space(
                session, organization, parent, default_level=chosen.choice(list(DefaultLevel))
            )
        )
    for target in (*spaces, *collections):
        for holder in chosen.sample([*people[:12], *teams], 3):
            await factories.make_grant(session, target, holder, chosen.choice([None, *Role]))
    site = await factories.make_site(session, organization, spaces[0])
    ctx = context(session, world.admin)
    rows = [
        event_row(organization.id, space.id)
        | {
            "audience": chosen.choice(list(EventAudience)).value,
            "space_id": chosen.choice([space.id, None]),
            "collection_id": chosen.choice([None, *(one.id for one in collections)]),
            "team_id": chosen.choice([None, *(team.id for team in teams)]),
            "user_id": chosen.choice([None, *(person.id for person in people)]),
            "site_id": chosen.choice([None, site.id]),
        }
        for space in spaces
        for _ in range(6)
    ]
    await write_events(ctx, rows)
    await session.commit()
    ids = [str(row["id"]) for row in rows]
    async with database.session() as own:
        many = context(own)
        seen = await read(many, seen_by, [person.id for person in people], ids)
        assert len(await read(many, event_rows, ids)) == len(ids)
    single = {}
    for person in people:
        async with database.session() as own:
            if rows_seen := await visible_events(context(own, person), ids):
                single[person.id] = {event.id for event in rows_seen}
    assert seen == single
    assert len({frozenset(some) for some in seen.values()}) > 3


@pytest.mark.parametrize("query", [PLAIN, NESTED])
async def test_each_gets_what_they_may_read(
    query: str, live: Api, world: World, session: Session
) -> None:
    hidden = await factories.make_space(session, world.organization, title="Hidden")
    await factories.make_grant(session, hidden, world.reader, None)
    shown = await factories.make_space(session, world.organization, title="Shown")
    await factories.make_grant(session, hidden, world.guest, Role.READ)
    await settle(session)
    people = {
        "admin": world.admin, "reader": world.reader, "guest": world.guest, "editor": world.editor
    }  # fmt: skip
    async with AsyncExitStack() as stack:
        clients: dict[str, Socket] = {}
        for name, person in people.items():
            token = await live.token_of(person)
            clients[name] = await stack.enter_async_context(socket(base_of(live), token))
            await clients[name].subscribe("1", query, id=world.organization.id)
        await until(lambda: live.app.state.hub.number == len(people))
        await rename(live, world, hidden, "Hidden too")
        await rename(live, world, shown, "Shown too")
        await rename(live, world, hidden, "Hidden again")
        for name, number in (("admin", 3), ("editor", 3), ("reader", 1), ("guest", 2)):
            results = [one["data"]["events"] for one in await clients[name].results(number)]
            if query is NESTED:
                titles = {"reader": {"Shown too"}, "guest": {"Hidden too", "Hidden again"}}
                expected = titles.get(name, {"Hidden too", "Shown too", "Hidden again"})
                assert {event["space"]["title"] for event in results} <= expected
            else:
                positions = {"reader": [2], "guest": [1, 3]}.get(name, [1, 2, 3])
                assert [event["position"] for event in results] == positions


@pytest.mark.usefixtures("_nothing_by_the_clock")
async def test_twice_as_many_people_cost_no_statement_more(
    live: Api, world: World, session: Session, queries: Queries
) -> None:
    space = await make_space(session, world)
    await session.begin_write()
    people = [await factories.make_member(session, world.organization) for _ in range(24)]
    await settle(session)
    tokens = [await live.token_of(person) for person in people]
    counts: dict[int, int] = {}
    for number in (6, 24):
        async with AsyncExitStack() as stack:
            clients: list[Any] = []
            for token in tokens[:number]:
                clients.append(await stack.enter_async_context(socket(base_of(live), token)))
                await clients[-1].subscribe("1", PLAIN, id=world.organization.id)
            await until(lambda count=number: live.app.state.hub.number == count)
            async with live.server.database.session() as own:
                ctx = context(own, world.admin)
                await ctx.begin_write()
                await write_events(ctx, [event_row(world.organization.id, space.id)])
                await own.commit()
            queries.statements.clear()
            assert live.server.on_events is not None
            live.server.on_events([world.organization.id])
            for client in clients:
                await client.results(1)
            counts[number] = len(queries.statements)
        await until(lambda: live.app.state.hub.number == 0)
    # New events, who may read them, their rows, the tokens of all.
    assert counts[24] <= counts[6] + 1, queries.statements
    assert counts[24] <= 8
