"""What is not there cannot be deleted: GraphQL says so, in /v1 the wish has come true."""

import re
from typing import Any

from graphql import (
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLNonNull,
    get_named_type,
    is_required_argument,
)

from db.session import Database, Session
from rest_compat.routes.all import ROUTES
from schema.build import build_schema
from tests.conftest import Api, World
from tests.operation_requests import contents
from tests.seeds import Seed, sow

DELETES = [row for row in ROUTES if row.method == "DELETE"]
MUTATION = build_schema()._schema.mutation_type
assert MUTATION is not None
TAKING_AWAY = {
    name: field
    for name, field in MUTATION.fields.items()
    if name.startswith(
        ("delete", "remove", "withdraw", "uninstall", "unpublishIntegration", "disable")
    )
}
NOTHING = "nothing"
PARAMETER = r"{(\w+)(?::\w+)?}"
# What names the place of the thing, which is there.
PLACES = ("spaceId", "changeRequestId")
# What is deleted is named by its place alone.
OF_PLACES = ("deleteLegacyGitInstallation", "deleteGitConfiguration")


def test_both_doors_have_deletes() -> None:
    assert len(DELETES) > 10
    assert len(TAKING_AWAY) > 15


async def test_nothing_is_deleted(
    api: Api, world: World, session: Session, database: Database
) -> None:
    seed = await sow(session, world)
    await api.token_of(world.admin)
    before = await contents(database)
    for row in DELETES:
        names = re.findall(PARAMETER, row.path)
        ids = {name: seed.known[name][0] for name in names[:-1]} | {names[-1]: NOTHING}
        path = re.sub(PARAMETER, lambda match, ids=ids: ids[match[1]], row.path)
        found = await api.rest("DELETE", path, world.admin)
        assert (found.status_code, found.content) == (204, b""), path
    for name, field in TAKING_AWAY.items():
        query, given = mutation(name, field, seed)
        answer = await api.graphql(query, world.admin, **given)
        (error,) = answer["errors"]
        assert (error["path"], error["extensions"]["code"]) == ([name], "NOT_FOUND"), error
        assert answer["data"] == {name: None}
    assert await contents(database) == before


def mutation(name: str, field: GraphQLField, seed: Seed) -> tuple[str, dict[str, Any]]:
    """A mutation about something that is not there, in a place that is, and its variables."""
    given: dict[str, Any] = {}
    for argument, definition in field.args.items():
        kind = get_named_type(definition.type)
        if isinstance(kind, GraphQLInputObjectType):
            members = [
                one for one, type_ in kind.fields.items() if isinstance(type_.type, GraphQLNonNull)
            ]
            given[argument] = dict.fromkeys(members, "1f44d" if "emoji" in members else NOTHING)
        elif is_required_argument(definition):
            given[argument] = (
                seed.known[argument][0] if argument in PLACES and name not in OF_PLACES else NOTHING
            )
    declared = ", ".join(f"${one}: {field.args[one].type}" for one in given)
    passed = ", ".join(f"{one}: ${one}" for one in given)
    return f"mutation ({declared}) {{ {name}({passed}) {{ __typename }} }}", given
