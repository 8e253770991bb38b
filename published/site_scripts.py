"""Scripts that integrations add to the pages of a site.

They run with the origin of the site. So they are on pages of a site's own host names only: on the
host of the service people are signed in, and a script there could act for them. No preview has any.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from published.html.view import SiteScripts
from published.look import Look
from published.policies import sources_of
from resolvers.core.context import Context
from resolvers.integrations.fields import scripts_by_site

# Scripts of one site.
MOST_SCRIPTS = 10


@dataclass(frozen=True, slots=True)
class AddedScripts:
    """The scripts of a page, and the sources that they add to its policy, by directive."""

    shown: SiteScripts | None = None
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)


NONE = AddedScripts()


async def read_site_scripts(ctx: Context, look: Look, origin: str, public_url: str) -> AddedScripts:
    """The scripts of the site of a page that was asked for at `origin`."""
    content = look.content
    own, service = _host_of(origin), _host_of(public_url)
    if content.is_preview or content.signed or own == service or not own:
        return NONE
    rows = (await scripts_by_site(ctx, [content.site])).get(content.site, ())
    scripts = [row for row in rows if _may_be_named(row.script)][:MOST_SCRIPTS]
    if not scripts:
        return NONE
    plain = public_url.startswith("http:")
    policies = [row.content_security_policy or "" for row in scripts]
    sources = sources_of(policies, frozenset({own, service}), plain=plain)
    own_sources = [row.script for row in scripts]
    sources["script-src"] = [*own_sources, *sources.get("script-src", ())]
    shown = SiteScripts(
        tuple((row.script, row.cookies) for row in scripts), f"{look.addresses.root}/"
    )
    return AddedScripts(shown, sources)


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _may_be_named(address: str) -> bool:
    """Whether a policy can name an address as it is."""
    return re.fullmatch(r"https?://[A-Za-z0-9._~:/\[\]%-]+", address) is not None
