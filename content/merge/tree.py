"""A tree out of the places that both sides gave to pages: no orphans, no cycles."""

from __future__ import annotations

from content.merge.conflict import ConflictKind, make_conflict
from content.merge.entries import place_of, placed
from content.merge.needs import Asking
from content.merge.pages import note_deleted
from content.merge.versions import Versions


def merge_tree(versions: Versions) -> Asking[None]:
    """Bring back parents that are needed, and undo moves of ours that would close a circle."""
    while True:
        while _revive(versions):
            pass
        undone = yield from _open_cycles(versions)
        if not undone:
            return


def _revive(versions: Versions) -> bool:
    """Bring back removed pages in which pages of the result stand; False if there are none."""
    needed: set[str] = set()
    for id in versions.touched():
        entry = versions.final(id)
        parent = entry.get("parent") if entry is not None else None
        if entry is None or parent is None or not versions.is_gone(parent):
            continue
        if versions.theirs_of(parent) is None and versions.ours_of(parent) is None:
            # In no version: the page was an orphan already.
            versions.result[id] = placed(entry, {"parent": None, "order": entry["order"]})
        else:
            needed.add(parent)
    for id in sorted(needed):
        entry = versions.theirs_of(id)
        versions.result[id] = versions.ours_of(id) if entry is None else entry
        note_deleted(versions, id)
    return bool(needed)


def _open_cycles(versions: Versions) -> Asking[bool]:
    """Put pages that ours moved into a circle back where theirs has them; False without one."""
    moved = [id for id in sorted(versions.result) if _is_moved(versions, id)]
    cycles = yield from _cycles(versions, moved)
    for cycle in cycles:
        if not any(_is_moved(versions, id) for id in cycle):
            # A version had this circle already: it is opened anywhere.
            id = min(cycle)
            first = versions.final(id) or {}
            versions.result[id] = placed(first, {"parent": None, "order": first["order"]})
        for id in sorted(cycle):
            base, ours, theirs = (
                None if entry is None else place_of(entry)
                for entry in (versions.base_of(id), versions.ours_of(id), versions.theirs_of(id))
            )
            final = versions.final(id)
            if final is None or theirs is None:
                continue
            if _is_moved(versions, id):
                versions.result[id] = placed(final, theirs)
            elif base is None or theirs["parent"] == base["parent"]:
                continue
            versions.conflicts.append(
                make_conflict(ConflictKind.PAGE_CYCLE, page=id, base=base, ours=ours, theirs=theirs)
            )
    return bool(cycles)


def _is_moved(versions: Versions, id: str) -> bool:
    """Whether a page of theirs has another parent in the result."""
    final, theirs = versions.final(id), versions.theirs_of(id)
    return final is not None and theirs is not None and final.get("parent") != theirs.get("parent")


def _cycles(versions: Versions, moved: list[str]) -> Asking[list[set[str]]]:
    """The circles above moved pages. Both trees have none, so both must have moved something."""
    if not moved or not any(_is_moved_by_theirs(versions, id) for id in versions.theirs):
        return []
    row = set(moved)
    above: dict[str, str | None] = {}
    while row:
        yield from versions.read_pages(row)
        for id in row:
            entry = versions.final(id)
            above[id] = entry.get("parent") if entry is not None else None
        row = {parent for id in row if (parent := above[id]) is not None} - above.keys()
    cycles: list[set[str]] = []
    done: set[str] = set()
    for start in moved:
        path: list[str] = []
        at: str | None = start
        while at is not None and at not in done:
            done.add(at)
            path.append(at)
            at = above[at]
        if at in path:
            cycles.append(set(path[path.index(at) :]))
    return cycles


def _is_moved_by_theirs(versions: Versions, id: str) -> bool:
    change = versions.theirs[id]
    return (
        change.before is not None
        and change.after is not None
        and change.before.get("parent") != change.after.get("parent")
    )
