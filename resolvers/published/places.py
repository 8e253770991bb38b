"""Which space an address of a published site belongs to, for the viewer (docs/sites.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

from content.links.published_urls import PublishedUrl
from resolvers.addresses.hosts import find_site
from resolvers.core.context import Context
from resolvers.published.paths import read_site_map


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A space, and the segments that stand behind it in the address."""

    space_id: str
    rest: Sequence[str]


async def find_place(ctx: Context, url: PublishedUrl) -> FoundPlace | None:
    """The space that an address leads to, as far as the viewer may see it; None without one."""
    match = await find_site(ctx, url)
    if match is None:
        return None
    depth = match.depth + (match.share_key is not None)
    map = await read_site_map(ctx, match.site)
    place = map.place(url.keys[depth:])
    if place is None:
        return None
    return FoundPlace(place.site_space.space_id, url.segments[depth + place.depth :])
