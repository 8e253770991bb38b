"""Which events each write leaves: what the tests of the audit log call is compared with this table.

A write without a line fails, and so does one that leaves anything else (tests/test_audit.py,
tests/test_audit_of_graphql.py). What a write may leave at all says the table of the product.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from sqlalchemy import select

from db.event_enums import EventType
from db.models.events import Event
from db.session import Database
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.naming import camel

# Operations of /v1, as tests/operation_requests.py asks for them; empty where nothing is changed
# that anybody follows.
OF_ROUTES: dict[str, str] = {
    "addMemberToOrganizationTeamById": "team_member_added",
    "addSectionGroupToSite": "site_structure_updated",
    "addSectionToGroup": "site_structure_updated",
    "addSectionToSite": "site_structure_updated",
    "addSpaceToSite": "site_structure_updated",
    "applyTemplateToSpace": "space_content_updated page_created*6",
    "cancelImportRun": "",
    "markNotificationsRead": "notifications_marked",
    "markNotificationsUnread": "notifications_marked",
    "updateNotificationSettings": "",
    "setSpaceNotificationLevel": "",
    "createFeedToken": "",
    "revokeFeedToken": "",
    "cancelJob": "",
    "retryJob": "",
    "startImportRun": "",
    "startSpacePDF": "",
    "startOrganizationExport": "",
    "startChangeRequestPDF": "",
    "importGitRepository": "",
    "importUploadedTree": "",
    "exportToGitRepository": "",
    "deleteLegacyGitInstallation": "space_updated",
    "setGitConfiguration": "space_updated",
    "deleteGitConfiguration": "space_updated",
    "runGitConfiguration": "",
    "createOpenAPISpec": "openapi_spec_created",
    "createOrUpdateOpenAPISpecBySlug": "openapi_spec_updated",
    "updateOpenAPISpecBySlug": "openapi_spec_updated",
    "deleteOpenAPISpecBySlug": "openapi_spec_deleted",
    "publishIntegration": "integration_published user_updated",
    "unpublishIntegration": "integration_unpublished",
    "setIntegrationDevelopmentMode": "integration_development_updated",
    "disableIntegrationDevelopmentMode": "integration_development_updated",
    "queueIntegrationTask": "",
    "createIntegrationToken": "",
    "installIntegration": "installation_created",
    "updateIntegrationInstallation": "installation_updated",
    "uninstallIntegration": (
        "installation_deleted space_integrations_updated site_integrations_updated"
    ),
    "createIntegrationInstallationToken": "",
    "installIntegrationOnSpace": "space_integrations_updated",
    "updateIntegrationSpaceInstallation": "space_integrations_updated",
    "uninstallIntegrationFromSpace": "space_integrations_updated",
    "installIntegrationOnSite": "site_integrations_updated",
    "updateIntegrationSiteInstallation": "site_integrations_updated",
    "uninstallIntegrationFromSite": "site_integrations_updated",
    "createWebhook": "webhook_created",
    "updateWebhook": "webhook_updated",
    "deleteWebhook": "webhook_deleted",
    "rotateWebhookSecret": "webhook_updated",
    "sendWebhookTest": "",
    "generateStorageUploadURL": "",
    "createCustomFont": "custom_fonts_updated",
    "updateCustomFont": "custom_fonts_updated",
    "deleteCustomFont": "custom_fonts_updated",
    "updateOrganizationAgentInstructions": "agent_instructions_updated",
    "createTranslation": "space_created translation_created",
    "updateTranslation": "translation_updated",
    "runTranslation": "",
    "deleteTranslation": "translation_deleted",
    "updateGlossaryEntries": "glossary_updated",
    "redeliverWebhookDelivery": "",
    "createChangeRequest": "change_request_created",
    "createCollection": "collection_created",
    "createFileUpload": "",
    "createOrganizationSAMLProvider": "saml_provider_created",
    "createOrganizationInvite": "invitation_created",
    "createOrganizationTeam": "team_created team_member_added*2",
    "createSite": "site_created",
    "createSiteMcpServer": "site_mcp_server_created",
    "createSiteRedirect": "site_redirects_updated",
    "createSiteShareLink": "site_share_link_created",
    "createSpace": "space_created",
    "deleteCollectionById": "space_moved space_visibility_updated collection_moved "
    "permission_removed collection_deleted",
    "deleteCommentInChangeRequest": "comment_deleted",
    "deleteCommentInSpace": "comment_deleted",
    "deleteCommentReplyInChangeRequest": "comment_reply_deleted",
    "deleteCommentReplyInSpace": "comment_reply_deleted",
    "deleteMemberFromOrganizationTeamById": "team_member_removed",
    "deleteOrganizationSAMLProvider": "saml_provider_deleted",
    "deleteOrganizationInviteById": "invitation_deleted",
    "deleteSiteById": "site_deleted",
    "deleteSiteMcpServerById": "site_mcp_server_deleted",
    "deleteSiteRedirectById": "site_redirects_updated",
    "deleteSiteSectionById": "site_structure_updated",
    "deleteSiteSectionGroupById": "site_structure_updated",
    "deleteSiteShareLinkById": "site_share_link_deleted",
    "deleteSiteSpaceById": "site_structure_updated",
    "deleteSiteSpaceCustomizationById": "site_space_customization_updated",
    "deleteSpaceById": "space_integrations_updated space_deleted",
    "dnsRevalidateCustomHostname": "",
    "duplicateSpace": "space_created permission_added*3",
    "importContent": "space_content_updated page_created import_completed",
    "importContentInChangeRequest": "change_request_updated page_created import_completed",
    "importContentInChangeRequestPageById": "change_request_updated page_created import_completed",
    "importContentInPageById": "space_content_updated page_created import_completed",
    "inviteToCollection": "permission_added*2",
    "inviteToSpace": "permission_added*2",
    "mergeChangeRequest": (
        "space_content_updated change_request_merged page_deleted "
        "page_moved page_updated*3 page_created"
    ),
    "moveCollection": "collection_moved",
    "moveSiteSection": "site_structure_updated",
    "moveSiteSectionGroup": "site_structure_updated",
    "moveSiteSpace": "site_structure_updated",
    "moveSpace": "space_moved space_visibility_updated",
    "overrideSiteSpaceCustomizationById": "site_space_customization_updated",
    "postCommentInChangeRequest": "comment_created",
    "postCommentInSpace": "comment_created",
    "postCommentReplyInChangeRequest": "comment_reply_created",
    "postCommentReplyInSpace": "comment_reply_created",
    "publishSite": "site_published space_updated space_visibility_updated",
    "regenerateSitePublishingAuthById": "site_publishing_auth_updated",
    "regenerateSiteRevalidationSecret": "site_revalidation_updated",
    "removeCustomHostname": "custom_hostname_deleted",
    "removeMemberFromOrganizationById": (
        "permission_removed team_member_removed member_removed user_organizations_updated"
    ),
    "removeRequestedReviewerFromChangeRequest": "review_request_withdrawn",
    "removeSectionFromGroup": "site_structure_updated",
    "removeTeamFromCollection": "permission_removed",
    "removeTeamFromOrganizationById": (
        "team_member_removed*2 permission_removed saml_provider_updated team_deleted"
    ),
    "removeTeamFromSpace": "permission_removed",
    "removeUserFromCollection": "permission_removed",
    "removeUserFromSpace": "permission_removed",
    "requestReviewersForChangeRequest": "review_requested*2",
    "resolveConflictInChangeRequest": "change_request_updated",
    "restoreSpace": "space_restored",
    "rollBackSpaceToRevision": (
        "space_content_updated page_deleted page_moved page_updated*3 page_created"
    ),
    "setCustomHostname": "",
    "setSiteRevalidation": "site_revalidation_updated",
    "setUserAsSSOMemberForOrganization": "member_updated",
    "sortSiteStructure": "site_structure_updated",
    "submitChangeRequestReview": "review_submitted",
    "transferCollection": "collection_transferred*2 permission_removed",
    "transferSpace": "space_transferred*2",
    "unpublishSite": "site_unpublished space_visibility_updated*2",
    "updateChangeRequestById": "change_request_updated",
    "updateCollectionById": "collection_updated",
    "updateCommentInChangeRequest": "comment_resolved",
    "updateCommentInSpace": "comment_resolved",
    "updateCommentReplyInChangeRequest": "comment_reply_updated",
    "updateCommentReplyInSpace": "comment_reply_updated",
    "updateMemberInOrganizationById": "member_updated",
    "updateMembersInOrganizationTeam": "team_member_added*2",
    "updateOrganizationById": "organization_updated",
    "updateOrganizationInviteById": "invitation_updated",
    "inviteUsersToOrganization": "invitation_created",
    "joinOrganization": "member_added user_organizations_updated",
    "joinOrganizationWithInvite": "member_added user_organizations_updated",
    "updateOrganizationSAMLProvider": "saml_provider_updated",
    "updateSiteAdaptiveSchema": "site_adaptive_schema_updated",
    "updateSiteById": "site_updated",
    "updateSiteCustomizationById": "site_customization_updated",
    "updateSiteMcpServerById": "site_mcp_server_updated",
    "updateSitePublishingAuthById": "",
    "updateSiteRedirectById": "site_redirects_updated",
    "updateSiteSectionById": "site_structure_updated",
    "updateSiteSectionGroupById": "site_structure_updated",
    "updateSiteShareLinkById": "site_share_link_updated",
    "updateSiteSpaceById": "site_structure_updated",
    "updateSpaceById": "space_updated",
    "updateTeamInOrganizationById": "team_updated",
    "updateTeamPermissionInCollection": "permission_added",
    "updateTeamPermissionInSpace": "permission_added",
    "updateUserPermissionInCollection": "permission_added",
    "updateUserPermissionInSpace": "permission_added",
    "updateUserById": "user_updated",
    "writeChangeRequestContent": "change_request_updated page_deleted",
    "writeSiteRedirects": "site_redirects_updated",
    "writeSpaceContent": "space_content_updated page_deleted*2",
    "updateChangeRequest": "",
    "trackEventsInSiteById": "",
    "updateOrganizationMemberLastSeenAt": "",
}
# Mutations that /v1 does not have, as tests/test_audit_of_graphql.py calls them.
_EDIT = "space_content_updated"
OF_MUTATIONS: dict[str, str] = {
    "createToken": "token_created",
    "revokeToken": "token_revoked",
    "endSession": "",
    "endOtherSessions": "",
    "createServiceAccount": "service_account_created",
    "updateServiceAccount": "service_account_updated user_updated",
    "deleteServiceAccount": "token_revoked service_account_deleted",
    "createServiceToken": "token_created",
    "addReaction": "comment_reactions_updated",
    "removeReaction": "comment_reactions_updated",
    "createPage": f"{_EDIT} page_created",
    "updatePage": f"{_EDIT} page_updated",
    "renamePage": f"{_EDIT} page_updated",
    "movePage": f"{_EDIT} page_moved",
    "deletePage": f"{_EDIT} page_deleted*2",
    "createFile": _EDIT,
    "replaceFile": _EDIT,
    "deleteFile": _EDIT,
    "createReusableContent": _EDIT,
    "updateReusableContent": _EDIT,
    "deleteReusableContent": _EDIT,
    "setSpaceVariables": _EDIT,
    "setRedirect": _EDIT,
    "deleteRedirect": _EDIT,
    "applyContentChanges": f"{_EDIT} page_created page_deleted",
    "revertPage": "change_request_updated page_updated",
}


def _counted(expected: str) -> Counter[str]:
    """How often each type is expected: `page_created*2` is twice."""
    words = [word.partition("*") for word in expected.split()]
    return Counter({name: int(times or 1) for name, _, times in words})


async def event_ids(database: Database) -> set[str]:
    """The ids of all events."""
    return {event.id for event in await new_events(database, ())}


async def new_events(database: Database, earlier: Collection[str]) -> list[Event]:
    """The events beside some earlier ones, in order."""
    async with database.session() as session:
        statement = select(Event).order_by(Event.stream_id, Event.position)
        rows = (await session.execute(statement)).scalars().all()
    return [event for event in rows if event.id not in earlier]


def wrong_events(events: Sequence[Event], expected: str) -> list[str] | None:
    """What a write has left instead of what is expected; None where that is right."""
    types = Counter(event.type.value for event in events)
    if types != _counted(expected):
        return sorted(types.elements())
    problems = []
    for event in events:
        kind = EVENT_KINDS[event.type]
        if event.action not in {camel(name) for name in kind.operations}:
            problems.append(f"{event.type.value} is not listed for {event.action}")
        if event.object_id is None or event.stream_id is None:
            problems.append(f"{event.type.value} is about nothing")
    return problems or None


def emitted() -> set[EventType]:
    """The types that the writes of both tables leave."""
    texts = [*OF_ROUTES.values(), *OF_MUTATIONS.values()]
    return {EventType(name) for text in texts for name in _counted(text)}
