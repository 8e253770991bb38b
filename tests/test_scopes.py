"""Scopes of tokens: every operation and every list asks for one, in both interfaces.

Each route is called with a token that lacks nothing but its scope, and with one that has no other.
"""

import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from graphql import GraphQLObjectType, get_named_type

from db.enums import Role, TokenScope
from db.models.organizations import User
from db.session import Database, Session
from resolvers.access.model_scopes import MODEL_SCOPES, scope_of_object
from resolvers.access.policy import RULES
from resolvers.access.tokens import create_token
from resolvers.content.computed import SOURCES
from resolvers.core.batch_functions import declared
from resolvers.core.operation_scopes import BY_KIND, SCOPES, scope_of
from resolvers.core.scopes import granted_by
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from schema.build import build_schema
from schema.mutation import Mutation
from schema.query import Query
from schema.wiring import OPERATION, SOURCE
from tests import factories
from tests.callers import FOR_INTEGRATIONS
from tests.conftest import Api, World, settle
from tests.kinds import dealt
from tests.operation_requests import contents, one_request_each
from tests.seeds import SAMPLE_SOURCE, SampleSource
from tests.test_authorization import WEAKEST

S = TokenScope
# What routes need beside the scope of their operation, for what their answers hold.
MORE: dict[str, set[TokenScope]] = {
    "listOpenAPISpecs": {S.OPENAPI_READ},
    "listOrganizationIntegrations": {S.INTEGRATION_READ},
    "listOrganizationIntegrationsStatus": {S.INTEGRATION_INSTALLATIONS_READ},
    "listOrganizationInstallations": {S.INTEGRATION_INSTALLATIONS_READ},
    "listSpaceIntegrations": {S.INTEGRATION_READ},
    "listSiteIntegrations": {S.INTEGRATION_READ},
    "listCustomFonts": {S.SITE_READ},
    "listTranslations": {S.SPACE_READ},
    "listWebhooks": {S.WEBHOOK_READ},
    "listSpaceWebhooks": {S.WEBHOOK_READ},
    "listSiteWebhooks": {S.WEBHOOK_READ},
    # Lists below an organization or a person.
    "listChangeRequestsForOrganization": {S.SPACE_READ},
    "listCollectionsInOrganizationById": {S.SPACE_READ},
    "listSpacesInOrganizationById": {S.SPACE_READ},
    "listImportRuns": {S.SPACE_READ},
    "listJobs": {S.SPACE_READ},
    "listSites": {S.SITE_READ},
    "listMembersInOrganizationById": {S.ORGANIZATION_MEMBERS_READ},
    "listTeamsInOrganizationById": {S.ORGANIZATION_MEMBERS_READ},
    "listOrganizationInviteLinks": {S.ORGANIZATION_MEMBERS_READ},
    "listOrganizationsForAuthenticatedUser": {S.ORGANIZATION_READ},
    "listAuditLog": {S.ORGANIZATION_MEMBERS_READ},
    "listAuditLogOfAuthenticatedUser": {S.ORGANIZATION_MEMBERS_READ},
    "listEventsOfAuthenticatedUser": {S.ORGANIZATION_READ},
    "getOrganizationSAMLProviderById": {S.ORGANIZATION_MEMBERS_READ},
    "listSAMLProvidersInOrganizationById": {S.ORGANIZATION_MEMBERS_READ},
    "listSpacesForOrganizationMember": {S.SPACE_PERMISSIONS_READ},
    "searchOrganizationContent": {S.ORGANIZATION_SEARCH},
    # Of a site: what it shows are whole spaces.
    "getSiteStructure": {S.SPACE_READ},
    "listSiteSectionGroups": {S.SPACE_READ},
    "listSiteSections": {S.SPACE_READ},
    "listSiteSpaces": {S.SPACE_READ},
    "listPermissionsAggregateInSite": {S.SITE_PERMISSIONS_READ},
    "listSiteShareLinks": {S.SITE_AUTH_READ},
    "listSiteVisitorSegments": {S.SITE_INSIGHTS_READ},
    "searchSiteContent": {S.SITE_SEARCH},
    # Of a space: links say in which organization they lead.
    "listChangeRequestLinks": {S.ORGANIZATION_READ},
    "listPageLinksInSpace": {S.ORGANIZATION_READ},
    "listSpaceLinks": {S.ORGANIZATION_READ},
    "listChangeRequestFileBacklinks": {S.ORGANIZATION_READ},
    "listChangeRequestPageBacklinks": {S.ORGANIZATION_READ},
    "listSpaceFileBacklinks": {S.ORGANIZATION_READ},
    "listSpacePageBacklinks": {S.ORGANIZATION_READ},
    "listCommentersInChangeRequest": {S.ORGANIZATION_MEMBERS_READ},
    "listCommentersInSpace": {S.ORGANIZATION_MEMBERS_READ},
    "listPermissionsAggregateInCollection": {S.SPACE_PERMISSIONS_READ},
    "listPermissionsAggregateInSpace": {S.SPACE_PERMISSIONS_READ},
    "listTeamPermissionsInCollection": {S.SPACE_PERMISSIONS_READ, S.ORGANIZATION_MEMBERS_READ},
    "listTeamPermissionsInSpace": {S.SPACE_PERMISSIONS_READ, S.ORGANIZATION_MEMBERS_READ},
    "listUserPermissionsInCollection": {S.SPACE_PERMISSIONS_READ},
    "listUserPermissionsInSpace": {S.SPACE_PERMISSIONS_READ},
}
# Types that are no rows of a model, and need a scope where they stand below others.
OWN_SCOPES = {
    "SitePersonConnection": S.SITE_PERMISSIONS_READ,
    "ContentPersonConnection": S.SPACE_PERMISSIONS_READ,
    "EffectiveRole": S.SPACE_PERMISSIONS_READ,
    "UserGrantConnection": S.SPACE_PERMISSIONS_READ,
    "TeamGrantConnection": S.SPACE_PERMISSIONS_READ,
    "MemberSpaceConnection": S.SPACE_PERMISSIONS_READ,
    "Insights": S.SITE_INSIGHTS_READ,
    "VisitorSegmentConnection": S.SITE_INSIGHTS_READ,
    "SitePreview": S.SITE_AUTH_READ,
    "SitePublishingAuth": S.SITE_AUTH_READ,
}
# Content has its scope from what it stands below; lookups of it from elsewhere are listed here.
CONTENT = {"Page", "File", "ReusableContent", "Revision", "Document"}
SAME_KIND = {"PublishedCustomizations"}
ELSEWHERE = {"PageReference", "AnchorReference", "FileReference", "ReusableContentReference",
             "SearchPage"}  # fmt: skip


def operations() -> dict[str, Any]:
    """All operations of both interfaces, by name."""
    named: dict[str, Any] = {}
    roots = [
        field.metadata[OPERATION].operation
        for kind in (Query, Mutation)
        for field in kind.__strawberry_definition__.fields  # type: ignore[attr-defined]
    ]
    for operation in [*roots, *(row.operation for row in ROUTES)]:
        assert named.setdefault(operation.__name__, operation) == operation, operation
    return named


def test_every_operation_has_a_scope() -> None:
    named = operations().keys()
    assert named - SCOPES.keys() - BY_KIND == set(), "give them a line in operation_scopes.py"
    assert (SCOPES.keys() | BY_KIND) - named == set(), "there are no such operations"


def test_every_model_has_a_scope() -> None:
    assert set(RULES) - set(MODEL_SCOPES) == set(), "give them a line in model_scopes.py"


def fields() -> Iterator[tuple[str, str, Any, Any, Any]]:
    """Fields whose values come from a batch function, with the models of both their types."""
    schema = build_schema()._schema
    for type_ in schema.type_map.values():
        if not isinstance(type_, GraphQLObjectType) or type_.name.startswith("__"):
            continue
        for name, field in type_.fields.items():
            definition = field.extensions.get("strawberry-definition")
            source = definition and definition.metadata.get(SOURCE)
            if source and source.batch:
                named = get_named_type(field.type)
                yield type_.name, name, source.batch, model_behind(type_), named


def model_behind(type_: Any) -> Any:
    """The model whose rows a type shows; of a connection that of its nodes."""
    if not isinstance(type_, GraphQLObjectType):
        return None
    if type_.name.endswith("Connection"):
        return model_behind(get_named_type(type_.fields["nodes"].type))
    check = type_.is_type_of
    cells = getattr(check, "__closure__", None) or ()
    models = [cell.cell_contents for cell in cells if cell.cell_contents in MODEL_SCOPES]
    return models[0] if models else None


def test_fields_of_another_kind_ask_for_its_scope() -> None:
    wrong = {}
    for type_, name, function, parent, named in fields():
        scope, model = declared(function).scope, model_behind(named)
        expected: Any = OWN_SCOPES.get(named.name)
        if model is not None and model is not User:
            own = scope_of_object(model)
            # What is of the kind of its parent is seen with it.
            expected = None if parent and scope_of_object(parent) is own else own
        if type_ in SAME_KIND:
            continue
        if named.name in CONTENT and type_ in ELSEWHERE:
            expected = S.SPACE_READ
        if expected is not None and scope is not expected:
            wrong[f"{type_}.{name}"] = (scope, expected)
    assert wrong == {}


class Tokens:
    """Tokens of people with chosen scopes, each made once."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._texts: dict[Any, str] = {}

    async def text(self, person: User, scopes: frozenset[TokenScope]) -> str:
        key = (person.id, scopes)
        if key not in self._texts:
            async with self._api.server.database.session() as session:
                await session.begin_write()
                _, self._texts[key] = await create_token(session, person.id, "t", scopes=scopes)
                await session.commit()
        return self._texts[key]

    async def ask(
        self, row: Row, request: tuple[str, Any], person: User, scopes: frozenset[TokenScope]
    ) -> httpx2.Response:
        path, body = request
        options: dict[str, Any] = {} if body is None else {"json": body}
        headers = {"Authorization": f"Bearer {await self.text(person, scopes)}"}
        return await self._api.client.request(row.method, f"/v1{path}", headers=headers, **options)


def lacking(scope: TokenScope) -> frozenset[TokenScope]:
    """All scopes that do not bring this one along."""
    return frozenset(other for other in TokenScope if scope not in granted_by((other.value,)))


def missing_scope(response: httpx2.Response) -> TokenScope | None:
    match = re.search(r"the token has no '([a-z:-]+)' scope", response.text)
    return TokenScope(match.group(1)) if response.status_code == 403 and match else None


async def test_each_route_asks_for_its_scope_and_no_other(
    api: Api, world: World, session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    wrong: dict[str, Any] = {}
    more: dict[str, set[TokenScope]] = {}
    async with one_request_each(api, world, session) as requests:
        before = await contents(database)
        tokens = Tokens(api)
        admin = requests.people["admin"]
        rows = dealt(ROUTES, database)
        for row in rows:
            scope = scope_of(row.operation.__name__, writes=not row.reads)
            assert scope is not None
            request = requests.of[row.operation_id]
            person = requests.people.get(WEAKEST[row.operation_id], admin)
            refused = await tokens.ask(row, request, person, lacking(scope))
            if missing_scope(refused) is not scope:
                wrong[row.operation_id] = refused.text
            if not row.reads or row.operation_id in FOR_INTEGRATIONS:
                continue
            held = {scope}
            answer = await tokens.ask(row, request, person, frozenset(held))
            while (needed := missing_scope(answer)) is not None and needed not in held:
                held.add(needed)
                answer = await tokens.ask(row, request, person, frozenset(held))
            if answer.status_code != 200:
                wrong[row.operation_id] = answer.text
            if held != {scope}:
                more[row.operation_id] = held - {scope}
        after = await contents(database)
        for table in ("api_token", "audit_entry"):
            before.pop(table, None), after.pop(table, None)
        assert after == before
    assert wrong == {}
    names = {row.operation_id for row in rows}
    assert more == {name: scopes for name, scopes in MORE.items() if name in names}


async def test_a_default_level_gives_roles(api: Api, world: World, session: Session) -> None:
    """A token that changes spaces opens them to nobody: that takes what giving a role takes."""
    space = await factories.make_space(session, world.organization)
    collection = await factories.make_collection(session, world.organization)
    await settle(session)
    tokens = Tokens(api)
    writes = await tokens.text(world.creator, frozenset({TokenScope.SPACE_WRITE}))
    gives = await tokens.text(
        world.creator, frozenset({TokenScope.SPACE_WRITE, TokenScope.SPACE_PERMISSIONS_WRITE})
    )
    for path in (f"/v1/spaces/{space.id}", f"/v1/collections/{collection.id}"):
        for token, body, status in (
            (writes, {"title": "New"}, 200), (writes, {"defaultLevel": "read"}, 403),
            (gives, {"defaultLevel": "read"}, 200), (gives, {"defaultLevel": "admin"}, 403),
        ):  # fmt: skip
            headers = {"Authorization": f"Bearer {token}"}
            answer = await api.client.patch(path, headers=headers, json=body)
            assert answer.status_code == status, answer.text
            if token is writes and status == 403:
                assert missing_scope(answer) is TokenScope.SPACE_PERMISSIONS_WRITE


# What is about a person: their account, joining, other people's invitations to them.
FOR_PEOPLE = {
    "getAuthenticatedUser",
    "listOrganizationsForAuthenticatedUser",
    "getOrganizationsForEmailDomain",
    "listAuditLogOfAuthenticatedUser",
    "listEventsOfAuthenticatedUser",
    "listNotifications",
    "getNotificationSettings",
    "listSpaceNotificationLevels",
    "listFeedTokens",
}
# Nobody without a role sees these, and asking changes nothing.
OPEN = {row.operation_id for row in ROUTES if WEAKEST.get(row.operation_id) == "nobody"}


async def test_programs_do_what_their_role_allows(
    api: Api, world: World, session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is an administrator reads what administrators read; one without a role nothing."""
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    wrong: dict[str, Any] = {}
    async with one_request_each(api, world, session) as requests:
        texts = {}
        for role in (Role.ADMIN, None):
            account = await factories.make_service(session, world.organization, role)
            _, texts[role] = await create_token(
                session, account.id, "t", organization_id=world.organization.id
            )
        await session.commit()
        before = await contents(database)
        for row in ROUTES:
            path, body = requests.of[row.operation_id]
            options: dict[str, Any] = {} if body is None else {"json": body}
            for role, text in texts.items():
                if row.operation_id in FOR_INTEGRATIONS:
                    continue
                if row.operation_id in OPEN or (role is not None and not row.reads):
                    continue
                headers = {"Authorization": f"Bearer {text}"}
                answer = await api.client.request(
                    row.method, f"/v1{path}", headers=headers, **options
                )
                person = row.operation_id in FOR_PEOPLE
                if role is not None:
                    allowed = {403} if person else {200}
                else:
                    # Guests without a grant see their organization, and empty lists below it.
                    allowed = {403, 404} | ({200} if row.reads else {204})
                if answer.status_code not in allowed:
                    wrong[row.operation_id, role] = answer.text
        assert await contents(database) == before
    assert wrong == {}
