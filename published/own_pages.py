"""What is at `~gitbook/` below a space of a site, beside signing in: feedback, PDFs, MCP, and
requests of an API."""

from starlette.requests import Request
from starlette.responses import Response

from content.html.markup import element, escape, joined
from published import answers, visits
from published.feedback import feedback_page
from published.html.frame import render_page
from published.html.view import Page
from published.look import Look, site_view
from published.page_actions import FEEDBACK_PATH, MCP, OWN, PDF, has_mcp, has_pdf
from published.requests import REQUEST, request_page
from published.visits import Visit
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.pdf.operations import get_space_pdf

YES = "yes"


async def own_page(ctx: Context, request: Request, visit: Visit, look: Look) -> Response | None:
    """The answer to a GET of one of them; None for every other address. The caller is a visitor."""
    name = look.content.pathname
    if not name.startswith(f"{OWN}/"):
        return None
    if name == FEEDBACK_PATH:
        return _html(look, await feedback_page(ctx, look, visit.query))
    if name == REQUEST:
        return await request_page(ctx, visit, look)
    if name == PDF:
        return await _pdf(ctx, visit, look)
    if name == MCP and has_mcp(look):
        # Clients that would listen are told that there is nothing to listen to.
        if "text/html" not in request.headers.get("accept", ""):
            return Response("Method Not Allowed", 405, {"Allow": "POST"}, "text/plain")
        return _html(look, _about_mcp(look))
    raise NotFound("there is no page at this address")


def _html(look: Look, page: Page) -> Response:
    response = answers.page(render_page(site_view(look), page))
    response.headers["X-Robots-Tag"] = "noindex"
    return response


async def _pdf(ctx: Context, visit: Visit, look: Look) -> Response:
    """To the PDF of the space, or of a page: for a while, then its address has ended."""
    if not has_pdf(look) or look.content.is_preview or look.content.signed:
        raise NotFound("this site has no PDFs")
    parameters = dict(reversed(visits.pairs(visit.query)))
    page = parameters.get("page") or None
    only = parameters.get("only") == YES if page is not None else None
    pdf = await get_space_pdf(ctx, look.content.space, page, only)  # type: ignore[arg-type]
    response = answers.redirect(pdf.url)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _about_mcp(look: Look) -> Page:
    address = look.addresses.absolute(f"{look.addresses.root}/{MCP}")
    parts = [
        element(
            "p",
            escape(look.words.about_mcp),
        ),
        element("pre", element("code", escape(address)), tabindex=0),
    ]
    return Page(look.words.connect_mcp, joined(parts), no_index=True)
