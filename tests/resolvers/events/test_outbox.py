"""Events are numbered in the order of their commits without a gap: who reads on misses none."""

import asyncio
import datetime as dt
import random
from typing import Any

import pytest
from sqlalchemy import select, update
from strawberry import Some

from db.base import utc_now
from db.enums import TokenScope
from db.event_enums import EventAudience, EventTopic, EventType
from db.models.events import Event, EventCounter
from db.session import Database, Session
from jobs.purge import clear_events
from resolvers.access.tokens import create_token
from resolvers.comments.operations import CommentBodyInput, PostCommentInput, post_comment
from resolvers.core.context import Context
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.events import write_events
from resolvers.core.runners import run
from resolvers.events.operations import PORTION, RETENTION
from resolvers.spaces.operations import UpdateSpaceInput, update_space
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.outbox import event_row

QUERY = """
query ($id: ID!, $first: Int, $after: String, $event: ID, $types: [EventType!]) {
  organization(id: $id) {
    events(first: $first, after: $after, afterEvent: $event, types: $types) {
      nodes { id position type space { id title } actor { user { displayName } } }
      pageInfo { endCursor hasNextPage }
      totalCount
    }
  }
}
"""


async def all_events(database: Database, stream: str) -> list[Event]:
    async with database.session() as session:
        statement = select(Event).where(Event.stream_id == stream).order_by(Event.position)
        return list((await session.execute(statement)).scalars())


async def rename(database: Database, person: Any, space_id: str, title: str) -> None:
    async with database.session() as session:
        change = UpdateSpaceInput(title=Some(title))
        await run(context(session, person), update_space, space_id, change)


async def test_concurrent_writers_leave_no_gap_for_whoever_reads_on(
    database: Database, world: World, session: Session
) -> None:
    spaces = [await factories.make_space(session, world.organization) for _ in range(6)]
    await session.commit()
    stream = world.organization.id
    done = asyncio.Event()
    read: list[int] = []

    async def follow() -> None:
        while True:
            ended = done.is_set()
            async with database.session() as reading:
                last = read[-1] if read else 0
                statement = select(Event.position).where(
                    Event.stream_id == stream, Event.position > last
                )
                read.extend((await reading.execute(statement.order_by(Event.position))).scalars())
            if ended:
                return
            await asyncio.sleep(0)

    async def write(space_id: str) -> None:
        for number in range(10):
            await rename(database, world.admin, space_id, f"T{number}")

    following = asyncio.create_task(follow())
    await asyncio.gather(*(write(space.id) for space in spaces))
    done.set()
    await following
    assert read == list(range(1, 61))
    assert [event.position for event in await all_events(database, stream)] == read


async def test_what_commits_late_is_missed_by_nobody(
    database: Database, world: World, session: Session
) -> None:
    """The number of an event that is not committed is nobody else's, and blocks the next one."""
    space = await factories.make_space(session, world.organization)
    await session.commit()
    stream = world.organization.id
    async with database.session() as slow:
        ctx = context(slow, world.admin)
        await ctx.begin_write()
        await write_events(ctx, [event_row(stream, space.id)])
        other = asyncio.create_task(rename(database, world.admin, space.id, "Later"))
        await asyncio.sleep(0.2)
        assert await all_events(database, stream) == []
        assert not other.done()
        await slow.commit()
        await other
    assert [(event.position, event.action) for event in await all_events(database, stream)] == [
        (1, "late"), (2, "updateSpace"),
    ]  # fmt: skip


async def test_two_organizations_never_wait_for_each_other_in_a_circle(
    database: Database, world: World, session: Session
) -> None:
    """Transfers write events of two organizations, in whichever direction."""
    other = await factories.make_organization(session)
    await session.commit()
    streams = [world.organization.id, other.id]

    async def both(number: int) -> None:
        async with database.session() as writing:
            ctx = context(writing)
            await ctx.begin_write()
            order = streams if number % 2 else streams[::-1]
            rows = [event_row(stream, None) | {"id": f"{number}-{stream}"} for stream in order]
            await write_events(ctx, rows)
            await writing.commit()

    # Few enough that the last one has its turn within a busy machine's five seconds.
    await asyncio.gather(*(both(number) for number in range(8)))
    for stream in streams:
        events = await all_events(database, stream)
        assert [event.position for event in events] == list(range(1, 9))


@pytest.mark.parametrize("seed", range(2))
async def test_any_reading_from_cursors_is_the_log(
    seed: int, api: Api, world: World, session: Session, database: Database
) -> None:
    choose = random.Random(seed)
    spaces = [
        await factories.make_space(session, world.organization, title=f"S{n}") for n in range(3)
    ]
    await session.commit()
    for number in range(25):
        space, person = choose.choice(spaces), choose.choice([world.admin, world.creator])
        match choose.randrange(4):
            case 0:
                await rename(database, person, space.id, f"T{number}")
            case 1:
                async with database.session() as writing:
                    body = PostCommentInput(body=CommentBodyInput(markdown="Hello"))
                    await run(context(writing, person), post_comment, space.id, body)
            case 2:
                answer = await api.rest("POST", f"/orgs/{world.organization.id}/spaces", person,
                                        {"title": "New"})  # fmt: skip
                assert answer.status_code == 201
            case _:
                # Refused: there is nothing of it.
                answer = await api.rest("PATCH", f"/spaces/{space.id}", world.reader, {"title": ""})
                assert answer.status_code in (403, 422)
    log = await all_events(database, world.organization.id)
    assert [event.position for event in log] == list(range(1, len(log) + 1))
    assert len({event.id for event in log}) == len(log) > 10
    types = choose.choice([None, ["SPACE_UPDATED", "SPACE_CREATED"]])
    wanted = [event.id for event in log if types is None or event.type.name in types]
    values: dict[str, Any] = {"id": world.organization.id, "types": types}
    # On from any event, by pages of any size, in GraphQL.
    start = choose.randrange(len(log))
    read: list[str] = []
    cursor = None
    while True:
        data = await api.data(
            QUERY, world.admin, **values, event=log[start].id, first=choose.randint(1, 7),
            after=cursor,
        )  # fmt: skip
        part = data["organization"]["events"]
        read += [node["id"] for node in part["nodes"]]
        cursor = part["pageInfo"]["endCursor"]
        if not part["pageInfo"]["hasNextPage"]:
            break
    later = {event.id for event in log[start + 1 :]}
    assert read == [id for id in wanted if id in later]
    assert part["totalCount"] == len(read)
    # In /v1 from the beginning.
    path, query = f"/orgs/{world.organization.id}/events", "?limit=4"
    items: list[Any] = []
    while True:
        body = (await api.rest("GET", path + query, world.admin)).json()
        items += body["items"]
        if "next" not in body:
            break
        query = f"?limit=4&page={body['next']['page']}"
    assert [item["eventId"] for item in items] == [event.id for event in log]
    assert [item["type"] for item in items] == [event.type.value for event in log]


async def test_a_write_costs_one_statement_more(
    api: Api, world: World, session: Session, queries: Queries
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    await api.token_of(world.admin)
    for method, path, body in (
        ("PATCH", f"/spaces/{space.id}", {"title": "Other"}),
        ("POST", f"/spaces/{space.id}/comments", {"body": {"markdown": "Hello"}}),
        ("POST", f"/orgs/{world.organization.id}/spaces", {"title": "New"}),
    ):
        queries.statements.clear()
        answer = await api.rest(method, path, world.admin, body)
        assert answer.status_code < 300
        # That whose ids are whose looks into all tables.
        written = [
            text for text in queries.statements if "event" in text and "content_owner" not in text
        ]
        assert len(written) == 1, written
        assert "INSERT INTO event" in written[0]


async def test_what_is_remembered_by_a_key_leaves_its_events_once(
    api: Api, world: World, session: Session, database: Database
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        answer = await api.rest(
            "PATCH", f"/spaces/{space.id}", world.admin, {"title": "Other"}, headers=headers
        )
        assert answer.status_code == 200
    assert len(await all_events(database, world.organization.id)) == 1
    # Of two writes in one transaction the one that fails leaves none.
    token = await api.token_of(world.admin)
    query = (
        f'mutation {{ a: updateSpace(id: "{space.id}", input: {{title: "A"}}) {{ id }} '
        'b: updateSpace(id: "nothing", input: {title: "B"}) { id } '
        f'c: updateSpace(id: "{space.id}", input: {{emoji: "1f4d8"}}) {{ id }} }}'
    )
    await api.client.post(
        "/graphql",
        json={"query": query},
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "twice"},
    )
    events = await all_events(database, world.organization.id)
    assert [(event.position, event.changed) for event in events][1:] == [(2, ["title"])]


async def test_old_events_go_in_portions_and_their_numbers_are_not_given_again(
    database: Database, world: World, session: Session
) -> None:
    stream = world.organization.id
    for _ in range(3):
        await factories.make_event(session, world.organization, EventAudience.SPACE)
    counted = select(EventCounter.last).where(EventCounter.stream_id == stream)
    assert (await session.execute(counted)).scalar_one() == 3
    space = await factories.make_space(session, world.organization)
    await session.commit()
    ctx = context(session)
    now = utc_now()
    await session.begin_write()
    old = now - RETENTION - dt.timedelta(minutes=1)
    await session.execute(update(Event).where(Event.position < 3).values(at=old))
    await session.commit()
    assert PORTION > 2
    assert await clear_events(ctx, now) == 2
    assert [event.position for event in await all_events(database, stream)] == [3]
    assert await clear_events(ctx, now + RETENTION + dt.timedelta(days=1)) == 1
    await rename(database, world.admin, space.id, "Other")
    assert [event.position for event in await all_events(database, stream)] == [4]


async def test_an_event_that_is_gone_is_no_cursor(api: Api, world: World, session: Session) -> None:
    event = await factories.make_event(session, world.outsider, EventAudience.ACCOUNT)
    await session.commit()
    for id in ("nothing", event.id):
        answer = await api.graphql(QUERY, world.admin, id=world.organization.id, event=id)
        error = answer["errors"][0]
        assert error["extensions"]["code"] == "INVALID"
        assert "afterEvent" in error["message"]
        path = f"/orgs/{world.organization.id}/events?afterEvent={id}"
        assert (await api.rest("GET", path, world.admin)).status_code == 422


async def test_a_token_reads_types_that_its_scopes_allow(
    api: Api, world: World, session: Session
) -> None:
    for type in (EventType.SPACE_UPDATED, EventType.MEMBER_ADDED):
        await factories.make_event(session, world.organization, EventAudience.MEMBERS, type=type)
    await session.commit()
    await session.begin_write()
    scopes = frozenset({TokenScope.ORGANIZATION_READ, TokenScope.SPACE_READ})
    _, token = await create_token(session, world.admin.id, "narrow", scopes=scopes)
    await session.commit()
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/v1/orgs/{world.organization.id}/events"
    answer = await api.client.get(path, headers=headers)
    assert [item["type"] for item in answer.json()["items"]] == ["space_updated"]
    answer = await api.client.get(f"{path}?types=member_added", headers=headers)
    assert answer.status_code == 403
    assert "organization:members:read" in answer.text


def test_every_type_and_topic_is_described() -> None:
    assert set(EVENT_KINDS) == set(EventType)
    assert {topic for kind in EVENT_KINDS.values() for topic in kind.topics} == set(EventTopic)
    assert all(kind.operations for kind in EVENT_KINDS.values())


def test_every_model_has_a_rule_or_a_reason() -> None:
    from resolvers.core.audit_objects import OBJECTS
    from resolvers.core.event_rules import RULES, SILENT

    assert set(OBJECTS) == {*RULES, *SILENT}
    assert not {*RULES} & {*SILENT}


async def test_contexts_without_a_server_write_events(database: Database, session: Session) -> None:
    """The command line has nobody who hears of them; they are there all the same."""
    organization = await factories.make_organization(session)
    space = await factories.make_space(session, organization)
    await session.commit()
    async with database.session() as writing:
        ctx: Context = context(writing)
        await run(ctx, update_space, space.id, UpdateSpaceInput(title=Some("By hand")))
    (event,) = await all_events(database, organization.id)
    assert (event.actor_kind.value, event.actor_id) == ("system", None)
