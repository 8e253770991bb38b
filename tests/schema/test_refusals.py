"""What is refused says why: whatever the document, a refusal has at least one error."""

import re
from random import Random

import pytest
from graphql import GraphQLError

from db.session import Session
from schema.build import build_schema
from schema.documents import Documents
from schema.refusals import Refused
from tests.conftest import Api, World
from tests.schema.engine import nasty
from tests.schema.engine.nature import Nature
from tests.schema.engine.random_documents import Taste, random_request

SCHEMA = build_schema()._schema
NASTY = nasty.build(Nature("refusals"))
TWO_OF_ONE_NAME = {
    "the last within itself": (
        "{ ...A } fragment A on Query { version } fragment A on Query { ...A }"
    ),
    "the first within itself": (
        "{ ...A } fragment A on Query { ...A } fragment A on Query { version }"
    ),
    "both within another": (
        "{ ...A } fragment A on Query { version } fragment B on Query { ...A } "
        "fragment A on Query { ...B }"
    ),
    "never spread": "{ version } fragment A on Query { version } fragment A on Query { ...A }",
    "without an operation": "fragment A on Query { version } fragment A on Query { ...A }",
}
FRAGMENTS, CYCLIC = "ABCD", 800


def outcome(documents: Documents, text: str, variables: dict[str, object]) -> Refused | None:
    """The refusal of a text, with or without variables; None for what may be executed."""
    try:
        document = documents.document(text)
        for operation in document.parsed.operations:
            documents.operation(document, operation, variables)
        documents.select(document, None)
    except Refused as refused:
        return refused
    return None


def check(refused: Refused | None) -> None:
    if refused is not None:
        assert refused.errors, refused.code
        assert all(error["message"] and error["extensions"]["code"] for error in refused.errors)


@pytest.mark.parametrize("text", TWO_OF_ONE_NAME.values(), ids=TWO_OF_ONE_NAME.keys())
async def test_two_fragments_of_one_name(
    api: Api, world: World, session: Session, text: str
) -> None:
    await session.commit()
    for _ in range(2):  # as it is found out, and as it is remembered
        answer = await api.graphql(text, world.admin)
        assert "data" not in answer
        messages = [error["message"] for error in answer["errors"]]
        assert "There can be only one fragment named 'A'." in messages
        assert {error["extensions"]["code"] for error in answer["errors"]} == {
            "GRAPHQL_VALIDATION_FAILED"
        }


def _fragments(random: Random) -> str:
    """A document of a few fragments that spread each other, some of one name, some unknown."""

    def selections(depth: int = 0) -> str:
        parts = []
        for _ in range(random.randint(1, 3)):
            kind = random.random()
            if kind < 0.5:
                parts.append(f"...{random.choice(FRAGMENTS)}")
            elif kind < 0.65 and depth < 3:
                parts.append(f"... on Query {{ {selections(depth + 1)} }}")
            elif kind < 0.8 and depth < 3:
                parts.append(f'space(id: "1") {{ {selections(depth + 1)} }}')
            else:
                parts.append(random.choice(["version", "__typename", "nothing"]))
        return " ".join(parts)

    made = [
        f"fragment {random.choice(FRAGMENTS)} on {random.choice(['Query', 'Space', 'Nothing'])} "
        f"{{ {selections()} }}"
        for _ in range(random.randint(1, 5))
    ]
    made += [
        f"query {random.choice(['A', 'B', ''])} {{ {selections()} }}"
        for _ in range(random.randint(0, 2))
    ]
    random.shuffle(made)
    return " ".join(made)


def test_fragments_in_circles() -> None:
    documents = Documents(SCHEMA)
    seen: set[str] = set()
    for number in range(CYCLIC):
        refused = outcome(documents, _fragments(Random(number)), {})
        check(refused)
        if refused is not None:
            seen |= {re.sub(r"'.*", "", error["message"]) for error in refused.errors}
    assert {"There can be only one fragment named ", "Cannot spread fragment "} <= seen


def test_random_documents_with_a_fault() -> None:
    """Words in the place of others, pieces that are left out or there twice."""
    documents = Documents(NASTY)
    codes: set[str] = set()
    for number in range(25):
        request = random_request(NASTY, number, Taste(scalars={"Odd": [1]}))
        random = Random(number)
        texts = [request.text]
        for _ in range(6):
            words = list(re.finditer(r"[A-Za-z_]\w*|\d+|\S", request.text))
            start, end = sorted(random.choice(words).start() for _ in range(2))
            piece, other = request.text[start:end], random.choice(words)[0]
            texts.append(request.text[:start] + other + request.text[start + 1 :])
            texts.append(request.text[:start] + request.text[end:])
            texts.append(request.text[:end] + " " + piece + request.text[end:])
            texts.append(request.text + " " + piece)
        for text in texts:
            for variables in (request.variables, {}, {name: [{}] for name in request.variables}):
                refused = outcome(documents, text, variables)
                check(refused)
                codes |= {refused.code} if refused is not None else set()
    assert {
        "GRAPHQL_PARSE_FAILED",
        "GRAPHQL_VALIDATION_FAILED",
        "OPERATION_RESOLUTION_FAILURE",
        "BAD_USER_INPUT",
    } <= codes


def test_a_refusal_without_an_error_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="needs an error"):
        Refused("GRAPHQL_VALIDATION_FAILED", [])
    again = Refused("BAD_USER_INPUT", [GraphQLError("no")], status=422).again()
    assert (again.code, again.status, again.errors[0]["message"]) == ("BAD_USER_INPUT", 422, "no")
