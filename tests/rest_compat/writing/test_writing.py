"""Writing content through /v1: batches into change requests and live, If-Match, uploads."""

import base64
from typing import Any

import pytest

from tests.conftest import Api, Sown, World
from tests.seeds import Seed

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR\0\0\0\x05\0\0\0\x06" + b"x" * 9)


@pytest.fixture
def world(sown: Sown) -> World:
    return sown.world


@pytest.fixture
def seed(sown: Sown) -> Seed:
    return sown.seed  # type: ignore[no-any-return]


def address(seed: Seed, live: bool = False) -> str:
    return f"/spaces/{seed.space.id}" + (
        "/content" if live else f"/change-requests/{seed.change_request.number}/content"
    )


async def page(api: Api, world: World, seed: Seed, path: str) -> dict[str, Any]:
    found = await api.rest(
        "GET", f"/spaces/{seed.space.id}/content/path/{path}?format=markdown", world.editor
    )
    body: dict[str, Any] = found.json()
    return body


async def test_a_change_request_is_written(api: Api, world: World, seed: Seed) -> None:
    changes = [
        {"type": "insert_page", "ref": "a", "title": "First", "emoji": "1f600",
         "document": {"markdown": "---\ndescription: Front\n---\n\nHello [b](ref:b)\n"},
         "description": "Field"},
        {"type": "insert_page", "ref": "b", "into": "ref:a", "at": 0,
         "document": {"markdown": "# Second\n\nText"}},
        {"type": "update_page", "page": "child", "into": None, "at": 0, "title": "Moved"},
        {"type": "delete_page", "page": "group"},
        {"type": "insert_files", "files": [
            {"name": "x.png", "base64": PNG.decode(), "contentType": "text/html", "ref": "f"}]},
    ]  # fmt: skip
    before = seed.change_request.revision_id
    answer = await api.rest("POST", address(seed), world.editor, {"changes": changes})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["object"], body["id"]) == ("change-request", seed.change_request.id)
    assert body["revision"] != before
    # Primary content is as it was.
    assert (await page(api, world, seed, "home/child"))["title"] == "Child"
    again = await api.rest(
        "POST", address(seed) + "?compat=false", world.editor,
        {"changes": [{"type": "revert_page", "page": "group"},
                     {"type": "insert_files", "files": [
                         {"name": "y.png", "base64": PNG.decode(), "contentType": "image/png"}]}]},
    )  # fmt: skip
    body = again.json()
    assert (body["object"], body["changed"], body["dryRun"]) == ("content-write", True, False)
    assert body["changeRequest"]["id"] == seed.change_request.id
    assert body["revision"]["id"] == body["changeRequest"]["revision"]
    (file,) = body["insertedFiles"]
    assert (file["name"], file["contentType"]) == ("y.png", "image/png")
    assert file["dimensions"] == {"width": 5, "height": 6}


async def test_primary_content_is_written(api: Api, world: World, seed: Seed) -> None:
    answer = await api.rest(
        "POST", address(seed, live=True), world.editor,
        {"changes": [{"type": "update_page", "page": "home",
                      "document": {"markdown": "# Start\n\nNew text."}}]},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    assert answer.json()["revision"]["parents"] == [seed.revision.id]
    found = await page(api, world, seed, "start")
    assert (found["title"], found["markdown"]) == ("Start", "# Start\n\nNew text.\n")


async def test_a_dry_run_writes_nothing(api: Api, world: World, seed: Seed) -> None:
    for live in (True, False):
        answer = await api.rest(
            "POST", address(seed, live) + "?dryRun=true", world.editor,
            {"changes": [{"type": "delete_page", "page": "child"}]},
        )  # fmt: skip
        body = answer.json()
        assert (body["changed"], body["dryRun"]) == (True, True)
        request = seed.change_request
        assert body["revision"]["id"] == (seed.revision.id if live else request.revision_id)
        # In the change request the page below it has moved.
        assert [one["type"] for one in body["changes"]] == ["page_deleted"] * (2 if live else 1)
    assert (await page(api, world, seed, "home/child"))["id"] == "child"


async def test_if_match(api: Api, world: World, seed: Seed) -> None:
    async def status(tag: str, title: str) -> Any:
        return await api.rest(
            "POST", address(seed, live=True), world.editor,
            {"changes": [{"type": "update_page", "page": "home", "title": title}]},
            headers={"If-Match": tag},
        )  # fmt: skip

    current = seed.revision.id
    first = await status(f'"{current}"', "One")
    assert first.status_code == 200
    newest = first.json()["revision"]["id"]
    stale = await status(f'"{current}"', "Two")
    assert stale.status_code == 409
    assert stale.json()["error"]["currentRevision"] == newest
    # As on answers with signed addresses, and from caches.
    second = await status(f'W/"{newest}-496123"', "Two")
    assert second.status_code == 200
    assert (await status("*", "Three")).status_code == 200
    for tag in ("x", '"a", "b"', '""'):
        assert (await status(tag, "Four")).status_code == 400


async def test_bad_changes_are_named(api: Api, world: World, seed: Seed) -> None:
    markdown = {"markdown": "x"}
    for change, status, path in (
        ({"type": "insert_page", "title": "x"}, 422, "document"),
        ({"type": "update_page"}, 422, "page"),
        ({"type": "delete_page", "page": "home", "title": "x"}, 422, "title"),
        ({"type": "update_page", "page": "none"}, 404, "page"),
        ({"type": "insert_page", "document": markdown, "into": "none"}, 404, "into"),
        ({"type": "insert_page", "document": markdown, "at": 99}, 422, "at"),
        ({"type": "insert_page", "document": markdown, "slug": "group"}, 409, "slug"),
        ({"type": "insert_page", "document": {"nodes": 1}}, 422, "document.object"),
        ({"type": "insert_page", "document": {"markdown": "---\n[\n---\n"}}, 422,
         "document.markdown"),
        ({"type": "revert_page", "page": "home", "block": ["none"]}, 404, "block[0]"),
        ({"type": "insert_files", "files": [{"name": "x"}]}, 422, "files[0]"),
        ({"type": "insert_files", "files": [{"name": "x", "base64": "!", "contentType": "a/b"}]},
         422, "files[0].base64"),
        ({"type": "insert_files", "files": [{"name": "x", "base64": "AA=="}]}, 422,
         "files[0].contentType"),
        ({"type": "insert_files", "files": [{"name": "x", "upload": "none"}]}, 404,
         "files[0].upload"),
        ({"type": "else"}, 422, "type"),
    ):  # fmt: skip
        answer = await api.rest("POST", address(seed), world.editor, {"changes": [change]})
        assert answer.status_code == status, (change, answer.text)
        paths = [one["path"] for one in answer.json()["error"]["details"]]
        assert paths == [f"changes[0].{path}"], change
    too_many = [{"type": "delete_page", "page": "x"}] * 51
    answer = await api.rest("POST", address(seed), world.editor, {"changes": too_many})
    assert answer.status_code == 422


async def test_closed_requests_and_upload_tickets(api: Api, world: World, seed: Seed) -> None:
    ticket = await api.rest(
        "POST", f"/spaces/{seed.space.id}/uploads", world.editor, {"name": "a.txt"}
    )
    assert ticket.status_code == 201
    upload = ticket.json()
    assert (upload["object"], upload["name"]) == ("file-upload", "a.txt")
    sent = await api.client.put(upload["url"], content=b"abc")
    assert sent.status_code == 200
    path = f"/spaces/{seed.space.id}/change-requests/{seed.change_request.number}"
    files = {"type": "insert_files", "files": [{"name": "b.txt", "upload": upload["id"]}]}
    answer = await api.rest("POST", f"{path}/content?compat=false", world.editor,
                            {"changes": [files]})  # fmt: skip
    assert answer.json()["insertedFiles"][0]["size"] == 3
    await api.rest("PATCH", path, world.editor, {"status": "archived"})
    answer = await api.rest("POST", f"{path}/content", world.editor, {"changes": [files]})
    assert answer.status_code == 412
