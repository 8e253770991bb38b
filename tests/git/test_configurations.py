"""Configurations: a space and a branch follow each other by themselves, on a real Git server."""

import datetime as dt
import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import pytest
from sqlalchemy import update

from db.base import utc_now
from db.job_enums import JobKind, JobState
from db.models.git import GitConfiguration
from db.models.spaces import Space
from db.session import Session
from jobs.table import KINDS
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.git.configurations import start_due_configurations
from tests import factories
from tests.conftest import Api, Queries, World
from tests.git.server import PASSWORD, GitServer, git
from tests.git.test_exports import edit
from tests.git.test_imports import FILES, listed, pages
from tests.jobs.queue import Queue

MAIN = "refs/heads/main"


@pytest.fixture
def name(remote: GitServer) -> str:
    name = f"docs-{uuid4().hex}"
    remote.make(name, FILES)
    return name


async def connect(
    api: Api, world: World, space: Space, remote: GitServer, name: str, **more: Any
) -> dict[str, Any]:
    """The answer of the call that connects a space with a branch."""
    body = {"url": remote.url(name), "ref": MAIN, "direction": "both", **more}
    answer = await api.rest("PUT", f"/spaces/{space.id}/git/configuration", world.creator, body)
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    return value


async def pass_a_minute(api: Api) -> None:
    """Look at configurations and do what is due, twice: an export follows an import."""
    queue = Queue(api.server)
    for _ in range(2):
        await queue.add(JobKind.GIT_SWEEP)
        await queue.work(KINDS)


async def operations(api: Api, space: Space, world: World) -> list[dict[str, Any]]:
    answer = await api.rest("GET", f"/spaces/{space.id}/git/operations", world.admin)
    value: list[dict[str, Any]] = answer.json()["items"]
    return value


async def push_hook(
    api: Api, connected: dict[str, Any], body: dict[str, Any] | bytes, **headers: str
) -> Any:
    path = urlsplit(connected["configuration"]["hookUrl"]).path
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await api.client.post(path, content=data, headers=headers)


def signed(secret: str, body: dict[str, Any]) -> dict[str, str]:
    digest = hmac.new(secret.encode(), json.dumps(body).encode(), hashlib.sha256).hexdigest()
    return {"X-GitHub-Event": "push", "X-Hub-Signature-256": f"sha256={digest}"}


async def test_a_space_and_a_branch_follow_each_other(
    api: Api, world: World, space: Space, remote: GitServer, name: str, tmp_path: Any
) -> None:
    """The story: a clone is edited and pushed, the page changes; the page is edited, a pull brings
    it."""
    connected = await connect(api, world, space, remote, name)
    await pass_a_minute(api)
    assert [page["title"] for page in await pages(api, world, space)] == ["Home", "First"]
    assert len(await operations(api, space, world)) == 1

    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", remote.url(name), str(clone))
    (clone / "guide" / "first.md").write_text("# First\n\nWritten in an editor.\n")
    git(clone, "commit", "--quiet", "-am", "Edit")
    git(clone, "push", "--quiet")
    body = {"ref": MAIN, "after": remote.tip(name)}
    answer = await push_hook(api, connected, body, **signed(connected["secret"], body))
    assert (answer.status_code, answer.json()["state"]) == (202, "started")
    await pass_a_minute(api)
    path = f"/spaces/{space.id}/content/path/first?format=markdown"
    shown = (await api.rest("GET", path, world.reader)).json()["markdown"]
    assert "Written in an editor." in shown

    made = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.creator, {})
    request = f"/spaces/{space.id}/change-requests/{made.json()['id']}"
    (page,) = [page for page in await pages(api, world, space) if page["path"] == "first"]
    change = {"type": "update_page", "page": page["id"], "document": {"markdown": "Reviewed."}}
    answer = await api.rest("POST", f"{request}/content", world.creator, {"changes": [change]})
    assert answer.status_code < 300, answer.text
    answer = await api.rest("POST", f"{request}/merge", world.admin, {})
    assert answer.status_code < 300, answer.text
    await pass_a_minute(api)
    git(clone, "pull", "--quiet")
    assert (clone / "guide" / "first.md").read_text() == "# First\n\nReviewed.\n"

    # Our own commit comes back as a webhook, and changes nothing.
    tip, number = remote.tip(name), len(await operations(api, space, world))
    body = {"ref": MAIN, "after": tip}
    answer = await push_hook(api, connected, body, **signed(connected["secret"], body))
    assert (answer.status_code, answer.json()["state"]) == (200, "ignored")
    await pass_a_minute(api)
    assert remote.tip(name) == tip
    assert len(await operations(api, space, world)) == number


@pytest.mark.parametrize("forge", ["github", "github form", "gitlab", "gitea", "forgejo"])
async def test_webhooks_of_all_forges_are_taken(
    api: Api, world: World, space: Space, remote: GitServer, name: str, forge: str
) -> None:
    connected = await connect(api, world, space, remote, name)
    secret, body = connected["secret"], json.dumps({"ref": MAIN, "after": "1" * 40}).encode()
    if forge == "github form":
        body = urlencode({"payload": body.decode()}).encode()
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    also_github = {"X-GitHub-Event": "push", "X-Hub-Signature-256": "sha256=" + digest}
    headers = {
        "github": also_github,
        "github form": {**also_github, "Content-Type": "application/x-www-form-urlencoded"},
        "gitlab": {"X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": secret},
        "gitea": {"X-Gitea-Event": "push", "X-Gitea-Signature": digest, **also_github},
        "forgejo": {"X-Forgejo-Event": "push", "X-Forgejo-Signature": digest, **also_github},
    }[forge]
    answer = await push_hook(api, connected, body, **headers)
    assert (answer.status_code, answer.json()) == (202, {"object": "git-hook", "state": "started"})
    again = await push_hook(api, connected, body, **headers)
    assert again.status_code == 202
    for bad in (
        {name: value for name, value in headers.items() if "ignature" not in name and
         "Token" not in name},
        {name: value[:-1] + "é" if "ignature" in name or "Token" in name else value
         for name, value in headers.items()},
    ):  # fmt: skip
        refused = await push_hook(
            api,
            connected,
            body,
            **{n: v.encode("latin-1") for n, v in bad.items()},  # type: ignore[arg-type]
        )
        unknown = await api.client.post("/git/hooks/nobody", content=body, headers=headers)
        assert refused.status_code == unknown.status_code == 404
        assert refused.json() == unknown.json()


async def test_what_is_no_push_to_the_branch_is_ignored_in_words(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    connected = await connect(api, world, space, remote, name)
    secret = connected["secret"]
    for body, event, reason in (
        ({"ref": "refs/heads/other", "after": "1" * 40}, "push", "not with refs/heads/other"),
        ({"ref": MAIN, "after": "0" * 40}, "push", "was deleted"),
        ({"zen": "x"}, "ping", "'ping' is no push"),
    ):
        headers = {**signed(secret, body), "X-GitHub-Event": event}
        answer = await push_hook(api, connected, body, **headers)
        assert answer.status_code == 200
        assert reason in answer.json()["reason"]
    for bad in ([], {"after": "1" * 40}):
        answer = await push_hook(api, connected, bad, **signed(secret, bad))  # type: ignore[arg-type]
        assert answer.status_code == 400
    assert (await push_hook(api, connected, {"ref": MAIN})).status_code == 400
    large = await push_hook(api, connected, b"x" * 5_000_001, **{"X-GitHub-Event": "push"})
    assert large.status_code == 413
    disabled = await connect(api, world, space, remote, name, enabled=False)
    assert "secret" not in disabled
    body = {"ref": MAIN, "after": "1" * 40}
    answer = await push_hook(api, connected, body, **signed(secret, body))
    assert "takes no commits" in answer.json()["reason"]


async def test_secrets_are_shown_once_and_stored_sealed(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    first = await connect(api, world, space, remote, name)
    assert first["configuration"]["hasCredentials"] is True
    # Without credentials in the address those of the configuration stay.
    plain = remote.url(name, credentials=None)
    again = await connect(api, world, space, remote, name, url=plain)
    assert again["configuration"]["hasCredentials"] is True
    renewed = await connect(api, world, space, remote, name, url=plain, newSecret=True)
    assert renewed["secret"] != first["secret"]
    async with api.server.database.session() as session:
        row = await session.get(GitConfiguration, space.id)
        assert row is not None
        assert first["secret"] not in row.hook_secret
        assert PASSWORD not in str(row.credentials)
    shown = await api.data(
        "query ($id: ID!) { gitConfiguration(spaceId: $id) { url hasCredentials hookUrl } }",
        world.creator, id=space.id,
    )  # fmt: skip
    assert PASSWORD not in str(shown)
    assert PASSWORD not in str(renewed)
    elsewhere = await connect(api, world, space, remote, name, url=f"{plain}2")
    assert elsewhere["configuration"]["hasCredentials"] is False
    deleted = await api.rest("DELETE", f"/spaces/{space.id}/git/configuration", world.creator)
    assert deleted.status_code in (204, 205)
    gone = await api.rest("GET", f"/spaces/{space.id}/git/configuration", world.creator)
    assert gone.status_code == 404


async def test_a_failed_export_is_not_started_again_until_something_happens(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await connect(api, world, space, remote, name, intervalMinutes=5)
    await pass_a_minute(api)
    await edit(api, world, space, "first", "Ours entirely.")
    remote.commit(name, {"guide/first.md": "# First\n\nSomething of theirs.\n"})
    await pass_a_minute(api)
    await pass_a_minute(api)
    ended = await operations(api, space, world)
    assert [operation["state"] for operation in ended] == ["failure", "success"]
    (conflict,) = await listed(api, world.creator, ended[0], "conflicts")
    assert conflict["path"] == "guide/first.md"
    answer = await api.rest("POST", f"/spaces/{space.id}/git/configuration/run", world.creator, {})
    assert answer.status_code == 200, answer.text
    await pass_a_minute(api)
    assert len(await operations(api, space, world)) > len(ended)


async def test_configurations_wait_for_their_turn_and_have_the_rights_of_their_owner(
    api: Api, world: World, space: Space, remote: GitServer, name: str
) -> None:
    await connect(api, world, space, remote, name, intervalMinutes=60)
    queue = Queue(api.server)
    waiting = await queue.add(
        JobKind.GIT_IMPORT, space_id=space.id, unique_key=f"git:{space.id}",
        due_at=utc_now() + dt.timedelta(days=365),
    )  # fmt: skip
    await pass_a_minute(api)
    assert not await pages(api, world, space) or len(await operations(api, space, world)) == 1
    await queue.change(waiting, state=JobState.CANCELLED, due_at=None)
    # An owner who is gone has no rights any more.
    async with api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(GitConfiguration).values(owner_id=world.outsider.id))
        await session.commit()
    await pass_a_minute(api)
    jobs = [job for job in await queue.jobs() if job.started_by_id == world.outsider.id]
    assert [job.state for job in jobs] == [JobState.FAILED]
    assert [page["title"] for page in await pages(api, world, space)] != ["Home", "First"]


async def test_what_is_due_is_found_with_as_many_statements_for_any_number_of_spaces(
    api: Api, world: World, session: Session, queries: Queries
) -> None:
    counts = []
    for number in (2, 40):
        for _ in range(number):
            space = await factories.make_space(session, world.organization)
            await factories.make_git_configuration(
                session, space, owner_id=world.admin.id, next_at=utc_now()
            )
        await session.commit()
        queries.statements.clear()
        async with api.server.context_of(OPERATOR) as ctx:
            assert await run(ctx, start_due_configurations) == number
        counts.append(len(queries.statements))
        # Who looks at the same moment finds that they have their jobs.
        async with api.server.context_of(OPERATOR) as ctx:
            assert await run(ctx, start_due_configurations) == 0
    assert counts[1] <= counts[0], counts
