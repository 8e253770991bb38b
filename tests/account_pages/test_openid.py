"""Signing on through an OpenID Connect provider in a browser, and every way to misuse it."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from joserfc.jwk import OctKey
from sqlalchemy import select, update

from db.enums import Role, SignInMethod
from db.models.organizations import Member, Organization, User
from db.models.sign_in import UserSession
from db.session import Database, Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.core.openid_providers import OpenIdProvider, read_openid_providers
from resolvers.sign_on.openid_tokens import OpenIdClient
from tests import factories
from tests.account_pages.browsing import BASE, Browser
from tests.account_pages.test_saml import rows_of
from tests.conftest import Api, World, settle
from tests.openid_provider import CLIENT, SECRET, OpenIdServer, new_key, openid_server

pytestmark = pytest.mark.usefixtures("late_ones_are_ready")

PATH = "/openid/login"
PEOPLE = (User, Member, UserSession)


@pytest.fixture
async def provider(api: Api) -> AsyncIterator[OpenIdServer]:
    """A provider that the server knows, and another one, which is evil."""
    async with openid_server() as server:
        fetcher = Fetcher(Allowance.read(urlsplit(server.issuer).netloc))
        api.server.openid = OpenIdClient(fetcher)
        known = OpenIdProvider("login", "Our login", server.issuer, CLIENT, SECRET)
        settings = api.server.resolver_settings
        both = (known, replace(known, name="evil"))
        api.server.resolver_settings = replace(settings, openid_providers=both)
        yield server
        api.server.resolver_settings = settings


async def depart(browser: Browser, path: str = PATH) -> str:
    """Begin, and be signed on at the provider; the address that it sends the browser back to."""
    begun = await browser.get(f"{path}/start?next=/account/sessions")
    assert begun.status_code == 303, begun.text
    async with httpx2.AsyncClient() as client:
        back = (await client.get(begun.headers["location"])).headers["location"]
    assert back.startswith(f"{BASE}{path}/callback?")
    return back.removeprefix(BASE)


async def sign_on(browser: Browser) -> httpx2.Response:
    return await browser.get(await depart(browser))


async def test_people_with_an_account_sign_in(
    api: Api, world: World, session: Session, database: Database, provider: OpenIdServer
) -> None:
    provider.claims = {"email": world.reader.email.upper()}
    await settle(session)
    browser = Browser(api)
    assert "Sign in with Our login" in (await browser.get("/sign-in")).text
    response = await sign_on(browser)
    assert (response.status_code, response.headers["location"]) == (303, "/account/sessions")
    assert browser.cookie is not None
    sessions = (await rows_of(database, UserSession))["user_session"]
    (row,) = sessions
    assert SignInMethod.OPENID_CONNECT in row
    # The address may be at the userinfo endpoint.
    provider.id_token = None
    provider.claims = {"email": None, "email_verified": None}
    provider.userinfo = {"sub": "person-1", "email": world.reader.email, "email_verified": True}
    assert (await sign_on(Browser(api))).status_code == 303
    provider.userinfo["sub"] = "person-2"
    provider.id_token = None
    assert (await sign_on(Browser(api))).status_code == 403


async def test_who_is_invited_gets_an_account(
    api: Api, world: World, session: Session, database: Database, provider: OpenIdServer
) -> None:
    await factories.make_invitation(
        session, world.organization, world.admin, email="new@example.com", role=Role.EDIT
    )
    provider.claims = {"email": "New@example.com"}
    await settle(session)
    assert (await sign_on(Browser(api))).status_code == 303
    async with database.session() as check:
        named = select(User).where(User.email == "new@example.com")
        user = (await check.execute(named)).scalar_one()
        member = await check.get_one(Member, (world.organization.id, user.id))
        assert (member.role, user.email_verified_at is not None) == (Role.EDIT, True)


async def test_keys_may_change(
    api: Api, world: World, session: Session, provider: OpenIdServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    provider.claims = {"email": world.reader.email}
    await settle(session)
    assert (await sign_on(Browser(api))).status_code == 303
    provider.id_token, provider.keys = None, [new_key("two")]
    # Keys are asked for seldom, so that nobody makes the server ask again and again.
    assert (await sign_on(Browser(api))).status_code == 403
    monkeypatch.setattr("resolvers.sign_on.openid_tokens._SOONEST", 0)
    provider.id_token = None
    assert (await sign_on(Browser(api))).status_code == 303


def claims(**changes: Any) -> Callable[[OpenIdServer], None]:
    return lambda provider: provider.claims.update(changes)


def unsigned(provider: OpenIdServer) -> None:
    provider.algorithm = "none"


def foreign_key(provider: OpenIdServer) -> None:
    provider.signs_with = new_key("one")


def unknown_key(provider: OpenIdServer) -> None:
    provider.signs_with = new_key("other")


def with_client_secret(provider: OpenIdServer) -> None:
    provider.algorithm, provider.signs_with = "HS256", OctKey.import_key(SECRET * 2)


def with_public_key(provider: OpenIdServer) -> None:
    provider.algorithm = "public key as secret"


def no_token(provider: OpenIdServer) -> None:
    provider.id_token = "nothing"


@pytest.mark.parametrize(
    "attack",
    [
        claims(nonce="other"), claims(nonce=None), claims(iss="https://evil.test"),
        claims(aud="other"), claims(aud=[CLIENT, "other"]), claims(azp="other"),
        claims(exp=1), claims(exp=None), claims(iat=None), claims(sub=None),
        claims(iat=9_999_999_999), claims(email_verified=False), claims(email_verified="true"),
        claims(email_verified=None), claims(email="x"), claims(email=["a@b.c"]),
        claims(email="nobody@elsewhere.test"),
        unsigned, foreign_key, unknown_key, with_client_secret, with_public_key, no_token,
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
async def test_bad_tokens_change_nothing(
    api: Api, world: World, session: Session, database: Database, provider: OpenIdServer,
    attack: Callable[[OpenIdServer], None],
) -> None:  # fmt: skip
    provider.claims = {"email": world.reader.email}
    await settle(session)
    before = await rows_of(database, *PEOPLE)
    attack(provider)
    browser = Browser(api)
    response = await sign_on(browser)
    assert response.status_code == 403, response.text
    assert browser.cookie is None
    assert await rows_of(database, *PEOPLE) == before


async def test_answers_are_for_the_browser_that_asked(
    api: Api, world: World, session: Session, database: Database, provider: OpenIdServer
) -> None:
    provider.claims = {"email": world.reader.email}
    await settle(session)
    before = await rows_of(database, *PEOPLE)
    browser, victim = Browser(api), Browser(api)
    back = await depart(browser)
    await depart(victim)
    attacks = (
        (victim, back),
        (Browser(api), back),
        (browser, back.replace("state=_", "state=_x")),
        (browser, back.replace(PATH, "/openid/evil")),
        (browser, back.replace("iss=", "iss=https%3A%2F%2Fevil.test&a=")),
        (browser, f"{PATH}/callback"),
        (browser, f"{PATH}/callback?error=access_denied&state={back.partition('state=')[2]}"),
    )
    for where, address in attacks:
        response = await where.get(address)
        assert response.status_code == 403, address
    assert provider.exchanges == 0
    assert await rows_of(database, *PEOPLE) == before
    assert (await browser.get(back)).status_code == 303
    # Once more, with the cookie as it was, and the same token again.
    other = Browser(api)
    response = await other.get(await depart(other))
    assert response.status_code == 403
    assert "answers another request" in response.text
    assert (await browser.get("/openid/nothing/start")).status_code == 404
    assert (await browser.get("/openid/nothing/callback?state=a")).status_code == 404


async def test_a_provider_that_does_not_answer(
    api: Api, world: World, session: Session, provider: OpenIdServer
) -> None:
    await settle(session)
    for settings in ({"issuer": "https://evil.test"}, {"jwks_uri": None}, {"token_endpoint": 1}):
        provider.settings = settings
        assert (await Browser(api).get(f"{PATH}/start")).status_code == 503


async def test_enforced_single_sign_on(
    api: Api, world: World, session: Session, provider: OpenIdServer
) -> None:
    """It counts as long as the organization has no SAML provider of its own."""
    provider.claims = {"email": world.reader.email}
    await session.execute(update(Organization).values(sso=True))
    await settle(session)
    assert (await sign_on(Browser(api))).status_code == 303
    await session.begin_write()
    await factories.make_saml_provider(session, world.organization, default_role=Role.READ)
    await session.commit()
    provider.id_token = None
    assert (await sign_on(Browser(api))).status_code == 403


def test_the_file_of_providers(tmp_path: Any) -> None:
    path = tmp_path / "providers.json"
    good = {"name": "a", "label": "A", "issuer": "https://a.test", "clientId": "c",
            "clientSecret": "s"}  # fmt: skip
    assert read_openid_providers("") == ()
    for value, problem in (
        ("", "JSON"), ("{}", "list"), ([1], "exactly"), ([good, good], "same name"),
        ([good | {"name": "A b"}], "name"), ([good | {"issuer": "a"}], "issuer"),
        ([good | {"label": ""}], "text"), ([good | {"more": "x"}], "exactly"),
    ):  # fmt: skip
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        with pytest.raises(ValueError, match=problem):
            read_openid_providers(str(path))
    path.write_text(json.dumps([good]))
    assert read_openid_providers(str(path))[0].client_id == "c"
