"""What deletes and withdrawals answer: what is gone by its key, and what it belonged to."""

from typing import Any

import pytest
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
)

from schema.build import build_schema
from tests.conftest import Api, Sown, World
from tests.seeds import Seed

SCHEMA = build_schema()._schema
MUTATION = SCHEMA.mutation_type
assert MUTATION is not None
TAKING_AWAY = {
    name: field
    for name, field in MUTATION.fields.items()
    if name.startswith(("delete", "remove", "withdraw", "uninstall", "unpublishIntegration"))
}
# The keys of what has no `id`, or of what stays and is only taken out of something.
KEYS = {
    "deleteGitConfiguration": "spaceId",
    "deleteLegacyGitInstallation": "spaceId",
    "deleteCustomHostname": "hostname",
    "deleteRedirect": "path",
    "deleteSiteSpaceCustomization": "siteSpaceId",
    "removeMember": "userId",
    "removeReaction": "emoji",
    "removeSectionFromGroup": "sectionId",
    "removeTeamFromCollection": "teamId",
    "removeTeamFromSpace": "teamId",
    "removeTeamMember": "userId",
    "removeUserFromCollection": "userId",
    "removeUserFromSpace": "userId",
    "withdrawReviewRequest": "userId",
}


def test_there_are_such_mutations() -> None:
    assert len(TAKING_AWAY) > 15
    assert TAKING_AWAY.keys() >= KEYS.keys()


@pytest.mark.parametrize("name", TAKING_AWAY)
def test_a_payload_has_a_key_and_what_it_belonged_to(name: str) -> None:
    field: GraphQLField = TAKING_AWAY[name]
    payload = field.type
    assert isinstance(payload, GraphQLObjectType)
    assert payload.name.endswith("Payload")
    key = payload.fields[KEYS.get(name, "deletedId")].type
    assert isinstance(key, GraphQLNonNull)
    assert is_leaf_type(key.of_type)
    named = SCHEMA.type_map["DeletePayload"] in payload.interfaces
    assert named is (name not in KEYS)
    node = SCHEMA.type_map["Node"]
    around = [
        type_.of_type
        for type_ in (one.type for one in payload.fields.values())
        if isinstance(type_, GraphQLNonNull)
    ]
    assert any(
        isinstance(type_, GraphQLObjectType | GraphQLInterfaceType) and node in type_.interfaces
        for type_ in around
    ), payload.name


def test_no_other_type_is_a_payload_of_deletes() -> None:
    interface = SCHEMA.type_map["DeletePayload"]
    assert isinstance(interface, GraphQLInterfaceType)
    theirs = {get_named_type(field.type).name for field in TAKING_AWAY.values()}
    assert {type_.name for type_ in SCHEMA.get_possible_types(interface)} <= theirs


# ------------------------------------------------------------------ content

CONTENT = {
    "deletePage": ("DeletePageInput", "page", "child", "pageId"),
    "deleteFile": ("DeleteFileInput", "file", "apng", "fileId"),
    "deleteReusableContent": (
        "DeleteReusableContentInput", "reusableContent", "notice", "reusableContentId",
    ),
    "deleteRedirect": ("DeleteRedirectInput", "path", "Was/Here", "path"),
}  # fmt: skip
KINDS = {"deletePage": "page", "deleteFile": "file", "deleteReusableContent": "reusable-content"}
SET = """mutation ($space: ID!, $request: ID) { setRedirect(
  spaceId: $space, changeRequestId: $request, input: {path: "/was/here", page: "home"}) {
    changed } }"""


def deleting(name: str) -> str:
    input, _, _, key = CONTENT[name]
    more = "" if name == "deleteRedirect" else "... on DeletePayload { deletedId }"
    return f"""mutation ($space: ID!, $request: ID, $input: {input}!) {{
      gone: {name}(spaceId: $space, changeRequestId: $request, input: $input) {{
        {more} {key} changed space {{ id }} changeRequest {{ id }} revision {{ id }} moreChanges
        changes {{ type }} redirects {{ changes {{ nodes {{ type path }} }} }} }} }}"""


async def write(api: Api, world: World, seed: Seed, query: str, **variables: Any) -> Any:
    return await api.graphql(query, world.admin, space=seed.space.id, **variables)


@pytest.mark.parametrize("draft", [False, True], ids=["primary", "draft"])
@pytest.mark.parametrize("name", CONTENT)
async def test_deletes_of_content(api: Api, sown: Sown, name: str, draft: bool) -> None:
    world, seed = sown.world, sown.seed
    request = seed.change_request.id if draft else None
    named = str(seed.change_request.number) if draft else None
    await write(api, world, seed, SET, request=named)
    _, member, value, key = CONTENT[name]
    answer = await write(api, world, seed, deleting(name), request=named, input={member: value})
    gone = answer["data"]["gone"]
    assert gone["changed"] is True
    assert gone["space"] == {"id": seed.space.id}
    assert gone["changeRequest"] == (None if request is None else {"id": request})
    assert gone["revision"]["id"] != seed.revision.id
    assert gone["moreChanges"] is None
    if name == "deleteRedirect":
        assert gone[key] == "was/here"
        assert gone["redirects"]["changes"]["nodes"] == [
            {"type": "REDIRECT_DELETED", "path": "was/here"}
        ]
    else:
        assert gone[key] == value
        assert gone["deletedId"] == (f"{KINDS[name]}~{request}~{value}" if request else value)
        assert gone["changes"][0]["type"].endswith("_DELETED")
    again = await write(api, world, seed, deleting(name), request=named, input={member: value})
    assert again["data"] == {"gone": None}
    (error,) = again["errors"]
    assert (error["extensions"]["code"], error["extensions"]["status"]) == ("NOT_FOUND", 404)


@pytest.mark.parametrize("name", KINDS)
async def test_the_deleted_id_is_the_one_that_was_shown(api: Api, sown: Sown, name: str) -> None:
    """Also where the delete names the object by that id, and not by its stable one."""
    world, seed = sown.world, sown.seed
    _, member, value, key = CONTENT[name]
    for request in (seed.change_request.id, None):
        field = {"deletePage": "page", "deleteFile": "file"}.get(name, "reusableContent")
        query = f"""query ($space: ID!, $request: ID) {{
          {field}(spaceId: $space, changeRequestId: $request, id: "{value}") {{ id }} }}"""
        shown = (await write(api, world, seed, query, request=request))["data"][field]["id"]
        answer = await write(
            api, world, seed, deleting(name), request=request, input={member: shown}
        )
        assert answer["data"]["gone"]["deletedId"] == shown
        assert answer["data"]["gone"][key] == value
