"""Git repositories of other servers over smart HTTP, through the guarded client.

Credentials are sent to the server that they were given for and to no other, and are in no address
and no message.
"""

import asyncio
import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from fetching.client import Fetcher
from fetching.errors import FetchError
from fetching.locations import Location, read_location

FETCH, PUSH = "git-upload-pack", "git-receive-pack"
# Bytes of what a repository says of its refs, and of the report of a push.
REFS_BYTES, REPORT_BYTES = 32_000_000, 1_000_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 5
_CHUNK = 1_000_000
# Servers are silent while they look for what to send, or check what they got.
STEP_SECONDS = 120.0
_CREDENTIALS_LENGTH = 4_096
_SCHEMES = ("http", "https")


class RemoteError(FetchError):
    """A repository that refuses: its server has answered, and says no."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository: where it is, and the value of the header Authorization, which is in no text."""

    location: Location
    authorization: str | None = None

    def __repr__(self) -> str:
        return f"Remote({self.location.url!r})"

    @property
    def url(self) -> str:
        """Its address without credentials."""
        return self.location.url

    def at(self, path: str) -> Location:
        """A place below it."""
        return replace(self.location, target=f"{self.location.target.rstrip('/')}/{path}")


def read_remote(url: str) -> Remote:
    """A repository by its clone URL, in which a user, a password or a token may stand.

    FetchError for what is no http or https URL; it names no credentials.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        raise FetchError("must be an http or https address of a Git repository")
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    if "?" in path or "#" in path or "?" in authority or "#" in authority:
        raise FetchError("must have no query and no fragment")
    location = read_location(f"{scheme}://{host}{slash}{path}")
    return Remote(location, _basic(user) if at else None)


def _basic(credentials: str) -> str:
    name, _, password = credentials.partition(":")
    text = f"{unquote(name)}:{unquote(password)}"
    if len(text) > _CREDENTIALS_LENGTH or not text.isprintable():
        raise FetchError("has credentials that are too long, or with control characters")
    return "Basic " + base64.b64encode(text.encode()).decode()


def credentials_of(url: str) -> str | None:
    """The credentials of a URL as they stand in it; None without any."""
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    return user if at else None


async def advertised(
    fetcher: Fetcher, remote: Remote, service: str, *, seconds: float
) -> tuple[Remote, bytes]:
    """What a repository says of itself, and where it is after redirects; RemoteError when it
    refuses, FetchError when it cannot be reached."""
    suffix = f"info/refs?service={service}"
    location = remote.at(suffix)
    for _ in range(MOST_REDIRECTS + 1):
        headers = {"Git-Protocol": "version=0"} | _authorization(remote)
        async with fetcher.streamed("GET", location, headers, seconds=seconds) as answer:
            if answer.status in _REDIRECTS:
                location = location.follow(answer.redirect)
                if not location.target.endswith(f"/{suffix}"):
                    raise RemoteError(f"{remote.url}: redirects to what is no repository")
                remote = _moved(remote, location, suffix)
                continue
            _check_status(remote, answer.status)
            if answer.content_type != f"application/x-{service}-advertisement":
                raise RemoteError(f"{remote.url}: is no Git repository with smart HTTP")
            data = bytearray()
            async for chunk in answer.chunks:
                data += chunk
                if len(data) > REFS_BYTES:
                    raise RemoteError(f"{remote.url}: names too many refs")
            return remote, bytes(data)
    raise RemoteError(f"{remote.url}: more than {MOST_REDIRECTS} redirects")


def _moved(remote: Remote, location: Location, suffix: str) -> Remote:
    """Where a repository is after a redirect; another server does not get the credentials."""
    base = replace(location, target=location.target.removesuffix(f"/{suffix}") or "/")
    old = remote.location
    same = (old.scheme, old.host, old.port) == (base.scheme, base.host, base.port)
    return Remote(base, remote.authorization if same else None)


def _authorization(remote: Remote) -> dict[str, str]:
    return {} if remote.authorization is None else {"Authorization": remote.authorization}


def _check_status(remote: Remote, status: int) -> None:
    if status == 200:
        return
    reasons = {
        401: "the credentials are missing or wrong",
        403: "the credentials do not allow this",
        404: "there is no such repository, or the credentials may not read it",
    }
    raise RemoteError(f"{remote.url}: {reasons.get(status, f'answered with status {status}')}")


async def fetched(
    fetcher: Fetcher, remote: Remote, body: bytes, file: Path, *, max_bytes: int, seconds: float
) -> None:
    """Write the answer to a fetch into a file; FetchError when it is larger or does not come."""
    async with fetcher.streamed(
        "POST",
        remote.at(FETCH),
        _posting(remote, FETCH),
        body,
        seconds=seconds,
        step_seconds=STEP_SECONDS,
    ) as answer:
        _check_answer(remote, answer.status, answer.content_type, FETCH)
        with await asyncio.to_thread(file.open, "wb") as out:
            await _write(out, answer.chunks, remote, max_bytes)


async def _write(
    out: BinaryIO, chunks: AsyncIterator[bytes], remote: Remote, max_bytes: int
) -> None:
    total, waiting = 0, bytearray()
    async for chunk in chunks:
        total += len(chunk)
        if total > max_bytes:
            raise RemoteError(
                f"{remote.url}: the repository has more than {max_bytes // 1_000_000} MB; the "
                "operator of the server may allow more with DOCSTEAD_GIT_MEGABYTES"
            )
        waiting += chunk
        if len(waiting) >= _CHUNK:
            await asyncio.to_thread(out.write, bytes(waiting))
            waiting.clear()
    await asyncio.to_thread(out.write, bytes(waiting))


async def pushed(
    fetcher: Fetcher, remote: Remote, command: bytes, pack: Path, *, seconds: float
) -> bytes:
    """The report of a push of a pack; RemoteError when the server refuses, FetchError without an
    answer: then it may have taken it all the same."""
    length = len(command) + (await asyncio.to_thread(pack.stat)).st_size
    headers = {**_posting(remote, PUSH), "Content-Length": str(length)}
    async with fetcher.streamed(
        "POST",
        remote.at(PUSH),
        headers,
        _body(command, pack),
        seconds=seconds,
        step_seconds=STEP_SECONDS,
    ) as answer:
        _check_answer(remote, answer.status, answer.content_type, PUSH)
        report = bytearray()
        async for chunk in answer.chunks:
            report += chunk
            if len(report) > REPORT_BYTES:
                raise RemoteError(f"{remote.url}: the report of the push is too long")
        return bytes(report)


async def _body(command: bytes, pack: Path) -> AsyncIterator[bytes]:
    yield command
    with await asyncio.to_thread(pack.open, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            yield chunk


def _posting(remote: Remote, service: str) -> dict[str, str]:
    return {"Content-Type": f"application/x-{service}-request"} | _authorization(remote)


def _check_answer(remote: Remote, status: int, content_type: str, service: str) -> None:
    _check_status(remote, status)
    if content_type != f"application/x-{service}-result":
        raise RemoteError(f"{remote.url}: did not answer with Git's protocol")
