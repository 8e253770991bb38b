"""Bodies as a visitor reads them: expressions and `if` blocks worked out with its claims."""

from typing import Any

import pytest

from content.markdown.parser import parse_document
from db.base import utc_now
from db.content_enums import PageType
from db.models.site_settings import AdaptiveSchema
from db.models.sites import Site
from db.session import Session
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.rest_compat.published.test_visitors import token

TEXT = (
    'Hello <code class="expression">visitor.claims.name</code> of '
    '<code class="expression">page.vars.product</code>\n\n'
    "{% if visitor.claims.admin %}\nAdmins\n{% endif %}\n\n"
    "{% if visitor.claims.name == 'Ann' %}\nAnn only\n{% endif %}\n\n"
    "{% if visitor.claims.unsigned.beta %}\nBeta\n{% endif %}\n"
)
BOOLEAN = {"type": "boolean", "description": "?"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Name"},
        "admin": BOOLEAN,
        "unsigned": {
            "type": "object", "description": "Unsigned claims of the site visitor.",
            "properties": {"beta": BOOLEAN}, "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}  # fmt: skip
CLAIMS = {"name": "Ann", "admin": True}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """A site with one page, whose text is that of a reusable content as well."""
    space = await factories.make_space(session, world.organization)
    changes = Changes()
    body = changes.add_document(TEXT, parse_document(TEXT, seed="a"))
    changes.pages["p"] = Page(
        space_id=space.id, revision_id="", id="p", type=PageType.DOCUMENT, title="P", order="a",
        parent_id=None, slug="p", variables={"product": "Docs"}, document_id=body,
    )  # fmt: skip
    changes.contents["c"] = ReusableContent(
        space_id=space.id, revision_id="", id="c", title="C", document_id=body
    )
    revision = await write_revision(context(session), space.id, None, changes)
    space.revision_id = revision.id
    made = await factories.make_site(
        session, world.organization, space, published=True, adaptive_content=True
    )
    session.add(AdaptiveSchema(site_id=made.id, json_schema=SCHEMA, updated_at=utc_now()))
    await settle(session)
    return made


async def read_markdown(
    api: Api, site: Site, world: World, evaluated: str, headers: dict[str, str]
) -> list[str]:
    """The lines of the page in /v1; the same in GraphQL."""
    listed = await api.rest(
        "GET", f"/orgs/{site.organization_id}/sites/{site.id}/site-spaces", world.admin
    )
    space = listed.json()["items"][0]["space"]["id"]
    path = f"/spaces/{space}/content/page/p?format=markdown&evaluated={evaluated}"
    found = await api.rest("GET", path, None, headers=headers)
    markdown: str = found.json()["markdown"]
    query = """query($space: ID!, $evaluated: Evaluated!) {
      page(spaceId: $space, id: "p") { ... on DocumentPage { markdown(evaluated: $evaluated) } }
    }"""
    variables = {"space": space, "evaluated": evaluated.upper().replace("-", "_")}
    answer = await api.client.post(
        "/graphql", json={"query": query, "variables": variables}, headers=headers
    )
    assert answer.json()["data"]["page"]["markdown"] == markdown
    return [line for line in markdown.splitlines() if line]


@pytest.mark.parametrize(
    ("claims", "lines"),
    [
        ({}, ["# P", "Hello  of Docs"]),
        (CLAIMS, ["# P", "Hello Ann of Docs", "Admins", "Ann only"]),
        ({"unsigned": {"beta": True}}, ["# P", "Hello  of Docs", "Beta"]),
    ],
)
async def test_all_of_it(
    api: Api, world: World, site: Site, claims: dict[str, Any], lines: list[str]
) -> None:
    headers = await token(api, site, claims=claims)
    assert await read_markdown(api, site, world, "true", headers) == lines


async def test_what_is_deterministic(api: Api, world: World, session: Session, site: Site) -> None:
    """Claims that are true, false or one of a few texts; all others are left to the reader."""
    greeting = 'Hello <code class="expression">visitor.claims.name</code> of Docs'
    named = ["{% if visitor.claims.name == 'Ann' %}", "Ann only", "{% endif %}"]
    admins = ["{% if visitor.claims.admin %}", "Admins", "{% endif %}"]
    beta = ["{% if visitor.claims.unsigned.beta %}", "Beta", "{% endif %}"]
    headers = await token(api, site, claims=CLAIMS)
    found = await read_markdown(api, site, world, "deterministic-only", headers)
    assert found == ["# P", greeting, "Admins", *named]
    # Members know no claims, and no schema.
    member = {"Authorization": f"Bearer {await api.token_of(world.reader)}"}
    found = await read_markdown(api, site, world, "deterministic-only", member)
    assert found == ["# P", greeting, *admins, *named, *beta]
    found = await read_markdown(api, site, world, "values-only", member)
    assert found == ["# P", greeting, *admins, *named, *beta]
    # Visitors get no more than they would else.
    found = await read_markdown(api, site, world, "values-only", headers)
    assert found == ["# P", greeting, "Admins", *named]
    found = await read_markdown(api, site, world, "true", member)
    assert found == ["# P", "Hello  of Docs"]
    row = await session.merge(site)
    row.adaptive_content = False
    await session.commit()
    found = await read_markdown(api, site, world, "deterministic-only", headers)
    assert found == ["# P", greeting, *admins, *named, *beta]
    found = await read_markdown(api, site, world, "true", headers)
    assert found == ["# P", "Hello  of Docs"]
