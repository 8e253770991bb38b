"""Conflicts of large merges: stored before the lock, there with the revision of the merge."""

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import func, select

from db.content_enums import MergeResult
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.merging import MergeConflict
from db.models.spaces import Space
from db.session import Session
from jobs import purge
from resolvers.change_requests import conflicts
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.core.runners import run
from resolvers.merging import operations
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions import bodies_work
from tests.conftest import Api, Queries, World, context
from tests.merging import edit, with_request

Operation = Any


@pytest.fixture(autouse=True)
def _little_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies_work, "LIGHT", 0)
    monkeypatch.setattr(operations, "STAGED", 3)
    monkeypatch.setattr(operations, "PAUSE", 0)


async def clashing(session: Session, world: World, count: int) -> tuple[Space, ChangeRequest]:
    """So many paragraphs that both sides have edited."""
    space, row = await with_request(session, world, 1)
    texts = [f"Paragraph number {n} of {n * 7919}" for n in range(count)]
    await edit(session, world.creator, space, p0={"body": "\n\n".join(texts)})
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    ours, theirs = [f"{text} by us" for text in texts], [f"{text} by them" for text in texts]
    await edit(session, world.editor, space, row, p0={"body": "\n\n".join(ours)})
    await edit(session, world.creator, space, p0={"body": "\n\n".join(theirs)})
    return space, row


async def stored(session: Session) -> int:
    """Rows, whether they are there for anybody or not."""
    return await session.scalar(select(func.count()).select_from(MergeConflict)) or 0


def inserts(queries: Queries) -> list[int]:
    """Which statements store conflicts."""
    stores = "INSERT INTO change_request_conflict"
    return [n for n, text in enumerate(queries.statements) if text.startswith(stores)]


async def shown(api: Api, world: World, space: Space, row: ChangeRequest) -> tuple[int, int]:
    """How many conflicts both interfaces list, page by page."""
    path, page, listed = f"/spaces/{space.id}/change-requests/{row.id}/conflicts", "", 0
    while True:
        answer = (await api.rest("GET", f"{path}?limit=4{page}", world.reviewer)).json()
        listed += len(answer["items"])
        if "next" not in answer:
            break
        page = f"&page={answer['next']['page']}"
    text = """query($space: ID!, $id: ID!) { changeRequest(spaceId: $space, id: $id) {
        conflicts(first: 1) { totalCount } } }"""
    answer = await api.graphql(text, world.reviewer, space=space.id, id=row.id)
    return listed, answer["data"]["changeRequest"]["conflicts"]["totalCount"]


@pytest.mark.parametrize("operation", [merge_change_request, pull_change_request])
async def test_conflicts_are_stored_before_the_lock_and_there_with_the_revision(
    session: Session, world: World, api: Api, queries: Queries, operation: Operation
) -> None:
    space, row = await clashing(session, world, 10)
    queries.statements.clear()
    person = world.reviewer if operation is merge_change_request else world.editor
    done = await run(context(session, person), operation, space.id, row.id)
    assert done.result.value == "conflicts"
    # In portions, and none behind the lock of the merge.
    writes = inserts(queries)
    revision = next(n for n, s in enumerate(queries.statements) if "INTO revision" in s)
    assert len(writes) == 4
    assert max(writes) < revision
    assert await shown(api, world, space, row) == (10, 10)
    rows = (await session.scalars(select(MergeConflict))).all()
    assert {one.comes_with for one in rows} == {done.revision_id}
    assert await session.get(Revision, done.revision_id) is not None


async def test_the_lock_takes_as_many_statements_however_many_conflicts(
    session: Session, world: World, queries: Queries
) -> None:
    counts = []
    for count in (6, 30):
        space, row = await clashing(session, world, count)
        queries.statements.clear()
        await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
        counts.append(len(queries.statements) - max(inserts(queries)))
    assert counts[0] == counts[1]


async def test_a_merge_that_ends_before_its_write_leaves_nothing_that_anybody_sees(
    session: Session,
    world: World,
    api: Api,
    queries: Queries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space, row = await clashing(session, world, 8)

    async def killed(*_: Any, **__: Any) -> None:
        raise ConnectionAbortedError

    with monkeypatch.context() as patch:
        patch.setattr(operations, "commit_revision", killed)
        ctx = context(session, world.reviewer)
        with pytest.raises(Unavailable):
            await run(ctx, merge_change_request, space.id, row.id)
    # To the caller nothing is.
    assert not ctx.written
    await session.rollback()
    assert await stored(session) == 8
    assert await shown(api, world, space, row) == (0, 0)
    id = (await session.scalars(select(MergeConflict.id))).first()
    text = "query($id: ID!) { node(id: $id) { __typename } }"
    assert (await api.graphql(text, world.reviewer, id=id))["data"]["node"] is None
    path = f"/spaces/{space.id}/change-requests/{row.id}/conflicts/{id}"
    refused = await api.rest("PUT", path, world.editor, {"resolution": "ours"})
    assert refused.status_code == 404
    # It is as if it had not been: the same merge finds and stores them all.
    await session.rollback()
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.CONFLICTS
    assert await shown(api, world, space, row) == (8, 8)
    await session.rollback()
    assert await stored(session) == 16
    # The purge removes what is left of the first, once it has certainly ended.
    ctx = Context(OPERATOR, session)
    queries.statements.clear()
    assert await purge.clear_conflicts(ctx, ctx.now()) == 0
    # It is looked for what there is to remove, without the lock of writers.
    assert not [text for text in queries.statements if text.startswith("DELETE")]
    later = ctx.now() + conflicts.STAGED_FOR + dt.timedelta(minutes=1)
    monkeypatch.setattr(conflicts, "PORTION", 3)
    assert await purge.clear_conflicts(ctx, later) == 8
    assert await shown(api, world, space, row) == (8, 8)


async def test_what_was_met_before_is_open_again_and_stored_once(
    session: Session, world: World, api: Api
) -> None:
    space, row = await clashing(session, world, 6)
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    met = (await session.scalars(select(MergeConflict.key))).all()
    # Rows that a merge has met already are no news to the next one.
    request = await session.get_one(ChangeRequest, row.id)
    assert await conflicts.keys_before(context(session, world.editor), request) == set(met)
    assert len(set(met)) == 6
    assert await shown(api, world, space, row) == (6, 6)
