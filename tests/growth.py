"""How the time of something grows with its input, on a machine that does other work as well.

What is measured is the processor time of this thread, without collections. Small times say
nothing, so the smaller input is made large enough; both sizes are measured in turns, so that a busy
machine slows both; and one attempt that keeps the bound is enough. Noise breaks one of them, an
algorithm of another order all.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from content.collector import collector_paused

Work = Callable[[], object]

ATTEMPTS = 5
# The time in seconds that says something, and how many times larger an input is made for it. Where
# work has a bound, no input takes as long.
ENOUGH = 0.01
LARGER = 64
# No test waits that long but for something that has no end.
HANGING = 30


def seconds(work: Work) -> float:
    """The processor time of one call."""
    with collector_paused():
        start = time.thread_time()
        work()
        return time.thread_time() - start


def assert_growth(
    work: Callable[[int], Work], size: int, *, times: int = 8, at_most: float = 40
) -> None:
    """Work on so many times the input takes at most so many times as long.

    `work` prepares an input of a size, and returns what is measured. The bound is between 8, and 64
    where the time grows with the square: what no longer fits a cache takes several times as long.
    """
    largest = size * LARGER
    while seconds(work(size)) < ENOUGH and size < largest:
        size *= 2
    assert_ratio(lambda: work(size), lambda: work(size * times), at_most)


def assert_ratio(base: Callable[[], Work], other: Callable[[], Work], at_most: float) -> None:
    """One piece of work takes at most so many times as long as another."""
    ratios = []
    for _ in range(ATTEMPTS):
        before, longer, after = seconds(base()), seconds(other()), seconds(base())
        ratios.append(longer / max(min(before, after), ENOUGH))
        if ratios[-1] <= at_most:
            return
    shown = ", ".join(f"{ratio:.1f}" for ratio in ratios)
    raise AssertionError(f"{shown} times as long in {ATTEMPTS} attempts, not {at_most} at most")


@contextmanager
def soon() -> Iterator[None]:
    """What has a bound: it ends before anybody would say that it hangs."""
    start = time.thread_time()
    yield
    assert time.thread_time() - start < HANGING
