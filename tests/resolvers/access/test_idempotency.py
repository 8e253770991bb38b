"""What is remembered of a write stands and falls with it."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from strawberry import Some

from db.models.idempotency import RememberedAnswer
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.access.idempotency import Answer, RememberedAnswers, keyed_request
from resolvers.core.context import Context
from resolvers.core.errors import (
    BadRequest,
    Conflict,
    Invalid,
    KeyReused,
    Unavailable,
)
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.runners import run
from resolvers.spaces.operations import CreateSpaceInput, create_space
from tests.conftest import World, context
from tests.forked import start
from tests.idempotent_process import WAITING, main as asking

REQUESTS, KILLS = 24, 6
BEARER = "Bearer somebody"
Work = Callable[[Context], Awaitable[Answer]]


async def once(
    database: Database, answers: RememberedAnswers, world: World, work: Work, what: bytes = b"what"
) -> Answer:
    """One request with the key `key`, which asks for `what`."""
    asked = keyed_request(["key"], BEARER, [what])
    assert asked is not None
    async with database.session() as session:
        ctx = context(session, world.creator)
        try:
            return await answers.answer(ctx, asked, lambda: work(ctx))
        finally:
            assert ctx.held is None


async def count(session: Session) -> tuple[int, int]:
    """How many spaces and how many answers there are."""
    found = []
    for model in (Space, RememberedAnswer):
        found.append((await session.execute(select(func.count()).select_from(model))).scalar_one())
    await session.commit()
    return found[0], found[1]


@pytest.fixture
async def ready(session: Session, world: World) -> World:
    await session.commit()
    return world


def making(world: World) -> Work:
    async def make(ctx: Context) -> Answer:
        input = CreateSpaceInput(title=Some("A"))
        space = await run(ctx, create_space, world.organization.id, input)
        return Answer(201, space.id.encode(), {"etag": '"a"'})

    return make


async def test_headers_are_given_again(database: Database, session: Session, ready: World) -> None:
    answers = RememberedAnswers(database.points)
    first = await once(database, answers, ready, making(ready))
    again = await once(database, answers, ready, making(ready))
    assert (first.replayed, again.replayed) == (False, True)
    assert (again.status, again.body, again.headers) == (201, first.body, {"etag": '"a"'})
    with pytest.raises(KeyReused):
        await once(database, answers, ready, making(ready), b"something else")
    assert await count(session) == (1, 1)


async def test_nothing_stays_when_the_answer_cannot_be_made(
    database: Database, session: Session, ready: World
) -> None:
    answers = RememberedAnswers(database.points)

    async def breaks(ctx: Context) -> Answer:
        await making(ready)(ctx)
        raise Invalid("too bad")

    for _ in range(2):
        with pytest.raises(Invalid, match="too bad"):
            await once(database, answers, ready, breaks)
    assert await count(session) == (0, 0)
    # The key is free for it, and for anything else.
    assert not (await once(database, answers, ready, making(ready), b"other")).replayed
    assert await count(session) == (1, 1)


async def test_an_answer_is_not_remembered_without_what_the_database_has_taken_back(
    database: Database, session: Session, ready: World
) -> None:
    """The second write of a request ends the transaction of the first: a full disk, a broken
    connection. Its error is one of several answers, as in GraphQL; so is that of the third."""
    answers = RememberedAnswers(database.points)

    async def limit(ctx: Context, pages: int) -> None:
        connection = await ctx.session.connection()
        await connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    async def work(ctx: Context) -> Answer:
        await making(ready)(ctx)
        with pytest.raises(Exception, match=r"savepoint|not available"):
            await run(ctx, break_down)
        if database.is_sqlite:
            await limit(ctx, 1_000_000_000)
        with pytest.raises(Exception, match=r"taken back|not available|rolled back"):
            await making(ready)(ctx)
        return Answer(200, b"made")

    async def break_down(ctx: Context) -> None:
        policy_was_asked()
        if database.is_sqlite:
            await limit(ctx, 1)
            large = {"id": "large", "created_at": ctx.now(), "body": bytes(9_000_000)}
            row = {"request": "", "status": 200, "headers": {}, "size": 0, **large}
            await ctx.session.execute(insert(RememberedAnswer).values(row))
        await ctx.session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises((Unavailable, DBAPIError, PendingRollbackError)):
        await once(database, answers, ready, work)
    assert await count(session) == (0, 0)
    # It can be sent again.
    assert not (await once(database, answers, ready, making(ready))).replayed
    assert await count(session) == (1, 1)


async def test_nothing_stays_of_a_request_that_is_cancelled(
    database: Database, session: Session, ready: World
) -> None:
    answers = RememberedAnswers(database.points)
    made = asyncio.Event()

    async def hangs(ctx: Context) -> Answer:
        await making(ready)(ctx)
        made.set()
        await asyncio.sleep(60)
        raise AssertionError

    task = asyncio.create_task(once(database, answers, ready, hangs))
    await asyncio.wait_for(made.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await count(session) == (0, 0)
    assert not (await once(database, answers, ready, making(ready))).replayed


async def test_a_repetition_waits_for_the_first_and_not_for_ever(
    database: Database, session: Session, ready: World
) -> None:
    answers = RememberedAnswers(database.points, wait_seconds=0.1)
    made, go = asyncio.Event(), asyncio.Event()

    async def waits(ctx: Context) -> Answer:
        answer = await making(ready)(ctx)
        made.set()
        await go.wait()
        return answer

    task = asyncio.create_task(once(database, answers, ready, waits))
    await asyncio.wait_for(made.wait(), 60)
    with pytest.raises(Conflict, match=r"Idempotency-Key: the first request .* is still running"):
        await once(database, answers, ready, making(ready))
    answers._wait_seconds = 60
    patient = asyncio.create_task(once(database, answers, ready, making(ready)))
    await asyncio.sleep(0.02)
    go.set()
    assert (await patient).body == (await task).body
    assert await count(session) == (1, 1)
    assert not answers._turns


async def test_those_who_wait_go_on_when_the_first_has_failed(
    database: Database, session: Session, ready: World
) -> None:
    answers = RememberedAnswers(database.points)
    failures = 3

    async def work(ctx: Context) -> Answer:
        nonlocal failures
        answer = await making(ready)(ctx)
        if failures:
            failures -= 1
            raise Invalid("not yet")
        return answer

    results = await asyncio.gather(
        *(once(database, answers, ready, work) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(one, Invalid) for one in results) == 3
    made = [one for one in results if isinstance(one, Answer)]
    assert len({one.body for one in made}) == 1
    assert [one.replayed for one in made].count(False) == 1
    assert await count(session) == (1, 1)


async def test_of_two_processes_one_is_taken_back(
    database: Database, session: Session, ready: World
) -> None:
    """Another process has answered while this one was at work: its answer counts."""
    here, there = RememberedAnswers(database.points), RememberedAnswers(database.points)
    found: list[Answer] = []

    async def overtaken(ctx: Context) -> Answer:
        if not found:
            found.append(await once(database, there, ready, making(ready)))
        return await making(ready)(ctx)

    answer = await once(database, here, ready, overtaken)
    assert (answer.body, answer.replayed) == (found[0].body, True)
    assert await count(session) == (1, 1)


async def test_a_failure_behind_another_process_is_its_answer(
    database: Database, session: Session, ready: World
) -> None:
    here, there = RememberedAnswers(database.points), RememberedAnswers(database.points)
    found: list[Answer] = []

    async def late(ctx: Context) -> Answer:
        found.append(await once(database, there, ready, making(ready)))
        raise Conflict("a space of this name is there already")

    answer = await once(database, here, ready, late)
    assert (answer.body, answer.replayed) == (found[0].body, True)
    assert await count(session) == (1, 1)


def test_parts_of_a_request_do_not_run_into_each_other() -> None:
    def made(key: str, bearer: str, *parts: bytes) -> tuple[str, str]:
        asked = keyed_request([key], f"Bearer {bearer}", parts)
        assert asked is not None
        return asked.id, asked.request

    assert made("k", "t", b"a", b"bc") == made("k", "t", b"a", b"bc")
    assert made("k", "t", b"a", b"bc")[1] != made("k", "t", b"ab", b"c")[1]
    assert made("k", "t")[0] != made("t", "k")[0]
    assert keyed_request([], None, []) is None
    for keys in (["a", "b"], [""], ["x" * 256], ["a\n"], ["é"]):
        with pytest.raises(BadRequest, match="Idempotency-Key: "):
            keyed_request(keys, BEARER, [])
    assert keyed_request(["a"], None, []) is None


async def make_until_killed(
    database: Database, world: World, waits: str, seconds: float
) -> list[str]:
    """Start a process that asks for REQUESTS spaces, and kill it when it waits, or after seconds;
    the answers that it gave."""
    url = database.url.render_as_string(hide_password=False)
    people = world.organization.id, world.creator.id
    process = await start(asking, url, *people, str(REQUESTS), waits)
    assert await process.stdout.readline() == b"asking\n"

    async def lines() -> list[str]:
        read = []
        while (line := (await process.stdout.readline()).decode()).endswith("\n"):
            read.append(line.strip())
            if read[-1] == WAITING:
                process.kill()
        return read

    reading = asyncio.create_task(lines())
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
    read = await reading
    if waits:
        assert (process.returncode, read.pop()) == (-signal.SIGKILL, WAITING)
    return read


async def test_a_process_that_is_killed_writes_nothing_twice(
    database: Database, session: Session, ready: World
) -> None:
    chance = random.Random(35)
    answered: dict[str, str] = {}
    # Some are killed at work for sure, then some at any moment; in the end one may finish.
    sure = [(f"{key} {where}", 200.0) for key, where in enumerate(("working", "answered") * 2)]
    some = [("", chance.uniform(0.01, 0.06)) for _ in range(KILLS - len(sure))]
    for waits, seconds in (*sure, *some, ("", 200.0)):
        for line in await make_until_killed(database, ready, waits, seconds):
            key, id = line.split()
            # Whatever was answered once is answered again.
            assert answered.setdefault(key, id) == id
        spaces, kept = await count(session)
        assert spaces == kept
    assert len(answered) == REQUESTS
    ids = (await session.execute(select(Space.id))).scalars()
    assert sorted(ids) == sorted(answered.values())
