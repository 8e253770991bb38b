"""The published client, unmodified, in flows over all served operations against a real server.

Every answer is validated with the schemas of the client's own release.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from db.enums import Role
from db.models.organizations import Organization
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.content.computed import SOURCES
from rest_compat.deviations import DEVIATIONS
from rest_compat.routes.all import ROUTES
from tests import factories
from tests.conftest import Api, NoDns, World
from tests.docstead.test_demo import fresh_demo, person
from tests.fetching.servers import serving
from tests.importing import documents
from tests.listeners import open_listener
from tests.lz_string import compress
from tests.node_packages import run_node
from tests.published_contract import FOLLOWED, NEWEST, PublishedContract, published_contract
from tests.seeds import SAMPLE_SOURCE, SampleSource, Seed, sow

FILES = {
    "/guide.md": ("text/markdown", b"# Guide\n\n![dot](dot.png) Go [on](more.md).\n"),
    "/dot.png": ("image/png", documents.png()),
    "/page.html": ("text/html", b"<title>Page</title><meta name='description' content='About'>"),
}
PAGE = (Path(__file__).parent / "every_kind.md").read_text(encoding="utf-8")
# Statuses that the newest release has changed: clients of both take any 2xx.
CHANGED = {"cancelImportRun: status 201 is not declared"}
SERVED = {row.operation_id for row in ROUTES}
# What no client can do here.
NOT_CALLED = {
    # Runs again what has ended: a run is a job, and no worker runs beside the client's walk, which
    # would change what it reads. Its answers are compared in test_answers.py.
    "runTranslation",
}


@asynccontextmanager
async def listening(
    database: Database, folder: Path, *, send_buffer: int | None = None, **options: Any
) -> AsyncIterator[Api]:
    """Both doors on a port of loopback; `send_buffer` is what the system holds of a connection."""
    listener = open_listener()
    if send_buffer is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    settings = Settings(public_url=base, data_dir=folder, **options)
    live = Server(settings, database)
    live.hostnames = NoDns()
    app = create_app(settings, live)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        async with httpx2.AsyncClient(base_url=base) as client:
            yield Api(live, client, app=app)
    finally:
        await app.state.hub.close()
        server.should_exit = True
        await task
        listener.close()


async def write_every_kind(api: Api, world: World, seed: Seed) -> None:
    """A page with all of the dialect in the seed's space."""
    user = f"docstead:user?user={world.editor.id}"
    text = PAGE.replace("FILE", "docstead:file?file=apng").replace("USER", user)
    page = {"type": "insert_page", "slug": "all", "document": {"markdown": text}}
    written = await api.rest(
        "POST", f"/spaces/{seed.space.id}/content", world.editor, {"changes": [page]}
    )
    assert written.status_code == 200, written.text


async def drive(api: Api, world: World, seed: Seed, demo: dict[str, Any], files: str) -> str:
    """What a flow has to know of the server, as JSON."""
    ada = await person(api.server.database, "ada")
    async with api.server.database.session() as session:
        organization = demo["organization"]["id"]
        await session.begin_write()
        # Spaces and collections are transferred to the other organization.
        other = await session.get_one(Organization, world.organization.id)
        await factories.make_member(session, other, Role.ADMIN, ada)
        await session.commit()
    spaces = await api.rest("GET", f"/orgs/{organization}/spaces", ada)
    template = spaces.json()["items"][0]["id"]
    return json.dumps(
        {
            "base": str(api.client.base_url).rstrip("/"),
            "token": demo["token"],
            "organization": organization,
            "other": world.organization.id,
            "template": template,
            "site": demo["site"],
            "hostname": seed.known["hostname"][0],
            "subdomain": seed.known["subdomain"][0],
            "files": files,
            "everyKind": {
                "token": await api.token_of(world.admin),
                "reviewerToken": await api.token_of(world.reviewer),
                "reviewer": world.reviewer.id,
                "space": seed.space.id,
                "page": "home",
                "reusable": "notice",
                "source": SAMPLE_SOURCE,
                "storageKey": seed.known["storageKey"][0],
            },
            "compressed": compress(
                json.dumps(
                    {
                        "componentId": "box",
                        "props": {},
                        "context": {
                            "type": "document",
                            "spaceId": template,
                            "theme": "light",
                            "editable": False,
                        },
                    }
                )
            ),
        }
    )


def problems(contract: PublishedContract, exchanges: list[dict[str, Any]]) -> set[str]:
    """What is wrong with the answers, each once."""
    found = set()
    for one in exchanges:
        operation = contract.operations.get(one["operation"])
        if operation is not None:
            found |= set(contract.problems(operation.id, one["status"], one["body"]))
    return found


@pytest.fixture
async def demo(database: Database, tmp_path: Path) -> dict[str, Any]:
    """A test names it before `session`: the database is a copy."""
    return await fresh_demo(database, tmp_path / "data")


@pytest.mark.parametrize("package", [FOLLOWED, NEWEST])
async def test_every_answer_keeps_to_the_contract(
    database: Database, demo: dict[str, Any], session: Session, world: World, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, package: str,
) -> None:  # fmt: skip
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    contract = await published_contract(package)
    seed = await sow(session, world)
    folder = tmp_path / "data"
    async with serving(FILES) as files:
        allowed = f"127.0.0.1:{files.port}"
        translator = {"translation_provider": "command", "translation_command": "cat"}
        async with listening(database, folder, fetch_allow=allowed, **translator) as api:
            await write_every_kind(api, world, seed)
            stdin = await drive(api, world, seed, demo, files.url)
            printed = await run_node("published_client.js", f"@gitbook/{package}", stdin=stdin)
            await api.server.runner.close()
    result = json.loads(printed)
    assert result["failures"] == []
    exchanges = result["exchanges"]
    found = problems(contract, exchanges)
    if package == NEWEST:
        for left in DEVIATIONS:
            for member in left.members:
                text = f"'{member.rpartition('.')[2]}' is a required property"
                assert any(
                    text in one and left.schema in contract.schemas_of_answers(one.split()[0])
                    for one in found
                ), (left.schema, member)
        # Nothing but the deviations is absent.
        found = problems(await published_contract(package, DEVIATIONS), exchanges) - CHANGED
    assert found == set()
    assert [one for one in exchanges if one["status"] >= 500] == []
    called = {one["operation"] for one in exchanges if one["status"] < 300}
    assert (SERVED & contract.operations.keys()) - called <= NOT_CALLED
