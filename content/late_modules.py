"""Modules that are loaded when they are first used, for what few server processes ever do.

Programs of others with libraries of their own take several megabytes each.
"""

import asyncio
from importlib import import_module
from typing import Any


class LateModule:
    """Stands for a module until one of its names is asked for: `jwt = LateModule("jwt")`.

    For type checkers the module is imported beside it, below `TYPE_CHECKING`.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        # Threads that ask at once wait for the lock of the import.
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


# Those that are loaded to their end: in `sys.modules` a module stands while it is loaded, too.
_READY: set[str] = set()


async def ready(*names: str) -> None:
    """Load modules in a thread, as far as they are not there: it takes longer than an event loop
    may wait."""
    if missing := [name for name in names if name not in _READY]:
        # Threads that ask at once wait for the lock of the import.
        await asyncio.to_thread(lambda: [*map(import_module, missing)])
        _READY.update(missing)
