"""Invitations and joining, called as functions and through both doors."""

import asyncio
import datetime as dt
from typing import Any

import pytest
from sqlalchemy import select, update
from strawberry import ID, Some

from db.base import utc_now
from db.enums import InvitationState, Role
from db.models.invitations import Invitation
from db.models.mail import OutgoingMail
from db.models.organizations import Member, User
from db.models.spaces import AccessGrant
from db.session import Database, Session
from resolvers.access.policy import ranks
from resolvers.core.actors import NOBODY
from resolvers.core.context import Context
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    NothingToDelete,
    PreconditionFailed,
)
from resolvers.core.installation import Settings
from resolvers.core.runners import read, run
from resolvers.organizations import invitation_writes, invitations, joining, member_writes
from resolvers.organizations.invitation_mail import LIFETIME
from resolvers.organizations.invitation_states import invitation_states
from resolvers.organizations.invitation_writes import (
    CreateInviteInput,
    InvitedInput,
    InvitedPersonInput,
    InviteUsersInput,
    UpdateInviteInput,
)
from tests import factories
from tests.conftest import Api, World, context, settle

KEY = b"a key of the tests"


def acting(session: Session, person: User | None = None, *, mail: bool = False) -> Context:
    ctx = context(session, person)
    ctx.token_key, ctx.settings = KEY, Settings(sends_mail=mail)
    return ctx


def nobody(session: Session) -> Context:
    return Context(NOBODY, session, token_key=KEY)


def addresses(*emails: str | tuple[str, Role | None], **options: Any) -> InviteUsersInput:
    entries = [
        InvitedInput(email=entry)
        if isinstance(entry, str)
        else InvitedInput(person=InvitedPersonInput(email=entry[0], role=entry[1]))
        for entry in emails
    ]
    return InviteUsersInput(emails=entries, **options)


async def invite(
    session: Session, world: World, *emails: Any, by: User | None = None, **options: Any
) -> invitation_writes.InvitedUsers:
    return await run(
        acting(session, by or world.admin),
        invitation_writes.invite_users_to_organization,
        ID(world.organization.id),
        addresses(*emails, **options),
    )


async def link(session: Session, world: World, by: User, **values: Any) -> tuple[Invitation, str]:
    """A link and its secret."""
    input = CreateInviteInput(**{name: Some(value) for name, value in values.items()})
    ctx = acting(session, by)
    organization = ID(world.organization.id)
    row = await run(ctx, invitation_writes.create_organization_invite, organization, input)
    return row, invitations.link_secret(ctx, row.id)


async def accept(session: Session, person: User, secret: str) -> Member:
    return await run(acting(session, person), joining.accept_invitation, ID(secret))


def secret_of(sent: invitation_writes.SentInvitation) -> str:
    assert sent.url is not None
    return sent.url.rpartition("/invitations/")[2]


async def state_of(session: Session, secret: str) -> InvitationState:
    return (await read(nobody(session), joining.read_invitation, secret)).state


async def stored(session: Session) -> set[tuple[Any, ...]]:
    """All that an invitation can change."""
    await session.commit()
    session.expunge_all()
    rows = [
        *(await session.execute(select(Member.key, Member.role, Member.disabled))).all(),
        *(await session.execute(select(AccessGrant.id, AccessGrant.role))).all(),
        *(
            await session.execute(
                select(
                    Invitation.id, Invitation.role, Invitation.digest, Invitation.accepted_by_id,
                    Invitation.inviter_id,
                )
            )
        ).all(),
        *(await session.execute(select(User.id, User.email_verified_at))).all(),
    ]  # fmt: skip
    await session.commit()
    return {tuple(row) for row in rows}


@pytest.fixture
async def stranger(session: Session, world: World) -> User:
    """Somebody with an account, who is in no organization."""
    user = await factories.make_user(session, "Stranger", email_verified_at=utc_now())
    await settle(session)
    return user


async def test_a_newcomer_is_invited_and_joins_with_an_account_of_their_own(
    session: Session, world: World
) -> None:
    await settle(session)
    result = await invite(session, world, ("New@Example.com", Role.EDIT))
    (sent,) = result.sent
    assert (result.users, result.invited, result.failed_sso_emails) == ([], 1, None)
    secret = secret_of(sent)
    assert len(secret) == 43
    assert secret not in str(vars(sent.invitation))
    shown = await read(nobody(session), joining.read_invitation, secret)
    assert (shown.organization, shown.inviter, shown.role) == ("Acme", "Admin", Role.EDIT)
    assert (shown.email, shown.has_account) == ("new@example.com", False)
    assert shown.state is InvitationState.OPEN
    user = await run(nobody(session), joining.create_invited_account, secret, " New Person ")
    assert (user.email, user.display_name) == ("new@example.com", "New Person")
    # The administrator has seen the link, so it shows nothing about the address.
    assert user.email_verified_at is None
    await settle(session)
    member = await session.get(Member, (world.organization.id, user.id))
    assert member is not None
    assert member.role is Role.EDIT
    assert await state_of(session, secret) is InvitationState.USED
    before = await stored(session)
    with pytest.raises(PreconditionFailed, match="accepted already"):
        await run(nobody(session), joining.create_invited_account, secret, "Again")
    assert await stored(session) == before


async def test_mail_has_the_link_alone_and_shows_whose_the_address_is(
    session: Session, world: World
) -> None:
    world.organization.title = "Acme\r\nBcc: eve@example.com"
    session.add(world.organization)
    await settle(session)
    ctx = acting(session, world.admin, mail=True)
    organization = ID(world.organization.id)
    result = await run(
        ctx, invitation_writes.invite_users_to_organization, organization,
        addresses("new@example.com"),
    )  # fmt: skip
    (sent,) = result.sent
    assert sent.url is None
    (mail,) = (await session.execute(select(OutgoingMail))).scalars()
    await session.commit()
    assert mail.recipient == "new@example.com"
    assert mail.subject == "Invitation to Acme Bcc: eve@example.com"
    assert mail.expires_at == sent.invitation.expires_at
    secret = mail.text.partition("/invitations/")[2].partition("\n")[0]
    user = await run(nobody(session), joining.create_invited_account, secret, "New")
    assert user.email_verified_at is not None


async def test_who_has_an_account_is_a_member_at_once(
    session: Session, world: World, stranger: User
) -> None:
    unverified = await factories.make_user(session)
    disabled = await factories.make_member(session, world.organization, disabled=True)
    for person in (disabled, world.reader):
        await session.execute(
            update(User).where(User.id == person.id).values(email_verified_at=utc_now())
        )
    await settle(session)
    result = await invite(
        session, world, stranger.email.upper(), unverified.email, disabled.email,
        (world.reader.email, Role.ADMIN), role=Some(Role.COMMENT), sso=Some(True),
    )  # fmt: skip
    assert set(result.users) == {stranger.id, disabled.id, world.reader.id}
    assert result.invited == 2
    assert set(result.failed_sso_emails or ()) == {disabled.email, world.reader.email}
    # Whoever has taken an address that is not theirs gets nothing by it.
    (sent,) = result.sent
    assert sent.invitation.email == unverified.email
    await settle(session)
    members = {row.user_id: row for row in (await session.execute(select(Member))).scalars()}
    assert (members[stranger.id].role, members[stranger.id].sso) == (Role.COMMENT, True)
    assert members[world.reader.id].role is Role.READ
    assert members[disabled.id].disabled
    assert unverified.id not in members


async def test_all_addresses_or_none(session: Session, world: World) -> None:
    await settle(session)
    before = await stored(session)
    with pytest.raises(Invalid) as error:
        await invite(session, world, "a@example.com", "not one", "A@example.com", "b\n@example.com")
    assert [problem.path for problem in error.value.fields] == [
        "emails[1]", "emails[2]", "emails[3]",
    ]  # fmt: skip
    assert await stored(session) == before


async def test_an_invitation_is_replaced_sent_again_and_withdrawn(
    session: Session, world: World
) -> None:
    await settle(session)
    (first,) = (await invite(session, world, ("a@example.com", Role.ADMIN))).sent
    (second,) = (await invite(session, world, ("a@example.com", None))).sent
    assert first.invitation.id == second.invitation.id
    with pytest.raises(NotFound):
        await state_of(session, secret_of(first))
    assert await state_of(session, secret_of(second)) is InvitationState.OPEN
    ctx = acting(session, world.admin)
    third = await run(ctx, invitation_writes.resend_invitation, ID(second.invitation.id))
    with pytest.raises(NotFound):
        await state_of(session, secret_of(second))
    assert third.invitation.role is None
    with pytest.raises(NotFound):
        await run(
            ctx, invitation_writes.delete_invitation, ID(third.invitation.id), ID("elsewhere")
        )
    await run(ctx, invitation_writes.delete_invitation, ID(third.invitation.id))
    with pytest.raises(NothingToDelete):
        await run(ctx, invitation_writes.delete_invitation, ID(third.invitation.id))
    with pytest.raises(NotFound):
        await state_of(session, secret_of(third))


async def test_expired_ones_open_nothing(session: Session, world: World, stranger: User) -> None:
    (sent,) = (await invite(session, world, "a@example.com")).sent
    assert sent.invitation.expires_at is not None
    assert sent.invitation.expires_at - utc_now() <= LIFETIME
    past = update(Invitation).values(expires_at=utc_now() - dt.timedelta(seconds=1))
    await session.begin_write()
    await session.execute(past)
    before = await stored(session)
    secret = secret_of(sent)
    assert await state_of(session, secret) is InvitationState.EXPIRED
    with pytest.raises(PreconditionFailed, match="expired"):
        await accept(session, stranger, secret)
    with pytest.raises(PreconditionFailed, match="expired"):
        await run(nobody(session), joining.create_invited_account, secret, "New")
    assert await stored(session) == before


async def test_nobody_else_invites_or_reads_invitations(
    session: Session, world: World, stranger: User
) -> None:
    (sent,) = (await invite(session, world, "a@example.com")).sent
    row, secret = await link(session, world, world.admin, role=Role.READ)
    before = await stored(session)
    for person in (world.creator, world.reviewer, world.reader, world.guest, world.outsider):
        refusal: type[ApiError] = NotFound if person is world.outsider else Forbidden
        ctx = acting(session, person)
        with pytest.raises(refusal):
            await invite(session, world, "b@example.com", by=person)
        with pytest.raises(refusal):
            await link(session, world, person, role=None)
        for id in map(ID, (sent.invitation.id, row.id)):
            with pytest.raises(NotFound):
                await read(ctx, invitations.get_invitation, id)
            with pytest.raises(NotFound):
                await run(ctx, invitation_writes.resend_invitation, id)
            with pytest.raises(NotFound):
                await run(
                    ctx, invitation_writes.update_invitation, id,
                    UpdateInviteInput(role=Some(Role.ADMIN)),
                )  # fmt: skip
            with pytest.raises(NothingToDelete):
                await run(ctx, invitation_writes.delete_invitation, id)
    # An id opens nothing, and neither does the secret with another organization.
    for wrong in (row.id, sent.invitation.id, secret[:-1] + "-", row.digest, "", "\ud800"):
        with pytest.raises(NotFound):
            await accept(session, stranger, wrong)
    with pytest.raises(NotFound):
        await run(acting(session, stranger), joining.accept_invitation, ID(secret), ID("elsewhere"))
    assert await stored(session) == before


async def test_links_give_roles_and_never_less(
    session: Session, world: World, stranger: User
) -> None:
    _, edit = await link(session, world, world.admin, role=Role.EDIT)
    _, guests = await link(session, world, world.admin, role=None)
    for person, secret, role in (
        (stranger, guests, None), (stranger, edit, Role.EDIT), (stranger, guests, Role.EDIT),
        (world.reader, edit, Role.EDIT), (world.creator, edit, Role.CREATE),
        (world.admin, edit, Role.ADMIN), (world.guest, edit, Role.EDIT),
    ):  # fmt: skip
        assert (await accept(session, person, secret)).role is role
    shown = await read(nobody(session), joining.read_invitation, edit)
    assert (shown.email, shown.state) == (None, InvitationState.OPEN)
    with pytest.raises(PreconditionFailed, match="sign in"):
        await run(nobody(session), joining.create_invited_account, edit, "New")


async def test_links_to_spaces_and_collections_make_guests_with_a_grant(
    session: Session, world: World, stranger: User
) -> None:
    collection = await factories.make_collection(session, world.organization)
    space = await factories.make_space(session, world.organization, collection)
    other = await factories.make_space(session, world.organization)
    blocked = await factories.make_member(session, world.organization, None)
    await factories.make_grant(session, space, blocked, None)
    await factories.make_grant(session, space, world.guest, Role.CREATE)
    await settle(session)
    # Who has `create` there may do so, up to `create`.
    _, above = await link(session, world, world.creator, level=Role.READ, collection=collection.id)
    row, review = await link(session, world, world.guest, level=Role.REVIEW, space=space.id)
    for refused in ({"level": Role.ADMIN, "space": space.id},):
        with pytest.raises(Forbidden):
            await link(session, world, world.guest, **refused)
    with pytest.raises(NotFound):
        await link(session, world, world.guest, level=Role.READ, space=other.id)
    await accept(session, stranger, above)
    member = await accept(session, stranger, review)
    assert member.role is None
    on_space = await ranks(acting(session, stranger), type(space), {space.id, other.id})
    assert on_space == {space.id: Role.REVIEW.rank}
    await session.commit()
    # Who may more keeps the way by which they may, and a grant of less would take it away.
    before = await stored(session)
    await accept(session, world.creator, review)
    with pytest.raises(Forbidden, match="taken all access"):
        await accept(session, blocked, review)
    assert await stored(session) == before
    assert row.space_id == space.id


@pytest.mark.parametrize(
    "values",
    [
        {}, {"level": Role.READ}, {"space": "s"}, {"role": Role.READ, "space": "s"},
        {"level": Role.READ, "space": "s", "collection": "c"}, {"level": None, "space": "s"},
        {"role": Role.READ, "level": Role.READ},
    ],
)  # fmt: skip
async def test_a_link_is_to_one_thing(
    session: Session, world: World, values: dict[str, Any]
) -> None:
    await settle(session)
    with pytest.raises(Invalid):
        await link(session, world, world.admin, **values)
    assert not (await session.execute(select(Invitation))).all()


async def test_what_the_inviter_may_not_give_any_more_is_given_by_nobody(
    session: Session, world: World, stranger: User
) -> None:
    """Demoted, disabled or gone; another administrator makes the invitation theirs."""
    second = await factories.make_member(session, world.organization, Role.ADMIN)
    space = await factories.make_space(session, world.organization)
    await settle(session)
    row, by_link = await link(session, world, second, role=Role.ADMIN)
    _, to_space = await link(session, world, second, level=Role.ADMIN, space=space.id)
    by_mail = secret_of((await invite(session, world, "a@example.com", by=second)).sent[0])
    membership = (Member.organization_id == world.organization.id, Member.user_id == second.id)
    for change in ({"role": Role.CREATE}, {"role": Role.ADMIN, "disabled": True}):
        await session.begin_write()
        await session.execute(update(Member).where(*membership).values(**change))
        before = await stored(session)
        for secret in (by_link, to_space, by_mail):
            assert await state_of(session, secret) is InvitationState.REVOKED
            with pytest.raises(PreconditionFailed, match="does not hold"):
                await accept(session, stranger, secret)
        with pytest.raises(PreconditionFailed):
            await run(nobody(session), joining.create_invited_account, by_mail, "New")
        assert await stored(session) == before
    ctx = acting(session, world.admin)
    listed = await invitation_states(
        ctx, list((await session.execute(select(Invitation))).scalars()), None
    )
    assert listed == [InvitationState.REVOKED] * 3
    await session.commit()
    await run(
        ctx, invitation_writes.update_invitation, ID(row.id), UpdateInviteInput(role=Some(None))
    )
    assert (await accept(session, stranger, by_link)).role is None


async def test_links_can_be_switched_off(session: Session, world: World, stranger: User) -> None:
    _, secret = await link(session, world, world.admin, role=Role.READ)
    world.organization.invite_links = False
    await session.begin_write()
    await session.merge(world.organization)
    before = await stored(session)
    assert await state_of(session, secret) is InvitationState.REVOKED
    with pytest.raises(PreconditionFailed):
        await accept(session, stranger, secret)
    with pytest.raises(PreconditionFailed, match="switched links off"):
        await link(session, world, world.admin, role=Role.READ)
    assert await stored(session) == before


async def test_disabled_members_stay_disabled_and_removed_ones_begin_anew(
    session: Session, world: World
) -> None:
    disabled = await factories.make_member(session, world.organization, disabled=True)
    await settle(session)
    _, secret = await link(session, world, world.admin, role=Role.ADMIN)
    by_mail = secret_of((await invite(session, world, "a@example.com")).sent[0])
    before = await stored(session)
    for opened in (secret, by_mail):
        with pytest.raises(Forbidden, match="disabled"):
            await accept(session, disabled, opened)
    assert await stored(session) == before
    await accept(session, world.outsider, by_mail)
    await run(
        acting(session, world.admin), member_writes.remove_member,
        ID(world.organization.id), ID(world.outsider.id),
    )  # fmt: skip
    # It was used, also by whoever was removed since.
    with pytest.raises(PreconditionFailed, match="accepted already"):
        await accept(session, world.outsider, by_mail)


async def test_twelve_attempts_at_once_use_an_invitation_once(
    session: Session, world: World, database: Database
) -> None:
    people = [await factories.make_user(session) for _ in range(6)]
    await settle(session)
    secret = secret_of((await invite(session, world, ("a@example.com", Role.EDIT))).sent[0])

    async def attempt(person: User) -> str:
        async with database.session() as own:
            try:
                await accept(own, person, secret)
            except PreconditionFailed:
                return ""
            return person.id

    winners = set(await asyncio.gather(*(attempt(person) for person in people * 2))) - {""}
    assert len(winners) == 1
    keys = set((await session.execute(select(Member.user_id))).scalars())
    assert keys & {person.id for person in people} == winners


async def test_twelve_acceptances_of_a_link_make_one_member(
    session: Session, world: World, database: Database, stranger: User
) -> None:
    _, secret = await link(session, world, world.admin, role=Role.EDIT)

    async def attempt() -> Role | None:
        async with database.session() as own:
            return (await accept(own, stranger, secret)).role

    assert await asyncio.gather(*(attempt() for _ in range(12))) == [Role.EDIT] * 12


async def test_an_account_is_made_once(session: Session, world: World, database: Database) -> None:
    await settle(session)
    secret = secret_of((await invite(session, world, "a@example.com")).sent[0])

    async def attempt() -> bool:
        async with database.session() as own:
            try:
                await run(nobody(own), joining.create_invited_account, secret, "New")
            except (PreconditionFailed, Conflict):
                return False
            return True

    assert sum(await asyncio.gather(*(attempt() for _ in range(6)))) == 1
    accounts = select(User).where(User.email == "a@example.com")
    assert len((await session.execute(accounts)).all()) == 1


async def test_sign_on_lets_invited_people_in(
    session: Session, world: World, stranger: User
) -> None:
    unverified = await factories.make_user(session)
    await settle(session)
    await invite(session, world, (unverified.email, Role.EDIT), sso=Some(True))

    async def sign_on(ctx: Context, user: User) -> bool:
        account = await ctx.session.get(User, user.id)
        assert account is not None
        return await joining.accept_invitation_of_address(ctx, world.organization.id, account)

    assert not await run(acting(session), sign_on, stranger)
    assert await run(acting(session), sign_on, unverified)
    assert not await run(acting(session), sign_on, unverified)
    member = await session.get(Member, (world.organization.id, unverified.id))
    assert member is not None
    assert (member.role, member.sso) == (Role.EDIT, True)


async def test_people_join_by_the_domain_of_their_verified_address(
    session: Session, world: World, stranger: User
) -> None:
    organization = ID(world.organization.id)
    ctx = acting(session, stranger)
    with pytest.raises(NotFound):
        await run(ctx, joining.join_organization, organization)
    world.organization.email_domains = ["other.example", "Example.COM"]
    world.organization.default_role = Role.COMMENT
    disabled = await factories.make_member(session, world.organization, disabled=True)
    await session.execute(
        update(User).where(User.id == disabled.id).values(email_verified_at=utc_now())
    )
    unverified = await factories.make_user(session)
    elsewhere = await factories.make_user(session, email_verified_at=utc_now())
    elsewhere.email = "somebody@ample.com"
    await session.merge(world.organization)
    await settle(session)
    before = await stored(session)
    for person, error in (
        (unverified, BadRequest), (elsewhere, NotFound), (disabled, Forbidden),
    ):  # fmt: skip
        with pytest.raises(error):
            await run(acting(session, person), joining.join_organization, organization)
    with pytest.raises(NotFound):
        await run(ctx, joining.join_organization, ID("nowhere"))
    assert await stored(session) == before

    async def listed(person: User, domain: str) -> list[str]:
        operation = joining.get_organizations_for_email_domain
        return [
            row.id for row in (await read(acting(session, person), operation, domain)).organizations
        ]

    assert await listed(stranger, "EXAMPLE.com") == [world.organization.id]
    assert await listed(stranger, "other.example") == []
    assert await listed(unverified, "example.com") == []
    assert await listed(elsewhere, "ample.com") == []
    await session.commit()
    for _ in range(2):
        member = await run(ctx, joining.join_organization, organization)
        assert member.role is Role.COMMENT
    assert world.organization.id


async def test_both_doors(api: Api, world: World, stranger: User) -> None:
    orgs = f"/orgs/{world.organization.id}"
    body = {"emails": ["a@example.com", {"email": "b@example.com", "role": None}], "role": "edit"}
    answer = await api.rest("POST", f"{orgs}/invites", world.admin, body)
    assert (answer.status_code, answer.json()) == (200, {"users": [], "invited": 2})
    created = await api.rest("POST", f"{orgs}/link-invites", world.admin, {"role": "comment"})
    assert created.status_code == 201
    shown = created.json()
    assert created.headers["location"].endswith(f"{orgs}/link-invites/{shown['id']}")
    url = shown.pop("url")
    assert shown == {"object": "invite", "id": shown["id"], "role": "comment", "redundant": True}
    one = f"{orgs}/link-invites/{shown['id']}"
    again = await api.rest("GET", one, world.admin)
    assert again.json()["url"] == url
    changed = await api.rest("PATCH", one, world.admin, {"role": None})
    assert changed.json()["role"] is None
    listed = (await api.rest("GET", f"{orgs}/link-invites", world.admin)).json()
    assert [item["id"] for item in listed["items"]] == [shown["id"]]
    for person in (world.creator, world.guest):
        refused = await api.rest("GET", f"{orgs}/link-invites", person)
        assert (refused.status_code, "'admin'" in refused.text) == (403, True)
        query = "query($id: ID!) { organization(id: $id) { id joinLinks { nodes { id } } } }"
        answer = await api.graphql(query, person, id=world.organization.id)
        assert answer["data"]["organization"] == {"id": world.organization.id, "joinLinks": None}
        assert answer["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    outside = await api.rest("GET", f"{orgs}/link-invites", world.outsider)
    assert outside.status_code == 404
    data = await api.data(
        "query($id: ID!) { organization(id: $id) { invitations(kind: EMAIL) { nodes { email role "
        "state url redundant inviter { displayName } acceptedBy { id } } } } }",
        world.admin,
        id=world.organization.id,
    )
    nodes = data["organization"]["invitations"]["nodes"]
    assert [(node["email"], node["role"]) for node in nodes] == [
        ("a@example.com", "EDIT"), ("b@example.com", None),
    ]  # fmt: skip
    assert all(node["url"] is None and node["state"] == "OPEN" for node in nodes)
    secret = url.rpartition("/")[2]
    joined = await api.rest("POST", f"{orgs}/invites/{secret}", stranger)
    assert (joined.status_code, joined.json()) == (200, {})
    accepted = await api.data(
        "mutation($secret: ID!) { acceptInvitation(secret: $secret) { role user { id } } }",
        stranger,
        secret=secret,
    )
    assert accepted["acceptInvitation"] == {"role": None, "user": {"id": stranger.id}}
    assert (await api.rest("DELETE", one, world.admin)).status_code == 205
    assert (await api.rest("DELETE", one, world.admin)).status_code == 204
    refused = await api.rest("PATCH", orgs, world.admin, {"emailDomains": ["a.b", "GMail.com"]})
    assert (refused.status_code, "emailDomains[1]" in refused.text) == (422, True)
    settings = {"emailDomains": ["example.com"], "defaultRole": "read"}
    assert (await api.rest("PATCH", orgs, world.admin, settings)).status_code == 200
    domain = await api.rest("GET", "/email-domains/example.com/orgs", stranger)
    (organization,) = domain.json()["organizations"]
    assert organization["id"] == world.organization.id
    assert (await api.rest("POST", f"{orgs}/join", stranger)).status_code == 204
    assert (await api.rest("POST", f"{orgs}/join", world.outsider)).status_code == 400
