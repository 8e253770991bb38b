"""The YAML block at the head of a Markdown page, as typed metadata."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from content.errors import YamlError
from content.json_types import Json, JsonObject
from content.safe_yaml import load_yaml

MAX_FRONT_MATTER_BYTES = 64_000
MAX_DESCRIPTION_LENGTH = 300

T = TypeVar("T")

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_VARIABLE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PAGE_ID = re.compile(r"[A-Za-z0-9]{1,64}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Metadata of a page. A known key whose value does not fit stays in `extra` (so that it is
    written back unchanged) and is named in `warnings`."""

    title: str | None = None
    description: str | None = None
    icon: str | None = None
    emoji: str | None = None
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    cover: JsonObject | None = None
    layout: JsonObject | None = None
    variables: JsonObject = field(default_factory=dict)
    condition: str | None = None
    id: str | None = None
    extra: JsonObject = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


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

    def take(self, key: str, convert: Callable[[Json], T | None], expected: str) -> T | None:
        """The converted value of `key`; one that does not fit stays, with a warning."""
        value = self.left.get(key)
        if value is None:
            return None
        converted = convert(value)
        if converted is None:
            self.warnings.append(f"front matter '{key}' is ignored: it must be {expected}")
            return None
        del self.left[key]
        return converted

    def flag(self, key: str) -> bool:
        return self.take(key, _flag, "true or false") or False

    def read(self) -> FrontMatter:
        title = self.take("title", _text, "text")
        description = self.description()
        return FrontMatter(
            title=title,
            description=description,
            icon=self.take("icon", _short_text, "text of at most 100 characters"),
            emoji=self.take("emoji", _short_text, "text of at most 100 characters"),
            hidden=self.flag("hidden"),
            no_index=self.flag("noIndex"),
            no_robots_index=self.flag("noRobotsIndex"),
            cover=self.cover(),
            layout=self.take("layout", _mapping, "a mapping"),
            variables=self.take(
                "vars", read_variables, "a mapping of names to short text, numbers or booleans"
            )
            or {},
            condition=self.take("if", _text, "an expression"),
            id=self.take("id", _page_id, "1 to 64 letters and digits"),
            extra=self.left,
            warnings=tuple(self.warnings),
        )

    def description(self) -> str | None:
        """At most 300 characters; a longer text also stays in `extra`, to be written back whole."""
        whole = self.left.get("description")
        description = self.take("description", _text, "text")
        if description is None or len(description) <= MAX_DESCRIPTION_LENGTH:
            return description
        self.left["description"] = whole
        self.warnings.append(
            f"front matter 'description' is cut: it has {len(description)} characters, "
            f"at most {MAX_DESCRIPTION_LENGTH} are shown"
        )
        return description[:MAX_DESCRIPTION_LENGTH].rstrip()

    def cover(self) -> JsonObject | None:
        """`{ref, refDark?, yPos?}` with paths or URLs as written; other cover keys stay extra."""
        light: Json = self.left.get("cover")
        if isinstance(light, dict):
            if set(light) - {"light", "dark"} or not isinstance(light.get("light"), str):
                # Newer options have no place in the model yet: the map is kept as it is.
                return self._cover_of_map(light)
            del self.left["cover"]
            cover: JsonObject = {"ref": light["light"]}
            if isinstance(light.get("dark"), str):
                cover["refDark"] = light["dark"]
        else:
            url = self.take("cover", _text, "a path, a URL or a mapping with 'light'")
            if url is None:
                return None
            cover = {"ref": url}
        dark = self.take("coverDark", _text, "a path or a URL")
        if dark is not None:
            cover["refDark"] = dark
        position = self.take("coverY", _number, "a number")
        if position is not None:
            cover["yPos"] = position
        return cover

    def _cover_of_map(self, cover_map: JsonObject) -> JsonObject | None:
        light = cover_map.get("light")
        if not isinstance(light, str):
            self.warnings.append("front matter 'cover' is ignored: 'light' must be a path or a URL")
            return None
        dark = cover_map.get("dark")
        return {"ref": light, "refDark": dark} if isinstance(dark, str) else {"ref": light}


def read_variables(value: Json) -> JsonObject | None:
    """`value` when it maps names (a letter, then letters, digits, `_`) to text of at most 256
    characters, numbers or booleans; else None."""
    if not isinstance(value, dict):
        return None
    fits = all(is_variable_name(name) and is_variable(content) for name, content in value.items())
    return value if fits else None


def is_variable_name(name: str) -> bool:
    """Whether a variable may be called this."""
    return _VARIABLE_NAME.fullmatch(name) is not None


def is_variable(value: Json) -> bool:
    """Whether a variable may have this value."""
    if isinstance(value, str):
        return len(value) <= 256
    return isinstance(value, (bool, int, float))


def _text(value: Json) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value).strip() or None
    return None


def _short_text(value: Json) -> str | None:
    text = _text(value)
    return text if text is not None and len(text) <= 100 else None


def _flag(value: Json) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def _number(value: Json) -> int | float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _mapping(value: Json) -> JsonObject | None:
    return value if isinstance(value, dict) else None


def _page_id(value: Json) -> str | None:
    text = _text(value)
    return text if text is not None and _PAGE_ID.fullmatch(text) else None
