"""The pages that a specification makes: one for each tag, with its operations; its schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from content.openapi.extracts import is_hidden, resolved
from content.openapi.structure import METHODS, JsonObject

# Pages of tags of one specification, and levels of them. What is deeper stands at the top; what has
# no page any more stands with what has no tag.
MOST_PAGES, MOST_LEVELS = 1_000, 20


@dataclass(slots=True)
class Entry:
    """An operation or a webhook of a page; `name` is its path, or the name of the webhook."""

    name: str
    method: str
    title: str
    webhook: bool = False


@dataclass(slots=True)
class TagPage:
    """The page of a tag; `name` is that of the tag, "" for what has none."""

    name: str
    title: str
    description: str = ""
    lead: str = ""
    icon: str = ""
    entries: list[Entry] = field(default_factory=list)
    children: list[TagPage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outline:
    """The pages at the top, each with those below it; all of them by name; names of schemas."""

    top: list[TagPage]
    by_name: dict[str, TagPage]
    schemas: list[str]


def outline_of(root: JsonObject) -> Outline:
    """The pages of a specification: tags in their order there, then by their first use; pages that
    would hold nothing are left out."""
    listed = root.get("tags")
    tags = {
        tag["name"]: tag
        for tag in (listed if isinstance(listed, list) else [])
        if isinstance(tag, dict) and isinstance(tag.get("name"), str) and tag["name"]
    }
    visible = {name: tag for name, tag in tags.items() if not is_hidden(tag)}
    pages = {name: _page(name, tag) for name, tag in islice(visible.items(), MOST_PAGES)}
    info = root.get("info")
    about: JsonObject = info if isinstance(info, dict) else {}
    own = TagPage("", _text(about, "title") or "API", description=_text(about, "description"))
    for entry, names in _entries(root):
        if any(name in tags and name not in visible for name in names):
            continue
        name = names[0] if names else ""
        if name and name not in pages and len(pages) < MOST_PAGES:
            pages[name] = TagPage(name, name)
        pages.get(name, own).entries.append(entry)
    top = _nested(tags, pages)
    if own.entries:
        top = [own, *top]
    components = root.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    names = [
        name
        for name, schema in (schemas if isinstance(schemas, dict) else {}).items()
        if isinstance(schema, dict) and not is_hidden(schema)
    ]
    return Outline(top, pages | {"": own}, names)


def _text(holder: JsonObject, name: str) -> str:
    value = holder.get(name)
    return value.strip() if isinstance(value, str) else ""


def _page(name: str, tag: JsonObject) -> TagPage:
    title = _text(tag, "x-page-title") or _text(tag, "x-displayName") or name
    lead, icon = _text(tag, "x-page-description"), _text(tag, "x-page-icon")
    return TagPage(name, title, _text(tag, "description"), lead, icon)


def _entries(root: JsonObject) -> list[tuple[Entry, list[str]]]:
    """Operations and webhooks for readers in the order of the specification, with their tags."""
    entries = []
    for member in ("paths", "webhooks"):
        items: Any = root.get(member)
        for name, item in items.items() if isinstance(items, dict) else ():
            methods = resolved(root, item)
            for method in METHODS if isinstance(methods, dict) else ():
                operation = methods.get(method)
                if not isinstance(operation, dict) or is_hidden(operation):
                    continue
                title = (
                    _text(operation, "summary")
                    or _text(operation, "operationId")
                    or f"{method.upper()} {name}"
                )
                tags = operation.get("tags")
                names = [tag for tag in tags if isinstance(tag, str) and tag] if isinstance(
                    tags, list
                ) else []  # fmt: skip
                entries.append((Entry(name, method, title, member == "webhooks"), names))
    return entries


def _nested(tags: dict[str, JsonObject], pages: dict[str, TagPage]) -> list[TagPage]:
    """Pages below those that their tags name as parents; at the top where that is a circle, or
    too deep."""
    parents = {
        name: parent
        for name, tag in tags.items()
        for parent in [_text(tag, "parent") or _text(tag, "x-parent")]
        if name in pages and parent in pages
    }
    # How deep each stands, where that is known, so that each chain is followed once.
    levels = dict.fromkeys(pages.keys() - parents.keys(), 1)
    for name in pages:
        chain: dict[str, None] = {}
        step = name
        while step not in levels and step not in chain:
            chain[step] = None
            step = parents[step]
        if step not in levels:
            # The circle is cut where it was entered.
            del parents[step]
            levels[step] = 1
        for below in reversed(chain):
            if below not in levels:
                levels[below] = levels[parents[below]] + 1
                if levels[below] > MOST_LEVELS:
                    del parents[below]
                    levels[below] = 1
    top = []
    for name, page in pages.items():
        if name in parents:
            pages[parents[name]].children.append(page)
        else:
            top.append(page)
    return [page for page in top if _holds_something(page)]


def _holds_something(page: TagPage) -> bool:
    """Whether a page, or one below it, has operations; those below that have none are taken out."""
    waiting, order = [page], []
    while waiting:
        order.append(waiting.pop())
        waiting.extend(order[-1].children)
    filled: set[int] = set()
    for each in reversed(order):
        each.children = [child for child in each.children if id(child) in filled]
        if each.entries or each.children:
            filled.add(id(each))
    return id(page) in filled
