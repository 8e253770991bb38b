"""One sandbox for all tests that need no limits of their own."""

from collections.abc import AsyncIterator

import pytest

from runtime.limits import Limits
from runtime.sandbox import Sandbox
from tests.runtime.scripts import sandbox


@pytest.fixture(scope="module")
async def shared() -> AsyncIterator[Sandbox]:
    """A sandbox with the default limits; scripts that nobody needs any more make room."""
    async with sandbox(Limits(preparers=2)) as running:
        yield running
