"""Imports from a real Git server through both interfaces."""

from typing import Any
from uuid import uuid4

import pytest

from db.models.organizations import User
from db.models.spaces import Space
from jobs.table import KINDS
from tests.conftest import Api, World
from tests.git.server import PASSWORD, GitServer
from tests.jobs.queue import Queue

FILES = {
    "README.md": "# Home\n\nSee [the guide](guide/first.md).\n",
    "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [First](guide/first.md)\n",
    "guide/first.md": "# First\n\nHello.\n",
}


def body(remote: GitServer, name: str, **more: Any) -> dict[str, Any]:
    return {"url": remote.url(name), "ref": "refs/heads/main", **more}


async def operation(api: Api, space: Space, person: User) -> dict[str, Any]:
    answer = await api.rest("GET", f"/spaces/{space.id}/git/operation", person)
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    return value


async def imported(
    api: Api, world: World, space: Space, remote: GitServer, name: str, **more: Any
) -> dict[str, Any]:
    """The operation of an import, once it has ended."""
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/git/import", world.creator, body(remote, name, **more)
    )
    assert answer.status_code == 204, answer.text
    await Queue(api.server).work(KINDS)
    return await operation(api, space, world.creator)


async def pages(api: Api, world: World, space: Space) -> list[dict[str, Any]]:
    answer = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.reader)
    value: list[dict[str, Any]] = answer.json()["pages"]
    return value


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    return name


async def test_an_import_makes_the_content_that_of_the_commit(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    commit = remote.tip(name)
    done = await imported(
        api, world, space, remote, name, repoCommitURL="https://git.example.com/docs/commit",
        gitInfo={"provider": "gitlab", "url": "https://git.example.com/team/docs"},
    )  # fmt: skip
    assert (done["state"], done["direction"], done["stage"]) == ("success", "import", "finalize")
    assert (done["commit"], done.get("error")) == (commit, None)
    assert [page["title"] for page in await pages(api, world, space)] == ["Home", "First"]
    revision = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
    assert revision["id"] == done["revision"]
    assert revision["git"]["oid"] == commit
    assert revision["git"]["url"] == f"https://git.example.com/docs/commit/{commit}"
    info = (await api.rest("GET", f"/spaces/{space.id}/git/info", world.reader)).json()
    assert info["installationProvider"] == "gitlab"
    assert info["url"] == "https://git.example.com/team/docs"
    assert PASSWORD not in str(info)
