"""Bytes of new files: kept in the store, and fetched from addresses before the transaction.

As imports do (docs/decisions/0022): whoever may not write there makes the server fetch nothing,
and nothing is locked while somebody else's server answers. What is fetched is kept at once; bytes
that no revision names do no harm.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

import strawberry

from content.image_size import image_dimensions
from db.models.content import FileUpload
from fetching.client import Fetched
from fetching.errors import FetchError
from fetching.several import some_at_once
from resolvers.content_targets import Target, open_target
from resolvers.context import Context, run
from resolvers.errors import invalid
from resolvers.import_download import file_name_of
from resolvers.uploads import content_type_of

# Addresses of one write, and bytes of all of them together; each has the limit of one fetch.
ADDRESSES = 50
BYTES = 100_000_000
# What nobody knows a media type for.
UNKNOWN = content_type_of("", b"")


@dataclass(frozen=True, slots=True)
class KeptBytes:
    """Bytes that are in the store; `name` is what their server calls them."""

    sha256: str
    size: int
    content_type: str
    width: int | None = None
    height: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where content is written: a space or, by id or number, one of its change requests."""

    space_id: str
    change_request_id: str | None = None
    expected_revision: str | None = None


async def keep_bytes(ctx: Context, space_id: str, data: bytes, content_type: str) -> KeptBytes:
    """Put bytes into the store. What they say is worth more than `content_type` says of them."""
    found = content_type_of("", data[:64])
    kind = content_type if found == UNKNOWN else found
    size = image_dimensions(data, kind)
    return KeptBytes(
        sha256=await ctx.blobs.put(space_id, data),
        size=len(data),
        content_type=kind,
        width=None if size is None else size.width,
        height=None if size is None else size.height,
    )


async def upload_of(ctx: Context, space_id: str, name: str, kept: KeptBytes) -> strawberry.ID:
    """The id of an upload, as if the bytes had been sent to its address."""
    row = FileUpload(
        space_id=space_id,
        user_id=ctx.actor.user_id,
        name=name,
        created_at=ctx.now(),
        uploaded_at=ctx.now(),
        sha256=kept.sha256,
        size=kept.size,
        content_type=kept.content_type,
        width=kept.width,
        height=kept.height,
    )
    ctx.session.add(row)
    await ctx.session.flush()
    return strawberry.ID(row.id)


async def fetch_files(
    ctx: Context, place: Place, wanted: Mapping[str, str]
) -> dict[str, KeptBytes]:
    """What is at addresses, by address; `wanted` has the field of each that errors name.

    Invalid when one cannot be fetched, is too large, or all take too long; nothing is fetched
    when content may not be written at `place`.
    """
    if not wanted:
        return {}
    for url in list(wanted)[ADDRESSES:]:
        raise invalid(wanted[url], f"is one too many: one write fetches at most {ADDRESSES} files")
    await run(ctx, _check, place)
    access = ctx.import_access
    left = BYTES

    async def fetch(url: str) -> KeptBytes:
        nonlocal left
        try:
            found = await access.fetcher.get(url)
        except FetchError as error:
            raise invalid(wanted[url], str(error)) from error
        left -= len(found.data)
        if left < 0:
            raise invalid(wanted[url], f"all files together have more than {BYTES} bytes")
        kept = await keep_bytes(ctx, place.space_id, found.data, _type_of(found))
        return replace(kept, name=file_name_of(found))

    try:
        async with asyncio.timeout(access.seconds) as deadline:
            kept = await some_at_once(fetch, wanted)
    except TimeoutError:
        if not deadline.expired():
            raise
        raise invalid(
            next(iter(wanted.values())),
            f"all files together took longer than {access.seconds:g} seconds",
        ) from None
    return dict(zip(wanted, kept, strict=True))


async def _check(ctx: Context, place: Place) -> None:
    """Whether content may be written there, before anything is fetched for it."""
    await open_place(ctx, place)


async def open_place(ctx: Context, place: Place) -> Target:
    """The target of a write; see `open_target`."""
    return await open_target(
        ctx, place.space_id, place.change_request_id, expected_revision=place.expected_revision
    )


def _type_of(found: Fetched) -> str:
    """What the server says, unless it says nothing of use."""
    if found.content_type in ("", UNKNOWN):
        return content_type_of(file_name_of(found), b"")
    return found.content_type
