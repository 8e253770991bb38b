"""Processes that are killed in the middle of a Git operation have done all of it or nothing."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from db.models.spaces import Space
from jobs.table import KINDS
from tests.conftest import Api, World
from tests.forked import start
from tests.git.server import GitServer, git
from tests.git.test_both_sides import markdown, revision_of
from tests.git.test_exports import edit
from tests.git.test_imports import FILES, body, imported, operation
from tests.git.worker_process import main as working
from tests.jobs.queue import Queue

SECONDS = 60


@pytest.mark.parametrize(
    ("direction", "request_line"),
    [
        ("import", "POST /{}.git/git-upload-pack"),
        ("export", "GET /{}.git/info/refs?service=git-receive-pack"),
        ("export", "POST /{}.git/git-receive-pack"),
    ],
)
async def test_a_killed_operation_is_done_once_by_another_process(
    api: Api, world: World, space: Space, remote: GitServer, direction: str, request_line: str
) -> None:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    await imported(api, world, space, remote, name)
    more: dict[str, Any] = {}
    if direction == "import":
        remote.commit(name, {"guide/first.md": "# First\n\nNew.\n"})
    else:
        await edit(api, world, space, "first", "New.")
        more = {"commitMessage": "Changed"}
    before, tip = await revision_of(api, world, space), remote.tip(name)
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/git/{direction}", world.creator, body(remote, name, **more)
    )
    assert answer.status_code == 204, answer.text
    remote.requests.clear()
    await kill_at(api, remote, request_line.format(name))

    number = int(git(remote.folder / f"{name}.git", "rev-list", "--count", "main"))
    assert await revision_of(api, world, space) == before
    if direction == "import":
        assert remote.tip(name) == tip
    else:
        assert number in (1, 2)
    queue = Queue(api.server)
    await queue.make_due()
    await queue.work(KINDS)
    done = await operation(api, space, world.creator)
    assert (done["state"], done.get("error")) == ("success", None), done
    assert done["job"]["attempts"] == 2
    assert await revision_of(api, world, space) != before
    assert "New." in await markdown(api, world, space, "first")
    assert remote.read(name, "guide/first.md") == b"# First\n\nNew.\n"
    assert git(remote.folder / f"{name}.git", "rev-list", "--count", "main") == "2"


async def kill_at(api: Api, remote: GitServer, request: str) -> None:
    """Let a process work, and kill it when the Git server has got a request of its, and before it
    has the answer. What the server was asked for is done all the same."""
    remote.held = request
    url = api.server.database.url.render_as_string(hide_password=False)
    process = await start(working, url, str(api.server.settings.data_dir), str(remote.port))
    try:
        async with asyncio.timeout(SECONDS):
            while request not in remote.requests:
                assert process.returncode is None, "it has ended without that request"
                await asyncio.sleep(0.001)
    finally:
        process.kill()
        await process.wait()
        remote.held = ""
        remote.go_on.set()
        while remote.answering:  # noqa: ASYNC110 (a thread answers)
            await asyncio.sleep(0.001)
