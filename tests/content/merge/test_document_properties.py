"""What holds for merges of any documents, with keys of any origin."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any, NamedTuple

import orjson
from hypothesis import given, settings, strategies as st

from content.documents.nodes import walk
from content.merge.conflict import Conflict, Resolution, conflict_json, conflict_of
from content.merge.documents import merge_documents
from content.merge.nodes import Node, canonical, digest
from content.merge.resolve import allowed_resolutions, is_settled, resolve
from tests.content.merge.editing import Part, Writer, document_of, markdown
from tests.content.merge.notation import KEYS

PARTS = {
    "list-item": {"list-unordered"},
    "code-line": {"code"},
    "tabs-item": {"tabs"},
}
WORD = re.compile(r"\b[wot][0-9]+\b")


class Versions(NamedTuple):
    base: Node
    ours: Node
    theirs: Node


@st.composite
def edits(draw: st.DrawFn) -> list[list[Part]]:
    random = Random(draw(st.integers(0, 2**32)))
    blocks: list[Part] = Writer("w", random).blocks(most=6)
    sides = [Writer(name, random).edited(blocks, draw(st.integers(0, 5))) for name in ("o", "t")]
    return [blocks, *sides]


@st.composite
def versions(draw: st.DrawFn) -> Versions:
    """With keys of every origin."""
    found = draw(edits())
    keys = draw(st.sampled_from(["ids", *sorted(KEYS)]))
    if keys == "ids":
        return Versions(*map(document_of, found))
    return Versions(*KEYS[keys](*map(markdown, found)))


@st.composite
def reshapings(draw: st.DrawFn) -> Versions:
    """Blocks that were wrapped, unwrapped, split and joined on both sides, and edited."""
    random = Random(draw(st.integers(0, 2**32)))
    blocks: list[Part] = Writer("w", random).blocks(most=6)
    sides = [Writer(name, random).reshaped(blocks, draw(st.integers(1, 4))) for name in ("o", "t")]
    keys = draw(st.sampled_from(["ids", *sorted(KEYS)]))
    if keys == "ids":
        return Versions(*map(document_of, [blocks, *sides]))
    return Versions(*KEYS[keys](*map(markdown, [blocks, *sides])))


def words(value: Any) -> Counter[str]:
    """The words of a document or of values of conflicts, without those in keys."""
    texts: list[str] = []

    def add(item: Any) -> None:
        if isinstance(item, dict):
            for name, part in item.items():
                if name != "key":
                    add(part)
        elif isinstance(item, list | tuple):
            for part in item:
                add(part)
        elif isinstance(item, str):
            texts.append(item)

    add(value)
    return Counter(WORD.findall(" ; ".join(texts)))


def assert_valid(document: Node) -> None:
    keys = [node.get("key") for node in walk(document["nodes"])]
    assert None not in keys
    assert len(keys) == len(set(keys))
    assert document["nodes"]
    for parent in walk([{**document, "type": "document"}]):
        children = parent.get("nodes") or []
        if parent.get("type") in ("list-unordered", "code", "tabs"):
            assert children
        for child in children:
            allowed = PARTS.get(child.get("type", ""))
            assert allowed is None or parent["type"] in allowed
        if parent.get("fragment") == "expandable-title":
            assert [child["type"] for child in children] == ["paragraph"]
        if parent.get("type") == "table":
            data, names = parent["data"], [f["fragment"] for f in parent["fragments"]]
            assert len(names) == len(set(names))
            for record in data["records"].values():
                assert set(record["values"]) <= set(data["definition"])
            assert set(data["view"]["columns"]) == set(data["definition"])
            order = [record["orderIndex"] for record in data["records"].values()]
            assert order == sorted(set(order))


@given(versions())
def test_one_side_alone_comes_out_as_it_is(found: Versions) -> None:
    base, ours, theirs = found
    assert merge_documents(base, ours, base) == (ours, ())
    assert merge_documents(base, base, theirs) == (theirs, ())
    assert merge_documents(base, ours, ours) == (ours, ())
    assert merge_documents(ours, ours, ours) == (ours, ())


def wanted_words(found: Versions) -> set[str]:
    """The words that both left and those that one added."""
    base, ours, theirs = (words(document) for document in found)
    return {w for w in {*ours, *theirs} if w not in base or (w in ours and w in theirs)}


@settings(max_examples=300)
@given(versions())
def test_nothing_is_lost_without_a_conflict(found: Versions) -> None:
    before = canonical(list(found))
    merged = merge_documents(*found, page="p")
    assert canonical(list(found)) == before
    assert_valid(merged.document)
    shown = words([[c.base, c.ours, c.theirs] for c in merged.conflicts])
    result = words(merged.document)
    assert wanted_words(found) <= {*result, *shown}
    assert {*result} <= {*words(found.ours), *words(found.theirs)}


@settings(max_examples=300)
@given(edits().map(lambda found: Versions(*map(document_of, found))))
def test_with_kept_keys_every_word_is_there_once_or_in_a_conflict(found: Versions) -> None:
    merged = merge_documents(*found, page="p")
    wanted, result = wanted_words(found), words(merged.document)
    if not merged.conflicts:
        assert result == Counter(wanted)
    shown = words([[c.base, c.ours, c.theirs] for c in merged.conflicts])
    assert all(result[word] == 1 for word in wanted - {*shown})
    assert {*result} <= wanted | {*shown}
    for side in (Resolution.OURS, Resolution.THEIRS):
        document: Node = merged.document
        for conflict in merged.conflicts:
            resolved = resolve(document, conflict, side)
            assert resolved is not None
            document = resolved
        kept = words([getattr(conflict, side.value) for conflict in merged.conflicts])
        assert words(document) == Counter((wanted - {*shown}) | {*kept})


def _form(conflict: Conflict, *, swapped: bool) -> tuple[object, ...]:
    def form(value: Any) -> object:
        if isinstance(value, dict) and "object" in value:
            return digest(value)
        if isinstance(value, list):
            return tuple(form(item) for item in value)
        if isinstance(value, dict):
            # A row or column: by its content, since its number depends on what stands before.
            return tuple(sorted(repr(form(v)) for n, v in value.items() if n != "id"))
        return value

    sides = [form(conflict.ours), form(conflict.theirs)]
    if swapped:
        sides.reverse()
    part = conflict.cell and (conflict.cell.record is None, conflict.cell.definition is None)
    return conflict.kind, conflict.field, part, form(conflict.base), *sides


@settings(max_examples=300)
@given(reshapings())
def test_blocks_that_change_their_shape_lose_nothing(found: Versions) -> None:
    before = canonical(list(found))
    merged = merge_documents(*found, page="p")
    assert canonical(list(found)) == before
    assert_valid(merged.document)
    shown = words([[c.base, c.ours, c.theirs] for c in merged.conflicts])
    assert wanted_words(found) <= {*words(merged.document), *shown}
    assert {*words(merged.document)} <= {*words(found.ours), *words(found.theirs)}
    held = {node["key"] for node in walk(merged.document["nodes"])}
    assert {conflict.block for conflict in merged.conflicts} <= held
    base, ours, theirs = found
    swapped = merge_documents(base, theirs, ours, page="p").conflicts
    # How many conflicts there are may differ where both have moved blocks into each other.
    assert bool(merged.conflicts) == bool(swapped)


@settings(max_examples=300)
@given(versions())
def test_conflicts_are_the_same_with_sides_swapped(found: Versions) -> None:
    base, ours, theirs = found
    one = merge_documents(base, ours, theirs).conflicts
    other = merge_documents(base, theirs, ours).conflicts
    assert Counter(_form(c, swapped=False) for c in one) == Counter(
        _form(c, swapped=True) for c in other
    )


@given(versions())
def test_a_merge_is_repeatable(found: Versions) -> None:
    first, second = merge_documents(*found, page="p"), merge_documents(*found, page="p")
    assert first == second
    ids = [conflict.id for conflict in first.conflicts]
    assert len(ids) == len(set(ids))
    stored = orjson.loads(orjson.dumps([conflict_json(c) for c in first.conflicts]))
    assert tuple(conflict_of(value) for value in stored) == first.conflicts


@settings(max_examples=300)
@given(versions(), st.randoms(use_true_random=False))
def test_conflicts_can_be_resolved_one_by_one(found: Versions, random: Any) -> None:
    document, conflicts = merge_documents(*found, page="p")
    for number, conflict in enumerate(conflicts):
        assert not is_settled(conflict, document)
        resolution = random.choice(allowed_resolutions(conflict))
        resolved = resolve(document, conflict, resolution)
        assert resolved is not None
        assert_valid(resolved)
        two = conflict.ours is not None and conflict.theirs is not None
        if two and conflict.field is None and conflict.cell is None and resolution == "ours":
            assert is_settled(conflict, resolved)
        if resolution is Resolution.CUSTOM:
            assert resolved["nodes"] == document["nodes"]
        for other in conflicts[number + 1 :]:
            assert not is_settled(other, resolved)
        document = resolved
