"""Limits on time cancel what takes too long or is no longer waited for, and nothing else."""

import asyncio
from typing import Any

import pytest

from docstead.http import time_limits
from docstead.http.time_limits import GRACE_SECONDS, ClientDisconnected, TimeLimit, TimeLimitPassed

FEW = 4 * GRACE_SECONDS


class Client:
    """The receiving side of a request whose body has been read."""

    def __init__(self, leaves_after: float = 60.0) -> None:
        self.leaves_after = leaves_after
        self.asked = 0
        self.cancelled = 0

    async def receive(self) -> dict[str, Any]:
        self.asked += 1
        if self.asked == 1:
            return {"type": "http.request", "body": b"", "more_body": False}
        try:
            await asyncio.sleep(self.leaves_after)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return {"type": "http.disconnect"}


async def test_what_is_short_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine nothing is certain to be as short as that.
    monkeypatch.setattr(time_limits, "GRACE_SECONDS", 0.5)
    client = Client()
    for _ in range(50):
        with TimeLimit(10, client.receive):
            await asyncio.sleep(0)
    await asyncio.sleep(0.6)
    assert client.asked == 0


async def test_the_time_passes() -> None:
    began = asyncio.get_running_loop().time()
    with pytest.raises(TimeLimitPassed), TimeLimit(FEW):
        await asyncio.sleep(60)
    assert FEW <= asyncio.get_running_loop().time() - began < 50
    await asyncio.sleep(0)  # nothing of the cancelling is left


async def test_a_limit_shorter_than_the_grace() -> None:
    with pytest.raises(TimeLimitPassed), TimeLimit(0.0001):
        await asyncio.sleep(60)


async def test_the_client_leaves() -> None:
    client = Client(leaves_after=FEW)
    with pytest.raises(ClientDisconnected), TimeLimit(60, client.receive):
        await asyncio.sleep(60)
    early = Client(leaves_after=0)
    with pytest.raises(ClientDisconnected), TimeLimit(60, early.receive):
        await asyncio.sleep(60)


async def test_listening_ends_with_the_request() -> None:
    client = Client()
    with TimeLimit(60, client.receive):
        await asyncio.sleep(FEW)
    await asyncio.sleep(0)
    assert client.cancelled == 1


async def test_a_result_in_spite_of_the_cancelling_counts() -> None:
    with TimeLimit(FEW):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            answer = "done"
    assert answer == "done"
    await asyncio.sleep(0)


async def test_errors_and_the_cancelling_of_others_pass_through() -> None:
    with pytest.raises(ValueError, match="ours"), TimeLimit(60):
        raise ValueError("ours")

    async def limited() -> None:
        with TimeLimit(60):
            await asyncio.sleep(60)

    task = asyncio.create_task(limited())
    await asyncio.sleep(FEW)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_limits_in_limits() -> None:
    with pytest.raises(TimeLimitPassed), TimeLimit(FEW), TimeLimit(60):
        await asyncio.sleep(60)
    with TimeLimit(60), pytest.raises(TimeLimitPassed), TimeLimit(FEW):
        await asyncio.sleep(60)


async def test_many_at_once() -> None:
    async def limited(index: int) -> str:
        try:
            with TimeLimit(FEW if index % 2 else 60):
                await asyncio.sleep(5 * FEW)
        except TimeLimitPassed:
            return "passed"
        return "done"

    found = await asyncio.gather(*map(limited, range(100)))
    assert found == ["done", "passed"] * 50


def test_every_loop_of_a_thread_has_its_own() -> None:
    async def limited() -> None:
        with TimeLimit(FEW):
            await asyncio.sleep(60)

    async def left_behind() -> None:
        TimeLimit(60).__enter__()

    for _ in range(2):
        asyncio.run(left_behind())
        with pytest.raises(TimeLimitPassed):
            asyncio.run(limited())
