"""Reads an export of an organization into an installation that may have others already.

Nothing in an export is believed: rows are of known tables and columns, of the right types and
bounds, and name only what is in the export too. So what other organizations have is neither read
nor changed. Everything is written in one transaction, or nothing.
"""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Table, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from db.alone import alone
from db.blobs import BlobMissingError, BlobStore
from db.ids import new_id
from db.models.all import metadata
from db.organization_rows import Json, columns_of, exported_tables, key_of, target_of
from db.row_copies import Loading, Row, open_addition
from db.session import Database
from db.text_order import sort_key
from db.webhook_enums import WebhookStop
from jobs.organization_archive import FILE, ArchiveError, files_of, pieces_of
from jobs.organization_columns import Line, made_here, row_of_line, substituted
from jobs.organization_content import check_content
from jobs.organization_trees import check_revisions, check_trees
from resolvers.core.email_addresses import is_of_program
from resolvers.core.sealing import Sealer

Progress = Callable[[str, int, int], None]
BATCH = 500
# A line of a file: a document of the largest size with its JSON.
MOST_LINE_BYTES: Final = 256_000_000
# Accounts that programs act with: they are never those of people who are here already.
_MACHINES = (
    ("service_account", "id"), ("installation", "account_id"), ("integration", "account_id"),
)  # fmt: skip
# What an import that runs notes beside the files: their owners.
JOURNAL: Final = "import"
_PEOPLE, _STORED = "user_account", ("space", "storage_upload")


class ImportRefusedError(Exception):
    """An export that cannot be read into this installation, and why; nothing was written."""


@dataclass(frozen=True, slots=True)
class OrganizationImport:
    """What was read: `people` had accounts here already; `left_out` are integrations that are not
    here, by name."""

    organization_id: str
    title: str
    rows: int
    files: int
    spaces: tuple[str, ...]
    people: int
    left_out: tuple[str, ...]
    # They lead nowhere before somebody has checked that DNS leads here.
    hostnames: tuple[str, ...]


@dataclass(slots=True)
class _State:
    """What is known while rows are read."""

    organization_id: str
    title: str
    # Ids of the rows of the export, by table.
    ids: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # Ids that rows name and that need not be in the export, by table.
    named: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # Ids that are others here: of people, and of integrations of others.
    here: dict[str, str] = field(default_factory=dict)
    # Names of people who are here already, by their ids here.
    people: dict[str, str] = field(default_factory=dict)
    # Rows that are not read, by table.
    dropped: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    # Under which name files of an integration are kept here.
    owners: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    # Host names that sites claim.
    hostnames: list[str] = field(default_factory=list)


async def import_organization(
    database: Database,
    blobs: BlobStore,
    sealer: Sealer,
    folder: Path,
    manifest: Mapping[str, Any],
    progress: Progress,
) -> OrganizationImport:
    """Read a folder whose checksums were compared already. ImportRefusedError, and nothing stays,
    for what may not be read here."""
    organization = manifest.get("organization")
    id = organization.get("id") if isinstance(organization, dict) else None
    if not isinstance(id, str) or not isinstance(organization, dict):
        raise ImportRefusedError("its manifest names no organization")
    state = _State(id, str(organization.get("title")))
    async with alone(database, "import of an organization") as first:
        if not first:
            raise ImportRefusedError("another import of an organization runs")
        async with database.connection() as connection:
            await _prepare(connection, folder, manifest, state)
            await _forget_killed(connection, blobs, state)
        owners = set(state.ids["space"] | state.ids["storage_upload"]) | set(state.owners.values())
        # Of the others only those of the integrations that are here are known by now.
        for name in ("organization", *_STORED):
            state.ids[name].clear()
        note = json.dumps(sorted(owners)).encode()
        await blobs.put_derived(state.organization_id, JOURNAL, note)
        try:
            async with _removed_unless_read(blobs) as written:
                files = await _put_files(blobs, folder, state, owners, written, progress)
                rows, spaces = await _load(database, sealer, folder, state, progress)
        finally:
            await _forget_journal(blobs, state)
    return OrganizationImport(
        state.organization_id, state.title, rows, files, spaces, len(state.people),
        tuple(state.left_out), tuple(state.hostnames),
    )  # fmt: skip


@asynccontextmanager
async def _removed_unless_read(blobs: BlobStore) -> AsyncIterator[set[str]]:
    """Owners of files that are written; without the rows the files go, too."""
    written: set[str] = set()
    try:
        yield written
    except BaseException as error:
        for owner in written:
            with suppress(OSError):
                await blobs.delete_space(owner)
        if isinstance(error, IntegrityError):
            reason = str(error.orig).splitlines()[0]
            raise ImportRefusedError(
                f"something of it is here already, or names what is not in it: {reason}"
            ) from error
        raise


# ------------------------------------------------------------------ before anything is written


async def _prepare(
    connection: AsyncConnection, folder: Path, manifest: Mapping[str, Any], state: _State
) -> None:
    """Compare with what is here: ids that are taken, people and integrations that are here."""
    for name in ("organization", *_STORED):
        ids = [str(line.value["id"]) for line in _lines(folder, metadata.tables[name])]
        state.ids[name].update(ids)
    if state.ids["organization"] != {state.organization_id}:
        raise ImportRefusedError("its rows are of another organization than its manifest says")
    await _refuse_taken(connection, "organization", state.ids["organization"])
    stored = state.ids["space"] | state.ids["storage_upload"]
    for name in _STORED:
        await _refuse_taken(connection, name, stored)
    for line in _lines(folder, metadata.tables["integration"]):
        state.owners[line.text("files_id")] = new_id()
    await _find_people(connection, folder, state)
    await _find_integrations(connection, folder, manifest, state)


async def _forget_killed(connection: AsyncConnection, blobs: BlobStore, state: _State) -> None:
    """Remove the files of an import of the organization that was killed: what it has noted that it
    would write, as far as nothing here has them."""
    try:
        journal = await blobs.open_derived(state.organization_id, JOURNAL)
    except BlobMissingError:
        return
    owners = set(json.loads(b"".join([chunk async for chunk in journal.chunks])))
    for name in _STORED:
        owners -= await _there(connection, name, owners)
    files = metadata.tables["integration"].columns.files_id
    owners -= await _there(connection, "integration", owners, files)
    for owner in owners:
        await blobs.delete_space(owner)


async def _forget_journal(blobs: BlobStore, state: _State) -> None:
    # Left behind it names owners that have rows, or no files.
    with suppress(OSError):
        await blobs.delete_derived(state.organization_id, JOURNAL, -60)


async def _refuse_taken(connection: AsyncConnection, name: str, ids: set[str]) -> None:
    taken = await _there(connection, name, ids)
    if taken:
        raise ImportRefusedError(f"the {name.replace('_', ' ')} {min(taken)} is here already")


async def _there(
    connection: AsyncConnection, name: str, ids: set[str], column: Column[Any] | None = None
) -> set[str]:
    """Those of some ids that a table has here, in its key or in another column."""
    table = metadata.tables[name]
    key = table.columns[key_of(table) or "id"] if column is None else column
    there: set[str] = set()
    ordered = sorted(ids)
    for start in range(0, len(ordered), BATCH):
        rows = await connection.execute(select(key).where(key.in_(ordered[start : start + BATCH])))
        there.update(str(row[0]) for row in rows)
    return there


async def _find_people(connection: AsyncConnection, folder: Path, state: _State) -> None:
    """People are found by their e-mail address; others get the accounts of the export."""
    table = metadata.tables[_PEOPLE]
    addresses: dict[str, str] = {}
    programs: set[str] = set()
    for line in _lines(folder, table):
        address = line.text("email")
        addresses[address.lower()] = line.text("id")
        if is_of_program(address):
            programs.add(line.text("id"))
    taken = await _there(connection, _PEOPLE, set(addresses.values()))
    ordered = sorted(addresses)
    columns = (table.columns.id, func.lower(table.columns.email), table.columns.display_name)
    for start in range(0, len(ordered), BATCH):
        some = columns[1].in_(ordered[start : start + BATCH])
        for id, address, name in await connection.execute(select(*columns).where(some)):
            state.people[id] = name
            state.here[addresses[address]] = id
    strangers = taken - state.here.keys()
    if strangers:
        raise ImportRefusedError(
            f"the account {min(strangers)} is here already, with another e-mail address"
        )
    for name, column in _MACHINES:
        for line in _lines(folder, metadata.tables[name]):
            id = line.text(column)
            if id in state.here:
                raise line.refused(f"{column} is the account of somebody who is here already")
            if id not in programs:
                # Whoever has the address would sign in with an account that a program acts for.
                raise line.refused(f"{column} is an account with the address of a person")


async def _find_integrations(
    connection: AsyncConnection, folder: Path, manifest: Mapping[str, Any], state: _State
) -> None:
    """Integrations of others are found by their names; without them nothing is installed."""
    names = manifest.get("integrations")
    table = metadata.tables["integration"]
    for id, name in (names if isinstance(names, dict) else {}).items():
        statement = select(table.columns.id).where(
            table.columns.name == str(name), table.columns.visibility != "private"
        )
        there = (await connection.execute(statement)).scalar_one_or_none()
        if there is None:
            state.dropped["integration"].add(id)
            state.left_out.append(str(name)[:100])
        else:
            state.here[id] = there
            state.ids["integration"].add(there)
    # The accounts of installations that are left out go with them.
    for line in _lines(folder, metadata.tables["installation"]):
        if line.text("integration_id") in state.dropped["integration"]:
            state.dropped[_PEOPLE].add(line.text("account_id"))


async def _put_files(
    blobs: BlobStore,
    folder: Path,
    state: _State,
    owners: set[str],
    written: set[str],
    progress: Progress,
) -> int:
    count = 0
    # Of whatever is here: what is deleted later has to be its own.
    for owner in sorted(owners):
        async for there in blobs.paths(f"{owner}/"):
            raise ImportRefusedError(f"there are files of it already: {there}")
    for name, path in files_of(folder):
        match = FILE.fullmatch(name)
        if match is None:
            continue
        progress("files", count, 0)
        owner = state.owners.get(match.group(1), match.group(1))
        if owner not in owners:
            raise ArchiveError(f"{name}: its owner is not in the export")
        written.add(owner)
        sha256, _ = await blobs.put_stream(owner, pieces_of(path), path.stat().st_size)
        if sha256 != match.group(3):
            raise ArchiveError(f"{name}: has other bytes than its name says")
        count += 1
    return count


# ------------------------------------------------------------------ rows


def _lines(folder: Path, table: Table) -> Iterator[Line]:
    """The lines of a table, checked one by one; ArchiveError names one that is wrong."""
    path = folder / "data" / f"{table.name}.jsonl"
    if not path.exists():
        return
    with path.open("rb") as file:
        number = 0
        while data := file.readline(MOST_LINE_BYTES):
            number += 1
            yield Line.read(table, number, data)


async def _load(
    database: Database, sealer: Sealer, folder: Path, state: _State, progress: Progress
) -> tuple[int, tuple[str, ...]]:
    count, tables = 0, exported_tables()
    names = {table.name for table in tables}
    for path in sorted((folder / "data").iterdir()):
        if path.name.removesuffix(".jsonl") not in names:
            raise ArchiveError(f"data/{path.name}: this version does not know it")
    async with open_addition(database) as loading:
        later: list[tuple[Table, str, str, str]] = []
        for number, table in enumerate(tables):
            progress(f"rows of {table.name}", number, len(tables))
            count += await _load_table(loading, table, sealer, folder, state, later)
        for table, column, id, value in later:
            key = table.columns[key_of(table) or "id"]
            await loading.connection.execute(update(table).where(key == id).values({column: value}))
        for name, ids in state.named.items():
            foreign = await _there(loading.connection, name, ids - state.ids[name])
            if foreign:
                raise ImportRefusedError(
                    f"it names the {name.replace('_', ' ')} {min(foreign)} of somebody else"
                )
        spaces = tuple(sorted(state.ids["space"]))
        for number, space in enumerate(spaces):
            progress("checking content", number, len(spaces))
            await check_content(loading.connection, space)
            await check_revisions(loading.connection, space)
        await check_trees(loading.connection, state.organization_id)
        return count, spaces


async def _load_table(
    loading: Loading,
    table: Table,
    sealer: Sealer,
    folder: Path,
    state: _State,
    later: list[tuple[Table, str, str, str]],
) -> int:
    names: list[str] | None = None
    rows: list[Row] = []
    count = 0
    # Rows may name rows of the same table that come behind them.
    own = [name for name in columns_of(table) if target_of(table, name) == table.name
           and table.columns[name].foreign_keys]  # fmt: skip
    for line in _lines(folder, table):
        if not _is_read(line, state):
            continue
        value = _adjusted(line, state)
        for name in own:
            if value.get(name) is not None:
                later.append((table, name, str(value["id"]), str(value[name])))
                value[name] = None
        new_values = made_here(table, sealer)
        line_names = [*(name for name in columns_of(table) if name in line.names), *new_values]
        if names is not None and line_names != names:
            await loading.write(table, names, rows)
            rows = []
        names = line_names
        rows.append([*row_of_line(table, value, line.names), *new_values.values()])
        count += 1
        if len(rows) == BATCH:
            await loading.write(table, names, rows)
            rows = []
    if rows and names is not None:
        await loading.write(table, names, rows)
    return count


def _is_read(line: Line, state: _State) -> bool:
    """Whether a row is read: not where what it belongs to is left out, nor an account of somebody
    who is here."""
    table = line.table
    if table.name == _PEOPLE:
        id = str(line.value["id"])
        if id in state.here:
            state.ids[_PEOPLE].add(state.here[id])
            return False
        if id in state.dropped[_PEOPLE]:
            return False
    for name, value in line.value.items():
        target = target_of(table, name)
        if target is not None and isinstance(value, str) and value in state.dropped[target]:
            key = key_of(table)
            if key is not None:
                state.dropped[table.name].add(str(line.value[key]))
            return False
    return True


def _adjusted(line: Line, state: _State) -> Json:
    """The values of a row as they are written here; refused where it names what is not in the
    export."""
    table, value = line.table, dict(line.value)
    if state.here:
        value = substituted(value, state.here)
    for name, named in value.items():
        target = target_of(table, name)
        if named is None or target is None:
            continue
        if table.columns[name].foreign_keys and target != table.name:
            if named not in state.ids[target]:
                raise line.refused(f"{name} {str(named)[:64]!r} is not in the export")
        else:
            state.named[target].add(str(named))
    if value.get("organization_id", state.organization_id) != state.organization_id:
        raise line.refused("is of another organization")
    if table.name == "webhook" and value.get("owner_id") is None:
        # It would deliver with the rights of the operator, who has not set it here.
        value["stop"] = WebhookStop.OWNER.value
    if table.name == "custom_hostname":
        state.hostnames.append(line.text("hostname"))
    if table.name == "integration":
        value["files_id"] = state.owners[str(value["files_id"])]
    person = value.get("user_id")
    if table.name in ("member", "team_member") and person in state.people:
        value["name_key"] = sort_key(state.people[person])
        if "key" in value:
            value["key"] = f"{value['organization_id']}~{person}"
    key = key_of(table)
    if key is not None:
        state.ids[table.name].add(str(value[key]))
    return value
