"""Fetching from a repository and pushing to it, as the steps of an operation."""

import asyncio
import json
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from content.errors import SourceError
from content.sources.commits import NewCommit, write_pack
from content.sources.pkt_lines import (
    Advertisement,
    fetch_request,
    push_command,
    push_problem,
    read_advertisement,
)
from content.sources.tree import SourceLimits
from fetching import git
from fetching.errors import FetchError
from fetching.git import FETCH, PUSH, Remote, read_remote
from fetching.lfs import LargeObjects
from jobs.git.cache import Clone
from jobs.processes import process_of
from resolvers.core.errors import PreconditionFailed
from resolvers.core.installation import GitAccess
from resolvers.git.records import Request

MEGABYTE = 1_000_000
# What the process that takes a pack may use.
PROCESS_SECONDS, PROCESS_MEGABYTES = 300, 4_000
# Branches that an error names.
MOST_NAMED = 20
LIMITS = SourceLimits(max_total_bytes=2 * 1024 * MEGABYTE, max_files=100_000)


class RefusedPush(PreconditionFailed):
    """The server has refused a push: somebody else was faster, or the branch is protected."""


class LostPush(PreconditionFailed):
    """A push without an answer: the server may have taken it."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with what it says of itself."""

    remote: Remote
    advertisement: Advertisement

    def commit_of(self, ref: str) -> str:
        """The commit that a ref points to; PreconditionFailed names the branches otherwise."""
        oid = self.advertisement.refs.get(ref)
        if oid is not None:
            return oid
        names = sorted(name for name in self.advertisement.refs if name.startswith("refs/heads/"))
        more = len(names) - MOST_NAMED
        listed = ", ".join([*names[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])
        has = f"it has: {listed}" if names else "it is empty"
        raise PreconditionFailed(f"the repository has no {ref}; {has}")


class RemoteGit:
    """The repository of one operation; its credentials are here and nowhere else."""

    def __init__(self, access: GitAccess, request: Request, credentials: str | None) -> None:
        self._access = access
        url = request.url
        if credentials is not None:
            scheme, separator, rest = url.partition("://")
            url = f"{scheme}{separator}{credentials}@{rest}"
        self._remote = read_remote(url)
        # Where it is after redirects, once it was looked at.
        self._there = self._remote
        self._ref = request.ref

    def large_objects(self) -> LargeObjects:
        """What Git LFS keeps for it."""
        access = self._access
        return LargeObjects(access.fetcher, self._there, self._ref, access.seconds, access.http)

    async def look(self, service: str = FETCH) -> Repository:
        """What the repository says of itself; PreconditionFailed says what is wrong with it."""
        with _words():
            remote, data = await git.advertised(
                self._access.fetcher, self._remote, service, seconds=self._access.seconds
            )
            if remote.location.scheme == "http" and not self._access.http:
                raise SourceError(f"{remote.url}: http is not allowed on this server")
            read = await asyncio.to_thread(read_advertisement, data, service)
            self._there = remote
        return Repository(remote, read)

    async def fetch(
        self, repository: Repository, clone: Clone, oid: str, limits: SourceLimits = LIMITS
    ) -> None:
        """Bring a commit with all that it needs into a clone, as far as it is not there."""
        tips = await asyncio.to_thread(clone.tips)
        if oid in tips:
            return
        with _words():
            body = fetch_request(oid, tips, repository.advertisement.capabilities)
            response = clone.folder / "response"
            try:
                await git.fetched(
                    self._access.fetcher, repository.remote, body, response,
                    max_bytes=self._access.megabytes * MEGABYTE, seconds=self._access.seconds,
                )  # fmt: skip
                await _add_pack(response, clone.objects, limits)
                if not await asyncio.to_thread(clone.holds, oid):
                    raise SourceError("the server has not sent the commit that it names")
            finally:
                await asyncio.to_thread(response.unlink, missing_ok=True)
        await asyncio.to_thread(clone.add_tip, oid)

    async def push(
        self, repository: Repository, commit: NewCommit, old: str | None, ref: str
    ) -> None:
        """Move a branch from one commit to a new one on top of it; RefusedPush when it is elsewhere
        by now, LostPush when nobody knows whether it has moved."""
        with tempfile.TemporaryDirectory(prefix="docstead-push-") as folder:
            pack = Path(folder) / "pack"
            await asyncio.to_thread(_write, pack, commit)
            with _words():
                command = push_command(old, commit.oid, ref, repository.advertisement.capabilities)
            try:
                report = await git.pushed(
                    self._access.fetcher, repository.remote, command, pack,
                    seconds=self._access.seconds,
                )  # fmt: skip
            except git.RemoteError as error:
                raise RefusedPush(f"url: {error}") from error
            except FetchError as error:
                raise LostPush(f"url: {error}") from error
        with _words():
            problem = await asyncio.to_thread(push_problem, report, ref)
        if problem is not None:
            raise RefusedPush(f"the repository refuses the push to {ref}: {problem}")

    async def look_to_push(self) -> Repository:
        """What the repository says to whoever pushes."""
        return await self.look(PUSH)


def _write(file: Path, commit: NewCommit) -> None:
    with file.open("wb") as out:
        write_pack(out, commit.objects)


async def _add_pack(response: Path, objects: Path, limits: SourceLimits) -> None:
    """Check the pack of a response and add it, in a process of its own; SourceError otherwise, and
    OSError where it cannot be kept."""
    arguments = [response, objects, PROCESS_SECONDS, PROCESS_MEGABYTES, limits.max_file_bytes,
                 2 * limits.max_total_bytes]  # fmt: skip
    async with process_of(
        "content.sources.packs", *map(str, arguments), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
    ) as process:
        async with asyncio.timeout(2 * PROCESS_SECONDS):
            output, _ = await process.communicate()
    if process.returncode != 0:
        raise SourceError("the pack of the repository takes too long or too much memory to read")
    answer = json.loads(output)
    if "errno" in answer:
        raise OSError(answer["errno"], "the pack of the repository cannot be kept")
    if "problem" in answer:
        raise SourceError(str(answer["problem"]))


@contextmanager
def _words() -> Iterator[None]:
    """Raise what is wrong with a repository as an error of the operation."""
    try:
        yield
    except (FetchError, SourceError) as error:
        raise PreconditionFailed(str(error)) from error
