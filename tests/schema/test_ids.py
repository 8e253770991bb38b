"""Ids in GraphQL: unique over everything, found by `node`, and apart for drafts and revisions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType

from db.enums import SitePreviews
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.nodes import get_node
from resolvers.revisions.states import Changes, write_revision
from resolvers.search.index import index_revision
from schema.build import build_schema
from tests import factories
from tests.conftest import Api, Queries, Sown, World, context
from tests.published.conditional_sites import publish, seen_with, visiting
from tests.seeds import Seed, sample_changes

SCHEMA = build_schema()._schema
PAGE = """query ($space: ID!, $page: ID!, $request: ID, $revision: ID) {
  page(spaceId: $space, id: $page, changeRequestId: $request, revisionId: $revision) {
    __typename id pageId title
    ... on DocumentPage { pages(first: 5) { nodes { id pageId } } next { id } previous { id } } }
}"""
FILE = """query ($space: ID!, $file: ID!, $request: ID, $revision: ID) {
  file(spaceId: $space, id: $file, changeRequestId: $request, revisionId: $revision) {
    id fileId name }
}"""
CONTENT = """query ($space: ID!, $content: ID!, $request: ID, $revision: ID) {
  reusableContent(spaceId: $space, id: $content, changeRequestId: $request, revisionId: $revision) {
    id reusableContentId title }
}"""
NODE = """query ($id: ID!) { node(id: $id) { __typename id
  ... on Page { pageId title } ... on File { fileId name } ... on ReusableContent { title } } }"""
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Page { pageId title } } }"
CREATE = (
    """mutation ($space: ID!) { createChangeRequest(spaceId: $space, input: {}) { id number } }"""
)
TITLE = """mutation ($space: ID!, $request: ID, $page: ID!, $title: String!) {
  updatePage(spaceId: $space, changeRequestId: $request, input: {page: $page, title: $title}) {
    pages { id pageId title }
    changes { ... on PageChange { page { id title } } } revision { id } } }"""
PAGES = "allPages(first: 50) { nodes { id pageId title } }"
LISTED = f"""query ($space: ID!, $request: ID!) {{ space(id: $space) {{
  revision {{ {PAGES} }} changeRequest(id: $request) {{ revision {{ {PAGES} }} }} }} }}"""
OLDER = f"""query ($space: ID!, $revision: ID!) {{
  revision(spaceId: $space, id: $revision) {{ {PAGES} }} }}"""
MERGE = """mutation ($space: ID!, $request: ID!) {
  mergeChangeRequest(spaceId: $space, id: $request) {
    result revision { id allPages(first: 50) { nodes { id title } } } } }"""


def test_every_object_with_an_id_is_a_node() -> None:
    node = SCHEMA.type_map["Node"]
    for name, type_ in SCHEMA.type_map.items():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType) and "id" in type_.fields:
            assert type_ is node or node in type_.interfaces, name


@dataclass
class Place:
    """A space with content, and its editor's requests."""

    api: Api
    person: User
    seed: Seed

    async def data(self, query: str, **variables: Any) -> Any:
        return await self.api.data(query, self.person, space=self.seed.space.id, **variables)

    async def page(self, page: str = "child", **place: str) -> Any:
        return (await self.data(PAGE, page=page, **place))["page"]

    async def node(self, id: str, person: User | None = None) -> Any:
        return (await self.api.data(NODE, person or self.person, id=id))["node"]

    async def request(self) -> Any:
        return (await self.data(CREATE))["createChangeRequest"]

    async def retitle(self, title: str, page: str = "child", **place: str) -> Any:
        return (await self.data(TITLE, page=page, title=title, **place))["updatePage"]


@pytest.fixture
def place(api: Api, sown: Sown) -> Place:
    return Place(api, sown.world.admin, sown.seed)


async def test_a_page_has_an_id_of_its_own_in_a_change_request(place: Place) -> None:
    request = await place.request()
    fresh = await place.page(request=request["id"])
    primary = await place.page()
    assert primary["id"] == primary["pageId"] == fresh["pageId"] == "child"
    assert fresh["id"] != "child"
    written = await place.retitle("Draft", request=request["id"])
    (changed,) = written["pages"]
    assert changed == {"id": fresh["id"], "pageId": "child", "title": "Draft"}
    assert written["changes"][0]["page"] == {"id": fresh["id"], "title": "Draft"}
    await place.retitle("Draft 2", request=request["id"])
    for named in (request["id"], str(request["number"])):
        draft = await place.page(request=named)
        assert (draft["id"], draft["title"]) == (fresh["id"], "Draft 2")
    assert (await place.page())["title"] == primary["title"]
    for one in (draft, await place.page()):
        found = await place.node(one["id"])
        assert {name: found[name] for name in ("__typename", "id", "pageId", "title")} == {
            name: one[name] for name in ("__typename", "id", "pageId", "title")
        }
    listed = await place.data(LISTED, request=request["id"])
    ours, theirs = (
        {one["pageId"]: one["id"] for one in revision["allPages"]["nodes"]}
        for revision in (
            listed["space"]["revision"],
            listed["space"]["changeRequest"]["revision"],
        )
    )
    assert all(stable == id for stable, id in ours.items())
    assert theirs["child"] == draft["id"]
    assert not set(ours.values()) & set(theirs.values())


async def test_what_is_beside_a_page_is_in_the_same_place(place: Place) -> None:
    request = await place.request()
    for edited in (False, True):
        if edited:
            await place.retitle("Draft", request=request["id"])
        home = await place.page("home", request=request["id"])
        others = [home["next"], home["previous"], *home["pages"]["nodes"]]
        for one in filter(None, others):
            assert (await place.node(one["id"]))["id"] == one["id"]
            assert one["id"].split("~")[1] == home["id"].split("~")[1] == request["id"]


async def test_ids_in_a_revision_never_change_what_they_mean(place: Place) -> None:
    active = place.seed.space.revision_id
    before = await place.page(revision=active)
    assert before["id"] != "child"
    await place.retitle("Later")
    assert await place.page(revision=active) == before
    found = await place.node(before["id"])
    assert (found["id"], found["title"]) == (before["id"], before["title"])
    assert (await place.page())["title"] == (await place.node("child"))["title"] == "Later"
    older = await place.data(OLDER, revision=active)
    nodes = older["revision"]["allPages"]["nodes"]
    assert before["id"] in [one["id"] for one in nodes]
    assert not any(one["id"] == one["pageId"] for one in nodes)


async def test_caches_follow_a_merge(place: Place) -> None:
    request = await place.request()
    draft = (await place.retitle("Merged", request=request["id"]))["pages"][0]
    merged = (await place.data(MERGE, request=request["id"]))["mergeChangeRequest"]
    assert merged["result"] == "MERGE"
    titles = {one["id"]: one["title"] for one in merged["revision"]["allPages"]["nodes"]}
    assert titles["child"] == "Merged"
    # The content of the change request stays what it was.
    assert (await place.node(draft["id"]))["title"] == "Merged"


async def test_files_and_reusable_contents(place: Place) -> None:
    request, revision = place.seed.known["changeRequestId"][0], place.seed.revision.id
    revised = (await place.data(FILE, file="apng", revision=revision))["file"]
    for query, name, id, field in (
        (FILE, "file", "apng", "fileId"),
        (CONTENT, "content", "notice", "reusableContentId"),
    ):
        ids = set()
        for where in ({}, {"request": request}, {"revision": revision}):
            (found,) = (await place.data(query, **{name: id}, **where)).values()
            assert found[field] == id
            node = await place.node(found["id"])
            assert node["id"] == found["id"]
            ids.add(found["id"])
        assert len(ids) == 3
        assert id in ids
    assert revised["name"]


async def test_inputs_take_both_ids(place: Place) -> None:
    request = await place.request()
    draft = await place.page(request=request["id"])
    written = await place.retitle("By its own id", draft["id"], request=request["id"])
    assert written["pages"][0]["id"] == draft["id"]
    again = await place.page(draft["id"], request=request["id"])
    assert again["title"] == "By its own id"
    other = await place.api.graphql(
        PAGE, place.person, space=place.seed.hidden.id, page=draft["id"]
    )
    assert other["errors"][0]["extensions"]["code"] in ("INVALID", "NOT_FOUND")
    assert "pageId" in other["errors"][0]["message"]
    wrong = await place.api.graphql(FILE, place.person, space=place.seed.space.id, file=draft["id"])
    assert wrong["errors"][0]["extensions"]["code"] == "INVALID"


async def test_pages_within_take_both_ids(place: Place) -> None:
    request = await place.request()
    await place.retitle("Draft", request=request["id"])
    draft = await place.page(request=request["id"])
    query = """query ($space: ID!, $request: ID!, $page: ID!) { space(id: $space) {
      page(id: $page) { id } revision { page(id: $page) { id } }
      changeRequest(id: $request) { page(id: $page) { id } } } }"""
    for id in ("child", draft["id"]):
        space = (await place.data(query, request=request["id"], page=id))["space"]
        assert space["page"] == space["revision"]["page"] == {"id": "child"}
        assert space["changeRequest"]["page"] == {"id": draft["id"]}
    for id in (f"file~{request['id']}~child", "page~nowhere~child"):
        space = (await place.data(query, request=request["id"], page=id))["space"]
        assert space["page"] is space["changeRequest"]["page"] is None


async def test_a_fresh_change_request_shares_its_revision_with_the_space(place: Place) -> None:
    """One record of a normalized cache is one thing: the revision, and the pages in its list.

    What is asked for by the change request has its own id before and after the first edit.
    """
    request = await place.request()
    query = f"""query ($space: ID!, $request: ID!) {{ space(id: $space) {{
      revision {{ id {PAGES} }} changeRequest(id: $request) {{
        revision {{ id {PAGES} }}
        page(id: "child") {{ id title ... on DocumentPage {{ next {{ id }} }} }}
        pageByPath(path: "") {{ id }} }} }} }}"""
    fresh = (await place.data(query, request=request["id"]))["space"]
    assert fresh["changeRequest"]["revision"] == fresh["revision"]
    own = (await place.page(request=request["id"]))["id"]
    assert fresh["changeRequest"]["page"]["id"] == own != "child"
    await place.retitle("Draft", request=request["id"])
    edited = (await place.data(query, request=request["id"]))["space"]
    assert edited["revision"] == fresh["revision"]
    assert edited["changeRequest"]["revision"]["id"] != fresh["revision"]["id"]
    ids = {one["id"] for one in edited["changeRequest"]["revision"]["allPages"]["nodes"]}
    assert not ids & {one["id"] for one in edited["revision"]["allPages"]["nodes"]}
    assert edited["changeRequest"]["page"] == {**fresh["changeRequest"]["page"], "title": "Draft"}
    assert edited["changeRequest"]["pageByPath"] == fresh["changeRequest"]["pageByPath"]
    assert {own, edited["changeRequest"]["pageByPath"]["id"]} <= ids


async def imported(session: Session, world: World, changes: Callable[[str], Changes]) -> Space:
    """Another space, with content that brings ids of its own."""
    space = await factories.make_space(session, world.organization)
    ctx = context(session)
    revision = await write_revision(ctx, space.id, None, changes(space.id))
    space.revision_id = revision.id
    await index_revision(ctx, space.id, None, revision)
    await session.commit()
    return space


async def test_one_stable_id_in_two_spaces(
    place: Place, api: Api, sown: Sown, session: Session
) -> None:
    """As when one source that brings ids of its own is imported twice."""
    world = sown.world
    await session.commit()
    space = await imported(session, world, sample_changes)
    second = Place(api, world.admin, replace(place.seed, space=space))
    ids = {}
    for one in (place, second):
        page = await one.page()
        file = (await one.data(FILE, file="apng"))["file"]
        assert page["pageId"] == "child"
        for found in (page, file):
            ids[found["id"]] = one
            assert (await one.node(found["id"]))["id"] == found["id"]
    assert len(ids) == 4
    await second.retitle("Of the second")
    assert (await place.node("child"))["title"] != "Of the second"
    (other,) = [id for id, one in ids.items() if one is second and "apng" not in id]
    assert (await place.node(other))["title"] == "Of the second"
    # Another spelling of an id that the first space has is no id.
    assert await place.node(f"page~{place.seed.space.id}~child") is None


async def test_an_id_that_something_else_has(
    place: Place, api: Api, sown: Sown, session: Session
) -> None:
    """Imports may claim any id, that of an organization as well."""
    world = sown.world
    await session.commit()
    claimed = world.organization.id

    def changes(space_id: str) -> Changes:
        found = sample_changes(space_id)
        for rows in (found.pages, found.files, found.contents):
            row = rows[next(iter(rows))]
            assert row is not None
            rows[claimed] = replace(
                row, id=claimed, **({"slug": "c"} if "slug" in row.__slots__ else {})
            )
        return found

    space = await imported(session, world, changes)
    other = Place(api, world.admin, replace(place.seed, space=space))
    ids = {
        (await other.page(claimed))["id"],
        (await other.data(FILE, file=claimed))["file"]["id"],
        (await other.data(CONTENT, content=claimed))["reusableContent"]["id"],
        claimed,
    }
    assert len(ids) == 4
    types = {(await place.node(id))["__typename"] for id in ids}
    assert types == {"Organization", "DocumentPage", "File", "ReusableContent"}


async def test_nobody_finds_what_they_may_not_read(
    place: Place, sown: Sown, session: Session
) -> None:
    world = sown.world
    await session.commit()
    request = await place.request()
    draft = await place.page(request=request["id"])
    revised = await place.page(revision=place.seed.space.revision_id)
    ids = ["child", draft["id"], revised["id"], f"member~{world.organization.id}~{world.admin.id}"]
    for person in (world.outsider,):
        data = await place.api.data(NODES, person, ids=ids)
        assert data["nodes"] == [None] * len(ids)
    stranger = await factories.make_user(session, "Stranger")
    await session.commit()
    assert (await place.api.data(NODES, stranger, ids=ids))["nodes"] == [None] * len(ids)
    odd = ["page~~", "page~~~", "~", "page~a", f"page~{request['id']}~nothing", "member~~",
           f"file~{request['id']}~child", f"nothing~{request['id']}~child", "x" * 4000,
           "page~" + "x" * 4000 + "~child"]  # fmt: skip
    assert (await place.api.data(NODES, world.admin, ids=odd))["nodes"] == [None] * len(odd)


@pytest.mark.parametrize("edited", [False, True])
async def test_visitors_find_no_change_request_by_a_page(
    world: World, session: Session, edited: bool
) -> None:
    """Though the content of one that was not edited is the space's, which they read."""
    published = await publish(session, world, previews=SitePreviews.MEMBERS)
    request = published.request
    if not edited:
        await session.begin_write()
        space = await session.get_one(Space, published.space.id)
        request = await factories.make_change_request(session, space, world.editor)
        await session.commit()
    visitor = Visitor(
        published.site.id, published.site.organization_id, space_ids=frozenset({published.space.id})
    )
    ctx = Context(Actor(visitor=visitor), session)
    page = seen_with(frozenset())[0]
    assert await read(ctx, get_node, page) is not None
    assert await read(ctx, get_node, f"page~{request.id}~{page}") is None


async def test_memberships_and_uploads_are_nodes(place: Place, sown: Sown) -> None:
    world = sown.world
    data = await place.api.data(
        "query ($id: ID!) { organization(id: $id) { members(first: 9) { nodes { id userId } } } }",
        world.admin, id=world.organization.id,
    )  # fmt: skip
    members = data["organization"]["members"]["nodes"]
    assert not {one["id"] for one in members} & {one["userId"] for one in members}
    for one in members:
        found = await place.node(one["id"])
        assert (found["__typename"], found["id"]) == ("Member", one["id"])
    upload = await place.data(
        """mutation ($space: ID!) { createFileUpload(spaceId: $space, input: {name: "a.png"}) {
          id url } }"""
    )
    id = upload["createFileUpload"]["id"]
    assert (await place.node(id))["__typename"] == "FileUpload"
    assert await place.node(id, world.editor) is None


async def test_nodes_are_read_in_a_constant_number_of_statements(
    place: Place, queries: Queries
) -> None:
    request = await place.request()
    stable = ["home", "child", "deep"]
    drafts = [(await place.page(id, request=request["id"]))["id"] for id in stable]
    revised = [(await place.page(id, revision=place.seed.space.revision_id))["id"] for id in stable]
    counts = []
    for number in (1, 2, 3):
        ids = [*stable[:number], *drafts[:number], *revised[:number]]
        await place.api.data(NODES, place.person, ids=ids)
        queries.statements.clear()
        found = await place.api.data(NODES, place.person, ids=ids)
        assert [one["id"] for one in found["nodes"]] == ids
        counts.append(len(queries.statements))
    assert len(set(counts)) == 1


async def test_visitors_find_what_the_site_shows_them(world: World, session: Session) -> None:
    published = await publish(session, world)
    opened = set(seen_with(frozenset()))
    assert 0 < len(opened) < len(published.paths)
    ctx = visiting(session, published, {})
    visitor = ctx.actor.visitor
    assert visitor is not None
    for place in (None, published.request.id, published.preview.id, published.revision.id):
        for id in published.paths:
            named = id if place is None else f"page~{place}~{id}"
            found = await read(ctx, get_node, named)
            assert (found is not None) is (id in opened), (named, opened)
    hidden = await factories.make_space(session, world.organization)
    assert await read(ctx, get_node, hidden.id) is None
    plain = replace(ctx.actor, visitor=replace(visitor, change_request_id=None, revision_id=None))
    for place in (published.request.id, published.preview.id):
        assert await read(Context(plain, session), get_node, f"page~{place}~home") is None
