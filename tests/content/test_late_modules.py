"""Modules that are loaded when they are first used."""

import asyncio
import sys
from pathlib import Path

import pytest

from content.late_modules import ready

SLOW = "import time\ntime.sleep(0.3)\nloaded = True\n"


async def test_whoever_comes_while_a_module_is_loaded_waits_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_load.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)

    async def use() -> bool:
        await ready("slow_to_load")
        return bool(sys.modules["slow_to_load"].loaded)

    first = asyncio.create_task(use())
    while "slow_to_load" not in sys.modules:  # noqa: ASYNC110 (a thread loads it)
        await asyncio.sleep(0.01)
    assert await asyncio.gather(first, use()) == [True, True]
    assert sys.modules.pop("slow_to_load")
