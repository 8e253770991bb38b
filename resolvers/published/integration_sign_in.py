"""Visitors who are signed in by an integration: the key of their tokens, and where these come from.

The integration is one that is installed on the site and has the scope `site:visitor:auth`. It signs
with the secret of its entry for the site.
"""

import re
from typing import Any

from db.site_enums import PublishingAuthBackend
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.installation import Concerns
from resolvers.integrations.environments import Authenticator, authenticator_of_site

MOST_CHARACTERS = 8_192
_ADDRESS = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


async def find_authenticator(ctx: Context, site: Any) -> Authenticator | None:
    """The integration that signs the visitors of a site in; None where the site does that itself,
    or where there is none now."""
    if site.backend is not PublishingAuthBackend.INTEGRATION:
        return None
    return await authenticator_of_site(ctx, site.id, site.integration)


async def visitor_key(ctx: Context, site: Any) -> str:
    """What the tokens of a site's visitors are signed with; "" where no token is good."""
    if site.backend is not PublishingAuthBackend.INTEGRATION:
        return site.private_key or ""
    authenticator = await find_authenticator(ctx, site)
    return "" if authenticator is None else authenticator.key


async def sign_in_by_integration(ctx: Context, site: Any, location: str) -> str | None:
    """Where an integration sends a visitor who wanted to read at this path of the site; None where
    it sends them nowhere, or is not there."""
    authenticator = await find_authenticator(ctx, site)
    if authenticator is None:
        return None
    event = {"type": "fetch_visitor_authentication", "location": location}
    concerns = Concerns(site_id=site.id)
    try:
        answer = await ctx.ask(authenticator.integration_id, event, concerns)
    except ApiError:
        return None
    response = answer.response
    if response is None or response.status not in _REDIRECTS:
        return None
    target = response.header("location")
    whole = len(target) <= MOST_CHARACTERS and _ADDRESS.fullmatch(target) is not None
    return target if whole else None
