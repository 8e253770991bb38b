"""Answers of published sites: headers that protect readers, and say what caches may keep."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from content.html.markup import element, escape
from content.html.rendering import Uses
from published.html.frame import render_page
from published.html.styles import ICON, site_style
from published.html.view import Page, Site
from resolvers.published.urls import PublishedContent

# Nothing runs within a page. Pictures come from wherever their authors took them.
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' https: http: data:; "
    "media-src https: http:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
# Of pages with scripts, which are files of this server.
WITH_SCRIPTS = f"{POLICY}; script-src 'self'; connect-src 'self'"
# A name that changes with the content may be cached for ever.
FAVICON = "/favicon.ico"
FOR_EVER = "public, max-age=31536000, immutable"


def protected(
    response: Response, content: PublishedContent, *, personal: bool, repeats: bool
) -> Response:
    """The answer with its headers; what depends on the visitor is not for shared caches.

    What not everybody may read, and `repeats` what anybody can put into an address or a cookie,
    is not compressed: its length would tell how alike the two are.
    """
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers["Referrer-Policy"] = _referrer_policy(content)
    preview = content.is_preview or content.signed
    if preview:
        # Markdown and lists have no other way to say it.
        response.headers["X-Robots-Tag"] = "noindex"
    caching = "no-cache"
    if personal or preview or content.context_id is not None or content.share_key is not None:
        caching = "private, no-cache, no-transform" if repeats else "private, no-cache"
    response.headers.setdefault("Cache-Control", caching)
    response.headers["Vary"] = "Accept, Cookie, X-Forwarded-Host"
    if content.canonical_url.startswith("https:"):
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    return response


def page_policy(uses: Uses) -> str:
    """The policy of a page: frames of the players on it, and the one that draws its diagrams."""
    frames = [*sorted(uses.players), *(["'self'"] if uses.diagrams else [])]
    return f"{WITH_SCRIPTS}; frame-src {' '.join(frames)}" if frames else WITH_SCRIPTS


def _referrer_policy(content: PublishedContent) -> str:
    """Where an address opens a site, by a share key or as a preview, nobody else learns of it:
    not even other sites on the same host.
    """
    secret = content.share_key is not None or content.signed or content.is_preview
    return "no-referrer" if secret else "strict-origin-when-cross-origin"


def text(content: str, media_type: str) -> Response:
    """A list, or a page as Markdown."""
    return Response(content, media_type=f"{media_type}; charset=utf-8")


def style(css: str) -> Response:
    """A style sheet whose name changes with it."""
    return Response(css, headers={"Cache-Control": FOR_EVER}, media_type="text/css")


def icon() -> Response:
    """The icon of a site without one of its own."""
    return Response(ICON, headers={"Cache-Control": "max-age=86400"}, media_type="image/svg+xml")


async def favicon(request: Request) -> Response:
    """The icon, which browsers request beside answers that name none, such as Markdown."""
    return icon()


def redirect(url: str, status: int = HTTPStatus.TEMPORARY_REDIRECT) -> Response:
    """To another address; caches ask again, for it may be another one tomorrow."""
    return RedirectResponse(url, status, headers={"Cache-Control": "no-cache"})


def failure(status: int, message: str) -> Response:
    """A page that says what is wrong; it belongs to no site, because none may be known of."""
    title = HTTPStatus(status).phrase
    page = Page(title, element("p", escape(message)), no_index=True)
    css = site_style({}).css
    html = render_page(Site(title, "/", ""), page)
    # The sheet is inlined, for there is no address to load it from.
    html = html.replace("</head>", f"<style>{css}</style></head>", 1)
    headers = {
        "Content-Security-Policy": POLICY.replace("'self';", "'unsafe-inline';", 1),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return Response(html, status, headers, "text/html; charset=utf-8")
