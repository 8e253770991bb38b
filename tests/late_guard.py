"""A fixture that fails where a library that takes long is loaded in an event loop."""

import asyncio
from importlib import import_module
from typing import Any

import pytest

from content import late_modules
from content.late_modules import LateModule

HEAVY = ("jwt", "cryptography.x509", "cryptography.hazmat")


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture
def late_ones_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has loaded none of them."""
    monkeypatch.setattr(late_modules, "_READY", set())

    def guarded(self: LateModule, name: str) -> Any:
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        module: str = object.__getattribute__(self, "_name")
        if module.startswith(HEAVY) and _in_loop() and module not in late_modules._READY:
            raise AssertionError(f"{module} is loaded in an event loop")
        return getattr(import_module(module), name)

    monkeypatch.setattr(LateModule, "__getattribute__", guarded)
