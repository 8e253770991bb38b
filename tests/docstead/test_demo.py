"""The demo: complete, made once, seen by each person as their role allows."""

import asyncio
import json
import re
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest
from sqlalchemy import func, select

from content.git.layout import read_space
from content.pdf.job import PACKAGES
from content.sources.opening import open_source
from db.enums import Role
from db.job_enums import JobKind
from db.models.all import metadata
from db.models.organizations import User
from db.session import Database
from docstead.demo.filling import EXAMPLES, ExamplesMissingError, email_of, read_examples
from docstead.demo.story import BOOKS, PEOPLE, PROPOSALS, SHOWN, SITES
from jobs.table import KINDS
from tests.account_pages.browsing import Browser
from tests.conftest import Api
from tests.docstead.command_line import docstead_async
from tests.docstead.demo_data import demo_folder
from tests.jobs.queue import Queue

ROOT = Path(__file__).parents[2]


def test_the_demo_installs_what_makes_pdfs() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for rule in (r"demo: \$\(VENV\)/\.pdf\b", r"\$\(VENV\)/\.pdf: .* requirements/pdf\.txt$"):
        assert re.search(f"^{rule}", makefile, re.MULTILINE), rule
    installed = (ROOT / "requirements" / "pdf.txt").read_text()
    for package in PACKAGES:
        # Pillow's package has another name than its module.
        name = {"PIL": "pillow"}.get(package, package)
        assert re.search(f"^{name}==", installed, re.MULTILINE), package


@pytest.fixture
async def demo(database: Database, tmp_path: Path) -> dict[str, Any]:
    """What `docstead demo` prints, on the test's database."""
    return await fresh_demo(database, tmp_path / "data")


async def fresh_demo(database: Database, folder: Path) -> dict[str, Any]:
    """The demo in an empty database; on SQLite it is a copy."""
    if not database.is_sqlite:
        return await run_demo(database, folder)
    await database.close()
    made: dict[str, Any] = await asyncio.to_thread(
        demo_folder, folder, Path(str(database.url.database))
    )
    return made


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


async def test_token_works_at_both_doors_and_is_kept(
    demo: dict[str, Any], database: Database, api: Api, tmp_path: Path
) -> None:
    headers = {"Authorization": f"Bearer {demo['token']}"}
    user = (await api.client.get("/v1/user", headers=headers)).json()
    assert (user["displayName"], user["email"]) == (PEOPLE["ada"].name, demo["email"])
    answer = await api.client.post("/graphql", json={"query": "{ viewer { id } }"}, headers=headers)
    assert answer.json()["data"] == {"viewer": {"id": user["id"]}}

    file = tmp_path / "data" / "demo-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == demo["token"] + "\n"

    before = await table_sizes(database)
    again = await run_demo(database, tmp_path / "data")
    assert again | {"people": None} == demo | {"people": None}
    after = await table_sizes(database)
    # Each start makes links anew, for the ones before may be used, and the audit log says so.
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"sign_in_link", "audit_entry"}


async def test_everybody_has_a_link_that_signs_them_in(api: Api, demo: dict[str, Any]) -> None:
    assert {person["role"] for person in demo["people"]} == {None, *(role.value for role in Role)}
    for person in demo["people"]:
        path = urlsplit(person["signInLink"]).path
        page = (await Browser(api).get(path)).text
        assert f"Sign in as {person['displayName']}" in page
        assert person["email"] in page


async def test_token_that_no_longer_works_is_replaced(
    demo: dict[str, Any], database: Database, api: Api, tmp_path: Path
) -> None:
    file = tmp_path / "data" / "demo-token"
    url = database.url.render_as_string(hide_password=False)

    async def revoke() -> None:
        options = ["--email", demo["email"], "--label", "demo", "--database-url", url]
        assert (await docstead_async("token", "revoke", *options)).status == 0

    async def lose() -> None:
        file.unlink()

    async def damage() -> None:
        file.write_bytes(b"\xff\x00")

    seen = {demo["token"]}
    for spoil in (revoke, lose, damage):
        await spoil()
        again = await run_demo(database, tmp_path / "data")
        assert again["token"] not in seen, spoil.__name__
        seen.add(again["token"])
        headers = {"Authorization": f"Bearer {again['token']}"}
        assert (await api.client.get("/v1/user", headers=headers)).status_code == 200
        assert file.read_text() == again["token"] + "\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


ALL = {book.title for book in BOOKS}
# A guest sees what was granted to him.
VISIBLE = {
    "ada": ALL,
    "dana": ALL,
    "grete": ALL,
    "hugo": {"Docstead user guide", "Gauge G2 manual"},
}
DISCUSSIONS = """query ($id: ID!) { organization(id: $id) {
  spaces(first: 5) { nodes { title
    changeRequests(first: 5) { nodes { number subject status
      comments(first: 5, status: ALL) { nodes { ...remark } } } }
    comments(first: 5, status: ALL) { nodes { ...remark } }
  } }
  sites(first: 5) { nodes { title siteSpaces(first: 5) { nodes { path default } } } }
} }
fragment remark on Comment {
  status reactions { emoji count } replies(first: 2) { nodes { postedBy { displayName } } }
}"""


async def test_content_is_complete_and_seen_as_roles_allow(
    demo: dict[str, Any], database: Database, api: Api
) -> None:
    id = demo["organization"]["id"]
    query = "query ($id: ID!) { organization(id: $id) { spaces { nodes { title } } } }"
    for name, titles in VISIBLE.items():
        user = await person(database, name)
        listed = (await api.rest("GET", f"/orgs/{id}/spaces", user)).json()
        assert {space["title"] for space in listed["items"]} == titles, name
        data = await api.data(query, user, id=id)
        assert {space["title"] for space in data["organization"]["spaces"]["nodes"]} == titles

    data = await api.data(DISCUSSIONS, await person(database, "ada"), id=id)
    spaces = data["organization"]["spaces"]["nodes"]
    requests = [one for space in spaces for one in space["changeRequests"]["nodes"]]
    assert len(requests) == len(PROPOSALS)
    assert {one["status"] for one in requests} == {"DRAFT", "OPEN", "ARCHIVED"}
    remarks = [one for part in (*requests, *spaces) for one in part["comments"]["nodes"]]
    assert {one["status"] for one in remarks} == {"OPEN", "RESOLVED"}
    assert any(one["reactions"] for one in remarks)
    assert any(one["replies"]["nodes"] for one in remarks)
    sites = data["organization"]["sites"]["nodes"]
    placed = {site["title"]: [one["default"] for one in site["siteSpaces"]["nodes"]]
              for site in sites}  # fmt: skip
    # Every site space is the default of its section; without sections, the first one of the site.
    assert placed == {site.title: [True] * len(site.folders) for site in SITES}


async def test_sites_are_there_for_browsers(demo: dict[str, Any], api: Api) -> None:
    root = demo["site"].removeprefix("http://127.0.0.1:8000")
    page = await api.client.get(root)
    assert page.status_code == 200, page.text
    assert "<title>Gauge G2 | Kelpline documentation</title>" in page.text
    (announcement,) = filter(None, [SHOWN.announcement])
    for shown in (announcement, SHOWN.copyright, *SHOWN.sections, "Get a key", "Quickstart"):
        assert f">{shown}<" in page.text, shown
    (sheet,) = re.findall(r'<link rel="stylesheet" href="(.*?)"', page.text)
    assert SHOWN.colour is not None
    assert SHOWN.colour[0] in (await api.client.get(sheet)).text
    moved = await api.client.get(f"{root}/battery")
    assert moved.headers["location"].endswith(f"{root}/use/battery")
    section = await api.client.get(f"{root}/data-api/start/keys")
    assert section.status_code == 200

    headers = {"Authorization": f"Bearer {demo['token']}"}
    query = """query ($id: ID!) { organization(id: $id) { sites(first: 2) {
      nodes { title visibility published urls { published }
              shareLinks(first: 5) { nodes { name urls { published } } } }
    } } }"""
    asked = {"query": query, "variables": {"id": demo["organization"]["id"]}}
    answer = (await api.client.post("/graphql", json=asked, headers=headers)).json()
    sites = {one["title"]: one for one in answer["data"]["organization"]["sites"]["nodes"]}
    assert all(one["published"] for one in sites.values())
    for wanted in SITES:
        links = sites[wanted.title]["shareLinks"]["nodes"]
        assert tuple(one["name"] for one in links) == wanted.links
    # The guide is read with a key, and not without.
    guide = sites["Docstead guide"]
    (link,) = guide["shareLinks"]["nodes"]
    path = link["urls"]["published"].removeprefix("http://docs.test")
    assert (await api.client.get(path)).status_code == 200
    assert (await api.client.get(path.rpartition("/")[0])).status_code == 404


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


# ------------------------------------------------------------------ the README's examples

README = (Path(__file__).parent.parent.parent / "README.md").read_text()


def example(heading: str, language: str) -> str:
    """The first fenced code of a language below a heading of the README."""
    part = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return part.partition(f"```{language}\n")[2].partition("```")[0]


def masked(value: Any) -> Any:
    """The value without what differs between installations: ids and the address."""
    text = re.sub(r"\b[0-9][0-9A-Za-z]{19}\b", "ID", json.dumps(value))
    return json.loads(re.sub(r"http://(127\.0\.0\.1:8000|docs\.test)", "BASE", text))


async def test_examples_of_the_readme_answer_as_it_says(demo: dict[str, Any], api: Api) -> None:
    headers = {"Authorization": f"Bearer {demo['token']}"}
    query = example("A first query", "graphql")
    answer = await api.client.post("/graphql", json={"query": query}, headers=headers)
    assert answer.json() == json.loads(example("A first query", "json"))

    command = example("The same through /v1", "bash")
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/v1\S*)", command)
    answer = await api.client.get(path, headers=headers)
    assert masked(answer.json()) == masked(json.loads(example("The same through /v1", "json")))


async def test_the_reference_of_the_api_is_found(demo: dict[str, Any], api: Api) -> None:
    """By what people look for: operations by what they do, by method and path; on the site, too."""
    kinds = {kind: KINDS[kind] for kind in (JobKind.SPECIFICATION, JobKind.COMPUTED_PAGES)}
    for _ in range(2):
        await Queue(api.server).work(kinds)
    headers = {"Authorization": f"Bearer {demo['token']}"}
    organization = demo["organization"]["id"]
    path = f"/v1/orgs/{organization}/search"

    async def hits(query: str) -> list[str]:
        answer = await api.client.get(path, params={"query": query, "limit": 50}, headers=headers)
        assert answer.status_code == 200, answer.text
        return [page["title"] for space in answer.json()["items"] for page in space["pages"]]

    for query, title in (
        ("GET /spaces/{spaceId}", "spaces"), ("upload font", "custom-fonts"),
        ("openapi specification", "openapi"),
    ):  # fmt: skip
        assert title in await hits(query), (query, await hits(query))
