"""Sites and site spaces through both interfaces: the same values, codes and effects."""

from typing import Any

import pytest

from db.enums import Role, SiteFeatureKey, SiteVisibility
from db.session import Session
from tests.conftest import STRICT, Api, Queries, World, settle
from tests.factories import make_grant, make_member, make_organization, make_site, make_space

SITE_FIELDS = """
  id title type visibility published basename hostname createdAt agentsContext previews
  siteSpaceCount
  icon { icon { light dark } emoji } proxy { origin target } adaptiveContent { enabled }
  features { id: key plan frozen customizations } urls { location app published }
"""
SITE_SPACE_FIELDS = """
  id path title default condition hasAdvancedCustomizationFeature urls { published }
  space { id }
"""
ENUMS = ("type", "visibility", "agentsContext", "previews", "plan")


def as_rest(value: Any) -> Any:
    """A GraphQL answer in /v1's words: enumerations by value, absent members left out."""
    if isinstance(value, list):
        return [as_rest(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, item in value.items():
        # The icon of a site is null when there is none; the one inside it is left out.
        if item is None and not (key == "icon" and "title" in value):
            continue
        if key in ENUMS or (key == "id" and isinstance(item, str) and item.isupper()):
            item = item.lower().replace("_", "-")
        found[key] = as_rest(item)
    if isinstance(found.get("customizations"), list):
        words = [one.lower().replace("_", "-") for one in found["customizations"]]
        found["customizations"] = words
    return found


def base(world: World) -> str:
    return f"/orgs/{world.organization.id}/sites"


async def test_create_read_change_delete(session: Session, world: World, api: Api) -> None:
    first, second = [
        await make_space(session, world.organization, title=title) for title in ("Guide", "API")
    ]
    await settle(session)
    body = {"title": "My Docs", "type": "ultimate", "visibility": "unlisted"}
    created = await api.rest(
        "POST", base(world), world.creator, {**body, "spaces": [first.id, second.id]}
    )
    assert created.status_code == 201
    site = created.json()
    path = f"{base(world)}/{site['id']}"
    assert created.headers["location"] == f"http://docs.test/v1{path}"
    assert site | body == site
    assert (site["object"], site["basename"], site["siteSpaces"]) == ("site", "my-docs", 2)
    assert (site["published"], site["icon"]) == (False, None)
    assert site["adaptiveContent"] == {"enabled": False}
    assert site["agentsContext"] == "included"
    assert {feature["frozen"] for feature in site["features"]} == {False}
    assert [one["id"] for one in site["features"]] == [key.value for key in SiteFeatureKey]
    assert set(site["urls"]) == {"location", "app"}
    assert "proxy" not in site
    assert (await api.rest("GET", path, world.reader)).json() == site

    changes = {
        "title": "Better Docs",
        "basename": "docs",
        "visibility": "share-link",
        "adaptiveContent": {"enabled": True},
        "agentsContext": "excluded",
        "proxy": "example.com/help",
    }
    changed = await api.rest("PATCH", path, world.creator, changes)
    assert changed.status_code == 200
    target = f"http://docs.test/sites/{site['id']}"
    proxied = changes | {"proxy": {"origin": "example.com/help", "target": target}}
    assert changed.json() == site | proxied
    assert (await api.rest("PATCH", path, world.creator, {})).json() == site | proxied
    cleared = await api.rest("PATCH", path, world.creator, {"proxy": None})
    assert "proxy" not in cleared.json()

    assert (await api.rest("DELETE", path, world.creator)).status_code == 205
    assert (await api.rest("DELETE", path, world.creator)).status_code == 204
    assert (await api.rest("GET", path, world.creator)).status_code == 404
    assert (await api.rest("GET", f"/spaces/{first.id}", world.creator)).status_code == 200


async def test_a_body_is_not_needed(world: World, session: Session, api: Api) -> None:
    await settle(session)
    made = await api.rest("POST", base(world), world.creator)
    assert (made.status_code, made.json()["title"]) == (201, "Untitled site")


@pytest.mark.parametrize("word", ["empty", "sample"])
async def test_a_word_makes_a_new_space(
    session: Session, world: World, api: Api, word: str
) -> None:
    await settle(session)
    expected = {"empty": ["T" * 50], "sample": ["T" * 50, "Writing", "Structure", "Publishing"]}
    made = await api.rest("POST", base(world), world.creator, {"title": "T" * 60, "spaces": word})
    assert (made.status_code, made.json()["siteSpaces"]) == (201, 1)
    path = f"{base(world)}/{made.json()['id']}/site-spaces"
    (placed,) = (await api.rest("GET", path, world.creator)).json()["items"]
    assert (placed["title"], placed["path"], placed["default"]) == ("T" * 50, "t" * 50, True)
    data = await api.data(
        """mutation($organization: ID!, $spaces: [ID!]) {
          createSite(organizationId: $organization, input: {title: "%s", spaces: $spaces}) {
            siteSpaces { nodes { space { id title } } } } }"""
        % ("T" * 60),
        world.creator,
        organization=world.organization.id,
        spaces=word,
    )
    (node,) = data["createSite"]["siteSpaces"]["nodes"]
    for id in (placed["space"]["id"], node["space"]["id"]):
        pages = (await api.rest("GET", f"/spaces/{id}/content/pages", world.reader)).json()
        assert [page["title"] for page in pages["pages"]] == expected[word]
    for wrong in ("full", ["full"], [word, word, "x"], 1):
        answer = await api.rest("POST", base(world), world.creator, {"spaces": wrong})
        assert answer.status_code == (404 if isinstance(wrong, list) else 422)
    refused = await api.rest("POST", base(world), world.reviewer, {"spaces": word})
    assert refused.status_code == 403


async def test_both_interfaces_tell_the_same(session: Session, world: World, api: Api) -> None:
    world.organization.hostname = "acme"
    await session.merge(world.organization)
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    themed = {"icon": {"light": "https://x.test/l.png", "dark": "https://x.test/d.png"}}
    settings: list[dict[str, Any]] = [
        {"published": True, "basename": "docs", "icon": themed},
        {"published": True, "hostname": "docs.example.com", "icon": {"emoji": "1f4d8"}},
        {"published": True, "proxy_origin": "example.com/help", "icon": {}},
        {"published": True, "basename": None},
        {"visibility": SiteVisibility.VISITOR_AUTH, "basename": "hidden"},
    ]
    made = [await make_site(session, world.organization, *spaces, **one) for one in settings]
    await settle(session)
    items = (await api.rest("GET", base(world), world.reader)).json()["items"]
    data = await api.data(
        "query($id: ID!) { organization(id: $id) { sites { nodes {"
        + SITE_FIELDS
        + "siteSpaces { nodes {"
        + SITE_SPACE_FIELDS
        + "} } } } } }",
        world.reader,
        id=world.organization.id,
    )
    nodes = data["organization"]["sites"]["nodes"]
    addresses_of_sites = [
        "http://acme.docs.test/docs",
        "https://docs.example.com",
        "https://example.com/help",
        "http://acme.docs.test",
        None,
    ]
    published = {site.id: root for site, root in zip(made, addresses_of_sites, strict=True)}
    assert [item["id"] for item in items] == sorted(published)
    for item, node in zip(items, nodes, strict=True):
        root = published[item["id"]]
        placed = node.pop("siteSpaces")["nodes"]
        node["siteSpaces"] = node.pop("siteSpaceCount")
        assert item == {"object": "site"} | as_rest(node)
        assert item["urls"].get("published") == root
        path = f"{base(world)}/{item['id']}/site-spaces"
        rows = (await api.rest("GET", path, world.reader)).json()["items"]
        for row in rows:
            assert row["space"]["object"] == "space"
            row["space"] = {"id": row["space"]["id"]}
        assert rows == [{"object": "site-space", "draft": False} | as_rest(one) for one in placed]
        assert [row["default"] for row in rows] == [True, False]
        addresses = [row["urls"].get("published") for row in rows]
        assert addresses == ([root, f"{root}/path-1"] if root else [None, None])


async def test_filters_and_pages(session: Session, world: World, api: Api) -> None:
    space = await make_space(session, world.organization)
    made = [await make_site(session, world.organization, space) for _ in range(3)]
    # Ids of one millisecond are in no order.
    ids_made = sorted(one.id for one in made)
    await make_site(session, world.organization, title="Other", published=True)
    await settle(session)

    async def ids(query: str) -> list[str]:
        answer = (await api.rest("GET", base(world) + query, world.reader)).json()
        return [item["id"] for item in answer["items"]]

    assert await ids(f"?space={space.id}&type=basic&type=premium") == ids_made
    assert await ids("?published=true&title=OTH&type=basic,premium") != []
    assert await ids("?type=premium") == []
    first = (await api.rest("GET", base(world) + "?limit=3", world.reader)).json()
    assert first["count"] == 4
    page = first["next"]["page"]
    assert len(await ids(f"?limit=3&page={page}")) == 1
    other = await api.rest("GET", f"{base(world)}?published=true&page={page}", world.reader)
    assert other.status_code == 400
    for wrong in ("?published=yes", "?type=free", "?limit=0", "?title=" + "x" * 129):
        answer = await api.rest("GET", base(world) + wrong, world.reader)
        assert answer.status_code == 422, wrong


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"title": "x"}, 422, "title"),
        ({"title": None}, 422, "title"),
        ({"titel": "xx"}, 422, "titel"),
        ({"visibility": "private"}, 422, "visibility"),
        ({"proxy": "https://example.com/docs"}, 422, "proxy"),
        ({"proxy": "example.com"}, 422, "proxy"),
        ({"adaptiveContent": {}}, 422, "adaptiveContent.enabled"),
        ({"basename": "Not This"}, 422, "basename"),
        ({"basename": "taken"}, 409, "basename"),
        ({"basename": ""}, 422, "basename"),
        ({"basename": "x" * 101}, 422, "basename"),
        ({"defaultSiteSpace": "nothing"}, 400, "defaultSiteSpace"),
        ({"defaultSiteSection": "nothing"}, 400, "defaultSiteSection"),
    ],
)
async def test_bad_changes_name_their_field(
    session: Session, world: World, api: Api, body: dict[str, Any], status: int, field: str
) -> None:
    site = await make_site(session, world.organization)
    await make_site(session, world.organization, basename="taken")
    await settle(session)
    answer = await api.rest(
        "PATCH", f"{base(world)}/{site.id}", world.creator, body, headers=STRICT
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, status)
    assert field in answer.json()["error"]["message"]


async def test_site_spaces_through_v1(session: Session, world: World, api: Api) -> None:
    spaces = [
        await make_space(session, world.organization, title=title) for title in ("One", "Two")
    ]
    site = await make_site(session, world.organization)
    other = await make_site(session, world.organization)
    await settle(session)
    path = f"{base(world)}/{site.id}/site-spaces"
    added = [await api.rest("POST", path, world.creator, {"spaceId": space.id}) for space in spaces]
    assert [one.status_code for one in added] == [201, 201]
    one, two = [answer.json()["id"] for answer in added]
    assert added[0].headers["location"] == f"http://docs.test/v1{path}/{one}"
    again = await api.rest("POST", path, world.creator, {"spaceId": spaces[0].id})
    assert again.status_code == 409
    sectioned = {"spaceId": spaces[0].id, "sectionId": "sitesc_1"}
    assert (await api.rest("POST", path, world.creator, sectioned)).status_code == 404
    assert (await api.rest("POST", path, world.creator, {})).status_code == 422

    async def listed(query: str = "") -> list[str]:
        answer = (await api.rest("GET", path + query, world.reader)).json()
        assert answer["count"] == len(answer["items"])
        return [item["id"] for item in answer["items"]]

    assert await listed() == [one, two]
    assert await listed("?default=true") == [one]
    unknown = await api.rest("GET", f"{path}?default=true&shareKey=abc", world.reader)
    assert unknown.status_code == 200
    assert await listed("?default=false") == [two]
    assert len((await api.rest("GET", path + "?limit=1", world.reader)).json()["items"]) == 1

    change = {"path": "uno", "condition": "visitor.claims.beta"}
    changed = await api.rest("PATCH", f"{path}/{one}", world.creator, change)
    assert changed.json() == added[0].json() | change
    cleared = await api.rest("PATCH", f"{path}/{one}", world.creator, {"condition": None})
    assert cleared.json() == added[0].json() | {"path": "uno"}
    assert (
        await api.rest("PATCH", f"{path}/{one}", world.creator, {"path": None})
    ).status_code == 422
    taken = await api.rest("PATCH", f"{path}/{two}", world.creator, {"path": "UNO"})
    assert taken.status_code == 409

    moved = await api.rest("POST", f"{path}/{one}/move", world.creator)
    assert moved.status_code == 200
    assert await listed() == [two, one]
    before = {"position": {"before": {"type": "site-space", "siteSpace": two}}}
    moved = await api.rest("POST", f"{path}/{one}/move", world.creator, before)
    assert (moved.json()["id"], moved.json()["default"]) == (one, True)
    assert await listed() == [one, two]
    wrong = {"position": {"before": {"type": "site-space", "siteSpace": one}}}
    assert (await api.rest("POST", f"{path}/{one}/move", world.creator, wrong)).status_code == 400
    kind = {"position": {"before": {"type": "space", "siteSpace": two}}}
    assert (await api.rest("POST", f"{path}/{one}/move", world.creator, kind)).status_code == 400
    elsewhere = f"{base(world)}/{other.id}/site-spaces/{one}"
    assert (await api.rest("POST", f"{elsewhere}/move", world.creator)).status_code == 404
    assert (await api.rest("DELETE", elsewhere, world.creator)).status_code == 204

    assert (await api.rest("DELETE", f"{path}/{one}", world.reader)).status_code == 403
    assert (await api.rest("DELETE", f"{path}/{one}", world.creator)).status_code == 205
    assert (await api.rest("DELETE", f"{path}/{one}", world.creator)).status_code == 204
    assert await listed("?default=true") == [two]


async def test_mutations(session: Session, world: World, api: Api) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    await settle(session)
    data = await api.data(
        """mutation($organization: ID!, $spaces: [ID!]) {
          createSite(organizationId: $organization, input: {title: "Docs", spaces: $spaces}) {
            id basename organization { id }
            siteSpaces { totalCount nodes { id default space { title } site { title } } }
          }
        }""",
        world.creator,
        organization=world.organization.id,
        spaces=[space.id for space in spaces],
    )
    site = data["createSite"]
    assert site["organization"]["id"] == world.organization.id
    assert site["siteSpaces"]["totalCount"] == 2
    one, two = [node["id"] for node in site["siteSpaces"]["nodes"]]
    data = await api.data(
        """mutation($site: ID!, $one: ID!, $two: ID!) {
          updateSite(id: $site, input: {defaultSiteSpace: $two}) { defaultSiteSpace { id } }
          updateSiteSpace(id: $one, input: {path: "first"}) { path }
          moveSiteSpace(id: $one, input: {position: {
            after: {type: "site-space", siteSpace: $two}}}) { site { siteSpaces { nodes { id } } } }
          deleteSiteSpace(id: $two) { deletedId site { siteSpaceCount } space { id } }
        }""",
        world.creator,
        site=site["id"],
        one=one,
        two=two,
    )
    assert data["updateSite"]["defaultSiteSpace"]["id"] == two
    assert data["updateSiteSpace"]["path"] == "first"
    order = data["moveSiteSpace"]["site"]["siteSpaces"]["nodes"]
    assert [node["id"] for node in order] == [two, one]
    assert data["deleteSiteSpace"] == {
        "deletedId": two, "site": {"siteSpaceCount": 1}, "space": {"id": spaces[1].id}
    }  # fmt: skip
    data = await api.data(
        "query($id: ID!, $space: ID!) { site(id: $id) { defaultSiteSpace { id } } "
        "space(id: $space) { sites { nodes { id } } } }",
        world.reader,
        id=site["id"],
        space=spaces[0].id,
    )
    assert data["site"]["defaultSiteSpace"]["id"] == one
    assert data["space"]["sites"]["nodes"] == [{"id": site["id"]}]
    removed = "mutation($id: ID!) { deleteSite(id: $id) { deletedId organization { id } } }"
    assert (await api.data(removed, world.creator, id=site["id"]))["deleteSite"] == {
        "deletedId": site["id"], "organization": {"id": world.organization.id}
    }  # fmt: skip
    again = await api.graphql(removed, world.creator, id=site["id"])
    assert again["data"] == {"deleteSite": None}
    assert again["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_who_reads_through_both(session: Session, world: World, api: Api) -> None:
    shown, hidden = [await make_space(session, world.organization) for _ in range(2)]
    await make_grant(session, shown, world.guest, Role.READ)
    site = await make_site(session, world.organization, hidden, shown)
    elsewhere = await make_site(session, await make_organization(session))
    await settle(session)
    query = (
        "query($id: ID!) { site(id: $id) { siteSpaceCount defaultSiteSpace { id } "
        "siteSpaces { totalCount nodes { space { id } } } } }"
    )
    for person, seen in ((world.reader, [hidden.id, shown.id]), (world.guest, [shown.id])):
        path = f"{base(world)}/{site.id}"
        assert (await api.rest("GET", path, person)).json()["siteSpaces"] == 2
        listed = (await api.rest("GET", f"{path}/site-spaces", person)).json()
        assert [item["space"]["id"] for item in listed["items"]] == seen
        found = (await api.data(query, person, id=site.id))["site"]
        assert [node["space"]["id"] for node in found["siteSpaces"]["nodes"]] == seen
        assert found["siteSpaces"]["totalCount"] == listed["count"] == len(seen)
    foreign = f"/orgs/{world.organization.id}/sites/{elsewhere.id}"
    for person, id in ((world.outsider, site.id), (world.admin, elsewhere.id)):
        assert (await api.rest("GET", f"{base(world)}/{id}", person)).status_code == 404
        answer = await api.graphql(query, person, id=id)
        assert answer["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert (await api.rest("GET", foreign, world.outsider)).status_code == 404
    assert (await api.rest("GET", f"{base(world)}/{site.id}", None)).status_code == 401


@pytest.mark.parametrize("number", [1, 30])
async def test_graphql_statements_do_not_grow(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(number)]
    for _ in range(number):
        await make_site(session, world.organization, *spaces, published=True)
    await settle(session)
    # What a server reads once is read now.
    await api.rest("GET", base(world), world.reader)
    # The token, the organization, its sites; counts, labels, placed spaces, defaults; then of the
    # site spaces: titles, defaults, addresses, the spaces and the sites.
    with queries(12):
        await api.data(
            """query($id: ID!) { organization(id: $id) { sites(first: 30) { nodes {
              siteSpaceCount urls { published } defaultSiteSpace { id }
              siteSpaces(first: 30) { nodes {
                title default urls { published } space { title } site { title } } } } } } }""",
            world.reader,
            id=world.organization.id,
        )


async def test_v1_statements_do_not_grow(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(30)]
    small = await make_site(session, world.organization, spaces[0])
    large = await make_site(session, world.organization, *spaces)
    await settle(session)
    await api.rest("GET", base(world), world.reader)
    counted = []
    for site in (small, large):
        queries.statements.clear()
        await api.rest("GET", f"{base(world)}/{site.id}/site-spaces", world.reader)
        counted.append(len(queries.statements))
    assert counted[0] == counted[1]
    # The token, the organization, its sites, their numbers of spaces, the total.
    with queries(5):
        await api.rest("GET", base(world), world.reader)


async def test_a_site_is_found_in_its_own_organization_only(
    session: Session, world: World, api: Api
) -> None:
    other = await make_organization(session)
    person = await make_member(session, other, Role.ADMIN, user=world.admin)
    site = await make_site(session, world.organization)
    await settle(session)
    here, there = (f"/orgs/{owner.id}/sites/{site.id}" for owner in (world.organization, other))
    assert (await api.rest("GET", here, person)).status_code == 200
    assert (await api.rest("GET", there, person)).status_code == 404
    assert (await api.rest("PATCH", there, person, {"title": "Taken"})).status_code == 404
    assert (await api.rest("DELETE", there, person)).status_code == 204
    assert (await api.rest("GET", here, person)).json()["title"] == site.title
