"""The garbage collector of a server process."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path

import pytest

from docstead import garbage
from docstead.asgi import create_app
from docstead.settings import Settings


@pytest.fixture
def collector() -> Iterator[None]:
    """As in a new process; the tests' own settings come back."""
    before = gc.get_threshold()
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
async def test_a_server_that_has_started_leaves_alone_what_is_there(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path, public_url="http://docs.test", gc_threshold=1234))
    assert gc.get_freeze_count() == 0
    async with app.router.lifespan_context(app):
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[0] == 1234


FIRST = """
import gc, weakref
from dataclasses import FrozenInstanceError, dataclass
from docstead.garbage import settle

firsts = []

def noted(kind):
    firsts.append(weakref.ref(kind))
    return kind

@dataclass(frozen=True, slots=True)
@noted
class Place:
    name: str

settle(50_000)
assert firsts[0]() is None, gc.get_referrers(firsts[0]())
for change in (lambda: setattr(place, "name", "b"), lambda: delattr(place, "name"),
               lambda: setattr(place, "other", "b")):
    place = Place("a")
    try:
        change()
    except FrozenInstanceError:
        pass
    else:
        raise AssertionError("it is frozen")
assert Place("a") == Place("a") and hash(Place("a")) == hash(Place("a"))
"""


def test_classes_that_dataclasses_were_made_from_go() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


LEFT = """
import asyncio, gc
from docstead.garbage import keep_returning, resident, settle

class Node:
    pass

def work() -> None:
    nodes = [Node() for _ in range(150_000)]
    for node in nodes:
        node.itself, node.text = node, "a long text" * 20

async def main() -> None:
    settle(50_000)
    gc.disable()
    returning = asyncio.create_task(keep_returning(0.05, 10_000_000))
    await asyncio.sleep(0.1)
    before = resident()
    work()
    most = resident()
    for _ in range(1_200):
        await asyncio.sleep(0.05)
        if resident() < before + (most - before) / 2:
            break
    assert not returning.done()
    print(before, most, resident())

asyncio.run(main())
"""


def test_what_large_work_leaves_is_returned() -> None:
    done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, most, after = map(int, done.stdout.split())
    assert most > before + 40_000_000
    assert after < before + (most - before) / 2


FREE = """
import asyncio, gc
from docstead.garbage import keep_returning, resident, settle

async def main() -> None:
    settle(50_000)
    gc.disable()
    collected = []
    gc.callbacks.append(lambda phase, facts: collected.append(facts))
    returning = asyncio.create_task(keep_returning(0.05, 10**12, 3_000_000))
    await asyncio.sleep(0.1)
    # A last one keeps the C library from returning by itself what is free below it.
    before, pieces = resident(), [bytes(5_000) for _ in range(4_000)]
    last, most = bytes(5_000), resident()
    pieces.clear()
    for _ in range(1_200):
        await asyncio.sleep(0.05)
        if resident() < before + (most - before) / 2:
            break
    assert not returning.done() and not collected
    print(before, most, resident(), len(last))

asyncio.run(main())
"""


def test_what_answers_leave_free_is_returned_without_a_collection() -> None:
    done = subprocess.run([sys.executable, "-c", FREE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, most, after, _ = map(int, done.stdout.split())
    assert most > before + 15_000_000
    assert after < before + (most - before) / 2


async def test_a_collection_that_takes_long_is_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    at, now = list[float](), 0.0
    memory = count(0, 10_000)

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        if now > 3600:
            raise asyncio.CancelledError

    async def in_a_thread(_: object) -> float:
        at.append(now)
        return 0.3

    monkeypatch.setattr(garbage, "resident", lambda: next(memory))
    monkeypatch.setattr("docstead.garbage.asyncio.sleep", sleep)
    monkeypatch.setattr("docstead.garbage.asyncio.to_thread", in_a_thread)
    with pytest.raises(asyncio.CancelledError):
        await garbage.keep_returning(5, 1)
    # Requests wait for a hundredth of the time at most.
    assert len(at) > 10
    assert all(later - earlier >= 30 for earlier, later in pairwise(at))
