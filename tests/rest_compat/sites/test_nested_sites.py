"""Everything that hangs on sites, asked for all sites of an organization at once."""

from typing import Any

import pytest

from db.enums import SiteVisibility
from db.models.site_settings import CustomHostname
from db.models.sites import Site
from db.session import Session
from tests.conftest import Api, Queries, World, settle
from tests.factories import (
    make_adaptive_schema,
    make_section,
    make_section_group,
    make_share_link,
    make_site,
    make_site_customization,
    make_site_redirect,
    make_space,
)

# Each asks for as much as one request may cost.
SITES = "query ($id: ID!) { organization(id: $id) { sites(first: 50) { nodes { id %s } } } }"
SETTINGS = (
    SITES
    % """
  urls { published } proxy { origin } customHostname { hostname } siteSpaceCount
  customization { styling { theme } } adaptiveSchema { jsonSchema }
  shareLinks(first: 2) { totalCount nodes { name urls { published } } }
  redirects(first: 2) { totalCount nodes { source broken destination { kind } } }
  mcpServers(first: 1) { nodes { name } } people(first: 2) { nodes { role } }
"""
)
SECTIONS = (
    SITES
    % """
  urls { published } defaultSiteSpace { id title } defaultSection { id path }
  sections(first: 2) { totalCount nodes { title default urls { published }
    siteSpaces(first: 2) { nodes { title default urls { published } } } } }
  sectionGroups(first: 2) { nodes { title children { ... on SiteSection { title } } } }
  siteSpaces(first: 2) { nodes { title hasAdvancedCustomizationFeature } }
"""
)
STRUCTURES = (
    SITES
    % """
  structure { type
    ... on SiteSectionStructure { structure {
      ... on SiteSection { id urls { published } siteSpaces(first: 1) { nodes { title } } }
      ... on SiteSectionGroup { id children { ... on SiteSection { title } } }
    } }
    ... on SiteSpaceStructure { structure { id title urls { published } } }
  }
"""
)
STATEMENTS = {SETTINGS: 20, SECTIONS: 23, STRUCTURES: 15}


async def pair(session: Session, world: World, number: int) -> list[Site]:
    """A flat site and one with sections, with all that can hang on a site."""
    changes: Any = {"published": True, "visibility": SiteVisibility.SHARE_LINK}
    spaces = [await make_space(session, world.organization) for _ in range(4)]
    flat = await make_site(session, world.organization, *spaces[:2], **changes)
    sectioned = await make_site(session, world.organization, **changes)
    await make_section(session, sectioned, *spaces[:2])
    group = await make_section_group(session, sectioned)
    inside = await make_section(session, sectioned, spaces[2], group=group)
    for site in (flat, sectioned):
        await make_share_link(session, site)
        await make_site_customization(session, site, {"styling": {"theme": "muted"}})
        await make_adaptive_schema(session, site)
    await make_site_redirect(
        session, flat, "/old", kind="site-space", siteSpaceId=flat.default_site_space_id or ""
    )
    await make_site_redirect(
        session, sectioned, "/old", kind="site-section", siteSectionId=inside.id
    )
    session.add(CustomHostname(hostname=f"docs-{number}.example.com", site_id=flat.id))
    return [flat, sectioned]


@pytest.mark.parametrize("pairs", [1, 25])
async def test_all_of_many_sites_costs_what_all_of_two_costs(
    session: Session, world: World, api: Api, queries: Queries, pairs: int
) -> None:
    made = [site for number in range(pairs) for site in await pair(session, world, number)]
    await settle(session)
    found: dict[str, list[Any]] = {}
    for query, number in STATEMENTS.items():
        await api.data(query, world.admin, id=world.organization.id)
        with queries(number):
            data = await api.data(query, world.admin, id=world.organization.id)
        found[query] = data["organization"]["sites"]["nodes"]
        assert {node["id"] for node in found[query]} == {site.id for site in made}
    for node in found[SETTINGS]:
        (link,), (redirect,) = node["shareLinks"]["nodes"], node["redirects"]["nodes"]
        assert link["urls"]["published"] == node["urls"]["published"]
        assert redirect["broken"] is False
        assert node["customization"]["styling"]["theme"] == "MUTED"
    for node in found[SECTIONS]:
        assert [one["title"] for one in node["siteSpaces"]["nodes"]] != []
        assert all(one["siteSpaces"]["nodes"] for one in node["sections"]["nodes"])
    for node in found[STRUCTURES]:
        assert len(node["structure"]["structure"]) == 2
