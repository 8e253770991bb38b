"""Collections through both doors."""

from typing import Any

import pytest

from db.enums import DefaultLevel, Role
from db.models.organizations import User
from db.models.spaces import Collection
from db.session import Session
from tests import factories
from tests.conftest import Api, Queries, World, settle

COLLECTION = """
    id title description defaultLevel organization { id } parent { id }
    urls { location app } permissions { view admin viewInviteLinks create }
"""


def as_rest(node: dict[str, Any]) -> dict[str, Any]:
    """A collection of GraphQL in the words of /v1."""
    body = {**node, "object": "collection"}
    for name in ("organization", "parent"):
        body[name] = body[name] and body[name]["id"]
    body["defaultLevel"] = body["defaultLevel"] and body["defaultLevel"].lower()
    for name in ("description", "parent"):
        if body[name] is None:
            del body[name]
    return body


async def both(api: Api, id: str, person: User) -> dict[str, Any]:
    """The collection as /v1 shows it; GraphQL must show the same."""
    answer = await api.rest("GET", f"/collections/{id}", person)
    assert answer.status_code == 200, answer.text
    query = f"query($id: ID!) {{ collection(id: $id) {{ {COLLECTION} }} }}"
    data = await api.data(query, person, id=id)
    assert as_rest(data["collection"]) == answer.json()
    body: dict[str, Any] = answer.json()
    return body


async def test_create(api: Api, world: World, session: Session) -> None:
    await session.commit()
    path = f"/orgs/{world.organization.id}/collections"
    answer = await api.rest("POST", path, world.creator)
    assert answer.status_code == 201
    body = answer.json()
    assert answer.headers["location"] == f"http://docs.test/v1/collections/{body['id']}"
    assert body == {
        "object": "collection",
        "id": body["id"],
        "title": "Untitled",
        "defaultLevel": "inherit",
        "organization": world.organization.id,
        "urls": {
            "location": f"http://docs.test/v1/collections/{body['id']}",
            "app": f"http://docs.test/c/{body['id']}",
        },
        "permissions": {"view": True, "admin": True, "viewInviteLinks": True, "create": True},
    }
    assert await both(api, body["id"], world.creator) == body
    inside = {"title": "Inside", "parent": body["id"]}
    nested = (await api.rest("POST", path, world.creator, inside)).json()
    assert (nested["title"], nested["parent"]) == ("Inside", body["id"])
    assert await both(api, nested["id"], world.creator) == nested


@pytest.mark.parametrize(
    ("body", "status", "named"),
    [
        ({"title": "x" * 51}, 422, "title"),
        ({"title": 1}, 422, "title"),
        ({"parent": "unknown"}, 404, "unknown"),
    ],
)
async def test_refused_creations(
    api: Api, world: World, session: Session, body: dict[str, Any], status: int, named: str
) -> None:
    await session.commit()
    path = f"/orgs/{world.organization.id}/collections"
    answer = await api.rest("POST", path, world.creator, body)
    assert answer.status_code == status
    assert named in answer.json()["error"]["message"]


async def test_update_and_delete(api: Api, world: World, session: Session) -> None:
    collection = await factories.make_collection(session, world.organization)
    await settle(session)
    path = f"/collections/{collection.id}"
    changes = {"title": "New", "description": "What it holds", "defaultLevel": "read"}
    answer = await api.rest("PATCH", path, world.creator, changes)
    assert answer.json() == await both(api, collection.id, world.creator)
    assert {name: answer.json()[name] for name in changes} == changes
    unchanged = await api.rest("PATCH", path, world.creator, {})
    assert unchanged.json() == answer.json()
    hidden = await api.rest("PATCH", path, world.creator, {"defaultLevel": None})
    assert hidden.json()["defaultLevel"] is None
    assert (await api.rest("GET", path, world.reader)).status_code == 404
    for body in ({"description": "x" * 101}, {"defaultLevel": "owner"}, {"title": None}):
        refused = await api.rest("PATCH", path, world.creator, body)
        assert refused.status_code == 422
        assert next(iter(body)) in refused.json()["error"]["message"]
    assert (await api.rest("DELETE", path, world.reader)).status_code == 204
    assert (await api.rest("DELETE", path, world.creator)).status_code == 205
    assert (await api.rest("DELETE", path, world.creator)).status_code == 204
    assert (await api.rest("GET", path, world.creator)).status_code == 404


@pytest.mark.parametrize("role", [*Role, None])
async def test_permissions(api: Api, world: World, session: Session, role: Role | None) -> None:
    collection = await factories.make_collection(
        session, world.organization, default_level=DefaultLevel.READ
    )
    await factories.make_grant(session, collection, world.guest, role)
    await settle(session)
    if role is None:
        answer = await api.rest("GET", f"/collections/{collection.id}", world.guest)
        assert answer.status_code == 404
        return
    body = await both(api, collection.id, world.guest)
    creator = role.rank >= Role.CREATE.rank
    assert body["permissions"] == {
        "view": True,
        "admin": creator,
        "viewInviteLinks": creator,
        "create": creator,
    }


class Library:
    """outer: [space s2, inner (collection: [space s3]), space s1]; beside: hidden (collection)."""

    outer: Collection
    inner: Collection

    async def build(self, session: Session, world: World) -> None:
        organization = world.organization
        make_collection, make_space = factories.make_collection, factories.make_space
        self.outer = await make_collection(session, organization, title="outer", position="A")
        self.hidden = await make_collection(
            session, organization, None, None, title="hidden", position="B"
        )
        await make_space(session, organization, self.outer, title="s1", position="c")
        await make_space(session, organization, self.outer, title="s2", position="a")
        self.inner = await make_collection(
            session, organization, self.outer, title="inner", position="b"
        )
        await make_space(session, organization, self.inner, title="s3")
        secret = await make_space(
            session, organization, self.outer, title="secret", default_level=None
        )
        await make_space(session, organization, self.outer, deleted_at=secret.created_at)
        await settle(session)


@pytest.fixture
async def library(session: Session, world: World) -> Library:
    made = Library()
    await made.build(session, world)
    return made


def titles(body: dict[str, Any]) -> list[str]:
    return [item["title"] for item in body["items"]]


async def test_lists(api: Api, world: World, library: Library) -> None:
    path = f"/orgs/{world.organization.id}/collections"
    everything = (await api.rest("GET", path, world.reader)).json()
    assert titles(everything) == ["outer", "inner"]
    assert everything["count"] == 2
    assert everything["items"][0] == await both(api, library.outer.id, world.reader)
    top = (await api.rest("GET", path, world.reader, params={"nested": "false"})).json()
    assert (titles(top), top["count"]) == (["outer"], 1)
    page = (await api.rest("GET", path, world.admin, params={"limit": 1})).json()
    assert (titles(page), page["count"]) == (["outer"], 3)
    cursor = page["next"]["page"]
    rest = (await api.rest("GET", path, world.admin, params={"page": cursor})).json()
    assert titles(rest) == ["hidden", "inner"]
    other = await api.rest("GET", path, world.admin, params={"page": cursor, "nested": "false"})
    assert other.status_code == 400, "a cursor belongs to one list"
    wrong = await api.rest("GET", path, world.admin, params={"nested": "maybe"})
    assert wrong.status_code == 422
    below = f"/collections/{library.outer.id}/spaces"
    assert titles((await api.rest("GET", below, world.reader)).json()) == ["s2", "s1"]
    admin = (await api.rest("GET", below, world.admin)).json()
    assert (titles(admin), admin["count"]) == (["secret", "s2", "s1"], 3)
    hidden = f"/collections/{library.hidden.id}/spaces"
    assert (await api.rest("GET", hidden, world.reader)).status_code == 404


async def test_graph(api: Api, world: World, library: Library) -> None:
    query = """
    query($id: ID!, $top: Boolean!) {
      organization(id: $id) {
        collections(nested: $top, first: 5) {
          totalCount
          nodes {
            title
            spaces(first: 5) { nodes { title position parent { title } } }
            collections(first: 5) {
              nodes { title position parent { title } spaces(first: 5) { nodes { title } } }
            }
          }
        }
      }
    }
    """
    data = await api.data(query, world.reader, id=world.organization.id, top=False)
    assert data["organization"]["collections"] == {
        "totalCount": 1,
        "nodes": [
            {
                "title": "outer",
                "spaces": {
                    "nodes": [
                        {"title": "s2", "position": "a", "parent": {"title": "outer"}},
                        {"title": "s1", "position": "c", "parent": {"title": "outer"}},
                    ]
                },
                "collections": {
                    "nodes": [
                        {
                            "title": "inner",
                            "position": "b",
                            "parent": {"title": "outer"},
                            "spaces": {"nodes": [{"title": "s3"}]},
                        }
                    ]
                },
            }
        ],
    }


async def test_move_and_transfer_codes(
    api: Api, world: World, session: Session, library: Library
) -> None:
    target = await factories.make_organization(session)
    await factories.make_member(session, target, Role.CREATE, world.creator)
    await settle(session)
    path = f"/collections/{library.inner.id}"
    outer = {"type": "collection", "collection": library.outer.id}
    up = {"parent": None, "position": {"before": outer}}
    moved = await api.rest("POST", f"{path}/move", world.creator, up)
    assert moved.status_code == 200, moved.text
    assert moved.json() == await both(api, library.inner.id, world.creator)
    assert "parent" not in moved.json()
    assert (await api.rest("POST", f"{path}/move", world.creator, up)).status_code == 409
    for body in ({"parent": library.inner.id}, {"position": {"after": {"type": "space"}}}):
        answer = await api.rest("POST", f"{path}/move", world.creator, body)
        assert answer.status_code == 400
    assert (await api.rest("POST", f"{path}/move", world.reader, up)).status_code == 403
    assert (await api.rest("POST", f"{path}/move", world.outsider, up)).status_code == 404
    there = {"organization": target.id}
    given = await api.rest("POST", f"{path}/transfer", world.creator, there)
    assert given.status_code == 200, given.text
    assert given.json()["organization"] == target.id
    assert (await api.rest("POST", f"{path}/transfer", world.creator, there)).status_code == 409
    assert (await api.rest("POST", f"{path}/transfer", world.reader, there)).status_code == 404


async def test_mutations(api: Api, world: World, session: Session) -> None:
    """The other door writes the same."""
    target = await factories.make_organization(session)
    await factories.make_member(session, target, Role.CREATE, world.creator)
    outer = await factories.make_collection(session, world.organization, title="outer")
    await settle(session)
    data = await api.data(
        "mutation($id: ID!) { createCollection(organizationId: $id, input: {}) { id title } }",
        world.creator,
        id=world.organization.id,
    )
    made = data["createCollection"]
    assert made["title"] == "Untitled"
    changes = 'input: {title: "New", description: "What", defaultLevel: READ}'
    beside = f'{{type: COLLECTION, collection: "{outer.id}"}}'
    steps = (
        (f"updateCollection(id: $id, {changes}) {{ defaultLevel }}", {"defaultLevel": "READ"}),
        (
            f"moveCollection(id: $id, input: {{position: {{before: {beside}}}}}) {{ title }}",
            {"title": "New"},
        ),
        (
            f'transferCollection(id: $id, input: {{organization: "{target.id}"}}) '
            "{ defaultLevel }",
            {"defaultLevel": "INHERIT"},
        ),
        ("deleteCollection(id: $id) { parent { id } }", {"parent": None}),
    )
    for mutation, expected in steps:
        query = f"mutation($id: ID!) {{ {mutation} }}"
        data = await api.data(query, world.creator, id=made["id"])
        assert list(data.values()) == [expected]
    again = "mutation($id: ID!) { deleteCollection(id: $id) { deletedId } }"
    refused = await api.graphql(again, world.creator, id=made["id"])
    assert [one["extensions"]["code"] for one in refused["errors"]] == ["NOT_FOUND"]


# What each read costs, the token included.
COUNTS = {"get": 2, "list": 5, "nested": 5}


@pytest.mark.parametrize("number", [1, 30])
async def test_statements_do_not_grow(
    api: Api, world: World, session: Session, queries: Queries, number: int
) -> None:
    for _ in range(number):
        outer = await factories.make_collection(session, world.organization)
        await factories.make_collection(session, world.organization, outer)
        await factories.make_space(session, world.organization, outer)
    await settle(session)
    await api.rest("GET", "/user", world.reader)
    with queries(COUNTS["get"]):
        await api.rest("GET", f"/collections/{outer.id}", world.reader)
    with queries(COUNTS["list"]):
        path = f"/orgs/{world.organization.id}/collections"
        listed = await api.rest("GET", path, world.reader)
    assert listed.json()["count"] == 2 * number
    query = """query($id: ID!) { organization(id: $id) { collections(nested: false) { nodes {
        spaces(first: 5) { nodes { title } } collections(first: 5) { nodes { title } }
    } } } }"""
    with queries(COUNTS["nested"]):
        data = await api.data(query, world.reader, id=world.organization.id)
    nodes = data["organization"]["collections"]["nodes"]
    assert [len(node["spaces"]["nodes"]) for node in nodes] == [1] * number
    assert [len(node["collections"]["nodes"]) for node in nodes] == [1] * number
