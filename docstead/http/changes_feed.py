"""Serves the Atom feed of the changes of a space, for a token of the feed or of the API."""

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import urlencode

import orjson
from starlette.requests import Request
from starlette.responses import Response

from content.html.markup import element, escape, joined
from content.links.published_urls import ATOM
from db.base import utc_now
from db.content_enums import ContentChangeType, RevisionType
from docstead.server import Server
from published.html.feeds import FeedEntry, FeedPart, write_feed
from resolvers.core.actors import Actor
from resolvers.core.runners import read
from resolvers.notifications.changes_feed import (
    FeedRevision,
    FeedSpace,
    app_url,
    get_feed_part,
    get_feed_space,
)
from resolvers.notifications.feed_tokens import PARAMETER, actor_of_feed, feed_path
from rest_compat.app import error_response
from rest_compat.entity_tags import is_known

AFTER = "after"
_TITLES = {
    RevisionType.EDITS: "Content was changed",
    RevisionType.ROLLBACK: "Content went back to an earlier revision",
}
_DONE = {
    ContentChangeType.PAGE_CREATED: "Created",
    ContentChangeType.PAGE_EDITED: "Edited",
    ContentChangeType.PAGE_MOVED: "Moved",
    ContentChangeType.PAGE_DELETED: "Deleted",
}
# Shared caches do not keep it, and browsers ask each time whether it is still the same.
HEADERS = {
    "Cache-Control": "private, no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


def changes_feed_route(
    live: Server, admit: Callable[..., Awaitable[Actor]]
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of the feed; `admit` finds the actor of a request and counts it."""

    async def feed(request: Request) -> Response:
        space_id, query = request.path_params["space"], request.query_params
        token = query.get(PARAMETER)

        async def authenticate() -> Actor:
            if token is None:
                return await live.authenticate(request.headers.get("authorization"))
            return await actor_of_feed(live.database.points, token, space_id, utc_now())

        actor = await admit(request.scope, authenticate)
        after = query.get(AFTER) or None
        if after is not None and len(after) > 64:
            return error_response(400, f"{AFTER}: must be the id of a revision")
        async with live.context_of(actor) as ctx:
            space = await read(ctx, get_feed_space, space_id)
            headers = {**HEADERS, **_validators(space, after)}
            if _is_unchanged(request, headers, space.updated_at):
                return Response(status_code=304, headers=headers)
            part = await read(ctx, get_feed_part, space, after)
        base = live.settings.public_url
        shown = _part(
            base, space, part.revisions, _links(base, space, token, after, part.following)
        )
        xml, media_type = write_feed(ATOM, shown)
        return Response(xml, headers=headers, media_type=f"{media_type}; charset=utf-8")

    return feed


def _validators(space: FeedSpace, after: str | None) -> dict[str, str]:
    parts = [space.id, space.title, space.language, space.revision_id, after]
    tag = hashlib.sha256(orjson.dumps(parts)).hexdigest()[:32]
    return {"ETag": f'"{tag}"', "Last-Modified": format_datetime(space.updated_at, usegmt=True)}


def _is_unchanged(request: Request, headers: dict[str, str], updated: dt.datetime) -> bool:
    """Whether the client has this answer already; its ETag counts where it sends one."""
    if "if-none-match" in request.headers:
        return is_known(request, headers["ETag"])
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except ValueError:
        return False
    if since.tzinfo is None:
        since = since.replace(tzinfo=dt.UTC)
    return updated.replace(microsecond=0) <= since


def _links(
    base: str, space: FeedSpace, token: str | None, after: str | None, following: str | None
) -> dict[str, str]:
    """Addresses of parts of the feed (RFC 5005), with the token of the request."""

    def address(behind: str | None) -> str:
        parameters = {PARAMETER: token, AFTER: behind}
        query = urlencode({name: value for name, value in parameters.items() if value is not None})
        return f"{base}{feed_path(space.id)}" + (f"?{query}" if query else "")

    links = {"self": address(after), "first": address(None)}
    return links if following is None else {**links, "next": address(following)}


def _part(
    base: str, space: FeedSpace, revisions: Sequence[FeedRevision], links: dict[str, str]
) -> FeedPart:
    return FeedPart(
        id=f"urn:docstead:space:{space.id}:changes",
        title=f"Changes of {space.title}",
        author=space.title,
        description="",
        language=space.language or "en",
        href=app_url(base, space, None),
        updated=space.updated_at,
        links=links,
        entries=[_entry(base, space, revision) for revision in revisions],
    )


def _entry(base: str, space: FeedSpace, revision: FeedRevision) -> FeedEntry:
    title = _TITLES.get(revision.type, "Content was changed")
    if revision.change_request is not None:
        number, subject = revision.change_request
        title = f"Merged #{number} {subject.strip()}".strip()
    lines = [f"{_DONE[page.type]}: {page.title}" for page in revision.pages]
    if revision.more:
        lines.append("and more")
    items = joined(element("li", escape(line)) for line in lines)
    return FeedEntry(
        id=f"urn:docstead:revision:{revision.id}",
        title=title,
        href=app_url(base, space, revision),
        date=revision.created_at,
        tags=(revision.type.value,),
        html=element("ul", items) if lines else "",
        summary="; ".join(lines) or title,
        author=revision.author or space.title,
    )
