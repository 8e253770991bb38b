"""Files that are fetched from an address, through both doors, from servers on loopback."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from db.content_enums import ChangeRequestStatus
from db.session import Database, Session
from resolvers.writing import received_files
from tests import factories
from tests.conftest import World
from tests.fetching.servers import answering, response, serving
from tests.importing import documents
from tests.importing.test_import_content import doors, space_of, state

FILES = {
    "/a/dot.png": ("text/plain", documents.png()),
    "/plan.pdf": ("application/octet-stream", b"no magic"),
    "/notes": ("text/plain; charset=utf-8", b"some notes"),
    "/blob": ("application/octet-stream", b"\x00\x01"),
    "/large.bin": ("application/octet-stream", bytes(3_000)),
}


def insert(*files: dict[str, Any]) -> dict[str, Any]:
    return {"changes": [{"type": "insert_files", "files": list(files)}]}


async def test_a_batch_fetches_files(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        url = server.url
        body = insert(
            {"name": "one.png", "url": f"{url}a/dot.png", "ref": "dot"},
            {"name": "two.pdf", "url": f"{url}plan.pdf"},
            {"name": "three.txt", "url": f"{url}notes", "contentType": "text/html"},
            {"name": "four.bin", "url": f"{url}blob", "contentType": "application/x-four"},
            {"name": "five.png", "url": f"{url}a/dot.png"},
        )
        body["changes"].append(
            {"type": "insert_page", "title": "P", "document": {"markdown": "![x](ref:dot)\n"}}
        )
        answer = await api.rest("POST", f"/spaces/{space.id}/content", world.editor, body)
        assert answer.status_code == 200, answer.text
        made = answer.json()["insertedFiles"]
        assert [(file["name"], file["contentType"]) for file in made] == [
            ("one.png", "image/png"),
            ("two.pdf", "application/pdf"),
            ("three.txt", "text/plain"),
            ("four.bin", "application/x-four"),
            ("five.png", "image/png"),
        ]
        assert (await api.client.get(made[0]["downloadURL"])).content == documents.png()
        # An address that stands there twice is asked once.
        assert len(server.requests) == 4
        assert made[0]["dimensions"] == made[4]["dimensions"] is not None


async def test_a_change_request_and_a_dry_run(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        path = f"/spaces/{space.id}/change-requests/{request.number}/content"
        body = insert({"name": "one.png", "url": f"{server.url}a/dot.png"})
        before = await state(session)
        dry = await api.rest("POST", f"{path}?dryRun=true", world.editor, body)
        assert dry.status_code == 200, dry.text
        await session.commit()
        assert await state(session) == before
        answer = await api.rest("POST", f"{path}?compat=false", world.editor, body)
        assert [file["name"] for file in answer.json()["insertedFiles"]] == ["one.png"]
        answer = await api.rest("POST", path, world.editor, body)
        assert answer.json()["object"] == "change-request"


async def test_graphql_makes_files_of_addresses(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        created = "mutation($s: ID!, $i: CreateFileInput!) { createFile(spaceId: $s, input: $i) "
        created += "{ files { name size contentType } } }"
        data = await api.data(
            created, world.editor, s=space.id, i={"url": f"{server.url}a/dot.png"}
        )
        assert data["createFile"]["files"] == [
            {"name": "dot.png", "size": len(documents.png()), "contentType": "image/png"}
        ]
        applied = "mutation($i: ApplyContentChangesInput!) { applyContentChanges(input: $i) "
        applied += "{ files { name } created { ref } } }"
        operations = [
            {"createFile": {"url": f"{server.url}notes", "name": "n.txt", "ref": "n"}},
            {"createFile": {"url": f"{server.url}plan.pdf"}},
        ]
        data = await api.data(
            applied, world.editor, i={"target": {"space": space.id}, "operations": operations}
        )
        names = [file["name"] for file in data["applyContentChanges"]["files"]]
        assert names == ["n.txt", "plan.pdf"]
        for wrong in ({}, {"url": f"{server.url}notes", "upload": "u"}):
            answer = await api.graphql(created, world.editor, s=space.id, i=wrong)
            assert "must have one of `upload` and `url`" in answer["errors"][0]["message"]


REPLACE = """mutation($s: ID!, $i: ReplaceFileInput!) { replaceFile(spaceId: $s, input: $i) {
  files { id name size contentType downloadURL } } }"""


async def test_a_file_gets_the_bytes_of_an_address_through_both_doors(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    path = f"/spaces/{space.id}/content"
    async with (
        serving(FILES) as server,
        answering(response(b"secret")) as canary,
        doors(database, tmp_path, server, fetch_bytes=2_000) as api,
    ):
        url = server.url
        body = insert({"name": "one.txt", "url": f"{url}notes"})
        (file,) = (await api.rest("POST", path, world.editor, body)).json()["insertedFiles"]

        async def both(**more: str) -> list[dict[str, Any]]:
            """The file, or the error, that each door gives, GraphQL's as /v1 writes it."""
            answer = await api.graphql(
                REPLACE, world.editor, s=space.id, i={"file": file["id"], **more}
            )
            change = {"type": "replace_file", "file": file["id"], **more}
            rest = await api.rest("POST", path, world.editor, {"changes": [change]})
            if rest.status_code == 200:
                found = [answer["data"]["replaceFile"]["files"], rest.json()["insertedFiles"]]
                data = [(await api.client.get(one["downloadURL"])).content for (one,) in found]
                assert data[0] == data[1]
                names = ("id", "name", "size", "contentType")
                return [{name: one[name] for name in names} for (one,) in found]
            (error,) = answer["errors"]
            assert error["extensions"]["status"] == rest.status_code
            details: list[dict[str, Any]] = rest.json()["error"]["details"]
            return [
                *(
                    {**one, "path": one["path"].replace("input", "changes[0]")}
                    for one in error["extensions"]["fields"]
                ),
                *details,
            ]

        for more, name, kind, size in (
            ({"url": f"{url}a/dot.png"}, "one.txt", "image/png", len(documents.png())),
            ({"url": f"{url}plan.pdf", "name": "b.pdf"}, "b.pdf", "application/pdf", 8),
        ):
            ours, theirs = await both(**more)
            expected = {"id": file["id"], "name": name, "size": size, "contentType": kind}
            assert ours == theirs == expected
        before = await state(session)
        for more, field, problem in (
            ({"url": f"{url}gone"}, "url", "status 404"),
            ({"url": f"{url}large.bin"}, "url", "more than 2000 bytes"),
            ({"url": canary.url}, "url", "127.0.0.1"),
            ({"url": f"{url}notes", "name": "a/b"}, "name", "slashes"),
        ):
            ours, theirs = await both(**more)
            assert ours == theirs
            assert ours["path"] == f"changes[0].{field}"
            assert problem in ours["message"]
        for more in ({}, {"url": f"{url}notes", "upload": "x"}):
            ours, theirs = await both(**more)
            assert ours["path"] == theirs["path"] == "changes[0]"
        asked = len(server.requests)
        for person, code in ((world.reader, "FORBIDDEN"), (world.outsider, "NOT_FOUND")):
            answer = await api.graphql(
                REPLACE, person, s=space.id, i={"file": file["id"], "url": f"{url}notes"}
            )
            assert answer["errors"][0]["extensions"]["code"] == code
        assert len(server.requests) == asked
        assert canary.connections == 0
        await session.commit()
        assert await state(session) == before


async def test_what_is_fetched_for_nothing_is_not_kept(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    path = f"/spaces/{space.id}/content"

    def files() -> list[Path]:
        return sorted(one for one in (tmp_path / "data").rglob("*") if one.is_file())

    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        body = insert({"name": "one.png", "url": f"{server.url}a/dot.png"})
        before = files()
        answer = await api.rest("POST", f"{path}?dryRun=true", world.editor, body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["changed"] is True
        assert files() == before
        fails = {"changes": [*body["changes"], {"type": "delete_file", "file": "none"}]}
        answer = await api.rest("POST", path, world.editor, fails)
        assert answer.status_code == 404
        assert files() == before
        (home,) = (await api.rest("GET", f"{path}/pages", world.editor)).json()["pages"]
        imported = {"url": f"{server.url}page.html", "source": "html"}
        page = f"/spaces/{space.id}/content/page/{home['id']}/import"
        stale = {**imported, "expectedRevision": "other"}
        assert (await api.rest("POST", page, world.editor, stale)).status_code == 409
        assert files() == before


async def test_what_cannot_be_fetched_writes_nothing(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    path = f"/spaces/{space.id}/content"
    async with (
        serving(FILES) as server,
        answering(response(b"secret")) as canary,
        doors(database, tmp_path, server, fetch_bytes=2_000) as api,
    ):
        before = await state(session)
        good = {"name": "a", "url": f"{server.url}notes"}
        for file, field, problem in (
            ({"url": f"{server.url}gone"}, "url", "status 404"),
            ({"url": f"{server.url}large.bin"}, "url", "more than 2000 bytes"),
            ({"url": "ftp://example.test/a"}, "url", "http"),
            ({"url": canary.url}, "url", "127.0.0.1"),
            ({"url": ""}, "url", "http"),
            ({"url": f"{server.url}notes", "base64": "AA=="}, "", "must have one of"),
            ({"url": f"{server.url}notes", "upload": "x"}, "", "must have one of"),
            ({"url": f"{server.url}notes", "name": "a/b"}, "name", "slashes"),
        ):
            body = insert(good, {"name": "x", **file})
            answer = await api.rest("POST", path, world.editor, body)
            assert answer.status_code == 422, answer.text
            place = f"changes[0].files[1].{field}".rstrip(".")
            (detail,) = answer.json()["error"]["details"]
            assert detail["path"] == place, answer.text
            assert problem in detail["message"], answer.text
        await session.commit()
        assert await state(session) == before
        assert canary.connections == 0


async def test_nothing_is_fetched_for_those_who_may_not_write(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    closed = await factories.make_change_request(
        session, space, world.editor, status=ChangeRequestStatus.ARCHIVED
    )
    await session.commit()
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        good = {"name": "a", "url": f"{server.url}notes"}
        live = f"/spaces/{space.id}/content"
        many = [{"name": "a", "url": f"{server.url}{number}"} for number in range(51)]
        batches = [many[:20], many[20:40], many[40:]]
        too_many = {"changes": [{"type": "insert_files", "files": part} for part in batches]}
        for person, path, body, status in (
            (None, live, insert(good), 401),
            (world.outsider, live, insert(good), 404),
            (world.reader, live, insert(good), 403),
            (world.editor, "/spaces/unknown/content", insert(good), 404),
            (world.editor, f"/spaces/{space.id}/change-requests/99/content", insert(good), 404),
            (world.editor, f"/spaces/{space.id}/change-requests/{closed.id}/content",
             insert(good), 412),
            (world.editor, live, too_many, 422),
            (world.editor, live, {"changes": [*insert(good)["changes"], {"type": "delete_page"}]},
             422),
        ):  # fmt: skip
            answer = await api.rest("POST", path, person, body)
            assert answer.status_code == status, answer.text
        stale = await api.rest(
            "POST", live, world.editor, insert(good), headers={"If-Match": '"other"'}
        )
        assert stale.status_code == 409, stale.text
        assert server.connections == 0


async def test_bounds_of_all_files_together(
    database: Database,
    session: Session,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def silent(writer: Any) -> None:
        await asyncio.sleep(30)

    space = await space_of(session, world)
    path = f"/spaces/{space.id}/content"
    monkeypatch.setattr(received_files, "BYTES", 12)
    async with (
        serving(FILES) as server,
        answering(silent) as slow,
        doors(database, tmp_path, server) as api,
        doors(database, tmp_path, slow, request_seconds=6) as hasty,
    ):
        fits = insert({"name": "a", "url": f"{server.url}notes"})
        assert (await api.rest("POST", path, world.editor, fits)).status_code == 200
        files = [{"name": "a", "url": f"{server.url}{one}"} for one in ("notes", "plan.pdf")]
        answer = await api.rest("POST", path, world.editor, insert(*files))
        assert answer.status_code == 422
        assert "all files together have more than 12 bytes" in answer.text
        file = {"name": "a", "url": slow.url}
        answer = await hasty.rest("POST", path, world.editor, insert(file))
        assert answer.status_code == 422
        assert "longer than 4.8 seconds" in answer.text or "in time" in answer.text
