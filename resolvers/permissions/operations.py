"""Who is given a role on spaces and collections, and who loses it (docs/roles.md).

Whoever does it needs the role `create` there, and gives nobody more than they have. The object is
locked first, then the members and the teams, so what is decided about one object is decided in
turn, and nobody is given a role while they leave.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import strawberry
from sqlalchemy import ColumnElement, or_, select
from strawberry import Maybe

from db.enums import Role
from db.models.organizations import Team
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from resolvers.access.policy import must, ranks
from resolvers.access.ranks import ADMIN, role_to_give
from resolvers.core import inputs
from resolvers.core.arguments import CollectionId, SpaceId, TeamId, UserId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest, Forbidden, NotFound, NothingToDelete, invalid
from resolvers.organizations.invitation_writes import invite_guests
from resolvers.organizations.invitations import SentInvitation
from resolvers.organizations.people_named import PERSON, find_members, members_among, named_users

Content = TypeVar("Content", Space, Collection)
_ABOVE = "somebody has the role 'admin' by a grant, which needs that role to change"
_ROLE = "The role; null = no access, whatever is inherited."


@strawberry.input(description="People and teams who are given a role.")
class InviteInput:
    role: Maybe[Role | None] = inputs.field(_ROLE, present=True)
    users: Maybe[list[str]] = inputs.items(
        "Ids or addresses of members of the organization, addresses of people to invite as guests; "
        "1 to 1,000; not needed beside `teams`.",
        min=1,
        each=PERSON,
    )
    teams: Maybe[list[str]] = inputs.items(
        "Ids of teams of the organization, 1 to 1,000; not needed beside `users`.",
        min=1,
        each=inputs.Bounds(1, 64),
    )


@strawberry.input(description="The role of a person or a team.")
class UpdatePermissionInput:
    role: Maybe[Role | None] = inputs.field(_ROLE, present=True)


@dataclass(frozen=True, slots=True)
class InvitedToContent:
    """A space or a collection on which people and teams were given a role."""

    content: Space | Collection
    # Invitations of those who are no members.
    sent: list[SentInvitation]

    @property
    def audited(self) -> Space | Collection:
        """What the audit log names."""
        return self.content


# ------------------------------------------------------------------ spaces


async def invite_to_space(ctx: Context, id: SpaceId, input: InviteInput) -> InvitedToContent:
    """Give people and teams a role on a space: all of them, or an error and nobody.

    Who is no member is invited by mail to be a guest with that role there, where the organization
    allows it (`inviteLinks`). Needs the role `create` on it, and to grant `admin` that role.
    """
    return await _invite(ctx, Space, id, input)


async def update_user_permission_in_space(
    ctx: Context, space_id: SpaceId, user_id: UserId, input: UpdatePermissionInput
) -> AccessGrant:
    """Give a member of the organization a role on a space; needs the role `create` on it."""
    return await _set_user(ctx, Space, space_id, user_id, input)


async def remove_user_from_space(ctx: Context, space_id: SpaceId, user_id: UserId) -> Deletion:
    """Take back what a person was given on a space; what they inherit stays.

    Needs the role `create` on it.
    """
    person = await _remove_user(ctx, Space, space_id, user_id)
    return Deletion(deleted_id=person, space_id=space_id)


async def update_team_permission_in_space(
    ctx: Context, space_id: SpaceId, team_id: TeamId, input: UpdatePermissionInput
) -> AccessGrant:
    """Give a team of the organization a role on a space; needs the role `create` on it."""
    return await _set_team(ctx, Space, space_id, team_id, input)


async def remove_team_from_space(ctx: Context, space_id: SpaceId, team_id: TeamId) -> Deletion:
    """Take back what a team was given on a space; what it inherits stays.

    Needs the role `create` on it. BadRequest: the team has its role from a collection only.
    """
    await _remove_team(ctx, Space, space_id, team_id)
    return Deletion(deleted_id=team_id, space_id=space_id)


# ------------------------------------------------------------------ collections


async def invite_to_collection(
    ctx: Context, id: CollectionId, input: InviteInput
) -> InvitedToContent:
    """Give people and teams a role on a collection: all of them, or an error and nobody.

    Who is no member is invited by mail to be a guest with that role there, where the organization
    allows it (`inviteLinks`). Needs the role `create` on it, and to grant `admin` that role.
    """
    return await _invite(ctx, Collection, id, input)


async def update_user_permission_in_collection(
    ctx: Context, collection_id: CollectionId, user_id: UserId, input: UpdatePermissionInput
) -> AccessGrant:
    """Give a member of the organization a role on a collection; needs the role `create` on it."""
    return await _set_user(ctx, Collection, collection_id, user_id, input)


async def remove_user_from_collection(
    ctx: Context, collection_id: CollectionId, user_id: UserId
) -> Deletion:
    """Take back what a person was given on a collection; what they inherit stays.

    Needs the role `create` on it.
    """
    person = await _remove_user(ctx, Collection, collection_id, user_id)
    return Deletion(deleted_id=person, collection_id=collection_id)


async def update_team_permission_in_collection(
    ctx: Context, collection_id: CollectionId, team_id: TeamId, input: UpdatePermissionInput
) -> AccessGrant:
    """Give a team of the organization a role on a collection; needs the role `create` on it."""
    return await _set_team(ctx, Collection, collection_id, team_id, input)


async def remove_team_from_collection(
    ctx: Context, collection_id: CollectionId, team_id: TeamId
) -> Deletion:
    """Take back what a team was given on a collection; what it inherits stays.

    Needs the role `create` on it. BadRequest: the team has its role from a collection above only.
    """
    await _remove_team(ctx, Collection, collection_id, team_id)
    return Deletion(deleted_id=team_id, collection_id=collection_id)


# ------------------------------------------------------------------ the same for both


async def _invite(
    ctx: Context, model: type[Content], id: str, input: InviteInput
) -> InvitedToContent:
    users, teams = inputs.given(input.users, []), inputs.given(input.teams, [])
    if not users and not teams:
        raise invalid("users", "nobody is named; give `users`, `teams` or both")
    role = inputs.given(input.role, None)
    row = await _managed(ctx, model, id, role)
    members = await members_among(ctx, row.organization_id, set(users), services=True)
    people = {member.user_id for member in members.values()}
    await _check_teams(ctx, row.organization_id, "teams", teams)
    strangers = [name for name in users if name not in members]
    sent = await invite_guests(ctx, row, role, strangers, "users")
    await _grant(ctx, row, role, people=people, teams=set(teams))
    return InvitedToContent(row, sent)


async def _set_user(
    ctx: Context, model: type[Content], id: str, user_id: str, input: UpdatePermissionInput
) -> AccessGrant:
    role = inputs.given(input.role, None)
    row = await _managed(ctx, model, id, role)
    members = await find_members(ctx, row.organization_id, services=True, userId=[user_id])
    member = members[user_id]
    (grant,) = await _grant(ctx, row, role, people={member.user_id})
    return grant


async def _set_team(
    ctx: Context, model: type[Content], id: str, team_id: str, input: UpdatePermissionInput
) -> AccessGrant:
    role = inputs.given(input.role, None)
    row = await _managed(ctx, model, id, role)
    await _check_teams(ctx, row.organization_id, "teamId", [team_id])
    (grant,) = await _grant(ctx, row, role, teams={team_id})
    return grant


async def _remove_user(ctx: Context, model: type[Content], id: str, name: str) -> str:
    """The id of the person whom an id or an address names, and who has lost a role."""
    with finding_what_to_delete():
        row = await _managed(ctx, model, id)
    grant = await _take_back(ctx, row, AccessGrant.user_id.in_(await named_users(ctx, name)))
    if grant is None or grant.user_id is None:
        raise NothingToDelete(f"user {name!r} was given no role here")
    return grant.user_id


async def _remove_team(ctx: Context, model: type[Content], id: str, team_id: str) -> None:
    with finding_what_to_delete():
        row = await _managed(ctx, model, id)
    if await _take_back(ctx, row, AccessGrant.team_id == team_id) is not None:
        return
    above = select(CollectionAncestor.ancestor_id).where(
        CollectionAncestor.collection_id == row.parent_id
    )
    inherited = select(AccessGrant.id).where(
        AccessGrant.team_id == team_id, AccessGrant.collection_id.in_(above)
    )
    if (await ctx.session.execute(inherited.limit(1))).first() is not None:
        raise BadRequest(
            "teamId: the team has its role from a collection above; change it there, or give the "
            "team no access here"
        )
    raise NothingToDelete(f"team {team_id!r} was given no role here")


async def _managed(
    ctx: Context, model: type[Content], id: str, granted: Role | None = None
) -> Content:
    """A locked object on which the caller may give this role."""
    needed = role_to_give(granted)
    await must(ctx, model, id, needed, lock=True)
    # Whoever held the lock may have taken the role away.
    return await must(ctx, model, id, needed)


async def _check_teams(
    ctx: Context, organization_id: str, name: str, team_ids: Sequence[str]
) -> None:
    """NotFound for the first team that the organization does not have; none of them is deleted
    until the transaction ends."""
    if not team_ids:
        return
    statement = (
        select(Team.id)
        .where(Team.organization_id == organization_id, Team.id.in_(team_ids))
        .order_by(Team.id)
        .with_for_update(read=True, key_share=True)
    )
    there = set((await ctx.session.execute(statement)).scalars())
    for team_id in team_ids:
        if team_id not in there:
            raise NotFound(f"{name}: {team_id!r} is no team of the organization")


def _on(row: Space | Collection) -> ColumnElement[bool]:
    if isinstance(row, Space):
        return AccessGrant.space_id == row.id
    return AccessGrant.collection_id == row.id


async def _grant(
    ctx: Context,
    row: Space | Collection,
    role: Role | None,
    *,
    people: set[str] | frozenset[str] = frozenset(),
    teams: set[str] | frozenset[str] = frozenset(),
) -> list[AccessGrant]:
    """Give members and teams a role on a locked object, in place of what they were given."""
    before = await _own_rank(ctx, row)
    await _check_touched(ctx, row, before, people, teams)
    statement = select(AccessGrant).where(
        _on(row), or_(AccessGrant.user_id.in_(people), AccessGrant.team_id.in_(teams))
    )
    grants = list((await ctx.session.execute(statement)).scalars())
    for grant in grants:
        grant.role = role
    there = {grant.user_id or grant.team_id for grant in grants}
    space_id, collection_id = (row.id, None) if isinstance(row, Space) else (None, row.id)
    subjects = [{"user_id": id} for id in sorted(people - there)]
    subjects += [{"team_id": id} for id in sorted(teams - there)]
    new = [
        AccessGrant(
            space_id=space_id,
            collection_id=collection_id,
            role=role,
            created_at=ctx.now(),
            **subject,
        )
        for subject in subjects
    ]
    ctx.session.add_all(new)
    await ctx.session.flush()
    await _check_own_rank(ctx, row, before)
    return [*grants, *new]


async def _take_back(
    ctx: Context, row: Space | Collection, subject: ColumnElement[bool]
) -> AccessGrant | None:
    """Remove the grant for somebody on a locked object; None where there was none."""
    before = await _own_rank(ctx, row)
    statement = select(AccessGrant).where(_on(row), subject)
    grant: AccessGrant | None = (await ctx.session.execute(statement)).scalar()
    if grant is not None:
        if grant.role is Role.ADMIN and before < ADMIN:
            raise Forbidden(_ABOVE)
        await ctx.session.delete(grant)
        await ctx.session.flush()
        await _check_own_rank(ctx, row, before)
    return grant


async def _check_touched(
    ctx: Context,
    row: Space | Collection,
    own_rank: int,
    people: Iterable[str],
    teams: Iterable[str],
) -> None:
    """Forbidden where a person or a team has `admin` by a grant on the object or the nearest above
    it, and the caller could not give that: nobody takes away what they could not give."""
    if own_rank >= ADMIN:
        return
    bottom = row.parent_id if isinstance(row, Space) else row.id
    above = select(CollectionAncestor.ancestor_id).where(CollectionAncestor.collection_id == bottom)
    statement = (
        select(AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role)
        .outerjoin(Collection, Collection.id == AccessGrant.collection_id)
        .where(or_(_on(row), AccessGrant.collection_id.in_(above)))
        .where(or_(AccessGrant.user_id.in_(people), AccessGrant.team_id.in_(teams)))
        # The nearest comes last.
        .order_by(AccessGrant.space_id.is_not(None), Collection.depth)
    )
    nearest = {
        grant.user_id or grant.team_id: grant.role
        for grant in (await ctx.session.execute(statement)).all()
    }
    if Role.ADMIN in nearest.values():
        raise Forbidden(_ABOVE)


async def _own_rank(ctx: Context, row: Space | Collection) -> int:
    return (await ranks(ctx, type(row), [row.id])).get(row.id, 0)


async def _check_own_rank(ctx: Context, row: Space | Collection, before: int) -> None:
    """Forbidden where the caller has more than before: a grant may have hidden a higher role."""
    if await _own_rank(ctx, row) > before:
        raise Forbidden("this would give you a higher role than you have; ask somebody who has it")
