"""Files and reusable contents of a space, and signed addresses of the bytes of files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from db.models.content import Revision
from db.order_enums import FileOrderField, ReusableContentOrderField
from resolvers.core import inputs
from resolvers.core.arguments import FileId, ReusableContentId, SpaceId
from resolvers.core.context import Context
from resolvers.core.orders import FileOrder, Orders, ReusableContentOrder, in_memory, titled
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.signed_addresses import signature, valid_until
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.objects import CONTENTS, FILES, get_object
from resolvers.revisions.read_targets import InChangeRequest, InRevision
from resolvers.revisions.rows import File, ReusableContent
from resolvers.revisions.shown_files import address_key, lasting_path, shown_to_all


async def get_file(
    ctx: Context,
    space_id: SpaceId,
    id: FileId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
) -> File:
    """A file: of a space's primary content, of a change request or of a revision."""
    return await get_object(ctx, FILES, space_id, id, change_request_id, revision_id)


@dataclass(frozen=True)
class FileArguments(PageArguments):
    """The order of a list of files."""

    order_by: Annotated[FileOrder | None, inputs.argument("Order; oldest first when absent.")] = (
        None
    )


FILE_ORDERS = Orders(
    in_memory("id"),
    {FileOrderField.NAME: titled("name"), FileOrderField.SIZE: in_memory("size")},
)


@reads("id", "space_id", "files_root")
async def files_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[File]]:
    """Files of a revision, oldest first."""
    listed, order = await FILES.all(ctx, rows), FILE_ORDERS.wanted(arguments)
    return memory_slices(ctx, "files", [row.id for row in rows], listed, arguments, order)


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Size of an image in pixels."""

    width: int
    height: int


async def file_dimensions(
    ctx: Context, rows: Sequence[File], arguments: Any
) -> list[Dimensions | None]:
    """Sizes of images, where they are known."""
    return [
        Dimensions(row.width, row.height)
        if row.width is not None and row.height is not None
        else None
        for row in rows
    ]


async def file_urls(ctx: Context, rows: Sequence[File], arguments: Any) -> list[str]:
    """Addresses of the bytes: signed, valid for one to two hours, for whoever holds them.

    Visitors of sites get lasting ones of files that every reader of a site is shown. What a source
    has only offered is where the source has it.
    """
    lasting = await shown_to_all(ctx, rows) if ctx.actor.visitor is not None else frozenset()
    expires = valid_until(ctx.now())
    return [
        row.elsewhere
        if row.elsewhere is not None
        else ctx.settings.public_url + lasting_path(row)
        if lasting and address_key(row.space_id, row.sha256, row.name) in lasting
        else ctx.settings.public_url
        + file_path(ctx.file_access.key, row.space_id, row.sha256, row.name, row.content_type,
                    expires)
        for row in rows
    ]  # fmt: skip


def file_path(
    key: bytes, space_id: str, sha256: str, name: str, content_type: str, expires: int
) -> str:
    """The signed path of a file's bytes; `expires` in seconds since 1970."""
    query = urlencode(
        {
            "type": content_type,
            "expires": expires,
            "signature": signature(key, space_id, sha256, name, content_type, expires),
        }
    )
    return f"/files/{space_id}/{sha256}/{quote(name, safe='')}?{query}"


async def get_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    id: ReusableContentId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
) -> ReusableContent:
    """A reusable content: of a space's primary content, of a change request or of a revision."""
    return await get_object(ctx, CONTENTS, space_id, id, change_request_id, revision_id)


@dataclass(frozen=True)
class ReusableContentArguments(PageArguments):
    """Which reusable contents are wanted, and their order."""

    order_by: Annotated[
        ReusableContentOrder | None, inputs.argument("Order; oldest first when absent.")
    ] = None
    title: Annotated[str | None, inputs.argument("Part of the title; capitals do not matter.")] = (
        field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=255)})
    )


CONTENT_ORDERS = Orders(in_memory("id"), {ReusableContentOrderField.TITLE: titled("title")})


@reads("id", "space_id", "contents_root")
async def reusable_contents_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[ReusableContent]]:
    """Reusable contents of a revision, oldest first."""
    listed = await CONTENTS.all(ctx, rows)
    ids, order = [row.id for row in rows], CONTENT_ORDERS.wanted(arguments)
    # A list that is read whole has no such argument.
    part = (getattr(arguments, "title", None) or "").lower()
    if part:
        listed = [[row for row in contents if part in row.title.lower()] for contents in listed]
    name = f"reusable-contents {part}" if part else "reusable-contents"
    return memory_slices(ctx, name, ids, listed, arguments, order)
