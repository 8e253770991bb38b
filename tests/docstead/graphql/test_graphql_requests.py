"""/graphql with the real schema: hostile values, mutations one after another, rows not mixed up."""

from typing import Any

import pytest

from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.seeds import sow

TEXTS = ["", "\x00", "a\nb", "x" * 5000, "٣", "😀", "'; DROP TABLE space; --", "9" * 40, "\u2028"]
CODES = {"NOT_FOUND", "INVALID", "BAD_REQUEST", "BAD_USER_INPUT", "FORBIDDEN", "CONFLICT"}


def codes(answer: dict[str, Any]) -> set[str]:
    return {error["extensions"]["code"] for error in answer["errors"]}


@pytest.mark.parametrize("value", TEXTS)
async def test_hostile_ids(api: Api, world: World, session: Session, value: str) -> None:
    await session.commit()
    for query in (
        "query($id: ID!) { organization(id: $id) { id } }",
        "query($id: ID!) { member(organizationId: $id, userId: $id) { id } }",
        "query($id: ID!) { page(spaceId: $id, id: $id) { id } }",
        "query($id: ID!) { nodes(ids: [$id]) { id } }",
        "query($id: ID!) { changeRequest(spaceId: $id, id: $id) { id } }",
        "mutation($id: ID!) { deleteSpace(id: $id) { deletedId } }",
        'mutation($id: ID!) { updateSpace(id: $id, input: {title: "X"}) { id } }',
    ):
        answer = await api.graphql(query, world.admin, id=value)
        if "errors" in answer:
            assert codes(answer) <= CODES, (query, answer)
        else:
            assert answer["data"] == {"nodes": [None]}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("first: 0", "INVALID"),
        ("first: -1", "INVALID"),
        ("first: 1001", "QUERY_TOO_COMPLEX"),
        ("first: 2147483648", "GRAPHQL_VALIDATION_FAILED"),
        ("first: 1.5", "GRAPHQL_VALIDATION_FAILED"),
        ('first: "1"', "GRAPHQL_VALIDATION_FAILED"),
        ('after: ""', "BAD_REQUEST"),
        ('after: "\\u0000"', "INVALID"),
        ('after: "e30"', "BAD_REQUEST"),
        ("order: SIDEWAYS", "GRAPHQL_VALIDATION_FAILED"),
        ('order: "ASC"', "GRAPHQL_VALIDATION_FAILED"),
        (f'search: "{"x" * 300}"', "INVALID"),
    ],
)
async def test_arguments_out_of_bounds(
    api: Api, world: World, session: Session, arguments: str, code: str
) -> None:
    await session.commit()
    query = (
        f"query($id: ID!) {{ organization(id: $id) {{ members({arguments}) {{ totalCount }} }} }}"
    )
    answer = await api.graphql(query, world.admin, id=world.organization.id)
    assert codes(answer) == {code}


async def test_numbers_as_ids(api: Api, world: World, session: Session) -> None:
    await session.commit()
    query = "query($id: ID!) { node(id: $id) { id } }"
    assert (await api.data(query, world.admin, id=5))["node"] is None
    for value in (1.5, True, [], {}):
        assert codes(await api.graphql(query, world.admin, id=value)) == {"BAD_USER_INPUT"}


async def test_mutations_are_transactions_of_their_own(
    api: Api, world: World, session: Session
) -> None:
    """The first stays although the second fails, and sees its own change."""
    await session.commit()
    answer = await api.graphql(
        """mutation($id: ID!, $other: ID!) {
             a: updateUser(id: $id, input: {displayName: "First"}) { displayName urls { location } }
             b: updateUser(id: $other, input: {displayName: "Not yours"}) { displayName }
             c: updateUser(id: $id, input: {displayName: "Third"}) { displayName }
           }""",
        world.reader,
        id=world.reader.id,
        other=world.admin.id,
    )
    assert codes(answer) == {"FORBIDDEN"}
    viewer = await api.data("{ viewer { displayName } }", world.reader)
    assert viewer["viewer"]["displayName"] in ("First", "Third")
    admin = await api.data("{ viewer { displayName } }", world.admin)
    assert admin["viewer"]["displayName"] == "Admin"


async def test_a_mutation_sees_what_the_one_before_it_changed(
    api: Api, world: World, session: Session
) -> None:
    await session.commit()
    fields = "{ title defaultRole members { totalCount } }"
    data = await api.data(
        f"""mutation($id: ID!) {{
              a: updateOrganization(id: $id, input: {{title: "One"}}) {fields}
              b: updateOrganization(id: $id, input: {{defaultRole: EDIT}}) {fields}
            }}""",
        world.admin,
        id=world.organization.id,
    )
    assert (data["a"]["title"], data["a"]["defaultRole"]) == ("One", None)
    assert (data["b"]["title"], data["b"]["defaultRole"]) == ("One", "EDIT")


async def test_rows_are_never_mixed_up(api: Api, world: World, session: Session) -> None:
    """Values belong to their rows, also when rows of one branch took the place of another's."""
    await sow(session, world)
    for number in range(40):
        await factories.make_space(session, world.organization, title=f"T{number}")
    await session.commit()
    parts = " ".join(
        f's{number}: organization(id: $id) {{ spaces(first: 7, title: "T{number}") '
        "{ nodes { id urls { location } revision { id urls { app } } permissions { admin } } } }"
        for number in range(12)
    )
    data = await api.data(f"query($id: ID!) {{ {parts} }}", world.admin, id=world.organization.id)
    for branch in data.values():
        for node in branch["spaces"]["nodes"]:
            assert node["urls"]["location"].endswith(node["id"])
            assert node["revision"]["urls"]["app"].endswith(node["revision"]["id"])
            assert node["permissions"] == {"admin": True}
