"""Scripts of integrations are on pages of a site's own host, and nowhere else."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import update

from db.enums import SitePreviews
from db.models.sites import Site
from db.session import Session
from tests.conftest import Api, World
from tests.published.integrated import Integrated, integrate
from tests.runtime.scripts import bundle

HOST = {"Host": "docs.example.test"}
SCRIPT = bundle("return new Response('/* ours */');")


@pytest.fixture
async def marked(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    yield await integrate(api, world, session, "Text.", SCRIPT)
    await api.server.runner.close()


async def test_only_pages_on_a_host_of_their_own(marked: Integrated) -> None:
    page = await marked.get()
    assert page.status_code == 200
    # There people are signed in: a script could act for them.
    assert "site:scripts" not in page.text
    assert "/integration-endpoints/" not in page.headers["content-security-policy"]
    async with marked.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(Site).values(hostname=HOST["Host"]))
        await session.commit()
    page = await marked.api.client.get("/", headers=HOST)
    assert page.status_code == 200
    script = f"/installations/{marked.installation}/sites/{marked.site.id}/script"
    assert script in page.text
    assert f"{script}" in page.headers["content-security-policy"]
    # It has no page of results, no page that is not there, and no list.
    for path in ("/?q=text", "/none", "/llms.txt", "/sitemap.xml"):
        answer = await marked.api.client.get(path, headers=HOST)
        assert "/integration-endpoints/" not in answer.text, path
        assert "/integration-endpoints/" not in answer.headers["content-security-policy"], path
    # Whoever takes the integration off the site takes it off the pages that are kept.
    place = f"/integrations/echo/installations/{marked.installation}/sites/{marked.site.id}"
    await marked.call("DELETE", place)
    assert script not in (await marked.api.client.get("/", headers=HOST)).text


async def test_previews_have_none(marked: Integrated) -> None:
    async with marked.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(
            update(Site).values(hostname=HOST["Host"], previews=SitePreviews.ANYBODY)
        )
        await session.commit()
    space = marked.space.id
    made = await marked.call("POST", f"/spaces/{space}/change-requests", {"subject": "Draft"})
    page = await marked.api.client.get(
        f"/~/changes/{made['number']}/", headers=HOST, follow_redirects=True
    )
    assert page.status_code == 200
    assert "Preview" in page.text
    assert "site:scripts" not in page.text
