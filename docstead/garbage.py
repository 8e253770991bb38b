"""Fewer and smaller garbage collections in a server process.

Reference counting frees what requests leave behind; the collector is only there for cycles. With
Python's own settings it takes a quarter of the time of a large answer, mostly for walking over
the schema and the modules, which never go away.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def settle(threshold: int) -> None:
    """Called when the process has started: leave alone what is there by now.

    The youngest generation is collected when `threshold` containers more were made than freed.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(threshold, 10, 10)


@contextmanager
def without_collections() -> Iterator[None]:
    """While modules are imported: what they define stays anyway, and to walk over it time and again
    takes a seventh of the start of a command."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
