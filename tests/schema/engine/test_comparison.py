"""The comparison with graphql-core can fail: every change to an answer is seen."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from graphql import ExecutionResult, GraphQLError, GraphQLSchema, SourceLocation, parse, validate

from schema.engine.engine import Engine
from tests.schema.engine import nasty, test_random_documents
from tests.schema.engine.nature import Nature
from tests.schema.engine.oracle import actual, expected
from tests.schema.engine.random_documents import Request, Taste, random_request
from tests.schema.engine.schemas import schema_of
from tests.schema.engine.smallest import smallest

SDL = "type Query { rows: [Row], n: Int } type Row { id: Int, name: String, flag: Boolean }"
ROOT = {"rows": [{"id": 1, "name": "a", "flag": True}, {"id": "x", "name": [], "flag": None}]}
TEXT = "{ n rows { id name flag } }"


def swap(errors: list[GraphQLError]) -> None:
    errors[0], errors[1] = errors[1], errors[0]


def relocate(errors: list[GraphQLError]) -> None:
    errors[0].locations = [SourceLocation(1, 99)]


CHANGES: dict[str, Callable[[Any, list[GraphQLError]], Any]] = {
    "nothing": lambda data, errors: None,
    "one value": lambda data, errors: data["rows"][0].update(id=2),
    "a float": lambda data, errors: data["rows"][0].update(id=1.0),
    "a boolean": lambda data, errors: data["rows"][0].update(id=True),
    "text": lambda data, errors: data["rows"][0].update(id="1"),
    "no value": lambda data, errors: data["rows"][0].pop("id"),
    "more values": lambda data, errors: data.update(m=None),
    "order of keys": lambda data, errors: data.update(n=data.pop("n")),
    "a null further up": lambda data, errors: data["rows"].__setitem__(1, None),
    "order of items": lambda data, errors: data["rows"].reverse(),
    "no error": lambda data, errors: errors.pop(),
    "an error twice": lambda data, errors: errors.append(errors[0]),
    "order of errors": lambda data, errors: swap(errors),
    "message": lambda data, errors: setattr(errors[0], "message", "other"),
    "path": lambda data, errors: errors[0].path.append(0),  # type: ignore[union-attr]
    "no path": lambda data, errors: setattr(errors[0], "path", None),
    "locations": lambda data, errors: relocate(errors),
    "extensions": lambda data, errors: setattr(errors[0], "extensions", {"a": 1}),
    "cause": lambda data, errors: setattr(errors[0], "original_error", KeyError("x")),
}


class Changing(Engine):
    """An engine whose answers are changed."""

    def __init__(self, schema: GraphQLSchema, change: Callable[..., Any]) -> None:
        super().__init__(schema)
        self.change = change

    async def execute(self, *args: Any, **options: Any) -> ExecutionResult:
        result = await super().execute(*args, **options)
        self.change(result.data, result.errors)
        return result


@pytest.mark.parametrize("change", CHANGES)
async def test_each_change_to_an_answer_is_a_difference(change: str) -> None:
    schema = schema_of(SDL)
    right = await expected(schema, TEXT, lambda: ROOT)
    assert len(right.errors) == 2
    changed = await actual(Changing(schema, CHANGES[change]), TEXT, lambda: ROOT)
    assert (changed == right) is (change == "nothing")


async def test_a_difference_is_found_and_shown_with_a_small_document() -> None:
    """An engine that loses the last error of each answer does not get far."""
    world = test_random_documents.worlds("wild")[0]

    def lose(data: Any, errors: list[GraphQLError] | None) -> None:
        if errors:
            errors.pop()

    ours = test_random_documents.asking(actual, Changing(world.schema, lose))
    theirs = test_random_documents.asking(expected, world.schema)

    async def compare_all() -> None:
        for request in world.requests:
            await test_random_documents.compare(world.schema, request, ours, theirs)

    with pytest.raises(pytest.fail.Exception) as shown:
        await compare_all()
    text = str(shown.value)
    assert "but the engine gave" in text
    assert len(text) < 1_500


async def test_small_documents_still_fail() -> None:
    schema = nasty.build(Nature("small"))

    async def fails(request: Request) -> bool:
        return "on Stone {" in request.text

    for number in range(50):
        request = random_request(schema, number, Taste(scalars={"Odd": [1]}))
        if await fails(request) and len(request.text) > 800:
            break
    small = await smallest(schema, request, fails)
    assert await fails(small)
    assert len(small.text) < 80


@pytest.mark.parametrize("kind", ["query", "mutation"])
def test_random_documents_are_valid_and_of_many_kinds(kind: str) -> None:
    """Every feature is in some of them; what a client sends is JSON."""
    schema = nasty.build(Nature("valid"))
    texts = []
    for number in range(100):
        request = random_request(schema, (kind, number), test_random_documents.TASTE, kind)
        assert validate(schema, parse(request.text)) == [], request.text
        json.dumps(request.variables)
        texts.append(request.text)
    everything = "\n".join(texts)
    for feature in (
        "...F", "... on ", "... {", "__typename", "@skip(if: true)", "@include(if: $", "either",
        "(filter: {", "choice: ", "[[", "$v1: ", " = ", "null", "a1: ", "query Other",
    ):  # fmt: skip
        assert feature in everything, feature
    assert ("__schema" in everything and "__type(" in everything) is (kind == "query")
