"""The middleware of every HTTP exchange: request ids, content coding, and failures.

Nothing here knows what is answered. An answer says with `Cache-Control: no-transform` that it must
not be compressed, because its length would tell a secret (docs/operating.md).
"""

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.http.content_coding import (
    CODERS,
    IN_PLACE,
    SMALLEST,
    Coder,
    chosen_coding,
    compressible,
)
from docstead.http.rate_limit_headers import limit_headers
from docstead.request_ids import HEADER, given_or_new, request_id
from rest_compat.app import failed

Headers = list[tuple[bytes, bytes]]
# Answers without content, and parts of one.
_UNCODED = frozenset({204, 205, 206, 304, 416})


class Exchanges:
    """Answers requests with an application, each as one Exchange."""

    def __init__(self, *, compression: bool) -> None:
        self._compression = compression

    async def answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request; a failure that nobody has answered is answered here."""
        sent_id = accepted = tags = None
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                accepted = value if accepted is None else b"%b,%b" % (accepted, value)
            elif name == b"if-none-match":
                tags = value if tags is None else b"%b,%b" % (tags, value)
            elif name == HEADER:
                # Of several ids none is that of the request.
                sent_id = value if sent_id is None else b""
        id = given_or_new(sent_id)
        request_id.set(id.decode("ascii"))
        coding = None
        if self._compression and accepted:
            coding = chosen_coding(accepted.decode("latin-1"))
        exchange = Exchange(scope, send, id, coding, self._compression, tags)
        try:
            await app(scope, receive, exchange.send)
        except Exception as error:
            if exchange.begun:
                raise
            response = await failed(Request(scope), error)
            await response(scope, receive, exchange.send_anew)
        finally:
            exchange.close()


class Exchange:
    """The answer of one request, on its way to the client."""

    __slots__ = ("_coder", "_coding", "_compression", "_head", "_id", "_if_none_match", "_ready",
                 "_scope", "_send", "_start", "begun")  # fmt: skip

    def __init__(
        self,
        scope: Scope,
        send: Send,
        id: bytes,
        coding: str | None,
        compression: bool,
        if_none_match: bytes | None,
    ) -> None:
        self._scope = scope
        self._send = send
        self._id = id
        self._coding = coding
        self._compression = compression
        self._head = scope["method"] == "HEAD"
        self._if_none_match = if_none_match
        # The start of a coded answer, which is held back until its first bytes are there.
        self._start: Message | None = None
        self._coder: Coder | None = None
        # The coded body of an answer that is kept with its codings (`codings` of its messages).
        self._ready: bytes | None = None
        # Whether anything has been sent.
        self.begun = False

    async def send(self, message: Message) -> None:
        """Send a message of the application."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif self._ready is not None and message["type"] == "http.response.body":
            await self._pass_on({**message, "body": self._ready})
        elif self._coder is None or message["type"] != "http.response.body":
            await self._pass_on(message)
        else:
            await self._encode(self._coder, message)

    async def send_anew(self, message: Message) -> None:
        """Send a message of an answer in the place of one that has failed before it was sent."""
        self._start = self._ready = None
        self.close()
        if message["type"] == "http.response.start":
            own = (HEADER, self._id), *limit_headers(self._scope)
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await self._send(message)

    def close(self) -> None:
        """Nothing is coded any more. What a client that hangs up leaves behind are cycles, which
        the collector finds late: they must not hold a coder's memory."""
        coder, self._coder = self._coder, None
        if coder is not None:
            coder.close()

    async def _begin(self, message: Message) -> None:
        headers: Headers = [
            *message.get("headers", ()), (HEADER, self._id), *limit_headers(self._scope),
        ]  # fmt: skip
        message = {**message, "headers": headers}
        if self._compression:
            if message["status"] == 304:
                self._recognise(headers)
            elif _may_be_coded(message["status"], headers):
                add_vary(headers, b"Accept-Encoding")
                if self._coding is not None:
                    message["headers"] = _coded(headers, self._coding)
                    codings: dict[str, bytes] = message.get("codings") or {}
                    self._ready = codings.get(self._coding)
                    if self._ready is not None:
                        length = (b"content-length", b"%d" % len(self._ready))
                        message["headers"].append(length)
                    elif not self._head:
                        self._start, self._coder = message, CODERS[self._coding]()
                        return
        self.begun = True
        await self._send(message)

    def _recognise(self, headers: Headers) -> None:
        """Name the answer that the client has by the very tag that it has for it."""
        for place, (name, value) in enumerate(headers):
            if name == b"etag" and self._if_none_match is not None:
                tags = [tag.strip() for tag in self._if_none_match.split(b",")]
                if value not in tags and weak(value) in tags:
                    headers[place] = (name, weak(value))
        # As in the answer that it stands for, which may have been large enough.
        add_vary(headers, b"Accept-Encoding")

    async def _pass_on(self, message: Message) -> None:
        start, self._start = self._start, None
        self.begun = True
        if start is not None:
            await self._send(start)
        await self._send(message)

    async def _encode(self, coder: Coder, message: Message) -> None:
        data, last = message.get("body", b""), not message.get("more_body", False)
        if not data and not last:
            return
        coded: bytes
        if len(data) <= IN_PLACE:
            coded = coder.piece(data, last=last)
        else:
            coded = await asyncio.to_thread(coder.piece, data, last=last)
        codings: dict[str, bytes] | None = message.get("codings")
        if codings is not None and last and self._coding is not None:
            codings[self._coding] = coded
        if self._start is not None and last:
            # All of it is here, so its length is known.
            self._start["headers"].append((b"content-length", b"%d" % len(coded)))
        await self._pass_on({**message, "body": coded})


def _may_be_coded(status: int, headers: Headers) -> bool:
    """Whether an answer is compressed for those who accept it."""
    if status in _UNCODED or status < 200:
        return False
    named = dict(headers)
    length = named.get(b"content-length")
    if length is not None and (len(length) < 4 or int(length) < SMALLEST):
        return False
    content_type = named.get(b"content-type")
    if content_type is None or not compressible(content_type):
        return False
    if b"content-encoding" in named or b"content-range" in named:
        return False
    return b"no-transform" not in named.get(b"cache-control", b"")


def _coded(headers: Headers, coding: str) -> Headers:
    """The headers of an answer in a coding: other bytes, so another length, and a weak tag.

    Ranges of them are not served.
    """
    coded = [
        (name, weak(value) if name == b"etag" else value)
        for name, value in headers
        if name not in (b"content-length", b"accept-ranges")
    ]
    coded.append((b"content-encoding", coding.encode()))
    return coded


def weak(tag: bytes) -> bytes:
    """The tag of answers that say the same in other bytes."""
    return tag if tag.startswith(b"W/") else b"W/" + tag


def add_vary(headers: Headers, name: bytes) -> None:
    """Say that the answer depends on one more header of the request."""
    for place, (header, value) in enumerate(headers):
        if header == b"vary":
            names = {part.strip().lower() for part in value.split(b",")}
            if name.lower() not in names and b"*" not in names:
                headers[place] = (header, b"%b, %b" % (value, name))
            return
    headers.append((b"vary", name))
