"""Targets of links in Markdown, replaced where they stand; the text around them stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

# A link or image, a reference definition, an attribute of HTML or of a tag, what a tag includes; or
# code, which stays.
_PIECES = re.compile(
    r"(?P<fence>^(?P<indent>[ \t>*+-]*)(?P<marks>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??"
    r"[ \t>]*(?P=marks)[`~]*[ \t]*$)"
    r"|(?P<code>(?<!`)(?P<ticks>`{1,5})(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<angle>\]\([ \t]*<)(?P<inside>[^<>\n]+)(?=>)"
    r"|(?P<paren>\]\([ \t]*)(?P<bare>(?:[^\s()<>]|\([^\s()<>]*\))+)"
    r"|(?P<quote>\b(?:src|href|srcset|url)=\")(?P<value>[^\"\n]+)(?=\")"
    r"|(?P<include>\{%-?[ \t]*include[ \t]+(?P<sign>[\"']))(?P<included>[^\n]+?)(?=(?P=sign))"
    r"|(?P<definition>^ {0,3}\[[^\]\n^][^\]\n]*\]:[ \t]*<?)(?P<defined>[^\s<>]+)",
    re.MULTILINE | re.DOTALL,
)


def replace_links(
    markdown: str,
    link: Callable[[str], str | None],
    include: Callable[[str], str | None] = lambda path: None,
) -> str:
    """The text with the targets for which `link` gives another one, and what it includes with
    those that `include` gives; None leaves a target."""

    def replaced(match: re.Match[str]) -> str:
        if match["include"] is not None:
            return match["include"] + (include(match["included"]) or match["included"])
        for mark, target in (
            ("angle", "inside"),
            ("paren", "bare"),
            ("quote", "value"),
            ("definition", "defined"),
        ):
            if match[mark] is None:
                continue
            url = unescape(match[target]) if mark == "quote" else _unescaped(match[target])
            new = link(url)
            if new is None or new == url:
                return match[0]
            if mark == "quote" and not _in_tag(markdown, match.start()):
                return match[mark] + escape(new)
            return match[mark] + _safe(new, mark)
        return match[0]

    return _PIECES.sub(replaced, markdown)


def _in_tag(markdown: str, position: int) -> bool:
    """Whether a place is in a tag of the dialect, where entities mean nothing."""
    line = markdown.rfind("\n", 0, position) + 1
    return markdown.rfind("{%", line, position) > markdown.rfind("%}", line, position)


def _unescaped(target: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", unescape(target))


def _safe(url: str, mark: str) -> str:
    """A target in its place: without what would end it there."""
    kept = url.replace(" ", "%20").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    if mark == "angle":
        return kept
    return kept.replace("(", "%28").replace(")", "%29").replace('"', "%22")
