"""Several processes meet at one clone: one works with it at a time, whoever is killed."""

import asyncio
import signal
from pathlib import Path
from uuid import uuid4

from db.enums import EditMode
from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.forked import ForkedProgram, start
from tests.git.clone_process import main as taking_clones
from tests.git.server import GitServer
from tests.git.test_imports import FILES, body, operation
from tests.git.worker_process import main as working

PROCESSES, TIMES = 4, 12


async def taking(folder: Path, times: int, stays: float) -> ForkedProgram:
    return await start(taking_clones, str(folder), str(times), str(stays))


async def test_one_process_is_in_a_clone_at_a_time(tmp_path: Path) -> None:
    holder = await taking(tmp_path, 1, 600)
    async with asyncio.timeout(120):
        assert await holder.stdout.readline() == b"in\n"
        others = [await taking(tmp_path, TIMES, 0.002) for _ in range(PROCESSES)]
        outputs = [asyncio.create_task(other.stdout.read()) for other in others]
        await asyncio.sleep(0.5)
        # They wait for whoever is in it.
        assert not any(task.done() for task in outputs)
        (tmp_path / "killed").touch()
        holder.kill()
        assert await holder.wait() == -signal.SIGKILL
        said = b"".join([await task for task in outputs]).decode().splitlines()
    assert said == ["in"] * (PROCESSES * TIMES)


async def test_processes_import_one_repository_into_many_spaces(
    api: Api, world: World, session: Session, remote: GitServer
) -> None:
    """With one clone for all of them: each space has the commit, and it was fetched once."""
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    spaces = [
        await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
        for _ in range(6)
    ]
    await session.commit()
    for space in spaces:
        answer = await api.rest(
            "POST", f"/spaces/{space.id}/git/import", world.creator,
            body(remote, name, repoCacheID="shared"),
        )  # fmt: skip
        assert answer.status_code == 204, answer.text
    url = api.server.database.url.render_as_string(hide_password=False)
    folder = api.server.settings.data_dir
    workers = [await start(working, url, str(folder), str(remote.port)) for _ in range(3)]
    async with asyncio.timeout(120):
        assert [await worker.wait() for worker in workers] == [0, 0, 0]
    for space in spaces:
        done = await operation(api, space, world.creator)
        assert (done["state"], done.get("error")) == ("success", None), done
        pages = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.creator)
        assert pages.json()["pages"]
    assert len(list((folder / "git").glob("*/*"))) == 1
    packs = list((folder / "git").glob("*/*/objects/pack/*.pack"))
    assert len(packs) == 1
