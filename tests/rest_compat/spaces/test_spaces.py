"""Spaces through both doors."""

import datetime as dt
from typing import Any

import httpx2
import pytest

from db.base import utc_now
from db.content_enums import ChangeRequestStatus, CommentStatus
from db.enums import DefaultLevel, EditMode, Role, SiteVisibility, Visibility
from db.models.organizations import User
from db.session import Session
from tests import factories
from tests.conftest import Api, Queries, World, settle

SPACE = """
    id title emoji visibility createdAt updatedAt deletedAt editMode language mergeRules
    defaultLevel commentsOpen changeRequestsTotal changeRequestsOpen changeRequestsDraft
    organization { id } parent { id } revision { id }
    urls { location app published public icon }
    permissions {
      view access admin viewInviteLinks edit triggerGitSync comment merge review
      installIntegration
    }
"""
ONE = f"query($id: ID!) {{ space(id: $id) {{ {SPACE} }} }}"


def as_rest(node: dict[str, Any]) -> dict[str, Any]:
    """A space of GraphQL in the words of /v1."""
    body = {**node, "object": "space"}
    body["comments"] = body.pop("commentsOpen")
    body["changeRequests"] = body.pop("changeRequestsTotal")
    for name in ("organization", "parent", "revision"):
        body[name] = body[name] and body[name]["id"]
    body["visibility"] = Visibility[body["visibility"]].value
    for name in ("editMode", "language", "defaultLevel"):
        body[name] = body[name] and body[name].lower().replace("_", "-")
    for name in ("deletedAt", "language", "parent"):
        if body[name] is None:
            del body[name]
    body["urls"] = {name: url for name, url in body["urls"].items() if url is not None}
    return body


class Doors:
    """The same space from both doors."""

    def __init__(self, api: Api, world: World) -> None:
        self.api, self.world = api, world

    async def get(self, id: str, person: User | None = None) -> dict[str, Any]:
        person = person or self.world.creator
        answer = await self.api.rest("GET", f"/spaces/{id}", person)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        found = as_rest((await self.api.data(ONE, person, id=id))["space"])
        if "deletedAt" in body:
            # /v1 names the revision; its content is closed while the space is in the bin.
            assert found["revision"] is None
            found["revision"] = body["revision"]
        assert found == body
        return body

    async def create(self, **body: Any) -> httpx2.Response:
        path = f"/orgs/{self.world.organization.id}/spaces"
        return await self.api.rest("POST", path, self.world.creator, body)

    async def patch(self, id: str, **body: Any) -> dict[str, Any]:
        answer = await self.api.rest("PATCH", f"/spaces/{id}", self.world.creator, body)
        assert answer.status_code == 200, answer.text
        assert answer.json() == await self.get(id)
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture
def doors(api: Api, world: World) -> Doors:
    return Doors(api, world)


async def test_create_with_nothing(doors: Doors, session: Session) -> None:
    await session.commit()
    path = f"/orgs/{doors.world.organization.id}/spaces"
    answer = await doors.api.rest("POST", path, doors.world.creator)
    assert answer.status_code == 201
    body = answer.json()
    assert answer.headers["location"] == f"http://docs.test/v1/spaces/{body['id']}"
    assert (body["title"], body["emoji"]) == ("Untitled", "1f4d8")
    assert (body["visibility"], body["editMode"]) == ("private", "locked")
    assert (body["defaultLevel"], body["mergeRules"]) == ("inherit", {"type": "inherit"})
    assert (body["comments"], body["changeRequests"]) == (0, 0)
    assert body.keys().isdisjoint({"parent", "language", "deletedAt"})
    content = await doors.api.rest("GET", f"/spaces/{body['id']}/content", doors.world.creator)
    assert content.json()["id"] == body["revision"]
    assert await doors.get(body["id"]) == body


async def test_create_with_everything(doors: Doors, session: Session) -> None:
    collection = await factories.make_collection(session, doors.world.organization)
    await settle(session)
    wanted = {
        "title": "Guide",
        "emoji": "🎉",
        "parent": collection.id,
        "language": "pt-br",
        "editMode": "live",
    }
    answer = await doors.create(**wanted)
    assert answer.status_code == 201
    body = answer.json()
    assert {name: body[name] for name in wanted} == wanted
    assert body["visibility"] == "in-collection"
    assert body["permissions"]["edit"] is True
    assert await doors.get(body["id"]) == body


@pytest.mark.parametrize(
    ("body", "status", "named"),
    [
        ({"title": "x" * 51}, 422, "title"),
        ({"title": None}, 422, "title"),
        ({"emoji": "book"}, 422, "emoji"),
        ({"emoji": "1f4d8-" * 9}, 422, "emoji"),
        ({"language": "xx"}, 422, "language"),
        ({"editMode": "open"}, 422, "editMode"),
        ({"parent": "unknown"}, 404, "unknown"),
        ({"template": {}}, 422, "template.id"),
        ({"template": {"id": "blog", "params": {}}}, 404, "template.id"),
        ({"computedSource": {"type": "builtin:openapi"}}, 422, "computedSource"),
        ({"computedSource": {}, "template": {"id": "blog"}}, 422, "computedSource"),
    ],
)
async def test_refused_creations(
    doors: Doors, session: Session, body: dict[str, Any], status: int, named: str
) -> None:
    await session.commit()
    answer = await doors.create(**body)
    assert answer.status_code == status
    assert named in answer.json()["error"]["message"]
    path = f"/orgs/{doors.world.organization.id}/spaces"
    listed = await doors.api.rest("GET", path, doors.world.admin)
    assert listed.json() == {"items": [], "count": 0}


async def test_update(doors: Doors, session: Session) -> None:
    past = utc_now() - dt.timedelta(seconds=1)
    space = await factories.make_space(session, doors.world.organization, updated_at=past)
    await settle(session)
    before = await doors.get(space.id)
    assert await doors.patch(space.id) == before, "nothing given, nothing changed"
    changes: dict[str, Any] = {
        "title": "New",
        "editMode": "live",
        "language": "zh-tw",
        "defaultLevel": "comment",
        "mergeRules": {"type": "rules", "rules": [{"rule": "require_at_least_one_review"}]},
        "emoji": "1F389",
    }
    after = await doors.patch(space.id, **changes)
    assert {name: after[name] for name in changes} == changes
    assert after["updatedAt"] > before["updatedAt"]
    cleared = await doors.patch(space.id, language=None, defaultLevel=None)
    assert "language" not in cleared
    assert cleared["defaultLevel"] is None


async def test_emoji_and_icon_replace_each_other(doors: Doors, session: Session) -> None:
    space = await factories.make_space(session, doors.world.organization, emoji="1f389")
    await settle(session)
    icon = "https://example.com/icon.png"
    body = await doors.patch(space.id, icon=icon)
    assert (body["urls"]["icon"], body["emoji"]) == (icon, "1f4d8")
    body = await doors.patch(space.id, emoji="2️⃣")
    assert (body["urls"].get("icon"), body["emoji"]) == (None, "2️⃣")
    await doors.patch(space.id, icon=icon)
    body = await doors.patch(space.id, emoji=None, icon=None)
    assert (body["urls"].get("icon"), body["emoji"]) == (None, "1f4d8")
    answer = await doors.api.rest(
        "PATCH", f"/spaces/{space.id}", doors.world.creator, {"emoji": "1f389", "icon": icon}
    )
    assert answer.status_code == 422
    assert "icon" in answer.json()["error"]["message"]


@pytest.mark.parametrize("visibility", SiteVisibility)
async def test_published_spaces(doors: Doors, session: Session, visibility: SiteVisibility) -> None:
    """Visibility, addresses and live editing follow the published sites of a space."""
    organization = doors.world.organization
    space = await factories.make_space(session, organization)
    draft = await factories.make_site(session, organization, space)
    narrow = await factories.make_site(
        session, organization, space, published=True, visibility=SiteVisibility.VISITOR_AUTH
    )
    wide = await factories.make_site(
        session, organization, space, published=True, visibility=visibility
    )
    await settle(session)
    body = await doors.get(space.id)
    assert body["visibility"] == visibility.value
    chosen = narrow if visibility is SiteVisibility.VISITOR_AUTH else wide
    assert body["urls"]["published"] == f"http://docs.test/sites/{chosen.id}"
    is_public = visibility is SiteVisibility.PUBLIC
    assert body["urls"].get("public") == (body["urls"]["published"] if is_public else None)
    assert draft.id not in body["urls"]["published"]
    answer = await doors.api.rest(
        "PATCH", f"/spaces/{space.id}", doors.world.creator, {"editMode": "live"}
    )
    open_to_all = visibility in (SiteVisibility.PUBLIC, SiteVisibility.UNLISTED)
    assert answer.status_code == (412 if open_to_all else 200)
    await doors.api.rest("DELETE", f"/spaces/{space.id}", doors.world.creator)
    binned = await doors.get(space.id)
    assert (binned["visibility"], binned["urls"].get("published")) == ("private", None)


async def test_counters(doors: Doors, session: Session) -> None:
    world = doors.world
    space = await factories.make_space(session, world.organization)
    for status in (*ChangeRequestStatus, ChangeRequestStatus.OPEN):
        request = await factories.make_change_request(session, space, world.editor, status=status)
    await factories.make_comment(session, space, world.editor, request)
    comment = await factories.make_comment(session, space, world.editor)
    await factories.make_comment(session, space, world.editor, parent=comment)
    await factories.make_comment(session, space, world.editor, status=CommentStatus.RESOLVED)
    await settle(session)
    body = await doors.get(space.id)
    assert body["comments"] == 1
    assert body["changeRequests"] == 5
    assert (body["changeRequestsOpen"], body["changeRequestsDraft"]) == (2, 1)


FLAGS = {
    "view": Role.READ,
    "access": Role.READ,
    "comment": Role.COMMENT,
    "edit": Role.EDIT,
    "review": Role.REVIEW,
    "merge": Role.REVIEW,
    "admin": Role.CREATE,
    "viewInviteLinks": Role.CREATE,
    "triggerGitSync": Role.CREATE,
    "installIntegration": Role.CREATE,
}


@pytest.mark.parametrize("mode", EditMode)
async def test_permissions(doors: Doors, session: Session, mode: EditMode) -> None:
    world = doors.world
    space = await factories.make_space(session, world.organization, edit_mode=mode)
    await settle(session)
    people = {
        Role.READ: world.reader,
        Role.COMMENT: world.commenter,
        Role.EDIT: world.editor,
        Role.REVIEW: world.reviewer,
        Role.CREATE: world.creator,
        Role.ADMIN: world.admin,
    }
    for role, person in people.items():
        body = await doors.get(space.id, person)
        expected = {name: role.rank >= least.rank for name, least in FLAGS.items()}
        expected["edit"] = expected["edit"] and mode is EditMode.LIVE
        assert body["permissions"] == expected


async def test_a_parent_that_is_not_visible(doors: Doors, session: Session) -> None:
    """Neither interface names it."""
    world = doors.world
    parent = await factories.make_collection(session, world.organization, None, None)
    space = await factories.make_space(session, world.organization, parent)
    await factories.make_grant(session, space, world.reader, Role.READ)
    await settle(session)
    body = (await doors.api.rest("GET", f"/spaces/{space.id}", world.reader)).json()
    assert "parent" not in body
    data = await doors.api.data(ONE, world.reader, id=space.id)
    assert data["space"]["parent"] is None
    assert (await doors.get(space.id, world.admin))["parent"] == parent.id


async def test_life_of_a_space(doors: Doors, session: Session) -> None:
    """Delete, see it in the bin, restore, duplicate: codes and bodies."""
    world, api = doors.world, doors.api
    await session.commit()
    created = (await doors.create(title="Guide")).json()
    path = f"/spaces/{created['id']}"
    assert (await api.rest("DELETE", path, world.reader)).status_code == 403
    first = await api.rest("DELETE", path, world.creator)
    assert (first.status_code, first.content) == (205, b"")
    assert (await api.rest("DELETE", path, world.creator)).status_code == 204
    assert (await doors.get(created["id"]))["deletedAt"]
    for below in ("", "/content", "/content/pages"):
        assert (await api.rest("GET", path + below, world.reader)).status_code == 404
    listed = await api.rest("GET", f"/orgs/{world.organization.id}/spaces", world.admin)
    assert listed.json()["count"] == 0
    assert (await api.rest("PATCH", path, world.creator, {})).status_code == 404
    restored = await api.rest("POST", f"{path}/restore", world.creator)
    assert restored.status_code == 200
    assert "deletedAt" not in restored.json()
    again = await api.rest("POST", f"{path}/restore", world.creator)
    assert again.json() == restored.json()
    copy = await api.rest("POST", f"{path}/duplicate", world.creator)
    assert copy.status_code == 201
    body = copy.json()
    assert copy.headers["location"] == f"http://docs.test/v1/spaces/{body['id']}"
    assert body["title"] == "Guide (copy)"
    assert await doors.get(body["id"]) == body


async def test_move_and_transfer_codes(doors: Doors, session: Session) -> None:
    world, api = doors.world, doors.api
    collection = await factories.make_collection(session, world.organization)
    space = await factories.make_space(session, world.organization)
    beside = await factories.make_space(session, world.organization, collection)
    target = await factories.make_organization(session)
    await factories.make_member(session, target, Role.CREATE, world.creator)
    await settle(session)
    path = f"/spaces/{space.id}"
    into = {
        "parent": collection.id,
        "position": {"before": {"type": "space", "space": beside.id}},
    }
    moved = await api.rest("POST", f"{path}/move", world.creator, into)
    assert moved.status_code == 200, moved.text
    assert (moved.json()["parent"], moved.json()["visibility"]) == (collection.id, "in-collection")
    assert (await api.rest("POST", f"{path}/move", world.creator, into)).status_code == 409
    for body in (
        {"parent": "unknown"},
        {"position": {"after": {"type": "space", "space": space.id}}},
        {"position": {"after": {"type": "collection", "collection": collection.id}}},
        {"position": {"after": {"type": "space"}}},
    ):
        answer = await api.rest("POST", f"{path}/move", world.creator, body)
        assert answer.status_code == 400, answer.text
    out = await api.rest("POST", f"{path}/move", world.creator, {"parent": None})
    assert out.json()["visibility"] == "private"
    unknown = await api.rest("POST", "/spaces/unknown/move", world.creator, {"parent": None})
    assert unknown.status_code == 404
    there = {"organization": target.id}
    given = await api.rest("POST", f"{path}/transfer", world.creator, there)
    assert given.json()["organization"] == target.id
    assert (await api.rest("POST", f"{path}/transfer", world.creator, there)).status_code == 409
    missing = await api.rest("POST", f"{path}/transfer", world.creator, {})
    assert missing.status_code == 422


async def test_mutations(doors: Doors, session: Session) -> None:
    """The other door writes the same."""
    world, api = doors.world, doors.api
    target = await factories.make_organization(session)
    await factories.make_member(session, target, Role.CREATE, world.creator)
    await settle(session)
    data = await api.data(
        "mutation($organization: ID!) { createSpace(organizationId: $organization, "
        'input: {title: "One", emoji: "1f389", editMode: LIVE, language: PT_BR}) { id } }',
        world.creator,
        organization=world.organization.id,
    )
    id = data["createSpace"]["id"]
    assert (await doors.get(id))["language"] == "pt-br"
    changes = 'updateSpace(id: $id, input: {title: "Two", defaultLevel: null}) { title }'
    steps = (
        (changes, {"title": "Two"}),
        (
            "deleteSpace(id: $id) { deletedId organization { id } parent { id } }",
            {"deletedId": id, "organization": {"id": world.organization.id}, "parent": None},
        ),
        ("restoreSpace(id: $id) { deletedAt }", {"deletedAt": None}),
        ("duplicateSpace(id: $id) { title }", {"title": "Two (copy)"}),
        ("moveSpace(id: $id, input: {}) { parent { id } }", {"parent": None}),
    )
    for mutation, expected in steps:
        data = await api.data(f"mutation($id: ID!) {{ {mutation} }}", world.creator, id=id)
        assert list(data.values()) == [expected]
    await doors.get(id)
    data = await api.data(
        "mutation($id: ID!, $to: ID!) { transferSpace(id: $id, input: {organization: $to}) "
        "{ organization { id } } }",
        world.creator,
        id=id,
        to=target.id,
    )
    assert data["transferSpace"]["organization"]["id"] == target.id


async def test_list_of_an_organization(doors: Doors, session: Session) -> None:
    """Oldest first, only what the caller may read, page by page, the same in both doors."""
    world, api = doors.world, doors.api
    collection = await factories.make_collection(session, world.organization)
    spaces = [
        await factories.make_space(session, world.organization, parent, title=title)
        for title, parent in (("Alpha", None), ("beta", collection), ("Gamma 100%", collection))
    ]
    hidden = await factories.make_space(session, world.organization, default_level=None)
    await factories.make_space(session, world.organization, deleted_at=hidden.created_at)
    await settle(session)
    path = f"/orgs/{world.organization.id}/spaces"
    first = (await api.rest("GET", path, world.reader, params={"limit": 2})).json()
    assert [item["id"] for item in first["items"]] == [spaces[0].id, spaces[1].id]
    assert first["count"] == 3
    page = {"limit": 2, "page": first["next"]["page"]}
    second = (await api.rest("GET", path, world.reader, params=page)).json()
    assert [item["id"] for item in second["items"]] == [spaces[2].id]
    assert "next" not in second
    assert first["items"][0] == await doors.get(spaces[0].id, world.reader)
    assert (await api.rest("GET", path, world.admin)).json()["count"] == 4
    assert (await api.rest("GET", path, world.guest)).json()["count"] == 0
    assert (await api.rest("GET", path, world.outsider)).status_code == 404
    for filters, expected in (
        (f'parent: "{collection.id}"', ["beta", "Gamma 100%"]),
        ('title: "A"', ["Alpha", "beta", "Gamma 100%"]),
        ('title: "0%"', ["Gamma 100%"]),
        ('title: "_"', []),
    ):
        query = (
            "query($id: ID!) { organization(id: $id) "
            f"{{ spaces({filters}) {{ nodes {{ title }} totalCount }} }} }}"
        )
        data = await api.data(query, world.reader, id=world.organization.id)
        found = data["organization"]["spaces"]
        assert [node["title"] for node in found["nodes"]] == expected
        assert found["totalCount"] == len(expected)


# What each read costs, the token included.
COUNTS = {"get": 6, "list": 8, "nested": 9}


@pytest.mark.parametrize("number", [1, 30])
async def test_statements_do_not_grow(
    doors: Doors, session: Session, queries: Queries, number: int
) -> None:
    world, api = doors.world, doors.api
    parent = await factories.make_collection(session, world.organization)
    for _ in range(number):
        space = await factories.make_space(
            session, world.organization, parent, default_level=DefaultLevel.REVIEW
        )
        request = await factories.make_change_request(session, space, world.editor)
        await factories.make_comment(session, space, world.editor, request)
    await settle(session)
    await api.rest("GET", "/user", world.reader)
    path = f"/orgs/{world.organization.id}/spaces"
    with queries(COUNTS["get"]):
        await api.rest("GET", f"/spaces/{space.id}", world.reader)
    with queries(COUNTS["list"]):
        listed = await api.rest("GET", path, world.reader)
    assert listed.json()["count"] == number
    with queries(COUNTS["list"]):
        listed = await api.rest("GET", f"/collections/{parent.id}/spaces", world.reader)
    assert listed.json()["count"] == number
    query = f"""query($id: ID!) {{ organization(id: $id) {{
        spaces {{ nodes {{ {SPACE} }} }}
    }} }}"""
    with queries(COUNTS["nested"]):
        data = await api.data(query, world.reader, id=world.organization.id)
    assert len(data["organization"]["spaces"]["nodes"]) == number


async def test_queries_are_read_anew_for_each_text(
    api: Api, session: Session, world: World
) -> None:
    """What is kept of a query belongs to that text and that row alone."""
    collection = await factories.make_collection(session, world.organization)
    for number in range(3):
        await factories.make_space(session, world.organization, title=f"Space {number}")
    await factories.make_space(session, world.organization, parent=collection, title="Inside")
    await settle(session)
    path = f"/orgs/{world.organization.id}/spaces"
    long = "x" * 300
    for _ in range(2):
        for query, titles in (
            ("limit=1", ["Space 0"]),
            ("limit=2", ["Space 0", "Space 1"]),
            ("title=inside&limit=2", ["Inside"]),
            (f"limit=2&unknown={long}", ["Space 0", "Space 1"]),
        ):
            answer = await api.rest("GET", f"{path}?{query}", world.creator)
            assert [item["title"] for item in answer.json()["items"]] == titles
        for query in ("limit=0", f"limit=0&unknown={long}", "limit=1&limit=2", "limit=a"):
            answer = await api.rest("GET", f"{path}?{query}", world.creator)
            assert answer.status_code == 422
            assert {one["path"] for one in answer.json()["error"]["details"]} == {"limit"}
        missing = await api.rest("GET", "/orgs/missing/spaces?limit=1", world.creator)
        assert missing.status_code == 404
