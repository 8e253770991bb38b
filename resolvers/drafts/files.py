"""Operations on files of a draft: their bytes were uploaded before, or came along."""

import datetime as dt
from dataclasses import replace

from sqlalchemy import select

from db.ids import new_id
from db.models.content import FileUpload
from resolvers.core.errors import PreconditionFailed, invalid
from resolvers.drafts.draft import Draft, FileBytes, missing
from resolvers.drafts.operation_inputs import CreateFileInput, DeleteFileInput, ReplaceFileInput
from resolvers.revisions.rows import File

# How long an upload can be made into a file.
UPLOAD_LIFETIME = dt.timedelta(hours=24)


async def create_file(draft: Draft, input: CreateFileInput, where: str) -> File:
    """A new file."""
    bytes_ = await _bytes(draft, input.upload, where)
    if bytes_ is None:
        raise invalid(where, "must have one of `upload` and `url`")
    file = File(
        space_id=draft.space_id,
        revision_id="",
        id=draft.refs[f"ref:{input.ref}"] if input.ref is not None else new_id(),
        name=checked_name(bytes_.name if input.name is None else input.name, f"{where}.name"),
        content_type="",
        size=0,
        sha256="",
    )
    draft.written.files[file.id] = file = _with_bytes(file, bytes_)
    return file


async def replace_file(draft: Draft, input: ReplaceFileInput, where: str) -> File:
    """Other bytes or another name for a file; its id stays."""
    file = await draft.file(input.file, f"{where}.file")
    bytes_ = await _bytes(draft, input.upload, where)
    if bytes_ is None and input.name is None:
        raise invalid(where, "must have new bytes (`upload` or `url`), a `name`, or both")
    if bytes_ is not None:
        file = _with_bytes(file, bytes_)
    if input.name is not None:
        file = replace(file, name=checked_name(input.name, f"{where}.name"))
    draft.written.files[file.id] = file
    return file


def _with_bytes(file: File, bytes_: FileBytes) -> File:
    return replace(
        file,
        content_type=bytes_.content_type,
        size=bytes_.size,
        sha256=bytes_.sha256,
        width=bytes_.width,
        height=bytes_.height,
    )


async def _bytes(draft: Draft, upload_id: str | None, where: str) -> FileBytes | None:
    """The bytes that came along for an operation, or else those of an upload."""
    received = draft.received.get(where)
    if received is not None or upload_id is None:
        return received
    upload = await _upload(draft, upload_id, f"{where}.upload")
    return FileBytes(
        sha256=upload.sha256 or "",
        size=upload.size or 0,
        content_type=upload.content_type or "",
        width=upload.width,
        height=upload.height,
        name=upload.name,
    )


async def delete_file(draft: Draft, input: DeleteFileInput, where: str) -> None:
    """Delete a file."""
    file = await draft.file(input.file, f"{where}.file")
    draft.written.files[file.id] = None


def checked_name(name: str, where: str) -> str:
    """A file name without anything that a path could be made of; Invalid otherwise."""
    if not name.strip() or name in (".", "..") or any(
        character in "/\\" or ord(character) < 32 or ord(character) == 127 for character in name
    ):  # fmt: skip
        raise invalid(where, "must be a name without slashes and control characters")
    return name


async def _upload(draft: Draft, id: str, where: str) -> FileUpload:
    """An upload to this space by the caller whose bytes have arrived."""
    ctx = draft.ctx
    statement = select(FileUpload).where(FileUpload.id == id, FileUpload.space_id == draft.space_id)
    upload: FileUpload | None = (await ctx.session.execute(statement)).scalars().first()
    own = upload is not None and (ctx.actor.operator or upload.user_id == ctx.actor.user_id)
    if upload is None or not own or upload.created_at < ctx.now() - UPLOAD_LIFETIME:
        raise missing(where, f"upload {id!r} does not exist, is too old or somebody else's")
    if upload.sha256 is None:
        raise PreconditionFailed(f"{where}: the bytes of upload {id!r} have not arrived")
    return upload
