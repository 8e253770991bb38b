"""Pages whose conditions a visitor does not meet are nowhere, in any read through either door."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from content.pdf.job import Limits
from db.enums import SitePreviews
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.core.runners import read
from resolvers.pdf.operations import Printout
from resolvers.pdf.source import read_print_source
from resolvers.revisions.tree import hidden_mask
from rest_compat.endpoint import plan_of
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from tests.conftest import Api, Queries, World, context
from tests.parity import Question
from tests.published.conditional_sites import (
    CLAIMS,
    DOCUMENT,
    LINK,
    OFFER,
    PAGES,
    SECRET,
    Published,
    publish,
    seen_with,
    title_of,
    visiting,
)
from tests.rest_compat.published.test_visitors import token

READS = [row for row in ROUTES if row.method == "GET"]
TREE = """query($id: ID!) { revision(spaceId: $id) {
  landingPage { id }
  pages { nodes { id ...P } }
  allPages(first: 50) { totalCount nodes {
    id ... on DocumentPage { previous { id } next { id } pages { totalCount nodes { id } } }
  } }
} }
fragment P on Page {
  ... on DocumentPage { pages { nodes { id ... on DocumentPage { pages { nodes { id } } } } } }
  ... on GroupPage { pages { nodes { id ... on DocumentPage { pages { nodes { id } } } } } }
}"""


EVERY_BODY = [
    (form, how)
    for form in ("markdown", "document")
    for how in ("false", "true", "deterministic-only", "values-only")
]


@pytest.fixture
async def api(database: Database, tmp_path: Path) -> AsyncIterator[Api]:
    """Both doors, with room for selections as large as the whole page tree."""
    settings = Settings(
        public_url="http://docs.test", data_dir=tmp_path / "data", query_cost=1_000_000
    )
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


@pytest.fixture
async def published(session: Session, world: World) -> Published:
    return await publish(session, world)


async def ask(api: Api, query: str, headers: dict[str, str], **variables: Any) -> Any:
    """The data of a GraphQL request by a visitor, which must succeed."""
    body = {"query": query, "variables": variables}
    answer = (await api.client.post("/graphql", json=body, headers=headers)).json()
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


def ids_in(nodes: list[dict[str, Any]]) -> list[str]:
    """Ids of pages and of those below them, depth first."""
    found = []
    for node in nodes:
        below = node.get("pages") or []
        found += [node["id"], *ids_in(below["nodes"] if isinstance(below, dict) else below)]
    return found


@pytest.mark.parametrize(("claims", "opened"), CLAIMS)
async def test_reads_of_pages(
    api: Api, published: Published, claims: dict[str, Any], opened: frozenset[str]
) -> None:
    headers = await token(
        api, published.site, claims=claims, change_request_id=published.request.id
    )
    space, seen = f"/spaces/{published.space.id}", seen_with(opened)
    bases = (
        f"{space}/content",
        f"{space}/revisions/{published.revision.id}",
        f"{space}/revisions/{published.preview.id}",
        f"{space}/change-requests/{published.request.number}/content",
    )
    for base in bases:
        for path in (base, f"{base}/pages"):
            tree = (await api.rest("GET", path, None, headers=headers)).json()
            assert ids_in(tree["pages"]) == seen, path
        for id, kind, _, _ in PAGES:
            by_id = await api.rest("GET", f"{base}/page/{id}", None, headers=headers)
            absent = await api.rest("GET", f"{base}/page/nothing", None, headers=headers)
            if id in seen:
                assert (by_id.status_code, by_id.json()["title"]) == (200, title_of(id))
            else:
                message = absent.json()["error"]["message"].replace("nothing", id)
                assert (by_id.status_code, by_id.json()["error"]["message"]) == (404, message)
            if kind is LINK:
                continue
            way = published.paths[id]
            by_path = await api.rest("GET", f"{base}/path/{way}", None, headers=headers)
            absent = await api.rest("GET", f"{base}/path/nothing", None, headers=headers)
            if id in seen:
                assert (by_path.status_code, by_path.json()["id"]) == (200, id)
            else:
                message = absent.json()["error"]["message"].replace("nothing", way)
                assert (by_path.status_code, by_path.json()["error"]["message"]) == (404, message)
    revision = (await ask(api, TREE, headers, id=published.space.id))["revision"]
    documents = [id for id, kind, _, _ in PAGES if kind is DOCUMENT and id in seen]
    assert revision["landingPage"] == {"id": documents[0]}
    assert ids_in(revision["pages"]["nodes"]) == seen
    every = revision["allPages"]
    assert ([one["id"] for one in every["nodes"]], every["totalCount"]) == (seen, len(seen))
    for one in every["nodes"]:
        if one["id"] in documents:
            place = documents.index(one["id"])
            before = documents[place - 1] if place else None
            behind = documents[place + 1] if place + 1 < len(documents) else None
            assert (one["previous"] or {}).get("id") == before
            assert (one["next"] or {}).get("id") == behind
            assert one["pages"]["totalCount"] == len(one["pages"]["nodes"])


def asked(row: Row, published: Published, document: str) -> list[tuple[str, dict[str, str]]]:
    """Paths of a row with its parameters, for every page and both contents."""
    known = {
        "organizationId": [published.site.organization_id],
        "siteId": [published.site.id],
        "spaceId": [published.space.id],
        "revisionId": [published.revision.id, published.preview.id],
        "changeRequestId": [published.request.id],
        "pageId": [id for id, *_ in PAGES],
        "pagePath": list(published.paths.values()),
        "documentId": [document],
        "fileId": ["pdf"],
        "reusableContentId": ["notice"],
    }
    names = re.findall(r"{(\w+)(?::\w+)?}", row.path)
    found: list[dict[str, str]] = [{}]
    for name in names:
        found = [{**one, name: id} for one in found for id in known.get(name, ["none"])]
    template = re.sub(r"{(\w+):\w+}", r"{\1}", row.path)
    return [(template.format(**one), one) for one in found]


async def test_no_read_tells_of_a_hidden_page(api: Api, world: World, published: Published) -> None:
    """Every read of /v1, and the same in GraphQL, by a visitor without claims."""
    shown = await api.rest("GET", f"/spaces/{published.space.id}/content/pages", world.reader)
    # What people read is kept; it must not get to visitors.
    assert SECRET in shown.text
    secret = next(one for one in shown.json()["pages"] if one["id"] == "sfirst")
    headers = await token(api, published.site, change_request_id=published.request.id)
    statuses: dict[int, int] = {}
    answered = 0
    for row in READS:
        for path, names in asked(row, published, secret["documentId"]):
            needed = "".join(f"?{name}=apple" for name in plan_of(row).required)
            choices = [{"format": form, "evaluated": how} for form, how in EVERY_BODY]
            for values in [{}, *choices] if "format" in row.choices else [{}]:
                query = "&".join(f"{name}={value}" for name, value in values.items())
                found = await api.rest(
                    "GET", path + needed + (f"?{query}" if query else ""), None, headers=headers
                )
                assert not [one for one in (SECRET, OFFER) if one in found.text], (path, found.text)
                statuses[found.status_code] = statuses.get(found.status_code, 0) + 1
            given = dict.fromkeys(plan_of(row).required, "apple")
            body = {"query": Question(row, names, {}, given).graphql()}
            answer = await api.client.post("/graphql", json=body, headers=headers)
            assert not [one for one in (SECRET, OFFER) if one in answer.text], (path, answer.text)
            answered += "errors" not in answer.json()
    assert min(statuses[200], answered) > 60
    assert set(statuses) <= {200, 204, 400, 401, 403, 404, 422}


async def test_changes_and_addresses(api: Api, world: World, published: Published) -> None:
    space = f"/spaces/{published.space.id}"
    since = f"{space}/revisions/{published.preview.id}/changes?limit=100"
    for claims, opened in CLAIMS:
        headers = await token(
            api, published.site, claims=claims, change_request_id=published.request.id
        )
        told = (await api.rest("GET", since, None, headers=headers)).json()
        changes, redirects = told["changes"], told["redirects"]
        assert sorted(one["after"]["page"]["id"] for one in redirects["changes"]) == sorted(
            seen_with(opened)
        )
        assert redirects["total"] == len(redirects["changes"])
        edited = [one["page"]["id"] for one in changes if "page" in one]
        different = {id for id, kind, _, _ in PAGES if kind in (DOCUMENT, LINK)}
        assert sorted(edited) == sorted(different & set(seen_with(opened)))
        pdf = await api.rest("GET", f"{space}/pdf", None, headers=headers)
        assert "hidden=" in pdf.json()["url"]
        refused = await api.rest("GET", f"{space}/pdf?page=snever", None, headers=headers)
        assert refused.status_code == 404
    whole = await api.rest("GET", f"{space}/pdf", world.reader)
    assert "hidden=" not in whole.json()["url"]


@pytest.mark.parametrize(("claims", "opened"), CLAIMS)
async def test_a_pdf_holds_what_is_seen(
    session: Session, published: Published, claims: dict[str, Any], opened: frozenset[str]
) -> None:
    visitor = visiting(session, published, claims)
    mask = await hidden_mask(visitor, published.revision)
    printout = Printout(published.space.id, published.revision.id, hidden=mask)
    source = await read(context(session), read_print_source, printout, Limits())
    assert [page.id for page in source.job.pages] == seen_with(opened)
    assert (SECRET in str(source.job)) == bool(opened)


async def test_links_are_for_people(api: Api, world: World, published: Published) -> None:
    """What is linked in a part that is withheld would tell of it."""
    headers = await token(api, published.site, change_request_id=published.request.id)
    space = f"/spaces/{published.space.id}"
    bases = (f"{space}/content", f"{space}/change-requests/{published.request.id}/content")
    paths = [
        f"{base}/{path}" for base in bases
        for path in ("page/guide/links", "page/guide/backlinks", "files/pdf/backlinks")
    ]  # fmt: skip
    paths += [f"{space}/links", f"{space}/change-requests/{published.request.id}/links"]
    for path in paths:
        assert (await api.rest("GET", path, world.admin)).status_code == 200, path
        assert (await api.rest("GET", path, None, headers=headers)).status_code == 403, path


async def test_no_body_holds_what_is_withheld(api: Api, world: World, published: Published) -> None:
    """However it is asked for; people of the organization get what is stored."""
    headers = await token(api, published.site)
    space = f"/spaces/{published.space.id}"
    page, notice = f"{space}/content/page/home", f"{space}/content/reusable-contents/notice"
    documents = [
        (await api.rest("GET", page, world.reader)).json()["documentId"],
        (await api.rest("GET", notice, world.reader)).json()["document"],
    ]
    asked = [f"{page}?format={form}&evaluated={how}" for form, how in EVERY_BODY]
    asked += [f"{space}/documents/{id}" for id in documents]
    for path in asked:
        seen = await api.rest("GET", path, None, headers=headers)
        assert (seen.status_code, OFFER in seen.text) == (200, False), path
        whole = await api.rest("GET", path, world.reader)
        stays = "evaluated" not in path or path.endswith(("=false", "=values-only"))
        assert (OFFER in whole.text) == stays, path


async def test_documents_by_id(api: Api, world: World, published: Published) -> None:
    space = f"/spaces/{published.space.id}"
    tree = (await api.rest("GET", f"{space}/content/pages", world.reader)).json()["pages"]
    secret = next(one["documentId"] for one in tree if one["id"] == "sfirst")
    home = next(one["documentId"] for one in tree if one["id"] == "home")
    notice = await api.rest("GET", f"{space}/content/reusable-contents/notice", world.reader)
    for claims, status in (({}, 404), ({"beta": True}, 200)):
        headers = await token(api, published.site, claims=claims)
        for document, expected in ((secret, status), (home, 200), (notice.json()["document"], 200)):
            found = await api.rest("GET", f"{space}/documents/{document}", None, headers=headers)
            assert found.status_code == expected, (claims, document)
            if expected == 404:
                message = f"document {document!r} does not exist in the space"
                assert found.json()["error"]["message"] == message
    preview = (await api.rest(
        "GET", f"{space}/revisions/{published.preview.id}/page/home", world.reader
    )).json()  # fmt: skip
    path = f"{space}/documents/{preview['documentId']}"
    headers = await token(api, published.site)
    assert (await api.rest("GET", path, None, headers=headers)).status_code == 404
    headers = await token(api, published.site, change_request_id=published.request.id)
    assert (await api.rest("GET", path, None, headers=headers)).status_code == 200


async def test_an_answer_that_is_kept_is_that_of_these_claims(
    api: Api, published: Published
) -> None:
    path = f"/spaces/{published.space.id}/content/pages"
    tags = set()
    for claims, opened in CLAIMS * 2:
        headers = await token(api, published.site, claims=claims)
        found = await api.rest("GET", path, None, headers=headers)
        assert ids_in(found.json()["pages"]) == seen_with(opened)
        again = await api.rest(
            "GET", path, None, headers={**headers, "If-None-Match": found.headers["ETag"]}
        )
        assert again.status_code == 304
        tags.add(found.headers["ETag"])
    assert len(tags) == len(CLAIMS)


async def test_moved_pages_are_found_where_they_are_seen(
    api: Api, world: World, published: Published
) -> None:
    content = f"/spaces/{published.space.id}/content"
    moved = {"changes": [
        {"type": "update_page", "page": "sinside", "slug": "elsewhere"},
        {"type": "update_page", "page": "last", "slug": "end"},
    ]}  # fmt: skip
    written = await api.rest("POST", content, world.admin, moved)
    assert written.status_code == 200, written.text
    for claims, status in (({}, 404), ({"plan": "pro"}, 200)):
        headers = await token(api, published.site, claims=claims)
        for path in ("sgroup/sinside", "sgroup/sinside/sbelow"):
            found = await api.rest("GET", f"{content}/path/{path}", None, headers=headers)
            assert found.status_code == status, path
        found = await api.rest("GET", f"{content}/path/open/last", None, headers=headers)
        assert (found.status_code, found.json()["path"]) == (200, "open/end")


async def test_statements(
    api: Api, world: World, session: Session, published: Published, queries: Queries
) -> None:
    """Answers that are kept take two, also those with conditions."""
    (await session.merge(published.site)).previews = SitePreviews.MEMBERS
    await session.commit()
    path = f"/spaces/{published.space.id}/content"
    headers = await token(api, published.site)
    for part in ("/pages", "/page/home"):
        await api.rest("GET", path + part, world.reader)
        await api.rest("GET", path + part, None, headers=headers)
        # The token; whether the reader finds the same content.
        with queries(2):
            await api.rest("GET", path + part, world.reader)
        # The version of the site; that and the one of the space.
        with queries(2):
            await api.rest("GET", path + part, None, headers=headers)


FRONT_MATTER = """query($space: ID!, $page: ID!) { revision(spaceId: $space) { page(id: $page) {
  ... on DocumentPage { markdown(frontMatter: true) } } } }"""


async def test_front_matter_of_visitors(api: Api, world: World, published: Published) -> None:
    base, id = f"/spaces/{published.space.id}/content", "home"
    text = f"---\nicon: bolt\nowner: {SECRET}\n---\n"
    changes = [{"type": "update_page", "page": id, "document": {"markdown": text}}]
    request = f"/spaces/{published.space.id}/change-requests/{published.request.number}/content"
    done = await api.rest("POST", request, world.editor, {"changes": changes})
    assert done.status_code == 200, done.text
    query = f"page/{id}?format=markdown&frontMatter=true"
    whole = (await api.rest("GET", f"{request}/{query}", world.reader)).json()["markdown"]
    condition = "if: space.vars.edition == 'pro'\n"
    assert whole == f"---\nicon: bolt\n{condition}owner: {SECRET}\n---\n\n# Home\n"
    headers = await token(api, published.site, claims={}, change_request_id=published.request.id)
    shown = (await api.rest("GET", f"{request}/{query}", None, headers=headers)).json()
    assert shown["markdown"] == "---\nicon: bolt\n---\n\n# Home\n"
    found = await ask(api, FRONT_MATTER, headers, space=published.space.id, page=id)
    assert not found["revision"]["page"]["markdown"].startswith("---")
    primary = (await api.rest("GET", f"{base}/{query}", None, headers=headers)).json()["markdown"]
    assert primary == found["revision"]["page"]["markdown"]
