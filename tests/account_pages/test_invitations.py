"""The page of an invitation: joining with a new account, with one that is there, and not at all."""

import pytest
from sqlalchemy import func, select, update
from strawberry import ID, Some

from db.enums import Role, TokenScope
from db.models.invitations import Invitation
from db.models.organizations import Member, Organization, User
from db.models.sign_in import UserSession
from db.session import Database, Session
from resolvers.core.actors import Actor
from resolvers.core.rate_limits import RateLimit, RateLimits
from resolvers.core.runners import run
from resolvers.organizations import invitation_writes
from resolvers.organizations.invitation_writes import InvitedInput, InviteUsersInput
from tests import factories
from tests.account_pages.browsing import BASE, Browser
from tests.conftest import Api, World, settle


async def invite(api: Api, world: World, email: str) -> str:
    """The path of a new invitation to an address, as `editor`."""
    entries = InviteUsersInput(emails=[InvitedInput(email=email)], role=Some(Role.EDIT))
    async with api.server.context_of(Actor(world.admin.id, frozenset(TokenScope))) as ctx:
        sent = await run(
            ctx,
            invitation_writes.invite_users_to_organization,
            ID(world.organization.id),
            entries,
        )
    (invitation,) = sent.sent
    assert invitation.url is not None
    return invitation.url.removeprefix(BASE)


async def member_of(database: Database, world: World, email: str) -> Member | None:
    async with database.session() as session:
        statement = (
            select(Member)
            .join(User, User.id == Member.user_id)
            .where(User.email == email, Member.organization_id == world.organization.id)
        )
        member: Member | None = (await session.execute(statement)).scalars().first()
        return member


async def test_somebody_new_gets_an_account_and_is_signed_in(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    path = await invite(api, world, "new@example.com")
    browser = Browser(api)
    page = await browser.get(path)
    assert page.status_code == 200
    for text in ("Join Acme", "Admin", "new@example.com", "Your name"):
        assert text in page.text
    wrong = await browser.send(path, path, displayName="  ")
    assert wrong.status_code == 422
    assert 'aria-invalid="true"' in wrong.text
    assert await member_of(database, world, "new@example.com") is None
    response = await browser.send(path, path, displayName="Nia Newcomer")
    assert (response.status_code, response.headers["location"]) == (303, "/account?done=joined")
    assert "Nia Newcomer" in (await browser.get("/account?done=joined")).text
    assert "by accepting an invitation" in (await browser.get("/account/sessions")).text
    member = await member_of(database, world, "new@example.com")
    assert member is not None
    assert member.role is Role.EDIT
    # It is used up, for anybody else.
    other = Browser(api)
    assert "accepted already" in (await other.get(path)).text
    assert (await other.post(path, displayName="Eve")).status_code in (409, 412)
    assert other.cookie is None


async def test_who_has_an_account_signs_in_first(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    path = await invite(api, world, "new@example.com")
    await session.begin_write()
    person = await factories.make_user(session, "Nia")
    person.email = "new@example.com"
    await settle(session)
    browser = Browser(api)
    page = (await browser.get(path)).text
    assert f'href="/sign-in?next={path}"' in page
    assert "Your name" not in page
    assert (await browser.post(path, displayName="Eve")).status_code == 409
    await browser.sign_in(person)
    assert "Join as Nia" in (await browser.get(path)).text
    response = await browser.send(path, path)
    assert response.headers["location"] == "/account?done=joined"
    member = await member_of(database, world, "new@example.com")
    assert member is not None
    assert member.role is Role.EDIT


async def test_a_page_of_somebody_else_accepts_nothing(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    path = await invite(api, world, "new@example.com")
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.test"}):
        refused = await Browser(api).post(path, headers, displayName="Eve")
        assert refused.status_code == 403
    browser = Browser(api)
    await browser.sign_in(world.outsider)
    assert (await browser.post(path, form_token="x")).status_code == 403
    assert await member_of(database, world, "new@example.com") is None
    assert await member_of(database, world, world.outsider.email) is None


async def test_where_single_sign_on_is_enforced_they_sign_on(
    api: Api, world: World, session: Session, database: Database
) -> None:
    await settle(session)
    path = await invite(api, world, "new@example.com")
    await session.begin_write()
    await session.execute(update(Organization).values(sso=True))
    await session.commit()
    browser = Browser(api)
    response = await browser.send(path, path, displayName="Nia")
    assert response.headers["location"] == "/sign-in"
    assert browser.cookie is None
    assert await member_of(database, world, "new@example.com") is not None
    async with database.session() as reading:
        number = await reading.execute(select(func.count()).select_from(UserSession))
        assert number.scalar_one() == 0


@pytest.mark.parametrize("secret", ["a" * 43, "x", "~"])
async def test_what_is_no_invitation(api: Api, database: Database, secret: str) -> None:
    browser = Browser(api)
    api.server.limits = RateLimits(wrong_secrets=RateLimit(2, lambda: 0.0))
    for response in (
        await browser.get(f"/invitations/{secret}"),
        await browser.post(f"/invitations/{secret}", displayName="Eve"),
    ):
        assert response.status_code == 404
    assert (await browser.get(f"/invitations/{secret}")).status_code == 429
    async with database.session() as reading:
        number = await reading.execute(select(func.count()).select_from(Invitation))
        assert number.scalar_one() == 0
