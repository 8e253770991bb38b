"""The question where the address of a published site leads, as clients ask it."""

from typing import Annotated, Any

import strawberry
from strawberry import Maybe

from resolvers.access.content_tokens import AFTER_MIDNIGHT, expiry
from resolvers.access.versions import ADDRESSES, Lasting, read_versions
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.scalars import JsonObject
from resolvers.published.audiences import Credentials
from resolvers.published.urls import PublishedContent, Resolution, resolve_published
from resolvers.published.visitors import as_visitor

PublishedAddress = Annotated[
    str, inputs.argument("Address of a published site, at most 2,048 characters.")
]
VisitorToken = Annotated[
    str | None, inputs.argument("The visitor's JWT, signed with the key of the site (HS256).")
]
UnsignedClaims = Annotated[
    JsonObject | None, inputs.argument("What is said of the visitor without a signature.")
]
RedirectOnError = Annotated[
    bool,
    inputs.argument("Send a visitor with a wrong token where there is another, as one without."),
]


@strawberry.input(description="What is known of a visitor.")
class SiteVisitorInput:
    jwt_token: Maybe[str | None] = inputs.text(
        "The visitor's JWT, signed with the key of the site (HS256)."
    )
    unsigned_claims: Maybe[JsonObject | None] = inputs.field(
        "What is said of the visitor without a signature."
    )


CACHE_BUST = 1024
# Spaces of a site are versions to ask for, each time.
MOST_SUBJECTS = 50


@strawberry.input(description="The address of a published site, and who wants to read there.")
class ResolvePublishedUrlInput:
    url: str = inputs.field("The address, at most 2,048 characters.", required=True)
    redirect_on_error: Maybe[bool] = inputs.field(
        "Send a visitor with a wrong token where there is another, as one without; false when "
        "absent."
    )
    visitor: Maybe[SiteVisitorInput | None] = inputs.field("The visitor.")
    cache_bust: Maybe[str | None] = inputs.text(
        "Anything that makes the request another one for caches in between; changes nothing.",
        max=CACHE_BUST,
    )


@operation(open_to_all=True)
async def get_published_site(
    ctx: Context,
    url: PublishedAddress,
    visitor_token: VisitorToken = None,
    unsigned_claims: UnsignedClaims = None,
    redirect_on_error: RedirectOnError = False,
) -> Resolution:
    """What an address of a published site leads to for a visitor: content, with a token to read
    it, or another address. Old paths lead on as `siteRedirectBySource` says; where nothing leads
    on, whether there is such a page is not looked at.

    BadRequest for what is no address, NotFound where nothing is published for the visitor,
    Forbidden (with a `reason`) without a valid token where the site needs one.
    """
    return await resolve_published(
        ctx, url, Credentials(visitor_token, unsigned_claims or {}, None, None, redirect_on_error)
    )


@operation(open_to_all=True)
async def resolve_published_url(ctx: Context, input: ResolvePublishedUrlInput) -> Resolution:
    """What an address of a published site leads to for a visitor: content, with a token to read
    it, or another address. Old paths lead on, unless a page is there; where nothing leads on,
    whether there is such a page is not looked at.
    """
    visitor = inputs.given(input.visitor, None)
    token = unsigned = None
    if visitor is not None:
        token = inputs.given(visitor.jwt_token, None)
        unsigned = inputs.given(visitor.unsigned_claims, None)
    redirects = inputs.given(input.redirect_on_error, False)
    return await get_published_site(ctx, input.url, token, unsigned, redirects)


async def lasts(ctx: Context, row: Resolution) -> Lasting | None:
    """Until when an address leads there; None where that follows from more than versions.

    Equal requests get equal tokens until midnight. The token of a visitor may end before.
    """
    if not isinstance(row, PublishedContent) or row.is_preview or row.signed or row.by_token:
        return None
    if row.expires != expiry(ctx.now(), None, claims=False):
        return None
    subjects = {ADDRESSES, row.site, *row.visitor.space_ids}
    if len(subjects) > MOST_SUBJECTS:
        return None
    return Lasting(await read_versions(ctx, subjects), (row.expires - AFTER_MIDNIGHT).timestamp())


def reading_as_visitor(ctx: Context, row: PublishedContent) -> Any:
    """The request as the visitor makes it who asked for this content."""
    return as_visitor(ctx, row.visitor)
