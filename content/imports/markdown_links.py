"""Targets of links in Markdown, replaced where they stand; the text around them stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape, unescape

# A link or image, a reference definition, an attribute of HTML or of a tag, an address in angle
# brackets, what a tag includes; or code, which stays.
# Fences are opened here and closed by `matches`: one expression for both takes quadratic time.
_CODE = (
    r"(?P<fence>^[ \t>*+-]*+(?P<marks>`{3,}+(?=[^`\n]*+\n)|~{3,}+)[^\n]*+\n)"
    r"|(?P<code>(?<!`)(?P<ticks>`{1,5})(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
)
_FENCE_END = re.compile(r"^[ \t>]*+(?P<marks>`{3,}+|~{3,}+)[`~]*+[ \t]*+$", re.MULTILINE)
_PIECES = re.compile(
    _CODE + r"|(?P<angle>\]\([ \t]*<)(?P<inside>[^<>\n]+)(?=>)"
    r"|(?P<paren>\]\([ \t]*)(?P<bare>(?:[^\s()<>]|\([^\s()<>]*\))+)"
    r"|(?P<quote>\b(?:src|href|srcset|url|poster)=\")(?P<value>[^\"\n]+)(?=\")"
    r"|(?P<single>\b(?:src|href|srcset|url|poster)=')(?P<content>[^'\n]+)(?=')"
    r"|(?P<auto><)(?P<address>(?:https?|docstead):[^<>\s]+)(?=>)"
    r"|(?P<include>\{%-?[ \t]*include[ \t]+(?P<sign>[\"']))(?P<included>[^\n]+?)(?=(?P=sign))"
    r"|(?P<definition>^ {0,3}\[[^\]\n^][^\]\n]*\]:[ \t]*<?)(?P<defined>[^\s<>]+)",
    re.MULTILINE | re.DOTALL,
)


def replace_links(
    markdown: str,
    link: Callable[[str], str | None],
    include: Callable[[str], str | None] = lambda path: None,
    *,
    autolinks: bool = True,
) -> str:
    """The text with the targets for which `link` gives another one, and what it includes with
    those that `include` gives; None leaves a target. Without `autolinks` addresses stay that are
    shown themselves."""

    def replaced(match: re.Match[str]) -> str:
        if match["include"] is not None:
            return match["include"] + (include(match["included"]) or match["included"])
        if match["auto"] is not None and not autolinks:
            return match[0]
        for mark, target in (
            ("angle", "inside"),
            ("paren", "bare"),
            ("quote", "value"),
            ("single", "content"),
            ("auto", "address"),
            ("definition", "defined"),
        ):
            if match[mark] is None:
                continue
            html = mark in ("quote", "single")
            url = unescape(match[target]) if html else _unescaped(match[target])
            new = link(url)
            if new is None or new == url:
                return match[0]
            if html and not _in_tag(markdown, match.start()):
                return match[mark] + escape(new)
            return match[mark] + _safe(new, mark)
        return match[0]

    return substitute(_PIECES, replaced, markdown)


def outside_code(pattern: str) -> re.Pattern[str]:
    """What finds code, and outside of it the pattern, as the group `found`; for `matches`."""
    return re.compile(f"{_CODE}|(?P<found>{pattern})", re.MULTILINE | re.DOTALL)


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begins with code; nothing in fenced code is one."""
    ends: list[re.Match[str]] | None = None
    # By the mark: so many of them, or more, end nowhere in what is left.
    endless: dict[str, int] = {}
    position = passed = 0
    while (match := pattern.search(text, position)) is not None:
        # Patterns match no empty text.
        position = match.end()
        marks = match["marks"]
        if marks is None:
            yield match
            continue
        if len(marks) >= endless.get(marks[0], len(marks) + 1):
            position = match.end("marks")
            continue
        if ends is None:
            ends = list(_FENCE_END.finditer(text))
        while passed < len(ends) and ends[passed].start() < position:
            passed += 1
        for place in range(passed, len(ends)):
            if ends[place]["marks"].startswith(marks):
                position = ends[place].end()
                break
        else:
            endless[marks[0]] = len(marks)
            position = match.end("marks")


def substitute(
    pattern: re.Pattern[str], replaced: Callable[[re.Match[str]], str], text: str
) -> str:
    """The text with what `replaced` gives for the `matches` of a pattern."""
    made: list[str] = []
    position = 0
    for match in matches(pattern, text):
        made += text[position : match.start()], replaced(match)
        position = match.end()
    return "".join([*made, text[position:]])


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
    return kept.replace("(", "%28").replace(")", "%29").replace('"', "%22").replace("'", "%27")
