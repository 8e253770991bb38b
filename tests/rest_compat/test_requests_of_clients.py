"""Requests as clients write them, and answers that depend on who asks or on what is installed."""

from typing import Any

import pytest

from db.content_enums import RevisionType
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.states import revision_of_space, write_revision
from resolvers.search.index import index_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.rest_compat.published.test_visitors import token
from tests.seeds import Seed, sample_edits, sow


@pytest.fixture
async def seed(session: Session, world: World) -> Seed:
    return await sow(session, world)


async def test_optional_parameters_without_a_value_are_absent(
    api: Api, world: World, seed: Seed
) -> None:
    space = f"/spaces/{seed.space.id}"
    page = f"{space}/content/page/child"
    for path, queries in (
        (f"/orgs/{world.organization.id}/spaces", ("page=&limit=", "page=", "limit=&other=")),
        (page, ("format=", "metadata=&format=&evaluated=")),
        (f"{space}/change-requests", ("status=&limit=&page=",)),
        (f"{space}/search?query=hello", ("page=&limit=",)),
    ):
        plain = await api.rest("GET", path, world.reader)
        for query in queries:
            sign = "&" if "?" in path else "?"
            answer = await api.rest("GET", f"{path}{sign}{query}", world.reader)
            assert (answer.status_code, answer.content) == (200, plain.content), (path, query)
    # What an operation cannot do without has to say something.
    refused = await api.rest("GET", f"{space}/search?query=", world.reader)
    assert refused.status_code == 422


async def test_booleans_may_have_capitals(api: Api, world: World, seed: Seed) -> None:
    page = f"/spaces/{seed.space.id}/content/page/home"
    said = {}
    for value in ("true", "false"):
        said[value] = (await api.rest("GET", f"{page}?metadata={value}", world.reader)).json()
        for spelled in (value.title(), value.upper()):
            answer = await api.rest("GET", f"{page}?metadata={spelled}", world.reader)
            assert answer.json() == said[value]
    assert "git" in said["true"]
    assert "git" not in said["false"]
    for wrong in ("1", "yes", "truee", "None"):
        answer = await api.rest("GET", f"{page}?metadata={wrong}", world.reader)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["path"] == "metadata"


async def test_a_path_may_end_with_a_slash(api: Api, world: World, seed: Seed) -> None:
    space = f"/spaces/{seed.space.id}"
    for path in ("/user", space, f"{space}/content/page/home", f"{space}/content/path/home"):
        plain = await api.rest("GET", path, world.editor)
        ended = await api.rest("GET", f"{path}/", world.editor)
        assert (ended.status_code, ended.content) == (200, plain.content), path
    changed = await api.rest("PATCH", f"{space}/", world.creator, {"title": "Renamed"})
    assert changed.json()["title"] == "Renamed"
    for path in (f"{space}//", "/user//", f"{space}/nothing/", "/spaces/"):
        assert (await api.rest("GET", path, world.editor)).status_code == 404, path


async def merged(session: Session, seed: Seed) -> None:
    """Make the primary content that of a merge."""
    ctx = context(session)
    space = await session.get_one(Space, seed.space.id)
    before = await revision_of_space(ctx, space)
    revision = await write_revision(
        ctx, space.id, before, sample_edits(space.id), type=RevisionType.MERGE,
        merged_from_id=seed.change_request.id,
    )  # fmt: skip
    space.revision_id = revision.id
    await index_revision(ctx, space.id, before, revision)


async def test_a_merge_is_one_to_those_who_see_its_change_request(
    api: Api, session: Session, world: World, seed: Seed
) -> None:
    await merged(session, seed)
    site = await factories.make_site(session, world.organization, seed.space, published=True)
    await settle(session)
    path = f"/spaces/{seed.space.id}/content"
    member = (await api.rest("GET", path, world.reader)).json()
    assert (member["type"], member["mergedFrom"]["id"]) == ("merge", seed.change_request.id)
    headers = await token(api, site)
    visitor = (await api.rest("GET", path, None, headers=headers)).json()
    assert (visitor["type"], "mergedFrom" in visitor) == ("edits", False)
    query = "query ($id: ID!) { space(id: $id) { revision { type mergedFrom { id } } } }"
    variables = {"id": seed.space.id}
    asked: dict[str, Any] = {"json": {"query": query, "variables": variables}, "headers": headers}
    shown = (await api.client.post("/graphql", **asked)).json()["data"]["space"]["revision"]
    assert shown == {"type": "EDITS", "mergedFrom": None}
    shown = (await api.data(query, world.reader, **variables))["space"]["revision"]
    assert shown == {"type": "MERGE", "mergedFrom": {"id": seed.change_request.id}}


async def test_changes_that_are_not_there_name_what_was_asked_for(
    api: Api, session: Session, world: World, seed: Seed
) -> None:
    await merged(session, seed)
    site = await factories.make_site(session, world.organization, seed.space, published=True)
    await settle(session)
    headers = await token(api, site)
    now = (await api.rest("GET", f"/spaces/{seed.space.id}/content", world.reader)).json()
    (parent,) = now["parents"]
    path = f"/spaces/{seed.space.id}/revisions/{now['id']}/changes"
    assert (await api.rest("GET", path, world.reader)).status_code == 200
    refused = await api.rest("GET", path, None, headers=headers)
    assert refused.status_code == 404, refused.text
    message = refused.json()["error"]["message"]
    assert now["id"] in message
    assert parent not in message


async def test_without_the_packages_for_pdfs_their_addresses_are_not_implemented(
    api: Api, world: World, seed: Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/spaces/{seed.space.id}/pdf"
    assert (await api.rest("GET", path, world.reader)).status_code == 200
    monkeypatch.setattr("content.pdf.job.PACKAGES", ("no_such_package",))
    request = f"/spaces/{seed.space.id}/change-requests/{seed.change_request.id}/pdf"
    for one in (path, request):
        answer = await api.rest("GET", one, world.reader)
        assert answer.status_code == 501
        assert "pip install 'docstead[pdf]'" in answer.json()["error"]["message"]
    query = "query ($id: ID!) { space(id: $id) { title pdf { url } } }"
    shown = await api.graphql(query, world.reader, id=seed.space.id)
    assert shown["errors"][0]["extensions"]["code"] == "NOT_INSTALLED"
    assert shown["data"]["space"]["title"]
    # What may not be seen is not there, whatever is installed.
    assert (await api.rest("GET", path, world.outsider)).status_code == 404
