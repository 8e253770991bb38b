"""Targets of links in Markdown, replaced where they stand; the text around them stays."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from html import escape, unescape
from itertools import accumulate

from content.script_addresses import BROKEN, may_run_script, runs_script

# A link or image, a reference definition, an attribute of HTML or of a tag, an address in angle
# brackets, what a tag includes; or code, which stays.
# Fences are opened here and closed by `matches`: one expression for both takes quadratic time.
_CODE = (
    r"(?P<escaped>\\[\\`])"
    r"|(?P<fence>^[ \t>*+-]*+(?P<marks>`{3,}+(?=[^`\n]*+\n)|~{3,}+)[^\n]*+\n)"
    r"|(?P<code>(?<!`)(?P<ticks>`{1,5})(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
)
_FENCE_END = re.compile(r"^[ \t>]*+(?P<marks>`{3,}+|~{3,}+)[`~]*+[ \t]*+$", re.MULTILINE)
# Where tags of the dialect begin and end.
_TAG_MARKS = re.compile(r"\{(?=%)|%\}|\n")
# What a target holds without angle brackets, as in CommonMark: no ASCII blanks, and parentheses in
# pairs, here three deep.
_PLAIN = r"\\[!-/:-@\[-`{-~]|[^\x00-\x20\x7f()]"
_PAIRS = rf"\((?>(?:{_PLAIN}|\((?>(?:{_PLAIN}|\((?>(?:{_PLAIN})*)\))*)\))*)\)"
_DEFINITION = r"^ {0,3}\[[^\]\n^][^\]\n]*\]:[ \t]*"
_PIECES = re.compile(
    _CODE + r"|(?P<angle>\]\([ \t]*<)(?P<inside>[^<>\n]+)(?=>)"
    rf"|(?P<paren>\]\([ \t]*)(?P<bare>(?!<)(?>(?:{_PLAIN}|{_PAIRS})+))"
    r"|(?P<quote>\b(?:src|href|srcset|url|poster)=\")(?P<value>[^\"\n]+)(?=\")"
    r"|(?P<single>\b(?:src|href|srcset|url|poster)=')(?P<content>[^'\n]+)(?=')"
    r"|(?P<auto><)(?P<address>(?:https?|docstead):[^<>\x00-\x20\x7f]+)(?=>)"
    r"|(?P<include>\{%-?[ \t]*include[ \t]+(?P<sign>[\"']))(?P<included>[^\n]+?)(?=(?P=sign))"
    r"|(?P<bracket>" + _DEFINITION + r"<)(?P<enclosed>[^<>\n]+)(?=>)"
    r"|(?P<definition>" + _DEFINITION + r")(?P<defined>[^<\x00-\x20\x7f][^\x00-\x20\x7f]*+)",
    re.MULTILINE | re.DOTALL,
)
# What stands before each target.
_MARK_OF = {
    "inside": "angle",
    "bare": "paren",
    "value": "quote",
    "content": "single",
    "address": "auto",
    "enclosed": "bracket",
    "defined": "definition",
}


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
    tags: _Tags | None = None

    def replaced(match: re.Match[str]) -> str:
        target = match.lastgroup or ""
        if target == "included":
            return match["include"] + (include(match[target]) or match[target])
        mark = _MARK_OF.get(target)
        if mark is None or (mark == "auto" and not autolinks):
            return match[0]
        html = mark in ("quote", "single")
        url = unescape(match[target]) if html else _unescaped(match[target])
        new = link(url)
        if new is None or new == url:
            return match[0]
        if html:
            nonlocal tags
            tags = tags or _Tags(markdown)
            if not tags.hold(match.start()):
                return match[mark] + escape(new)
        return match[mark] + _safe(new, mark)

    return substitute(_PIECES, replaced, markdown)


def outside_code(pattern: str) -> re.Pattern[str]:
    """What finds code, and outside of it the pattern, as the group `found`; for `matches`."""
    return re.compile(f"{_CODE}|(?P<found>{pattern})", re.MULTILINE | re.DOTALL)


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begins with code; nothing in fenced code is one."""
    closings: _Closings | None = None
    position = 0
    while (match := pattern.search(text, position)) is not None:
        # Patterns match no empty text.
        position = match.end()
        if match["marks"] is None:
            yield match
            continue
        closings = closings or _Closings(text)
        end = closings.end_of_fence(match["marks"], position)
        position = match.end("marks") if end is None else end


class _Closings:
    """The lines of a text that close fences: for each mark where they begin and end, and their
    lengths. All fences of a text together cost one pass over them."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, list[tuple[int, int, int]]] = {"`": [], "~": []}
        for match in _FENCE_END.finditer(text):
            line = match.start(), match.end(), len(match["marks"])
            self._lines[match["marks"][0]].append(line)
        # The longest of each line and those behind it.
        self._longest = {
            mark: [*accumulate((length for *_, length in reversed(lines)), max)][::-1]
            for mark, lines in self._lines.items()
        }
        self._passed = {"`": 0, "~": 0}

    def end_of_fence(self, marks: str, position: int) -> int | None:
        """Where the fence ends that these marks open before a position; None when nothing closes
        it. Positions never go back."""
        mark, length = marks[0], len(marks)
        lines, place = self._lines[mark], self._passed[mark]
        while place < len(lines) and lines[place][0] < position:
            place += 1
        self._passed[mark] = place
        if place == len(lines) or self._longest[mark][place] < length:
            return None
        while lines[place][2] < length:
            place += 1
        return lines[place][1]


def substitute(
    pattern: re.Pattern[str], replaced: Callable[[re.Match[str]], str], text: str
) -> str:
    """The text with what `replaced` gives for the `matches` of a pattern."""
    pieces: list[str] = []
    position = 0
    for match in matches(pattern, text):
        pieces += text[position : match.start()], replaced(match)
        position = match.end()
    return "".join([*pieces, text[position:]])


class _Tags:
    """Tags of the dialect in a text, where entities mean nothing."""

    def __init__(self, markdown: str) -> None:
        marks = list(_TAG_MARKS.finditer(markdown))
        self._places = [match.start() for match in marks]
        self._opens = [match[0] == "{" for match in marks]

    def hold(self, position: int) -> bool:
        """Whether a position is in a tag, which ends with its line at the latest."""
        before = bisect_left(self._places, position) - 1
        return before >= 0 and self._opens[before]


def _unescaped(target: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", unescape(target))


def _safe(url: str, mark: str) -> str:
    """A target in its place: without what would end it there."""
    escaped = url.replace(" ", "%20").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    if mark in ("angle", "bracket"):
        return escaped
    return escaped.replace("(", "%28").replace(")", "%29").replace('"', "%22").replace("'", "%27")


# Attributes as HTML has them: with blanks, in capitals, without quotes; up to the end of the value.
_NAMED = (
    r"\b(?i:src|href|srcset|url|poster|formaction|action|data)[ \t\n]*+=[ \t\n]*+"
    r"(?:\"[^\"]*|'[^']*|[^\s\"'<>`]+)"
)
_ATTRIBUTE = outside_code(_NAMED)
# A backtick within a tag begins no code, and what stands behind it in the tag is none.
_TAG_WITH_BACKTICK = re.compile(r"<[A-Za-z][^<>`]*+`[^<>]*+>")
_NAMED_IN_TAG = re.compile(f"(?P<found>{_NAMED})")
# Targets that `replace_links` leaves alone: on the line behind what they belong to, and addresses
# of any scheme in angle brackets.
_OTHER_TARGET = outside_code(
    r"(?:\]\([ \t]*+|^[ \t>]*+\[[^\]\n^][^\]\n]*+\]:[ \t]*+)\n[ \t>]*+<?[^\s<>()]+"
    r"|(?<!\\)<(?i:javascript|vbscript|livescript|data):[^\s<>]*+(?=>)"
)


def script_links(markdown: str) -> list[str]:
    """The targets of links, images and tags of the dialect that would run a script."""
    targets: list[str] = []

    def note(url: str) -> None:
        if runs_script(url):
            targets.append(url)

    if may_run_script(markdown):
        replace_links(markdown, note)
        _in_tags_with_backticks(markdown, note)
        substitute(_ATTRIBUTE, lambda match: _without_script(match, note), markdown)
        substitute(_OTHER_TARGET, lambda match: _without_other(match, note), markdown)
    return targets


def without_script_links(markdown: str) -> str:
    """The text with broken links in place of those that would run a script."""
    if not may_run_script(markdown):
        return markdown
    text = _in_tags_with_backticks(markdown)
    text = replace_links(text, lambda url: BROKEN if runs_script(url) else None)
    return substitute(_OTHER_TARGET, _without_other, substitute(_ATTRIBUTE, _without_script, text))


def _in_tags_with_backticks(markdown: str, note: Callable[[str], None] = lambda url: None) -> str:
    def cleaned(tag: re.Match[str]) -> str:
        return _NAMED_IN_TAG.sub(lambda match: _without_script(match, note), tag[0])

    return _TAG_WITH_BACKTICK.sub(cleaned, markdown)


def _without_script(match: re.Match[str], note: Callable[[str], None] = lambda url: None) -> str:
    attribute = match["found"]
    if attribute is None:
        return match[0]
    name, _, value = attribute.partition("=")
    url = unescape(value.strip().strip("\"'"))
    note(url)
    quote = value.strip()[:1] if value.strip()[:1] in ("'", '"') else ""
    return f"{name}={quote}{BROKEN}" if runs_script(url) else match[0]


def _without_other(match: re.Match[str], note: Callable[[str], None] = lambda url: None) -> str:
    target = match["found"]
    if target is None:
        return match[0]
    before, line, after = target.rpartition("\n")
    written = after.lstrip(" \t><")
    url = _unescaped(written)
    note(url)
    return before + line + after.removesuffix(written) + BROKEN if runs_script(url) else target
