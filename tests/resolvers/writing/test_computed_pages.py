"""The pages that sources make stand in the place of their computed page, wherever they are read."""

import datetime as dt
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest
from sqlalchemy import func, select

from content.markdown.parser import parse_document
from db.base import utc_now
from db.content_enums import PageType
from db.enums import Role
from db.event_enums import EventType
from db.job_enums import JobKind
from db.models.content import ComputedPage, Revision
from db.models.events import Event
from db.models.spaces import Space
from db.models.specifications import Specification
from db.session import Session
from jobs import computed_pages, kinds
from jobs.table import KINDS
from jobs.worker import Worker
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read, run
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.specifications import uses
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle

SOURCE = {
    "type": "builtin:openapi",
    "props": {"models": True},
    "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "planets"}}},
}


BY_PATH = """query ($id: ID!) {
  pageByPath(spaceId: $id, path: "moons") { id pageId title permissions { comment edit } }
}"""
PLAIN = """query ($id: ID!) {
  revision(spaceId: $id, computed: false) { pages { nodes { type } } }
}"""
ROLL_BACK = """mutation ($id: ID!, $revision: ID!, $now: ID!) {
  rollBackSpace(spaceId: $id, revisionId: $revision, input: {}, expectedRevision: $now) { changed }
}"""
Work = Callable[[], Awaitable[None]]


def planets(*tags: str) -> str:
    """A specification with an operation of each tag, and a schema."""
    paths = "".join(
        f"""
  /{tag.lower()}:
    get:
      tags: [{tag}]
      summary: All {tag.lower()}
      responses: {{"200": {{description: Fine}}}}"""
        for tag in tags
    )
    return f"""openapi: 3.1.0
info: {{title: Planets, version: "1"}}
paths:{paths}
components:
  schemas:
    Thing: {{type: object, properties: {{name: {{type: string}}}}}}
"""


def document(changes: Changes, space: Space, id: str, order: str, **values: Any) -> None:
    text = f"About {id}.\n"
    changes.pages[id] = Page(
        space_id=space.id, revision_id="", id=id, type=PageType.DOCUMENT, title=id.title(),
        parent_id=None, order=order, slug=id,
        document_id=changes.add_document(text, parse_document(text)), **values,
    )  # fmt: skip


def computed(space: Space, id: str, order: str, **values: Any) -> Page:
    return Page(
        space_id=space.id, revision_id="", id=id, type=PageType.COMPUTED, title="API",
        parent_id=None, order=order, computed=SOURCE, **values,
    )  # fmt: skip


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    """A space with a computed page between two others, and nothing that it is made of yet."""
    made = await factories.make_space(session, world.organization, title="Guide")
    changes = Changes()
    document(changes, made, "first", "V1")
    changes.pages["api"] = computed(made, "api", "V2")
    # Its slug is that of a page that the source makes.
    document(changes, made, "stars", "V3")
    ctx = context(session)
    revision = await commit_revision(ctx, await open_target(ctx, made.id), changes)
    await index_revision(ctx, made.id, None, revision)
    return made


@pytest.fixture
def work(api: Api, session: Session) -> Work:
    async def do_jobs() -> None:
        await settle(session)
        server = api.server
        worker = Worker(
            server.context_of, {kind: KINDS[kind] for kind in (JobKind.COMPUTED_PAGES,)},
            server.database.bell, at_once=1, most_of_organization=4, watch_seconds=0.05,
        )  # fmt: skip
        while True:
            await worker.fill()
            if not worker.busy:
                return
            await worker.settle()

    return do_jobs


async def sweep(api: Api) -> None:
    """What the periodic job does."""
    async with api.server.context_of(OPERATOR) as ctx:
        stale = await read(ctx, uses.stale_spaces)
        if stale:
            await run(ctx, uses.wake_spaces, stale)


async def count(session: Session, model: Any, *where: Any) -> int:
    statement = select(func.count()).select_from(model).where(*where)
    return (await session.execute(statement)).scalar_one()


async def titles(api: Api, world: World, space: Space, query: str = "") -> list[str]:
    answer = await api.rest("GET", f"/spaces/{space.id}/content{query}", world.reader)
    assert answer.status_code == 200, answer.text
    return [page["path"] if "path" in page else page["type"] for page in answer.json()["pages"]]


BEFORE = ["first", "computed", "stars"]


async def test_pages_stand_in_the_place_of_their_computed_page(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    await factories.make_specification(session, world.organization.id, planets("Moons", "Stars"))
    await settle(session)
    # Nothing was made yet.
    assert await titles(api, world, space) == BEFORE
    await work()
    assert await titles(api, world, space) == ["first", "moons", "stars-1", "models", "stars"]
    assert await titles(api, world, space, "?computed=false") == BEFORE
    content = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
    assert content["type"] == "computed"
    page = await api.rest(
        "GET", f"/spaces/{space.id}/content/path/moons?format=markdown", world.reader
    )
    assert "## All moons" in page.json()["markdown"]
    assert "openapi-operation" in page.json()["markdown"]
    data = await api.data(BY_PATH, world.admin, id=space.id)
    assert data["pageByPath"]["permissions"] == {"comment": True, "edit": False}
    assert data["pageByPath"]["id"] == data["pageByPath"]["pageId"] == page.json()["id"]
    plain = await api.data(PLAIN, world.reader, id=space.id)
    assert [page["type"] for page in plain["revision"]["pages"]["nodes"]] == [
        "DOCUMENT", "COMPUTED", "DOCUMENT",
    ]  # fmt: skip
    answer = await api.rest("GET", f"/spaces/{space.id}/search?query=moons", world.reader)
    assert [hit["title"] for hit in answer.json()["items"]] == ["Moons"]
    # Operations are found by their path and by their title.
    for query in ("GET /moons", "/moons", "All moons"):
        answer = await api.rest("GET", f"/spaces/{space.id}/search", world.reader,
                                params={"query": query})  # fmt: skip
        assert answer.json()["items"][0]["title"] == "Moons", query
    comment = {"body": {"markdown": "Fine"}, "page": page.json()["id"]}
    posted = await api.rest("POST", f"/spaces/{space.id}/comments", world.admin, comment)
    assert posted.status_code == 200, posted.text
    # They are nobody's to edit.
    id = page.json()["id"]
    for change in ("renamePage", "deletePage"):
        title = ', title: "Mine"' if change == "renamePage" else ""
        query = f"""mutation ($space: ID!, $page: ID!) {{
          {change}(spaceId: $space, input: {{page: $page{title}}}) {{ changed }}
        }}"""
        errors = (await api.graphql(query, world.admin, space=space.id, page=id))["errors"]
        assert errors[0]["extensions"]["code"] == "PRECONDITION_FAILED"
        for part in (repr(id), "'Moons'", "specification 'planets'", "computed page 'api'"):
            assert part in errors[0]["message"]
    errors = (await api.graphql(query, world.admin, space=space.id, page="nothing"))["errors"]
    assert errors[0]["extensions"]["code"] == "NOT_FOUND"
    path = f"/spaces/{space.id}/content"
    for edit in ({"type": "update_page", "page": id, "title": "Mine"},
                 {"type": "delete_page", "page": id}):  # fmt: skip
        refused = await api.rest("POST", path, world.admin, {"changes": [edit]})
        assert refused.status_code == 412, refused.text
        assert "specification 'planets'" in refused.text


async def test_sites_show_them(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    await factories.make_specification(session, world.organization.id, planets("Moons"))
    site = await factories.make_site(session, world.organization, space, published=True)
    await work()
    page = await api.client.get(f"/sites/{site.id}/moons", follow_redirects=True)
    assert page.status_code == 200
    assert "All moons" in page.text
    # Navigation, the pages before and behind it, and what programs read.
    for address in ("first", "llms.txt", "sitemap-pages.xml", "llms-full.txt"):
        listed = await api.client.get(f"/sites/{site.id}/{address}", follow_redirects=True)
        assert "moons" in listed.text.lower(), address


async def test_another_version_makes_other_pages(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    row, _ = await factories.make_specification(session, world.organization.id, planets("Moons"))
    await work()
    moons = (await api.rest("GET", f"/spaces/{space.id}/content/path/moons", world.reader)).json()
    events = await count(session, Event, Event.type == EventType.SPACE_CONTENT_UPDATED)
    other = planets("Comets", "Moons")
    await factories.make_specification(session, world.organization.id, other, slug="other")
    (version,) = await session.scalars(
        select(Specification.last_version_id).where(Specification.slug == "other")
    )
    specification = await session.get_one(Specification, row.id)
    specification.last_version_id = version
    await settle(session)
    # A job was lost: the sweep finds it.
    await sweep(api)
    await work()
    assert await titles(api, world, space) == ["first", "comets", "moons", "models", "stars"]
    again = (await api.rest("GET", f"/spaces/{space.id}/content/path/moons", world.reader)).json()
    assert again["id"] == moons["id"]
    assert await count(session, Event, Event.type == EventType.SPACE_CONTENT_UPDATED) == events + 1
    # Nothing is done again, and what is gone leaves the last good pages.
    revisions = await count(session, Revision, Revision.space_id == space.id)
    await session.delete(await session.get_one(Specification, row.id))
    await settle(session)
    await sweep(api)
    await work()
    assert await count(session, Revision, Revision.space_id == space.id) == revisions
    assert await titles(api, world, space) == ["first", "comets", "moons", "models", "stars"]


async def test_writes_stand_on_what_was_written(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    await factories.make_specification(session, world.organization.id, planets("Moons"))
    await work()
    shown = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
    ctx = context(session)
    target = await open_target(ctx, space.id, expected_revision=shown["id"])
    assert target.revision.expands_id is None
    changes = Changes()
    document(changes, space, "last", "V4")
    await commit_revision(ctx, target, changes)
    await settle(session)
    # At once, for what sources have made is there.
    assert await titles(api, world, space) == ["first", "moons", "models", "stars", "last"]
    export = await api.rest("GET", f"/spaces/{space.id}/content/export", world.reader)
    archive = await api.client.get(export.json()["url"])
    with ZipFile(BytesIO(archive.content)) as files:
        assert sorted(files.namelist()) == ["README.md", "SUMMARY.md", "last.md", "stars.md"]
        assert "builtin:openapi" in files.read("SUMMARY.md").decode()
    # A change request begins with what was written, and its merge keeps the pages.
    request = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.admin, {})
    path = f"/spaces/{space.id}/change-requests/{request.json()['id']}"
    draft = await api.rest("GET", f"{path}/content/pages", world.reader)
    assert [page["type"] for page in draft.json()["pages"]].count("computed") == 1
    target = await open_target(ctx, space.id, request.json()["id"])
    changes = Changes()
    document(changes, space, "merged", "V5")
    await commit_revision(ctx, target, changes)
    await settle(session)
    listed = (await api.rest("GET", f"{path}/changes", world.reader)).json()["changes"]
    assert [change["type"] for change in listed] == ["page_created"]
    merged = await api.rest("POST", f"{path}/merge", world.admin, {})
    assert merged.status_code == 200, merged.text
    paths = ["first", "moons", "models", "stars", "last", "merged"]
    assert await titles(api, world, space) == paths
    # Copies have their own.
    copy = await api.rest("POST", f"/spaces/{space.id}/duplicate", world.admin)
    await work()
    copied = Space(id=copy.json()["id"])
    assert await titles(api, world, copied) == paths
    there = await api.rest("GET", f"/spaces/{copied.id}/content/path/moons", world.reader)
    here = await api.rest("GET", f"/spaces/{space.id}/content/path/moons", world.reader)
    assert there.json()["id"] != here.json()["id"]
    # Back to the beginning, by either revision.
    now = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()["id"]
    rolled = await api.data(ROLL_BACK, world.admin, id=space.id, revision=shown["id"], now=now)
    assert rolled["rollBackSpace"]["changed"]
    assert await titles(api, world, space, "?computed=false") == BEFORE
    assert await titles(api, world, space) == ["first", "moons", "models", "stars"]


async def test_a_computed_page_is_taken_away(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    await factories.make_specification(session, world.organization.id, planets("Moons"))
    await work()
    ctx = context(session)
    target = await open_target(ctx, space.id)
    changes = Changes()
    changes.before["api"], changes.pages["api"] = computed(space, "api", "V2"), None
    await commit_revision(ctx, target, changes)
    await settle(session)
    assert await titles(api, world, space) == ["first", "stars"]
    assert await count(session, ComputedPage) == 0
    stored = await session.get_one(Space, space.id)
    assert stored.written_id is None
    answer = await api.rest("GET", f"/spaces/{space.id}/search?query=moons", world.reader)
    assert answer.json()["items"] == []


async def test_who_may_see_the_computed_page_sees_its_pages(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    await factories.make_specification(session, world.organization.id, planets("Moons"))
    ctx = context(session)
    changes = Changes()
    changes.pages["api"] = computed(space, "api", "V2", condition="visitor.claims.partner")
    await commit_revision(ctx, await open_target(ctx, space.id), changes)
    site = await factories.make_site(session, world.organization, space, published=True)
    await work()
    assert "moons" in await titles(api, world, space)
    page = await api.client.get(f"/sites/{site.id}/moons", follow_redirects=True)
    assert page.status_code == 404
    for address in ("first", "llms.txt", "llms-full.txt", "sitemap-pages.xml"):
        listed = await api.client.get(f"/sites/{site.id}/{address}", follow_redirects=True)
        assert "moons" not in listed.text.lower(), address


async def test_nested_tags_and_places(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    text = planets("Moons", "Stars", "Dust").replace(
        "paths:", "tags: [{name: Moons}, {name: Dust, parent: Moons}, {name: Stars}]\npaths:", 1
    )
    await factories.make_specification(session, world.organization.id, text)
    ctx = context(session)
    changes = Changes()
    document(changes, space, "below", "V1")
    below = changes.pages["below"]
    assert below is not None
    below.parent_id = "first"
    other = computed(space, "second", "V2")
    other.parent_id = "first"
    changes.pages["second"] = other
    await commit_revision(ctx, await open_target(ctx, space.id), changes)
    await work()
    answer = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.reader)
    paths: list[str] = []
    waiting = list(reversed(answer.json()["pages"]))
    while waiting:
        page = waiting.pop()
        paths.append(page["path"])
        waiting.extend(reversed(page["pages"]))
    assert paths == [
        "first", "first/below", "first/moons", "first/moons/dust", "first/stars", "first/models",
        "moons", "moons/dust", "stars-1", "models", "stars",
    ]  # fmt: skip


async def test_a_source_that_fails_is_tried_later_each_time(
    api: Api, world: World, session: Session, space: Space, work: Work,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def fail(*arguments: Any) -> None:
        raise RuntimeError("cannot")

    await factories.make_specification(session, world.organization.id, planets("Moons"))
    monkeypatch.setattr(computed_pages, "pages_within", fail)
    monkeypatch.setattr(kinds, "SHORTEST", dt.timedelta())
    await work()
    row = (await session.scalars(select(ComputedPage))).one()
    attempts = row.failures
    assert attempts == KINDS[JobKind.COMPUTED_PAGES].attempts
    assert row.retry_at is not None
    assert row.retry_at > utc_now() + uses.pause_after(attempts) - dt.timedelta(minutes=1)
    # Administrators see it in both doors, with why and where.
    path = f"/orgs/{world.organization.id}/jobs"
    (job,) = (await api.rest("GET", f"{path}?space={space.id}", world.admin)).json()["items"]
    assert (job["kind"], job["state"], job["attempts"]) == ("computed-pages", "failed", attempts)
    assert job["error"]
    # The sweep leaves it alone until its time has come.
    await sweep(api)
    await work()
    assert await failures(session) == attempts
    row = (await session.scalars(select(ComputedPage).with_for_update())).one()
    row.retry_at = utc_now() - dt.timedelta(seconds=1)
    await settle(session)
    await sweep(api)
    await work()
    assert await failures(session) == 2 * attempts
    assert uses.pause_after(2 * attempts) > uses.pause_after(attempts)
    assert uses.pause_after(1_000) == uses.LONGEST_PAUSE
    # Once it can be done, whoever may retries it.
    monkeypatch.undo()
    (job, *_) = (await api.rest("GET", f"{path}?state=failed", world.admin)).json()["items"]
    answer = await api.rest("POST", f"{path}/{job['id']}/retry", world.admin)
    assert answer.status_code == 200, answer.text
    await work()
    assert "moons" in await titles(api, world, space)
    assert await failures(session) == 0


async def failures(session: Session) -> int:
    return (await session.execute(select(ComputedPage.failures))).scalar_one()


async def test_previews_show_what_sources_make(
    api: Api, world: World, session: Session, space: Space, work: Work
) -> None:
    row, _ = await factories.make_specification(session, world.organization.id, planets("Moons"))
    site = await factories.make_site(session, world.organization, space, published=True)
    await work()
    opened = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.editor, {})
    request = opened.json()
    root = f"/sites/{site.id}/~/changes/{request['number']}"

    async def shown(path: str) -> httpx2.Response:
        return await api.client.get(f"{root}/{path}", follow_redirects=True)

    async def public(mode: str) -> None:
        settings = {"visibility": "public", "previews": mode}
        answer = await api.rest(
            "PATCH", f"/orgs/{world.organization.id}/sites/{site.id}", world.admin, settings
        )
        assert answer.status_code == 200, answer.text

    await public("anybody")
    # Before anything was written, and behind a write.
    assert "All moons" in (await shown("moons")).text
    ctx = context(session)
    changes = Changes()
    document(changes, space, "mine", "V4")
    changes.pages["more"] = computed(space, "more", "V5")
    await commit_revision(ctx, await open_target(ctx, space.id, request["id"]), changes)
    await settle(session)
    await work()
    page = await shown("moons")
    assert page.status_code == 200
    assert "All moons" in page.text
    assert "~/changes" in page.text
    # A computed page that is new there has its pages, too; those of the space stay its own.
    assert "All moons" in (await shown("moons-1")).text
    assert (await api.client.get(f"/sites/{site.id}/moons-1")).status_code == 404
    # Another version shows in previews.
    other = planets("Comets", "Moons")
    await factories.make_specification(session, world.organization.id, other, slug="other")
    (version,) = await session.scalars(
        select(Specification.last_version_id).where(Specification.slug == "other")
    )
    (await session.get_one(Specification, row.id)).last_version_id = version
    await settle(session)
    await sweep(api)
    await work()
    assert "All comets" in (await shown("comets")).text
    # Merged, they are there at once.
    merged = await api.rest(
        "POST", f"/spaces/{space.id}/change-requests/{request['id']}/merge", world.admin, {}
    )
    assert merged.status_code == 200, merged.text
    assert "moons-1" in await titles(api, world, space)
    await public("nobody")
    assert (await shown("moons")).status_code == 404


async def test_what_uses_a_specification_stays_in_its_organization(
    api: Api, world: World, session: Session, space: Space
) -> None:
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.CREATE, world.admin)
    target = {"organization": other.id}
    shelf = await factories.make_collection(session, world.organization)
    block = """{% openapi-operation spec="planets" path="/moons" method="get" %}
[Planets](https://api.example/openapi.json)
{% endopenapi-operation %}
"""
    shown = await factories.make_space(session, world.organization, title="Shows it", parent=shelf)
    changes = Changes()
    changes.pages["page"] = Page(
        space_id=shown.id, revision_id="", id="page", type=PageType.DOCUMENT, title="Page",
        parent_id=None, order="V", slug="page",
        document_id=changes.add_document(block, parse_document(block)),
    )  # fmt: skip
    ctx = context(session)
    revision = await commit_revision(ctx, await open_target(ctx, shown.id), changes)
    await index_revision(ctx, shown.id, None, revision)
    await settle(session)
    links = f"/spaces/{shown.id}/content/page/page/links"

    async def statuses() -> list[str]:
        answer = await api.rest("GET", links, world.reader)
        assert answer.status_code == 200, answer.text
        return [item["status"] for item in answer.json()["items"]]

    # What a block shows is there, or not, whenever the block was written.
    assert await statuses() == ["broken"]
    row, _ = await factories.make_specification(session, world.organization.id, planets("Moons"))
    await settle(session)
    assert await statuses() == ["ok"]
    for id in (space.id, shown.id):
        refused = await api.rest("POST", f"/spaces/{id}/transfer", world.admin, target)
        assert refused.status_code == 412, refused.text
        assert "OpenAPI specification" in refused.text
    path = f"/collections/{shelf.id}/transfer"
    refused = await api.rest("POST", path, world.admin, target)
    assert refused.status_code == 412
    assert "'Shows it'" in refused.text
    await session.delete(await session.get_one(Specification, row.id))
    await settle(session)
    for moved in (f"/spaces/{space.id}/transfer", path):
        answer = await api.rest("POST", moved, world.admin, target)
        assert answer.status_code in (200, 204), answer.text
