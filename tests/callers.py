"""Kinds of callers, what each of them may do, and how the others are refused.

People with a role are compared by it. What the others may do follows from the role that a team
gives them, or that they have lost; the tables name what does not follow from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import select, update

from db.base import utc_now
from db.enums import Role
from db.models.integrations import Integration
from db.models.organizations import TeamMember, User
from db.session import Session
from resolvers.access.integration_tokens import issue, site_role, specification_role
from resolvers.access.tokens import create_token
from resolvers.core.actors import Program
from rest_compat.routes.all import ROUTES
from rest_compat.table import Reply, Row
from tests import factories
from tests.conftest import Api, World
from tests.operation_requests import SECOND, Requests
from tests.published.sites import make_flat
from tests.seeds import Seed

ROLES = (
    "nobody", "outsider", "guest", "reader", "commenter", "editor", "reviewer", "creator", "admin",
)  # fmt: skip
OTHERS = (
    "team member",  # a guest in a team that has `create` on the collections and spaces
    "team owner",  # a reader who owns the team that is asked about
    "disabled member",  # an administrator with grants and teams, who was disabled
    "service account",  # of the organization, with the role of an administrator
    "visitor",  # with a content token of a site that shows the space
    "integration",  # with the token of an integration, which is installed
    "installation",  # with a token of its installation, which has no scopes on spaces and sites
    "API writer",  # an installation with the scope `openapi:write`
    "API reader",  # an installation with the scope `openapi:read`
    "claims writer",  # an installation with the scope `site:adaptive:write`, on the site
)
# Scopes of installations of their own.
SCOPED = {
    "API writer": "openapi:write", "API reader": "openapi:read",
    "claims writer": "site:adaptive:write",
}  # fmt: skip
PROGRAMS = ("integration", "installation", *SCOPED)
CALLERS = ROLES + OTHERS
# From them the organization is hidden, whatever they ask about.
STRANGERS = ("outsider", "disabled member")

# What the weakest may do because they wrote it; others need this role.
BY_ITS_AUTHOR = {"deleteCommentInSpace": "creator", "deleteCommentInChangeRequest": "creator"}
# About spaces and collections, but decided in the organization.
DECIDED_ABOVE = frozenset({"moveCollection", "moveSpace"})
# About a space that the body names.
INTO_CONTENT = frozenset({
    "startImportRun", "installIntegrationOnSpace", "getIntegrationSpaceInstallation",
    "updateIntegrationSpaceInstallation", "uninstallIntegrationFromSpace",
})  # fmt: skip
OF_OWN_TEAM = frozenset({
    "updateMembersInOrganizationTeam", "addMemberToOrganizationTeamById",
    "deleteMemberFromOrganizationTeamById",
})  # fmt: skip
# Where one becomes a member; whoever was disabled stays so.
JOINING = frozenset({"joinOrganization", "joinOrganizationWithInvite"})
# About accounts of people, or for those who are in another organization, too.
FOR_PEOPLE = JOINING | frozenset({
    "getAuthenticatedUser", "updateUserById", "listOrganizationsForAuthenticatedUser",
    "listAuditLogOfAuthenticatedUser", "listEventsOfAuthenticatedUser",
    "getOrganizationsForEmailDomain",
    "updateOrganizationMemberLastSeenAt", "transferCollection", "transferSpace",
    "listNotifications", "markNotificationsRead", "markNotificationsUnread",
    "getNotificationSettings", "updateNotificationSettings", "listSpaceNotificationLevels",
    "setSpaceNotificationLevel", "listFeedTokens", "createFeedToken", "revokeFeedToken",
    "tokens", "sessions", "createToken", "revokeToken", "endSession", "endOtherSessions",
    "createServiceAccount", "updateServiceAccount", "deleteServiceAccount", "createServiceToken",
})  # fmt: skip
# What a site shows of its space; lists of what it does not show are empty.
FOR_VISITORS = frozenset({
    "getSpaceById", "listPermissionsAggregateInSpace", "getCurrentRevision",
    "listRevisions", "listPages",
    "listFiles", "getFileById", "getPageById", "getPageByPath", "getReusableContentById",
    "getDocumentById", "getComputedDocument", "getComputedRevision", "getSpacePDF",
    "searchSpaceContent", "listChangeRequestsForSpace", "listCommentsInSpace",
    "listCommentersInSpace", "listSpaceWebhooks", "listGitOperations", "getContentByUrl",
    "getEmbedByUrl",
    "getEmbedByUrlInSpace", "node", "nodes", "listIntegrations", "listSpaceIntegrations",
    "listSpaceIntegrationsBlocks",
})  # fmt: skip
# For an integration and its installations, about themselves.
FOR_PROGRAMS = frozenset({
    "listIntegrations", "getIntegrationByName", "listIntegrationEvents", "getIntegrationEvent",
    "getIntegrationInstallationById", "updateIntegrationInstallation",
    "listIntegrationInstallationSpaces", "getIntegrationSpaceInstallation",
    "updateIntegrationSpaceInstallation", "listIntegrationInstallationSites",
    "getIntegrationSiteInstallation", "updateIntegrationSiteInstallation",
})  # fmt: skip
# For an installation as a guest of its organization.
OF_ITS_ORGANIZATION = frozenset({
    "getOrganizationById", "listEvents", "listOrganizationIntegrations",
    "listOrganizationIntegrationsStatus", "listOrganizationInstallations",
    "getOrganizationAgentInstructions", "listGlossaryEntries",
})  # fmt: skip
# What scopes of installations allow, by the role that they give there.
OF_SPECIFICATIONS = frozenset(row.operation_id for row in ROUTES if "/openapi" in row.path)
# For everybody who has a token with scopes on sites.
OF_SITES = frozenset({"resolvePublishedContentByUrl", "getPublishedContentByUrl"})
OF_CLAIMS = OF_SITES | {
    "getSiteAdaptiveSchema", "updateSiteAdaptiveSchema", "listSiteAdaptiveTemplateConditions",
    # What `site:read` comes with.
    "listSites", "getSiteById", "getSiteStructure", "listSiteSpaces", "listSiteSections",
    "listSiteSectionGroups", "getSiteCustomizationById", "listSiteMcpServers",
    "getSiteMcpServerById", "listSiteRedirects", "getSiteRedirectBySource", "getSubdomain",
    "listCustomFonts", "listSiteIntegrations", "listSiteIntegrationScripts",
    "siteSection", "siteSectionGroup", "siteConditions",
}  # fmt: skip
# For an integration alone.
FOR_INTEGRATIONS = frozenset({
    "queueIntegrationTask", "listIntegrationInstallations", "listIntegrationSpaceInstallations",
    "listIntegrationSiteInstallations", "createIntegrationInstallationToken",
})  # fmt: skip
# For everybody but visitors of another site.
OF_ONE_SITE = frozenset({"trackEventsInSiteById"})
# Objects that are seen before they may be read.
SEEN_FROM = {"getCustomHostname": "reader"}
# What is hidden from those who see what it is in, but may not use it.
HIDDEN_PARTS = frozenset({
    "restoreSpace", "transferSpace", "transferCollection", "getSiteAdaptiveSchema",
})  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """An operation by its name, with the weakest role that may; `of_content` where the role is the
    one on a space or collection.
    """

    name: str
    weakest: str
    of_content: bool


def operation_of(row: Row, weakest: str) -> Operation:
    of_content = row.path.startswith(("/spaces/{", "/collections/{"))
    of_content = of_content or row.operation_id in INTO_CONTENT
    return Operation(row.operation_id, weakest, of_content)


def may(caller: str, operation: Operation) -> bool:
    """Whether a caller of this kind may call the operation."""
    name = operation.name
    if name in FOR_INTEGRATIONS:
        return caller == "integration"
    match caller:
        case "installation" | "API writer" | "API reader" | "claims writer" if (
            name in OF_ITS_ORGANIZATION
        ):
            return True
        case "API writer" | "API reader" if name in OF_SPECIFICATIONS:
            return _by_role("creator" if caller == "API writer" else "reader", operation)
        case "claims writer" if name in OF_CLAIMS:
            return True
        case "integration" | "installation" | "API writer" | "API reader" | "claims writer":
            own = (name in FOR_PROGRAMS and caller not in SCOPED) or name == "listIntegrations"
            limited = name in OF_ONE_SITE or name in OF_SITES
            return own or (not limited and _by_role("nobody", operation))
        case "team member":
            by_team = operation.of_content and name not in DECIDED_ABOVE
            return _by_role("creator" if by_team else "guest", operation)
        case "team owner":
            return name in OF_OWN_TEAM or _by_role("reader", operation)
        case "disabled member":
            return name not in JOINING and _by_role("outsider", operation)
        case "service account":
            return name not in FOR_PEOPLE and _by_role("admin", operation)
        case "visitor":
            open_to_all = name not in OF_ONE_SITE and _by_role("nobody", operation)
            return name in FOR_VISITORS or open_to_all
    return _by_role(caller, operation)


def _by_role(role: str, operation: Operation) -> bool:
    own = BY_ITS_AUTHOR.get(operation.name)
    if own is not None and role != operation.weakest:
        return ROLES.index(role) >= ROLES.index(own)
    return ROLES.index(role) >= ROLES.index(operation.weakest)


def refusals(caller: str, row: Row, weakest: dict[str, str]) -> set[int]:
    """How a caller who may not is refused: what they may not see is not there."""
    name = row.operation_id
    if caller == "nobody":
        return {401}
    if caller in PROGRAMS or name in FOR_INTEGRATIONS:
        return {401, 403, 404}
    if caller == "visitor" and not row.reads:
        return {404} if name in OF_ONE_SITE else {403}
    if caller in ("visitor", "service account") and name in FOR_PEOPLE:
        return {401, 403, 404}
    if caller in STRANGERS:
        return {403} if name in JOINING else {404}
    read = _nearest_read(row.path)
    if read is None or name in HIDDEN_PARTS or name in SECOND:
        return {403, 404}
    seen_from = SEEN_FROM.get(read.operation_id, weakest[read.operation_id])
    if not may(caller, operation_of(read, seen_from)):
        return {404}
    # What is between what they see and what they ask for may be hidden, or not.
    return {403, 404} if "{" in row.path.removeprefix(read.path) else {403}


@cache
def _nearest_read(path: str) -> Row | None:
    """The read of the object that a path is about, or else of the one that it is in."""
    fitting = [
        row
        for row in ROUTES
        if row.method == "GET" and row.reply is Reply.ITEM and row.path.endswith("}")
        and (path == row.path or path.startswith(f"{row.path}/"))
    ]  # fmt: skip
    return max(fitting, key=lambda row: len(row.path), default=None)


async def tokens_of_callers(
    api: Api, world: World, session: Session, requests: Requests, kinds: Sequence[str] = CALLERS
) -> dict[str, str | None]:
    """The text of a token of each caller; None of nobody."""
    texts: dict[str, str | None] = {"nobody": None}
    for name, person in world.people().items():
        texts[name] = await api.token_of(person)
    if set(kinds) <= set(ROLES):
        return texts
    organization, seed = world.organization, requests.seed
    await session.begin_write()
    people = {
        "team member": await factories.make_member(session, organization, None),
        "team owner": await factories.make_member(session, organization, Role.READ),
        "disabled member": await factories.make_member(
            session, organization, Role.ADMIN, disabled=True
        ),
    }
    for name in ("team owner", "disabled member"):
        owner = TeamMember(
            team_id=seed.known["teamId"][0], organization_id=organization.id,
            user_id=people[name].id, owner=True,
        )  # fmt: skip
        session.add(owner)
    writers = await factories.make_team(
        session, organization, people["team member"], people["disabled member"]
    )
    for target in (seed.collection, *requests.further_spaces):
        await factories.make_grant(session, target, writers, Role.CREATE)
        await factories.make_grant(session, target, people["disabled member"], Role.ADMIN)
    for name in ("team member", "team owner"):
        await factories.make_member(session, requests.elsewhere, Role.CREATE, people[name])
    # Whoever has a verified address may join.
    await session.execute(update(User).values(email_verified_at=utc_now()))
    service = await factories.make_service(session, organization, Role.ADMIN)
    _, texts["service account"] = await create_token(
        session, service.id, "t", organization_id=organization.id
    )
    texts |= await tokens_of_programs(api, session, seed)
    texts |= await _tokens_of_scoped(api, session, seed)
    shown = await make_flat(session, organization, "shown")
    shown.site_spaces["shown"].space_id = seed.space.id
    await session.commit()
    for name, person in people.items():
        texts[name] = await api.token_of(person)
    url = f"http://docs.test/sites/{shown.site.id}"
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    texts["visitor"] = answer.json()["apiToken"]
    return texts


async def tokens_of_programs(api: Api, session: Session, seed: Seed) -> dict[str, str]:
    """The text of a token of the first integration, and of its installation."""
    integration = await session.scalar(select(Integration).where(Integration.name == "notes"))
    assert integration is not None
    ids = integration.id, seed.known["installationId"][0]
    await api.server.file_access()
    return {
        program.value: issue(api.server.token_key, program, id, integration.token_mark)
        for program, id in zip(Program, ids, strict=True)
    }


async def _tokens_of_scoped(api: Api, session: Session, seed: Seed) -> dict[str, str]:
    """The text of a token of each installation that has one scope, and an entry for the site."""
    texts = {}
    for caller, scope in SCOPED.items():
        integration = await factories.make_integration(
            session, seed.site.organization_id, scope.replace(":", "-"), scopes=[scope],
            site_role=site_role([scope]), specification_role=specification_role([scope]),
        )  # fmt: skip
        installation = await factories.make_installation(
            session, integration, seed.site.organization_id
        )
        await factories.make_entry(session, installation, seed.site)
        texts[caller] = issue(
            api.server.token_key, Program.INSTALLATION, installation.id, integration.token_mark
        )
    return texts
