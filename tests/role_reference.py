"""The effective role in plain Python, step by step as in docs/roles.md.

Slow and obvious on purpose: the SQL of resolvers/access/policy.py is compared with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from db.enums import DefaultLevel, Role
from db.models.organizations import Member, TeamMember
from db.models.spaces import AccessGrant, Collection, Space

NONE = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """All rows that decide about roles."""

    members: Sequence[Member]
    team_members: Sequence[TeamMember]
    grants: Sequence[AccessGrant]
    collections: dict[str, Collection]


def rank(role: Role | None) -> int:
    return NONE if role is None else role.rank


def effective_rank(facts: Facts, user_id: str, row: Space | Collection) -> int:
    """The rank of a person's role on a space or collection; 0 = none."""
    member = next(
        (
            one
            for one in facts.members
            if one.user_id == user_id and one.organization_id == row.organization_id
        ),
        None,
    )
    if member is None or member.disabled:
        return NONE
    if member.role is Role.ADMIN:
        return Role.ADMIN.rank
    path = [row, *_ancestors(facts, row)]
    # Guests are reached by default levels only where somebody gave them access.
    levels_count = member.role is not None or any(
        (_granted(facts, user_id, one) or NONE) > NONE for one in path
    )
    for one in path:
        granted = _granted(facts, user_id, one)
        if granted is not None:
            return granted
        if one.default_level is not DefaultLevel.INHERIT and levels_count:
            return NONE if one.default_level is None else one.default_level.rank
    return rank(member.role)


def _ancestors(facts: Facts, row: Space | Collection) -> list[Collection]:
    """From the parent to the top."""
    found: list[Collection] = []
    parent_id = row.parent_id
    while parent_id is not None:
        parent = facts.collections[parent_id]
        found.append(parent)
        parent_id = parent.parent_id
    return found


def _granted(facts: Facts, user_id: str, row: Space | Collection) -> int | None:
    """What the grants on this object give: the person's own, else the highest of their teams'."""
    teams = {one.team_id for one in facts.team_members if one.user_id == user_id}
    here = [one for one in facts.grants if row.id in (one.space_id, one.collection_id)]
    for grant in here:
        if grant.user_id == user_id:
            return rank(grant.role)
    of_teams = [rank(grant.role) for grant in here if grant.team_id in teams]
    return max(of_teams) if of_teams else None


@dataclass(frozen=True, slots=True)
class Derived:
    """The columns and rows that follow from the tree."""

    ancestors: frozenset[str]
    depth: int
    level_rank: int | None
    level_depth: int | None


def derived(collections: dict[str, Collection], row: Collection) -> Derived:
    """What a collection's derived columns must be."""
    facts = Facts([], [], [], collections)
    path = [row, *_ancestors(facts, row)]
    depth = len(path) - 1
    for distance, one in enumerate(path):
        if one.default_level is not DefaultLevel.INHERIT:
            level = NONE if one.default_level is None else one.default_level.rank
            return Derived(frozenset(o.id for o in path), depth, level, depth - distance)
    return Derived(frozenset(o.id for o in path), depth, None, None)
