"""Anchors of headings in the JSON documents of both doors, in search and on published pages."""

import re
from typing import Any

from sqlalchemy import select

from db.models.content import Document
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.test_sites import get, make_pages

TEXT = """{% if space.vars.hidden == "no" %}
## Gauge
{% endif %}

## Gauge

Text about gauges.

## Version <code class="expression">space.vars.version</code>

## Own <a href="#mine" id="mine"></a>
"""
ALL = ["gauge", "gauge-1", "version-space-vars-version", "mine"]
QUERY = """query ($space: ID!, $evaluated: Evaluated!) {
  page(spaceId: $space, id: "start") { ... on DocumentPage {
    document(evaluated: $evaluated) } } }"""


def anchors(document: dict[str, Any]) -> list[str]:
    """What the headings of a JSON document say."""
    return re.findall(r"'meta': {'id': '([^']*)'}", str(document))


async def test_anchors_are_the_same_everywhere(api: Api, session: Session, world: World) -> None:
    space = await make_pages(session, world, "Guide", start={"text": TEXT})
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    base = f"/spaces/{space.id}/content"
    for evaluated, expected in (("false", ALL), ("true", ALL[1:])):
        path = f"{base}/page/start?format=document&evaluated={evaluated}"
        page = (await api.rest("GET", path, world.reader)).json()
        assert anchors(page["document"]) == expected
        data = await api.data(QUERY, world.reader, space=space.id, evaluated=evaluated.upper())
        assert anchors(data["page"]["document"]) == expected
    current = (await api.rest("GET", base, world.reader)).json()["id"]
    path = f"/spaces/{space.id}/revisions/{current}/page/start/document"
    document = (await api.rest("GET", path, world.reader)).json()
    assert anchors(document) == ALL
    await session.commit()
    id = (await session.execute(select(Document.id).where(Document.space_id == space.id))).scalar()
    named = f"/spaces/{space.id}/documents/{id}"
    assert anchors((await api.rest("GET", named, world.reader)).json()) == ALL
    # What was read can be written back: nothing has changed.
    written = await api.rest(
        "POST", base, world.admin,
        {"changes": [{"type": "update_page", "page": "start", "document": {
            "object": "document", "data": document["data"], "nodes": document["nodes"]}}]},
    )  # fmt: skip
    assert (written.status_code, written.json()["changed"]) == (200, False), written.text
    html = (await get(api, site)).text
    # The outline beside the text has a heading of its own.
    assert re.findall(r'<h[1-6][^>]* id="([^"]+)"', html) == [*ALL[1:], "site:outline"]
    found = await api.rest("GET", f"/spaces/{space.id}/search?query=gauges", world.reader)
    assert "#gauge-1" in found.text
