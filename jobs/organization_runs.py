"""Exports of organizations as jobs (resolvers/git/organization_exports.py): the archive is stored
under the id of its job, for a day."""

import asyncio
import contextlib
import datetime as dt
import shutil
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from content.late_modules import ready
from db.inserts import parts
from db.session import Database
from jobs.kinds import Json, Work
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.git.organization_exports import (
    LIFETIME,
    PORTION,
    check_exporter,
    forget_archives,
    old_archives,
    running_exports,
)

QUIET = dt.timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class OrganizationExporter:
    """Does the jobs that export organizations. `open_operator` opens a context that reads all,
    `folder` takes what is written until it is stored."""

    database: Database
    open_operator: Callable[[], AbstractAsyncContextManager[Context]]
    folder: Path

    async def __call__(self, work: Work) -> Json:
        """Make an archive and keep it."""
        # What few processes ever do, with Git and JSON Schema.
        await ready("jobs.organization_export")
        from jobs.organization_archive import pack, pieces_of
        from jobs.organization_export import export_organization

        id = str(work.lease.organization_id)
        await read(work.ctx, check_exporter, id)
        place = self.folder / work.lease.job_id
        await asyncio.to_thread(self._prepare, place)
        try:
            async with self.open_operator() as ctx:
                export, archive = place / "export", place / "archive"
                done = await export_organization(ctx, self.database, id, export, work.lease.report)
                work.lease.report("packing")
                await asyncio.to_thread(pack, export, archive)
                work.lease.report("storing")
                # Of an attempt before, which was killed.
                await ctx.blobs.delete_space(work.lease.job_id)
                size = archive.stat().st_size
                sha256, size = await ctx.blobs.put_stream(
                    work.lease.job_id, pieces_of(archive), size
                )
                # They may have lost the right to it meanwhile.
                await read(work.ctx, check_exporter, id)
        finally:
            await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
        return {
            "sha256": sha256, "size": size, "rows": done.rows, "files": done.files,
            "spaces": done.spaces, "commits": done.commits, "warnings": list(done.warnings[:100]),
        }  # fmt: skip

    def _prepare(self, place: Path) -> None:
        """An empty folder, without what an attempt before has left that was killed."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700)

    async def clear(self, ctx: Context, now: dt.datetime) -> int:
        """Remove what killed processes have left here, of exports that no process makes now; how
        many folders."""
        left = await asyncio.to_thread(self._left, now - QUIET)
        count = 0
        for some in parts(left, PORTION):
            # What the purge has read before may be old.
            async with self.open_operator() as own:
                running = await read(own, running_exports, some)
            for id in set(some) - running:
                await asyncio.to_thread(shutil.rmtree, self.folder / id, ignore_errors=True)
                count += 1
        return count

    def _left(self, before: dt.datetime) -> list[str]:
        """Folders that were made before a time: a job that begins just now has its own."""
        with contextlib.suppress(FileNotFoundError):
            return sorted(
                path.name
                for path in self.folder.iterdir()
                if path.stat().st_mtime < before.timestamp()
            )
        return []


async def clear_archives(ctx: Context, now: dt.datetime) -> int:
    """Remove archives of organizations a day after they were made; how many."""
    count = 0
    while ids := await read(ctx, old_archives, now - LIFETIME):
        for id in ids:
            await ctx.blobs.delete_space(id)
        await run(ctx, forget_archives, ids)
        count += len(ids)
    return count
