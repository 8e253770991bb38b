"""Which heading of a page a link means that says its anchor in no known spelling.

Programs make anchors of headings in ever new ways: with capitals, with hyphens between letters and
digits (`conv-2-d`), without a limit of length. What they have in common are the letters and digits
of the heading in their order: those are the key of an anchor. Exact names always come first.
Where a heading is of another script, its anchor may be in Latin letters (`an-zhuang` for 安装):
transliterated names come last.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import product

from anyascii import anyascii

# Generated anchors have at most 100 characters, but for the number behind them.
_WHOLE = 95
# So much of a longer one has to be the same.
_BEGINNING = 45
# No more of a name is read.
_NAME_LIMIT = 1000
# GitHub has it before all names.
_PREFIX = "usercontent"
# Systems of transliteration differ in these; both sides are compared without the difference.
_SOUNDS = (("kh", "h"), ("ts", "c"), ("j", "y"), ("lv", "lu"), ("nv", "nu"))
# Ideographs that are read in another way, too; of a name the first ones may be.
_READINGS = {
    "长": "chang", "重": "chong", "行": "hang", "调": "tiao", "还": "huan", "了": "liao",
    "得": "dei", "地": "di", "的": "di", "都": "du", "弹": "tan", "传": "zhuan",
    "降": "xiang", "便": "pian", "系": "ji", "藏": "zang", "乐": "yue", "觉": "jiao",
    "校": "jiao", "朝": "zhao", "角": "jue", "落": "la", "没": "mo", "模": "mu", "塞": "se",
    "什": "shi", "着": "zhuo", "属": "zhu", "称": "chen", "会": "kuai", "给": "ji",
    "率": "shuai", "露": "lou", "扎": "za", "差": "chai", "曾": "zeng",
}  # fmt: skip
_READ_OTHERWISE = 4
# The tag of a place in a heading, where a program has made its anchor of that as well:
# `status-a-idstatusa` for `Status <a id="status"></a>`.
_TAGS = ("aid", "aname")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def anchor_key(name: str) -> str:
    """Letters and digits of a name without regard to case; empty for a name without any."""
    folded = unicodedata.normalize("NFKC", name[:_NAME_LIMIT]).casefold()
    key = "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")
    return key.removeprefix(_PREFIX) or key


def latin_key(name: str) -> str:
    """The key of a name in Latin letters, whatever its script: `anzhuang` for 安装."""
    key = anchor_key(anyascii(name[:_NAME_LIMIT]))
    for spelling, sound in _SOUNDS:
        key = key.replace(spelling, sound)
    return key


class AnchorNames:
    """The names that lead to places of one page."""

    __slots__ = ("_cut", "_keys", "_latin", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        """`names` in the order of the page: of two with one key the first is meant."""
        self._names = dict.fromkeys(names)
        # Made when a name is looked for that is not there.
        self._keys: dict[str, str] | None = None
        self._cut: dict[str, str] = {}
        self._latin: dict[str, str] | None = None

    def find(self, name: str) -> str | None:
        """The name that leads to the place that `name` means; None for none."""
        if name in self._names:
            return name
        if self._keys is None:
            self._keys = {}
            for candidate in self._names:
                key = anchor_key(candidate)
                self._keys.setdefault(key, candidate)
                if len(candidate) >= _WHOLE:
                    self._cut.setdefault(key[:_BEGINNING], candidate)
        key = anchor_key(name)
        if not key:
            return None
        if key in self._keys:
            return self._keys[key]
        if len(name) > 100 and key[:_BEGINNING] in self._cut:
            return self._cut[key[:_BEGINNING]]
        tagged = _name_in_tag(key)
        if tagged and tagged in self._keys:
            return self._keys[tagged]
        return self._find_latin(name) if name.isascii() else None

    def _find_latin(self, name: str) -> str | None:
        if self._latin is None:
            self._latin = {}
            for candidate in self._names:
                if not candidate.isascii():
                    for written in (*_readings(candidate), candidate.translate(_UMLAUTS)):
                        self._latin.setdefault(latin_key(written), candidate)
        return self._latin.get(latin_key(name)) if self._latin else None


def _name_in_tag(key: str) -> str:
    """The key of the name that a tag at the end of a heading says; empty for an anchor without."""
    if not key.endswith("a"):
        return ""
    names = (key[:-1].rpartition(tag)[::2] for tag in _TAGS)
    return next((name for words, name in names if words and name), "")


def _readings(name: str) -> Iterator[str]:
    """A name as it is, then with Latin letters for ideographs that are read otherwise, too."""
    places = [place for place, char in enumerate(name[:_NAME_LIMIT]) if char in _READINGS]
    for otherwise in product((False, True), repeat=len(places[:_READ_OTHERWISE])):
        characters = list(name)
        for place, is_other in zip(places, otherwise, strict=False):
            if is_other:
                characters[place] = _READINGS[characters[place]]
        yield "".join(characters)


def meant_by_links(linked: Iterable[str], existing: Iterable[str]) -> dict[str, list[str]]:
    """The names in `linked` that are not `existing` but mean one that is: by that name."""
    names = AnchorNames(existing)
    meant: dict[str, list[str]] = {}
    for name in dict.fromkeys(linked):
        meant_name = names.find(name)
        if meant_name is not None and meant_name != name:
            meant.setdefault(meant_name, []).append(name)
    return meant
