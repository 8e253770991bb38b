"""Which pages there are after a merge, and their fields."""

from __future__ import annotations

from collections.abc import Collection

from content.merge.bodies import is_same_body
from content.merge.conflict import ConflictKind, make_conflict
from content.merge.entries import BODY, Entry, merge_fields, place_of, placed, same_fields
from content.merge.needs import Asking
from content.merge.versions import Versions


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
