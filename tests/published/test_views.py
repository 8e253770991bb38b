"""Views of pages become events: one for each site, whoever reads how often."""

from typing import Any

import pytest

from db.models.sites import Site
from db.session import Session
from jobs.site_views import write_views
from resolvers.insights.views import MOST_COUNTED, MOST_NAMED, ViewCounts
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.published.test_sites import get, make_pages

READER = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
ROBOT = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    space = await make_pages(session, world, "Guide", start={}, deep={})
    made = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    return made


async def views_of(api: Api, world: World) -> list[Any]:
    """What events say of views, once they are written."""
    await write_views(api.server.context_of, api.server.views)
    path = f"/orgs/{world.organization.id}/events?topics=site-views"
    answer = await api.rest("GET", path, world.admin)
    assert answer.status_code == 200, answer.text
    items = answer.json()["items"]
    return [(item["type"], item["target"]["objectId"], item["facts"]) for item in items]


async def test_views_are_written_together(
    api: Api, world: World, site: Site, queries: Queries
) -> None:
    # A new answer, a kept one, one that is known already; and what is no view.
    first = await get(api, site, "/deep", headers=READER)
    known = {"If-None-Match": first.headers["etag"]}
    for headers in (READER, READER | known, ROBOT):
        queries.statements.clear()
        await api.client.get(f"/sites/{site.id}/deep", headers=headers)
        assert not any("INSERT" in text.upper() for text in queries.statements)
    await api.client.head(f"/sites/{site.id}/deep")
    for path in ("", "/nowhere", "/sitemap.xml"):
        await get(api, site, path, headers=READER)
    ((type, id, facts),) = await views_of(api, world)
    assert (type, id, facts["views"]) == ("site_view", site.id, 4)
    deep, start = facts["pages"]
    assert (deep["pageId"], deep["views"], start["views"]) == ("deep", 3, 1)
    # Nothing new, no event.
    assert len(await views_of(api, world)) == 1


async def test_front_ends_count_too(api: Api, world: World, site: Site) -> None:
    event = {
        "type": "page_view",
        "session": {"visitorId": "v", "sessionId": "s", "cookies": {}, "userAgent": "A"},
        "location": {"url": "https://docs.example/deep", "page": "deep"},
    }
    path = f"/orgs/{world.organization.id}/sites/{site.id}/insights/events"
    answer = await api.rest("POST", path, None, {"events": [event, event]})
    assert answer.status_code < 300, answer.text
    assert [facts for *_, facts in await views_of(api, world)] == [
        {"views": 2, "pages": [{"pageId": "deep", "views": 2}]}
    ]


async def test_a_site_that_is_gone_keeps_nobody_from_theirs(
    api: Api, world: World, site: Site
) -> None:
    api.server.views.add("gone", "a")
    api.server.views.add(site.id, None, 3)
    assert [facts for *_, facts in await views_of(api, world)] == [{"views": 3, "pages": []}]


async def test_an_event_names_few_pages(api: Api, world: World, site: Site) -> None:
    for number in range(MOST_NAMED + 5):
        api.server.views.add(site.id, f"p{number:02}", number + 1)
    ((*_, facts),) = await views_of(api, world)
    assert facts["views"] == sum(range(1, MOST_NAMED + 6))
    assert [page["views"] for page in facts["pages"]] == list(range(MOST_NAMED + 5, 5, -1))


def test_what_is_counted_is_bounded() -> None:
    counts = ViewCounts()
    for number in range(MOST_COUNTED + 100):
        counts.add("site", str(number))
    pages = counts.take()["site"]
    assert len(pages) == MOST_COUNTED + 1
    assert pages[None] == 100
    assert counts.take() == {}
