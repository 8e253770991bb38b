"""Whether invitations can be accepted: one rule, for lists and for the moment of accepting.

What an invitation gives, whoever made it must still be able to give
(docs/decisions/0068-invitations.md). It is the rule of resolvers/access/ranks.py for the inviters
of several invitations at once.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, case, or_, select
from sqlalchemy.orm import aliased

from db.enums import InvitationState
from db.models.invitations import Invitation
from db.models.organizations import Member, Organization
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.prepared import among
from resolvers.access.people import grants_of_people, nearest_on_collections
from resolvers.access.ranks import ADMIN, CREATE, Rank, number, rank_on_collection, rank_on_space
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads


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


def _ended(row: Invitation, now: dt.datetime) -> InvitationState | None:
    if row.accepted_at is not None:
        return InvitationState.USED
    if row.expires_at is not None and row.expires_at <= now:
        return InvitationState.EXPIRED
    return None


# ------------------------------------------------------------------ what holds

_THESE = among(Invitation.id, "ids")
_INVITERS = select(Invitation.inviter_id).where(_THESE)
# `role_to_give` (resolvers/access/ranks.py) as SQL.
_NEEDED = case((number(Invitation.role) == ADMIN, ADMIN), else_=CREATE)


def _invitations() -> Select[Any]:
    """These invitations with the active memberships of those who made them."""
    active = and_(
        Member.organization_id == Invitation.organization_id,
        Member.user_id == Invitation.inviter_id,
        Member.disabled.is_(False),
    )
    return (
        select(Invitation.id)
        .join(Organization, Organization.id == Invitation.organization_id)
        .outerjoin(Member, active)
        .where(_THESE)
    )


def _may_give(rank: Rank, needed: Any) -> Any:
    """Whether an inviter has the rank; the operator of the server always does."""
    return or_(Invitation.inviter_id.is_(None), and_(Member.user_id.is_not(None), rank >= needed))


@statement
def _to_organizations(viewer: Viewer) -> Written:
    return _invitations().where(
        or_(Invitation.email.is_not(None), Organization.invite_links),
        _may_give(number(Member.role), ADMIN),
    )


@statement
def _to_spaces(viewer: Viewer) -> Written:
    spaces = select(Invitation.space_id).where(_THESE)
    parents = select(Space.parent_id).where(Space.id.in_(spaces), Space.parent_id.is_not(None))
    own = grants_of_people(AccessGrant.space_id, objects=spaces, people=_INVITERS)
    inherited = _inherited(parents)
    parent = aliased(Collection)
    alive = and_(
        Space.id == Invitation.space_id,
        Space.organization_id == Invitation.organization_id,
        Space.deleted_at.is_(None),
    )
    return (
        _invitations()
        .join(Space, alive)
        .outerjoin(own, and_(own.c.id == Space.id, own.c.holder == Invitation.inviter_id))
        .outerjoin(parent, parent.id == Space.parent_id)
        .outerjoin(
            inherited,
            and_(inherited.c.id == Space.parent_id, inherited.c.holder == Invitation.inviter_id),
        )
        .where(
            Organization.invite_links,
            _may_give(rank_on_space(Space, Member, own.c.rank, parent, inherited), _NEEDED),
        )
    )


@statement
def _to_collections(viewer: Viewer) -> Written:
    inherited = _inherited(select(Invitation.collection_id).where(_THESE))
    there = and_(
        Collection.id == Invitation.collection_id,
        Collection.organization_id == Invitation.organization_id,
    )
    theirs = and_(inherited.c.id == Collection.id, inherited.c.holder == Invitation.inviter_id)
    return (
        _invitations()
        .join(Collection, there)
        .outerjoin(inherited, theirs)
        .where(
            Organization.invite_links,
            _may_give(rank_on_collection(Collection, Member, inherited), _NEEDED),
        )
    )


def _inherited(collections: Select[Any]) -> Any:
    """The nearest grants of the inviters at or above collections."""
    here = CollectionAncestor.collection_id.in_(collections)
    above = select(CollectionAncestor.ancestor_id).where(here)
    grants = grants_of_people(AccessGrant.collection_id, objects=above, people=_INVITERS)
    return nearest_on_collections(grants, here)


_HOLDING = {Organization: _to_organizations, Space: _to_spaces, Collection: _to_collections}


@reads("id", "space_id", "collection_id", "accepted_at", "expires_at")
async def invitation_states(
    ctx: Context, rows: Sequence[Invitation], arguments: Any = None
) -> list[InvitationState]:
    """Whether each invitation can be accepted now."""
    now = ctx.now()
    past_by_id = {row.id: _ended(row, now) for row in rows}
    ids_by_model: dict[Any, set[str]] = {}
    for row in rows:
        if past_by_id[row.id] is None:
            ids_by_model.setdefault(_kind_of(row), set()).add(row.id)
    holding: set[str] = set()
    for model, ids in ids_by_model.items():
        holding.update(row.id for row in await _HOLDING[model].rows(ctx, ids=ids))
    return [
        past_by_id[row.id]
        or (InvitationState.OPEN if row.id in holding else InvitationState.REVOKED)
        for row in rows
    ]


def _kind_of(row: Invitation) -> Any:
    """The model of what an invitation is to."""
    if row.space_id is not None:
        return Space
    return Organization if row.collection_id is None else Collection


async def state_of(ctx: Context, row: Invitation) -> InvitationState:
    """Whether an invitation can be accepted now."""
    (state,) = await invitation_states(ctx, [row])
    return state
