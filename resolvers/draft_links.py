"""What the links of a Markdown text in a draft lead to: pages, files and reusable contents.

A link is understood as `ref:NAME` of the batch, as the URL of a reference (`docstead:...`), by what
the same text led to before, and, if it is relative, by the path of a page or, in content that came
from Git, of a file.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from content.cell_references import cell_references
from content.json_types import JsonObject
from content.links import relative_target
from content.markdown.parser import parse_document
from content.merkle.node import canonical
from content.merkle.read import scan
from content.reference_urls import read_reference
from resolvers.content_draft import Draft
from resolvers.content_references import ALL_KINDS
from resolvers.content_store import walk_all

Json = dict[str, Any]
REF = "ref:"


class Links:
    """Resolves URLs for the parser; `missing` has the relative ones that nothing is known of."""

    def __init__(self, draft: Draft, folder: str, git_folder: str | None) -> None:
        self.missing: set[str] = set()
        self._draft = draft
        self._folder = folder
        self._git_folder = git_folder
        self._known: dict[str, JsonObject | None] = {}

    def __call__(self, url: str) -> JsonObject | None:
        """The content reference for a URL; None when it stays a URL."""
        if url.startswith(REF):
            return self._named(url)
        found = read_reference(url)
        if found is not None:
            return found
        if url in self._known:
            return self._known[url]
        folders = (self._folder, self._git_folder or "")
        if any(relative_target(url, folder) is not None for folder in folders):
            self.missing.add(url)
        return None

    def _named(self, url: str) -> JsonObject | None:
        name, _, anchor = url.partition("#")
        id = self._draft.refs.get(name)
        if id is None:
            return None
        kind = self._draft.kinds[name]
        if kind == "page" and anchor:
            return {"kind": "anchor", "page": id, "anchor": anchor}
        return {"kind": kind, _MEMBERS[kind]: id}

    async def look_up(self, before: tuple[str, Json] | None) -> None:
        """Find what the missing URLs lead to, after the text and document that stood there."""
        if before is not None:
            self._known.update(await asyncio.to_thread(_pairs, *before))
        left = sorted(self.missing - self._known.keys())
        for url in left:
            self._known[url] = await self._at_path(url)
        left = [url for url in left if self._known[url] is None]
        if left and self._git_folder is not None:
            self._known.update(await self._in_git(left, self._git_folder))

    async def _at_path(self, url: str) -> JsonObject | None:
        target = relative_target(url, self._folder)
        if target is None:
            return None
        path, anchor = target
        path = path.removesuffix("README.md").removesuffix(".md").strip("/")
        page = await self._draft.at_path(path) if path else None
        return None if page is None else _page_reference(page.id, anchor)

    async def _in_git(self, urls: list[str], folder: str) -> dict[str, JsonObject | None]:
        """By paths in the repository; this reads all entries, so it comes last."""
        draft = self._draft
        roots = draft.revision.pages_root, draft.revision.files_root, draft.revision.contents_root
        walks = [(draft.space_id, scan(root)) for root in roots]
        places: dict[str, tuple[str, str]] = {}
        for kind, entries in zip(_MEMBERS, await walk_all(draft.ctx, walks), strict=True):
            for id, entry in entries:
                git = entry.get("git")
                if isinstance(git, dict):
                    places[str(git.get("path"))] = (kind, id)
        found: dict[str, JsonObject | None] = {}
        for url in urls:
            target = relative_target(url, folder)
            place = None if target is None else places.get(target[0])
            if target is None or place is None:
                found[url] = None
            elif place[0] == "page":
                found[url] = _page_reference(place[1], target[1])
            else:
                found[url] = {"kind": place[0], _MEMBERS[place[0]]: place[1]}
        return found


# Kinds of content references, in the order of the maps of a revision, and their members.
_MEMBERS = {"page": "page", "file": "file", "reusable-content": "reusableContent"}


def _page_reference(id: str, anchor: str) -> JsonObject:
    if anchor:
        return {"kind": "anchor", "page": id, "anchor": anchor}
    return {"kind": "page", "page": id}


def _pairs(markdown: str, document: Json) -> dict[str, JsonObject | None]:
    """What each URL of a text led to: the same text gives the same references in order."""
    fresh = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    written, resolved = list(_references(fresh)), list(_references(document))
    if len(written) != len(resolved):
        return {}
    return {
        str(one["url"]): dict(other)
        for one, other in zip(written, resolved, strict=True)
        if one.get("kind") == "url" and other.get("kind") != "url"
    }


class Addresses:
    """How one text writes what it links to, for writing it anew after an edit."""

    def __init__(self, markdown: str, document: Json) -> None:
        self._led_to: dict[str, JsonObject | None] = {}
        if any(one.get("kind") != "url" for one in _references(document)):
            self._led_to = _pairs(markdown, document)
        self._urls = {canonical(one): url for url, one in self._led_to.items()}

    def resolve(self, url: str) -> JsonObject | None:
        """The content reference for a URL of the text; None when it is just a URL."""
        return self._led_to.get(url) or read_reference(url)

    def link(self, reference: JsonObject) -> str | None:
        """The URL that the text has for a reference; None when it has none."""
        return self._urls.get(canonical(reference))


def _references(value: Any) -> Iterator[Mapping[str, Any]]:
    """All content references of a document, in document order."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            if item.get("kind") in ALL_KINDS:
                yield item
            elif item.get("type") == "table":
                # Cells may have ids in place of references.
                data = item.get("data") or {}
                stack.append(item.get("fragments", []))
                stack.append(list(cell_references(data.get("definition"), data.get("records"))))
            else:
                stack.extend(item[name] for name in sorted(item, reverse=True))
