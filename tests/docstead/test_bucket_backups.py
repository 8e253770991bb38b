"""Backups of installations whose files lie in a bucket: written, checked and restored there."""

import json
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from db.blobs import BlobStore
from db.session import Database
from docstead.settings import Settings
from tests.bucket_server import KEY_ID, SECRET, BucketServer, bucket_server
from tests.docstead.command_line import docstead_async
from tests.docstead.test_backups import all_rows, files, fresh_demo, line_of, succeed

KEYS = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET}


@pytest.fixture(scope="module")
def server() -> Iterator[BucketServer]:
    with bucket_server() as running:
        yield running


async def stored(store: BlobStore) -> dict[str, bytes]:
    """What a store has, by path."""
    found = {}
    async for path in store.paths(""):
        if "~" not in path:
            space, _, sha256 = path.split("/")
            found[path] = b"".join([chunk async for chunk in store.read(space, sha256)])
    return found


@pytest.fixture
async def filled(server: BucketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The demo, with its files in the bucket and none in its folder."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DOCSTEAD_S3_ENDPOINT", server.endpoint)
    data = tmp_path / "data"
    url = f"sqlite:///{tmp_path / 'filled.sqlite3'}"
    database = Database(url, durable=False)
    await fresh_demo(database, data)
    await database.close()
    settings = Settings(
        data_dir=data, database_url=url, files_url=f"s3://docs/{tmp_path.name}",
        s3_endpoint=server.endpoint,
    )  # fmt: skip
    bucket = settings.open_blobs()
    own = files(data / "files")
    for path, content in own.items():
        await bucket.put(path.split("/")[0], content)
    shutil.rmtree(data / "files")
    assert (await stored(bucket)).keys() == own.keys()
    monkeypatch.setenv("DOCSTEAD_FILES_URL", settings.files_url)
    return settings


def places(settings: Settings, **more: Any) -> tuple[str, ...]:
    own = replace(settings, **more)
    return ("--data-dir", str(own.data_dir), "--database-url", str(own.database_url))


async def test_files_of_a_bucket_come_back(
    filled: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "backup.tar.gz"
    before = await stored(filled.open_blobs())
    made = await succeed("backup", str(archive), *places(filled))
    assert made["files"] == len(before) > 3
    assert (await succeed("restore", str(archive), "--check"))["files"] == made["files"]
    with tarfile.open(archive) as members:
        checksums = members.extractfile("checksums.json")
        assert checksums is not None
        named = json.load(checksums)
    assert {name for name in named if name.startswith("files/")} == {
        f"files/{path}" for path in before
    }
    # Into another place of the bucket, and into a folder.
    database = Database(str(filled.database_url), durable=False)
    rows = await all_rows(database)
    await database.close()
    for number, url in enumerate((f"{filled.files_url}-restored", "")):
        folder = tmp_path / f"restored-{number}"
        other = {"data_dir": folder, "database_url": f"sqlite:///{folder}.sqlite3"}
        monkeypatch.setenv("DOCSTEAD_FILES_URL", url)
        await succeed("restore", str(archive), *places(filled, **other))
        restored = Database(f"sqlite:///{folder}.sqlite3", durable=False)
        assert await all_rows(restored) == rows
        await restored.close()
        if url:
            there = await stored(replace(filled, files_url=url).open_blobs())
            assert not (folder / "files").exists()
        else:
            there = files(folder / "files")
        assert there == before
    # What has something in it is not overwritten, in a bucket either.
    monkeypatch.setenv("DOCSTEAD_FILES_URL", filled.files_url)
    empty = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    refused = await docstead_async("restore", str(archive), *places(filled, database_url=empty))
    assert "files" in line_of(refused)


async def test_of_a_changed_archive_nothing_reaches_the_bucket(
    filled: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, changed = tmp_path / "backup.tar.gz", tmp_path / "changed.tar.gz"
    await succeed("backup", str(archive), *places(filled))
    with tarfile.open(archive) as members, tarfile.open(changed, "w:gz") as target:
        for member in members:
            source = members.extractfile(member)
            assert source is not None
            data = source.read()
            if member.name.startswith("files/") and data:
                data = bytes([data[0] ^ 1]) + data[1:]
            part = tmp_path / "part"
            part.write_bytes(data)
            target.add(part, member.name)
    url = f"{filled.files_url}-changed"
    monkeypatch.setenv("DOCSTEAD_FILES_URL", url)
    there = places(filled, data_dir=tmp_path / "other",
                   database_url=f"sqlite:///{tmp_path / 'other.sqlite3'}")  # fmt: skip
    assert "files/" in line_of(await docstead_async("restore", str(changed), *there))
    assert await stored(replace(filled, files_url=url).open_blobs()) == {}
