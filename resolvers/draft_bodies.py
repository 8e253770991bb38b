"""Bodies in a draft: whole Markdown, whole documents, and edits of single blocks.

Blocks that stay keep their keys, so that comments stay on them. Texts are parsed and blocks edited
in a thread of their own: a long body takes a while.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from content.document_edits import (
    EditError,
    Place,
    delete_blocks,
    insert_blocks,
    move_blocks,
    replace_block,
)
from content.document_shape import DocumentError, checked_document
from content.key_matching import carry_keys
from content.markdown.nodes import Node
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.writer.document import write_markdown
from resolvers import content_limits
from resolvers.content_draft import Draft
from resolvers.draft_links import Addresses, Links, Owner
from resolvers.errors import invalid
from resolvers.page_inputs import BlockEditInput, BlockPlaceInput, BlocksInput, PageBodyInput
from resolvers.revisions import Body

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}


async def write_body(draft: Draft, owner: Owner, body: PageBodyInput, where: str) -> str | None:
    """The id of the new body; the present one when it stays the same.

    Invalid for a text, a document or an edit that is not allowed.
    """
    if len(body.given()) != 1:
        raise invalid(where, "must have exactly one of `markdown`, `document` and `edits`")
    if body.markdown is not None:
        return await write_markdown_body(draft, owner, body.markdown)
    old = await draft.body(owner.document_id)
    before: Json = EMPTY if old is None else old.document
    if body.document is not None:
        draft.waiting.pop(owner.id, None)
        given_document = _with_ids(body.document, draft.refs)
        document = await asyncio.to_thread(_checked, given_document, before, f"{where}.document")
    else:
        document = before
        for index, edit in enumerate(body.edits or ()):
            document = await _edited(draft, owner, document, edit, f"{where}.edits[{index}]")
    if old is not None and document == old.document:
        return owner.document_id
    return await add_document(draft, old, document, where)


async def add_document(draft: Draft, old: Body | None, document: Json, where: str) -> str:
    """The id of a new body; what was not edited stays in its Markdown as it is in the old one."""

    def write() -> str:
        if old is None:
            return write_markdown(document)
        known = Addresses(old.markdown, old.document)
        return rewrite_markdown(document, [old.markdown], resolve=known.resolve, link=known.link)

    markdown = await asyncio.to_thread(write)
    if len(markdown) > content_limits.BODY:
        raise invalid(where, f"has more than {content_limits.BODY} characters as Markdown")
    return draft.written.add_document(markdown, document)


async def write_markdown_body(draft: Draft, owner: Owner, markdown: str) -> str | None:
    """The id of a body with this Markdown, which has no title and no front matter left."""
    old = await draft.body(owner.document_id)
    if old is not None and old.markdown.strip("\n") == markdown.strip("\n"):
        return owner.document_id
    draft.waiting.pop(owner.id, None)
    before = None if old is None else (old.markdown, old.document)
    document = await _linked(draft, owner, markdown, before)
    if old is not None:
        await asyncio.to_thread(carry_keys, old.document, document)
    return draft.written.add_document(markdown, document)


async def _linked(
    draft: Draft, owner: Owner, markdown: str, before: tuple[str, Json] | None = None
) -> Node:
    """The document of a text, with its links led to what is there."""
    links = Links(draft, owner)
    document = await _parsed(markdown, owner.id, links)
    if links.missing:
        await links.look_up(before)
        links.wait()
        document = await _parsed(markdown, owner.id, links)
    return document


async def _parsed(markdown: str, seed: str, links: Links) -> Node:
    return await asyncio.to_thread(
        parse_document, markdown, seed=seed, resolve=links, keep_style=True
    )


def _checked(document: Json, before: Json, where: str) -> Json:
    try:
        checked = dict(checked_document(document))
    except DocumentError as error:
        path = f"{where}.{error.path}" if error.path else where
        raise invalid(path, error.problem) from error
    carry_keys(before, checked, given=True)
    return checked


async def _edited(
    draft: Draft, owner: Owner, document: Json, edit: BlockEditInput, where: str
) -> Json:
    given = edit.given()
    if len(given) != 1:
        raise invalid(where, "must have exactly one of insert, replace, delete and move")
    where = f"{where}.{given[0]}"
    try:
        if edit.insert is not None:
            blocks = await _blocks(draft, owner, edit.insert.content, f"{where}.content")
            place = _place(edit.insert.place, f"{where}.place")
            return await asyncio.to_thread(insert_blocks, document, blocks, place)
        if edit.replace is not None:
            blocks = await _blocks(draft, owner, edit.replace.content, f"{where}.content")
            return await asyncio.to_thread(replace_block, document, edit.replace.key, blocks)
        if edit.delete is not None:
            return await asyncio.to_thread(delete_blocks, document, edit.delete.keys)
        assert edit.move is not None
        place = _place(edit.move.place, f"{where}.place")
        return await asyncio.to_thread(move_blocks, document, edit.move.keys, place)
    except EditError as error:
        argument = _ARGUMENTS.get(error.argument, error.argument)
        if argument == "key" and edit.replace is None:
            # One of several.
            argument = "keys"
        raise invalid(f"{where}.{argument}", error.problem) from error


# What the arguments of block edits are called in the inputs, where that differs.
_ARGUMENTS = {"place.key": "place"}


def _place(place: BlockPlaceInput | None, where: str) -> Place:
    if place is None:
        return Place("inside")
    given = [
        (side, key)
        for side, key in (("before", place.before), ("after", place.after))
        if key is not None
    ]
    if len(given) + (place.inside is not None) > 1:
        raise invalid(where, "must have at most one of before, after and inside")
    if not given:
        return Place("inside", place.inside, place.index)
    ((side, key),) = given
    if place.index is not None:
        raise invalid(f"{where}.index", "is for a place inside a block or the document")
    return Place("before" if side == "before" else "after", key)


async def _blocks(draft: Draft, owner: Owner, content: BlocksInput, where: str) -> Sequence[Node]:
    if (content.markdown is None) == (content.blocks is None):
        raise invalid(where, "must have one of `markdown` and `blocks`")
    if content.markdown is not None:
        document = await _linked(draft, owner, content.markdown)
    else:
        whole = {**EMPTY, "nodes": _with_ids(content.blocks, draft.refs)}
        try:
            document = await asyncio.to_thread(checked_document, whole)
        except DocumentError as error:
            path = error.path.replace("nodes", f"{where}.blocks", 1)
            raise invalid(path, error.problem) from error
    nodes = document["nodes"]
    assert isinstance(nodes, list)
    return [node for node in nodes if isinstance(node, dict)]


# Content references and the member that may hold `ref:NAME`.
_MEMBERS = {"page": "page", "anchor": "page", "file": "file", "reusable-content": "reusableContent"}


def _with_ids(value: Any, refs: Mapping[str, str]) -> Any:
    """A copy in which content references name ids where they had `ref:NAME`."""
    if isinstance(value, list):
        return [_with_ids(item, refs) for item in value]
    if not isinstance(value, dict):
        return value
    copy = {name: _with_ids(item, refs) for name, item in value.items()}
    member = _MEMBERS.get(str(value.get("kind")))
    name = None if member is None else value.get(member)
    # Documents may have anything there.
    if member is not None and isinstance(name, str) and name in refs:
        copy[member] = refs[name]
    return copy


def with_ids(value: Json, refs: Mapping[str, str]) -> Json:
    """A content reference with ids where it had `ref:NAME`."""
    found: Json = _with_ids(value, refs)
    return found
