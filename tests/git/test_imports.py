"""Imports from a real Git server through both interfaces."""

import base64
import datetime as dt
import logging
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlencode
from uuid import uuid4

import pytest
from sqlalchemy import func, select, update

from db.base import Base, utc_now
from db.job_enums import JobState
from db.models.git import GitCredential, GitSync
from db.models.organizations import User
from db.models.spaces import Space
from jobs.table import KINDS
from tests.conftest import Api, World
from tests.git.server import PASSWORD, USER, GitServer, git
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


async def listed(
    api: Api, person: User, done: dict[str, Any], what: str, limit: int = 50, **filters: str
) -> list[dict[str, Any]]:
    """The changes or the conflicts of an operation, read page by page."""
    rows: list[dict[str, Any]] = []
    query = {"limit": str(limit), **filters}
    while True:
        path = f"/spaces/{done['space']}/git/operations/{done['id']}/{what}?{urlencode(query)}"
        answer = await api.rest("GET", path, person)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert 0 < len(page["items"]) <= limit or not rows
        rows += page["items"]
        if "next" not in page:
            return rows
        query["page"] = page["next"]["page"]


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


async def test_a_commit_is_imported_once_and_in_order(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    first = await imported(api, world, space, remote, name, timestamp="2026-01-02T10:00:00Z")
    again = await imported(api, world, space, remote, name)
    assert (again["state"], again["revision"]) == ("success", first["revision"])
    assert "already" in again["nothingDone"]
    remote.commit(name, {"guide/first.md": "# First\n\nNewer.\n"})
    older = await imported(api, world, space, remote, name, timestamp="2026-01-02T09:59:59Z")
    assert (older["state"], older["revision"]) == ("success", first["revision"])
    assert "newer timestamp" in older["nothingDone"]
    forced = await imported(
        api, world, space, remote, name, timestamp="2026-01-02T09:59:59Z", force=True
    )
    assert forced["revision"] != first["revision"]
    assert "nothingDone" not in forced


async def test_clocks_that_are_ahead_hold_nothing_back(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    first = await imported(api, world, space, remote, name, timestamp="9999-12-31T23:59:59Z")
    remote.commit(name, {"guide/first.md": "# First\n\nNewer.\n"})
    second = await imported(api, world, space, remote, name)
    assert (second["state"], "nothingDone" in second) == ("success", False)
    assert second["revision"] != first["revision"]
    # The server's own clock was ahead.
    async with api.server.database.session() as session:
        await session.begin_write()
        ahead = utc_now() + dt.timedelta(hours=1)
        await session.execute(update(GitSync).values(last_timestamp=ahead))
        await session.commit()
    remote.commit(name, {"guide/first.md": "# First\n\nNewest.\n"})
    third = await imported(api, world, space, remote, name)
    assert third["revision"] != second["revision"]


async def test_a_standalone_import_is_shown_nowhere(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    before = (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"]
    git(remote.folder / f"{name}.git", "update-ref", "refs/pull/7/head", "main")
    done = await imported(api, world, space, remote, name, ref="refs/pull/7/head", standalone=True)
    assert done["state"] == "success", done
    assert (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"] == before
    path = f"/spaces/{space.id}/revisions/{done['revision']}/pages"
    titles = [page["title"] for page in (await api.rest("GET", path, world.reader)).json()["pages"]]
    assert titles == ["Home", "First"]


async def test_operations_take_turns(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    path, queue = f"/spaces/{space.id}/git/import", Queue(api.server)
    assert (await api.rest("POST", path, world.creator, body(remote, name))).status_code == 204
    waiting = await operation(api, space, world.creator)
    assert (waiting["state"], waiting["stage"]) == ("running", "repo_fetch")
    answer = await api.rest("POST", path, world.creator, body(remote, name))
    assert (answer.status_code, "force" in answer.text) == (409, True)
    forced = body(remote, name, force=True)
    assert (await api.rest("POST", path, world.creator, forced)).status_code == 204
    jobs = await queue.jobs()
    await queue.work(KINDS)
    ended = {job.id: job for job in await queue.jobs()}
    first, second = (ended[job.id] for job in jobs)
    assert first.state is second.state is JobState.SUCCEEDED
    assert first.finished_at is not None
    assert second.started_at is not None
    assert first.finished_at <= second.started_at


async def test_an_operation_that_has_fallen_silent_has_failed(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    path, queue = f"/spaces/{space.id}/git/import", Queue(api.server)
    await api.rest("POST", path, world.creator, body(remote, name))
    (job,) = await queue.jobs()
    ago = utc_now() - dt.timedelta(minutes=16)
    await queue.change(job.id, state=JobState.RUNNING, due_at=ago, claims=1)
    assert (await api.rest("POST", path, world.creator, body(remote, name))).status_code == 204
    assert "15 minutes" in ((await queue.job(job.id)).error or "")


async def test_failures_are_words_and_leave_the_space_as_it_was(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    before = (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"]
    remote.make(f"empty-{name}")
    remote.make(f"pageless-{name}", {"data.csv": "1,2\n"})
    remote.make(f"broken-{name}", {"README.md": "# A\n", ".gitbook.yaml": "root: [\n"})
    for which, more, words in (
        (name, {"ref": "refs/heads/none"}, "has no refs/heads/none; it has: refs/heads/main"),
        (f"empty-{name}", {}, "has no refs/heads/main; it is empty"),
        (f"missing-{name}", {}, "no such repository"),
        (name, {"url": remote.url(name, credentials="ada:wrong-one")}, "missing or wrong"),
        (f"pageless-{name}", {}, "would empty the space; say `force`"),
        (f"broken-{name}", {}, ".gitbook.yaml"),
    ):
        done = await imported(api, world, space, remote, which, **more)
        assert done["state"] == "failure", (which, done)
        assert words in done["error"], done["error"]
        assert "wrong-one" not in str(done)
    assert (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["revision"] == before
    assert (await imported(api, world, space, remote, name))["state"] == "success"


async def test_credentials_are_in_no_row_no_log_and_no_answer(
    api: Api, world: World, space: Space, remote: GitServer, name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    secret = f"pass%2Fword-{uuid4().hex}"
    url = remote.url(name, credentials=f"{USER}:{secret}")
    encoded = base64.b64encode(f"{USER}:{unquote(secret)}".encode()).decode()
    plain = [secret, unquote(secret), encoded]
    texts: list[str] = []

    async def stored() -> str:
        async with api.server.database.session() as reading:
            rows = [
                str((await reading.execute(select(table))).all())
                for table in Base.metadata.sorted_tables
            ]
        return "\n".join(rows)

    path = f"/spaces/{space.id}/git/import"
    for bad in ({"ref": "main"}, {"ref": "refs/heads/main", "repoTreeURL": "ftp://x"}):
        answer = await api.rest("POST", path, world.creator, {"url": url, **bad})
        assert answer.status_code == 422
        texts.append(answer.text)
    for address in (f"ssh://ada:{secret}@host/x", f"https://ada:{secret}@127.0.0.1/x.git"):
        answer = await api.rest("POST", path, world.creator, {**body(remote, name), "url": address})
        assert answer.status_code == 422
        assert '"url' in answer.text or "url:" in answer.text
        texts.append(answer.text)
    answer = await api.rest(
        "POST", path, world.creator, {**body(remote, name), "url": url},
        headers={"Idempotency-Key": "git-1"},
    )  # fmt: skip
    assert answer.status_code == 204
    texts.append(await stored())
    start = """mutation ($space: ID!, $input: ImportGitRepositoryInput!) {
      importGitRepository(spaceId: $space, input: $input) { operationId state ref } }"""
    wanted = {"url": url, "ref": "refs/heads/main", "force": True}
    texts.append(str(await api.graphql(start, world.creator, space=space.id, input=wanted)))
    await Queue(api.server).work(KINDS)
    done = await operation(api, space, world.creator)
    assert done["state"] == "failure"
    texts += [str(done), await stored(), caplog.text]
    async with api.server.database.session() as reading:
        left = select(func.count()).select_from(GitCredential)
        assert (await reading.execute(left)).scalar_one() == 0
    for text in texts:
        for part in plain:
            assert part not in text
    files = [file for file in api.server.settings.data_dir.rglob("*") if file.is_file()]
    for file in files:
        data = file.read_bytes()
        assert not any(part.encode() in data for part in plain), file


async def test_what_may_not_be_reached_is_refused_with_the_field(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    path = f"/spaces/{space.id}/git"
    good = body(remote, name)
    for change, field in (
        ({"url": "git@github.com:a/b.git"}, "url"),
        ({"url": "file:///etc/passwd"}, "url"),
        ({"url": "https://10.0.0.1/x.git"}, "url"),
        ({"url": "https://git.internal/x.git"}, "url"),
        ({"url": "https://[::1]/x.git"}, "url"),
        ({"url": "https://host.example/x.git?a=b"}, "url"),
        ({"ref": "main"}, "ref"),
        ({"ref": "refs/pull/7/head"}, "ref"),
        ({"ref": "refs/heads/a\x01b"}, "ref"),
        ({"repoProjectDirectory": "a/../b"}, "repoProjectDirectory"),
        ({"repoProjectDirectory": ".git"}, "repoProjectDirectory"),
        ({"repoCommitURL": "javascript:alert(1)"}, "repoCommitURL"),
        ({"repoTreeURL": "https://a:b@host.example"}, "repoTreeURL"),
        ({"gitInfo": {"url": "data:x"}}, "gitInfo.url"),
        ({"gitInfo": {"provider": "gitea"}}, "gitInfo.provider"),
        ({"timestamp": "yesterday"}, "timestamp"),
        ({"repoCacheID": ""}, "repoCacheID"),
    ):
        for way in ("import", "export"):
            more = {"commitMessage": "m"} if way == "export" else {}
            answer = await api.rest(
                "POST", f"{path}/{way}", world.creator, {**good, **more, **change}
            )
            assert answer.status_code == 422, (change, way, answer.text)
            assert field in answer.text
    api.server.git = replace(api.server.git, http=False)
    answer = await api.rest("POST", f"{path}/import", world.creator, good)
    assert (answer.status_code, "DOCSTEAD_GIT_HTTP" in answer.text) == (422, True)
    for person, status in ((world.reviewer, 403), (world.outsider, 404), (None, 401)):
        answer = await api.rest("POST", f"{path}/import", person, good)
        assert answer.status_code == status
    assert await Queue(api.server).jobs() == []


async def test_git_info_is_forgotten_once(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    path = f"/spaces/{space.id}/git"
    assert (await api.rest("GET", f"{path}/info", world.reader)).status_code == 404
    assert (await api.rest("GET", f"{path}/operation", world.creator)).status_code == 404
    legacy = f"{path}/legacy-installation"
    assert (await api.rest("DELETE", legacy, world.creator)).status_code == 204
    info = {"provider": "github", "url": "https://git.example.com/team/docs"}
    await imported(api, world, space, remote, name, gitInfo=info)
    shown = (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()["gitSync"]
    assert shown["installationProvider"] == "github"
    assert shown["repoName"] == name
    assert (await api.rest("DELETE", legacy, world.reviewer)).status_code == 403
    assert (await api.rest("DELETE", legacy, world.creator)).status_code == 205
    assert (await api.rest("GET", f"{path}/info", world.reader)).status_code == 404
    assert "gitSync" not in (await api.rest("GET", f"/spaces/{space.id}", world.reader)).json()


async def test_both_events_of_an_operation_name_its_commit(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    done = await imported(api, world, space, remote, name)
    await imported(api, world, space, remote, name, ref="refs/heads/none")
    events = (
        await api.rest("GET", f"/orgs/{world.organization.id}/events?limit=100", world.admin)
    ).json()["items"]
    ours = [event for event in events if event["type"].startswith("space_gitsync")]
    assert [
        (event["type"], event["facts"]["commitId"], event["facts"].get("state")) for event in ours
    ] == [
        ("space_gitsync_started", done["commit"], None),
        ("space_gitsync_completed", done["commit"], "success"),
        ("space_gitsync_completed", "", "failure"),
    ]
    assert ours[1]["revisionId"] == done["revision"]
