"""Servers on loopback that speak the protocols of translators."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from fetching.translation.provider import ProviderSettings

Json = dict[str, Any]
# What becomes of one text.
Word = Callable[[str], Any]


def loud(text: str) -> str:
    """Upper case, tags too."""
    return text.upper()


@dataclass
class Translations:
    """A server: what it does with each text, the statuses that it begins with, what it got."""

    word: Word = loud
    plan: list[int] = field(default_factory=list)
    # Stands in for a whole answer.
    body: bytes | None = None
    port: int = 0
    requests: list[tuple[str, dict[str, str], Json]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """All texts that were sent."""
        return [text for _, _, body in self.requests for text in texts_of(body)]

    def settings(self, kind: str, **more: Any) -> ProviderSettings:
        url = f"http://127.0.0.1:{self.port}" + ("/v1" if kind == "openai" else "")
        settings = ProviderSettings.read(kind, url, "key", "model", "", 5, 4_000)
        assert settings is not None
        return replace(settings, pause=0.001, **more)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.split("\r\n")
            headers = {
                name.lower(): value
                for name, _, value in (line.partition(": ") for line in lines if line)
            }
            body = json.loads(await reader.readexactly(int(headers["content-length"])))
            self.requests.append((first, headers, body))
            status = self.plan.pop(0) if self.plan else 200
            data = self._body(body) if self.body is None else self.body
            writer.write(
                f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
            )
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _body(self, body: Json) -> bytes:
        answers = [self.word(text) for text in texts_of(body)]
        if "q" in body:
            return json.dumps({"translatedText": answers}).encode()
        content = json.dumps({"texts": answers})
        message = {"role": "assistant", "content": f"```json\n{content}\n```"}
        return json.dumps(
            {"choices": [{"message": message}], "usage": {"total_tokens": 7}}
        ).encode()


def texts_of(body: Json) -> list[str]:
    """The texts of a request, in either protocol."""
    if "q" in body:
        return list(body["q"])
    return list(json.loads(body["messages"][-1]["content"])["texts"])


@asynccontextmanager
async def translating(**how: Any) -> AsyncIterator[Translations]:
    """A server on loopback."""
    server = Translations(**how)
    listening = await asyncio.start_server(server.answer, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
