"""Committed Git trees as a source: checkouts, bare repositories and bundles.

Only objects are read. The work tree, filters, hooks and attributes of a repository never take part.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from dulwich.bundle import Bundle, read_bundle
from dulwich.errors import (
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    ObjectFormatException,
)
from dulwich.objects import Commit, ObjectID, ShaFile, Tag, Tree
from dulwich.pack import MemoryPackIndex, Pack, PackData, PackIndexEntry
from dulwich.refs import Ref
from dulwich.repo import Repo

from content.errors import SourceError, UnsafePathError
from content.sources.pack_limits import check_pack, read_limited
from content.sources.tree import (
    CommitInfo,
    LimitCounter,
    SourceEntry,
    SourceLimits,
    SourceTree,
    check_case,
    check_path,
)

BUNDLE_MAGIC = b"# v"
_HEAD = Ref(b"HEAD")
_BRANCHES = b"refs/heads/"

GetObject = Callable[[ObjectID], ShaFile]


@contextmanager
def _git_errors(place: str) -> Iterator[None]:
    """Whatever broken Git data makes the library raise becomes one `SourceError`."""
    try:
        yield
    except SourceError:
        raise
    except KeyError as error:
        raise SourceError(f"{place}: the Git object {error} is missing") from error
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
    with _git_errors(str(path)):
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
            return _open_commit(
                name, repository.get_object, oid, ref, limits, repository.close, place=str(path)
            )
        except BaseException:
            repository.close()
            raise


def open_bundle(path: Path, limits: SourceLimits) -> SourceTree:
    """The tree of the branch that a `.bundle` file has checked out.

    That is HEAD when the bundle names it, else `main`, else `master`, else the only branch.
    """
    with _git_errors(str(path)):
        with path.open("rb") as file:
            content = read_limited(file, limits.max_total_bytes)
        pack_start = content.find(b"\n\n") + 2
        if not content.startswith(BUNDLE_MAGIC) or pack_start == 1:
            raise SourceError(f"{path}: is not a Git bundle")
        check_pack(
            content[pack_start:],
            max_object_bytes=limits.max_file_bytes,
            max_total_bytes=2 * limits.max_total_bytes,
        )
        with read_bundle(BytesIO(content)) as bundle:
            del content
            return _open_read_bundle(bundle, path, limits)


def _open_read_bundle(bundle: Bundle, path: Path, limits: SourceLimits) -> SourceTree:
    if bundle.capabilities.get("object-format", "sha1") != "sha1":
        raise SourceError(f"{path}: bundles with SHA-256 objects are not supported")
    if bundle.prerequisites:
        raise SourceError(f"{path}: the bundle is incomplete, it needs commits it does not hold")
    ref, oid = _checked_out(bundle.references, path)
    data = bundle.pack_data
    if not isinstance(data, PackData):
        raise SourceError(f"{path}: the bundle holds no pack")
    found: list[PackIndexEntry] = sorted(data.iterentries())
    index = MemoryPackIndex(found, data.object_format, data.get_stored_checksum())
    pack = Pack.from_objects(data, index)
    # The pack now owns the data; the bundle must not close it on leaving its block.
    bundle.pack_data = None
    try:
        return _open_commit(
            path.name.removesuffix(".bundle"),
            pack.__getitem__,
            oid,
            ref,
            limits,
            pack.close,
            place=str(path),
        )
    except BaseException:
        pack.close()
        raise


def _checked_out(references: dict[Ref, ObjectID], path: Path) -> tuple[str | None, ObjectID]:
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


def _open_commit(
    name: str,
    get_object: GetObject,
    oid: ObjectID,
    ref: str | None,
    limits: SourceLimits,
    close: Callable[[], None],
    *,
    place: str,
) -> SourceTree:
    commit = get_object(oid)
    for _ in range(10):
        if not isinstance(commit, Tag):
            break
        commit = get_object(commit.object[1])
    if not isinstance(commit, Commit):
        raise SourceError(f"{place}: the branch does not point at a commit")
    blobs = dict(_walk(get_object, commit.tree, limits.max_files))
    counter = LimitCounter(limits)
    entries: dict[str, SourceEntry] = {}
    for path, blob in blobs.items():
        size = get_object(blob).raw_length()
        counter.add(path, size)
        entries[path] = SourceEntry(size, blob.decode())
    check_case(entries)

    def load(path: str) -> bytes:
        with _git_errors(place):
            return get_object(blobs[path]).as_raw_string()

    return SourceTree(name, entries, load, commit=_commit_info(commit, ref), close=close)


def _walk(get_object: GetObject, root: ObjectID, max_files: int) -> Iterator[tuple[str, ObjectID]]:
    """(path, blob id) of every regular file; links and submodules are passed over."""
    folders: list[tuple[str, ObjectID]] = [("", root)]
    opened = 0
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
            try:
                path = prefix + entry.path.decode("utf-8")
            except UnicodeDecodeError as error:
                shown = prefix + entry.path.decode("utf-8", "replace")
                raise UnsafePathError(f"{shown!r}: the path is not UTF-8") from error
            if S_ISDIR(entry.mode):
                check_path(path)
                folders.append((f"{path}/", entry.sha))
            elif S_ISREG(entry.mode):
                check_path(path)
                yield path, entry.sha


def _commit_info(commit: Commit, ref: str | None) -> CommitInfo:
    try:
        time = datetime.fromtimestamp(commit.commit_time, UTC)
    except (OverflowError, OSError, ValueError):
        time = datetime.fromtimestamp(0, UTC)
    return CommitInfo(
        oid=commit.id.decode(),
        message=commit.message.decode("utf-8", "replace"),
        time=time,
        ref=ref,
        author=commit.author.decode("utf-8", "replace"),
    )


def is_repository(path: Path) -> bool:
    """Whether the folder is a checkout (it has `.git`) or a bare repository."""
    if (path / ".git").exists():
        return True
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
