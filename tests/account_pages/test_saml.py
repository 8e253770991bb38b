"""Signing on through a SAML provider in a browser, and every way to misuse it."""

import asyncio
import base64
import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from lxml import etree
from sqlalchemy import select, update

from db.base import utc_now
from db.enums import Role
from db.models.audit import AuditEntry
from db.models.organizations import Member, Organization, TeamMember, User
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider, SignOnAnswer
from db.session import Database, Session
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.sign_on import saml
from tests import factories
from tests.account_pages.browsing import BASE, Browser, link_of
from tests.conftest import Api, World, settle
from tests.identity_provider import IdentityProvider, Said

pytestmark = pytest.mark.usefixtures("late_ones_are_ready")

IDP = IdentityProvider()
FOREIGN = {"Sec-Fetch-Site": "cross-site", "Origin": "https://idp.example"}
NEW = "new@example.com"
PEOPLE = (User, Member, TeamMember, UserSession)


@dataclass
class SignOn:
    """One that a browser has begun."""

    browser: Browser
    path: str
    said: Said

    async def answer(self, text: str) -> httpx2.Response:
        """Let the provider's page send its form, without cookies; then go where it leads."""
        nobody = Browser(self.browser.api)
        taken = await nobody.post(f"{self.path}/acs", FOREIGN, SAMLResponse=text)
        if taken.status_code != 303:
            return taken
        return await self.browser.get(taken.headers["location"])

    async def finish(self, **changes: Any) -> httpx2.Response:
        return await self.answer(IDP.answer(self.said.but(**changes)))


async def make_provider(session: Session, world: World, **changes: Any) -> SamlProvider:
    values = {"certificate": IDP.certificate, "sso_url": "https://idp.example/sso?tenant=1"}
    return await factories.make_saml_provider(session, world.organization, **values | changes)


async def begin(browser: Browser, provider: SamlProvider, **changes: Any) -> SignOn:
    path = f"/saml/{provider.id}"
    response = await browser.get(f"{path}/start?next=/account/sessions")
    assert response.status_code == 303, response.text
    address = response.headers["location"]
    assert address.startswith("https://idp.example/sso?tenant=1&SAMLRequest=")
    (packed,) = parse_qs(urlsplit(address).query)["SAMLRequest"]
    request = etree.fromstring(zlib.decompress(base64.b64decode(packed), -15))
    (issuer,) = request.findall("{*}Issuer")
    said = Said(request.get("AssertionConsumerServiceURL"), issuer.text, request.get("ID"))
    assert said.acs == f"{BASE}{path}/acs"
    said = said.but(assertion_id=f"_{len(browser.client.cookies)}{said.request[1:9]}", **changes)
    return SignOn(browser, path, said)


async def rows_of(database: Database, *models: Any) -> dict[str, list[Any]]:
    async with database.session() as session:
        return {
            model.__tablename__: sorted(
                map(tuple, (await session.execute(select(*model.__table__.columns))).all()), key=str
            )
            for model in models
        }


async def test_somebody_new_comes_in_with_role_and_team(
    api: Api, world: World, session: Session, database: Database
) -> None:
    team = await factories.make_team(session, world.organization)
    provider = await make_provider(session, world, default_role=Role.EDIT, default_team_id=team.id)
    await settle(session)
    browser = Browser(api)
    page = (await browser.get(f"/sign-in?organization={world.organization.id}&next=/account")).text
    assert f'href="{BASE}/saml/{provider.id}/start?next=/account"' in page
    assert "Sign in with Provider" in page
    metadata = await browser.get(f"/saml/{provider.id}/metadata")
    entity = etree.fromstring(metadata.content)
    assert entity.get("entityID") == f"{BASE}/saml/{provider.id}/metadata"

    sign_on = await begin(browser, provider)
    response = await sign_on.finish(email="NEW@example.com")
    assert (response.status_code, response.headers["location"]) == (303, "/account/sessions")
    assert "Ada Lovelace" in (await browser.get("/account")).text
    async with database.session() as check:
        user = (await check.execute(select(User).where(User.email == NEW))).scalar_one()
        member = await check.get_one(Member, (world.organization.id, user.id))
        assert (member.role, member.sso, member.disabled) == (Role.EDIT, True, False)
        assert await check.get_one(TeamMember, (team.id, user.id))
        named = select(AuditEntry.actor_id).where(AuditEntry.action == "signIn")
        assert (await check.execute(named)).scalars().all() == [user.id]
    # And again, as somebody who is known: nothing is made.
    before = await rows_of(database, User, Member, TeamMember)
    again = await (await begin(Browser(api), provider)).finish(email=NEW)
    assert again.status_code == 303
    assert await rows_of(database, User, Member, TeamMember) == before


async def test_answers_are_taken_once_and_in_the_browser_that_asked(
    api: Api, world: World, session: Session, database: Database
) -> None:
    provider = await make_provider(session, world)
    other = await make_provider(session, world)
    await settle(session)
    before = await rows_of(database, *PEOPLE)
    sign_on = await begin(Browser(api), provider)
    text = IDP.answer(sign_on.said)
    # An attacker's answer is brought to the browser of a victim, who has begun none, or another.
    victim = Browser(api)
    await begin(victim, provider)
    refused = await SignOn(victim, sign_on.path, sign_on.said).answer(text)
    assert refused.status_code == 403
    assert "not begun in this browser" in refused.text
    assert victim.cookie is None
    # The same answer again, another one to the same request, and the one for another provider.
    for again in (text, IDP.answer(sign_on.said.but(assertion_id="_another"))):
        response = await sign_on.answer(again)
        assert response.status_code == 403
        assert "taken already" in response.text
    assert (await SignOn(sign_on.browser, f"/saml/{other.id}", sign_on.said).answer(text)
            ).status_code == 403  # fmt: skip
    assert await rows_of(database, *PEOPLE) == before

    # Twelve at the same time, through as many requests: one is taken, and one session begins.
    sign_on = await begin(Browser(api), provider)
    text = IDP.answer(sign_on.said)
    answers = await asyncio.gather(*(
        Browser(api).post(f"{sign_on.path}/acs", FOREIGN, SAMLResponse=text) for _ in range(12)
    ))  # fmt: skip
    (taken,) = [answer for answer in answers if answer.status_code == 303]
    path = taken.headers["location"]
    finished = await asyncio.gather(*(sign_on.browser.get(path) for _ in range(6)))
    assert sorted(answer.status_code for answer in finished)[:1] == [303]
    assert len((await rows_of(database, UserSession))["user_session"]) == 1


async def test_who_is_invited_comes_in(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """With the role of the invitation; an address is not verified by it."""
    provider = await make_provider(session, world)
    stranger = await factories.make_user(session, email_verified_at=None)
    for email in (stranger.email, NEW):
        await factories.make_invitation(
            session, world.organization, world.admin, email=email, role=Role.EDIT, mailed=True
        )
    await settle(session)
    for email in (stranger.email, NEW):
        response = await (await begin(Browser(api), provider)).finish(email=email)
        assert response.status_code == 303, response.text
        async with database.session() as check:
            user = (await check.execute(select(User).where(User.email == email))).scalar_one()
            member = await check.get_one(Member, (world.organization.id, user.id))
            assert (member.role, member.sso, user.email_verified_at) == (Role.EDIT, True, None)


async def test_who_may_not_come_in(
    api: Api, world: World, session: Session, database: Database
) -> None:
    provider = await make_provider(session, world)
    elsewhere = await factories.make_organization(session)
    stranger = await factories.make_user(session)
    both = await factories.make_member(session, world.organization, Role.READ)
    await factories.make_member(session, elsewhere, Role.ADMIN, both)
    disabled = await factories.make_member(session, world.organization, disabled=True)
    await settle(session)
    before = await rows_of(database, *PEOPLE)
    for email, problem in (
        (stranger.email, "is no member"),
        (world.outsider.email, "belong to other organizations"),
        (disabled.email, "you are disabled"),
        (both.email, "belong to other organizations"),
    ):
        response = await (await begin(Browser(api), provider)).finish(email=email)
        assert response.status_code == 403
        assert problem.lower() in response.text.lower()
        assert await rows_of(database, *PEOPLE) == before
    async with api.server.context_of(OPERATOR) as ctx:
        await run(ctx, saml.trust_provider, provider.id, True)
    response = await (await begin(Browser(api), provider)).finish(email=both.email)
    assert response.status_code == 303


@pytest.mark.parametrize(
    "changes",
    [
        {"email": "x"}, {"ends": -4}, {"audience": "https://evil.test"}, {"issuer": "urn:evil"},
        {"recipient": "https://evil.test"}, {"confirmed": "_other"}, {"request": "_unknown"},
    ],
)  # fmt: skip
async def test_bad_answers_change_nothing(
    api: Api, world: World, session: Session, database: Database, changes: dict[str, Any]
) -> None:
    """What else is refused is in tests/resolvers/sign_on/test_saml_responses.py."""
    provider = await make_provider(session, world)
    await settle(session)
    before = await rows_of(database, *PEOPLE)
    sign_on = await begin(Browser(api), provider)
    response = await sign_on.finish(**changes)
    assert response.status_code == 403
    assert sign_on.browser.cookie is None
    assert await rows_of(database, *PEOPLE) == before
    assert (await (await begin(sign_on.browser, provider)).finish()).status_code == 303


async def test_odd_requests_are_refused_politely(
    api: Api, world: World, session: Session, database: Database
) -> None:
    provider = await make_provider(session, world)
    pending = await make_provider(session, world, certificate="")
    await settle(session)
    browser, path = Browser(api), f"/saml/{provider.id}"
    for address, status in (
        ("/saml/nothing/start", 404),
        (f"/saml/{pending.id}/start", 404),
        (f"/saml/{pending.id}/metadata", 200),
        ("/saml/%00/start", 404),
        (f"{path}/finish", 403),
        (f"{path}/finish?code={'a' * 43}", 403),
        (f"{path}/finish?code=%00%ff", 403),
        (f"{path}/acs", 405),
    ):
        assert (await browser.get(address)).status_code == status, address
    for fields, status in (
        ({}, 400),
        ({"SAMLResponse": ""}, 400),
        ({"SAMLResponse": "%"}, 403),
        ({"SAMLResponse": "A" * 400_000}, 403),
        ({"SAMLResponse": "A" * 1_100_000}, 400),
    ):
        assert (await browser.post(f"{path}/acs", FOREIGN, **fields)).status_code == status
    # No answer leads to another server.
    for elsewhere in ("//evil.test", "https://evil.test", "/\\evil.test", "evil"):
        browser = Browser(api)
        sign_on = await begin(browser, provider)
        begun = await browser.get(f"{path}/start?next={elsewhere}")
        address = parse_qs(urlsplit(begun.headers["location"]).query)["SAMLRequest"][0]
        request = etree.fromstring(zlib.decompress(base64.b64decode(address), -15))
        finished = await SignOn(browser, path, sign_on.said.but(request=request.get("ID"))).finish()
        assert finished.headers["location"] == "/account"


async def test_enforced_single_sign_on(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """Members come through the provider; administrators by a link, too."""
    provider = await make_provider(session, world)
    await session.execute(update(Organization).values(sso=True))
    await settle(session)
    for person, status in ((world.reader, 403), (world.guest, 403), (world.admin, 303)):
        browser = Browser(api)
        path = await link_of(api, person)
        assert (await browser.send(path, path)).status_code == status
        assert (browser.cookie is not None) is (status == 303)
    sign_on = await begin(Browser(api), provider)
    assert (await sign_on.finish(email=world.reader.email)).status_code == 303


async def test_old_answers_are_forgotten(
    api: Api, world: World, session: Session, database: Database
) -> None:
    provider = await make_provider(session, world)
    await settle(session)
    await (await begin(Browser(api), provider)).finish()
    async with api.server.context_of(OPERATOR) as ctx:
        assert await run(ctx, saml.forget_answers, utc_now()) == 0
        assert await run(ctx, saml.forget_answers, utc_now() + saml.KEPT * 2) == 1
    assert await rows_of(database, SignOnAnswer) == {"sign_on_answer": []}
