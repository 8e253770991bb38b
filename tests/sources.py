"""Documentation for tests that walk through whole spaces.

DOCSTEAD_TEST_SOURCE names other folders, repositories or bundles than the examples, separated as
in PATH.
"""

import asyncio
import os
from pathlib import Path

from strawberry import Some

from content.git.layout import read_space
from content.sources.opening import open_source
from db.models.spaces import Space
from db.session import Session
from jobs.import_docs import import_space, prepare
from resolvers.core.runners import run
from resolvers.spaces.operations import CreateSpaceInput
from tests.conftest import Api, World, context

EXAMPLES = Path(__file__).parent.parent / "examples"


def sources(*names: str) -> list[str]:
    """The sources to test with: those of the environment, else these examples."""
    given = os.environ.get("DOCSTEAD_TEST_SOURCE", "")
    return given.split(os.pathsep) if given else [str(EXAMPLES / name) for name in names]


async def imported(
    session: Session, world: World, api: Api, source: str, title: str = "Imported"
) -> Space:
    """A new space with the documentation of a source."""
    ctx = context(session, world.creator)
    ctx.files = await api.server.file_access()

    wanted = CreateSpaceInput(title=Some(title))
    with open_source(source) as tree:
        # Files are read when they are stored.
        prepared = await asyncio.to_thread(lambda: prepare(read_space(tree), tree.commit))
        done = await run(ctx, import_space, world.organization.id, wanted, prepared)
    return done.space
