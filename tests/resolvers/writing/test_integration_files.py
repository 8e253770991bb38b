"""Sources of integrations with files; those that depend on each other; no room to ask them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select

from db.models.content import ComputedPage
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.integrations import Asking
from resolvers.content import integration_sources, source_dependencies
from resolvers.content.integration_sources import spaces_with_stale_sources
from resolvers.content.source_answers import (
    MOST_FILES,
    OwnNames,
    document_of_answer,
    files_of_answer,
)
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import NoCapacity, Unavailable
from resolvers.core.runners import read
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context
from tests.fetching.servers import answering, response
from tests.importing import documents
from tests.published.integrated import Integrated, integrate
from tests.resolvers.writing.test_computed_pages import computed
from tests.resolvers.writing.test_integration_sources import SOURCES, TYPE, work
from tests.runtime.scripts import bundle

SCRIPT = bundle(
    """
    const { configuration } = environment.spaceInstallation ?? { configuration: {} };
    if (event.type === "content_compute_revision") {
      const file = (id, name) => ({ id, name, contentType: "image/png", size: 1,
        downloadURL: configuration.url });
      return Response.json({ pages: [{ type: "document", title: "Dots", id: "dots",
          computed: { type: "TYPE", props: {} } },
        { type: "document", title: "Other", id: "other" }],
        files: configuration.url ? [file("one", "dot.png"), file("two", "other dot.png")] : [] });
    }
    return Response.json({ document: configuration.nodes
      ? { object: "document", nodes: [{ object: "block", type: "images", isVoid: false, data: {},
          nodes: [{ object: "block", type: "image", isVoid: true, fragments: [],
            data: { ref: { kind: "file", file: "two" } } }] }] }
      : { markdown: "![dot](dot.png) ![o](other%20dot.png) [to](docstead:page?page=other) " +
          "![x](docstead:file?file=none)" } });
    """.replace("TYPE", TYPE)
)
NAMES = st.text(max_size=12) | st.sampled_from(["a.png", "..", "a/b", "\0", "x" * 300])


async def put_source(api: Api, space_id: str, dependencies: dict[str, Any] | None = None) -> None:
    """A computed page of the source in a space."""
    async with api.server.database.session() as writing:
        await writing.begin_write()
        ctx = context(writing)
        target = await open_target(ctx, space_id)
        changes = Changes()
        place = computed(target.space, "place", "V9")
        place.computed = {"type": TYPE, "props": {"names": ["Moon"]}, "dependencies": dependencies}
        changes.pages["place"] = place
        before = target.revision
        revision = await commit_revision(ctx, target, changes)
        await index_revision(ctx, space_id, before, revision)
        await writing.commit()


@pytest.fixture
async def dots(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Integrated]:
    made = await integrate(api, world, session, "Text.", SCRIPT, contentSources=SOURCES)
    await put_source(api, made.space.id)
    async with answering(response(documents.png(), "Content-Type: image/png")) as server:
        imports = api.server.imports
        allowed = Allowance.read(f"127.0.0.1:{server.port}")
        fetcher = Fetcher(allowed, imports.fetcher.limits)
        monkeypatch.setattr(api.server, "imports", replace(imports, fetcher=fetcher))
        await made.configure({"url": f"{server.url}dot"})
        yield made
    await api.server.runner.close()


async def files(site: Integrated) -> list[str]:
    answer = await site.call("GET", f"/spaces/{site.space.id}/content/files")
    return sorted(file["name"] for file in answer["items"])


async def test_files_come_with_the_pages(dots: Integrated) -> None:
    await work(dots)
    page = (await dots.get("/dots")).text
    assert await files(dots) == ["dot.png", "other dot.png"]
    address = page.partition('src="http://docs.test/files/')[2].partition('"')[0]
    assert (await dots.api.client.get(f"/files/{address}")).content == documents.png()
    assert "other%20dot.png" in page
    assert f"/sites/{dots.site.id}/other" in page
    # What is in no answer stays an address that leads nowhere.
    assert "file=none" not in page.partition("<main")[2].partition("src=")[2]
    # They are in what readers see, not in what was written.
    written = f"/spaces/{dots.space.id}/content/files?computed=false"
    assert (await dots.call("GET", written))["items"] == []
    # Nodes name them by their ids.
    url = (await dots.call("GET", entry(dots)))["configuration"]["url"]
    await dots.configure({"url": url, "nodes": True})
    await work(dots)
    page = (await dots.get("/dots")).text
    assert "other%20dot.png" in page
    assert "/dot.png" not in page
    # One that cannot be fetched fails the source: the last good pages and files stay.
    await dots.configure({"url": "http://127.0.0.1:9/none"})
    await work(dots)
    assert await files(dots) == ["dot.png", "other dot.png"]
    assert "other%20dot.png" in (await dots.get("/dots")).text
    # Those that are offered no longer are gone.
    await dots.configure({})
    await work(dots)
    assert await files(dots) == []


async def test_a_source_that_is_asked_shows_its_files_in_both_doors(dots: Integrated) -> None:
    source = {"source": {"type": TYPE, "props": {}}, "seed": "own"}
    url = (await dots.call("GET", entry(dots)))["configuration"]["url"]
    path = f"/spaces/{dots.space.id}/content/computed/revision"
    rest = (await dots.call("POST", path, source))["files"]
    assert [(file["name"], file["contentType"], file["size"]) for file in rest] == [
        ("dot.png", "image/png", 1), ("other dot.png", "image/png", 1),
    ]  # fmt: skip
    # Nobody has fetched them: they are where the integration has them.
    assert [file["downloadURL"] for file in rest] == [url, url]
    document = """query ($s: ID!, $input: ComputedContentInput!) {
      computedRevision(spaceId: $s, input: $input) {
        files { fileId name contentType size downloadURL } pages { title } } }"""
    admin = dots.world.admin
    answer = await dots.api.graphql(document, admin, s=dots.space.id, input=source)
    made = answer["data"]["computedRevision"]
    assert [{"id": file.pop("fileId"), **file} for file in made["files"]] == rest
    assert [page["title"] for page in made["pages"]] == ["Dots", "Other"]
    # Equal seeds give equal ids, others give others.
    again = (await dots.call("POST", path, source))["files"]
    other = (await dots.call("POST", path, {**source, "seed": "another"}))["files"]
    assert [file["id"] for file in again] == [file["id"] for file in rest]
    assert {file["id"] for file in other}.isdisjoint(file["id"] for file in rest)


def test_what_is_said_of_a_file_is_taken_as_far_as_it_can_be_true() -> None:
    said: list[tuple[dict[str, Any], tuple[str, int, Any]]] = [
        ({"contentType": "Image/PNG", "size": 7, "dimensions": {"width": 3, "height": 2}},
         ("image/png", 7, (3, 2))),
        ({"contentType": "text/html\r\nx: y", "size": -1, "dimensions": {"width": 0, "height": 2}},
         ("application/octet-stream", 0, None)),
        ({"contentType": 7, "size": True, "dimensions": [1]},
         ("application/octet-stream", 0, None)),
        ({"size": 10**30, "dimensions": {"width": "1", "height": None}},
         ("application/octet-stream", 0, None)),
    ]  # fmt: skip
    for members, expected in said:
        (file,), _ = files_of_answer(
            [{"name": "a", "downloadURL": "https://a.example/", **members}], ""
        )
        assert (file.content_type, file.size, file.dimensions) == expected
    for url in ("javascript:alert(1)", "ftp://a.example/", "https://a b", "/etc/passwd"):
        with pytest.raises(Unavailable, match="http or https"):
            files_of_answer([{"name": "a", "downloadURL": url}], "")


def entry(site: Integrated) -> str:
    return f"/integrations/echo/installations/{site.installation}/spaces/{site.space.id}"


@given(st.lists(st.dictionaries(st.sampled_from(["id", "name", "downloadURL"]), NAMES | st.none())))
def test_whatever_is_offered_is_files_or_refused(values: list[Any]) -> None:
    try:
        offered, ids = files_of_answer(values, "seed")
    except Unavailable:
        return
    assert len({file.id for file in offered}) == len(offered) == len(values)
    assert set(ids.values()) == {file.id for file in offered}
    assert all("/" not in file.name and file.name not in (".", "..") for file in offered)


def test_files_are_bounded() -> None:
    file = {"name": "a", "downloadURL": "https://a.example/"}
    many = [{**file, "id": str(n)} for n in range(MOST_FILES + 1)]
    assert len(files_of_answer(many[1:], "s")[0]) == MOST_FILES
    for values in (many, [file, file], {"a": 1}, ["a"]):
        with pytest.raises(Unavailable):
            files_of_answer(values, "s")


def test_documents_name_what_is_in_their_answer_alone() -> None:
    own = OwnNames({"p": "P"}, {"f": "F", "f.png": "F"})
    row = document_of_answer(
        {"markdown": "[a](docstead:page?page=p) [b](docstead:anchor?page=p&anchor=x) "
                     "[c](docstead:user?user=p) [d](docstead:page?page=home) [e](f.png)"},
        "seed", own,
    )  # fmt: skip
    assert "page=P)" in row.markdown
    assert "anchor=x&page=P" in row.markdown
    assert "file=F" in row.markdown
    # What they were not made with is an address, and no reference.
    text = str(row.document)
    assert "{'kind': 'url', 'url': 'docstead:user?user=p'}" in text
    assert "{'kind': 'url', 'url': 'docstead:page?page=home'}" in text


# ------------------------------------------------------------------ which depend on each other

ECHO = bundle(
    """
    return Response.json(event.type === "content_compute_revision"
      ? { pages: [{ type: "group", title: JSON.stringify(event.dependencies).slice(-90) }] } : {});
    """
)


async def rounds(site: Integrated, most: int) -> int:
    """Sweeps with their jobs until nothing is stale; `most` where there is no end before."""
    for count in range(most):
        async with site.api.server.context_of(OPERATOR) as ctx:
            if not await read(ctx, spaces_with_stale_sources):
                return count
        await work(site)
    return most


async def circle(site: Integrated, session: Session, number: int) -> list[str]:
    """Spaces whose sources depend on the next one each, and the last on the first."""
    others = [await factories.make_space(session, site.world.organization) for _ in range(number)]
    await session.commit()
    path = f"/integrations/echo/installations/{site.installation}/spaces"
    ids = [site.space.id, *(space.id for space in others)]
    for id in ids[1:]:
        await site.call("POST", path, {"space": id})
    for id, following in zip(ids, [*ids[1:], ids[0]], strict=True):
        await put_source(site.api, id, {"next": {"ref": {"kind": "space", "space": following}}})
    return ids


@pytest.mark.parametrize("number", [1, 2, 4])
async def test_sources_in_a_circle_settle(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    site = await integrate(api, world, session, "Text.", ECHO, contentSources=SOURCES)
    ids = await circle(site, session, number)
    assert await rounds(site, 6) <= 3
    # What is written in one of them is seen by the one before it.
    page = {"type": "insert_page", "slug": "new", "document": {"markdown": "New."}}
    path = f"/spaces/{ids[1]}/content"
    written = await api.rest("POST", path, world.admin, {"changes": [page]})
    assert written.status_code == 200, written.text
    assert 0 < await rounds(site, 6) <= 3
    # Where circles are not seen, they go round for ever.
    monkeypatch.setattr(source_dependencies, "FOLLOWED", 0)
    assert await rounds(site, 6) <= 3, "what is not followed counts as a circle"

    async def none(*_: Any) -> set[tuple[str, str]]:
        return set()

    monkeypatch.setattr(integration_sources, "circular_dependencies", none)
    assert await rounds(site, 6) == 6
    await api.server.runner.close()


# ------------------------------------------------------------------ no room


async def tried(site: Integrated) -> str | None:
    async with site.api.server.database.session() as session:
        row = (await session.execute(select(ComputedPage))).scalars().one()
        return row.tried


async def test_no_room_is_no_failure(dots: Integrated, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asking.__call__
    busy = 2

    async def sometimes(self: Asking, *args: Any) -> Any:
        nonlocal busy
        if busy > 0:
            busy -= 1
            raise NoCapacity("other events of integrations run")
        return await asked(self, *args)

    monkeypatch.setattr(Asking, "__call__", sometimes)
    monkeypatch.setattr(integration_sources, "PAUSE", 0.001)
    # For long: it is left to the next sweep, and not noted as tried.
    busy = 1_000_000
    monkeypatch.setattr(integration_sources, "SECONDS", 0.05)
    await work(dots)
    assert await tried(dots) is None
    async with dots.api.server.context_of(OPERATOR) as ctx:
        assert await read(ctx, spaces_with_stale_sources) != []
    # For a moment: it is asked again at once.
    busy = 2
    monkeypatch.setattr(integration_sources, "SECONDS", 120.0)
    await work(dots)
    assert busy == 0
    assert "!" not in (await tried(dots) or "!")
    assert (await dots.get("/dots")).status_code == 200
