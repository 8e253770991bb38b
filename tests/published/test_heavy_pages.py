"""Pages that take long to render: readers get their text, other pages are not held up."""

import asyncio

import pytest
from sqlalchemy import select

from db.enums import SitePreviews
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from jobs.rendering import Renderer, RenderLimits
from published.html.translations import ENGLISH
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, make_pages

LIST = "".join(f"- word *{number}*\n" for number in range(3_000))


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """A site with an ordinary page, one that nests deep, and one that is long."""
    space = await make_pages(
        session, world, "Guide", start={}, deep={"text": "<div>" * 190_000}, long={"text": LIST}
    )
    made = await factories.make_site(
        session, world.organization, space, published=True, previews=SitePreviews.ANYBODY
    )
    await settle(session)
    return made


async def test_deep_html_is_no_work(api: Api, site: Site) -> None:
    answers = await asyncio.gather(*(get(api, site, "/deep") for _ in range(5)), get(api, site))
    assert {answer.status_code for answer in answers} == {200}
    assert "<div><div><div><div><div><div>" not in answers[0].text
    assert api.server.renderer.begun == 0


async def test_a_long_page_is_rendered_by_a_process(api: Api, site: Site) -> None:
    answer = await get(api, site, "/long")
    assert answer.text.count("<em>") == 3_000
    assert '<span id="long" class="old-anchor"></span><h1>Long</h1>' in answer.text
    assert api.server.renderer.begun == 1


async def test_a_page_beyond_the_bounds_is_shown_as_text(
    api: Api, session: Session, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    # Not enough to begin with.
    api.server.renderer = Renderer(RenderLimits(megabytes=20))
    answers = await asyncio.gather(*(get(api, site, "/long") for _ in range(3)), get(api, site))
    assert {answer.status_code for answer in answers} == {200}
    assert ENGLISH.text_only in answers[0].text
    assert ENGLISH.text_only_for_editors not in answers[0].text
    assert "<p>word 2999</p>" in answers[0].text
    assert "<title>Long | " in answers[0].text
    read_html(answers[0].text, allowed=ALLOWED)
    assert ENGLISH.text_only not in answers[-1].text
    # Editors find it where they look at their drafts.
    space_id, revision_id = await _revision(session, site)
    preview = await get(api, site, f"/~/revisions/{revision_id}/long")
    assert ENGLISH.text_only_for_editors in preview.text
    assert api.server.renderer.begun == 1
    assert [record.message for record in caplog.records if space_id in record.message]


async def _revision(session: Session, site: Site) -> tuple[str, str]:
    """The space of the site, and its revision."""
    rows = await session.execute(
        select(Space.id, Space.revision_id)
        .join(SiteSpace, SiteSpace.space_id == Space.id)
        .where(SiteSpace.site_id == site.id)
    )
    space_id, revision_id = rows.one()
    return space_id, revision_id
