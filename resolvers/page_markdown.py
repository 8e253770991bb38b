"""Pages as Markdown that callers send: front matter, the title as leading heading, the body."""

from dataclasses import dataclass, field
from typing import Any

from content.errors import YamlError
from content.front_matter import (
    MAX_FRONT_MATTER_BYTES,
    FrontMatter,
    read_front_matter,
    split_front_matter,
)
from content.page_title import split_title
from content.safe_yaml import load_yaml
from resolvers import content_limits
from resolvers.errors import invalid
from resolvers.page_rows import LAYOUT_DEFAULTS

Json = dict[str, Any]
# Keys of front matter and the fields of a page that they set, where a value is taken as it is.
_FIELDS = {
    "description": "description",
    "icon": "icon",
    "emoji": "emoji",
    "hidden": "hidden",
    "noIndex": "no_index",
    "noRobotsIndex": "no_robots_index",
    "vars": "variables",
    "if": "condition",
}


@dataclass(frozen=True, slots=True)
class PageMarkdown:
    """What a text says of a page; `fields` are those that its front matter sets."""

    body: str
    title: str | None = None
    fields: Json = field(default_factory=dict)
    # Paths or URLs as written: `ref`, `refDark`, and `yPos`.
    cover: Json | None = None


def read_page_markdown(text: str, where: str) -> PageMarkdown:
    """The parts of a page's Markdown; Invalid for front matter that is not valid YAML."""
    yaml, rest, _ = split_front_matter(text.replace("\r\n", "\n"))
    heading, body = split_title(rest)
    if body == rest:
        # A heading further down belongs to the body.
        heading = None
    if yaml is None:
        return PageMarkdown(body, _title(heading))
    try:
        front = read_front_matter(yaml, where)
        loaded = load_yaml(yaml, where, line_offset=1, max_bytes=MAX_FRONT_MATTER_BYTES)
    except YamlError as error:
        line = "" if error.line is None else f"line {error.line}: "
        raise invalid(where, f"front matter, {line}{error.problem}") from error
    keys = loaded.keys() if isinstance(loaded, dict) else ()
    fields = {
        name: getattr(front, name)
        for key, name in _FIELDS.items()
        if key in keys and key not in front.extra
    }
    if front.extra:
        fields["extra"] = dict(front.extra)
    layout = _layout(front)
    if layout is not None:
        fields["layout"] = layout
    cover = None if front.cover is None else dict(front.cover)
    return PageMarkdown(body, _title(front.title) or _title(heading), fields, cover)


def _title(text: str | None) -> str | None:
    title = " ".join((text or "").split())[: content_limits.TITLE].strip()
    return title or None


def _layout(front: FrontMatter) -> Json | None:
    """The layout in the form that pages have it in: {name: {visible: true}} becomes name: true."""
    if front.layout is None:
        return None
    layout: Json = {}
    for name, value in front.layout.items():
        if isinstance(value, dict):
            if "visible" in value:
                layout[name] = value["visible"]
            if name == "cover" and "size" in value:
                layout["coverSize"] = value["size"]
        else:
            layout[name] = value
    # What does not fit is left out: the layout is shown with these types.
    return {
        name: value
        for name, value in layout.items()
        if name in LAYOUT_DEFAULTS
        and type(value) is type(LAYOUT_DEFAULTS[name])
        and value != LAYOUT_DEFAULTS[name]
    }
