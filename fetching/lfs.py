"""Objects of Git LFS: asked for by the batch interface of a repository, sent one by one.

https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md; `basic` transfers alone. What a
server names to fetch from, or to send to, is somebody else's address: it is reached through the
guarded client, gets the headers that the server gives for it, and the credentials of the
repository on the repository's own server alone. Such addresses hold keys, so no message has them.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fetching.client import Fetcher
from fetching.errors import FetchError, FetchTimeoutError
from fetching.git import MOST_REDIRECTS, STEP_SECONDS, Remote
from fetching.locations import Location, read_location
from fetching.several import some_at_once

_JSON = "application/vnd.git-lfs+json"
# Objects of one request, and bytes of its answer.
AT_ONCE, ANSWER_BYTES = 100, 2_000_000
# Bytes of a body that are sent in one step.
_PIECE = 1_000_000
_HEADERS, _HEADER_LENGTH = 20, 8_192
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# They belong to connections and to bodies, which are ours.
_OURS = frozenset({"host", "connection", "content-length", "transfer-encoding", "te", "upgrade",
                   "trailer", "expect", "keep-alive", "proxy-authorization"})  # fmt: skip
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class LargeError(FetchError):
    """What is wrong with an object, or with the server that has it, in words without addresses."""


@dataclass(frozen=True, slots=True)
class Large:
    """An object: the SHA-256 of its bytes in hex, and their number."""

    oid: str
    size: int


@dataclass(frozen=True, slots=True)
class _Action:
    """A request that the server asks for."""

    location: Location
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LargeObjects:
    """The objects of one repository for one operation; `http` where it may be reached by that."""

    fetcher: Fetcher
    remote: Remote
    ref: str
    seconds: float
    http: bool = False

    async def fetch(self, objects: Iterable[Large], folder: Path) -> dict[str, str]:
        """Bring objects into a folder, under their ids; what is wrong with those that have not
        come, by id. OSError where the folder cannot keep one."""
        problems: dict[str, str] = {}
        missing = {large.oid: large for large in objects}

        async def bring(large: Large) -> None:
            try:
                action = actions[large.oid].get("download")
                if action is None:
                    raise LargeError("the server names no place to fetch it from")
                await self._download(large, action, folder / large.oid)
            except FetchError as error:
                problems[large.oid] = str(error)
            del missing[large.oid]

        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                for part in _parts(list(missing.values())):
                    actions, failed = await self._asked("download", part)
                    problems |= failed
                    for oid in failed:
                        del missing[oid]
                    await some_at_once(bring, [large for large in part if large.oid in missing])
        for oid in missing:
            (folder / oid).unlink(missing_ok=True)
        return problems | dict.fromkeys(missing, f"it has not come within {self.seconds:g} seconds")

    async def send(self, objects: Sequence[Large], read: Callable[[str], bytes]) -> None:
        """Give the server what it does not have of these objects, one after the other; LargeError,
        which begins with the id of the object, where it does not take large."""
        for part in _parts(objects):
            actions, failed = await self._asked("upload", part)
            for oid, problem in failed.items():
                raise LargeError(f"{oid}: {problem}")
            for large in part:
                upload, verify = (actions[large.oid].get(name) for name in ("upload", "verify"))
                try:
                    if upload is not None:
                        body = await asyncio.to_thread(read, large.oid)
                        kind = {"Content-Type": "application/octet-stream"}
                        await self._request("PUT", upload, kind, body)
                    if upload is not None and verify is not None:
                        said = json.dumps({"oid": large.oid, "size": large.size}).encode()
                        kind = {"Content-Type": _JSON, "Accept": _JSON}
                        await self._request("POST", verify, kind, said)
                except FetchError as error:
                    raise LargeError(f"{large.oid}: {error}") from error

    async def _asked(
        self, operation: str, objects: Sequence[Large]
    ) -> tuple[dict[str, dict[str, _Action]], dict[str, str]]:
        """What the server asks to be done with objects, and what is wrong with others, by id."""
        try:
            answer = await self._batch(operation, objects)
        except FetchError as error:
            return {}, {large.oid: str(error) for large in objects}
        actions: dict[str, dict[str, _Action]] = {}
        problems = {large.oid: "the server says nothing of it" for large in objects}
        listed = answer.get("objects")
        for item in listed if isinstance(listed, list) else ():
            oid = item.get("oid") if isinstance(item, dict) else None
            if not isinstance(oid, str) or oid not in problems:
                continue
            try:
                actions[oid] = self._actions(item)
                problems.pop(oid)
            except LargeError as error:
                problems[oid] = str(error)
        return actions, problems

    async def _batch(self, operation: str, objects: Sequence[Large]) -> dict[str, Any]:
        body = {
            "operation": operation, "transfers": ["basic"], "ref": {"name": self.ref},
            "objects": [{"oid": large.oid, "size": large.size} for large in objects],
            "hash_algo": "sha256",
        }  # fmt: skip
        path = self.remote.location.target.rstrip("/")
        path = path if path.endswith(".git") else f"{path}.git"
        location = replace(self.remote.location, target=f"{path}/info/lfs/objects/batch")
        headers = {"Accept": _JSON, "Content-Type": _JSON}
        if self.remote.authorization is not None:
            headers["Authorization"] = self.remote.authorization
        data = bytearray()
        async with self.fetcher.streamed(
            "POST", location, headers, json.dumps(body).encode(), seconds=self.seconds,
            step_seconds=STEP_SECONDS,
        ) as answer:  # fmt: skip
            if answer.status != 200:
                raise LargeError(f"the server of large files answers with status {answer.status}")
            async for chunk in answer.chunks:
                data += chunk
                if len(data) > ANSWER_BYTES:
                    raise LargeError("the server of large files says too much")
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or value.get("transfer", "basic") != "basic":
            raise LargeError("the server of large files does not answer with its protocol")
        return value

    def _actions(self, item: Mapping[str, Any]) -> dict[str, _Action]:
        error = item.get("error")
        if isinstance(error, dict):
            reasons = {404: "the server does not have it", 410: "its owner has removed it"}
            code = error.get("code")
            reason = reasons.get(code) if isinstance(code, int) else None
            raise LargeError(reason or f"the server refuses it with code {str(code)[:20]}")
        actions = item.get("actions") or {}
        authenticated = item.get("authenticated") is True
        read = {}
        for name in ("download", "upload", "verify"):
            action = actions.get(name) if isinstance(actions, dict) else None
            if isinstance(action, dict):
                read[name] = self._action(action, authenticated)
        return read

    def _action(self, action: Mapping[str, Any], authenticated: bool) -> _Action:
        try:
            location = read_location(str(action.get("href")))
        except FetchError as error:
            raise LargeError("the server names an address that is none") from error
        if location.scheme == "http" and not self.http:
            raise LargeError("its address is http, which is not allowed on this server")
        named = action.get("header") or {}
        headers = {}
        for name, value in named.items() if isinstance(named, dict) else ():
            if not _HEADER.fullmatch(name) or name.lower() in _OURS:
                continue
            if not isinstance(value, str) or not _VALUE.fullmatch(value):
                raise LargeError(f"the server gives a header {name[:50]!r} that cannot be sent")
            headers[name] = value
        if len(headers) > _HEADERS or sum(map(len, headers.values())) > _HEADER_LENGTH:
            raise LargeError("the server gives too many headers for it")
        own = self.remote.authorization
        is_named = any(name.lower() == "authorization" for name in headers)
        is_own = _server(location) == _server(self.remote.location)
        if own is not None and is_own and not is_named and not authenticated:
            headers["Authorization"] = own
        return _Action(location, headers)

    async def _download(self, large: Large, action: _Action, file: Path) -> None:
        location, headers = action.location, action.headers
        for _ in range(MOST_REDIRECTS + 1):
            with _Words(location):
                async with self.fetcher.streamed(
                    "GET", location, headers, seconds=self.seconds, step_seconds=STEP_SECONDS
                ) as answer:
                    if answer.status not in _REDIRECTS:
                        if answer.status != 200:
                            raise LargeError(f"its server answers with status {answer.status}")
                        await _write(large, answer.chunks, file)
                        return
                    there = location.follow(answer.redirect)
                    if there.scheme == "http" and not self.http:
                        raise LargeError("its address is http, which is not allowed")
                    # What is meant for one server is not sent to another.
                    headers = headers if _server(there) == _server(location) else {}
                    location = there
        raise LargeError(f"more than {MOST_REDIRECTS} redirects")

    async def _request(
        self, method: str, action: _Action, headers: Mapping[str, str], body: bytes
    ) -> None:
        there = {name.lower() for name in action.headers}
        more = {name: value for name, value in headers.items() if name.lower() not in there}
        more["Content-Length"] = str(len(body))
        with _Words(action.location):
            async with self.fetcher.streamed(
                method, action.location, {**more, **action.headers}, _pieces(body),
                seconds=self.seconds, step_seconds=STEP_SECONDS,
            ) as answer:  # fmt: skip
                if not 200 <= answer.status < 300:
                    raise LargeError(f"its server answers with status {answer.status}")


class _Words:
    """Failures of a request without the address, in which there may be keys."""

    def __init__(self, location: Location) -> None:
        self._location = location

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, LargeError) or not isinstance(error, FetchError):
            return
        slow = isinstance(error, FetchTimeoutError)
        what = "takes too long" if slow else "cannot be reached, or may not be"
        raise LargeError(f"{self._location.host} {what}") from None


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    """Each of which has the time of a step."""
    for at in range(0, len(body), _PIECE):
        yield body[at : at + _PIECE]


def _server(location: Location) -> tuple[str, str, int]:
    return location.scheme, location.host, location.port


def _parts(objects: Sequence[Large]) -> Iterable[Sequence[Large]]:
    return (objects[at : at + AT_ONCE] for at in range(0, len(objects), AT_ONCE))


async def _write(large: Large, chunks: Any, file: Path) -> None:
    """Write what comes into a file; LargeError unless it is the object."""
    digest, size = hashlib.sha256(), 0
    try:
        with await asyncio.to_thread(file.open, "wb") as out:
            async for chunk in chunks:
                size += len(chunk)
                if size > large.size:
                    raise LargeError(f"it has more than the {large.size} bytes that are named")
                digest.update(chunk)
                await asyncio.to_thread(out.write, chunk)
        if size != large.size or digest.hexdigest() != large.oid:
            raise LargeError("what has come is something else than what is named")
    except BaseException:
        file.unlink(missing_ok=True)  # noqa: ASYNC240 (also where the task is being cancelled)
        raise
