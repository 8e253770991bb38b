"""A receiver of webhooks, and endpoints that send to it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.conftest import Api, World
from tests.jobs.hooks import Hooks
from tests.jobs.receiver import (
    Receiver,
    receiving,
)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def hooks(api: Api, world: World, session: Any, receiver: Receiver) -> Hooks:
    await session.commit()
    made = Hooks(api, world, [receiver])
    made.allow()
    return made
