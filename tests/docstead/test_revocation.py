"""What one server process takes away, every other one refuses with the next request.

Two servers run on one database. The second one has just answered somebody many times, on a
connection that stays open, when the first one takes something away from them.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2

from account_pages.cookies import NAME
from account_pages.requests import SCRIPT_HEADER
from db.enums import Role, SignInMethod
from db.models.organizations import ServiceAccount, User
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.access.tokens import create_token
from resolvers.sign_in.sessions import open_session
from tests import factories
from tests.conftest import World
from tests.docstead.test_serve import serving

WARM = 20
SPACE = "query ($id: ID!) { space(id: $id) { id title revision { id } } }"


@dataclass
class Caller:
    """Somebody with an open connection, who reads a space by each interface."""

    client: httpx2.Client
    space_id: str
    headers: dict[str, str]
    etag: str = '"none"'

    def statuses(self) -> set[int]:
        """Of both answers, and of one that they have already."""
        body = {"query": SPACE, "variables": {"id": self.space_id}}
        answer = self.client.post("/graphql", json=body, headers=self.headers).json()
        statuses = {one["extensions"]["status"] for one in answer.get("errors", ())} or {200}
        if "Authorization" not in self.headers:
            return statuses  # sessions of browsers are for GraphQL only
        path = f"/v1/spaces/{self.space_id}/content"
        plain = self.client.get(path, headers=self.headers)
        known = self.client.get(path, headers=self.headers | {"If-None-Match": self.etag})
        self.etag = plain.headers.get("ETag", self.etag)
        return statuses | {plain.status_code, known.status_code}


@dataclass(frozen=True)
class Loss:
    """Whose access ends by which mutation of an administrator, and how they are refused then."""

    headers: dict[str, str]
    mutation: str
    status: int


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


async def losses_of(session: Session, world: World, space: Space) -> dict[str, Loss]:
    organization = world.organization
    team = await factories.make_team(session, organization, world.guest)
    await factories.make_grant(session, space, team, Role.EDIT)
    granted = await factories.make_member(session, organization, None)
    await factories.make_grant(session, space, granted, Role.READ)
    deleted = await factories.make_service(session, organization, Role.READ)
    disabled = await factories.make_service(session, organization, Role.READ)

    async def token_of(account: User | ServiceAccount) -> tuple[dict[str, str], str]:
        own = account.organization_id if isinstance(account, ServiceAccount) else None
        row, text = await create_token(session, account.id, "laptop", organization_id=own)
        return bearer(text), row.id

    async def loses(account: User | ServiceAccount, mutation: str, status: int = 404) -> Loss:
        headers, token_id = await token_of(account)
        values = {"organization": organization.id, "space": space.id, "team": team.id}
        for name, id in (values | {"account": account.id, "token": token_id}).items():
            mutation = mutation.replace(f"${name}", f'"{id}"')
        return Loss(headers, mutation, status)

    member = "organizationId: $organization, userId: $account"
    return {
        "token": await loses(world.admin, "revokeToken(id: $token)", 401),
        "token of a service account": await loses(disabled, "revokeToken(id: $token)", 401),
        "service account": await loses(
            disabled, "updateServiceAccount(id: $account, input: { disabled: true })"
        ),
        "all of a service account": await loses(deleted, "deleteServiceAccount(id: $account)", 401),
        "membership": await loses(world.commenter, f"removeMember({member})"),
        "access": await loses(world.editor, f"updateMember({member}, input: {{ disabled: true }})"),
        "role": await loses(world.reviewer, f"updateMember({member}, input: {{ role: null }})"),
        "team": await loses(world.guest, "removeTeamMember(teamId: $team, userId: $account)"),
        "grant": await loses(granted, "removeUserFromSpace(spaceId: $space, userId: $account)"),
    }


async def test_access_ends_at_once_in_every_process(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await factories.make_space(session, world.organization)
    losses = await losses_of(session, world, space)
    _, secret = await open_session(session, world.creator.id, SignInMethod.EMAIL_LINK)
    creator = await create_token(session, world.creator.id, "laptop")
    admin = await create_token(session, world.admin.id, "laptop")
    space_id = space.id
    await session.commit()
    await session.close()
    settings = {
        "DOCSTEAD_DATABASE_URL": database.url.render_as_string(hide_password=False),
        "DOCSTEAD_PUBLIC_URL": "http://docs.test",
    }
    with ExitStack() as opened:
        (first, _), (second, _) = (
            opened.enter_context(serving(tmp_path / "data", settings=settings)) for _ in range(2)
        )
        taking = opened.enter_context(httpx2.Client(base_url=first))

        def change(mutation: str, headers: dict[str, str]) -> None:
            body = {"query": f"mutation {{ {mutation} {{ __typename }} }}"}
            answer = taking.post("/graphql", json=body, headers=headers).json()
            assert "errors" not in answer, (mutation, answer)

        browser = {
            "Cookie": f"{NAME}={secret}", SCRIPT_HEADER: "GraphiQL", "Origin": "http://docs.test",
            "Sec-Fetch-Site": "same-origin",
        }  # fmt: skip
        # The session is ended by the person themselves.
        losses["session"] = Loss(browser, "endOtherSessions", 401)
        for name, loss in losses.items():
            client = opened.enter_context(httpx2.Client(base_url=second))
            caller = Caller(client, space_id, loss.headers)
            for _ in range(WARM // 3):
                assert caller.statuses() <= {200, 304}, name
            change(loss.mutation, bearer((creator if name == "session" else admin)[1]))
            assert caller.statuses() == {loss.status}, name
