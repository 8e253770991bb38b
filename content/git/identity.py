"""Which parts of a space are meant by the files of a tree that was read anew.

The same path is the same thing; else what was renamed, as Git sees it; else it is new.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from content.git.import_links import Known, page_paths
from content.git.space_import import SpaceImport

# Of two files, the part of the lines that must be the same for the one to be the other renamed.
SIMILAR = 0.5
# Files that one is compared with, and in how many files a line may be that tells which.
CANDIDATES, COMMON = 8, 16
# Bytes of one file that are compared.
COMPARED = 1_000_000


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a part of a space was in the tree it was synchronized with: the path from the content
    root, or for a page without a file its kind and address (`page_paths`), and the blob."""

    path: str
    oid: str | None = None


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces of all parts of a space, by id. `addresses` are ids of pages by kind and address:
    they name pages whose file is missing, and those without one."""

    pages: Mapping[str, Trace] = field(default_factory=dict)
    files: Mapping[str, Trace] = field(default_factory=dict)
    contents: Mapping[str, Trace] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A file of a tree that is at no known path: its path, blob and bytes."""

    path: str
    oid: str | None
    read: Callable[[], bytes | None]


def identify(
    source: SpaceImport,
    traces: Traces,
    *,
    read_new: Callable[[str], bytes | None],
    read_old: Callable[[str], bytes | None] = lambda oid: None,
) -> Known:
    """The ids of the parts of a source that a space has already.

    `read_new` gives the bytes at a path of the source, `read_old` those of a blob that is no
    longer in it (None where it is not at hand: then only equal blobs are seen as renamed). Only
    files that have come and that have gone are compared, each with a few others, so the time is
    linear in their sizes.
    """
    prefix = f"{source.root}/" if source.root else ""
    paths = page_paths(source)
    oids = {path: page.git_oid for page, path in paths}
    pages = _identify(
        [(path, oids[path]) for _, path in paths], traces.pages, prefix, read_new, read_old
    )
    taken = set(pages.values())
    for page, path in paths:
        # Pages without a file, and those whose file does not exist.
        id = traces.addresses.get(f"{page.kind}:{page.path}") if page.git_oid is None else None
        if path not in pages and id is not None and id not in taken:
            pages[path] = id
            taken.add(id)
    files = _identify(
        [(file.path, file.git_oid) for file in source.files], traces.files, prefix, read_new,
        read_old,
    )  # fmt: skip
    contents = _identify(
        [(content.path, content.git_oid) for content in source.reusable_contents],
        traces.contents, prefix, read_new, read_old,
    )  # fmt: skip
    return Known(pages, files, contents)


def _identify(
    there: Sequence[tuple[str, str | None]],
    traces: Mapping[str, Trace],
    prefix: str,
    read_new: Callable[[str], bytes | None],
    read_old: Callable[[str], bytes | None],
) -> dict[str, str]:
    """Ids by path."""
    id_at: dict[str, str] = {}
    for id, trace in traces.items():
        id_at.setdefault(trace.path, id)
    ids = {path: id_at[path] for path, _ in there if path in id_at}
    taken = set(ids.values())
    gone = {id: trace for id, trace in traces.items() if id not in taken and trace.oid is not None}
    come = [
        Arrived(path, oid, _reader(read_new, prefix + path))
        for path, oid in there
        if path not in ids and oid is not None
    ]
    ids |= renamed_files(gone, come, read_old)
    return ids


def _reader(read: Callable[[str], bytes | None], path: str) -> Callable[[], bytes | None]:
    return lambda: read(path)


def renamed_files(
    gone: Mapping[str, Trace], come: Sequence[Arrived], read_old: Callable[[str], bytes | None]
) -> dict[str, str]:
    """Ids of what is at another path now, by the new paths.

    First those with the same bytes, the same name before others; then those with at least half of
    their lines in common.
    """
    ids: dict[str, str] = {}
    left = dict(gone)
    by_oid: dict[str, list[str]] = {}
    for id, trace in gone.items():
        by_oid.setdefault(trace.oid or "", []).append(id)
    for exact_name in (True, False):
        for file in come:
            same = by_oid.get(file.oid or "", ()) if file.path not in ids else ()
            for id in list(same)[:CANDIDATES]:
                name = posixpath.basename(gone[id].path)
                if id in left and (not exact_name or name == posixpath.basename(file.path)):
                    ids[file.path] = id
                    del left[id]
                    by_oid[file.oid or ""].remove(id)
                    break
    return ids | _similar(left, [file for file in come if file.path not in ids], read_old)


def _similar(
    gone: Mapping[str, Trace], come: Sequence[Arrived], read_old: Callable[[str], bytes | None]
) -> dict[str, str]:
    if not gone or not come:
        return {}
    old = {id: _lines(data) for id, trace in gone.items()
           if (data := read_old(trace.oid or "")) is not None}  # fmt: skip
    holding: dict[bytes, list[str]] = {}
    names: dict[str, list[str]] = {}
    for id, lines in old.items():
        names.setdefault(posixpath.basename(gone[id].path), []).append(id)
        for line in lines:
            held = holding.setdefault(line, [])
            # Lines that are everywhere tell nothing.
            if len(held) <= COMMON:
                held.append(id)
    scores: list[tuple[float, bool, str, str]] = []
    for file in come:
        data = file.read()
        if data is None:
            continue
        lines = _lines(data)
        votes: Counter[str] = Counter()
        for line, count in lines.items():
            held = holding.get(line, [])
            if len(held) <= COMMON:
                for id in held:
                    votes[id] += min(count, old[id][line])
        name = posixpath.basename(file.path)
        candidates = dict.fromkeys([id for id, _ in votes.most_common(CANDIDATES)])
        candidates |= dict.fromkeys(names.get(name, [])[:CANDIDATES])
        for id in candidates:
            score = _similarity(lines, old[id])
            if score >= SIMILAR:
                same_name = posixpath.basename(gone[id].path) == name
                scores.append((-score, not same_name, file.path, id))
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for _, _, path, id in sorted(scores):
        if path not in ids and id not in taken:
            ids[path] = id
            taken.add(id)
    return ids


def _lines(data: bytes) -> Counter[bytes]:
    """The lines of a file that say something, without their ends."""
    stripped = (line.strip() for line in data[:COMPARED].splitlines())
    return Counter(line for line in stripped if line)


def _similarity(left: Counter[bytes], right: Counter[bytes]) -> float:
    """The part of the bytes of the longer file that stands in lines of both."""
    small, large = sorted((left, right), key=len)
    shared = sum(len(line) * min(count, large[line]) for line, count in small.items())
    most = max(_size(left), _size(right))
    return shared / most if most else 0.0


def _size(lines: Iterable[bytes] | Counter[bytes]) -> int:
    return sum(len(line) * count for line, count in Counter(lines).items())
