"""Marks that an import puts on pages, files and reusable contents, so that the next finds them.

A mark names the source, the path in it, and a digest of what the import wrote: from that the next
one tells what the source has changed since, and what people have. It is stored with the content,
so drafts, copies and older revisions have the marks of what they hold.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from content.git.import_links import Known
from content.hashing import content_id
from content.links.meaning import from_root
from content.merkle.node import Value, canonical
from content.merkle.read import lookup, scan
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.revisions.ids import MAPS
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_all, walk_one

Json = dict[str, Any]
# (id, (source, path)) of what has a mark.
Marked = Sequence[tuple[str, tuple[str, str]]]
# The source of pages that were imported from Git: their marks are those of Git.
GIT = "git"
# Characters of all texts that new pages are compared with.
TEXTS = 5_000_000
_FIELDS = ("title", "description", "emoji", "icon", "hidden", "no_index", "no_robots_index",
           "layout", "cover", "variables", "condition", "extra", "target", "computed")  # fmt: skip


def source_of(url: str, kind: str) -> str:
    """The name of a source: the same for the same address.

    Its query may name one of several documents, or sign the address: as with any other address,
    the paths in it tell whether it is the same documentation.
    """
    address, question, query = url.partition("#")[0].partition("?")
    return content_id(f"{kind} {address.rstrip('/')}{question}{query}".encode())


def mark_of(source: str, path: str, into: str | None, digest: str) -> Json:
    """The mark of something that an import has put below the page `into`."""
    mark: Json = {"source": source, "path": path, "digest": digest}
    return mark if into is None else {**mark, "into": into}


def page_digest(page: Page, markdown: str) -> str:
    """Equal for pages with the same fields and text, wherever they stand."""
    fields = _fields(page)
    return content_id(canonical({**fields, "type": page.type.value, "markdown": markdown}))


def mark_of_head(page: Page, head: str | None) -> Json:
    """The part of a page's mark that holds its front matter as the source has it."""
    return {} if head is None else {"head": head, "fields": _fields_digest(page)}


def written_head(page: Page) -> str | None:
    """The front matter and title as the source has them; None where the page is another by now."""
    mark = page.imported or {}
    if "head" not in mark or mark.get("fields") != _fields_digest(page):
        return None
    return str(mark["head"])


def _fields_digest(page: Page) -> str:
    return content_id(canonical(_fields(page)))


def _fields(page: Page) -> Json:
    return {name: getattr(page, name) for name in _FIELDS}


def text_digest(*texts: str) -> str:
    """A digest of texts."""
    return content_id(canonical(list(texts)))


@dataclass(frozen=True, slots=True)
class Imported:
    """The objects of earlier imports in one place: ids with their sources, and their paths in
    these; those of the source that is imported first."""

    source: str
    pages: Marked = ()
    files: Marked = ()
    contents: Marked = ()

    def known(self, paths: Iterable[str]) -> Known:
        """The objects that an update from the source, with these paths of pages, finds again."""
        others = self._others(paths)
        return Known(
            *(
                {path: id for id, (own, path) in reversed(marked) if own not in others}
                for marked in (self.pages, self.files, self.contents)
            )
        )

    def missing(self, paths: Collection[str]) -> list[str]:
        """Ids of pages whose paths the source, with these paths, has no longer.

        They are of that source, or of others that it has taken pages over from: the same
        documentation may be at another address each time.
        """
        own, there = self.known(paths).pages, set(paths)
        there_still = {own[path] for path in there & own.keys()}
        sources = {self.source, *(own for id, (own, _) in self.pages if id in there_still)}
        return [id for id, (own, path) in self.pages if own in sources and path not in there]

    def _others(self, paths: Iterable[str]) -> set[str]:
        """Sources that are other documentation: less than half of their pages have these paths."""
        there = set(paths)
        total = Counter(own for _, (own, _) in self.pages if own != self.source)
        shared = Counter(own for _, (own, path) in self.pages if path in there)
        return {own for own, count in total.items() if 2 * shared[own] < count}


async def read_imported(
    ctx: Context, revision: Revision, source: str, into: str | None
) -> Imported:
    """The objects of earlier imports below the page `into`, those of the source first."""
    walks = [(revision.space_id, scan(getattr(revision, root))) for root in MAPS.values()]
    imported = await walk_all(ctx, walks)
    return Imported(source, *(_marked(entries, source, into) for entries in imported))


def _marked(
    entries: Iterable[tuple[str, Value]], source: str, into: str | None
) -> list[tuple[str, tuple[str, str]]]:
    """(id, (source, path)) of entries with a mark, those of the source first."""
    marked: list[tuple[str, tuple[str, str]]] = []
    for id, entry in entries:
        stored: Json = dict(entry)
        mark, git = stored.get("imported"), stored.get("git")
        if mark is not None:
            if mark.get("into") == into:
                marked.append((id, (mark["source"], mark["path"])))
        elif git is not None and into is None:
            marked.append((id, (GIT, from_root(git["path"], git.get("root") or ""))))
    return sorted(marked, key=lambda pair: (pair[1][0] != source, pair[0]))


async def texts_of(ctx: Context, revision: Revision, ids: Sequence[str]) -> dict[str, str]:
    """Titles and bodies of pages of a revision, by id, as long as they are not too much."""
    pages = await pages_by_id(ctx, revision, ids)
    stored = await bodies(ctx, [(page.space_id, page.document_id) for page in pages])
    texts: dict[str, str] = {}
    left = TEXTS
    for page, body in zip(pages, stored, strict=True):
        if body is not None and len(body.markdown) <= left:
            texts[page.id] = f"{page.title}\n{body.markdown}"
            left -= len(body.markdown)
    return texts


async def pages_by_id(ctx: Context, revision: Revision, ids: Sequence[str]) -> list[Page]:
    """Pages of a revision, as they are stored."""
    entries = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, ids))
    return [page_of(revision.space_id, "", id, entry) for id, entry in entries.items()]
