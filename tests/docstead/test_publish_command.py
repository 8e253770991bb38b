"""From a folder to a page that is read: `import-docs`, `publish`, and again `publish`."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from db.session import Database
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests.docstead.command_line import docstead_async


async def done(*arguments: str) -> Any:
    run = await docstead_async(*arguments, "--json")
    assert run.status == 0, run.err
    return json.loads(run.out)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "README.md").write_text("# Kites\n\nThey fly.\n")
    (docs / "lines.md").write_text("# Lines\n\nThey hold.\n")
    return docs


async def test_a_folder_is_read_at_the_address(folder: Path, tmp_path: Path) -> None:
    data = ["--data-dir", str(tmp_path / "data")]
    person = ["--email", "ada@example.com", "--name", "Ada", "--organization", "Acme"]
    organization = (await done("init", *person, *data))["organization"]["id"]
    imported = await done("import-docs", str(folder), "--organization", organization, *data)
    space = imported["space"]["id"]
    first = await done("publish", space, *data)
    assert first["done"] == ["made the site", "published it"]
    assert first["site"]["title"] == imported["space"]["title"] == "Kites"
    again = await done("publish", space, *data)
    assert again == first | {"done": []}
    unlisted = await done("publish", space, "--visibility", "unlisted", *data)
    assert unlisted["done"] == ["changed who sees it to unlisted"]
    other = await done("import-docs", str(folder), "--new", "--organization", organization, *data)
    on_it = ["publish", other["space"]["id"], "--site", first["site"]["id"]]
    placed = await done(*on_it, *data)
    assert placed["done"] == ["put the space on the site"]
    assert (await done(*on_it, *data))["done"] == []
    titled = await done("publish", space, "--title", "Kites for all", *data)
    assert titled["site"]["title"] == "Kites for all"
    assert titled["site"]["id"] != first["site"]["id"]

    settings = Settings(data_dir=tmp_path / "data", public_url="http://127.0.0.1:8000")
    database = Database(settings.database, pool_size=1)
    transport = httpx2.ASGITransport(app=create_app(settings, Server(settings, database)))
    async with httpx2.AsyncClient(transport=transport, follow_redirects=True) as client:
        page = await client.get(first["url"])
    await database.close()
    assert page.status_code == 200
    assert "They fly." in page.text


async def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    data = ["--data-dir", str(tmp_path / "data")]
    assert (await docstead_async("migrate", *data)).status == 0
    for arguments, text in (
        (["none"], "space 'none' does not exist"),
        (["none", "--site", "x", "--title", "Two"], "--title is for a new site"),
        (["none", "--title", "x"], "title: has 1 character"),
        (["none", "--visibility", "all"], "'all' is not one of"),
    ):
        run = await docstead_async("publish", *arguments, *data)
        (line,) = run.err.splitlines()
        assert (run.status > 0, run.out, text in line) == (True, "", True), line
