"""Spaces through both doors."""

from typing import Any

from db.enums import Visibility
from db.models.people import User
from db.session import Session
from tests.conftest import Api, World

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


def as_rest(node: dict[str, Any]) -> dict[str, Any]:
    """A space of GraphQL in the words of /v1."""
    body = dict(node)
    body["object"] = "space"
    body["comments"] = body.pop("commentsOpen")
    body["changeRequests"] = body.pop("changeRequestsTotal")
    for name in ("organization", "parent", "revision"):
        body[name] = body[name] and body[name]["id"]
    body["visibility"] = Visibility[body["visibility"]].value
    body["editMode"] = body["editMode"].lower()
    for name in ("language", "defaultLevel"):
        body[name] = body[name] and body[name].lower()
    for name in ("deletedAt", "language", "parent"):
        if body[name] is None:
            del body[name]
    body["urls"] = {name: url for name, url in body["urls"].items() if url is not None}
    return body


async def create(api: Api, world: World, person: User | None = None, **body: Any) -> dict[str, Any]:
    answer = await api.rest(
        "POST", f"/orgs/{world.organization.id}/spaces", person or world.creator, body
    )
    assert answer.status_code == 201, answer.text
    space: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"http://docs.test/v1/spaces/{space['id']}"
    return space


async def test_create_with_nothing(api: Api, world: World, session: Session) -> None:
    await session.commit()
    answer = await api.rest("POST", f"/orgs/{world.organization.id}/spaces", world.creator)
    assert answer.status_code == 201
    body = answer.json()
    assert body["title"] == "Untitled"
    assert body["emoji"] == "1f4d8"
    assert body["visibility"] == "private"
    assert body["editMode"] == "locked"
    assert body["defaultLevel"] == "inherit"
    assert body["mergeRules"] == {"type": "inherit"}
    assert (body["comments"], body["changeRequests"]) == (0, 0)
    assert "parent" not in body
    content = await api.rest("GET", f"/spaces/{body['id']}/content", world.creator)
    assert content.json()["id"] == body["revision"]
    data = await api.data(
        f"query($id: ID!) {{ space(id: $id) {{ {SPACE} }} }}", world.creator, id=body["id"]
    )
    assert as_rest(data["space"]) == body
