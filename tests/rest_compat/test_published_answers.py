"""Every read of /v1 on whole documentation, each answer held against the published contract.

On the demo and a space of odd pages, and with DOCSTEAD_TEST_SOURCE on other documentation as well.
What answers look like does not depend on the kind of database, so one is enough.
"""

import os
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest
from graphql import build_schema

from db.session import Database
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests.conftest import Api, NoDns
from tests.docstead.command_line import docstead_async
from tests.docstead.test_demo import fresh_demo
from tests.graphql_walk import FieldWalk
from tests.odd_documentation import write_odd_documentation
from tests.published_contract import PublishedContract, published_contract
from tests.reads_walk import Json, ReadsWalk

SCHEMA = build_schema(Path("schema/schema.graphql").read_text(encoding="utf-8"))
PUBLIC = "http://docs.test"
# Fields of one query of the walk over types.
MANY = 40
# Reads by POST, and queries that operations need.
BODIES: dict[str, Json] = {"searchSiteContent": {"query": "install"}}
# What authors nest where the published form has no place, and Markdown that is no block of it,
# stays in documents: without it they would be poorer than the text.
KEPT = re.compile(r" document: (?:\S+: holds \S+|markdown: is of no published type)$")
# What is not there: other servers, and settings that neither has.
ABSENT = {
    "getEmbedByUrl", "getEmbedByUrlInSpace", "getSubdomain", "getCustomHostname",
    "getSiteAdaptiveSchema", "getSiteRedirectBySource",
    "getSpaceGitInfo", "getGitOperation", "getGitConfiguration",
    # The walk knows ids, and these want slugs; that of the demo waits for its job.
    "getOpenAPISpecBySlug", "listOpenAPISpecVersions", "getLatestOpenAPISpecVersion",
    "getLatestOpenAPISpecVersionContent",
}  # fmt: skip


@dataclass
class Asking:
    """Asks a server as its admin, and notes what is not as published."""

    api: Api
    headers: dict[str, str]
    contract: PublishedContract
    problems: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    async def __call__(
        self, id: str, path: str, query: Json | None, body: Json | None
    ) -> tuple[int, Any]:
        method = "GET" if body is None else "POST"
        answer = await self.api.rest(
            method, path, None, body, headers=self.headers, params=query or {}
        )
        assert answer.status_code < 500, (path, answer.text)
        kind = answer.headers.get("content-type", "")
        read = orjson.loads(answer.content) if kind.startswith("application/json") else None
        if answer.status_code >= 400 and id:
            self.refused.setdefault(id, f"{path} {query}: {answer.text[:300]}")
        if id in self.contract.operations:
            for problem in self.contract.problems(id, answer.status_code, read):
                if KEPT.search(problem):
                    continue
                place, _, what = problem.partition(": ")
                kind = f"{place.rpartition('.')[2]} {what}"
                self.problems.setdefault(kind, f"{path} {query} {problem}")
        return answer.status_code, read

    async def one(self, path: str) -> Any:
        """A body that is there."""
        status, body = await self("", path, None, None)
        assert status == 200, (path, body)
        return body


@pytest.fixture
async def asking(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Asking]:
    """A server with the demo, odd pages and an empty space, and what else is to be tested."""
    path = tmp_path / "docstead.sqlite3"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}", durable=False)
    folder = tmp_path / "data"
    made = await fresh_demo(database, folder)
    settings = Settings(public_url=PUBLIC, data_dir=folder, query_cost=1_000_000)
    server = Server(settings, database)
    server.hostnames = NoDns()
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url=PUBLIC) as client:
        headers = {"Authorization": f"Bearer {made['token']}"}
        asking = Asking(Api(server, client), headers, await published_contract())
        (organization,) = (await asking.one("/orgs"))["items"]
        write_odd_documentation(tmp_path / "odd")
        given = os.environ.get("DOCSTEAD_TEST_SOURCE", "")
        for source in (str(tmp_path / "odd"), *given.split(os.pathsep)):
            if source:
                done = await docstead_async(
                    "import-docs", source, "--organization", organization["id"],
                    "--data-dir", str(folder), "--database-url", f"sqlite:///{path}",
                )  # fmt: skip
                assert done.status == 0, done
        await _more(asking, f"/orgs/{organization['id']}")
        yield asking
    await database.close()


async def _more(asking: Asking, organization: str) -> None:
    """What the demo lacks: an empty space, odd pages in review, a server, an import that waits."""

    async def post(path: str, body: Json, method: str = "POST") -> Any:
        made = await asking.api.rest(method, path, None, body, headers=asking.headers)
        assert made.status_code in (200, 201), made.text
        return made.json()

    await post(f"{organization}/spaces", {"title": "Empty"})
    requests = (await asking.one(f"{organization}/change-requests"))["items"]
    me = (await asking.one("/user"))["id"]
    other = next(one for one in requests if one["createdBy"]["id"] != me)
    reviewed = f"/spaces/{other['space']}/change-requests/{other['id']}/reviews"
    await post(reviewed, {"status": "approved"})
    spaces = (await asking.one(f"{organization}/spaces?limit=100"))["items"]
    odd = next(one["id"] for one in spaces if one["title"] == "Odd")
    proposed = await post(f"/spaces/{odd}/change-requests", {"subject": "Odd"})
    one = f"/spaces/{odd}/change-requests/{proposed['id']}"
    await post(one, {"status": "open"}, "PATCH")
    (site, *_) = (await asking.one(f"{organization}/sites"))["items"]
    server = {"name": "Odd", "url": "https://mcp.example.com/"}
    await post(f"{organization}/sites/{site['id']}/mcp-servers", server)
    await post(f"{organization}/saml", {"label": "Odd"})
    await post(f"{organization}/link-invites", {"role": "read"})
    run = {
        "source": {"type": "website", "url": "https://docs.example.com"},
        "target": {"space": odd},
    }
    await post(f"{organization.replace('/orgs', '/org')}/imports", run)
    webhook = {"url": "https://hooks.example.com/", "space": odd}
    webhooks = f"{organization}/webhooks"
    made = (await post(webhooks, webhook))["webhook"]
    await post(f"{webhooks}/{made['id']}/test", {})
    integration = {
        "organization": organization.removeprefix("/orgs/"), "title": "Odd", "description": "Odd",
        "script": "export default { fetch() { return new Response('OK') } }", "scopes": [],
        "visibility": "public", "blocks": [{"id": "odd", "title": "Odd"}],
    }  # fmt: skip
    await post("/integrations/odd", integration)
    installation = await post(
        "/integrations/odd/installations", {"organization": integration["organization"]}
    )
    path = f"/integrations/odd/installations/{installation['id']}"
    await post(f"{path}/spaces", {"space": odd})
    await post(f"{path}/sites", {"siteId": site["id"]})


async def test_answers_keep_to_the_published_contract(asking: Asking) -> None:
    (organization,) = (await asking.one("/orgs"))["items"]
    space = (await asking.one(f"/orgs/{organization['id']}/spaces"))["items"][0]
    page = (await asking.one(f"/spaces/{space['id']}/content/pages"))["pages"][0]
    site = (await asking.one(f"/orgs/{organization['id']}/sites"))["items"][0]
    app = f"{PUBLIC}/s/{space['id']}/{page['path']}"
    published = {"url": site["urls"].get("published") or f"{PUBLIC}/sites/{site['id']}"}
    queries: dict[str, Json] = {
        "searchSpaceContent": {"query": "install"},
        "searchOrganizationContent": {"query": "install"},
        "getContentByUrl": {"url": app},
        "getPublishedContentByUrl": published,
        "getEmbedByUrl": {"url": app},
        "getEmbedByUrlInSpace": {"url": app},
        "getSiteRedirectBySource": {"source": "/old"},
    }
    walk = ReadsWalk(asking, BODIES | {"resolvePublishedContentByUrl": published}, queries)
    await walk.run()
    assert asking.problems == {}
    assert asking.refused.keys() <= ABSENT, asking.refused
    # Nothing of the table was left out for want of an id, but what needs a translator, a font or
    # a specification.
    assert walk.unasked() == {
        "getGitOperationById", "listGitConflicts", "listGitPlannedChanges",
        "getCustomFont", "getGlossaryEntry", "getTranslation", "getOpenAPISpecVersionById",
        "getOpenAPISpecVersionContentById",
        # What is below an integration, which is found by its name.
        "getIntegrationByName", "getIntegrationEvent", "getIntegrationInstallationById",
        "getIntegrationSiteInstallation", "getIntegrationSpaceInstallation",
        "getOrganizationIntegrationStatus", "listIntegrationEvents",
        "listIntegrationInstallationSites", "listIntegrationInstallationSpaces",
        "listIntegrationInstallations", "listIntegrationSiteInstallations",
        "listIntegrationSpaceInstallations", "renderIntegrationUIWithGet",
    }  # fmt: skip
    await ask_every_field(asking, {name: [*values] for name, values in walk.known.items()})


async def ask_every_field(asking: Asking, known: dict[str, list[str]]) -> None:
    """Every field of every type, on what the walk found; none may fail without saying why.

    What is refused at the root is refused whatever is selected of it, so it is asked for once. A
    failure further down may take the values beside it away: they are asked for again, with few
    fields in a query.
    """
    walk, few = FieldWalk(SCHEMA, known, together=MANY), FieldWalk(SCHEMA, known)
    roots: set[str] = set()
    beside: set[tuple[str, str]] = set()
    answered: set[tuple[str, str]] = set()
    faults: dict[str, str] = {}
    for fields, query in walk.queries():
        if await _fails_further_down(asking, query, roots, faults):
            beside |= fields
        answered |= fields
    for fields, query in few.queries():
        if fields <= beside:
            await _fails_further_down(asking, query, roots, faults)
    assert faults == {}
    assert walk.fields() == answered


async def _fails_further_down(
    asking: Asking, query: str, refused: set[str], faults: dict[str, str]
) -> bool:
    """Whether a field below the root fails; notes refused roots, and faults of the server."""
    root = query.partition(" { ... on ")[0]
    if root in refused:
        return False
    answer = await asking.api.client.post("/graphql", json={"query": query}, headers=asking.headers)
    body = answer.json()
    assert "data" in body, (query, answer.text[:1000])
    errors = body.get("errors", ())
    for error in errors:
        if error["extensions"]["code"] == "INTERNAL":
            faults.setdefault(f"{error['path'][-1]} {error['message'][:40]}", query)
        elif len(error["path"]) == 1:
            refused.add(root)
    return any(len(error["path"]) > 1 for error in errors)
