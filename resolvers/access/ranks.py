"""An actor's rank on collections, spaces and organizations, as SQL: 0 none, 1 read ... 6 admin.

The effective role on a space or collection is found by precedence, not as a maximum:
organization admin, direct grant, team grants, default level, the same at the parent, and last
the organization role. Each collection keeps the nearest default level at or above it
(resolvers/spaces/collection_tree.py), so all that is left per statement is the actor's own grants.
"""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Subquery,
    and_,
    case,
    func,
    literal,
    not_,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.orm import aliased

from db.enums import Role
from db.integration_enums import InstallationStatus
from db.models.integrations import Installation, Integration, SpaceInstallation
from db.models.organizations import Member, TeamMember
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from resolvers.core.actors import Actor, Program
from resolvers.core.statements import one_of

Rank = ColumnElement[int]

READ, CREATE, ADMIN = Role.READ.rank, Role.CREATE.rank, Role.ADMIN.rank
# More than any rank.
RANKS = 8


def role_to_give(role: Role | None) -> Role:
    """The role that it takes on a space or a collection to give somebody a role on it."""
    return Role.ADMIN if role is Role.ADMIN else Role.CREATE


def number(column: Any) -> Rank:
    """A role or level column as the rank it stores."""
    return type_coerce(column, Integer)


# ------------------------------------------------------------------ the actor's own grants


def grants_on(target: Any, actor: Actor) -> Subquery:
    """`id` of each space or collection with a grant for the actor, and its `rank`.

    A direct grant beats team grants; of several teams the highest counts. An installation has the
    spaces that it has entries for, with the role that the scopes of its integration give.
    """
    if actor.program is Program.INSTALLATION:
        return _installed_grants(target, actor)
    own_teams = select(TeamMember.team_id).where(TeamMember.user_id == actor.user_id)
    role = number(AccessGrant.role)
    direct = func.max(case((AccessGrant.user_id.is_not(None), role)))
    return (
        select(target.label("id"), func.coalesce(direct, func.max(role)).label("rank"))
        .where(target.is_not(None))
        .where(or_(AccessGrant.user_id == actor.user_id, AccessGrant.team_id.in_(own_teams)))
        .group_by(target)
        .subquery()
    )


def _installed_grants(target: Any, actor: Actor) -> Subquery:
    """The entries of an installation for spaces; it has none for collections."""
    on_spaces = target.key == SpaceInstallation.space_id.key
    return (
        select(SpaceInstallation.space_id.label("id"), number(Integration.space_role).label("rank"))
        .join(Installation, Installation.id == SpaceInstallation.installation_id)
        .join(Integration, Integration.id == Installation.integration_id)
        .where(
            Installation.account_id == actor.user_id,
            Installation.status != InstallationStatus.PAUSED,
            literal(on_spaces),
        )
        .subquery()
    )


def inherited_grants(actor: Actor) -> Subquery:
    """`id` of each collection at or below a grant: `rank` and `depth` of the nearest grant.

    `held` is 1 when one of the grants on the way up gives any access at all.
    """
    grants = grants_on(AccessGrant.collection_id, actor)
    granted = aliased(Collection)
    # Depth and rank in one number: its maximum is the nearest grant, without a window function,
    # over whose rows SQLite would build no index.
    nearest = func.max(granted.depth * RANKS + grants.c.rank)
    return (
        select(
            CollectionAncestor.collection_id.label("id"),
            (nearest % RANKS).label("rank"),
            (nearest // RANKS).label("depth"),
            func.max(case((grants.c.rank > 0, 1), else_=0)).label("held"),
        )
        .join(granted, granted.id == grants.c.id)
        .join(CollectionAncestor, CollectionAncestor.ancestor_id == grants.c.id)
        .group_by(CollectionAncestor.collection_id)
        .subquery()
    )


# ------------------------------------------------------------------ ranks


def membership(actor: Actor, organization_id: Any) -> tuple[Any, ColumnElement[bool]]:
    """The member table and the condition that joins the actor's active membership."""
    member = aliased(Member)
    return member, and_(member.organization_id == organization_id, is_active(member, actor))


def is_active(member: Any, actor: Actor) -> ColumnElement[bool]:
    """The condition that a row of members is of the actor, and lets them in."""
    active = and_(member.user_id == actor.user_id, member.disabled.is_(False))
    if not actor.closed:
        return active
    return and_(active, not_(one_of(member.organization_id, actor.closed)))


def _collection_rank(collection: Any, inherited: Subquery, member: Any) -> Rank:
    """Rank from a collection row, its nearest grant and the organization role."""
    levels_count = or_(number(member.role) > 0, inherited.c.held == 1)
    return case(
        (inherited.c.depth >= func.coalesce(collection.level_depth, -1), inherited.c.rank),
        (and_(collection.level_rank.is_not(None), levels_count), collection.level_rank),
        else_=number(member.role),
    )


def collection_rank(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Join what decides about rows of collections; the actor's rank on them."""
    if actor.operator:
        return statement, literal(ADMIN)
    member, active = membership(actor, Collection.organization_id)
    inherited = inherited_grants(actor)
    statement = statement.join(member, active).outerjoin(inherited, inherited.c.id == Collection.id)
    return statement, rank_on_collection(Collection, member, inherited)


def space_rank(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Join what decides about rows of spaces; the actor's rank on them."""
    if actor.operator:
        return statement, literal(ADMIN)
    member, active = membership(actor, Space.organization_id)
    inherited = inherited_grants(actor)
    own = grants_on(AccessGrant.space_id, actor)
    parent = aliased(Collection)
    statement = (
        statement.join(member, active)
        .outerjoin(own, own.c.id == Space.id)
        .outerjoin(parent, parent.id == Space.parent_id)
        .outerjoin(inherited, inherited.c.id == Space.parent_id)
    )
    return statement, rank_on_space(Space, member, own.c.rank, parent, inherited)


def rank_on_space(space: Any, member: Any, own: Rank, parent: Any, inherited: Subquery) -> Rank:
    """Rank of a member on a space, `own` being the grant on it, `inherited` the nearest above."""
    level = number(space.default_level)
    levels_count = or_(number(member.role) > 0, inherited.c.held == 1)
    return case(
        (number(member.role) == ADMIN, ADMIN),
        (own.is_not(None), own),
        (and_(level >= 0, levels_count), level),
        (space.parent_id.is_not(None), _collection_rank(parent, inherited, member)),
        else_=number(member.role),
    )


def rank_on_collection(collection: Any, member: Any, inherited: Subquery) -> Rank:
    """Rank of a member on a collection, `inherited` being the nearest grant at or above it."""
    return case(
        (number(member.role) == ADMIN, ADMIN),
        else_=_collection_rank(collection, inherited, member),
    )


def administrated(actor: Actor) -> Select[Any]:
    """The ids of the organizations in which an actor has the role `admin`."""
    return select(Member.organization_id).where(
        is_active(Member, actor),
        number(Member.role) == ADMIN,
    )


def organization_rank(
    statement: Select[Any], actor: Actor, organization_id: Any
) -> tuple[Select[Any], Rank]:
    """Join the actor's active membership; the rank is the organization role (guests: 0)."""
    if actor.operator:
        return statement, literal(ADMIN)
    member, active = membership(actor, organization_id)
    return statement.join(member, active), number(member.role)
