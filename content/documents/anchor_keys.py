"""Which heading of a page a link means that says its anchor in no known spelling.

Programs make anchors of headings in ever new ways: with capitals, with hyphens between letters and
digits (`conv-2-d`), without a limit of length. What they have in common are the letters and digits
of the heading in their order: those are the key of an anchor. Exact names always come first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# Generated anchors have at most 100 characters, but for the number behind them.
_WHOLE = 95
# So much of a longer one has to be the same.
_BEGINNING = 45
# No more of a name is read.
_NAME_LIMIT = 1000
# GitHub has it before all names.
_PREFIX = "usercontent"


def anchor_key(name: str) -> str:
    """Letters and digits of a name without regard to case; empty for a name without any."""
    folded = unicodedata.normalize("NFKC", name[:_NAME_LIMIT]).casefold()
    key = "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")
    return key.removeprefix(_PREFIX) or key


class AnchorNames:
    """The names that lead to places of one page."""

    __slots__ = ("_cut", "_keys", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        """`names` in the order of the page: of two with one key the first is meant."""
        self._names = dict.fromkeys(names)
        # Made when a name is looked for that is not there.
        self._keys: dict[str, str] | None = None
        self._cut: dict[str, str] = {}

    def find(self, name: str) -> str | None:
        """The name that leads to the place that `name` means; None for none."""
        if name in self._names:
            return name
        if self._keys is None:
            self._keys = {}
            for known in self._names:
                key = anchor_key(known)
                self._keys.setdefault(key, known)
                if len(known) >= _WHOLE:
                    self._cut.setdefault(key[:_BEGINNING], known)
        key = anchor_key(name)
        if not key:
            return None
        return self._keys.get(key) or (self._cut.get(key[:_BEGINNING]) if len(name) > 100 else None)


def meant_by_links(linked: Iterable[str], known: Iterable[str]) -> dict[str, list[str]]:
    """The names in `linked` that are not `known` but mean one that is: by that name."""
    names = AnchorNames(known)
    meant: dict[str, list[str]] = {}
    for name in dict.fromkeys(linked):
        found = names.find(name)
        if found is not None and found != name:
            meant.setdefault(found, []).append(name)
    return meant
