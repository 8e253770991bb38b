"""Other spellings of the anchor that is made of a heading's text.

Other programs that show Markdown make other anchors of the same words, and links that were
written for them say those: GitHub joins the parts of `What's new` and keeps two hyphens for
`A & B`, and published documentation keeps dots (`release-2.19.4`), puts `id-` before a digit and
has words for signs (`a-greater-than-b` for `A > B`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping

from content.documents.anchors import headings_of
from content.documents.heading_aliases import heading_aliases, is_alias
from content.documents.nodes import Node
from content.documents.plain_text import plain_text
from content.slugs import slug_from_title

# Signs that are words in published documentation.
_SIGNS = (("&", " and "), ("<", " less than "), (">", " greater than "))
_HYPHENS = re.compile(r"-{2,}")
_NUMBER = re.compile(r"(?:-[1-9][0-9]{0,8})?")
# No anchor is longer, so no more of a text is read.
_TEXT_LIMIT = 200
# Further headings of a page have no spellings: each is a row of the index and an element of HTML.
SPELLED_HEADINGS = 1000


def anchor_spellings(text: str, anchor: str) -> list[str]:
    """The other spellings of `anchor`, each once; none for an anchor that was set by hand.

    The number of an anchor that was taken (`name-1`) stands behind each of them. It is read off
    the anchor: so spellings are the same for every reader, whatever else they see of the page.
    """
    slug = slug_from_title(text)
    number = _number_behind(slug, anchor)
    if number is None:
        return []
    words = text.strip()[:_TEXT_LIMIT].lower()
    said = words
    for sign, name in _SIGNS:
        said = said.replace(sign, name)
    dotted = _shortened(_spelled(said, allowed="-_.+"))
    separated = _shortened(_spelled(said, allowed="-_.+", other="-"))
    names = [
        _spelled(words, allowed="-_"),
        *(f"id-{name}" if name[:1].isdigit() else name for name in (dotted, separated, slug)),
        dotted,
        separated,
    ]
    spellings = dict.fromkeys(name + number for name in names if name)
    return [name for name in spellings if name != anchor and is_alias(name)]


def all_heading_aliases(
    document: Node, anchors: Mapping[int, str], title: str = ""
) -> dict[int, list[str]]:
    """All that leads to the headings besides their anchors, by id() of the heading.

    `anchors` are those that the headings have now, by id(). They and the anchors that any heading
    had before come before every spelling; of two headings with the same one the first has it.
    `title` is that of the page: programs that show it as its first heading count it.
    """
    former = heading_aliases(document, anchors)
    counted = slug_from_title(title) if title else ""
    taken = {*anchors.values(), *(alias for names in former.values() for alias in names)}
    aliases: dict[int, list[str]] = {}
    for number, heading in enumerate(headings_of(document)):
        spellings = (
            anchor_spellings(plain_text(heading), anchors[id(heading)])
            if number < SPELLED_HEADINGS
            else []
        )
        if counted and number < SPELLED_HEADINGS:
            spellings += _behind_title(counted, anchors[id(heading)])
        free = [name for name in spellings if name not in taken]
        taken.update(free)
        names = [*former.get(id(heading), []), *free]
        if names:
            aliases[id(heading)] = names
    return aliases


def title_names(title: str, taken: Collection[str]) -> list[str]:
    """The names that lead to the title of a page, in all spellings; none for an empty title.

    Programs that show the title as the first heading of a page make an anchor of it. What is
    `taken` by a heading or another place of the page leads there.
    """
    if not title.strip():
        return []
    slug = slug_from_title(title)
    return [name for name in (slug, *anchor_spellings(title, slug)) if name not in taken]


def _behind_title(slug: str, anchor: str) -> list[str]:
    """The anchor of a heading with the words of the title, one number further."""
    number = _number_behind(slug, anchor)
    return [] if number is None else [f"{slug}-{int(number[1:] or 0) + 1}"]


def _number_behind(slug: str, anchor: str) -> str | None:
    """What stands behind the words in an anchor that is made of them: nothing or `-1`, `-2`…;
    None for an anchor of other words."""
    number = anchor.removeprefix(slug)
    return number if anchor.startswith(slug) and _NUMBER.fullmatch(number) else None


def _spelled(words: str, *, allowed: str, other: str = "") -> str:
    """Words with hyphens for blanks: letters, digits and `allowed` stay, the rest is `other`."""
    return "".join(
        char
        if char in allowed or unicodedata.category(char)[0] in "LMN"
        else "-"
        if char.isspace()
        else other
        for char in words
    )


def _shortened(name: str) -> str:
    return _HYPHENS.sub("-", name).strip("-")
