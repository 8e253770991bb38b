"""A server on a port of loopback."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db.session import Database, Session
from docstead.subscriptions import hub
from tests.conftest import Api, World
from tests.rest_compat.test_published_client import listening


@pytest.fixture
def _nothing_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test counts is what an event costs, not what a hub looks for every second or so."""
    monkeypatch.setattr(hub, "LOOK_SECONDS", dict.fromkeys(hub.LOOK_SECONDS, 1000.0))
    monkeypatch.setattr(hub, "CHECK_SECONDS", 1000.0)


@pytest.fixture
async def live(
    database: Database, world: World, session: Session, tmp_path: Path
) -> AsyncIterator[Api]:
    await session.commit()
    async with listening(database, tmp_path / "data") as api:
        yield api
