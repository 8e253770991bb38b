"""Webhooks through both doors: who sees and changes them, what is checked, lists."""

from typing import Any

import pytest

from db.enums import Role, TokenScope
from resolvers.access.tokens import create_token
from resolvers.webhooks import operations
from tests.conftest import Api, Queries, World, settle
from tests.factories import (
    make_delivery,
    make_grant,
    make_organization,
    make_site,
    make_space,
    make_webhook,
)

CREATE = """mutation($organization: ID!, $input: CreateWebhookInput!) {
  createWebhook(organizationId: $organization, input: $input) {
    secret webhook { id url types enabled space { id } site { id } owner { id } } } }"""
LISTS = """query($id: ID!) { organization(id: $id) { webhooks(first: 10) { totalCount nodes {
  id space { id } site { id } owner { id }
  deliveries(state: DELIVERED, first: 5) { nodes { id body attempts { status error } } } } } } }"""


@pytest.fixture
def path(world: World) -> str:
    return f"/orgs/{world.organization.id}/webhooks"


async def test_both_doors_make_the_same(api: Api, world: World, session: Any, path: str) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization)
    await settle(session)
    variables = {"url": "https://a.example/in", "types": ["SPACE_UPDATED"], "space": space.id}
    data = await api.data(CREATE, world.admin, organization=world.organization.id, input=variables)
    made = data["createWebhook"]
    assert made["secret"].startswith("whsec_")
    assert made["webhook"]["space"] == {"id": space.id}
    assert made["webhook"]["owner"] == {"id": world.admin.id}
    id = made["webhook"]["id"]
    shown = (await api.rest("GET", f"{path}/{id}", world.admin)).json()
    assert (shown["types"], shown["space"], shown["owner"]) == (
        ["space_updated"], space.id, world.admin.id,
    )  # fmt: skip
    assert "secret" not in shown
    answer = await api.rest(
        "POST", path, world.admin, {"url": "https://b.example/", "site": site.id}
    )
    second = answer.json()["webhook"]["id"]
    for where, ids in (
        (path, [id, second]),
        (f"/spaces/{space.id}/webhooks", [id]),
        (f"/orgs/{world.organization.id}/sites/{site.id}/webhooks", [second]),
    ):
        page = await api.rest("GET", where, world.admin)
        assert [item["id"] for item in page.json()["items"]] == ids
        page = await api.rest("GET", where, world.creator)
        assert page.json()["items"] == []


async def test_who_administers_a_space_has_its_endpoints(
    api: Api, world: World, session: Any, path: str
) -> None:
    space = await make_space(session, world.organization)
    await make_grant(session, space, world.editor, Role.ADMIN)
    other = await make_webhook(session, world.organization.id, owner_id=world.admin.id)
    own = await make_webhook(
        session, world.organization.id, space_id=space.id, owner_id=world.admin.id
    )
    await settle(session)
    page = await api.rest("GET", path, world.editor)
    assert [item["id"] for item in page.json()["items"]] == [own.id]
    assert (await api.rest("GET", f"{path}/{other.id}", world.editor)).status_code == 404
    body = {"url": "https://a.example/"}
    assert (await api.rest("POST", path, world.editor, body)).status_code == 403
    answer = await api.rest("POST", path, world.editor, {**body, "space": space.id})
    assert answer.status_code == 201, answer.text
    # Whoever changes an endpoint delivers with their own rights from then on.
    answer = await api.rest("PATCH", f"{path}/{own.id}", world.editor, body)
    assert answer.json()["owner"] == world.editor.id


async def test_what_is_refused(api: Api, world: World, session: Any, path: str) -> None:
    elsewhere = await make_organization(session)
    space = await make_space(session, world.organization)
    site = await make_site(session, elsewhere)
    webhook = await make_webhook(session, world.organization.id)
    _, text = await create_token(
        session, world.admin.id, "few",
        scopes=frozenset({TokenScope.WEBHOOK_WRITE, TokenScope.SPACE_READ}),
    )  # fmt: skip
    await settle(session)
    url = "https://a.example/"
    for body, status, named in (
        ({}, 400, "url"),
        ({"url": "file:///etc"}, 400, "url"),
        ({"url": url, "types": []}, 400, "types"),
        ({"url": url, "types": ["nothing"]}, 400, "types"),
        ({"url": url, "space": space.id, "site": site.id}, 400, "site"),
        ({"url": url, "site": site.id}, 404, "site"),
        ({"url": url, "space": "missing"}, 404, "space"),
    ):
        answer = await api.rest("POST", path, world.admin, body)
        assert answer.status_code in (status, 422), answer.text
        assert named in answer.text
    # Types that a token may not read are not sent to where it says.
    headers = {"Authorization": f"Bearer {text}"}
    answer = await api.rest("POST", path, None, {"url": url}, headers=headers)
    assert (answer.status_code, "scope" in answer.text) == (403, True)
    answer = await api.rest(
        "POST", path, None, {"url": url, "types": ["space_updated"]}, headers=headers
    )
    assert answer.status_code == 201, answer.text
    delivery = f"{path}/{webhook.id}/deliveries/missing"
    assert (await api.rest("GET", delivery, world.admin)).status_code == 404


async def test_bounds(
    api: Api, world: World, session: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "MOST_WEBHOOKS", 1)
    monkeypatch.setattr(operations, "MOST_ASKED", 1)
    webhook = await make_webhook(session, world.organization.id)
    await settle(session)
    answer = await api.rest("POST", path, world.admin, {"url": "https://a.example/"})
    assert answer.status_code == 412
    for status in (200, 412):
        answer = await api.rest("POST", f"{path}/{webhook.id}/test", world.admin)
        assert answer.status_code == status
    waiting = (await api.rest("GET", f"{path}/{webhook.id}/deliveries", world.admin)).json()
    again = f"{path}/{webhook.id}/deliveries/{waiting['items'][0]['id']}/redeliver"
    assert (await api.rest("POST", again, world.admin)).status_code == 412


@pytest.mark.parametrize("number", [1, 8])
async def test_a_list_costs_the_same_for_one_and_for_many(
    api: Api, world: World, session: Any, queries: Queries, number: int
) -> None:
    for _ in range(number):
        space = await make_space(session, world.organization)
        webhook = await make_webhook(
            session, world.organization.id, space_id=space.id, owner_id=world.admin.id
        )
        await make_delivery(session, webhook)
    await settle(session)
    await api.token_of(world.admin)
    await api.data("{ viewer { id } }", world.admin)
    # The token; the organization; its endpoints; their number; spaces, owners, deliveries.
    with queries(7):
        data = await api.data(LISTS, world.admin, id=world.organization.id)
    nodes = data["organization"]["webhooks"]["nodes"]
    assert len(nodes) == number
    for node in nodes:
        assert node["deliveries"]["nodes"][0]["attempts"] == [{"status": 200, "error": None}]
