"""The open format of an organization: what the files of an export are, as a folder or one archive.

| Path | What it is |
| --- | --- |
| `manifest.json` | the format, where and when it was made, the spaces and their repositories |
| `schema.json` | a JSON Schema of each file in `data` |
| `data/NAME.jsonl` | rows of one kind, one JSON object a line |
| `git/SPACE.git` | a bare repository with the history of a space |
| `files/OWNER/XX/SHA256` | bytes of files; the owner is a space, an upload or an integration |
| `checksums.json` | the SHA-256 of each other file |
"""

import asyncio
import gzip
import hashlib
import json
import os
import re
import shutil
import tarfile
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Boolean, Enum, Float, Integer, LargeBinary, String, Table

from db.base import Base, LevelRank, RoleRank, Timestamp
from db.enums import DefaultLevel, Role
from db.organization_rows import columns_of, exported_tables, target_of
from jobs.organization_schemas import SCHEMAS

FORMAT: Final = 1
MANIFEST, SCHEMA, CHECKSUMS = "manifest.json", "schema.json", "checksums.json"
ARCHIVES: Final = (".tar.gz", ".tgz")
OWN_FILES: Final = frozenset({MANIFEST, SCHEMA, CHECKSUMS, "README.md"})
DATA: Final = re.compile(r"data/([a-z_]{1,64})\.jsonl")
FILE: Final = re.compile(r"files/([0-9A-Za-z_-]{1,64})/([0-9a-f]{2})/([0-9a-f]{64})")
# Of a repository.
NAME_LENGTH: Final = 64
_GIT = re.compile(r"git/[0-9A-Za-z_-]{1,64}\.git(/[0-9A-Za-z_.-]{1,128}){1,6}")
# An archive unpacks to at most so many times its size, beyond what any archive may.
RATIO, ALWAYS, MOST_FILES = 200, 64_000_000, 5_000_000
# Of the headers of one file, with what is read ahead.
HEADER_BYTES: Final = 1_000_000

README = """# An export of an organization

Everything that the organization holds, in formats that other programs read: the history of each
space is a Git repository below `git/` (clone it), everything else is JSON, one object a line, below
`data/`; `schema.json` says what each member is. Files are below `files/` under their SHA-256.

`docstead import-organization` reads this into another installation. Secrets are not in it.
"""


class ArchiveError(Exception):
    """A folder or an archive that is no whole export."""


def is_allowed(name: str) -> bool:
    """Whether an export may have a file of this path."""
    return name in OWN_FILES or any(
        pattern.fullmatch(name) is not None and ".." not in name.split("/")
        for pattern in (DATA, FILE, _GIT)
    )


def files_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """All files of an export in the order of their paths; ArchiveError for what is none."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            inside = path.relative_to(folder).as_posix()
            if path.is_symlink() or not path.is_file() or not is_allowed(inside):
                raise ArchiveError(f"{inside[:200]!r} is no file of an export")
            yield inside, path
        if any(Path(place, name).is_symlink() for name in folders):
            raise ArchiveError("an export has no symbolic links")


def write_checksums(folder: Path) -> tuple[int, int]:
    """Note the checksums of all files; how many these are, and how many bytes."""
    sums, size = {}, 0
    for name, path in files_of(folder):
        if name != CHECKSUMS:
            sums[name] = _sha256(path)
            size += path.stat().st_size
    write_json(folder / CHECKSUMS, sums)
    return len(sums), size


def check_folder(folder: Path) -> dict[str, Any]:
    """The manifest of an export, all of whose files are as they were written; ArchiveError when
    one is missing, too many or changed."""
    for name in (MANIFEST, CHECKSUMS):
        if not (folder / name).is_file():
            raise ArchiveError(f"this is no export of an organization: there is no {name}")
    manifest = read_json(folder / MANIFEST)
    if manifest.get("format") != FORMAT:
        raise ArchiveError(f"its format is {manifest.get('format')!r}, this version reads {FORMAT}")
    listed = read_json(folder / CHECKSUMS)
    there = {name: path for name, path in files_of(folder) if name != CHECKSUMS}
    different = sorted(listed.keys() ^ there.keys())
    different += sorted(
        name for name in there.keys() & listed.keys() if _sha256(there[name]) != listed[name]
    )
    if different:
        raise ArchiveError(f"the export is damaged: {', '.join(different[:5])}")
    return manifest


def pack(folder: Path, archive: Path) -> None:
    """Write a folder as one new archive, for its owner only."""
    descriptor = os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with (
        os.fdopen(descriptor, "wb") as written,
        tarfile.open(fileobj=written, mode="w|gz", format=tarfile.PAX_FORMAT) as target,
    ):
        for name, path in files_of(folder):
            member = tarfile.TarInfo(name)
            member.size, member.mode = path.stat().st_size, 0o600
            with path.open("rb") as file:
                target.addfile(member, file)


class _Bounded:
    """Reads a stream, of which headers may take little: what describes a file is read into memory
    as a whole, and may claim to be as large as it likes."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self._left = stream, HEADER_BYTES

    def allow(self, size: int) -> None:
        """Have so many bytes of a file follow, and the headers of the next one."""
        self._left = size + HEADER_BYTES

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError("it has more headers than an export")
        return data


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive into an empty folder: only those that an export may have, each
    once, and no more bytes than an archive of its size may hold. ArchiveError otherwise."""
    room = max(ALWAYS, RATIO * archive.stat().st_size)
    count = 0
    try:
        with gzip.open(archive) as packed:
            stream = _Bounded(packed)
            # Of a stream nothing but `read` is called.
            source = tarfile.open(fileobj=stream, mode="r|")  # type: ignore[call-overload]  # noqa: SIM115
            for member in source:
                body = source.extractfile(member) if member.isreg() else None
                if body is None or not is_allowed(member.name):
                    raise ArchiveError(f"{member.name[:200]!r} is no file of an export")
                room -= member.size
                count += 1
                if room < 0 or count > MOST_FILES:
                    raise ArchiveError("it unpacks to more than an export of its size can hold")
                stream.allow(member.size)
                place = folder / member.name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("xb") as target:
                    shutil.copyfileobj(body, target)
    except FileExistsError as error:
        raise ArchiveError("it has a file twice") from error
    except (tarfile.TarError, EOFError, OSError, ValueError, zlib.error) as error:
        raise ArchiveError(f"this is no whole archive: {error}") from error


def write_json(path: Path, value: Any) -> None:
    """Write a value for people and programs."""
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file; ArchiveError where there is none."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"the export is damaged: {path.name}") from error
    if not isinstance(value, dict):
        raise ArchiveError(f"the export is damaged: {path.name}")
    return value


async def pieces_of(path: Path) -> AsyncIterator[bytes]:
    """The bytes of a file, a megabyte at a time, read beside the event loop."""
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, 1 << 20):
            yield piece


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ------------------------------------------------------------------ what the files say


def schema_of_export() -> dict[str, Any]:
    """A JSON Schema of one line of each file in `data`, by the name of the file."""
    models = {mapper.local_table: mapper.class_ for mapper in Base.registry.mappers}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "One line of each file in `data` is one object of these.",
        "$defs": {
            table.name: _schema(table, models[table].__doc__ or "") for table in exported_tables()
        },
    }


def _schema(table: Table, text: str) -> dict[str, Any]:
    names = columns_of(table)
    return {
        "description": first_paragraph(text),
        "type": "object",
        "properties": {name: _member(table, name) for name in names},
        "required": [name for name in names if not isinstance(table.columns[name].type, JSON)],
        "additionalProperties": False,
    }


def first_paragraph(text: str) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())


def _member(table: Table, name: str) -> dict[str, Any]:
    column = table.columns[name]
    schema: dict[str, Any]
    match column.type:
        case Timestamp():
            schema = {"type": "string", "format": "date-time"}
        case JSON():
            # The schema of documents is at /schemas/document/1.json of each server.
            own = SCHEMAS[table.name, name] or {"type": "object", "description": "a document"}
            words = own.get("description", "JSON")
            return {**own, "description": f"{words}; absent where there is no value"}
        case LargeBinary():
            schema = {"type": "string", "contentEncoding": "base64"}
        case RoleRank():
            return {"enum": [*(role.value for role in Role), None]}
        case LevelRank():
            return {"enum": [*(level.value for level in DefaultLevel), None]}
        case Enum() as kinds:
            schema = {"enum": [*kinds.enums, *([None] if column.nullable else [])]}
        case Boolean():
            schema = {"type": "boolean"}
        case Integer():
            schema = {"type": "integer"}
        case Float():
            schema = {"type": "number"}
        case String() as text:
            schema = {"type": "string", **({"maxLength": text.length} if text.length else {})}
        case other:
            raise TypeError(f"{column}: no schema for {other!r}")
    if column.nullable and "type" in schema:
        schema["type"] = [schema["type"], "null"]
    target = target_of(table, name)
    if target is not None:
        schema["description"] = f"id of one of data/{target}.jsonl"
    return schema
