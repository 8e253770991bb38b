"""Spaces: reading one."""

from db.models.spaces import Space
from resolvers.arguments import SpaceId
from resolvers.context import Context
from resolvers.policy import must


async def get_space(ctx: Context, id: SpaceId) -> Space:
    """A space that you may read."""
    return await must(ctx, Space, id)
