"""Calls of both doors with the header Idempotency-Key."""

from dataclasses import dataclass
from typing import Any

import httpx2
from sqlalchemy import select

from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World

KEY = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
CREATE = """
mutation ($organization: ID!, $title: String!) {
  createSpace(organizationId: $organization, input: {title: $title}) { id title visibility }
}
"""


@dataclass
class Caller:
    """One person at one server."""

    api: Api
    world: World
    person: User

    async def rest(
        self, method: str, path: str, key: str | None, json: Any = None, **headers: str
    ) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            named[KEY] = key
        return await self.api.rest(method, path, self.person, json, headers=named)

    async def graphql(self, query: str, key: str | None, **variables: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {await self.api.token_of(self.person)}"}
        if key is not None:
            headers[KEY] = key
        body = {"query": query, "variables": variables}
        return await self.api.client.post("/graphql", json=body, headers=headers)

    async def create(self, door: str, title: str, key: str | None) -> httpx2.Response:
        """Make a space through one of the doors."""
        organization = self.world.organization.id
        if door == "rest":
            return await self.rest("POST", f"/orgs/{organization}/spaces", key, {"title": title})
        return await self.graphql(CREATE, key, organization=organization, title=title)


def id_of(answer: httpx2.Response) -> str:
    """The id of a space that either door has made."""
    body = answer.json()
    found: str = body["id"] if "id" in body else body["data"]["createSpace"]["id"]
    return found


async def titles(session: Session) -> list[str]:
    """The titles of all spaces that are there."""
    found = await session.execute(select(Space.title).order_by(Space.title))
    made = list(found.scalars())
    await session.commit()
    return made
