"""Pages as Markdown that callers send: front matter, the title as leading heading, the body."""

from dataclasses import dataclass, field
from typing import Any

from content.errors import YamlError
from content.pages.front_matter import read_front_matter, split_front_matter
from content.pages.title import leading_title
from resolvers.core.errors import invalid
from resolvers.revisions import limits as content_limits

Json = dict[str, Any]
# Fields that front matter sets; its title and cover are not taken as they are.
_FIELDS = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout",
    "variables", "condition",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageMarkdown:
    """The Markdown of a page, parsed; `fields` are those that its front matter sets."""

    body: str
    title: str | None = None
    fields: Json = field(default_factory=dict)
    # Paths or URLs as written: `ref`, `refDark`, and `yPos`.
    cover: Json | None = None
    # What front matter holds besides.
    extra: Json = field(default_factory=dict)


def read_page_markdown(text: str, where: str) -> PageMarkdown:
    """The parts of a page's Markdown; Invalid for front matter that is not valid YAML."""
    yaml, rest, _ = split_front_matter(text.replace("\r\n", "\n"))
    # A heading further down belongs to the body.
    heading, body = leading_title(rest)
    if yaml is None:
        return PageMarkdown(body, _title(heading))
    try:
        front = read_front_matter(yaml, where)
    except YamlError as error:
        line = "" if error.line is None else f"line {error.line}: "
        raise invalid(where, f"front matter, {line}{error.problem}") from error
    if front.condition_problem is not None:
        raise invalid(where, f"front matter 'if', {front.condition_problem}")
    fields = {name: getattr(front, name) for name in _FIELDS if name in front.given}
    cover = None if front.cover is None else dict(front.cover)
    title = _title(front.title) or _title(heading)
    return PageMarkdown(body, title, fields, cover, dict(front.extra))


def _title(text: str | None) -> str | None:
    title = " ".join((text or "").split())[: content_limits.TITLE].strip()
    return title or None
