"""Keys of the map that finds pages by parent and slug."""

from __future__ import annotations

from content.slugs import slug_key


def child_key(parent_id: str | None, slug: str | None, page_id: str) -> str:
    """The key of a page in the map of children."""
    return f"{parent_id or ''}/{slug_key(slug) if slug is not None else ':' + page_id}"
