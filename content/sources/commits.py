"""Commits on top of others, made in memory: only what differs is written.

Nothing is checked out: trees are read and written as objects.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from stat import S_IFDIR, S_IFREG, S_ISDIR, S_ISREG
from typing import BinaryIO

from dulwich.object_format import SHA1
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree
from dulwich.pack import write_pack_objects

from content.errors import SourceError
from content.sources.history import GetObject
from content.sources.tree import check_path

_FILE = S_IFREG | 0o644
MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Person:
    """An author or committer, as commits name them."""

    name: str
    email: str

    @property
    def line(self) -> str:
        """As it stands in a commit; what would end the line is left out."""
        name, email = (
            "".join(char for char in text if char not in "<>\n\r\0" and char.isprintable()).strip()
            for text in (self.name, self.email)
        )
        return f"{name or 'Docstead'} <{email}>"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file whose blob is in the repository already: large ones need not be in memory at once."""

    oid: ObjectID


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A commit that is not in a repository yet, with all new objects that it needs."""

    oid: str
    objects: Sequence[ShaFile]
    # Ids of the blobs of files that it writes, by path.
    blobs: Mapping[str, str]


def make_commit(
    get_object: GetObject,
    tip: str | None,
    changes: Mapping[str, bytes | StoredFile | None],
    message: str,
    author: Person,
    when: dt.datetime,
    *,
    co_authors: Sequence[Person] = (),
    also_from: Sequence[str] = (),
    even_if_same: bool = False,
) -> NewCommit | None:
    """The commit on top of `tip` (None: the first one) in which files have these bytes, and those
    with None are gone. None when nothing would differ, unless it is wanted `even_if_same`.
    `also_from` are further parents.

    Files keep whether they are executable. SourceError where a path is no safe one, or where a
    link, a submodule or a folder stands in its place.
    """
    writer = _Writer(get_object)
    before = None
    if tip is not None:
        parent = get_object(ObjectID(tip.encode()))
        if not isinstance(parent, Commit):
            raise SourceError("the branch does not point at a commit")
        before = parent.tree
    for path in changes:
        check_path(path)
    tree = writer.tree(before, {path.encode(): data for path, data in changes.items()}, 0)
    if tree is None:
        empty = Tree()
        writer.objects[empty.id] = empty
        tree = empty.id
    if (tree == before or (before is None and not changes)) and not even_if_same:
        return None
    commit = Commit()
    commit.tree = tree
    commit.parents = [
        ObjectID(oid.encode()) for oid in (*(() if tip is None else (tip,)), *also_from)
    ]
    commit.author = commit.committer = author.line.encode()
    commit.author_time = commit.commit_time = int(when.timestamp())
    commit.author_timezone = commit.commit_timezone = 0
    commit.encoding = b"UTF-8"
    commit.message = message_of(message, co_authors).encode("utf-8", "replace")
    writer.objects[commit.id] = commit
    return NewCommit(
        commit.id.decode(),
        list(writer.objects.values()),
        {path.decode(): oid.decode() for path, oid in writer.blobs.items()},
    )


def message_of(message: str, co_authors: Sequence[Person]) -> str:
    """A message with one final newline, and a trailer for everybody else who has written it."""
    text = message.replace("\0", "").strip() or "Update"
    trailers = [f"Co-authored-by: {person.line}" for person in co_authors]
    return "\n\n".join([text, *(["\n".join(dict.fromkeys(trailers))] if trailers else [])]) + "\n"


def write_pack(file: BinaryIO, objects: Sequence[ShaFile]) -> None:
    """Write objects as a pack."""

    def write(data: bytes) -> None:
        file.write(data)

    write_pack_objects(write, objects, SHA1)


class _Writer:
    """Writes trees that differ from those that are there."""

    def __init__(self, get_object: Callable[[ObjectID], ShaFile]) -> None:
        self._get = get_object
        self.objects: dict[ObjectID, ShaFile] = {}
        self.blobs: dict[bytes, ObjectID] = {}

    def tree(
        self,
        oid: ObjectID | None,
        changes: Mapping[bytes, bytes | StoredFile | None],
        depth: int,
        at: bytes = b"",
    ) -> ObjectID | None:
        """The id of a tree with changes, by paths from it; None when it is empty."""
        if depth > MAX_DEPTH:
            raise SourceError(f"{at.decode('utf-8', 'replace')[:200]}: the path is too deep")
        tree = Tree()
        if oid is not None:
            old = self._get(oid)
            if not isinstance(old, Tree):
                raise SourceError("a folder of the repository is none")
            for entry in old.iteritems():
                if entry.path is not None and entry.mode is not None and entry.sha is not None:
                    tree.add(entry.path, entry.mode, entry.sha)
        below: dict[bytes, dict[bytes, bytes | StoredFile | None]] = {}
        files: dict[bytes, bytes | StoredFile] = {}
        for path, data in changes.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = data
            elif data is not None:
                files[name] = data
            elif name in tree and S_ISREG(tree[name][0]):
                del tree[name]
        # A file may take the place of a folder that these changes empty, and the reverse.
        for name, inner in below.items():
            self._put_folder(tree, name, inner, depth, at + name)
        for name, data in files.items():
            self._put_file(tree, name, data, at + name)
        if len(tree) == 0:
            return None
        if tree.id != oid:
            self.objects[tree.id] = tree
        return tree.id

    def _put_folder(
        self,
        tree: Tree,
        name: bytes,
        inner: dict[bytes, bytes | StoredFile | None],
        depth: int,
        path: bytes,
    ) -> None:
        old = None
        if name in tree:
            mode, old = tree[name]
            if not S_ISDIR(mode):
                if any(data is not None for data in inner.values()):
                    self._refuse(path)
                return
        new = self.tree(old, inner, depth + 1, path + b"/")
        if new is not None:
            tree[name] = (S_IFDIR, new)
        elif old is not None:
            del tree[name]

    def _put_file(self, tree: Tree, name: bytes, data: bytes | StoredFile, path: bytes) -> None:
        mode = _FILE
        if name in tree:
            mode = tree[name][0]
            if not S_ISREG(mode):
                self._refuse(path)
        if isinstance(data, StoredFile):
            self.blobs[path] = data.oid
            tree[name] = (mode, data.oid)
            return
        blob = Blob.from_string(data)
        self.blobs[path] = blob.id
        if name in tree and tree[name][1] == blob.id:
            return
        self.objects[blob.id] = blob
        tree[name] = (mode, blob.id)

    def _refuse(self, path: bytes) -> None:
        shown = path.decode("utf-8", "replace")
        raise SourceError(f"{shown}: a link, a submodule or a folder of the repository is there")
