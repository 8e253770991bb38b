"""Inputs of events of a site's visitors, and the fields that each type requires."""

import datetime as dt
from collections.abc import Mapping

import strawberry

from db.site_enums import (
    InsightsAdPlacement,
    InsightsDisplayContext,
    InsightsEventType,
    InsightsLinkPosition,
    InsightsTrademarkPlacement,
    PageFeedbackRating,
)
from resolvers.core import inputs
from resolvers.core.errors import FieldError, Invalid
from resolvers.core.json_schemas import REFERENCE_SCHEMA
from resolvers.core.scalars import URL_LENGTH, JsonObject, Url

EVENTS = 100
TEXT = 2048
# Ids of things, and keys of share links.
_ID = r"[A-Za-z0-9_-]{1,64}"
_ID_WORDS = "1 to 64 letters, digits, hyphens and underscores"


def _id(description: str) -> str | None:
    field: str | None = inputs.text(description, pattern=_ID, allowed=_ID_WORDS)
    return field


@strawberry.input(description="The visit in which something was done.")
class InsightsSessionInput:
    visitor_id: str = inputs.text(
        "Random id of the visitor, who keeps it over visits.", required=True, min=1, max=128
    )
    session_id: str = inputs.text("Random id of the visit.", required=True, min=1, max=128)
    cookies: JsonObject = inputs.field("The visitor's cookies; never kept.", required=True)
    user_agent: str = inputs.text(
        "What the browser says of itself; only device, browser, system and bot are kept.",
        required=True,
        max=TEXT,
    )
    language: str | None = inputs.text("Language of the browser.", max=100)
    referrer: str | None = inputs.text(
        "Address of the page the visitor came from; empty for none. It is kept without its query.",
        max=URL_LENGTH,
    )
    ip: str | None = inputs.text("Address of the visitor; never kept.", max=64)
    visitor_auth_token: str | None = inputs.text(
        "Not read: claims come with `visitorAuthClaims` and with the content token.", max=16_384
    )
    visitor_auth_claims: JsonObject | None = inputs.field(
        "What is known of the visitor: at most 100 claims and 8,192 characters of JSON."
    )


@strawberry.input(description="Where something was done.")
class InsightsLocationInput:
    url: Url = inputs.field(
        "Address of the page; it is kept without its query, whose `utm_` parts become columns.",
        required=True,
    )
    display_context: InsightsDisplayContext | None = inputs.field(
        "Where the site was shown; `site` when absent."
    )
    site_section: str | None = _id("Id of the site section.")
    site_space: str | None = _id("Id of the site space.")
    site_share_key: str | None = _id("Key of the share link in the address.")
    space: str | None = _id("Id of the space.")
    revision: str | None = _id("Id of the revision; not kept.")
    page: str | None = _id("Id of the page.")


@strawberry.input(description="What a visitor opened from search.")
class InsightsSearchResultInput:
    space_id: str = inputs.text("Id of the space.", required=True, pattern=_ID, allowed=_ID_WORDS)
    page_id: str = inputs.text("Id of the page.", required=True, pattern=_ID, allowed=_ID_WORDS)


@strawberry.input(description="What a visitor thinks of a page.")
class InsightsFeedbackInput:
    rating: PageFeedbackRating = inputs.field("The rating.", required=True)
    comment: str | None = inputs.text(
        "In words; only with page_post_feedback_comment.", min=1, max=512
    )


@strawberry.input(description="A link that a visitor followed.")
class InsightsLinkInput:
    target: JsonObject = inputs.field(
        f"Content reference: where it leads. {REFERENCE_SCHEMA}", required=True
    )
    position: InsightsLinkPosition = inputs.field("Where it stood.", required=True)


@strawberry.input(description="An operation of an API.")
class InsightsOperationInput:
    path: str = inputs.text("Its path.", required=True, min=1, max=TEXT)
    method: str = inputs.text("Its method.", required=True, min=1, max=16)


@strawberry.input(description="An advertisement.")
class InsightsAdInput:
    domain: str = inputs.text("Domain that it leads to.", required=True, min=1, max=253)
    zone_id: str = inputs.text("Its zone; not kept.", required=True, min=1, max=128)
    placement: InsightsAdPlacement = inputs.field("Where it stood.", required=True)


@strawberry.input(description="Something that a visitor did; what it needs depends on its type.")
class InsightsEventInput:
    type: InsightsEventType = inputs.field("What was done.", required=True)
    session: InsightsSessionInput = inputs.field("The visit.", required=True)
    location: InsightsLocationInput = inputs.field("Where.", required=True)
    timestamp: dt.datetime | None = inputs.field(
        "When, at most 5 minutes before or after now; now when absent."
    )
    query: str | None = inputs.text("What was searched for or asked.", max=TEXT)
    result: InsightsSearchResultInput | None = inputs.field("What was opened from search.")
    feedback: InsightsFeedbackInput | None = inputs.field("What was thought of the page.")
    rating: int | None = inputs.field("Of an answer: 1 or -1.")
    response_id: str | None = inputs.text("Id of the answer; not kept.", min=1, max=128)
    link: InsightsLinkInput | None = inputs.field("The link that was followed.")
    operation: InsightsOperationInput | None = inputs.field("The operation that was tried.")
    placement: InsightsTrademarkPlacement | None = inputs.field("Where the trademark stood.")
    ad: InsightsAdInput | None = inputs.field("The advertisement.")


@strawberry.input(description="Things that visitors of one site did.")
class TrackInsightsEventsInput:
    events: list[InsightsEventInput] = inputs.items(
        f"The events, at most {EVENTS}.", required=True, min=1, max=EVENTS
    )


# What events of a type consist of, beside visit, place and time.
MEMBERS: Mapping[InsightsEventType, tuple[str, ...]] = {
    InsightsEventType.PAGE_VIEW: (),
    InsightsEventType.SEARCH_OPEN: (),
    InsightsEventType.SEARCH_TYPE_QUERY: ("query",),
    InsightsEventType.SEARCH_OPEN_RESULT: ("query", "result"),
    InsightsEventType.PAGE_POST_FEEDBACK: ("feedback",),
    InsightsEventType.PAGE_POST_FEEDBACK_COMMENT: ("feedback",),
    InsightsEventType.ASK_QUESTION: ("query",),
    InsightsEventType.ASK_VIEW: (),
    InsightsEventType.ASK_RATE_RESPONSE: ("query", "rating", "response_id"),
    InsightsEventType.LINK_CLICK: ("link",),
    InsightsEventType.API_CLIENT_OPEN: ("operation",),
    InsightsEventType.API_CLIENT_REQUEST: ("operation",),
    InsightsEventType.AD_CLICK: ("ad",),
    InsightsEventType.AD_DISPLAY: ("ad",),
    InsightsEventType.TRADEMARK_CLICK: ("placement",),
}
_PUBLIC = {
    "query": "query", "result": "result", "feedback": "feedback", "rating": "rating",
    "response_id": "responseId", "link": "link", "operation": "operation",
    "placement": "placement", "ad": "ad",
}  # fmt: skip


def check_members(events: list[InsightsEventInput]) -> None:
    """Invalid with every member that the type of its event needs and lacks, or does not know."""
    problems = []
    for index, event in enumerate(events):
        at, kind = f"events[{index}]", event.type.value
        needed = MEMBERS[event.type]
        for name, public in _PUBLIC.items():
            is_set = getattr(event, name) is not None
            if name in needed and not is_set:
                problems.append(FieldError(f"{at}.{public}", f"is required with the type {kind}"))
            elif is_set and name not in needed:
                problems.append(FieldError(f"{at}.{public}", f"does not go with the type {kind}"))
        if event.rating not in (None, 1, -1):
            problems.append(FieldError(f"{at}.rating", f"{event.rating} is not 1 or -1"))
        if event.feedback is not None and not problems:
            problems += _comment(event, event.feedback, f"{at}.feedback.comment")
    if problems:
        summary = "; ".join(f"{problem.path}: {problem.message}" for problem in problems[:5])
        raise Invalid(summary, tuple(problems))


def _comment(
    event: InsightsEventInput, feedback: InsightsFeedbackInput, path: str
) -> list[FieldError]:
    is_comment = event.type is InsightsEventType.PAGE_POST_FEEDBACK_COMMENT
    if is_comment == (feedback.comment is not None):
        return []
    verb = "is required with" if is_comment else "does not go with"
    return [FieldError(path, f"{verb} the type {event.type.value}")]
