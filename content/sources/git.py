"""Committed Git trees as a source: checkouts, bare repositories and bundles.

Only objects are read. The work tree, filters, hooks and attributes of a repository never take part.
The sizes in a pack are checked before anything of it is unpacked into memory.
"""

from __future__ import annotations

import datetime as dt
import mmap
import posixpath
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import BinaryIO

from dulwich.bundle import Bundle, read_bundle
from dulwich.errors import (
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    ObjectFormatException,
)
from dulwich.objects import Commit, ObjectID, Tag, Tree
from dulwich.pack import MemoryPackIndex, Pack, PackData, PackIndexEntry
from dulwich.refs import Ref
from dulwich.repo import Repo

from content.errors import SourceError, SourceLimitError
from content.sources.history import GetObject, change_times, message_of_commit
from content.sources.tree import (
    LINK,
    SUBMODULE,
    CommitInfo,
    LeftOut,
    LimitCounter,
    SourceEntry,
    SourceLimits,
    SourceTree,
)

_CHUNK = 65_536
_OFS_DELTA, _REF_DELTA = 6, 7


def check_pack(pack: bytes | mmap.mmap, *, max_object_bytes: int, max_total_bytes: int) -> None:
    """Walk all objects of `pack`, inflating in small steps and keeping nothing.

    Raises `SourceLimitError` when an object (deltas counted by their result) is too large or they
    inflate to too much together, `SourceError` when the pack is damaged. What all deltas result in
    is not bounded: versions of one long table of contents are many times what a tree may have.
    """
    if len(pack) < 32 or pack[:4] != b"PACK":
        raise SourceError("the bundle holds no Git pack")
    count = int.from_bytes(pack[8:12], "big")
    position, total = 12, 0
    try:
        for _ in range(count):
            position, size, inflated = _walk_object(pack, position, max_object_bytes)
            if size > max_object_bytes:
                raise SourceLimitError(
                    f"the bundle holds an object of {size} bytes, at most {max_object_bytes}"
                    " are allowed"
                )
            total += inflated
            if total > max_total_bytes:
                raise SourceLimitError(f"the bundle unpacks to more than {max_total_bytes} bytes")
    except (IndexError, zlib.error) as error:
        raise SourceError(f"the pack in the bundle is damaged: {error}") from error


def _walk_object(pack: bytes | mmap.mmap, position: int, max_bytes: int) -> tuple[int, int, int]:
    """(position after the object, size once it is unpacked, bytes that it inflates to)."""
    byte = pack[position]
    position += 1
    kind, declared, shift = (byte >> 4) & 7, byte & 15, 4
    while byte & 0x80:
        byte = pack[position]
        position += 1
        declared |= (byte & 0x7F) << shift
        shift += 7
        if shift > 60:
            raise SourceError("the pack in the bundle is damaged: an object size is too long")
    if declared > max_bytes:
        return position, declared, 0
    if kind == _OFS_DELTA:
        while pack[position] & 0x80:
            position += 1
        position += 1
    elif kind == _REF_DELTA:
        position += 20
    inflate = zlib.decompressobj()
    produced, head = 0, b""
    while not inflate.eof:
        data = inflate.unconsumed_tail or pack[position : position + _CHUNK]
        if not inflate.unconsumed_tail:
            position += len(data)
        if not data:
            raise SourceError("the pack in the bundle is damaged: it ends within an object")
        output = inflate.decompress(data, _CHUNK)
        produced += len(output)
        if produced > declared:
            raise SourceError("the pack in the bundle is damaged: an object exceeds its size")
        if len(head) < 32:
            head += output[:32]
    position -= len(inflate.unused_data)
    if kind in (_OFS_DELTA, _REF_DELTA):
        return position, _delta_result_size(head), produced
    return position, produced, produced


def _delta_result_size(head: bytes) -> int:
    """The second of the two sizes at the head of a delta: that of the object it produces."""
    position, size = 0, 0
    for _ in range(2):
        size, shift = 0, 0
        while True:
            byte = head[position]
            position += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
    return size


def read_limited(file: BinaryIO, max_bytes: int) -> bytes:
    """The whole file, or `SourceLimitError` when it has more than `max_bytes`."""
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SourceLimitError(f"the bundle has more than {max_bytes} bytes")
    return data


BUNDLE_MAGIC = b"# v"
# Of a clone with a filter, or of one that is damaged.
PARTIAL = "the clone does not have all objects; fetch them first, without a filter"
_HEAD = Ref(b"HEAD")
_BRANCHES = b"refs/heads/"


@contextmanager
def git_errors(place: str) -> Iterator[None]:
    """Whatever broken Git data makes the library raise becomes one `SourceError`."""
    try:
        yield
    except SourceError:
        raise
    except KeyError as error:
        oid = error.args[0] if error.args else b""
        name = oid.decode("ascii", "replace") if isinstance(oid, bytes) else str(oid)
        raise SourceError(f"{place}: the Git object {name} is missing: {PARTIAL}") from error
    except (
        ApplyDeltaError,
        AssertionError,
        AttributeError,
        ChecksumMismatch,
        EOFError,
        FileFormatException,
        IndexError,
        NotGitRepository,
        NotImplementedError,
        ObjectFormatException,
        OSError,
        OverflowError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        problem = str(error) or type(error).__name__
        raise SourceError(f"{place}: cannot be read as Git data: {problem}") from error


def open_repository(path: Path, limits: SourceLimits) -> SourceTree:
    """The committed tree of HEAD of the checkout or bare repository at `path`."""
    with git_errors(str(path)):
        repository = Repo(str(path))
        try:
            try:
                followed, oid = repository.refs.follow(_HEAD)
            except KeyError:
                oid, followed = None, []
            if oid is None:
                raise SourceError(f"{path}: the repository has no commit on its current branch")
            ref = followed[-1].decode("utf-8", "replace") if len(followed) > 1 else None
            name = path.resolve().name.removesuffix(".git") or "Documentation"
            return open_commit(
                name, repository.get_object, oid, ref, limits, repository.close, place=str(path)
            )
        except BaseException:
            repository.close()
            raise


def open_bundle(path: Path, limits: SourceLimits, name: str | None = None) -> SourceTree:
    """The tree of the branch that a `.bundle` file has checked out; errors call it `name`.

    That is HEAD when the bundle names it, else `main`, else `master`, else the only branch.
    """
    place = str(path) if name is None else name
    with git_errors(place):
        with path.open("rb") as file:
            content = read_limited(file, limits.max_total_bytes)
        pack_start = content.find(b"\n\n") + 2
        if not content.startswith(BUNDLE_MAGIC) or pack_start == 1:
            raise SourceError(f"{place}: is not a Git bundle")
        check_pack(
            content[pack_start:],
            max_object_bytes=limits.max_file_bytes,
            max_total_bytes=2 * limits.max_total_bytes,
        )
        with read_bundle(BytesIO(content)) as bundle:
            del content
            return _open_read_bundle(bundle, place, limits)


def _open_read_bundle(bundle: Bundle, place: str, limits: SourceLimits) -> SourceTree:
    if bundle.capabilities.get("object-format", "sha1") != "sha1":
        raise SourceError(f"{place}: bundles with SHA-256 objects are not supported")
    if bundle.prerequisites:
        raise SourceError(f"{place}: the bundle is incomplete, it needs commits it does not hold")
    ref, oid = _checked_out(bundle.references, place)
    data = bundle.pack_data
    if not isinstance(data, PackData):
        raise SourceError(f"{place}: the bundle holds no pack")
    entries: list[PackIndexEntry] = sorted(data.iterentries())
    index = MemoryPackIndex(entries, data.object_format, data.get_stored_checksum())
    pack = Pack.from_objects(data, index)
    # The pack now owns the data; the bundle must not close it on leaving its block.
    bundle.pack_data = None
    try:
        return open_commit(
            posixpath.basename(place).removesuffix(".bundle"),
            pack.__getitem__,
            oid,
            ref,
            limits,
            pack.close,
            place=place,
        )
    except BaseException:
        pack.close()
        raise


def _checked_out(references: dict[Ref, ObjectID], path: str) -> tuple[str | None, ObjectID]:
    branches = {ref: oid for ref, oid in sorted(references.items()) if ref.startswith(_BRANCHES)}
    preferred = [Ref(_BRANCHES + b"main"), Ref(_BRANCHES + b"master")]
    head = references.get(_HEAD)
    if head is not None:
        same = [ref for ref in [*preferred, *branches] if branches.get(ref) == head]
        return (same[0].decode("utf-8", "replace") if same else None), head
    for ref in preferred:
        if ref in branches:
            return ref.decode(), branches[ref]
    if len(branches) != 1:
        names = ", ".join(ref.decode("utf-8", "replace") for ref in branches) or "none"
        raise SourceError(f"{path}: which branch is meant is unclear, the bundle has: {names}")
    ref, oid = next(iter(branches.items()))
    return ref.decode("utf-8", "replace"), oid


def open_commit(
    name: str,
    get_object: GetObject,
    oid: ObjectID,
    ref: str | None,
    limits: SourceLimits,
    close: Callable[[], None],
    *,
    place: str,
    size_of: Callable[[ObjectID], int] | None = None,
) -> SourceTree:
    """The tree of a commit, or of a tag of one, whose objects `get_object` finds; `size_of` gives
    sizes of blobs without reading them, where they are known."""
    commit = get_object(oid)
    for _ in range(10):
        if not isinstance(commit, Tag):
            break
        commit = get_object(commit.object[1])
    if not isinstance(commit, Commit):
        raise SourceError(f"{place}: the branch does not point at a commit")
    head = commit
    left_out = LeftOut()
    blobs = dict(_walk(get_object, commit.tree, limits.max_files, left_out))
    counter = LimitCounter(limits)
    entries: dict[str, SourceEntry] = {}
    for path, blob in blobs.items():
        with git_errors(f"{place}, {path}"):
            size = get_object(blob).raw_length() if size_of is None else size_of(blob)
        counter.add(path, size)
        entries[path] = SourceEntry(size, blob.decode())

    def load(path: str) -> bytes:
        with git_errors(f"{place}, {path}"):
            return get_object(blobs[path]).as_raw_string()

    def changed() -> dict[str, dt.datetime]:
        with git_errors(place):
            return change_times(get_object, head, blobs)

    info = CommitInfo(commit.id.decode(), message_of_commit(commit), ref)
    return SourceTree(
        name, entries, load, commit=info, changed=changed, close=close, left_out=left_out
    )


def _walk(
    get_object: GetObject, root: ObjectID, max_files: int, left_out: LeftOut
) -> Iterator[tuple[str, ObjectID]]:
    """(path, blob id) of every regular file; links, submodules and names that no path can have are
    left out."""
    folders: list[tuple[str, ObjectID]] = [("", root)]
    opened = others = 0
    while folders:
        prefix, oid = folders.pop()
        opened += 1
        if opened > max_files:
            # Few tree objects can name each other so often that the paths never end.
            raise SourceError(f"the Git tree has more than {max_files} folders")
        tree = get_object(oid)
        if not isinstance(tree, Tree):
            raise SourceError(f"{prefix or '/'}: is not a folder in the Git tree")
        for entry in tree.iteritems():
            if entry.path is None or entry.mode is None or entry.sha is None:
                continue
            # A byte that is no UTF-8 becomes a character that no path has.
            path = prefix + entry.path.decode("utf-8", "surrogateescape")
            if not S_ISDIR(entry.mode):
                others += 1
                if others > max_files:
                    # Before they are all listed: one folder of many can stand in many.
                    raise SourceLimitError(f"more than {max_files} files")
            if not left_out.is_usable(path):
                continue
            if S_ISDIR(entry.mode):
                folders.append((f"{path}/", entry.sha))
            elif S_ISREG(entry.mode):
                yield path, entry.sha
            else:
                left_out.note(path, LINK if S_ISLNK(entry.mode) else SUBMODULE)


def is_repository(path: Path) -> bool:
    """Whether the folder is a checkout (it has `.git`) or a bare repository."""
    if (path / ".git").exists():
        return True
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
