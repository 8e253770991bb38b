"""Deleting, restoring and duplicating spaces (docs/spaces.md)."""

from sqlalchemy import select

from db.enums import Role
from db.ids import new_id
from db.models.spaces import AccessGrant, Space
from resolvers.access.policy import must, spaces_with_bin
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.revisions.copies import copy_content
from resolvers.revisions.write_targets import Target
from resolvers.spaces.bin import RECOVERABLE, bin_since
from resolvers.spaces.collection_tree import must_in_tree
from resolvers.spaces.operations import TITLE_LENGTH
from resolvers.spaces.siblings import Siblings, key_after, shorten
from resolvers.writing.commits import follow_revision

COPY = " (copy)"


async def delete_space(ctx: Context, id: SpaceId) -> Deletion:
    """Put a space into the bin for seven days; needs the role `create` on it."""
    with finding_what_to_delete():
        space = await must(ctx, Space, id, Role.CREATE, lock=True)
    space.deleted_at = ctx.now()
    return Deletion(
        deleted_id=space.id, organization_id=space.organization_id, parent_id=space.parent_id
    )


async def restore_space(ctx: Context, id: SpaceId) -> Space:
    """Take a space out of the bin, back to where it was; needs the role `create` on it.

    NotFound when it was deleted more than seven days ago. A space that is not deleted stays
    as it is.
    """
    space = await must_in_tree(
        ctx,
        Space,
        id,
        Role.CREATE,
        where=RECOVERABLE,
        rule=spaces_with_bin,
        bin_since=bin_since(ctx),
    )
    # It kept its sort key; when its collection was deleted it was given to the top level.
    if space.deleted_at is not None:
        space.deleted_at = None
        space.updated_at = ctx.now()
    return space


async def duplicate_space(ctx: Context, id: SpaceId) -> Space:
    """Copy a space and put the copy directly behind it; needs the role `create` on it.

    The primary content, the look, the default level and the grants are copied; change requests,
    comments, sites and merge rules are not.
    """
    source = await must_in_tree(ctx, Space, id, Role.CREATE)
    siblings = Siblings(source.organization_id, source.parent_id)
    space = Space(
        organization_id=source.organization_id,
        parent_id=source.parent_id,
        title=(source.title + COPY)[:TITLE_LENGTH],
        emoji=source.emoji,
        icon_url=source.icon_url,
        language=source.language,
        default_level=source.default_level,
        position=await key_after(ctx, siblings, source.position),
        revision_id=new_id(),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(space)
    await ctx.session.flush()
    revision = await copy_content(ctx, source, space.id)
    space.revision_id = revision.id
    await follow_revision(ctx, Target(space.id, space, None, revision), None)
    await _copy_grants(ctx, source, space)
    await ctx.session.flush()
    await shorten(ctx, siblings)
    return space


async def _copy_grants(ctx: Context, source: Space, target: Space) -> None:
    grants = select(AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role).where(
        AccessGrant.space_id == source.id
    )
    rows = (await ctx.session.execute(grants)).all()
    ctx.session.add_all(
        AccessGrant(space_id=target.id, user_id=user_id, team_id=team_id, role=role)
        for user_id, team_id, role in rows
    )
