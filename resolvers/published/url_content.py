"""The content at a URL of this server or of a published site, for those who may read it.

Addresses that people work with, those of objects in /v1, and those of readers are understood. The
host decides which it can be; scheme and port do not matter (docs/sites.md, "Other addresses").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry

from content.errors import PublishedUrlError
from content.links.published_urls import MAX_URL_LENGTH, read_published_url
from db.models.change_requests import ChangeRequest
from db.models.spaces import Collection, Space
from resolvers.access.policy import must
from resolvers.addresses.app import MARK
from resolvers.addresses.hosts import Base
from resolvers.change_requests.operations import get_change_request
from resolvers.content.pages import get_page, get_page_by_path
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, NotFound, invalid_at
from resolvers.core.policy_asked import policy_was_asked
from resolvers.published.places import find_place
from resolvers.revisions.rows import Page

ContentUrl = Annotated[
    str,
    inputs.argument(
        "Address of a collection, a space, a change request or a page: for people, in "
        "/v1, or on a published site."
    ),
]


@dataclass(frozen=True, slots=True)
class ContentAtUrl:
    """A collection; or a space, perhaps with a change request and a page of it."""

    collection: Collection | None = None
    space: Space | None = None
    change_request: ChangeRequest | None = None
    page: Page | None = None


async def get_content_by_url(ctx: Context, url: ContentUrl) -> ContentAtUrl:
    """The collection, space, change request or page that an address leads to.

    Not found when it leads nowhere, or to what you may not see.
    """
    policy_was_asked()
    if len(url) > MAX_URL_LENGTH:
        raise BadRequest(f"url: has more than {MAX_URL_LENGTH} characters")
    with invalid_at("url", PublishedUrlError):
        published = read_published_url(url)
    own = Base.of(ctx).own_path(published)
    content = None if own is None else await _on_this_server(ctx, own)
    if content is None:
        place = await find_place(ctx, published)
        content = None if place is None else await _in_space(ctx, place.space_id, place.rest)
    if content is None:
        raise NotFound("url: leads to no content that you can see")
    return content


async def _on_this_server(ctx: Context, segments: Sequence[str]) -> ContentAtUrl | None:
    """The content at a path of this server; None for other paths."""
    match segments:
        case ["o", _, ("s" | "c"), *_]:
            return await _on_this_server(ctx, segments[2:])
        case ["c", id]:
            return ContentAtUrl(collection=await must(ctx, Collection, id))
        case ["s", id, *rest]:
            return await _in_space(ctx, id, rest)
        case ["v1", "collections", id]:
            return ContentAtUrl(collection=await must(ctx, Collection, id))
        case ["v1", "spaces", id, *rest]:
            return await _in_api(ctx, id, rest)
    return None


async def _in_space(ctx: Context, space_id: str, segments: Sequence[str]) -> ContentAtUrl:
    """A space, with the preview and the page that the rest of the path names."""
    space = await must(ctx, Space, space_id)
    request = None
    revision_id = None
    rest = list(segments)
    if len(rest) >= 3 and rest[0] == MARK and rest[1] == "changes":
        request = await get_change_request(ctx, _id(space_id), _id(rest[2]))
        rest = rest[3:]
    elif len(rest) >= 3 and rest[0] == MARK and rest[1] == "revisions":
        revision_id = rest[2]
        rest = rest[3:]
    page = None
    if rest or revision_id is not None:
        page = await get_page_by_path(
            ctx,
            _id(space_id),
            "/".join(rest),
            change_request_id=None if request is None else _id(request.id),
            revision_id=None if revision_id is None else _id(revision_id),
        )
    return ContentAtUrl(space=space, change_request=request, page=page if rest else None)


async def _in_api(ctx: Context, space_id: str, segments: Sequence[str]) -> ContentAtUrl | None:
    """A space in /v1, with the change request and the page that the path names."""
    space = await must(ctx, Space, space_id)
    request = None
    rest = list(segments)
    if rest[:1] == ["change-requests"] and len(rest) >= 2:
        request = await get_change_request(ctx, _id(space_id), _id(rest[1]))
        rest = rest[2:]
    if not rest or rest == ["content"]:
        return ContentAtUrl(space=space, change_request=request)
    request_id = None if request is None else _id(request.id)
    match rest:
        case ["content", "page", id]:
            page = await get_page(ctx, _id(space_id), _id(id), change_request_id=request_id)
        case ["content", "path", *path]:
            page = await get_page_by_path(
                ctx, _id(space_id), "/".join(path), change_request_id=request_id
            )
        case _:
            return None
    return ContentAtUrl(space=space, change_request=request, page=page)


def _id(text: str) -> Any:
    return strawberry.ID(text)
