"""Commands that take an organization out of an installation, and into another one."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from db.blobs import BlobMissingError
from docstead.commands.shared import (
    DatabaseUrl,
    DataDir,
    make_data_dir,
    open_server,
    settings_of,
)
from docstead.commands.terminal import AsJson, CommandError, printable, progress_bar, show
from docstead.settings import Settings
from jobs.organization_archive import ARCHIVES, ArchiveError, check_folder, pack, unpack
from jobs.organization_export import NoOrganizationError, OrganizationExport, export_organization
from jobs.organization_import import ImportRefusedError, OrganizationImport, import_organization
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR
from resolvers.sites.custom_hostnames import recheck_custom_hostname

SHOWN = 20


def export_organization_command(
    organization: Annotated[str, typer.Argument(help="Id of the organization.")],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER|FILE",
            help="A new folder, or a new archive where the name ends in .tar.gz.",
        ),
    ],
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write everything that an organization holds, in open formats.

    Histories of spaces become Git repositories, all else JSON and files; the server may run.
    """
    settings = settings_of(data_dir, database_url)
    if os.path.lexists(target):
        raise CommandError(f"{target} exists already; name a new folder or file")
    try:
        done = asyncio.run(_export(settings, organization, target))
    except (NoOrganizationError, BlobMissingError, OSError) as error:
        raise CommandError(str(error)) from error
    value = {
        "target": str(target), "organization": done.organization_id, "title": done.title,
        "rows": done.rows, "files": done.files, "spaces": done.spaces, "commits": done.commits,
        "bytes": done.bytes, "warnings": list(done.warnings),
    }  # fmt: skip
    lines = [
        f"wrote {target}: {done.spaces} spaces with {done.commits} commits, {done.rows} rows and "
        f"{done.files} files of {printable(done.title)}",
        *(f"warning   {printable(text)}" for text in done.warnings[:SHOWN]),
    ]
    show(value, json, "\n".join(lines))


async def _export(settings: Settings, organization: str, target: Path) -> OrganizationExport:
    with _beside(target) as place, progress_bar() as show_progress:
        folder = place / "export"
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            done = await export_organization(
                ctx, server.database, organization, folder, show_progress
            )
        if target.name.endswith(ARCHIVES):
            show_progress("packing", 0, 1)
            archive = place / "archive"
            await asyncio.to_thread(pack, folder, archive)
            archive.rename(target)
        else:
            folder.rename(target)
    return done


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A new folder for its owner only, on the same disk; it goes at the end."""
    target.absolute().parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.absolute().parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def import_organization_command(
    source: Annotated[
        Path,
        typer.Argument(metavar="FOLDER|FILE", help="What `export-organization` has written."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Only read it and compare its checksums.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Read an organization that another installation has exported.

    It keeps its ids. People are found by their e-mail addresses; those who have no account yet get
    one. Secrets are new: tokens, share links and webhooks have to be given out again.
    """
    settings = settings_of(data_dir, database_url)
    try:
        with _opened(source, settings) as folder:
            manifest = check_folder(folder)
            if check:
                what = manifest["organization"]
                show({"organization": what["id"], "title": what["title"]}, json,
                     f"{source} is whole: {printable(str(what['title']))}")  # fmt: skip
                return
            done = asyncio.run(_import(settings, folder, manifest))
    except (ArchiveError, ImportRefusedError) as error:
        raise CommandError(f"{source}: {printable(str(error))}") from error
    value = {
        "organization": done.organization_id, "title": done.title, "rows": done.rows,
        "files": done.files, "spaces": list(done.spaces), "peopleFound": done.people,
        "integrationsLeftOut": list(done.left_out), "hostnames": list(done.hostnames),
    }  # fmt: skip
    lines = [
        f"read {printable(done.title)} ({done.organization_id}): {len(done.spaces)} spaces, "
        f"{done.rows} rows, {done.files} files; {done.people} people had accounts",
        *(f"left out  the integration {printable(name)}: it is not here"
          for name in done.left_out[:SHOWN]),
    ]  # fmt: skip
    show(value, json, "\n".join(lines))


@contextmanager
def _opened(source: Path, settings: Settings) -> Iterator[Path]:
    if source.is_dir():
        yield source
        return
    if not source.is_file():
        raise CommandError(f"{source}: there is no such folder or file")
    make_data_dir(settings.data_dir)
    with tempfile.TemporaryDirectory(prefix="import-", dir=settings.data_dir) as folder:
        unpack(source, Path(folder))
        yield Path(folder)


async def _import(settings: Settings, folder: Path, manifest: Any) -> OrganizationImport:
    async with open_server(settings, create=True) as server:
        with progress_bar() as show_progress:
            done = await import_organization(
                server.database, settings.open_blobs(), server.sealer, folder, manifest,
                show_progress,
            )  # fmt: skip
            async with server.context_of(OPERATOR) as ctx:
                for number, hostname in enumerate(done.hostnames):
                    show_progress("host names", number, len(done.hostnames))
                    await recheck_custom_hostname(ctx, hostname)
                for id in done.spaces:
                    await reindex(
                        ctx, id, again=False,
                        progress=lambda id, done, total: show_progress(
                            f"indexing {id}", done, total
                        ),
                    )  # fmt: skip
    return done
