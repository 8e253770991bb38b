"""A program of the operator that translates: it gets JSON and answers with JSON."""

import asyncio
import contextlib
import json
import logging

from fetching.programs import end
from fetching.translation.provider import (
    ANSWER_BYTES,
    Answer,
    AnswerError,
    ProviderSettings,
    Request,
    TranslationError,
    checked,
)

log = logging.getLogger("docstead.translations")


class Command:
    """Starts the program for each request: `source`, `target`, `instructions`, `terms` and `texts`
    on its standard input, `texts` and maybe `tokens` on its standard output."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings

    async def translate(self, request: Request) -> Answer:
        """The answer of the program; TranslationError when it fails or takes too long."""
        asked_for = {
            "source": request.source,
            "target": request.target,
            "instructions": request.instructions,
            "terms": dict(request.terms),
            "texts": list(request.texts),
        }
        answer = await self._run(json.dumps(asked_for).encode())
        try:
            value = json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise AnswerError("the translator gave an answer that is no JSON") from error
        texts = value.get("texts") if isinstance(value, dict) else None
        tokens = value.get("tokens") if isinstance(value, dict) else None
        counted = tokens if isinstance(tokens, int) and tokens > 0 else 0
        return Answer(checked(texts, len(request.texts)), counted)

    async def _run(self, data: bytes) -> bytes:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._settings.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            log.warning("the translator cannot be started: %s", error)
            raise TranslationError("the translator cannot be started", lasting=True) from error
        try:
            async with asyncio.timeout(self._settings.seconds):
                answer = await _exchange(process, data)
                code = await process.wait()
        except TimeoutError as error:
            raise TranslationError(
                f"the translator took longer than {self._settings.seconds:g} seconds"
            ) from error
        finally:
            if process.returncode is None:
                await end(process, group=True)
        if code != 0:
            raise TranslationError(f"the translator ended with the status {code}")
        return answer


async def _exchange(process: asyncio.subprocess.Process, data: bytes) -> bytes:
    """What a process answers; both directions at once, for pipes are short."""
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    async def write() -> None:
        # A program that reads nothing has ended, and its status says so.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stdin.write(data)
            await stdin.drain()
        stdin.close()

    async def read() -> bytes:
        answer = bytearray()
        while chunk := await stdout.read(65_536):
            answer += chunk
            if len(answer) > ANSWER_BYTES:
                raise TranslationError(f"the translator gave more than {ANSWER_BYTES} bytes")
        return bytes(answer)

    writing = asyncio.create_task(write())
    try:
        return await read()
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
