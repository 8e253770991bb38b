"""Order and slugs of siblings after a merge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from content.alignment import rising
from content.merge.entries import Entry
from content.merge.sequences import merge_order
from content.merge.versions import Asking, Needs, Versions, is_below
from content.merkle.read import Change
from content.ordering import between, spread
from content.pages.stored import child_key
from content.slugs import slug_key, unique_slug

# Keys that became longer than this are given out anew, to all siblings.
LONGEST_KEY: Final = 60


def merge_siblings(versions: Versions) -> Asking[None]:
    """Give pages that ours placed a place among what theirs placed, and slugs of their own.

    The pages below a parent are read only where both sides placed something, and where a slug
    is taken.
    """
    contested = _returned(versions).union(*map(_touched_parents, versions.theirs.values()))
    placed = {
        final.get("parent") or ""
        for id in versions.result
        if (final := versions.final(id)) is not None
        and not _stands_as(final, versions.theirs_of(id))
    }
    parents = sorted(placed & contested)
    yield from versions.read_children(parents)
    for parent in parents:
        _order(versions, parent)
    yield from _slugs(versions)


def _returned(versions: Versions) -> set[str]:
    """Parents of pages that stay where theirs has them, and not where ours put them.

    Their places were free in ours, so others may stand there.
    """
    parents: set[str] = set()
    for id in versions.result:
        final, theirs, ours = versions.final(id), versions.theirs_of(id), versions.ours_of(id)
        stays = final is not None and theirs is not None and _stands_as(final, theirs)
        if stays and theirs is not None and not (ours is not None and _stands_as(ours, theirs)):
            parents.add(theirs.get("parent") or "")
    return parents


def _touched_parents(change: Change) -> set[str]:
    """Parents among whose pages a change puts, takes, orders or renames one."""
    before, after = change.before, change.after
    if before is not None and after is not None and _stands_as(after, before):
        return set()
    return {entry.get("parent") or "" for entry in (before, after) if entry is not None}


def _stands_as(entry: Entry, other: Entry | None) -> bool:
    """Whether parent, order and slug are the same."""
    return other is not None and all(
        entry.get(name) == other.get(name) for name in ("parent", "order", "slug")
    )


def _order(versions: Versions, parent: str) -> None:
    theirs = versions.children[parent]
    candidates = list(dict.fromkeys((*theirs, *versions.touched())))
    base, ours, theirs_order = (
        _in_order((id, entry) for id in candidates if is_below(entry := version(id), parent))
        for version in (versions.base_of, versions.ours_of, versions.theirs_of)
    )
    order = merge_order(base, ours, theirs_order, lambda id: is_below(versions.final(id), parent))
    # A page that was an orphan stands there in no version.
    order += sorted(set(versions.children_in_result(parent)) - set(order))
    keys = [str((versions.final(id) or {})["order"]) for id in order]
    for id, old, new in zip(order, keys, _keys(keys), strict=True):
        if old != new:
            versions.result[id] = {**(versions.final(id) or {}), "order": new}


def _in_order(pages: Iterable[tuple[str, Entry | None]]) -> list[str]:
    """Ids in the order of display."""
    keys = [(str((entry or {}).get("order", "")), id) for id, entry in pages]
    return [id for _, id in sorted(keys)]


def _keys(keys: Sequence[str]) -> list[str]:
    """Sort keys in strictly rising order: as many as can be stay, the others are made anew."""
    staying = rising(keys)
    if len(staying) == len(keys):
        return list(keys)
    new_keys = list(keys)
    try:
        low = 0
        for position in [*staying, len(keys)]:
            after = keys[position] if position < len(keys) else None
            for at in range(low, position):
                new_keys[at] = between(new_keys[at - 1] if at else None, after)
            low = position + 1
    except ValueError:
        return spread(len(keys))
    return spread(len(keys)) if max(map(len, new_keys)) > LONGEST_KEY else new_keys


def _slugs(versions: Versions) -> Asking[None]:
    """Slugs that are taken get a number; pages of theirs keep theirs."""
    claims: dict[str, list[str]] = {}
    for id in versions.result:
        final, theirs = versions.final(id), versions.theirs_of(id)
        if final is None or final.get("slug") is None:
            continue
        key = _key(id, final)
        if theirs is None or _key(id, theirs) != key:
            claims.setdefault(key, []).append(id)
    if not claims:
        return
    contents = yield Needs(slugs=frozenset(claims))
    occupants = {key: id for key, id in contents.slugs.items() if id not in claims[key]}
    yield from versions.read_pages(occupants.values())
    for id in sorted({*versions.theirs, *versions.result}):
        final = versions.final(id)
        if final is not None and final.get("slug") is not None:
            key = _key(id, final)
            if key in claims and id not in claims[key]:
                occupants[key] = id
    taken = {
        key
        for key, id in occupants.items()
        if (final := versions.final(id)) is not None and _key(id, final) == key
    }
    losers: list[str] = []
    for key, ids in claims.items():
        ids.sort(key=lambda id, key=key: (not _as_in_ours(versions, id, key), id))  # type: ignore[misc]
        losers += ids if key in taken else ids[1:]
    yield from versions.read_children(_parent(versions, id) for id in losers)
    for id in sorted(losers):
        _rename(versions, id)


def _rename(versions: Versions, id: str) -> None:
    final, parent = versions.final(id), _parent(versions, id)
    assert final is not None
    slugs = {
        slug_key(entry["slug"])
        for sibling in versions.children_in_result(parent)
        if sibling != id
        and (entry := versions.final(sibling)) is not None
        and entry.get("slug") is not None
    }
    slug = unique_slug(final["slug"], slugs, at_root=parent == "")
    versions.result[id] = {**final, "slug": slug}


def _parent(versions: Versions, id: str) -> str:
    return (versions.final(id) or {}).get("parent") or ""


def _key(id: str, entry: Entry) -> str:
    return child_key(entry.get("parent"), entry.get("slug"), id)


def _as_in_ours(versions: Versions, id: str, key: str) -> bool:
    ours = versions.ours_of(id)
    return ours is not None and _key(id, ours) == key
