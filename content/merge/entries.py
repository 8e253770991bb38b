"""Three-way merge of entries: the fields of pages, files and reusable contents."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from content.merge.nodes import canonical
from content.merge.texts import merge_values

Entry: TypeAlias = dict[str, Any]
"""What a map holds of a page, a file or a reusable content."""

# Where a page stands is merged with the tree, what it says with its blocks.
PLACE: Final = frozenset({"parent", "order"})
BODY: Final = "document_id"
# Nobody edits these.
SOURCES: Final = ("git", "imported")
NOTES: Final = frozenset({*SOURCES, "created_at", "updated_at"})
# Objects that are merged by name.
BY_NAME: Final = ("variables", "extra")


class Clash(NamedTuple):
    """A field that both sides set differently."""

    field: str
    base: Any
    ours: Any
    theirs: Any


def fields_of(entry: Entry) -> Entry:
    """The fields of an entry that people edit, without place and body."""
    return {n: v for n, v in entry.items() if n not in PLACE and n not in NOTES and n != BODY}


def same_fields(left: Entry, right: Entry) -> bool:
    """Whether two entries differ in place among siblings, body and notes at most."""
    return left.get("parent") == right.get("parent") and canonical(fields_of(left)) == canonical(
        fields_of(right)
    )


def merge_fields(base: Entry, ours: Entry, theirs: Entry) -> tuple[Entry, list[Clash]]:
    """The entry of theirs with the fields and notes of both; place and body are of theirs."""
    versions = [fields_of(entry) for entry in (base, ours, theirs)]
    plain = [{n: v for n, v in fields.items() if n not in BY_NAME} for fields in versions]
    merged, clashing = merge_values(*plain)
    clashes = [Clash(name, *(fields.get(name) for fields in plain)) for name in clashing]
    for field in BY_NAME:
        objects = [fields.get(field) or {} for fields in versions]
        values, clashing = merge_values(*objects)
        if values:
            merged[field] = values
        clashes += [Clash(f"{field}.{n}", *(part.get(n) for part in objects)) for n in clashing]
    merged |= {n: theirs[n] for n in ("parent", "order", BODY) if n in theirs}
    merged |= _notes(base, ours, theirs)
    return merged, clashes


def _notes(base: Entry, ours: Entry, theirs: Entry) -> Entry:
    """The sources and times of a merged entry: the older of creation, the newer of change."""
    notes: Entry = {}
    for name in SOURCES:
        source = ours if canonical(theirs.get(name)) == canonical(base.get(name)) else theirs
        if name in source:
            notes[name] = source[name]
    for name, choose in (("created_at", min), ("updated_at", max)):
        times = [entry[name] for entry in (ours, theirs) if name in entry]
        if times:
            notes[name] = choose(times)
    return notes


def place_of(entry: Entry) -> Entry:
    """The place of a page: `{parent, order}`."""
    return {"parent": entry.get("parent"), "order": entry["order"]}


def placed(entry: Entry, place: Entry) -> Entry:
    """The entry at another place."""
    moved = {**entry, "order": place["order"]}
    moved.pop("parent", None)
    if place["parent"] is not None:
        moved["parent"] = place["parent"]
    return moved
