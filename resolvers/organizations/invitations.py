"""Invitations as they are listed, and their links (docs/people.md)."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import Boolean, bindparam, select

from db.enums import InvitationKind, InvitationState, Role
from db.ids import ALPHABET
from db.models.invitations import Invitation
from db.models.organizations import Member, Organization
from db.models.spaces import Collection, Space
from db.prepared import among
from resolvers.access import tokens
from resolvers.access.policy import must_in, ranks
from resolvers.access.ranks import number, role_to_give
from resolvers.core import inputs
from resolvers.core.arguments import InvitationId, OfOrganization
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing


@operation(one_statement=True)
async def get_invitation(
    ctx: Context,
    id: InvitationId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Invitation:
    """An invitation, for those who may change it."""
    return await must_in(ctx, Invitation, id, organization_id, projection=projection)


@dataclass(frozen=True)
class InvitationArguments(PageArguments):
    """Filter of a list of invitations."""

    kind: Annotated[InvitationKind | None, inputs.argument("Only by mail, or only links.")] = None


def _is_link(arguments: InvitationArguments) -> bool | None:
    return None if arguments.kind is None else arguments.kind is InvitationKind.LINK


invitations_of_organizations = Listing(
    "invitations_of_organizations",
    Invitation,
    Invitation.organization_id,
    by_id(Invitation),
    about="Invitations to organizations and to what is in them, oldest first; those that you may "
    "change.",
    filters=(
        Filter("link", _is_link, Invitation.email.is_(None) == bindparam("link", type_=Boolean())),
    ),
)
links_to_organizations = Listing(
    "links_to_organizations",
    Invitation,
    Invitation.organization_id,
    by_id(Invitation),
    Invitation.email.is_(None),
    Invitation.space_id.is_(None),
    Invitation.collection_id.is_(None),
    about="Links by which people join organizations, oldest first; for administrators.",
)


# ------------------------------------------------------------------ links


def link_secret(ctx: Context, id: str) -> str:
    """The secret of a link: 256 bits, computed from the server's key, so that it can be shown again
    to those who manage it, and is stored nowhere.
    """
    if ctx.token_key is None:
        raise RuntimeError("this context was opened without the key of secrets")
    code = hmac.new(ctx.token_key, b"invitation " + id.encode(), hashlib.sha256).digest()
    number, characters = int.from_bytes(code, "big"), []
    for _ in range(tokens.LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[digit])
    return "".join(characters)


def invitation_url(ctx: Context, secret: str) -> str:
    """Where an invitation is accepted."""
    return f"{ctx.settings.public_url}/invitations/{secret}"


@reads("id", "email")
async def invitation_urls(
    ctx: Context, rows: Sequence[Invitation], arguments: Any
) -> list[str | None]:
    """The address of each link; None for invitations by mail, whose secret is known once."""
    return [
        None if row.email is not None else invitation_url(ctx, link_secret(ctx, row.id))
        for row in rows
    ]


# ------------------------------------------------------------------ fields


@statement
def _inviters(viewer: Viewer) -> Written:
    """The active memberships of people in organizations, with the rank of their role."""
    return select(Member.key, number(Member.role)).where(
        among(Member.key, "keys"), Member.disabled.is_(False)
    )


@statement
def _links_switched_off(viewer: Viewer) -> Written:
    return select(Organization.id).where(
        among(Organization.id, "ids"), Organization.invite_links.is_(False)
    )


def is_inside(row: Invitation) -> bool:
    """Whether an invitation gives a role on a space or a collection, none in the organization."""
    return row.space_id is not None or row.collection_id is not None


def target_of(row: Invitation) -> tuple[Any, str]:
    """The object that an invitation gives a role on: its model and its id."""
    if row.space_id is not None:
        return Space, row.space_id
    if row.collection_id is not None:
        return Collection, row.collection_id
    return Organization, row.organization_id


def role_to_invite(row: Invitation) -> Role:
    """The role that whoever invites needs on that object."""
    return role_to_give(row.role) if is_inside(row) else Role.ADMIN


def ended(row: Invitation, now: Any) -> InvitationState | None:
    """The state of an invitation that was used or has expired; None of all others."""
    if row.accepted_at is not None:
        return InvitationState.USED
    if row.expires_at is not None and row.expires_at <= now:
        return InvitationState.EXPIRED
    return None


@reads(
    "organization_id", "inviter_id", "email", "space_id", "collection_id", "accepted_at",
    "expires_at",
)  # fmt: skip
async def invitation_states(
    ctx: Context, rows: Sequence[Invitation], arguments: Any
) -> list[InvitationState]:
    """Whether each invitation can be accepted."""
    keys = {f"{row.organization_id}~{row.inviter_id}" for row in rows if row.inviter_id}
    rank_by_key = dict(await _inviters.rows(ctx, keys=keys))
    links = {row.organization_id for row in rows if row.email is None}
    off = {row.id for row in await _links_switched_off.rows(ctx, ids=links)}
    now = ctx.now()

    def state(row: Invitation) -> InvitationState:
        if (past := ended(row, now)) is not None:
            return past
        key = f"{row.organization_id}~{row.inviter_id}"
        holds = row.inviter_id is None or (
            rank_by_key.get(key, -1) >= (0 if is_inside(row) else Role.ADMIN.rank)
        )
        closed = row.email is None and row.organization_id in off
        return InvitationState.OPEN if holds and not closed else InvitationState.REVOKED

    return [state(row) for row in rows]


@reads("organization_id", "space_id", "collection_id", "role")
async def redundant_invitations(
    ctx: Context, rows: Sequence[Invitation], arguments: Any
) -> list[bool]:
    """Whether you have already what each invitation gives."""
    rank_by_id: dict[str | None, int] = {}
    for model, ids in (
        (Organization, {row.organization_id for row in rows}),
        (Space, {row.space_id for row in rows} - {None}),
        (Collection, {row.collection_id for row in rows} - {None}),
    ):
        if ids:
            rank_by_id.update(await ranks(ctx, model, {id for id in ids if id is not None}))
    return [
        rank_by_id.get(row.space_id or row.collection_id or row.organization_id, -1)
        >= (0 if row.role is None else row.role.rank)
        for row in rows
    ]
