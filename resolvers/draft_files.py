"""Operations on files of a draft: their bytes were uploaded before."""

import datetime as dt
from dataclasses import replace

from sqlalchemy import select

from db.ids import new_id
from db.models.content import FileUpload
from resolvers.content_draft import Draft, missing
from resolvers.content_operations import CreateFileInput, DeleteFileInput, ReplaceFileInput
from resolvers.errors import PreconditionFailed, invalid
from resolvers.page_rows import File

# How long an upload can be made into a file.
KEPT = dt.timedelta(hours=24)


async def create_file(draft: Draft, input: CreateFileInput, where: str) -> File:
    """A new file of an upload."""
    if input.upload is None:
        raise invalid(where, "must have one of `upload` and `url`")
    upload = await _upload(draft, input.upload, f"{where}.upload")
    file = File(
        space_id=draft.space_id,
        revision_id="",
        id=draft.refs[f"ref:{input.ref}"] if input.ref is not None else new_id(),
        name=checked_name(upload.name if input.name is None else input.name, f"{where}.name"),
        content_type=upload.content_type or "",
        size=upload.size or 0,
        sha256=upload.sha256 or "",
        width=upload.width,
        height=upload.height,
    )
    draft.written.files[file.id] = file
    return file


async def replace_file(draft: Draft, input: ReplaceFileInput, where: str) -> File:
    """Other bytes or another name for a file; its id stays."""
    file = await draft.file(input.file, f"{where}.file")
    if input.upload is None and input.name is None:
        raise invalid(where, "must have `upload`, `name` or both")
    if input.upload is not None:
        upload = await _upload(draft, input.upload, f"{where}.upload")
        file = replace(
            file,
            content_type=upload.content_type or "",
            size=upload.size or 0,
            sha256=upload.sha256 or "",
            width=upload.width,
            height=upload.height,
        )
    if input.name is not None:
        file = replace(file, name=checked_name(input.name, f"{where}.name"))
    draft.written.files[file.id] = file
    return file


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
    found: FileUpload | None = (await ctx.session.execute(statement)).scalars().first()
    own = found is not None and (ctx.actor.operator or found.user_id == ctx.actor.user_id)
    if found is None or not own or found.created_at < ctx.now() - KEPT:
        raise missing(where, f"upload {id!r} does not exist, is too old or somebody else's")
    if found.sha256 is None:
        raise PreconditionFailed(f"{where}: the bytes of upload {id!r} have not arrived")
    return found
