"""The text of the file of a page or reusable content, made of the one that is there.

What reads as wanted stays as it is written: front matter, heading, body, each on its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from content.documents.anchors import braced_anchor
from content.errors import YamlError
from content.git.text_bytes import BOM
from content.json_types import JsonObject
from content.pages.front_matter import (
    MAX_FRONT_MATTER_BYTES,
    FrontMatter,
    read_front_matter,
    split_front_matter,
)
from content.pages.front_matter_writer import heading_says, write_front_matter
from content.pages.stored import stored_title
from content.pages.title import split_title
from content.pages.yaml_edits import edit_yaml
from content.safe_yaml import dump_yaml, load_yaml

# The body for a file whose body is this now; None for a new file.
WriteBody = Callable[[str | None], str]
_MARKS: Final = re.compile(r"[\\`*_\[\]<>&!~#]")


def page_text(
    old: str | None, title: str, matter: FrontMatter, write_body: WriteBody, *, fallback: str = ""
) -> str:
    """The text of a page's file. `matter` has no title; its cover has paths as they are written.

    `fallback` is the title that the page has where its file says none.
    """
    if old is None:
        return _anew(title, matter, write_body(None))
    old = old.removeprefix(BOM)
    yaml, rest, _ = split_front_matter(old)
    there = read_front_matter(yaml or "", "")
    heading, body = split_title(rest)
    new_body = write_body(body)
    same_title = stored_title(there.title or heading or fallback) == title
    own_title = there.title if same_title or there.title is None else title
    front = _edited(old[: len(old) - len(rest)], yaml, there, replace(matter, title=own_title))
    start, segment, behind = _around_heading(rest, body)
    if new_body[: len(start)] == start:
        tail = new_body[len(start) :]
        for candidate in _candidates(front, start, segment, behind, tail, heading, there, title):
            if _says(candidate, title, matter, new_body, fallback):
                return candidate
    return _anew(title, replace(matter, id=there.id), new_body)


def _candidates(
    front: str,
    start: str,
    segment: str,
    lead: str,
    tail: str,
    heading: str | None,
    there: FrontMatter,
    title: str,
) -> list[str]:
    """Texts to try: as the file has its title, then with the title in a heading."""
    texts = [f"{front}{lead}{start}{segment}{tail}"]
    line = _heading(title)
    if line is None:
        return texts
    braced = braced_anchor(segment.strip())
    line += braced[1] if braced else ""
    blank = segment[len(segment.rstrip("\n")) :] or "\n\n"
    if (
        segment.strip()
        and heading is not None
        and (there.title is None or stored_title(there.title) == stored_title(heading))
    ):
        texts.insert(0 if stored_title(heading) != title else 1,
                     f"{front}{lead}{start}{line}{blank}{tail}")  # fmt: skip
    elif heading is None and there.title is None:
        texts.append(f"{front}{lead}{line}\n\n{start}{segment}{tail}".replace("\n\n\n", "\n\n"))
    return texts


def _around_heading(rest: str, body: str) -> tuple[str, str, str]:
    """(text before the heading that is part of the body, the heading, blank lines above all)."""
    if body == rest:
        return "", "", ""
    stripped = rest.lstrip("\n")
    lead = rest[: len(rest) - len(stripped)]
    start = _common_start(stripped, body)
    if stripped.endswith(body):
        start = ""
    end = len(stripped) - (len(body) - len(start))
    return start, stripped[len(start) : end], lead


def _common_start(left: str, right: str) -> str:
    """The beginning that two texts have in common, by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return left[:low]


def _says(text: str, title: str, matter: FrontMatter, body: str, fallback: str) -> bool:
    """Whether a text is read as a page like this."""
    yaml, rest, _ = split_front_matter(text)
    try:
        read = read_front_matter(yaml or "", "")
    except YamlError:
        return False
    heading, own = split_title(rest)
    same_title = stored_title(read.title or heading or fallback) == title
    return same_title and own.lstrip("\n") == body.lstrip("\n") and same_fields(read, matter)


_FIELDS: Final = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout", "cover",
    "variables", "condition",
)  # fmt: skip


def same_fields(left: FrontMatter, right: FrontMatter) -> bool:
    """Whether two pages have the same fields, but for their titles."""
    without = {"title": None}
    return all(getattr(left, name) == getattr(right, name) for name in _FIELDS) and (
        {**left.extra, **without} == {**right.extra, **without}
    )


def _values(matter: FrontMatter) -> JsonObject:
    """The keys of front matter that says this."""
    text = write_front_matter(matter)
    if not text:
        return {}
    values = load_yaml(split_front_matter(text)[0] or "", "")
    return values if isinstance(values, dict) else {}


def _edited(front: str, yaml: str | None, there: FrontMatter, matter: FrontMatter) -> str:
    """Front matter with other values in place of those that differ."""
    before, after = _values(there), _values(matter)
    if yaml is None:
        return f"---\n{dump_yaml(after)}---\n\n" if after else front
    raw = load_yaml(yaml, "")
    values: JsonObject = dict(raw) if isinstance(raw, dict) else {}
    for name in (*before, *after):
        if name not in after:
            values.pop(name, None)
        elif name not in before or before[name] != after[name]:
            values[name] = after[name]
    if isinstance(raw, dict) and not values:
        return ""
    edited = edit_yaml(yaml, values, max_bytes=MAX_FRONT_MATTER_BYTES)
    first = front.index("\n") + 1
    return f"{front[:first]}{edited}{front[first + len(yaml) :]}"


def _anew(title: str, matter: FrontMatter, body: str) -> str:
    line = _heading(title)
    head = "" if line is None else f"{line}\n\n"
    front = write_front_matter(replace(matter, title=None if line is not None else title))
    if matter.id is not None:
        rest = front.removeprefix("---\n") or "---\n"
        front = f"---\nid: {matter.id}\n{rest}"
    body = body.lstrip("\n")
    text = (
        (f"{front}\n" if front else "")
        + (head if body else head.rstrip("\n") + "\n" * bool(head))
        + body
    )
    if not _says(text, title, matter, body, ""):
        front = write_front_matter(replace(matter, title=title))
        text = f"{front}\n{head}{body}"
    return text


def _heading(title: str) -> str | None:
    """The heading that gives a page this title; None where none does."""
    for text in (title, _MARKS.sub(r"\\\g<0>", title)):
        if heading_says(title, f"# {text}\n"):
            return f"# {text}"
    return None


def content_text(old: str | None, title: str, write_body: WriteBody, *, fallback: str = "") -> str:
    """The text of the file of a reusable content; the parameters are those of `page_text`."""
    if old is None:
        return f"---\n{dump_yaml({'title': title})}---\n\n{write_body(None)}"
    old = old.removeprefix(BOM)
    yaml, rest, _ = split_front_matter(old)
    there = read_front_matter(yaml or "", "")
    if there.title is not None:
        lead = rest[: len(rest) - len(rest.lstrip("\n"))]
        body = write_body(rest.lstrip("\n")).lstrip("\n")
        own = there.title if stored_title(there.title) == title else title
        front = _edited(old[: len(old) - len(rest)], yaml, there, replace(there, title=own))
        return f"{front}{lead}{body}"
    return page_text(old, title, there, write_body, fallback=fallback)
