"""Fixtures for tests that execute with graphql-core's executor beside the engine."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator

import pytest


@pytest.fixture
async def forgotten_coroutines(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """graphql-core leaves coroutines behind when a failure keeps it from awaiting them.

    Python warns of each when it is collected, at any time; that is not the subject here. What
    graphql-core goes on with in the background ends with the test.
    """
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    yield
    for _ in range(10):
        await asyncio.sleep(0)
    gc.collect()
