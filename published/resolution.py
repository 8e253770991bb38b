"""Where the address of a visit leads, with the first of the visitor's tokens that is good."""

from published.visits import Visit
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.published.audiences import Credentials
from resolvers.published.urls import PublishedContent, PublishedRedirect, resolve_published
from resolvers.published.visitor_tokens import VisitorRefused


async def resolve_visit(
    ctx: Context, visit: Visit
) -> tuple[PublishedContent | PublishedRedirect, str | None]:
    """Where the address leads, and the token that was taken: the first that holds."""
    url = f"{visit.url}?{visit.query}" if visit.query else visit.url
    candidates = [visit.given_token] if visit.given_token else list(visit.tokens)
    for token in candidates:
        try:
            return await _resolve(ctx, url, visit, token), token
        except VisitorRefused:
            if visit.given_token is not None:
                raise
    return await _resolve(ctx, url, visit, None), None


async def _resolve(
    ctx: Context, url: str, visit: Visit, token: str | None
) -> PublishedContent | PublishedRedirect:
    return await read(ctx, resolve_published, url, Credentials(token, visit.claims))
