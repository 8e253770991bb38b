"""Who may do what: every row of the route table, called by somebody of each role.

`WEAKEST` names, for each operation, the weakest caller who may. Everybody weaker is refused and
leaves the database as it was; that caller succeeds, here with reads and in
tests/rest_compat/test_answers.py with writes. A new operation fails until it is listed.
"""

import pytest

from db.session import Database, Session
from resolvers.content.computed import SOURCES
from rest_compat.routes.all import ROUTES
from tests.conftest import Api, World
from tests.operation_requests import contents, one_request_each
from tests.seeds import SAMPLE_SOURCE, SampleSource

CALLERS = (
    "nobody", "outsider", "guest", "reader", "commenter", "editor", "reviewer", "creator", "admin",
)  # fmt: skip

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
    "importContent": "editor",
    "importContentInPageById": "editor",
    "importContentInChangeRequest": "editor",
    "importContentInChangeRequestPageById": "editor",
    "applyTemplateToSpace": "editor",
    "writeSpaceContent": "editor",
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


async def test_weaker_callers_are_refused_and_change_nothing(
    api: Api, world: World, session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the weakest caller may read; what they may write is in tests/rest_compat/answers."""
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    wrong = {}
    async with one_request_each(api, world, session) as requests:
        before = await contents(database)
        for row in ROUTES:
            path, body = requests.of[row.operation_id]
            weakest = CALLERS.index(WEAKEST[row.operation_id])
            for caller in CALLERS[: weakest + row.reads]:
                person = requests.people.get(caller)
                response = await api.rest(row.method, path, person, body)
                allowed = {"nobody": {401}, "outsider": {404}}.get(caller, {403, 404})
                if caller == WEAKEST[row.operation_id]:
                    allowed = {200}
                elif row.method == "DELETE" and caller != "nobody":
                    # What may not be seen is not there: nothing was deleted.
                    allowed = allowed | {204}
                if response.status_code not in allowed:
                    wrong[row.operation_id, caller] = response.text
            if await contents(database) != before:
                wrong[row.operation_id, "somebody"] = "changed something"
                before = await contents(database)
    assert wrong == {}
