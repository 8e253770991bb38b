"""Requests with the header Docstead-User are carried out for that user alone, in both doors."""

import httpx2
import pytest

from db.session import Session
from docstead.http.cross_origin import USUAL
from resolvers.core.actors import EXPECTED_USER
from tests.account_pages.browsing import OWN, Browser
from tests.conftest import Api, World
from tests.docstead.idempotent import CREATE, Caller, titles

DOORS = ("rest", "graphql")


@pytest.fixture
async def caller(api: Api, world: World, session: Session) -> Caller:
    await session.commit()
    await api.token_of(world.creator)
    return Caller(api, world, world.creator)


async def created(caller: Caller, door: str, title: str, user: str) -> httpx2.Response:
    """An attempt of the creator to make a space, for a user."""
    organization = caller.world.organization.id
    headers = {
        "Authorization": f"Bearer {await caller.api.token_of(caller.person)}",
        EXPECTED_USER: user,
    }
    if door == "rest":
        path, body = f"/v1/orgs/{organization}/spaces", {"title": title}
        return await caller.api.client.post(path, json=body, headers=headers)
    variables = {"organization": organization, "title": title}
    body = {"query": CREATE, "variables": variables}
    return await caller.api.client.post("/graphql", json=body, headers=headers)


@pytest.mark.parametrize("door", DOORS)
async def test_a_write_is_refused_with_the_credentials_of_another_user(
    caller: Caller, session: Session, door: str
) -> None:
    for other in (caller.world.admin.id, "nobody", ""):
        refused = await created(caller, door, "Of another", other)
        assert refused.status_code == 412, refused.text
        assert "Docstead-User: the credentials are those of another user" in refused.text
        if door == "graphql":
            (error,) = refused.json()["errors"]
            assert error["extensions"]["code"] == "ANOTHER_USER"
        else:
            assert refused.json()["error"]["details"][0]["path"] == EXPECTED_USER
    assert await titles(session) == []
    assert (await created(caller, door, "Own", caller.person.id)).status_code in (200, 201)
    assert await titles(session) == ["Own"]


@pytest.mark.parametrize("door", DOORS)
async def test_every_one_of_several_headers_counts(
    caller: Caller, session: Session, door: str
) -> None:
    token = f"Bearer {await caller.api.token_of(caller.person)}"
    headers = [
        ("Authorization", token),
        (EXPECTED_USER, caller.person.id),
        (EXPECTED_USER, caller.world.admin.id),
    ]
    path = "/v1/user" if door == "rest" else "/graphql?query={viewer{id}}"
    assert (await caller.api.client.get(path, headers=headers)).status_code == 412
    assert (await caller.api.client.get(path, headers=headers[:2])).status_code == 200


async def test_who_is_not_signed_in_is_told_that(caller: Caller) -> None:
    body = {"query": "{ viewer { id } }"}
    headers = {EXPECTED_USER: caller.person.id}
    refused = await caller.api.client.post("/graphql", json=body, headers=headers)
    assert refused.status_code == 401
    assert refused.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_a_browser_in_which_another_person_has_signed_in(
    caller: Caller, session: Session
) -> None:
    """The window of the first one sends the cookie of the second."""
    world, browser = caller.world, Browser(caller.api)
    headers = {**OWN, "X-Requested-With": "script", EXPECTED_USER: world.creator.id}
    body = {
        "query": CREATE,
        "variables": {"organization": world.organization.id, "title": "Typed by the creator"},
    }
    await browser.sign_in(world.admin)
    refused = await browser.client.post("/graphql", json=body, headers=headers)
    assert refused.json()["errors"][0]["extensions"]["code"] == "ANOTHER_USER"
    await browser.sign_in(world.creator)
    done = await browser.client.post("/graphql", json=body, headers=headers)
    assert "errors" not in done.json()
    assert await titles(session) == ["Typed by the creator"]


def test_pages_of_other_origins_may_send_it() -> None:
    assert EXPECTED_USER in USUAL
