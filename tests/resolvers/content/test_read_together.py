"""What spaces, change requests, revisions and sites hold is read for all of them together."""

from typing import Any

import pytest

from content.recent_cache import RecentCache
from db.enums import SiteVisibility
from db.session import Session
from tests import factories
from tests.conftest import Api, Queries, World
from tests.resolvers.content.test_pages_within import written
from tests.resolvers.links.test_links import proposal

MANY = 50
CHANGES = "changes { changes { __typename } }"
SPACES = f"""query($id: ID!, $first: Int!) {{
  organization(id: $id) {{ spaces(first: $first) {{ nodes {{ {CHANGES}
  moved: pageByPath(path: "b") {{ title }} below: pageByPath(path: "b/deep") {{ title }}
  set: pageByPath(path: "old") {{ title }} landing: pageByPath(path: "") {{ title }}
  revision {{ {CHANGES} landingPage {{ title }} landing: pageByPath(path: "") {{ title }} }}
  changeRequests(first: 1) {{ nodes {{
    {CHANGES} landing: pageByPath(path: "") {{ title }}
    page: pageByPath(path: "a") {{ title }} }} }}
  }} }} }} }}"""
SITES = """query($id: ID!, $first: Int!, $revision: ID!) {
  organization(id: $id) { sites(first: $first) { nodes {
    conditions(claims: {beta: true}) { claims structure { title shown } }
    preview { url } claimed: preview(claims: "(beta:!t)") { url }
    draft: preview(revision: $revision) { url } } } } }"""
APPLY = """mutation($space: ID!) {
  applyContentChanges(input: {target: {space: $space}, operations: [
  {createPage: {title: "Deep", parent: "b", slug: "deep"}},
  {renamePage: {page: "b", slug: "moved"}},
  {setRedirect: {path: "old", page: "a"}}]}) { changed } }"""


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with empty caches, as a process does."""
    for name in ("store.NODES", "tree.TREES", "objects.LANDINGS"):
        monkeypatch.setattr(f"resolvers.revisions.{name}", RecentCache(10_000_000, len))


async def counted(
    monkeypatch: pytest.MonkeyPatch,
    queries: Queries,
    api: Api,
    query: str,
    person: Any,
    **more: Any,
) -> tuple[list[int], Any]:
    """Statements for 1 and for 50 of a list, and what the second query answers."""
    counts = []
    for first in (1, MANY):
        await api.data(query, person, first=first, **more)
        forget(monkeypatch)
        queries.statements.clear()
        data = await api.data(query, person, first=first, **more)
        counts.append(len(queries.statements))
    return counts, data


async def test_spaces_change_requests_and_revisions(
    session: Session,
    world: World,
    api: Api,
    queries: Queries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(MANY):
        writer = await written(session, world)
        await proposal(session, world, writer, writer.page("a", "Changed.\n", title="Other"))
        await api.data(APPLY, world.creator, space=writer.space.id)
    counts, data = await counted(
        monkeypatch, queries, api, SPACES, world.editor, id=world.organization.id
    )
    nodes = data["organization"]["spaces"]["nodes"]
    assert len(nodes) == MANY
    for node in nodes:
        assert len(node["changes"]["changes"]) == 2
        assert node["revision"]["changes"] == node["changes"]
        titles = {name: node[name]["title"] for name in ("moved", "below", "set", "landing")}
        assert titles == {"moved": "B", "below": "Deep", "set": "A", "landing": "A"}
        assert node["revision"]["landing"] == node["revision"]["landingPage"] == {"title": "A"}
        (request,) = node["changeRequests"]["nodes"]
        assert request["landing"] == request["page"] == {"title": "Other"}
        assert len(request["changes"]["changes"]) == 1
    assert len(set(counts)) == 1, counts


async def test_sites(
    session: Session,
    world: World,
    api: Api,
    queries: Queries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = await written(session, world)
    for number in range(MANY):
        space = writer.space if number % 2 else await factories.make_space(
            session, world.organization
        )  # fmt: skip
        await factories.make_site(
            session, world.organization, space,
            published=number % 5 != 4, visibility=SiteVisibility.PUBLIC,
        )  # fmt: skip
    await session.commit()
    assert writer.revision is not None
    variables = {"id": world.organization.id, "revision": writer.revision.id}
    counts = []
    for first in (1, MANY):
        for _ in range(2):
            queries.statements.clear()
            answer = await api.graphql(SITES, world.creator, first=first, **variables)
        counts.append(len(queries.statements))
    assert len(set(counts)) == 1, counts
    nodes = answer["data"]["organization"]["sites"]["nodes"]
    assert len(nodes) == MANY
    codes = {tuple(one["path"][-2:]): one["extensions"]["code"] for one in answer["errors"]}
    for index, node in enumerate(nodes):
        assert node["conditions"]["structure"] == []
        is_open = node["preview"] is not None
        assert is_open is (node["claimed"] is not None)
        if not is_open:
            assert codes[index, "preview"] == codes[index, "draft"] == "PRECONDITION_FAILED"
        elif node["draft"] is None:
            assert codes[index, "draft"] == "NOT_FOUND"
    drafts = [node["draft"] for node in nodes if node["draft"] is not None]
    assert len(drafts) == len([n for n in range(MANY) if n % 2 and n % 5 != 4])
    refused = await api.graphql(SITES, world.reader, first=MANY, **variables)
    refusals = [one for one in refused["errors"] if one["path"][-1] in ("conditions", "preview")]
    assert {one["extensions"]["code"] for one in refusals} == {"FORBIDDEN"}
    assert len(refusals) == 2 * MANY


async def test_what_is_compared_stays_in_its_space(
    session: Session, world: World, api: Api
) -> None:
    """`since` names a revision of one space; the others answer as the root field does."""
    first, second = [await written(session, world) for _ in range(2)]
    since = first.revision
    assert since is not None
    await first.write(first.page("a", "Later.\n"))
    query = """query($id: ID!, $since: ID!) { organization(id: $id) { spaces { nodes { id
      changes(since: $since) { changes { __typename } } } } } }"""
    answer = await api.graphql(query, world.reader, id=world.organization.id, since=since.id)
    nodes = {one["id"]: one for one in answer["data"]["organization"]["spaces"]["nodes"]}
    assert len(nodes[first.space.id]["changes"]["changes"]) == 1
    assert nodes[second.space.id]["changes"] is None
    (error,) = [one for one in answer["errors"] if one["path"][-1] == "changes"]
    root = """query($space: ID!, $id: ID!, $since: ID!) {
      revisionChanges(spaceId: $space, id: $id, since: $since) { more } }"""
    assert second.revision is not None
    other = await api.graphql(
        root, world.reader, space=second.space.id, id=second.revision.id, since=since.id
    )
    assert error["extensions"]["code"] == other["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert error["message"] == other["errors"][0]["message"]
    wrong = "query($id: ID!) { space(id: $id) { changes(limit: 0) { more } } }"
    answer = await api.graphql(wrong, world.reader, id=first.space.id)
    assert answer["errors"][0]["extensions"]["code"] == "INVALID"
