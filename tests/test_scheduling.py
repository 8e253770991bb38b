"""Files are handed out so that some test process computes while another one waits."""

from collections import deque
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import WaitingBesideComputing

WAITING = [f"tests/browser/test_{number}.py" for number in range(40)]
COMPUTING = [f"tests/content/test_{number}.py" for number in range(60)]


class Process:
    """Takes tests, and ends the first of them when it has to."""

    shutting_down = False
    gateway = SimpleNamespace(id="a process")

    def __init__(self) -> None:
        self.tests: deque[int] = deque()

    def send_runtest_some(self, indices: list[int]) -> None:
        self.tests.extend(indices)

    def shutdown(self) -> None:
        self.shutting_down = True


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_not_all_wait_while_there_is_work(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    for name, value in (("tx", [f"{count}*popen"]), ("loadscopereorder", False)):
        monkeypatch.setattr(pytestconfig.option, name, value)
    tests = [f"{file}::test_{number}" for file in WAITING + COMPUTING for number in range(5)]
    processes: list[Any] = [Process() for _ in range(count)]
    scheduler = WaitingBesideComputing(pytestconfig)
    for process in processes:
        scheduler.add_node(process)
        scheduler.add_node_collection(process, tests)
    scheduler.schedule()
    done: list[str] = []
    chance = Random(7)
    while busy := [process for process in processes if process.tests]:
        at_once = [tests[process.tests[0]].partition("::")[0] for process in busy]
        if count > 1 and not scheduler.workqueue.keys().isdisjoint(COMPUTING):
            assert not all(file in WAITING for file in at_once), at_once
            assert any(file in WAITING for file in at_once) or len(done) > len(WAITING)
        process = chance.choice(busy)
        done.append(tests[process.tests[0]])
        scheduler.mark_test_complete(process, process.tests.popleft())
    assert sorted(done) == sorted(tests)
    first = list(dict.fromkeys(test.partition("::")[0] for test in done))
    if count == 1:
        assert first == WAITING + COMPUTING
    else:
        # Neither kind is left for the end.
        assert min(first.index(WAITING[-1]), first.index(COMPUTING[-1])) > 70
