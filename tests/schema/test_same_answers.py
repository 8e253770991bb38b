"""Random documents over the product's own schema, with rows: the engine against graphql-core.

graphql-core calls the fields' resolvers, which load by the same batch functions; the engine calls
the batch functions for whole levels, with light rows. The answers are the same, on each database
and for people who see more or less. Errors are compared when they do not depend on timing
(tests/schema/engine/oracle.py).
"""

import datetime as dt
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from db.enums import TokenScope
from db.models.people import User
from db.session import Session
from resolvers.context import NOBODY, Actor
from schema.build import build_schema
from schema.execution import engine_of
from tests.conftest import Api, World
from tests.schema.engine.oracle import Answer, actual, expected, without_timing
from tests.schema.engine.random_documents import Request, Taste, random_request
from tests.schema.engine.random_values import Known
from tests.schema.engine.smallest import smallest
from tests.seeds import sow

FIRST = int(os.environ.get("DOCSTEAD_TEST_SEED", "0")) * 1_000_000
DOCUMENTS = 60
PEOPLE = ("admin", "commenter", "guest", "outsider", "nobody")
NOW = dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
STRAWBERRY = build_schema()
SCHEMA = STRAWBERRY._schema
SCALARS: dict[str, Sequence[object]] = {
    "DateTime": ["2026-01-31T08:00:00.000Z"],
    "URL": ["https://a.example"],
    "JSONObject": [{"a": [1]}],
}


def known_values(known: dict[str, list[str]]) -> Known:
    """Ids of the rows that were sown, by the coordinate of an argument."""
    every = [one for values in known.values() for one in values]
    named = {
        "Query.member(userId:)": known["userId"],
        "Query.pageByPath(path:)": known["pagePath"],
        "Query.commentReply(id:)": known["commentReplyId"],
        "Query.node(id:)": every,
        "Query.nodes(ids:)": every,
    }

    def values(at: str) -> Sequence[object]:
        if at in named:
            return named[at]
        place, _, argument = at.partition("(")
        name = argument.removesuffix(":)")
        if name == "id":
            name = f"{place.removeprefix('Query.')}Id"
        if name == "first":
            return (None, 1, 2, 3, 50, 0, 2000)
        # The first of each kind are the ones that most people see.
        return [*known.get(name, ())[:1] * 2, *known.get(name, ())]

    return values


Ask = Callable[[Request], Awaitable[Answer]]


def asking(how: Callable[..., Awaitable[Answer]], of: Any, api: Api, actor: Actor) -> Ask:
    """Answers requests with a context of their own, at a fixed time."""

    async def ask(request: Request) -> Answer:
        async with api.server.context_of(actor) as ctx:
            ctx.clock = lambda: NOW
            given = {"variables": request.variables, "operation": request.operation}
            answer = await how(of, request.document, context=ctx, **given)
        async with api.server.context_of(actor) as ctx:
            ctx.clock = lambda: NOW
            return await without_timing(answer, SCHEMA, request.document, given | {"context": ctx})

    return ask


@pytest.mark.parametrize("person", PEOPLE)
async def test_engine_and_graphql_core_give_the_same(
    session: Session, world: World, api: Api, person: str
) -> None:
    seed = await sow(session, world)
    await session.close()
    user: User | None = world.people().get(person)
    actor = Actor(user.id, frozenset(TokenScope)) if user else NOBODY
    taste = Taste(scalars=SCALARS, known=known_values(seed.known), introspection=0.01, width=6)
    ours = asking(actual, engine_of(STRAWBERRY), api, actor)
    theirs = asking(expected, SCHEMA, api, actor)
    answers = []

    async def differ(request: Request) -> bool:
        return await ours(request) != await theirs(request)

    for number in range(DOCUMENTS):
        request = random_request(SCHEMA, (person, FIRST + number), taste)
        answers.append(await ours(request))
        if answers[-1] != await theirs(request):
            small = await smallest(SCHEMA, request, differ)
            mine, right = await ours(small), await theirs(small)
            shown = (small.text, small.variables, "expected", right.data, *right.errors)
            pytest.fail(
                "\n".join(map(str, (*shown, "but the engine gave", mine.data, *mine.errors)))
            )
    sizes = [len(one.data) for one in answers]
    if person in ("admin", "commenter"):
        assert sum(size > 500 for size in sizes) > DOCUMENTS * 0.1, sorted(sizes)
    assert sum(bool(one.errors) for one in answers) > DOCUMENTS * 0.1
