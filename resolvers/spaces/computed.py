"""Spaces whose content is computed from another one, such as its translations."""

from typing import Any

from db.content_enums import RevisionType
from db.enums import Language, Role
from db.ids import new_id
from db.models.spaces import Space
from resolvers.core.context import Context
from resolvers.revisions.states import Changes, write_revision
from resolvers.spaces.collection_tree import must_in_tree
from resolvers.spaces.operations import copy_grants
from resolvers.spaces.siblings import Siblings, key_after, shorten
from resolvers.writing.commits import begin_with


async def must_for_computing(ctx: Context, organization_id: str, id: str) -> Space:
    """A space of an organization that the caller may read, in its tree, which is locked."""
    where = Space.organization_id == organization_id
    return await must_in_tree(ctx, Space, id, Role.READ, where=where)


async def make_computed_space(
    ctx: Context, source: Space, title: str, language: Language, computed_source: dict[str, Any]
) -> Space:
    """A space behind the one that it is computed from, without pages yet: whoever may read the one
    may read the other. The tree has to be locked."""
    siblings = Siblings(source.organization_id, source.parent_id)
    space = Space(
        organization_id=source.organization_id,
        parent_id=source.parent_id,
        title=title,
        emoji=source.emoji,
        icon_url=source.icon_url,
        language=language,
        default_level=source.default_level,
        position=await key_after(ctx, siblings, source.position),
        computed_source=computed_source,
        revision_id=new_id(),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(space)
    await ctx.session.flush()
    revision = await write_revision(ctx, space.id, None, Changes(), type=RevisionType.COMPUTED)
    await begin_with(ctx, space, revision)
    await copy_grants(ctx, source, space)
    await ctx.session.flush()
    await shorten(ctx, siblings)
    return space
