"""Holding the garbage collector off while one large structure is built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock

_lock = Lock()
_held = 0
_was_enabled = False


# Characters of a text whose document is large: one made of links has millions of objects.
LONG = 100_000


def paused_for(text: str) -> AbstractContextManager[None]:
    """No collection while a long text is worked on, until nothing holds its documents any more.

    A collection stops all threads, for over a second where there are millions of objects, and
    begins in whatever allocates next. Short texts are not worth it.
    """
    return collector_paused() if len(text) > LONG else nullcontext()


@contextmanager
def collector_paused() -> Iterator[None]:
    """No collection until the block ends, or the last of several at once in other threads.

    Everything that is built stays in use, so that collections find nothing, and each looks at
    all of it again: they take over half of the time. For blocks of about a second.
    """
    global _held, _was_enabled
    with _lock:
        if _held == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _held += 1
    try:
        yield
    finally:
        with _lock:
            _held -= 1
            if _held == 0 and _was_enabled:
                gc.enable()
