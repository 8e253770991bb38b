"""Pages of a published site as Markdown, with what their links lead to: for many pages at once.

The caller is a visitor, as in resolvers/published/pages.py. What the addresses are is the caller's:
it knows where the site is read.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from content.documents.evaluation import Evaluation, evaluate_document
from content.json_types import JsonObject
from content.links.meaning import Standing
from content.markdown.parser import parse_document
from db.content_enums import Evaluated
from resolvers.content.documents import stored_markdown
from resolvers.content.shown_references import Named, collect, collect_written
from resolvers.core.context import Context
from resolvers.integrations.shown import MOST_OF_PAGE, with_blocks
from resolvers.published.link_maps import LinkMap, link_map
from resolvers.published.pages import (
    ShownSpace,
    find_elsewhere,
    readable_spaces,
    shown_files,
    shown_space,
)
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.read_targets import find_revision, stored_revisions
from resolvers.revisions.rows import Page
from resolvers.revisions.source_paths import led_by_paths
from resolvers.revisions.states import Body
from resolvers.revisions.tree import all_pages
from resolvers.specifications.shown import slugs_of, specifications_for

Json = dict[str, Any]
# The specification that a tag of a text names.
_SPECIFICATION = re.compile(r'\{%-?\s*openapi-(?:operation|schemas|webhook)[^%]*\bspec="([^"]+)"')
# How the block of an integration begins.
BLOCK_TAG = re.compile(r"\{%-?\s*@")


@dataclass(slots=True)
class PublishedText:
    """The Markdown of one page as it is stored, evaluated for the visitor, and its links."""

    page: Page
    markdown: str
    links: LinkMap
    # What all texts of one revision share.
    space: ShownSpace
    evaluation: Evaluation | None
    # What relative URLs lead to that nothing was made of when the text was stored.
    led: Mapping[str, JsonObject] = field(default_factory=dict)
    # The specifications that its blocks show something of, by slug.
    specifications: Mapping[str, Json] = field(default_factory=dict)

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
    spaces: dict[str, ShownSpace] = {}
    everywhere = Named()
    for id, revision in revisions.items():
        own = [index for index, page in enumerate(pages) if page.revision_id == id]
        maps, texts = [links[index] for index in own], [stored[index].body for index in own]
        named = Named(shown=readable_spaces(ctx) | {revision.space_id})
        spaces[id] = await _space_texts(ctx, revision, maps, texts, named)
        everywhere.elsewhere |= named.elsewhere
    elsewhere = await find_elsewhere(ctx, everywhere)
    for space in spaces.values():
        space.elsewhere = elsewhere
    published = [
        PublishedText(page, body.markdown, map, spaces[page.revision_id], body.evaluation)
        for page, body, map in zip(pages, stored, links, strict=True)
    ]
    await _add_specifications(ctx, published)
    await _draw(ctx, spaces, published)
    for id, revision in revisions.items():
        await _lead(ctx, revision, [text for text in published if text.page.revision_id == id])
    return published


async def _add_specifications(ctx: Context, texts: Sequence[PublishedText]) -> None:
    """Find the specifications that texts name, each space's in one statement."""
    slugs: dict[str, set[str]] = {}
    for text in texts:
        named = set(_SPECIFICATION.findall(text.markdown))
        for content in text.space.contents.values() if "{% include" in text.markdown else ():
            named |= slugs_of(content)
        if named:
            slugs.setdefault(text.page.space_id, set()).update(named)
    for space_id, named in slugs.items():
        roots = await specifications_for(ctx, space_id, named)
        for text in texts:
            if text.page.space_id == space_id:
                text.specifications = roots


async def _draw(
    ctx: Context, spaces: Mapping[str, ShownSpace], texts: Sequence[PublishedText]
) -> None:
    """Add what integrations have drawn for the blocks of the texts of each revision."""
    for id, space in spaces.items():
        own = [text for text in texts if text.page.revision_id == id]
        tagged = [text.markdown for text in own if BLOCK_TAG.search(text.markdown)]
        parsed = await asyncio.to_thread(lambda: [dict(parse_document(some)) for some in tagged])  # noqa: B023
        documents = [*parsed, *space.contents.values()]
        if own and documents:
            most = MOST_OF_PAGE * len(own)
            space.drawn = await with_blocks(ctx, own[0].page.space_id, documents, most)


async def _space_texts(
    ctx: Context, revision: Any, maps: Sequence[LinkMap], texts: Sequence[Body], named: Named
) -> ShownSpace:
    await collect([list(map.references.values()) for map in maps], named)  # type: ignore[misc]
    if {space for space, _ in named.elsewhere} - named.shown:
        await collect_written(ctx, texts, named)
    (tree,) = await all_pages(ctx, [revision])
    return await shown_space(ctx, revision, tree, named)


async def _lead(ctx: Context, revision: Any, texts: Sequence[PublishedText]) -> None:
    """Find what relative URLs lead to by the paths of files, where texts came with files."""
    urls = [text.links.urls - text.links.references.keys() for text in texts]
    standings = [Standing.of(text.page.path, text.page.git) for text in texts]
    files: set[str] = set()
    for text, led in zip(
        texts, await led_by_paths(ctx, revision, list(zip(standings, urls, strict=True))),
        strict=True,
    ):  # fmt: skip
        text.led = {**text.led, **led}
        files.update(str(target["file"]) for target in led.values() if target["kind"] == "file")
    if not files:
        return
    space = texts[0].space
    more = await shown_files(ctx, revision, files - space.files.keys())
    space.files = {**space.files, **more}


async def read_published_text(
    ctx: Context, space_id: str, path: str, revision_id: str | None = None
) -> PublishedText:
    """The text of the page at a path of a space; the landing page for the empty one."""
    revision = await find_revision(ctx, space_id, revision_id=revision_id, columns=None)
    page = await find_page_by_path(ctx, revision, path)
    (text,) = await read_published_texts(ctx, [page])
    return text
