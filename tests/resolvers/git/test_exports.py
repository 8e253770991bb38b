"""Exports as archives: in both interfaces, behind signed addresses, for whoever may read."""

import io
import zipfile
from typing import Any
from urllib.parse import urlsplit

import pytest

from content.git.layout import read_space
from content.sources.tree import SourceLimits
from content.sources.zip import open_zip
from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World
from tests.sources import EXAMPLES, imported

QUERY = """
query($space: ID!, $request: ID, $revision: ID) {
  contentExport(spaceId: $space, changeRequestId: $request, revisionId: $revision) {
    url revisionId
  }
}
"""


@pytest.fixture
async def space(session: Session, world: World, api: Api) -> Space:
    source = next(path for path in sorted(EXAMPLES.iterdir()) if (path / "README.md").exists())
    return await imported(session, world, api, str(source))


async def fetched(api: Api, url: str) -> dict[str, bytes]:
    parts = urlsplit(url)
    response = await api.client.get(f"{parts.path}?{parts.query}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/zip"
    # It comes while it is made, so nobody knows its size.
    assert "content-length" not in response.headers
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_content_comes_as_an_archive_that_reads_as_the_space(
    api: Api, world: World, space: Space
) -> None:
    answer = (await api.data(QUERY, world.reader, space=space.id))["contentExport"]
    rest = await api.rest("GET", f"/spaces/{space.id}/content/export", world.reader)
    assert rest.json() == {"url": answer["url"], "revision": answer["revisionId"]}
    files = await fetched(api, answer["url"])
    assert "SUMMARY.md" in files
    pages = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.reader)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    layout = read_space(open_zip(buffer.getvalue(), SourceLimits()))

    def titles(some: list[dict[str, Any]]) -> list[str]:
        return [title for page in some for title in (page["title"], *titles(page.get("pages", [])))]

    assert [page.title for page in layout.walk()] == titles(pages.json()["pages"])
    assert not layout.warnings


async def test_a_change_request_and_a_revision(api: Api, world: World, space: Space) -> None:
    opened = await api.rest(
        "POST", f"/spaces/{space.id}/change-requests", world.editor, {"subject": "New"}
    )
    request = opened.json()["id"]
    first = (await api.data(QUERY, world.editor, space=space.id))["contentExport"]
    await api.data(
        "mutation($space: ID!, $request: ID!) { createPage(spaceId: $space, "
        'changeRequestId: $request, input: {title: "Newest", body: {markdown: "Text."}}) '
        "{ changed } }",
        world.editor, space=space.id, request=request,
    )  # fmt: skip
    named = {"space": space.id, "request": request}
    of_request = (await api.data(QUERY, world.editor, **named))["contentExport"]
    assert of_request["revisionId"] != first["revisionId"]
    new = (await fetched(api, of_request["url"])).keys()
    assert new - (await fetched(api, first["url"])).keys() == {"newest.md"}


async def test_addresses_that_this_server_did_not_give_out(
    api: Api, world: World, space: Space
) -> None:
    url = (await api.data(QUERY, world.reader, space=space.id))["contentExport"]["url"]
    parts = urlsplit(url)
    for path, query in (
        (parts.path, parts.query.replace("signature=", "signature=0")),
        (parts.path.replace("/exports/", "/exports/0"), parts.query),
        (parts.path.replace(".zip", ".tar"), parts.query),
    ):
        assert (await api.client.get(f"{path}?{query}")).status_code == 404
    answer = await api.graphql(QUERY, world.outsider, space=space.id)
    assert answer["data"]["contentExport"] is None
