"""Addresses of people: what is accepted can be sent to, and is the same address everywhere."""

import datetime as dt
import string
from email.headerregistry import Address
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from sqlalchemy import func, literal, select

from db.base import utc_now
from db.models.organizations import User
from db.session import Session
from fetching.smtp import Encryption, MailServer, compose
from resolvers.access import accounts
from resolvers.access.tokens import find_user
from resolvers.core.email_addresses import (
    ADDRESS_LIMIT,
    can_be_sent_to,
    folded,
    forms_of,
    is_address,
    was_address,
)
from resolvers.core.errors import Conflict, Forbidden, Invalid
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.runners import run
from resolvers.organizations.invitation_writes import (
    InvitedInput,
    InviteUsersInput,
    invite_users_to_organization,
)
from resolvers.organizations.people_named import members_among, named_users
from resolvers.sign_on.arrivals import arrive_at_server
from resolvers.sign_on.identities import identity_of
from tests import factories
from tests.conftest import World, context, settle

SERVER = MailServer(
    "127.0.0.1", 25, Encryption.NONE, None, None, Address("Docs", addr_spec="docs@example.com")
)
_LOCAL = st.text(string.ascii_letters + string.digits + "!#$%&'*+/=?^_`{|}~.-", min_size=1)
_LABELS = st.lists(st.text(string.ascii_letters + string.digits + "-", min_size=1), min_size=1)
_LIKELY = st.builds(lambda local, labels: f"{local}@{'.'.join(labels)}", _LOCAL, _LABELS)
# Each is wrong in one way.
WRONG = (
    "", "@", "a@", "@b.c", "a b@c.d", "a@b c", "a@b@c", "a@b..c", "a@-b.c", "a@b-.c", "a@b.c.",
    "a@b.c\n", "a\n@b.c", "\ta@b.c", "a\0@b.c", "a\x7f@b.c", "a@b.c\r\nBcc: d@e.f", "<a@b.c>",
    "a,b@c.d", 'a"b@c.d', '"a b"@c.d', "a@[127.0.0.1]", "a@b_c.d", "é@b.c", "a@é.b",
    "\u212Aate@b.c", ".a@b.c", "a.@b.c", "a..b@c.d",
    "a\u202e@b.c", "a@b\u200b.c", "a\ud800@b.c", f"{'a' * 65}@b.c", f"a@{'b' * 64}.c",
    f"a@{'.'.join(['b' * 63] * 4)}", "a@" + "b." * 126 + "cc",
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(_LIKELY, st.text(max_size=30), st.text('aA.@-_ \r\n,<>"\0é\u212a', max_size=12)))
@example(f"{'a' * 64}@{'.'.join(['b' * 60] * 3)}.com")
def test_what_is_accepted_can_be_sent_by_every_mail_server(text: str) -> None:
    """As one header of ASCII, that says this address and no other."""
    if not is_address(text):
        return
    assert len(text) <= ADDRESS_LIMIT
    assert was_address(text)
    assert can_be_sent_to(text)
    mail: Any = SimpleNamespace(
        id="1",
        recipient=text,
        subject="s",
        text="t",
        html=None,
        unsubscribe_url=None,
        created_at=dt.datetime.now(dt.UTC),
    )
    message = compose(SERVER, mail)
    (header,) = message.get_all("To")
    (sent_to,) = header.addresses
    local, _, host = text.rpartition("@")
    assert (sent_to.username, sent_to.domain) == (local, host)
    assert bytes(message).isascii()
    assert folded(folded(text)) == folded(text) == text.lower()
    assert forms_of(text) == {text.lower()}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_address(text: str) -> None:
    assert not is_address(text)


async def test_databases_compare_as_we_do(session: Session) -> None:
    texts = [chr(code) for code in range(33, 127)]
    row = (await session.execute(select(*(func.lower(literal(text)) for text in texts)))).one()
    assert list(row) == [folded(text) for text in texts]


async def test_all_ways_in_have_one_rule(session: Session, world: World) -> None:
    await settle(session)
    operator = context(session)
    for email in ("é@b.example", "a@é.example", "a b@c.example", "a" * 65 + "@b.example"):
        with pytest.raises(Invalid, match="e-mail address"):
            await run(operator, accounts.create_user, email, "Nia")

    async def arrive(ctx: Any, email: str) -> User:
        policy_was_asked()
        return await arrive_at_server(ctx, identity_of(email, ["Nia"]))

    for email in ("jörg@b.example", "a@é.example", "\u212aate@b.example", "a b@c.example"):
        with pytest.raises(Forbidden):
            await run(operator, arrive, email)
    # A letter whose small one is ASCII makes nobody somebody else.
    kate = await run(operator, accounts.create_user, "Kate@b.example", "Kate")
    assert await find_user(session, "\u212aate@b.example") is None
    assert await named_users(operator, "\u212aate@b.example") == set()
    assert await named_users(operator, "kATE@B.example") == {kate.id}
    await session.commit()
    with pytest.raises(Conflict):
        await run(operator, accounts.create_user, "kate@B.EXAMPLE", "Other")


async def test_accounts_of_before_stay_usable(session: Session, world: World) -> None:
    """Their addresses would be refused today."""
    member = await factories.make_member(session, world.organization)
    member.email = "jörg@bücher.example"
    longer = await factories.make_user(session)
    longer.email = f"{'a' * 64}@{'.'.join(['b' * 63] * 3)}.{'c' * 50}"
    # A database may make ASCII of a letter that is none; it stays the address of somebody else.
    other = await factories.make_user(session)
    other.email, other.email_verified_at = "\u212aate@b.example", utc_now()
    await settle(session)
    operator = context(session)
    for user in (member, longer):
        assert not is_address(user.email)
        named = await find_user(session, user.email)
        assert (named and named.id) == user.id
        await session.commit()
        verified = await run(operator, accounts.verify_address, user.email)
        assert verified.email_verified_at is not None
        await run(operator, accounts.create_account_token, user.email, "t")

        async def arrive(ctx: Any, email: str = user.email) -> str:
            policy_was_asked()
            return (await arrive_at_server(ctx, identity_of(email, []))).id

        assert await run(operator, arrive) == user.id
    input = InviteUsersInput(emails=[InvitedInput(email="kate@b.example")])
    users = await run(operator, invite_users_to_organization, world.organization.id, input)
    assert (users.members, [each.invitation.email for each in users.sent]) == (
        [],
        ["kate@b.example"],
    )
    names = {member.email}
    await session.begin_write()
    members = await members_among(operator, world.organization.id, names)
    assert members[member.email].user_id == member.id
    await session.commit()
    assert can_be_sent_to("joerg@bücher.example")
