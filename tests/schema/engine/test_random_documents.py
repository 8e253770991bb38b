"""Random documents over the nasty schema: the engine and graphql-core give the same answers.

With resolvers that return their values, data and errors are compared exactly, the order of errors
included. What an answer is does not depend on whether values have to be awaited, so the engine's
answers with awaitable values are compared with the same.

graphql-core's own errors depend on timing when values have to be awaited, see oracle.py.

A failing document is made smaller before it is shown. DOCSTEAD_TEST_SEED chooses other documents.
"""

import gc
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import pytest
from graphql import GraphQLSchema

from schema.engine.engine import Engine
from tests.schema.engine import nasty
from tests.schema.engine.nasty_sources import NastySources
from tests.schema.engine.nature import Nature
from tests.schema.engine.oracle import Answer, actual, expected, failures_stand_alone
from tests.schema.engine.random_documents import Request, Taste, random_request
from tests.schema.engine.smallest import smallest

FIRST = int(os.environ.get("DOCSTEAD_TEST_SEED", "0")) * 1_000_000
TASTE = Taste(scalars={"Odd": [1, 3, 5]})
NATURES: dict[str, dict[str, Any]] = {
    "harmless": {"failing": 0.0, "wrong": 0.0, "outage": 0.0},
    "usual": {},
    "rare": {"failing": 0.008, "null": 0.02, "wrong": 0.008, "outage": 0.003},
    "wild": {"failing": 0.08, "null": 0.15, "wrong": 0.08, "outage": 0.05},
}
SCHEMAS = 6
DOCUMENTS = 24

natures = pytest.mark.parametrize("nature", NATURES)
Ask = Callable[[Request], Awaitable[Answer]]


@dataclass
class World:
    """One nasty schema, and a schema with the same values of which some have to be awaited."""

    nature: Nature
    stand_alone: dict[str, bool] = field(default_factory=dict)
    # Right answers to requests: three tests compare with the same.
    right: dict[str, Answer] = field(default_factory=dict)

    @cached_property
    def schema(self) -> GraphQLSchema:
        return nasty.build(self.nature)

    @cached_property
    def waiting(self) -> GraphQLSchema:
        return nasty.build(replace(self.nature, waiting=0.3))

    @cached_property
    def requests(self) -> list[Request]:
        """Random requests; some of them are mutations."""
        seed = self.nature.seed
        return [
            random_request(self.schema, (seed, one), TASTE, "query" if one % 6 else "mutation")
            for one in range(DOCUMENTS)
        ]

    async def expected(self, request: Request) -> Answer:
        """What graphql-core answers with resolvers that return their values."""
        key = f"{request.operation} {request.text} {request.variables}"
        if key not in self.right:
            self.right[key] = await expected(self.schema, request.document, **given(request))
        return self.right[key]

    def without_timing(self, ask: Ask) -> Ask:
        """What of the answers does not depend on timing; errors in no order, or none."""

        async def ask_both(request: Request) -> Answer:
            answer = await ask(request)
            key = f"{request.text} {request.variables}"
            if key not in self.stand_alone:
                self.stand_alone[key] = await failures_stand_alone(
                    answer, self.schema, request.document, given(request)
                )
            return answer.without_timing(self.stand_alone[key])

        return ask_both


@cache
def worlds(nature: str) -> list[World]:
    made = []
    for number in range(SCHEMAS):
        made.append(World(Nature(f"{nature} {FIRST + number}", **NATURES[nature])))
    return made


def asking(how: Callable[..., Awaitable[Answer]], of: Any) -> Ask:
    async def ask(request: Request) -> Answer:
        return await how(of, request.document, **given(request))

    return ask


async def compare(schema: GraphQLSchema, request: Request, ours: Ask, theirs: Ask) -> Answer:
    """Both answers are the same; otherwise fails with a small document that shows it."""

    async def differ(request: Request) -> bool:
        return await ours(request) != await theirs(request)

    answer = await ours(request)
    if answer != await theirs(request):
        small = await smallest(schema, request, differ)
        mine, right = await ours(small), await theirs(small)
        shown = (small.text, small.variables, "expected", right.data, *right.errors)
        pytest.fail("\n".join(map(str, (*shown, "but the engine gave", mine.data, *mine.errors))))
    return answer


@natures
async def test_returned_values(nature: str) -> None:
    answers = []
    for world in worlds(nature):
        ours = asking(actual, Engine(world.schema))
        for request in world.requests:
            answers.append(await compare(world.schema, request, ours, world.expected))
    check_worth(answers, nature)


@natures
async def test_batch_functions_and_rows(nature: str) -> None:
    answers, calls = [], []
    for world in worlds(nature):
        sources = NastySources(world.nature)
        ours = asking(actual, Engine(world.schema, sources))
        for request in world.requests:
            answers.append(await compare(world.schema, request, ours, world.expected))
        calls += sources.calls
    check_worth(answers, nature)
    assert max(calls) > 5, "no batch function was ever called for many rows"


@natures
async def test_awaitable_values_change_nothing(nature: str) -> None:
    answers = []
    for number, world in enumerate(worlds(nature)):
        # Half of the schemas have batch functions between resolvers whose values are awaited.
        engine = Engine(world.waiting, *([NastySources(world.nature)] if number % 2 else []))
        ours = asking(actual, engine)
        for request in world.requests:
            answers.append(await compare(world.schema, request, ours, world.expected))
    check_worth(answers, nature)
    # Whatever was left unawaited would warn now.
    gc.collect()


@pytest.mark.usefixtures("forgotten_coroutines")
@natures
async def test_awaitable_values_of_both(nature: str) -> None:
    with_errors = 0
    for world in worlds(nature):
        ours = world.without_timing(asking(actual, Engine(world.waiting)))
        theirs = world.without_timing(asking(expected, world.waiting))
        for request in world.requests:
            answer = await compare(world.schema, request, ours, theirs)
            with_errors += bool(answer.errors)
    assert with_errors > SCHEMAS * DOCUMENTS / 10 or nature == "harmless"


def given(request: Request) -> dict[str, Any]:
    return {"variables": request.variables, "operation": request.operation}


def check_worth(answers: list[Answer], nature: str) -> None:
    """The documents were worth comparing: data of some size, and errors that stay errors."""
    count = len(answers)
    assert sum(len(one.data) > 100 for one in answers) > count * 0.2
    if nature != "harmless":
        assert sum(bool(one.errors) for one in answers) > count * 0.15
    if nature == "wild":
        assert sum(len(one.errors) > 2 for one in answers) > count * 0.05
        assert sum(bool(one.errors) and one.value is not None for one in answers) > count * 0.1
