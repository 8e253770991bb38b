"""The first page of a new space becomes the first page of what is imported into it.

A new space has one empty page. Behind it the pages of an import would never be where readers land.
It keeps its id, for whoever has read that already.
"""

import asyncio
from typing import Any

import orjson

from db.content_enums import PageType
from resolvers.drafts.draft import Draft
from resolvers.revisions.states import is_first_page

Json = dict[str, Any]


async def take_first_place(draft: Draft, answer: Json) -> None:
    """Give the first document of an import the id of the page with which the space begins, where
    nobody has touched that and no other page is there."""
    match await draft.children(None):
        case [page] if is_first_page(page) and not await draft.below([page.id]):
            await asyncio.to_thread(_rename, answer, page.id)


def _rename(answer: Json, id: str) -> None:
    """Ids of an import are new and random, so what looks like one is one, in texts, too."""
    documents = (row["id"] for row in answer["pages"] if row["type"] == PageType.DOCUMENT.value)
    imported = next(documents, None)
    if imported is None:
        return
    old, new = imported.encode(), id.encode()
    for kind in ("pages", "contents", "redirects"):
        for row in answer[kind]:
            document = row.pop("document", None)
            data = orjson.dumps(row)
            if old in data:
                row.update(orjson.loads(data.replace(old, new)))
            if document is not None:
                row["document"] = document.replace(old, new)
