"""Bytes of files: a signed address takes them, an operation makes a file of them."""

import datetime as dt
import struct
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, update

from db.base import utc_now
from db.models.content import FileUpload
from db.session import Session
from jobs.purge import clear_uploads
from resolvers.core.actors import OPERATOR
from resolvers.revisions import limits as content_limits
from tests.chance import forged
from tests.conftest import Api, Sown, World
from tests.seeds import Seed

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 30, 20) + b"x" * 9


@pytest.fixture
def world(sown: Sown) -> World:
    return sown.world


@pytest.fixture
def seed(sown: Sown) -> Seed:
    return sown.seed  # type: ignore[no-any-return]


async def ticket(api: Api, world: World, seed: Seed, name: str = "a.png") -> dict[str, Any]:
    data = await api.data(
        """mutation ($space: ID!, $name: String!) {
          createFileUpload(spaceId: $space, input: {name: $name, size: 42}) {
            id name url expiresAt } }""",
        world.editor, space=seed.space.id, name=name,
    )  # fmt: skip
    upload: dict[str, Any] = data["createFileUpload"]
    return upload


async def send(api: Api, url: str, data: Any) -> Any:
    parts = urlsplit(url)
    return await api.client.put(f"{parts.path}?{parts.query}", content=data)


async def test_a_file_is_made_and_replaced(api: Api, world: World, seed: Seed) -> None:
    upload = await ticket(api, world, seed, "picture.bin")
    response = await send(api, upload["url"], PNG)
    assert response.status_code == 200
    assert response.json() == {
        "id": upload["id"], "name": "picture.bin", "size": len(PNG), "contentType": "image/png",
        "sha256": response.json()["sha256"], "dimensions": {"width": 30, "height": 20},
    }  # fmt: skip
    # The same bytes may come twice, others not.
    assert (await send(api, upload["url"], PNG)).status_code == 200
    assert (await send(api, upload["url"], b"other")).status_code == 409
    made = await api.data(
        """mutation ($space: ID!, $upload: ID!) {
          createFile(spaceId: $space, input: {upload: $upload, ref: "f"}) {
            created { kind ref }
            files { id name contentType size downloadURL dimensions { width height } } } }""",
        world.editor, space=seed.space.id, upload=upload["id"],
    )  # fmt: skip
    (file,) = made["createFile"]["files"]
    assert file["dimensions"] == {"width": 30, "height": 20}
    parts = urlsplit(file["downloadURL"])
    assert (await api.client.get(f"{parts.path}?{parts.query}")).content == PNG
    other = await ticket(api, world, seed, "text.txt")
    await send(api, other["url"], b"Text")
    changed = await api.data(
        """mutation ($space: ID!, $file: ID!, $upload: ID!) {
          replaceFile(spaceId: $space, input: {file: $file, upload: $upload, name: "b.txt"}) {
            files { id name contentType size dimensions { width } } }
          deleteFile(spaceId: $space, input: {file: "bpdf"}) { changed fileId } }""",
        world.editor, space=seed.space.id, file=file["id"], upload=other["id"],
    )  # fmt: skip
    assert changed["replaceFile"]["files"] == [
        {"id": file["id"], "name": "b.txt", "contentType": "text/plain", "size": 4,
         "dimensions": None}
    ]  # fmt: skip
    assert changed["deleteFile"] == {"changed": True, "fileId": "bpdf"}
    listed = (await api.rest("GET", f"/spaces/{seed.space.id}/content/files", world.editor)).json()
    assert [one["name"] for one in listed["items"]] == ["b.txt", "a.png"] or {
        one["name"] for one in listed["items"]
    } == {"a.png", "b.txt"}


async def test_uploads_belong_to_who_asked_for_them(api: Api, world: World, seed: Seed) -> None:
    upload = await ticket(api, world, seed)
    create = """mutation ($space: ID!, $upload: ID!) {
      createFile(spaceId: $space, input: {upload: $upload}) { changed } }"""

    async def status(person: Any) -> int:
        answer = await api.graphql(create, person, space=seed.space.id, upload=upload["id"])
        code: int = answer["errors"][0]["extensions"]["status"]
        return code

    assert await status(world.editor) == 412
    await send(api, upload["url"], b"x")
    assert await status(world.reviewer) == 404
    answer = await api.graphql(
        """mutation ($space: ID!) {
          createFileUpload(spaceId: $space, input: {name: "a/b"}) { id } }""",
        world.editor, space=seed.space.id,
    )  # fmt: skip
    assert answer["errors"][0]["extensions"]["fields"][0]["path"] == "name"


async def test_addresses_are_signed_and_end(
    api: Api, world: World, seed: Seed, session: Session
) -> None:
    await session.commit()
    upload = await ticket(api, world, seed)
    url = upload["url"]
    other = await ticket(api, world, seed)
    for wrong in (
        url.replace(upload["id"], other["id"]),
        forged(url),
        url.replace("expires=", "expires=9"),
        url.split("?")[0],
        url.replace("expires=", "expires=x"),
    ):
        assert (await send(api, wrong, b"x")).status_code == 404
    assert (await api.client.get(urlsplit(url).path)).status_code == 405
    row = (
        await session.execute(select(FileUpload.sha256).where(FileUpload.id == upload["id"]))
    ).one()
    assert row.sha256 is None


async def test_too_many_bytes_are_refused_and_leave_nothing(
    api: Api, world: World, seed: Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_limits, "FILE_BYTES", 1000)
    upload = await ticket(api, world, seed)

    async def stream() -> Any:
        for _ in range(11):
            yield b"x" * 100

    assert (await send(api, upload["url"], b"x" * 1001)).status_code == 413
    assert (await send(api, upload["url"], stream())).status_code == 413
    blobs = (await api.server.file_access()).blobs
    assert [path async for path in blobs.paths("")] == []
    assert (await send(api, upload["url"], b"x" * 1000)).status_code == 200
    answer = await api.graphql(
        """mutation ($space: ID!) {
          createFileUpload(spaceId: $space, input: {name: "a", size: 1001}) { id } }""",
        world.editor, space=seed.space.id,
    )  # fmt: skip
    assert answer["errors"][0]["extensions"]["fields"][0]["path"] == "size"


async def test_old_uploads_are_forgotten(
    api: Api, world: World, seed: Seed, session: Session
) -> None:
    await session.commit()
    old, new = await ticket(api, world, seed), await ticket(api, world, seed)
    await session.execute(
        update(FileUpload)
        .where(FileUpload.id == old["id"])
        .values(created_at=utc_now() - dt.timedelta(hours=25))
    )
    await session.commit()
    async with api.server.context_of(OPERATOR) as ctx:
        await clear_uploads(ctx, ctx.now())
    left = (await session.execute(select(FileUpload.id))).scalars().all()
    assert left == [new["id"]]
