"""A server on a port of loopback."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db.session import Database, Session
from tests.conftest import Api, World
from tests.rest_compat.test_published_client import listening


@pytest.fixture
async def live(
    database: Database, world: World, session: Session, tmp_path: Path
) -> AsyncIterator[Api]:
    await session.commit()
    async with listening(database, tmp_path / "data") as api:
        yield api
