"""Keeping what visitors did on published sites (docs/sites.md, "Events").

Only what the columns of questions show is kept. Addresses of visitors, cookies and the text of the
user agent never reach the database.
"""

import datetime as dt
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit, urlunsplit

import orjson
from sqlalchemy import delete, insert, select

from content.visitors.user_agents import read_user_agent
from db.commits import after_commit
from db.event_enums import EventType
from db.ids import new_id
from db.models.insights import InsightsEvent
from db.models.sites import Site
from db.site_enums import InsightsDisplayContext, InsightsEventType
from resolvers.access.policy import must_be_operator
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NotFound, invalid
from resolvers.core.event_drafts import Draft
from resolvers.insights.claims import by_path, read_claims
from resolvers.insights.inputs import (
    InsightsEventInput,
    InsightsLinkInput,
    TrackInsightsEventsInput,
    check_members,
)
from resolvers.revisions.references import read_reference_input
from resolvers.sites.operations import must_site

Json = dict[str, Any]
TOLERANCE = dt.timedelta(minutes=5)
_FEEDBACK = (
    InsightsEventType.PAGE_POST_FEEDBACK,
    InsightsEventType.PAGE_POST_FEEDBACK_COMMENT,
)
# Events that one transaction of the purge removes.
PORTION = 5000
UTM = {
    "utm_source": "utmSource",
    "utm_medium": "utmMedium",
    "utm_campaign": "utmCampaign",
    "utm_term": "utmTerm",
    "utm_content": "utmContent",
}
UTM_LENGTH = 256


@operation(open_to_all=True, audited=False)
async def track_insights_events(
    ctx: Context,
    site_id: SiteId,
    input: TrackInsightsEventsInput,
    organization_id: InOrganization = None,
) -> int:
    """Keep what visitors did on a site; the number of events.

    Browsers send them without a token, if the site is published; RateLimited for more than an
    address, or a site, may have of them. Otherwise for the content token of that site, and for
    whoever may read the site. One wrong event and none is kept. Addresses of visitors and their
    cookies are never stored.
    """
    count, limits = len(input.events), ctx.limits
    if ctx.actor.nobody:
        limits.events_of_address.must(ctx.address, count, "events of this address")
    check_members(input.events)
    # Before the site is looked for, so that a wrong event does not tell whether there is one.
    rows = [
        _row(ctx, site_id, event, f"events[{index}]") for index, event in enumerate(input.events)
    ]
    if not await _takes_events_of(ctx, site_id, organization_id):
        limits.events_of_site.must(site_id, count, "events of this site")
    await ctx.session.execute(insert(InsightsEvent), rows)
    for row in rows:
        if row["type"] in _FEEDBACK:
            feedback = Draft(
                type=EventType.PAGE_FEEDBACK,
                object_id=site_id,
                site_id=site_id,
                page_id=row["page_id"],
                data={"rating": row["data"]["eventPageFeedbackRating"]},
            )
            note_fact(ctx.session, feedback)
    viewed = [row["page_id"] for row in rows if row["type"] is InsightsEventType.PAGE_VIEW]
    after_commit(ctx.session, lambda: ctx.count_views(site_id, viewed))
    return count


async def _takes_events_of(ctx: Context, site_id: str, organization_id: str | None) -> bool:
    """Whether the caller is one of the people who may read the site, whose events are not counted.

    NotFound, and no word of why, where nobody else may send any.
    """
    try:
        await must_site(ctx, site_id, organization_id)
    except NotFound:
        if ctx.actor.visitor is not None:
            raise
        statement = select(Site.id).where(Site.id == site_id, Site.published.is_(True))
        if organization_id is not None:
            statement = statement.where(Site.organization_id == organization_id)
        if await ctx.session.scalar(statement) is None:
            raise
        return False
    return ctx.actor.visitor is None


def _row(ctx: Context, site_id: str, event: InsightsEventInput, at: str) -> Json:
    session, location, visitor = event.session, event.location, ctx.actor.visitor
    share_key = None if visitor is None else visitor.share_key
    url = urlsplit(location.url)
    return {
        "id": new_id(),
        "site_id": site_id,
        "happened_at": _time(ctx.now(), event.timestamp, f"{at}.timestamp"),
        "type": event.type,
        "visitor_id": session.visitor_id,
        "session_id": session.session_id,
        "url": bare_url(url),
        "section_id": location.site_section,
        "site_space_id": location.site_space,
        "page_id": location.page,
        "share_key": share_key or location.site_share_key,
        "data": {
            **_visit(ctx, event, at),
            **_campaign(url),
            **_details(event, at),
        },
    }


def _time(now: dt.datetime, sent_at: dt.datetime | None, path: str) -> dt.datetime:
    if sent_at is None:
        return now
    if abs(sent_at - now) > TOLERANCE:
        raise invalid(path, "is more than 5 minutes away from the time of the server")
    return sent_at


def bare_url(url: SplitResult) -> str:
    """An address without what may be secret: credentials, query, fragment."""
    host = url.netloc.rpartition("@")[2]
    return urlunsplit((url.scheme.lower(), host.lower(), url.path, "", ""))


def _campaign(url: SplitResult) -> Json:
    """The campaign that brought the visitor, from the `utm_` parameters of the query."""
    try:
        parameters = parse_qsl(url.query, max_num_fields=200)
    except ValueError:
        return {}
    campaign = {
        UTM[name]: value[:UTM_LENGTH] for name, value in parameters if name in UTM and value
    }
    return {name: value.replace("\0", "") for name, value in campaign.items()}


def _visit(ctx: Context, event: InsightsEventInput, at: str) -> Json:
    session, visitor = event.session, ctx.actor.visitor
    agent = read_user_agent(session.user_agent)
    context = event.location.display_context or InsightsDisplayContext.SITE
    visit: Json = {
        "displayContext": context.value,
        "visitorDevice": agent.device,
        "visitorBrowser": agent.browser,
        "visitorOS": agent.system,
    }
    claims = read_claims(session.visitor_auth_claims, f"{at}.session.visitorAuthClaims")
    if visitor is not None and visitor.claims:
        # What the token says is known better.
        claims = read_claims({**claims, **visitor.claims}, f"{at}.session.visitorAuthClaims")
    language = (session.language or "").partition(",")[0].partition(";")[0].strip()
    visit |= _given(
        visitorBot=agent.bot,
        visitorLanguage=language,
        space=event.location.space,
        claims=claims,
        claim=by_path(claims),
    )
    if session.referrer:
        visit |= _referrer(session.referrer, f"{at}.session.referrer")
    return visit


def _referrer(text: str, path: str) -> Json:
    try:
        url = urlsplit(text)
        host = url.hostname
    except ValueError:
        host = None
    if not host or not url.scheme or any(ord(character) < 33 for character in text):
        raise invalid(path, f"{text[:200]!r} is not an absolute URL; it may be empty or null")
    return {"referrer": bare_url(url), "referrerDomain": host.lower()}


def _details(event: InsightsEventInput, at: str) -> Json:
    """The columns that belong to the type of the event."""
    details = _given(
        eventSearchQuery=event.query,
        eventAskResponseRating=event.rating,
        eventTrademarkPlacement=None if event.placement is None else event.placement.value,
    )
    if event.feedback is not None:
        details["eventPageFeedbackRating"] = event.feedback.rating.value
        details |= _given(eventPageFeedbackComment=event.feedback.comment)
    if event.link is not None:
        details |= _link(event.link, f"{at}.link.target")
    if event.operation is not None:
        details["eventAPIOperationPath"] = event.operation.path
        details["eventAPIOperationMethod"] = event.operation.method.lower()
    if event.ad is not None:
        details["eventAdDomain"] = event.ad.domain.lower()
        details["eventAdPlacement"] = event.ad.placement.value
    return details


def _link(link: InsightsLinkInput, path: str) -> Json:
    target = read_reference_input(link.target, path, {})
    data = {
        "eventLinkTargetValue": reference_text(target),
        "eventLinkTargetKind": target["kind"],
        "eventLinkPosition": link.position.value,
    }
    if target["kind"] == "url":
        host = urlsplit(target["url"]).hostname
        data |= _given(eventLinkTargetDomain=host)
    return data


def reference_text(reference: Json) -> str:
    """A content reference as it is compared."""
    return orjson.dumps(reference, option=orjson.OPT_SORT_KEYS).decode()


def _given(**values: Any) -> Json:
    return {name: value for name, value in values.items() if value not in (None, "", {})}


@operation(audited=False)
async def purge_insights(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the events that happened before a time; how many were removed."""
    must_be_operator(ctx)
    oldest = (
        select(InsightsEvent.id)
        .where(InsightsEvent.happened_at < before)
        .order_by(InsightsEvent.happened_at)
        .limit(PORTION)
    )
    result = await ctx.session.execute(delete(InsightsEvent).where(InsightsEvent.id.in_(oldest)))
    return int(result.rowcount)
