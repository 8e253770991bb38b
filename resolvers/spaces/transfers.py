"""Transferring spaces and collections to another organization (docs/spaces.md)."""

from typing import Any

import strawberry
from sqlalchemy import ColumnElement, and_, delete, exists, or_, select, update

from db.enums import DefaultLevel, Role
from db.job_enums import JobKind
from db.models.content import ComputedPage
from db.models.content_index import ContentLink
from db.models.git import GitConfiguration
from db.models.invitations import Invitation
from db.models.jobs import Job
from db.models.organizations import Member, Organization, Team
from db.models.sites import SiteSpace
from db.models.spaces import AccessGrant, Collection, Space
from db.models.specifications import Specification
from db.models.translations import Translation
from resolvers.access.policy import Model, Rule, must, ranked, spaces_with_bin
from resolvers.access.ranks import space_rank
from resolvers.addresses.visibilities import note_visibility_of_moved
from resolvers.core import inputs
from resolvers.core.arguments import CollectionId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Forbidden, NotFound, PreconditionFailed
from resolvers.search.homes import remember_home
from resolvers.spaces.collection_tree import lock_tree, reparent, subtree
from resolvers.spaces.siblings import Siblings, key_at_end, shorten


@strawberry.input(description="Where to transfer a space or a collection.")
class TransferInput:
    organization: strawberry.ID = inputs.text("Id of the organization.", required=True)


async def transfer_space(ctx: Context, id: SpaceId, input: TransferInput) -> Space:
    """Give a space to another organization, at the end of its top level.

    Needs the role `create` on the space and in both organizations. PreconditionFailed: the
    space is on a site. Grants of people and teams that are not members there are dropped, and
    invitations to it are withdrawn.
    """
    space = await _movable(ctx, Space, id, input, spaces_with_bin)
    if space.deleted_at is not None:
        raise NotFound(f"space {id!r} is deleted")
    held = await ctx.session.execute(select(*_reasons()).where(Space.id == space.id))
    for holds, reason in zip(held.one(), _REASONS, strict=True):
        if holds:
            raise PreconditionFailed(f"the space {reason}")
    target = str(input.organization)
    await remember_home(ctx, space.organization_id, target)
    space.position = await key_at_end(ctx, Siblings(target, None))
    space.organization_id = target
    former_id, space.parent_id = space.parent_id, None
    await note_visibility_of_moved(ctx, space, former_id)
    space.default_level = DefaultLevel.INHERIT
    space.updated_at = ctx.now()
    await ctx.session.flush()
    await _drop_grants(ctx, target, AccessGrant.space_id == space.id)
    await ctx.session.change(delete(Invitation).where(Invitation.space_id == space.id))
    return space


async def transfer_collection(ctx: Context, id: CollectionId, input: TransferInput) -> Collection:
    """Give a collection with all it holds to another organization, at the end of its top level.

    Needs the role `create` on it, on each space in it, and in the other organization.
    PreconditionFailed names the space that cannot be transferred; nothing is moved then. Spaces
    of it in the bin stay behind. Invitations to it and what is in it are withdrawn.
    """
    collection = await _movable(ctx, Collection, id, input)
    tree = subtree(collection.id)
    await _check_spaces(ctx, collection)
    target, source = str(input.organization), collection.organization_id
    await remember_home(ctx, source, target)
    old_top = Siblings(collection.organization_id, None)
    await ctx.session.change(
        update(Space)
        .where(Space.parent_id.in_(tree), Space.deleted_at.is_not(None))
        .values(parent_id=None, position=await key_at_end(ctx, old_top) + Space.position)
    )
    collection.position = await key_at_end(ctx, Siblings(target, None))
    collection.default_level = DefaultLevel.INHERIT
    await ctx.session.flush()
    await reparent(ctx, collection, None)
    for statement in (
        update(Space).where(Space.parent_id.in_(tree)),
        update(Collection).where(Collection.id.in_(tree)),
    ):
        await ctx.session.change(statement.values(organization_id=target))
    spaces = select(Space.id).where(Space.parent_id.in_(tree))
    held = or_(AccessGrant.collection_id.in_(tree), AccessGrant.space_id.in_(spaces))
    await _drop_grants(ctx, target, held)
    invited = or_(Invitation.collection_id.in_(tree), Invitation.space_id.in_(spaces))
    await ctx.session.change(delete(Invitation).where(invited))
    await shorten(ctx, old_top)
    return await must(ctx, Collection, collection.id, lock=True)


async def _movable(
    ctx: Context,
    model: type[Model],
    id: str,
    input: TransferInput,
    rule: Rule | None = None,
) -> Model:
    """The row to transfer, both trees locked; the checks before it is looked at, in order."""
    try:
        row: Any = await must(ctx, model, id, Role.CREATE, rule=rule)
    except Forbidden as error:
        raise NotFound(f"you have no {model.__tablename__} {id!r} to transfer") from error
    await must(ctx, Organization, input.organization)
    if input.organization == row.organization_id:
        raise Conflict(f"organization: the {model.__tablename__} is in this organization already")
    try:
        await must(ctx, Organization, input.organization, Role.CREATE)
    except Forbidden as error:
        raise PreconditionFailed("organization: you need the role 'create' there") from error
    await lock_tree(ctx, row.organization_id, input.organization)
    same: Any = model
    here = same.organization_id == row.organization_id
    return await must(ctx, model, id, Role.CREATE, where=here, lock=True, rule=rule)


# What keeps a space where it is, in the order in which it is said.
_REASONS = (
    "is on a site; remove it from there first",
    "is being imported, exported or translated; wait until that is done",
    "is synchronised with Git; remove its configuration first",
    "is translated, or is a translation",
    "shows an OpenAPI specification of the organization; remove that from its content first",
)
_RUNS = (JobKind.IMPORT, JobKind.GIT_IMPORT, JobKind.GIT_EXPORT, JobKind.TRANSLATION)


def _reasons() -> tuple[ColumnElement[bool], ...]:
    """Whether a space has each of them."""
    # By itself a subquery is correlated with the one around it alone, not with the space outside.
    shown = exists().where(
        ContentLink.space_id == Space.id,
        ContentLink.kind == "openapi",
        ContentLink.target_id == Specification.slug,
    )
    computed = exists().where(
        ComputedPage.space_id == Space.id, ComputedPage.name == Specification.slug
    )
    named = or_(*(each.correlate(Space, Specification) for each in (shown, computed)))
    return (
        exists().where(SiteSpace.space_id == Space.id),
        exists().where(Job.space_id == Space.id, Job.kind.in_(_RUNS), Job.due_at.is_not(None)),
        exists().where(GitConfiguration.space_id == Space.id),
        exists().where(
            or_(Translation.source_space_id == Space.id, Translation.result_space_id == Space.id)
        ),
        exists().where(Specification.organization_id == Space.organization_id, named),
    )


async def _check_spaces(ctx: Context, collection: Collection) -> None:
    """PreconditionFailed names one space in the collection that cannot be transferred."""
    inside = and_(Space.parent_id.in_(subtree(collection.id)), Space.deleted_at.is_(None))
    # Locked, so that none is put on a site between this check and the transfer.
    locked = select(Space.id).where(inside).order_by(Space.id)
    await ctx.session.execute(locked.with_for_update(of=Space, key_share=True))
    # The rank alone, without the condition that the row may be read: all spaces count.
    statement, rank = ranked(ctx, Space, space_rank)
    reasons = _reasons()
    rows = await ctx.session.execute(
        statement.with_only_columns(Space.title, rank, *reasons)
        .where(inside)
        .where(or_(rank < Role.CREATE.rank, *reasons))
        .order_by(Space.id)
        .limit(1)
    )
    row = rows.first()
    if row is None:
        return
    title, actual, *held = row
    if actual < Role.READ.rank:
        raise PreconditionFailed("it holds a space that is not visible to you")
    if actual < Role.CREATE.rank:
        raise PreconditionFailed(f"you need the role 'create' on the space {title!r} in it")
    reason = next(reason for holds, reason in zip(held, _REASONS, strict=True) if holds)
    raise PreconditionFailed(f"the space {title!r} in it {reason}")


async def _drop_grants(ctx: Context, organization_id: str, condition: ColumnElement[bool]) -> None:
    """Remove those grants whose person or team is not a member of the organization."""
    people = select(Member.user_id).where(Member.organization_id == organization_id)
    teams = select(Team.id).where(Team.organization_id == organization_id)
    await ctx.session.change(
        delete(AccessGrant)
        .where(condition)
        .where(
            or_(
                and_(AccessGrant.user_id.is_not(None), AccessGrant.user_id.not_in(people)),
                and_(AccessGrant.team_id.is_not(None), AccessGrant.team_id.not_in(teams)),
            )
        )
    )
