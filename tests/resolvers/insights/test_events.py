"""Events of visitors: what is kept of them, who may send them, how long they stay."""

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import func, select

from db.base import utc_now
from db.models.insights import InsightsEvent
from db.models.sites import Site
from db.session import Session
from db.site_enums import InsightsEventType
from jobs.purge import clear_insights
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, Invalid, NotFound
from resolvers.core.runners import run
from resolvers.core.scalars import write_time
from resolvers.insights import events as insights_events
from resolvers.insights.inputs import InsightsEventInput, TrackInsightsEventsInput
from rest_compat.values import kind_of
from tests.conftest import Api, Queries, World, context, settle
from tests.events import MEMBERS, event
from tests.factories import make_site, make_space

NOW = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)


def read_events(*bodies: dict[str, Any]) -> TrackInsightsEventsInput:
    """Bodies of /v1 as the operation gets them."""
    problems: list[Any] = []
    kind = kind_of(InsightsEventInput)
    events = [kind.parse(body, "", problems) for body in bodies]
    assert not problems, problems
    return TrackInsightsEventsInput(events=events)


def at(ctx: Context, moment: dt.datetime = NOW) -> Context:
    ctx.clock = lambda: moment
    return ctx


async def stored(session: Session) -> list[InsightsEvent]:
    statement = select(InsightsEvent).order_by(InsightsEvent.id)
    return list((await session.execute(statement)).scalars())


async def tracked(session: Session, world: World, *bodies: dict[str, Any]) -> list[InsightsEvent]:
    """The rows of events that were sent to a new site."""
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = at(context(session, world.reader))
    count = await run(ctx, insights_events.track_insights_events, site.id, read_events(*bodies))
    rows = await stored(session)
    assert len(rows) == count == len(bodies)
    return rows


async def test_a_visit_is_kept_without_what_would_tell_who_it_was(
    session: Session, world: World
) -> None:
    (row,) = await tracked(
        session,
        world,
        event(
            session={
                "ip": "192.0.2.77",
                "cookies": {"secret": "cookie-text"},
                "language": "de-CH,de;q=0.9",
                "referrer": "https://name:word@Search.example/find?q=private#top",
                "visitorAuthToken": "token-text",
                "visitorAuthClaims": {"plan": "pro", "unsigned": {"beta": True, "seats": 3}},
            },
            location={
                "url": "https://Docs.example.com/guide?utm_source=mail&jwt_token=abc&utm_term=x#a",
                "siteSection": "section",
                "siteSpace": "place",
                "siteShareKey": "key",
                "space": "space",
                "revision": "revision-id",
                "page": "page",
                "displayContext": "embed",
            },
        ),
    )
    assert (row.happened_at, row.type.value) == (NOW, "page_view")
    assert (row.visitor_id, row.session_id) == ("visitor", "session")
    assert row.url == "https://docs.example.com/guide"
    assert (row.section_id, row.site_space_id) == ("section", "place")
    assert (row.page_id, row.share_key) == ("page", "key")
    assert row.data == {
        "displayContext": "embed",
        "visitorDevice": "desktop",
        "visitorBrowser": "chrome",
        "visitorOS": "windows",
        "visitorLanguage": "de-CH",
        "space": "space",
        "claims": {"plan": "pro", "unsigned": {"beta": True, "seats": 3}},
        "claim": {"plan": "pro", "unsigned.beta": "true", "unsigned.seats": "3"},
        "referrer": "https://search.example/find",
        "referrerDomain": "search.example",
        "utmSource": "mail",
        "utmTerm": "x",
    }
    whole = repr([getattr(row, column.key) for column in InsightsEvent.__table__.c])
    for secret in ("192.0.2.77", "cookie-text", "token-text", "abc", "private", "word", "Mozilla"):
        assert secret not in whole


DETAILS: dict[str, dict[str, Any]] = {
    "page_view": {},
    "search_open": {},
    "search_type_query": {"eventSearchQuery": "install"},
    "search_open_result": {"eventSearchQuery": "install"},
    "page_post_feedback": {"eventPageFeedbackRating": "good"},
    "page_post_feedback_comment": {
        "eventPageFeedbackRating": "bad",
        "eventPageFeedbackComment": "Too short",
    },
    "ask_question": {"eventSearchQuery": "How?"},
    "ask_view": {},
    "ask_rate_response": {"eventSearchQuery": "How?", "eventAskResponseRating": -1},
    "link_click": {
        "eventLinkTargetValue": '{"kind":"url","url":"https://Other.example/a"}',
        "eventLinkTargetKind": "url",
        "eventLinkPosition": "header",
        "eventLinkTargetDomain": "other.example",
    },
    "api_client_open": {"eventAPIOperationPath": "/pets", "eventAPIOperationMethod": "get"},
    "api_client_request": {
        "eventAPIOperationPath": "/pets/{id}",
        "eventAPIOperationMethod": "delete",
    },
    "ad_click": {"eventAdDomain": "ad.example", "eventAdPlacement": "aside"},
    "ad_display": {"eventAdDomain": "ad.example", "eventAdPlacement": "aside"},
    "trademark_click": {"eventTrademarkPlacement": "footer"},
}


async def test_every_type_keeps_what_questions_ask(session: Session, world: World) -> None:
    assert DETAILS.keys() == MEMBERS.keys()
    rows = await tracked(session, world, *map(event, MEMBERS))
    visit = {"displayContext", "visitorDevice", "visitorBrowser", "visitorOS"}
    found = {
        row.type.value: {name: value for name, value in row.data.items() if name not in visit}
        for row in rows
    }
    assert found == DETAILS


@pytest.mark.parametrize("kind", MEMBERS)
async def test_members_belong_to_types(session: Session, world: World, kind: str) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = at(context(session, world.reader))
    every = {name: value for members in MEMBERS.values() for name, value in members.items()}
    for name, value in every.items():
        body = event(kind)
        if name in MEMBERS[kind]:
            del body[name]
            expected = "is required with"
        else:
            body[name] = value
            expected = "does not go with"
        with pytest.raises(Invalid, match=rf"events\[1\]\.{name}: {expected} the type {kind}"):
            await run(
                ctx, insights_events.track_insights_events, site.id, read_events(event(), body)
            )
    assert await stored(session) == []


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    (event("ask_rate_response", rating=2), r"events\[0\].rating: 2 is not 1 or -1"),
    (
        event("page_post_feedback", feedback={"rating": "ok", "comment": "a"}),
        r"events\[0\].feedback.comment: does not go with",
    ),
    (
        event("page_post_feedback_comment", feedback={"rating": "ok"}),
        r"events\[0\].feedback.comment: is required",
    ),
    (
        event(timestamp=write_time(NOW - dt.timedelta(minutes=5, seconds=1))),
        r"events\[0\].timestamp: is more than 5 minutes",
    ),
    (
        event(timestamp=write_time(NOW + dt.timedelta(minutes=5, seconds=1))),
        r"events\[0\].timestamp: is more than 5 minutes",
    ),
    (event(session={"referrer": "somewhere"}), r"events\[0\].session.referrer: 'somewhere' is not"),
    (
        event(session={"visitorAuthClaims": {"a": "x" * 9000}}),
        r"events\[0\].session.visitorAuthClaims: has \d+ characters",
    ),
    (
        event(session={"visitorAuthClaims": {'a"b': 1}}),
        r"events\[0\].session.visitorAuthClaims: 'a\"b' is no name",
    ),
    (
        event(session={"visitorAuthClaims": {f"c{n}": 1 for n in range(101)}}),
        r"events\[0\].session.visitorAuthClaims: has 101 claims",
    ),
    (
        event("link_click", link={"target": {"kind": "x"}, "position": "footer"}),
        r"events\[0\].link.target.kind: must be one of",
    ),
)


@pytest.mark.parametrize(("body", "message"), WRONG, ids=[message[12:40] for _, message in WRONG])
async def test_wrong_events_are_refused(
    session: Session, world: World, body: dict[str, Any], message: str
) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = at(context(session, world.reader))
    with pytest.raises(Invalid, match=message):
        await run(ctx, insights_events.track_insights_events, site.id, read_events(body, event()))
    assert await stored(session) == []


async def test_times_within_five_minutes_are_kept(session: Session, world: World) -> None:
    early, late = NOW - dt.timedelta(minutes=5), NOW + dt.timedelta(minutes=5)
    times = [event(timestamp=write_time(one)) for one in (early, late)]
    rows = await tracked(session, world, *times)
    assert [row.happened_at for row in rows] == [early, late]


def visitor(site: Site, **known: Any) -> Actor:
    return Actor(visitor=Visitor(site.id, site.organization_id, **known))


async def test_visitors_write_events_of_their_site_only(session: Session, world: World) -> None:
    site = await make_site(session, world.organization, published=True)
    other = await make_site(session, world.organization, published=True)
    hidden = await make_site(session, world.organization)
    await settle(session)
    actor = visitor(site, share_key="of-the-token", claims={"plan": "pro"})
    ctx = at(Context(actor, session))
    body = event(
        session={"visitorAuthClaims": {"plan": "free", "seats": 2}},
        location={"siteShareKey": "of-the-event"},
    )
    assert await run(ctx, insights_events.track_insights_events, site.id, read_events(body)) == 1
    (row,) = await stored(session)
    # What the token says is known better than what the event says.
    assert (row.share_key, row.data["claims"]) == ("of-the-token", {"plan": "pro", "seats": 2})
    for place, who in ((other, actor), (hidden, actor), (hidden, visitor(hidden))):
        with pytest.raises(NotFound):
            await run(
                at(Context(who, session)),
                insights_events.track_insights_events,
                place.id,
                read_events(event()),
            )
    assert len(await stored(session)) == 1


async def test_people_who_cannot_see_the_site_write_nothing(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    for person in (world.outsider, world.guest):
        with pytest.raises(NotFound):
            await run(
                context(session, person),
                insights_events.track_insights_events,
                site.id,
                read_events(event()),
            )
    with pytest.raises(NotFound):
        await run(
            context(session, world.admin),
            insights_events.track_insights_events,
            site.id,
            read_events(event()),
            organization_id="elsewhere",
        )


async def test_a_hundred_events_are_two_statements(
    session: Session, world: World, queries: Queries
) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    events = read_events(*(event() for _ in range(100)))
    with queries(2):
        await run(
            context(session, world.reader), insights_events.track_insights_events, site.id, events
        )
    assert len(await stored(session)) == 100


async def test_bounds_of_a_batch_in_both_doors(api: Api, world: World, session: Session) -> None:
    site = await make_site(session, world.organization)
    await session.commit()
    path = f"/orgs/{world.organization.id}/sites/{site.id}/insights/events"
    for events in ([], [event()] * 101):
        response = await api.rest("POST", path, world.reader, {"events": events})
        assert response.status_code == 422, response.text
        assert "events: has" in response.json()["error"]["message"]
    for name in ("visitorId", "sessionId", "cookies", "userAgent"):
        body = event()
        del body["session"][name]
        response = await api.rest("POST", path, world.reader, {"events": [body]})
        assert response.status_code == 422
        assert response.json()["error"]["message"] == f"events[0].session.{name}: is required"
    response = await api.rest("POST", path, world.reader, {"events": [event(), event()]})
    assert (response.status_code, response.content) == (204, b"")
    data = await api.data(
        """mutation($site: ID!, $input: TrackInsightsEventsInput!) {
          trackInsightsEvents(siteId: $site, input: $input) }""",
        world.reader,
        site=site.id,
        input={
            "events": [
                {
                    "type": "SEARCH_TYPE_QUERY",
                    "query": "x",
                    "session": {
                        "visitorId": "v", "sessionId": "s", "cookies": {}, "userAgent": "",
                    },
                    "location": {"url": "https://docs.example.com"},
                }
            ]
        },
    )  # fmt: skip
    assert data == {"trackInsightsEvents": 1}
    assert len(await stored(session)) == 3


async def test_old_events_are_removed_in_portions(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(insights_events, "PORTION", 3)
    monkeypatch.setattr("jobs.purge.PORTION", 3)
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    now = utc_now()
    ages = [1, 399, 400, 401, 500, 600, 700, 800, 900]
    for age in ages:
        session.add(
            InsightsEvent(
                site_id=site.id, happened_at=now - dt.timedelta(days=age), visitor_id="v",
                type=InsightsEventType.PAGE_VIEW,
                session_id="s", url="https://docs.example.com", data={},
            )
        )  # fmt: skip
    await settle(session)
    assert await clear_insights(context(session), now) == 6
    left = [(now - row.happened_at).days for row in await stored(session)]
    assert sorted(left) == [1, 399, 400]
    ctx = context(session, world.admin)
    with pytest.raises(Forbidden):
        await run(ctx, insights_events.purge_insights, now)
    assert (await session.execute(select(func.count(InsightsEvent.id)))).scalar() == 3
