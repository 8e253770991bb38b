"""The first page, with its count, of 10,000 spaces in nested collections: by kind of person."""

from dataclasses import dataclass, field

import orjson

from benchmarks.contenders import PRODUCT
from benchmarks.data import fill_lists
from benchmarks.http import Request
from benchmarks.measure import Figures, Load, measure
from benchmarks.progress import progress
from benchmarks.servers import free_port, migrated, running, store

LISTED = "query($id: ID!) { organization(id: $id) { spaces { totalCount nodes { id title } } } }"
SECONDS = 0.5


@dataclass(slots=True)
class ListResults:
    """Figures by person and interface."""

    figures: dict[str, dict[str, Figures]] = field(default_factory=dict)


async def measure_lists(kind: str) -> ListResults:
    """Both interfaces of the product, one connection."""
    results = ListResults()
    with store(kind) as database:
        progress(f"{kind}: filling the database with 10,000 spaces")
        async with migrated(database.url) as connected:
            data = await fill_lists(connected)
        body = orjson.dumps({"query": LISTED, "variables": {"id": data.organization_id}})
        port = free_port()
        environment = {"DOCSTEAD_DATABASE_URL": database.url}
        async with running(PRODUCT(port, database), port, environment) as server:
            for person, token in data.tokens.items():
                for name, request in (
                    ("GraphQL", Request("POST", "/graphql", token, body)),
                    ("/v1", Request("GET", f"/v1/orgs/{data.organization_id}/spaces", token)),
                ):
                    # The first load makes statements; the second is measured.
                    await measure(server, database, Load(request, SECONDS / 5, 1))
                    found = await measure(server, database, Load(request, SECONDS, 1))
                    results.figures.setdefault(person, {})[name] = found
    return results
