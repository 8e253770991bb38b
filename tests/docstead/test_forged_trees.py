"""Imports of organizations refuse what should be a tree and is none: at random, and in exports."""

import base64
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from content.hashing import content_id
from content.merkle.node import canonical
from db.organization_rows import exported_tables
from db.row_copies import open_snapshot
from db.session import Database
from jobs.organization_archive import ArchiveError, write_checksums
from jobs.organization_trees import Parents, _Pages, check_history, depths_of
from resolvers.revisions.limits import DEPTH
from tests.docstead.test_forged_exports import renamed
from tests.docstead.test_organization_export import (
    elsewhere,
    imported,
    lines,
    rewrite,
    serving,
    taken_out,
)

__all__ = ["elsewhere", "taken_out"]
Json = dict[str, Any]
IDS = [f"p{number}" for number in range(7)]
# Parents that are there, that are not, and none.
PARENTS = st.dictionaries(
    st.sampled_from(IDS), st.one_of(st.none(), st.sampled_from([*IDS, "gone"])), max_size=len(IDS)
)


def reference(parents: Parents) -> dict[str, int] | None:
    """Depths by walking up from each, for as many steps as there are parts."""
    depths: dict[str, int] = {}
    for id in parents:
        at: str | None = id
        for depth in range(1, len(parents) + 1):
            at = parents.get(at, "gone")
            if at is None:
                depths[id] = depth
                break
        else:
            return None
    return depths


@given(PARENTS)
def test_a_map_of_parents_is_a_tree_or_not(parents: Parents) -> None:
    expected = reference(parents)
    if expected is None:
        with pytest.raises(ValueError, match="below"):
            depths_of(parents)
    else:
        assert depths_of(parents) == expected


@given(st.lists(PARENTS, max_size=5))
def test_pages_of_each_revision_are_a_tree(revisions: list[Parents]) -> None:
    """Only what differs from the one before is looked at; the first that is none is refused."""
    pages, before = _Pages("content"), dict[str, str | None]()
    for parents in revisions:
        changes: list[tuple[str, Json | None]] = [
            (id, {"title": "x", **({"parent": parents[id]} if parents[id] else {})})
            for id in parents
            if id not in before or before[id] != parents[id]
        ]
        changes += [(id, None) for id in before.keys() - parents.keys()]
        if reference(parents) is None:
            with pytest.raises(ArchiveError, match=r"the pages: .* is below"):
                pages.change(changes)
            return
        pages.change(changes)
        before = dict(parents)


def test_trees_are_as_deep_as_writes_make_them() -> None:
    chain = {f"p{number}": None if number == 0 else f"p{number - 1}" for number in range(DEPTH)}
    pages = _Pages("content")
    pages.change((id, {"parent": above} if above else {}) for id, above in chain.items())
    with pytest.raises(ArchiveError, match="more than 100 levels"):
        pages.change([("deeper", {"parent": f"p{DEPTH - 1}"})])
    # Time follows the length, not its square, and nothing recurses.
    long = {str(number): str(number - 1) if number else None for number in range(200_000)}
    assert max(depths_of(long).values()) == 200_000


@given(st.dictionaries(st.sampled_from(IDS), st.lists(st.sampled_from([*IDS, "gone"]), max_size=2)))
def test_histories_come_from_no_revision_of_theirs(parents: dict[str, list[str]]) -> None:
    above = {id: {one for one in some if one in parents} for id, some in parents.items()}
    reached = dict(above)
    for _ in parents:
        reached = {id: some.union(*(above[one] for one in some)) for id, some in reached.items()}
    if any(id in some for id, some in reached.items()):
        with pytest.raises(ArchiveError, match="comes from itself"):
            check_history("content", parents)
    else:
        check_history("content", parents)


# ------------------------------------------------------------------ in exports


def below_itself(name: str) -> Callable[[list[Json]], None]:
    def change(rows: list[Json]) -> None:
        assert rows
        rows[-1][name] = rows[-1]["id"]

    return change


def swapped(rows: list[Json]) -> None:
    first, second = rows[:2]
    first["parent_id"], second["parent_id"] = second["id"], first["id"]


def reply_to_reply(rows: list[Json]) -> None:
    reply = next(row for row in rows if row["parent_id"] is not None)
    other = next(row for row in rows if row is not reply and row["parent_id"] is None)
    other["parent_id"] = reply["id"]


def from_itself(rows: list[Json]) -> None:
    rows[-1]["parents"] = [rows[-1]["id"]]


def without_one(rows: list[Json]) -> None:
    rows.pop()


def open_to_all(rows: list[Json]) -> None:
    rows[0]["level_rank"], rows[0]["level_depth"] = 6, 0


FORGED: list[tuple[str, Callable[[list[Json]], None], str]] = [
    ("collection", below_itself("parent_id"), "is below itself"),
    ("collection", swapped, "is below itself"),
    ("collection_ancestor", without_one, "their ancestors are not those that they are in"),
    ("collection", open_to_all, "is not as deep or open as those above it say"),
    ("site_section_group", below_itself("parent_id"), "is below itself"),
    ("comment", below_itself("parent_id"), "is a reply to what is no comment"),
    ("comment", reply_to_reply, "is a reply to what is no comment"),
    ("revision", from_itself, "comes from itself"),
]


def with_page_of(parent: Callable[[str], str]) -> Callable[[Path], None]:
    """Put a page of a map of pages somewhere else, with all ids that follow from its bytes."""

    def change(folder: Path) -> None:
        for node in lines(folder, "content_node"):
            entries = orjson.loads(base64.b64decode(node["data"])).get("entries", {})
            some = [id for id, entry in entries.items() if {"order", "type"} <= entry.keys()]
            if len(some) < 2:
                continue
            entries[some[0]]["parent"] = parent(some[0])
            data = canonical({"entries": entries})
            after = content_id(data)
            renamed(folder, node["id"], after)
            rows = lines(folder, "content_node")
            for row in rows:
                if row["id"] == after:
                    row["data"] = base64.b64encode(data).decode()
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / "data" / "content_node.jsonl").write_text(text)
            (folder / "checksums.json").unlink()
            write_checksums(folder)
            return
        raise AssertionError("there is no map with pages")

    return change


def rewritten(name: str, change: Callable[[list[Json]], None]) -> Callable[[Path], None]:
    return lambda folder: rewrite(folder, name, change)


CASES: list[tuple[str, Callable[[Path], None], str]] = [
    *((name, rewritten(name, change), problem) for name, change, problem in FORGED),
    ("page below itself", with_page_of(lambda id: id), "is below itself"),
    ("page below nothing", with_page_of(lambda id: "gone"), "'gone', which is not there"),
]  # fmt: skip


async def test_what_is_no_tree_is_refused_and_nothing_stays(
    taken_out: Path, elsewhere: Database, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    async with serving(elsewhere, tmp_path / "there") as there:
        for name, change, problem in CASES:
            shutil.copytree(taken_out, copy)
            change(copy)
            with pytest.raises(ArchiveError, match=re.escape(problem)):
                await imported(elsewhere, there, copy)
            shutil.rmtree(copy)
            async with open_snapshot(elsewhere) as snapshot:
                for table in exported_tables():
                    assert await snapshot.count(table) == 0, name
