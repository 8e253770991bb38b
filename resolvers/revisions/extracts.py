"""Reading pages for the index: sections, words and references, out of the event loop."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import orjson
from sqlalchemy import bindparam, select

from content.documents.anchor_spellings import all_heading_aliases, title_names
from content.documents.anchors import block_anchors, expandable_anchors, with_anchors
from content.documents.named_places import NAMED_PLACES, other_places, own_places, tab_spellings
from content.documents.sections import Section, drop_conditional_blocks, sections_of, shown_text
from content.links.references import Reference, reference_to, references_of
from content.merkle.node import canonical
from content.merkle.read import lookup
from db.content_enums import PageType
from db.models.content import Document, Revision
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.bodies_work import BodiesWork
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.store import walk_one

T = TypeVar("T")

# Pieces of reusable content on one page that are searched with it.
EMBEDDED_LIMIT = 100


@dataclass(slots=True)
class Extract:
    """The sections, texts and references of one page or reusable content, for the index."""

    id: str
    sections: list[Section] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    # What else leads to its headings, and to other places of it: links to them are not broken.
    aliases: list[str] = field(default_factory=list)
    # Text that the page shows and other pieces hold.
    embedded_text: str = ""
    # Ids of the files of the same space that every reader of it is shown.
    files: frozenset[str] = frozenset()
    # The same without `if` blocks, where there are some: what visitors find.
    unconditional: Self | None = None

    @property
    def anchors(self) -> frozenset[str]:
        """The anchors that links may lead to, with those that headings had."""
        own = (section.anchor for section in self.sections if section.anchor is not None)
        return frozenset((*own, *self.aliases))

    @property
    def embeds(self) -> list[str]:
        """Ids of the reusable contents of the same space that it shows."""
        return [
            reference.target_id
            for reference in self.references
            if reference.kind == "reusable-content"
            and reference.relation == "dependsOn"
            and reference.space_id is None
            and reference.target_id is not None
        ][:EMBEDDED_LIMIT]


class Extractor:
    """Extracts pages of one revision; texts of reusable contents are read once."""

    def __init__(self, revision: Revision) -> None:
        self._revision = revision
        # Each whole, and without its `if` blocks; and the files that it shows without these.
        self._texts: dict[str, tuple[str, str]] = {}
        self._files: dict[str, frozenset[str]] = {}

    async def pages(self, ctx: Context, pages: Sequence[Page]) -> list[Extract]:
        """The extract of each page."""
        space_id = self._revision.space_id
        # Those that are known stay as they are, should the write begin again.
        by_id: dict[str, Extract] = {
            page.id: replace(extract)
            for page in pages
            if isinstance(extract := ctx.worked_out.get(_key(page)), Extract)
        }
        left = [page for page in pages if page.id not in by_id]
        bodies = await _bodies(ctx, space_id, [page.document_id for page in left])
        new = await _beside(ctx, lambda: _extracts(left, bodies, space_id))
        by_id.update((extract.id, extract) for extract in new)
        extracts = [by_id[page.id] for page in pages]
        await self._read_texts(ctx, {id for extract in extracts for id in extract.embeds})
        for page_extract in extracts:
            self._embed(page_extract)
        return extracts

    def _embed(self, extract: Extract) -> None:
        """Add the texts of the reusable contents that a page shows."""
        extract.embedded_text = self._text(extract.embeds)
        for_visitors = extract.unconditional or extract
        extract.files = extract.files.union(
            *(self._files.get(id, frozenset()) for id in for_visitors.embeds)
        )
        text = self._text(for_visitors.embeds, unconditional=True)
        if extract.unconditional is not None or text != extract.embedded_text:
            extract.unconditional = replace(for_visitors, embedded_text=text)

    def _text(self, ids: Iterable[str], *, unconditional: bool = False) -> str:
        return "\n".join(self._texts.get(id, ("", ""))[unconditional] for id in ids)

    async def contents(self, ctx: Context, contents: Sequence[ReusableContent]) -> list[Extract]:
        """The extract of each reusable content: what it refers to."""
        space_id = self._revision.space_id
        bodies = await _bodies(ctx, space_id, [content.document_id for content in contents])

        def extract() -> list[Extract]:
            return [
                Extract(
                    content.id,
                    references=references_of(
                        _document(bodies, content.document_id), None, space_id
                    ),
                )
                for content in contents
            ]

        return await _beside(ctx, extract)

    async def _read_texts(self, ctx: Context, ids: set[str]) -> None:
        missing = ids - self._texts.keys()
        if not missing:
            return
        space_id = self._revision.space_id
        entries = await walk_one(ctx, space_id, lookup(self._revision.contents_root, missing))
        documents = {id: entry.get("document_id") for id, entry in entries.items()}
        bodies = await _bodies(ctx, space_id, documents.values())

        def read() -> list[tuple[str, tuple[str, str], frozenset[str]]]:
            return [
                (id, *_shown_of(_document(bodies, documents.get(id)), space_id)) for id in missing
            ]

        for id, texts, files in await _beside(ctx, read):
            self._texts[id], self._files[id] = texts, files


async def extract_ahead(
    work: BodiesWork, space_id: str, pages: Iterable[Page], bodies: Mapping[str, tuple[str, bytes]]
) -> None:
    """Extract pages of a write before it takes its lock, as far as their bodies are new."""
    for page in pages:
        body = bodies.get(page.document_id or "")
        if body is not None:

            def extract(page: Page = page, data: bytes = body[1]) -> Extract:
                return extract_page(page, orjson.loads(data), space_id)

            await work.do(len(body[0]), extract, _key(page))


def _key(page: Page) -> tuple[str, str, str, str | None, bytes]:
    """All that the extract of a page follows from."""
    rest = canonical([page.type, page.title, page.target, page.cover])
    return "extract", page.space_id, page.id, page.document_id, rest


@statement
def _stored(viewer: Viewer) -> Written:
    return select(Document.id, Document.data).where(
        Document.space_id == bindparam("space_id", type_=KEY), among(Document.id, "documents")
    )


async def _bodies(ctx: Context, space_id: str, ids: Iterable[str | None]) -> dict[str, bytes]:
    document_ids = {id for id in ids if id is not None}
    if not document_ids:
        return {}
    return dict(await _stored.rows(ctx, space_id=space_id, documents=document_ids))


async def _beside(ctx: Context, work: Callable[[], T]) -> T:
    """The result of `work`, which takes a while: beside the event loop.

    Reads may be in a thread of their own already; they take little at a time, and let others go
    before it.
    """
    if ctx.writing:
        return await asyncio.to_thread(work)
    await asyncio.sleep(0)
    return work()


def _document(bodies: dict[str, bytes], id: str | None) -> dict[str, Any]:
    data = bodies.get(id or "")
    if data is None:
        return {"object": "document", "nodes": []}
    document: dict[str, Any] = orjson.loads(data)
    return document


def _shown_of(document: dict[str, Any], space_id: str) -> tuple[tuple[str, str], frozenset[str]]:
    """The text of a document, and text and files of it without its `if` blocks, which it loses."""
    text = _text(document)
    texts = text, _text(document) if drop_conditional_blocks(document) else text
    return texts, _files(references_of(document, None, space_id))


def _files(references: Iterable[Reference]) -> frozenset[str]:
    """The files of the same space among what is referred to."""
    return frozenset(
        reference.target_id
        for reference in references
        if reference.kind == "file"
        and reference.space_id is None
        and reference.target_id is not None
    )


def _text(document: dict[str, Any]) -> str:
    return "\n".join(f"{section.heading}\n{section.text}" for section in sections_of(document))


def _extracts(pages: Sequence[Page], bodies: dict[str, bytes], space_id: str) -> list[Extract]:
    return [extract_page(page, _document(bodies, page.document_id), space_id) for page in pages]


def extract_page(page: Page, document: dict[str, Any], space_id: str) -> Extract:
    """The sections and references of a page and its body, which loses its `if` blocks."""
    extract = Extract(page.id)
    cover = page.cover or {}
    own = [page.target, cover.get("ref"), cover.get("refDark")]
    read = (reference_to(value, page.id, space_id) for value in own)
    # A cover in both forms, or the same link twice in one block, is one link.
    references = {reference.digest: reference for reference in read if reference is not None}
    extract.references = list(references.values())
    extract.files = _files(extract.references)
    if page.type is PageType.DOCUMENT:
        # Before anything is taken out: anchors are the same for every reader.
        document = dict(with_anchors(document))
        extract.sections = sections_of(document)
        anchors = block_anchors(document)
        aliases = all_heading_aliases(document, anchors, page.title)
        names = [alias for group in aliases.values() for alias in group]
        own_names = own_places(document)
        expandables = expandable_anchors(document, anchors)[:NAMED_PLACES]
        places = [*expandables, *own_names, *other_places(document)]
        taken = {*anchors.values(), *names, *places}
        # What a name means in another spelling is a place of the body first, then the title.
        places += title_names(page.title, taken)
        places += tab_spellings(own_names, {*taken, *places})
        extract.aliases = list(dict.fromkeys([*names, *places]))
        extract.references += references_of(document, page.id, space_id)
        if drop_conditional_blocks(document):
            left = references_of(document, page.id, space_id)
            extract.unconditional = Extract(page.id, sections_of(document), left)
        extract.files |= _files((extract.unconditional or extract).references)
    return extract


def shown_line(text: str | None) -> str:
    """A title or description on one line."""
    return " ".join(shown_text(text or "").split())
