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
        "query($o: ID!, $u: ID!) { member(organizationId: $o, userId: $u) { id role } }",
        world.reader,
        o=world.organization.id,
        u=world.guest.id,
    )
    assert data["member"] == {"id": world.guest.id, "role": None}
