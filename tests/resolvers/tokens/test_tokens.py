"""Tokens: people make, list and revoke their own; none reaches beyond what it is made with."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from db.base import utc_now
from db.enums import FULL_ACCESS, Role, TokenScope
from db.models.organizations import Member, ServiceAccount, Token, User
from db.session import Session
from resolvers.access.policy import must, ranks
from resolvers.access.tokens import create_token as create_token_row
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Conflict, Forbidden, NotFound
from resolvers.core.runners import run
from resolvers.core.scopes import granted_by
from resolvers.organizations import member_writes
from resolvers.organizations.member_writes import UpdateMemberInput
from resolvers.tokens import operations as tokens, service_accounts
from resolvers.tokens.operations import CreateTokenInput
from resolvers.tokens.service_accounts import (
    CreateServiceAccountInput,
    UpdateServiceAccountInput,
)
from tests import factories
from tests.conftest import Api, World, context

CREATE = """mutation($input: CreateTokenInput!) {
  createToken(input: $input) { text token { id label scopes expiresAt lastUsedAt revokedAt } } }"""
LIST = "{ viewer { tokens { totalCount nodes { id label scopes expiresAt lastUsedAt } } } }"
REVOKE = "mutation($id: ID!) { revokeToken(id: $id) { id revokedAt } }"
CREATE_SERVICE = """mutation($organization: ID!, $input: CreateServiceAccountInput!) {
  createServiceAccount(organizationId: $organization, input: $input) {
    id: userId role disabled user { displayName } tokens { totalCount } } }"""
CREATE_SERVICE_TOKEN = """mutation($id: ID!, $input: CreateTokenInput!) {
  createServiceToken(id: $id, input: $input) { text token { id scopes } } }"""
SERVICES = """query($id: ID!) { organization(id: $id) { serviceAccounts {
  nodes { id: userId role disabled user { displayName } organization { id }
    tokens { nodes { label } } } }
  members { nodes { userId } } } }"""


async def asked(api: Api, token: str, query: str, **variables: Any) -> dict[str, Any]:
    """The answer of GraphQL to whoever has a token."""
    body = {"query": query, "variables": variables}
    headers = {"Authorization": f"Bearer {token}"}
    answer: dict[str, Any] = (await api.client.post("/graphql", json=body, headers=headers)).json()
    return answer


async def status(api: Api, token: str, path: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return (await api.client.get(f"/v1{path}", headers=headers)).status_code


async def test_a_person_makes_lists_and_revokes(api: Api, world: World, session: Session) -> None:
    await session.commit()
    ends = (utc_now() + dt.timedelta(days=7)).isoformat()
    wanted = {"label": "laptop", "scopes": ["SPACE_READ", "USER_READ"], "expiresAt": ends}
    made = (await api.data(CREATE, world.reader, input=wanted))["createToken"]
    assert made["token"]["label"] == "laptop"
    assert sorted(made["token"]["scopes"]) == ["SPACE_READ", "USER_READ"]
    everything = (await api.data(CREATE, world.reader, input={"label": "all"}))["createToken"]
    assert sorted(everything["token"]["scopes"]) == ["READ", "WRITE"]
    assert everything["token"]["expiresAt"] is None
    assert await status(api, everything["text"], "/user") == 200

    listed = (await api.data(LIST, world.reader))["viewer"]["tokens"]
    assert [token["label"] for token in listed["nodes"]] == ["test", "laptop", "all"]
    assert listed["totalCount"] == 3
    assert made["text"] not in str(listed)
    # Nobody sees or revokes those of others, not even administrators.
    seen = await api.data(
        "query($id: ID!, $token: ID!) { user(id: $id) { tokens { totalCount } } "
        "node(id: $token) { id } }",
        world.admin, id=world.reader.id, token=made["token"]["id"],
    )  # fmt: skip
    assert seen == {"user": {"tokens": {"totalCount": 0}}, "node": None}
    refused = await api.graphql(REVOKE, world.admin, id=everything["token"]["id"])
    assert refused["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert await status(api, everything["text"], "/user") == 200

    revoked = (await api.data(REVOKE, world.reader, id=everything["token"]["id"]))["revokeToken"]
    assert revoked["revokedAt"] is not None
    assert await status(api, everything["text"], "/user") == 401
    again = (await api.data(REVOKE, world.reader, id=everything["token"]["id"]))["revokeToken"]
    assert again == revoked
    listed = (await api.data(LIST, world.reader))["viewer"]["tokens"]
    assert [token["label"] for token in listed["nodes"]] == ["test", "laptop"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"label": ""},
        {"label": "x" * 51},
        {"label": "a\x00b"},
        {"label": "x", "scopes": []},
        {"label": "x", "scopes": ["EVERYTHING"]},
        {"label": "x", "expiresAt": "2020-01-01T00:00:00Z"},
        {"label": "x", "expiresAt": "tomorrow"},
        {},
    ],
)
async def test_bad_input(api: Api, world: World, session: Session, wrong: dict[str, Any]) -> None:
    await session.commit()
    await api.token_of(world.reader)
    answer = await api.graphql(CREATE, world.reader, input=wrong)
    (error,) = answer["errors"]
    assert error["extensions"]["code"] in {"INVALID", "BAD_REQUEST", "BAD_USER_INPUT"}
    assert (await session.execute(select(func.count(Token.id)))).scalar_one() == 1


@pytest.mark.parametrize(
    "scopes", [{TokenScope.READ}, {TokenScope.SPACE_WRITE}, set(TokenScope) - FULL_ACCESS]
)
async def test_a_narrower_token_makes_none(
    api: Api, world: World, session: Session, scopes: set[TokenScope]
) -> None:
    _, text = await create_token_row(session, world.admin.id, "t", scopes=frozenset(scopes))
    await session.commit()
    for wanted in ({"label": "wider"}, {"label": "same", "scopes": ["SPACE_WRITE"]}):
        answer = await asked(api, text, CREATE, input=wanted)
        assert answer["errors"][0]["extensions"]["missingScope"] == "write"
    assert (await session.execute(select(func.count(Token.id)))).scalar_one() == 1


async def test_no_token_outlives_the_one_that_makes_it(world: World, session: Session) -> None:
    ctx = context(session, world.reader)
    end = utc_now() + dt.timedelta(hours=1)
    ctx.actor = replace(ctx.actor, token_expires_at=end)
    made = await run(ctx, tokens.create_token, CreateTokenInput(label="child"))
    assert made.token.expires_at == end
    later = CreateTokenInput(label="late", expires_at=Some(end + dt.timedelta(seconds=1)))
    with pytest.raises(Forbidden, match="outlives"):
        await run(ctx, tokens.create_token, later)
    sooner = CreateTokenInput(label="soon", expires_at=Some(end - dt.timedelta(seconds=1)))
    assert (await run(ctx, tokens.create_token, sooner)).token.expires_at < end


async def test_so_many_tokens(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "TOKENS_LIMIT", 2)
    ctx = context(session, world.reader)
    first = await run(ctx, tokens.create_token, CreateTokenInput(label="1"))
    await run(ctx, tokens.create_token, CreateTokenInput(label="2"))
    with pytest.raises(Conflict, match="at most 2"):
        await run(ctx, tokens.create_token, CreateTokenInput(label="3"))
    await run(ctx, tokens.revoke_token, first.token.id)
    await run(ctx, tokens.create_token, CreateTokenInput(label="3"))


def test_what_scopes_include() -> None:
    assert granted_by(("write",)) == frozenset(TokenScope)
    assert all(scope.reads for scope in granted_by(("read",)))
    assert granted_by(("organization:members:write",)) == {
        TokenScope.ORGANIZATION_MEMBERS_WRITE,
        TokenScope.ORGANIZATION_MEMBERS_READ,
        TokenScope.ORGANIZATION_READ,
    }
    for scope in TokenScope:
        granted = granted_by((scope.value,))
        assert scope in granted
        # Whatever a scope includes, that scope includes, too; and no scope but `write` reaches
        # the account, or from one subject to another's writes. Claims are a part of their site.
        for other in granted:
            assert granted_by((other.value,)) <= granted
        if scope is not TokenScope.WRITE:
            parts = {TokenScope.SITE_WRITE: {TokenScope.SITE_ADAPTIVE_WRITE}}.get(scope, set())
            assert {other for other in granted if not other.reads} in (set(), {scope} | parts)


# ------------------------------------------------------------------ service accounts


async def test_administrators_make_service_accounts(
    api: Api, world: World, session: Session
) -> None:
    organization = world.organization.id
    await session.commit()
    wanted = {"name": "Pipeline", "role": "EDIT"}
    service = (
        await api.data(CREATE_SERVICE, world.admin, organization=organization, input=wanted)
    )["createServiceAccount"]
    assert service == {
        "id": service["id"], "role": "EDIT", "disabled": False,
        "user": {"displayName": "Pipeline"}, "tokens": {"totalCount": 0},
    }  # fmt: skip
    made = (
        await api.data(CREATE_SERVICE_TOKEN, world.admin, id=service["id"], input={"label": "ci"})
    )["createServiceToken"]
    text = made["text"]

    # It is no person: in no list of members, without a profile, without tokens of its own making.
    listed = (await api.data(SERVICES, world.admin, id=organization))["organization"]
    assert listed["serviceAccounts"]["nodes"] == [{
        "id": service["id"], "role": "EDIT", "disabled": False,
        "user": {"displayName": "Pipeline"}, "organization": {"id": organization},
        "tokens": {"nodes": [{"label": "ci"}]},
    }]  # fmt: skip
    assert service["id"] not in {node["userId"] for node in listed["members"]["nodes"]}
    hidden = (await api.data(SERVICES, world.creator, id=organization))["organization"]
    assert hidden["serviceAccounts"]["nodes"] == []
    members = f"/orgs/{organization}/members"
    assert (await api.rest("GET", f"{members}/{service['id']}", world.admin)).status_code == 404
    assert await status(api, text, "/user") == 403
    assert await status(api, text, f"/orgs/{organization}") == 200
    for query, variables in (
        (CREATE, {"input": {"label": "own"}}),
        (CREATE_SERVICE, {"organization": organization, "input": {"name": "Other"}}),
        (CREATE_SERVICE_TOKEN, {"id": service["id"], "input": {"label": "more"}}),
        (REVOKE, {"id": made["token"]["id"]}),
    ):
        answer = await asked(api, text, query, **variables)
        assert answer["errors"][0]["extensions"]["code"] in {"FORBIDDEN", "NOT_FOUND"}
    assert (await session.execute(select(func.count(ServiceAccount.id)))).scalar_one() == 1

    # It works as its role says, and is named by what it makes.
    space = (
        await api.rest("POST", f"/orgs/{organization}/spaces", world.admin, {"title": "S"})
    ).json()
    headers = {"Authorization": f"Bearer {text}"}
    draft = await api.client.post(
        f"/v1/spaces/{space['id']}/change-requests", json={"subject": "By CI"}, headers=headers
    )
    assert draft.status_code in (200, 201), draft.text
    assert draft.json()["createdBy"]["displayName"] == "Pipeline"
    assert (await api.client.get(members, headers=headers)).status_code == 404


async def test_what_becomes_of_service_accounts(api: Api, world: World, session: Session) -> None:
    organization = world.organization.id
    ctx = context(session, world.admin)
    service = await run(
        ctx, service_accounts.create_service_account, organization,
        CreateServiceAccountInput(name="Pipeline", role=Some(Role.ADMIN)),
    )  # fmt: skip
    id = service.id
    text = (
        await run(ctx, service_accounts.create_service_token, id, CreateTokenInput(label="t"))
    ).text

    # An administrator that is a program does not count as one.
    demoted = UpdateMemberInput(role=Some(Role.READ))
    with pytest.raises(ApiError, match="last active administrator"):
        await run(ctx, member_writes.update_member, organization, world.admin.id, demoted)

    # It survives whoever made it.
    await run(ctx, member_writes.update_member, organization, world.creator.id,
              UpdateMemberInput(role=Some(Role.ADMIN)))  # fmt: skip
    other = context(session, world.creator)
    await run(other, member_writes.remove_member, organization, world.admin.id)
    await session.commit()
    assert await status(api, text, f"/orgs/{organization}") == 200
    # Of another role, and disabled, at once.
    changes = UpdateServiceAccountInput(name=Some("Robot"), role=Some(None), disabled=Some(True))
    await run(other, service_accounts.update_service_account, id, changes)
    await session.commit()
    assert await status(api, text, f"/orgs/{organization}") == 404
    member = await session.get(Member, (organization, id), populate_existing=True)
    assert member is not None
    assert (member.role, member.disabled, member.service) == (None, True, True)
    # Its members' operations do not know it; its own refuse all but administrators.
    with pytest.raises(NotFound):
        await run(other, member_writes.remove_member, organization, id)
    for person in (world.editor, world.guest, world.outsider):
        caller = context(session, person)
        attempts: list[tuple[Any, tuple[Any, ...]]] = [
            (service_accounts.update_service_account, (id, changes)),
            (service_accounts.delete_service_account, (id,)),
            (service_accounts.create_service_token, (id, CreateTokenInput(label="t"))),
            (
                service_accounts.create_service_account,
                (organization, CreateServiceAccountInput(name="Mine")),
            ),
        ]
        for operation, values in attempts:
            with pytest.raises((NotFound, Forbidden)):
                await run(caller, operation, *values)
    await run(other, service_accounts.delete_service_account, id)
    await session.commit()
    assert await status(api, text, f"/orgs/{organization}") == 401
    assert await session.get(Member, (organization, id), populate_existing=True) is None
    user = await session.get(User, id)
    assert user is not None
    assert user.display_name == "Robot"


async def test_service_accounts_of_others(world: World, session: Session) -> None:
    """Administrators of another organization reach nothing of it."""
    service = await run(
        context(session, world.admin), service_accounts.create_service_account,
        world.organization.id, CreateServiceAccountInput(name="Pipeline"),
    )  # fmt: skip
    elsewhere: Context = context(session, world.outsider)
    with pytest.raises(NotFound):
        await must(elsewhere, ServiceAccount, service.id)
    token = await run(
        context(session, world.admin), service_accounts.create_service_token, service.id,
        CreateTokenInput(label="t"),
    )  # fmt: skip
    with pytest.raises(NotFound):
        await run(elsewhere, tokens.revoke_token, token.token.id)
    revoked = await run(context(session, world.admin), tokens.revoke_token, token.token.id)
    assert revoked.revoked_at is not None


async def test_a_service_account_does_not_see_its_tokens(world: World, session: Session) -> None:
    """They are for the administrators, as the account is."""
    service = await factories.make_service(session, world.organization, Role.EDIT)
    token = await factories.make_token(session, service)
    user = await session.get_one(User, service.id)
    assert await ranks(context(session, user), Token, [token.id]) == {}
    assert await ranks(context(session, world.admin), Token, [token.id]) == {
        token.id: Role.ADMIN.rank
    }
