"""Import runs: imports that nobody waits for, as jobs.

A run does what the operation `import_content` does, with the rights of whoever has started it. The
revision that it makes and the end of its job are one transaction: it imports once.
"""

import asyncio
import io
import posixpath
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import strawberry
from sqlalchemy import and_, bindparam
from strawberry import Maybe

from db.content_enums import ImportContentSource, ImportMode
from db.job_enums import ImportRunStatus, ImportSourceType, JobKind, JobState
from db.models.jobs import Job
from db.models.spaces import Space
from db.prepared import KEY
from db.storage_enums import StorageUploadKind
from fetching.client import Fetched
from resolvers.access.policy import must, must_in
from resolvers.core import inputs
from resolvers.core.arguments import JobId, OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest
from resolvers.core.pagination import by_id
from resolvers.core.runners import read
from resolvers.core.scalars import URL_LENGTH, Url
from resolvers.imports.operations import ImportContentInput, check_target
from resolvers.jobs.operations import cancel_job
from resolvers.jobs.queue import NewJob, check_room, enqueue
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing
from resolvers.storage.operations import received_file, storage_url, use_upload
from resolvers.writing.received_files import Place

# Files of one run.
MOST_FILES = 50
_OTHER = ImportContentSource.ZIP
_FORMATS = {
    ".docx": ImportContentSource.DOCX,
    ".md": ImportContentSource.MARKDOWN,
    ".markdown": ImportContentSource.MARKDOWN,
    ".txt": ImportContentSource.MARKDOWN,
    ".html": ImportContentSource.HTML,
    ".htm": ImportContentSource.HTML,
}
_IS_RUN = Job.kind == JobKind.IMPORT
# One and the same expression each time, as `must` wants it.
_IS_RUN_OF = and_(_IS_RUN, Job.organization_id == bindparam("organization_id", type_=KEY))


@strawberry.input(description="Where the content of an import run comes from.")
class ImportRunSourceInput:
    type: ImportSourceType = inputs.field("Kind of source.", required=True)
    url: Url | None = inputs.text(
        "Of a website: an http or https address that the server can reach on the public internet.",
        min=1,
        max=URL_LENGTH,
    )
    files: list[str] | None = inputs.items(
        "Of files: keys of uploads of the kind `import_file`. Several are read like an archive "
        "that holds them.",
        max=MOST_FILES,
        each=inputs.Bounds(1, 512),
    )
    format: ImportContentSource | None = inputs.field(
        "What is at the address, `WEBSITE` when absent; of files, what their names say when "
        "absent. An addition to the published contract."
    )


@strawberry.input(description="Where the content of an import run goes.")
class ImportRunTargetInput:
    space: strawberry.ID = inputs.field("Id of the space.", required=True)
    change_request: strawberry.ID | None = inputs.field(
        "Id or number of one of its change requests; its primary content when absent."
    )
    page: strawberry.ID | None = inputs.field(
        "Id of the page that imported pages come below; the top level when absent."
    )


@strawberry.input(description="An import that nobody waits for.")
class StartImportRunInput:
    source: ImportRunSourceInput = inputs.field("Where the content comes from.", required=True)
    target: ImportRunTargetInput = inputs.field("Where it goes.", required=True)
    mode: Maybe[ImportMode] = inputs.field(
        "Whether to add pages, which is done when absent, or to update those of an earlier import "
        "into the same place. An addition to the published contract."
    )


async def start_import_run(
    ctx: Context, organization_id: OrganizationId, input: StartImportRunInput
) -> Job:
    """Start an import that goes on by itself; `importRun` and `job` say how far it is.

    It needs what editing the content needs, when it is started and when it writes. Whatever fails
    has written nothing.
    """
    target = input.target
    _check_source(input.source)
    space = await must_in(ctx, Space, target.space, organization_id)
    mode = inputs.given(input.mode, ImportMode.APPEND)
    place = Place(space.id, target.change_request)
    there, _ = await check_target(ctx, place, target.page)
    await check_room(ctx, organization_id)
    url, source, files = await _source_of(ctx, organization_id, input.source)
    arguments = {
        "space": space.id,
        "url": url,
        "source": source.value,
        "files": files,
        "mode": mode.value,
        "changeRequest": None if there.change_request is None else there.change_request.id,
        "page": target.page,
    }
    id = await enqueue(
        ctx,
        NewJob(
            kind=JobKind.IMPORT,
            organization_id=organization_id,
            space_id=space.id,
            arguments=arguments,
        ),
    )
    return await must(ctx, Job, id)


def _check_source(source: ImportRunSourceInput) -> None:
    """BadRequest for a source that does not fit its type."""
    if source.type is ImportSourceType.FILE:
        if not source.files:
            raise BadRequest.at("source.files", "is required for the type 'file': keys of uploads")
        if source.url is not None:
            raise BadRequest.at("source.url", "is for the type 'website' only")
        if source.format is ImportContentSource.WEBSITE:
            raise BadRequest.at("source.format", "'website' is not the format of a file")
        return
    if source.url is None:
        raise BadRequest.at("source.url", "is required for the type 'website'")
    if source.files:
        raise BadRequest.at("source.files", "is for the type 'file' only")


async def _source_of(
    ctx: Context, organization_id: str, source: ImportRunSourceInput
) -> tuple[str, ImportContentSource, list[str]]:
    """The address that the source is known by, what is there, and the keys of its files."""
    if source.url is not None:
        return source.url, source.format or ImportContentSource.WEBSITE, []
    uploads = [
        await use_upload(
            ctx, organization_id, key, StorageUploadKind.IMPORT_FILE,
            f"source.files[{index}]", lasting=False,
        )
        for index, key in enumerate(source.files or ())
    ]  # fmt: skip
    # By its name a later import of the same file is one of the same source.
    url = storage_url(ctx, f"imports/{quote(uploads[0].name, safe='')}")[:URL_LENGTH]
    names = [upload.name for upload in uploads]
    return url, source.format or _format_of(names), [upload.id for upload in uploads]


def _format_of(names: Sequence[str]) -> ImportContentSource:
    """The format of files by their names."""
    ending = posixpath.splitext(names[0])[1].lower()
    return ImportContentSource.ZIP if len(names) > 1 else _FORMATS.get(ending, _OTHER)


async def received_source(
    ctx: Context, organization_id: str, arguments: Mapping[str, Any]
) -> Fetched | None:
    """The files of a run as one document or archive; None where it has an address."""
    keys: list[str] = arguments.get("files") or []
    if not keys:
        return None
    uploads = [await read(ctx, received_file, organization_id, key) for key in keys]
    bodies = [
        b"".join([chunk async for chunk in ctx.blobs.read(upload.id, upload.sha256 or "")])
        for upload in uploads
    ]
    name, content_type, data = uploads[0].name, uploads[0].content_type, bodies[0]
    if len(uploads) > 1:
        name, content_type = "files.zip", "application/zip"
        data = await asyncio.to_thread(_packed, [upload.name for upload in uploads], bodies)
    media, _, charset = content_type.partition("; charset=")
    return Fetched(arguments["url"], media.strip().lower(), charset or None, name, data)


def _packed(names: Sequence[str], bodies: Sequence[bytes]) -> bytes:
    """Files as an archive; of the same name each has a folder of its own."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        for index, (name, body) in enumerate(zip(names, bodies, strict=True)):
            plain = posixpath.basename(name.replace("\\", "/")) or "file"
            out.writestr(f"{index}/{plain}" if names.count(name) > 1 else plain, body)
    return archive.getvalue()


def input_of(arguments: Mapping[str, Any]) -> ImportContentInput:
    """The input of the operation that a run carries out, from the arguments of its job."""
    return ImportContentInput(
        url=Url(arguments["url"]),
        source=ImportContentSource(arguments["source"]),
        mode=strawberry.Some(ImportMode(arguments["mode"])),
    )


@operation(one_statement=True)
async def get_import_run(
    ctx: Context,
    id: JobId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Job:
    """An import run and how far it is, for whoever has started it and administrators."""
    where = _IS_RUN if organization_id is None else _IS_RUN_OF
    return await must(
        ctx, Job, id, where=where, projection=projection, organization_id=organization_id
    )


async def cancel_import_run(ctx: Context, id: JobId, organization_id: OfOrganization = None) -> Job:
    """Cancel an import run: it writes nothing from then on. One that has ended stays as it is."""
    await get_import_run(ctx, id, organization_id)
    return await cancel_job(ctx, id, organization_id)


import_runs_of_organizations = Listing(
    "import_runs_of_organizations",
    Job,
    Job.organization_id,
    by_id(Job).reversed,
    _IS_RUN,
    about="Import runs of organizations, newest first: those that you have started, for "
    "administrators all.",
)

# ------------------------------------------------------------------ fields

_STATUS = {
    JobState.QUEUED: ImportRunStatus.PENDING,
    JobState.RUNNING: ImportRunStatus.IN_PROGRESS,
    JobState.SUCCEEDED: ImportRunStatus.COMPLETED,
    JobState.FAILED: ImportRunStatus.FAILED,
    JobState.CANCELLED: ImportRunStatus.CANCELLED,
}


@computed_from("state")
async def statuses(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[ImportRunStatus]:
    """The status of runs in the words of the published contract."""
    return [_STATUS[row.state] for row in rows]


@dataclass(frozen=True, slots=True)
class ImportedPage:
    """A page that a run has made or updated."""

    page_id: str
    path: str


@computed_from("result")
async def imported_pages(
    ctx: Context, rows: Sequence[Job], arguments: Any
) -> list[list[ImportedPage]]:
    """The pages of runs that are done, at most 1,000 of each."""
    return [
        [ImportedPage(page["id"], page["path"]) for page in (row.result or {}).get("pages", ())]
        for row in rows
    ]


@computed_from("result")
async def run_warnings(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[list[str]]:
    """What runs have left out or changed on the way."""
    return [list((row.result or {}).get("warnings", ())) for row in rows]


@computed_from("result")
async def run_revisions(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[str | None]:
    """Ids of the revisions that runs have made."""
    return [(row.result or {}).get("revision") for row in rows]


@computed_from("result")
async def run_imported_resources(
    ctx: Context, rows: Sequence[Job], arguments: Any
) -> list[int | None]:
    """How many pages and files runs have taken over; None before they are done."""
    return [(row.result or {}).get("imported") for row in rows]


@computed_from("result")
async def run_total_resources(
    ctx: Context, rows: Sequence[Job], arguments: Any
) -> list[int | None]:
    """How many pages and files the sources of runs had; None before they are done."""
    return [(row.result or {}).get("total") for row in rows]


@computed_from("arguments")
async def run_change_requests(
    ctx: Context, rows: Sequence[Job], arguments: Any
) -> list[str | None]:
    """Ids of the change requests that runs import into."""
    return [row.arguments.get("changeRequest") for row in rows]
