"""Addresses on a published site, as the reader of one request reaches it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlsplit

from content.links.published_urls import SEGMENT_SAFE
from published.visits import Visit
from resolvers.addresses.hosts import OWN_ROOT
from resolvers.published.frames import SiteFrame
from resolvers.published.paths import SiteMap
from resolvers.published.urls import PublishedContent


@dataclass(frozen=True, slots=True)
class Addresses:
    """Paths of a site's spaces, without a slash at the end, below the root of the host.

    `full` are those with all that is left out of defaults, for pages whose short address is that
    of a section or of another site space.
    """

    root: str
    spaces: Mapping[str, str]
    # That of the site, with scheme and host, for canonical links.
    canonical: str
    # The same as this reader may hand it on: with what is signed in their address.
    reached: str
    # The paths of the spaces as they are outside of previews.
    published: Mapping[str, str]
    full: Mapping[str, str]
    # Site spaces by space.
    site_spaces: Mapping[str, Any]
    map: SiteMap

    def page(self, space_id: str, path: str, anchor: str = "", *, published: bool = False) -> str:
        """The path of a page; the landing page has an empty one. In a preview the pages of its
        space are in it, unless that of the `published` page is wanted.
        """
        base = (self.published if published else self.spaces)[space_id]
        site_space = self.site_spaces.get(space_id)
        here = base == self.published[space_id]
        if (
            path
            and here
            and site_space is not None
            and self.map.is_covered(site_space, path.split("/"))
        ):
            base = self.full[space_id]
        end = f"#{quote(anchor)}" if anchor else ""
        return f"{base}/{quote(path)}{end}" if path else f"{base or '/'}{end}"

    def complete(self, path: str) -> str:
        """The canonical address, with scheme and host, of a path outside of previews."""
        return self.canonical + path.removeprefix(self.root)

    def absolute(self, path: str) -> str:
        """The address of a path, with scheme and host, as the reader has come here."""
        return self.reached + path.removeprefix(self.root)

    def outside(self) -> "Addresses":
        """The addresses outside of previews, for lists of what is published."""
        return replace(self, spaces=self.published, reached=self.canonical)

    def canonical_page(self, space_id: str, path: str) -> str:
        """The canonical address, with scheme and host, of a page in the primary content."""
        return self.complete(self.page(space_id, path, published=True))


def addresses_of(visit: Visit, content: PublishedContent, frame: SiteFrame) -> Addresses:
    """The addresses for the visit that led to `content`."""
    root = _reached(content.site_base_path, visit, frame)
    spaces, full, site_spaces = {}, {}, {}
    for row in frame.map.structure.site_spaces:
        segments = frame.map.path_of(None, row.id)
        if segments is not None:
            spaces[row.space_id] = root + _below(segments)
            full[row.space_id] = root + _below(frame.map.full_path(row))
            site_spaces[row.space_id] = row
    published = dict(spaces)
    if content.is_preview:
        # Links within a preview stay in it.
        spaces[content.space] = _reached(content.base_path, visit, frame)
    return Addresses(
        root, spaces, content.canonical_root, content.reached_root, published, full, site_spaces,
        frame.map,
    )  # fmt: skip


def _below(segments: Iterable[str]) -> str:
    return "".join(f"/{quote(segment, safe=SEGMENT_SAFE)}" for segment in segments)


def _reached(path: str, visit: Visit, frame: SiteFrame) -> str:
    """A path of the site as readers see it: a proxy may have another one in front."""
    origin, forwarded = frame.site.proxy_origin, visit.forwarded_host
    if origin and forwarded:
        host, _, prefix = origin.partition("/")
        own = f"/{OWN_ROOT}/{frame.site.id}"
        if forwarded.lower() == host.lower() and path.startswith(own):
            return f"/{prefix}{path.removeprefix(own)}".rstrip("/")
    return path.rstrip("/")


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
