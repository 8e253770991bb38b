"""Every write leaves one entry in the audit log, in its own transaction; nothing else does.
It leaves its events there, too (tests/event_coverage.py).

`OBJECTS` names, for each operation of the route table, what its entry is about. A new write fails
until it is listed. What else it changes has to be named, too (tests/audit_coverage.py). Refused
requests leave the whole database as it was (tests/test_authorization.py).
"""

import json
from typing import Any, get_type_hints

import pytest
from sqlalchemy import select

from db.audit_enums import AuditDoor
from db.models.audit import AuditEntry
from db.models.integrations import Integration
from db.models.organizations import User
from db.models.specifications import Specification
from db.session import Database, Session
from resolvers.content.computed import SOURCES
from resolvers.core.audit_objects import OBJECTS as KINDS
from resolvers.core.declarations import declaration_of
from resolvers.core.deletions import Deletion
from resolvers.core.naming import camel
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from schema.mutation import Mutation
from schema.wiring import OPERATION
from tests.audit_coverage import state_of, unknown_tables, unnamed_changes
from tests.callers import FOR_INTEGRATIONS, tokens_of_programs
from tests.conftest import Api, Stored, World
from tests.event_coverage import OF_ROUTES, event_ids, new_events, wrong_events
from tests.kinds import dealt
from tests.operation_requests import contents, one_request_each
from tests.seeds import SAMPLE_SOURCE, SampleSource
from tests.test_authorization import WEAKEST

REQUEST = "the-write"
WRITES = [row for row in ROUTES if not row.reads]
# Operation -> the type of the object of its entry; None for none.
OBJECTS: dict[str, str | None] = {
    "addMemberToOrganizationTeamById": "team",
    "addSectionGroupToSite": "siteSectionGroup",
    "addSectionToGroup": "siteSectionGroup",
    "addSectionToSite": "siteSection",
    "addSpaceToSite": "siteSpace",
    "applyTemplateToSpace": "space",
    "createChangeRequest": "changeRequest",
    "createCollection": "collection",
    "createFileUpload": "upload",
    "createOrganizationSAMLProvider": "signOnProvider",
    "createOrganizationInvite": "invitation",
    "createOrganizationTeam": "team",
    "createSite": "site",
    "createSiteMcpServer": "mcpServer",
    "createSiteRedirect": "siteRedirect",
    "createSiteShareLink": "shareLink",
    "createSpace": "space",
    "deleteCollectionById": "collection",
    "deleteCommentInChangeRequest": "comment",
    "deleteCommentInSpace": "comment",
    "deleteCommentReplyInChangeRequest": "comment",
    "deleteCommentReplyInSpace": "comment",
    "deleteMemberFromOrganizationTeamById": "team",
    "deleteOrganizationSAMLProvider": "signOnProvider",
    "deleteOrganizationInviteById": "invitation",
    "deleteSiteById": "site",
    "deleteSiteMcpServerById": "mcpServer",
    "deleteSiteRedirectById": "siteRedirect",
    "deleteSiteSectionById": "siteSection",
    "deleteSiteSectionGroupById": "siteSectionGroup",
    "deleteSiteShareLinkById": "shareLink",
    "deleteSiteSpaceById": "siteSpace",
    "deleteSiteSpaceCustomizationById": "siteSpace",
    "deleteSpaceById": "space",
    "dnsRevalidateCustomHostname": "customHostname",
    "duplicateSpace": "space",
    "importContent": "space",
    "importContentInChangeRequest": "changeRequest",
    "importContentInChangeRequestPageById": "changeRequest",
    "importContentInPageById": "space",
    "startImportRun": "job",
    "startSpacePDF": "job",
    "startOrganizationExport": "job",
    "startChangeRequestPDF": "job",
    "importGitRepository": "job",
    "importUploadedTree": "job",
    "exportToGitRepository": "job",
    "deleteLegacyGitInstallation": "space",
    "setGitConfiguration": "space",
    "deleteGitConfiguration": "space",
    "runGitConfiguration": "space",
    "cancelImportRun": "job",
    "updateNotificationSettings": "user",
    "createFeedToken": "token",
    "revokeFeedToken": "token",
    "cancelJob": "job",
    "retryJob": "job",
    "createOpenAPISpec": "openApiSpec",
    "createOrUpdateOpenAPISpecBySlug": "openApiSpec",
    "updateOpenAPISpecBySlug": "openApiSpec",
    "deleteOpenAPISpecBySlug": "openApiSpec",
    "publishIntegration": "integration",
    "unpublishIntegration": "integration",
    "setIntegrationDevelopmentMode": "integration",
    "queueIntegrationTask": "integration",
    "disableIntegrationDevelopmentMode": "integration",
    "createIntegrationToken": "integration",
    "createIntegrationInstallationToken": "installation",
    "installIntegration": "installation",
    "updateIntegrationInstallation": "installation",
    "uninstallIntegration": "installation",
    "installIntegrationOnSpace": "installation",
    "updateIntegrationSpaceInstallation": "installation",
    "uninstallIntegrationFromSpace": "installation",
    "installIntegrationOnSite": "installation",
    "updateIntegrationSiteInstallation": "installation",
    "uninstallIntegrationFromSite": "installation",
    "createWebhook": "webhook",
    "updateWebhook": "webhook",
    "deleteWebhook": "webhook",
    "rotateWebhookSecret": "webhook",
    "sendWebhookTest": "webhook",
    "generateStorageUploadURL": "upload",
    "createCustomFont": "customFont",
    "updateCustomFont": "customFont",
    "deleteCustomFont": "customFont",
    "updateOrganizationAgentInstructions": "organization",
    "createTranslation": "translation",
    "updateTranslation": "translation",
    "runTranslation": "translation",
    "deleteTranslation": "translation",
    "updateGlossaryEntries": "organization",
    "redeliverWebhookDelivery": "webhook",
    "inviteToCollection": "collection",
    "inviteToSpace": "space",
    "mergeChangeRequest": "changeRequest",
    "moveCollection": "collection",
    "moveSiteSection": "siteSection",
    "moveSiteSectionGroup": "siteSectionGroup",
    "moveSiteSpace": "siteSpace",
    "moveSpace": "space",
    "overrideSiteSpaceCustomizationById": "siteSpace",
    "postCommentInChangeRequest": "comment",
    "postCommentInSpace": "comment",
    "postCommentReplyInChangeRequest": "comment",
    "postCommentReplyInSpace": "comment",
    "publishSite": "site",
    "regenerateSitePublishingAuthById": "site",
    "regenerateSiteRevalidationSecret": "site",
    "removeCustomHostname": "customHostname",
    "removeMemberFromOrganizationById": "member",
    "removeRequestedReviewerFromChangeRequest": "changeRequest",
    "removeSectionFromGroup": "siteSection",
    "removeTeamFromCollection": "collection",
    "removeTeamFromOrganizationById": "team",
    "removeTeamFromSpace": "space",
    "removeUserFromCollection": "collection",
    "removeUserFromSpace": "space",
    "requestReviewersForChangeRequest": "changeRequest",
    "resolveConflictInChangeRequest": "conflict",
    "restoreSpace": "space",
    "rollBackSpaceToRevision": "space",
    "setCustomHostname": "customHostname",
    "setSiteRevalidation": "site",
    "setUserAsSSOMemberForOrganization": "member",
    "sortSiteStructure": "siteSection",
    "submitChangeRequestReview": "review",
    "transferCollection": "collection",
    "transferSpace": "space",
    "unpublishSite": "site",
    "updateChangeRequestById": "changeRequest",
    "updateCollectionById": "collection",
    "updateCommentInChangeRequest": "comment",
    "updateCommentInSpace": "comment",
    "updateCommentReplyInChangeRequest": "comment",
    "updateCommentReplyInSpace": "comment",
    "updateMemberInOrganizationById": "member",
    "updateMembersInOrganizationTeam": "team",
    "updateOrganizationById": "organization",
    "updateOrganizationInviteById": "invitation",
    "inviteUsersToOrganization": "organization",
    "joinOrganization": "member",
    "joinOrganizationWithInvite": "member",
    "updateOrganizationSAMLProvider": "signOnProvider",
    "updateSiteAdaptiveSchema": "site",
    "updateSiteById": "site",
    "updateSiteCustomizationById": "site",
    "updateSiteMcpServerById": "mcpServer",
    "updateSitePublishingAuthById": "site",
    "updateSiteRedirectById": "siteRedirect",
    "updateSiteSectionById": "siteSection",
    "updateSiteSectionGroupById": "siteSectionGroup",
    "updateSiteShareLinkById": "shareLink",
    "updateSiteSpaceById": "siteSpace",
    "updateSpaceById": "space",
    "updateTeamInOrganizationById": "team",
    "updateTeamPermissionInCollection": "collection",
    "updateTeamPermissionInSpace": "space",
    "updateUserPermissionInCollection": "collection",
    "updateUserPermissionInSpace": "space",
    "updateUserById": "user",
    "writeChangeRequestContent": "changeRequest",
    "writeSiteRedirects": "site",
    "writeSpaceContent": "space",
    # Nothing changes: there is nothing to pull.
    "updateChangeRequest": None,
    # Not asked for by people, or all the time.
    "trackEventsInSiteById": None,
    "updateOrganizationMemberLastSeenAt": None,
    "markNotificationsRead": None,
    "setSpaceNotificationLevel": None,
    "markNotificationsUnread": None,
}
# Mutations that no route has.
MUTATIONS = {
    field.metadata[OPERATION].operation
    for field in Mutation.__strawberry_definition__.fields  # type: ignore[attr-defined]
}


def test_every_write_is_listed() -> None:
    assert OBJECTS.keys() == {row.operation_id for row in WRITES}
    assert OBJECTS.keys() == OF_ROUTES.keys()
    assert unknown_tables() == set()


def test_results_of_writes_name_an_object() -> None:
    """Of those that no route has, and of all others, the result says what the entry is about."""
    silent = set()
    for operation in MUTATIONS | {row.operation for row in WRITES}:
        function = getattr(operation, "function", operation)
        kind = get_type_hints(function)["return"]
        names = kind is Any or kind is Deletion or kind in KINDS or hasattr(kind, "audited")
        if declaration_of(operation).audited and not names:
            silent.add(operation.__name__)
    # Theirs is the one row that they change, or one of two results that say it.
    assert silent == {
        "override_site_space_customization",
        "regenerate_site_revalidation_secret",
        "replace_site_customization",
        "set_site_revalidation",
        "write_change_request_content",
    }


# What they have begun is in no answer.
WITHOUT_ANSWER = {"importGitRepository", "exportToGitRepository"}


async def entries(session: Session) -> list[AuditEntry]:
    await session.rollback()
    statement = (
        select(AuditEntry)
        .where(AuditEntry.request_id == REQUEST)
        .order_by(AuditEntry.at, AuditEntry.id)
    )
    return list((await session.execute(statement)).scalars())


async def test_each_write_leaves_one_entry(
    api: Api,
    world: World,
    session: Session,
    database: Database,
    stored: Stored,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    wrong: dict[str, Any] = {}
    async with one_request_each(api, world, session) as requests:
        await session.commit()
        programs = await tokens_of_programs(api, session, requests.seed)
        account = await session.scalar(select(User).where(User.display_name == "notes"))
        await session.close()
        saved = await stored.save()
        before, rows = await state_of(database), await contents(database)
        earlier = await event_ids(database)
        # Which entry is left is not said in SQL; each kind runs all writes in test_answers.py.
        for row in dealt(WRITES, database):
            path, body = requests.of[row.operation_id]
            caller = requests.people.get(WEAKEST[row.operation_id])
            headers = {"X-Request-Id": REQUEST}
            if row.operation_id in FOR_INTEGRATIONS:
                headers["Authorization"] = f"Bearer {programs['integration']}"
            response = await api.rest(row.method, path, caller, body, headers=headers)
            if row.operation_id in FOR_INTEGRATIONS:
                caller = account
            assert response.status_code < 300, (row.operation_id, response.text)
            text = json.dumps([path, body, response.text])
            if OBJECTS[row.operation_id] == "member" and caller is not None:
                # Who joins is named by their token alone.
                text += caller.id
            if OBJECTS[row.operation_id] == "integration":
                # So do these, with the name.
                text += json.dumps([key for (key,) in before[Integration]])
            if OBJECTS[row.operation_id] == "openApiSpec":
                # Addresses name the slug.
                text += json.dumps([key for (key,) in before[Specification]])
            async with database.session() as reading:
                written = await entries(reading)
            problem = problem_of(row, written, text, world, caller)
            if problem is None and OBJECTS[row.operation_id] is not None:
                now = await contents(database)
                changed = [name for name in rows if rows[name] != now[name]]
                after = before | await state_of(database, changed)
                problem = unnamed_changes(before, after, written) or None
            events = await new_events(database, earlier)
            problem = problem or wrong_events(events, OF_ROUTES[row.operation_id])
            if problem is not None:
                wrong[row.operation_id] = problem
            await stored.restore(saved)
    assert wrong == {}, "\n".join(f"{k}: {v}" for k, v in wrong.items())


def problem_of(row: Row, written: list[AuditEntry], text: str, world: World, caller: Any) -> Any:
    """What is wrong with the entries that a request has left."""
    expected = OBJECTS.get(row.operation_id)
    transferred = row.operation_id.startswith("transfer")
    if len(written) != (0 if expected is None else 1 + transferred):
        return [(entry.action, entry.object_type) for entry in written]
    for entry in written:
        facts = {
            "type": (entry.object_type.value, expected),
            "id": (
                entry.object_id,
                (row.operation_id in WITHOUT_ANSWER and entry.object_id)
                or (entry.object_id and entry.object_id in text and entry.object_id),
            ),
            "action": (entry.action, camel(row.operation.__name__)),
            "actor": (entry.actor_id, caller.id),
            "name": (entry.actor_name in (caller.display_name, "Changed"), True),
            "door": (entry.door, AuditDoor.V1),
            # Those of integrations are stored nowhere.
            "token": (entry.token_id is None, row.operation_id in FOR_INTEGRATIONS),
            "address": (entry.address, "127.0.0.1"),
            "organization": (
                transferred or entry.organization_id,
                transferred or (None if expected == "user" else world.organization.id),
            ),
        }
        problems = {name: both for name, both in facts.items() if both[0] != both[1]}
        if problems:
            return problems
    return None
