"""Pages of a merge: which there are, their fields, and their tree without orphans or cycles."""

from __future__ import annotations

from collections.abc import Collection

from content.merge.conflict import ConflictKind, make_conflict
from content.merge.documents import is_same_body
from content.merge.entries import BODY, Clash, Entry, merge_fields, place_of, placed, same_fields
from content.merge.versions import Asking, Versions
from content.slugs import is_made_from


def merge_pages(versions: Versions, held: Collection[str] = ()) -> Asking[None]:
    """Decide on every page that ours changed; theirs changes stand already.

    A body that both changed stays that of theirs until bodies are merged. Pages that are `held`
    count as edited by ours: what it has made of them is in conflicts that nobody has decided.
    """
    for id in sorted(versions.ours):
        ours = versions.ours_of(id)
        if id not in versions.theirs:
            versions.result[id] = ours
            continue
        base, theirs = versions.base_of(id), versions.theirs_of(id)
        if ours is not None and theirs is not None:
            versions.result[id] = _merged(versions, id, base, ours, theirs)
        elif base is None or (ours is None and theirs is None):
            versions.result[id] = ours if theirs is None else theirs
        else:
            rest = theirs if ours is None else ours
            assert rest is not None
            edited = not same_fields(base, rest)
            if not edited:
                edited = not (yield from is_same_body(base.get(BODY), rest.get(BODY)))
            versions.result[id] = rest if edited else None
            if edited:
                note_deleted(versions, id)

    for id in sorted(held):
        ours = versions.ours_of(id) if id in versions.theirs else None
        if ours is not None and versions.is_gone(id):
            versions.result[id] = ours
            note_deleted(versions, id)


def note_deleted(versions: Versions, id: str) -> None:
    """Remember that one side removed a page that has to stay for the other."""
    versions.conflicts.append(
        make_conflict(
            ConflictKind.PAGE_DELETED_EDITED,
            page=id,
            base=versions.base_of(id),
            ours=versions.ours_of(id),
            theirs=versions.theirs_of(id),
        )
    )


def _merged(versions: Versions, id: str, base: Entry | None, ours: Entry, theirs: Entry) -> Entry:
    merged, clashes = merge_fields(base or {}, ours, theirs)
    clashes = _without_made_slugs(merged, clashes, ours, theirs)
    for clash in clashes:
        versions.conflicts.append(make_conflict(ConflictKind.FIELD, page=id, **clash._asdict()))
    if base is None:
        return merged
    parents = [entry.get("parent") for entry in (base, ours, theirs)]
    if parents[1] not in (parents[0], parents[2]):
        if parents[2] == parents[0]:
            merged = placed(merged, place_of(ours))
        else:
            versions.conflicts.append(
                make_conflict(
                    ConflictKind.PAGE_MOVED_TWICE,
                    page=id,
                    base=place_of(base),
                    ours=place_of(ours),
                    theirs=place_of(theirs),
                )
            )
    elif place_of(theirs) == place_of(base):
        merged = placed(merged, place_of(ours))
    return merged


def _without_made_slugs(
    merged: Entry, clashes: list[Clash], ours: Entry, theirs: Entry
) -> list[Clash]:
    """The clashes without one of slugs where a slug only follows its title.

    Nobody chose such a slug: one that the other side has chosen stands, and of two the decision
    about the title brings its own.
    """
    if all(clash.field != "slug" for clash in clashes):
        return clashes
    are_made = [_is_slug_made(entry) for entry in (ours, theirs)]
    if not any(are_made):
        return clashes
    titles = [entry.get("title") for entry in (merged, ours, theirs)]
    if are_made == [False, True] or (all(are_made) and titles[0] == titles[1] != titles[2]):
        merged.pop("slug", None)
        if ours.get("slug") is not None:
            merged["slug"] = ours["slug"]
    return [clash for clash in clashes if clash.field != "slug"]


def _is_slug_made(entry: Entry) -> bool:
    slug, title = entry.get("slug"), entry.get("title")
    made_from_title = isinstance(slug, str) and isinstance(title, str) and is_made_from(slug, title)
    return made_from_title and not entry.get("slug_set")


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
