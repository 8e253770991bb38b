"""Commands that make backups, restore them, and copy a database into another one."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from db.blobs import BlobStore
from db.row_copies import NotEmptyError
from db.session import database_url as read_database_url
from db.standing import head
from docstead.commands.shared import (
    DatabaseUrl,
    DataDir,
    make_data_dir,
    open_database,
    open_server,
    settings_of,
)
from docstead.commands.terminal import AsJson, CommandError, printable, progress_bar, show
from docstead.settings import Settings
from jobs.backups import (
    Backup,
    BackupError,
    check_backup,
    copy_database as copy_rows,
    read_backup,
    write_backup,
)
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR

MISSING_SHOWN = 5


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive to write; new.")],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write everything into one archive, as it is at this moment; the server may run."""
    settings = settings_of(data_dir, database_url)
    if file.exists():
        raise CommandError(f"{file} exists already; name a new file")
    done = asyncio.run(_back_up(settings, file))
    value = _described(done) | {"file": str(file), "bytes": file.stat().st_size}
    lines = [f"wrote {file} with {done.rows} rows and {done.files} files"]
    lines += [f"missing   {printable(path)}" for path in done.missing[:MISSING_SHOWN]]
    show(value, json, "\n".join(lines))


async def _back_up(settings: Settings, file: Path) -> Backup:
    part = file.with_name(f".{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        # For its owner only: it holds everything. So it is no file, or link, that was there before.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target, progress_bar() as show_progress:
            async with open_database(settings) as database:
                done = await write_backup(database, _blobs(settings), target, show_progress)
            target.flush()
            os.fsync(target.fileno())
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)
    return done


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An archive of `backup`.")],
    check: Annotated[
        bool, typer.Option("--check", help="Only read it and compare its checksums.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Fill an empty database and an empty data folder from a backup."""
    settings = settings_of(data_dir, database_url)
    with file.open("rb") as source, progress_bar() as show_progress:
        try:
            if check:
                done = check_backup(source, show_progress)
            else:
                done = asyncio.run(_restore(settings, source, show_progress))
        except (BackupError, NotEmptyError) as error:
            raise CommandError(f"{file}: {error}") from error
    what = f"{done.rows} rows and {done.files} files"
    text = f"{file} of {done.created_at} is whole: {what}" if check else f"restored {what}"
    show(_described(done), json, text)


async def _restore(settings: Settings, source: Any, show_progress: Any) -> Backup:
    async with open_database(settings, create=True) as database:
        done = await read_backup(source, database, _blobs(settings), show_progress)
    await _index(settings, show_progress)
    return done


def copy_database(
    to: Annotated[
        str, typer.Option("--to", help="URL of an empty database, as of --database-url.")
    ],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Copy everything into an empty database, of this kind or of the other; files stay."""
    settings = settings_of(data_dir, database_url)
    target = replace(settings, database_url=_checked(to))
    if target.database == settings.database:
        raise CommandError("--to: this is the database that would be copied")
    try:
        with progress_bar() as show_progress:
            done = asyncio.run(_copy(settings, target, show_progress))
    except NotEmptyError as error:
        raise CommandError(f"--to: {error}") from error
    text = (
        f"copied {done.rows} rows; files stay in {settings.files_url or settings.data_dir}. What "
        "was written meanwhile is not in the copy: stop the server before, and start it with the "
        "new database"
    )
    show(_described(done), json, text)


async def _copy(settings: Settings, target: Settings, show_progress: Any) -> Backup:
    async with open_database(settings) as source, open_database(target, create=True) as empty:
        done = await copy_rows(source, empty, show_progress)
    await _index(target, show_progress)
    return done


def _checked(url: str) -> str:
    try:
        read_database_url(url)
    except ValueError as error:
        raise CommandError(f"--to: {error}") from None
    return url


async def _index(settings: Settings, show_progress: Any) -> None:
    """Build the index of content, which is in no copy."""
    async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
        await reindex(
            ctx,
            again=False,
            progress=lambda id, done, total: show_progress(f"indexing {id}", done, total),
        )


def _blobs(settings: Settings) -> BlobStore:
    if settings.bucket is None:
        make_data_dir(settings.data_dir)
    return settings.open_blobs()


def _described(done: Backup) -> dict[str, Any]:
    return {
        "rows": done.rows,
        "files": done.files,
        "missing": list(done.missing),
        "migration": done.migration or head(),
        "createdAt": done.created_at or None,
    }
