"""Translations of spaces with computed pages: these stand in the result, at the same paths."""

from typing import Any

from db.job_enums import JobKind
from db.session import Session
from jobs.table import KINDS
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import context, settle
from tests.jobs.queue import Queue
from tests.jobs.test_translations import Case, case
from tests.resolvers.writing.test_computed_pages import computed

__all__ = ["case"]
COMPUTED = {JobKind.COMPUTED_PAGES: KINDS[JobKind.COMPUTED_PAGES]}
SOURCE = {
    "type": "builtin:openapi", "props": {"models": True},
    "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "planets"}}},
}  # fmt: skip


async def put_computed(case: Case) -> None:
    async with case.api.server.database.session() as writing:
        await writing.begin_write()
        ctx = context(writing)
        target = await open_target(ctx, case.space.id)
        changes = Changes()
        place = computed(target.space, "place", "V9")
        place.computed = SOURCE
        changes.pages["place"] = place
        before = target.revision
        revision = await commit_revision(ctx, target, changes)
        await index_revision(ctx, case.space.id, before, revision)
        await writing.commit()


async def test_computed_pages_are_in_the_result(case: Case, session: Session) -> None:
    await factories.make_specification(session, case.world.organization.id)
    await session.commit()
    await put_computed(case)
    await Queue(case.api.server).work(COMPUTED)
    before = await case.pages(case.space.id)
    made = {path for path in before if path not in ("guide", "start")}
    assert made
    await case.create()
    done = await case.work()
    assert (done["status"], done.get("error")) == ("completed", None)
    await Queue(case.api.server).work(COMPUTED)
    result = done["result"]["space"]
    after = await case.pages(result)
    assert after.keys() == before.keys()
    # They are made of the same specification, and what was written is translated.
    path = f"/spaces/{result}/content/page/{after[min(made)]['id']}?format=markdown"
    assert "openapi" in (await case.rest("GET", path)).json()["markdown"]
    assert after["guide"]["title"] != before["guide"]["title"]
    # A further run leaves them.
    await case.write({"type": "insert_page", "slug": "new", "document": {"markdown": "New."}})
    await case.rest("POST", f"{case.path}/{case.id}/run")
    await case.work()
    await Queue(case.api.server).work(COMPUTED)
    assert (await case.pages(result)).keys() == before.keys() | {"new"}


async def test_the_language_menu_leads_to_the_same_computed_page(
    case: Case, session: Session
) -> None:
    await factories.make_specification(session, case.world.organization.id)
    await session.commit()
    await put_computed(case)
    await case.create()
    result = (await case.work())["result"]["space"]
    await Queue(case.api.server).work(COMPUTED)
    pages: dict[str, Any] = await case.pages(case.space.id)
    path = min(path for path in pages if path not in ("guide", "start"))
    site = await factories.make_site(session, case.world.organization, case.space, published=True)
    site_id = site.id
    await settle(session)
    body = {"spaceId": result}
    added = await case.rest(
        "POST", f"/orgs/{case.world.organization.id}/sites/{site_id}/site-spaces", body
    )
    assert added.status_code < 300, added.text
    client = case.api.client
    for own in (path, "start"):
        page = await client.get(f"/sites/{site_id}/{own}", follow_redirects=True)
        assert page.status_code == 200, page.text
        menu = page.text.partition('class="variants')[2].partition("</nav>")[0]
        menu = menu or page.text
        links = [part.partition('"')[0] for part in menu.split('href="')[1:]]
        others = [link for link in links if link.endswith(f"/{own}")]
        assert others, links
        for link in others:
            led = await client.get(link, follow_redirects=True)
            assert led.status_code == 200, link
            assert str(led.url).endswith(f"/{own}")
