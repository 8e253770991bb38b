"""Events that browsers of readers send without a token: what is taken, how much, and from where."""

import json
from typing import Any

import pytest
from sqlalchemy import func, select

from db.enums import SiteVisibility
from db.models.insights import InsightsEvent
from db.session import Session
from docstead.http.client_addresses import client_address
from docstead.settings import SettingError, Settings, load_settings
from resolvers.core.errors import RateLimited
from resolvers.core.rate_limits import CALLERS, RateLimit, RateLimits
from tests.conftest import Api, World, settle
from tests.events import event
from tests.factories import make_site

TRACK = """mutation($site: ID!, $input: TrackInsightsEventsInput!) {
  trackInsightsEvents(siteId: $site, input: $input) }"""
BEACON = {"Content-Type": "text/plain;charset=UTF-8"}
PRIVATE = {
    "type": "PAGE_VIEW",
    "session": {"visitorId": "v", "sessionId": "s", "cookies": {}, "userAgent": ""},
    "location": {"url": "https://docs.example.com"},
}


async def path_of(session: Session, world: World, **values: Any) -> str:
    site = await make_site(session, world.organization, **values)
    await settle(session)
    return f"/orgs/{world.organization.id}/sites/{site.id}/insights/events"


async def count(session: Session) -> int:
    return (await session.execute(select(func.count(InsightsEvent.id)))).scalar_one()


@pytest.mark.parametrize("visibility", list(SiteVisibility))
async def test_published_sites_take_events_without_a_token(
    api: Api, world: World, session: Session, visibility: SiteVisibility
) -> None:
    path = await path_of(session, world, published=True, visibility=visibility)
    answer = await api.rest("POST", path, None, {"events": [event(), event()]})
    assert (answer.status_code, answer.content) == (204, b"")
    answer = await api.rest(
        "POST", path, None, content=json.dumps({"events": [event()]}), headers=BEACON
    )
    assert answer.status_code == 204, answer.text
    answer = await api.graphql(TRACK, None, site=path.split("/")[4], input={"events": [PRIVATE]})
    assert answer["data"] == {"trackInsightsEvents": 1}
    # Somebody from elsewhere may do what nobody may.
    answer = await api.rest("POST", path, world.outsider, {"events": [event()]})
    assert answer.status_code == 204
    assert await count(session) == 5


async def test_keys_belong_to_tokens(api: Api, world: World, session: Session) -> None:
    path = await path_of(session, world, published=True)
    key, body = {"Idempotency-Key": "one"}, {"events": [event()]}
    for _ in range(2):
        answer = await api.rest("POST", path, None, body, headers=key)
        assert answer.status_code == 204, answer.text
        assert "idempotent-replayed" not in answer.headers
    for _ in range(2):
        answer = await api.rest("POST", path, world.reader, body, headers=key)
        assert answer.status_code == 204, answer.text
    assert answer.headers["idempotent-replayed"] == "true"
    assert await count(session) == 3


async def test_nothing_tells_an_unpublished_site_from_none(
    api: Api, world: World, session: Session
) -> None:
    path = await path_of(session, world, published=False)
    id = path.split("/")[4]
    nowhere = path.replace(id, "nowhere")
    elsewhere = (await path_of(session, world, published=True)).replace(
        world.organization.id, "elsewhere"
    )
    for body, status in (
        ({"events": [event()]}, 404),
        ({"events": [event("ask_view", query="x")]}, 422),
    ):
        answers = []
        for one in (path, nowhere, elsewhere):
            answer = await api.rest("POST", one, None, body)
            answers.append((answer.status_code, answer.text.replace(one.split("/")[4], "ID")))
        assert answers == answers[:1] * 3
        assert answers[0][0] == status
    seen = [
        json.dumps(await api.graphql(TRACK, None, site=one, input={"events": [PRIVATE]})).replace(
            one, "ID"
        )
        for one in (id, "nowhere")
    ]
    assert seen[0] == seen[1]
    assert '"NOT_FOUND"' in seen[0]
    assert await count(session) == 0


async def test_nothing_is_read_without_a_token(api: Api, world: World, session: Session) -> None:
    path = await path_of(session, world, published=True)
    for other in (f"{path}/aggregate", path.replace("insights/events", "published")):
        method = "POST" if other.endswith("aggregate") else "GET"
        answer = await api.rest(
            method, other, None, {"range": "last7Days"} if method == "POST" else None
        )
        assert answer.status_code == 401, other
    answer = await api.graphql(
        "mutation($site: ID!, $input: TrackInsightsEventsInput!) {"
        " trackInsightsEvents(siteId: $site, input: $input) deleteSite(id: $site) { __typename } }",
        None, site=path.split("/")[4], input={"events": [PRIVATE]},
    )  # fmt: skip
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    assert await count(session) == 0


async def test_bounds_of_what_nobody_sends(api: Api, world: World, session: Session) -> None:
    path = await path_of(session, world, published=True)
    long = {"events": [event(session={"cookies": {"a": "x" * 70_000}})]}
    assert (await api.rest("POST", path, None, long)).status_code == 413
    for events in ([], [event()] * 101):
        assert (await api.rest("POST", path, None, {"events": events})).status_code == 422
    for type, status in (("text/html", 415), ("text/plain;charset=latin-1", 415)):
        answer = await api.rest("POST", path, None, content=b"{}", headers={"Content-Type": type})
        assert answer.status_code == status
    answer = await api.rest("POST", path, None, content=b"no JSON", headers=BEACON)
    assert answer.status_code == 400
    # No other operation takes plain text.
    answer = await api.rest(
        "POST", f"/orgs/{world.organization.id}/sites", world.admin, content=b"{}", headers=BEACON
    )
    assert answer.status_code == 415
    assert await count(session) == 0


async def test_limits_of_addresses_and_sites(api: Api, world: World, session: Session) -> None:
    path = await path_of(session, world, published=True)
    api.server.limits = RateLimits(RateLimit(5, lambda: 0.0), RateLimit(7, lambda: 0.0))
    assert (await api.rest("POST", path, None, {"events": [event()] * 5})).status_code == 204
    for one in (path, path.replace(path.split("/")[4], "nowhere")):
        refused = await api.rest("POST", one, None, {"events": [event()]})
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["Retry-After"]) <= 12
    answer = await api.graphql(TRACK, None, site=path.split("/")[4], input={"events": [PRIVATE]})
    assert answer["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    # From other addresses until the site has enough; its own people are not counted.
    api.server.limits = RateLimits(RateLimit(100), api.server.limits.events_of_site)
    assert (await api.rest("POST", path, None, {"events": [event()] * 2})).status_code == 204
    assert (await api.rest("POST", path, None, {"events": [event()]})).status_code == 429
    assert (await api.rest("POST", path, world.reader, {"events": [event()]})).status_code == 204
    assert await count(session) == 8


async def test_pages_of_any_origin_may_send(api: Api, world: World, session: Session) -> None:
    path = await path_of(session, world, published=True)
    headers = {"Origin": "https://reader.example"}
    for status, body in ((204, {"events": [event()]}), (422, {"events": []})):
        answer = await api.rest("POST", path, None, body, headers=headers)
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
    viewer = headers | {
        "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type",
    }  # fmt: skip
    asked = await api.rest("OPTIONS", path, None, headers=viewer)
    assert asked.status_code == 204
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    assert asked.headers["Access-Control-Allow-Headers"] == "Content-Type"
    assert asked.headers["Access-Control-Allow-Methods"] == "POST"
    other = await api.rest("OPTIONS", f"{path}/aggregate", None, headers=viewer)
    assert other.headers.get("Access-Control-Allow-Origin") is None


def test_a_bucket_fills_again_and_forgets() -> None:
    moments = iter([0.0, 0.0, 30.0, 31.0, 31.0])
    limit = RateLimit(2, clock=lambda: next(moments))
    assert [limit.take("a", 2), limit.take("a"), limit.take("a")] == [0, 30, 0]
    assert limit.take("a", 500) == pytest.approx(58, abs=1)
    assert limit.take("b", 500) == 0
    with pytest.raises(RateLimited, match="at most 0 a minute"):
        RateLimit(0).must("a", 1, "things")
    many = RateLimit(1)
    for number in range(CALLERS + 10):
        many.take(number)
    assert len(many._buckets) == CALLERS


@pytest.mark.parametrize(
    ("settings", "given", "expected"),
    [
        ({}, ["9.9.9.9"], "10.0.0.1"),
        ({"client_address_header": "X-Forwarded-For"}, ["9.9.9.9"], "9.9.9.9"),
        ({"client_address_header": "X-Forwarded-For"}, ["1.1.1.1, 9.9.9.9"], "9.9.9.9"),
        ({"client_address_header": "X-Forwarded-For"}, ["1.1.1.1", " 9.9.9.9:443 "], "9.9.9.9"),
        ({"client_address_header": "X-Forwarded-For"}, [], "10.0.0.1"),
        ({"client_address_header": "X-Forwarded-For"}, ["x" * 5000], "10.0.0.1"),
        (
            {"client_address_header": "X-Forwarded-For", "client_address_hops": 2},
            ["6.6.6.6, 1.1.1.1, 9.9.9.9"],
            "1.1.1.1",
        ),
        ({"client_address_header": "X-Real-IP"}, ["2001:db8:1:2:3::4"], "2001:db8:1:2::"),
        ({"client_address_header": "X-Real-IP"}, ["[2001:db8:1:2::5]:80"], "2001:db8:1:2::"),
        ({"client_address_header": "X-Real-IP"}, ["::ffff:1.2.3.4"], "1.2.3.4"),
    ],
)
def test_who_the_client_is(settings: dict[str, Any], given: list[str], expected: str) -> None:
    name = str(settings.get("client_address_header", "x-forwarded-for")).lower().encode()
    scope = {
        "type": "http",
        "client": ("10.0.0.1", 1234),
        "headers": [(name, one.encode()) for one in given],
    }
    assert client_address(scope, Settings(**settings)) == expected


def test_a_header_has_a_name() -> None:
    with pytest.raises(SettingError, match="the name of a header"):
        load_settings({}, client_address_header="X Forwarded")
