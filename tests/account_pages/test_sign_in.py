"""Signing in by a link and signing out, and every way to trick somebody into either."""

import asyncio
import datetime as dt

import httpx2
import pytest
from sqlalchemy import func, select, update

from account_pages.requests import FORM
from db.base import utc_now
from db.models.mail import OutgoingMail
from db.models.sign_in import SignInLink, UserSession
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.core.actors import OPERATOR
from resolvers.core.rate_limits import RateLimit, RateLimits
from resolvers.core.runners import run
from resolvers.sign_in.links import MOST_OPEN, make_sign_in_link
from resolvers.sign_in.operations import forget_sign_ins
from resolvers.sign_in.sessions import IDLE
from tests.account_pages.browsing import BASE, OWN, Browser, link_of, mails
from tests.conftest import Api, World, settle

VIEWER = "{ viewer { displayName } }"


async def count(database: Database, model: type) -> int:
    async with database.session() as session:
        number: int = (await session.execute(select(func.count()).select_from(model))).scalar_one()
        return number


async def test_a_link_signs_in_once_and_only_by_the_button(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    browser = Browser(api)
    page = await browser.get("/account/sessions")
    assert page.status_code == 303
    assert page.headers["location"] == "/sign-in?next=/account/sessions"
    path = await link_of(api, world.reader)
    # Scanners of mail open a link, and ask for its headers, as often as they like.
    for method in ("GET", "HEAD", "GET"):
        opened = await browser.client.request(method, path)
        assert opened.status_code == 200
        assert "set-cookie" not in opened.headers
    assert "Sign in as Reader" in opened.text
    assert await count(database, UserSession) == 0
    response = await browser.send(f"{path}?next=/account/sessions", path)
    assert (response.status_code, response.headers["location"]) == (303, "/account/sessions")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("docstead-session=")
    for attribute in ("HttpOnly", "Path=/", "SameSite=lax", f"Max-Age={IDLE.days * 86_400}"):
        assert attribute in cookie
    assert "Domain" not in cookie
    assert "Firefox on Linux" in (await browser.get("/account/sessions")).text
    for used in (await browser.get(path), await browser.post(path)):
        assert used.status_code == 404 or "form" in used.text
    other = Browser(api)
    for used in (await other.get(path), await other.post(path)):
        assert used.status_code == 404
        assert "used already" in used.text
    assert other.cookie is None
    assert await count(database, SignInLink) == 0


async def test_of_twelve_at_the_same_time_one_signs_in(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    path = await link_of(api, world.reader)
    answers = await asyncio.gather(*(Browser(api).post(path) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [303] + [404] * 11
    assert await count(database, UserSession) == 1


async def test_links_and_sessions_that_are_too_old(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    browser = Browser(api)
    await browser.sign_in(world.reader)
    path = await link_of(api, world.reader)
    now = utc_now()
    await session.begin_write()
    await session.execute(update(SignInLink).values(expires_at=now))
    await session.execute(update(UserSession).values(last_used_at=now - IDLE))
    await session.commit()
    assert (await Browser(api).get(path)).status_code == 404
    assert (await Browser(api).post(path)).status_code == 404
    assert (await browser.get("/account")).status_code == 303
    async with api.server.context_of(OPERATOR) as ctx:
        assert await run(ctx, forget_sign_ins, now + dt.timedelta(seconds=1)) == 2
    assert await count(database, SignInLink) + await count(database, UserSession) == 0


async def test_the_cookie_changes_with_each_sign_in(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """What an attacker has put into a browser, or has read there before, is of no use."""
    await settle(session)
    browser = Browser(api)
    browser.client.cookies.set("docstead-session", "a" * 43, domain="docs.test")
    await browser.sign_in(world.reader)
    first = browser.cookie
    assert first not in (None, "a" * 43)
    path = await link_of(api, world.admin)
    page = (await browser.get(path)).text
    assert "You are signed in as Reader" in page
    await browser.send(path, path)
    assert browser.cookie not in (None, first)
    thief = Browser(api)
    for text in (first, "a" * 43):
        assert text is not None
        thief.client.cookies.set("docstead-session", text, domain="docs.test")
        assert (await thief.get("/account")).status_code == 303
    assert await count(database, UserSession) == 1
    # Of two cookies one is somebody else's.
    twice = {"Cookie": f"docstead-session={browser.cookie}; docstead-session={'b' * 43}"}
    assert (await thief.client.get("/account", headers=twice)).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Origin": "https://docs.test"},
        {"Sec-Fetch-Site": "cross-site", "Origin": BASE},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://acme.docs.test"},
        {"Sec-Fetch-Site": "none"},
    ],
)
async def test_pages_of_others_send_no_forms(
    api: Api, world: World, session: Session, database: Database, headers: dict[str, str]
) -> None:
    await settle(session)
    browser = Browser(api)
    await browser.sign_in(world.reader)
    cookie = browser.cookie
    path = await link_of(api, world.admin)
    html = (await browser.get("/account")).text
    token = html.partition('name="form_token" value="')[2].partition('"')[0]
    assert len(token) == 64
    for action in (path, "/sign-out", "/account", "/account/sessions/end-others", "/sign-in"):
        response = await browser.post(
            action, headers, form_token=token, displayName="Evil", email="p@example.com"
        )
        assert response.status_code == 403
        assert "was not sent by a page of this server" in response.text
    assert browser.cookie == cookie
    assert await count(database, SignInLink) == 1
    assert ">Reader</h1>" in (await browser.get("/account")).text


async def test_a_form_is_of_one_session(api: Api, world: World, session: Session) -> None:
    """Also where a browser says that it was ours: a form of another session, or none."""
    await settle(session)
    browser, other = Browser(api), Browser(api)
    await browser.sign_in(world.reader)
    await other.sign_in(world.reader)
    html = (await other.get("/account")).text
    token = html.partition('name="form_token" value="')[2].partition('"')[0]
    for wrong in (token, "", "é" * 64, "\0"):
        for action in ("/account", "/sign-out", "/account/sessions/end-others"):
            response = await browser.post(action, form_token=wrong, displayName="Evil")
            assert response.status_code == 403
    assert ">Reader</h1>" in (await browser.get("/account")).text
    assert browser.cookie is not None
    # A browser that says nothing but where the form comes from.
    response = await other.post(
        "/account", {"Origin": BASE}, form_token=token, displayName="Right", photoURL=""
    )
    assert response.status_code == 303


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.test", "//evil.test", "/\\evil.test", "\\\\evil.test", "/\t/evil.test",
        "javascript:alert(1)", "evil.test", "/a b", "/\u00e9", "/" + "a" * 2000, "", "/%0d\r\nX: y",
    ],
)  # fmt: skip
async def test_nobody_is_sent_elsewhere(
    api: Api, world: World, session: Session, target: str
) -> None:
    await settle(session)
    path = await link_of(api, world.reader)
    browser = Browser(api)
    response = await browser.post(path, next=target)
    assert (response.status_code, response.headers["location"]) == (303, "/account")
    signed_in = await browser.client.get("/sign-in", params={"next": target})
    assert signed_in.headers["location"] == "/account"
    twice = await browser.get("/sign-in?next=/graphql&next=//evil.test")
    assert twice.headers["location"] == "/account"
    assert (await browser.get("/sign-in?next=/graphql")).headers["location"] == "/graphql"


async def test_signing_out_ends_the_session(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    browser = Browser(api)
    await browser.sign_in(world.reader)
    cookie = browser.cookie
    assert (await browser.get("/sign-out")).status_code == 405
    response = await browser.send("/account", "/sign-out")
    assert response.headers["location"] == "/sign-in"
    assert browser.cookie is None
    assert await count(database, UserSession) == 0
    browser.client.cookies.set("docstead-session", cookie or "", domain="docs.test")
    assert (await browser.get("/account")).status_code == 303
    # Once more, as from a second tab.
    assert (await browser.post("/sign-out")).status_code == 303


async def test_wrong_links_are_slowed(api: Api, world: World, session: Session) -> None:
    await settle(session)
    api.server.limits = RateLimits(wrong_secrets=RateLimit(3, lambda: 0.0))
    path = await link_of(api, world.reader)
    browser = Browser(api)
    # What works does not count.
    for _ in range(5):
        assert (await browser.get(path)).status_code == 200
    for text in ("a" * 43, "b", "~"):
        assert (await browser.post(f"/sign-in/link/{text}")).status_code == 404
    for response in (await browser.get(path), await browser.post(path)):
        assert response.status_code == 429
        assert int(response.headers["retry-after"]) == 20
    assert browser.cookie is None


# ------------------------------------------------------------------ by e-mail


async def test_a_link_comes_by_mail_and_nobody_learns_who_has_an_account(
    mailing: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    browser = Browser(mailing)
    answers = []
    for email in ("nobody@example.com", world.reader.email.upper()):
        page = await browser.get("/sign-in?next=/account/tokens")
        assert 'type="email"' in page.text
        response = await browser.send("/sign-in?next=/account/tokens", "/sign-in", email=email)
        answers.append((response.status_code, response.text.replace(email, "ADDRESS")))
    assert answers[0] == answers[1]
    (mail,) = await mails(database, 1)
    assert mail.recipient == world.reader.email
    (url,) = [line for line in mail.text.splitlines() if line.startswith(BASE)]
    path, _, query = url.removeprefix(BASE).partition("?")
    assert query == "next=/account/tokens"
    response = await browser.send(f"{path}?{query}", path)
    assert response.headers["location"] == "/account/tokens"
    assert "by a link that was sent by e-mail" in (await browser.get("/account/sessions")).text


async def test_what_is_no_address_is_said(mailing: Api, session: Session) -> None:
    browser = Browser(mailing)
    for email in ("", "x", "a@b@c", "a@b.c\nBcc: d@e.f", "\0@b.c", "é" * 400 + "@b.c", "<a@b.c>"):
        response = await browser.send("/sign-in", "/sign-in", email=email)
        assert response.status_code == 422
        assert "This is not an e-mail address." in response.text
        assert 'aria-invalid="true"' in response.text


async def test_mail_is_throttled_for_each_person_and_client(
    mailing: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    mailing.server.limits = RateLimits(sign_in_links=RateLimit(MOST_OPEN + 3, lambda: 0.0))
    browser = Browser(mailing)
    for _ in range(MOST_OPEN + 3):
        response = await browser.send("/sign-in", "/sign-in", email=world.reader.email)
        assert response.status_code == 200
    refused = await browser.send("/sign-in", "/sign-in", email=world.admin.email)
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers
    await mails(database, MOST_OPEN)
    await asyncio.sleep(0.1)
    assert {mail.recipient for mail in await mails(database, MOST_OPEN)} == {world.reader.email}


async def test_without_a_mail_server_the_page_says_what_to_do(api: Api, database: Database) -> None:
    browser = Browser(api)
    page = (await browser.get("/sign-in")).text
    assert "docstead user sign-in-link" in page
    assert "<form" not in page
    await browser.post("/sign-in", email="ada@example.com")
    await asyncio.sleep(0.05)
    assert await count(database, OutgoingMail) + await count(database, SignInLink) == 0


# ------------------------------------------------------------------ answers


async def test_headers_of_pages(api: Api, world: World, session: Session) -> None:
    await settle(session)
    browser = Browser(api)
    await browser.sign_in(world.reader)
    path = await link_of(api, world.reader)
    for address in ("/account", "/account/sessions", path, "/sign-in/link/x", "/account?done=x"):
        response = await browser.client.get(address, headers={"Accept-Encoding": "gzip"})
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script" not in policy
        assert "<script" not in response.text
        assert response.headers["cache-control"] == "no-store, no-transform"
        assert "content-encoding" not in response.headers
        assert response.headers["referrer-policy"] == "same-origin"
        assert response.headers["x-content-type-options"] == "nosniff"
    style = response.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    sheet = await browser.get(style)
    assert sheet.headers["content-type"].startswith("text/css")
    assert "immutable" in sheet.headers["cache-control"]


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"a=%ff", "application/x-www-form-urlencoded"),
        (b"\xff", "application/x-www-form-urlencoded"),
        (b"a=" + b"x" * 20_000, "application/x-www-form-urlencoded"),
        (b"&".join(b"a=1" for _ in range(200)), "application/x-www-form-urlencoded"),
        (b'{"email": 1}', "application/json"),
        (b"email=a@b.c", "text/plain"),
        (b"", ""),
    ],
)
async def test_what_is_no_form_is_refused(api: Api, content: bytes, media_type: str) -> None:
    headers = {**OWN, "Content-Type": media_type}
    response = await Browser(api).client.post("/sign-in", content=content, headers=headers)
    assert response.status_code == 400
    assert "form" in response.text


async def test_over_tls_the_cookie_is_of_this_host_alone(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    settings = Settings(public_url="https://docs.test", data_dir=api.server.settings.data_dir)
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with server.context_of(OPERATOR) as ctx:
        link = await run(ctx, make_sign_in_link, world.reader.email)
    form = {"Content-Type": FORM}
    async with httpx2.AsyncClient(transport=transport, base_url="https://docs.test") as client:
        plain = await client.post(link.url, headers={**form, "Origin": "http://docs.test"})
        assert plain.status_code == 403
        response = await client.post(link.url, headers={**form, "Origin": "https://docs.test"})
        cookie = response.headers["set-cookie"]
        assert cookie.startswith("__Host-docstead-session=")
        assert "Secure" in cookie
        assert response.headers["strict-transport-security"]
        assert (await client.get("/account")).status_code == 200
        # The name without the prefix is anybody's to set.
        secret = client.cookies.get("__Host-docstead-session") or ""
        client.cookies.clear()
        client.cookies.set("docstead-session", secret, domain="docs.test")
        assert (await client.get("/account")).status_code == 303
