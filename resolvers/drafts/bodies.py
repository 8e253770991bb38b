"""Bodies in a draft: whole Markdown, whole documents, and edits of single blocks.

Blocks that stay keep their keys, so that comments stay on them. Texts are parsed and blocks edited
in a thread of their own: a long body takes a while.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from content.collector import paused_for
from content.documents.edits import (
    EditError,
    Place,
    delete_blocks,
    insert_blocks,
    move_blocks,
    replace_block,
)
from content.documents.heading_aliases import carry_aliases
from content.documents.key_matching import carry_keys
from content.documents.limits import bytes_problem, lines_problem, text_problem
from content.documents.nodes import Node, child_lists, walk
from content.documents.shape import DocumentError, checked_document
from content.errors import TooManyNodes
from content.json_types import JsonObject
from content.markdown.rewriting import rewrite_markdown
from content.markdown.spelling import parse_with_style, write_markdown
from resolvers.change_requests.bodies import checked_input, refuse_scripts
from resolvers.content.client_markdown import Standpoint, client_markdown
from resolvers.core.errors import invalid
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import Links, Owner
from resolvers.drafts.page_inputs import BlockEditInput, BlockPlaceInput, BlocksInput, PageBodyInput
from resolvers.revisions import limits as content_limits
from resolvers.revisions.bodies_work import LIGHT, too_many_nodes
from resolvers.revisions.references import OF_CONTENT, Addresses
from resolvers.revisions.states import Body

Json = dict[str, Any]
# What the URLs of a text led to.
Led = dict[str, JsonObject | None]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}


@dataclass(frozen=True, slots=True)
class _Made:
    """A body that was worked out: what to store (None: nothing), whether it is a new one as a
    whole, and what the URLs of its texts led to."""

    document_id: str | None
    body: tuple[str, bytes] | None
    whole: bool
    texts: list[Led]


async def write_body(draft: Draft, owner: Owner, body: PageBodyInput, where: str) -> str | None:
    """The id of the new body; the present one when it stays the same.

    Invalid for a text, a document or an edit that is not allowed.
    """
    if len(body.given()) != 1:
        raise invalid(where, "must have exactly one of `markdown`, `document` and `edits`")
    if body.markdown is not None:
        return await write_markdown_body(draft, owner, body.markdown, f"{where}.markdown")

    async def make(texts: list[Led]) -> tuple[str | None, bool]:
        old = await draft.body(owner.document_id)
        before: Json = EMPTY if old is None else old.document
        whole = body.document is not None
        if body.document is not None:
            draft.waiting.pop(owner.id, None)
            draft.work.spend(weight_of(body.document) + (0 if old is None else len(old.markdown)))
            new_document, refs = body.document, draft.refs
            document = await asyncio.to_thread(
                lambda: _checked(_with_ids(new_document, refs), before, f"{where}.document")
            )
        else:
            document = before
            for index, edit in enumerate(body.edits or ()):
                draft.work.spend(0 if old is None else len(old.markdown))
                place = f"{where}.edits[{index}]"
                document = await _edited(draft, owner, document, edit, texts, place)
            document = dict(await asyncio.to_thread(carry_aliases, document, before, authored=True))
        if old is not None and document == old.document:
            return owner.document_id, whole
        return await add_document(draft, old, document, where, texts), whole

    return await worked_out(draft, owner, where, make)


async def add_document(
    draft: Draft,
    old: Body | None,
    document: Json,
    where: str,
    texts: Sequence[Led] = (),
) -> str:
    """The id of a new body; what was not edited stays in its Markdown as it is in the old one.

    `texts` are the URLs of blocks that were put in, with what they lead to.
    """
    added = {
        url: reference for led in texts for url, reference in led.items() if reference is not None
    }

    def write() -> str:
        if old is None:
            return write_markdown(document, link=Addresses("", EMPTY, added).link)
        addresses = Addresses(old.markdown, old.document, added)
        return rewrite_markdown(
            document, [old.markdown], resolve=addresses.resolve, link=addresses.link
        )

    markdown = await draft.work.do(0 if old is None else len(old.markdown), write)
    problem = await asyncio.to_thread(text_problem, markdown)
    if problem is not None:
        raise invalid(where, f"{problem} as Markdown")
    return await _stored(draft, markdown, document, where)


async def _stored(draft: Draft, markdown: str, document: Json, where: str) -> str:
    """The id of a body that the draft keeps from now on; Invalid for one that is too large."""
    document_id = await asyncio.to_thread(draft.written.add_document, markdown, document)
    problem = bytes_problem(len(draft.written.documents[document_id][1]))
    if problem is not None:
        raise invalid(where, problem)
    return document_id


async def write_markdown_body(draft: Draft, owner: Owner, markdown: str, where: str) -> str | None:
    """The id of a body with this Markdown, which has no title and no front matter left."""

    async def make(texts: list[Led]) -> tuple[str | None, bool]:
        old = await draft.body(owner.document_id)
        if old is not None and markdown.strip("\n") in await _read_as(draft, owner, old):
            return owner.document_id, False
        # Its links are asked for what it led to.
        draft.work.keep(("before", owner.document_id), old)
        draft.waiting.pop(owner.id, None)
        document = await linked(draft, owner, markdown, texts, where, owner.document_id)
        if old is not None:
            draft.work.spend(len(old.markdown))
            document = await asyncio.to_thread(carried, old.document, document)
        document_id = await _stored(draft, markdown, document, where)
        draft.work.keep(("before", owner.document_id), None)
        await asyncio.to_thread(let_go, document, {} if old is None else old.document)
        return document_id, True

    with paused_for(markdown):
        return await worked_out(draft, owner, where, make)


async def _read_as(draft: Draft, owner: Owner, old: Body) -> set[str]:
    """The Markdown of a body as it is stored, and as clients read it."""
    standing, git = owner.standing, None
    if standing.file is not None:
        root = {"root": standing.root} if standing.root else {}
        git = {"path": f"{standing.root}/{standing.file}".strip("/"), **root}
    standpoint = Standpoint(draft.revision.id, owner.id if owner.is_page else None, git)
    read = await client_markdown(draft.ctx, [standpoint], [old.markdown])
    return {text.strip("\n") for text in (old.markdown, *read)}


def let_go(*documents: Json) -> None:
    """Empty documents that nobody needs any more, block by block: to free a large one at once
    stops all threads for a while."""
    for document in documents:
        nodes = document.get("nodes")
        while nodes:
            nodes.pop()


async def worked_out(
    draft: Draft,
    owner: Owner,
    where: Hashable,
    make: Callable[[list[Led]], Awaitable[tuple[str | None, bool]]],
) -> str | None:
    """The id of the body that `make` makes, or has made of the same body before.

    It tells whether that is a new one as a whole, and adds what the URLs of its texts led to.
    `where` is the place of the operation, with all that it does there.
    That one is taken as long as the links of its texts still lead where they led.
    """
    key = ("body", where, owner.document_id)
    earlier: _Made | None = draft.work.known(key)
    if earlier is not None and await _stands(draft, owner, earlier):
        if earlier.document_id is not None and earlier.body is not None:
            draft.written.documents[earlier.document_id] = earlier.body
        return earlier.document_id
    texts: list[Led] = []
    document_id, whole = await make(texts)
    body = draft.written.documents.get(document_id or "")
    draft.work.keep(key, _Made(document_id, body, whole, texts))
    return document_id


async def _stands(draft: Draft, owner: Owner, earlier: _Made) -> bool:
    if earlier.whole:
        draft.waiting.pop(owner.id, None)
    before = owner.document_id if earlier.whole else None
    for led in earlier.texts:
        if not await Links(draft, owner).lead_again(led, before):
            return False
    return True


async def linked(
    draft: Draft,
    owner: Owner,
    markdown: str,
    texts: list[Led],
    where: str,
    before: str | None = None,
    seed: str | None = None,
) -> Node:
    """The document of a text, with its links led to what is there.

    What they led to is added to `texts`; `before` is the id of the body that stood there. New
    keys follow from `seed`, or else from the owner.
    """
    links, seed = Links(draft, owner), seed or owner.id
    document = await _parsed(draft, markdown, seed, links, where)
    if links.missing or links.elsewhere:
        await asyncio.to_thread(let_go, document)
        await links.look_up(before)
        document = await _parsed(draft, markdown, seed, links, where)
    texts.append(await asyncio.to_thread(links.led))
    return document


def carried(before: Json, document: Node) -> Node:
    """The document with the keys of what it was, and the anchors that its headings had there."""
    carry_keys(before, document)
    return carry_aliases(document, before)


async def _parsed(draft: Draft, markdown: str, seed: str, links: Links, where: str) -> Node:
    await _check_lines(markdown, where)

    def parse() -> tuple[Node, int]:
        refuse_scripts(markdown, where)
        most = content_limits.NODES
        document = parse_with_style(markdown, seed=seed, resolve=links, most=most)
        return document, sum(1 for _ in walk(chain.from_iterable(child_lists(document))))

    try:
        document, nodes = await draft.work.do(len(markdown), parse)
    except TooManyNodes as error:
        raise too_many_nodes(where) from error
    draft.work.count_nodes(where, nodes)
    return document


async def _check_lines(markdown: str, where: str) -> None:
    """Invalid for a text of too many lines, which is known long before it is parsed."""
    problem = await asyncio.to_thread(lines_problem, markdown)
    if problem is not None:
        raise invalid(where, problem)


def weight_of(document: Json) -> int:
    """About how many characters of Markdown a document is worth, by its nodes."""
    weight, stack = 0, [document]
    while stack and weight <= LIGHT:
        node = stack.pop()
        for name in ("nodes", "fragments"):
            children = node.get(name)
            if isinstance(children, list):
                weight += 10 * len(children)
                stack.extend(child for child in children if isinstance(child, dict))
    return weight


def _checked(document: Json, before: Json, where: str) -> Json:
    checked = checked_input(where, document)
    carry_keys(before, checked, authored=True)
    return dict(carry_aliases(checked, before, authored=True))


async def _edited(
    draft: Draft,
    owner: Owner,
    document: Json,
    edit: BlockEditInput,
    texts: list[Led],
    where: str,
) -> Json:
    kinds = edit.given()
    if len(kinds) != 1:
        raise invalid(where, "must have exactly one of insert, replace, delete and move")
    where = f"{where}.{kinds[0]}"
    try:
        if edit.insert is not None:
            blocks = await _blocks(draft, owner, edit.insert.content, texts, f"{where}.content")
            place = _place(edit.insert.place, f"{where}.place")
            return await asyncio.to_thread(insert_blocks, document, blocks, place)
        if edit.replace is not None:
            blocks = await _blocks(draft, owner, edit.replace.content, texts, f"{where}.content")
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
    anchors = [
        (side, key)
        for side, key in (("before", place.before), ("after", place.after))
        if key is not None
    ]
    if len(anchors) + (place.inside is not None) > 1:
        raise invalid(where, "must have at most one of before, after and inside")
    if not anchors:
        return Place("inside", place.inside, place.index)
    ((side, key),) = anchors
    if place.index is not None:
        raise invalid(f"{where}.index", "is for a place inside a block or the document")
    return Place("before" if side == "before" else "after", key)


async def _blocks(
    draft: Draft, owner: Owner, content: BlocksInput, texts: list[Led], where: str
) -> Sequence[Node]:
    if (content.markdown is None) == (content.blocks is None):
        raise invalid(where, "must have one of `markdown` and `blocks`")
    if content.markdown is not None:
        document = await linked(draft, owner, content.markdown, texts, f"{where}.markdown")
    else:
        draft.work.spend(weight_of({"nodes": content.blocks}))
        whole = {**EMPTY, "nodes": _with_ids(content.blocks, draft.refs)}
        try:
            document = await asyncio.to_thread(checked_document, whole)
        except DocumentError as error:
            path = error.path.replace("nodes", f"{where}.blocks", 1)
            raise invalid(path, error.problem) from error
    nodes = document["nodes"]
    assert isinstance(nodes, list)
    return [node for node in nodes if isinstance(node, dict)]


def _with_ids(value: Any, refs: Mapping[str, str]) -> Any:
    """A copy in which content references name ids where they had `ref:NAME`."""
    if isinstance(value, list):
        return [_with_ids(item, refs) for item in value]
    if not isinstance(value, dict):
        return value
    copy = {name: _with_ids(item, refs) for name, item in value.items()}
    member = OF_CONTENT.get(str(value.get("kind")))
    name = None if member is None else value.get(member)
    # Documents may have anything there.
    if member is not None and isinstance(name, str) and name in refs:
        copy[member] = refs[name]
    return copy
