"""The table of contents that a space is to have, compared with the one that a tree has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from content.git.path_links import PathLinks
from content.git.space_content import PageContent
from content.git.space_import import PageImport, PageKind
from content.git.summary import EntryKind, SummaryEntry
from content.git.summary_writer import WantedEntry, equal_sources
from content.json_types import JsonObject
from content.pages.stored import stored_title

ENTRY_KINDS: Final[Mapping[PageKind, EntryKind]] = {
    "document": "page",
    "group": "group",
    "link": "link",
    "computed": "computed",
}


def is_unlisted(entry: WantedEntry) -> bool:
    """Whether an entry stays one that the table does not list: the readme at its beginning."""
    before = entry.before
    return entry.same and before is not None and not before.line and not entry.children


class WantedTable:
    """Makes entries of pages. `paths` are those of the files of pages, `there` the pages of the
    tree with their entries, by id; `links` are those of the tree as it is to be."""

    def __init__(
        self,
        readme: str,
        paths: Mapping[str, str],
        there: Mapping[str, PageImport],
        entry_of: Mapping[str, SummaryEntry],
        links: PathLinks,
        outside: Callable[[JsonObject], str | None],
    ) -> None:
        self.readme = readme
        self.paths = paths
        self.there = there
        self.entry_of = entry_of
        self.links = links
        self.outside = outside

    def entry(self, page: PageContent) -> WantedEntry:
        """The entry of a page, with those of the pages below it."""
        children = tuple(self.entry(child) for child in page.children)
        there, before = self.there.get(page.id), self.entry_of.get(page.id)
        if there is not None and there.kind != page.kind:
            there = before = None
        same_title = there is not None and stored_title(there.title) == page.title
        title, target = page.title, None
        slug, source = None, None
        same = same_title
        if page.kind == "document":
            target = self.paths.get(page.id)
            if there is not None and before is not None:
                own_label = stored_title(before.title or page.title) != stored_title(there.title)
                if own_label:
                    # What authors have the table say in place of the title.
                    title = before.title
                same = (same_title or own_label) and before.target == target
                if target is None:
                    same = same and there.slug == page.slug
        elif page.kind == "group":
            slug = page.slug
            same = same_title and there is not None and there.slug == page.slug
        elif page.kind == "link":
            target = self._link_target(page, before)
            same = same_title and before is not None and before.target == target
        else:
            source = dict(page.source or {})
            if stored_title(str(source.get("title") or "")) != page.title:
                source["title"] = page.title
            same = same_title and there is not None and equal_sources(there.source, source)
        return WantedEntry(
            ENTRY_KINDS[page.kind], title, target, slug, source, before, same, children
        )

    def _link_target(self, page: PageContent, before: SummaryEntry | None) -> str:
        reference = page.target or {"kind": "url", "url": ""}
        if before is not None and before.target and self._means(before.target, "") == reference:
            return before.target
        if reference.get("kind") == "url":
            return str(reference.get("url", ""))
        url = self.links.url(reference, "")
        if url is not None and reference.get("kind") in ("page", "anchor"):
            # Without a slash or an anchor it would be the page itself.
            return url if "#" in url else f"{url}#"
        return url or self.outside(reference) or ""

    def says(self, read: Sequence[SummaryEntry], entries: Sequence[WantedEntry]) -> bool:
        """Whether entries are read as those that are wanted; an unlisted readme is the first."""
        readme = self.readme
        listed = {entry.target for top in read for entry in top.walk() if entry.kind == "page"}
        if entries and readme not in listed and entries[0].target == readme:
            if entries[0].children:
                return False
            entries = entries[1:]
        stack: list[tuple[Sequence[SummaryEntry], Sequence[WantedEntry]]] = [(read, entries)]
        while stack:
            some, others = stack.pop()
            if len(some) != len(others):
                return False
            for entry, expected in zip(some, others, strict=True):
                if entry.kind != expected.kind or not self._says_one(entry, expected):
                    return False
                stack.append((entry.children, expected.children))
        return True

    def _says_one(self, read: SummaryEntry, expected: WantedEntry) -> bool:
        if expected.kind == "page" and expected.target is not None:
            return read.target == expected.target and (
                expected.before is None
                or not read.line
                or expected.same
                or read.title == expected.title
            )
        if stored_title(read.title) != stored_title(expected.title):
            return False
        if expected.kind == "computed":
            return equal_sources(read.source, expected.source)
        if expected.kind == "link":
            return self._means(read.target or "", "") == self._means(expected.target or "", "")
        if expected.kind == "group":
            return expected.same or read.slug == expected.slug or read.slug is None
        return read.target == expected.target

    def _means(self, url: str, path: str) -> JsonObject:
        return self.links.resolve(url, path) or {"kind": "url", "url": url}
