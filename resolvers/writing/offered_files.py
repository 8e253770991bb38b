"""Files that sources of integrations name by their addresses: fetched, and kept for a space."""

import asyncio
from collections.abc import Sequence
from typing import Any

from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers.content.computed import OfferedFile
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.revisions.rows import File, file_entry
from resolvers.writing.received_files import BYTES, receiving, type_of


async def fetch_offered(
    ctx: Context, space_id: str, files: Sequence[OfferedFile]
) -> list[dict[str, Any]]:
    """The files as `ComputedPage.files` holds them; Unavailable where one cannot be fetched, or all
    together take too long or are too large."""
    if not files:
        return []
    access, left = ctx.import_access, BYTES
    async with receiving(ctx, space_id) as received:

        async def fetch(file: OfferedFile) -> dict[str, Any]:
            nonlocal left
            try:
                response = await access.fetcher.get(file.url)
            except FetchError as error:
                raise Unavailable(f"the file {file.name[:100]!r}: {error}") from error
            left -= len(response.data)
            if left < 0:
                raise Unavailable(f"its files have more than {BYTES:,} bytes")
            data = await received.add(response.data, type_of(response, file.name))
            stored = File(
                space_id=space_id, revision_id="", id=file.id, name=file.name,
                content_type=data.content_type, size=data.size, sha256=data.sha256,
                width=data.width, height=data.height,
            )  # fmt: skip
            return {"id": file.id, **file_entry(stored)}

        try:
            async with asyncio.timeout(access.budget.seconds):
                fetched = await some_at_once(fetch, files)
        except TimeoutError as error:
            raise Unavailable("its files took too long to be fetched") from error
        await received.keep()
    return fetched
