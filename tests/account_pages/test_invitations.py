"""The page of an invitation: joining with a new account, with one that is there, and not at all."""

import datetime as dt
import re
from dataclasses import replace

import pytest
from sqlalchemy import func, select, update
from strawberry import ID, Some

from db.base import utc_now
from db.enums import Role, TokenScope
from db.models.invitations import AccountLink, Invitation
from db.models.mail import OutgoingMail
from db.models.organizations import Member, Organization, User
from db.models.sign_in import UserSession
from db.models.spaces import Space
from db.session import Database, Session
from jobs.purge import clear_invitations
from resolvers.access.policy import ranks
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.errors import Forbidden
from resolvers.core.rate_limits import RateLimit, RateLimits
from resolvers.core.runners import run
from resolvers.organizations import invitation_writes, newcomers
from resolvers.organizations.invitation_writes import (
    CreateInviteInput,
    InvitedInput,
    InviteUsersInput,
)
from resolvers.organizations.invitations import invitation_url, link_secret
from resolvers.organizations.newcomers import MOST_OPEN
from tests import factories
from tests.account_pages.browsing import BASE, Browser, mails
from tests.conftest import Api, World, context, settle


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


async def test_whoever_made_an_account_for_the_address_of_another_loses_it_to_them(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """Without a mail server the link of an invitation goes through the hands of who invites."""
    await settle(session)
    path = await invite(api, world, "victim@example.com")
    stranger, owner = Browser(api), Browser(api)
    await stranger.send(path, path, displayName="Victim")
    fields = {"label": "laptop", "access": "everything", "expiry": "90"}
    made = await stranger.send("/account/tokens", "/account/tokens", **fields)
    (token,) = re.findall(r"docstead_[0-9A-Za-z]{43}", made.text)
    headers = {"Authorization": f"Bearer {token}"}
    assert (await api.client.get("/v1/user", headers=headers)).status_code == 200
    # Later there is one, and the owner of the address signs in.
    api.server.resolver_settings = replace(api.server.resolver_settings, sends_mail=True)
    await owner.send("/sign-in", "/sign-in", email="victim@example.com")
    (mail,) = await mails(database, 1)
    link = links_in(mail)
    assert (await owner.send(link, link)).status_code == 303
    assert (await api.client.get("/v1/user", headers=headers)).status_code == 401
    assert (await stranger.get("/account")).status_code == 303
    page = await owner.get("/account/sessions")
    assert (page.status_code, page.text.count("by accepting an invitation")) == (200, 0)


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


# ------------------------------------------------------------------ links and newcomers


async def link_to_space(api: Api, world: World, space: Space) -> str:
    """The path of an invitation by link to a space."""
    async with api.server.context_of(Actor(world.creator.id, frozenset(TokenScope))) as ctx:
        entry = CreateInviteInput(level=Some(Role.COMMENT), space=Some(ID(space.id)))
        operation = invitation_writes.create_organization_invite
        row = await run(ctx, operation, ID(world.organization.id), entry)
        return invitation_url(ctx, link_secret(ctx, row.id)).removeprefix(BASE)


def links_in(mail: OutgoingMail) -> str:
    (url,) = [line for line in mail.text.splitlines() if line.startswith(BASE)]
    return url.removeprefix(BASE)


async def test_by_a_link_newcomers_get_an_account_by_mail(
    mailing: Api, world: World, session: Session, database: Database
) -> None:
    space = await factories.make_space(session, world.organization)
    other = await factories.make_space(session, world.organization)
    await settle(session)
    path = await link_to_space(mailing, world, space)
    browser = Browser(mailing)
    page = (await browser.get(path)).text
    assert f'href="/sign-in?next={path}"' in page
    wrong = await browser.send(path, f"{path}/mail", email="no address")
    assert (wrong.status_code, "This is not an e-mail address." in wrong.text) == (422, True)
    answers = []
    for email in ("Nia@new.example", world.outsider.email):
        response = await browser.send(path, f"{path}/mail", email=email)
        answers.append((response.status_code, response.text.replace(email, "ADDRESS")))
    assert answers[0] == answers[1]
    sent = {mail.recipient: links_in(mail) for mail in await mails(database, 2)}
    # Who has an account signs in, and comes back.
    known = sent[world.outsider.email]
    assert known.startswith("/sign-in/link/")
    response = await browser.send(known, known.partition("?")[0])
    assert response.headers["location"] == path
    assert "Join as Outsider" in (await browser.get(path)).text
    # Nobody has an account by asking for one.
    newcomer, link = Browser(mailing), sent["nia@new.example"]
    assert await member_of(database, world, "nia@new.example") is None
    assert "nia@new.example" in (await newcomer.get(link)).text
    assert (await newcomer.send(link, link, displayName=" ")).status_code == 422
    response = await newcomer.send(link, link, displayName="Nia")
    assert (response.status_code, response.headers["location"]) == (303, "/account?done=joined")
    member = await member_of(database, world, "nia@new.example")
    assert member is not None
    assert member.role is None
    async with database.session() as reading:
        user = await reading.get_one(User, member.user_id)
        assert user.email_verified_at is not None
        seen = await ranks(context(reading, user), Space, [space.id, other.id])
        assert seen == {space.id: Role.COMMENT.rank}
    assert (await newcomer.get(link)).status_code == 404
    again = await Browser(mailing).post(link, displayName="Eve")
    assert again.status_code == 404


async def test_an_invitation_does_not_write_to_the_whole_world(
    mailing: Api, world: World, session: Session, database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(newcomers, "MOST_OF_INVITATION", 3)
    space = await factories.make_space(session, world.organization)
    await settle(session)
    path = await link_to_space(mailing, world, space)
    browser = Browser(mailing)
    addresses = [f"p{number}@new.example" for number in range(5)]
    pages = [await browser.send(path, f"{path}/mail", email=address) for address in addresses]
    # Messages are written behind the answers, in any order.
    await mailing.server.finish_background()
    pages.append(await browser.send(path, f"{path}/mail", email=world.outsider.email))
    # All answers are the same, whatever is sent.
    assert {page.status_code for page in pages} == {200}
    await mailing.server.finish_background()
    assert {mail.recipient for mail in await mails(database, 3)} <= set(addresses)


async def test_links_to_make_accounts_are_few_and_for_open_invitations(
    mailing: Api, world: World, session: Session, database: Database
) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    path = await link_to_space(mailing, world, space)
    mailing.server.limits = RateLimits(sign_in_links=RateLimit(MOST_OPEN + 2, lambda: 0.0))
    browser = Browser(mailing)
    for _ in range(MOST_OPEN + 2):
        response = await browser.send(path, f"{path}/mail", email="nia@new.example")
        assert response.status_code == 200
    refused = await browser.send(path, f"{path}/mail", email="other@new.example")
    assert refused.status_code == 429
    await mailing.server.finish_background()
    links = [links_in(mail) for mail in await mails(database, MOST_OPEN)]
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}):
        assert (
            await Browser(mailing).post(links[0], headers, displayName="Eve")
        ).status_code == 403
    # What opens the account must still be an invitation that holds, of somebody who may give it.
    await session.begin_write()
    await session.execute(update(Organization).values(invite_links=False))
    await session.commit()
    assert (await Browser(mailing).post(links[0], displayName="Eve")).status_code == 412
    await session.begin_write()
    await session.execute(update(Organization).values(invite_links=True))
    await session.commit()
    await Browser(mailing).send(links[0], links[0], displayName="Nia")
    taken = await Browser(mailing).get(links[1])
    assert "has an account already" in taken.text
    assert (await Browser(mailing).post(links[1], displayName="Eve")).status_code == 409
    await session.begin_write()
    await session.execute(update(AccountLink).values(expires_at=utc_now()))
    await session.commit()
    assert (await Browser(mailing).get(links[2])).status_code == 404


async def test_without_mail_the_page_says_what_to_do(
    api: Api, world: World, session: Session, database: Database
) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    path = await link_to_space(api, world, space)
    page = (await Browser(api).get(path)).text
    assert "docstead user create --email you@example.com" in page
    assert "docstead user sign-in-link you@example.com" in page
    assert f"{path}/mail" not in page
    await Browser(api).post(f"{path}/mail", email="nia@new.example")
    await api.server.finish_background()
    assert await member_of(database, world, "nia@new.example") is None
    await mails(database, 0)


async def test_ended_invitations_are_forgotten_after_a_while(
    api: Api, world: World, session: Session
) -> None:
    now = utc_now()
    for days, accepted in ((91, None), (91, now), (89, None), (89, now), (-5, None)):
        await factories.make_invitation(
            session, world.organization, world.admin, email=f"{days}@new.example",
            expires_at=now - dt.timedelta(days=days), accepted_at=accepted,
        )  # fmt: skip
    link = await factories.make_invitation(session, world.organization, world.admin)
    for hours in (-1, 1):
        row = AccountLink(digest=f"{hours}", invitation_id=link.id, email="a@new.example",
                          expires_at=now + dt.timedelta(hours=hours))  # fmt: skip
        session.add(row)
    await settle(session)
    async with api.server.context_of(OPERATOR) as ctx:
        assert await clear_invitations(ctx, now) == 3
        assert await clear_invitations(ctx, now) == 0
    async with api.server.context_of(Actor(world.admin.id, frozenset(TokenScope))) as ctx:
        with pytest.raises(Forbidden):
            await run(ctx, invitation_writes.forget_invitations, now)
    emails = set((await session.execute(select(Invitation.email))).scalars())
    assert emails == {"89@new.example", "-5@new.example", None}
    assert (await session.execute(select(AccountLink.digest))).scalars().all() == ["1"]


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
