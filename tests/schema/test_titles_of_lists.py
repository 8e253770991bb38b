"""Collections and reusable contents are found by a part of their title, however many there are."""

import pytest

from db.session import Session
from tests import factories
from tests.conftest import Api, World

TITLES = ("Notice", "notices of 100%", "A_b", "Second Notice", "ÜBERSICHT", "Übersicht neu", "x")
PARTS = ("notice", "NOTICE", "100%", "%", "_", "über", "ice", " ", "none of these", "")
COLLECTIONS = """query ($id: ID!, $title: String, $first: Int, $after: String) {
  organization(id: $id) { collections(title: $title, first: $first, after: $after) {
    nodes { title } totalCount pageInfo { hasNextPage endCursor } } } }"""
CONTENTS = """query ($id: ID!, $title: String, $first: Int, $after: String) {
  revision(spaceId: $id) { reusableContents(title: $title, first: $first, after: $after,
    orderBy: {field: TITLE}) {
    nodes { title } totalCount pageInfo { hasNextPage endCursor } } } }"""
APPLY = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed } }"""


def fitting(part: str) -> set[str]:
    return {title for title in TITLES if part.lower() in title.lower()}


async def test_collections_by_title_through_both_doors(
    api: Api, world: World, session: Session
) -> None:
    for title in TITLES:
        await factories.make_collection(session, world.organization, title=title)
    await session.commit()
    id = world.organization.id
    for part in PARTS:
        found = (await api.data(COLLECTIONS, world.admin, id=id, title=part))["organization"]
        titles = [one["title"] for one in found["collections"]["nodes"]]
        answer = await api.rest(
            "GET", f"/orgs/{id}/collections", world.admin, params={"title": part}
        )
        assert [one["title"] for one in answer.json()["items"]] == titles, part
        assert {title for title in titles if title in TITLES} == fitting(part), part
        assert found["collections"]["totalCount"] == len(titles)
    answer = await api.rest(
        "GET", f"/orgs/{id}/collections", world.admin, params={"title": "x" * 51}
    )
    assert answer.status_code == 422
    assert "title" in answer.text


async def test_reusable_contents_by_title(api: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    operations = [
        {"createReusableContent": {"title": title, "body": {"markdown": "Text"}}}
        for title in TITLES
    ]
    input = {"target": {"space": space.id}, "operations": operations}
    await api.data(APPLY, world.admin, input=input)
    for part in PARTS:
        read = await api.data(CONTENTS, world.admin, id=space.id, title=part)
        found = read["revision"]["reusableContents"]
        assert {one["title"] for one in found["nodes"]} == fitting(part), part
        assert found["totalCount"] == len(fitting(part))
    whole = (await api.data(CONTENTS, world.admin, id=space.id))["revision"]["reusableContents"]
    assert len(whole["nodes"]) == len(TITLES)
    # Parts of what fits, one after the other; a cursor is one of the same part of a title.
    one = await api.data(CONTENTS, world.admin, id=space.id, title="notice", first=2)
    first = one["revision"]["reusableContents"]
    assert first["pageInfo"]["hasNextPage"]
    after = first["pageInfo"]["endCursor"]
    rest = await api.data(CONTENTS, world.admin, id=space.id, title="notice", after=after)
    titles = [*first["nodes"], *rest["revision"]["reusableContents"]["nodes"]]
    assert [one["title"] for one in titles] == ["Notice", "notices of 100%", "Second Notice"]
    for other in (None, "note", "notice "):
        answer = await api.graphql(CONTENTS, world.admin, id=space.id, title=other, after=after)
        assert "with the same filters and order" in answer["errors"][0]["message"]


@pytest.mark.parametrize("long", [256, 10_000])
async def test_a_title_that_is_too_long_is_refused(
    api: Api, world: World, session: Session, long: int
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    answer = await api.graphql(CONTENTS, world.admin, id=space.id, title="x" * long)
    assert answer["errors"][0]["extensions"]["code"] == "INVALID"
    assert "title" in answer["errors"][0]["message"]
