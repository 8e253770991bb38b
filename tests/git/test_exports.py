"""Exports to a real Git server, and both directions after each other."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from db.models.spaces import Space
from jobs.git import exporting
from jobs.git.remote import RemoteGit
from jobs.table import KINDS
from tests.conftest import Api, World
from tests.git.server import GitServer, git
from tests.git.test_imports import FILES, body, imported, operation, pages
from tests.jobs.queue import Queue

MAIN = "refs/heads/main"


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    return name


async def exported(
    api: Api, world: World, space: Space, remote: GitServer, name: str, **more: Any
) -> dict[str, Any]:
    """The operation of an export, once it has ended."""
    wanted = body(remote, name, commitMessage="Changed in the space", **more)
    answer = await api.rest("POST", f"/spaces/{space.id}/git/export", world.creator, wanted)
    assert answer.status_code == 204, answer.text
    await Queue(api.server).work(KINDS)
    return await operation(api, space, world.creator)


async def edit(api: Api, world: World, space: Space, path: str, markdown: str) -> None:
    (page,) = [page for page in await walk(api, world, space) if page["path"] == path]
    wanted = [{"type": "update_page", "page": page["id"], "document": {"markdown": markdown}}]
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.creator, {"changes": wanted}
    )
    assert answer.status_code < 300, answer.text


async def walk(api: Api, world: World, space: Space) -> list[dict[str, Any]]:
    found, stack = [], await pages(api, world, space)
    while stack:
        page = stack.pop()
        found.append(page)
        stack += page.get("pages", [])
    return found


async def test_an_export_changes_the_edited_file_alone(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    before, ids = remote.files(name), {p["path"]: p["id"] for p in await walk(api, world, space)}
    first = remote.tip(name)
    nothing = await exported(api, world, space, remote, name)
    assert nothing["state"] == "success"
    assert "already" in nothing["nothingDone"]
    await edit(api, world, space, "first", "Hello, reader.")
    done = await exported(
        api, world, space, remote, name, repoCommitURL="https://git.example.com/commit/"
    )
    assert (done["state"], done.get("error")) == ("success", None), done
    assert done["commit"] == remote.tip(name)
    assert remote.files(name) == {**before, "guide/first.md": b"# First\n\nHello, reader.\n"}
    bare = remote.folder / f"{name}.git"
    assert git(bare, "rev-list", "--parents", "-1", "main").split()[1] == first
    text = git(bare, "log", "-1", "--format=%an|%ae|%B", "main")
    assert text.startswith(
        "Docstead|docstead@docs.test|Changed in the space\n\nCo-authored-by: Cre"
    )
    revision = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
    assert revision["git"] == {
        "oid": done["commit"], "message": "Changed in the space", "createdByGitBook": True,
        "createdByService": True,
        "url": f"https://git.example.com/commit/{done['commit']}", "ref": MAIN,
    }  # fmt: skip
    assert revision["id"] == done["revision"]
    for page in await walk(api, world, space):
        assert page["id"] == ids[page["path"]]
        path = page["git"]["path"]
        assert page["git"]["oid"] == git(bare, "rev-parse", f"main:{path}")
    plain = f"/spaces/{space.id}/content?metadata=false"
    assert "git" not in (await api.rest("GET", plain, world.reader)).json()
    again = await exported(api, world, space, remote, name, force=True)
    assert (again["state"], again["commit"]) == ("success", done["commit"])
    back = await imported(api, world, space, remote, name)
    assert "already" in back["nothingDone"]


async def test_commits_of_the_repository_are_kept(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    theirs = remote.commit(name, {"README.md": "# Home\n\nTheirs.\n", "main.c": "int x;\n"})
    await edit(api, world, space, "first", "Ours.")
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    files = remote.files(name)
    assert files["README.md"] == b"# Home\n\nTheirs.\n"
    assert files["main.c"] == b"int x;\n"
    assert files["guide/first.md"] == b"# First\n\nOurs.\n"
    bare = remote.folder / f"{name}.git"
    assert git(bare, "rev-parse", "main^") == theirs
    # What was only in the repository comes with the next import, and ours stays.
    await imported(api, world, space, remote, name, force=True)
    assert remote.files(name) == files
    path = f"/spaces/{space.id}/content/path/first?format=markdown"
    assert "Ours." in (await api.rest("GET", path, world.reader)).json()["markdown"]


async def test_a_file_that_both_have_changed_is_named_and_nothing_written(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    theirs = remote.commit(name, {"guide/first.md": "# First\n\nTheirs.\n"})
    await edit(api, world, space, "first", "Ours.")
    before = (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"]
    failed = await exported(api, world, space, remote, name)
    assert (failed["state"], failed["stage"]) == ("failure", "content_process")
    assert failed["error"].startswith("guide/first.md: changed in the repository and in the space")
    assert remote.tip(name) == theirs
    assert (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"] == before
    forced = await exported(api, world, space, remote, name, force=True)
    assert forced["state"] == "success"
    assert remote.read(name, "guide/first.md") == b"# First\n\nOurs.\n"
    assert git(remote.folder / f"{name}.git", "rev-parse", "main^") == theirs


async def test_branches_are_made_and_empty_repositories_filled(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    await edit(api, world, space, "first", "On a branch.")
    done = await exported(api, world, space, remote, name, ref="refs/heads/space")
    assert done["state"] == "success", done
    bare = remote.folder / f"{name}.git"
    assert git(bare, "rev-parse", "space^") == remote.tip(name)
    assert remote.read(name, "guide/first.md", "space") == b"# First\n\nOn a branch.\n"
    empty = f"empty-{name}"
    remote.make(empty)
    done = await exported(api, world, space, remote, empty, force=True)
    assert done["state"] == "success", done
    made = remote.files(empty)
    assert made.keys() >= {"README.md", "SUMMARY.md"}
    assert git(remote.folder / f"{empty}.git", "rev-list", "--count", "main") == "1"
    git(remote.folder / f"{empty}.git", "fsck", "--strict")


async def test_files_that_windows_could_not_have_go_every_way(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    names = ("aux.png", "a:b.png", "q?.png", "CON", "end. ", 'quo"te.png', "p|e*.png", "<x>.png")
    files = {f".gitbook/assets/{one}": one.encode() for one in names}
    remote.commit(name, files)
    done = await imported(api, world, space, remote, name)
    assert (done["state"], done["warnings"]) == ("success", [])
    await edit(api, world, space, "first", "Edited.")
    assert (await exported(api, world, space, remote, name))["state"] == "success"
    empty = f"empty-{name}"
    remote.make(empty)
    done = await exported(api, world, space, remote, empty, force=True)
    assert done["state"] == "success", done
    for repository in (name, empty):
        there = remote.files(repository)
        assert {path: there[path] for path in files} == files
    listed = await api.rest("GET", f"/spaces/{space.id}/content/files", world.editor)
    for file in listed.json()["items"]:
        answer = await api.client.get(file["downloadURL"])
        assert (answer.status_code, answer.content) == (200, file["name"].encode())


async def test_rewritten_history_is_not_lost(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    rewritten = remote.commit(name, {**FILES, "other.md": "# Other\n"}, parent=False)
    await edit(api, world, space, "first", "Ours.")
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert git(remote.folder / f"{name}.git", "rev-parse", "main^") == rewritten
    assert remote.read(name, "other.md") == b"# Other\n"


async def test_whoever_is_faster_is_not_overwritten(
    api: Api, world: World, space: Space, remote: GitServer, name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await imported(api, world, space, remote, name)
    await edit(api, world, space, "first", "Ours.")
    theirs: list[str] = []
    push = RemoteGit.push

    async def late(self: RemoteGit, *arguments: Any) -> None:
        if not theirs:
            theirs.append(remote.commit(name, {"other.md": "# Other\n"}))
        await push(self, *arguments)

    monkeypatch.setattr(RemoteGit, "push", late)
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    assert git(remote.folder / f"{name}.git", "rev-parse", "main^") == theirs[0]
    assert remote.read(name, "other.md") == b"# Other\n"
    assert remote.read(name, "guide/first.md") == b"# First\n\nOurs.\n"


async def test_a_process_that_dies_behind_the_push_makes_no_second_commit(
    api: Api, world: World, space: Space, remote: GitServer, name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await imported(api, world, space, remote, name)
    await edit(api, world, space, "first", "Ours.")
    died: list[str] = []
    run = exporting.run

    async def dying(ctx: Any, operation: Any, *arguments: Any) -> Any:
        if operation is exporting.record_git_export and not died:
            died.append("here")
            raise RuntimeError("the process is killed")
        return await run(ctx, operation, *arguments)

    monkeypatch.setattr(exporting, "run", dying)
    before = await exported(api, world, space, remote, name)
    assert before["state"] == "running"
    commit = remote.tip(name)
    queue = Queue(api.server)
    await queue.make_due()
    await queue.work(KINDS)
    done = await operation(api, space, world.creator)
    assert (done["state"], done["commit"], remote.tip(name)) == ("success", commit, commit)
    revision = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
    assert revision["git"]["oid"] == commit


async def test_a_refused_push_is_said_with_the_words_of_the_server(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await imported(api, world, space, remote, name)
    await edit(api, world, space, "first", "Ours.")
    before, tip = await pages(api, world, space), remote.tip(name)
    hook = remote.folder / f"{name}.git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'main is protected' >&2\nexit 1\n")
    hook.chmod(0o755)
    failed = await exported(api, world, space, remote, name)
    assert failed["state"] == "failure"
    assert "main is protected" in failed["error"]
    assert remote.tip(name) == tip
    assert await pages(api, world, space) == before


async def test_edits_go_from_an_editor_to_the_space_and_back(
    api: Api, world: World, space: Space, remote: GitServer, name: str, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "--quiet", remote.url(name), "work")
    work = tmp_path / "work"
    await imported(api, world, space, remote, name)
    (work / "guide" / "first.md").write_text("# First\n\nFrom an editor.\n")
    git(work, "commit", "--quiet", "-am", "From an editor")
    git(work, "push", "--quiet")
    await imported(api, world, space, remote, name)
    read = f"/spaces/{space.id}/content/path/first?format=markdown"
    assert "From an editor." in (await api.rest("GET", read, world.reader)).json()["markdown"]
    ids = {page["path"]: page["id"] for page in await walk(api, world, space)}
    base = f"/spaces/{space.id}/change-requests"
    made = await api.rest("POST", base, world.editor, {"subject": "Better words"})
    request = f"{base}/{made.json()['id']}"
    text = "From an editor.\n\nAnd from the space."
    changes = [{"type": "update_page", "page": ids["first"], "document": {"markdown": text}}]
    answer = await api.rest("POST", f"{request}/content", world.editor, {"changes": changes})
    assert answer.status_code < 300, answer.text
    merged = await api.rest("POST", f"{request}/merge", world.reviewer)
    assert merged.status_code == 200, merged.text
    done = await exported(api, world, space, remote, name)
    assert done["state"] == "success", done
    git(work, "pull", "--quiet", "--ff-only")
    assert (work / "guide" / "first.md").read_text() == (
        "# First\n\nFrom an editor.\n\nAnd from the space.\n"
    )
    assert git(work, "diff", "--stat", "HEAD~1").splitlines()[0].split()[0] == "guide/first.md"
    body = git(work, "log", "-1", "--format=%B")
    assert f"Co-authored-by: {world.editor.display_name}" in body
    assert {page["path"]: page["id"] for page in await walk(api, world, space)} == ids
