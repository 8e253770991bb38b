"""Archives and bundles that are uploaded become content, by the rules of updates, in both doors."""

import io
import os
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from hypothesis import given, settings, strategies as st

from content.errors import SourceError
from content.sources import unpacking
from content.sources.tree import SourceLimits, check_path
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from jobs import tree_import
from jobs.table import KINDS
from tests import factories
from tests.conftest import Api, World
from tests.docstead.test_serve import environment, run, serving
from tests.git.server import git
from tests.git.test_exports import walk
from tests.jobs.queue import Queue

ROOT = Path(__file__).parents[2]
FILES = {
    "README.md": "# Home\n\nSee [the guide](guide/first.md).\n",
    "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [First](guide/first.md)\n",
    "guide/first.md": "# First\n\nHello.\n",
}
GRAPHQL = """mutation ($space: ID!, $input: ImportUploadedTreeInput!) {
  importUploadedTree(spaceId: $space, input: $input) { operationId state direction ref } }"""


def packed(files: Mapping[str, str | bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for path, data in files.items():
            out.writestr(path, data)
    return archive.getvalue()


async def uploaded(api: Api, world: World, person: User, data: bytes, name: str = "a.zip") -> str:
    """The key of an upload whose bytes have arrived."""
    file = {"name": name, "type": "application/zip", "size": len(data)}
    answer = await api.rest(
        "POST", f"/orgs/{world.organization.id}/storage/upload", person,
        {"file": file, "kind": "import_file"},
    )  # fmt: skip
    assert answer.status_code < 300, answer.text
    sent = await api.client.put(answer.json()["url"], content=data)
    assert sent.status_code < 300, sent.text
    key: str = answer.json()["key"]
    return key


async def started(api: Api, space: Space, person: User, **body: Any) -> Any:
    return await api.rest("POST", f"/spaces/{space.id}/git/import-upload", person, body)


async def ended(api: Api, space: Space, person: User, id: str) -> dict[str, Any]:
    await Queue(api.server).work(KINDS)
    answer = await api.rest("GET", f"/spaces/{space.id}/git/operations/{id}", person)
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    return value


async def brought(api: Api, world: World, space: Space, data: bytes, **body: Any) -> dict[str, Any]:
    """The operation of an import, once it has ended."""
    key = await uploaded(api, world, world.editor, data)
    answer = await started(api, space, world.editor, file=key, **body)
    assert answer.status_code == 202, answer.text
    return await ended(api, space, world.editor, answer.json()["id"])


async def ids(api: Api, world: World, space: Space) -> dict[str, str]:
    return {page["path"]: page["id"] for page in await walk(api, world, space)}


async def test_an_archive_updates_a_space_and_keeps_ids(
    api: Api, world: World, space: Space
) -> None:
    first = await brought(api, world, space, packed(FILES))
    assert (first["state"], first["direction"], first["ref"]) == ("success", "import", "")
    before = await ids(api, world, space)
    assert before.keys() == {"home", "first"} or len(before) == 2
    same = await brought(api, world, space, packed(FILES))
    assert "already" in same["nothingDone"]
    changed = {**FILES, "guide/first.md": "# First\n\nHello, reader.\n", "new.md": "# New\n"}
    changed["SUMMARY.md"] += "* [New](new.md)\n"
    key = await uploaded(api, world, world.editor, packed(changed))
    # A plan changes nothing, and leaves the file to be imported.
    answer = await started(api, space, world.editor, file=key, dryRun=True)
    planned = await ended(api, space, world.editor, answer.json()["id"])
    counts = {(one["kind"], one["change"]): one["count"] for one in planned["plan"]["counts"]}
    assert counts == {("page", "created"): 1, ("page", "updated"): 1}
    assert await ids(api, world, space) == before
    data = await api.data(GRAPHQL, world.editor, space=space.id, input={"file": key})
    operation = data["importUploadedTree"]
    assert (operation["direction"], operation["state"]) == ("IMPORT", "RUNNING")
    done = await ended(api, space, world.editor, operation["operationId"])
    assert done["state"] == "success", done
    after = await ids(api, world, space)
    assert {path: after[path] for path in before} == before
    assert len(after) == 3
    # What is not there any more is deleted; the file was used.
    gone = await brought(api, world, space, packed(FILES))
    assert gone["state"] == "success"
    assert await ids(api, world, space) == before
    again = await started(api, space, world.editor, file=key)
    assert again.status_code == 412, again.text


async def test_archives_may_have_twins_of_pages(api: Api, world: World, space: Space) -> None:
    files = {**FILES, "Guide/FIRST.md": "# Older\n"}
    done = await brought(api, world, space, packed(files))
    (warning,) = done["warnings"]
    assert (done["state"], warning.partition(":")[0]) == ("success", "Guide/FIRST.md")
    assert {page["title"] for page in await walk(api, world, space)} == {"Home", "First"}
    files["SUMMARY.md"] += "* [Older](Guide/FIRST.md)\n"
    done = await brought(api, world, space, packed(files))
    assert done["state"] == "failure"
    assert "'Guide/FIRST.md' and 'guide/first.md'" in done["error"]


async def test_a_file_of_an_odd_name_refuses_no_archive(
    api: Api, world: World, space: Space
) -> None:
    """What no system can have as a file of that name is left out and named; the rest comes in."""
    odd = ".gitbook/assets/a\\b.png"
    files = {**FILES, odd: b"x", "tests/\x01.txt": b"x", ".gitbook/assets/c.png": b"c"}
    files["guide/first.md"] = f"# First\n\n![](<../{odd}>)\n\n![](../.gitbook/assets/c.png)\n"
    done = await brought(api, world, space, packed(files))
    (warning,) = done["warnings"]
    assert done["state"] == "success"
    assert warning.startswith(f"{odd}: is left out, for its name")
    assert warning.endswith("links to it lead nowhere")
    answer = await api.rest("GET", f"/spaces/{space.id}/content/files", world.editor)
    assert [file["name"] for file in answer.json()["items"]] == ["c.png"]


def bundle(folder: Path) -> str:
    """Make `all.bundle` of one commit in a folder; the id of the commit."""
    (folder / "docs").mkdir()
    (folder / "docs" / "README.md").write_text("# Home\n\nFrom a bundle.\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "One")
    git(folder, "bundle", "create", "-q", "all.bundle", "main")
    return git(folder, "rev-parse", "main").strip()


async def test_a_change_request_gets_a_bundle(
    api: Api, world: World, space: Space, tmp_path: Path
) -> None:
    tip = bundle(tmp_path)
    made = await api.rest(
        "POST", f"/spaces/{space.id}/change-requests", world.editor, {"subject": "Bundle"}
    )
    request = made.json()["id"]
    data = (tmp_path / "all.bundle").read_bytes()
    done = await brought(
        api, world, space, data, changeRequest=request, repoProjectDirectory="docs"
    )
    assert done["state"] == "success", done
    assert done["commit"] == tip
    assert await ids(api, world, space) == {}
    answer = await api.rest(
        "GET", f"/spaces/{space.id}/change-requests/{request}/content/pages", world.editor
    )
    assert [page["title"] for page in answer.json()["pages"]] == ["Home"]


def link(path: str) -> bytes:
    """An archive whose one page is a symbolic link, beside a real page."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        info = zipfile.ZipInfo("secret.md")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(info, path)
        out.writestr("README.md", "# Home\n")
    return archive.getvalue()


def twice() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("a.md", "# A\n")
        with pytest.warns(UserWarning, match="Duplicate"):
            out.writestr("a.md", "# B\n")
    return archive.getvalue()


async def test_what_would_harm_is_refused_and_nothing_is_written(
    api: Api, world: World, space: Space
) -> None:
    """Zip slip, bombs, too many files, damaged and foreign files, trees without pages."""
    refused: list[tuple[bytes, str]] = [
        (packed({"../evil.md": "# A\n"}), "must not have the part '..'"),
        (packed({"/etc/evil.md": "# A\n"}), "must not have the part ''"),
        (packed({"a\\..\\b.md": "# A\n"}), "is not allowed in a path"),
        (packed({".git/hooks/x": "x", "a.md": "# A\n"}), "must not lead into '.git'"),
        (packed({"README.md": bytes(19_000_000)}), "unpacks to more than"),
        (twice(), "two entries of this name"),
        (packed({"README.md": "# A\n"})[:-30], "cannot be read as a zip archive"),
        (b"# v2 git bundle\n" + b"0" * 40 + b" refs/heads/main\n\nPACK" + bytes(40), "a.zip: "),
        (b"hello", "neither a zip archive nor a Git bundle"),
        (packed({"main.c": "int x;\n"}), "would empty the content"),
        (packed({"readme.md": "# A\n", "README.md": "# B\n"}), "differ only in upper and lower"),
    ]
    await brought(api, world, space, packed(FILES))
    before = await ids(api, world, space)
    for data, problem in refused:
        done = await brought(api, world, space, data)
        assert done["state"] == "failure", problem
        assert problem in done["error"]
        assert "/tmp" not in done["error"]
        assert await ids(api, world, space) == before
    # A link is no page, whatever it leads to.
    done = await brought(api, world, space, link("/etc/passwd"))
    assert done["state"] == "success"
    assert len(await ids(api, world, space)) == 1


async def test_uploads_are_unpacked_by_a_process_with_bounds(
    api: Api, world: World, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of them is parsed in the server; what takes too much ends the process alone."""

    def never(*arguments: Any) -> None:
        raise AssertionError("the server has opened an upload by itself")

    for name in ("open_zip", "open_bundle"):
        monkeypatch.setattr(unpacking, name, never)
    done = await brought(api, world, space, packed(FILES))
    assert (done["state"], done.get("error")) == ("success", None)
    before = await ids(api, world, space)
    monkeypatch.setattr(tree_import, "TOTAL_SECONDS", 0)
    done = await brought(api, world, space, packed({"README.md": "# Other\n"}))
    assert done["state"] == "failure"
    assert "unpacking it takes more than" in done["error"]
    assert await ids(api, world, space) == before


def test_the_process_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / unpacking.UPLOAD, "w") as archive:
        archive.writestr("README.md", os.urandom(80_000_000))
    command = (sys.executable, "-m", "content.sources.unpacking", "60", "60", "a.zip")
    bounds = (str(100_000_000), str(100_000_000), "10")
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([*command, *bounds], cwd=tmp_path, env=paths, check=True)
    with pytest.raises(SourceError, match="too large"):
        unpacking.open_unpacked(tmp_path, SourceLimits())


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_what_the_process_has_written_is_not_believed(data: st.DataObject) -> None:
    """Whatever it says is a tree within the limits, or refused."""
    limits = SourceLimits(100, 300, 5)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / unpacking.UPLOAD).write_bytes(packed({"a.md": "# A\n", "b/c.md": "# C\n"}))
        unpacking.unpack(folder, "a.zip", limits)
        with unpacking.open_unpacked(folder, limits) as tree:
            assert [tree.read(path) for path in tree.paths()] == [b"# A\n", b"# C\n"]
        index = orjson.loads((folder / unpacking.INDEX).read_bytes())
        other = st.one_of(st.none(), st.integers(-5, 500), st.text(max_size=5), st.just([]))
        where = data.draw(st.sampled_from(["name", "commit", "files", "a.md", "place"]))
        if where == "a.md":
            path = data.draw(st.sampled_from(["../x", ".git/x", "A.md", "b/c.md/d", "x\0"]))
            index["files"][path] = [0, 4, None, None]
        elif where == "place":
            number = data.draw(st.integers(0, 3))
            index["files"]["a.md"][number] = data.draw(other)
        else:
            index[where] = data.draw(other)
        (folder / unpacking.INDEX).write_bytes(orjson.dumps(index))
        try:
            with unpacking.open_unpacked(folder, limits) as tree:
                assert sum(len(tree.read(path)) for path in tree.paths()) <= 300
                for path in tree.paths():
                    check_path(path)
        except SourceError:
            pass


async def test_who_may_and_which_file(
    api: Api, world: World, space: Space, session: Session
) -> None:
    """Only editors import, only their own files, into what is there."""
    mine = await uploaded(api, world, world.editor, packed(FILES))
    for person, status in ((world.reader, 403), (world.commenter, 403), (world.outsider, 404)):
        assert (await started(api, space, person, file=mine)).status_code == status
    answer = await started(api, space, world.creator, file=mine)
    assert (answer.status_code, "`file`" in answer.text or "file" in answer.text) == (422, True)
    for body, status in (
        ({"file": "nothing"}, 422),
        ({}, 422),
        ({"file": mine, "repoProjectDirectory": "../x"}, 422),
        ({"file": mine, "changeRequest": "99"}, 404),
        ({"file": mine, "force": "yes"}, 422),
    ):
        answer = await started(api, space, world.editor, **body)
        assert answer.status_code == status, (body, answer.text)
    answer = await started(api, space, world.editor, file=mine)
    assert answer.status_code == 202
    other = await uploaded(api, world, world.editor, packed(FILES))
    assert (await started(api, space, world.editor, file=other)).status_code == 409
    id = answer.json()["id"]
    path = f"/spaces/{space.id}/git/operations/{id}"
    assert (await api.rest("GET", path, world.reader)).status_code == 404
    assert (await api.rest("GET", path, world.admin)).status_code == 200
    elsewhere = await factories.make_space(session, world.organization)
    await session.commit()
    path = f"/spaces/{elsewhere.id}/git/operations/{id}"
    assert (await api.rest("GET", path, world.editor)).status_code == 404


def test_the_script_of_the_documentation_syncs_a_folder(tmp_path: Path) -> None:
    """As a CI job would run it: against a real server, with a token, as a script."""
    data, docs = tmp_path / "data", tmp_path / "docs"
    docs.mkdir()
    (docs / "README.md").write_text("# Home\n\nHello.\n")
    with serving(data) as (url, _):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data),
        )  # fmt: skip
        token = made["token"]
        with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}) as client:
            path = f"/v1/orgs/{made['organization']['id']}/spaces"
            space = client.post(path, json={"title": "Docs"}).json()["id"]

        def sync(*options: str) -> str:
            done = subprocess.run(
                [sys.executable, str(ROOT / "examples/sync_markdown.py"), space, str(docs),
                 *options],
                env=environment({"DOCSTEAD_URL": url, "DOCSTEAD_TOKEN": token}),
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, ""), done
            return done.stdout

        assert sync("--plan") == "1 page created\n1 page deleted\n"
        assert "merged change request 1" in sync("--subject", "First")
        assert sync() == ""
        (docs / "README.md").write_text("# Home\n\nHello, reader.\n")
        assert sync() == "1 page updated\nmerged change request 2\n"
        (docs / "b.md").write_text("# B\n")
        assert "change request 3 waits for review" in sync("--no-merge")
