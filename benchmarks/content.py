"""Reads of content in a space of 50 pages and in one of 5,000: what the size of a space costs."""

from dataclasses import dataclass, field

import orjson

from benchmarks.contenders import PRODUCT
from benchmarks.http import Request
from benchmarks.measure import Figures, Load, measure
from benchmarks.page_spaces import PageSpaces, fill_pages
from benchmarks.progress import progress
from benchmarks.servers import free_port, migrated, running, store

SECONDS = 0.5
PAGE = """query($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) { id title path
  ... on DocumentPage { markdown } } }"""
TREE = """query($s: ID!) { revision(spaceId: $s) { pages(first: 100) { nodes { id title path
  ... on DocumentPage { pages(first: 50) { nodes { id title path } } } } } } }"""


@dataclass(slots=True)
class ContentResults:
    """Figures by read and number of pages."""

    figures: dict[str, dict[int, Figures]] = field(default_factory=dict)


def _requests(data: PageSpaces, space_id: str) -> dict[str, Request]:
    base = f"/v1/spaces/{space_id}"
    page, path = data.page_id, data.path

    def graphql(document: str) -> Request:
        values = {"s": space_id, "p": page} if "$p" in document else {"s": space_id}
        body = orjson.dumps({"query": document, "variables": values})
        return Request("POST", "/graphql", data.token, body)

    def rest(part: str) -> Request:
        return Request("GET", base + part, data.token)

    return {
        "one page, GraphQL": graphql(PAGE),
        "one page, /v1": rest(f"/content/page/{page}?format=markdown"),
        "one page by path, /v1": rest(f"/content/path/{path}?format=markdown"),
        "evaluated page, /v1": rest(f"/content/page/{page}?format=markdown&evaluated=true"),
        "page tree, GraphQL": graphql(TREE),
        "page tree, /v1": rest("/content/pages"),
        "changes of one page, /v1": rest(f"/revisions/{data.revisions[space_id]}/changes"),
    }


async def measure_content(kind: str) -> ContentResults:
    """Both interfaces of the product, one connection; everything has been asked for before."""
    results = ContentResults()
    with store(kind) as database:
        progress(f"{kind}: filling spaces of 50 and of 5,000 pages")
        async with migrated(database.url) as connected:
            data = await fill_pages(connected)
        port = free_port()
        environment = {
            "DOCSTEAD_DATABASE_URL": database.url,
            "DOCSTEAD_QUERY_COST": "1000000",
        }
        async with running(PRODUCT(port, database), port, environment) as server:
            for pages, space_id in data.spaces.items():
                for name, request in _requests(data, space_id).items():
                    # The first load makes statements and reads nodes; the second is measured.
                    await measure(server, database, Load(request, SECONDS / 5, 1))
                    found = await measure(server, database, Load(request, SECONDS, 1))
                    results.figures.setdefault(name, {})[pages] = found
    return results
