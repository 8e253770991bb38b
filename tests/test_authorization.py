"""Who may do what: every row of the route table, called by every kind of caller.

`WEAKEST` names, for each operation, the weakest role that may; tests/callers.py says what follows
for others. Who may not is refused, and leaves the database as it was; who may succeeds. A new
operation fails until it is listed.
"""

from typing import Any

import pytest

from db.session import Database, Session
from resolvers.content.computed import SOURCES
from rest_compat.routes.all import ROUTES
from tests.callers import CALLERS, ROLES, may, operation_of, refusals, tokens_of_callers
from tests.conftest import Api, Stored, World
from tests.operation_requests import Unchanged, one_request_each
from tests.seeds import SAMPLE_SOURCE, SampleSource

# The guest and the commenter hold a grant on the space; the commenter wrote the comment on the
# space, the editor the change request and the comment on it, the reader all replies.
WEAKEST = {
    # People
    "getAuthenticatedUser": "outsider",
    "getUserById": "guest",
    "updateUserById": "admin",  # the person themselves
    "listOrganizationsForAuthenticatedUser": "outsider",
    "getOrganizationById": "guest",
    "updateOrganizationById": "admin",
    "listMembersInOrganizationById": "guest",
    "getMemberInOrganizationById": "reader",
    "updateMemberInOrganizationById": "admin",
    "removeMemberFromOrganizationById": "admin",
    "setUserAsSSOMemberForOrganization": "admin",
    "updateOrganizationMemberLastSeenAt": "guest",
    "listTeamsForOrganizationMember": "reader",
    "listSpacesForOrganizationMember": "reader",
    "listAuditLog": "admin",
    "listAuditLogOfAuthenticatedUser": "outsider",
    "listEvents": "guest",
    "listEventsOfAuthenticatedUser": "outsider",
    # The server, files, translations
    "getApiInformation": "nobody",
    "generateStorageUploadURL": "admin",
    "listCustomFonts": "guest",
    "createCustomFont": "admin",
    "getCustomFont": "reader",
    "updateCustomFont": "admin",
    "deleteCustomFont": "admin",
    "getOrganizationAgentInstructions": "guest",
    "updateOrganizationAgentInstructions": "admin",
    "listTranslations": "guest",
    "createTranslation": "admin",
    "getTranslation": "admin",  # of a space that only administrators see
    "updateTranslation": "admin",
    "runTranslation": "admin",
    "deleteTranslation": "admin",
    "listGlossaryEntries": "guest",
    "updateGlossaryEntries": "admin",
    "getGlossaryEntry": "reader",
    # Invitations
    "inviteUsersToOrganization": "admin",
    "joinOrganizationWithInvite": "outsider",
    "listOrganizationInviteLinks": "admin",
    "createOrganizationInvite": "admin",
    "getOrganizationInviteLink": "admin",
    "updateOrganizationInviteById": "admin",
    "deleteOrganizationInviteById": "admin",
    "joinOrganization": "outsider",
    "getOrganizationsForEmailDomain": "outsider",
    # Notifications: everybody has their own
    "listNotifications": "outsider",
    "markNotificationsRead": "admin",  # the person whose they are
    "markNotificationsUnread": "admin",
    "getNotificationSettings": "outsider",
    "updateNotificationSettings": "outsider",
    "listSpaceNotificationLevels": "outsider",
    "setSpaceNotificationLevel": "guest",
    "listFeedTokens": "outsider",
    "createFeedToken": "guest",
    "revokeFeedToken": "admin",  # the person whose it is
    # Jobs
    "listJobs": "guest",
    "getJob": "admin",
    "cancelJob": "admin",
    "retryJob": "admin",
    "listImportRuns": "guest",
    "startImportRun": "editor",
    "startSpacePDF": "guest",
    "startOrganizationExport": "admin",
    "startChangeRequestPDF": "guest",
    "getImportRun": "admin",
    "cancelImportRun": "admin",
    # Git
    "importGitRepository": "creator",
    "importUploadedTree": "editor",
    "exportToGitRepository": "creator",
    "getSpaceGitInfo": "guest",
    "deleteLegacyGitInstallation": "creator",
    "getGitOperation": "creator",
    "getGitOperationById": "creator",
    "listGitPlannedChanges": "creator",
    "listGitConflicts": "creator",
    "listGitOperations": "guest",
    "getGitConfiguration": "creator",
    "setGitConfiguration": "creator",
    "deleteGitConfiguration": "creator",
    "runGitConfiguration": "creator",
    # OpenAPI specifications
    "listOpenAPISpecs": "guest",
    "createOpenAPISpec": "creator",
    "getOpenAPISpecBySlug": "reader",
    "createOrUpdateOpenAPISpecBySlug": "creator",
    "updateOpenAPISpecBySlug": "creator",
    "deleteOpenAPISpecBySlug": "creator",
    "listOpenAPISpecVersions": "reader",
    "getLatestOpenAPISpecVersion": "reader",
    "getLatestOpenAPISpecVersionContent": "reader",
    "getOpenAPISpecVersionById": "reader",
    "getOpenAPISpecVersionContentById": "reader",
    # Integrations
    "listIntegrations": "outsider",
    "getIntegrationByName": "reader",
    "publishIntegration": "admin",
    "unpublishIntegration": "admin",
    "setIntegrationDevelopmentMode": "admin",
    "disableIntegrationDevelopmentMode": "admin",
    "createIntegrationToken": "admin",
    "queueIntegrationTask": "integration",
    "renderIntegrationUIWithGet": "reader",
    "renderIntegrationUIWithPost": "reader",
    "listIntegrationEvents": "reader",
    "getIntegrationEvent": "admin",
    "listIntegrationInstallations": "integration",
    "installIntegration": "admin",
    "listIntegrationSpaceInstallations": "integration",
    "listIntegrationSiteInstallations": "integration",
    "getIntegrationInstallationById": "admin",
    "updateIntegrationInstallation": "admin",
    "uninstallIntegration": "admin",
    "createIntegrationInstallationToken": "integration",
    "listIntegrationInstallationSpaces": "admin",
    "installIntegrationOnSpace": "creator",
    "getIntegrationSpaceInstallation": "creator",
    "updateIntegrationSpaceInstallation": "creator",
    "uninstallIntegrationFromSpace": "creator",
    "listIntegrationInstallationSites": "admin",
    "installIntegrationOnSite": "creator",
    "getIntegrationSiteInstallation": "creator",
    "updateIntegrationSiteInstallation": "creator",
    "uninstallIntegrationFromSite": "creator",
    "listOrganizationIntegrations": "guest",
    "listOrganizationIntegrationsStatus": "guest",
    "getOrganizationIntegrationStatus": "reader",
    "listOrganizationInstallations": "guest",
    "listSpaceIntegrations": "guest",
    "listSpaceIntegrationsBlocks": "guest",
    # Webhooks
    "listWebhooks": "guest",
    "listSpaceWebhooks": "guest",
    "listSiteWebhooks": "guest",
    "createWebhook": "admin",
    "getWebhook": "admin",
    "updateWebhook": "admin",
    "deleteWebhook": "admin",
    "rotateWebhookSecret": "admin",
    "sendWebhookTest": "admin",
    "listWebhookDeliveries": "admin",
    "getWebhookDelivery": "admin",
    "redeliverWebhookDelivery": "admin",
    # Teams
    "listTeamsInOrganizationById": "guest",
    "createOrganizationTeam": "admin",
    "getTeamInOrganizationById": "reader",
    "updateTeamInOrganizationById": "admin",
    "removeTeamFromOrganizationById": "admin",
    "listTeamMembersInOrganizationById": "reader",
    "updateMembersInOrganizationTeam": "admin",
    "addMemberToOrganizationTeamById": "admin",
    "deleteMemberFromOrganizationTeamById": "admin",
    # Single sign-on
    "listSAMLProvidersInOrganizationById": "admin",
    "createOrganizationSAMLProvider": "admin",
    "getOrganizationSAMLProviderById": "admin",
    "updateOrganizationSAMLProvider": "admin",
    "deleteOrganizationSAMLProvider": "admin",
    "listSSOProviderLoginsInOrganization": "nobody",
    # Collections
    "listCollectionsInOrganizationById": "guest",
    "createCollection": "creator",
    "getCollectionById": "reader",
    "updateCollectionById": "creator",
    "deleteCollectionById": "creator",
    "listSpacesInCollectionById": "reader",
    "moveCollection": "creator",
    "transferCollection": "creator",
    # Roles on spaces and collections
    "inviteToCollection": "creator",
    "listPermissionsAggregateInCollection": "reader",
    "listUserPermissionsInCollection": "creator",
    "updateUserPermissionInCollection": "creator",
    "removeUserFromCollection": "creator",
    "listTeamPermissionsInCollection": "creator",
    "updateTeamPermissionInCollection": "creator",
    "removeTeamFromCollection": "creator",
    "inviteToSpace": "creator",
    "listPermissionsAggregateInSpace": "guest",
    "listUserPermissionsInSpace": "creator",
    "updateUserPermissionInSpace": "creator",
    "removeUserFromSpace": "creator",
    "listTeamPermissionsInSpace": "creator",
    "updateTeamPermissionInSpace": "creator",
    "removeTeamFromSpace": "creator",
    # Spaces and their content
    "listSpacesInOrganizationById": "guest",
    "createSpace": "creator",
    "getSpaceById": "guest",
    "updateSpaceById": "creator",
    "deleteSpaceById": "creator",
    "restoreSpace": "creator",
    "duplicateSpace": "creator",
    "moveSpace": "creator",
    "transferSpace": "creator",
    "getCurrentRevision": "guest",
    "listPages": "guest",
    "listFiles": "guest",
    "getFileById": "guest",
    "getPageById": "guest",
    "getPageByPath": "guest",
    "getSpacePDF": "guest",
    "getContentExport": "guest",
    "importContent": "editor",
    "importContentInPageById": "editor",
    "importContentInChangeRequest": "editor",
    "importContentInChangeRequestPageById": "editor",
    "applyTemplateToSpace": "editor",
    "writeSpaceContent": "editor",
    "rollBackSpaceToRevision": "reviewer",
    "createFileUpload": "editor",
    "searchSpaceContent": "guest",
    "searchOrganizationContent": "guest",
    "listSpaceLinks": "guest",
    "listChangeRequestLinks": "guest",
    "listPageLinksInSpace": "guest",
    "listPageLinksInChangeRequest": "guest",
    "listSpacePageBacklinks": "guest",
    "listChangeRequestPageBacklinks": "guest",
    "listSpaceFileBacklinks": "guest",
    "listChangeRequestFileBacklinks": "guest",
    "getRevisionOfChangeRequestById": "guest",
    "listPagesInChangeRequest": "guest",
    "listFilesInChangeRequestById": "guest",
    "getFileInChangeRequestById": "guest",
    "getPageInChangeRequestById": "guest",
    "getPageInChangeRequestByPath": "guest",
    "getReusableContentInChangeRequestById": "guest",
    "getReusableContentById": "guest",
    "getRevisionById": "guest",
    "listRevisions": "guest",
    "listPagesInRevisionById": "guest",
    "listFilesInRevisionById": "guest",
    "getFileInRevisionById": "guest",
    "getPageInRevisionById": "guest",
    "getPageInRevisionByPath": "guest",
    "getReusableContentInRevisionById": "guest",
    "getPageDocumentInRevisionById": "guest",
    "getReusableContentDocumentInRevisionById": "guest",
    "getDocumentById": "guest",
    "getComputedDocument": "guest",
    "getComputedRevision": "guest",
    "getRevisionSemanticChanges": "guest",
    "getChangeRequestChanges": "guest",
    # Change requests
    "writeChangeRequestContent": "editor",
    "getChangeRequestPDF": "guest",
    "listChangeRequestsForOrganization": "guest",
    "listChangeRequestsForSpace": "guest",
    "createChangeRequest": "editor",
    "getChangeRequestById": "guest",
    "updateChangeRequestById": "editor",
    "mergeChangeRequest": "reviewer",
    "updateChangeRequest": "editor",
    "listConflictsInChangeRequest": "guest",
    "resolveConflictInChangeRequest": "editor",
    "getReviewsByChangeRequestId": "guest",
    "submitChangeRequestReview": "reviewer",
    "getReviewInChangeRequest": "guest",
    "getRequestedReviewersByChangeRequestId": "guest",
    "requestReviewersForChangeRequest": "editor",
    "removeRequestedReviewerFromChangeRequest": "editor",
    "getContributorsByChangeRequestId": "guest",
    # Comments on a space
    "listCommentsInSpace": "guest",
    "postCommentInSpace": "commenter",
    "getCommentInSpace": "guest",
    "updateCommentInSpace": "commenter",
    "deleteCommentInSpace": "commenter",
    "listCommentRepliesInSpace": "guest",
    "postCommentReplyInSpace": "commenter",
    "getCommentReplyInSpace": "guest",
    "updateCommentReplyInSpace": "creator",
    "deleteCommentReplyInSpace": "creator",
    "listCommentersInSpace": "guest",
    # Comments on a change request
    "listCommentsInChangeRequest": "guest",
    "postCommentInChangeRequest": "commenter",
    "getCommentInChangeRequest": "guest",
    "updateCommentInChangeRequest": "editor",
    "deleteCommentInChangeRequest": "editor",
    "listCommentRepliesInChangeRequest": "guest",
    "postCommentReplyInChangeRequest": "commenter",
    "getCommentReplyInChangeRequest": "guest",
    "updateCommentReplyInChangeRequest": "creator",
    "deleteCommentReplyInChangeRequest": "creator",
    "listCommentersInChangeRequest": "guest",
    # Sites
    "listSites": "guest",
    "createSite": "creator",
    "getSiteById": "guest",
    "searchSiteContent": "guest",
    "updateSiteById": "creator",
    "deleteSiteById": "creator",
    "listSiteSpaces": "guest",
    "addSpaceToSite": "creator",
    "updateSiteSpaceById": "creator",
    "deleteSiteSpaceById": "creator",
    "moveSiteSpace": "creator",
    "listSiteSections": "guest",
    "addSectionToSite": "creator",
    "updateSiteSectionById": "creator",
    "deleteSiteSectionById": "creator",
    "moveSiteSection": "creator",
    "listSiteSectionGroups": "guest",
    "addSectionGroupToSite": "creator",
    "updateSiteSectionGroupById": "creator",
    "deleteSiteSectionGroupById": "creator",
    "moveSiteSectionGroup": "creator",
    "addSectionToGroup": "creator",
    "removeSectionFromGroup": "creator",
    "getSiteStructure": "guest",
    "sortSiteStructure": "creator",
    "publishSite": "creator",
    "unpublishSite": "creator",
    "getSiteCustomizationById": "guest",
    "updateSiteCustomizationById": "creator",
    "getSiteSpaceCustomizationById": "guest",
    "overrideSiteSpaceCustomizationById": "creator",
    "deleteSiteSpaceCustomizationById": "creator",
    "listSiteMcpServers": "guest",
    "createSiteMcpServer": "creator",
    "getSiteMcpServerById": "reader",
    "updateSiteMcpServerById": "creator",
    "deleteSiteMcpServerById": "creator",
    "listPermissionsAggregateInSite": "guest",
    "listSiteIntegrations": "guest",
    "listSiteIntegrationScripts": "guest",
    "listSiteShareLinks": "guest",
    "createSiteShareLink": "creator",
    "updateSiteShareLinkById": "creator",
    "deleteSiteShareLinkById": "creator",
    "getSiteAdaptiveSchema": "reader",
    "updateSiteAdaptiveSchema": "creator",
    "listSiteAdaptiveTemplateConditions": "guest",
    "listSiteRedirects": "guest",
    "createSiteRedirect": "creator",
    "writeSiteRedirects": "creator",
    "updateSiteRedirectById": "creator",
    "deleteSiteRedirectById": "creator",
    "getSiteRedirectBySource": "guest",
    # Published sites
    "resolvePublishedContentByUrl": "nobody",
    "getPublishedContentByUrl": "nobody",
    "getPublishedContentSite": "reader",
    "getSitePublishingAuthById": "creator",
    "updateSitePublishingAuthById": "creator",
    "regenerateSitePublishingAuthById": "creator",
    "getSiteRevalidation": "creator",
    "setSiteRevalidation": "creator",
    "regenerateSiteRevalidationSecret": "creator",
    "getSitePublishingPreviewById": "editor",
    "getSiteCustomizationPreview": "creator",
    # Insights, host names, addresses
    "trackEventsInSiteById": "nobody",
    "aggregateSiteEvents": "creator",
    "listSiteVisitorSegments": "creator",
    "getSubdomain": "guest",
    "getCustomHostname": "admin",
    "setCustomHostname": "admin",
    "dnsRevalidateCustomHostname": "admin",
    "removeCustomHostname": "admin",
    "getContentByUrl": "guest",
    "getEmbedByUrl": "outsider",
    "getEmbedByUrlInSpace": "guest",
}


def test_every_operation_is_listed() -> None:
    assert {row.operation_id for row in ROUTES} == WEAKEST.keys()


async def test_each_caller_may_do_what_the_tables_say(
    api: Api,
    world: World,
    session: Session,
    database: Database,
    stored: Stored,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On PostgreSQL who is refused for their role, and reads; nothing else is decided there."""
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    kinds = CALLERS if database.is_sqlite else ROLES
    wrong: dict[Any, Any] = {}
    async with one_request_each(api, world, session) as requests:
        texts = await tokens_of_callers(api, world, session, requests, kinds)
        await session.close()
        unchanged = await Unchanged(stored).begin()
        for row in ROUTES:
            path, body = requests.of[row.operation_id]
            operation = operation_of(row, WEAKEST[row.operation_id])
            for caller in kinds:
                allowed = may(caller, operation)
                if allowed and not row.reads and not database.is_sqlite:
                    continue
                headers = {"Authorization": f"Bearer {texts[caller]}"} if texts[caller] else {}
                answer = await api.rest(row.method, path, None, body, headers=headers)
                statuses = refusals(caller, row, WEAKEST)
                if allowed:
                    statuses = {200, 201, 202, 204, 205}
                elif statuses == {404} and answer.status_code == 403:
                    # Nor may the answer say whether it is there.
                    elsewhere = requests.asked[row.operation_id].unknown_path(row)
                    unknown = await api.rest(row.method, elsewhere, None, body, headers=headers)
                    statuses = {403} & {unknown.status_code}
                elif row.method == "DELETE" and 404 in statuses:
                    # What may not be seen is not there: nothing was deleted.
                    statuses = statuses | {204}
                if answer.status_code not in statuses:
                    wrong[row.operation_id, caller] = answer.text
                if allowed and not row.reads:
                    await unchanged.restore()
                elif not await unchanged():
                    wrong[row.operation_id, caller] = "changed something"
    assert not wrong, "\n".join(f"{who}: {answer}" for who, answer in wrong.items())
