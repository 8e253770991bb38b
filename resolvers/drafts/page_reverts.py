"""Taking a page, or some of its blocks, back to what an earlier revision has."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from content.documents.edits import (
    EditError,
    Place,
    delete_blocks,
    find_block,
    find_blocks,
    insert_blocks,
    replace_block,
)
from content.documents.heading_aliases import carry_aliases
from content.merkle.read import lookup
from db.models.content import Revision
from resolvers.core.errors import NotFound, invalid
from resolvers.drafts.bodies import EMPTY, Led, add_document, worked_out
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import Owner
from resolvers.drafts.operation_inputs import RevertPageInput
from resolvers.drafts.page_places import check_parent, follows_title, made_slug, put_in_place
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import Body, find_in_space
from resolvers.revisions.store import walk_one

Json = dict[str, Any]


async def revert_page(draft: Draft, input: RevertPageInput, where: str) -> Page:
    """Take a page back; one that was deleted since comes back, below its parent or at the top."""
    revision = await _revision(draft, input.revision, where)
    id = draft.named(input.page)
    entries = await walk_one(draft.ctx, draft.space_id, lookup(revision.pages_root, [id]))
    if id not in entries:
        raise NotFound.at(f"{where}.page", f"page {id!r} does not exist in that revision")
    old = page_of(draft.space_id, "", id, entries[id])
    present = await draft.find_page(id)
    if input.blocks is not None:
        if present is None:
            raise NotFound.at(f"{where}.page", f"page {id!r} does not exist in this content")
        page = replace(present, document_id=await _blocks(draft, old, present, input.blocks, where))
        draft.put(page)
        return page
    if present is not None:
        page = replace(old, parent_id=present.parent_id, order=present.order, slug=present.slug)
        page = replace(page, document_id=await _body(draft, old, present, where))
        if old.slug is not None and old.slug != present.slug:
            page = replace(page, slug=await made_slug(draft, replace(page, slug=None), old.slug))
        draft.put(page)
        return page
    above = None if old.parent_id is None else await draft.find_page(old.parent_id)
    page = replace(old, parent_id=None if above is None else above.id, order="")
    # What has happened to the pages above may have left no place for it.
    await check_parent(draft, page, f"{where}.page")
    if page.slug is not None:
        own_slug = page.slug_set or not follows_title(page)
        page = replace(page, slug=await made_slug(draft, page, page.slug), slug_set=own_slug)
    return await put_in_place(draft, page, None, where)


async def _revision(draft: Draft, id: str | None, where: str) -> Revision:
    path = f"{where}.revision"
    id = id or draft.base_id
    if id is None:
        raise invalid(path, "is required for primary content")
    revision = await find_in_space(draft.ctx, draft.space_id, id)
    if revision is None:
        raise NotFound.at(path, f"revision {id!r} does not exist in the space")
    return revision


async def _body(draft: Draft, old: Page, present: Page, where: str) -> str | None:
    """The id of the old body, with the present anchors of its headings as their aliases.

    In a change request it is the old one: what is taken back there was never to be seen.
    """
    if draft.base_id is not None or old.document_id == present.document_id:
        return old.document_id

    async def make(then: Body | None, now: Body | None) -> str | None:
        if then is None or now is None:
            return old.document_id
        document = await asyncio.to_thread(carry_aliases, then.document, now.document)
        if document is then.document:
            return old.document_id
        return await asyncio.to_thread(draft.written.add_document, then.markdown, document)

    return await _worked_out(draft, old, present, where, make)


async def _blocks(
    draft: Draft, old: Page, present: Page, keys: Sequence[str], where: str
) -> str | None:
    """The id of the present body with these blocks as the old one has them."""

    async def make(then: Body | None, now: Body | None) -> str | None:
        before, present_document = (
            EMPTY if body is None else body.document for body in (then, now)
        )
        document = await asyncio.to_thread(_taken_back, before, present_document, keys, where)
        if draft.base_id is None:
            document = dict(await asyncio.to_thread(carry_aliases, document, present_document))
        if now is not None and document == now.document:
            return present.document_id
        return await add_document(draft, now or then, document, where)

    return await _worked_out(draft, old, present, where, make)


async def _worked_out(
    draft: Draft,
    old: Page,
    present: Page,
    where: str,
    make: Callable[[Body | None, Body | None], Awaitable[str | None]],
) -> str | None:
    """The id of the body that `make` makes of the old one and the present one; before the lock
    where that is much work."""

    async def work(texts: list[Led]) -> tuple[str | None, bool]:
        then, now = [await draft.body(page.document_id) for page in (old, present)]
        draft.work.spend(sum(len(body.markdown) for body in (then, now) if body is not None))
        return await make(then, now), False

    return await worked_out(draft, Owner.of(present), ("revert", where, old.document_id), work)


def _taken_back(before: Json, document: Json, keys: Sequence[str], where: str) -> Json:
    """The document with these blocks as the one before has them; each costs a walk or more."""
    blocks = find_blocks(before, keys)
    for index, key in enumerate(keys):
        path = f"{where}.blocks[{index}]"
        block, now = blocks.get(key), find_block(document, key)
        try:
            if block is not None and now is not None:
                document = replace_block(document, key, [block])
            elif now is not None:
                document = delete_blocks(document, [key])
            elif block is not None:
                document = insert_blocks(document, [block], _place(before, document, key, path))
            else:
                raise NotFound.at(path, f"{key!r} is the key of no block, then or now")
        except EditError as error:
            raise invalid(path, error.problem) from error
    return document


def _place(before: Json, document: Json, key: str, where: str) -> Place:
    """Behind the nearest block that stood before it and still does."""
    place = Place("inside", None, 0)
    order = [str(node.get("key")) for node in before["nodes"]]
    there = find_blocks(document, order)
    for other in order:
        if other == key:
            return place
        if other in there:
            place = Place("after", other)
    raise invalid(where, f"{key!r} stood in a block that is gone; take that one back")
