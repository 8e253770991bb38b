"""When files of a Git commit came to be as they are."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator
from stat import S_ISDIR

from dulwich.errors import ObjectFormatException
from dulwich.objects import Commit, ObjectID, ShaFile, Tree

# Further commits are not looked at; what has not changed since is as old as the last of them.
MOST_COMMITS = 5_000
# Entries of folders that are compared before the history counts as ended: small packs can hold
# large folders often. And entries that are kept for the next commit.
MOST_ENTRIES, _ENTRIES_KEPT = 50_000_000, 400_000

GetObject = Callable[[ObjectID], ShaFile]


def change_times(
    get_object: GetObject, head: Commit, paths: Iterable[str]
) -> dict[str, dt.datetime]:
    """The time of the commit that last changed each path, along the first parents of `head`.

    What a merge brought has the time of the merge. Where the history ends, as in a shallow copy,
    or after 5,000 commits, all that is left has the time of the last commit there. Folders that
    hold no such path are not opened: what earlier commits had there has no bounds.
    """
    left = set(paths)
    folders_of_paths = {folder for path in left for folder in _folders(path.encode())}
    cache: dict[ObjectID, dict[bytes, tuple[bool, ObjectID]]] = {}
    compared = in_cache = 0

    def entries(id: ObjectID) -> dict[bytes, tuple[bool, ObjectID]]:
        nonlocal in_cache
        if id not in cache:
            tree = get_object(id)
            assert isinstance(tree, Tree)
            if in_cache > _ENTRIES_KEPT:
                cache.clear()
                in_cache = 0
            cache[id] = {item.path: (S_ISDIR(item.mode), item.sha) for item in tree.iteritems()}
            in_cache += len(cache[id])
        return cache[id]

    def changed(tree: ObjectID, before: ObjectID | None) -> Iterator[str]:
        """The files of a tree that another one does not have so."""
        nonlocal compared
        folders = [(b"", tree, before)]
        while folders and compared < MOST_ENTRIES:
            prefix, here, there = folders.pop()
            others, ours = {} if there is None else entries(there), entries(here)
            compared += 1 + len(ours) + len(others)
            for name, (is_folder, id) in ours.items():
                was_folder, old = others.get(name, (False, None))
                if id == old:
                    continue
                path = prefix + name
                if not is_folder:
                    yield path.decode("utf-8", "replace")
                elif path in folders_of_paths:
                    folders.append((path + b"/", id, old if was_folder else None))

    times: dict[str, dt.datetime] = {}
    commit: Commit | None = head
    for number in range(MOST_COMMITS):
        if commit is None or not left:
            break
        when = _time_of(commit)
        is_last = number + 1 >= MOST_COMMITS or compared >= MOST_ENTRIES
        before = None if is_last else _parent(get_object, commit)
        if before is None:
            times.update(dict.fromkeys(left, when))
            break
        for path in changed(commit.tree, before.tree):
            if path in left:
                left.remove(path)
                times[path] = when
        commit = before
    return times


def _folders(path: bytes) -> Iterator[bytes]:
    """The folders above a path, from its own on."""
    while path := path.rpartition(b"/")[0]:
        yield path


def _parent(get_object: GetObject, commit: Commit) -> Commit | None:
    """The first parent; None where there is none, or it was not copied or is damaged."""
    if not commit.parents:
        return None
    try:
        parent = get_object(commit.parents[0])
        # Reads it: of old commits not all are well-formed.
        return parent if isinstance(parent, Commit) and parent.tree else None
    except (KeyError, ValueError, ObjectFormatException):
        return None


# Characters of the message of a commit that are kept; each takes four bytes at most.
MESSAGE_LENGTH = 10_000
# Encodings that commits have been written in; others, which Python knows too, are none of texts, or
# take long.
_ENCODINGS = re.compile(
    r"iso-?8859-?\d{1,2}|latin-?\d|(?:windows-?|cp)\d{3,4}|koi8-?[rut]|euc-?(?:jp|kr)|shift[_-]?jis|"
    r"sjis|iso-?2022-?(?:jp|kr)|gbk|gb-?2312|gb-?18030|big-?5|utf-?16(?:[lb]e)?|(?:us-)?ascii"
)


def message_of_commit(commit: Commit) -> str:
    """What a commit says of itself, in the encoding that it names; of long messages the beginning,
    for each revision shows it."""
    data = (commit.message or b"")[: 4 * MESSAGE_LENGTH]
    name = (commit.encoding or b"").decode("ascii", "replace").strip().lower()
    try:
        text = data.decode(name if _ENCODINGS.fullmatch(name) else "utf-8", "replace")
    except LookupError:
        text = data.decode("utf-8", "replace")
    # No database stores NUL.
    return text[:MESSAGE_LENGTH].replace("\0", "\ufffd")


def _time_of(commit: Commit) -> dt.datetime:
    try:
        return dt.datetime.fromtimestamp(commit.commit_time, dt.UTC)
    except (OverflowError, TypeError, ValueError, OSError):
        # Some programs have written commits without a time, or with an impossible one.
        return dt.datetime.fromtimestamp(0, dt.UTC)
