"""Feedback of readers: forms without a script, and in place; what is kept, and what is refused."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import select

from db.enums import SiteVisibility
from db.models.insights import InsightsEvent
from db.models.site_settings import ShareLink, SiteCustomization
from db.models.sites import Site
from db.session import Session
from docstead.asgi import create_app
from docstead.server import Server
from published.feedback import MOST_BYTES, VISIT_COOKIE, VISITOR_COOKIE
from published.html.page_parts import COMMENT_LENGTH
from resolvers.core.rate_limits import RateLimit, RateLimits
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, make_pages

PATH = "~gitbook/feedback"
SAME = {"Sec-Fetch-Site": "same-origin"}
SCRIPT = {**SAME, "Accept": "application/json"}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    space = await make_pages(
        session, world, "Guide", start={}, deep={"title": "Deep & more"},
        secret={"condition": "visitor.claims.beta"},
    )  # fmt: skip
    made = await factories.make_site(session, world.organization, space, published=True)
    session.add(SiteCustomization(site_id=made.id, settings={"feedback": {"enabled": True}}))
    await settle(session)
    return made


async def send(api: Api, site: Site, headers: Any = SAME, path: str = PATH, **fields: str) -> Any:
    return await api.client.post(f"/sites/{site.id}/{path}", data=fields, headers=headers)


async def kept(session: Session) -> list[InsightsEvent]:
    events = await session.scalars(select(InsightsEvent).order_by(InsightsEvent.id))
    found = list(events)
    session.expunge_all()
    await session.rollback()
    return found


async def test_a_form_is_sent_and_leads_on(api: Api, session: Session, site: Site) -> None:
    page = await get(api, site, "/deep")
    found = read_html(page.text, ALLOWED)
    assert found.faults == []
    forms = [attributes for tag, attributes in found.elements if tag == "form"]
    assert forms[-1]["action"] == f"/sites/{site.id}/{PATH}"
    assert "'self'" in page.headers["content-security-policy"].partition("form-action ")[2]
    answer = await send(api, site, page="deep", rating="ok")
    assert answer.status_code == 303
    thanks = await api.client.get(answer.headers["location"])
    assert "Thank you" in thanks.text
    assert 'name="comment"' in thanks.text
    assert "Deep &amp; more" in thanks.text
    assert 'content="noindex"' in thanks.text
    answer = await send(api, site, page="deep", rating="ok", comment="  Line\r\nline\r\n ")
    assert "sent=comment" in answer.headers["location"]
    first, second = await kept(session)
    assert (first.type.value, second.type.value) == (
        "page_post_feedback",
        "page_post_feedback_comment",
    )
    for event in (first, second):
        assert event.page_id == "deep"
        assert event.site_id == site.id
        assert event.url == f"http://docs.test/sites/{site.id}/deep"
        assert event.data["eventPageFeedbackRating"] == "ok"
    assert second.data["eventPageFeedbackComment"] == "Line\nline"
    # The same reader, told apart by a cookie for this site only.
    assert first.visitor_id == second.visitor_id
    assert first.session_id == second.session_id


async def test_a_script_gets_json(api: Api, session: Session, site: Site) -> None:
    answer = await send(api, site, SCRIPT, page="deep", rating="good")
    assert answer.status_code == 200
    assert answer.json()["message"]
    refused = await send(api, site, SCRIPT, page="deep", rating="great")
    assert refused.status_code == 422
    assert "rating: must be one of bad, ok, good" in refused.json()["message"]
    assert len(await kept(session)) == 1


async def test_what_is_wrong_is_told_and_nothing_is_kept(
    api: Api, session: Session, site: Site
) -> None:
    good = {"page": "deep", "rating": "good"}
    wrong: list[tuple[dict[str, str], int, str]] = [
        ({**good, "rating": ""}, 422, "rating"),
        ({"page": "deep"}, 422, "rating"),
        ({**good, "comment": "x" * (COMMENT_LENGTH + 1)}, 422, "at most 512"),
        ({**good, "comment": "  \r\n"}, 422, "comment: is empty"),
        ({**good, "comment": "a\0b"}, 422, "U+0000"),
        ({**good, "page": "nowhere"}, 404, ""),
        # Hidden from this reader.
        ({**good, "page": "secret"}, 404, ""),
        ({f"x{number}": "y" for number in range(50)}, 400, "form"),
        ({**good, "comment": "x" * MOST_BYTES}, 413, ""),
    ]
    for fields, status, problem in wrong:
        answer = await send(api, site, SCRIPT, **fields)
        assert (answer.status_code, problem in answer.json()["message"]) == (status, True), fields
        assert (await send(api, site, **fields)).status_code == status
    as_json = await api.client.post(f"/sites/{site.id}/{PATH}", json=good, headers=SCRIPT)
    assert as_json.status_code == 415
    elsewhere = await send(api, site, SCRIPT, path=f"deep/{PATH}", **good)
    assert elsewhere.status_code == 404
    longest = await send(api, site, **good, comment="ü" * COMMENT_LENGTH)
    assert longest.status_code == 303
    assert len(await kept(session)) == 1


async def test_forms_of_other_sites_are_refused(api: Api, session: Session, site: Site) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.test"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://["},
    ):
        assert (await send(api, site, headers, page="deep", rating="bad")).status_code == 403
    assert await kept(session) == []
    for headers in (SAME, {"Origin": "http://docs.test"}, {**SAME, "Origin": "null"}):
        assert (await send(api, site, headers, page="deep", rating="bad")).status_code == 303


async def test_where_the_site_asks_for_none_there_is_none(
    api: Api, session: Session, site: Site
) -> None:
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {"feedback": {"enabled": False}}
    await settle(session)
    assert PATH not in (await get(api, site, "/deep")).text
    assert (await send(api, site, page="deep", rating="bad")).status_code == 404
    assert (await get(api, site, f"/{PATH}?page=deep")).status_code == 404
    assert await kept(session) == []


async def test_the_form_of_its_own_address(api: Api, site: Site) -> None:
    form = await get(api, site, f"/{PATH}?page=deep")
    assert form.text.count('name="rating"') == 3
    assert read_html(form.text, ALLOWED | {"textarea"}).faults == []
    assert (await get(api, site, f"/{PATH}?page=nowhere")).status_code == 404
    wrong = await get(api, site, f"/{PATH}?page=deep&rating=%3Cscript%3E")
    assert "<script>" not in wrong.text


async def test_cookies_are_set_where_the_site_tracks(
    api: Api, session: Session, site: Site
) -> None:
    first = await send(api, site, page="deep", rating="ok")
    cookies = first.headers.get_list("set-cookie")
    assert {cookie.partition("=")[0] for cookie in cookies} == {VISITOR_COOKIE, VISIT_COOKIE}
    assert all("HttpOnly" in cookie and f"Path=/sites/{site.id}/" in cookie for cookie in cookies)
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {**stored.settings, "insights": {"trackingCookie": False}}
    await settle(session)
    api.client.cookies.clear()
    for _ in range(2):
        answer = await send(api, site, page="deep", rating="ok")
        assert "set-cookie" not in answer.headers
    events = await kept(session)
    assert len({event.visitor_id for event in events}) == 3
    forged = {**SAME, "Cookie": f"{VISITOR_COOKIE}={'x' * 4000}; {VISIT_COOKIE}=<b>"}
    assert (await send(api, site, forged, page="deep", rating="ok")).status_code == 303


async def test_readers_with_a_key_are_heard(api: Api, session: Session, site: Site) -> None:
    (await session.get_one(Site, site.id)).visibility = SiteVisibility.SHARE_LINK
    session.add(ShareLink(site_id=site.id, name="Key", secret="k" * 20))
    await settle(session)
    assert (await send(api, site, page="deep", rating="ok")).status_code == 404
    key = "k" * 20
    answer = await send(api, site, path=f"{key}/{PATH}", page="deep", rating="ok")
    assert answer.headers["location"].startswith(f"/sites/{site.id}/{key}/")
    (event,) = await kept(session)
    assert event.share_key == key


async def test_an_address_may_answer_so_often(api: Api, session: Session, site: Site) -> None:
    server = Server(replace(api.server.settings, limit_loopback=True), api.server.database)
    server.limits = RateLimits(feedback=RateLimit(3, lambda: 0.0))
    transport = httpx2.ASGITransport(app=create_app(server.settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        form = {"page": "deep", "rating": "ok"}
        address = f"/sites/{site.id}/{PATH}"
        answers = [await client.post(address, data=form, headers=SAME) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [303] * 3 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert len(await kept(session)) == 3


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.binary(max_size=200)
    | st.lists(
        st.tuples(st.sampled_from(["page", "rating", "comment", "x"]), st.text(max_size=600)),
        max_size=25,
    ).map(lambda pairs: urlencode(pairs, errors="replace").encode())
)
async def test_whatever_is_sent_is_answered(api: Api, site: Site, body: bytes) -> None:
    headers = {**SCRIPT, "Content-Type": "application/x-www-form-urlencoded"}
    answer = await api.client.post(f"/sites/{site.id}/{PATH}", content=body, headers=headers)
    assert answer.status_code in (200, 400, 404, 422), answer.text
    assert answer.json()["message"]
