"""When files of a Git commit came to be as they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from stat import S_ISDIR

from dulwich.objects import Commit, ObjectID, ShaFile, Tree

# Further commits are not looked at; what has not changed since is as old as the last of them.
MOST_COMMITS = 5_000
_TREES_KEPT = 4_000

GetObject = Callable[[ObjectID], ShaFile]


def change_times(
    get_object: GetObject, head: Commit, paths: Iterable[str]
) -> dict[str, dt.datetime]:
    """The time of the commit that last changed each path, along the first parents of `head`.

    What a merge brought has the time of the merge. Where the history ends, as in a shallow copy,
    or after 5,000 commits, all that is left has the time of the last commit there.
    """

    @lru_cache(_TREES_KEPT)
    def entries(id: ObjectID) -> dict[bytes, tuple[bool, ObjectID]]:
        tree = get_object(id)
        assert isinstance(tree, Tree)
        return {entry.path: (S_ISDIR(entry.mode), entry.sha) for entry in tree.iteritems()}

    def changed(tree: ObjectID, before: ObjectID | None) -> Iterator[str]:
        """The files of a tree that another one does not have so."""
        folders = [(b"", tree, before)]
        while folders:
            prefix, here, there = folders.pop()
            others = {} if there is None else entries(there)
            for name, (is_folder, id) in entries(here).items():
                was_folder, old = others.get(name, (False, None))
                if id == old:
                    continue
                path = prefix + name
                if is_folder:
                    folders.append((path + b"/", id, old if was_folder else None))
                else:
                    yield path.decode("utf-8", "replace")

    left = set(paths)
    times: dict[str, dt.datetime] = {}
    commit: Commit | None = head
    for number in range(MOST_COMMITS):
        if commit is None or not left:
            break
        when = _time_of(commit)
        before = _parent(get_object, commit) if number + 1 < MOST_COMMITS else None
        if before is None:
            times.update(dict.fromkeys(left, when))
            break
        for path in changed(commit.tree, before.tree):
            if path in left:
                left.remove(path)
                times[path] = when
        commit = before
    return times


def _parent(get_object: GetObject, commit: Commit) -> Commit | None:
    """The first parent; None where there is none, or it was not copied."""
    if not commit.parents:
        return None
    try:
        parent = get_object(commit.parents[0])
    except KeyError:
        return None
    return parent if isinstance(parent, Commit) else None


def _time_of(commit: Commit) -> dt.datetime:
    try:
        return dt.datetime.fromtimestamp(commit.commit_time, dt.UTC)
    except (OverflowError, ValueError, OSError):
        return dt.datetime.fromtimestamp(0, dt.UTC)
