"""Teams through both doors."""

import pytest

from db.models.organizations import User
from db.session import Session
from tests import factories
from tests.conftest import STRICT, Api, World


async def test_a_team_lives_in_both_interfaces(api: Api, world: World, session: Session) -> None:
    await session.commit()
    teams = f"/orgs/{world.organization.id}/teams"
    answer = await api.rest("PUT", teams, world.admin, {"title": "Writers"}, headers=STRICT)
    assert answer.status_code == 201
    team = answer.json()
    members = f"{teams}/{team['id']}/members"
    body = {"add": [world.reader.email], "memberships": {world.guest.id: {"role": "owner"}}}
    assert (await api.rest("PUT", members, world.admin, body, headers=STRICT)).status_code == 204
    data = await api.data(
        """mutation ($team: ID!, $input: UpdateTeamMembersInput!) {
          updateTeamMembers(id: $team, input: $input) { memberCount
            members { nodes { userId membership { role } member { role teams } permissions { view }
              user { displayName } team { title } } totalCount } } }""",
        world.guest,
        team=team["id"],
        input={
            "remove": [world.reader.id],
            "memberships": [{"user": world.editor.email, "role": "MEMBER"}],
        },
    )
    shown = data["updateTeamMembers"]
    assert shown["memberCount"] == shown["members"]["totalCount"] == 2
    editor, guest = shown["members"]["nodes"]
    assert editor["member"] == {"role": "EDIT", "teams": 1}
    assert guest["membership"] == {"role": "OWNER"}
    assert (
        await api.rest("DELETE", f"{members}/{world.editor.id}", world.guest)
    ).status_code == 205
    assert (
        await api.rest("DELETE", f"{members}/{world.editor.id}", world.guest)
    ).status_code == 204
    one = f"{members}/{world.editor.id}"
    assert (await api.rest("PUT", one, world.guest)).status_code == 204
    listed = (await api.rest("GET", members, world.guest)).json()
    assert [entry["team"]["role"] for entry in listed["items"]] == ["member", "owner"]
    assert (await api.rest("DELETE", f"{teams}/{team['id']}", world.guest)).status_code == 403
    assert (await api.rest("DELETE", f"{teams}/{team['id']}", world.admin)).status_code == 205
    assert (await api.rest("DELETE", f"{teams}/{team['id']}", world.admin)).status_code == 204


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"memberships": []}, "memberships"),
        ({"memberships": {"x": None}}, "memberships.x"),
        ({"memberships": {"x": {}}}, "memberships.x.role"),
        ({"memberships": {"x": {"role": "admin"}}}, "memberships.x.role"),
        ({"memberships": {"x": {"role": "owner", "user": "y"}}}, "memberships.x.user"),
        ({"memberships": {str(n): {"role": "owner"} for n in range(1001)}}, "memberships"),
        ({"add": [str(n) for n in range(1001)]}, "add"),
        ({"remove": [""]}, "remove[0]"),
        ({"remove": "x"}, "remove"),
    ],
)
async def test_wrong_members_of_a_body_are_named(
    api: Api, world: World, session: Session, body: object, path: str
) -> None:
    team = await factories.make_team(session, world.organization)
    await session.commit()
    members = f"/orgs/{world.organization.id}/teams/{team.id}/members"
    answer = await api.rest("PUT", members, world.admin, body, headers=STRICT)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["path"] == path


@pytest.mark.parametrize("title", ["", "x" * 65, None, 1])
async def test_titles_have_bounds(api: Api, world: World, session: Session, title: object) -> None:
    await session.commit()
    teams = f"/orgs/{world.organization.id}/teams"
    answer = await api.rest("PUT", teams, world.admin, {"title": title})
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["path"] == "title"


async def test_the_name_of_a_person_moves_them_in_their_teams(
    api: Api, world: World, session: Session
) -> None:
    team = await factories.make_team(session, world.organization, world.editor, world.reader)
    await session.commit()
    members = f"/orgs/{world.organization.id}/teams/{team.id}/members"

    async def names() -> list[str]:
        listed = (await api.rest("GET", members, world.admin)).json()["items"]
        return [entry["organization"]["user"]["displayName"] for entry in listed]

    assert await names() == ["Editor", "Reader"]
    person: User = world.editor
    await api.rest("PATCH", f"/users/{person.id}", person, {"displayName": "Zoe"})
    assert await names() == ["Reader", "Zoe"]
