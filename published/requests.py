"""Requests that readers send from the reference of an API: the page with the form, and its policy.

The server of a site sends none of them. The page is loaded anew with the address that a reader has
chosen, among those that the specification names; only then its policy allows connections, to that
address alone (docs/decisions/0148-requests-are-sent-from-a-page-of-their-own.md).
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from content.documents.nodes import data_of, object_of, text_of
from content.html.markup import EMPTY
from content.html.openapi_requests import request_form, takes_requests
from content.html.rendering import Options
from content.html.words import document_words
from content.json_types import JsonObject, values_in
from content.openapi.servers import origin_of, server_addresses
from published import answers, visits
from published.assets import REQUEST_PANEL, script
from published.html.requests import RequestPage, render_request_page
from published.html.view import Link
from published.look import Look, site_view
from published.page_actions import OWN
from published.visits import Visit
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.published.pages import PublishedPage, read_published_page
from resolvers.specifications.shown import SHOWN

REQUEST = f"{OWN}/request"


def requests_address(look: Look, space_id: str, path: str) -> str:
    """Where requests of the operations on a page are sent from, as `Options.requests` wants it; ""
    for previews, whose addresses open what nobody else may see."""
    if look.content.is_preview or look.content.signed:
        return ""
    return f"{look.addresses.spaces[space_id]}/{REQUEST}?page={quote(path, safe='')}"


async def request_page(ctx: Context, visit: Visit, look: Look) -> Response:
    """The page of an operation that a page shows; NotFound for others, as for other servers."""
    content = look.content
    if content.is_preview or content.signed:
        raise NotFound("previews send no requests")
    parameters = dict(reversed(visits.pairs(visit.query)))
    page = await read_published_page(
        ctx, content.space, parameters.get("page", ""), content.shown_revision
    )
    extract = _shown_operation(page, parameters)
    if extract is None or not takes_requests(extract):
        raise NotFound("the page shows no such operation, or it takes no requests")
    servers = server_addresses(extract.get("servers"))
    server = parameters.get("server", "")
    if server and server not in servers:
        raise NotFound("the specification names no such server")
    return await asyncio.to_thread(_answer, look, page, extract, servers, server)


def _answer(
    look: Look, page: PublishedPage, extract: Mapping[str, Any], servers: list[str], server: str
) -> Response:
    options = Options(words=document_words(look.words.language))
    fields = {"page": page.page.path, "spec": extract["spec"], "path": extract["path"],
              "method": extract["method"]}  # fmt: skip
    module = script(look.addresses.root, REQUEST_PANEL)
    shown = RequestPage(
        method=str(extract["method"]).upper(),
        path=str(extract["path"]),
        action=f"{look.addresses.spaces[page.page.space_id]}/{REQUEST}",
        fields=list(fields.items()),
        servers=servers,
        server=server,
        form=request_form(dict(extract), server, options) if server else EMPTY,
        back=Link(page.page.title, look.addresses.page(page.page.space_id, page.page.path)),
        script=module,
    )
    html = render_request_page(site_view(look), shown, options.words.requests)
    response = answers.page(html)
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Content-Security-Policy"] = answers.request_policy(
        look.script.digest, module.digest, origin_of(server)
    )
    return response


def _shown_operation(page: PublishedPage, parameters: Mapping[str, str]) -> JsonObject | None:
    """The extract of an operation that a page shows, with the name of its specification."""
    names = {name: parameters.get(name, "") for name in ("spec", "path", "method")}
    for data in _operations([page.document, *page.space.contents.values()]):
        shown = data.get(SHOWN)
        spec = text_of(object_of(data, "ref"), "spec")
        if not isinstance(shown, dict) or spec != names["spec"]:
            continue
        if shown.get("path") == names["path"] and shown.get("method") == names["method"]:
            return {**shown, "spec": spec}
    return None


def _operations(documents: list[JsonObject]) -> Iterable[JsonObject]:
    """The data of the blocks of operations."""
    for value in values_in(documents):
        if isinstance(value, dict) and value.get("type") == "openapi-operation":
            yield data_of(value)
