"""Fetching and pushing over a real server: what arrives, what is refused, and in which words."""

import asyncio
import datetime as dt
import os
import struct
import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dulwich.objects import ObjectID

from content.errors import SourceError
from content.sources.commits import NewCommit, Person, make_commit
from content.sources.git import open_commit
from content.sources.pkt_lines import FLUSH, line, ref_problem
from content.sources.tree import SourceLimits
from fetching.addresses import Allowance
from fetching.client import Fetcher
from fetching.errors import FetchError
from fetching.git import read_remote
from jobs.git.cache import Clone, CloneCache
from jobs.git.remote import LIMITS, RefusedPush, RemoteGit
from resolvers.core.errors import PreconditionFailed
from resolvers.core.installation import GitAccess
from resolvers.core.sealing import Sealer
from resolvers.git.records import Request
from tests.fetching.servers import answering, response
from tests.git.server import PASSWORD, USER, GitServer, git

MAIN = "refs/heads/main"
ADA = Person("Ada", "ada@example.com")
NOW = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)


def access(*ports: int, folder: Path, **options: Any) -> GitAccess:
    fetcher = Fetcher(Allowance(frozenset(("127.0.0.1", port) for port in ports)))
    options = {"http": True, "seconds": 20.0, **options}
    return GitAccess(fetcher, folder, Sealer(lambda: b"key"), **options)


def request(url: str) -> Request:
    return Request(url, MAIN, None, None, None, "", NOW, False, False, "")


@pytest.fixture
def name(running_git: GitServer) -> str:
    name = f"repo-{uuid4().hex}"
    running_git.make(name, {"README.md": "# Home\n", "a/b.md": "b\n"})
    return name


@pytest.fixture
async def clone(tmp_path: Path) -> AsyncIterator[Clone]:
    async with CloneCache(tmp_path / "clones", 100).clone("organization", "key", "url") as clone:
        yield clone


@pytest.fixture
def remote(running_git: GitServer, name: str, tmp_path: Path) -> RemoteGit:
    url = running_git.url(name, credentials=None)
    return RemoteGit(access(running_git.port, folder=tmp_path), request(url), f"{USER}:{PASSWORD}")


def read(clone: Clone, oid: str) -> dict[str, bytes]:
    objects = clone.open()
    try:
        tree = open_commit(
            "t", objects.__getitem__, ObjectID(oid.encode()), MAIN, LIMITS, lambda: None, place="t"
        )
        return {path: tree.read(path) for path in tree.paths()}
    finally:
        objects.close()


def commit(clone: Clone, tip: str | None, **files: bytes | None) -> NewCommit:
    objects = clone.open()
    try:
        changes = {path.replace("__", "/") + ".md": data for path, data in files.items()}
        made = make_commit(objects.__getitem__, tip, changes, "Change", ADA, NOW)
        assert made is not None
        return made
    finally:
        objects.close()


async def test_a_fetch_brings_what_is_new_alone(
    remote: RemoteGit, running_git: GitServer, name: str, clone: Clone
) -> None:
    repository = await remote.look()
    assert repository.advertisement.default_branch == MAIN
    first = repository.commit_of(MAIN)
    await remote.fetch(repository, clone, first)
    assert read(clone, first) == {"README.md": b"# Home\n", "a/b.md": b"b\n"}
    second = running_git.commit(name, {"a/b.md": "changed\n", "README.md": None})
    repository = await remote.look()
    await remote.fetch(repository, clone, second)
    assert read(clone, second) == {"a/b.md": b"changed\n"}
    packs = sorted(clone.objects.glob("pack/*.pack"))
    # The commit, two trees and a blob.
    assert sorted(struct.unpack(">I", pack.read_bytes()[8:12])[0] for pack in packs) == [4, 5]
    count = len(running_git.requests)
    await remote.fetch(repository, clone, second)
    assert len(running_git.requests) == count
    with pytest.raises(PreconditionFailed, match="has no refs/heads/other; it has: refs/heads/m"):
        repository.commit_of("refs/heads/other")


async def test_a_push_moves_a_branch_and_never_by_force(
    remote: RemoteGit, running_git: GitServer, name: str, clone: Clone
) -> None:
    repository = await remote.look()
    tip = repository.commit_of(MAIN)
    await remote.fetch(repository, clone, tip)
    ours = commit(clone, tip, a__b=b"ours\n", c__d__e=b"new\n", README=None)
    theirs = running_git.commit(name, {"x.md": "theirs\n"})
    pushing = await remote.look_to_push()
    with pytest.raises(RefusedPush):
        await remote.push(pushing, ours, tip, MAIN)
    assert running_git.tip(name) == theirs
    await remote.fetch(await remote.look(), clone, theirs)
    again = commit(clone, theirs, a__b=b"ours\n", c__d__e=b"new\n", README=None)
    await remote.push(pushing, again, theirs, MAIN)
    assert running_git.tip(name) == again.oid
    assert running_git.files(name) == {
        "a/b.md": b"ours\n", "c/d/e.md": b"new\n", "x.md": b"theirs\n",
    }  # fmt: skip
    git(running_git.folder / f"{name}.git", "fsck", "--strict")
    # A branch that is new, with a commit that stands on nothing.
    orphan = commit(clone, None, first=b"1\n")
    await remote.push(pushing, orphan, None, "refs/heads/orphan")
    assert running_git.files(name, "orphan") == {"first.md": b"1\n"}


async def test_a_commit_that_changes_nothing_is_none(
    remote: RemoteGit, running_git: GitServer, name: str, clone: Clone
) -> None:
    repository = await remote.look()
    tip = repository.commit_of(MAIN)
    await remote.fetch(repository, clone, tip)
    objects = clone.open()
    try:
        same = make_commit(
            objects.__getitem__, tip, {"a/b.md": b"b\n", "not/there.md": None}, "m", ADA, NOW
        )
        assert same is None
        for path in ("../out.md", "/etc/passwd", "a/../b", ".git/config", "a/.GIT/hooks/x", "a\\b"):
            with pytest.raises(SourceError):
                make_commit(objects.__getitem__, tip, {path: b"x"}, "m", ADA, NOW)
    finally:
        objects.close()


async def test_links_and_submodules_are_neither_read_nor_written_over(
    remote: RemoteGit, running_git: GitServer, name: str, clone: Clone
) -> None:
    bare = running_git.folder / f"{name}.git"
    link = git(bare, "hash-object", "-w", "--stdin", text="/etc/passwd")
    tip = running_git.tip(name)
    tree = "\n".join([
        git(bare, "ls-tree", "main"),
        f"120000 blob {link}\tevil.md",
        f"160000 commit {tip}\tmodule",
    ])  # fmt: skip
    oid = git(bare, "commit-tree", git(bare, "mktree", text=tree + "\n"), "-m", "Links")
    git(bare, "update-ref", MAIN, oid)
    await remote.fetch(await remote.look(), clone, oid)
    assert sorted(read(clone, oid)) == ["README.md", "a/b.md"]
    for path in ("evil", "module__x"):
        with pytest.raises(SourceError, match="a link, a submodule or a folder"):
            commit(clone, oid, **{path: b"x"})
    made = commit(clone, oid, README=b"# Other\n")
    await remote.push(await remote.look_to_push(), made, oid, MAIN)
    assert git(bare, "ls-tree", "main", "evil.md").startswith("120000")
    assert git(bare, "ls-tree", "main", "module").startswith("160000")


@pytest.mark.parametrize("credentials", [None, f"{USER}:wrong", "x-token"])
async def test_wrong_credentials_are_said_and_not_shown(
    running_git: GitServer, name: str, tmp_path: Path, credentials: str | None
) -> None:
    url = running_git.url(name, credentials=None)
    remote = RemoteGit(access(running_git.port, folder=tmp_path), request(url), credentials)
    with pytest.raises(PreconditionFailed, match="credentials are missing or wrong") as caught:
        await remote.look()
    assert "wrong@" not in str(caught.value)
    assert "x-token" not in str(caught.value)


async def test_private_addresses_are_not_connected_to(tmp_path: Path, name: str) -> None:
    async with answering(response(b"")) as canary:
        hidden = access(folder=tmp_path)
        for host in ("127.0.0.1", "localhost", "[::1]", "0x7f000001", "[::ffff:127.0.0.1]"):
            remote = RemoteGit(hidden, request(f"http://{host}:{canary.port}/r.git"), "a:b")
            with pytest.raises(PreconditionFailed):
                await remote.look()
        assert canary.connections == 0


async def test_redirects_are_checked_and_take_no_credentials_along(
    running_git: GitServer, name: str, tmp_path: Path
) -> None:
    suffix = "info/refs?service=git-upload-pack"
    async with answering(response(b"")) as canary:
        for target, permitted in (
            (f"http://127.0.0.1:{canary.port}/{name}.git/{suffix}", False),
            (f"http://127.0.0.1:{canary.port}/{name}.git/{suffix}", True),
            ("file:///etc/passwd", True),
            (f"http://127.0.0.1:{canary.port}/elsewhere", True),
        ):
            running_git.instead[f"/{name}.git/info/refs"] = (302, {"Location": target})
            ports = [running_git.port, *([canary.port] if permitted else [])]
            remote = RemoteGit(
                access(*ports, folder=tmp_path),
                request(running_git.url(name, credentials=None)),
                f"{USER}:{PASSWORD}",
            )
            with pytest.raises(PreconditionFailed):
                await remote.look()
        assert canary.connections == 1
        assert "authorization" not in canary.requests[0].lower()
    # Within one server they are followed, with the credentials.
    running_git.instead = {
        "/moved.git/info/refs": (
            301, {"Location": running_git.url(name, credentials=None) + f"/{suffix}"},
        ),
    }  # fmt: skip
    url = running_git.url("moved", credentials=None)
    remote = RemoteGit(
        access(running_git.port, folder=tmp_path), request(url), f"{USER}:{PASSWORD}"
    )
    assert (await remote.look()).commit_of(MAIN) == running_git.tip(name)


def advertisement(*lines: bytes) -> bytes:
    head = line(b"# service=git-upload-pack\n") + FLUSH
    return head + b"".join(line(part) for part in lines) + FLUSH


OID = b"1" * 40
CAPABILITIES = b"side-band-64k ofs-delta"
HOSTILE_REFS = {
    "not Git": b"<html>",
    "cut off": b"00ff# service=git-upload-pack\n",
    "no length": b"zzzz",
    "no commit": advertisement(b"nothing refs/heads/main\0caps"),
    "an error": advertisement(b"ERR go away\n"),
    "SHA-256": advertisement(OID + b" refs/heads/main\0object-format=sha256"),
    "too old": advertisement(OID + b" refs/heads/main\0"),
}


@pytest.mark.parametrize("kind", HOSTILE_REFS)
async def test_hostile_refs_are_refused_in_words(tmp_path: Path, clone: Clone, kind: str) -> None:
    refs = response(HOSTILE_REFS[kind], "Content-Type: application/x-git-upload-pack-advertisement")
    async with answering(refs) as server:
        remote = RemoteGit(access(server.port, folder=tmp_path), request(f"{server.url}r"), None)
        with pytest.raises(PreconditionFailed):
            await remote.fetch(await remote.look(), clone, OID.decode())


def pack(*objects: bytes, count: int | None = None) -> bytes:
    head = b"PACK" + struct.pack(">II", 2, len(objects) if count is None else count)
    return head + b"".join(objects) + b"\0" * 20


def blob(size: int, declared: int | None = None) -> bytes:
    declared = size if declared is None else declared
    head, rest = bytearray([0x30 | (declared & 15)]), declared >> 4
    while rest:
        head[-1] |= 0x80
        head.append(rest & 0x7F)
        rest >>= 7
    return bytes(head) + zlib.compress(b"\0" * size, 9)


def delta_chain(length: int) -> list[bytes]:
    """Each object copies the one before it twice, so that the last one is 2**length as large."""
    objects = [blob(65_536)]
    size = 65_536
    for _ in range(length):
        position = len(objects[-1])
        code = _size(size) + _size(2 * size) + 2 * (bytes([0x90 | 0x60 | 0x80, 0, 0, 1])[:4])
        data = zlib.compress(code)
        offset = bytes([position]) if position < 128 else _offset(position)
        objects.append(bytes([0x60 | (len(code) & 15)]) + offset + data)
        size *= 2
    return objects


def _size(value: int) -> bytes:
    out = bytearray()
    while True:
        out.append((value & 0x7F) | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def _offset(value: int) -> bytes:
    out = [value & 0x7F]
    value >>= 7
    while value:
        value -= 1
        out.append(0x80 | (value & 0x7F))
        value >>= 7
    return bytes(reversed(out))


def banded(data: bytes, channel: int = 1) -> bytes:
    parts = [data[start : start + 60_000] for start in range(0, len(data), 60_000)]
    return line(b"NAK\n") + b"".join(line(bytes([channel]) + part) for part in parts) + FLUSH


HOSTILE_PACKS = {
    "nothing": b"",
    "no pack": banded(b"nothing"),
    "refusal": line(b"ERR upload-pack: not our ref"),
    "fatal": banded(b"out of memory\x1b[2J", 3),
    "cut off": banded(pack(blob(100)))[:-60],
    "bomb": banded(pack(*(blob(1_000_000) for _ in range(30)))),
    "huge object": banded(pack(blob(3_000_000))),
    "declared larger": banded(pack(blob(10, declared=2**40))),
    "declared smaller": banded(pack(blob(2_000_000, declared=10))),
    "many objects": banded(pack(count=2**31)),
    "delta bomb": banded(pack(*delta_chain(12))),
    "checksum": banded(pack(blob(100))),
}


@pytest.mark.parametrize("kind", HOSTILE_PACKS)
async def test_hostile_packs_leave_nothing_in_a_clone(
    tmp_path: Path, clone: Clone, kind: str
) -> None:
    refs = advertisement(OID + b" refs/heads/main\0" + CAPABILITIES)

    async def answer(writer: asyncio.StreamWriter) -> None:
        get = server.requests[-1].startswith("GET")
        body = refs if get else HOSTILE_PACKS[kind]
        what = "advertisement" if get else "result"
        writer.write(response(body, f"Content-Type: application/x-git-upload-pack-{what}"))
        await writer.drain()

    limits = SourceLimits(max_file_bytes=2_500_000, max_total_bytes=10_000_000)
    async with answering(answer) as server:
        remote = RemoteGit(access(server.port, folder=tmp_path), request(f"{server.url}r"), None)
        repository = await remote.look()
        with pytest.raises(PreconditionFailed) as caught:
            await remote.fetch(repository, clone, OID.decode(), limits)
    assert "\x1b" not in str(caught.value)
    assert list(clone.objects.glob("pack/*")) == []
    assert clone.tips() == []
    assert not (clone.folder / "response").exists()


async def test_a_repository_beyond_the_limit_is_refused_by_its_size(
    running_git: GitServer, name: str, tmp_path: Path, clone: Clone
) -> None:
    import random

    running_git.commit(name, {"large.bin": random.Random(1).randbytes(1_200_000)})
    small = replace(access(running_git.port, folder=tmp_path), megabytes=1)
    url = running_git.url(name, credentials=None)
    remote = RemoteGit(small, request(url), f"{USER}:{PASSWORD}")
    repository = await remote.look()
    with pytest.raises(PreconditionFailed, match="more than 1 MB"):
        await remote.fetch(repository, clone, repository.commit_of(MAIN))


async def test_what_is_put_aside_goes_with_the_operation(tmp_path: Path) -> None:
    cache = CloneCache(tmp_path, 100)
    async with cache.clone("organization", "key", "url") as clone:
        with clone.aside() as folder:
            (Path(folder) / "large").write_bytes(b"x")
        assert not list(clone.folder.glob("aside-*"))
        # Of a process that was killed it is there.
        left = clone.folder / Path(folder).name
        left.mkdir()
        (left / "large").write_bytes(b"x")
    async with cache.clone("organization", "key", "url"):
        assert not left.exists()


async def test_clones_that_were_used_longest_ago_are_removed(tmp_path: Path) -> None:
    cache = CloneCache(tmp_path, 1)
    for number in range(3):
        async with cache.clone("organization", f"key {number}", "url") as clone:
            (clone.objects / "pack" / "pack-1.pack").write_bytes(b"x" * 600_000)
            (clone.objects / "pack" / "pack-1.idx").write_bytes(b"")
            clone.add_tip(f"{number}" * 40)
            os.utime(clone.folder, (number, number))
    async with cache.clone("organization", "key 0", "url") as used:
        # Whoever works with one keeps it.
        os.utime(used.folder, (0, 0))
        assert cache.trim() == 2
        assert used.has("0" * 40)
    async with cache.clone("organization", "key 2", "url") as other:
        assert (other.tips(), list(other.objects.glob("pack/*"))) == ([], [])
    async with cache.clone("elsewhere", "key 0", "url") as foreign:
        assert foreign.tips() == []


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc", "ssh://git@host/x", "git://host/x", "git@host:x.git", "/etc/passwd", "-u x",
        "--upload-pack=touch /tmp/x", "ext::sh -c id", "https://", "https://host/x?y=1",
        "https://host/x#y", "http://a b@host/x y", "https://u:s3cret\n@host/x", "",
    ],
)  # fmt: skip
def test_addresses_that_are_no_clone_urls_are_refused_without_their_secrets(url: str) -> None:
    with pytest.raises(FetchError) as caught:
        read_remote(url)
    assert "s3cret" not in str(caught.value)


def test_a_remote_shows_no_credentials() -> None:
    remote = read_remote("https://ada:s3cret%40@host.example/team/docs.git")
    assert remote.url == "https://host.example/team/docs.git"
    assert "s3cret" not in repr(remote)
    assert remote.authorization == "Basic YWRhOnMzY3JldEA="


@pytest.mark.parametrize(
    "ref",
    [
        "main", "refs/heads/", "refs/heads/-x", "refs/tags/v1", "refs/heads/a b", "refs/heads/a..b",
        "refs/heads/a\nb", "refs/heads/a\0report-status", "refs/heads/x.lock", "refs/heads/a~1",
        "refs/heads/" + "x" * 300, "--force", "refs/heads/a:refs/heads/b", "refs/heads/@{0}",
        "+refs/heads/main", "refs/heads/a/-b", "HEAD", "refs/heads/\ud800",
    ],
)  # fmt: skip
def test_refs_that_are_no_branches_are_refused(ref: str) -> None:
    assert ref_problem(ref) is not None


def test_branches_and_refs_of_pull_requests_are_taken() -> None:
    assert ref_problem("refs/heads/feature/größe") is None
    assert ref_problem("refs/pull/7/head") is not None
    assert ref_problem("refs/pull/7/head", branches_only=False) is None
