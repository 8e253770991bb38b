"""Copies the content of one space into another: new ids, and links that follow them.

In templates a link may have a name instead of an address, `ref:NAME`: whoever applies the template
says what the name stands for.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from sqlalchemy import select

from content.documents.content_references import reference_url
from content.hashing import content_id
from content.merkle.read import scan
from db.ids import new_id
from db.inserts import parts
from db.models.content import Document, Revision
from db.models.spaces import Space
from resolvers.core.context import Context
from resolvers.revisions.references import OF_CONTENT
from resolvers.revisions.rows import content_of, file_of, page_of, redirect_of
from resolvers.revisions.states import Changes, revision_of_space, write_revision
from resolvers.revisions.store import put_documents, walk_all

Json = dict[str, Any]
DOCUMENTS_AT_ONCE = 200
REF = "ref:"


async def copy_content(
    ctx: Context, source: Space, target_id: str, names: Mapping[str, Json] | None = None
) -> Revision:
    """The primary content of `source` as the first revision of another space."""
    changes = await copied_content(ctx, source, target_id, names)
    return await write_revision(ctx, target_id, None, changes)


async def copied_content(
    ctx: Context, source: Space, target_id: str, names: Mapping[str, Json] | None = None
) -> Changes:
    """The primary content of `source` as it would stand in another space; bodies are stored there.

    Pages, files and reusable contents get new ids; references within the space point to the copy.
    `names` are those of a template: content references for the links to `ref:NAME`. Redirects are
    not copied then, for nobody has come to the other space by its old paths.
    """
    linked = names or {}
    await ctx.blobs.copy_space(source.id, target_id)
    old = await revision_of_space(ctx, source)
    pages, files, contents, redirects = await walk_all(
        ctx,
        [
            (source.id, scan(old.pages_root)),
            (source.id, scan(old.files_root)),
            (source.id, scan(old.contents_root)),
            (source.id, scan(old.redirects_root)),
        ],
    )
    ids = {id: new_id() for entries in (pages, files, contents) for id, _ in entries}
    document_ids = {
        entry["document_id"] for _, entry in (*pages, *contents) if "document_id" in entry
    }
    documents = await _copy_documents(ctx, source.id, target_id, sorted(document_ids), ids, linked)
    changes = Changes(variables=dict(old.variables))
    for id, entry in pages:
        page = page_of(target_id, "", ids[id], _relinked(entry, ids, linked))
        page.parent_id = None if page.parent_id is None else ids[page.parent_id]
        page.document_id = documents.get(page.document_id or "")
        changes.pages[page.id] = page
    for id, entry in files:
        changes.files[ids[id]] = file_of(target_id, "", ids[id], entry)
    for id, entry in contents:
        content = content_of(target_id, "", ids[id], entry)
        content.document_id = documents.get(content.document_id or "")
        changes.contents[content.id] = content
    for path, entry in redirects if names is None else ():
        redirect = redirect_of(target_id, "", path, entry)
        if redirect.page_id in ids:
            redirect.page_id = ids[redirect.page_id]
            changes.redirects[path] = redirect
    return changes


async def _copy_documents(
    ctx: Context,
    source_id: str,
    target_id: str,
    ids_to_copy: list[str],
    ids: dict[str, str],
    names: Mapping[str, Json],
) -> dict[str, str]:
    """Copy bodies with links by `ids` and `names`; old document id -> new document id."""
    copied: dict[str, str] = {}
    for part in parts(ids_to_copy, DOCUMENTS_AT_ONCE):
        statement = select(Document.id, Document.markdown, Document.data).where(
            Document.space_id == source_id, Document.id.in_(part)
        )
        copies: dict[str, tuple[str, bytes]] = {}
        for id, markdown, data in await ctx.session.execute(statement):
            new_data = orjson.dumps(_relinked(orjson.loads(data), ids, names))
            for name, reference in names.items():
                # Where the text names something it does so as the address of a link.
                markdown = _named(name).sub(_constant(reference_url(reference)), markdown)
            copied[id] = content_id(orjson.dumps([markdown]) + new_data)
            copies[copied[id]] = (markdown, new_data)
        await put_documents(ctx, target_id, copies)
    return copied


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=[(<\"']){re.escape(REF + name)}(?=[)>\"'])")


def _constant(text: str) -> Callable[[re.Match[str]], str]:
    return lambda match: text


def _relinked(value: Any, ids: dict[str, str], names: Mapping[str, Json]) -> Any:
    """A copy in which content references within the space name the new ids, and `names` are set."""
    if isinstance(value, list):
        return [_relinked(item, ids, names) for item in value]
    if not isinstance(value, dict):
        return value
    url = value.get("url")
    if value.get("kind") == "url" and isinstance(url, str) and url.startswith(REF):
        return dict(names.get(url.removeprefix(REF), value))
    copy = {name: _relinked(item, ids, names) for name, item in value.items()}
    member = OF_CONTENT.get(str(value.get("kind")))
    id = None if member is None else value.get(member)
    # Documents may have anything there.
    if member is not None and "space" not in value and isinstance(id, str) and id in ids:
        copy[member] = ids[id]
    return copy
