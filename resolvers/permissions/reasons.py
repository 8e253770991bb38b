"""The effective role of one person on spaces and collections, with every reason for it.

Reasons are for people who ask why somebody may do something. They are in the order of precedence
(docs/roles.md), so the first one decides. What may be done is decided by the policy alone, in SQL;
that both say the same is tested on random organizations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam, or_, select

from db.enums import DefaultLevel, Role, RoleReasonKind, TokenScope
from db.models.organizations import Member, TeamMember
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.prepared import ACTOR_RANK, KEY, among
from resolvers.access.ranks import ADMIN, number
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import for_role, reads


@dataclass(frozen=True, slots=True)
class RoleReason:
    """One thing that speaks for a role, or for no access; where it stands, and for which team."""

    kind: RoleReasonKind
    role: Role | None = None
    decides: bool = False
    space_id: str | None = None
    collection_id: str | None = None
    team_id: str | None = None


@dataclass(frozen=True, slots=True)
class EffectiveRole:
    """A role with its reasons, the one that decides first."""

    role: Role | None
    reasons: list[RoleReason]


@dataclass(frozen=True, slots=True)
class EffectiveRoleArguments:
    """Whose role is wanted."""

    user: Annotated[
        strawberry.ID | None,
        strawberry.argument(
            description="Id of a person; yourself when absent. To ask about others you need the "
            "role `create` here."
        ),
    ] = None


# ------------------------------------------------------------------ facts

_PERSON = bindparam("person", type_=KEY)


@statement
def _memberships(viewer: Viewer) -> Written:
    return select(Member.organization_id, number(Member.role).label("rank"), Member.disabled).where(
        Member.user_id == _PERSON, among(Member.organization_id, "organizations")
    )


@statement
def _ways_up(viewer: Viewer) -> Written:
    """Each of the collections with all that is above it, and itself: the nearest first."""
    return (
        select(
            CollectionAncestor.collection_id.label("below"),
            Collection.id,
            number(Collection.default_level).label("level"),
        )
        .join(Collection, Collection.id == CollectionAncestor.ancestor_id)
        .where(among(CollectionAncestor.collection_id, "collections"))
        .order_by(CollectionAncestor.collection_id, Collection.depth.desc())
    )


@statement
def _grants(viewer: Viewer) -> Written:
    """Grants for a person and their teams on the objects: the person's own first, then by role."""
    own_teams = select(TeamMember.team_id).where(TeamMember.user_id == _PERSON)
    rank = number(AccessGrant.role)
    return (
        select(
            AccessGrant.space_id, AccessGrant.collection_id, AccessGrant.team_id, rank.label("rank")
        )
        .where(or_(AccessGrant.user_id == _PERSON, AccessGrant.team_id.in_(own_teams)))
        .where(
            or_(
                among(AccessGrant.space_id, "spaces"),
                among(AccessGrant.collection_id, "collections"),
            )
        )
        .order_by(AccessGrant.user_id.is_(None), rank.desc(), AccessGrant.team_id)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """A space or a collection with its default level (-1 inherits, 0 is no access)."""

    level: int
    space_id: str | None = None
    collection_id: str | None = None

    @property
    def id(self) -> str | None:
        return self.space_id or self.collection_id


@dataclass(frozen=True, slots=True)
class _Facts:
    """What decides about a person's role: memberships by organization, grants by object."""

    memberships: dict[str, Any]
    grants: dict[str | None, list[Any]]

    def reasons(self, organization_id: str, places: Sequence[_Place]) -> Iterator[RoleReason]:
        """The reasons for a role on the first of the places, by precedence."""
        member = self.memberships.get(organization_id)
        if member is None:
            yield RoleReason(RoleReasonKind.NOT_A_MEMBER)
            return
        if member.disabled:
            yield RoleReason(RoleReasonKind.DISABLED)
            return
        role = Role.of_rank(member.rank)
        if member.rank == ADMIN:
            yield RoleReason(RoleReasonKind.ORGANIZATION_ADMIN, role)
        # Guests have the default levels only where a grant lets them in.
        levels_count = role is not None or any(
            self.grants[place.id][0].rank > 0 for place in places if place.id in self.grants
        )
        for place in places:
            yield from self._reasons_of(place, levels_count)
        if role is None:
            yield RoleReason(RoleReasonKind.GUEST)
        elif member.rank != ADMIN:
            yield RoleReason(RoleReasonKind.ORGANIZATION_ROLE, role)

    def _reasons_of(self, place: _Place, levels_count: bool) -> Iterator[RoleReason]:
        space, collection = place.space_id, place.collection_id
        for grant in self.grants.get(place.id, ()):
            kind = RoleReasonKind.GRANT if grant.team_id is None else RoleReasonKind.TEAM_GRANT
            role = Role.of_rank(grant.rank)
            yield RoleReason(kind, role, False, space, collection, grant.team_id)
        if place.level >= 0 and levels_count:
            role = Role.of_rank(place.level)
            yield RoleReason(RoleReasonKind.DEFAULT_LEVEL, role, False, space, collection)


# ------------------------------------------------------------------ fields


@reads(
    "id",
    "organization_id",
    "parent_id",
    "default_level",
    ACTOR_RANK,
    scope=TokenScope.SPACE_PERMISSIONS_READ,
)
async def effective_roles_on_spaces(
    ctx: Context, rows: Sequence[Space], arguments: EffectiveRoleArguments
) -> list[EffectiveRole | ApiError | None]:
    """The role of a person on each space; None for visitors of sites, who have no roles."""
    return await _effective_roles(ctx, Space, rows, arguments)


@reads("id", "organization_id", ACTOR_RANK, scope=TokenScope.SPACE_PERMISSIONS_READ)
async def effective_roles_on_collections(
    ctx: Context, rows: Sequence[Collection], arguments: EffectiveRoleArguments
) -> list[EffectiveRole | ApiError | None]:
    """The role of a person on each collection; None for visitors of sites, who have no roles."""
    return await _effective_roles(ctx, Collection, rows, arguments)


async def _effective_roles(
    ctx: Context, model: Any, rows: Sequence[Any], arguments: EffectiveRoleArguments
) -> list[EffectiveRole | ApiError | None]:
    actor = ctx.actor
    person = arguments.user or actor.user_id
    if actor.operator and arguments.user is None:
        return [_by_precedence([RoleReason(RoleReasonKind.OPERATOR, Role.ADMIN)])] * len(rows)
    if person is None:
        return [None] * len(rows)

    async def roles(shown: Sequence[Any]) -> list[EffectiveRole]:
        ways = await _places(ctx, model, shown)
        facts = await _facts(ctx, person, shown, ways)
        return [
            _by_precedence([*facts.reasons(row.organization_id, places)])
            for row, places in zip(shown, ways, strict=True)
        ]

    if person == actor.user_id:
        return [*await roles(rows)]
    return [*await for_role(ctx, model, rows, Role.CREATE, roles)]


async def _places(ctx: Context, model: Any, rows: Sequence[Any]) -> list[list[_Place]]:
    """Each row, and the collections above it."""
    bottoms = {row.id if model is Collection else row.parent_id for row in rows} - {None}
    above: dict[str | None, list[_Place]] = {}
    for row in await _ways_up.rows(ctx, collections=bottoms) if bottoms else ():
        above.setdefault(row.below, []).append(_Place(row.level, collection_id=row.id))
    if model is Collection:
        return [above.get(row.id, []) for row in rows]
    return [
        [_Place(_level(row.default_level), space_id=row.id), *above.get(row.parent_id, ())]
        for row in rows
    ]


def _level(level: DefaultLevel | None) -> int:
    return 0 if level is None else level.rank


async def _facts(
    ctx: Context, person: str, rows: Sequence[Any], ways: Sequence[Sequence[_Place]]
) -> _Facts:
    places = [place for way in ways for place in way]
    memberships = await _memberships.rows(
        ctx, person=person, organizations={row.organization_id for row in rows}
    )
    grants: dict[str | None, list[Any]] = {}
    for grant in await _grants.rows(
        ctx,
        person=person,
        spaces={place.space_id for place in places if place.space_id is not None},
        collections={place.collection_id for place in places if place.collection_id is not None},
    ):
        grants.setdefault(grant.space_id or grant.collection_id, []).append(grant)
    return _Facts({row.organization_id: row for row in memberships}, grants)


def _by_precedence(reasons: list[RoleReason]) -> EffectiveRole:
    first, *others = reasons
    return EffectiveRole(first.role, [replace(first, decides=True), *others])
