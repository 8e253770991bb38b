"""Paths of sections and site spaces: which are allowed, and where each leads (docs/sites.md).

Paths are compared as keys: folded, from the root of the site.
"""

from collections.abc import Iterable, Mapping, Sequence

from content.errors import SlugError
from content.slugs import (
    RESERVED_FIRST_SEGMENTS,
    check_slug,
    slug_from_title,
    slug_key,
    unique_slug,
)
from db.models.sites import SiteSection, SiteSpace
from resolvers.core.errors import Conflict, invalid, invalid_at

Located = SiteSection | SiteSpace
# First segments of a published site that are not paths of what stands on it.
RESERVED = RESERVED_FIRST_SEGMENTS | {"v"}


def check_path(path: str, others: Iterable[Located], kind: str) -> None:
    """Raise Invalid for a path that is not one slug, Conflict for one that another has."""
    with invalid_at("path", SlugError, without="slug: "):
        check_slug(path)
    key = slug_key(path)
    if key in RESERVED:
        raise invalid(
            "path",
            f"{path!r} is reserved; the reserved paths are {', '.join(sorted(RESERVED))}",
        )
    if any(slug_key(other.path) == key for other in others):
        raise Conflict(f"path: {path!r} is taken by another {kind}")


def free_path(title: str, siblings: Iterable[Located]) -> str:
    """A path from a title that no sibling has."""
    paths = {slug_key(sibling.path) for sibling in siblings} | RESERVED
    return unique_slug(slug_from_title(title), paths)


def standing(
    sections: Iterable[SiteSection], spaces: Iterable[SiteSpace]
) -> dict[str, tuple[str | None, str]]:
    """By id, what says where each stands: moving a section does not move its spaces."""
    places = {
        site_space.id: (site_space.section_id, slug_key(site_space.path)) for site_space in spaces
    }
    return places | {section.id: (None, slug_key(section.path)) for section in sections}


def live_keys(
    sections: Iterable[SiteSection],
    under: Mapping[str | None, Sequence[SiteSpace]],
    root: str | None,
) -> dict[str, Located]:
    """The section or site space at each key; a section wins over a space.

    `under` has the site spaces by section, and `root` is the section whose spaces also stand
    directly below the root of the site: the default one; None on a flat site.
    """
    located: dict[str, Located] = {
        slug_key(site_space.path): site_space for site_space in under.get(root, ())
    }
    for section in sections:
        key = slug_key(section.path)
        located[key] = section
        for site_space in under.get(section.id, ()):
            located[f"{key}/{slug_key(site_space.path)}"] = site_space
    return located
