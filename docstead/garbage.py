"""Fewer and smaller garbage collections in a server process.

Reference counting frees what requests leave behind; the collector is only there for cycles. With
Python's own settings it takes a quarter of the time of a large answer, mostly for walking over
the schema and the modules, which never go away.
"""

import asyncio
import ctypes
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

# Seconds between two looks at the memory, and bytes by which it has to have grown since; by the
# third number only what the C library knows to be free is returned, which takes no collection.
SECONDS, GROWN, GROWN_LITTLE = 5.0, 24_000_000, 1_000_000
# All requests wait while it collects: so many times as long it does nothing.
REST = 100
# The parameter of `mallopt` for the number of arenas (malloc.h).
ARENA_MAX = -8
_RESIDENT = Path("/proc/self/statm")


def settle(threshold: int) -> None:
    """Called when the process has started: leave alone what is there by now.

    The youngest generation is collected when `threshold` containers more were made than freed.
    """
    share_arenas()
    # What was garbage before modules were frozen, too.
    gc.unfreeze()
    forget_first_classes()
    gc.collect()
    gc.freeze()
    gc.set_threshold(threshold, 10, 10)


def forget_first_classes() -> None:
    """Let go of the classes that dataclasses with slots were made from.

    `dataclass(slots=True)` makes the class a second time, and of a frozen one two methods hold the
    first, for a comparison that was meant for the one that stayed: some six hundred classes.
    """
    classes, pending = {object}, [object]
    while pending:
        below = {*type.__subclasses__(pending.pop())} - classes
        classes |= below
        pending += below
    for kind in classes:
        members = vars(kind)
        if "__dataclass_params__" not in members or "__slots__" not in members:
            continue
        # Before Python 3.11.3 the description of a member is still that of the first.
        references = members.get("__weakref__")
        if references is not None and references.__objclass__ is not kind:
            type.__delattr__(kind, "__weakref__")
        for method in (members.get("__setattr__"), members.get("__delattr__")):
            if not isinstance(method, FunctionType):
                continue
            for name, cell in zip(
                method.__code__.co_freevars, method.__closure__ or (), strict=True
            ):
                if name == "cls" and cell.cell_contents.__qualname__ == kind.__qualname__:
                    cell.cell_contents = kind


def share_arenas() -> None:
    """Have all threads take memory from one place, before there is more than one of them.

    The C library of GNU gives each thread a place of its own: what was freed there is of no use to
    the others. Python's lock lets one thread at a time take memory, mostly.
    """
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(ARENA_MAX, 1)


@contextmanager
def without_collections() -> Iterator[None]:
    """While modules are imported: what they define stays anyway, and to walk over it time and again
    takes a seventh of the start of a command or a server process."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def resident() -> int:
    """Bytes of memory that the process has; 0 where the system does not say."""
    try:
        pages = int(_RESIDENT.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


async def keep_returning(
    seconds: float = SECONDS, grown: int = GROWN, grown_little: int = GROWN_LITTLE
) -> None:
    """Give memory back to the system that work has left, until cancelled.

    What long texts leave are cycles by the hundred thousand, which the collector finds late, and
    free memory that the C library keeps. Looking for both takes a moment, so it is done where much
    has come together. Large answers leave the second alone: that is looked for sooner.
    """
    least = returned = resident()
    took = 0.0
    while True:
        await asyncio.sleep(max(seconds, REST * took))
        least, returned = min(least, now := resident()), min(returned, now)
        if now > least + grown:
            took = await asyncio.to_thread(give_back)
            least = returned = resident()
        elif now > returned + grown_little:
            await asyncio.to_thread(return_free)
            returned = resident()


def give_back() -> float:
    """Collect everything, and return what is free; the seconds that the collection took."""
    began = time.perf_counter()
    gc.collect()
    took = time.perf_counter() - began
    return_free()
    return took


def return_free() -> None:
    """Return what is free between what is used: the C library of GNU keeps it else."""
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
