"""Files whose paths differ only in case or Unicode composition: pages may not, all others may."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator

from content.errors import CaseConflictError
from content.slugs import slug_key

# Pairs that an error names.
MOST_PAIRS = 50


def case_twins(paths: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of paths that differ only in case or Unicode composition: each path with the first of
    its kind, in their order."""
    seen: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    for path in sorted(paths):
        first = seen.setdefault(slug_key(path), path)
        if first != path:
            pairs.append((first, path))
    return pairs


def refuse_case_twins(pages: Iterable[str]) -> None:
    """Raise `CaseConflictError`, with all pairs, when paths of pages differ only in case or Unicode
    composition: their addresses would be the same. Other files may, for they go by exact names."""
    pairs = case_twins(pages)
    if not pairs:
        return
    named = [f"'{first}' and '{second}'" for first, second in pairs[:MOST_PAIRS]]
    more = len(pairs) - len(named)
    listed = "; ".join([*named, *([f"and {more} more pairs"] if more else [])])
    files = "one" if len(pairs) == 1 else "one of each pair"
    raise CaseConflictError(f"{listed} {_difference(pairs)}; rename {files}")


def _difference(pairs: Iterable[tuple[str, str]]) -> str:
    # Shown, they look the same.
    same = any(unicodedata.normalize("NFC", path) == unicodedata.normalize("NFC", twin)
               for path, twin in pairs)  # fmt: skip
    composed = ", or in whether their letters are composed (NFC) or not (NFD)" if same else ""
    return f"differ only in upper and lower case{composed}"


def twins_of_pages(pages: Collection[str], paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each path that is no page and differs from that of a page only in case or Unicode
    composition, with the path of the page."""
    page_at = {slug_key(page): page for page in pages}
    own = frozenset(pages)
    for path in paths:
        page = page_at.get(slug_key(path))
        if page is not None and path not in own:
            yield path, page
