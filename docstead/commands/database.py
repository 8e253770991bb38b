"""Commands for the database and the settings."""

import asyncio
import os
import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from sqlalchemy.exc import SQLAlchemyError

from db import migrate as migrations
from db.failures import store_errors
from db.session import Database
from db.standing import UnknownMigration, current, head
from docstead.commands.shared import DatabaseUrl, DataDir, make_data_dir, settings_of
from docstead.commands.terminal import AsJson, CommandError, complain, show
from docstead.settings import Settings, described
from rest_compat.log_redaction import redacted

OLDEST_SQLITE = (3, 40)


def migrate(
    target: Annotated[
        str, typer.Option("--to", help="`head`, `base` or a migration's id.")
    ] = "head",
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before something is removed.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Bring the database to the newest schema (or another one).

    A migration to an older schema removes what the newer ones have added. It says what that is,
    and asks.
    """
    settings = settings_of(data_dir, database_url)
    before, after = asyncio.run(_migrate(settings, target, yes))
    text = f"migrated from {before or 'empty'} to {after or 'empty'}"
    show({"before": before, "after": after}, json, text if before != after else f"at {after}")


async def _migrate(settings: Settings, target: str, yes: bool) -> tuple[str | None, str | None]:
    if not settings.database_url:
        make_data_dir(settings.data_dir)
    database = Database(settings.database, pool_size=1)
    try:
        before = await current(database)
        if target != "head" and not yes:
            _confirm(before, target, await migrations.losses(database, target))
        await migrations.migrate(database, target)
        return before, await current(database)
    finally:
        await database.close()


def _confirm(standing: str | None, target: str, losses: Sequence[migrations.Loss]) -> None:
    """Ask whether something may be removed; CommandError when nobody can answer."""
    if not losses:
        return
    for loss in losses:
        what = f"table {loss.table}" if loss.column is None else f"{loss.table}.{loss.column}"
        complain(f"removed: {what}, {loss.rows} rows")
    if not sys.stdin.isatty():
        raise CommandError(
            f"a migration from {standing} to {target} removes what is listed above; make a backup, "
            "and say --yes"
        )
    typer.confirm("Nothing of that comes back without a backup. Go on?", abort=True, err=True)


@dataclass(frozen=True, slots=True)
class Finding:
    """One checked thing: its state, and what to do when it is not well."""

    subject: str
    ok: bool
    message: str


def doctor(
    json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None
) -> None:
    """Check settings, folders, database and migrations, and say what to do."""
    settings = settings_of(data_dir, database_url)
    findings = [
        Finding("python", True, platform.python_version()),
        _check_folder(settings),
        *asyncio.run(_check_database(settings)),
        *asyncio.run(_check_bucket(settings)),
    ]
    value = {
        "ok": all(finding.ok for finding in findings),
        "findings": [asdict(finding) for finding in findings],
        "settings": [
            {"name": name, "value": value, "meaning": meaning}
            for name, value, meaning in described(settings)
        ],
    }
    lines = [
        f"{'ok  ' if finding.ok else 'FAIL'}  {finding.subject:10}  {finding.message}"
        for finding in findings
    ]
    lines += ["", "settings:"]
    lines += [f"  {name}={value}\n      {meaning}" for name, value, meaning in described(settings)]
    show(value, json, "\n".join(lines))
    if not value["ok"]:
        raise typer.Exit(1)


def _check_folder(settings: Settings) -> Finding:
    folder = settings.data_dir.absolute()
    if not folder.exists():
        return Finding("data", False, f"{folder} does not exist; run `docstead migrate`")
    if not os.access(folder, os.W_OK):
        return Finding("data", False, f"{folder} is not writable for this user")
    # It holds what everybody wrote, and the secrets that sign addresses.
    if folder.stat().st_mode & 0o077:
        return Finding("data", False, f"others may open {folder}; run `chmod 700 {folder}`")
    return Finding("data", True, str(folder))


async def _check_bucket(settings: Settings) -> list[Finding]:
    if settings.bucket is None:
        return []
    try:
        await settings.open_blobs().check()
    except Exception as error:
        if not isinstance(error, (*store_errors(), OSError)):
            raise
        reason = redacted(str(error)).partition("\n")[0][:300]
        advice = "check DOCSTEAD_FILES_URL, DOCSTEAD_S3_ENDPOINT, AWS_ACCESS_KEY_ID and its rights"
        return [Finding("files", False, f"{settings.files_url}: {reason}; {advice}")]
    return [Finding("files", True, f"{settings.files_url}: written, read and deleted")]


async def _check_database(settings: Settings) -> list[Finding]:
    findings = []
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        findings.append(
            Finding("sqlite", False, f"{sqlite3.sqlite_version} is too old; 3.40 is needed")
        )
    if not settings.database_url and not settings.data_dir.exists():
        findings.append(Finding("database", False, "there is none; run `docstead migrate`"))
        return findings
    database = Database(settings.database, pool_size=1)
    kind = "sqlite" if database.is_sqlite else "postgresql"
    newest = head()
    try:
        standing = await current(database)
    except UnknownMigration as error:
        migration = Finding("migration", False, str(error))
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        return [*findings, Finding("database", False, f"{kind}: {reason}")]
    else:
        advice = f"{standing or 'empty'}, this version needs {newest}; run `docstead migrate`"
        is_newest = standing == newest
        migration = Finding("migration", is_newest, newest if is_newest else advice)
    finally:
        await database.close()
    return [*findings, Finding("database", True, kind), migration]
