"""What stays the same of a page, a file or a reusable content when its source is imported again.

That is the path of its file. A page without a file is named by its kind and its address. A page
whose file was renamed is recognized by its text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from content.git.space_import import PageImport, SpaceImport
from content.links.meaning import from_root

# Of two texts, the part of the lines that must be the same in both.
SIMILAR = 0.5
_TARGET = re.compile(r"\]\([^()\s]*\)")


@dataclass(frozen=True, slots=True)
class Known:
    """Ids of what an earlier import has made, by the paths in its source."""

    pages: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)


NOTHING = Known()


def page_paths(source: SpaceImport) -> list[tuple[PageImport, str]]:
    """Every page, depth first, with the path that names it; the second of one path has a number."""
    seen: Counter[str] = Counter()
    found: list[tuple[PageImport, str]] = []
    for page in source.walk():
        if page.git_path is not None:
            path = from_root(page.git_path, source.root)
        else:
            path = f"{page.kind}:{page.path}"
        seen[path] += 1
        found.append((page, path if seen[path] == 1 else f"{path}#{seen[path]}"))
    return found


def renamed(texts: Mapping[str, str], pages: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Ids of pages whose files have other paths now, by the new paths.

    `texts` are those of pages whose files are gone, by id; `pages` are new paths, each with the
    text of the page. At least half of the lines have to be the same; the most similar go first.
    """
    lengths: dict[str, int] = {}
    holding: dict[str, list[tuple[str, int]]] = {}
    for id, text in texts.items():
        lines = _lines(text)
        lengths[id] = lines.total()
        for line, count in lines.items():
            holding.setdefault(line, []).append((id, count))
    scores: list[tuple[float, int, str]] = []
    for number, (_, text) in enumerate(pages):
        lines = _lines(text)
        shared: Counter[str] = Counter()
        for line, count in lines.items():
            for id, other in holding.get(line, ()):
                shared[id] += min(count, other)
        length = lines.total()
        for id, same in shared.items():
            score = same / max(length, lengths[id])
            if score >= SIMILAR:
                scores.append((-score, number, id))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, number, id in sorted(scores):
        path = pages[number][0]
        if path not in found and id not in taken:
            found[path] = id
            taken.add(id)
    return found


def _lines(text: str) -> Counter[str]:
    """Lines with words; where their links lead to depends on what else there is."""
    stripped = (_TARGET.sub("]()", line).strip() for line in text.splitlines())
    return Counter(line for line in stripped if line)
