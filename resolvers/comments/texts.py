"""Texts of comments, replies, change requests and conflicts as they leave this server.

What is stored of them may name things by addresses that only this server understands, as bodies
of pages do; clients get the same in place of these.
"""

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import select

from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.merging import MergeConflict
from db.prepared import among
from resolvers.content.client_markdown import (
    Standpoint,
    client_documents,
    client_markdown,
    is_private,
)
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads

Json = dict[str, Any]


def _of_comment(row: Comment) -> Standpoint:
    return Standpoint(row.revision_id, row.page_id)


@reads("markdown", "revision_id", "page_id")
async def comment_markdown(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[str]:
    """The text of each comment or reply as Markdown."""
    return await client_markdown(
        ctx, [_of_comment(row) for row in rows], [row.markdown for row in rows]
    )


@reads("document", "revision_id", "page_id")
async def comment_documents(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[Json]:
    """The text of each comment or reply as a JSON document."""
    documents = [dict(row.document) for row in rows]
    private = [index for index, document in enumerate(documents) if _is_private(document)]
    shown = await client_documents(
        ctx, [_of_comment(rows[i]) for i in private], [documents[i] for i in private]
    )
    for index, document in zip(private, shown, strict=True):
        documents[index] = document
    return documents


@reads("description", "revision_id")
async def descriptions(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[Json | None]:
    """The descriptions of change requests."""
    texts = [None if row.description is None else dict(row.description) for row in rows]
    private = [(index, text) for index, text in enumerate(texts) if _is_private(text) and text]
    documents = await client_documents(
        ctx, [Standpoint(rows[i].revision_id) for i, _ in private], [text for _, text in private]
    )
    for (index, _), document in zip(private, documents, strict=True):
        texts[index] = document
    return texts


@statement
def _contents(viewer: Viewer) -> Written:
    return select(ChangeRequest.id, ChangeRequest.revision_id).where(among(ChangeRequest.id, "ids"))


async def client_versions(
    ctx: Context, rows: Sequence[MergeConflict], versions: Sequence[Json | None]
) -> list[Json | None]:
    """Versions of conflicts, which stand in the content of their change requests."""
    private = [
        (index, version)
        for index, version in enumerate(versions)
        if _is_private(version) and version
    ]
    if not private:
        return list(versions)
    ids = {rows[index].change_request_id for index, _ in private}
    revisions = {row.id: row.revision_id for row in await _contents.rows(ctx, ids=ids)}
    documents = await client_documents(
        ctx,
        [Standpoint(revisions[rows[i].change_request_id], rows[i].page_id) for i, _ in private],
        [version for _, version in private],
    )
    shown = list(versions)
    for (index, _), version in zip(private, documents, strict=True):
        shown[index] = version
    return shown


def _is_private(value: Any) -> bool:
    """Whether JSON may hold internal addresses, which clients get in another form.

    False is certain, True is not.
    """
    return is_private(orjson.dumps(value).decode())
