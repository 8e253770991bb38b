"""Links of imported content to addresses of this application, as content references.

What an import reads is made without the database, so these links are understood when it is stored.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from content.json_types import JsonObject
from resolvers.addresses.app import SPACE, AppAddresses, AppPlace, meaning_in_space, space_reference
from resolvers.core.context import Context
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import old_paths
from resolvers.links.other_spaces import led_to
from resolvers.revisions.git_marks import is_synced, with_digest
from resolvers.revisions.references import lead_on, references_in
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Changes

Json = dict[str, Any]


async def lead_app_links(ctx: Context, values: Sequence[Any], draft: Draft | None = None) -> None:
    """Put references in place of URLs that lead into this application, in documents.

    Those into the space of `draft` lead to what is there now. What leads nowhere, or to what the
    actor may not read, stays as it is.
    """
    places = await asyncio.to_thread(_places, AppAddresses.of(ctx), values)
    if not places:
        return
    own = {} if draft is None else _within(draft.space_id, places)
    others = {url: place for url, place in places.items() if url not in own}
    there = await led_to(ctx, others.values())
    references = {url: there[place] for url, place in others.items() if place in there}
    if draft is not None and own:
        references |= await _in_space(draft, own)
    if references:
        await asyncio.to_thread(lead_on, values, references)


def _within(space_id: str, places: Mapping[str, AppPlace]) -> dict[str, AppPlace]:
    return {url: place for url, place in places.items() if place.space_id == space_id}


def _places(addresses: AppAddresses, values: Any) -> dict[str, AppPlace]:
    urls = (
        reference.get("url")
        for reference in references_in(values)
        if reference.get("kind") == "url"
    )
    places = ((url, addresses.place(url)) for url in urls if isinstance(url, str))
    return {url: place for url, place in places if place is not None}


async def _in_space(draft: Draft, places: Mapping[str, AppPlace]) -> dict[str, JsonObject]:
    """Content references to places in the space of a draft."""
    paths = {place.path for place in places.values()}
    pages = {path: page.id for path, page in (await draft.at_paths(paths)).items()}
    moved = await old_paths(draft, paths - pages.keys())
    references: dict[str, JsonObject] = {}
    for url, place in places.items():
        reference = space_reference(place)
        if place.path:
            meaning = meaning_in_space(place)
            reference = meaning.lead(lambda path: None, pages.get, moved.get)
        if reference is not None:
            references[url] = reference
    return references


async def lead_packed(ctx: Context, rows: Sequence[Json], draft: Draft) -> None:
    """The same in the documents of an import, which are the bytes of their JSON."""
    linking = [row for row in rows if SPACE in row.get("markdown", "")]
    documents = await asyncio.to_thread(lambda: [orjson.loads(row["document"]) for row in linking])
    await lead_app_links(ctx, documents, draft)
    for row, document in zip(linking, documents, strict=True):
        row["document"] = orjson.dumps(document)


async def lead_changes(ctx: Context, changes: Changes) -> None:
    """Put references in place of such URLs in the bodies of a new space."""
    bodies = await asyncio.to_thread(_bodies, changes)
    await lead_app_links(ctx, [document for _, document in bodies.values()])
    await asyncio.to_thread(_replace, changes, bodies)


def _bodies(changes: Changes) -> dict[str, tuple[str, Any]]:
    """The bodies that may have such links, by id."""
    return {
        id: (markdown, changes.body(id).document)
        for id, (markdown, _) in changes.documents.items()
        if SPACE in markdown
    }


def _replace(changes: Changes, bodies: Mapping[str, tuple[str, Any]]) -> None:
    """Put bodies in place of those that had their ids, in whatever has these."""
    ids: dict[str, str] = {}
    for id, (markdown, document) in bodies.items():
        del changes.documents[id]
        ids[id] = changes.add_document(markdown, document)
    for id, page in [*changes.pages.items()]:
        if page is not None and page.document_id in ids:
            changes.pages[id] = replace(page, document_id=ids[page.document_id])
            _resync(page, changes.pages[id])
    for id, content in [*changes.contents.items()]:
        if content is not None and content.document_id in ids:
            changes.contents[id] = replace(content, document_id=ids[content.document_id])
            _resync(content, changes.contents[id])


def _resync(before: Page | ReusableContent, after: Page | ReusableContent | None) -> None:
    """What was as its blob has it still is."""
    if after is not None and is_synced(before):
        with_digest(after)
