"""Writes everything that an organization holds into a folder, in the open format.

Rows are those of one moment. Of rows a batch is in memory, of files a piece, of histories one
revision with those trees that the next ones stand on.
"""

import asyncio
import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from content.slugs import slug_from_title
from content.sources.commits import Person
from db.blobs import BlobMissingError
from db.integration_enums import InstallationStatus
from db.organization_rows import Json, exported_tables, row_as_object, rows_of
from db.row_copies import Snapshot, open_snapshot
from db.session import Database
from db.standing import current
from jobs.organization_archive import (
    CHECKSUMS,
    FILE,
    FORMAT,
    MANIFEST,
    NAME_LENGTH,
    README,
    SCHEMA,
    schema_of_export,
    write_checksums,
    write_json,
)
from jobs.space_history import MAIN, History, Step, write_history
from resolvers.core.context import Context
from resolvers.core.integration_configurations import SEALED

# What is done, how much of it, and how much there is.
Progress = Callable[[str, int, int], None]
_INSTALLATIONS = ("installation", "space_installation", "site_installation")
_OF_REVISIONS = (
    "id", "parents", "type", "expands_id", "merged_from_id", "author_id", "created_at",
)  # fmt: skip
_OF_REQUESTS = ("id", "number", "subject", "revision_id")
_MESSAGES = {"rollback": "Go back to an earlier revision", "update": "Take in the space's content"}


@dataclass(frozen=True, slots=True)
class OrganizationExport:
    """What was written: `bytes` are those of all files."""

    organization_id: str
    title: str
    rows: int
    files: int
    spaces: int
    commits: int
    bytes: int
    warnings: tuple[str, ...]


class NoOrganizationError(Exception):
    """There is no organization of this id."""


@dataclass(slots=True)
class _Seen:
    """What of the rows is needed again: spaces and what histories are made of."""

    organization: Json = field(default_factory=dict)
    spaces: dict[str, Json] = field(default_factory=dict)
    revisions: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    requests: dict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    people: dict[str, Person] = field(default_factory=dict)
    # Owners of files beside spaces.
    owners: list[str] = field(default_factory=list)
    # Integrations that are installed, and the names of those of others.
    installed: set[str] = field(default_factory=set)
    own_integrations: set[str] = field(default_factory=set)

    def note(self, table: str, row: Json) -> None:
        match table:
            case "organization":
                self.organization = row
            case "user_account":
                self.people[row["id"]] = Person(row["display_name"], row["email"])
            case "space":
                self.spaces[row["id"]] = row
            case "revision":
                few = {name: row[name] for name in _OF_REVISIONS}
                few["message"] = (row.get("git") or {}).get("message")
                self.revisions[row["space_id"]].append(few)
            case "change_request":
                few = {name: row[name] for name in _OF_REQUESTS}
                self.requests[row["space_id"]].append(few)
            case "storage_upload":
                self.owners.append(row["id"])
            case "integration":
                self.owners.append(row["files_id"])
                self.own_integrations.add(row["id"])
            case "installation":
                self.installed.add(row["integration_id"])


async def export_organization(
    ctx: Context, database: Database, organization_id: str, folder: Path, progress: Progress
) -> OrganizationExport:
    """Write an organization into a new folder, for whoever may read all of it; NoOrganizationError
    where there is none."""
    await asyncio.to_thread(_make, folder)
    seen, rows = _Seen(), 0
    async with open_snapshot(database) as snapshot:
        tables = exported_tables()
        for number, table in enumerate(tables):
            progress(f"rows of {table.name}", number, len(tables))
            rows += await _write_rows(snapshot, organization_id, table, folder, seen)
        if not seen.organization:
            raise NoOrganizationError(f"there is no organization {organization_id!r}")
        names = await _names(snapshot, seen.installed - seen.own_integrations)
    files, warnings = await _write_files(ctx, [*seen.spaces, *seen.owners], folder, progress)
    spaces, commits = [], 0
    for number, space in enumerate(seen.spaces.values()):
        progress(f"history of {space['title']}", number, len(seen.spaces))
        history = _history(seen, space)
        repository = f"git/{_name_of(space)}.git"

        def show(done: int, total: int, title: str = space["title"]) -> None:
            progress(f"history of {title}", done, total)

        written = await write_history(ctx, folder / repository, history, show)
        commits += len(written.commits)
        warnings += [f"{space['title']}: {warning}" for warning in written.warnings]
        spaces.append(
            {"id": space["id"], "title": space["title"], "repository": repository,
             "branches": dict(sorted(history.branches.items())), "commits": written.commits}
        )  # fmt: skip
    manifest = {
        "format": FORMAT,
        "version": version("docstead"),
        "migration": await current(database),
        "createdAt": ctx.now().isoformat(timespec="seconds"),
        "organization": {"id": organization_id, "title": seen.organization["title"]},
        "spaces": spaces,
        "integrations": names,
        "warnings": warnings,
    }

    def finish() -> tuple[int, int]:
        write_json(folder / MANIFEST, manifest)
        write_json(folder / SCHEMA, schema_of_export())
        (folder / "README.md").write_text(README)
        return write_checksums(folder)

    progress(CHECKSUMS, 0, 1)
    _, size = await asyncio.to_thread(finish)
    return OrganizationExport(
        organization_id, seen.organization["title"], rows, files, len(spaces), commits, size,
        tuple(warnings),
    )  # fmt: skip


def _make(folder: Path) -> None:
    # For its owner only: it holds everything.
    folder.mkdir(mode=0o700)
    (folder / "data").mkdir()


async def _write_rows(
    snapshot: Snapshot, organization_id: str, table: Any, folder: Path, seen: _Seen
) -> int:
    count = 0
    order = tuple(table.primary_key.columns)
    with (folder / "data" / f"{table.name}.jsonl").open("wb") as target:
        async for batch in snapshot.rows(table, rows_of(organization_id, table), order):
            rows = [row_as_object(table, row) for row in batch]
            for row in rows:
                if table.name in _INSTALLATIONS:
                    _without_secrets(row)
                seen.note(table.name, row)
            await asyncio.to_thread(_write_lines, target, rows)
            count += len(rows)
    return count


def _write_lines(target: IO[bytes], rows: list[Json]) -> None:
    for row in rows:
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        target.write(line.encode("utf-8", "surrogatepass") + b"\n")


def _without_secrets(row: Json) -> None:
    """Leave out what is sealed with the key of this server; then it has to be configured again."""
    before = row["configuration"]
    row["configuration"] = _opened(before)
    if row["configuration"] != before:
        row["status"] = InstallationStatus.PENDING.value


def _opened(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _opened(member)
            for name, member in value.items()
            if not (isinstance(member, dict) and set(member) == {SEALED})
        }
    if isinstance(value, list):
        return [
            _opened(member)
            for member in value
            if not (isinstance(member, dict) and set(member) == {SEALED})
        ]
    return value


async def _names(snapshot: Snapshot, ids: set[str]) -> dict[str, str]:
    """The names of integrations of others, by which another installation finds its own."""
    table = next(table for table in exported_tables() if table.name == "integration")
    names: dict[str, str] = {}
    if ids:
        async for batch in snapshot.rows(table, table.columns.id.in_(sorted(ids))):
            rows = [dict(zip(table.columns.keys(), row, strict=True)) for row in batch]
            names |= {str(row["id"]): str(row["name"]) for row in rows}
    return names


async def _write_files(
    ctx: Context, owners: list[str], folder: Path, progress: Progress
) -> tuple[int, list[str]]:
    count, warnings = 0, []
    for number, owner in enumerate(owners):
        progress("files", number, len(owners))
        async for path in ctx.blobs.paths(f"{owner}/"):
            match = FILE.fullmatch(f"files/{path}")
            if match is None:
                continue
            place = folder / "files" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                with place.open("wb") as target:
                    async for chunk in ctx.blobs.read(owner, match.group(3)):
                        await asyncio.to_thread(target.write, chunk)
            except BlobMissingError:
                place.unlink()
                warnings.append(f"the file {path} was removed meanwhile")
                continue
            count += 1
    return count, warnings


# ------------------------------------------------------------------ histories


def _name_of(space: Json) -> str:
    """The name of a repository: of the title only what names of files have everywhere, so that any
    archive, file system and address takes it."""
    id = str(space["id"])
    letters = "".join(char for char in slug_from_title(space["title"]) if char.isascii())
    words = "-".join(word for word in letters.split("-") if word)
    words = words[: max(0, min(40, NAME_LENGTH - len(id) - 1))].strip("-")
    return f"{words}-{id}" if words else id


def _history(seen: _Seen, space: Json) -> History:
    """What of a space becomes commits; revisions that sources have filled are those they show."""
    revisions = seen.revisions[space["id"]]
    shows = {row["id"]: row["expands_id"] for row in revisions if row["expands_id"]}
    requests = {row["id"]: row for row in seen.requests[space["id"]]}

    def written(id: str) -> str:
        return str(shows.get(id, id))

    branches = {MAIN: written(space["written_id"] or space["revision_id"])}
    for row in requests.values():
        branches[f"change-requests/{row['number']}"] = written(row["revision_id"])
    steps = [
        Step(
            row["id"],
            [written(parent) for parent in row["parents"]],
            seen.people.get(row["author_id"], Person("Docstead", "docstead@localhost")),
            dt.datetime.fromisoformat(row["created_at"]),
            _message(row, requests.get(row["merged_from_id"])),
        )
        for row in revisions
        if row["id"] not in shows
    ]
    return History(space["organization_id"], space["id"], space["title"], steps, branches)


def _message(row: Json, request: Mapping[str, Any] | None) -> str:
    if request is not None:
        first = f"{request['subject'].strip() or 'No subject'} (#{request['number']})"
    else:
        first = str(row["message"] or _MESSAGES.get(row["type"], "Edit")).strip() or "Edit"
    return f"{first}\n\nDocstead-Revision: {row['id']}"
