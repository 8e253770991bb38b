"""Sections, groups, the structure and publishing through both interfaces."""

from typing import Any

import pytest

from db.models.sites import Site
from db.session import Session
from rest_compat.openapi import openapi_document
from rest_compat.routes.all import ROUTES
from schema.build import build_schema
from tests.conftest import Api, Queries, World, settle
from tests.factories import make_section, make_section_group, make_site, make_space

# What GraphQL is asked; the numbers of objects do not matter for the cost of a small site.
STRUCTURE = """query ($id: ID!) { site(id: $id) { structure {
  type ... on SiteSectionStructure { structure {
    ... on SiteSection { id title siteSpaces(first: 5) { nodes { id title urls { published } } } }
    ... on SiteSectionGroup { id title children { ... on SiteSection { id title } } }
  } } } } }"""

# For a whole structure: the token, the site and its three kinds of rows, what is shown of the
# site spaces and their spaces on each of the four levels where sections stand, and of the sections.
STATEMENTS = {"structure": 47, "sections": 16, "site spaces": 14, "graph": 10}
# The token, what is locked and read, who sees the space before, at most four kinds of rows that are
# written, the events and the answer.
WRITES = 27


def base(site: Site) -> str:
    return f"/orgs/{site.organization_id}/sites/{site.id}"


async def sectioned(session: Session, world: World, number: int) -> Site:
    """A published site with this many sections at the top and in a group."""
    site = await make_site(session, world.organization, published=True)
    for _ in range(number):
        await make_section(session, site, await make_space(session, world.organization))
    group = await make_section_group(session, site)
    inner = await make_section_group(session, site, parent=group)
    for held in (group, inner):
        space = await make_space(session, world.organization)
        await make_section(session, site, space, group=held)
    await settle(session)
    return site


async def test_sections(session: Session, world: World, api: Api) -> None:
    site = await make_site(session, world.organization)
    guide, reference = [
        await make_space(session, world.organization, title=title) for title in ("Guide", "API")
    ]
    await settle(session)
    path = f"{base(site)}/sections"
    made = await api.rest("POST", path, world.creator, {"spaceId": guide.id, "icon": "book"})
    assert made.status_code == 201
    section = made.json()
    assert made.headers["location"] == f"http://docs.test/v1{path}/{section['id']}"
    (placed,) = section.pop("siteSpaces")
    assert section == {
        "object": "site-section", "id": section["id"], "title": "Guide", "default": True,
        "path": "guide", "icon": "book", "urls": {}, "draft": False,
    }  # fmt: skip
    assert (placed["object"], placed["section"], placed["default"], placed["space"]["id"]) == (
        "site-space", section["id"], True, guide.id,
    )  # fmt: skip
    body = {"spaceId": reference.id, "title": "Reference"}
    second = (await api.rest("POST", path, world.creator, body)).json()
    assert (second["title"], second["path"], second["default"]) == ("Reference", "reference", False)
    listed = (await api.rest("GET", path, world.reader)).json()
    assert (listed["count"], [one["id"] for one in listed["items"]]) == (
        2, [section["id"], second["id"]],
    )  # fmt: skip
    first_page = (await api.rest("GET", f"{path}?limit=1", world.reader)).json()
    next_page = first_page["next"]["page"]
    rest = (await api.rest("GET", f"{path}?limit=1&page={next_page}", world.reader)).json()
    assert [one["id"] for one in rest["items"]] == [second["id"]]
    with_key = await api.rest("GET", f"{path}?shareKey=anything", world.reader)
    assert with_key.status_code == 200

    one = f"{path}/{second['id']}"
    changes = {"description": "All calls", "condition": "visitor.claims.beta", "path": "api"}
    changed = (await api.rest("PATCH", one, world.creator, changes)).json()
    assert changed | changes == changed
    pointer = {"type": "site-section", "siteSection": section["id"]}
    moved = await api.rest("POST", f"{one}/move", world.creator, {"position": {"before": pointer}})
    assert (moved.status_code, moved.json()["id"]) == (200, second["id"])
    itself = {"position": {"before": pointer | {"siteSection": second["id"]}}}
    wrong = await api.rest("POST", f"{one}/move", world.creator, itself)
    assert wrong.status_code == 400
    assert (await api.rest("POST", f"{path}/x/move", world.creator, {})).status_code == 404
    assert (await api.rest("POST", f"{one}/move", world.creator)).status_code == 200
    assert (await api.rest("DELETE", one, world.creator)).status_code == 205
    assert (await api.rest("DELETE", one, world.creator)).status_code == 204


async def test_groups(session: Session, world: World, api: Api) -> None:
    site = await make_site(session, world.organization)
    first, second = [await make_section(session, site) for _ in range(2)]
    await settle(session)
    path = f"{base(site)}/section-groups"
    body = {"title": "Guides", "icon": None, "sections": [second.id]}
    made = await api.rest("POST", path, world.creator, body)
    assert made.status_code == 201
    group = made.json()
    assert made.headers["location"].endswith(f"{path}/{group['id']}")
    held = group.pop("sections")
    assert group.pop("children") == held
    assert [(one["id"], one["sectionGroup"]) for one in held] == [(second.id, group["id"])]
    named = {"id": group["id"], "title": "Guides", "draft": False}
    assert group == {"object": "site-section-group", **named}
    nested = {"title": "Nested", "parent": group["id"], "icon": "star"}
    inner = (await api.rest("POST", path, world.creator, nested)).json()
    assert (inner["sectionGroup"], inner["children"], inner["icon"]) == (group["id"], [], "star")
    too_deep = await api.rest("POST", path, world.creator, nested | {"parent": inner["id"]})
    assert too_deep.status_code == 400

    one = f"{path}/{group['id']}"
    added = await api.rest("POST", f"{one}/sections", world.creator, {"sectionId": first.id})
    assert added.status_code == 201
    assert [child["object"] for child in added.json()["children"]] == [
        "site-section", "site-section-group", "site-section",
    ]  # fmt: skip
    assert [child["id"] for child in added.json()["sections"]] == [second.id, first.id]
    again = await api.rest("POST", f"{one}/sections", world.creator, {"sectionId": first.id})
    assert again.status_code == 409
    pointer = {"type": "site-section", "id": second.id}
    inner_path = f"{path}/{inner['id']}"
    moved = await api.rest("POST", f"{inner_path}/move", world.creator,
                           {"position": {"before": pointer}})  # fmt: skip
    assert moved.status_code == 200
    listed = (await api.rest("GET", path, world.reader)).json()
    assert [child["id"] for child in listed["items"][0]["children"]] == [
        inner["id"], second.id, first.id,
    ]  # fmt: skip
    removed = f"{one}/sections/{first.id}"
    assert (await api.rest("DELETE", removed, world.creator)).status_code == 205
    assert (await api.rest("DELETE", removed, world.creator)).status_code == 204
    changed = await api.rest("PATCH", one, world.creator, {"title": "G", "icon": "book"})
    assert (changed.json()["title"], changed.json()["icon"]) == ("G", "book")
    assert (await api.rest("DELETE", one, world.creator)).status_code == 205
    structure = (await api.rest("GET", f"{base(site)}/structure", world.reader)).json()
    assert [item["id"] for item in structure["structure"]] == [inner["id"], second.id, first.id]


async def test_sorting(session: Session, world: World, api: Api) -> None:
    site = await make_site(session, world.organization)
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    first = await make_section(session, site, *spaces)
    group = await make_section_group(session, site)
    inside = await make_section(session, site, group=group)
    last = await make_section(session, site)
    await settle(session)
    path = f"{base(site)}/structure/sort"

    def item(kind: str, id: str) -> dict[str, str]:
        return {"type": kind, "id": id}

    async def sort(moved: Any, **position: Any) -> tuple[int, Any]:
        body = {"item": moved, "position": position}
        answer = await api.rest("PATCH", path, world.creator, body)
        return answer.status_code, answer.json()

    async def order() -> list[str]:
        found = (await api.rest("GET", f"{base(site)}/structure", world.reader)).json()
        return [one["id"] for one in found["structure"]]

    section, holder = item("site-section", first.id), item("site-section-group", group.id)
    end = item("site-section", last.id)
    status, moved = await sort(section, after=holder, before=end)
    assert (status, moved["object"], moved["id"]) == (200, "site-section", first.id)
    assert await order() == [group.id, first.id, last.id]
    status, moved = await sort(holder)
    assert (status, moved["object"]) == (200, "site-section-group")
    assert await order() == [first.id, last.id, group.id]
    assert (await sort(holder, after=end))[0] == 200
    for moved, position, expected in (
        (section, {"after": item("site-section", inside.id)}, 400),
        (section, {"after": section}, 400),
        (section, {"before": end, "after": holder}, 400),
        (section, {"before": item("site-section-group", last.id)}, 400),
        (item("site-section-group", first.id), {}, 404),
        (item("site-space", "nothing"), {}, 404),
        (item("page", "nothing"), {}, 422),
    ):
        assert (await sort(moved, **position))[0] == expected
    assert await order() == [first.id, last.id, group.id]
    # Without a position: to the end.
    answer = await api.rest("PATCH", path, world.creator, {"item": section})
    assert (answer.status_code, answer.json()["id"]) == (200, first.id)
    assert await order() == [last.id, group.id, first.id]
    data = await api.data(
        """mutation ($id: ID!, $item: SiteStructureItemPointer!) {
          sortSiteStructure(id: $id, input: {item: $item}) { ... on SiteSection { id } } }""",
        world.creator,
        id=site.id,
        item=end,
    )
    assert data["sortSiteStructure"]["id"] == last.id
    assert await order() == [group.id, first.id, last.id]
    placed = (await api.rest("GET", f"{base(site)}/site-spaces", world.reader)).json()["items"]
    one, two = [item("site-space", space["id"]) for space in placed]
    status, moved = await sort(two, before=one)
    assert (status, moved["object"], moved["id"]) == (200, "site-space", two["id"])


async def test_the_structure_of_a_flat_site(session: Session, world: World, api: Api) -> None:
    site = await make_site(
        session, world.organization, await make_space(session, world.organization)
    )
    await settle(session)
    path = f"{base(site)}/structure"
    assert (await api.rest("GET", f"{path}?shareKey=x", world.reader)).status_code == 200
    shown = (await api.rest("GET", path, world.reader)).json()
    assert shown["type"] == "siteSpaces"
    assert [one["object"] for one in shown["structure"]] == ["site-space"]
    assert (await api.rest("GET", path, world.outsider)).status_code == 404


async def test_publishing(session: Session, world: World, api: Api) -> None:
    site = await make_site(session, world.organization)
    empty = await make_site(session, world.organization)
    await make_section(session, site, await make_space(session, world.organization))
    await settle(session)
    path = f"{base(site)}/publish"
    assert (await api.rest("POST", f"{base(empty)}/publish", world.creator)).status_code == 412
    for _ in range(2):
        answer = await api.rest("POST", path, world.creator)
        assert (answer.status_code, answer.json()["published"]) == (200, True)
    shown = await api.data(
        "query ($id: ID!) { site(id: $id) { published defaultSection { urls { published } } } }",
        world.reader,
        id=site.id,
    )
    root = answer.json()["urls"]["published"]
    assert shown["site"] == {"published": True, "defaultSection": {"urls": {"published": root}}}
    data = await api.data(
        "mutation ($id: ID!) { unpublishSite(id: $id) { published urls { published } } }",
        world.creator,
        id=site.id,
    )
    assert data["unpublishSite"] == {"published": False, "urls": {"published": None}}
    refused = await api.graphql(
        "mutation ($id: ID!) { publishSite(id: $id) { id } }", world.creator, id=empty.id
    )
    assert refused["errors"][0]["extensions"]["status"] == 412


@pytest.mark.parametrize("number", [1, 50])
async def test_a_structure_is_read_in_a_constant_number_of_statements(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    site = await sectioned(session, world, number)
    await api.rest("GET", f"{base(site)}/structure", world.reader)
    with queries(STATEMENTS["structure"]):
        shown = (await api.rest("GET", f"{base(site)}/structure", world.reader)).json()
    assert len(shown["structure"]) == number + 1
    with queries(STATEMENTS["sections"]):
        listed = (await api.rest("GET", f"{base(site)}/sections?limit=100", world.reader)).json()
    assert len(listed["items"]) == number + 2
    with queries(STATEMENTS["site spaces"]):
        spaces = await api.rest("GET", f"{base(site)}/site-spaces?limit=100", world.reader)
    assert len(spaces.json()["items"]) == number + 2
    await api.data(STRUCTURE, world.reader, id=site.id)
    with queries(STATEMENTS["graph"]):
        data = await api.data(STRUCTURE, world.reader, id=site.id)
    assert len(data["site"]["structure"]["structure"]) == number + 1


@pytest.mark.parametrize("number", [2, 40])
async def test_writes_run_a_constant_number_of_statements(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    """Rows that get another place are written together."""
    site = await sectioned(session, world, number)
    space = await make_space(session, world.organization)
    await settle(session)
    path = f"{base(site)}/structure"
    items = (await api.rest("GET", path, world.creator)).json()["structure"]
    body = {
        "item": {"type": "site-section", "id": items[0]["id"]}, "position": {},
    }  # fmt: skip
    with queries.at_most(WRITES):
        assert (await api.rest("PATCH", f"{path}/sort", world.creator, body)).status_code == 200
    wanted = {"spaceId": space.id}
    with queries.at_most(WRITES):
        made = await api.rest("POST", f"{base(site)}/sections", world.creator, wanted)
    assert made.status_code == 201


def test_older_moves_are_marked_as_deprecated_in_both_interfaces() -> None:
    document = openapi_document(ROUTES)
    marked = {
        operation["operationId"]
        for operations in document["paths"].values()
        for operation in operations.values()
        if operation.get("deprecated")
    }
    moves = {"moveSiteSection", "moveSiteSectionGroup"}
    assert marked == moves | {"getPublishedContentByUrl"}
    fields = build_schema()._schema.type_map["Mutation"].fields  # type: ignore[attr-defined]
    assert {name for name, one in fields.items() if one.deprecation_reason} == moves
    group = document["components"]["schemas"]["SiteSectionGroup"]
    assert group["properties"]["sections"]["deprecated"] is True
