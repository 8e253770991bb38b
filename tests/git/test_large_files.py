"""Files that Git LFS keeps: fetched by imports, given to the server by exports."""

import hashlib
import io
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from PIL import Image

from content.git.lfs import Pointer
from content.sources.pkt_lines import fetch_request
from db.failures import is_full
from db.models.spaces import Space
from fetching.git import FETCH, advertised, fetched, read_remote
from fetching.lfs import Large, LargeObjects
from jobs.git import remote as remote_git
from jobs.git.large_files import Budget
from tests.conftest import Api, World
from tests.git.server import LFS_VERSION, GitServer
from tests.git.test_exports import edit, exported, walk
from tests.git.test_imports import FILES, imported
from tests.git.test_odd_repositories import add_file

PICTURE = ".gitbook/assets/large.png"
TRACKED = "*.png filter=lfs diff=lfs merge=lfs -text\n"


def image(colour: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(stream, "PNG")
    return stream.getvalue()


RED, BLUE = image("red"), image("blue")


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"large-{uuid4().hex}"
    pages = {"guide/first.md": "# First\n\n![Plan](../.gitbook/assets/large.png)\n"}
    files = {**FILES, **pages, ".gitattributes": TRACKED, PICTURE: remote.large.put(RED)}
    remote.make(name, files)
    return name


async def files_of(api: Api, world: World, space: Space) -> dict[str, dict[str, Any]]:
    answer = await api.rest("GET", f"/spaces/{space.id}/content/files", world.creator)
    return {file["name"]: file for file in answer.json()["items"]}


async def bytes_of(api: Api, file: dict[str, Any]) -> bytes:
    address = urlsplit(file["downloadURL"])
    return (await api.client.get(f"{address.path}?{address.query}")).content


async def test_imports_fetch_the_files_behind_pointers(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    plan = await imported(api, world, space, remote, name, dryRun=True)
    assert (plan["state"], remote.large.batches) == ("success", [])
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", []), str(done)
    file = (await files_of(api, world, space))["large.png"]
    assert await bytes_of(api, file) == RED
    assert (file["dimensions"]["width"], file["contentType"]) == (40, "image/png")
    (batch,) = remote.large.batches
    assert (batch["operation"], batch["transfers"]) == ("download", ["basic"])
    assert batch["ref"] == {"name": "refs/heads/main"}
    # What the space has is not fetched again, nor written.
    remote.commit(name, {"guide/first.md": "# First\n\nNew.\n"})
    assert (await imported(api, world, space, remote, name))["warnings"] == []
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert len(remote.large.downloads) == 1
    assert remote.large.uploads == []
    assert remote.read(name, PICTURE) == remote.large.put(RED).encode()
    # Another pointer, another file.
    remote.commit(name, {PICTURE: remote.large.put(BLUE)})
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    assert await bytes_of(api, (await files_of(api, world, space))["large.png"]) == BLUE


async def test_what_does_not_come_is_named(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """It is left out, or stays as it was; a later import brings it."""
    data = remote.large.objects.pop(hashlib.sha256(RED).hexdigest())
    done = await imported(api, world, space, remote, name)
    (warning,) = done["warnings"]
    assert warning.startswith(f"{PICTURE}: is left out, for its bytes are kept by Git LFS, and the")
    assert await files_of(api, world, space) == {}
    # An export leaves the pointer where it is.
    await edit(api, world, space, "first", "Edited.")
    before = remote.read(name, PICTURE)
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, PICTURE) == before
    remote.large.put(data)
    done = await imported(api, world, space, remote, name, force=True)
    assert (done["state"], done["warnings"]) == ("success", []), str(done)
    first = (await files_of(api, world, space))["large.png"]
    remote.commit(name, {PICTURE: f"{LFS_VERSION}\noid sha256:{'7' * 64}\nsize 5\n"})
    done = await imported(api, world, space, remote, name)
    (warning,) = done["warnings"]
    assert warning.startswith(f"{PICTURE}: is as it was")
    assert (await files_of(api, world, space))["large.png"]["id"] == first["id"]
    assert await bytes_of(api, first) == RED


SAYS: dict[str, tuple[Any, str]] = {
    "an address inside": (
        lambda item: item | {"actions": {"download": {"href": "http://127.0.0.1:1/x"}}},
        "127.0.0.1 cannot be reached, or may not be",
    ),
    "an address of files": (
        lambda item: item | {"actions": {"download": {"href": "file:///etc/passwd"}}},
        "names an address that is none",
    ),
    "a header with a line break": (
        lambda item: item | {"actions": {"download": {
            **item["actions"]["download"], "header": {"X-A": "b\r\nX-Token: c"}}}},
        "cannot be sent",
    ),
    "nothing": (lambda item: {"oid": item["oid"]}, "names no place to fetch it from"),
    "another object": (lambda item: item | {"oid": "8" * 64}, "says nothing of it"),
    "an odd error": (lambda item: item | {"error": {"code": ["x"]}}, "refuses it with code"),
    "no object": (lambda item: [item], "says nothing of it"),
    "an id that is none": (lambda item: item | {"oid": [item["oid"]]}, "says nothing of it"),
}  # fmt: skip


@pytest.mark.parametrize("kind", SAYS)
async def test_what_a_server_says_is_not_trusted(
    api: Api, world: World, space: Space, remote: GitServer, name: str, kind: str
) -> None:
    remote.large.says, problem = SAYS[kind]
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    (warning,) = done["warnings"]
    assert problem in warning
    assert "http" not in warning
    assert await files_of(api, world, space) == {}


@pytest.mark.parametrize(
    ("sends", "problem"),
    [
        (lambda data: data[:-1], "something else"),
        (lambda data: data[:-1] + b"x", "something else"),
        (lambda data: data + b"x", "more than the"),
    ],
)
async def test_what_a_server_sends_is_checked(
    api: Api, world: World, space: Space, remote: GitServer, name: str, sends: Any, problem: str
) -> None:
    remote.large.sends = sends
    (warning,) = (await imported(api, world, space, remote, name))["warnings"]
    assert problem in warning
    assert await files_of(api, world, space) == {}


@pytest.mark.parametrize("more", [-9, 9])
async def test_pointers_with_several_sizes(
    api: Api, world: World, space: Space, remote: GitServer, name: str, more: int
) -> None:
    """One of them is wrong: no file has another size than its bytes."""
    other = PICTURE.replace("large", "other")
    wrong = remote.large.put(RED).replace(f"size {len(RED)}", f"size {len(RED) + more}")
    remote.commit(name, {other: wrong})
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert len(done["warnings"]) == 2
    assert all("several sizes" in warning for warning in done["warnings"])
    assert await files_of(api, world, space) == {}


@pytest.mark.parametrize("status", [404, 500, 403])
async def test_a_server_without_large_files(
    api: Api, world: World, space: Space, remote: GitServer, name: str, status: int
) -> None:
    remote.large.status = status
    done = await imported(api, world, space, remote, name)
    (warning,) = done["warnings"]
    assert f"answers with status {status}" in warning
    # What it keeps cannot be written: as a plain file it would be what the attributes deny.
    await add_file(api, world, space, "new.png", BLUE)
    before = remote.tip(name)
    done = await exported(api, world, space, remote, name)
    assert (done["state"], remote.tip(name)) == ("failure", before)
    assert ".gitbook/assets/new.png: is kept by Git LFS" in done["error"]


async def test_exports_give_new_files_to_the_server(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    await add_file(api, world, space, "new.png", BLUE)
    await add_file(api, world, space, "note.txt", b"small")
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    oid = hashlib.sha256(BLUE).hexdigest()
    pointer = f"{LFS_VERSION}\noid sha256:{oid}\nsize {len(BLUE)}\n".encode()
    assert remote.read(name, ".gitbook/assets/new.png") == pointer
    assert remote.read(name, ".gitbook/assets/note.txt") == b"small"
    assert (remote.large.uploads, remote.large.verified) == ([oid], [oid])
    assert remote.large.objects[oid] == BLUE
    # The next import knows it, and the next export has nothing to write.
    remote.commit(name, {"guide/first.md": "# First\n\nNew.\n"})
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    await edit(api, world, space, "first", "Edited.")
    tip = remote.files(name)
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    changed = {path for path, data in remote.files(name).items() if data != tip.get(path)}
    assert changed == {"guide/first.md"}
    assert len(remote.large.downloads) == len(remote.large.uploads) == 1


async def test_long_files_are_sent_in_pieces(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    remote.commit(name, {".gitattributes": "*.bin filter=lfs\n"})
    await imported(api, world, space, remote, name)
    data = bytes(range(256)) * 10_000
    await add_file(api, world, space, "new.bin", data)
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert remote.large.objects[hashlib.sha256(data).hexdigest()] == data


async def test_pages_stay_texts(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """As pointers no import could read them again."""
    remote.commit(name, {".gitattributes": "* filter=lfs\n"})
    await imported(api, world, space, remote, name)
    await edit(api, world, space, "first", "Edited.")
    await add_file(api, world, space, "new.png", BLUE)
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert b"Edited." in remote.read(name, "guide/first.md")
    assert remote.large.uploads == [hashlib.sha256(BLUE).hexdigest()]


async def test_texts_behind_pointers_are_read(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """Nobody reads a pointer: not as a page, as the table of contents nor as an include."""
    put = remote.large.put
    remote.commit(name, {
        ".gitattributes": "* filter=lfs\n",
        "guide/first.md": put(b"# First\n\nFar away.\n"),
        "SUMMARY.md": put(b"* [Home](README.md)\n* [First](guide/first.md)\n"),
        ".gitbook/includes/note.md": put(b"# Note\n\nOf all.\n"),
    })  # fmt: skip
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", []), str(done)
    page = f"/spaces/{space.id}/content/path/first?format=markdown"
    answer = (await api.rest("GET", page, world.creator)).json()
    assert (answer["title"], answer["markdown"].strip()) == ("First", "# First\n\nFar away.")
    # What nobody has edited stays as it is; what is edited becomes a text.
    before = remote.files(name)
    await edit(api, world, space, "readme", "Edited here.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    after = remote.files(name)
    assert {path for path in after if after[path] != before[path]} == {"README.md"}
    # Commits of others come in between.
    remote.commit(name, {"guide/first.md": put(b"# First\n\nFarther away.\n")})
    await edit(api, world, space, "readme", "Edited again.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    answer = (await api.rest("GET", page, world.creator)).json()
    assert answer["markdown"].strip().endswith("\nFarther away.")
    await edit(api, world, space, "first", "Here.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    assert remote.read(name, "guide/first.md") == b"# First\n\nHere.\n"


async def test_a_text_that_does_not_come_fails_the_import(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    remote.commit(name, {"guide/first.md": f"{LFS_VERSION}\noid sha256:{'7' * 64}\nsize 5\n"})
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "failure"
    assert done["error"].startswith("guide/first.md: its text is kept by Git LFS, and the server")


async def test_texts_of_other_projects_are_not_needed(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    lost = f"{LFS_VERSION}\noid sha256:{'7' * 64}\nsize 5\n"
    remote.commit(name, {
        "docs/README.md": "# Here\n",
        "docs/SUMMARY.md": remote.large.put(b"* [Here](README.md)\n"),
        "other/SUMMARY.md": lost,
    })  # fmt: skip
    done = await imported(api, world, space, remote, name, repoProjectDirectory="docs")
    assert (done["state"], done.get("error")) == ("success", None)
    remote.commit(name, {"other/README.md": "# There\n"})
    done = await imported(api, world, space, remote, name, repoProjectDirectory="other")
    assert done["state"] == "failure"
    assert done["error"].startswith("other/SUMMARY.md: its text is kept by Git LFS, and the server")


async def test_a_page_behind_a_pointer_is_moved_and_edited(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """Comments and links keep it: its pointers have nothing in common, its texts have."""
    put, lines = remote.large.put, "".join(f"Step {number} of all.\n\n" for number in range(9))
    listed = "* [Home](README.md)\n* [Steps]({})\n"
    remote.commit(name, {
        ".gitattributes": "*.md filter=lfs\n",
        "guide/steps.md": put(f"# Steps\n\n{lines}".encode()),
        "SUMMARY.md": listed.format("guide/steps.md"),
    })  # fmt: skip
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    (before,) = [page for page in await walk(api, world, space) if page["title"] == "Steps"]
    moved = put(f"# Steps\n\n{lines}One more.\n".encode())
    remote.commit(name, {
        "SUMMARY.md": listed.format("how/all.md"), "how/all.md": moved, "guide/steps.md": None,
    })  # fmt: skip
    assert (await imported(api, world, space, remote, name))["state"] == "success"
    (after,) = [page for page in await walk(api, world, space) if page["title"] == "Steps"]
    assert (after["id"], after["path"] != before["path"]) == (before["id"], True)


async def test_all_that_an_operation_fetches_is_counted_together(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    api.server.git = replace(api.server.git, megabytes=1)
    line = b"A line that says nothing but that it is there, again and again.\n"
    large = ".gitbook/assets/large.bin"
    text = b"# First\n\n[Large](../.gitbook/assets/large.bin)\n\n" + b"\n".join([line] * 5_000)
    remote.commit(name, {
        "guide/first.md": remote.large.put(text), large: remote.large.put(bytes(700_000)),
    })  # fmt: skip
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    (warning,) = done["warnings"]
    assert warning.startswith(f"{large}: is left out")
    assert "beyond the 1 MB" in warning
    texts = (hashlib.sha256(data).hexdigest() for data in (text, RED))
    assert remote.large.downloads == [*texts]


def test_what_a_budget_has_counted_is_counted_once() -> None:
    budget = Budget(1)
    pointers = [Pointer(f"{number:064x}", 300_000) for number in range(4)]
    for pointer in pointers[:2] * 3:
        assert budget.take([pointer]) == ([Large(*pointer)], {})
    fetched_now, problems = budget.take(pointers)
    assert len(fetched_now) == 3
    assert problems.keys() == {pointers[3].oid}
    other = pointers[0]._replace(size=1)
    assert budget.take([other])[1] == {other.oid: "pointers to it name several sizes"}


async def test_what_is_a_pointer_again_is_not_followed(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    """Else a pointer to a pointer would be asked for without an end."""
    pointer = remote.large.put(remote.large.put(b"# First\n").encode())
    remote.commit(name, {"guide/first.md": pointer})
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["error"]) == (
        "failure", "guide/first.md: what Git LFS keeps of it is a pointer again"
    )  # fmt: skip
    assert len(remote.large.downloads) == 1


async def test_a_full_disk_is_no_failure_of_the_server(
    api: Api, remote: GitServer, name: str, tmp_path: Path
) -> None:
    access, oid = api.server.git, hashlib.sha256(RED).hexdigest()
    there = read_remote(remote.url(name))
    objects = LargeObjects(access.fetcher, there, "refs/heads/main", 10, http=True)
    full = tmp_path / oid
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device"):
        await objects.fetch([Large(oid, len(RED))], tmp_path)
    assert await objects.fetch([Large(oid, len(RED))], tmp_path) == {}
    assert full.read_bytes() == RED
    # The same for a pack.
    full = tmp_path / "response"
    full.symlink_to("/dev/full")
    there, _ = await advertised(access.fetcher, there, FETCH, seconds=10)
    body = fetch_request(remote.tip(name), [], frozenset({"side-band-64k"}))
    with pytest.raises(OSError, match="No space left on device"):
        await fetched(access.fetcher, there, body, full, max_bytes=1_000_000, seconds=10)
    answer, place = tmp_path / "answer", tmp_path / "objects"
    await fetched(access.fetcher, there, body, answer, max_bytes=1_000_000, seconds=10)
    (place / "pack").mkdir(parents=True)
    (place / "pack" / "incoming.tmp").symlink_to("/dev/full")
    with pytest.raises(OSError, match="the pack of the repository cannot be kept") as failure:
        await remote_git._add_pack(answer, place, remote_git.LIMITS)
    assert is_full(failure.value)
    await remote_git._add_pack(answer, place, remote_git.LIMITS)
    assert [*place.glob("pack/*.pack")]
