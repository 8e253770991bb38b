"""A process that takes a clone so often, and says so where somebody else is in it, too."""

import asyncio
import os
import sys
from pathlib import Path

from jobs.git.cache import CloneCache


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def main(folder: str, times: str, stays: str) -> None:
    cache = CloneCache(Path(folder), 100)
    for _ in range(int(times)):
        async with cache.clone("organization", "key", "https://git.example/docs.git") as clone:
            inside = clone.folder / "inside"
            try:
                os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                if not (Path(folder) / "killed").exists():
                    say("two are in it")
                (Path(folder) / "killed").unlink(missing_ok=True)
            say("in")
            await asyncio.sleep(float(stays))
            inside.unlink()
