"""Organizations that are closed to those who have come another way than they ask for."""

from itertools import product
from typing import Any

import httpx2
from sqlalchemy import delete, update

from db.enums import Role, SignInMethod
from db.models.organizations import Member, Organization
from db.models.sign_on import SamlProvider
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from resolvers.access.closed_organizations import closed_organizations
from resolvers.access.tokens import create_token
from resolvers.core.actors import SignIn
from resolvers.sign_in.sessions import open_session
from tests import factories
from tests.account_pages.browsing import Browser
from tests.account_pages.test_invitations import invite
from tests.account_pages.test_saml import begin, make_provider
from tests.account_pages.test_session_reach import SCRIPT
from tests.conftest import Api, World, settle

MAKE_TOKEN = 'mutation { createToken(input: {label: "mine"}) { text token { id } } }'
OWN_ORGANIZATIONS = """{ viewer { organizations { nodes { title } }
    organizationsToSignOn { organizationId title signInURL } } }"""
ENFORCE = "mutation ($id: ID!) { updateOrganization(id: $id, input: {sso: true}) { sso } }"


async def graphql(browser: Browser, query: str, **variables: str) -> dict[str, Any]:
    body = {"query": query, "variables": variables}
    answer: dict[str, Any] = (
        await browser.client.post("/graphql", json=body, headers=SCRIPT)
    ).json()
    return answer


async def titles(browser: Browser) -> set[str]:
    """The organizations that a session sees."""
    data = (await graphql(browser, OWN_ORGANIZATIONS))["data"]["viewer"]
    return {node["title"] for node in data["organizations"]["nodes"]}


async def token_made_in(browser: Browser) -> dict[str, str]:
    made = await graphql(browser, MAKE_TOKEN)
    return {"Authorization": f"Bearer {made['data']['createToken']['text']}"}


async def seen_with(client: httpx2.AsyncClient, headers: dict[str, str]) -> set[str]:
    """The organizations that a token sees in /v1."""
    listed = await client.get("/v1/orgs", headers=headers)
    return {item["title"] for item in listed.json()["items"]}


async def test_enforcing_it_closes_what_was_open(
    api: Api, world: World, session: Session, database: Database
) -> None:
    second = await factories.make_organization(session, title="Second")
    await factories.make_member(session, second, Role.EDIT, world.reader)
    await factories.make_member(session, second, Role.READ, world.admin)
    space = await factories.make_space(session, world.organization, title="Secret")
    provider = await make_provider(session, world, trusted=True)
    service = await factories.make_service(session, world.organization)
    _, text = await create_token(
        session, service.id, "build", organization_id=world.organization.id
    )
    program = {"Authorization": f"Bearer {text}"}
    await settle(session)
    reader, admin, signed_on = Browser(api), Browser(api), Browser(api)
    await reader.sign_in(world.reader)
    await admin.sign_in(world.admin)
    assert (await (await begin(signed_on, provider)).finish(email=world.reader.email)).is_redirect
    by_link, by_provider = await token_made_in(reader), await token_made_in(signed_on)
    by_operator = {"Authorization": f"Bearer {await api.token_of(world.reader)}"}
    assert await titles(reader) == await titles(signed_on) == {"Acme", "Second"}

    id = world.organization.id
    assert (await graphql(admin, ENFORCE, id=id))["data"]["updateOrganization"] == {"sso": True}
    # Another process of the server knows it as well, at once.
    settings = api.server.settings
    transport = httpx2.ASGITransport(app=create_app(settings, Server(settings, database)))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as elsewhere:
        for client in (api.client, elsewhere):
            for token in (by_link, by_operator):
                assert await seen_with(client, token) == {"Second"}
                for path in (f"/v1/orgs/{id}", f"/v1/spaces/{space.id}", f"/v1/orgs/{id}/members"):
                    assert (await client.get(path, headers=token)).status_code == 404
                refused = await client.patch(
                    f"/v1/spaces/{space.id}", json={"title": "x"}, headers=token
                )
                assert refused.status_code == 404
            assert await seen_with(client, by_provider) == {"Acme", "Second"}
            assert (await client.get(f"/v1/spaces/{space.id}", headers=program)).status_code == 200
    assert await titles(reader) == {"Second"}
    for query in (
        f'{{ organization(id: "{id}") {{ title }} }}',
        f'{{ space(id: "{space.id}") {{ title }} }}',
        f'{{ node(id: "{space.id}") {{ ... on Space {{ title }} }} }}',
        f'{{ user(id: "{world.creator.id}") {{ displayName }} }}',
    ):
        answer = await graphql(reader, query)
        assert "Secret" not in str(answer), query
        assert not any((answer.get("data") or {}).values()), query
    # A token that is made in such a session opens no more than it.
    assert await seen_with(api.client, await token_made_in(reader)) == {"Second"}
    # Whoever administrates it is not locked out, and nobody else loses anything.
    assert await titles(admin) == await titles(signed_on) == {"Acme", "Second"}
    page = (await reader.get("/account")).text
    assert "Acme" in page
    assert f"/sign-in?organization={id}" in page
    assert "Acme" not in (await signed_on.get("/account")).text
    (closed,) = (await graphql(reader, OWN_ORGANIZATIONS))["data"]["viewer"][
        "organizationsToSignOn"
    ]
    address = f"http://docs.test/sign-in?organization={id}"
    assert closed == {"organizationId": id, "title": "Acme", "signInURL": address}
    # They sign on, in the same browser.
    finished = await (await begin(reader, provider)).finish(email=world.reader.email)
    assert finished.status_code == 303, finished.text
    assert await titles(reader) == {"Acme", "Second"}
    # An administrator who is one no more has to sign on, too.
    await session.begin_write()
    mine = update(Member).where(
        Member.user_id == world.admin.id, Member.organization_id == world.organization.id
    )
    await session.execute(mine.values(role=Role.EDIT))
    await session.commit()
    assert await titles(admin) == {"Second"}


async def test_a_provider_speaks_for_its_own_organization(
    api: Api, world: World, session: Session, database: Database
) -> None:
    provider = await make_provider(session, world)
    other = await factories.make_organization(session, title="Other")
    await factories.make_member(session, other, Role.ADMIN, world.creator)
    await settle(session)
    browser, by_link = Browser(api), Browser(api)
    assert (await (await begin(browser, provider)).finish(email=world.reader.email)).is_redirect
    await by_link.sign_in(world.reader)
    token = await token_made_in(browser)

    async def change(model: Any, **values: Any) -> None:
        await session.begin_write()
        await session.execute(update(model).values(**values))
        await session.commit()

    async def is_member() -> bool:
        async with database.session() as reading:
            return await reading.get(Member, (other.id, world.reader.id)) is not None

    # It joins nobody to another one.
    invited = await api.rest(
        "POST", f"/orgs/{other.id}/invites", world.creator, {"emails": [world.reader.email]}
    )
    assert invited.status_code < 300, invited.text
    await session.begin_write()
    await factories.make_member(session, other, Role.ADMIN, world.reader)
    await session.commit()
    assert await is_member()
    # Not even an administrator of it comes in that way.
    assert await titles(browser) == await seen_with(api.client, token) == {"Acme"}
    assert await titles(by_link) == {"Acme", "Other"}
    assert "Other" in (await browser.get("/account")).text
    await change(SamlProvider, trusted=True)
    assert await titles(browser) == await seen_with(api.client, token) == {"Acme", "Other"}
    await change(SamlProvider, trusted=False)
    assert await titles(browser) == {"Acme"}
    # When it is gone, it counts nowhere, and its own organization keeps those who do not have to
    # sign on.
    await session.begin_write()
    await session.execute(delete(SamlProvider))
    await session.commit()
    assert await titles(browser) == {"Acme"}
    await change(Organization, sso=True)
    assert await titles(browser) == set()
    assert await seen_with(api.client, token) == set()
    await change(Organization, sso=False)


async def test_who_signed_on_elsewhere_joins_nothing(
    api: Api, world: World, session: Session, database: Database
) -> None:
    other = await factories.make_organization(session, title="Other")
    person = await factories.make_member(session, other)
    await factories.make_space(session, world.organization)
    provider = await factories.make_saml_provider(session, other)
    _, secret = await open_session(session, person.id, SignInMethod.SAML, provider=provider)
    _, own = await open_session(session, person.id, SignInMethod.EMAIL_LINK)
    await settle(session)
    path = await invite(api, world, person.email)
    browser, by_link = Browser(api), Browser(api)
    for opened, cookie in ((browser, secret), (by_link, own)):
        opened.client.cookies.set("docstead-session", cookie)
    refused = await browser.send(path, path)
    assert refused.status_code == 403
    assert "sign in another way" in refused.text
    async with database.session() as reading:
        assert await reading.get(Member, (world.organization.id, person.id)) is None
    # An organization that enforces it is joined, and is closed from then on, in the answer, too.
    await session.begin_write()
    await session.execute(
        update(Organization).where(Organization.id == world.organization.id).values(sso=True)
    )
    await session.commit()
    accept = """mutation ($secret: ID!) { acceptInvitation(secret: $secret) {
        organization { title spaces { nodes { title } } } } }"""
    answer = await graphql(by_link, accept, secret=path.rpartition("/")[2])
    assert answer["data"]["acceptInvitation"]["organization"]["spaces"]["nodes"] == []
    async with database.session() as reading:
        assert await reading.get(Member, (world.organization.id, person.id)) is not None
    assert await titles(by_link) == {"Other"}


async def test_the_rule_is_the_one_that_is_written_down(world: World, session: Session) -> None:
    """All kinds of organizations, for one person and all ways to come."""
    person = await factories.make_user(session)
    open_to_all: dict[str, tuple[bool, Role | None, bool]] = {}
    own: dict[str, dict[str, str]] = {}
    for sso, role, active in product((False, True), (None, Role.EDIT, Role.ADMIN), (False, True)):
        organization = await factories.make_organization(session, sso=sso)
        await factories.make_member(session, organization, role, person)
        open_to_all[organization.id] = (sso, role, active)
        pending = {} if active else {"certificate": ""}
        providers = [
            await factories.make_saml_provider(session, organization, trusted=trusted, **pending)
            for trusted in (False, True)
        ]
        own[organization.id] = {
            "untrusted": providers[0].id, "trusted": providers[1].id, "gone": "gone",
        }  # fmt: skip

    def expected(way: SignIn, trusted: bool) -> set[str]:
        closed = set()
        for id, (sso, role, active) in open_to_all.items():
            enforced = sso and role is not Role.ADMIN
            if way.method is SignInMethod.SAML:
                if way.provider_organization_id == id:
                    shut = enforced and way.provider_id == "gone"
                else:
                    shut = enforced or not trusted
            elif way.method is SignInMethod.OPENID_CONNECT:
                shut = enforced and active
            else:
                shut = enforced
            if shut:
                closed.add(id)
        return closed

    others = [None, *(method for method in SignInMethod if method is not SignInMethod.SAML)]
    ways = [(SignIn(method), False) for method in others]
    ways += [
        (SignIn(SignInMethod.SAML, provider, organization), kind == "trusted")
        for organization, providers in own.items()
        for kind, provider in providers.items()
    ]
    # What is not known is closed.
    ways.append((SignIn(SignInMethod.SAML), False))
    for way, trusted in ways:
        closed = await closed_organizations(session, person.id, way)
        assert closed == expected(way, trusted), way
    row, _ = await create_token(session, person.id, "t", sign_in=ways[-1][0])
    assert (row.method, row.provider_id) == (SignInMethod.SAML, None)
    assert len(await closed_organizations(session, person.id, ways[-1][0])) == 12
