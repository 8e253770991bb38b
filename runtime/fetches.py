"""Fetches of scripts: the guarded client sends them, after the script's own rules were checked."""

import base64
from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from typing import Any

from fetching.client import Fetcher, Streamed
from fetching.decoding import ACCEPTED, TooMuch, decoder_of
from fetching.errors import FetchError
from fetching.locations import Location, read_location
from runtime import limits
from runtime.headers import OF_CONNECTIONS, checked_headers, of_request, without

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# What is no longer so of a body that was decoded.
_CODED = OF_CONNECTIONS | {"content-encoding"}
# Headers of a request with a body, which a redirect to GET has no more.
_OF_BODIES = frozenset({"content-type", "content-encoding", "content-language"})


def origin_of(location: Location) -> str:
    """The origin of a URL, as it stands in lists of allowed ones."""
    return f"{location.scheme}://{location.authority}"


class Fetches:
    """The fetches of one event: counted, and bounded in what they bring."""

    def __init__(
        self, fetcher: Fetcher, origins: Collection[str] | None, *, seconds: float,
        most: int = limits.FETCHED_BYTES,
    ) -> None:  # fmt: skip
        """`most` bytes come of all of them."""
        self._fetcher = fetcher
        self._origins = origins
        self._seconds = seconds
        self._left = most
        self.count = 0

    async def fetch(self, details: Any) -> dict[str, Any]:
        """What the script gets for one fetch: an answer, or an `error`."""
        self.count += 1
        if self.count > limits.FETCHES:
            return {"error": f"an event may fetch {limits.FETCHES} times at most"}
        try:
            return await self._follow(details)
        except (ValueError, TypeError, KeyError) as error:
            return {"error": str(error) or "the request is not valid"}

    async def _follow(self, details: Any) -> dict[str, Any]:
        method, redirect = str(details["method"]), details["redirect"]
        headers = checked_headers(details["headers"])
        body = None if details["body"] is None else base64.b64decode(details["body"])
        if not method.isascii() or not method.replace("-", "").isalpha():
            raise ValueError("the method is not valid")
        first = location = read_location(str(details["url"]).partition("#")[0])
        for step in range(limits.REDIRECTS + 1):
            self._check(location)
            same = origin_of(location) == origin_of(first)
            sending = [*of_request(headers, same_origin=same), ("accept-encoding", ACCEPTED)]
            async with self._sent(method, location, sending, body) as answer:
                if answer.status not in _REDIRECTS or not answer.redirect or redirect == "manual":
                    return await self._read(method, location, answer, redirected=step > 0)
                if redirect == "error":
                    raise FetchError(f"{location.url}: redirects, which the script does not want")
            location = location.follow(answer.redirect)
            if (answer.status == 303 and method != "HEAD") or (
                answer.status in (301, 302) and method == "POST"
            ):
                method, body, headers = "GET", None, without(headers, _OF_BODIES)
        raise FetchError(f"{first.url}: more than {limits.REDIRECTS} redirects")

    def _check(self, location: Location) -> None:
        if self._origins is not None and origin_of(location) not in self._origins:
            raise FetchError(f"{origin_of(location)}: the integration may not fetch from there")

    def _sent(
        self, method: str, location: Location, headers: list[tuple[str, str]], body: bytes | None
    ) -> AbstractAsyncContextManager[Streamed]:
        return self._fetcher.streamed(method, location, headers, body, seconds=self._seconds)

    async def _read(
        self, method: str, location: Location, answer: Streamed, *, redirected: bool
    ) -> dict[str, Any]:
        headers = dict(answer.headers)
        limit = min(limits.FETCH_BYTES, self._left)
        decoder = decoder_of(headers.get("content-encoding", ""), limit)
        # An answer without a body has a coding, too, when it is one to HEAD.
        empty = True
        try:
            async for chunk in answer.chunks:
                decoder.feed(chunk)
                empty = False
            data = b"" if empty else decoder.finish()
        except TooMuch as error:
            raise FetchError(f"{location.url}: has more than {limit} bytes") from error
        self._left -= len(data)
        return {
            "status": answer.status,
            "url": location.url,
            "redirected": redirected,
            "headers": without(answer.headers, _CODED),
            "body": base64.b64encode(data).decode(),
        }
