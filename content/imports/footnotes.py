"""Footnotes in HTML: references in the text and bodies at its end, each in many spellings."""

from __future__ import annotations

import re

from content.imports.dom import Tag

# The element that takes the place of a reference; its attribute `label` is the number.
NOTE = "footnote-reference"
_REFERENCE = re.compile(r"noteref|footnote-?ref|fnref|footnote-reference", re.IGNORECASE)
_BODY = re.compile(r"footnote|endnote|rearnote|(?:\b|[-_])fn", re.IGNORECASE)
_MARK = re.compile(r"\[?\(?[0-9]{1,4}\)?\]?|\[?[*†‡a-z]\]?")
MOST_NOTES = 2_000


def take_footnotes(root: Tag) -> dict[str, Tag]:
    """Replace references to footnotes below `root` by `NOTE` elements; their bodies by label.

    The bodies are taken out of the tree. What only looks like a footnote stays as it is.
    """
    bodies = {tag.get("id"): tag for tag in root.walk() if tag.get("id")}
    labels: dict[str, str] = {}
    for parent in root.walk():
        for index, child in enumerate(parent.children):
            if not isinstance(child, Tag):
                continue
            target = _referred(child)
            if target is None or target not in bodies or len(labels) >= MOST_NOTES:
                continue
            if not _is_body(bodies[target]):
                continue
            label = labels.setdefault(target, str(len(labels) + 1))
            parent.children[index] = Tag(NOTE, {"label": label})
    if not labels:
        return {}
    taken = {label: bodies[target] for target, label in labels.items()}
    ids = {id(body) for body in taken.values()}
    root.without(lambda tag: id(tag) in ids)
    root.without(_is_empty_shell)
    for body in taken.values():
        body.without(_is_way_back)
    return taken


def _referred(tag: Tag) -> str | None:
    """The id that a reference to a footnote names; None when it is none."""
    link = tag
    if tag.name == "sup":
        inner = tag.elements()
        if len(inner) != 1 or tag.has_text():
            return None
        link = inner[0]
    if link.name != "a" or not link.get("href").startswith("#"):
        return None
    kind = " ".join((link.get("epub:type"), link.get("role"), link.get("class"), tag.get("class")))
    raised = tag.name == "sup" or any(element.name == "sup" for element in link.elements())
    if not _REFERENCE.search(kind) and not (raised and _MARK.fullmatch(link.words())):
        return None
    return link.get("href")[1:]


def _is_body(tag: Tag) -> bool:
    kind = " ".join((tag.get("epub:type"), tag.get("role"), tag.get("class"), tag.get("id")))
    return tag.name in ("li", "aside", "div", "p", "dd", "section") and bool(_BODY.search(kind))


def _is_way_back(tag: Tag) -> bool:
    back = f"{tag.get('class')} {tag.get('role')} {tag.get('epub:type')}".lower()
    return tag.name == "a" and ("back" in back or tag.words() in ("↩", "↩︎", "↑", "^"))


def _is_empty_shell(tag: Tag) -> bool:
    """A list or section of footnotes that has nothing left in it."""
    if tag.name not in ("ol", "ul", "section", "div", "aside"):
        return False
    kind = f"{tag.get('class')} {tag.get('epub:type')} {tag.get('role')}"
    if tag.name not in ("ol", "ul") and not _BODY.search(kind):
        return False
    return not tag.words() and not any(tag.all("img", "table", "pre", "input"))
