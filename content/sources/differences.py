"""Which files differ between two commits."""

from __future__ import annotations

from stat import S_ISDIR

from dulwich.objects import Commit, ObjectID, Tree

from content.errors import SourceError
from content.sources.history import GetObject

# Folders that are opened; more mean trees that name each other.
MOST_FOLDERS = 100_000
Entry = tuple[int, ObjectID]


def changed_paths(get_object: GetObject, one: str, other: str) -> dict[str, str | None]:
    """The paths that are not the same in two commits, with the ids of their blobs in the other one;
    None for those that it does not have. Folders that are the same are not opened.
    """
    changed: dict[str, str | None] = {}
    stack: list[tuple[str, ObjectID | None, ObjectID | None]] = [
        ("", _tree_of(get_object, one), _tree_of(get_object, other))
    ]
    opened = 0
    while stack:
        prefix, before, after = stack.pop()
        opened += 1
        if opened > MOST_FOLDERS:
            raise SourceError(f"the Git trees have more than {MOST_FOLDERS} folders that differ")
        old, new = _entries(get_object, before), _entries(get_object, after)
        for name in old.keys() | new.keys():
            was, now = old.get(name), new.get(name)
            if was == now:
                continue
            path = prefix + name
            was_folder, is_folder = _folder(was), _folder(now)
            if was_folder is not None or is_folder is not None:
                stack.append((f"{path}/", was_folder, is_folder))
            if now is not None and is_folder is None:
                changed[path] = now[1].decode()
            elif was is not None and was_folder is None:
                changed[path] = None
    return changed


def _tree_of(get_object: GetObject, oid: str) -> ObjectID:
    commit = get_object(ObjectID(oid.encode()))
    if not isinstance(commit, Commit):
        raise SourceError(f"{oid} is not a commit")
    return ObjectID(commit.tree)


def _folder(entry: Entry | None) -> ObjectID | None:
    if entry is None or not S_ISDIR(entry[0]):
        return None
    return ObjectID(entry[1])


def _entries(get_object: GetObject, oid: ObjectID | None) -> dict[str, Entry]:
    if oid is None:
        return {}
    tree = get_object(oid)
    if not isinstance(tree, Tree):
        raise SourceError("a folder of the repository is none")
    return {
        entry.path.decode("utf-8", "surrogateescape"): (entry.mode, entry.sha)
        for entry in tree.iteritems()
        if entry.path is not None and entry.mode is not None and entry.sha is not None
    }
