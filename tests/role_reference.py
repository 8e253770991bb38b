"""The effective role in plain Python, step by step as workflow.md section 6 tells it.

Slow and obvious on purpose: the SQL of resolvers/policy.py is compared with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from db.enums import DefaultLevel, Role
from db.models.people import Member, TeamMember
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
        rank(grant.role) > NONE for one in path for grant in _grants(facts, user_id, one)
    )
    for one in path:
        grants = _grants(facts, user_id, one)
        direct = [grant for grant in grants if grant.user_id is not None]
        if direct:
            return rank(direct[0].role)
        if grants:
            return max(rank(grant.role) for grant in grants)
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


def _grants(facts: Facts, user_id: str, row: Space | Collection) -> list[AccessGrant]:
    """Grants on this object for the person and for their teams."""
    teams = {one.team_id for one in facts.team_members if one.user_id == user_id}
    return [
        grant
        for grant in facts.grants
        if row.id in (grant.space_id, grant.collection_id)
        and (grant.user_id == user_id or grant.team_id in teams)
    ]


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
