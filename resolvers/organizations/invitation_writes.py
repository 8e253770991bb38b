"""Invitations are made, changed, sent again and withdrawn (docs/people.md)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import delete, func, select
from strawberry import Maybe

from db.enums import Role
from db.ids import new_id
from db.models.invitations import AccountLink, Invitation
from db.models.organizations import Member, Organization, User
from db.models.spaces import Collection, Space
from resolvers.access import tokens
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import InvitationId, OfOrganization, OrganizationId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.email_addresses import ADDRESS_LIMIT, WANTED, folded, is_address
from resolvers.core.errors import FieldError, Invalid, NotFound, PreconditionFailed, invalid
from resolvers.core.mail import Message, on_one_line, send_mail
from resolvers.organizations.invitation_mail import (
    check_number,
    must_give,
    must_touch,
    send_invitations,
)
from resolvers.organizations.invitation_states import is_inside
from resolvers.organizations.invitations import SentInvitation, link_secret
from resolvers.organizations.locks import locked_organization, locked_part

MOST_AT_ONCE = 500
# How long invitations by mail are listed after their time.
RETENTION = dt.timedelta(days=90)
# Invitations, and links, that are removed at once.
PORTION = 1_000
ROLE = "Role in the organization; null makes guests."
LEVEL = "Role on the space or the collection."


@strawberry.input(description="Somebody to invite, with a role of their own.")
class InvitedPersonInput:
    email: str = inputs.text("Address.", max=ADDRESS_LIMIT, required=True)
    role: Role | None = inputs.field(ROLE)


@strawberry.input(description="Somebody to invite: an address, or one with a role.", one_of=True)
class InvitedInput(inputs.Untagged):
    email: str | None = inputs.text("Address.", max=ADDRESS_LIMIT, one_of=True)
    person: InvitedPersonInput | None = inputs.field("An address with a role.", one_of=True)


@strawberry.input(description="People to invite to an organization by mail.")
class InviteUsersInput:
    emails: list[InvitedInput] = inputs.items(
        "Addresses, at most 500.", max=MOST_AT_ONCE, required=True
    )
    role: Maybe[Role | None] = inputs.field(
        "Role of those who come without one; absent = the organization's `defaultRole`, null = "
        "guests."
    )
    sso: Maybe[bool] = inputs.field("Whether they sign on through the organization's provider.")


@strawberry.input(
    description="A link by which people join: `role`, or `level` with a space or a collection."
)
class CreateInviteInput:
    role: Maybe[Role | None] = inputs.field(ROLE)
    level: Maybe[Role | None] = inputs.field(LEVEL)
    space: Maybe[strawberry.ID] = inputs.field("Id of the space.")
    collection: Maybe[strawberry.ID] = inputs.field("Id of the collection.")


@strawberry.input(description="Another role of an invitation: `role` or `level`, as it was made.")
class UpdateInviteInput:
    role: Maybe[Role | None] = inputs.field(ROLE)
    level: Maybe[Role | None] = inputs.field(LEVEL)


@dataclass(frozen=True, slots=True)
class InvitedUsers:
    """What became of addresses that were invited."""

    organization: Organization
    # The people with an account, who are members now.
    members: list[Member]
    sent: list[SentInvitation]
    # How many of the addresses were no members before.
    invited: int
    # Addresses of members, whose way to sign in stays as it is.
    failed_sso_emails: list[str] | None

    @property
    def users(self) -> list[str]:
        """Ids of the people with an account."""
        return [member.user_id for member in self.members]

    @property
    def audited(self) -> Organization:
        """What the audit log names."""
        return self.organization


async def invite_users_to_organization(
    ctx: Context, organization_id: OrganizationId, input: InviteUsersInput
) -> InvitedUsers:
    """Invite people by their addresses, all or none; needs the organization's role `admin`.

    Who has an account with this address becomes a member at once. All others get an invitation,
    which replaces an earlier one and can be accepted for 14 days. Members stay as they are.
    """
    organization = await locked_organization(ctx, organization_id, Role.ADMIN)
    role_by_address = _read_addresses(input, organization.default_role)
    sso = inputs.given(input.sso, False)
    accounts = select(User).where(
        func.lower(User.email).in_(list(role_by_address)), User.email_verified_at.is_not(None)
    )
    matching = (await ctx.session.execute(accounts.order_by(User.id))).scalars()
    # Databases make ASCII of some letters that are none: those accounts are of somebody else.
    users = [user for user in matching if folded(user.email) in role_by_address]
    ids = [user.id for user in users]
    rows = select(Member).where(Member.organization_id == organization.id, Member.user_id.in_(ids))
    member_by_user = {row.user_id: row for row in (await ctx.session.execute(rows)).scalars()}
    addresses = {folded(user.email) for user in users}
    earlier = [user.email for user in users if user.id in member_by_user]
    unknown = [address for address in role_by_address if address not in addresses]
    newcomers = [user for user in users if user.id not in member_by_user]
    for user in newcomers:
        member = new_member(
            ctx, organization.id, user, role_by_address[folded(user.email)], sso=sso
        )
        member_by_user[user.id] = member
        ctx.session.add(member)
    sent = await _invite(ctx, organization, {name: role_by_address[name] for name in unknown}, sso)
    await send_mail(ctx, *(_welcome(ctx, organization, user) for user in newcomers))
    await ctx.session.flush()
    return InvitedUsers(
        organization,
        [member_by_user[id] for id in ids],
        sent,
        len(newcomers) + len(sent),
        earlier if sso and earlier else None,
    )


def new_member(
    ctx: Context, organization_id: str, user: User, role: Role | None, *, sso: bool = False
) -> Member:
    """A membership that begins now."""
    return Member(
        organization_id=organization_id, user_id=user.id, role=role, sso=sso, joined_at=ctx.now()
    )


def _read_addresses(input: InviteUsersInput, default: Role | None) -> dict[str, Role | None]:
    """The role for each address, in small letters; Invalid names each entry that is wrong."""
    standard = inputs.given(input.role, default)
    problems: list[FieldError] = []
    role_by_address: dict[str, Role | None] = {}
    for index, entry in enumerate(input.emails):
        email = entry.email if entry.person is None else entry.person.email
        address = folded((email or "").strip())
        if not is_address(address):
            message = f"{address[:100]!r} is not an e-mail address; {WANTED}"
            problems.append(FieldError(f"emails[{index}]", message))
        elif address in role_by_address:
            problems.append(FieldError(f"emails[{index}]", f"{address!r} is there twice"))
        else:
            role_by_address[address] = standard if entry.person is None else entry.person.role
    if problems:
        shown = "; ".join(f"{problem.path}: {problem.message}" for problem in problems[:5])
        raise Invalid(shown, tuple(problems))
    return role_by_address


async def _invite(
    ctx: Context, organization: Organization, roles: dict[str, Role | None], sso: bool
) -> list[SentInvitation]:
    if not roles:
        return []
    of_organization = select(Invitation).where(
        Invitation.organization_id == organization.id,
        Invitation.space_id.is_(None),
        Invitation.collection_id.is_(None),
    )
    statement = of_organization.where(Invitation.email.in_(list(roles)))
    by_address = {row.email: row for row in (await ctx.session.execute(statement)).scalars()}
    new = [address for address in roles if address not in by_address]
    await check_number(ctx, organization.id, len(new), links=False)
    rows = []
    for address, role in roles.items():
        row = by_address.get(address)
        if row is None:
            row = Invitation(
                id=new_id(), organization_id=organization.id, email=address, created_at=ctx.now()
            )
        row.role, row.sso = role, sso
        rows.append(row)
    return await send_invitations(ctx, organization, rows)


def _welcome(ctx: Context, organization: Organization, user: User) -> Message:
    title = on_one_line(organization.title)
    text = f"You are a member of {title} now.\n\n{ctx.settings.public_url}\n"
    return Message(user.email, f"You are a member of {title}", text)


async def invite_guests(
    ctx: Context, content: Space | Collection, role: Role | None, names: Sequence[str], path: str
) -> list[SentInvitation]:
    """Invite people by mail to a locked object, on which the caller may give this role.

    `names` are those of the input's list `path` that name no member. NotFound for the first that
    is no address, and for all where the organization allows no invitations (`inviteLinks`) or the
    role is none. Whether an address has an account makes no difference, and nobody learns it. An
    invitation that is there already gets the new role, and is sent again.
    """
    if not names:
        return []
    organization = await ctx.session.get_one(Organization, content.organization_id)
    for name in names:
        if role is None or not organization.invite_links or not is_address(name):
            raise NotFound(f"{path}: {name!r} is no member of the organization")
    addresses = list(dict.fromkeys(folded(name) for name in names))
    if len(addresses) > MOST_AT_ONCE:
        raise invalid(path, f"at most {MOST_AT_ONCE} people who are no members are invited at once")
    target: dict[str, Any] = (
        {"space_id": content.id} if isinstance(content, Space) else {"collection_id": content.id}
    )
    # The lock of the object keeps others from inviting the same address to it.
    earlier = select(Invitation).where(
        Invitation.organization_id == organization.id, Invitation.email.in_(addresses)
    )
    locked = earlier.filter_by(**target).order_by(Invitation.id).with_for_update()
    rows = await ctx.session.execute(locked)
    by_address = {row.email: row for row in rows.scalars()}
    new = [address for address in addresses if address not in by_address]
    await check_number(ctx, organization.id, len(new), links=False)
    above = [row for row in by_address.values() if row.role is Role.ADMIN and not row.accepted_at]
    if above:
        # All are to the same object.
        await must_give(ctx, above[0])
    for address in new:
        by_address[address] = Invitation(
            id=new_id(), organization_id=organization.id, email=address, created_at=ctx.now(),
            **target,
        )  # fmt: skip
    for row in by_address.values():
        row.role = role
    return await send_invitations(ctx, organization, [by_address[name] for name in addresses])


async def resend_invitation(
    ctx: Context, id: InvitationId, organization_id: OfOrganization = None
) -> SentInvitation:
    """Send an invitation by mail again, with a new link for another 14 days; the one before opens
    nothing any more, and from then on it is yours. Needs the role that it takes to make it.
    """
    row, organization = await locked_part(ctx, Invitation, id, organization_id)
    if row.email is None:
        raise PreconditionFailed("a link is not sent: show its address to whom you invite")
    if row.accepted_at is not None:
        raise PreconditionFailed("the invitation was accepted already")
    await must_give(ctx, row)
    (sent,) = await send_invitations(ctx, organization, [row])
    return sent


async def delete_invitation(
    ctx: Context, id: InvitationId, organization_id: OfOrganization = None
) -> Deletion:
    """Withdraw an invitation or a link: it opens nothing any more; who has joined stays.

    Needs the role that it takes to make it.
    """
    with finding_what_to_delete():
        row, _ = await locked_part(ctx, Invitation, id, organization_id)
    await must_touch(ctx, row)
    await ctx.session.delete(row)
    return Deletion(deleted_id=row.id, organization_id=row.organization_id, audited=row)


async def create_organization_invite(
    ctx: Context, organization_id: OrganizationId, input: CreateInviteInput
) -> Invitation:
    """Make a link by which people join an organization with a role, or as guests with a role on a
    space or a collection.

    Needs the organization's role `admin`, or `create` on the object (`admin` for the level
    `admin`), and that the organization allows links.
    """
    organization = await must(ctx, Organization, organization_id, lock=True)
    if not organization.invite_links:
        raise PreconditionFailed("the organization has switched links off (`inviteLinks`)")
    targets = [name for name in ("space", "collection") if getattr(input, name) is not None]
    row = Invitation(id=new_id(), organization_id=organization.id, created_at=ctx.now())
    row.digest = tokens.digest(link_secret(ctx, row.id))
    if input.level is None and not targets and input.role is not None:
        row.role = input.role.value
    elif input.level is not None and len(targets) == 1 and input.role is None:
        row.role = _level(input.level.value)
        row.space_id = None if input.space is None else input.space.value
        row.collection_id = None if input.collection is None else input.collection.value
    else:
        raise invalid("role", "give `role`, or `level` with one of `space` and `collection`")
    await must_give(ctx, row)
    await check_number(ctx, organization.id, 1, links=True)
    row.inviter_id = ctx.actor.user_id
    ctx.session.add(row)
    await ctx.session.flush()
    return row


async def update_invitation(
    ctx: Context,
    id: InvitationId,
    input: UpdateInviteInput,
    organization_id: OfOrganization = None,
) -> Invitation:
    """Give an invitation another role. From then on it is yours: it holds as long as you may give
    that role.
    """
    row, _ = await locked_part(ctx, Invitation, id, organization_id)
    inside = is_inside(row)
    name, value = ("level", input.level) if inside else ("role", input.role)
    other = input.role if inside else input.level
    if value is None or other is not None:
        raise invalid(name, f"this invitation has a `{name}`; give it and nothing else")
    if row.accepted_at is not None:
        raise PreconditionFailed("the invitation was accepted already")
    await must_touch(ctx, row)
    row.role = _level(value.value) if inside else value.value
    await must_give(ctx, row)
    row.inviter_id = ctx.actor.user_id
    return row


def _level(level: Role | None) -> Role:
    if level is None:
        raise invalid("level", "null gives nothing; use read, comment, edit, review, create, admin")
    return level


@operation(audited=False)
async def forget_invitations(ctx: Context, now: dt.datetime) -> int:
    """Remove a portion of the invitations by mail whose time was over long ago, whether they were
    used or not, and of the links to make an account that are too old; how many, for the operator.
    """
    must_be_operator(ctx)
    count = 0
    for key, time, before in (
        (Invitation.id, Invitation.expires_at, now - RETENTION),
        (AccountLink.digest, AccountLink.expires_at, now),
    ):
        oldest = select(key).where(time <= before).order_by(time).limit(PORTION)
        ended = delete(key.class_).where(key.in_(oldest))
        result = await ctx.session.execute(ended.execution_options(synchronize_session=False))
        count += result.rowcount
    return count
