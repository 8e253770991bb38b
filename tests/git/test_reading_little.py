"""How much of a repository is read: no object is unpacked twice in an operation, and files whose
bytes the space has are not read at all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from dulwich.objects import Blob, ObjectID, ShaFile

from db.models.spaces import Space
from jobs.git.cache import Objects
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_exports import edit, exported
from tests.git.test_imports import imported

PAGES, FILES = 40, 30
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
