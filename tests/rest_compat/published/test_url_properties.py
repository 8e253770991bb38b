"""Any address has an answer, and answers about the beginnings of one address agree."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from db.enums import SiteVisibility
from db.models.site_settings import ShareLink, SitePathRedirect
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.sites import make_flat, make_sections

BASE = "http://docs.test"
SEGMENTS = (
    "guides", "GUIDES", "en", "fr", "api", "v1", "v2", "old", "v", "~", "changes", "preview",
    "revisions", "1", "99", "page", "one", "help", "{key}", "{off}", "sites", "{site}", "%2e",
    "%252F", "%00", "a b", "é", "..", "v/v2", "x" * 300,
)  # fmt: skip
PATHS = st.lists(st.sampled_from(SEGMENTS), max_size=6)
ONCE = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
async def roots(api: Api, session: Session, world: World) -> Any:
    """Beginnings of addresses of several sites, and what stands for their keys and ids."""
    organization = await session.merge(world.organization)
    organization.hostname = "acme"
    layout = {"guides": ["en", "fr"], "api": ["v1", "v2"]}
    sections = await make_sections(session, organization, layout, basename="help")
    flat = await make_flat(session, organization, "one", "two")
    hidden = await make_flat(
        session, organization, "one", visibility=SiteVisibility.SHARE_LINK, basename="secret"
    )
    own = await make_flat(session, organization, "en", hostname="own.example.com")
    await make_flat(session, organization, "en", proxy_origin="example.com/docs")
    await make_flat(session, organization, "en", proxy_origin="example.com/docs/api")
    link = ShareLink(site_id=hidden.site.id, name="On")
    off = ShareLink(site_id=hidden.site.id, name="Off", active=False)
    session.add_all([link, off])
    session.add(
        SitePathRedirect(
            site_id=sections.site.id, key="old", section_id=sections.sections["api"].id
        )
    )
    space = await session.get_one(factories.Space, sections.site_spaces["guides/en"].space_id)
    await factories.make_change_request(session, space, world.editor)
    names = {"{key}": link.secret, "{off}": off.secret, "{site}": flat.site.id}
    await settle(session)
    return (
        [
            BASE,
            f"{BASE}/sites/{sections.site.id}",
            f"{BASE}/sites/{flat.site.id}",
            f"{BASE}/sites/{own.site.id}",
            "http://acme.docs.test",
            "http://acme.docs.test/help",
            "http://acme.docs.test/secret",
            "https://own.example.com",
            "https://example.com",
            "https://example.com/docs",
        ],
        names,
    )


async def ask(api: Api, url: str) -> tuple[int, dict[str, Any]]:
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    return answer.status_code, answer.json()


PLACE = ("site", "siteSection", "siteSpace", "space", "changeRequest", "revision", "shareKey",
         "basePath", "siteBasePath")  # fmt: skip


@given(st.text(max_size=60) | st.builds(lambda path: f"http://a.test/{path}", st.text()))
@ONCE
async def test_any_text_has_an_answer(api: Api, url: str) -> None:
    status, body = await ask(api, url)
    assert status in {200, 400, 404}, (url, body)


@given(data=st.data())
@ONCE
async def test_beginnings_of_an_address(api: Api, roots: Any, data: st.DataObject) -> None:
    """Where an answer is complete, what follows in the path only names a page, or leads away.

    And once the answer about a beginning is complete, the answers about all longer ones are.
    """
    known, names = roots
    root = data.draw(st.sampled_from(known))
    path = [names.get(one, one) for one in data.draw(PATHS)]
    complete: dict[str, Any] | None = None
    for end in range(len(path) + 1):
        url = "/".join((root, *path[:end]))
        status, body = await ask(api, url)
        assert status in {200, 400, 404}, (url, body)
        if status != 200 or "target" in body:
            if status == 200:
                assert body["target"] in {"content", "application"}
                if body["target"] == "content":
                    # It leads to content or to nothing, but never around.
                    for _ in range(3):
                        status, then = await ask(api, body["redirect"])
                        assert status in {200, 404}, (url, body)
                        if "redirect" not in then:
                            break
                        body = then
                    else:
                        raise AssertionError(url)
            # A page path may be an old path of a section, or be no path at all.
            if complete is not None:
                assert status == 400 or "redirect" in body, (url, body)
            continue
        if complete is not None:
            assert body["complete"] is True, url
            assert {name: body.get(name) for name in PLACE} == complete, url
        elif body["complete"]:
            complete = {name: body.get(name) for name in PLACE}
            assert body["pathname"] or body.get("shareKey") or "changeRequest" in body, url
