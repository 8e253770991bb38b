"""Pages and changes as fields of spaces, change requests and revisions; rights on pages."""

from typing import Any
from urllib.parse import quote

import pytest

from db.content_enums import ChangeRequestStatus, PageType
from db.enums import EditMode, SiteVisibility
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.revisions.write_targets import open_target
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.resolvers.access.test_rights import PEOPLE, may
from tests.resolvers.links.test_links import proposal
from tests.resolvers.search.test_search import Writer

PAGES = """page(id: $page) { id title path ... on DocumentPage { markdown } }
  pageByPath(path: $path) { title }
  landing: pageByPath(path: "") { title }
  changes { changes { __typename } }"""
QUERY = f"""query($space: ID!, $request: ID!, $page: ID!, $path: String!) {{
  space(id: $space) {{ {PAGES}
    revision {{ {PAGES} space {{ id }} }}
    changeRequest(id: $request) {{ {PAGES} }} }} }}"""
ROOTS = """query($space: ID!, $request: ID!, $page: ID!, $path: String!) {
  page(spaceId: $space, id: $page) { id title path ... on DocumentPage { markdown } }
  pageByPath(spaceId: $space, path: $path) { title }
  draft: page(spaceId: $space, id: $page, changeRequestId: $request) {
    id title path ... on DocumentPage { markdown } }
  draftByPath: pageByPath(spaceId: $space, path: $path, changeRequestId: $request) { title }
  changes: changeRequestChanges(spaceId: $space, changeRequestId: $request) {
    changes { __typename } } }"""


async def written(session: Session, world: World, **changes: Any) -> Writer:
    space = await factories.make_space(session, world.organization, **changes)
    await session.commit()
    writer = Writer(session, space)
    await writer.write(writer.page("a", "Alpha.\n"), writer.page("b", "Beta.\n"))
    return writer


async def test_fields_answer_as_the_roots_do(session: Session, world: World, api: Api) -> None:
    writer = await written(session, world)
    request = await proposal(
        session, world, writer, writer.page("a", "Changed.\n", title="Other", slug="other")
    )
    named = {"space": writer.space.id, "request": str(request.number), "page": "a"}
    for path in ("a", "other", "b", "B/", "nothing", "a/b", ":a"):
        data = await api.data(QUERY, world.reader, **named, path=path)
        roots = (await api.graphql(ROOTS, world.reader, **named, path=path))["data"]
        space = data["space"]
        revision, draft = space["revision"], space["changeRequest"]
        assert space["page"] == revision["page"] == roots["page"]
        assert space["pageByPath"] == revision["pageByPath"] == roots["pageByPath"], path
        assert draft["page"] == roots["draft"]
        assert draft["pageByPath"] == roots["draftByPath"]
        assert draft["changes"] == roots["changes"]
        assert (space["landing"], draft["landing"]) == ({"title": "A"}, {"title": "Other"})
    assert revision["space"] == {"id": writer.space.id}
    data = await api.data(QUERY, world.reader, **{**named, "page": "gone"}, path="a")
    assert data["space"]["page"] is data["space"]["changeRequest"]["page"] is None
    # Where a page was, it is found in primary content.
    move = """mutation($space: ID!) { renamePage(spaceId: $space, input: {
      page: "b", slug: "moved"}) { changed } }"""
    await api.data(move, world.creator, space=writer.space.id)
    data = await api.data(QUERY, world.reader, **named, path="b")
    assert data["space"]["pageByPath"] == {"title": "B"}
    assert data["space"]["revision"]["pageByPath"] == {"title": "B"}
    for path in ("x" * 3000, "a\u0000b"):
        answer = await api.graphql(QUERY, world.reader, **named, path=path)
        for error in answer.get("errors", ()):
            assert error["extensions"]["code"] != "INTERNAL"


async def test_paths_that_lead_on_in_drafts(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    """Both doors find a page of a draft, and of an older revision, by its path elsewhere."""
    writer = await written(session, world)
    await writer.write(writer.page("below", "Below.\n", parent_id="a"))
    first = writer.space.revision_id
    request = await proposal(
        session, world, writer, writer.page("a", "Alpha.\n", slug="draft-a"),
        writer.page("below", "Below.\n", parent_id="a"),
    )  # fmt: skip
    here = f"/spaces/{writer.space.id}"
    at = f"{here}/change-requests/{request.number}"
    redirect = {"type": "set_redirect", "path": "set/here", "page": "b"}
    answer = await api.rest("POST", f"{at}/content", world.creator, {"changes": [redirect]})
    assert answer.status_code == 200, answer.text
    draft = (await api.rest("GET", at, world.reader)).json()["revision"]
    rename = """mutation($space: ID!) { renamePage(spaceId: $space, input: {
      page: "b", slug: "published-b"}) { changed } }"""
    await api.data(rename, world.creator, space=writer.space.id)
    query = """query($space: ID!, $request: ID!, $path: String!) {
      changeRequest(spaceId: $space, id: $request) { pageByPath(path: $path) { pageId } } }"""
    for path, in_draft, in_first in (
        ("a", "a", "a"),
        ("A/", "a", "a"),
        ("a/below", "below", "below"),
        ("draft-a/below", "below", None),
        ("published-b", "b", "b"),
        ("set/here", "b", None),
        ("nowhere", None, None),
        ("b/nowhere", None, None),
    ):
        data = await api.data(
            query, world.reader, space=writer.space.id, request=str(request.number), path=path
        )
        page = data["changeRequest"]["pageByPath"]
        assert (None if page is None else page["pageId"]) == in_draft, path
        for base, wanted in (
            (f"{at}/content", in_draft),
            (f"{here}/revisions/{draft}", in_draft),
            (f"{here}/revisions/{first}", in_first),
        ):
            found = await api.rest("GET", f"{base}/path/{quote(path, safe='')}", world.reader)
            assert found.status_code == (404 if wanted is None else 200), (base, path, found.text)
            if wanted is not None:
                assert found.json()["id"] == wanted


@pytest.mark.parametrize("number", [1, 6])
async def test_paths_of_many_drafts_are_looked_for_together(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    writer = await written(session, world)
    for place in range(number):
        await proposal(session, world, writer, writer.page("a", "A.\n", slug=f"other-{place}"))
    query = """query($space: ID!, $path: String!) { space(id: $space) { changeRequests {
      nodes { pageByPath(path: $path) { title } } } } }"""
    await api.data(query, world.reader, space=writer.space.id, path="a/x")
    for path, page in (("a", {"title": "A"}), ("a/nothing", None)):
        with queries.at_most(14):
            data = await api.data(query, world.reader, space=writer.space.id, path=path)
        nodes = data["space"]["changeRequests"]["nodes"]
        assert [node["pageByPath"] for node in nodes] == [page] * number


@pytest.mark.parametrize("number", [1, 6])
async def test_pages_of_many_spaces_are_read_together(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    for _ in range(number):
        await written(session, world)
    await api.token_of(world.reader)
    await api.data("{ viewer { id } }", world.reader)  # what a process reads once
    query = """query($id: ID!) { organization(id: $id) { spaces { nodes {
      page(id: "b") { title space { id } revision { id } permissions { view edit } }
      pageByPath(path: "a") { title } } } } }"""
    # The token; the organization and its spaces; revisions and nodes for each of the two fields;
    # spaces, revisions and rights of the pages.
    with queries.at_most(11):
        data = await api.data(query, world.reader, id=world.organization.id)
    nodes = data["organization"]["spaces"]["nodes"]
    assert len(nodes) == number
    for node in nodes:
        assert node["pageByPath"] == {"title": "A"}
        assert node["page"]["permissions"] == {"view": True, "edit": False}


@pytest.mark.parametrize("number", [1, 6])
async def test_paths_of_many_spaces_that_lead_nowhere(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    for _ in range(number):
        await written(session, world)
    query = """query($id: ID!) { organization(id: $id) { spaces { nodes {
      pageByPath(path: "a/nothing") { title } } } } }"""
    await api.data(query, world.reader, id=world.organization.id)
    # The organization with its spaces; revisions, pages that moved, redirects.
    with queries.at_most(6):
        data = await api.data(query, world.reader, id=world.organization.id)
    assert data["organization"]["spaces"]["nodes"] == [{"pageByPath": None}] * number


@pytest.mark.parametrize("number", [1, 6])
async def test_landing_pages_of_many_spaces_are_read_together(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    for index in range(number):
        writer = await written(session, world)
        # Behind groups, of which some are empty.
        groups = [writer.page(f"g{one}", type=PageType.GROUP, slug=f"g{one}") for one in range(3)]
        groups[index % 3].order = "A"
        inner = writer.page("inner", "Inner.\n", parent_id=f"g{index % 3}")
        await writer.write(*groups, inner)
    query = """query($id: ID!) { organization(id: $id) { spaces { nodes {
      pageByPath(path: "") { title } revision { landingPage { title } } } } } }"""
    await api.token_of(world.reader)
    await api.data("{ viewer { id } }", world.reader)  # what a process reads once
    for _ in range(2):
        # The token; the organization and its spaces; revisions, their slugs and pages for each
        # field, and the same below a group; the second time one read of pages for each field.
        with queries.at_most(12):
            data = await api.data(query, world.reader, id=world.organization.id)
        expected = {
            "pageByPath": {"title": "Inner"},
            "revision": {"landingPage": {"title": "Inner"}},
        }
        assert data["organization"]["spaces"]["nodes"] == [expected] * number


async def rights(api: Api, person: Any, space: Space, **where: Any) -> dict[str, bool] | None:
    query = """query($space: ID!, $request: ID, $revision: ID) {
      page(spaceId: $space, id: "a", changeRequestId: $request, revisionId: $revision) {
        permissions { view comment edit } } }"""
    found = (await api.graphql(query, person, space=space.id, **where))["data"]["page"]
    return None if found is None else found["permissions"]


@pytest.mark.parametrize("mode", list(EditMode))
async def test_rights_on_pages(session: Session, world: World, api: Api, mode: EditMode) -> None:
    writer = await written(session, world, edit_mode=mode)
    old = writer.revision
    assert old is not None
    await writer.write(writer.page("b", "Gamma.\n"))
    request = await proposal(session, world, writer, writer.page("a", "Changed.\n"))
    space = writer.space
    await settle(session)
    for name in PEOPLE:
        person = world.people()[name]

        def ctx(person: Any = person) -> Context:
            return context(session, person)

        primary = await rights(api, person, space)
        draft = await rights(api, person, space, request=request.id)
        former = await rights(api, person, space, revision=old.id)
        if primary is None:
            assert draft is former is None
            continue
        assert primary["edit"] is await may(ctx(), open_target, space.id), name
        assert draft is not None
        assert draft["edit"] is await may(ctx(), open_target, space.id, request.id), name
        comments = name not in ("reader", "guest", "outsider")
        assert primary["comment"] is draft["comment"] is comments
        assert former == {"view": True, "comment": False, "edit": False}


@pytest.mark.parametrize("mode", list(EditMode))
@pytest.mark.parametrize("moved_on", [False, True])
async def test_rights_in_a_change_request_that_was_not_edited(
    session: Session, world: World, api: Api, mode: EditMode, moved_on: bool
) -> None:
    """Its content is that of the space, now or before; who may edit it may edit its pages."""
    writer = await written(session, world, edit_mode=mode)
    space = writer.space
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    if moved_on:
        await writer.write(writer.page("b", "Gamma.\n"))
    await settle(session)
    query = """query($space: ID!, $request: ID!) { space(id: $space) {
      changeRequest(id: $request) {
        page(id: "a") { id permissions { view comment edit } }
        pageByPath(path: "a") { id permissions { view comment edit } } } } }"""
    for name in PEOPLE:
        person = world.people()[name]
        found = await rights(api, person, space, request=request.id)
        if found is None:
            continue
        allowed = await may(context(session, person), open_target, space.id, request.id)
        assert found["edit"] is allowed, name
        assert found["comment"] is (name not in ("reader", "guest")), name
        assert await rights(api, person, space, request=str(request.number)) == found
        below = (await api.data(query, person, space=space.id, request=request.id))["space"]
        shown = {"id": f"page~{request.id}~a", "permissions": found}
        assert below["changeRequest"] == {"page": shown, "pageByPath": shown}


async def test_rights_by_the_revision(session: Session, world: World, api: Api) -> None:
    """The newest revision of a change request that was edited is its draft; one where a change
    request only began is a former one of the space."""
    writer = await written(session, world)
    began_at = writer.revision
    assert began_at is not None
    await factories.make_change_request(session, writer.space, world.editor)
    await session.commit()
    first = await proposal(session, world, writer, writer.page("a", "Changed.\n"))
    await writer.write(writer.page("b", "Gamma.\n"))
    await settle(session)
    draft = (await api.data(
        "query($id: ID!) { node(id: $id) { ... on ChangeRequest { revision { id } } } }",
        world.editor, id=first.id,
    ))["node"]["revision"]["id"]  # fmt: skip
    rights_on = [
        await rights(api, world.editor, writer.space, revision=id) for id in (draft, began_at.id)
    ]
    assert rights_on == [
        {"view": True, "comment": True, "edit": True},
        {"view": True, "comment": False, "edit": False},
    ]


async def test_nobody_edits_what_is_closed(session: Session, world: World, api: Api) -> None:
    writer = await written(session, world)
    request = await proposal(session, world, writer, writer.page("a", "Changed.\n"))
    for status in ChangeRequestStatus:
        await session.begin_write()
        (await session.merge(request)).status = status
        await session.commit()
        found = await rights(api, world.editor, writer.space, request=request.id)
        editable = status in (ChangeRequestStatus.DRAFT, ChangeRequestStatus.OPEN)
        assert found == {"view": True, "comment": True, "edit": editable}, status


async def test_what_belongs_to_a_site_is_there(session: Session, world: World, api: Api) -> None:
    space = await factories.make_space(session, world.organization)
    site = await factories.make_site(
        session, world.organization, space, published=True, visibility=SiteVisibility.PUBLIC
    )
    await settle(session)
    query = """query($id: ID!) { site(id: $id) {
        conditions(claims: {beta: true}) { claims structure { title } }
        preview { url } publishingAuth { backend privateKey } }
      siteConditions(id: $id, claims: {beta: true}) { claims structure { title } }
      sitePublishingAuth(id: $id) { backend privateKey } }"""
    data = await api.data(query, world.creator, id=site.id)
    assert data["site"]["conditions"] == data["siteConditions"]
    assert data["site"]["publishingAuth"] == data["sitePublishingAuth"]
    assert data["site"]["preview"]["url"].startswith("http")
    answer = await api.graphql(query, world.reader, id=site.id)
    assert answer["data"]["site"] == {"conditions": None, "preview": None, "publishingAuth": None}
    codes = {tuple(one["path"]): one["extensions"]["code"] for one in answer["errors"]}
    assert codes["site", "conditions"] == codes["site", "preview"] == "FORBIDDEN"
    assert ("site", "publishingAuth") not in codes
