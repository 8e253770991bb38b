"""The tools of the MCP server of a site: search, read a page, list pages (docs/sites.md).

Whatever they show is read as the visitor whose request it is. Pages are resources, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from content.links.published_urls import MARKDOWN_END
from db.site_enums import PublishedTarget
from published.html.machine import ListedPage
from published.listed_pages import listed_pages
from published.look import Look
from published.mcp.messages import INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError
from published.result_pages import PAGES as PAGES_OF_SPACE, SPACES
from published.search import find_results
from published.texts import published_markdown
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound, RateLimited
from resolvers.core.runners import read
from resolvers.published.audiences import Credentials
from resolvers.published.frames import read_site_frame
from resolvers.published.lists import for_assistants, list_pages
from resolvers.published.texts import read_published_text
from resolvers.published.urls import PublishedContent, resolve_published
from resolvers.published.visitors import as_visitor
from resolvers.search.operations import QUERY_LENGTH

Json = Mapping[str, Any]
# Pages of one list, results of one search, characters of a page in one answer, of an address.
PAGES, RESULTS, CHARACTERS, URL_LENGTH = 100, 20, 100_000, 2_048
# Redirects that are followed from an address to its page.
HOPS = 3
MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls a tool: the request of nobody, the same as the visitor, and the site."""

    nobody: Context
    visitor: Context
    look: Look
    credentials: Credentials
    # The look of other content of the same site.
    look_of: Callable[[PublishedContent, Any], Look]


class ToolError(Exception):
    """What a model is told, so that it can ask in another way."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """An argument of a tool: its JSON Schema, and whether it has to be there."""

    schema: Json
    required: bool = False

    def check(self, name: str, value: Any) -> None:
        """ToolError for a value that the schema does not allow."""
        if self.schema["type"] == "integer":
            low, high = self.schema["minimum"], self.schema["maximum"]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ToolError(f"{name}: must be an integer from {low} to {high}")
            return
        longest = self.schema["maxLength"]
        if not isinstance(value, str) or not 1 <= len(value) <= longest:
            raise ToolError(f"{name}: must be a text of 1 to {longest} characters")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: how it is described, and the function that answers it with a result."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, _Argument]
    call: Callable[..., Awaitable[Json]]
    output: Json | None = None

    def described(self) -> Json:
        """The tool as `tools/list` has it."""
        schema = {
            "type": "object",
            "properties": {name: argument.schema for name, argument in self.arguments.items()},
            "required": [name for name, argument in self.arguments.items() if argument.required],
            "additionalProperties": False,
        }
        tool = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": {
                "title": self.title,
                "readOnlyHint": True,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }
        return tool if self.output is None else {**tool, "outputSchema": self.output}

    def checked(self, values: Any) -> Json:
        """The arguments of a call; ToolError names what is wrong with one."""
        if not isinstance(values, dict):
            raise ToolError("arguments: must be an object")
        for name in values:
            if name not in self.arguments:
                allowed = ", ".join(self.arguments)
                raise ToolError(f"{name[:100]}: is unknown; allowed are {allowed}")
        for name, argument in self.arguments.items():
            if name in values:
                argument.check(name, values[name])
            elif argument.required:
                raise ToolError(f"{name}: is required")
        return values


async def call_tool(caller: Caller, name: Any, arguments: Any) -> Json:
    """The result of a call; what is wrong with its arguments is part of it, for the model."""
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise RpcError(INVALID_PARAMS, f"name: there is no such tool; there are {', '.join(TOOLS)}")
    try:
        return await tool.call(caller, **tool.checked({} if arguments is None else arguments))
    except RateLimited:
        raise
    except ToolError as error:
        return {"content": [_text(str(error))], "isError": True}
    except ApiError as error:
        return {"content": [_text(error.message)], "isError": True}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


# ------------------------------------------------------------------ the tools


async def _search(caller: Caller, query: str, limit: int = 10) -> Json:
    if not query.strip():
        raise ToolError("query: must have a word in it")
    groups = await find_results(caller.visitor, caller.look, query, SPACES, PAGES_OF_SPACE)
    addresses = caller.look.addresses
    results = [
        {
            "title": result.hit.title,
            "url": addresses.absolute(
                addresses.page(result.hit.page.space_id, result.hit.path, published=True)
            ),
            "section": title,
            "excerpt": result.sections[0].body if result.sections else result.hit.description,
        }
        for title, results in groups
        for result in results
    ][:limit]
    lines = [
        f"- [{_label(result['title'])}]({result['url']})\n  {' '.join(result['excerpt'].split())}"
        for result in results
    ]
    text = "\n".join(lines) or "Nothing was found. Try other or fewer words."
    return {"content": [_text(text)], "structuredContent": {"results": results}}


def _label(text: str) -> str:
    return " ".join(text.split()).replace("[", "\\[").replace("]", "\\]")


async def _get_page(caller: Caller, url: str, offset: int = 0) -> Json:
    markdown, address = await _page_text(caller, url)
    end = offset + CHARACTERS
    if offset and offset >= len(markdown):
        raise ToolError(f"offset: the page has {len(markdown)} characters")
    content = [_text(markdown[offset:end])]
    if end < len(markdown):
        rest = f"The page goes on: call getPage with the offset {end}."
        content.append(_text(rest))
    return {"content": content, "_meta": {"url": address}}


async def _list_pages(caller: Caller, cursor: str | None = None) -> Json:
    pages, following = await _listed(caller, cursor)
    listed = [
        {"title": page.title, "url": page.href, "description": page.description} for page in pages
    ]
    lines = [
        f"- [{_label(page.title)}]({page.href})"
        + (f": {' '.join(page.description.split())}" if page.description else "")
        for page in pages
    ]
    if following is not None:
        lines.append(f"\nThere are more: call listPages with the cursor {following}.")
    structured: dict[str, Any] = {"pages": listed}
    if following is not None:
        structured["nextCursor"] = following
    return {"content": [_text("\n".join(lines))], "structuredContent": structured}


async def _listed(caller: Caller, cursor: str | None) -> tuple[list[ListedPage], str | None]:
    """Some pages that assistants get links to, and the cursor behind them."""
    start = 0
    if cursor is not None:
        if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
            raise ToolError("cursor: must be the nextCursor of an answer")
        start = int(cursor)
    everything = await list_pages(caller.visitor, caller.look.frame, for_assistants)

    def write() -> tuple[list[ListedPage], int]:
        total = 0
        some: list[ListedPage] = []
        for space in everything:
            first = max(0, start - total)
            total += len(space.pages)
            if len(some) < PAGES and first < len(space.pages):
                some += listed_pages(caller.look, space, first, first + PAGES - len(some))
        return some, total

    pages, total = await asyncio.to_thread(write)
    end = start + len(pages)
    return pages, str(end) if pages and end < total else None


async def _page_text(caller: Caller, url: str) -> tuple[str, str]:
    """The Markdown of the page at an address, and its address; NotFound where there is none."""
    try:
        target = urlsplit(url)
    except ValueError as error:
        raise ToolError(f"url: is no address: {error}") from error
    path = target.path.removesuffix(MARKDOWN_END)
    if target.scheme or target.netloc:
        address = f"{target.scheme}://{target.netloc}{path}"
    else:
        address = f"{caller.look.addresses.reached}/{path.lstrip('/')}"
    for _ in range(HOPS):
        resolution = await read(caller.nobody, resolve_published, address, caller.credentials)
        if isinstance(resolution, PublishedContent):
            break
        if resolution.target is not PublishedTarget.CONTENT:
            raise NotFound("this address leads to another site")
        address = resolution.redirect.removesuffix(MARKDOWN_END)
    else:
        raise NotFound("this address leads on and on")
    if resolution.site != caller.look.content.site:
        raise NotFound("this address is of another site")
    visitor = as_visitor(caller.nobody, resolution.visitor)
    frame = await read(visitor, read_site_frame, resolution)
    look = caller.look_of(resolution, frame)
    shown = await read(
        visitor, read_published_text, resolution.space, resolution.pathname,
        resolution.shown_revision,
    )  # fmt: skip
    text = await asyncio.to_thread(published_markdown, shown, look.addresses)
    own = look.addresses.page(resolution.space, shown.page.path)
    return text, look.addresses.absolute(own)


# ------------------------------------------------------------------ pages as resources


async def list_resources(caller: Caller, params: Json) -> Json:
    """The pages as resources, by their addresses."""
    cursor = params.get("cursor")
    if cursor is not None and not isinstance(cursor, str):
        raise RpcError(INVALID_PARAMS, "cursor: must be a text")
    try:
        pages, following = await _listed(caller, cursor)
    except ToolError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from error
    resources = [
        {"uri": page.href, "name": page.title, "title": page.title, "mimeType": MARKDOWN}
        | ({"description": page.description} if page.description else {})
        for page in pages
    ]
    return {"resources": resources} | ({} if following is None else {"nextCursor": following})


async def read_resource(caller: Caller, params: Json, *, modern: bool) -> Json:
    """A page as a resource, its first characters."""
    uri = params.get("uri")
    if not isinstance(uri, str) or not 1 <= len(uri) <= URL_LENGTH:
        raise RpcError(INVALID_PARAMS, f"uri: must be a text of 1 to {URL_LENGTH} characters")
    try:
        text, _ = await _page_text(caller, uri)
    except RateLimited:
        raise
    except ToolError as error:
        raise RpcError(INVALID_PARAMS, str(error)) from error
    except ApiError as error:
        code = INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
        raise RpcError(code, error.message, {"uri": uri}) from error
    return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text[:CHARACTERS]}]}


_URL = {"type": "string", "format": "uri"}
_TEXT = {"type": "string"}
_RESULT = {
    "type": "object",
    "properties": {"title": _TEXT, "url": _URL, "section": _TEXT, "excerpt": _TEXT},
    "required": ["title", "url", "section", "excerpt"],
}
_PAGE = {
    "type": "object",
    "properties": {"title": _TEXT, "url": _URL, "description": _TEXT},
    "required": ["title", "url", "description"],
}


def _array(name: str, items: Json, **others: Json) -> Json:
    properties = {name: {"type": "array", "items": items}, **others}
    return {"type": "object", "properties": properties, "required": [name]}


def _words(description: str, longest: int, *, required: bool = False) -> _Argument:
    schema = {
        "type": "string", "description": description, "minLength": 1, "maxLength": longest,
    }  # fmt: skip
    return _Argument(schema, required)


def _number(description: str, low: int, high: int, default: int) -> _Argument:
    return _Argument(
        {
            "type": "integer",
            "description": description,
            "minimum": low,
            "maximum": high,
            "default": default,
        }
    )


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "searchDocumentation",
            "Search the documentation",
            "Finds pages of this documentation by words, best first, with an excerpt of each.",
            {
                "query": _words("Words, and phrases in quotes.", QUERY_LENGTH, required=True),
                "limit": _number("How many pages at most.", 1, RESULTS, 10),
            },
            _search,
            _array("results", _RESULT),
        ),
        Tool(
            "getPage",
            "Read a page",
            "Gives a page of this documentation as Markdown.",
            {
                "url": _words(
                    "Address of the page, as search and lists have it, or its path on the site.",
                    URL_LENGTH,
                    required=True,
                ),
                "offset": _number("Where in a long page to go on, in characters.", 0, 10**8, 0),
            },
            _get_page,
        ),
        Tool(
            "listPages",
            "List the pages",
            f"Lists the pages of this documentation in their order, {PAGES} at a time.",
            {"cursor": _words("Where to go on: nextCursor of the answer before.", 20)},
            _list_pages,
            _array("pages", _PAGE, nextCursor=_TEXT),
        ),
    )
}
