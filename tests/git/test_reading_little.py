"""How much of a repository is read: no object is unpacked twice in an operation, and files whose
bytes the space has are not read at all."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from dulwich.objects import Blob, ObjectID, ShaFile
from hypothesis import given, strategies as st

from content.errors import YamlError
from content.git import page_files
from content.sources.tree import SourceEntry, SourceTree, git_blob_oid
from content.sources.zip import open_files
from db.models.spaces import Space
from jobs.git.cache import Objects
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_exports import edit, exported
from tests.git.test_imports import imported

PAGES, FILES, MANY = 40, 30, 500
SOME = {
    "README.md": "# Home\n",
    **{f"part/page-{one}.md": f"# Page {one}\n\nText.\n" for one in range(PAGES)},
    **{f".gitbook/assets/{one}.png": f"bytes {one}" for one in range(FILES)},
}


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often each blob is unpacked, by its id."""
    loads: Counter[str] = Counter()
    load = Objects.load

    def counted(self: Objects, oid: ObjectID) -> ShaFile:
        loaded = load(self, oid)
        if isinstance(loaded, Blob):
            loads[oid.decode()] += 1
        return loaded

    with monkeypatch.context() as patched:
        patched.setattr(Objects, "load", counted)
        yield loads


def assets(remote: GitServer, name: str) -> dict[str, str]:
    lines = git(remote.folder / f"{name}.git", "ls-tree", "-r", "main").splitlines()
    return {line.split()[2]: line.split("\t")[1] for line in lines if line.endswith(".png")}


async def test_files_that_the_space_has_are_not_read_again(
    api: Api,
    world: World,
    space: Space,
    remote: GitServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = f"docs-{uuid4().hex}"
    remote.make(name, SOME)
    with counting(monkeypatch) as loads:
        await imported(api, world, space, remote, name)
    assert max(loads.values()) == 1
    assert len(loads.keys() & assets(remote, name).keys()) == FILES

    changes = {".gitbook/assets/3.png": "other bytes", "part/page-1.md": "# Page 1\n\nNew.\n"}
    remote.commit(name, changes)
    with counting(monkeypatch) as loads:
        done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert max(loads.values()) == 1
    read = {path for oid, path in assets(remote, name).items() if oid in loads}
    assert read == {".gitbook/assets/3.png"}

    # Of an export that takes a commit in first, too.
    remote.commit(name, {"part/page-2.md": "# Page 2\n\nTheirs.\n"})
    await edit(api, world, space, "part/page-5", "Ours.")
    with counting(monkeypatch) as loads:
        done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert max(loads.values()) == 1
    assert not loads.keys() & assets(remote, name).keys()
    assert remote.read(name, "part/page-5.md") == b"# Page 5\n\nOurs.\n"
    assert remote.read(name, "part/page-2.md") == b"# Page 2\n\nTheirs.\n"


async def test_bytes_that_were_replaced_in_the_space_are_exported(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    """What is known of a blob is what was read from it, not what the file has become since."""
    name, path = f"docs-{uuid4().hex}", ".gitbook/assets/a.txt"
    remote.make(name, {"README.md": "# Home\n\n[a](.gitbook/assets/a.txt)\n", path: "old bytes"})
    await imported(api, world, space, remote, name)
    there = await api.data(
        """mutation ($space: ID!) { createFileUpload(
             spaceId: $space, input: {name: "a.txt", size: 9}) { id url } }""",
        world.creator, space=space.id,
    )  # fmt: skip
    upload = there["createFileUpload"]
    address = urlsplit(upload["url"])
    sent = await api.client.put(f"{address.path}?{address.query}", content=b"new bytes")
    assert sent.status_code == 200, sent.text
    files = await api.rest("GET", f"/spaces/{space.id}/content/files", world.creator)
    (file,) = files.json()["items"]
    await api.data(
        """mutation ($space: ID!, $file: ID!, $upload: ID!) { replaceFile(
             spaceId: $space, input: {file: $file, upload: $upload}) { files { id } } }""",
        world.creator, space=space.id, file=file["id"], upload=upload["id"],
    )  # fmt: skip
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert remote.read(name, path) == b"new bytes"
    # The next export has nothing to do.
    done = await exported(api, world, space, remote, name)
    assert remote.read(name, path) == b"new bytes"


async def test_of_many_files_those_are_read_that_have_changed(
    api: Api, world: World, space: Space, remote: GitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are read and parsed once in the life of a process, whatever an operation is about."""
    name = f"docs-{uuid4().hex}"
    paths = [f"part-{one // 50}/page-{one}.md" for one in range(MANY)]
    summary = "".join(f"* [Page {path}]({path})\n" for path in paths)
    text = "---\ndescription: About {0}\n---\n\n# Page {0}\n\nSee [home](../README.md).\n"
    remote.make(name, {
        **{path: text.format(path) for path in paths},
        "README.md": "# Home\n", "SUMMARY.md": f"* [Home](README.md)\n{summary}",
    })  # fmt: skip
    done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    changed = paths[3], paths[MANY // 4], paths[MANY - 1]
    remote.commit(name, {path: text.format(path) + "\nMore.\n" for path in changed})
    parsed: list[str] = []
    split = page_files.split_front_matter

    def noted(text: str) -> Any:
        parsed.append(text)
        return split(text)

    monkeypatch.setattr(page_files, "split_front_matter", noted)
    with counting(monkeypatch) as loads:
        done = await imported(api, world, space, remote, name)
    assert done["state"] == "success", done
    listed = git(remote.folder / f"{name}.git", "ls-tree", "-r", "main").splitlines()
    names = {line.split()[2]: line.split("\t")[1] for line in listed}
    assert {names[oid] for oid in loads} == {*changed, "SUMMARY.md"}
    assert len(parsed) == 3
    # An export reads no more: the table of contents.
    parsed.clear()
    await edit(api, world, space, "page-7", "Ours.")
    with counting(monkeypatch) as loads:
        done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert {names.get(oid) for oid in loads} - {None} <= {"SUMMARY.md", paths[7]}
    assert len(parsed) <= 1


@given(data=st.binary(max_size=300), other=st.binary(max_size=300))
def test_what_is_known_is_what_is_read(data: bytes, other: bytes) -> None:
    """Also where the first reader has changed what it got."""
    read = page_files.KnownPageFiles(100_000, 100_000).reader("a")
    head = b"---\nvariables: {x: y}\n---\n"
    trees = [open_files({"a.md": text, "b.md": head + text}) for text in (data, other)]
    for _ in range(2):
        for tree in trees:
            for path in tree.paths():
                try:
                    right = page_files.read_page_file(tree, path)
                except YamlError:
                    continue
                file = read(tree, path)
                assert file == right
                file.matter.variables["changed"] = True
                file.matter.layout["changed"] = True


def test_of_another_organization_nothing_is_known() -> None:
    known = page_files.KnownPageFiles(100_000, 100_000)
    reads: list[str] = []

    def load(path: str) -> bytes:
        reads.append(path)
        return b"# A\n"

    tree = SourceTree("docs", {"a.md": SourceEntry(4, git_blob_oid(b"# A\n"))}, load)
    for scope, number in (("a", 1), ("a", 1), ("b", 2)):
        assert known.reader(scope)(tree, "a.md").heading == "A"
        assert len(reads) == number


@given(st.lists(st.sampled_from(["[[[],[],[]],[]]", "{a: {b: [1]}}", "x" * 900, "é" * 500, "1"])))
def test_the_memory_of_known_pages_is_bounded(values: list[str]) -> None:
    """Front matter counts with what it takes once it is parsed."""
    matter = "".join(f"key{number}: {value}\n" for number, value in enumerate(values))
    file = page_files.read_page_file(
        open_files({"a.md": f"---\n{matter}---\n# A\n\nText.\n".encode()}), "a.md"
    )
    kept = page_files._bytes_of(file)
    held: dict[int, int] = {}

    def hold(value: Any) -> None:
        held[id(value)] = sys.getsizeof(value)
        parts = [*value, *value.values()] if isinstance(value, dict) else []
        for part in value if isinstance(value, list) else parts:
            hold(part)

    for value in (file.markdown, file.lead, file.head, file.matter.extra, file.matter.variables):
        hold(value)
    assert kept >= sum(held.values())
    assert kept <= 2 * sum(held.values()) + 3_000
