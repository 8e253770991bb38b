"""People who are no members are invited to spaces and collections by their addresses."""

from typing import Any, NamedTuple

import pytest
from sqlalchemy import delete, select, update
from strawberry import ID, Some

from db.base import utc_now
from db.enums import InvitationState, Role
from db.models.invitations import Invitation
from db.models.mail import OutgoingMail
from db.models.organizations import Member, Organization, User
from db.models.spaces import AccessGrant, Collection, Space
from db.session import Session
from resolvers.access.policy import ranks
from resolvers.core.context import Context
from resolvers.core.errors import (
    ApiError,
    Forbidden,
    Invalid,
    NotFound,
    NothingToDelete,
    PreconditionFailed,
)
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import run
from resolvers.organizations import invitation_writes, invitations, joining
from resolvers.organizations.invitation_states import invitation_states
from resolvers.organizations.invitation_writes import UpdateInviteInput
from resolvers.organizations.invitations import SentInvitation
from resolvers.permissions import operations
from resolvers.permissions.operations import InviteInput
from resolvers.spaces.transfers import TransferInput, transfer_collection, transfer_space
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.resolvers.access.test_roles_property import Scene
from tests.resolvers.organizations.test_invitations import (
    accept,
    acting,
    nobody,
    secret_of,
    state_of,
    stored,
)
from tests.resolvers.permissions.test_people import all_rows, facts_of
from tests.role_reference import effective_rank


class Kind(NamedTuple):
    """What is invited to."""

    model: Any
    make: Any
    invite: Any
    transfer: Any
    listed: Any


KINDS = (
    Kind(Space, factories.make_space, operations.invite_to_space, transfer_space,
         invitations.invitations_to_spaces),
    Kind(Collection, factories.make_collection, operations.invite_to_collection,
         transfer_collection, invitations.invitations_to_collections),
)  # fmt: skip
BOTH = pytest.mark.parametrize("kind", KINDS, ids=["space", "collection"])
ADDRESS = "gwen@elsewhere.example"


async def invite(
    ctx: Context, kind: Kind, row: Any, *names: str, role: Role | None = Role.EDIT
) -> list[SentInvitation]:
    input = InviteInput(role=Some(role), users=Some(list(names)))
    sent: list[SentInvitation] = (await run(ctx, kind.invite, ID(row.id), input)).sent
    return sent


async def newcomer(session: Session, sent: SentInvitation, name: str = "Gwen") -> User:
    return await run(nobody(session), joining.create_invited_account, secret_of(sent), name)


@BOTH
async def test_who_accepts_is_a_guest_with_that_role_there(
    session: Session, world: World, kind: Kind
) -> None:
    row = await kind.make(session, world.organization)
    other = await factories.make_space(session, world.organization)
    await settle(session)
    ctx = acting(session, world.creator)
    # Whether an address has an account makes no difference, and members are given the role at once.
    sent = await invite(
        ctx, kind, row, ADDRESS.upper(), world.reader.email, world.outsider.email, ADDRESS
    )
    assert [one.invitation.email for one in sent] == [ADDRESS, world.outsider.email]
    assert {one.invitation.role for one in sent} == {Role.EDIT}
    reader = acting(session, world.reader)
    assert await ranks(reader, kind.model, [row.id]) == {row.id: Role.EDIT.rank}
    guest = await newcomer(session, sent[0])
    assert guest.email_verified_at is None
    assert (await accept(session, world.outsider, secret_of(sent[1]))).role is None
    for person in (guest, world.outsider):
        member = await session.get(Member, (world.organization.id, person.id))
        assert member is not None
        assert member.role is None
        seen = acting(session, person)
        assert await ranks(seen, kind.model, [row.id]) == {row.id: Role.EDIT.rank}
        assert await ranks(seen, Space, [other.id]) == {}
    await session.commit()
    # From now on they are members.
    assert await invite(ctx, kind, row, ADDRESS, role=Role.READ) == []
    assert await ranks(acting(session, guest), kind.model, [row.id]) == {row.id: Role.READ.rank}


@BOTH
async def test_all_or_nobody(session: Session, world: World, kind: Kind) -> None:
    row = await kind.make(session, world.organization)
    await settle(session)
    (first,) = await invite(acting(session, world.creator), kind, row, ADDRESS)
    before = await stored(session)
    attempts: list[tuple[User, type[ApiError], tuple[str, ...], Role | None]] = [
        (world.creator, NotFound, ("new@elsewhere.example", "nobody"), Role.READ),
        (world.creator, NotFound, ("new@elsewhere.example", "two words@x.example"), Role.READ),
        (world.creator, NotFound, ("new@elsewhere.example", world.outsider.id), Role.READ),
        # "No access" is nothing to invite anybody to.
        (world.creator, NotFound, (world.reader.email, ADDRESS), None),
        (world.creator, Forbidden, (ADDRESS,), Role.ADMIN),
        (world.reviewer, Forbidden, (ADDRESS,), Role.READ),
        (world.guest, NotFound, (ADDRESS,), Role.READ),
        (world.outsider, NotFound, (ADDRESS,), Role.READ),
    ]
    for person, error, names, role in attempts:
        with pytest.raises(error):
            await invite(acting(session, person), kind, row, *names, role=role)
        assert await stored(session) == before, names
    await session.begin_write()
    await session.execute(update(Organization).values(invite_links=False))
    await session.commit()
    with pytest.raises(NotFound, match="is no member"):
        await invite(acting(session, world.admin), kind, row, ADDRESS)
    assert await state_of(session, secret_of(first)) is InvitationState.REVOKED
    assert await stored(session) == before


@BOTH
async def test_those_who_manage_it_list_send_and_withdraw(
    session: Session, world: World, kind: Kind
) -> None:
    row = await kind.make(session, world.organization)
    await factories.make_grant(session, row, world.guest, Role.CREATE)
    await settle(session)
    ctx = acting(session, world.guest)
    (first,) = await invite(ctx, kind, row, ADDRESS)
    (again,) = await invite(acting(session, world.creator), kind, row, ADDRESS, role=Role.READ)
    assert again.invitation.id == first.invitation.id
    with pytest.raises(NotFound):
        await state_of(session, secret_of(first))
    for person, expected in (
        (world.guest, [ADDRESS]), (world.creator, [ADDRESS]), (world.admin, [ADDRESS]),
        (world.reviewer, Forbidden), (world.outsider, NotFound),
    ):  # fmt: skip
        (part,) = await kind.listed(acting(session, person), [row], PageArguments())
        if isinstance(expected, list):
            assert [one.email for one in part.rows] == expected
        else:
            assert type(part) is expected
    third = await run(ctx, invitation_writes.resend_invitation, ID(again.invitation.id))
    assert third.invitation.role is Role.READ
    await run(ctx, invitation_writes.delete_invitation, ID(third.invitation.id))
    with pytest.raises(NotFound):
        await newcomer(session, third)


@BOTH
async def test_what_somebody_could_not_give_they_do_not_touch(
    session: Session, world: World, kind: Kind
) -> None:
    row = await kind.make(session, world.organization)
    await settle(session)
    admin, creator = acting(session, world.admin), acting(session, world.creator)
    (sent,) = await invite(admin, kind, row, ADDRESS, role=Role.ADMIN)
    id = ID(sent.invitation.id)
    before = await stored(session)
    with pytest.raises(Forbidden):
        await invite(creator, kind, row, ADDRESS, role=Role.READ)
    with pytest.raises(Forbidden):
        await run(creator, invitation_writes.resend_invitation, id)
    lower = UpdateInviteInput(level=Some(Role.READ))
    with pytest.raises(Forbidden):
        await run(creator, invitation_writes.update_invitation, id, lower)
    with pytest.raises(Forbidden):
        await run(creator, invitation_writes.delete_invitation, id)
    assert await stored(session) == before
    if kind.model is Space:
        await session.begin_write()
        await session.execute(update(Space).values(deleted_at=utc_now()))
        await session.commit()
    with pytest.raises(NothingToDelete):
        await run(acting(session, world.outsider), invitation_writes.delete_invitation, id)
    await run(admin, invitation_writes.delete_invitation, id)


@BOTH
async def test_it_holds_as_long_as_whoever_invited_may_give_it(
    session: Session, world: World, kind: Kind
) -> None:
    """The list says what accepting then does, whatever has happened in between."""
    hidden = await factories.make_collection(session, world.organization, default_level=None)
    row = await kind.make(session, world.organization)
    await factories.make_grant(session, row, world.guest, Role.CREATE)
    await settle(session)
    (by_creator,) = await invite(acting(session, world.creator), kind, row, "a@elsewhere.example")
    (by_guest,) = await invite(acting(session, world.guest), kind, row, "b@elsewhere.example")
    (by_operator,) = await invite(acting(session), kind, row, "c@elsewhere.example")
    creator = (Member.organization_id == world.organization.id, Member.user_id == world.creator.id)
    has_guest = (AccessGrant.user_id == world.guest.id,)
    whole: list[tuple[Any, Any, set[str]]] = [
        (update(Member).where(*creator).values(role=Role.REVIEW),
         update(Member).where(*creator).values(role=Role.CREATE), {"a"}),
        (update(Member).where(*creator).values(disabled=True),
         update(Member).where(*creator).values(disabled=False), {"a"}),
        (update(AccessGrant).where(*has_guest).values(role=Role.REVIEW),
         update(AccessGrant).where(*has_guest).values(role=Role.CREATE), {"b"}),
        (update(Organization).values(invite_links=False),
         update(Organization).values(invite_links=True), {"a", "b", "c"}),
        (update(kind.model).values(organization_id=select(Member.organization_id)
            .where(Member.user_id == world.outsider.id).scalar_subquery()),
         update(kind.model).values(organization_id=world.organization.id), {"a", "b", "c"}),
    ]  # fmt: skip
    if kind.model is Space:
        moved = update(Space).values(parent_id=hidden.id)
        whole.append((moved, update(Space).values(parent_id=None), {"a"}))
        whole.append((update(Space).values(deleted_at=utc_now()),
                      update(Space).values(deleted_at=None), {"a", "b", "c"}))  # fmt: skip
    for change, undo, closed in whole:
        await session.begin_write()
        await session.execute(change)
        before = await stored(session)
        rows = await all_rows(session, Invitation)
        states = await invitation_states(acting(session, world.admin), rows)
        listed = {one.email[0] for one, state in zip(rows, states, strict=True)
                  if state is InvitationState.REVOKED}  # fmt: skip
        await session.commit()
        assert listed == closed, change
        for sent in (by_creator, by_guest, by_operator):
            if sent.invitation.email is not None and sent.invitation.email[0] in closed:
                with pytest.raises(PreconditionFailed, match="does not hold"):
                    await newcomer(session, sent)
                with pytest.raises(PreconditionFailed):
                    await accept(session, world.outsider, secret_of(sent))
        assert await stored(session) == before
        await session.begin_write()
        await session.execute(undo)
        await session.commit()
    await session.begin_write()
    await session.execute(delete(Member).where(*creator))
    await session.commit()
    with pytest.raises(PreconditionFailed):
        await newcomer(session, by_creator)
    for sent, name in ((by_guest, "Bo"), (by_operator, "Cy")):
        assert (await newcomer(session, sent, name)).display_name == name


@pytest.mark.parametrize("seed", range(2))
async def test_states_agree_with_the_rule(session: Session, queries: Queries, seed: int) -> None:
    """Whoever invites, to whatever, in whatever organization."""
    await Scene(seed, session).build()
    facts = await facts_of(session)
    people, expected = await all_rows(session, User), []
    for model in (Space, Collection):
        for row in await all_rows(session, model):
            for place, person in enumerate(people):
                role = (Role.ADMIN, Role.REVIEW)[place % 2]
                target = {f"{model.__tablename__}_id": row.id}
                session.add(
                    Invitation(organization_id=row.organization_id, inviter_id=person.id,
                               role=role, digest=f"{row.id}{person.id}", email="x@y.example",
                               **target)
                )  # fmt: skip
                needed = Role.ADMIN if role is Role.ADMIN else Role.CREATE
                alive = getattr(row, "deleted_at", None) is None
                holds = effective_rank(facts, person.id, row) >= needed.rank and alive
                expected.append((row.id, person.id, holds))
    await settle(session)
    rows = await all_rows(session, Invitation)
    with queries(2):
        states = await invitation_states(acting(session), rows)
    assert {InvitationState.OPEN, InvitationState.REVOKED} == set(states)
    shown = [
        (row.space_id or row.collection_id, row.inviter_id, state is InvitationState.OPEN)
        for row, state in zip(rows, states, strict=True)
    ]
    assert sorted(shown) == sorted(expected)


@BOTH
async def test_a_transfer_withdraws_them(session: Session, world: World, kind: Kind) -> None:
    row = await kind.make(session, world.organization)
    inside = row
    if kind.model is Collection:
        inside = await factories.make_space(session, world.organization, row)
    other = await factories.make_organization(session)
    session.add(Member(organization_id=other.id, user_id=world.creator.id, role=Role.CREATE))
    await settle(session)
    ctx = acting(session, world.creator)
    sent = await invite(ctx, kind, row, ADDRESS)
    sent += await invite(ctx, KINDS[0], inside, "b@elsewhere.example")
    await run(ctx, kind.transfer, ID(row.id), TransferInput(organization=ID(other.id)))
    for one in sent:
        with pytest.raises(NotFound):
            await newcomer(session, one)
    assert await all_rows(session, Invitation) == []


async def test_mail_says_where_to_and_shows_whose_the_address_is(
    session: Session, world: World
) -> None:
    space = await factories.make_space(session, world.organization, title="Hand\nbook")
    await settle(session)
    ctx = acting(session, world.creator, mail=True)
    (sent,) = await invite(ctx, KINDS[0], space, ADDRESS)
    assert sent.url is None
    (mail,) = await all_rows(session, OutgoingMail)
    await session.commit()
    assert mail.subject == "Invitation to Hand book (Acme)"
    assert "Creator has invited you to Hand book (Acme)." in mail.text
    secret = mail.text.partition("/invitations/")[2].partition("\n")[0]
    user = await run(nobody(session), joining.create_invited_account, secret, "Gwen")
    assert user.email_verified_at is not None


async def test_statements_do_not_grow_with_the_people(
    session: Session, world: World, queries: Queries
) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    ctx = acting(session, world.admin, mail=True)
    names = [f"guest{number}@elsewhere.example" for number in range(40)]
    await invite(ctx, KINDS[0], space, names[0], role=Role.ADMIN)
    # New ones, and all of them again.
    for _ in range(2):
        with queries.at_most(22):
            sent = await invite(ctx, KINDS[0], space, *names, role=Role.ADMIN)
        assert len(sent) == 40
    too_many = [f"guest{number}@elsewhere.example" for number in range(501)]
    with pytest.raises(Invalid, match="500"):
        await invite(ctx, KINDS[0], space, *too_many)


async def test_sign_on_accepts_all_of_an_address(session: Session, world: World) -> None:
    spaces = [await factories.make_space(session, world.organization) for _ in range(3)]
    gwen = await factories.make_user(session, "Gwen")
    gwen.email = ADDRESS
    await settle(session)
    for space in spaces[:2]:
        await invite(acting(session, world.creator), KINDS[0], space, ADDRESS)

    async def sign_on(ctx: Context) -> bool:
        account = await ctx.session.get_one(User, gwen.id)
        return await joining.accept_invitation_of_address(ctx, world.organization.id, account)

    assert await run(acting(session), sign_on)
    seen = await ranks(acting(session, gwen), Space, [space.id for space in spaces])
    assert seen == {space.id: Role.EDIT.rank for space in spaces[:2]}


async def test_both_doors(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    collection = await factories.make_collection(session, world.organization)
    await settle(session)
    query = """mutation ($id: ID!, $input: InviteInput!) { invited: inviteToSpace(
      id: $id, input: $input) { space { invitations { nodes { email role state } } }
      invitations { url invitation { id space { id } url } } } }"""
    input = {"role": "READ", "users": [ADDRESS]}
    data = await api.data(query, world.creator, id=space.id, input=input)
    ((sent,), listed) = data["invited"]["invitations"], data["invited"]["space"]["invitations"]
    assert "/invitations/" in sent["url"]
    assert (sent["invitation"]["space"], sent["invitation"]["url"]) == ({"id": space.id}, None)
    assert listed["nodes"] == [{"email": ADDRESS, "role": "READ", "state": "OPEN"}]
    for place in (f"/spaces/{space.id}", f"/collections/{collection.id}"):
        body = {"role": "comment", "users": [ADDRESS, world.guest.id]}
        answer = await api.rest("POST", f"{place}/permissions", world.creator, body)
        assert (answer.status_code, answer.content) == (204, b"")
        unknown = {"role": "comment", "users": [ADDRESS, "nobody"]}
        answer = await api.rest("POST", f"{place}/permissions", world.creator, unknown)
        assert (answer.status_code, "users: 'nobody'" in answer.text) == (404, True)
        listed = (await api.rest("GET", f"{place}/permissions/users", world.creator)).json()
        assert [one["user"]["id"] for one in listed["items"]] == [world.guest.id]
    for name in ("a\0@elsewhere.example", 7):
        body = {"role": "comment", "users": [name]}
        answer = await api.rest("POST", f"/spaces/{space.id}/permissions", world.creator, body)
        assert answer.status_code in (400, 404, 422), answer.text
    query = """query ($id: ID!) { organization(id: $id) { invitations { nodes {
      email role space { id } collection { id } } } } }"""
    data = await api.data(query, world.creator, id=world.organization.id)
    assert data["organization"]["invitations"]["nodes"] == [
        {"email": ADDRESS, "role": "COMMENT", "space": {"id": space.id}, "collection": None},
        {"email": ADDRESS, "role": "COMMENT", "space": None, "collection": {"id": collection.id}},
    ]
