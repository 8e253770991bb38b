"""Bytes that come with a write of content: received, or fetched from an address."""

import asyncio
import posixpath
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from content.media.image_size import image_dimensions
from content.media.signatures import content_type_of
from db.blobs import sha256_of
from fetching.client import Fetched
from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import invalid, invalid_at
from resolvers.core.runners import run
from resolvers.drafts.draft import FileBytes
from resolvers.revisions import limits as content_limits
from resolvers.revisions.write_targets import Target, open_target

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


# Addresses of one write, and bytes of all of them; each has the limit of one fetch.
ADDRESSES = 50
BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where content is written: a space or, by id or number, one of its change requests."""

    space_id: str
    change_request_id: str | None = None
    expected_revision: str | None = None


async def fetch_files(
    ctx: Context, place: Place, places: Mapping[str, str], received: ReceivedFiles
) -> dict[str, FileBytes]:
    """The files at addresses, by address; `places` has the field of each that errors name.

    Invalid when one cannot be fetched, is too large, or all take too long; nothing is fetched
    when content may not be written at `place`.
    """
    if not places:
        return {}
    for url in list(places)[ADDRESSES:]:
        raise invalid(places[url], f"is one too many: one write fetches at most {ADDRESSES} files")
    await run(ctx, check_place, place)
    access = ctx.import_access
    left = BYTES

    async def fetch(url: str) -> FileBytes:
        nonlocal left
        with invalid_at(places[url], FetchError):
            response = await access.fetcher.get(url)
        left -= len(response.data)
        if left < 0:
            raise invalid(places[url], f"all files together have more than {BYTES} bytes")
        return await received.add(
            response.data, type_of(response, file_name_of(response)), file_name_of(response)
        )

    try:
        async with asyncio.timeout(access.budget.seconds) as deadline:
            fetched = await some_at_once(fetch, places)
    except TimeoutError:
        if not deadline.expired():
            raise
        raise invalid(
            next(iter(places.values())),
            f"all files together took longer than {access.budget.seconds:g} seconds",
        ) from None
    return dict(zip(places, fetched, strict=True))


@operation(transactions=Transactions.BEFORE_SLOW_WORK)
async def check_place(ctx: Context, place: Place) -> None:
    """Check that content may be written there, before anything is fetched or received for it."""
    await open_place(ctx, place)


async def open_place(ctx: Context, place: Place, *, lock: bool = True) -> Target:
    """The target of a write; see `open_target`."""
    expected = place.expected_revision
    return await open_target(
        ctx, place.space_id, place.change_request_id, expected_revision=expected, lock=lock
    )


def type_of(response: Fetched, name: str) -> str:
    """The content type that the server names; a guess from the name when it names none."""
    if response.content_type in ("", UNKNOWN):
        return content_type_of(name, b"")
    return response.content_type
