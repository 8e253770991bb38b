"""A process that converts for one import, as the server sees it."""

import asyncio
import json
import os
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fetching.programs import end
from resolvers.core.errors import BadRequest
from resolvers.imports.process import frame_of

Json = dict[str, Any]
T = TypeVar("T")
MEGABYTES = 1024
# All heads and documents of an answer.
MAX_ANSWER = 400_000_000
PIECE = 256 * 1024
# Imports that convert at the same time; others wait.
PROCESSES = asyncio.Semaphore(2)


async def _refused(data: bytes) -> None:
    raise AssertionError("unreachable: this answer has no files")


class ImportWorker:
    """Calls functions in the process; `BadRequest` says what it could not read."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    async def call(self, do: str, blobs: Sequence[bytes] = (), **values: Any) -> Json:
        """The answer without bytes."""
        answer, _ = await self.exchange(do, blobs, _refused, **values)
        return answer

    async def exchange(
        self,
        do: str,
        blobs: Sequence[bytes],
        take: Callable[[bytes], Awaitable[T]],
        /,
        **values: Any,
    ) -> tuple[Json, list[T]]:
        """The answer, and what `take` makes of each of the files that belong to it.

        They are taken one after the other; the process waits meanwhile. Rows that came before the
        answer are lists in it by their kinds; the `document` of each is the bytes of its JSON.
        """
        frames, answers = self._process.stdin, self._process.stdout
        assert frames is not None
        assert answers is not None
        try:
            frames.write(frame_of({"do": do, **values}, [len(blob) for blob in blobs]))
            for blob in blobs:
                # In pieces, for what is written is copied.
                for start in range(0, len(blob), PIECE):
                    frames.write(memoryview(blob)[start : start + PIECE])
                    await frames.drain()
            await frames.drain()
            left, rows = MAX_ANSWER, dict[str, list[Json]]()
            while True:
                (size,) = struct.unpack(">I", await answers.readexactly(4))
                head = json.loads(await _read(answers, size, left))
                left -= size
                if "row" not in head["value"]:
                    break
                (size,) = head["sizes"]
                row = {**head["value"]["values"], "document": await _read(answers, size, left)}
                left -= size
                rows.setdefault(head["value"]["row"], []).append(row)
                # Rows that have come already are read without waiting; others go on all the same.
                await asyncio.sleep(0)
            results = [await take(await answers.readexactly(size)) for size in head["sizes"]]
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise BadRequest(
                "url: what is there cannot be converted: it takes too long or too much memory"
            ) from error
        value = head["value"]
        if "problem" in value:
            raise BadRequest(f"url: {value['problem']}")
        return value["ok"] | rows, results


async def _read(answers: asyncio.StreamReader, size: int, left: int) -> bytes:
    if size > left:
        raise BadRequest("url: what is there is too large to convert")
    return await answers.readexactly(size)


@asynccontextmanager
async def import_worker(seconds: int) -> AsyncIterator[ImportWorker]:
    """A process with `seconds` of computing time; it is gone when the block is left."""
    async with PROCESSES:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "resolvers.imports.process", str(seconds), str(MEGABYTES),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Its library paths are ours; secrets of the environment are not its business.
            env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            cwd=os.sep,
        )  # fmt: skip
        try:
            yield ImportWorker(process)
        finally:
            await end(process)
