"""Serves published sites as plain HTML, and what machines read of them (docs/sites.md).

It asks the same operations as a renderer of its own would: the address is resolved, which says who
the visitor is, and everything else is read as that visitor.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from content.links.published_urls import MARKDOWN_END
from published import addresses, answers, lists, visits
from published.assemble import ICON_PATH, STYLE, Look, look_of, page_view, site_view
from published.html.frame import render_page
from published.html.machine import robots_txt
from published.search import results_page
from published.server import Server
from published.texts import published_markdown
from published.visits import Visit
from resolvers.core.actors import NOBODY
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read
from resolvers.published.audiences import Credentials
from resolvers.published.drafts import read_shown_draft
from resolvers.published.frames import read_site_frame
from resolvers.published.pages import read_published_page
from resolvers.published.texts import read_published_text
from resolvers.published.urls import PublishedContent, PublishedRedirect, resolve_published
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import as_visitor
from rest_compat.entity_tags import is_known

SIGN_IN, SIGN_OUT = "~gitbook/auth/login", "~gitbook/auth/logout"
# Whatever its name, the sheet is the one of now: an older page gets that too.
_STYLE_SHEET = re.compile(rf"{STYLE}/[0-9a-f]{{16}}\.css")


class PublishedSites:
    """The handler of every address of a published site."""

    def __init__(
        self, live: Server, seconds: float, quota_of: Callable[[Scope], Quota | None]
    ) -> None:
        """`quota_of` says how often whoever sends a request may search."""
        self._live = live
        self._seconds = seconds
        self._quota_of = quota_of

    async def below_sites(self, request: Request) -> Response:
        """`/sites/{site}` on this server, whatever the name it is reached by."""
        return await self._answer(request, addresses.origin_of(self._live.settings.public_url))

    async def on_host(self, request: Request) -> Response:
        """Any path on the host name of a site, or of an organization."""
        if request.scope["path"] == answers.FAVICON:
            return answers.icon()
        scheme = urlsplit(self._live.settings.public_url).scheme
        return await self._answer(request, f"{scheme}://{request.headers.get('host', '')}")

    async def _answer(self, request: Request, origin: str) -> Response:
        visit = visits.read_visit(request, origin)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._live.read_in_place(lambda: self._visit(request, visit))
        except TimeoutError:
            return answers.failure(HTTPStatus.GATEWAY_TIMEOUT, "The page took too long.")
        except VisitorRefused as refusal:
            if visit.path.endswith(f"/{lists.ROBOTS}"):
                return answers.text(robots_txt(None), lists.TEXT)
            return answers.failure(HTTPStatus.FORBIDDEN, refusal.message)
        except NotFound:
            return answers.failure(HTTPStatus.NOT_FOUND, "There is no page at this address.")
        except ApiError as error:
            failure = answers.failure(error.status, error.message)
            if error.retry_after is not None:
                failure.headers["Retry-After"] = str(error.retry_after)
            return failure

    async def _visit(self, request: Request, visit: Visit) -> Response:
        quota = None if visit.search is None else self._quota_of(request.scope)
        async with self._live.context_of(NOBODY, quota=quota) as ctx:
            for end in (SIGN_IN, SIGN_OUT):
                if visit.path.endswith(f"/{end}"):
                    return await self._sign(ctx, visit, end)
            content, token = await self._resolved(ctx, visit)
            if isinstance(content, PublishedRedirect):
                return self._led_on(ctx, visit, content)
            if visit.given_token is not None:
                return self._signed_in(ctx, visit, content, visit.given_token)
            visitor_context = as_visitor(ctx, content.visitor)
            response = await read(visitor_context, self._read, request, visit, content)
            if visit.query_claims:
                visits.keep_claims(response, visit, content.site_base_path)
            return answers.protected(
                response,
                content,
                personal=token is not None or bool(visit.claims),
                repeats=bool(visit.query or visit.claims),
            )

    async def _resolved(
        self, ctx: Context, visit: Visit
    ) -> tuple[PublishedContent | PublishedRedirect, str | None]:
        """Where the address leads, and the token that was taken: the first that holds."""
        url = f"{visit.url}?{visit.query}" if visit.query else visit.url
        candidates = [visit.given_token] if visit.given_token else list(visit.tokens)
        for token in candidates:
            try:
                return await self._resolve(ctx, url, visit, token), token
            except VisitorRefused:
                if visit.given_token is not None:
                    raise
        return await self._resolve(ctx, url, visit, None), None

    async def _resolve(
        self, ctx: Context, url: str, visit: Visit, token: str | None
    ) -> PublishedContent | PublishedRedirect:
        credentials = Credentials(token, visit.claims)
        return await read(ctx, resolve_published, url, credentials)

    def _led_on(self, ctx: Context, visit: Visit, redirect: PublishedRedirect) -> Response:
        """To another address; a token that came with this one goes into a cookie of the site."""
        response = answers.redirect(redirect.redirect, redirect.status)
        if visit.given_token is not None and redirect.site_base_path is not None:
            visits.keep_token(
                response, visit, redirect.site_base_path, visit.given_token, ctx.now()
            )
        return response

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
    ) -> Response:
        frame = await read_site_frame(ctx, content)
        look = look_of(frame, content, addresses.addresses_of(visit, content, frame))
        name = content.pathname
        if _STYLE_SHEET.fullmatch(name):
            return answers.style(look.style.css)
        if name == ICON_PATH:
            return answers.icon()
        listed = await lists.read_list(ctx, look, name)
        if listed is not None:
            return answers.text(*listed)
        if visit.search is not None:
            page = await results_page(ctx, look, visit.search)
            return await self._html(request, look, page, status=HTTPStatus.OK)
        wants = "text/markdown" in request.headers.get("accept", "")
        if name.endswith(MARKDOWN_END) or wants:
            text = await self._markdown(ctx, look, name.removesuffix(MARKDOWN_END))
            return answers.text(text, lists.MARKDOWN)
        return await self._page(ctx, request, visit, look)

    async def _markdown(self, ctx: Context, look: Look, path: str) -> str:
        content = look.content
        shown = await read_published_text(ctx, content.space, path, content.shown_revision)
        return await asyncio.to_thread(published_markdown, shown, look.addresses)

    async def _page(self, ctx: Context, request: Request, visit: Visit, look: Look) -> Response:
        content = look.content
        shown = await read_published_page(
            ctx, content.space, content.pathname, content.shown_revision
        )
        canonical = "" if shown.page.id == shown.space.landing_id else shown.page.path
        address = look.addresses.page(content.space, canonical)
        if content.pathname != canonical or (visit.path.endswith("/") and address != "/"):
            return answers.redirect(address)
        draft = None
        if content.is_preview:
            draft = await read_shown_draft(
                ctx, content.space, content.change_request, shown.page.id
            )
        page = await asyncio.to_thread(page_view, look, shown, draft)
        return await self._html(request, look, page)

    async def _html(
        self, request: Request, look: Look, page: Any, status: int = HTTPStatus.OK
    ) -> Response:
        html = render_page(site_view(look), page).encode()
        tag = f'"{hashlib.sha256(html).hexdigest()[:32]}"'
        if is_known(request, tag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
        return Response(html, status, {"ETag": tag}, "text/html; charset=utf-8")
