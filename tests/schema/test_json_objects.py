"""A JSON object in a document holds what JSON can: answers show it as it is stored."""

from typing import Any

import pytest

from db.session import Session
from resolvers.core.scalars import read_object
from tests.conftest import Api, World, settle

CHANGE = """mutation { updateChangeRequest(spaceId: "s", id: "c",
  input: {description: {object: "document", nodes: [], extra: [%s]}}) { id } }"""


@pytest.mark.parametrize(
    "value", [float("inf"), float("-inf"), float("nan"), 2**64, -(2**63) - 1, "\ud800", object()]
)
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        read_object({"a": [{"b": value}]})


def test_what_json_can_hold_stays_as_it_is() -> None:
    value = {"a": [1, 2**64 - 1, -(2**63), 1.5, None, True, "é\u2028😀", {}]}
    assert read_object(value) is value


@pytest.mark.parametrize("literal", ["1e999", "-1e999", "99999999999999999999"])
async def test_a_literal_that_is_no_json_is_refused_before_anything_happens(
    api: Api, world: World, session: Session, literal: str
) -> None:
    await settle(session)
    answer = await api.graphql(CHANGE % literal, world.admin)
    (error,) = answer["errors"]
    assert "finite numbers" in error["message"]
    assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    assert "data" not in answer
