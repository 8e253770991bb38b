"""Runs the process that reads a specification, and fetches for it what the source refers to."""

import asyncio
from dataclasses import dataclass

import orjson

from content.openapi.reading import MOST_BYTES
from content.openapi.worker import LENGTHS, frame_of
from db.specification_enums import SpecificationErrorCode as Code
from fetching.client import Fetcher
from fetching.errors import FetchError, FetchTimeoutError
from jobs.processes import process_of
from resolvers.specifications.processing import Failure, Reading

# Files of a specification beside the first one.
MOST_FILES = 100
# Bytes of an answer of the process: what is stored, compressed.
MOST_ANSWER = 64_000_000


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The bounds of one specification: seconds of computing, megabytes of memory, and seconds for
    all of it with what is fetched."""

    seconds: int = 60
    megabytes: int = 1_024
    total_seconds: float = 180


async def read_specification(
    fetcher: Fetcher, data: bytes, url: str | None, limits: ProcessLimits
) -> Reading | Failure:
    """What is stored of a specification, or why there is nothing."""
    left = MOST_BYTES - len(data)
    fetched = 0

    async def external(url: str) -> bytes:
        """The frame that answers a wish for another file."""
        nonlocal left, fetched
        fetched += 1
        if fetched > MOST_FILES:
            return _refusal(f"it refers to more than {MOST_FILES} files")
        if left <= 0:
            return _refusal(f"all files together have more than {MOST_BYTES} bytes")
        try:
            file = await fetcher.get(url, max_bytes=left)
        except FetchError as error:
            return _refusal(str(error), isinstance(error, FetchTimeoutError))
        left -= len(file.data)
        return frame_of({}, file.data)

    pipe = asyncio.subprocess.PIPE
    process_run = process_of(
        "content.openapi.worker", str(limits.seconds), str(limits.megabytes),
        stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with process_run as process, asyncio.timeout(limits.total_seconds):
            frames, answers = process.stdin, process.stdout
            assert frames is not None
            assert answers is not None
            frame = frame_of({"url": url}, data)
            while True:
                frames.write(frame)
                await frames.drain()
                header, stored = await _answer(answers)
                if "fetch" not in header:
                    return _outcome(header, stored)
                frame = await external(str(header["fetch"]))
    except TimeoutError:
        return Failure(Code.PARSE_ERROR, (_too_much(limits),))
    except (EOFError, ConnectionError, asyncio.IncompleteReadError):
        return Failure(Code.PARSE_ERROR, (_too_much(limits),))


def _too_much(limits: ProcessLimits) -> str:
    return (
        f"reading it takes more than the {limits.seconds} seconds or {limits.megabytes} megabytes "
        "of memory that this server allows"
    )


def _refusal(problem: str, timeout: bool = False) -> bytes:
    return frame_of({"problem": problem, "timeout": timeout})


async def _answer(answers: asyncio.StreamReader) -> tuple[dict[str, object], bytes]:
    text, size = LENGTHS.unpack(await answers.readexactly(LENGTHS.size))
    if text + size > MOST_ANSWER:
        raise EOFError
    header: dict[str, object] = orjson.loads(await answers.readexactly(text))
    return header, await answers.readexactly(size)


def _outcome(header: dict[str, object], stored: bytes) -> Reading | Failure:
    match header:
        case {"processed": dict(facts)}:
            return Reading(data=stored, **facts)
        case {"unfetched": str(problem), "timeout": timeout}:
            return Failure(Code.FETCH_TIMEOUT if timeout else Code.FETCH_ERROR, (problem,))
        case {"problems": list(problems)}:
            return Failure(Code.PARSE_ERROR, tuple(map(str, problems)))
    raise EOFError
