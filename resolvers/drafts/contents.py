"""Operations on files, reusable contents, variables and redirects of a draft."""

import datetime as dt
from dataclasses import replace

from sqlalchemy import select

from content.errors import SlugError
from content.links.redirect_paths import old_path_key
from content.merkle.read import lookup
from db.ids import new_id
from db.models.content import FileUpload
from resolvers.core.errors import Conflict, NotFound, PreconditionFailed, invalid, invalid_at
from resolvers.drafts.bodies import write_body
from resolvers.drafts.draft import Draft, FileBytes
from resolvers.drafts.links import Owner
from resolvers.drafts.operation_inputs import (
    CreateFileInput,
    CreateReusableContentInput,
    DeleteFileInput,
    DeleteRedirectInput,
    DeleteReusableContentInput,
    ReplaceFileInput,
    SetRedirectInput,
    SetVariablesInput,
    UpdateReusableContentInput,
)
from resolvers.drafts.page_fields import read_title, read_variables_input
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.drafts.page_places import WITH_SLUG
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import ContentRedirect, File, ReusableContent
from resolvers.revisions.store import walk_one


async def create_reusable_content(
    draft: Draft, input: CreateReusableContentInput, where: str
) -> ReusableContent:
    """A new reusable content."""
    content = ReusableContent(
        space_id=draft.space_id,
        revision_id="",
        id=draft.refs[f"ref:{input.ref}"] if input.ref is not None else draft.work.id_of(where),
        title=read_title(input.title, f"{where}.title"),
    )
    return await _put(draft, content, input.body, where)


async def update_reusable_content(
    draft: Draft, input: UpdateReusableContentInput, where: str
) -> ReusableContent:
    """Change the name or the body of a reusable content."""
    content = await draft.reusable_content(input.reusable_content, f"{where}.reusableContent")
    if input.title is not None:
        content = replace(content, title=read_title(input.title.value, f"{where}.title"))
    return await _put(draft, content, input.body, where)


async def delete_reusable_content(
    draft: Draft, input: DeleteReusableContentInput, where: str
) -> None:
    """Delete a reusable content."""
    content = await draft.reusable_content(input.reusable_content, f"{where}.reusableContent")
    draft.written.contents[content.id] = None


async def set_variables(draft: Draft, input: SetVariablesInput, where: str) -> None:
    """Set and remove variables of the space; the others stay."""
    present = draft.written.variables
    variables = dict(draft.revision.variables if present is None else present)
    for name in input.remove or ():
        variables.pop(name, None)
    if input.set:
        count_before = len(variables)
        variables |= read_variables_input(input.set, f"{where}.set")
        if len(variables) > max(count_before, content_limits.VARIABLES):
            problem = f"a space has at most {content_limits.VARIABLES} variables"
            raise invalid(f"{where}.set", f"there would be {len(variables)}; {problem}")
    draft.written.variables = variables


async def _put(
    draft: Draft, content: ReusableContent, body: PageBodyInput | None, where: str
) -> ReusableContent:
    if body is not None:
        document_id = await write_body(draft, Owner.of(content), body, f"{where}.body")
        content = replace(content, document_id=document_id)
    draft.written.contents[content.id] = content
    return content


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
        raise NotFound.at(where, f"upload {id!r} does not exist, is too old or somebody else's")
    if upload.sha256 is None:
        raise PreconditionFailed(f"{where}: the bytes of upload {id!r} have not arrived")
    return upload


async def set_redirect(draft: Draft, input: SetRedirectInput, where: str) -> None:
    """A redirect from an old path, in place of the one that it has.

    Conflict when a page is at the path: it comes first, so the redirect would lead nobody on.
    """
    key = _key(input.path, f"{where}.path")
    page = await draft.page(input.page, f"{where}.page")
    if page.type not in WITH_SLUG:
        raise invalid(f"{where}.page", f"a {page.type.value} page has no path to lead to")
    there = (await draft.at_paths([key])).get(key)
    if there is not None:
        problem = f"the page {there.id!r} is at this path, so nothing would be led on from it"
        raise Conflict.at(f"{where}.path", problem)
    draft.written.redirects[key] = ContentRedirect(
        space_id=draft.space_id, revision_id="", path=key, page_id=page.id, anchor=input.anchor
    )


async def delete_redirect(draft: Draft, input: DeleteRedirectInput, where: str) -> None:
    """Remove a redirect; NotFound when the path has none."""
    key = _key(input.path, f"{where}.path")
    written = draft.written.redirects
    if key in written:
        there = written[key] is not None
    else:
        walk = lookup(draft.revision.redirects_root, [key])
        there = key in await walk_one(draft.ctx, draft.space_id, walk)
    if not there:
        problem = f"there is no redirect from {input.path[:200]!r} in this content"
        raise NotFound.at(f"{where}.path", problem)
    written[key] = None


def _key(path: str, where: str) -> str:
    with invalid_at(where, SlugError):
        return old_path_key(path)
