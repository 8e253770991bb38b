"""The space and the repository are edited at the same time: plans, merges, conflicts."""

import random
from typing import Any
from uuid import uuid4

import pytest

from db.models.spaces import Space
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_exports import edit, exported
from tests.git.test_imports import FILES, imported, listed, pages

PARAGRAPHS = 5
TEXT = "\n\n".join(f"Paragraph {number} of the page." for number in range(PARAGRAPHS))
LONG = {**FILES, "guide/first.md": f"# First\n\n{TEXT}\n"}


@pytest.fixture
async def name(api: Api, world: World, space: Space, remote: GitServer) -> str:
    """A repository that the space has been synchronised with."""
    name = f"docs-{uuid4().hex}"
    remote.make(name, LONG)
    await imported(api, world, space, remote, name)
    return name


async def markdown(api: Api, world: World, space: Space, path: str) -> str:
    address = f"/spaces/{space.id}/content/path/{path}?format=markdown"
    value: str = (await api.rest("GET", address, world.reader)).json()["markdown"]
    return value


async def revision_of(api: Api, world: World, space: Space) -> str:
    value: str = (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"]
    return value


def with_paragraphs(changed: dict[int, str]) -> str:
    lines = [changed.get(n, f"Paragraph {n} of the page.") for n in range(PARAGRAPHS)]
    return "\n\n".join(line for line in lines if line)


async def test_edits_of_both_sides_are_merged_by_an_import(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await edit(api, world, space, "first", with_paragraphs({0: "Ours, at the top."}))
    commit = remote.commit(
        name,
        {"guide/first.md": f"# First\n\n{with_paragraphs({4: 'Theirs, at the end.'})}\n"},
    )
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["commit"]) == ("success", commit)
    assert await listed(api, world.creator, done, "conflicts") == []
    both = with_paragraphs({0: "Ours, at the top.", 4: "Theirs, at the end."})
    assert both in await markdown(api, world, space, "first")
    again = await imported(api, world, space, remote, name)
    assert "already" in again["nothingDone"]
    out = await exported(api, world, space, remote, name)
    assert out["state"] == "success", out
    assert remote.read(name, "guide/first.md").decode() == f"# First\n\n{both}\n"
    assert remote.files(name)["README.md"] == FILES["README.md"].encode()


async def test_an_export_merges_what_is_new_in_the_branch_and_loses_none_of_it_later(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    theirs = with_paragraphs({2: "Theirs."})
    remote.commit(
        name, {"guide/first.md": f"# First\n\n{theirs}\n", "README.md": "# Home\n\nNew.\n"}
    )
    await edit(api, world, space, "first", with_paragraphs({0: "Ours."}))
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    both = f"# First\n\n{with_paragraphs({0: 'Ours.', 2: 'Theirs.'})}\n"
    assert remote.read(name, "guide/first.md").decode() == both
    await edit(api, world, space, "first", with_paragraphs({0: "Ours.", 2: "Theirs.", 4: "More."}))
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "README.md") == b"# Home\n\nNew.\n"
    assert b"Theirs.\n" in remote.read(name, "guide/first.md")


async def test_conflicts_are_objects_and_nothing_is_written(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await edit(api, world, space, "first", with_paragraphs({1: "Completely ours, this one."}))
    theirs = with_paragraphs({1: "Another thing altogether of theirs."})
    tip = remote.commit(name, {"guide/first.md": f"# First\n\n{theirs}\n", "new.md": "# New\n"})
    before = await revision_of(api, world, space)
    for direction in (imported, exported):
        failed = await direction(api, world, space, remote, name)
        assert (failed["state"], failed["stage"]) == ("failure", "content_process"), failed
        assert failed["error"].startswith("guide/first.md: changed in the repository")
        (conflict,) = await listed(api, world.creator, failed, "conflicts")
        (page,) = [p for p in await pages(api, world, space) if p["path"] == "first"]
        assert conflict == {
            "path": "guide/first.md", "kind": "page", "id": page["id"],
            "reason": "both sides have changed the same block", "revision": before,
            "blob": remote_blob(remote, name, "guide/first.md"),
        }  # fmt: skip
        assert await revision_of(api, world, space) == before
        assert remote.tip(name) == tip
    query = """query ($id: ID!) { gitOperation(spaceId: $id) {
        conflicts { totalCount nodes { path kind reason objectId revisionId blobId } }
        plan { counts { count } } } }"""
    operation = (await api.data(query, world.creator, id=space.id))["gitOperation"]
    assert operation["conflicts"]["totalCount"] == 1
    assert operation["conflicts"]["nodes"][0]["path"] == "guide/first.md"
    assert operation["plan"] is None
    forced = await exported(api, world, space, remote, name, force=True)
    assert forced["state"] == "success", forced
    assert b"Completely ours, this one." in remote.read(name, "guide/first.md")
    assert remote.read(name, "new.md") == b"# New\n"


def remote_blob(remote: GitServer, name: str, path: str) -> str:
    return git(remote.folder / f"{name}.git", "rev-parse", f"main:{path}")


async def test_a_plan_says_what_would_change_and_changes_nothing(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await edit(api, world, space, "first", with_paragraphs({0: "Ours."}))
    tip = remote.commit(
        name,
        {"new.md": "# New\n", "SUMMARY.md": LONG["SUMMARY.md"] + "* [New](new.md)\n",
         "README.md": None, "HOME.md": FILES["README.md"]},
    )  # fmt: skip
    before = await revision_of(api, world, space)
    into = await imported(api, world, space, remote, name, dryRun=True)
    assert (into["state"], into["dryRun"], into["commit"]) == ("success", True, tip)
    assert {"kind": "page", "change": "created", "count": 1} in into["plan"]["counts"]
    changes = await listed(api, world.creator, into, "changes", limit=1)
    assert sum(count["count"] for count in into["plan"]["counts"]) == len(changes) > 1
    assert {"New"} <= {change["name"] for change in changes} <= {"New", "Home"}
    out = await exported(api, world, space, remote, name, dryRun=True)
    assert out["state"] == "success", out
    assert await listed(api, world.creator, out, "changes") == [
        {"kind": "path", "change": "updated", "name": "guide/first.md", "path": "guide/first.md"}
    ]
    assert await revision_of(api, world, space) == before
    assert remote.tip(name) == tip
    events = await api.rest("GET", f"/spaces/{space.id}/git/operation", world.creator)
    assert events.json()["dryRun"] is True


@pytest.mark.parametrize("seed", range(6))
async def test_no_edit_of_either_side_is_lost_unless_reported(
    api: Api, world: World, space: Space, remote: GitServer, name: str, seed: int
) -> None:
    """Paragraphs are replaced, removed and added on both sides; each has a word of its own."""
    chance = random.Random(seed)
    sides: dict[str, dict[int, str]] = {"ours": {}, "theirs": {}}
    words: dict[str, list[str]] = {"ours": [], "theirs": []}
    for side, changed in sides.items():
        for number in chance.sample(range(PARAGRAPHS), chance.randint(1, 3)):
            word = f"{side}{number}x{seed}"
            changed[number] = chance.choice(
                [f"Now it says {word}.", f"Paragraph {number} of the page.\n\nAdded {word}."]
            )
            words[side].append(word)
    await edit(api, world, space, "first", with_paragraphs(sides["ours"]))
    tip = remote.commit(
        name, {"guide/first.md": f"# First\n\n{with_paragraphs(sides['theirs'])}\n"}
    )
    direction: Any = chance.choice([imported, exported])
    done = await direction(api, world, space, remote, name)
    text = await markdown(api, world, space, "first")
    if done["state"] == "failure":
        assert await listed(api, world.creator, done, "conflicts"), done
        assert sides["ours"].keys() & sides["theirs"].keys()
        assert remote.tip(name) == tip
        assert all(word in text for word in words["ours"])
        return
    assert all(word in text for word in (*words["ours"], *words["theirs"]))
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    written = remote.read(name, "guide/first.md").decode()
    assert all(word in written for word in (*words["ours"], *words["theirs"]))
