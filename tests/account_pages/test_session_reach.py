"""What a session opens: account pages, and GraphQL for scripts of our own pages; nothing else."""

import re

import httpx2
import pytest
from sqlalchemy import func, select

from account_pages.requests import SCRIPT_HEADER
from db.models.organizations import User
from db.models.sign_in import UserSession
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.transactions import HEADER
from tests.account_pages.browsing import OWN, Browser
from tests.conftest import Api, World, settle
from tests.factories import make_site

SCRIPT = {**OWN, SCRIPT_HEADER: "GraphiQL"}
VIEWER = "{ viewer { displayName } }"
RENAME = 'mutation ($id: ID!) { updateUser(id: $id, input: {displayName: "New"}) { displayName } }'
MAKE = """mutation ($organization: ID!) {
    createSpace(organizationId: $organization, input: { title: "Once" }) { id } }"""


@pytest.fixture
async def browser(api: Api, world: World, session: Session) -> Browser:
    await settle(session)
    opened = Browser(api)
    await opened.sign_in(world.creator)
    return opened


async def graphql(
    browser: Browser, query: str, headers: dict[str, str], **variables: str
) -> httpx2.Response:
    body = {"query": query, "variables": variables}
    return await browser.client.post("/graphql", json=body, headers=headers)


async def name_of(database: Database, person: User) -> str:
    async with database.session() as session:
        return (await session.get_one(User, person.id)).display_name


async def test_graphql_is_open_to_scripts_of_our_own_pages(
    browser: Browser, world: World, database: Database
) -> None:
    answer = await graphql(browser, VIEWER, SCRIPT)
    assert answer.json()["data"] == {"viewer": {"displayName": "Creator"}}
    changed = await graphql(browser, RENAME, SCRIPT, id=world.creator.id)
    assert changed.json()["data"] == {"updateUser": {"displayName": "New"}}
    # A token that is sent, too, counts.
    token = await browser.api.token_of(world.admin)
    both = await graphql(browser, VIEWER, {**SCRIPT, "Authorization": f"Bearer {token}"})
    assert both.json()["data"] == {"viewer": {"displayName": "Admin"}}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        # What forms and links of anybody can send.
        ({}, 401),
        (OWN, 401),
        ({SCRIPT_HEADER: ""}, 401),
        # What pages of others could send, if their browser let them.
        ({SCRIPT_HEADER: "x"}, 403),
        ({SCRIPT_HEADER: "x", "Origin": "https://evil.test"}, 403),
        ({SCRIPT_HEADER: "x", "Origin": "null"}, 403),
        ({SCRIPT_HEADER: "x", "Origin": "http://docs.test:8080"}, 403),
        ({SCRIPT_HEADER: "x", "Sec-Fetch-Site": "same-site"}, 403),
        ({SCRIPT_HEADER: "x", "Sec-Fetch-Site": "cross-site", "Origin": "http://docs.test"}, 403),
    ],
)
async def test_and_to_nobody_else(
    browser: Browser, world: World, database: Database, headers: dict[str, str], status: int
) -> None:
    for query in (VIEWER, RENAME):
        answer = await graphql(browser, query, headers, id=world.creator.id)
        assert answer.status_code == status
        assert "data" not in answer.json()
    got = await browser.client.get("/graphql", params={"query": VIEWER}, headers=headers)
    assert got.status_code == status
    assert await name_of(database, world.creator) == "Creator"


async def test_a_session_that_has_ended_is_refused_at_once(browser: Browser, world: World) -> None:
    other = Browser(browser.api)
    await other.sign_in(world.creator)
    await other.send("/account/sessions", "/account/sessions/end-others")
    answer = await graphql(browser, VIEWER, SCRIPT)
    assert answer.status_code == 401
    assert "session has ended" in answer.json()["errors"][0]["message"]
    assert (await graphql(other, VIEWER, SCRIPT)).status_code == 200


async def test_a_key_is_of_the_session(browser: Browser, world: World, database: Database) -> None:
    """What is carried out once for one session is not answered to another."""
    headers = {**SCRIPT, HEADER: "once"}
    organization = world.organization.id
    first = await graphql(browser, MAKE, headers, organization=organization)
    again = await graphql(browser, MAKE, headers, organization=organization)
    assert first.json()["data"] == again.json()["data"]
    assert again.headers["idempotent-replayed"] == "true"
    other = Browser(browser.api)
    await other.sign_in(world.admin)
    own = await graphql(other, MAKE, headers, organization=organization)
    assert own.json()["data"] != first.json()["data"]
    async with database.session() as session:
        number = (await session.execute(select(func.count()).select_from(Space))).scalar_one()
    assert number == 2


async def test_v1_takes_tokens_only(browser: Browser, world: World, database: Database) -> None:
    for headers in ({}, SCRIPT):
        assert (await browser.client.get("/v1/user", headers=headers)).status_code == 401
        changed = await browser.client.patch(
            f"/v1/users/{world.creator.id}", json={"displayName": "New"}, headers=headers
        )
        assert changed.status_code == 401
    # The text of the cookie is no token either.
    bearer = {"Authorization": f"Bearer {browser.cookie}"}
    assert (await browser.client.get("/v1/user", headers=bearer)).status_code == 401
    assert (await graphql(browser, VIEWER, bearer)).status_code == 401
    assert await name_of(database, world.creator) == "Creator"


async def test_published_sites_know_nothing_of_it(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """Sites are on the same host, and on hosts of their own: with the cookie they are what they
    are without it, they set none of its name, and nothing that they serve may run."""
    site = await make_site(session, world.organization, published=True)
    world.organization.hostname = "acme"
    session.add(world.organization)
    await settle(session)
    browser = Browser(api)
    await browser.sign_in(world.creator)
    secret = {"Cookie": f"docstead-session={browser.cookie}"}
    nobody = Browser(api)
    for address in (
        f"http://docs.test/sites/{site.id}",
        f"http://docs.test/sites/{site.id}/~gitbook/auth/login",
        f"http://docs.test/sites/{site.id}/account",
        "http://acme.docs.test/",
        "http://acme.docs.test/account",
        "http://acme.docs.test/sign-in",
        "http://acme.docs.test/graphql",
    ):
        signed_in = await nobody.client.get(address, headers=secret)
        without = await nobody.client.get(address)
        assert (signed_in.status_code, signed_in.text) == (without.status_code, without.text)
        assert "docstead-session" not in signed_in.headers.get("set-cookie", "")
        assert "Creator" not in signed_in.text
        policy = signed_in.headers.get("content-security-policy")
        # But for one script of the site, by its digest.
        allowed = [] if policy is None else re.findall("script-src[^;]*", policy)
        assert all(re.fullmatch("script-src 'sha256-[^' ]*'", one) for one in allowed)
        assert policy is not None or signed_in.status_code in (303, 307, 308)
        posted = await nobody.client.post(address, headers={**secret, **SCRIPT})
        assert posted.status_code in (401, 404, 405)
    async with database.session() as reading:
        number = await reading.execute(select(func.count()).select_from(UserSession))
        assert number.scalar_one() == 1
