"""The demo: complete, made once, seen by each person as their role allows."""

import json
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import func, select

from content.git_layout import read_space
from content.sources import open_source
from db.models.all import metadata
from db.models.people import User
from db.session import Database
from docstead.demo import EXAMPLES, ExamplesMissingError, email_of, read_examples
from docstead.demo_story import BOOKS, PEOPLE, PROPOSALS, SITES
from tests.conftest import Api
from tests.docstead.command_line import docstead_async


@pytest.fixture
async def demo(database: Database, tmp_path: Path) -> dict[str, Any]:
    """What `docstead demo` prints, on the test's database."""
    return await run_demo(database, tmp_path / "data")


async def run_demo(database: Database, folder: Path) -> dict[str, Any]:
    url = database.url.render_as_string(hide_password=False)
    done = await docstead_async(
        "demo", "--no-serve", "--json", "--data-dir", str(folder), "--database-url", url
    )
    assert (done.status, done.err) == (0, ""), done
    made: dict[str, Any] = json.loads(done.out)
    return made


async def person(database: Database, name: str) -> User:
    async with database.session() as session:
        statement = select(User).where(User.email == email_of(name))
        found: User = (await session.execute(statement)).scalar_one()
        return found


async def table_sizes(database: Database) -> dict[str, int]:
    async with database.connection() as connection:
        return {
            name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for name, table in metadata.tables.items()
        }


async def test_token_works_at_both_doors(demo: dict[str, Any], api: Api) -> None:
    headers = {"Authorization": f"Bearer {demo['token']}"}
    user = (await api.client.get("/v1/user", headers=headers)).json()
    assert (user["displayName"], user["email"]) == (PEOPLE["ada"].name, demo["email"])
    answer = await api.client.post("/graphql", json={"query": "{ viewer { id } }"}, headers=headers)
    assert answer.json()["data"] == {"viewer": {"id": user["id"]}}


async def test_token_file_is_for_its_owner_only(demo: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "data" / "demo-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == demo["token"] + "\n"


async def test_second_run_changes_nothing(
    demo: dict[str, Any], database: Database, tmp_path: Path
) -> None:
    before = await table_sizes(database)
    assert await run_demo(database, tmp_path / "data") == demo
    assert await table_sizes(database) == before


@pytest.mark.parametrize("lost", ["revoked", "missing", "damaged"])
async def test_token_that_no_longer_works_is_replaced(
    demo: dict[str, Any], database: Database, api: Api, tmp_path: Path, lost: str
) -> None:
    file = tmp_path / "data" / "demo-token"
    if lost == "revoked":
        url = database.url.render_as_string(hide_password=False)
        done = await docstead_async(
            "token", "revoke", "--email", demo["email"], "--label", "demo", "--database-url", url
        )
        assert done.status == 0
    elif lost == "missing":
        file.unlink()
    else:
        file.write_bytes(b"\xff\x00")
    again = await run_demo(database, tmp_path / "data")
    assert again["token"] != demo["token"]
    headers = {"Authorization": f"Bearer {again['token']}"}
    assert (await api.client.get("/v1/user", headers=headers)).status_code == 200
    assert file.read_text() == again["token"] + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


ALL = {book.title for book in BOOKS}


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("ada", ALL),
        ("dana", ALL),
        ("grete", ALL),
        # A guest sees what was granted to him.
        ("hugo", {"Docstead user guide", "Gauge G2 manual"}),
    ],
)
async def test_people_see_what_their_roles_allow(
    demo: dict[str, Any], database: Database, api: Api, name: str, titles: set[str]
) -> None:
    user = await person(database, name)
    path = f"/orgs/{demo['organization']['id']}/spaces"
    listed = (await api.rest("GET", path, user)).json()
    assert {space["title"] for space in listed["items"]} == titles
    query = "query ($id: ID!) { organization(id: $id) { spaces { nodes { title } } } }"
    data = await api.data(query, user, id=demo["organization"]["id"])
    assert {space["title"] for space in data["organization"]["spaces"]["nodes"]} == titles


DISCUSSIONS = """query ($id: ID!) { organization(id: $id) {
  spaces { nodes { title
    changeRequests(status: ALL) { nodes { number subject status comments(status: ALL) { nodes {
      status replies { nodes { postedBy { displayName } } } reactions { emoji count } } } } }
    comments(status: ALL) { nodes { status reactions { emoji count } } }
  } }
  sites { nodes { title siteSpaces { nodes { path default space { title } } } } }
} }"""


async def test_discussions_and_sites_are_there(
    demo: dict[str, Any], database: Database, api: Api
) -> None:
    ada = await person(database, "ada")
    query = DISCUSSIONS
    data = await api.data(query, ada, id=demo["organization"]["id"])
    spaces = data["organization"]["spaces"]["nodes"]
    requests = [one for space in spaces for one in space["changeRequests"]["nodes"]]
    assert len(requests) == len(PROPOSALS)
    assert {one["status"] for one in requests} == {"DRAFT", "OPEN", "ARCHIVED"}
    remarks = [one for request in requests for one in request["comments"]["nodes"]]
    remarks += [one for space in spaces for one in space["comments"]["nodes"]]
    assert {one["status"] for one in remarks} == {"OPEN", "RESOLVED"}
    assert any(one["reactions"] for one in remarks)
    assert any(one.get("replies", {}).get("nodes") for one in remarks)
    sites = data["organization"]["sites"]["nodes"]
    assert {site["title"]: len(site["siteSpaces"]["nodes"]) for site in sites} == {
        title: len(folders) for title, folders in SITES.items()
    }
    for site in sites:
        assert [one["default"] for one in site["siteSpaces"]["nodes"]].count(True) == 1


async def test_without_the_examples_the_demo_says_what_to_do(tmp_path: Path) -> None:
    with ExitStack() as sources, pytest.raises(ExamplesMissingError, match="from a checkout"):
        read_examples(sources, tmp_path)


# ------------------------------------------------------------------ the examples themselves


@pytest.mark.parametrize("folder", [book.folder for book in BOOKS])
def test_example_reads_without_a_warning(folder: str) -> None:
    with open_source(EXAMPLES / folder) as source:
        space = read_space(source)
        assert space.warnings == ()
        assert 6 <= sum(page.kind == "document" for page in space.walk()) <= 14


def test_examples_have_no_dangling_link_and_no_tag_that_was_not_understood() -> None:
    with ExitStack() as sources:
        examples = read_examples(sources)
    for folder, prepared in examples.items():
        for _, data in prepared.changes.documents.values():
            problems = [text for node in orjson.loads(data)["nodes"] for text in _problems(node)]
            assert problems == [], folder


def _problems(node: dict[str, Any]) -> list[str]:
    """Links to nowhere and raw tags in a node, outside code."""
    if node.get("type") == "code":
        return []
    found = [leaf["text"] for leaf in node.get("leaves", []) if "{%" in leaf["text"]]
    reference = (node.get("data") or {}).get("ref") or {}
    if reference.get("kind") == "url" and "://" not in reference["url"]:
        found.append(reference["url"])
    for child in [*(node.get("nodes") or []), *(node.get("fragments") or [])]:
        found += _problems(child)
    return found
