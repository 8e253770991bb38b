"""Signed addresses of files: nothing of them can be changed."""

import time
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest

from db.session import Session
from resolvers.content.files import file_path
from tests.conftest import Api, World
from tests.factories import make_space

BYTES = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


async def stored(
    api: Api, name: str = "a.svg", type_: str = "image/svg+xml", age: int = 0,
    space_id: str = "space1",
) -> str:  # fmt: skip
    """The address of a file that is in the store."""
    access = await api.server.file_access()
    sha256 = await access.blobs.put(space_id, BYTES)
    expires = int(time.time()) + 3600 - age
    return file_path(access.key, space_id, sha256, name, type_, expires)


def changed(address: str, *, path: tuple[str, str] | None = None, **query: str) -> str:
    parts = urlsplit(address)
    new = dict(parse_qsl(parts.query)) | query
    return (parts.path.replace(*path) if path else parts.path) + "?" + urlencode(new)


async def test_file_is_served_without_danger(api: Api) -> None:
    response = await api.client.get(await stored(api))
    assert (response.status_code, response.content) == (200, BYTES)
    assert response.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"
    html = await api.client.get(await stored(api, "x.html", "text/html"))
    assert html.headers["content-type"] == "application/octet-stream"
    assert html.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize("name", ["ä \" ;\\ '.svg", "a/b.svg", "%41.svg", "a?b#c.svg"])
async def test_names_come_back_as_they_are(api: Api, name: str) -> None:
    response = await api.client.get(await stored(api, name))
    # A slash in a name is part of no route: such names lead nowhere rather than elsewhere.
    if "/" in name:
        assert response.status_code == 404
    else:
        assert response.headers["content-disposition"].endswith(quote(name, safe=""))


async def test_nothing_of_an_address_can_be_changed(api: Api) -> None:
    address = await stored(api)
    later = str(int(time.time()) + 10_000_000)
    for tampered in (
        changed(address, type="text/html"),
        changed(address, type="image/svg+xml\nx"),
        changed(address, expires=later),
        changed(address, expires="٣"),
        changed(address, expires="-1"),
        changed(address, expires="9" * 30),
        changed(address, signature=""),
        changed(address, signature="0" * 64),
        changed(address, signature="é"),
        changed(address, path=("a.svg", "b.svg")),
        changed(address, path=("space1", "space2")),
        changed(address, path=("/files/space1/", "/files/space1%2F..%2F")),
        address.split("?")[0],
    ):
        response = await api.client.get(tampered)
        assert response.status_code == 404, tampered
        assert response.json()["error"]["code"] == 404
    assert (await api.client.get(address)).status_code == 200


async def test_parts_cannot_pass_for_each_other(api: Api) -> None:
    """The end of a name is not the beginning of the type."""
    address = await stored(api, "a\nimage/svg+xml", "text/html")
    moved = changed(
        address, path=(quote("a\nimage/svg+xml", safe=""), "a"), type="image/svg+xml\ntext/html"
    )
    assert (await api.client.get(moved)).status_code == 404


async def test_old_addresses_and_lost_bytes(api: Api) -> None:
    assert "expired" in (await api.client.get(await stored(api, age=3700))).text
    access = await api.server.file_access()
    gone = file_path(access.key, "space1", "0" * 64, "a", "image/png", int(time.time()) + 60)
    assert "missing" in (await api.client.get(gone)).text


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-3", 206, slice(0, 4)),
        ("bytes=2-", 206, slice(2, None)),
        ("bytes=-3", 206, slice(-3, None)),
        ("Bytes = 1-1", 206, slice(1, 2)),
        ("bytes=0-99999", 206, slice(None)),
        ("bytes=-99999", 206, slice(None)),
        ("bytes=99999-", 416, None),
        ("bytes=-0", 416, None),
        ("bytes=3-1", 200, slice(None)),
        ("bytes=-", 200, slice(None)),
        ("bytes=0-1,3-4", 200, slice(None)),
        ("lines=0-1", 200, slice(None)),
        ("bytes=x-y", 200, slice(None)),
        ("bytes=0-" + "9" * 50, 200, slice(None)),
    ],
)
async def test_a_part_of_a_file(api: Api, asked: str, status: int, part: slice | None) -> None:
    url = await stored(api)
    whole = await api.client.get(url)
    assert whole.headers["content-length"] == str(len(BYTES))
    assert whole.headers["accept-ranges"] == "bytes"
    # Ranges are those of GET only.
    head = await api.client.head(url, headers={"Range": asked})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(BYTES))
    assert "content-range" not in head.headers
    found = await api.client.get(url, headers={"Range": asked})
    assert found.status_code == status
    if part is None:
        assert found.headers["content-range"] == f"bytes */{len(BYTES)}"
        return
    wanted = range(len(BYTES))[part]
    assert found.content == BYTES[part]
    assert found.headers["content-length"] == str(len(wanted))
    where = f"bytes {wanted[0]}-{wanted[-1]}/{len(BYTES)}" if status == 206 else None
    assert found.headers.get("content-range") == where
    # Only of the bytes that were read before.
    tag = whole.headers["etag"]
    for mark, expected in ((tag, status), ('"other"', 200)):
        again = await api.client.get(url, headers={"Range": asked, "If-Range": mark})
        assert again.status_code == expected


async def test_files_of_a_space_in_the_bin_are_not_served(
    api: Api, world: World, session: Session
) -> None:
    space = await make_space(session, world.organization)
    await session.commit()
    url = await stored(api, space_id=space.id)
    assert (await api.client.get(url)).status_code == 200
    assert (await api.rest("DELETE", f"/spaces/{space.id}", world.admin)).status_code == 205
    assert (await api.client.get(url)).status_code == 404
    restored = await api.rest("POST", f"/spaces/{space.id}/restore", world.admin)
    assert restored.status_code == 200, restored.text
    assert (await api.client.get(url)).content == BYTES
