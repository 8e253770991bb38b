"""Who may preview change requests and revisions on a published site: the one rule.

A setting of the site says it, for sites that everybody may read; on others nobody may. Numbers of
change requests can be guessed, so a member opens a draft to whoever has a signed address
(resolvers/published/preview_tokens.py), unless the site's people have opened all of them to
anybody.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from db.enums import SitePreviews, SiteVisibility

# Sites that everybody with the address may read.
OPEN = (SiteVisibility.PUBLIC, SiteVisibility.UNLISTED)


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft in a preview: a change request, with its newest revision, or a revision."""

    change_request_id: str | None = None
    revision_id: str | None = None


NOTHING = Draft()


def previews_of(site: Any) -> SitePreviews:
    """Who may preview drafts of a site, a row with `visibility` and `previews`."""
    return site.previews if site.visibility in OPEN else SitePreviews.NOBODY


def spaces_for_anybody(site: Any, space_ids: Collection[str]) -> frozenset[str]:
    """Those of the spaces whose change requests and revisions anybody may preview."""
    return frozenset(space_ids if previews_of(site) is SitePreviews.ANYBODY else ())


def opened(site: Any, shown: Draft, invited: Draft) -> Draft:
    """The draft that a visitor may read whose address shows `shown`, and who was given `invited`
    by a member.
    """
    rule = previews_of(site)
    if rule is SitePreviews.NOBODY:
        return NOTHING
    return shown if rule is SitePreviews.ANYBODY and invited == NOTHING else invited
