"""Backups and copies: every row and file comes back, in either database, or nothing does."""

import gzip
import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import null, select, update

from db.blobs import BlobStore
from db.enums import Role
from db.models.content_index import IndexedPage
from db.models.organizations import Organization, User
from db.models.sites import Site, SiteVersion
from db.row_copies import Row, copied_tables, open_snapshot
from db.session import Database
from db.standing import head
from jobs.backups import BackupError, check_backup, read_backup, write_backup
from resolvers.access.versions import ADDRESSES
from tests import factories
from tests.docstead.command_line import Done, docstead_async
from tests.docstead.test_demo import fresh_demo
from tests.kinds import KINDS
from tests.postgres import TemporaryPostgres


def quiet(what: str, done: int, total: int) -> None:
    pass


async def all_rows(database: Database) -> dict[str, list[Row]]:
    """The rows of every table that is copied, in an order that both databases have."""
    async with open_snapshot(database) as snapshot:
        return {
            table.name: sorted(
                [row async for batch in snapshot.rows(table) for row in batch], key=repr
            )
            for table in copied_tables()
        }


async def indexed(database: Database) -> list[tuple[str, str]]:
    async with database.session() as session:
        statement = select(IndexedPage.space_id, IndexedPage.page_id)
        return sorted((row[0], row[1]) for row in await session.execute(statement))


async def versioned(database: Database) -> set[str]:
    """What the database has a version of: sites, and their addresses."""
    async with database.session() as session:
        return set((await session.execute(select(SiteVersion.subject))).scalars())


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "~" not in path.parts
    }


@pytest.fixture
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'other.sqlite3'}"
    server: TemporaryPostgres = request.getfixturevalue("postgres_server")
    server.drop_database("restored")
    return server.create_database("restored")


async def succeed(*arguments: str) -> Any:
    done = await docstead_async(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    return json.loads(done.out)


def line_of(done: Done) -> str:
    assert (done.status, done.out) == (1, ""), done
    (line,) = done.err.splitlines()
    return line


@pytest.fixture
async def filled(tmp_path: Path) -> AsyncIterator[tuple[Database, Path]]:
    """The demo with values that are easily lost, in a SQLite database, and its data folder."""
    data = tmp_path / "data"
    database = Database(f"sqlite:///{tmp_path / 'filled.sqlite3'}", durable=False)
    await fresh_demo(database, data)
    async with database.session() as session:
        await session.begin_write()
        title = "\u2028 a\x85b \U0001f9ed \u0000"[:-1] + " \\u0041 \\"
        await session.execute(update(Organization).values(title=title))
        await session.execute(update(Site).values(icon=null()))
        await session.commit()
    yield database, data
    await database.close()


# Both kinds are written to: the copy goes back to SQLite.
@pytest.mark.parametrize("other_url", KINDS[-1:], indirect=True)
async def test_everything_comes_back_in_either_database(
    filled: tuple[Database, Path], other_url: str, tmp_path: Path
) -> None:
    database, data = filled
    own_url = database.url.render_as_string(hide_password=False)
    archive, restored = tmp_path / "backup.tar.gz", tmp_path / "restored"
    before = await all_rows(database)
    assert sum(map(bool, before.values())) > 30
    where = ("--data-dir", str(data), "--database-url", own_url)
    # A file that somebody else has left there does not get what only its owner may read.
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"")
    (tmp_path / ".backup.tar.gz.part").symlink_to(foreign)
    made = await succeed("backup", str(archive), *where)
    assert foreign.read_bytes() == b""
    assert made["rows"] == sum(map(len, before.values()))
    assert made["files"] == len(files(data / "files")) > 3
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert not any(name.startswith(".") for name in os.listdir(tmp_path))
    assert (await succeed("restore", str(archive), "--check"))["rows"] == made["rows"]

    there = ("--data-dir", str(restored), "--database-url", other_url)
    assert (await succeed("restore", str(archive), *there))["migration"] == head()
    other = Database(other_url, pool_size=2)
    assert await all_rows(other) == before
    assert await indexed(other) == await indexed(database) != []
    # Triggers make the versions of sites.
    assert await versioned(other) == await versioned(database) > {ADDRESSES}
    assert files(restored / "files") == files(data / "files")
    await other.close()

    again = tmp_path / "again.sqlite3"
    await succeed("copy-database", "--to", f"sqlite:///{again}", *there)
    copy = Database(f"sqlite:///{again}", durable=False)
    assert await all_rows(copy) == before
    assert await indexed(copy) == await indexed(database)
    await copy.close()

    # What has something in it is not overwritten.
    refused = await docstead_async("restore", str(archive), *there)
    assert "the folder of files has" in line_of(refused)
    refused = await docstead_async("restore", str(archive), *there[2:], "--data-dir", str(tmp_path))
    assert "the table" in line_of(refused)
    refused = await docstead_async("copy-database", "--to", f"sqlite:///{again}", *there)
    assert "--to: the table" in line_of(refused)
    refused = await docstead_async("copy-database", "--to", other_url, *there)
    assert "the database that would be copied" in line_of(refused)
    refused = await docstead_async("backup", str(archive), *where)
    assert "exists already" in line_of(refused)


async def test_a_snapshot_does_not_see_what_is_written_meanwhile(database: Database) -> None:
    async with database.session() as session:
        await session.begin_write()
        await factories.make_user(session)
        await session.commit()
    users = User.__table__
    async with open_snapshot(database) as snapshot:
        assert await snapshot.count(users) == 1  # type: ignore[arg-type]
        async with database.session() as session:
            await session.begin_write()
            await factories.make_user(session)
            await session.commit()
        rows = [row async for batch in snapshot.rows(users) for row in batch]  # type: ignore[arg-type]
        assert len(rows) == 1


@pytest.fixture(scope="module")
async def small(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An archive of an organization with a file."""
    folder = tmp_path_factory.mktemp("small")
    database = _migrated(sqlite_template, folder)
    async with database.session() as session:
        await session.begin_write()
        organization = await factories.make_organization(session)
        await factories.make_member(session, organization, Role.ADMIN)
        space = await factories.make_space(session, organization)
        await session.commit()
        space_id = space.id
    blobs = BlobStore.in_folder(folder / "small")
    await blobs.put(space_id, os.urandom(3000))
    target = io.BytesIO()
    await write_backup(database, blobs, target, quiet)
    await database.close()
    return target.getvalue()


def changed(archive: bytes, change: Any) -> bytes:
    """The archive with other members: `change` gets their names and bytes."""
    made = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as source,
        tarfile.open(fileobj=made, mode="w:gz") as target,
    ):
        members = {member.name: source.extractfile(member).read() for member in source}  # type: ignore[union-attr]
        change(members)
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            target.addfile(info, io.BytesIO(data))
    return made.getvalue()


def _other_migration(members: dict[str, bytes]) -> None:
    manifest = json.loads(members["manifest.json"]) | {"migration": "0001_first_release"}
    members["manifest.json"] = json.dumps(manifest).encode()
    checksums = json.loads(members["checksums.json"])
    checksums["manifest.json"] = hashlib.sha256(members["manifest.json"]).hexdigest()
    members["checksums.json"] = json.dumps(checksums).encode()


def _other_file(members: dict[str, bytes]) -> None:
    (name,) = (name for name in members if name.startswith("files/"))
    members[name] = b"something else"


def _file_elsewhere(members: dict[str, bytes]) -> None:
    checksums = json.loads(members.pop("checksums.json"))
    data = b"x"
    name = "files/../../outside"
    members[name] = data
    checksums[name] = hashlib.sha256(data).hexdigest()
    members["checksums.json"] = json.dumps(checksums).encode()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_other_migration, "stands at migration 0001_first_release"),
        (_other_file, "damaged: files/"),
        (_file_elsewhere, "'files/../../outside', which this version does not know"),
        (lambda members: members.pop("checksums.json"), "its checksums are missing"),
        (lambda members: members.update({"checksums.json": b"{"}), "damaged: checksums.json"),
        (lambda members: members.update({"checksums.json": b"[]"}), "damaged: checksums.json"),
        (lambda members: members.update({"manifest.json": b"[]"}), "damaged: manifest.json"),
        (lambda members: members.pop("manifest.json"), "does not begin with a manifest"),
        (lambda members: members.pop("rows/member/000000.jsonl"), "damaged: rows/member"),
    ],
)
async def test_of_a_changed_archive_nothing_is_restored(
    small: bytes, sqlite_template: Path, tmp_path: Path, change: Any, problem: str
) -> None:
    await _refused(changed(small, change), _migrated(sqlite_template, tmp_path), problem)


@pytest.mark.parametrize("part", [0.0, 0.2, 0.6, 0.9])
async def test_of_a_cut_off_archive_nothing_is_restored(
    small: bytes, sqlite_template: Path, tmp_path: Path, part: float
) -> None:
    rest = small[: int(len(small) * part)]
    with pytest.raises(BackupError):
        check_backup(io.BytesIO(rest), quiet)
    await _refused(rest, _migrated(sqlite_template, tmp_path), "no whole backup|no backup")


@pytest.mark.parametrize("place_of", [b"@example.com", b'"email"', b'","'])
async def test_of_a_flipped_bit_nothing_is_restored(
    small: bytes, sqlite_template: Path, tmp_path: Path, place_of: bytes
) -> None:
    plain = bytearray(gzip.decompress(small))
    place = plain.index(place_of)
    plain[place] ^= 1
    await _refused(
        gzip.compress(bytes(plain)), _migrated(sqlite_template, tmp_path), "damaged: rows/"
    )


def _migrated(template: Path, folder: Path) -> Database:
    """An empty database in a folder."""
    path = shutil.copy(template, folder / "empty.sqlite3")
    return Database(f"sqlite:///{path}", durable=False)


async def _refused(archive: bytes, database: Database, problem: str) -> None:
    folder = Path(database.url.database or "").parent / "empty"
    before = await all_rows(database)
    with pytest.raises(BackupError, match=problem):
        await read_backup(io.BytesIO(archive), database, BlobStore.in_folder(folder), quiet)
    assert await all_rows(database) == before
    assert files(folder) == {}
    await database.close()
