"""Backups: an archive of all rows and files, made while the server runs, and read where is nothing.

The archive is a compressed tar: `manifest.json`, rows of each table as lines of JSON below `rows/`,
bytes of files below `files/`, and at the end `checksums.json` with the SHA-256 of every member. It
can be read into either database. What can be made again is not in it: the index of content, PDFs,
archives of organizations.
"""

import datetime as dt
import hashlib
import io
import json
import re
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count
from typing import IO, Any

from sqlalchemy import select

from db.blobs import BlobMissingError, BlobStore
from db.job_enums import JobKind
from db.models.all import metadata
from db.models.jobs import Job
from db.row_copies import Loading, NotEmptyError, Row, copied_tables, open_loading, open_snapshot
from db.session import Database
from db.standing import current, head

FORMAT = 1
# Bytes of rows that one member of the archive has, more or less.
PART_BYTES = 8_000_000
MANIFEST, CHECKSUMS = "manifest.json", "checksums.json"
_ROWS = re.compile(r"rows/([a-z_]+)/\d{6}\.jsonl")
_FILE = re.compile(r"files/([0-9A-Za-z_-]{1,64})/[0-9a-f]{2}/([0-9a-f]{64})")
# What is done, how much of it, and how much there is.
Progress = Callable[[str, int, int], None]


class BackupError(Exception):
    """An archive that is damaged, or cannot be read into this database."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What an archive holds, or what was copied."""

    rows: int
    files: int
    # Files whose bytes were not there any more: their space was removed for good meanwhile.
    missing: tuple[str, ...] = ()
    migration: str = ""
    created_at: str = ""


def _lines(names: list[str], rows: list[Row]) -> bytes:
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (names, *rows)
    ).encode()


class _Writer:
    """Adds members to an archive and notes their checksums."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self.checksums: dict[str, str] = {}

    def add(self, name: str, data: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(data), 0o600
        self._archive.addfile(member, io.BytesIO(data))
        self.checksums[name] = hashlib.sha256(data).hexdigest()

    def add_json(self, name: str, value: Any) -> None:
        self.add(name, json.dumps(value, indent=1, sort_keys=True).encode())


async def write_backup(
    database: Database, blobs: BlobStore, target: IO[bytes], progress: Progress
) -> Backup:
    """Write an archive of a database and the files beside it, as they are at one moment."""
    row_count = 0
    with tarfile.open(fileobj=target, mode="w|gz", format=tarfile.PAX_FORMAT) as archive:
        writer = _Writer(archive)
        standing = await current(database)
        created = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        manifest = {
            "format": FORMAT,
            "version": version("docstead"),
            "migration": standing,
            "createdAt": created,
        }
        writer.add_json(MANIFEST, manifest)
        async with open_snapshot(database) as snapshot:
            tables = copied_tables()
            for number, table in enumerate(tables):
                progress(f"rows of {table.name}", number, len(tables))
                names = list(table.columns.keys())
                numbers, part, size = count(), list[Row](), 0
                async for rows in snapshot.rows(table):
                    row_count += len(rows)
                    part += rows
                    size += sum(len(str(value)) for row in rows for value in row)
                    if size > PART_BYTES:
                        data = _lines(names, part)
                        writer.add(f"rows/{table.name}/{next(numbers):06}.jsonl", data)
                        part, size = [], 0
                if part:
                    data = _lines(names, part)
                    writer.add(f"rows/{table.name}/{next(numbers):06}.jsonl", data)
        # After the rows: files are only added, so all that the rows name are there.
        stored = [path async for path in blobs.paths("") if _FILE.fullmatch(f"files/{path}")]
        archives = await _archives(database)
        stored = [path for path in stored if path.partition("/")[0] not in archives]
        missing = []
        for number, path in enumerate(stored):
            progress("files", number, len(stored))
            space_id, _, sha256 = path.split("/")
            try:
                data = b"".join([chunk async for chunk in blobs.read(space_id, sha256)])
            except BlobMissingError:
                missing.append(path)
                continue
            writer.add(f"files/{path}", data)
        archived = dict(writer.checksums)
        writer.add_json(CHECKSUMS, archived)
    files = len(stored) - len(missing)
    return Backup(row_count, files, tuple(missing), standing or "", created)


async def _archives(database: Database) -> set[str]:
    """The owners of archives of organizations, which hold what the backup has already."""
    jobs = select(Job.id).where(Job.kind == JobKind.ORGANIZATION_EXPORT)
    async with database.connection() as connection:
        return {str(row[0]) for row in await connection.execute(jobs)}


def _members(source: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """The members of an archive; BackupError when it is none, or is cut off."""
    try:
        with tarfile.open(fileobj=source, mode="r|gz") as archive:
            for member in archive:
                body = archive.extractfile(member)
                if body is None:
                    raise BackupError(f"{member.name} is no file")
                yield member.name, body.read()
    except (tarfile.TarError, EOFError, OSError) as error:
        raise BackupError(f"this is no whole backup: {error}") from error


def _object_of(name: str, data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError as error:
        raise BackupError(f"the backup is damaged: {name}") from error
    if not isinstance(value, dict):
        raise BackupError(f"the backup is damaged: {name}")
    return value


class _Reader:
    """The members of an archive in their order, each compared with its checksum at the end."""

    def __init__(self, source: IO[bytes]) -> None:
        self._members = _members(source)
        self._seen: dict[str, str] = {}
        name, data = next(self._members, ("", b""))
        if name != MANIFEST:
            raise BackupError("this is no backup: it does not begin with a manifest")
        self.manifest = _object_of(MANIFEST, data)
        self._seen[name] = hashlib.sha256(data).hexdigest()
        if self.manifest.get("format") != FORMAT:
            raise BackupError(
                f"its format is {self.manifest.get('format')!r}, this version reads {FORMAT}"
            )

    def rest(self) -> Iterator[tuple[str, bytes]]:
        """What follows the manifest; BackupError at the end when something is not as it was."""
        listed: dict[str, str] | None = None
        for name, data in self._members:
            if name == CHECKSUMS:
                listed = _object_of(CHECKSUMS, data)
                continue
            self._seen[name] = hashlib.sha256(data).hexdigest()
            yield name, data
        if listed is None:
            raise BackupError("this is no whole backup: its checksums are missing")
        changed = sorted(
            name
            for name in listed.keys() | self._seen.keys()
            if listed.get(name) != self._seen.get(name)
        )
        if changed:
            raise BackupError(f"the backup is damaged: {', '.join(changed[:5])}")


def check_backup(source: IO[bytes], progress: Progress) -> Backup:
    """Read a whole archive and compare its checksums; BackupError when it is damaged."""
    reader = _Reader(source)
    kinds: dict[str, int] = defaultdict(int)
    for number, (name, data) in enumerate(reader.rest()):
        progress(f"reading {name.split('/')[0]}", number, 0)
        match = _FILE.fullmatch(name)
        if match is not None and hashlib.sha256(data).hexdigest() != match.group(2):
            raise BackupError(f"the backup is damaged: {name}")
        kinds["files" if match is not None else "rows"] += 1 if match else data.count(b"\n") - 1
    migration, created = reader.manifest["migration"], reader.manifest["createdAt"]
    return Backup(kinds["rows"], kinds["files"], (), migration, created)


async def read_backup(
    source: IO[bytes], database: Database, blobs: BlobStore, progress: Progress
) -> Backup:
    """Fill an empty migrated database, and the files beside it, from an archive.

    BackupError, and nothing stays, when it is damaged or of another migration; NotEmptyError when
    there are rows or files already.
    """
    check_backup(source, progress)
    source.seek(0)
    reader = _Reader(source)
    async for path in blobs.paths(""):
        raise NotEmptyError(f"the folder of files has {path}")
    migration = reader.manifest["migration"]
    if migration != (newest := head()):
        raise BackupError(
            f"the backup stands at migration {migration}, this version needs {newest}; restore it "
            f"with version {reader.manifest['version']}, then upgrade"
        )
    row_count, spaces, files = 0, set[str](), 0
    try:
        async with open_loading(database) as loading:
            for number, (name, data) in enumerate(reader.rest()):
                progress(f"restoring {name.split('/')[0]}", number, 0)
                if match := _FILE.fullmatch(name):
                    spaces.add(match.group(1))
                    files += 1
                    await blobs.put(match.group(1), data)
                elif match := _ROWS.fullmatch(name):
                    row_count += await _load(loading, match.group(1), data)
                else:
                    raise BackupError(f"the backup has {name!r}, which this version does not know")
    except BaseException:
        for space_id in spaces:
            with suppress(OSError):
                await blobs.delete_space(space_id)
        raise
    return Backup(row_count, files, (), migration, reader.manifest["createdAt"])


async def _load(loading: Loading, table: str, data: bytes) -> int:
    # Not `splitlines`: texts may have separators of lines of their own.
    names, *rows = (json.loads(line) for line in data.removesuffix(b"\n").split(b"\n"))
    if table not in metadata.tables:
        raise BackupError(f"the backup has rows of {table!r}, which this version does not know")
    await loading.write(metadata.tables[table], names, rows)
    return len(rows)


async def copy_database(source: Database, target: Database, progress: Progress) -> Backup:
    """Copy all rows of a database, as they are at one moment, into an empty migrated one."""
    row_count = 0
    async with open_snapshot(source) as snapshot, open_loading(target) as loading:
        tables = copied_tables()
        for number, table in enumerate(tables):
            progress(f"copying {table.name}", number, len(tables))
            async for rows in snapshot.rows(table):
                await loading.write(table, list(table.columns.keys()), rows)
                row_count += len(rows)
    return Backup(row_count, 0, (), head())
