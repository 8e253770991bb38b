"""People and organizations through both doors."""

import pytest

from db.session import Session
from tests.conftest import Api, World


@pytest.mark.parametrize("domains", [[""], ["a"], ["x" * 300 + ".com"], ["a b.com"], ["a..b"]])
async def test_domains_are_checked_one_by_one(
    api: Api, world: World, session: Session, domains: list[str]
) -> None:
    await session.commit()
    body = {"emailDomains": ["good.example", *domains]}
    answer = await api.rest("PATCH", f"/orgs/{world.organization.id}", world.admin, body)
    assert answer.status_code == 422
    (detail, *_) = answer.json()["error"]["details"]
    assert detail["path"] == "emailDomains[1]"
    kept = await api.rest("GET", f"/orgs/{world.organization.id}", world.admin)
    assert kept.json()["emailDomains"] == []
    fine = await api.rest(
        "PATCH", f"/orgs/{world.organization.id}", world.admin, {"emailDomains": ["good.example"]}
    )
    assert fine.json()["emailDomains"] == ["good.example"]


async def test_member_by_id_in_both_interfaces(api: Api, world: World, session: Session) -> None:
    await session.commit()
    path = f"/orgs/{world.organization.id}/members/{world.guest.id}"
    answer = (await api.rest("GET", path, world.reader)).json()
    assert (answer["id"], answer["role"]) == (world.guest.id, None)
    data = await api.data(
        "query($o: ID!, $u: ID!) { member(organizationId: $o, userId: $u) { userId role } }",
        world.reader,
        o=world.organization.id,
        u=world.guest.id,
    )
    assert data["member"] == {"userId": world.guest.id, "role": None}


@pytest.mark.parametrize(
    ("query", "path"),
    [("page=%00", "page"), ("search=%00", "search"), ("search=" + "x" * 257, "search")],
)
async def test_a_wrong_query_parameter_is_named_as_in_the_query(
    api: Api, world: World, session: Session, query: str, path: str
) -> None:
    await session.commit()
    members = f"/orgs/{world.organization.id}/members?{query}"
    answer = await api.rest("GET", members, world.admin)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert [detail["path"] for detail in error["details"]] == [path]
    assert error["message"].startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "null"), (True, "true"), ([1], "[1]"), ({"a": None}, '{"a":null}')]
)
async def test_a_wrong_value_is_shown_as_json(
    api: Api, world: World, session: Session, value: object, shown: str
) -> None:
    await session.commit()
    path = f"/orgs/{world.organization.id}"
    answer = await api.rest("PATCH", path, world.admin, {"title": value})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == f"title: must be text, not {shown}"


async def test_graphql_names_an_argument_as_in_the_schema(
    api: Api, world: World, session: Session
) -> None:
    await session.commit()
    query = r'{ member(organizationId: "\u0000", userId: "\u0000") { id } }'
    answer = await api.graphql(query, world.admin)
    (error,) = answer["errors"]
    fields = error["extensions"]["fields"]
    assert [one["path"] for one in fields] == ["organizationId", "userId"]
