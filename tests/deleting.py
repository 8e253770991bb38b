"""Deletes, whose second try finds nothing."""

from collections.abc import Awaitable, Callable
from typing import Any

from resolvers.core.context import Context
from resolvers.core.deletions import Deletion
from resolvers.core.errors import NothingToDelete
from resolvers.core.runners import run


async def removes(
    ctx: Context, operation: Callable[..., Awaitable[Deletion]], *args: Any, **kwargs: Any
) -> bool:
    """Whether a delete or withdrawal found what to take away; what it answers names that."""
    try:
        gone = await run(ctx, operation, *args, **kwargs)
    except NothingToDelete:
        return False
    assert gone.deleted_id
    return True
