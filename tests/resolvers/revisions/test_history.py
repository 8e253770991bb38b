"""The history of a space: what its primary content was, in order, for whoever reads on or back."""

import random
from typing import Any

import pytest

from db.models.spaces import Space
from db.session import Session
from resolvers.core.pagination import PageArguments
from resolvers.revisions import history
from resolvers.revisions.history import revisions_of_spaces
from tests.conftest import Api, World, context, settle
from tests.resolvers.core.test_pages_backward import sliced

HISTORY = """query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  space(id: $id) { revisions(first: $first, after: $after, last: $last, before: $before) {
    totalCount edges { cursor node { id parents type author { id } mergedFrom { number } } }
    pageInfo { hasNextPage hasPreviousPage } } } }"""
WRITE = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed revision { id } } }"""


async def begun(api: Api, world: World, pages: int) -> str:
    """A space with so many pages, each written by itself by the editor."""
    body = {"title": "Handbook", "editMode": "live"}
    made = await api.rest("POST", f"/orgs/{world.organization.id}/spaces", world.admin, body)
    assert made.status_code == 201, made.text
    for number in range(pages):
        await write(api, world, made.json()["id"], f"Page {number}")
    return str(made.json()["id"])


async def write(api: Api, world: World, space: str, title: str, change: str | None = None) -> str:
    operation = {"createPage": {"title": title, "body": {"markdown": title}}}
    target = {"space": space, "changeRequest": change}
    data = await api.data(WRITE, world.admin, input={"target": target, "operations": [operation]})
    assert data["applyContentChanges"]["changed"]
    return str(data["applyContentChanges"]["revision"]["id"])


async def listed(api: Api, world: World, space: str, **page: Any) -> Any:
    values = {"first": None, "after": None, "last": None, "before": None, **page}
    data = await api.data(HISTORY, world.reader, id=space, **values)
    return data["space"]["revisions"]


async def test_a_history_is_the_line_of_what_readers_had(
    world: World, session: Session, api: Api
) -> None:
    await settle(session)
    space = await begun(api, world, 4)
    path = f"/spaces/{space}/change-requests"
    request = (await api.rest("POST", path, world.editor, {"subject": "More"})).json()
    draft = await write(api, world, space, "Proposed", request["id"])
    merged = await api.rest("POST", f"{path}/{request['number']}/merge", world.reviewer)
    assert merged.status_code == 200, merged.text
    whole = await listed(api, world, space, first=100)
    nodes = [edge["node"] for edge in whole["edges"]]
    ids = [node["id"] for node in nodes]
    # Each one is the first parent of the one before it, down to the first of all.
    assert ids[1:] == [node["parents"][0] for node in nodes[:-1]]
    assert nodes[-1]["parents"] == []
    assert whole["totalCount"] == len(ids) == 6
    # What was a change request's alone is not in it; who merged is its author.
    assert draft not in ids
    assert (nodes[0]["type"], nodes[0]["mergedFrom"]) == ("MERGE", {"number": request["number"]})
    assert [node["author"]["id"] for node in nodes] == [world.reviewer.id, *[world.admin.id] * 5]
    # The same in /v1, and page by page.
    answer = await api.rest("GET", f"/spaces/{space}/revisions?limit=1000", world.reader)
    items = answer.json()["items"]
    assert [one["id"] for one in items] == ids
    assert items[0]["author"]["id"] == world.reviewer.id
    cursors = [edge["cursor"] for edge in whole["edges"]]
    dice = random.Random(5)
    for _ in range(30):
        after, before = (
            dice.randrange(len(ids)) if dice.random() < 0.5 else None for _ in range(2)
        )
        sizes = {dice.choice(["first", "last"]): dice.choice([None, 1, 2, 5, 20])}
        asked = PageArguments(
            **sizes,
            after=None if after is None else cursors[after],
            before=None if before is None else cursors[before],
        )
        places, following, preceding = sliced(len(ids), asked, after, before)
        page = await listed(
            api, world, space, first=asked.first, after=asked.after, last=asked.last,
            before=asked.before,
        )  # fmt: skip
        assert [edge["node"]["id"] for edge in page["edges"]] == [ids[one] for one in places], asked
        info = page["pageInfo"]
        assert (info["hasNextPage"], info["hasPreviousPage"]) == (following, preceding), asked
    # A cursor of another history is nowhere in this one.
    other = (await listed(api, world, await begun(api, world, 1)))["edges"][0]["cursor"]
    assert (await listed(api, world, space, after=other))["edges"] == []


@pytest.mark.parametrize("revisions", [3, 12])
async def test_reading_on_is_as_long_as_the_page(
    world: World, session: Session, api: Api, queries: Any, revisions: int
) -> None:
    """Histories of several spaces are one statement for the line, and one for the rows."""
    await settle(session)
    ids = [await begun(api, world, revisions) for _ in range(3)]
    async with api.server.database.session() as reading:
        spaces = [await reading.get_one(Space, id) for id in ids]
        ctx = context(reading, world.reader)
        with queries.at_most(2):
            slices = await revisions_of_spaces(ctx, spaces, PageArguments(first=2))
        for space, part in zip(spaces, slices, strict=True):
            assert part.rows[0].id == space.revision_id
            assert part.rows[0].parents[0] == part.rows[1].id
            assert part.has_next


async def test_no_history_is_walked_over_without_end(
    world: World, session: Session, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer ones are counted so far, and read from the front; what lies near it in all ways."""
    await settle(session)
    space = await begun(api, world, 8)
    whole = await listed(api, world, space, first=100)
    assert whole["totalCount"] == 9
    cursors = [edge["cursor"] for edge in whole["edges"]]
    monkeypatch.setattr(history, "MOST_WALKED", 5)
    assert await listed(api, world, space, first=100) == {**whole, "totalCount": 5}
    near = await listed(api, world, space, last=2, before=cursors[4])
    assert near["edges"] == whole["edges"][2:4]
    on = await listed(api, world, space, first=100, after=cursors[6])
    assert on["edges"] == whole["edges"][7:]
    for page in ({"last": 2}, {"last": 2, "before": cursors[8]}, {"before": cursors[8]}):
        values = {"first": None, "after": None, "last": None, "before": None, **page}
        answer = await api.graphql(HISTORY, world.reader, id=space, **values)
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == "INVALID"
        assert "more than 5 revisions" in error["message"]
