"""Bytes that come along with a write: set aside first, stored when the write succeeds.

So a write that fails, and a dry run, leave nothing in the store; only if the commit itself fails
bytes stay, which nothing names. What is set aside is on its disk, not in memory, while the write
waits for its turn.
"""

import posixpath
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote, urlsplit

from content.media.image_size import image_dimensions
from db.blobs import sha256_of
from fetching.client import Fetched
from fetching.several import some_at_once
from resolvers.core.context import Context
from resolvers.drafts.draft import FileBytes
from resolvers.revisions import limits as content_limits
from resolvers.writing.uploads import content_type_of

# What nobody knows a media type for.
UNKNOWN = content_type_of("", b"")


class ReceivedFiles:
    """The bytes that one write brings along for a space; a dry run only looks at them."""

    def __init__(self, ctx: Context, space_id: str, dry_run: bool) -> None:
        self._ctx = ctx
        self._space_id = space_id
        self._dry_run = dry_run
        # SHA-256 -> where the bytes are set aside.
        self._aside: dict[str, str] = {}

    async def add(self, data: bytes, content_type: str, name: str = "") -> FileBytes:
        """Set bytes aside. What they say is worth more than `content_type` says of them."""
        by_content = content_type_of("", data[:64])
        kind = content_type if by_content == UNKNOWN else by_content
        size = image_dimensions(data, kind)
        return FileBytes(
            sha256=await self.set_aside(data),
            size=len(data),
            content_type=kind,
            width=None if size is None else size.width,
            height=None if size is None else size.height,
            name=name,
        )

    async def set_aside(self, data: bytes) -> str:
        """Set bytes aside; returns their SHA-256 in hex."""
        sha256 = await sha256_of(data)
        if not self._dry_run and sha256 not in self._aside:
            path = await self._ctx.blobs.set_aside(data)
            # Meanwhile the same bytes may have come from another address.
            if self._aside.setdefault(sha256, path) != path:
                await self._ctx.blobs.forget([path])
        return sha256

    async def keep(self) -> None:
        """Keep all of them for the space: the last step of a write before it is committed."""
        await some_at_once(self._keep, list(self._aside))

    async def _keep(self, sha256: str) -> None:
        await self._ctx.blobs.keep(self._aside[sha256], self._space_id, sha256)
        # A write that is repeated has them already.
        del self._aside[sha256]

    async def forget(self) -> None:
        """Remove the bytes that were not stored."""
        if self._aside:
            await self._ctx.blobs.forget(list(self._aside.values()))
            self._aside.clear()


@asynccontextmanager
async def receiving(
    ctx: Context, space_id: str, *, dry_run: bool = False
) -> AsyncIterator[ReceivedFiles]:
    """Takes bytes for a write; those that it has not stored at the end are removed."""
    received = ReceivedFiles(ctx, space_id, dry_run)
    try:
        yield received
    finally:
        await received.forget()


_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\ud800-\udfff/\\:*?"<>|#%\[\]()]+')


def file_name_of(fetched: Fetched) -> str:
    """The name of what was fetched: as the server suggests, else the end of its address."""
    last = posixpath.basename(unquote(urlsplit(fetched.url).path).rstrip("/"))
    name = _UNSAFE.sub("-", posixpath.basename(fetched.file_name or last)).strip("-. ")
    return name[-content_limits.NAME // 2 :] or "document"
