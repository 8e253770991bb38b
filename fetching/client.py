"""The one client of every request that the server sends to somebody else's server.

It fetches what people name, so it treats addresses and answers as hostile: docs/decisions/0022.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from email.message import Message
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from fetching.addresses import Allowance
from fetching.decoding import ACCEPTED, TooMuch, decoder_of
from fetching.errors import FetchError, FetchTimeoutError
from fetching.lines import Line
from fetching.locations import Location, read_location
from fetching.resolving import Resolve, resolve_by_system

if TYPE_CHECKING:
    import httpcore2

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
USER_AGENT = "Docstead"
# How long a connection is there for the next request on a line.
LINE_SECONDS = 5.0
NOTHING_MORE = Allowance()
# Entity tags that are kept: longer ones, and what is none, are as none.
TAG_LENGTH = 255
_TAG = re.compile(r'(?:W/)?"[!#-~]*"')
# IPv4 in any of the forms that resolvers take: 127.1, 0x7f000001, 2130706433.
_ADDRESS = re.compile(r"(?:0x[0-9a-f]+|[0-9]+)(?:\.(?:0x[0-9a-f]+|[0-9]+)){0,3}")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one fetch: seconds to connect and between two pieces, seconds for all of it with
    its redirects, bytes of the body both as sent and as decoded, redirects that are followed."""

    step_seconds: float = 10
    total_seconds: float = 20
    bytes: int = 20_000_000
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: the URL after redirects, media type (lower-case, "" when absent), charset, and
    the file name that the server suggests; `changed` is when it says that it was changed for the
    last time, as it writes it, "" when it does not; `entity_tag` likewise. `unchanged` when it says
    that the tag of the request still holds: then `data` is empty."""

    url: str
    content_type: str
    charset: str | None
    file_name: str | None
    data: bytes
    changed: str = ""
    entity_tag: str = ""
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Streamed:
    """An answer whose body is still to come: its status, media type (lower-case), where it
    redirects to ("" when it does not), the body in chunks as they are sent, and all headers, their
    names in lower case."""

    status: int
    content_type: str
    redirect: str
    chunks: AsyncIterator[bytes]
    headers: Sequence[tuple[str, str]] = ()


def anything(content_type: str) -> bool:
    """Takes every media type."""
    return True


class Sent(NamedTuple):
    """An answer to what was sent: its status, the beginning of its body, and the header
    Retry-After, "" when absent."""

    status: int
    data: bytes
    retry_after: str


class Fetcher:
    """Asks public addresses, and those of `allowance`; sends no cookies or passwords."""

    def __init__(
        self,
        allowance: Allowance = NOTHING_MORE,
        limits: FetchLimits | None = None,
        *,
        resolve: Resolve = resolve_by_system,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`tls` are the certificates that are trusted; those of the system when absent."""
        self.limits = limits or FetchLimits()
        self._allowance, self._resolve = allowance, resolve
        self._tls = tls
        # The library of HTTP takes 1.3 MB, and longer to load than an event loop may wait.
        self._loaded = False

    async def get(
        self,
        url: str,
        *,
        accepts: Callable[[str], bool] = anything,
        max_bytes: int | None = None,
        seconds: float | None = None,
        entity_tag: str | None = None,
    ) -> Fetched:
        """Fetch `url`, redirects followed; FetchError when there is nothing usable.

        `accepts` is asked with the media type before the body is read. `max_bytes` and `seconds`
        may only narrow the limits. With the `entity_tag` of an earlier answer nothing is sent when
        that still holds.
        """
        limit = min(self.limits.bytes, max_bytes or self.limits.bytes)
        whole = self.limits.total_seconds
        whole = whole if seconds is None else min(whole, seconds)
        location = read_location(url)
        with _failures(location, whole, limit):
            async with asyncio.timeout(whole):
                return await self._follow(location, accepts, limit, entity_tag)

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float | None = None
    ) -> int:
        """The status of the answer to a POST, which is not read; FetchError without an answer.

        Redirects are answers: what is signed for one address is not sent to another.
        """
        whole = self.limits.total_seconds
        whole = whole if seconds is None else min(whole, seconds)
        location = read_location(url)
        own = [(name.encode(), value.encode()) for name, value in headers.items()]
        own.append((b"Content-Length", str(len(body)).encode()))
        with _failures(location, whole, self.limits.bytes):
            async with (
                asyncio.timeout(whole),
                self._sent("POST", location, [*_headers(location), *own], body) as response,
            ):
                return response.status

    async def send(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        *,
        max_bytes: int,
        seconds: float,
        line: Line | None = None,
    ) -> Sent:
        """The answer to a POST, with the beginning of its body; FetchError without one, or where
        it ends in the middle. Redirects are answers. With a `line` the connection
        is there for the next request.
        """
        location = read_location(url)
        sent = [*_plain_headers(location, closes=line is None)]
        sent += [(name.encode(), value.encode()) for name, value in headers.items()]
        sent.append((b"Content-Length", str(len(body)).encode()))
        with _failures(location, seconds, max_bytes):
            async with asyncio.timeout(seconds), AsyncExitStack() as stack:
                await self._load()
                import httpcore2

                reused = line is not None and await line.begin()
                answer = self._sent("POST", location, sent, body, line=line)
                try:
                    response = await stack.enter_async_context(answer)
                except (httpcore2.NetworkError, httpcore2.RemoteProtocolError):
                    if not reused or line is None:
                        raise
                    # It was closed while nothing was sent, as servers do after a while.
                    await line.close()
                    answer = self._sent("POST", location, sent, body, line=line)
                    response = await stack.enter_async_context(answer)
                beginning = bytearray()
                async for chunk in response.aiter_stream():
                    beginning += chunk[: max_bytes - len(beginning)]
                    if len(beginning) >= max_bytes:
                        break
                return Sent(response.status, bytes(beginning), _header(response, b"retry-after"))

    def refuses(self, url: str) -> bool:
        """Whether it is evident, without a look-up, that an address may not be reached."""
        location = read_location(url)
        host = location.host
        named = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
        literal = _ADDRESS.fullmatch(host) is not None or ":" in host
        if not named and not literal:
            return False
        addresses = [host] if literal else ["127.0.0.1"]
        return not self._allowance.permits(host, location.port, addresses)

    async def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        *,
        max_bytes: int,
        seconds: float,
    ) -> Fetched:
        """The answer to a request with headers of its own; FetchError unless its status is 200.

        Redirects are not followed: what is meant for one address is not sent to another.
        """
        limit, whole = min(self.limits.bytes, max_bytes), min(self.limits.total_seconds, seconds)
        location = read_location(url)
        own = [(name.encode(), value.encode()) for name, value in headers.items()]
        if body is not None:
            own.append((b"Content-Length", str(len(body)).encode()))
        with _failures(location, whole, limit):
            async with (
                asyncio.timeout(whole),
                self._sent(method, location, [*_headers(location), *own], body) as response,
            ):
                if response.status != 200:
                    raise FetchError(f"{location.url}: answered with status {response.status}")
                return await _read(location, response, anything, limit)

    @asynccontextmanager
    async def streamed(
        self,
        method: str,
        location: Location,
        headers: Mapping[str, str] | Collection[tuple[str, str]],
        body: AsyncIterator[bytes] | bytes | None = None,
        *,
        seconds: float,
        step_seconds: float | None = None,
    ) -> AsyncIterator[Streamed]:
        """The answer to a request with headers of its own, whose body is read as it comes.

        FetchError when there is none; it may also be raised while the body is read. What the caller
        cannot write meanwhile is no failure of the connection. `seconds` are for all of it,
        `step_seconds` for each piece. A body that is an iterator needs its
        `Content-Length`. Redirects are answers.
        """
        pairs = headers.items() if isinstance(headers, Mapping) else headers
        own = [(name.encode(), value.encode("latin-1")) for name, value in pairs]
        if isinstance(body, bytes):
            own.append((b"Content-Length", str(len(body)).encode()))
        replaced = {name.lower() for name, _ in own}
        plain = [pair for pair in _plain_headers(location) if pair[0].lower() not in replaced]
        with _callers_errors(), _failures(location, seconds, self.limits.bytes):
            async with (
                asyncio.timeout(seconds),
                self._sent(method, location, [*plain, *own], body, step_seconds) as response,
            ):
                content_type = _header(response, b"content-type").partition(";")[0].strip().lower()
                streamed = Streamed(
                    response.status,
                    content_type,
                    _header(response, b"location"),
                    _chunks(response, location, seconds, self.limits.bytes),
                    [
                        (name.decode("latin-1").lower(), value.decode("latin-1"))
                        for name, value in response.headers
                    ],
                )
                try:
                    yield streamed
                except TimeoutError:
                    raise
                except OSError as error:
                    raise _CallersError(error) from error

    async def _follow(
        self,
        location: Location,
        accepts: Callable[[str], bool],
        limit: int,
        entity_tag: str | None,
    ) -> Fetched:
        for _ in range(self.limits.redirects + 1):
            answer = await self._once(location, accepts, limit, entity_tag)
            if isinstance(answer, Fetched):
                return answer
            location = answer
        raise FetchError(f"{location.url}: more than {self.limits.redirects} redirects")

    async def _once(
        self,
        location: Location,
        accepts: Callable[[str], bool],
        limit: int,
        entity_tag: str | None,
    ) -> Fetched | Location:
        """One request: its answer, or where it redirects to."""
        headers = _headers(location)
        if entity_tag is not None:
            headers.append((b"If-None-Match", entity_tag.encode("latin-1")))
        async with self._sent("GET", location, headers) as response:
            if response.status == 304 and entity_tag is not None:
                return Fetched(location.url, "", None, None, b"", "", entity_tag, unchanged=True)
            if response.status in _REDIRECTS:
                return location.follow(_header(response, b"location"))
            if response.status != 200:
                raise FetchError(f"{location.url}: answered with status {response.status}")
            return await _read(location, response, accepts, limit)

    async def _load(self) -> None:
        if not self._loaded:
            await asyncio.to_thread(import_module, "fetching.network")
            self._loaded = True

    @asynccontextmanager
    async def _sent(
        self,
        method: str,
        location: Location,
        headers: list[tuple[bytes, bytes]],
        body: AsyncIterator[bytes] | bytes | None = None,
        step_seconds: float | None = None,
        line: Line | None = None,
    ) -> AsyncIterator[httpcore2.Response]:
        """The answer to one request, while its connection is open."""
        await self._load()
        import httpcore2

        from fetching.network import CheckedNetwork, LineNetwork

        if self._tls is None and location.scheme == "https":
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        # Without a line a pool of its own: no connection is used for a host that was checked long
        # ago.
        pool = None if line is None else line.pool
        if pool is None:
            network = CheckedNetwork(self._allowance, self._resolve)
            pool = httpcore2.AsyncConnectionPool(
                ssl_context=self._tls,
                network_backend=network if line is None else LineNetwork(network),
                max_connections=1,
                retries=0,
                keepalive_expiry=LINE_SECONDS,
            )
        if line is not None:
            line.pool = pool
        async with (
            pool if line is None else nullcontext(),
            pool.stream(
                method,
                _url(location),
                headers=headers,
                content=body,
                extensions={
                    "timeout": dict.fromkeys(_STEPS, step_seconds or self.limits.step_seconds)
                },
            ) as response,
        ):
            yield response


class _CallersError(Exception):
    """An error of whoever reads an answer, on its way past those of the connection."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error


@contextmanager
def _callers_errors() -> Iterator[None]:
    try:
        yield
    except _CallersError as passed:
        raise passed.error from None


async def _chunks(
    response: httpcore2.Response, location: Location, seconds: float, limit: int
) -> AsyncIterator[bytes]:
    """The body; what goes wrong with it is a failure of the connection."""
    with _failures(location, seconds, limit):
        async for chunk in response.aiter_stream():
            yield chunk


@contextmanager
def _failures(location: Location, seconds: float, limit: int) -> Iterator[None]:
    """Raise failures of the connection as FetchError."""
    try:
        yield
    except TimeoutError as error:
        raise FetchTimeoutError(f"{location.url}: took longer than {seconds:g} seconds") from error
    except TooMuch as error:
        raise FetchError(f"{location.url}: has more than {limit} bytes") from error
    except OSError as error:
        raise FetchError(f"{location.url}: cannot be reached: {error}") from error
    except Exception as error:
        import httpcore2

        if isinstance(error, httpcore2.TimeoutException):
            raise FetchTimeoutError(f"{location.url}: did not answer in time") from error
        if isinstance(error, httpcore2.NetworkError):
            raise FetchError(f"{location.url}: cannot be reached: {error}") from error
        if isinstance(error, httpcore2.ProtocolError | httpcore2.UnsupportedProtocol):
            raise FetchError(f"{location.url}: gave no valid HTTP answer: {error}") from error
        raise


_STEPS = ("connect", "read", "write", "pool")


def _url(location: Location) -> httpcore2.URL:
    import httpcore2

    return httpcore2.URL(
        scheme=location.scheme.encode(),
        host=location.host.encode(),
        port=location.port,
        target=location.target.encode(),
    )


def _headers(location: Location) -> list[tuple[bytes, bytes]]:
    return [*_plain_headers(location), (b"Accept-Encoding", ACCEPTED.encode())]


def _plain_headers(location: Location, *, closes: bool = True) -> list[tuple[bytes, bytes]]:
    """Without compressed answers."""
    headers = [
        (b"Host", location.authority.encode()),
        (b"User-Agent", USER_AGENT.encode()),
        (b"Accept", b"*/*"),
    ]
    return [*headers, (b"Connection", b"close")] if closes else headers


def _header(response: httpcore2.Response, name: bytes) -> str:
    for key, value in response.headers:
        if key.lower() == name:
            return value.decode("latin-1").strip()
    return ""


async def _read(
    location: Location,
    response: httpcore2.Response,
    accepts: Callable[[str], bool],
    limit: int,
) -> Fetched:
    content_type, charset, file_name = _described(response)
    if not accepts(content_type):
        raise FetchError(f"{location.url}: is {content_type or 'of no type'}, which is not wanted")
    length = _header(response, b"content-length")
    if length.isascii() and length.isdecimal() and int(length[:20]) > limit:
        raise TooMuch
    decoder = decoder_of(_header(response, b"content-encoding"), limit)
    received = 0
    async for chunk in response.aiter_stream():
        received += len(chunk)
        if received > limit:
            raise TooMuch
        decoder.feed(chunk)
    return Fetched(
        url=location.url,
        content_type=content_type,
        charset=charset,
        file_name=file_name,
        data=decoder.finish(),
        changed=_header(response, b"last-modified")[:100],
        entity_tag=_entity_tag(response),
    )


def _entity_tag(response: httpcore2.Response) -> str:
    tag = _header(response, b"etag")
    return tag if len(tag) <= TAG_LENGTH and _TAG.fullmatch(tag) else ""


def _described(response: httpcore2.Response) -> tuple[str, str | None, str | None]:
    """Media type, charset and file name, as far as the headers make sense."""
    header = Message()
    try:
        header["Content-Type"] = _header(response, b"content-type")
        header["Content-Disposition"] = _header(response, b"content-disposition")
        content_type = header.get_content_type() if header["Content-Type"] else ""
        return content_type, header.get_content_charset(), header.get_filename()
    except (ValueError, LookupError, AttributeError, TypeError):
        # What the standard library makes of damaged parameters is not ours to rely on.
        return _header(response, b"content-type").partition(";")[0].strip().lower(), None, None
