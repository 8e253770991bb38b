"""Imports of uploaded trees as jobs (resolvers/git/tree_imports.py): a zip archive or a Git bundle
becomes the content of a space or of a change request."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from content.errors import ContentError, SourceError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.sources.tree import SourceLimits, SourceTree
from content.sources.unpacking import UPLOAD, open_unpacked
from db.blobs import BlobMissingError
from db.git_enums import GitStage
from jobs.git.operations import WARNING_LENGTH, bounded_warnings, keep_plan
from jobs.kinds import Json, Work
from jobs.processes import process_of
from resolvers.core.errors import PreconditionFailed, StaleRevision
from resolvers.core.runners import read, run
from resolvers.git.plans import plan_of_import
from resolvers.git.tree_imports import store_uploaded_tree
from resolvers.imports.tree_writes import keep_new_files, prepare_update
from resolvers.storage.operations import received_file
from resolvers.writing.received_files import Place

# Of the process that unpacks: computing time, memory beside copies of the upload, and how long it
# may take with all else that the machine does.
SECONDS, MEGABYTES, COPIES, TOTAL_SECONDS = 120, 512, 8, 600
# How often an import is compared anew because somebody has edited meanwhile.
ATTEMPTS = 3
# What an upload may unpack to, as a multiple of the largest upload, and the files in it.
UNPACKED, MOST_FILES = 20, 50_000


async def do_tree_import(work: Work) -> Json | None:
    """Carry out an import; the write of its revision ends the job, a plan is its result."""
    work.lease.report(GitStage.REPO_FETCH.value)
    with tempfile.TemporaryDirectory(prefix="docstead-tree-") as folder:
        name = await _receive(work, Path(folder, UPLOAD))
        most = work.ctx.import_access.fetcher.limits.bytes
        limits = SourceLimits(most, UNPACKED * most, MOST_FILES)
        try:
            with await _unpacked(Path(folder), name, limits) as tree:
                work.lease.report(GitStage.CONFIG_CHECK.value)
                layout = await asyncio.to_thread(_read, tree, work.arguments)
                return await _import(work, tree, layout)
        except ContentError as error:
            raise PreconditionFailed(str(error)) from error


async def _receive(work: Work, path: Path) -> str:
    """Put the bytes of the upload into a file; the name that it was uploaded with."""
    arguments, ctx = work.arguments, work.ctx
    again = bool(arguments["dryRun"])
    upload = await read(
        ctx, received_file, work.lease.organization_id or "", arguments["file"], again=again
    )
    with path.open("wb") as file:
        try:
            async for chunk in ctx.blobs.read(upload.id, upload.sha256 or ""):
                await asyncio.to_thread(file.write, chunk)
        except BlobMissingError as error:
            raise PreconditionFailed("the file is not there any more; upload it again") from error
    return upload.name


async def _unpacked(folder: Path, name: str, limits: SourceLimits) -> SourceTree:
    """What an upload holds, unpacked by a process with bounds; SourceError for what is none."""
    megabytes = MEGABYTES + COPIES * limits.max_file_bytes // 1_000_000
    bounds = (limits.max_file_bytes, limits.max_total_bytes, limits.max_files)
    arguments = (str(SECONDS), str(megabytes), name, *map(str, bounds))
    try:
        async with (
            process_of(
                "content.sources.unpacking", *arguments, folder=folder,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            ) as process,
            asyncio.timeout(TOTAL_SECONDS),
        ):  # fmt: skip
            await process.wait()
        return await asyncio.to_thread(open_unpacked, folder, limits)
    except (TimeoutError, FileNotFoundError):
        raise SourceError(
            f"{name[:100]}: unpacking it takes more than {SECONDS} seconds of computing or "
            f"{megabytes} megabytes of memory"
        ) from None


def _read(tree: SourceTree, arguments: Any) -> SpaceImport:
    layout = read_space(tree, directory=arguments["directory"])
    if not layout.pages and not arguments["force"]:
        raise SourceError(
            "there is no page in the folder, so the import would empty the content; say `force` "
            f"to do that: {' '.join(layout.warnings)[:WARNING_LENGTH]}"
        )
    return layout


async def _import(work: Work, tree: SourceTree, layout: SpaceImport) -> Json | None:
    ctx, arguments, lease = work.ctx, work.arguments, work.lease
    lease.report(GitStage.CONTENT_PROCESS.value)
    place = Place(arguments["space"], arguments["changeRequest"])
    warnings = bounded_warnings(layout.warnings)
    for attempt in range(1, ATTEMPTS + 1):
        update = await prepare_update(
            ctx, place, layout, tree.commit, read_new=tree.read,
            progress=lambda done, total: lease.report(done=done, total=total),
        )  # fmt: skip
        if arguments["dryRun"]:
            plan = await keep_plan(ctx, lease.job_id, plan_of_import(update))
            return {"revision": update.place.expected_revision, **plan}
        lease.report(GitStage.FINALIZE.value)
        await keep_new_files(ctx, update)
        try:
            await run(ctx, store_uploaded_tree, update, warnings)
        except StaleRevision:
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return None
