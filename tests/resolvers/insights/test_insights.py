"""Questions about events of visitors: every column, filter and order, against a plain reference."""

import datetime as dt
import random
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert

from db.ids import new_id
from db.models.insights import InsightsEvent
from db.models.sites import Site
from db.session import Session
from db.site_enums import InsightsColumn, InsightsEventType
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, Invalid, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read
from resolvers.core.scalars import write_time
from resolvers.insights import aggregates as insights_aggregates, segments as visitor_segments
from resolvers.insights.columns import COLUMNS, COUNTS
from resolvers.insights.questions import InsightsQueryInput
from rest_compat.values import kind_of
from tests.conftest import Api, Queries, World, context, settle
from tests.factories import make_site

Json = dict[str, Any]
# A Wednesday.
NOW = dt.datetime(2026, 3, 4, 12, 30, tzinfo=dt.UTC)
REFERENCE = {"kind": "url", "url": "https://other.example/a"}
TARGET = '{"kind":"url","url":"https://other.example/a"}'
QUERY = "Zürich 'x' \"y\""


async def make_events(session: Session, site: Site, *events: Json) -> None:
    """Rows of events; what is not said is the same for all."""
    rows = [
        {
            "id": new_id(),
            "site_id": site.id,
            "happened_at": NOW - dt.timedelta(hours=1),
            "type": InsightsEventType.PAGE_VIEW,
            "visitor_id": "v1",
            "session_id": "s1",
            "url": "https://docs.example.com/",
            "section_id": None,
            "site_space_id": None,
            "page_id": None,
            "share_key": None,
            "data": {},
        }
        | event
        for event in events
    ]
    await session.execute(insert(InsightsEvent), rows)


def question(**body: Any) -> InsightsQueryInput:
    """A body of /v1 as the operation gets it."""
    problems: list[Any] = []
    found = kind_of(InsightsQueryInput).parse({"range": "last30Days"} | body, "", problems)
    if problems:
        raise Invalid(f"{problems[0].path}: {problems[0].message}", tuple(problems))
    assert isinstance(found, InsightsQueryInput)
    return found


def at(ctx: Context) -> Context:
    ctx.clock = lambda: NOW
    return ctx


async def ask(session: Session, world: World, site: Site, **body: Any) -> dict[str, list[Any]]:
    """The answer to a question: values by column."""
    ctx = at(context(session, world.creator))
    found = await read(ctx, insights_aggregates.get_site_insights, site.id, question(**body))
    return {one.column.value: list(one.values) for one in found.columns}


def named(*names: str) -> list[Json]:
    return [{"column": name} for name in names]


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    return await make_site(session, world.organization)


async def test_counts_of_everything(session: Session, world: World, site: Site) -> None:
    other = await make_site(session, world.organization)
    await make_events(session, other, {})
    everything = named("eventsCount", "sessionsCount", "visitorsCount", "pageFeedbackRating",
                       "askResponseRating")  # fmt: skip
    await settle(session)
    zeros = await ask(session, world, site, select=everything)
    assert zeros == {
        "eventsCount": [0],
        "sessionsCount": [0],
        "visitorsCount": [0],
        "pageFeedbackRating": [{"ok": 0, "good": 0, "bad": 0}],
        "askResponseRating": [{"positive": 0, "negative": 0}],
    }
    feedback = InsightsEventType.PAGE_POST_FEEDBACK
    comment = InsightsEventType.PAGE_POST_FEEDBACK_COMMENT
    rated = InsightsEventType.ASK_RATE_RESPONSE
    await session.rollback()
    await session.begin_write()
    await make_events(
        session,
        site,
        {"type": feedback, "data": {"eventPageFeedbackRating": "good"}},
        # The rating of a comment was counted with the rating itself.
        {"type": comment, "data": {"eventPageFeedbackRating": "good"}},
        {"type": feedback, "data": {"eventPageFeedbackRating": "bad"}, "session_id": "s2"},
        {"type": rated, "data": {"eventAskResponseRating": 1}, "session_id": "s3"},
        {"type": rated, "data": {"eventAskResponseRating": -1}, "visitor_id": "v2"},
        {"type": rated, "data": {"eventAskResponseRating": -1}, "visitor_id": "v2"},
        {"happened_at": NOW - dt.timedelta(days=31)},
    )
    await settle(session)
    assert await ask(session, world, site, select=everything) == {
        "eventsCount": [6],
        "sessionsCount": [3],
        "visitorsCount": [2],
        "pageFeedbackRating": [{"ok": 0, "good": 1, "bad": 1}],
        "askResponseRating": [{"positive": 1, "negative": 2}],
    }
    assert await ask(session, world, site) == {"eventsCount": [6]}


# Column -> what is stored, the value in answers, a value that others have.
STORED: dict[str, tuple[Json, Any, Any]] = {
    "datetime": ({"happened_at": NOW - dt.timedelta(days=1)}, "2026-03-03T12:30:00.000Z",
                 "2026-03-04T11:30:00.000Z"),
    "url": ({"url": "https://docs.example.com/a"}, "https://docs.example.com/a",
            "https://docs.example.com/"),
    "eventType": ({"type": InsightsEventType.SEARCH_OPEN}, "search_open", "page_view"),
    "siteSection": ({"section_id": "one"}, "one", None),
    "siteSpace": ({"site_space_id": "one"}, "one", None),
    "siteShareKey": ({"share_key": "one"}, "one", None),
    "displayContext": ({"data": {"displayContext": "embed"}}, "embed", None),
    "page": ({"page_id": "p", "data": {"space": "s"}}, {"page": "p", "space": "s"}, None),
    "visitorGeoCountry": ({"data": {"visitorGeoCountry": "CH"}}, "CH", None),
    "visitorDevice": ({"data": {"visitorDevice": "mobile"}}, "mobile", None),
    "visitorBrowser": ({"data": {"visitorBrowser": "safari"}}, "safari", None),
    "visitorOS": ({"data": {"visitorOS": "ios"}}, "ios", None),
    "visitorBot": ({"data": {"visitorBot": "googlebot"}}, "googlebot", None),
    "visitorLanguage": ({"data": {"visitorLanguage": "de"}}, "de", None),
    "eventLinkTargetValue": ({"data": {"eventLinkTargetValue": TARGET}}, REFERENCE, None),
    "eventLinkTargetKind": ({"data": {"eventLinkTargetKind": "url"}}, "url", None),
    "eventLinkTargetDomain": ({"data": {"eventLinkTargetDomain": "a.example"}}, "a.example", None),
    "eventLinkPosition": ({"data": {"eventLinkPosition": "footer"}}, "footer", None),
    "eventAPIOperationPath": ({"data": {"eventAPIOperationPath": "/p"}}, "/p", None),
    "eventAPIOperationMethod": ({"data": {"eventAPIOperationMethod": "get"}}, "get", None),
    "eventSearchQuery": ({"data": {"eventSearchQuery": QUERY}}, QUERY, ""),
    "eventPageFeedbackRating": ({"data": {"eventPageFeedbackRating": "ok"}}, "ok", None),
    "eventPageFeedbackComment": ({"data": {"eventPageFeedbackComment": "c"}}, "c", ""),
    "eventAskResponseRating": ({"data": {"eventAskResponseRating": 1}}, 1, None),
    "eventAdDomain": ({"data": {"eventAdDomain": "d"}}, "d", ""),
    "eventAdPlacement": ({"data": {"eventAdPlacement": "aside"}}, "aside", None),
    "eventTrademarkPlacement": ({"data": {"eventTrademarkPlacement": "pdf"}}, "pdf", None),
    "referrer": ({"data": {"referrer": "https://r.example/"}}, "https://r.example/", ""),
    "referrerDomain": ({"data": {"referrerDomain": "r.example"}}, "r.example", ""),
    "utmSource": ({"data": {"utmSource": "a"}}, "a", ""),
    "utmMedium": ({"data": {"utmMedium": "a"}}, "a", ""),
    "utmCampaign": ({"data": {"utmCampaign": "a"}}, "a", ""),
    "utmTerm": ({"data": {"utmTerm": "a"}}, "a", ""),
    "utmContent": ({"data": {"utmContent": "a"}}, "a", ""),
    "visitorClaim": ({"data": {"claim": {"plan": "pro"}}}, "pro", ""),
    "visitorClaimProperty": ({"data": {"claim": {"plan": "pro"}}}, "plan", "seats"),
}  # fmt: skip


def test_every_column_is_asked() -> None:
    plain = {one.value for one in InsightsColumn} - {one.value for one in COUNTS}
    assert STORED.keys() | {"visitorGeoPoint"} == plain
    assert COLUMNS.keys() == set(InsightsColumn)


@pytest.mark.parametrize("name", STORED)
async def test_each_column_is_shown_grouped_and_filtered(
    session: Session, world: World, site: Site, name: str
) -> None:
    stored, value, other = STORED[name]
    rest = {"data": {"claim": {"seats": "3"}}} if name == "visitorClaimProperty" else {}
    await make_events(session, site, stored, stored, rest)
    await settle(session)
    column = {"column": name, "claim": "plan"} if name == "visitorClaim" else {"column": name}
    counted = {"column": "eventsCount"}
    descending = {"by": counted, "direction": "desc"}
    found = await ask(
        session, world, site, select=[column, counted], groupBy=[column], order=descending
    )
    assert found == {name: [value, other], "eventsCount": [2, 1]}
    # Without groups each event is a row.
    single = await ask(session, world, site, select=[column])
    expected = [value, value, other] if name != "datetime" else [other, value, value]
    assert sorted(map(repr, single[name])) == sorted(map(repr, expected))

    async def count(operator: str, *values: Any) -> int:
        where = [{**column, "operator": operator, "values": list(values)}]
        return int((await ask(session, world, site, where=where))["eventsCount"][0])

    assert await count("in", value) == 2
    assert await count("in", value, other) == 3
    assert await count("in", other) == 1
    assert await count("notIn", value) == 1
    assert await count("notIn", value, other) == 0
    assert await count("in") == 0
    assert await count("notIn") == 3


async def test_points_are_unknown(session: Session, world: World, site: Site) -> None:
    await make_events(session, site, {})
    await settle(session)
    point = {"column": "visitorGeoPoint", "precision": 5}
    assert await ask(session, world, site, select=[point]) == {"visitorGeoPoint": [None]}
    somewhere = {"latitude": 1.5, "longitude": 2, "h3": "85283473fffffff"}
    where = [{"column": "visitorGeoPoint", "values": [somewhere]}]
    assert await ask(session, world, site, where=where) == {"eventsCount": [0]}


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ("hour", ["2026-02-28T23:00", "2026-03-01T00:00", "2026-03-02T00:00", "2026-03-04T11:00"]),
        ("day", ["2026-02-28T00:00", "2026-03-01T00:00", "2026-03-02T00:00", "2026-03-04T00:00"]),
        ("week", ["2026-02-23T00:00", "2026-03-02T00:00"]),
        ("month", ["2026-02-01T00:00", "2026-03-01T00:00"]),
    ],
)
async def test_times_are_cut_to_periods(
    session: Session, world: World, site: Site, interval: str, expected: list[str]
) -> None:
    moments = ["2026-02-28T23:59:59.999", "2026-03-01T00:00:00", "2026-03-02T00:00:00.001",
               "2026-03-04T11:30:00"]  # fmt: skip
    events = [{"happened_at": dt.datetime.fromisoformat(one + "+00:00")} for one in moments]
    await make_events(session, site, *events)
    await settle(session)
    column = {"column": "datetime", "interval": interval}
    found = await ask(session, world, site, select=[column, {"column": "eventsCount"}])
    assert found["datetime"] == [f"{one}:00.000Z" for one in expected]
    assert sum(found["eventsCount"]) == 4


async def test_filters_of_times_and_counts(session: Session, world: World, site: Site) -> None:
    await make_events(
        session,
        site,
        *({"page_id": "a", "data": {"space": "s"}, "visitor_id": f"v{n}"} for n in range(3)),
        {"page_id": "b", "data": {"space": "s"}},
        {"page_id": "b", "data": {"space": "s"}, "happened_at": NOW - dt.timedelta(days=3)},
    )
    await settle(session)
    by_page = {"groupBy": named("page"), "select": named("page", "visitorsCount")}

    async def pages(*where: Json, **more: Any) -> list[tuple[str, int]]:
        found = await ask(session, world, site, **by_page, where=list(where), **more)
        return [
            (page["page"], count)
            for page, count in zip(found["page"], found["visitorsCount"], strict=True)
        ]

    def over(column: str, operator: str, *values: Any) -> Json:
        return {"column": column, "operator": operator, "values": list(values)}

    assert await pages() == [("a", 3), ("b", 1)]
    assert await pages(over("eventsCount", "greaterThan", 2)) == [("a", 3)]
    assert await pages(over("eventsCount", "lessThanOrEqual", 2)) == [("b", 1)]
    assert await pages(over("visitorsCount", "in", 1, 2)) == [("b", 1)]
    assert await pages(over("visitorsCount", "notIn", 1)) == [("a", 3)]
    day = write_time(NOW - dt.timedelta(days=1))
    assert await pages(over("datetime", "lessThan", day)) == [("b", 1)]
    assert await pages(over("datetime", "greaterThanOrEqual", day)) == [("a", 3), ("b", 1)]
    ascending = {"by": {"column": "visitorsCount"}, "direction": "asc"}
    assert await pages(order=ascending) == [("b", 1), ("a", 3)]
    assert await pages(order=ascending, limit=1) == [("b", 1)]
    backwards = {"by": {"column": "page"}, "direction": "desc"}
    assert await pages(order=backwards) == [("b", 1), ("a", 3)]


async def test_ranges(session: Session, world: World, site: Site) -> None:
    ages = [dt.timedelta(hours=1), dt.timedelta(days=2), dt.timedelta(days=20),
            dt.timedelta(days=80), dt.timedelta(days=300)]  # fmt: skip
    await make_events(session, site, *({"happened_at": NOW - age} for age in ages))
    await settle(session)
    for preset, count in (("last24Hours", 1), ("last7Days", 2), ("last30Days", 3),
                          ("last3Months", 4), ("lastYear", 5)):  # fmt: skip
        assert await ask(session, world, site, range=preset) == {"eventsCount": [count]}
        spelt = {"preset": preset}
        assert await ask(session, world, site, range=spelt) == {"eventsCount": [count]}
    start, end = NOW - ages[3], NOW - ages[1]
    custom = {"from": write_time(start), "to": write_time(end)}
    # From the first moment until just before the last.
    assert await ask(session, world, site, range=custom) == {"eventsCount": [2]}


async def test_claims(session: Session, world: World, site: Site) -> None:
    def known(**claims: Any) -> Json:
        return {"data": {"claims": claims, "claim": {k: str(v) for k, v in claims.items()}}}

    await make_events(session, site, known(plan="pro", seats=3), known(plan="pro"),
                      known(plan="free"), {})  # fmt: skip
    await settle(session)
    properties = {"column": "visitorClaimProperty"}
    found = await ask(session, world, site, groupBy=[properties])
    assert found == {"visitorClaimProperty": ["plan", "seats"], "eventsCount": [3, 1]}
    plan, seats = [{"column": "visitorClaim", "claim": name} for name in ("plan", "seats")]
    where = [{**plan, "values": ["pro"]}]
    assert await ask(session, world, site, where=where) == {"eventsCount": [2]}
    found_both = await read(
        at(context(session, world.creator)),
        insights_aggregates.get_site_insights,
        site.id,
        question(groupBy=[plan, seats]),
    )
    one, two, count = found_both.columns
    assert (one.claim, two.claim) == ("plan", "seats")
    rows = list(zip(one.values, two.values, count.values, strict=True))
    assert rows == [("", "", 1), ("free", "", 1), ("pro", "", 1), ("pro", "3", 1)]


async def test_order_is_the_same_on_every_database(
    session: Session, world: World, site: Site
) -> None:
    words = ["b", "B", "a", "ä", "_", "10", "9"]
    await make_events(session, site, *({"section_id": word} for word in words), {})
    await settle(session)
    column = {"column": "siteSection"}
    expected = [None, *sorted(words)]
    found = await ask(session, world, site, groupBy=[column])
    assert found["siteSection"] == expected
    for direction, order in (("asc", expected), ("desc", expected[::-1])):
        found = await ask(
            session, world, site, groupBy=[column], order={"by": column, "direction": direction}
        )
        assert found["siteSection"] == order
    scores = [("x", "good"), ("x", "good"), ("y", "bad"), ("z", "ok")]
    await session.rollback()
    await session.begin_write()
    await make_events(session, site, *(
        {"section_id": name, "type": InsightsEventType.PAGE_POST_FEEDBACK,
         "data": {"eventPageFeedbackRating": rating}} for name, rating in scores
    ))  # fmt: skip
    await settle(session)
    found = await ask(
        session, world, site, groupBy=[column],
        where=[{"column": "eventType", "values": ["page_post_feedback"]}],
        order={"by": {"column": "pageFeedbackRating"}, "direction": "desc"},
    )  # fmt: skip
    # By good ratings less bad ones.
    assert found["siteSection"] == ["x", "z", "y"]


WRONG: tuple[tuple[Json, str], ...] = (
    ({"limit": 0}, "limit: 0 is not allowed"),
    ({"limit": 1001}, "limit: 1001 is not allowed"),
    ({"range": {"from": "2026-01-01T00:00:00Z"}}, "range: needs both"),
    ({"range": {}}, "range: must be a preset"),
    ({"range": "lastDecade"}, "range: 'lastDecade' is not allowed"),
    ({"range": {"preset": "lastYear", "from": "2026-01-01T00:00:00Z"}}, "range: must be a preset"),
    (
        {"range": {"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}},
        "range.to: must be after",
    ),
    ({"select": named("nothing")}, r"select\[0\].column: 'nothing' is not allowed"),
    ({"select": [{"column": "url", "interval": "day"}]}, r"select\[0\].interval: does not go"),
    ({"select": [{"column": "url", "claim": "x"}]}, r"select\[0\].claim: does not go"),
    ({"select": named("visitorClaim")}, r"select\[0\].claim: is required"),
    ({"select": [{"column": "visitorClaim", "claim": 'a"b'}]}, r"select\[0\].claim: must be"),
    ({"select": [{"column": "visitorGeoPoint", "precision": 16}]}, r"select\[0\].precision"),
    ({"groupBy": named("eventsCount")}, r"groupBy\[0\].column: eventsCount counts"),
    ({"groupBy": named("url"), "select": named("page")}, r"select\[0\]: page has many values"),
    (
        {"groupBy": named("url"), "order": {"by": {"column": "page"}, "direction": "asc"}},
        "order.by: page is no column",
    ),
    (
        {"select": named("url"), "order": {"by": {"column": "eventsCount"}, "direction": "asc"}},
        "order.by: eventsCount is no column",
    ),
    ({"where": [{"column": "eventType", "values": ["x"]}]}, r"where\[0\].values\[0\]: must be one"),
    ({"where": [{"column": "eventType", "values": [None]}]}, r"values\[0\]: must be one"),
    ({"where": [{"column": "url", "values": [1]}]}, r"where\[0\].values\[0\]: must be text"),
    ({"where": [{"column": "datetime", "values": ["x"]}]}, r"where\[0\].values\[0\]: 'x' is not"),
    ({"where": [{"column": "eventsCount", "values": [1.5]}]}, r"values\[0\]: must be a whole"),
    ({"where": [{"column": "eventsCount", "values": [10**12]}]}, r"values\[0\]: must be between"),
    ({"where": [{"column": "page", "values": ["p"]}]}, r"values\[0\]: must be null or an object"),
    ({"where": [{"column": "pageFeedbackRating", "values": []}]}, "cannot be filtered"),
    (
        {"where": [{"column": "url", "operator": "lessThan", "values": ["https://a.example"]}]},
        "sizes of url cannot be compared",
    ),
    (
        {"where": [{"column": "datetime", "operator": "lessThan", "values": []}]},
        "the operator lessThan needs exactly one value",
    ),
    (
        {"select": named("url"), "where": [{"column": "eventsCount", "values": [1]}]},
        r"where\[0\].column: eventsCount needs groups",
    ),
)


@pytest.mark.parametrize(("body", "message"), WRONG, ids=[message for _, message in WRONG])
async def test_wrong_questions_name_what_is_wrong(
    session: Session, world: World, site: Site, body: Json, message: str
) -> None:
    await settle(session)
    with pytest.raises(Invalid, match=message):
        await ask(session, world, site, **body)


DIMENSIONS: dict[str, Callable[[Json], Any]] = {
    "siteSection": lambda event: event["section_id"],
    "visitorBrowser": lambda event: event["data"].get("visitorBrowser"),
    "eventSearchQuery": lambda event: event["data"].get("eventSearchQuery", ""),
    "eventType": lambda event: event["type"].value,
}


@pytest.mark.parametrize("seed", range(6))
async def test_random_questions_have_the_answers_of_a_plain_count(
    session: Session, world: World, site: Site, seed: int
) -> None:
    chance = random.Random(seed)
    events = [
        {
            "section_id": chance.choice([None, "a", "b"]),
            "type": chance.choice(list(InsightsEventType)[:3]),
            "visitor_id": f"v{chance.randrange(5)}",
            "session_id": f"s{chance.randrange(9)}",
            "data": {
                name: chance.choice(values)
                for name, values in (
                    ("visitorBrowser", ["chrome", "safari"]),
                    ("eventSearchQuery", ["x", "y"]),
                )
                if chance.random() < 0.7
            },
        }
        for _ in range(120)
    ]
    await make_events(session, site, *events)
    await settle(session)
    for _ in range(8):
        names = chance.sample(sorted(DIMENSIONS), chance.randrange(1, 4))
        filtered = chance.choice(sorted(DIMENSIONS))
        values = list({DIMENSIONS[filtered](event) for event in events})
        chosen = chance.sample(values, chance.randrange(len(values) + 1))
        operator = chance.choice(["in", "notIn"])
        groups: dict[Any, list[Json]] = {}
        for event in events:
            if (DIMENSIONS[filtered](event) in chosen) == (operator == "in"):
                key = tuple(DIMENSIONS[name](event) for name in names)
                groups.setdefault(key, []).append(event)
        expected = {
            (
                *key,
                len(under),
                len({one["session_id"] for one in under}),
                len({one["visitor_id"] for one in under}),
            )
            for key, under in groups.items()
        }
        found = await ask(
            session, world, site, groupBy=named(*names),
            select=named(*names, "eventsCount", "sessionsCount", "visitorsCount"),
            where=[{"column": filtered, "operator": operator, "values": chosen}],
        )  # fmt: skip
        assert set(zip(*found.values(), strict=True)) == expected


async def test_who_may_ask(session: Session, world: World, site: Site) -> None:
    site.published = True
    await settle(session)
    operation = insights_aggregates.get_site_insights
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        with pytest.raises(Forbidden):
            await read(context(session, person), operation, site.id, question())
        for batch, arguments in (
            (insights_aggregates.insights_of_sites,
             insights_aggregates.InsightsArguments(question())),
            (visitor_segments.visitor_segments_of_sites, PageArguments()),
        ):  # fmt: skip
            with pytest.raises(Forbidden):
                await read(context(session, person), batch, [site], arguments)  # type: ignore[arg-type]
    for person in (world.guest, world.outsider):
        with pytest.raises(NotFound):
            await read(context(session, person), operation, site.id, question())
    visitor = Context(Actor(visitor=Visitor(site.id, site.organization_id)), session)
    with pytest.raises(ApiError, match="role 'create'"):
        await read(visitor, operation, site.id, question())


async def test_many_sites_are_one_statement(
    session: Session, world: World, site: Site, queries: Queries
) -> None:
    other = await make_site(session, world.organization)
    empty = await make_site(session, world.organization)
    await make_events(session, site, {}, {"section_id": "a"})
    await make_events(session, other, {"section_id": "b"})
    await settle(session)
    ctx = at(context(session, world.creator))
    arguments = insights_aggregates.InsightsArguments(question(groupBy=named("siteSection")))
    sites = [other, site, empty]

    async def both() -> tuple[Any, Any]:
        answers = await insights_aggregates.insights_of_sites(ctx, sites, arguments)
        parts = await visitor_segments.visitor_segments_of_sites(ctx, sites, PageArguments())
        return answers, parts

    # The roles are read once for each, and then there is one statement.
    with queries(4):
        answers, parts = await read(ctx, lambda ctx: both())
    assert [list(one.columns[0].values) for one in answers] == [["b"], [None, "a"], []]
    assert [part.rows for part in parts] == [[], [], []]


async def test_segments(session: Session, world: World, site: Site, api: Api) -> None:
    def known(visitor: str, **claims: Any) -> Json:
        return {"visitor_id": visitor, "session_id": f"of-{visitor}", "data": {"claims": claims}}

    pro = {"beta": True, "plan": "pro"}
    await make_events(
        session, site, known("a", **pro), known("a", **pro), known("b", **pro),
        known("c", plan="free", unsigned={"seats": 3}), {},
        *({**known("d", plan="old"), "happened_at": NOW - dt.timedelta(days=31)} for _ in range(9)),
    )  # fmt: skip
    await settle(session)
    ctx = at(context(session, world.creator))
    (part,) = await visitor_segments.visitor_segments_of_sites(ctx, [site], PageArguments())
    assert [(one.title, dict(one.claims), one.events, one.visitors, one.sessions)
            for one in part.rows] == [
        ("beta: true, plan: pro", pro, 3, 2, 2),
        ("plan: free, unsigned.seats: 3", {"plan": "free", "unsigned": {"seats": 3}}, 1, 1, 1),
    ]  # fmt: skip
    (part,) = await visitor_segments.visitor_segments_of_sites(ctx, [site], PageArguments(first=1))
    assert (len(part.rows), part.has_next) == (1, True)


async def test_both_doors_answer_the_same(
    api: Api, session: Session, world: World, site: Site
) -> None:
    await make_events(
        session, site, {"page_id": "p", "data": {"space": "s", "claims": {"plan": "pro"},
                                                "claim": {"plan": "pro"}}},
        {"section_id": "one"},
    )  # fmt: skip
    await session.commit()
    path = f"/orgs/{world.organization.id}/sites/{site.id}/insights"
    custom = {"from": "2026-01-01T00:00:00Z", "to": "2027-01-01T00:00:00Z"}
    body = {
        "range": custom,
        "select": [{"column": "datetime", "interval": "day"},
                   *named("page", "siteSection", "eventsCount")],
        "where": [{"column": "siteShareKey", "values": [None]}],
        "order": {"by": {"column": "page"}, "direction": "desc"},
    }  # fmt: skip
    response = await api.rest("POST", f"{path}/events/aggregate", world.creator, body)
    assert response.status_code == 200, response.text
    expected = [
        {"column": "datetime", "interval": "day", "values": ["2026-03-04T00:00:00.000Z"] * 2},
        {"column": "page", "values": [{"page": "p", "space": "s"}, None]},
        {"column": "siteSection", "values": [None, "one"]},
        {"column": "eventsCount", "values": [1, 1]},
    ]
    assert response.json() == {"columns": expected}
    query = """query($site: ID!, $input: InsightsQueryInput!) {
      siteInsights(siteId: $site, input: $input) { ...answer }
      site(id: $site) { insights(input: $input) { ...answer }
        visitorSegments { totalCount nodes { title claims events visitors sessions } } } }
    fragment answer on Insights { columns { column interval claim values } }"""
    asked = {
        "range": custom,
        "select": [{"column": "DATETIME", "interval": "DAY"}, {"column": "PAGE"},
                   {"column": "SITE_SECTION"}, {"column": "EVENTS_COUNT"}],
        "where": [{"column": "SITE_SHARE_KEY", "values": [None]}],
        "order": {"by": {"column": "PAGE"}, "direction": "DESC"},
    }  # fmt: skip
    data = await api.data(query, world.creator, site=site.id, input=asked)
    assert data["siteInsights"] == data["site"]["insights"]
    shown = [one["values"] for one in data["siteInsights"]["columns"]]
    assert shown == [one["values"] for one in expected]
    listed = (await api.rest("GET", f"{path}/visitor-segments", world.creator)).json()
    assert listed["items"] == data["site"]["visitorSegments"]["nodes"]
    refused = await api.graphql(query, world.reader, site=site.id, input=asked)
    assert refused["data"] == {
        "siteInsights": None, "site": {"insights": None, "visitorSegments": None}
    }  # fmt: skip
    assert (await api.rest("GET", f"{path}/visitor-segments", world.reader)).status_code == 403
