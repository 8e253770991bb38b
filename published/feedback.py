"""What readers think of a page: forms that work without a script, kept as events of insights.

A form is taken from pages of the same host only, so that nobody else's page can send one in a
reader's name. A rating and the words behind it are two events, as the published contract has them.
"""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlencode

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from strawberry import ID

from content.html.markup import Html, element, escape, joined
from db.site_enums import InsightsDisplayContext, InsightsEventType, PageFeedbackRating
from published import answers, visits
from published.html.page_parts import COMMENT_LENGTH, RATINGS, comment_form, feedback_form
from published.html.view import Page
from published.look import Look, read_look
from published.page_actions import FEEDBACK_PATH, feedback_of, takes_feedback
from published.posts import Taker, is_from_elsewhere
from published.resolution import resolve_visit
from published.visits import Visit
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, BadRequest, NotFound, invalid
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject, Url
from resolvers.insights.events import track_insights_events
from resolvers.insights.inputs import (
    InsightsEventInput,
    InsightsFeedbackInput,
    InsightsLocationInput,
    InsightsSessionInput,
    TrackInsightsEventsInput,
)
from resolvers.published.urls import PublishedContent, PublishedRedirect
from resolvers.published.visitors import as_visitor
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.read_targets import find_revision
from resolvers.revisions.rows import Page as PageRow

MOST_BYTES, FIELDS = 20_000, 20
FORM = "application/x-www-form-urlencoded"
# Random ids of a visitor, and of a visit, which ends with the browser.
VISITOR_COOKIE, VISIT_COOKIE = "docstead-visitor", "docstead-visit"
YEAR = 365 * 24 * 3600
ID_LENGTH = 128


@dataclass(frozen=True, slots=True)
class Submission:
    """A form that was filled in."""

    page: str
    rating: PageFeedbackRating
    comment: str | None = None


def read_form(data: bytes) -> Submission:
    """What a form says; Invalid or BadRequest names the field and what is wrong with it."""
    try:
        pairs = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError as error:
        raise BadRequest(f"the form cannot be read: {error}") from error
    fields = dict(reversed(pairs))
    rating = fields.get("rating", "")
    if rating not in RATINGS:
        raise invalid("rating", f"must be one of {', '.join(RATINGS)}")
    comment = fields.get("comment")
    if comment is not None:
        comment = comment.replace("\r\n", "\n").strip()
        if not comment:
            raise invalid("comment", "is empty; write a few words")
        if len(comment) > COMMENT_LENGTH:
            problem = f"has {len(comment)} characters; at most {COMMENT_LENGTH} are allowed"
            raise invalid("comment", problem)
        if "\0" in comment:
            raise invalid("comment", "has the character U+0000, which is not allowed")
    return Submission(fields.get("page", ""), PageFeedbackRating(rating), comment)


class Feedback(Taker):
    """The feedback of readers on all sites of this server process."""

    async def answer(self, request: Request, origin: str) -> Response:
        """The answer to a form."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._taken(request, visits.read_visit(request, origin))
        except TimeoutError:
            return _failure(request, HTTPStatus.GATEWAY_TIMEOUT, "It took too long.")
        except ApiError as error:
            return answers.with_retry_after(_failure(request, error.status, error.message), error)

    async def _taken(self, request: Request, visit: Visit) -> Response:
        if is_from_elsewhere(request):
            message = "This form was sent from another site."
            return _failure(request, HTTPStatus.FORBIDDEN, message)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            message = f"Content-Type: must be {FORM}"
            return _failure(request, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
        submission = read_form(await self._bodies.bytes(request, MOST_BYTES))
        quota = self._quota_of(request.scope)
        look, page = await self._live.read_in_place(
            lambda: self._found(visit, quota, submission.page)
        )
        tracks = (look.settings.get("insights") or {}).get("trackingCookie", True)
        ids = _ids(request) if tracks else (secrets.token_hex(16), secrets.token_hex(16))
        event = _event(request, look, page, submission, *ids)
        async with self._live.context_of(Actor(visitor=look.content.visitor)) as ctx:
            events = TrackInsightsEventsInput(events=[event])
            await run(ctx, track_insights_events, ID(look.content.site), events)
        response = _thanked(request, look, submission)
        if tracks:
            _keep(response, visit, look.content.site_base_path, *ids)
        return answers.protected(response, look.content, personal=True, repeats=True)

    async def _found(self, visit: Visit, quota: Quota | None, path: str) -> tuple[Look, PageRow]:
        """The look of the site, and the page that the feedback is about."""
        async with self._live.context_of(NOBODY) as ctx:
            if quota is not None:
                ctx.limits.feedback.must(quota.key, 1, "answers from this address")
            content, _ = await resolve_visit(ctx, visit)
            if isinstance(content, PublishedRedirect):
                raise NotFound("the site has another address now, or you have to sign in first")
            return await read(
                as_visitor(ctx, content.visitor), _look_and_page, visit, content, path
            )


async def _look_and_page(
    ctx: Context, visit: Visit, content: PublishedContent, path: str
) -> tuple[Look, PageRow]:
    look = await read_look(ctx, visit, content)
    return look, await _page(ctx, look, path)


async def _page(ctx: Context, look: Look, path: str) -> PageRow:
    """The page that may be rated; NotFound where the site asks for no feedback."""
    if look.content.pathname != FEEDBACK_PATH or not takes_feedback(look):
        raise NotFound("this site does not ask for feedback")
    revision = await find_revision(ctx, look.content.space, columns=None)
    return await find_page_by_path(ctx, revision, path)


def _ids(request: Request) -> tuple[str, str]:
    """The ids of the visitor and the visit; new ones where there are none."""
    cookies = [request.cookies.get(name, "") for name in (VISITOR_COOKIE, VISIT_COOKIE)]
    visitor, visit = (
        id if id.isascii() and id.isalnum() and len(id) <= ID_LENGTH else secrets.token_hex(16)
        for id in cookies
    )
    return visitor, visit


def _keep(response: Response, visit: Visit, base: str, visitor: str, session: str) -> None:
    for name, value, lifetime in ((VISITOR_COOKIE, visitor, YEAR), (VISIT_COOKIE, session, None)):
        response.set_cookie(
            name, value, max_age=lifetime, path=base, httponly=True, secure=visit.secure,
            samesite="lax",
        )  # fmt: skip


def _event(
    request: Request, look: Look, page: PageRow, submission: Submission, visitor: str, session: str
) -> InsightsEventInput:
    content = look.content
    with_words = submission.comment is not None
    return InsightsEventInput(
        type=InsightsEventType.PAGE_POST_FEEDBACK_COMMENT
        if with_words
        else InsightsEventType.PAGE_POST_FEEDBACK,
        session=InsightsSessionInput(
            visitor_id=visitor,
            session_id=session,
            cookies=JsonObject({}),
            user_agent=request.headers.get("user-agent", "")[:2048],
            language=request.headers.get("accept-language", "")[:100] or None,
        ),
        location=InsightsLocationInput(
            url=Url(look.addresses.canonical_page(page.space_id, page.path)),
            display_context=InsightsDisplayContext.SITE,
            site_section=content.site_section,
            site_space=content.site_space,
            space=page.space_id,
            page=page.id,
        ),
        feedback=InsightsFeedbackInput(rating=submission.rating, comment=submission.comment),
    )


# ------------------------------------------------------------------ answers


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _thanked(request: Request, look: Look, submission: Submission) -> Response:
    """For a script a message; else another page, which reloading does not send again."""
    words = look.words
    message = words.thanks if submission.comment is None else words.thanks_for_words
    if _wants_json(request):
        return Response(orjson.dumps({"message": message}), media_type="application/json")
    parameters = {"page": submission.page, "rating": submission.rating.value}
    if submission.comment is not None:
        parameters["sent"] = "comment"
    own = f"{look.addresses.spaces[look.content.space]}/{FEEDBACK_PATH}"
    return RedirectResponse(f"{own}?{urlencode(parameters)}", HTTPStatus.SEE_OTHER)


def _failure(request: Request, status: int, message: str) -> Response:
    if not _wants_json(request):
        return answers.failure(status, message)
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps({"message": message}), status, headers, "application/json")


async def feedback_page(ctx: Context, look: Look, query: str) -> Page:
    """The page behind a form: thanks, and the question for words; without a rating the form."""
    parameters: Mapping[str, Any] = dict(reversed(visits.pairs(query)))
    row = await _page(ctx, look, parameters.get("page", ""))
    form = feedback_of(look, row)
    assert form is not None  # else there is no such page
    rating, words = parameters.get("rating", ""), look.words
    parts: list[Html] = []
    if rating not in RATINGS:
        parts.append(feedback_form(form, words))
    elif parameters.get("sent") == "comment":
        parts.append(element("p", escape(words.thanks_for_words)))
    else:
        parts += [element("p", escape(words.thanks)), comment_form(form, rating, words)]
    back = look.addresses.page(row.space_id, row.path)
    parts.append(
        element("p", element("a", escape(words.back_to.format(title=row.title)), href=back))
    )
    return Page(words.feedback, joined(parts), no_index=True)
