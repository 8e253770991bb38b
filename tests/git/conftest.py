"""A Git server, and an installation that may reach it."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from db.enums import EditMode
from db.models.spaces import Space
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from tests import factories
from tests.conftest import Api, World
from tests.git.server import GitServer, LargeFiles, git_server


@pytest.fixture(scope="session")
def running_git(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitServer]:
    with git_server(tmp_path_factory.mktemp("git")) as server:
        yield server


@pytest.fixture
def remote(running_git: GitServer, api: Api) -> GitServer:
    """The server; the guard lets its port through, as the operator's setting would."""
    fetcher = Fetcher(Allowance(frozenset({("127.0.0.1", running_git.port)})))
    api.server.git = replace(api.server.git, fetcher=fetcher, http=True)
    running_git.requests.clear()
    running_git.instead.clear()
    running_git.large = LargeFiles()
    return running_git


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await session.commit()
    return space
