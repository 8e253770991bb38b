"""Pages of a published site as Markdown, with what their links lead to: for many pages at once.

The caller is a visitor, as in resolvers/published/pages.py. What the addresses are is the caller's:
it knows where the site is read.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from content.documents.evaluation import Evaluation, evaluate_document
from content.json_types import JsonObject
from content.links.file_index import places_at
from content.links.meaning import (
    Meaning,
    Standing,
    file_key,
    meaning_of,
    place_reference,
    with_anchor,
)
from content.slugs import slug_key
from db.content_enums import Evaluated
from resolvers.content.documents import stored_markdown
from resolvers.content.files import file_urls
from resolvers.content.pages import landing_pages
from resolvers.content.shown_references import (
    Named,
    collect,
    collect_written,
    contents_of,
    files_of,
    names_of,
)
from resolvers.core.context import Context
from resolvers.published.link_maps import LinkMap, link_map
from resolvers.published.pages import ShownFile, find_elsewhere, readable_spaces
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.read_targets import find_revision, stored_revisions
from resolvers.revisions.rows import Page
from resolvers.revisions.source_paths import source_paths
from resolvers.revisions.states import Body
from resolvers.revisions.tree import all_pages

Json = dict[str, Any]


@dataclass(slots=True)
class SpaceTexts:
    """Pages, files and reusable contents that all texts of one revision share."""

    # Every page that the visitor may see, by id and by path as it is compared.
    pages: Mapping[str, Page]
    paths: Mapping[str, Page]
    landing_id: str | None
    files: Mapping[str, ShownFile]
    users: Mapping[str, str]
    contents: Mapping[str, Json]
    written: Mapping[str, str]
    elsewhere: Mapping[tuple[str, str], Page] = field(default_factory=dict)


@dataclass(slots=True)
class PublishedText:
    """The Markdown of one page as it is stored, evaluated for the visitor, and its links."""

    page: Page
    markdown: str
    links: LinkMap
    space: SpaceTexts
    evaluation: Evaluation | None
    # What relative URLs lead to that nothing was made of when the text was stored.
    led: Mapping[str, JsonObject] = field(default_factory=dict)

    def content(self, id: str) -> Json | None:
        """The document of a reusable content, as this page shows it."""
        document = self.space.contents.get(id)
        if document is None or self.evaluation is None:
            return document
        return evaluate_document(document, self.evaluation)

    def reference(self, url: str) -> JsonObject | None:
        """The content reference of a URL in the text; None for one that is just a URL."""
        return self.links.references.get(url) or self.led.get(url)


async def read_published_texts(ctx: Context, pages: Sequence[Page]) -> list[PublishedText]:
    """The texts of pages, in a number of statements that does not depend on their number."""
    stored = await stored_markdown(ctx, pages, Evaluated.TRUE)
    links = [
        await link_map(page.space_id, page.document_id, body.body)
        for page, body in zip(pages, stored, strict=True)
    ]
    revisions = await stored_revisions(ctx, {page.revision_id for page in pages})
    spaces: dict[str, SpaceTexts] = {}
    everywhere = Named()
    for id, revision in revisions.items():
        own = [index for index, page in enumerate(pages) if page.revision_id == id]
        maps, texts = [links[index] for index in own], [stored[index].body for index in own]
        named = Named(shown=readable_spaces(ctx) | {revision.space_id})
        spaces[id] = await _space_texts(ctx, revision, maps, texts, named)
        everywhere.elsewhere |= named.elsewhere
    elsewhere = await find_elsewhere(ctx, everywhere)
    for space_texts in spaces.values():
        space_texts.elsewhere = elsewhere
    published = [
        PublishedText(page, body.markdown, map, spaces[page.revision_id], body.evaluation)
        for page, body, map in zip(pages, stored, links, strict=True)
    ]
    for id, revision in revisions.items():
        await _lead(ctx, revision, [text for text in published if text.page.revision_id == id])
    return published


async def _space_texts(
    ctx: Context, revision: Any, maps: Sequence[LinkMap], texts: Sequence[Body], named: Named
) -> SpaceTexts:
    await collect([list(map.references.values()) for map in maps], named)  # type: ignore[misc]
    if {space for space, _ in named.elsewhere} - named.shown:
        await collect_written(ctx, texts, named)
    contents = await contents_of(ctx, revision, named)
    files = await files_of(ctx, revision, named.files)
    urls = await file_urls(ctx, files, None)
    (tree,) = await all_pages(ctx, [revision])
    (landing,) = await landing_pages(ctx, [revision], None)
    organization_id = "" if ctx.actor.visitor is None else ctx.actor.visitor.organization_id
    return SpaceTexts(
        pages={page.id: page for page in tree},
        paths={slug_key(page.path): page for page in tree if page.slug is not None},
        landing_id=None if landing is None else landing.id,
        files={file.id: ShownFile(file, url) for file, url in zip(files, urls, strict=True)},
        users=await names_of(ctx, organization_id, named.users),
        contents=contents,
        written=named.written,
    )


async def _lead(ctx: Context, revision: Any, texts: Sequence[PublishedText]) -> None:
    """Find what relative URLs lead to by the paths of files, where texts came with files."""
    meanings: list[tuple[PublishedText, str, Meaning]] = []
    for text in texts:
        if text.page.git is None:
            continue
        standing = Standing.of(text.page.path, text.page.git)
        for url in text.links.urls - text.links.references.keys():
            meaning = meaning_of(url, standing)
            if meaning is not None and meaning.files:
                meanings.append((text, url, meaning))
    if not meanings:
        return
    root = str((texts[0].page.git or {}).get("root") or "")
    keys = {path: file_key(f"{root}/{path}".strip("/"))
            for _, _, meaning in meanings for path in meaning.files}  # fmt: skip
    parts = await source_paths(ctx, revision)
    places = await asyncio.to_thread(places_at, parts, keys.values())
    files: set[str] = set()
    for text, url, meaning in meanings:
        for path in meaning.files:
            targets = places.get(keys[path])
            if targets:
                text.led = {
                    **text.led,
                    url: with_anchor(place_reference(targets[0]), meaning.anchor),
                }
                files.update([targets[0].id] if targets[0].kind == "file" else [])
                break
    await _add_files(ctx, revision, texts, files)


async def _add_files(
    ctx: Context, revision: Any, texts: Sequence[PublishedText], ids: Iterable[str]
) -> None:
    space = texts[0].space
    rows = await files_of(ctx, revision, set(ids) - space.files.keys())
    urls = await file_urls(ctx, rows, None)
    more = {row.id: ShownFile(row, url) for row, url in zip(rows, urls, strict=True)}
    space.files = {**space.files, **more}


async def read_published_text(
    ctx: Context, space_id: str, path: str, revision_id: str | None = None
) -> PublishedText:
    """The text of the page at a path of a space; the landing page for the empty one."""
    revision = await find_revision(ctx, space_id, revision_id=revision_id, columns=None)
    page = await find_page_by_path(ctx, revision, path)
    (text,) = await read_published_texts(ctx, [page])
    return text
