"""Bytes of files in a bucket, by the protocol of S3 and a server of it on this machine."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import obstore
import pytest

from db.blobs import BlobMissingError, BlobStore, TooManyBytesError
from db.bucket_store import PART_BYTES
from docstead.settings import SettingError, Settings, load_settings
from resolvers.core.database_errors import expected
from resolvers.core.errors import Unavailable
from tests.bucket_server import KEY_ID, SECRET, BucketServer, bucket_server
from tests.docstead.command_line import docstead_async

KEYS = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET}


@pytest.fixture(scope="module")
def server() -> Iterator[BucketServer]:
    with bucket_server() as server:
        yield server


@pytest.fixture
def settings(server: BucketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    return Settings(
        data_dir=tmp_path, files_url=f"s3://docs/{tmp_path.name}", s3_endpoint=server.endpoint
    )


async def chunks(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 700_000):
        yield data[start : start + 700_000]


async def whole(store: BlobStore, space_id: str, sha256: str) -> bytes:
    return b"".join([chunk async for chunk in store.read(space_id, sha256)])


async def test_a_bucket_does_what_a_folder_does(settings: Settings, tmp_path: Path) -> None:
    large = bytes(range(256)) * (PART_BYTES // 256 + 5000)  # more than one part
    for store in (settings.open_blobs(), BlobStore.in_folder(tmp_path / "files")):
        small = await store.put("space", b"small")
        assert await store.put("space", b"small") == small
        assert await whole(store, "space", small) == b"small"
        sha256, size = await store.put_stream("space", chunks(large), len(large))
        assert size == len(large)
        assert await whole(store, "space", sha256) == large
        part = await store.open("space", sha256, (100, 300))
        assert part.size == len(large)
        assert b"".join([chunk async for chunk in part.chunks]) == large[100:300]
        with pytest.raises(TooManyBytesError):
            await store.put_stream("space", chunks(large), len(large) - 1)
        with pytest.raises(BlobMissingError):
            await store.open("space", "0" * 64)
        aside = await store.set_aside(b"later")
        await store.keep(aside, "space", "1" * 64)
        assert await whole(store, "space", "1" * 64) == b"later"
        forgotten = await store.set_aside(b"never")
        await store.forget([forgotten, forgotten])
        await store.set_aside(b"old")
        await store.forget_incoming(dt.datetime.now(dt.UTC) + dt.timedelta(days=1))
        await store.put_derived("space", "book.pdf", b"one")
        await store.put_derived("space", "book.pdf", b"two")
        await store.copy_space("space", "other")
        assert await whole(store, "other", sha256) == large
        with pytest.raises(BlobMissingError):
            await store.open_derived("other", "book.pdf")
        derived = await store.open_derived("space", "book.pdf")
        assert b"".join([chunk async for chunk in derived.chunks]) == b"two"
        await store.delete_derived("space", "book", -60)
        assert len([path async for path in store.paths("space/")]) == 3
        await store.delete_space("space")
        # Nothing is left of what was interrupted or set aside.
        names = [path async for path in store.paths("")]
        assert {name.split("/")[0] for name in names} == {"other"}


async def test_several_remove_the_same_derived_files_at_once(
    settings: Settings, tmp_path: Path
) -> None:
    for store in (settings.open_blobs(), BlobStore.in_folder(tmp_path / "files")):
        for number in range(30):
            await store.put_derived("looks", f"{number}", b"x")
        await asyncio.gather(*(store.delete_derived("looks", "", 3600, 10) for _ in range(8)))
        assert len([path async for path in store.paths("looks/")]) == 10
        # Of a folder no others are looked at.
        await store.put_derived("looks", "one/a", b"x")
        await store.put_derived("looks", "one/b", b"x")
        await store.put_derived("looks", "two/a", b"x")
        await store.delete_derived("looks", "one/", 3600, 1)
        left = [path async for path in store.paths("looks/")]
        assert len(left) == 12
        assert sum("/one/" in path for path in left) == 1
        await store.delete_derived("looks", "two/", -60)
        assert len([path async for path in store.paths("looks/")]) == 11
        await store.delete_derived("looks", "", -60)
        assert [path async for path in store.paths("looks/")] == []


async def test_a_busy_server_is_asked_again(settings: Settings, server: BucketServer) -> None:
    store = settings.open_blobs()
    server.failures = 2
    sha256 = await store.put("busy", b"at last")
    server.failures = 1
    assert await whole(store, "busy", sha256) == b"at last"
    assert server.failures == 0


async def test_wrong_credentials_are_no_fault_of_the_caller(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another-secret-key")
    with pytest.raises(obstore.exceptions.BaseError) as caught:
        await settings.open_blobs().put("space", b"bytes")
    answer = expected(caught.value)
    assert isinstance(answer, Unavailable)
    assert "another-secret-key" not in str(caught.value)


async def test_many_at_once_do_not_hold_up_the_event_loop(settings: Settings) -> None:
    store = settings.open_blobs()
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    digests = await asyncio.gather(*(store.put("busy", bytes([n]) * 50_000) for n in range(20)))
    counting.cancel()
    assert len(set(digests)) == 20
    assert turns > 20


async def test_doctor_and_backups_use_the_bucket(
    settings: Settings, server: BucketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCSTEAD_FILES_URL", settings.files_url)
    monkeypatch.setenv("DOCSTEAD_S3_ENDPOINT", server.endpoint)
    folder = tmp_path / "data"
    migrated = await docstead_async("migrate", "--data-dir", str(folder))
    assert migrated.status == 0, migrated.err
    checked = await docstead_async("doctor", "--json", "--data-dir", str(folder))
    assert checked.status == 0, checked.out
    (files,) = [one for one in json.loads(checked.out)["findings"] if one["subject"] == "files"]
    assert files["message"] == f"{settings.files_url}: written, read and deleted"
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in checked.out
    assert not (folder / "files").exists()
    monkeypatch.setenv("DOCSTEAD_FILES_URL", "s3://no-such-bucket")
    failed = await docstead_async("doctor", "--json", "--data-dir", str(folder))
    assert failed.status == 1
    assert "s3://no-such-bucket" in failed.out
    assert "DOCSTEAD_S3_ENDPOINT" in failed.out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FILES_URL", "https://s3.example.com/docs"),
        ("FILES_URL", "s3://"),
        ("FILES_URL", "s3://UPPER"),
        ("FILES_URL", "s3://docs/a b"),
        ("FILES_URL", "s3://key:secret@docs"),
        ("S3_ENDPOINT", "s3.example.com"),
        ("S3_ENDPOINT", "https://key:secret@s3.example.com"),
        ("S3_REGION", "here or there"),
    ],
)
def test_settings_that_are_none(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"DOCSTEAD_{name}") as caught:
        load_settings({f"DOCSTEAD_{name}": value})
    assert "secret@" not in str(caught.value) or name == "FILES_URL"
