"""Backslashes and entities in front of what Markdown would take for syntax, and nowhere else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html.entities import html5

from markdown_it.common.utils import isMdAsciiPunct, isValidEntityCode, isWhiteSpace

from content.emoji import SHORTCODE, code_of
from content.json_types import Json
from content.markdown.line_tags import line_tag
from content.markdown.text_styles import ENTITIES

_SYNTAX = re.compile(r"\\|`|\*+|_+|~+|[\[\]]|<|&|\$+|!|:")
_ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|([A-Za-z][A-Za-z0-9]{0,40}));")
_LINKS = re.compile(r"\]\(|\[\^")
_DEFINITION = re.compile(r"\s*\[[^\]]*\]:|\[[ xX]\](?:\s|\Z)")
_LINE_START = re.compile(
    r"(?P<heading>#{1,6})(?=[ \t]|\Z)"
    r"|(?P<bullet>[-+*])(?=[ \t]|\Z)"
    r"|(?P<rule>[-|:](?=[-:|\s]*\Z)|=(?=[=\s]*\Z)|_(?=[_\s]*\Z))"
    r"|(?P<number>\d{1,9})(?=[.)](?:[ \t]|\Z))"
    r"|(?P<quote>>)"
    # A tag has its line for itself; with other text behind its end it is text anyway.
    r"|(?P<tag>\{)(?=%(?!.*?%\}\s*\S))"
)
# The start of an address in angle brackets, which makes a link.
_EMAIL = re.compile(r"<[\w.!#$%&'*+/=?^`{|}~-]+@", re.ASCII)
_LINE_END = re.compile(r"\s*(?:\n|\Z)")
# Characters whose backslash changes nothing wherever they stand.
_ALWAYS = re.compile(r"""[\]\["#%'()+,\-./;=>?@^{}_~]{1,30}""")
_PLAIN = re.compile(r"(?:[^\W_]| )*")
# Stands for a line break of the text until lines are made; no document has this character.
BREAK = "\x00"


@dataclass(frozen=True, slots=True)
class TextScope:
    """What the texts of one paragraph have in common: `brackets` tells that they could make a
    link or footnote, `always` are characters that have a backslash also without need, `entities`
    those that are entities."""

    brackets: bool = False
    always: str = ""
    entities: str = ""


def text_scope(
    content: str, *, label: bool, definitions: bool, always: Json = None, entities: Json = None
) -> TextScope:
    """The scope for all `content` of a paragraph, with U+FFFC for each inline; `label`: it stands
    in a link; `definitions`: the document has link definitions that brackets might refer to."""
    doubtful = label or definitions or _LINKS.search(content) or _DEFINITION.match(content)
    extra = always if isinstance(always, str) and _ALWAYS.fullmatch(always) else ""
    named = entities if isinstance(entities, str) and set(entities) <= ENTITIES.keys() else ""
    return TextScope(brackets=bool(doubtful), always=extra, entities=named)


def escape_text(text: str, before: str, after: str, scope: TextScope) -> str:
    """Text as Markdown; `before` and `after` are the characters around it, empty at an end."""
    if _PLAIN.fullmatch(text):
        return text
    parts: list[str] = []
    position = 0
    more = scope.always + scope.entities
    syntax = _with_syntax(more) if more else _SYNTAX
    for match in syntax.finditer(text):
        start, end = match.span()
        left = text[start - 1] if start else before
        right = text[end] if end < len(text) else after
        if match.group()[0] in scope.entities:
            parts += [text[position:start], ENTITIES[match.group()[0]] * (end - start)]
            position = end
            continue
        if not _needs_escape(match.group(), text, start, left, right, scope):
            continue
        parts.append(text[position:start])
        parts.append("".join(f"\\{character}" for character in match.group()))
        position = end
    parts.append(text[position:])
    return "".join(parts).replace("\r", "&#xd;")


def _needs_escape(
    character: str, text: str, start: int, left: str, right: str, scope: TextScope
) -> bool:
    kind = character[0]
    if kind in scope.always and (kind != "_" or (left.isalnum() and right.isalnum())):
        return True
    if kind == "\\":
        # Blanks at the end of a line are written as entities.
        if not right and start + 1 == len(text):
            return False
        before_entity = _LINE_END.match(text, start + 1) is not None
        return before_entity or right == BREAK or is_ascii_punctuation(right)
    if kind == "*":
        return not _stands_alone(text, start, start + len(character), left)
    if kind == "_":
        inside = _is_word(left) and _is_word(right)
        return not (inside or _stands_alone(text, start, start + len(character), left))
    if kind in "~$":
        return len(character) > 1 or kind in (left, right)
    if kind in "[]":
        return scope.brackets
    if kind == "<":
        return right.isalpha() or right in ("/", "!", "?") or bool(_EMAIL.match(text, start))
    if kind == "&":
        return needs_entity_escape(text, start) or (start + 1 == len(text) and right.isalnum())
    if kind == "!":
        return right == "[" and start + 1 == len(text)
    if kind == ":":
        name = SHORTCODE.match(text, start)
        return name is not None and code_of(name.group(1)) is not None
    return True


@cache
def _with_syntax(characters: str) -> re.Pattern[str]:
    """The pattern of characters to check where some have backslashes without need."""
    return re.compile(f"{_SYNTAX.pattern}|[{re.escape(characters)}]")


def _stands_alone(text: str, start: int, end: int, left: str) -> bool:
    """Whether there are blanks around a part of a text that are written as blanks: those at the
    ends of lines are not."""
    lead = text[start - 2 : start] if start > 1 else ""
    free_left = left in ("", "\n") or (lead[1:].isspace() and not lead[:1].isspace())
    following = text[end : end + 2]
    free_right = following[:1] == " " and len(following) > 1 and not following[1].isspace()
    return free_left and free_right


def needs_entity_escape(text: str, position: int) -> bool:
    """Whether the `&` at `position` starts an entity."""
    entity = _ENTITY.match(text, position)
    return entity is not None and (entity.group(1) is None or f"{entity.group(1)};" in html5)


def escape_line_start(line: str) -> str:
    """A line of a paragraph that does not start another block."""
    match = _LINE_START.match(line)
    if match is None:
        return f"\\{line}" if line_tag(line) is not None else line
    marker = match.group()
    if match.lastgroup == "number":
        return f"{marker}\\{line[len(marker) :]}"
    return f"\\{line}"


def keep_blanks(line: str) -> str:
    """White space at the two ends of a line as entities: Markdown drops it otherwise."""
    start = len(line) - len(line.lstrip())
    if start == len(line):
        return as_entities(line)
    end = len(line.rstrip())
    if not start and end == len(line):
        return line
    return as_entities(line[:start]) + line[start:end] + as_entities(line[end:])


def as_entities(text: str) -> str:
    """Characters as entities, but for those that no entity stands for."""
    return "".join(
        f"&#x{ord(character):x};" if isValidEntityCode(ord(character)) else character
        for character in text
    )


def is_ascii_punctuation(character: str) -> bool:
    return bool(character) and isMdAsciiPunct(ord(character))


def is_blank(character: str) -> bool:
    """Whether there is white space as the rules for emphasis have it, a line break or nothing."""
    return not character or isWhiteSpace(ord(character)) or character == BREAK


def _is_word(character: str) -> bool:
    return bool(character) and character not in "_" and character.isalnum()
