"""Roles on spaces and collections through both doors: bodies, lists, refusals, reasons."""

from typing import Any

import pytest
from sqlalchemy import select

from db.enums import Role
from db.models.organizations import User
from db.models.spaces import AccessGrant
from db.session import Database, Session
from tests import factories
from tests.conftest import Api, World, settle

WRONG: list[tuple[Any, str]] = [
    ({}, "role: is required"),
    ({"users": ["x"]}, "role: is required"),
    ({"role": "read"}, "users: nobody is named"),
    ({"role": "owner", "users": ["x"]}, "role: "),
    ({"role": 1, "users": ["x"]}, "role: "),
    ({"role": "read", "users": []}, "users: has 0 items"),
    ({"role": "read", "users": "x"}, "users: must be an array"),
    ({"role": "read", "users": [None]}, "users[0]: must be text"),
    ({"role": "read", "teams": [""]}, "teams[0]: has 0 characters"),
    ({"role": "read", "teams": ["t" * 65]}, "teams[0]: has 65 characters"),
    ({"role": "read", "teams": ["t"] * 1001}, "teams: has 1001 items"),
    ([], "body: must be an object"),
]
INVITE = """mutation ($id: ID!, $input: InviteInput!) {
  inviteToSpace(id: $id, input: $input) { space {
  people(role: COMMENT) { totalCount nodes { role user { id } } }
  userGrants { nodes { role user { id } space { id } collection { id } } }
  teamGrants { nodes { role team { id } } } } } }"""
WHY = """query ($id: ID!, $user: ID) { space(id: $id) { effectiveRole(user: $user) { role reasons {
  kind role decides space { id } collection { id } team { id } } } } }"""


async def grants_of(database: Database) -> set[tuple[str | None, str | None, Role | None]]:
    async with database.session() as session:
        columns = AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role
        return {(row[0], row[1], row[2]) for row in (await session.execute(select(*columns))).all()}


async def test_wrong_bodies_are_named_and_change_nothing(
    api: Api, world: World, session: Session, database: Database
) -> None:
    space = await factories.make_space(session, world.organization)
    collection = await factories.make_collection(session, world.organization)
    await settle(session)
    for place in (f"/spaces/{space.id}", f"/collections/{collection.id}"):
        for body, message in WRONG:
            answer = await api.rest("POST", f"{place}/permissions", world.admin, body)
            assert (answer.status_code, message in answer.text) == (422, True), answer.text
        for kind, id in (("users", world.guest.id), ("teams", "nothing")):
            path = f"{place}/permissions/{kind}/{id}"
            answer = await api.rest("PATCH", path, world.admin, {})
            assert (answer.status_code, "role: is required" in answer.text) == (422, True)
        answer = await api.rest("POST", f"{place}/permissions", world.admin)
        assert answer.status_code in (400, 422)
    answer = await api.graphql(INVITE, world.admin, id=space.id, input={"users": [world.guest.id]})
    assert answer["errors"][0]["message"] == "role: is required; it may be null"
    assert await grants_of(database) == set()


async def test_both_doors_tell_the_same(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    team = await factories.make_team(session, world.organization, world.reader)
    await settle(session)
    named = {"role": "COMMENT", "users": [world.guest.email], "teams": [team.id]}
    data = await api.data(INVITE, world.creator, id=space.id, input=named)
    shared = data["inviteToSpace"]["space"]
    names = ("commenter", "guest", "reader")
    people: dict[str, User] = {name: world.people()[name] for name in names}
    assert shared == {
        "people": {
            "totalCount": 3,
            "nodes": [{"role": "COMMENT", "user": {"id": people[name].id}} for name in names],
        },
        "userGrants": {
            "nodes": [
                {
                    "role": "COMMENT",
                    "user": {"id": world.guest.id},
                    "space": {"id": space.id},
                    "collection": None,
                }
            ]
        },
        "teamGrants": {"nodes": [{"role": "COMMENT", "team": {"id": team.id}}]},
    }
    path = f"/spaces/{space.id}/permissions"
    listed = (await api.rest("GET", f"{path}/aggregate?role=comment", world.reader)).json()
    assert [one["user"]["id"] for one in listed["items"]] == [one.id for one in people.values()]
    assert (listed["count"], {one["permission"] for one in listed["items"]}) == (3, {"comment"})
    # "No access" is in no list of /v1, whatever is asked for.
    await api.rest("PATCH", f"{path}/users/{world.guest.id}", world.creator, {"role": None})
    for query in ("", "?denials=true"):
        listed = (await api.rest("GET", f"{path}/users{query}", world.creator)).json()
        assert listed == {"items": [], "count": 0}
    first = (await api.rest("GET", f"{path}/aggregate?limit=1", world.reader)).json()
    page = first["next"]["page"]
    assert (await api.rest("GET", f"{path}/aggregate?page={page}", world.reader)).status_code == 200
    other = await api.rest("GET", f"{path}/aggregate?page={page}&role=edit", world.reader)
    assert other.status_code == 400


@pytest.mark.parametrize("kind", ["users", "teams"])
async def test_lists_of_grants_are_refused(
    api: Api, world: World, session: Session, kind: str
) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    path = f"/spaces/{space.id}/permissions/{kind}"
    for person, status in ((world.creator, 200), (world.reviewer, 403), (world.guest, 404)):
        assert (await api.rest("GET", path, person)).status_code == status
    query = "query ($id: ID!) { space(id: $id) { title userGrants { nodes { role } } } }"
    answer = await api.graphql(query, world.reviewer, id=space.id)
    assert answer["data"]["space"]["userGrants"] is None
    assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_reasons_name_what_the_asker_sees(api: Api, world: World, session: Session) -> None:
    hidden = await factories.make_collection(session, world.organization)
    space = await factories.make_space(session, world.organization, hidden)
    team = await factories.make_team(session, world.organization, world.editor)
    await factories.make_grant(session, hidden, team, Role.REVIEW)
    await factories.make_grant(session, space, world.guest, Role.CREATE)
    await settle(session)
    reason = {"kind": "TEAM_GRANT", "role": "REVIEW", "decides": True, "space": None}
    own = {"kind": "ORGANIZATION_ROLE", "role": "EDIT", "decides": False} | dict.fromkeys(
        ("space", "collection", "team")
    )
    seen = reason | {"collection": {"id": hidden.id}, "team": {"id": team.id}}
    unseen = reason | {"collection": None, "team": None}
    for person, expected in ((world.editor, seen), (world.admin, seen), (world.guest, unseen)):
        data = await api.data(WHY, person, id=space.id, user=world.editor.id)
        assert data["space"]["effectiveRole"] == {"role": "REVIEW", "reasons": [expected, own]}
    answer = await api.graphql(WHY, world.reader, id=space.id, user=world.editor.id)
    assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"
