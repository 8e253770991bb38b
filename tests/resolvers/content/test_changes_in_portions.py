"""All changes can be reached, however many there are, in portions of any size and in both doors."""

from dataclasses import replace
from typing import Any

import pytest

from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Session
from resolvers.content.changes import (
    LARGEST_LIMIT,
    ChangeRow,
    ChangesRow,
    get_change_request_changes,
    get_revision_changes,
)
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest
from resolvers.core.runners import run
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests.conftest import Api, World, context
from tests.merging import edit, pages_of, with_request

Named = tuple[str, str]


def named(row: ChangeRow) -> Named:
    about = row.page or row.file or row.reusable_content
    return row.type.value, about.id if about else ""


@operation(takes_turns=True)
async def _add(ctx: Context, space: Space, request: ChangeRequest, count: int) -> None:
    """`count` pages of one body, and variables."""
    target = await open_target(ctx, space.id, request.id)
    pages = pages_of(space.id, 1)
    (one,) = pages.pages.values()
    changes = Changes(documents=pages.documents, variables={"color": "blue"})
    assert one is not None
    for number in range(count):
        id = f"x{number:05}"
        changes.pages[id] = replace(one, id=id, slug=id, order=f"z{id}")
    await commit_revision(ctx, target, changes)


async def portions(
    ctx: Context, space: Space, request: ChangeRequest, sizes: list[int]
) -> list[ChangesRow]:
    rows: list[ChangesRow] = []
    after = None
    while not rows or after is not None:
        limit = sizes[len(rows) % len(sizes)]
        rows.append(await run(ctx, get_change_request_changes, space.id, request.id, limit, after))
        after = rows[-1].end_cursor
    return rows


async def test_portions_of_any_size_are_the_whole(session: Session, world: World) -> None:
    space, request = await with_request(session, world, 9)
    moved = {"order": "zz"}
    await edit(
        session, world.editor, space, request,
        p1={"title": "One"}, p2=moved, p3={"title": "Three", "order": "zy"}, p4=None,
    )  # fmt: skip
    ctx = context(session, world.editor)
    await run(ctx, _add, space, request, 4)
    whole = await run(ctx, get_change_request_changes, space.id, request.id, LARGEST_LIMIT)
    assert (whole.more, whole.end_cursor) == (None, None)
    all_of_them = [named(row) for row in whole.changes]
    assert all_of_them[:5] == [
        ("page_edited", "p1"), ("page_moved", "p2"), ("page_edited", "p3"), ("page_moved", "p3"),
        ("page_deleted", "p4"),
    ]  # fmt: skip
    assert all_of_them[-1] == ("variables_edited", "")

    for sizes in ([1], [2], [3, 1], [4], [len(all_of_them) - 1, 1], [len(all_of_them)]):
        rows = await portions(ctx, space, request, sizes)
        assert [named(row) for part in rows for row in part.changes] == all_of_them
        seen = 0
        for part in rows:
            seen += len(part.changes)
            assert (part.more or 0) == len(all_of_them) - seen


async def test_more_than_one_portion_may_have(session: Session, world: World, api: Api) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    count = LARGEST_LIMIT + 150
    await run(ctx, _add, space, request, count)
    rows = await portions(ctx, space, request, [LARGEST_LIMIT])
    ids = [named(row)[1] for part in rows for row in part.changes]
    assert len(ids) == len(set(ids)) == count + 1
    assert [part.more for part in rows] == [151, None]
    # Pages of later portions have their path as well.
    assert rows[1].changes[0].page is not None
    assert rows[1].changes[0].page.path == f"x{LARGEST_LIMIT:05}"

    path = f"/spaces/{space.id}/change-requests/{request.id}/changes"
    first = (await api.rest("GET", f"{path}?limit=1000", world.reader)).json()
    assert (len(first["changes"]), first["more"]) == (1000, 151)
    rest = f"{path}?limit=1000&after={first['endCursor']}"
    second = (await api.rest("GET", rest, world.reader)).json()
    assert len(second["changes"]) == 151
    assert "more" not in second
    assert "endCursor" not in second
    query = """query ($space: ID!, $id: ID!, $after: String) { space(id: $space) {
      changeRequest(id: $id) { changes(limit: 1000, after: $after) {
        more endCursor changes { type ... on PageChange { page { pageId } } } } } } }"""
    seen: list[str] = []
    after: str | None = None
    while not seen or after is not None:
        data = await api.data(query, world.reader, space=space.id, id=request.id, after=after)
        part: dict[str, Any] = data["space"]["changeRequest"]["changes"]
        seen += [one["page"]["pageId"] for one in part["changes"] if "page" in one]
        after = part["endCursor"]
    assert seen == [id for id in ids if id]


async def test_a_cursor_leads_on_after_an_edit(session: Session, world: World) -> None:
    """Nothing that was there is missed or comes twice, when something before or behind goes."""
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    await run(ctx, _add, space, request, 10)
    first = await run(ctx, get_change_request_changes, space.id, request.id, 4)
    await edit(session, world.editor, space, request, x00001=None, x00003=None, x00007=None)
    second = await run(ctx, get_change_request_changes, space.id, request.id, 100, first.end_cursor)
    assert [named(row)[1] for row in second.changes] == [
        "x00004", "x00005", "x00006", "x00008", "x00009", "",
    ]  # fmt: skip


async def test_cursors_of_others_are_refused(session: Session, world: World, api: Api) -> None:
    space, request = await with_request(session, world)
    other, others = await with_request(session, world)
    ctx = context(session, world.editor)
    await run(ctx, _add, space, request, 3)
    await run(ctx, _add, other, others, 3)
    first = await run(ctx, get_change_request_changes, space.id, request.id, 1)
    for cursor in (first.end_cursor, "", "nonsense", "W10"):
        with pytest.raises(BadRequest, match="cursor is not valid"):
            await run(ctx, get_change_request_changes, other.id, others.id, 1, cursor)
    part = await run(
        ctx, get_revision_changes, space.id, first.revision_id, None, 100, first.end_cursor
    )
    assert [named(row)[1] for row in part.changes] == ["x00001", "x00002", ""]
    path = f"/spaces/{other.id}/change-requests/{others.id}/changes?after=nonsense"
    assert (await api.rest("GET", path, world.reader)).status_code == 400
