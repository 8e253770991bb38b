"""Uploads: bytes are sent to a signed address first, an operation makes a file of them later."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import delete, select

from content.media.image_size import image_dimensions
from content.media.signatures import content_type_of
from db.enums import Role
from db.models.content import FileUpload
from db.models.spaces import Space
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict, NotFound, invalid
from resolvers.core.signed_addresses import signature
from resolvers.drafts.contents import UPLOAD_LIFETIME, checked_name
from resolvers.lists.batches import computed_from
from resolvers.revisions import limits as content_limits

# How long the address takes bytes.
OPEN = dt.timedelta(hours=1)
# What is looked at to find out what a file is, in bytes.
HEAD = 256 * 1024


@strawberry.input(description="A file that will be uploaded.")
class CreateFileUploadInput:
    name: str = inputs.text(
        "Name with its extension.", required=True, min=1, max=content_limits.NAME
    )
    size: int | None = inputs.field("Size in bytes, at most 100 MiB; to be refused early.")


async def create_file_upload(
    ctx: Context, space_id: SpaceId, input: CreateFileUploadInput
) -> FileUpload:
    """Get an address to send the bytes of a file to; needs the role `edit` on the space.

    Send them with PUT to `url` within an hour, then make a file of them with the operation
    `createFile` or `replaceFile` within 24 hours.
    """
    await must(ctx, Space, space_id, Role.EDIT)
    if input.size is not None and not 0 <= input.size <= content_limits.FILE_BYTES:
        raise invalid("size", f"must be 0 to {content_limits.FILE_BYTES} bytes")
    row = FileUpload(
        space_id=space_id,
        user_id=ctx.actor.user_id,
        name=checked_name(input.name, "name"),
        created_at=ctx.now(),
    )
    ctx.session.add(row)
    await ctx.session.flush()
    return row


@computed_from("created_at")
async def upload_ends(
    ctx: Context, rows: Sequence[FileUpload], arguments: Any
) -> list[dt.datetime]:
    """When the addresses stop taking bytes."""
    return [row.created_at + OPEN for row in rows]


@computed_from("id", "created_at")
async def upload_urls(ctx: Context, rows: Sequence[FileUpload], arguments: Any) -> list[str]:
    """The signed addresses that take the bytes, by PUT."""
    key, base = ctx.file_access.key, ctx.settings.public_url
    ends = [int((row.created_at + OPEN).timestamp()) for row in rows]
    return [
        f"{base}/uploads/{row.id}?expires={end}&signature={upload_signature(key, row.id, end)}"
        for row, end in zip(rows, ends, strict=True)
    ]


def upload_signature(key: bytes, id: str, expires: int) -> str:
    """The signature of an address that this server gave out; `expires` in seconds since 1970."""
    return signature(key, "upload", id, expires)


@dataclass(frozen=True, slots=True)
class Arrived:
    """Bytes that are in the store: SHA-256 in hex, number, and the first 256 KiB."""

    sha256: str
    size: int
    head: bytes


async def upload_space(ctx: Context, id: str) -> str:
    """The space that an upload is for; called by the route that has checked the signature."""
    return (await _upload(ctx, id)).space_id


@operation(audited=False)
async def finish_upload(ctx: Context, id: str, arrived: Arrived) -> FileUpload:
    """Note what has arrived; Conflict when other bytes have come before."""
    row = await _upload(ctx, id, lock=True)
    if row.sha256 is not None and row.sha256 != arrived.sha256:
        raise Conflict("other bytes have been sent to this address; ask for a new one")
    row.sha256, row.size, row.uploaded_at = arrived.sha256, arrived.size, ctx.now()
    row.content_type = content_type_of(row.name, arrived.head)
    dimensions = image_dimensions(arrived.head, row.content_type)
    row.width, row.height = (
        (None, None) if dimensions is None else (dimensions.width, dimensions.height)
    )
    return row


@operation(audited=False)
async def purge_uploads(ctx: Context, now: dt.datetime) -> int:
    """Forget uploads that nothing can be made of any more; returns their number."""
    must_be_operator(ctx)
    statement = delete(FileUpload).where(FileUpload.created_at < now - UPLOAD_LIFETIME)
    return await ctx.session.change(statement)


async def _upload(ctx: Context, id: str, lock: bool = False) -> FileUpload:
    must_be_operator(ctx)
    statement = select(FileUpload).join(Space, Space.id == FileUpload.space_id)
    statement = statement.where(FileUpload.id == id, Space.deleted_at.is_(None))
    if lock:
        statement = statement.with_for_update(of=FileUpload)
    upload: FileUpload | None = (await ctx.session.execute(statement)).scalars().first()
    if upload is None:
        raise NotFound("there is no such upload")
    return upload
