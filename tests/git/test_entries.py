"""Plans and conflicts are read to the last entry in both doors, and go with their operation."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from db.git_enums import GitChange, GitChangeKind
from db.models.git import GitEntry
from db.models.spaces import Space
from db.session import Session
from jobs.git.operations import keep_entries
from jobs.purge import clear_jobs
from jobs.table import KINDS
from resolvers.core.actors import OPERATOR
from resolvers.git import entries
from resolvers.git.plans import Conflict, PlannedChange
from tests import factories
from tests.conftest import Api, World
from tests.git.server import GitServer
from tests.git.test_both_sides import revision_of
from tests.git.test_exports import edit
from tests.git.test_imports import FILES, imported, listed, operation
from tests.jobs.queue import Queue

PAGES = 1_100
QUERY = """
query ($space: ID!, $operation: ID!, $changes: String, $conflicts: String, $kind: GitChangeKind,
       $change: GitChange) {
  gitOperation(spaceId: $space, operationId: $operation) {
    plan { counts { kind change count } }
    changes(first: 100, after: $changes, kind: $kind, change: $change) {
      nodes { kind change name path before objectId } totalCount
      pageInfo { hasNextPage endCursor }
    }
    conflicts(first: 100, after: $conflicts) {
      nodes { path kind objectId reason revisionId blobId } totalCount
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""


async def in_graphql(
    api: Api, world: World, done: dict[str, Any], what: str, **filters: Any
) -> list[dict[str, Any]]:
    """The same as `listed`, from the other interface."""
    rows: list[dict[str, Any]] = []
    after = None
    while True:
        named = {"space": done["space"], "operation": done["id"], what: after, **filters}
        data = await api.data(QUERY, world.creator, **named)
        page = data["gitOperation"][what]
        rows += page["nodes"]
        if not page["pageInfo"]["hasNextPage"]:
            assert page["totalCount"] == len(rows)
            return rows
        after = page["pageInfo"]["endCursor"]


def as_in_rest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {"objectId": "id", "revisionId": "revision", "blobId": "blob"}
    return [
        {
            names.get(name, name): value.lower().replace("_", "-")
            if name in ("kind", "change")
            else value
            for name, value in row.items()
            if value is not None
        }
        for row in rows
    ]


async def test_every_change_of_a_large_plan_is_read(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    name = f"docs-{uuid4().hex}"
    paths = [f"part/page-{number}.md" for number in range(PAGES)]
    remote.make(name, {**{path: f"# {path}\n" for path in paths}, "README.md": "# Home\n"})
    before = await revision_of(api, world, space)
    planned = await imported(api, world, space, remote, name, dryRun=True)
    assert planned["state"] == "success", planned
    total = sum(count["count"] for count in planned["plan"]["counts"])
    changes = await listed(api, world.creator, planned, "changes", limit=100)
    assert len(changes) == total > PAGES
    assert {change.get("path") for change in changes} >= {*paths, "README.md"}
    assert as_in_rest(await in_graphql(api, world, planned, "changes")) == changes
    for count in planned["plan"]["counts"]:
        filters = {name: count[name] for name in ("kind", "change")}
        chosen = await listed(api, world.creator, planned, "changes", limit=100, **filters)
        assert len(chosen) == count["count"]
        assert all(change.items() >= filters.items() for change in chosen)
        in_capitals = {name: value.upper().replace("-", "_") for name, value in filters.items()}
        rows = await in_graphql(api, world, planned, "changes", **in_capitals)
        assert as_in_rest(rows) == chosen
    assert await revision_of(api, world, space) == before


async def test_every_conflict_is_read_and_none_of_an_earlier_attempt(
    api: Api, world: World, space: Space, remote: GitServer
) -> None:
    number = 12
    files: dict[str, str | bytes] = {
        f"page-{one}.md": f"# Page {one}\n\nText.\n" for one in range(number)
    }
    name = f"docs-{uuid4().hex}"
    remote.make(name, {**FILES, **files, "SUMMARY.md": "* [Home](README.md)\n" + "".join(
        f"* [Page {one}](page-{one}.md)\n" for one in range(number))})  # fmt: skip
    await imported(api, world, space, remote, name)
    for one in range(number):
        await edit(api, world, space, f"page-{one}", "Ours.")
    remote.commit(
        name, {path: f"{text!s}".replace("Text", "Theirs") for path, text in files.items()}
    )
    failed = await imported(api, world, space, remote, name)
    assert failed["state"] == "failure", failed
    conflicts = await listed(api, world.creator, failed, "conflicts", limit=5)
    assert {conflict["path"] for conflict in conflicts} == files.keys()
    assert len(conflicts) == number
    assert all(conflict["revision"] and conflict["blob"] for conflict in conflicts)
    assert as_in_rest(await in_graphql(api, world, failed, "conflicts")) == conflicts
    # Another attempt lists its own: this one has no credentials any more, and comes to no merge.
    answer = await api.rest(
        "POST", f"/orgs/{world.organization.id}/jobs/{failed['id']}/retry", world.admin, {}
    )
    assert answer.status_code < 300, answer.text
    await Queue(api.server).work(KINDS)
    again = await operation(api, space, world.creator)
    assert (again["id"], again["state"]) == (failed["id"], "failure"), again
    assert "changed in" not in again["error"]
    assert await listed(api, world.creator, again, "conflicts") == []


async def test_entries_are_stored_in_portions_and_purged_with_their_job(
    api: Api, world: World, session: Session, space: Space
) -> None:
    many = 2 * entries.PORTION + 1
    job = await factories.make_git_sync(session, space)
    elsewhere = await factories.make_space(session, world.organization)
    other = await factories.make_git_sync(session, elsewhere)
    await session.commit()
    both: list[PlannedChange | Conflict] = [
        Conflict(f"{one}.md", "both", GitChangeKind.PAGE, "home", "1" * 20) for one in range(many)
    ]
    both.append(PlannedChange(GitChange.MOVED, GitChangeKind.PAGE, "Home", "home", "b.md", "a.md"))

    ids = job.id, other.id

    async def number(id: str) -> int:
        async with api.server.database.session() as reading:
            rows = select(func.count()).select_from(GitEntry).where(GitEntry.job_id == id)
            return int((await reading.execute(rows)).scalar_one())

    async with api.server.context_of(OPERATOR) as ctx:
        # Twice: what an attempt has left before it was killed goes.
        for _ in range(2):
            await keep_entries(ctx, ids[0], both)
            assert await number(ids[0]) == many + 1
    done = {"space": space.id, "id": ids[0]}
    conflicts = await listed(api, world.creator, done, "conflicts", limit=100)
    assert [conflict["path"] for conflict in conflicts] == [f"{one}.md" for one in range(many)]
    (change,) = await listed(api, world.creator, done, "changes")
    assert change == {
        "kind": "page", "change": "moved", "name": "Home", "id": "home", "path": "b.md",
        "before": "a.md",
    }  # fmt: skip
    async with api.server.context_of(OPERATOR) as ctx:
        assert await clear_jobs(ctx, ctx.now() + dt.timedelta(days=29)) == 0
        assert await number(ids[0]) == many + 1
        assert await clear_jobs(ctx, ctx.now() + dt.timedelta(days=31)) >= 2
    assert [await number(id) for id in ids] == [0, 0]


@pytest.mark.parametrize("what", ["changes", "conflicts"])
async def test_who_reads_what_an_operation_lists(
    api: Api, world: World, session: Session, space: Space, what: str
) -> None:
    job = await factories.make_git_sync(session, space)
    elsewhere = await factories.make_space(session, world.organization)
    await session.commit()
    for person in (world.admin, world.creator):
        assert len(await listed(api, person, {"space": space.id, "id": job.id}, what)) == 1
    for person, place, status in (
        (world.editor, space.id, 404),
        (world.outsider, space.id, 404),
        (world.creator, elsewhere.id, 404),
    ):
        path = f"/spaces/{place}/git/operations/{job.id}/{what}"
        answer = await api.rest("GET", path, person)
        assert answer.status_code == status, answer.text
