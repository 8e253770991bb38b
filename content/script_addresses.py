"""Addresses that would run a script: which they are, in JSON documents and in Markdown.

One rule for all ways in and out: what callers send is refused, imports leave it out with a warning,
and what is stored already is a broken link for whoever reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import TypeVar

from content.json_types import Json

# The address that stands for one which is left out.
BROKEN = "#broken-link"
ALLOWED = "must not be an address that runs a script, such as javascript:"
# Members of documents that are addresses.
_MEMBERS = frozenset({"url", "href", "src"})
# Browsers leave out line ends and tabs, and blanks and controls in front; no scheme has others.
_DROPPED = "[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060\ufeff\ud800-\udfff]"


def _spelled(*words: str) -> str:
    """One of these, with whatever is left out before and within it, however much that is."""
    return "|".join(f"{_DROPPED}*+" + f"{_DROPPED}*+".join(word) for word in words)


# Pictures, sounds and fonts within an address run nothing.
_SCRIPT = re.compile(
    f"{_spelled('javascript:', 'vbscript:', 'livescript:')}"
    f"|{_spelled('data:')}(?!{_spelled('image/', 'audio/', 'video/', 'font/')})",
    re.IGNORECASE,
)
# Letters of a scheme, with what may stand between them in Markdown and in JSON. What is written as
# a code has letters of its own: so much of it that nobody writes more by chance, and so little that
# a long text is searched in linear time.
_BETWEEN = rf"(?:{_DROPPED}++|%[01][0-9a-f]|\\[btnfr]|\\u[0-9a-f]{{4}}){{0,32}}"
_SIGN = re.compile(
    rf"(?:{_BETWEEN.join('script')}|{_BETWEEN.join('data')}){_BETWEEN}\\?:", re.IGNORECASE
)
# What was searched, by hash and length; texts of pages are asked about with each read.
_SEARCHED: dict[tuple[int, int], bool] = {}
_REMEMBERED = 20_000
T = TypeVar("T")


def runs_script(address: str) -> bool:
    """Whether a browser that is led to an address may run what it says, however it is written."""
    if _SCRIPT.match(address):
        return True
    # Entities count as what they mean: the next reader of the text may resolve them.
    return "&" in address and _SCRIPT.match(unescape(address)) is not None


def may_run_script(text: str) -> bool:
    """Whether a text, Markdown or JSON, may hold such an address; False is certain."""
    key = hash(text), len(text)
    searched = _SEARCHED.get(key)
    if searched is None:
        searched = _SIGN.search(unescape(text) if "&" in text else text) is not None
        if len(_SEARCHED) >= _REMEMBERED:
            _SEARCHED.clear()
        _SEARCHED[key] = searched
    return searched


def script_members(value: Json, path: str = "") -> Iterator[str]:
    """The places in JSON, such as `data.ref.url`, that hold such an address."""
    stack: list[tuple[Json, str]] = [(value, path)]
    while stack:
        item, where = stack.pop()
        if isinstance(item, dict):
            for name, part in item.items():
                place = f"{where}.{name}" if where else name
                if isinstance(part, str):
                    if name in _MEMBERS and runs_script(part):
                        yield place
                else:
                    stack.append((part, place))
        elif isinstance(item, list):
            stack.extend((part, f"{where}[{index}]") for index, part in enumerate(item))


def without_scripts(value: T) -> T:
    """JSON in which broken links stand for such addresses; the same object where it has none."""
    changed: object = value
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, str):
                new: object = BROKEN if name in _MEMBERS and runs_script(part) else part
            else:
                new = without_scripts(part)
            if new is not part:
                if changed is value:
                    changed = dict(value)
                assert isinstance(changed, dict)
                changed[name] = new
    elif isinstance(value, list):
        parts = [without_scripts(part) for part in value]
        if any(new is not old for new, old in zip(parts, value, strict=True)):
            changed = parts
    return changed  # type: ignore[return-value]
