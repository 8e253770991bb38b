"""Uploads to organizations: a signed address that takes a file once, and a key to use it by.

What is made of a file names it by its key: a font, an import run, the logo of the organization.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import strawberry
from sqlalchemy import bindparam, delete, func, or_, select, update

from content.media.signatures import content_type_of
from db.enums import Role
from db.models.organizations import Organization
from db.models.storage import NAME_LENGTH, TYPE_LENGTH, StorageUpload
from db.prepared import KEY
from db.storage_enums import StorageUploadKind as Kind
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest, Conflict, NotFound, PreconditionFailed, invalid
from resolvers.core.scalars import Url
from resolvers.core.signed_addresses import signature
from resolvers.core.statements import Viewer, Written, statement

# How long an address takes bytes, and how long something can be made of them.
OPEN, LIFETIME = dt.timedelta(hours=1), dt.timedelta(hours=24)
# How long the bytes of what is used once are there: jobs may wait.
USED_LIFETIME = dt.timedelta(days=7)
FONT_BYTES, LOGO_BYTES = 5_000_000, 2_000_000
# Uploads of a person to an organization within a day, and rows that one statement removes.
MOST_UPLOADS, PORTION = 200, 500
# What the files of a kind may be; None for anything.
TYPES: dict[Kind, tuple[str, ...] | None] = {
    Kind.CUSTOMIZATION_FONT: ("font/woff2", "font/woff"),
    Kind.ORGANIZATION_LOGO: ("image/png", "image/jpeg", "image/gif", "image/webp"),
    Kind.IMPORT_FILE: None,
}
# First bytes that are looked at to find out what a file is.
HEAD = 64


@strawberry.input(description="A file that will be uploaded.")
class StorageFileInput:
    name: str = inputs.text("Name with its extension.", required=True, min=1, max=NAME_LENGTH)
    type: str = inputs.text("Media type.", required=True, min=1, max=TYPE_LENGTH)
    size: float = inputs.field("Size in bytes, a whole number: so many are taken.", required=True)


@strawberry.input(description="An upload to an organization.")
class StorageUploadInput:
    file: StorageFileInput = inputs.field("The file.", required=True)
    kind: Kind = inputs.field("What it is for.", required=True)


@dataclass(frozen=True, slots=True)
class StorageUploadUrl:
    """Where the bytes go, by PUT within an hour, and the key that names them within a day."""

    url: Url
    key: str
    audited: StorageUpload


async def generate_storage_upload_url(
    ctx: Context, organization_id: OrganizationId, input: StorageUploadInput
) -> StorageUploadUrl:
    """Get an address to send a file to, by PUT within an hour; it takes one file.

    The `key` is for the operation that makes something of the file, within 24 hours and once: a
    font, an import run. Fonts and logos need the role `admin`, files to import membership.
    """
    role = Role.READ if input.kind is Kind.IMPORT_FILE else Role.ADMIN
    await must(ctx, Organization, organization_id, role)
    file, now = input.file, ctx.now()
    most = _most_bytes(ctx, input.kind)
    if not (file.size == int(file.size) and 0 < file.size <= most):
        raise BadRequest.at("file.size", f"must be a whole number from 1 to {most} bytes")
    allowed = TYPES[input.kind]
    if allowed is not None and file.type not in allowed:
        raise BadRequest.at(
            "file.type", f"{file.type[:100]!r} is not allowed; use {' or '.join(allowed)}"
        )
    mine = select(func.count()).where(
        StorageUpload.user_id == ctx.actor.user_id, StorageUpload.created_at > now - LIFETIME
    )
    if (await ctx.session.execute(mine)).scalar_one() >= MOST_UPLOADS:
        raise PreconditionFailed(f"you may begin {MOST_UPLOADS} uploads a day")
    row = StorageUpload(
        organization_id=organization_id,
        user_id=ctx.actor.user_id,
        kind=input.kind,
        name=file.name,
        content_type=file.type,
        size=int(file.size),
        created_at=now,
    )
    ctx.session.add(row)
    await ctx.session.flush()
    ends = int((now + OPEN).timestamp())
    signed = storage_signature(ctx.file_access.key, row.id, ends)
    base = ctx.settings.public_url
    url = f"{base}/storage/{row.id}?expires={ends}&signature={signed}"
    return StorageUploadUrl(Url(url), row.id, row)


def _most_bytes(ctx: Context, kind: Kind) -> int:
    if kind is Kind.IMPORT_FILE:
        # As much as an import takes from an address.
        return ctx.import_access.fetcher.limits.bytes
    return FONT_BYTES if kind is Kind.CUSTOMIZATION_FONT else LOGO_BYTES


def storage_signature(key: bytes, id: str, expires: int) -> str:
    """The signature of an address that this server gave out; `expires` in seconds since 1970."""
    return signature(key, "storage", id, expires)


def storage_url(ctx: Context, key: str) -> str:
    """Where a file is shown that something lasting was made of."""
    return f"{ctx.settings.public_url}/storage/{key}"


def stored_key(ctx: Context, url: str | None) -> str | None:
    """The key of the file that this server shows at an address; None for any other address."""
    base = storage_url(ctx, "")
    return url.removeprefix(base) if url is not None and url.startswith(base) else None


# ------------------------------------------------------------------ bytes


@dataclass(frozen=True, slots=True)
class Arrived:
    """Bytes that are in the store: SHA-256 in hex, number, and the first ones."""

    sha256: str
    size: int
    head: bytes


@statement
def _upload(viewer: Viewer) -> Written:
    return select(StorageUpload).where(StorageUpload.id == bindparam("id", type_=KEY))


async def _read_upload(ctx: Context, id: str) -> StorageUpload | None:
    rows: list[StorageUpload] = list(await _upload.rows(ctx, id=id))
    return rows[0] if rows else None


async def awaited_upload(ctx: Context, id: str) -> StorageUpload:
    """The upload that bytes come for; called by the route that has checked the signature."""
    must_be_operator(ctx)
    row = await _read_upload(ctx, id)
    if row is None:
        raise NotFound("there is no such upload")
    if row.sha256 is not None:
        raise Conflict("a file was sent to this address already; ask for a new one")
    return row


@operation(audited=False)
async def finish_storage_upload(ctx: Context, id: str, arrived: Arrived) -> StorageUpload:
    """Note what has arrived; Conflict when something has come before, Invalid when it is something
    else than was announced."""
    must_be_operator(ctx)
    row = await ctx.session.get(StorageUpload, id, with_for_update=True)
    if row is None:
        raise NotFound("there is no such upload")
    if row.sha256 is not None:
        raise Conflict("a file was sent to this address already; ask for a new one")
    if arrived.size != row.size:
        raise invalid("file.size", f"{arrived.size} bytes have come; {row.size} were announced")
    allowed = TYPES[row.kind]
    if allowed is not None and content_type_of("", arrived.head) != row.content_type:
        raise invalid("file.type", f"the file is not of the type {row.content_type!r}")
    row.sha256, row.uploaded_at = arrived.sha256, ctx.now()
    return row


async def shown_file(ctx: Context, id: str) -> StorageUpload:
    """The upload whose bytes everybody may have, for something lasting was made of it."""
    must_be_operator(ctx)
    row = await _read_upload(ctx, id)
    if row is None or not row.lasting:
        raise NotFound("there is no such file")
    return row


# ------------------------------------------------------------------ use


async def use_upload(
    ctx: Context,
    organization_id: str,
    key: str,
    kind: Kind,
    where: str,
    *,
    lasting: bool,
    again: bool = False,
) -> StorageUpload:
    """Take the file with a key to make something of it, which nobody else can do then; to look at
    it only, it can be taken `again`.

    NotFound for one of another kind or, to import it, of somebody else, PreconditionFailed when
    its bytes are not there yet or it was used before.
    """
    uploads = select(StorageUpload).where(
        StorageUpload.id == key,
        StorageUpload.organization_id == organization_id,
        StorageUpload.kind == kind,
        StorageUpload.created_at > ctx.now() - LIFETIME,
    )
    if kind is Kind.IMPORT_FILE and not ctx.actor.operator:
        # The others are for administrators, who share what is theirs, as the operator does.
        owner = StorageUpload.user_id
        uploads = uploads.where(or_(owner == ctx.actor.user_id, owner.is_(None)))
    row: StorageUpload | None = (
        (await ctx.session.execute(uploads.with_for_update())).scalars().first()
    )
    if row is None:
        raise NotFound.at(where, f"there is no upload {key[:100]!r} for this")
    if row.sha256 is None:
        raise PreconditionFailed.at(where, "the file has not arrived yet; send it by PUT first")
    if row.used_at is not None:
        raise PreconditionFailed.at(where, "the file was used already; upload it again")
    if not again:
        row.used_at, row.lasting = ctx.now(), lasting
    return row


async def release_uploads(ctx: Context, organization_id: str, keys: Sequence[str]) -> None:
    """Let files go that nothing needs any more; their bytes are removed by and by."""
    if keys:
        await ctx.session.execute(
            update(StorageUpload)
            .where(StorageUpload.id.in_(keys), StorageUpload.organization_id == organization_id)
            .values(lasting=False, created_at=ctx.now() - USED_LIFETIME)
        )


# ------------------------------------------------------------------ what nobody needs


def _old(now: dt.datetime) -> list[object]:
    unused = StorageUpload.used_at.is_(None) & (StorageUpload.created_at < now - LIFETIME)
    used = StorageUpload.created_at <= now - USED_LIFETIME
    return [StorageUpload.lasting.is_(False), or_(unused, used)]


async def received_file(
    ctx: Context, organization_id: str, key: str, *, again: bool = False
) -> StorageUpload:
    """A file that was taken to be imported, for the job that imports it, or that looks at it and
    leaves it to be taken `again`."""
    await must(ctx, Organization, organization_id)
    row = await _read_upload(ctx, key)
    if row is None or row.organization_id != organization_id or not (row.used_at or again):
        raise NotFound(f"the file {key[:100]!r} is not there any more; upload it again")
    if not ctx.actor.operator and row.user_id not in (None, ctx.actor.user_id):
        raise NotFound(f"the file {key[:100]!r} is somebody else's")
    return row


async def old_uploads(ctx: Context, now: dt.datetime) -> list[str]:
    """Keys of some files that nothing needs or can be made of any more."""
    must_be_operator(ctx)
    ids = select(StorageUpload.id).where(*_old(now)).limit(PORTION)  # type: ignore[arg-type]
    return list((await ctx.session.execute(ids)).scalars())


@operation(audited=False)
async def forget_uploads(ctx: Context, ids: Sequence[str]) -> int:
    """Remove uploads whose bytes are gone; how many."""
    must_be_operator(ctx)
    return await ctx.session.change(delete(StorageUpload).where(StorageUpload.id.in_(ids)))
