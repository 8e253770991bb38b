"""Answers of published sites: headers that protect readers, and say what caches may keep."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from content.html.markup import element, escape
from content.html.rendering import Uses
from published.html.frame import render_page
from published.html.icons import ICON
from published.html.styles import site_style
from published.html.view import Page, Site
from published.policies import policy_with
from resolvers.core.errors import ApiError
from resolvers.published.urls import PublishedContent

# Nothing is run but what `page_policy` names. Pictures and fonts come from wherever owners took
# them.
POLICY = (
    "default-src 'none'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' https: http: data:; font-src 'self' https: http:; media-src https: http:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
NOTHING = Uses()
# A name that changes with the content may be cached for ever.
FAVICON = "/favicon.ico"
HTML = "text/html; charset=utf-8"
FOR_EVER = "public, max-age=31536000, immutable"


def protected(
    response: Response,
    content: PublishedContent,
    *,
    personal: bool,
    repeats: bool,
    script: str | None = None,
) -> Response:
    """The answer with its headers; what depends on the visitor is not for shared caches.

    `script` is the digest of the script that pages may run.

    What not everybody may read, and `repeats` what anybody can put into an address or a cookie,
    is not compressed: its length would tell how alike the two are.
    """
    policy = POLICY
    if script is not None and response.media_type == HTML:
        policy = page_policy(script)
    response.headers.setdefault("Content-Security-Policy", policy)
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


def page_policy(
    *scripts: str, uses: Uses = NOTHING, sources: Mapping[str, Sequence[str]] | None = None
) -> str:
    """The policy of a page: its scripts by their digests, and nothing else of this server, which
    has files of strangers; frames of the players on it, the one that draws its diagrams, and those
    that send requests; and `sources` of the scripts that integrations add, by directive.
    """
    digests = [f"'{digest}'" for digest in scripts]
    own = ["'self'"] if uses.diagrams or uses.requests else []
    frames = [*sorted(uses.players | uses.frames), *own]
    policy = f"{POLICY}; script-src {' '.join(digests)}"
    policy = f"{policy}; frame-src {' '.join(frames)}" if frames else policy
    return policy_with(policy, sources) if sources else policy


def request_policy(site_script: str, panel_script: str, origin: str) -> str:
    """The policy of a page that sends requests of an API: to the origin that its reader has chosen;
    to no server at all, this one neither, before there is one.
    """
    policy, allowed = page_policy(site_script, panel_script), origin or "'none'"
    return policy.replace("connect-src 'self'", f"connect-src {allowed}", 1)


def _referrer_policy(content: PublishedContent) -> str:
    """Where an address opens a site, by a share key or as a preview, nobody else learns of it:
    not even other sites on the same host.
    """
    secret = content.share_key is not None or content.signed or content.is_preview
    return "no-referrer" if secret else "strict-origin-when-cross-origin"


def text(content: str, media_type: str) -> Response:
    """A list, or a page as Markdown."""
    return Response(content, media_type=f"{media_type}; charset=utf-8")


def page(html: str, status: int = HTTPStatus.OK) -> Response:
    """A page for people."""
    return Response(html, status, media_type=HTML)


def asset(content: str, media_type: str) -> Response:
    """A style sheet or script whose name changes with it."""
    return Response(content, headers={"Cache-Control": FOR_EVER}, media_type=media_type)


def icon(svg: str = ICON) -> Response:
    """The icon of a site that has no picture."""
    return Response(svg, headers={"Cache-Control": "max-age=86400"}, media_type="image/svg+xml")


async def favicon(request: Request) -> Response:
    """The icon, which browsers request beside answers that name none, such as Markdown."""
    return icon()


def redirect(url: str, status: int = HTTPStatus.TEMPORARY_REDIRECT) -> Response:
    """To another address; caches ask again, for it may be another one tomorrow."""
    return RedirectResponse(url, status, headers={"Cache-Control": "no-cache"})


def with_retry_after(response: Response, error: ApiError) -> Response:
    """The response, with when to try again where the error knows."""
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def failure(status: int, message: str) -> Response:
    """A page that says what is wrong; it belongs to no site, because none may be known of."""
    title = HTTPStatus(status).phrase
    shown = Page(title, element("p", escape(message)), no_index=True)
    css = site_style({}).css
    html = render_page(Site(title, "/", ""), shown)
    # The sheet is inlined, for there is no address to load it from.
    html = html.replace("</head>", f"<style>{css}</style></head>", 1)
    headers = {
        "Content-Security-Policy": POLICY.replace("style-src 'self'", "style-src 'unsafe-inline'"),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return Response(html, status, headers, HTML)
