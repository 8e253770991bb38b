"""Who may see and change people, and what an organization has for them (rules of
resolvers/access/policy.py)."""

from typing import Any

from sqlalchemy import Select, and_, case, literal, or_, select
from sqlalchemy.orm import aliased

from db.models.invitations import Invitation
from db.models.organizations import Member, ServiceAccount, Team, TeamMember, Token, User
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider
from db.models.spaces import Collection, Space
from resolvers.access.ranks import (
    ADMIN,
    CREATE,
    READ,
    Rank,
    administrated,
    collection_rank,
    is_active,
    organization_rank,
    space_rank,
)
from resolvers.core.actors import Actor


def members(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    statement, rank = organization_rank(statement, actor, Member.organization_id)
    # Guests see nobody but themselves; service accounts are no people.
    seen = or_(rank >= READ, Member.user_id == actor.user_id)
    return statement.where(seen, Member.service.is_(False)), rank


def users(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """A person is visible to those who share an organization with them."""
    if actor.operator:
        return statement, literal(ADMIN)
    mine, theirs = aliased(Member), aliased(Member)
    shared = (
        select(theirs.user_id)
        .join(mine, mine.organization_id == theirs.organization_id)
        .where(is_active(mine, actor))
    )
    own = User.id == actor.user_id
    return statement.where(or_(own, User.id.in_(shared))), case((own, ADMIN), else_=READ)


def service_accounts(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    statement, rank = organization_rank(statement, actor, ServiceAccount.organization_id)
    return statement.where(rank >= ADMIN), rank


def tokens(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Tokens are for the person whose they are; those of a service account for administrators."""
    if actor.operator:
        return statement, literal(ADMIN)
    own = and_(Token.user_id == actor.user_id, Token.organization_id.is_(None))
    return statement.where(or_(own, Token.organization_id.in_(administrated(actor)))), literal(
        ADMIN
    )


def sessions(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Nobody but the person sees where they are signed in, and the operator."""
    if actor.operator:
        return statement, literal(ADMIN)
    return statement.where(UserSession.user_id == actor.user_id), literal(ADMIN)


def teams(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Teams are for members with a role, and for those who are in them.

    Whoever owns a team manages its members, as administrators do.
    """
    statement, role, own = _with_own_place(statement, actor)
    if own is None:
        return statement, role
    rank = case((or_(role == ADMIN, own.owner.is_(True)), ADMIN), else_=READ)
    return statement.where(or_(role >= READ, own.user_id.is_not(None))), rank


def team_members(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Guests see themselves in their teams; all who are in a team that they own."""
    statement = statement.join(Team, Team.id == TeamMember.team_id)
    statement, role, own = _with_own_place(statement, actor)
    if own is None:
        return statement, role
    manages = or_(role == ADMIN, own.owner.is_(True))
    seen = or_(role >= READ, own.owner.is_(True), TeamMember.user_id == actor.user_id)
    return statement.where(seen), case((manages, ADMIN), else_=READ)


def _with_own_place(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank, Any]:
    """Join the actor's membership in the organization and, where they are in it, in the `Team`.

    The rank in the organization, and the table of their own membership in the team.
    """
    statement, role = organization_rank(statement, actor, Team.organization_id)
    if actor.operator:
        return statement, role, None
    own = aliased(TeamMember)
    mine = and_(own.team_id == Team.id, own.user_id == actor.user_id)
    return statement.outerjoin(own, mine), role, own


def saml_providers(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """How people sign on to an organization is for its administrators."""
    statement, rank = organization_rank(statement, actor, SamlProvider.organization_id)
    return statement.where(rank >= ADMIN), rank


def invitations(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Invitations are for those who can change them: administrators, and of an invitation to a
    space or a collection whoever has the role `create` there.
    """
    statement, role = organization_rank(statement, actor, Invitation.organization_id)
    if actor.operator:
        return statement, role
    of_spaces, rank = space_rank(select(Space.id), actor)
    spaces = of_spaces.where(rank >= CREATE, Space.deleted_at.is_(None))
    of_collections, rank = collection_rank(select(Collection.id), actor)
    collections = of_collections.where(rank >= CREATE)
    inside = or_(Invitation.space_id.in_(spaces), Invitation.collection_id.in_(collections))
    return statement.where(or_(role == ADMIN, inside)), case((role == ADMIN, ADMIN), else_=CREATE)
