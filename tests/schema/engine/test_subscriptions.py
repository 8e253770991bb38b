"""Subscriptions: where events come from, what is made of each, and how a stream ends."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable
from inspect import isawaitable
from typing import Any

import pytest
from graphql import ExecutionResult, GraphQLError, GraphQLSchema, parse, subscribe

from schema.engine.engine import Engine
from tests.schema.engine.oracle import Answer, answer
from tests.schema.engine.schemas import later, schema_of

SDL = """
type Query { a: Int }
type Subscription { number(from: Int = 1): Int, hard: Int!, row: Row, plain: Int }
type Row { id: Int, must: Int! }
"""
Stream = Callable[..., Any]


async def events(*values: Any) -> AsyncIterator[Any]:
    for value in values:
        if isinstance(value, Exception):
            raise value
        yield value


async def all_of(stream: Any) -> list[Answer]:
    """Every answer of a stream, or the one answer in its place."""
    if isinstance(stream, ExecutionResult):
        return [answer(stream)]
    found = []
    try:
        async for result in stream:
            found.append(answer(result))
    except Exception as error:
        found.append(Answer(f"{type(error).__name__}: {error}", ()))
    return found


async def theirs(schema: GraphQLSchema, text: str, **request: Any) -> Any:
    request = {
        "root_value": request.get("root_value"),
        "context_value": request.get("context"),
        "variable_values": request.get("variables"),
    }
    stream: Any = subscribe(schema, parse(text), **request)
    return await stream if isawaitable(stream) else stream


async def ours(schema: GraphQLSchema, text: str, **request: Any) -> Any:
    engine = Engine(schema)
    return await engine.subscribe(engine.plan(parse(text)), **request)


async def same(schema: GraphQLSchema, text: str, **request: Any) -> list[Answer]:
    """The answers of both, which are the same."""
    right = await all_of(await theirs(schema, text, **request))
    mine = await all_of(await ours(schema, text, **request))
    assert mine == right, f"graphql-core: {right}\nthe engine: {mine}"
    return mine


def schema_with(stream: Stream, **functions: Any) -> GraphQLSchema:
    fields = ("number", "hard", "row")
    return schema_of(
        SDL, {**{f"Subscription.{one}:subscribe": stream for one in fields}, **functions}
    )


class Own:
    """An asynchronous iterable that is no generator and cannot be closed."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return events({"number": 1}, {"number": 2})


STREAMS: dict[str, Stream] = {
    "events": lambda *_, **__: events({"number": 1}, {"number": 2}),
    "no events": lambda *_, **__: events(),
    "awaited": lambda *_, **__: later(events({"number": 3})),
    "own class": lambda *_, **__: Own(),
    "fails in between": lambda *_, **__: events({"number": 1}, ValueError("cut off")),
    "graphql error in between": lambda *_, **__: events(GraphQLError("cut off")),
    "bad event": lambda *_, **__: events({"number": "x"}, {"number": 2}, {}, None, 5),
    "failing event": lambda *_, **__: events({"number": ValueError("no")}, {"number": 2}),
    "awaitable value": lambda *_, **__: events(
        {"number": lambda *_: later(5)}, {"number": lambda *_: 6}
    ),
    "null": lambda *_, **__: None,
    "number": lambda *_, **__: 5,
    "list": lambda *_, **__: [{"number": 1}],
    "awaited list": lambda *_, **__: later([1]),
    "exception": lambda *_, **__: ValueError("returned"),
    "raises": lambda *_, **__: 1 / 0,
    "raises later": lambda *_, **__: later(ZeroDivisionError("later")),
    "graphql error": lambda *_, **__: later(GraphQLError("known", extensions={"code": "C"})),
}
DOCUMENTS = (
    "subscription { number }",
    "subscription { hard }",
    "subscription Named { a: number(from: 3) }",
    "subscription { ...F } fragment F on Subscription { number }",
    "subscription { row { id must } }",
)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("text", DOCUMENTS)
async def test_streams(stream: str, text: str) -> None:
    await same(schema_with(STREAMS[stream]), text)


async def test_each_event_is_executed_for_itself() -> None:
    rows = [{"row": {"id": 1, "must": 2}}, {"row": {"id": "x", "must": None}}, {"row": None}]
    schema = schema_with(lambda *_: events(*rows))
    answers = await same(schema, "subscription { row { id must } }")
    assert [one.value for one in answers] == [
        {"row": {"id": 1, "must": 2}},
        {"row": None},
        {"row": None},
    ]
    assert [len(one.errors) for one in answers] == [0, 2, 0]


async def test_arguments_and_info_of_the_stream() -> None:
    told: list[Any] = []

    def stream(root: Any, info: Any, **arguments: Any) -> AsyncIterable[Any]:
        told.append((root, info.field_name, info.path.as_list(), info.context, arguments))
        return events({"number": 1})

    text = "subscription ($v: Int) { n: number(from: $v) }"
    schema = schema_with(stream)
    await same(schema, text, variables={"v": 9}, root_value="root", context="context")
    assert told == [("root", "number", ["n"], "context", {"from": 9})] * 2


async def test_the_root_gives_the_stream_when_nobody_else_does() -> None:
    schema = schema_of(SDL)

    class Root:
        def plain(self, info: Any) -> AsyncIterable[Any]:
            return events({"plain": 1}, {"plain": 2})

    answers = await same(schema, "subscription { plain }", root_value=Root())
    assert [one.value for one in answers] == [{"plain": 1}, {"plain": 2}]
    (answer,) = await same(schema, "subscription { plain }", root_value={})
    assert answer.messages == ["Subscription field must return AsyncIterable. Received: None."]


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("subscription ($v: Int!) { number(from: $v) }", {}),
        ("subscription ($v: Int) { number(from: $v) }", {"v": "x"}),
        ("subscription { unknown }", {}),
        ("subscription { number(from: $v) @skip(if: $w) }", {}),
        ("subscription A { number } subscription B { number }", {}),
        ("fragment F on Subscription { number }", {}),
    ],
)
async def test_requests_that_are_wrong(text: str, variables: dict[str, Any]) -> None:
    (found,) = await same(schema_with(STREAMS["events"]), text, variables=variables)
    assert found.value is None
    assert len(found.errors) == 1


async def test_schema_without_subscriptions() -> None:
    (found,) = await same(schema_of("type Query { a: Int }"), "subscription { a }")
    assert found.messages == ["Schema is not configured to execute subscription operation."]


@pytest.mark.parametrize("execute", [theirs, ours])
async def test_only_subscriptions_are_subscribed_to(execute: Callable[..., Any]) -> None:
    with pytest.raises(GraphQLError, match=r"Expected subscription operation\."):
        await execute(schema_with(STREAMS["events"]), "{ a }")


async def test_events_are_taken_one_at_a_time() -> None:
    taken = []

    async def stream(*_: Any, **__: Any) -> AsyncIterator[Any]:
        for number in range(3):
            taken.append(number)
            yield {"number": number}

    answers = await ours(schema_with(stream), "subscription { number }")
    assert taken == []
    assert (await anext(answers)).data == {"number": 0}
    assert taken == [0]
    assert (await anext(answers)).data == {"number": 1}
    await answers.aclose()
    assert taken == [0, 1]


@pytest.mark.parametrize("execute", [theirs, ours])
async def test_closing_the_answers_closes_the_events(execute: Callable[..., Any]) -> None:
    closed = []

    async def stream(*_: Any, **__: Any) -> AsyncIterator[Any]:
        try:
            while True:
                yield {"number": 1}
        finally:
            closed.append(True)

    answers = await execute(schema_with(stream), "subscription { number }")
    await anext(answers)
    await answers.aclose()
    assert closed == [True]
    with pytest.raises(StopAsyncIteration):
        await anext(answers)


async def test_cancelling_the_reader_closes_the_events() -> None:
    closed = []
    waiting = asyncio.Event()

    async def stream(*_: Any, **__: Any) -> AsyncIterator[Any]:
        try:
            waiting.set()
            await asyncio.Event().wait()
            yield {}
        finally:
            closed.append(True)

    answers = await ours(schema_with(stream), "subscription { number }")
    task = asyncio.create_task(anext(answers))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed == [True]


async def test_executing_a_subscription_once() -> None:
    """As an ordinary operation it is executed on its root, like a query."""
    engine = Engine(schema_of(SDL))
    plan = engine.plan(parse("subscription { plain number }"))
    result = await engine.execute(plan, root_value={"plain": 4, "number": 5})
    assert result.data == {"plain": 4, "number": 5}
