"""Starts what configurations of spaces with branches have to do."""

from jobs.kinds import Work
from resolvers.core.runners import run
from resolvers.git.configurations import start_due_configurations

# Portions that one job starts; what is left is due a minute later.
MOST_PORTIONS = 20


async def start_configurations(work: Work) -> None:
    """Enqueue the operations of configurations that are due."""
    for _ in range(MOST_PORTIONS):
        if not await run(work.ctx, start_due_configurations):
            return
