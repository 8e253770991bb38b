"""Serves published sites as plain HTML, and what machines read of them (docs/sites.md).

It asks the same operations as a renderer of its own would: the address is resolved, which says who
the visitor is, and everything else is read as that visitor.
"""

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Scope

from content.html.document import Rendered
from content.links.published_urls import MARKDOWN_END, read_feed_address
from content.recent_cache import RecentCache
from content.visitors.user_agents import read_user_agent
from jobs.integration_blocks import BlockMaker
from jobs.rendering import RenderingError
from published import addresses, answers, assets, feeds, lists, visits
from published.assemble import page_view, subject_of
from published.blocks import BlockActions
from published.connections import while_connected
from published.feedback import Feedback
from published.html.frame import render_page
from published.html.icons import icon_of
from published.html.machine import robots_txt
from published.look import OWN, RESULTS, Look, read_look, site_view
from published.mcp.endpoint import McpServer
from published.missing import missing_page
from published.own_pages import own_page
from published.page_actions import BLOCK_PATH, MCP
from published.posts import Bodies, takes_bodies
from published.rendered_pages import (
    OF_CONTENT,
    KeptAnswer,
    RenderedPages,
    RequestHeaders,
    RequestKey,
    key_of,
)
from published.resolution import resolve_visit
from published.search import results_page, typed_results
from published.server import Server
from published.site_scripts import AddedScripts, read_site_scripts
from published.texts import published_markdown
from published.visits import Visit
from published.whole_texts import WholeText, WholeTexts
from resolvers.access.versions import ADDRESSES, Versions, are_current, read_versions
from resolvers.core.actors import NOBODY
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read
from resolvers.core.signed_addresses import HOUR
from resolvers.integrations.shown import Drawn, WantedBlock
from resolvers.published.audiences import Credentials
from resolvers.published.drafts import ShownDraft, read_shown_draft
from resolvers.published.pages import PublishedPage, ShownSpace, read_published_page
from resolvers.published.texts import read_published_text
from resolvers.published.urls import PublishedContent, PublishedRedirect, resolve_published
from resolvers.published.variants import find_counterparts
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import as_visitor
from rest_compat.entity_tags import is_known

SIGN_IN, SIGN_OUT = "~gitbook/auth/login", "~gitbook/auth/logout"
# Whatever its name, the sheet or script is the one of now: an older page gets that too.
_STYLE_SHEET = re.compile(rf"{OWN}/[0-9a-f]{{16}}\.css")
_SCRIPT = re.compile(rf"{OWN}/[0-9a-f]{{16}}\.js")


MEGABYTE = 1_000_000
# An answer that shows more spaces is not kept: to ask for so many versions takes its time, too.
MOST_SPACES = 200
# An answer in place of one to a client that has gone.
CLIENT_CLOSED_REQUEST = 499
# Of the header User-Agent, for robots say who they are in the beginning.
USER_AGENT_LENGTH = 512


@dataclass(frozen=True, slots=True)
class _Shows:
    """What of the content of spaces is in an answer; nothing, where only the site decides."""

    spaces: frozenset[str] = frozenset()
    files: bool = False
    names_people: bool = False
    # What integrations have drawn, or are to draw.
    drawn: Drawn = Drawn(())

    def ends(self, now: float) -> float | None:
        """When this is to be made anew, in seconds since 1970; None where only writes change it."""
        # Addresses of files are signed for one hour more than the one in which they are made.
        times = [float((int(now) // HOUR + 1) * HOUR)] if self.files else []
        if self.drawn.until is not None:
            times.append(self.drawn.until.timestamp())
        return min(times, default=None)

    @classmethod
    def of(cls, space: ShownSpace) -> Self:
        """What a page shows, beside the space that the address leads to."""
        return cls(space.refers_to, bool(space.files), space.names_people, space.drawn)


@dataclass(frozen=True, slots=True)
class _Unrendered:
    """A page as it was read: nothing of the database is held while it is rendered."""

    look: Look
    shown: PublishedPage
    draft: ShownDraft | None
    added: AddedScripts

    @property
    def viewed(self) -> tuple[str, str] | None:
        """Site and page of a view; None for a preview."""
        content = self.look.content
        return None if content.is_preview else (content.site, self.shown.page.id)

    def answer(self, rendered: Rendered | None) -> Response:
        """The whole page, with its policy; its text alone where it could not be rendered."""
        page = page_view(self.look, self.shown, rendered, self.draft, self.added.shown)
        response = _tagged(render_page(site_view(self.look), page).encode(), "text/html")
        response.headers["Content-Security-Policy"] = answers.page_policy(
            self.look.script.digest,
            *(script.digest for script in page.scripts),
            uses=answers.NOTHING if rendered is None else rendered.uses,
            sources=self.added.sources,
        )
        return response


@dataclass(frozen=True, slots=True)
class _Visited:
    """What the answer to a visit is made of, and what adds the rest of its headers."""

    page: Response | _Unrendered | feeds.UnwrittenFeed
    finish: Callable[[Response], Response] = lambda response: response
    # Of what it shows, where the answer may be kept; and when that ends.
    versions: Versions | None = None
    ends: float | None = None
    # Blocks of integrations that are to be drawn.
    undrawn: Sequence[WantedBlock] = ()


class PublishedSites:
    """The handler of every address of a published site."""

    def __init__(
        self,
        live: Server,
        seconds: float,
        quota_of: Callable[[Scope], Quota | None],
        bodies: Bodies,
    ) -> None:
        """`quota_of` says how often whoever sends a request may search."""
        self._live = live
        self._seconds = seconds
        self._quota_of = quota_of
        self._whole_texts = WholeTexts(live, seconds)
        self._mcp = McpServer(live, seconds, quota_of, bodies)
        self._blocks = BlockMaker(live.context_of, live.in_background, live.read_named)
        self._feedback = Feedback(live, seconds, quota_of, bodies)
        self._actions = BlockActions(live, seconds, quota_of, bodies)
        limit = live.settings.page_cache_megabytes * MEGABYTE
        self._pages = RenderedPages(limit, time.time) if limit else None

    @property
    def cache(self) -> RecentCache[Any, Any] | None:
        """The pages that are kept; None where none are."""
        return self._pages.cache if self._pages is not None else None

    async def below_sites(self, request: Request) -> ASGIApp:
        """`/sites/{site}` on this server, whatever the name it is reached by."""
        return await self._answer(request, addresses.origin_of(self._live.settings.public_url))

    async def on_host(self, request: Request) -> ASGIApp:
        """Any path on the host name of a site, or of an organization."""
        if request.scope["path"] == answers.FAVICON:
            return answers.icon()
        scheme = urlsplit(self._live.settings.public_url).scheme
        return await self._answer(request, f"{scheme}://{request.headers.get('host', '')}")

    async def _answer(self, request: Request, origin: str) -> ASGIApp:
        """The answer to a request: a kept one, if there is one that still holds."""
        request_headers = RequestHeaders.of(request.scope)
        module = assets.asset(request.scope["path"], request_headers)
        if module is not None:
            return module
        if request.method == "POST":
            return await self._posted(request, origin)
        visit = None
        if request.scope["query_string"] or request_headers.of_a_visitor:
            visit = visits.read_visit(request, origin)
        pages = self._pages
        key = None if pages is None else key_of(request.scope, request_headers, origin, visit)
        kept_answer = None if pages is None or key is None else pages.get(key)
        if kept_answer is not None and await self._is_current(kept_answer):
            self._count(request, kept_answer.viewed)
            return kept_answer.answer(request_headers)
        if visit is None:
            visit = visits.read_visit(request, origin)
        answer = await while_connected(request, self._made(request, visit, key))
        if answer is None:
            return Response(status_code=CLIENT_CLOSED_REQUEST)
        if isinstance(answer, KeptAnswer):
            self._count(request, answer.viewed)
            return answer.answer(request_headers)
        tag = answer.headers.get("etag")
        if tag is not None and is_known(request, tag):
            return _not_modified(answer)
        return answer

    def _count(self, request: Request, viewed: tuple[str, str] | None) -> None:
        """Count a view of a page, unless a robot asks that says so."""
        if viewed is not None and request.method == "GET":
            agent = request.headers.get("user-agent", "")[:USER_AGENT_LENGTH]
            if read_user_agent(agent).bot is None:
                self._live.views.add(*viewed)

    async def _posted(self, request: Request, origin: str) -> Response:
        """The answer to what a reader or an assistant has sent."""
        path = request.scope["path"]
        if not takes_bodies(path):
            return Response("Method Not Allowed", 405, {"Allow": "GET, HEAD"}, "text/plain")
        if path.endswith(f"/{MCP}"):
            return await self._mcp.answer(request, origin)
        endpoint = self._actions if path.endswith(f"/{BLOCK_PATH}") else self._feedback
        return await endpoint.answer(request, origin)

    async def _is_current(self, kept_answer: KeptAnswer) -> bool:
        return await are_current(self._live.database.points, kept_answer.versions)

    async def _made(
        self, request: Request, visit: Visit, key: RequestKey | None
    ) -> Response | KeptAnswer:
        """A new answer, which those share who ask for the same at the same time."""
        pages = self._pages
        if pages is None or key is None:
            return await self._fresh(request, visit, None)
        shared = key in pages.flights
        answer = await pages.flights.join(key, lambda: self._fresh(request, visit, key))
        # It was begun before this request came: what was written in between is not in it.
        if shared and not (isinstance(answer, KeptAnswer) and await self._is_current(answer)):
            return await self._fresh(request, visit, key)
        return answer

    async def _fresh(
        self, request: Request, visit: Visit, key: RequestKey | None
    ) -> Response | KeptAnswer:
        """A new answer, kept where that may be."""
        try:
            async with asyncio.timeout(self._seconds):
                visited = await self._live.read_in_place(lambda: self._visit(request, visit))
                if visited.undrawn and await self._blocks.draw(visited.undrawn):
                    visited = await self._live.read_in_place(lambda: self._visit(request, visit))
                page, lasts, viewed = visited.page, True, None
                if isinstance(page, _Unrendered):
                    viewed = page.viewed
                    page, lasts = await self._rendered(page)
                elif isinstance(page, feeds.UnwrittenFeed):
                    xml, media_type, lasts = await feeds.write(self._live.renderer, page)
                    page = _tagged(xml.encode(), media_type)
                answer = visited.finish(page)
        except TimeoutError:
            return answers.failure(HTTPStatus.GATEWAY_TIMEOUT, "The page took too long.")
        except VisitorRefused as refusal:
            if visit.path.endswith(f"/{lists.ROBOTS}"):
                return answers.text(robots_txt(None), lists.TEXT)
            return answers.failure(HTTPStatus.FORBIDDEN, refusal.message)
        except NotFound:
            return answers.failure(HTTPStatus.NOT_FOUND, "There is no page at this address.")
        except ApiError as error:
            return answers.with_retry_after(answers.failure(error.status, error.message), error)
        if key is None or not lasts or visited.versions is None or self._pages is None:
            self._count(request, viewed)
            return answer
        kept_answer = KeptAnswer(
            answer.status_code,
            answer.raw_headers,
            bytes(answer.body),
            answer.headers.get("etag", "").encode(),
            visited.versions,
            visited.ends,
            viewed,
        )
        self._pages.put(key, kept_answer)
        return kept_answer

    async def _rendered(self, page: _Unrendered) -> tuple[Response, bool]:
        """The page as HTML, and whether it is so until something that it shows changes."""
        rendered, lasts = None, True
        try:
            rendered = await self._live.renderer.render(subject_of(page.look, page.shown))
        except RenderingError as error:
            lasts = not error.for_now
        return await asyncio.to_thread(page.answer, rendered), lasts

    async def _visit(self, request: Request, visit: Visit) -> _Visited:
        # Where no page is, those that may be meant are searched for, too.
        quota = self._quota_of(request.scope)
        async with self._live.context_of(NOBODY, quota=quota) as ctx:
            for end in (SIGN_IN, SIGN_OUT):
                if visit.path.endswith(f"/{end}"):
                    return _Visited(await self._sign(ctx, visit, end))
            content, token = await resolve_visit(ctx, visit)
            if isinstance(content, PublishedRedirect):
                return await self._led_on(ctx, visit, content)
            if visit.given_token is not None:
                return _Visited(self._signed_in(ctx, visit, content, visit.given_token))

            visitor_context = as_visitor(ctx, content.visitor)
            page, look, shows = await read(visitor_context, self._read, request, visit, content)

            def finish(response: Response) -> Response:
                if visit.query_claims:
                    visits.keep_claims(response, visit, content.site_base_path)
                return answers.protected(
                    response,
                    content,
                    personal=token is not None or bool(visit.claims),
                    repeats=bool(visit.query or visit.claims),
                    script=look.script.digest,
                )

            undrawn = () if shows is None else shows.drawn.undrawn
            if shows is None or not _may_be_kept(look, shows):
                return _Visited(page, finish, undrawn=undrawn)
            subjects = {ADDRESSES, content.site, content.space}
            # With the snapshot of what was read.
            versions = await read_versions(
                visitor_context, subjects | shows.spaces | look.frame.refers_to
            )
            return _Visited(page, finish, versions, shows.ends(ctx.now().timestamp()), undrawn)

    async def _led_on(self, ctx: Context, visit: Visit, redirect: PublishedRedirect) -> _Visited:
        """To another address; a token that came with this one goes into a cookie of the site."""
        response = answers.redirect(redirect.redirect, redirect.status)
        if visit.given_token is not None and redirect.site_base_path is not None:
            visits.keep_token(
                response, visit, redirect.site_base_path, visit.given_token, ctx.now()
            )
        subjects = redirect.subjects
        # It has the query of the request, which is in no key.
        if subjects is None or visit.query or len(subjects) > MOST_SPACES:
            return _Visited(response)
        return _Visited(response, versions=await read_versions(ctx, subjects | {ADDRESSES}))

    # ------------------------------------------------------------------ signing in and out

    async def _sign(self, ctx: Context, visit: Visit, end: str) -> Response:
        """Send the visitor where tokens come from, or forget the token and go to the site."""
        site = visit.url.removesuffix(f"/{end}") or "/"
        base = visit.path.removesuffix(end)
        if end == SIGN_OUT:
            response = RedirectResponse(base, HTTPStatus.SEE_OTHER)
            visits.forget(response, base)
            return response
        locations = [value for name, value in visits.pairs(visit.query) if name == "location"]
        path = quote(locations[0].lstrip("/"), safe="/") if locations else ""
        target = await read(ctx, resolve_published, f"{site}/{path}", Credentials())
        if isinstance(target, PublishedRedirect):
            return answers.redirect(target.redirect)
        return RedirectResponse(base, HTTPStatus.SEE_OTHER)

    def _signed_in(
        self, ctx: Context, visit: Visit, content: PublishedContent, token: str
    ) -> Response:
        """A redirect to the same page without the token in its address.

        From now on it is kept, unless the site asks for none: then nobody has looked at it.
        """
        target = f"{visit.path}?{visit.query}" if visit.query else visit.path
        response = RedirectResponse(target, HTTPStatus.SEE_OTHER)
        if content.by_token:
            visits.keep_token(response, visit, content.site_base_path, token, ctx.now())
        return response

    # ------------------------------------------------------------------ what is read

    async def _read(
        self, ctx: Context, request: Request, visit: Visit, content: PublishedContent
    ) -> tuple[Response | _Unrendered | feeds.UnwrittenFeed, Look, _Shows | None]:
        """What is at an address; with what it shows of spaces, where that is all."""
        look = await read_look(ctx, visit, content)
        name = content.pathname
        if _STYLE_SHEET.fullmatch(name):
            return answers.asset(look.style.css, "text/css"), look, None
        if _SCRIPT.fullmatch(name):
            return answers.asset(look.script.text, "text/javascript"), look, None
        icon = icon_of(name.removeprefix(f"{OWN}/")) if name.startswith(OWN) else None
        if icon is not None:
            return answers.icon(icon), look, None
        own = await own_page(ctx, request, visit, look)
        if own is not None:
            return own, look, None
        listed = await lists.read_list(ctx, look, name)
        if isinstance(listed, WholeText):
            return self._whole_texts.response(request.method, listed), look, None
        if listed is not None:
            text, media_type = listed
            shows = _Shows(look.frame.map.shown.space_ids)
            return _tagged(text.encode(), media_type), look, shows
        if name == RESULTS:
            data = await typed_results(ctx, look, visit.search.query if visit.search else "")
            return Response(data, media_type="application/json"), look, None
        if visit.search is not None:
            results = await results_page(ctx, look, visit.search)
            return _tagged(render_page(site_view(look), results).encode(), "text/html"), look, None
        feed_address = read_feed_address(name)
        feed = None if feed_address is None else await feeds.read_feed(ctx, look, feed_address)
        if feed is not None:
            return feed, look, _Shows.of(feed.shown.space)
        wants = "text/markdown" in request.headers.get("accept", "")
        if name.endswith(MARKDOWN_END) or wants:
            shown = await read_published_text(
                ctx, content.space, name.removesuffix(MARKDOWN_END), content.shown_revision
            )
            text = await asyncio.to_thread(published_markdown, shown, look.addresses)
            return _tagged(text.encode(), lists.MARKDOWN), look, _Shows.of(shown.space)
        try:
            return await self._page(ctx, visit, look)
        except NotFound:
            html = render_page(site_view(look), await missing_page(ctx, look))
            return answers.page(html, HTTPStatus.NOT_FOUND), look, None

    async def _page(
        self, ctx: Context, visit: Visit, look: Look
    ) -> tuple[Response | _Unrendered, Look, _Shows]:
        content, frame = look.content, look.frame
        shown = await read_published_page(
            ctx, content.space, content.pathname, content.shown_revision
        )
        canonical = "" if shown.page.id == shown.space.landing_id else shown.page.path
        address = look.addresses.page(content.space, canonical)
        if content.pathname != canonical or (visit.path.endswith("/") and address != "/"):
            return answers.redirect(address), look, _Shows()
        draft = None
        if content.is_preview:
            draft = await read_shown_draft(
                ctx, content.space, content.change_request, shown.page.id
            )
        else:
            look = replace(
                look, counterparts=await find_counterparts(ctx, frame, content, canonical)
            )
        shows = _Shows.of(shown.space)
        shows = replace(shows, spaces=shows.spaces | look.counterparts.keys())
        added = await read_site_scripts(ctx, look, visit.url, self._live.settings.public_url)
        return _Unrendered(look, shown, draft, added), look, shows


def _may_be_kept(look: Look, shows: _Shows) -> bool:
    """Whether the answer changes with nothing but the versions of site and spaces.

    Names of people have none; previews show drafts. Whether the address of a file lasts depends on
    all sites of its space, unless this one shows the file to everybody.
    """
    content = look.content
    if content.is_preview or content.signed or shows.names_people:
        return False
    if len(shows.spaces) > MOST_SPACES:
        return False
    return not shows.files or look.frame.is_for_all(content.site_space)


def _tagged(body: bytes, media_type: str) -> Response:
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    return Response(body, HTTPStatus.OK, {"ETag": tag}, f"{media_type}; charset=utf-8")


def _not_modified(answer: Response) -> Response:
    """Says that the client has the answer."""
    response = Response(status_code=HTTPStatus.NOT_MODIFIED)
    response.raw_headers = [header for header in answer.raw_headers if header[0] not in OF_CONTENT]
    return response
