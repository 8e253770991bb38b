"""Keys of the map that finds pages by parent and slug."""

from __future__ import annotations

from content.slugs import slug_key


def has_slugs(path: str) -> bool:
    """Whether a path may be one of slugs; what has none has ":" in front of its id in the map."""
    return path != "" and "/:" not in f"/{path}"


def child_key(parent_id: str | None, slug: str | None, page_id: str) -> str:
    """The key of a page in the map of children."""
    return f"{parent_id or ''}/{slug_key(slug) if slug is not None else ':' + page_id}"
