"""Answers of published sites that are kept: what they are for, and until when they hold.

An answer is kept for what of a request it depends on (`RequestKey`), with the versions of what it
shows. It is given again while these are the versions of now, which is asked for each request: there
is no time in which an old page is shown. What is not the same for everybody with an equal key, or
may change without a version, is not kept (docs/sites.md, "Kept pages").
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from content.recent_cache import RecentCache
from published.visits import COOKIES, Visit
from resolvers.access.versions import Versions

K = TypeVar("K")
T = TypeVar("T")
# Bytes beside a body, and what codings of it take, as a part of it.
ENTRY, CODED = 2_000, 0.7
# An answer beyond this part of all memory is not kept, nor one with a longer key: whoever asks
# chooses that, and it has no weight of its own.
LARGEST = 8
KEY = 1_500
MARKDOWN = b"text/markdown"
NOT_MODIFIED = 304
OF_CONTENT = frozenset({b"content-length", b"content-type"})
RawHeaders = list[tuple[bytes, bytes]]
# In the order of `RequestHeaders`.
_READ = (b"cookie", b"accept", b"x-forwarded-host", b"if-none-match")
_ALL_READ = frozenset({b"cookie", b"if-none-match"})


@dataclass(frozen=True, slots=True)
class RequestKey:
    """All of a request for a published page that decides what the answer is."""

    # Scheme, host and path, as they were sent; without a query.
    origin: str
    path: bytes
    # Values that visitors say of themselves, as JSON. Signed ones are in no key.
    claims: bytes = b""
    # Of the query no more than whether there is one: it is in no page.
    has_query: bool = False
    forwarded_host: bytes = b""
    markdown: bool = False


@dataclass(frozen=True, slots=True)
class RequestHeaders:
    """The headers of a request that matter here."""

    cookie: bytes = b""
    accept: bytes = b""
    forwarded_host: bytes = b""
    if_none_match: bytes = b""

    @classmethod
    def of(cls, scope: Scope) -> RequestHeaders:
        """The headers of a request. Several of one name count as one where all of them are read
        for an answer; of the others the first, from which the answer is made."""
        values: dict[bytes, bytes | None] = dict.fromkeys(_READ)
        for name, value in scope["headers"]:
            if name in values:
                before = values[name]
                if before is None:
                    values[name] = value
                elif name in _ALL_READ:
                    values[name] = b"%b,%b" % (before, value)
        return cls(*(value or b"" for value in values.values()))

    @property
    def of_a_visitor(self) -> bool:
        """Whether cookies may say who asks."""
        return COOKIES in self.cookie


def key_of(
    scope: Scope, request_headers: RequestHeaders, origin: str, visit: Visit | None
) -> RequestKey | None:
    """The key of a request; None for one whose answer is not kept.

    `visit` is the request as it was read; it may be absent where there are neither a query nor
    cookies of visitors.
    """
    claims = b""
    if visit is not None:
        if visit.given_token or visit.tokens or visit.query_claims or visit.search is not None:
            return None
        if visit.claims:
            try:
                claims = orjson.dumps(visit.claims, option=orjson.OPT_SORT_KEYS)
            except orjson.JSONEncodeError:
                # Nested deeper than it can be written; no site takes such claims.
                return None
    path = scope.get("raw_path") or scope["path"].encode("utf-8", "replace")
    if len(origin) + len(path) + len(claims) + len(request_headers.forwarded_host) > KEY:
        return None
    return RequestKey(
        origin,
        path,
        claims,
        visit is not None and bool(visit.query),
        request_headers.forwarded_host,
        MARKDOWN in request_headers.accept,
    )


@dataclass(slots=True)
class KeptAnswer:
    """A page, a list or a redirect, and what it depends on."""

    status: int
    headers: RawHeaders
    body: bytes
    # Empty for redirects.
    tag: bytes
    versions: Versions
    # In seconds since 1970, when addresses in it end; None for what has none.
    ends: float | None = None
    # Site and page, of what counts as a view.
    viewed: tuple[str, str] | None = None
    # The body in the codings that were asked for.
    codings: dict[str, bytes] = field(default_factory=dict)

    def weight(self) -> int:
        """About how many bytes it takes, with its codings."""
        return ENTRY + int(len(self.body) * (1 + CODED))

    def answer(self, request_headers: RequestHeaders) -> KeptResponse:
        """The answer to one request."""
        return KeptResponse(self, is_known=_names(request_headers.if_none_match, self.tag))


def _names(if_none_match: bytes, tag: bytes) -> bool:
    if not if_none_match or not tag:
        return False
    named = {value.strip().removeprefix(b"W/") for value in if_none_match.split(b",")}
    return tag in named or b"*" in named


@dataclass(frozen=True, slots=True)
class KeptResponse:
    """An ASGI application that sends a kept answer, or that the client has it."""

    kept: KeptAnswer
    is_known: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, body, codings = self.kept.headers, self.kept.body, self.kept.codings
        if self.is_known:
            headers = [header for header in headers if header[0] not in OF_CONTENT]
            await send({"type": "http.response.start", "status": NOT_MODIFIED, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        # Whoever codes the body takes it from there, or puts it there.
        coded = {"codings": codings}
        status = self.kept.status
        start = {"type": "http.response.start", "status": status, "headers": list(headers)}
        await send(start | coded)
        await send({"type": "http.response.body", "body": body} | coded)


class RenderedPages:
    """The kept answers of one process, as many as fit into so many bytes."""

    def __init__(self, limit: int, now: Callable[[], float]) -> None:
        self._now = now
        self.cache: RecentCache[RequestKey, KeptAnswer] = RecentCache(
            limit, KeptAnswer.weight, limit // LARGEST
        )
        self.flights: Flights[RequestKey, Response | KeptAnswer] = Flights()

    def get(self, key: RequestKey) -> KeptAnswer | None:
        """The answer of a key, of which nobody has said yet that it still holds."""
        answer = self.cache.get(key)
        if answer is not None and answer.ends is not None and answer.ends <= self._now():
            self.cache.discard(key)
            return None
        return answer

    def put(self, key: RequestKey, answer: KeptAnswer) -> None:
        """Keep an answer in place of the one that was kept."""
        self.cache.discard(key)
        self.cache.put(key, answer)

    def __len__(self) -> int:
        return len(self.cache)


class Flights(Generic[K, T]):
    """Work that several wait for, by key; it ends when none of them waits any more."""

    def __init__(self) -> None:
        self._tasks: dict[K, tuple[asyncio.Task[T], int]] = {}

    def __contains__(self, key: K) -> bool:
        return key in self._tasks

    async def join(self, key: K, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The outcome of the work for a key, which is begun unless it is under way."""
        task, waiting = self._tasks.get(key) or (asyncio.create_task(begin()), 0)
        self._tasks[key] = task, waiting + 1
        try:
            return await asyncio.shield(task)
        finally:
            self._leave(key, task)

    def _leave(self, key: K, task: asyncio.Task[T]) -> None:
        entry = self._tasks.get(key)
        if entry is None or entry[0] is not task:
            return
        if entry[1] > 1:
            self._tasks[key] = task, entry[1] - 1
            return
        del self._tasks[key]
        if not task.done():
            task.cancel()
