"""The YAML block at the head of a Markdown page, as the fields of a page.

This is the one reader for imports and for writes. A value that a field cannot have is never
stored in it: it stays in `extra`, where keys that mean nothing here are, too, and a warning names
it. Of a mapping only the parts that do not fit stay there, so what a page has and its `extra`
together say all that the text said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from content.emoji import ALLOWED as EMOJI_ALLOWED, EMOJI, LENGTH as EMOJI_LENGTH
from content.errors import YamlError
from content.expressions.conditions import MAX_CONDITION_LENGTH, NEVER, condition_problem
from content.json_types import Json, JsonObject
from content.pages.layout_options import LAYOUT_DEFAULTS, read_flag, read_layout
from content.safe_yaml import load_yaml

MAX_FRONT_MATTER_BYTES = 64_000
MAX_TITLE_LENGTH = 255
MAX_DESCRIPTION_LENGTH = 300
MAX_VARIABLE_LENGTH = 256
ICON = "[A-Za-z0-9_:./-]{1,50}"
ICON_ALLOWED = "the name of an icon, at most 50 characters"
# The keys of front matter that each field of a page is read from.
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title",),
    "description": ("description",),
    "icon": ("icon",),
    "emoji": ("emoji",),
    "hidden": ("hidden",),
    "no_index": ("noIndex",),
    "no_robots_index": ("noRobotsIndex",),
    "cover": ("cover", "coverDark", "coverY"),
    "layout": ("layout",),
    "variables": ("vars",),
    "condition": ("if",),
}
# Parts of mappings that the fields have; others are foreign.
_PARTS: Final[Mapping[str, frozenset[str]]] = {
    "layout": frozenset(LAYOUT_DEFAULTS),
    "cover": frozenset({"light", "dark"}),
}
# Names that one warning lists.
_LISTED = 5

T = TypeVar("T")

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_VARIABLE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ICON = re.compile(ICON)
_EMOJI = re.compile(EMOJI)
_PAGE_ID = re.compile(r"[A-Za-z0-9]{1,40}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Metadata of a page.

    `extra` holds keys without a meaning, values that do not fit, and texts that had to be cut: a
    writer of front matter adds it to the fields, mappings part by part, and where both have a
    value that of `extra` is the one that was written. `given` names the fields that the text sets.
    """

    title: str | None = None
    description: str | None = None
    icon: str | None = None
    emoji: str | None = None
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    cover: JsonObject | None = None
    layout: JsonObject = field(default_factory=dict)
    variables: JsonObject = field(default_factory=dict)
    condition: str | None = None
    id: str | None = None
    extra: JsonObject = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    # What is wrong with the condition, which then is one that nobody meets.
    condition_problem: str | None = None


def split_front_matter(markdown: str) -> tuple[str | None, str, int]:
    """(YAML text or None, body, number of lines before the body).

    Only a `---` on the very first line with a closing `---` or `...` line is front matter;
    else the whole text is the body. A byte order mark is dropped.
    """
    opening = _OPENING.match(markdown)
    if opening is None:
        return None, markdown.removeprefix("\ufeff"), 0
    closing = _CLOSING.search(markdown, opening.end())
    if closing is None:
        return None, markdown.removeprefix("\ufeff"), 0
    return (
        markdown[opening.end() : closing.start()],
        markdown[closing.end() :],
        markdown.count("\n", 0, closing.end()),
    )


def read_front_matter(yaml_text: str, path: str) -> FrontMatter:
    """Typed metadata from the YAML text of the page at `path` (starting on its second line).

    Raises `YamlError` naming file and line for invalid YAML and for anything but a mapping.
    """
    loaded = load_yaml(yaml_text, path, line_offset=1, max_bytes=MAX_FRONT_MATTER_BYTES)
    if loaded is None:
        return FrontMatter()
    if not isinstance(loaded, dict):
        raise YamlError(path, 2, "front matter must be a mapping of keys to values")
    return _Reader(loaded).read()


class _Reader:
    """Takes keys out of the mapping one by one; what is left over is `extra`."""

    def __init__(self, mapping: JsonObject) -> None:
        self.left = dict(mapping)
        self.warnings: list[str] = []
        self.fields: dict[str, Any] = {}
        self.condition_problem: str | None = None

    def read(self) -> FrontMatter:
        self.cut("title", MAX_TITLE_LENGTH, one_line=True)
        self.cut("description", MAX_DESCRIPTION_LENGTH)
        self.take("icon", _icon, ICON_ALLOWED)
        self.take("emoji", _emoji, EMOJI_ALLOWED)
        for name in ("hidden", "no_index", "no_robots_index"):
            self.take(name, read_flag, "true or false")
        self.cover()
        self.layout()
        self.variables()
        self.condition()
        page_id = self.value("id", _page_id, "1 to 40 letters and digits")
        return FrontMatter(
            id=page_id,
            extra=self.left,
            warnings=tuple(self.warnings),
            given=frozenset(self.fields),
            condition_problem=self.condition_problem,
            **self.fields,
        )

    def warn(self, key: str, problem: str) -> None:
        self.warnings.append(f"front matter '{key}' {problem}")

    def value(self, key: str, convert: Callable[[Json], T | None], allowed: str) -> T | None:
        """The converted value of `key`; one that does not fit stays, with a warning."""
        value = self.left.get(key)
        if value is None:
            return None
        converted = convert(value)
        if converted is None:
            self.warn(key, f"is ignored: it must be {allowed}")
            return None
        del self.left[key]
        return converted

    def take(self, name: str, convert: Callable[[Json], Any], allowed: str) -> None:
        """Set the field `name` from its key."""
        (key,) = KEYS[name]
        value = self.value(key, convert, allowed)
        if value is not None:
            self.fields[name] = value

    def cut(self, key: str, limit: int, *, one_line: bool = False) -> None:
        """Set the field of a text; one that is too long also stays in `extra`, whole."""
        whole = self.left.get(key)
        text = self.value(key, _text, "text")
        if text is None:
            return
        if one_line:
            text = " ".join(text.split())
        if len(text) > limit:
            self.left[key] = whole
            self.warn(key, f"is cut: it has {len(text)} characters, at most {limit} are shown")
            text = text[:limit].rstrip()
        self.fields[key] = text

    def cover(self) -> None:
        """`{ref, refDark?, yPos}` with paths or URLs as written."""
        written = self.left.get("cover")
        if isinstance(written, dict):
            cover = self.cover_of_map(written)
        else:
            url = self.value("cover", _address, "a path, a URL or a mapping with 'light'")
            cover = None if url is None else {"ref": url, "yPos": 0}
        if cover is None:
            return
        dark = self.value("coverDark", _address, "a path or a URL")
        if dark is not None:
            cover["refDark"] = dark
        position = self.value("coverY", _number, "a number")
        if position is not None:
            cover["yPos"] = position
        self.fields["cover"] = cover

    def cover_of_map(self, written: JsonObject) -> JsonObject | None:
        light = _address(written.get("light"))
        if light is None:
            self.warn("cover", "is ignored: 'light' must be a path or a URL")
            return None
        cover: JsonObject = {"ref": light, "yPos": 0}
        rest = {name: value for name, value in written.items() if name != "light"}
        dark = _address(written.get("dark"))
        if dark is not None:
            cover["refDark"] = dark
            del rest["dark"]
        elif rest.get("dark") is not None:
            self.warn("cover", "has a 'dark' that is ignored: it must be a path or a URL")
        self.leave("cover", rest)
        return cover

    def leave(self, key: str, rest: JsonObject) -> None:
        """Keep of a mapping what has not been read."""
        del self.left[key]
        if rest:
            self.left[key] = rest

    def layout(self) -> None:
        written = self.left.get("layout")
        if not isinstance(written, dict):
            if written is not None:
                self.warn("layout", "is ignored: it must be a mapping")
            return
        self.fields["layout"], rest, problems = read_layout(written)
        if problems:
            self.warn("layout", f"has values that are ignored, of {_listed(problems)}")
        self.leave("layout", rest)

    def variables(self) -> None:
        written = self.left.get("vars")
        if not isinstance(written, dict):
            if written is not None:
                self.warn("vars", "is ignored: it must be a mapping of names to values")
            return
        read = {name: value for name, value in written.items() if fits_variable(name, value)}
        rest = {name: value for name, value in written.items() if name not in read}
        self.fields["variables"] = read
        if rest:
            self.warn(
                "vars",
                f"has variables that are ignored, {_listed(rest)}: a name is a letter, then "
                "letters, digits and '_'; a value is text of at most "
                f"{MAX_VARIABLE_LENGTH} characters, a number, true or false",
            )
        self.leave("vars", rest)

    def condition(self) -> None:
        """An expression. One that cannot be read hides the page: it was to be hidden from some."""
        written = self.left.get("if")
        if written is None or written == "":
            return
        text = _text(written)
        if text is None:
            problem: str | None = "it must be an expression"
        elif len(text) > MAX_CONDITION_LENGTH:
            problem = f"it must be an expression of at most {MAX_CONDITION_LENGTH} characters"
        else:
            problem = condition_problem(text)
        if problem is None:
            self.fields["condition"] = text
            del self.left["if"]
            return
        self.condition_problem = problem
        self.fields["condition"] = NEVER
        self.warn("if", f"hides the page from all visitors: {problem}")


def _listed(names: Iterable[str]) -> str:
    shown = [f"'{name[:100]}'" for name in names]
    more = len(shown) - _LISTED
    return ", ".join(shown[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def other_extra(extra: JsonObject, changes: Mapping[str, Any]) -> JsonObject:
    """The `extra` of a page some of whose fields are set otherwise than by front matter.

    What did not fit into these fields is of no use then; foreign parts of mappings stay.
    """
    left = dict(extra)
    for name, value in changes.items():
        for key in KEYS.get(name, ()):
            foreign = _foreign(key, left.pop(key, None)) if value else {}
            if foreign:
                left[key] = foreign
    return left


def _foreign(key: str, value: Json) -> JsonObject:
    if key not in _PARTS or not isinstance(value, dict):
        return {}
    return {name: member for name, member in value.items() if name not in _PARTS[key]}


def read_variables(value: Json) -> JsonObject | None:
    """`value` when it maps names of variables to values that they may have; else None."""
    if not isinstance(value, dict):
        return None
    fits = all(fits_variable(name, content) for name, content in value.items())
    return value if fits else None


def fits_variable(name: str, value: Json) -> bool:
    """Whether a variable may be called this and have this value."""
    return is_variable_name(name) and is_variable(value)


def is_variable_name(name: str) -> bool:
    """Whether a variable may be called this."""
    return _VARIABLE_NAME.fullmatch(name) is not None


def is_variable(value: Json) -> bool:
    """Whether a variable may have this value."""
    if isinstance(value, str):
        return len(value) <= MAX_VARIABLE_LENGTH
    return isinstance(value, (bool, int, float))


def _text(value: Json) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value).strip() or None
    return None


def _icon(value: Json) -> str | None:
    text = _text(value)
    return text if text is not None and is_icon(text) else None


def is_icon(text: str) -> bool:
    """Whether this names an icon."""
    return _ICON.fullmatch(text) is not None


def _emoji(value: Json) -> str | None:
    text = _text(value)
    return text if text is not None and is_emoji(text) else None


def is_emoji(text: str) -> bool:
    """Whether this is an emoji, or its code points."""
    return len(text) <= EMOJI_LENGTH and _EMOJI.fullmatch(text) is not None


def _address(value: Json) -> str | None:
    """A path or URL: no text that YAML reads as something else."""
    return (value.strip() or None) if isinstance(value, str) else None


def _number(value: Json) -> int | float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _page_id(value: Json) -> str | None:
    text = _text(value)
    return text if text is not None and _PAGE_ID.fullmatch(text) else None
