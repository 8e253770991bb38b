"""Content tokens through both doors: published content of one site, and nothing beside it."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from db.base import utc_now
from db.enums import SiteVisibility
from db.models.sites import Site, SiteSpace
from db.session import Session
from resolvers.access import content_tokens
from resolvers.access.content_tokens import Grant
from tests import factories
from tests.chance import forged
from tests.conftest import Api, World, settle
from tests.seeds import Seed, sow


@pytest.fixture
async def seed(session: Session, world: World) -> Seed:
    return await sow(session, world)


@pytest.fixture
async def site(session: Session, world: World, seed: Seed) -> Site:
    other = await factories.make_space(session, world.organization, title="Other")
    made = await factories.make_site(session, world.organization, seed.space, other, published=True)
    await settle(session)
    return made


async def token(api: Api, site: Site, **changes: Any) -> dict[str, str]:
    """The header of a content token of a site."""
    await api.server.file_access()
    key = api.server._token_key
    assert key is not None
    expires = changes.pop("expires", utc_now() + dt.timedelta(hours=1))
    grant = replace(Grant(site.organization_id, site.id, "any", "any"), **changes)
    return {"Authorization": f"Bearer {content_tokens.issue(key, grant, expires, [])}"}


async def test_published_content_and_nothing_else(
    api: Api, session: Session, world: World, seed: Seed, site: Site
) -> None:
    apart = await factories.make_space(session, world.organization)
    await settle(session)
    headers = await token(api, site)
    space, organization = f"/spaces/{seed.space.id}", f"/orgs/{world.organization.id}"
    edited, first = seed.known["revisionId"][:2]
    readable = (
        f"{organization}/sites/{site.id}",
        f"{organization}/sites/{site.id}/site-spaces",
        space,
        f"{space}/content",
        f"{space}/content/pages",
        f"{space}/content/page/child?format=markdown",
        f"{space}/revisions/{first}",
    )
    for path in readable:
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code == 200, (path, found.text)
    shut = (
        organization,
        f"{organization}/members",
        f"/spaces/{apart.id}",
        f"/spaces/{apart.id}/content/pages",
        f"{space}/revisions/{edited}",
        f"{space}/change-requests/{seed.change_request.number}",
        f"{space}/change-requests/{seed.change_request.number}/content",
    )
    for path in shut:
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code == 404, (path, found.text)
    for path in (f"{space}/change-requests", f"{space}/comments"):
        found = await api.rest("GET", path, None, headers=headers)
        assert (found.status_code, found.json()["items"]) == (200, []), path
    written = await api.rest("PATCH", space, None, {"title": "Mine"}, headers=headers)
    assert written.status_code == 403
    answer = await api.client.post(
        "/graphql",
        json={
            "query": "mutation($id: ID!) { deleteSpace(id: $id) { deletedId } }",
            "variables": {"id": apart.id},
        },
        headers=headers,
    )
    assert answer.json()["errors"][0]["message"] == "a content token only reads"


async def test_conditions_and_the_audience_are_those_of_now(
    api: Api, session: Session, seed: Seed, site: Site
) -> None:
    headers = await token(api, site, claims={"beta": True})
    path = f"/spaces/{seed.space.id}"
    placed = await _placed(session, site, seed)
    row = await session.merge(site)
    for adaptive, condition, status in (
        (False, None, 200),
        (False, "visitor.claims.beta", 404),
        (True, "visitor.claims.beta", 200),
        (True, "visitor.claims.beta == false", 404),
    ):
        row.adaptive_content, placed.condition = adaptive, condition
        await session.commit()
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code == status, (adaptive, condition)
    placed.condition = None
    for visibility, status in (
        (SiteVisibility.UNLISTED, 200),
        (SiteVisibility.SHARE_LINK, 401),
        (SiteVisibility.VISITOR_AUTH, 401),
    ):
        row.visibility = visibility
        await session.commit()
        assert (await api.rest("GET", path, None, headers=headers)).status_code == status
    known = await token(api, site, authenticated=True)
    assert (await api.rest("GET", path, None, headers=known)).status_code == 200
    row.published = False
    await session.commit()
    assert (await api.rest("GET", path, None, headers=known)).status_code == 401


async def _placed(session: Session, site: Site, seed: Seed) -> SiteSpace:
    found = select(SiteSpace).where(
        SiteSpace.space_id == seed.space.id, SiteSpace.site_id == site.id
    )
    return (await session.execute(found)).scalar_one()


async def test_a_token_that_is_not_good(api: Api, seed: Seed, site: Site) -> None:
    path = f"/spaces/{seed.space.id}"
    good = (await token(api, site))["Authorization"]
    old = await token(api, site, expires=utc_now() - dt.timedelta(seconds=1))
    changed = {"Authorization": forged(good)}
    for headers, message in (
        (old, "the content token has expired"),
        (changed, "the content token is not valid"),
        ({"Authorization": "Bearer a.b.c"}, "the content token is not valid"),
    ):
        found = await api.rest("GET", path, None, headers=headers)
        assert (found.status_code, found.json()["error"]["message"]) == (401, message)
