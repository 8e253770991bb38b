"""Invitations as they are listed, and their links (docs/people.md)."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import Boolean, bindparam

from db.enums import InvitationKind, Role
from db.ids import ALPHABET
from db.models.invitations import Invitation
from db.models.organizations import Organization
from db.models.spaces import Collection, Space
from resolvers.access import tokens
from resolvers.access.policy import must_in, ranks
from resolvers.core import inputs
from resolvers.core.arguments import InvitationId, OfOrganization
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import ApiError
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, Slice, by_id
from resolvers.lists.batches import DeclaredFunction, for_role, reads
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


@dataclass(frozen=True, slots=True)
class SentInvitation:
    """An invitation by mail that was just made."""

    invitation: Invitation
    # Where it is accepted, if no mail has said so.
    url: str | None

    @property
    def audited(self) -> Invitation:
        """What the audit log names."""
        return self.invitation


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
_LINKS_TO_ORGANIZATIONS = Listing(
    "links_to_organizations",
    Invitation,
    Invitation.organization_id,
    by_id(Invitation),
    Invitation.email.is_(None),
    Invitation.space_id.is_(None),
    Invitation.collection_id.is_(None),
    about="Links by which people join organizations, oldest first; for administrators.",
)


def _for_role(listing: Listing, model: Any, role: Role) -> DeclaredFunction[..., Any]:
    """A list for those who have a role on the objects; Forbidden for whoever else sees them."""

    async def invitations(
        ctx: Context,
        rows: Sequence[Any],
        arguments: PageArguments,
        projection: Projection = ALL,
    ) -> list[Slice[Invitation] | ApiError]:
        return await for_role(
            ctx, model, rows, role, lambda allowed: listing(ctx, allowed, arguments, projection)
        )

    invitations.__doc__, invitations.__name__ = listing.__doc__, listing.__name__
    return reads("id", scope=listing.scope)(invitations)


links_to_organizations = _for_role(_LINKS_TO_ORGANIZATIONS, Organization, Role.ADMIN)
invitations_to_spaces = _for_role(
    Listing(
        "invitations_to_spaces",
        Invitation,
        Invitation.space_id,
        by_id(Invitation),
        about="Invitations and links to spaces, oldest first.",
    ),
    Space,
    Role.CREATE,
)
invitations_to_collections = _for_role(
    Listing(
        "invitations_to_collections",
        Invitation,
        Invitation.collection_id,
        by_id(Invitation),
        about="Invitations and links to collections, oldest first.",
    ),
    Collection,
    Role.CREATE,
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
