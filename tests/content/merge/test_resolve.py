"""Conflicts one at a time: each resolution of each kind, and editing instead."""

from __future__ import annotations

from typing import Any

import pytest

from content.errors import ContentError
from content.merge.conflict import Cell, Conflict, ConflictKind, Resolution, ResolutionError
from content.merge.documents import merge_documents
from content.merge.nodes import Node
from content.merge.resolve import allowed_resolutions, is_settled, resolve
from tests.content.merge.document_cases import DETAILS, HINT, TAB, TABS, _code, _table
from tests.content.merge.notation import World, document, flat, plain

EDITED = {
    "a block": ("x / old / y", "x / mine / y", "x / yours / y"),
    "a block removed by ours": ("x / some words / y", "x / y", "x / some other words / y"),
    "a block removed by theirs": ("x / some words / y", "x / some other words / y", "x / y"),
    "a title": tuple(DETAILS.format(title, "Body") for title in ("Old", "Mine", "Yours")),
    "code": tuple(_code("a", line) for line in ("old", "mine", "yours")),
    "an item": ("* a\n* old", "* a\n* mine", "* a\n* yours"),
    "a style": tuple(HINT.format(style, "one") for style in ("info", "warning", "danger")),
    "a tab": tuple(TABS.format(TAB.format(title, "one")) for title in ("Old", "Mine", "Yours")),
    "a level": ("## One", "### One", "#### One"),
    "a cell": tuple(_table("a,b", f"{word},2") for word in ("old", "mine", "yours")),
    "a column": tuple(_table(f"a,{word}", "1,2") for word in ("old", "mine", "yours")),
    "a row": (_table("a,b", "1,x", "2,y"), _table("a,b", "1,x"), _table("a,b", "1,x", "2,why")),
    "a column removed": (_table("a,b", "1,2"), _table("a", "1"), _table("a,b", "1,two")),
}
# What is expected of ours, theirs and both; None where both is refused.
RESOLVED: dict[str, tuple[str, str, str | None]] = {
    "a block": ("x / mine / y", "x / yours / y", "x / yours / mine / y"),
    "a block removed by ours": ("x / y", "x / some other words / y", None),
    "a block removed by theirs": ("x / some other words / y", "x / y", None),
    "a title": (
        DETAILS.format("Mine", "Body"),
        DETAILS.format("Yours", "Body"),
        DETAILS.format("Yours Mine", "Body"),
    ),
    "code": (
        _code("a", "mine"),
        _code("a", "yours"),
        _code("a", "yours") + " / " + _code("a", "mine"),
    ),
    "an item": ("* a\n* mine", "* a\n* yours", "* a\n* yours\n\n  mine"),
    "a style": (HINT.format("warning", "one"), HINT.format("danger", "one"), None),
    "a tab": (
        TABS.format(TAB.format("Mine", "one")),
        TABS.format(TAB.format("Yours", "one")),
        None,
    ),
    "a level": ("### One", "#### One", None),
    "a cell": (_table("a,b", "mine,2"), _table("a,b", "yours,2"), "two paragraphs"),
    "a column": (_table("a,mine", "1,2"), _table("a,yours", "1,2"), None),
    "a row": (_table("a,b", "1,x"), _table("a,b", "1,x", "2,why"), None),
    "a column removed": (_table("a", "1"), _table("a,b", "1,two"), None),
}


def merged(name: str) -> tuple[Node, Conflict]:
    texts = [document(text.replace(" / ", "\n\n")) for text in EDITED[name]]
    found = merge_documents(*texts, page="page")
    (conflict,) = found.conflicts
    return found.document, conflict


def resolved(name: str, resolution: Resolution, *custom: Any) -> Node:
    content, conflict = merged(name)
    result = resolve(content, conflict, resolution, *custom)
    assert result is not None
    return result


@pytest.mark.parametrize("name", EDITED)
def test_a_conflict_of_a_document_is_resolved(name: str) -> None:
    ours, theirs, both = RESOLVED[name]
    for resolution, expected in ((Resolution.OURS, ours), (Resolution.THEIRS, theirs)):
        wanted = document(expected.replace(" / ", "\n\n"))
        assert plain(resolved(name, resolution)["nodes"]) == plain(wanted["nodes"])
    content, conflict = merged(name)
    assert (Resolution.BOTH in allowed_resolutions(conflict)) == (both is not None)
    if both is None:
        with pytest.raises(ResolutionError, match="allowed are ours, theirs, custom"):
            resolve(content, conflict, Resolution.BOTH)
    elif name == "a cell":
        assert "yours / mine" in flat(resolved(name, Resolution.BOTH)["nodes"])
    else:
        wanted = document(both.replace(" / ", "\n\n"))
        assert plain(resolved(name, Resolution.BOTH)["nodes"]) == plain(wanted["nodes"])
    assert resolve(content, conflict, Resolution.CUSTOM) == content


@pytest.mark.parametrize("name", EDITED)
def test_ours_by_hand_settles_a_conflict(name: str) -> None:
    content, conflict = merged(name)
    assert not is_settled(conflict, content)
    if name != "a block removed by theirs":
        assert is_settled(conflict, resolved(name, Resolution.OURS))
    assert is_settled(conflict, document("something else"))
    assert is_settled(conflict, None)


def test_the_block_that_stays_has_the_key_of_the_conflict() -> None:
    content, conflict = merged("a block")
    result = resolve(content, conflict, Resolution.OURS)
    assert result is not None
    assert [node["key"] for node in result["nodes"]][1] == conflict.block


def test_blocks_of_ones_own_take_the_place_of_both() -> None:
    own = {"object": "block", "type": "divider", "isVoid": True, "data": {}}
    result = resolved("a block", Resolution.CUSTOM, own)
    assert [node["type"] for node in result["nodes"]] == ["paragraph", "divider", "paragraph"]
    assert result["nodes"][1]["key"] == merged("a block")[1].block
    result = resolved("a block", Resolution.CUSTOM, [own, own])
    assert len({node["key"] for node in result["nodes"]}) == 4
    assert len(resolved("a block", Resolution.CUSTOM, [])["nodes"]) == 2


def test_values_of_ones_own() -> None:
    assert (
        resolved("a style", Resolution.CUSTOM, "success")["nodes"][0]["data"]["style"] == "success"
    )
    assert resolved("a level", Resolution.CUSTOM, "paragraph")["nodes"][0]["type"] == "paragraph"
    cell = document("own")["nodes"]
    assert "own 2" in flat(resolved("a cell", Resolution.CUSTOM, cell)["nodes"]).replace(" / ", " ")


@pytest.mark.parametrize("custom", ["text", 5, [1], {"object": "text"}, [{"type": "x"}]])
@pytest.mark.parametrize("name", ["a block", "a cell"])
def test_what_are_no_blocks_is_refused(name: str, custom: Any) -> None:
    with pytest.raises(ResolutionError, match="custom"):
        resolved(name, Resolution.CUSTOM, custom)


@pytest.mark.parametrize("name", EDITED)
def test_a_block_that_is_gone_is_said_so(name: str) -> None:
    _, conflict = merged(name)
    for content in (document("something else"), None):
        with pytest.raises(ResolutionError, match="no longer there"):
            resolve(content, conflict, Resolution.OURS)
    assert issubclass(ResolutionError, ContentError)


def test_editing_one_of_two_blocks_settles() -> None:
    content, conflict = merged("a block")
    edited = {**content, "nodes": [document("edited")["nodes"][0] | {"key": n["key"]}
                                   if n["key"] == conflict.block else n
                                   for n in content["nodes"]]}  # fmt: skip
    assert is_settled(conflict, edited)
    without = {
        **content,
        "nodes": [n for n in content["nodes"] if n["key"] != conflict.ours["key"]],
    }
    assert is_settled(conflict, without)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("a; title=T", "a; title=U", "a; title=V", "a; title=U"),
        ("a; icon=i", "a", "a; icon=j", "a"),
        ("a; variables.x=1; variables.y=1", "a; variables.x=2; variables.y=1",
         "a; variables.x=3; variables.y=1", "a; variables.x=2; variables.y=1"),
        ("a; variables.x=1", "a", "a; variables.x=3", "a"),
    ],
)  # fmt: skip
def test_a_field_of_a_page(base: str, ours: str, theirs: str, expected: str) -> None:
    world = World()
    old = world.space(base)
    result = world.merge(old, world.space(ours, old), right := world.space(theirs, old))
    (conflict,) = result.conflicts
    page = world.applied(right, result).pages["a"]
    assert not is_settled(conflict, page)
    wanted = {**world.space(expected).pages["a"], "order": page["order"]}
    assert resolve(page, conflict, Resolution.OURS) == wanted
    assert is_settled(conflict, resolve(page, conflict, Resolution.OURS))
    assert resolve(page, conflict, Resolution.THEIRS) == page
    assert is_settled(conflict, resolve(page, conflict, Resolution.CUSTOM, "own"))
    assert resolve(page, conflict, Resolution.CUSTOM) == page


def conflict_of(base: str, ours: str, theirs: str) -> tuple[Conflict, Any, World]:
    world = World()
    old = world.space(base)
    right = world.space(theirs, old)
    result = world.merge(old, world.space(ours, old), right)
    return result.conflicts[0], world.applied(right, result), world


def test_a_page_removed_and_edited() -> None:
    conflict, space, _ = conflict_of("a\nb", "a", "a\nb; title=B")
    page = space.pages["b"]
    assert not is_settled(conflict, page)
    assert resolve(page, conflict, Resolution.OURS) is None
    assert resolve(page, conflict, Resolution.THEIRS) == page
    later = {**page, "title": "Later"}
    assert resolve(later, conflict, Resolution.THEIRS) == later
    assert is_settled(conflict, later)
    assert is_settled(conflict, None)
    assert not is_settled(conflict, {**page, "slug": "b-1", "order": "z", "updated_at": "now"})
    with pytest.raises(ResolutionError):
        resolve(page, conflict, Resolution.BOTH)


def test_a_page_moved_twice() -> None:
    conflict, space, _ = conflict_of("a\nb\nc", "a\n  c\nb", "a\nb\n  c")
    page = space.pages["c"]
    assert not is_settled(conflict, page)
    moved = resolve(page, conflict, Resolution.OURS)
    assert moved is not None
    assert moved["parent"] == "a"
    assert is_settled(conflict, moved)
    top = resolve(page, conflict, Resolution.CUSTOM, {"parent": None, "order": "V"})
    assert top is not None
    assert "parent" not in top
    for wrong in (None, "a", {}, {"parent": 1, "order": "V"}, {"parent": "a", "order": None}):
        with pytest.raises(ResolutionError, match="custom"):
            resolve(page, conflict, Resolution.CUSTOM, wrong)


def test_a_variable_of_the_space() -> None:
    conflict, space, _ = conflict_of("var x.y=1\nvar z=1", "var x.y=2\nvar z=1", "var z=1")
    assert conflict.field == "x.y"
    assert not is_settled(conflict, space.variables)
    chosen = resolve(space.variables, conflict, Resolution.OURS)
    assert chosen == {"x.y": "2", "z": "1"}
    assert is_settled(conflict, chosen)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "kind"),
    [("file a", "file a; sha256=1", "file a; sha256=2", "files"),
     ("file a", "", "file a; sha256=2", "files"),
     ("content a; icon=x", "", "content a; icon=y", "contents")],
)  # fmt: skip
def test_a_file_or_reusable_content(base: str, ours: str, theirs: str, kind: str) -> None:
    conflict, space, _ = conflict_of(base, ours, theirs)
    entry = getattr(space, kind)["a"]
    assert not is_settled(conflict, entry)
    assert resolve(entry, conflict, Resolution.OURS) == conflict.ours
    assert resolve(entry, conflict, Resolution.THEIRS) == conflict.theirs
    with pytest.raises(ResolutionError, match="must be an object"):
        resolve(entry, conflict, Resolution.CUSTOM, "text")


def test_a_cell_with_a_plain_value() -> None:
    def table(value: Any) -> Node:
        data = {
            "view": {"type": "grid", "columns": ["c"]},
            "definition": {"c": {"id": "c", "title": "C", "type": "select"}},
            "records": {"r": {"orderIndex": "1", "values": {"c": value}}},
        }
        node = {"object": "block", "type": "table", "isVoid": True, "key": "table", "data": data}
        return {"object": "document", "data": {}, "nodes": [node]}

    found = merge_documents(table(["a"]), table(["a", "b"]), table(["a", "c"]), page="p")
    (conflict,) = found.conflicts
    assert (conflict.kind, conflict.cell) == (ConflictKind.CELL, Cell("r", "c"))
    for resolution, wanted in (
        ("ours", ["a", "b"]),
        ("theirs", ["a", "c"]),
        ("both", ["a", "c", "b"]),
    ):
        result = resolve(found.document, conflict, Resolution(resolution))
        assert result is not None
        assert result["nodes"][0]["data"]["records"]["r"]["values"]["c"] == wanted
