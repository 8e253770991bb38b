"""A published site from its publication to its end, and the bounds of what stands on it."""

from dataclasses import dataclass
from typing import Any

import pytest

from db.enums import SiteVisibility
from db.models.site_settings import CustomHostname
from db.session import Session
from tests.conftest import Api, World, settle
from tests.factories import (
    make_section,
    make_section_group,
    make_share_link,
    make_site,
    make_site_redirect,
    make_space,
)


@dataclass
class Made:
    """A site with one section in a group, and what belongs to it; paths in /v1."""

    path: str
    space: str
    ids: dict[str, str]


@pytest.fixture
async def made(session: Session, world: World) -> Made:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, hostname="docs.own.example")
    group = await make_section_group(session, site)
    section = await make_section(session, site, space, group=group)
    link = await make_share_link(session, site)
    redirect = await make_site_redirect(session, site, "/old", "https://example.com/new")
    session.add(CustomHostname(hostname="docs.own.example", site_id=site.id))
    await settle(session)
    ids = {
        "Site": site.id,
        "SiteSection": section.id,
        "SiteSectionGroup": group.id,
        "SiteSpace": section.default_site_space_id or "",
        "ShareLink": link.id,
        "SiteRedirect": redirect.id,
    }
    return Made(f"/orgs/{world.organization.id}/sites/{site.id}", space.id, ids)


async def test_spaces_follow_their_site_at_once(api: Api, world: World, made: Made) -> None:
    async def seen() -> tuple[str, Any, int]:
        """The visibility and address of the space, in both interfaces; the published site."""
        space = (await api.rest("GET", f"/spaces/{made.space}", world.reader)).json()
        data = await api.data(
            "query ($id: ID!) { space(id: $id) { visibility urls { published } } }",
            world.reader,
            id=made.space,
        )
        address = space["urls"].get("published")
        named = data["space"]["visibility"].lower().replace("_", "-")
        assert (named, data["space"]["urls"]["published"]) == (space["visibility"], address)
        published = await api.rest("GET", f"{made.path}/published", world.reader)
        return space["visibility"], address, published.status_code

    root = "https://docs.own.example"
    before = await seen()
    assert before == ("private", None, 404) or before == ("in-collection", None, 404)
    await api.rest("POST", f"{made.path}/publish", world.creator)
    assert await seen() == ("public", root, 200)
    for visibility in SiteVisibility:
        changed = await api.rest(
            "PATCH", made.path, world.creator, {"visibility": visibility.value}
        )
        assert changed.json()["published"] is True
        assert await seen() == (visibility.value, root, 200)
    await api.rest("POST", f"{made.path}/unpublish", world.creator)
    assert await seen() == before


async def test_settings_survive_until_the_site_is_deleted(
    api: Api, session: Session, world: World, made: Made
) -> None:
    async def kept() -> Any:
        auth = (await api.rest("GET", f"{made.path}/publishing/auth", world.creator)).json()
        lists = [
            (await api.rest("GET", f"{made.path}/{name}", world.reader)).json()["items"]
            for name in ("share-links", "redirects", "sections", "section-groups")
        ]
        assert all(len(items) == 1 for items in lists)
        return auth["privateKey"], [items[0]["id"] for items in lists]

    before = await kept()
    for operation in ("publish", "unpublish", "publish"):
        await api.rest("POST", f"{made.path}/{operation}", world.creator)
        assert await kept() == before
    assert (await api.rest("DELETE", made.path, world.creator)).status_code == 205
    assert (await api.rest("GET", f"/spaces/{made.space}", world.reader)).status_code == 200
    name = "/custom-hostnames/docs.own.example"
    assert (await api.rest("GET", name, world.admin)).status_code == 404
    # Another site may have the name now.
    session.add(
        CustomHostname(
            hostname="docs.own.example",
            site_id=(await make_site(session, world.organization)).id,
        )
    )
    await settle(session)
    assert (await api.rest("GET", name, world.admin)).status_code == 200


PATHS = {
    "SiteSection": "sections",
    "SiteSectionGroup": "section-groups",
    "SiteSpace": "site-spaces",
    "ShareLink": "share-links",
    "SiteRedirect": "redirects",
}


async def change(api: Api, world: World, made: Made, kind: str, body: Any) -> tuple[int, str]:
    """The status and message of a change, which both interfaces agree on."""
    path = made.path if kind == "Site" else f"{made.path}/{PATHS[kind]}/{made.ids[kind]}"
    answer = await api.rest("PATCH", path, world.creator, body)
    graph = await api.graphql(
        f"mutation ($id: ID!, $input: Update{kind}Input!) {{"
        f" update{kind}(id: $id, input: $input) {{ id }} }}",
        world.creator,
        id=made.ids[kind],
        input=body,
    )
    errors = graph.get("errors", [])
    if answer.status_code == 200:
        assert not errors, errors
        return 200, ""
    message = answer.json()["error"]["message"]
    assert errors[0]["extensions"]["status"] == answer.status_code
    assert [one["path"] for one in errors[0]["extensions"]["fields"]] == list(body)
    if None not in body.values():
        assert errors[0]["message"] == message
    return answer.status_code, message


@pytest.mark.parametrize("kind", ["Site", *PATHS])
async def test_an_empty_change_changes_nothing(
    api: Api, world: World, made: Made, kind: str
) -> None:
    listed = made.path if kind == "Site" else f"{made.path}/{PATHS[kind]}"
    before = (await api.rest("GET", listed, world.creator)).json()
    assert await change(api, world, made, kind, {}) == (200, "")
    after = (await api.rest("GET", listed, world.creator)).json()
    for found in (before, after):
        for item in found.get("items", ()):
            # A redirect says when somebody last wanted to change it.
            item.pop("updatedAt", None)
    assert after == before


# The longest and the shortest that each field takes, and one beyond.
BOUNDS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("Site", "title", ["ab", "x" * 128], ["a", "x" * 129, None]),
    ("SiteSection", "title", ["ab", "x" * 128], ["a", "x" * 129, None]),
    ("SiteSection", "path", ["a", "x" * 100], ["", "x" * 101, None, "llms.txt", "a/b"]),
    ("SiteSection", "description", ["", "x" * 256, None], ["x" * 257]),
    ("SiteSection", "icon", ["x" * 50, None], ["x" * 51]),
    ("SiteSection", "condition", ["true", "1" * 1024, None], ["", "1" * 1025]),
    ("SiteSectionGroup", "title", ["a", "x" * 100], ["", "x" * 101, None]),
    ("SiteSectionGroup", "icon", ["x" * 50, None], ["x" * 51]),
    ("SiteSpace", "path", ["a", "x" * 100], ["", "x" * 101, None, "V", "~"]),
    ("SiteSpace", "condition", ["true", "1" * 1024, None], ["1" * 1025]),
    ("ShareLink", "name", ["a", "x" * 50], ["x" * 51, None]),
]


@pytest.mark.parametrize(("kind", "field", "right", "wrong"), BOUNDS)
async def test_bounds_are_those_of_both_interfaces(
    api: Api, world: World, made: Made, kind: str, field: str, right: list[Any], wrong: list[Any]
) -> None:
    for value in right:
        assert await change(api, world, made, kind, {field: value}) == (200, ""), value
    for value in wrong:
        status, message = await change(api, world, made, kind, {field: value})
        assert (status, field in message) == (422, True), (value, message)


async def test_nulls_are_named_wherever_they_stand(api: Api, world: World, made: Made) -> None:
    for values, paths in (
        ("{title: null, visibility: null, proxy: null}", ["title", "visibility"]),
        ("{adaptiveContent: null}", ["adaptiveContent"]),
    ):
        query = f"mutation ($id: ID!) {{ updateSite(id: $id, input: {values}) {{ id }} }}"
        answer = await api.graphql(query, world.creator, id=made.ids["Site"])
        extensions = answer["errors"][0]["extensions"]
        assert (extensions["status"], extensions["code"]) == (422, "INVALID")
        assert [one["path"] for one in extensions["fields"]] == paths
    query = """mutation ($id: ID!, $position: SiteSectionPosition!) {
      moveSiteSection(id: $id, input: {position: $position}) { id } }"""
    answer = await api.graphql(
        query, world.creator, id=made.ids["SiteSection"], position={"before": None}
    )
    (field,) = answer["errors"][0]["extensions"]["fields"]
    assert field["path"] == "position.before"
    assert field["message"] == "must not be null; leave it out instead"
