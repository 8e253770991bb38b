"""My account: the profile, the browsers that are signed in, and tokens."""

import re

import httpx2
import pytest
from sqlalchemy import select

from db.models.organizations import Token
from db.models.sign_in import UserSession
from db.session import Database, Session
from tests.account_pages.browsing import Browser
from tests.conftest import Api, World, settle

SECRET = re.compile(r"docstead_[0-9A-Za-z]{43}")
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
SESSIONS = """{ viewer { sessions { totalCount nodes {
    id current device method createdAt lastUsedAt expiresAt userAgent } } } }"""
END = "mutation ($id: ID!) { endSession(id: $id) { id sessions { totalCount } } }"
END_OTHERS = "mutation { endOtherSessions { sessions { totalCount } } }"


@pytest.fixture
async def browser(api: Api, world: World, session: Session) -> Browser:
    await settle(session)
    opened = Browser(api)
    await opened.sign_in(world.reader)
    return opened


async def stored(database: Database, model: type) -> list[object]:
    async with database.session() as session:
        return list((await session.execute(select(model))).scalars())


# ------------------------------------------------------------------ the root


async def test_the_root_leads_on(browser: Browser, api: Api) -> None:
    for page, path in (
        (await browser.get("/"), "/account"),
        (await Browser(api).get("/"), "/sign-in"),
    ):
        assert page.status_code == 200
        leads = re.findall(r'<li><a href="([^"]+)">', page.text)
        assert leads[-3:] == [path, "/graphql", "/v1/openapi.json"]
        for lead in leads:
            answer = await browser.client.get(lead, headers={"Accept": "text/html"})
            assert answer.status_code in (200, 303), lead


# ------------------------------------------------------------------ profile


async def test_name_and_picture(browser: Browser) -> None:
    fields = {"displayName": "  Zoë <b>", "photoURL": "https://example.com/zoe.png"}
    response = await browser.send("/account", "/account", **fields)
    assert response.headers["location"] == "/account?done=saved"
    page = (await browser.get("/account?done=saved")).text
    assert "Your profile is saved." in page
    assert '<h1 dir="ltr">Zoë &lt;b&gt;</h1>' in page or "<h1>Zoë &lt;b&gt;</h1>" in page
    assert 'src="https://example.com/zoe.png"' in page
    assert "<b>" not in page
    await browser.send("/account", "/account", displayName="Zoë", photoURL="")
    assert "<img" not in (await browser.get("/account")).text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"displayName": ""}, "Has 0 characters; at least 1 are needed."),
        ({"displayName": "x" * 65}, "Has 65 characters; at most 64 are allowed."),
        ({"displayName": "a\0b"}, "NUL character"),
        ({"displayName": "A", "photoURL": "javascript:alert(1)"}, "is not an absolute http"),
        ({"displayName": "A", "photoURL": "https://a b"}, "is not an absolute http"),
    ],
)
async def test_what_is_wrong_is_said_beside_its_field(
    browser: Browser, fields: dict[str, str], message: str
) -> None:
    response = await browser.send("/account", "/account", **fields)
    assert response.status_code == 422
    assert message in response.text
    assert 'aria-invalid="true"' in response.text
    assert "<h1>Reader</h1>" in (await browser.get("/account")).text.replace(' dir="ltr"', "")


# ------------------------------------------------------------------ sessions


async def test_browsers_are_listed_and_signed_out(
    browser: Browser, world: World, database: Database
) -> None:
    other, third = Browser(browser.api, CHROME), Browser(browser.api)
    await other.sign_in(world.reader)
    await third.sign_in(world.reader)
    stranger = Browser(browser.api)
    await stranger.sign_in(world.admin)
    page = (await browser.get("/account/sessions")).text
    assert page.count("This browser") == 1
    assert "Chrome on Windows" in page
    assert page.count("Firefox on Linux</strong>") == 2
    ends = re.findall(r'action="(/account/sessions/[^"]+/end)"', page)
    assert len(ends) == 2
    # Nobody ends those of others, or learns that they are there.
    for action in ends:
        html = (await stranger.get("/account")).text
        token = html.partition('name="form_token" value="')[2].partition('"')[0]
        assert (await stranger.post(action, form_token=token)).status_code == 404
    (of_chrome,) = [
        action for action in ends if "Chrome" in page.partition(f'action="{action}"')[0][-600:]
    ]
    response = await browser.send("/account/sessions", of_chrome)
    assert response.headers["location"] == "/account/sessions?done=ended"
    assert (await other.get("/account")).status_code == 303
    assert (await third.get("/account")).status_code == 200
    await browser.send("/account/sessions", "/account/sessions/end-others")
    assert (await third.get("/account")).status_code == 303
    assert (await browser.get("/account")).status_code == 200
    assert (await stranger.get("/account")).status_code == 200
    assert len(await stored(database, UserSession)) == 2


async def test_sessions_in_graphql(browser: Browser, world: World) -> None:
    api, person = browser.api, world.reader
    other = Browser(api, CHROME)
    await other.sign_in(person)
    await Browser(api).sign_in(world.admin)
    listed = (await api.data(SESSIONS, person))["viewer"]["sessions"]
    assert listed["totalCount"] == 2
    newest, first = listed["nodes"]
    assert (newest["device"], first["device"]) == ("Chrome on Windows", "Firefox on Linux")
    assert (newest["current"], newest["method"]) == (False, "OPERATOR_LINK")
    assert newest["userAgent"] == CHROME
    assert newest["createdAt"] <= newest["lastUsedAt"] < newest["expiresAt"]
    # Of others nobody sees any, not by their ids either.
    query = "query ($id: ID!) { user(id: $id) { sessions { totalCount } } }"
    seen = await api.data(query, world.admin, id=person.id)
    assert seen["user"]["sessions"]["totalCount"] == 0
    node = "query ($id: ID!) { node(id: $id) { id } }"
    assert (await api.data(node, world.admin, id=first["id"]))["node"] is None
    refused = await api.graphql(END, world.admin, id=first["id"])
    assert refused["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    ended = await api.data(END, person, id=first["id"])
    assert ended["endSession"] == {"id": person.id, "sessions": {"totalCount": 1}}
    assert (await browser.get("/account")).status_code == 303
    ended = await api.data(END_OTHERS, person)
    assert ended["endOtherSessions"]["sessions"]["totalCount"] == 0
    assert (await other.get("/account")).status_code == 303


# ------------------------------------------------------------------ tokens


async def make_token(browser: Browser, **fields: str) -> httpx2.Response:
    values = {"label": "laptop", "access": "everything", "expiry": "90", **fields}
    return await browser.send("/account/tokens", "/account/tokens", **values)


async def test_a_token_is_made_shown_once_and_revoked(
    browser: Browser, world: World, database: Database
) -> None:
    response = await make_token(browser, label="laptop <3")
    assert response.status_code == 200
    (text,) = SECRET.findall(response.text)
    bearer = {"Authorization": f"Bearer {text}"}
    assert (await browser.client.get("/v1/user", headers=bearer)).json()["id"] == world.reader.id
    page = (await browser.get("/account/tokens")).text
    assert not SECRET.search(page)
    assert "laptop &lt;3" in page
    (action,) = re.findall(r'action="(/account/tokens/[^"]+/revoke)"', page)
    # Not by anybody else.
    stranger = Browser(browser.api)
    await stranger.sign_in(world.admin)
    html = (await stranger.get("/account")).text
    token = html.partition('name="form_token" value="')[2].partition('"')[0]
    assert (await stranger.post(action, form_token=token)).status_code == 404
    assert (await browser.client.get("/v1/user", headers=bearer)).status_code == 200
    response = await browser.send("/account/tokens", action)
    assert response.headers["location"] == "/account/tokens?done=revoked"
    assert (await browser.client.get("/v1/user", headers=bearer)).status_code == 401
    assert "laptop" not in (await browser.get("/account/tokens")).text
    (row,) = await stored(database, Token)
    assert isinstance(row, Token)
    assert row.expires_at is not None
    assert (row.expires_at - row.created_at).days in (89, 90)


async def test_what_a_token_may_do(browser: Browser, database: Database) -> None:
    for fields in (
        {"access": "reading", "expiry": "-"},
        {"access": "scoped", "scopes": "space:read", "expiry": "30"},
    ):
        assert SECRET.search((await make_token(browser, **fields)).text)
    reading, scoped = await stored(database, Token)
    assert isinstance(reading, Token)
    assert isinstance(scoped, Token)
    assert (reading.scopes, reading.expires_at) == (["read"], None)
    assert scoped.scopes == ["space:read"]
    page = (await browser.get("/account/tokens")).text
    assert "Reading, until you revoke it" in page
    assert "space:read, until " in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"label": ""}, "Has 0 characters; at least 1 are needed."),
        ({"label": "x" * 51}, "Has 51 characters; at most 50 are allowed."),
        ({"label": "a\0b"}, "NUL character"),
        ({"access": "root"}, "Is none of those that are offered."),
        ({"access": "scoped"}, "Choose at least one of these."),
        ({"access": "scoped", "scopes": "write"}, "Choose at least one of these."),
        ({"expiry": "99999999999"}, "Is none of those that are offered."),
    ],
)
async def test_a_token_that_is_not_made(
    browser: Browser, database: Database, fields: dict[str, str], message: str
) -> None:
    response = await make_token(browser, **fields)
    assert response.status_code == 422
    assert message in response.text
    assert await stored(database, Token) == []
