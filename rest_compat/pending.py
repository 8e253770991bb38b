"""Operations of the published contract that are not served yet; this list only shrinks.

They answer 501 with their id, for in the contract 404 means that an object is not there. A test
compares the list with the route table, so a new route has to be struck out here.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pending:
    """One operation that is not served: method, path below /v1, id."""

    method: str
    path: str
    operation_id: str


def _read(lines: str) -> tuple[Pending, ...]:
    return tuple(Pending(*line.split()) for line in lines.strip().splitlines())


# The specification documents them.
DOCUMENTED = _read(
    """
PUT /orgs/{organizationId}/teams/{teamId}/members/{userId} addMemberToOrganizationTeamById
POST /orgs/{organizationId}/openapi createOpenAPISpec
PUT /orgs/{organizationId}/openapi/{specSlug} createOrUpdateOpenAPISpecBySlug
POST /orgs/{organizationId}/saml createOrganizationSAMLProvider
PUT /orgs/{organizationId}/teams createOrganizationTeam
POST /orgs/{organizationId}/translations createTranslation
DELETE /spaces/{spaceId}/git/legacy-installation deleteLegacyGitInstallation
DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId} deleteMemberFromOrganizationTeamById
DELETE /orgs/{organizationId}/openapi/{specSlug} deleteOpenAPISpecBySlug
DELETE /orgs/{organizationId}/saml/{samlProviderId} deleteOrganizationSAMLProvider
DELETE /orgs/{organizationId}/translations/{translationId} deleteTranslation
DELETE /integrations/{integrationName}/dev disableIntegrationDevelopmentMode
POST /spaces/{spaceId}/git/export exportToGitRepository
GET /integrations/{integrationName} getIntegrationByName
GET /integrations/{integrationName}/events/{eventId} getIntegrationEvent
GET /orgs/{organizationId}/openapi/{specSlug} getOpenAPISpecBySlug
GET /orgs/{organizationId}/saml/{samlProviderId} getOrganizationSAMLProviderById
GET /spaces/{spaceId}/git/info getSpaceGitInfo
GET /orgs/{organizationId}/teams/{teamId} getTeamInOrganizationById
GET /orgs/{organizationId}/translations/{translationId} getTranslation
POST /spaces/{spaceId}/git/import importGitRepository
POST /integrations/{integrationName}/installations installIntegration
POST /spaces/{spaceId}/permissions inviteToSpace
GET /integrations/{integrationName}/events listIntegrationEvents
GET /integrations/{integrationName}/installations listIntegrationInstallations
GET /integrations/{integrationName}/sites listIntegrationSiteInstallations
GET /integrations/{integrationName}/spaces listIntegrationSpaceInstallations
GET /integrations listIntegrations
GET /orgs/{organizationId}/openapi listOpenAPISpecs
GET /spaces/{spaceId}/permissions/aggregate listPermissionsAggregateInSpace
GET /orgs/{organizationId}/saml listSAMLProvidersInOrganizationById
GET /orgs/{organizationId}/sso listSSOProviderLoginsInOrganization
GET /orgs/{organizationId}/teams/{teamId}/members listTeamMembersInOrganizationById
GET /orgs/{organizationId}/teams listTeamsInOrganizationById
GET /orgs/{organizationId}/translations listTranslations
GET /spaces/{spaceId}/permissions/users listUserPermissionsInSpace
POST /integrations/{integrationName} publishIntegration
DELETE /orgs/{organizationId}/teams/{teamId} removeTeamFromOrganizationById
DELETE /spaces/{spaceId}/permissions/users/{userId} removeUserFromSpace
POST /orgs/{organizationId}/translations/{translationId}/run runTranslation
PUT /integrations/{integrationName}/dev setIntegrationDevelopmentMode
DELETE /integrations/{integrationName} unpublishIntegration
PUT /orgs/{organizationId}/teams/{teamId}/members updateMembersInOrganizationTeam
PATCH /orgs/{organizationId}/openapi/{specSlug} updateOpenAPISpecBySlug
PATCH /orgs/{organizationId}/saml/{samlProviderId} updateOrganizationSAMLProvider
PATCH /orgs/{organizationId}/teams/{teamId} updateTeamInOrganizationById
PUT /orgs/{organizationId}/translations/{translationId} updateTranslation
PATCH /spaces/{spaceId}/permissions/users/{userId} updateUserPermissionInSpace
"""
)
# The specification only mentions them.
NAMED = _read(
    """
PUT /orgs/{organizationId}/fonts createCustomFont
POST /integrations/{integrationName}/installations/{installationId}/tokens createIntegrationInstallationToken
POST /orgs/{organizationId}/link-invites createOrganizationInvite
DELETE /orgs/{organizationId}/fonts/{fontId} deleteCustomFont
DELETE /orgs/{organizationId}/link-invites/{inviteId} deleteOrganizationInviteById
POST /orgs/{organizationId}/storage/upload generateStorageUploadURL
GET / getApiInformation
GET /orgs/{organizationId}/fonts/{fontId} getCustomFont
GET /orgs/{organizationId}/translations-glossary/{glossaryEntryId} getGlossaryEntry
GET /integrations/{integrationName}/installations/{installationId} getIntegrationInstallationById
GET /integrations/{integrationName}/installations/{installationId}/sites/{siteId} getIntegrationSiteInstallation
GET /integrations/{integrationName}/installations/{installationId}/spaces/{spaceId} getIntegrationSpaceInstallation
GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest getLatestOpenAPISpecVersion
GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content getLatestOpenAPISpecVersionContent
GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId} getOpenAPISpecVersionById
GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content getOpenAPISpecVersionContentById
GET /orgs/{organizationId}/agent-instructions getOrganizationAgentInstructions
GET /orgs/{organizationId}/integrations/{integrationName}/installation_status getOrganizationIntegrationStatus
GET /orgs/{organizationId}/link-invites/{inviteId} getOrganizationInviteLink
GET /email-domains/{emailDomain}/orgs getOrganizationsForEmailDomain
POST /integrations/{integrationName}/installations/{installationId}/sites installIntegrationOnSite
POST /integrations/{integrationName}/installations/{installationId}/spaces installIntegrationOnSpace
POST /collections/{collectionId}/permissions inviteToCollection
POST /orgs/{organizationId}/invites inviteUsersToOrganization
POST /orgs/{organizationId}/join joinOrganization
POST /orgs/{organizationId}/invites/{inviteId} joinOrganizationWithInvite
GET /orgs/{organizationId}/fonts listCustomFonts
GET /orgs/{organizationId}/translations-glossary listGlossaryEntries
GET /integrations/{integrationName}/installations/{installationId}/sites listIntegrationInstallationSites
GET /integrations/{integrationName}/installations/{installationId}/spaces listIntegrationInstallationSpaces
GET /orgs/{organizationId}/openapi/{specSlug}/versions listOpenAPISpecVersions
GET /orgs/{organizationId}/installations listOrganizationInstallations
GET /orgs/{organizationId}/integrations listOrganizationIntegrations
GET /orgs/{organizationId}/integrations/installations-status listOrganizationIntegrationsStatus
GET /orgs/{organizationId}/link-invites listOrganizationInviteLinks
GET /collections/{collectionId}/permissions/aggregate listPermissionsAggregateInCollection
GET /spaces/{spaceId}/integrations listSpaceIntegrations
GET /spaces/{spaceId}/integration-blocks listSpaceIntegrationsBlocks
GET /orgs/{organizationId}/members/{userId}/spaces listSpacesForOrganizationMember
GET /collections/{collectionId}/permissions/teams listTeamPermissionsInCollection
GET /spaces/{spaceId}/permissions/teams listTeamPermissionsInSpace
GET /orgs/{organizationId}/members/{userId}/teams listTeamsForOrganizationMember
GET /collections/{collectionId}/permissions/users listUserPermissionsInCollection
POST /integrations/{integrationName}/tasks queueIntegrationTask
DELETE /orgs/{organizationId}/members/{userId} removeMemberFromOrganizationById
DELETE /collections/{collectionId}/permissions/teams/{teamId} removeTeamFromCollection
DELETE /spaces/{spaceId}/permissions/teams/{teamId} removeTeamFromSpace
DELETE /collections/{collectionId}/permissions/users/{userId} removeUserFromCollection
GET /integrations/{integrationName}/render renderIntegrationUIWithGet
POST /integrations/{integrationName}/render renderIntegrationUIWithPost
POST /orgs/{organizationId}/members/{userId}/sso setUserAsSSOMemberForOrganization
DELETE /integrations/{integrationName}/installations/{installationId} uninstallIntegration
DELETE /integrations/{integrationName}/installations/{installationId}/sites/{siteId} uninstallIntegrationFromSite
DELETE /integrations/{integrationName}/installations/{installationId}/spaces/{spaceId} uninstallIntegrationFromSpace
POST /orgs/{organizationId}/fonts/{fontId} updateCustomFont
PUT /orgs/{organizationId}/translations-glossary updateGlossaryEntries
PATCH /integrations/{integrationName}/installations/{installationId} updateIntegrationInstallation
PATCH /integrations/{integrationName}/installations/{installationId}/sites/{siteId} updateIntegrationSiteInstallation
PATCH /integrations/{integrationName}/installations/{installationId}/spaces/{spaceId} updateIntegrationSpaceInstallation
PATCH /orgs/{organizationId}/members/{userId} updateMemberInOrganizationById
PUT /orgs/{organizationId}/agent-instructions updateOrganizationAgentInstructions
PATCH /orgs/{organizationId}/link-invites/{inviteId} updateOrganizationInviteById
POST /orgs/{organizationId}/ping updateOrganizationMemberLastSeenAt
PATCH /collections/{collectionId}/permissions/teams/{teamId} updateTeamPermissionInCollection
PATCH /spaces/{spaceId}/permissions/teams/{teamId} updateTeamPermissionInSpace
PATCH /collections/{collectionId}/permissions/users/{userId} updateUserPermissionInCollection
"""
)
# Of the same contract, for parts of the product that come later.
LATER = _read(
    """
GET /ads/sites adsListSites
PATCH /ads/sites/{siteId} adsUpdateSite
POST /orgs/{organizationId}/ask askInOrganization
POST /org/{organizationId}/imports/{importRunId}/cancel cancelImportRun
GET /orgs/{organizationId}/agents-setup getAgentSetupState
GET /orgs/{organizationId}/agent-tasks/{agentTaskId} getAgentTask
GET /orgs/{organizationId}/conversations-clusters/{clusterId} getConversationsIssuesCluster
GET /orgs/{organizationId}/ask/questions getRecommendedQuestionsInOrganization
POST /orgs/{organizationId}/conversations ingestConversation
GET /orgs/{organizationId}/agent-tasks listAgentTasks
GET /orgs/{organizationId}/conversations-clusters listConversationsIssuesClusters
GET /orgs/{organizationId}/conversations-clusters/{clusterId}/issues listConversationsIssuesInCluster
POST /org/{organizationId}/imports startImportRun
POST /orgs/{organizationId}/sites/{siteId}/ai/response streamAIResponseInSite
GET /orgs/{organizationId}/ask/stream streamAskInOrganization
POST /orgs/{organizationId}/sites/{siteId}/ask streamAskInSite
GET /orgs/{organizationId}/sites/{siteId}/ai/response/{responseId} streamExistingAIResponseInSite
GET /orgs/{organizationId}/ask/questions/stream streamRecommendedQuestionsInOrganization
GET /orgs/{organizationId}/sites/{siteId}/ask/questions streamRecommendedQuestionsInSite
PATCH /orgs/{organizationId}/agent-tasks/{agentTaskId} updateAgentTask
POST /orgs/{organizationId}/sites/{siteId}/ads updateSiteAdsById
"""
)
# Of its newest version.
NEWER = _read(
    """
POST /orgs/{organizationId}/sites/{siteId}/external-links addExternalLinkToSite
POST /orgs/{organizationId}/sites/{siteId}/template applyTemplateToSite
POST /orgs createOrganization
POST /orgs/{organizationId}/sites/{siteId}/channels createSiteChannel
POST /orgs/{organizationId}/sites/{siteId}/context-connections createSiteContextConnection
POST /orgs/{organizationId}/sites/{siteId}/styleguide createSiteStyleguideById
POST /orgs/{organizationId}/sites/{siteId}/styleguide/runs createSiteStyleguideRun
POST /user/notifications/token createUserNotificationsToken
DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/conversations/{conversationId} deleteChangeRequestConversation
DELETE /orgs/{organizationId}/agent/conversations/{conversationId} deleteOrganizationAgentConversation
DELETE /orgs/{organizationId}/sites/{siteId}/channels/{siteChannelId} deleteSiteChannelById
DELETE /orgs/{organizationId}/sites/{siteId}/context-connections/{siteContextConnectionId} deleteSiteContextConnectionById
DELETE /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId} deleteSiteExternalLinkById
DELETE /orgs/{organizationId}/sites/{siteId}/topics/{siteTopicId}/findings deleteSiteTopicFindings
POST /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/duplicate duplicateSiteSpace
GET /git/installations/{installationId}/github/repos/{accountName}/{repositoryName}/file getGitHubRepoFileForGitSyncInstallation
GET /git/installations/{installationId}/gitlab/projects/{projectId}/file getGitLabProjectFileForGitSyncInstallation
GET /git/installations/{installationId} getGitSyncInstallationById
GET /org/{organizationId}/imports/{importRunId} getImportRun
GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content/raw getLatestOpenAPISpecVersionContentRaw
GET /orgs/{organizationId}/billing/ai-usage getOrganizationAIUsage
GET /orgs/{organizationId}/audit-events/{auditEventId} getOrganizationAuditEvent
GET /orgs/{organizationId}/sites/{siteId}/agent-settings getSiteAgentSettingsById
GET /orgs/{organizationId}/sites/{siteId}/channels/{siteChannelId} getSiteChannelById
GET /orgs/{organizationId}/sites/{siteId}/context-connections/{siteContextConnectionId} getSiteContextConnectionById
GET /orgs/{organizationId}/sites/{siteId}/context-records/{siteContextRecordId} getSiteContextRecordById
GET /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId} getSiteFindingById
GET /orgs/{organizationId}/sites/{siteId}/stats/findings getSiteFindingStats
GET /orgs/{organizationId}/sites/{siteId}/answers/{siteQuestionAnswerId} getSiteQuestionAnswerById
GET /orgs/{organizationId}/sites/{siteId}/answers/{siteQuestionAnswerId}/thread getSiteQuestionAnswerThreadById
GET /orgs/{organizationId}/sites/{siteId}/questions/{siteQuestionId} getSiteQuestionById
GET /orgs/{organizationId}/sites/{siteId}/question-stats getSiteQuestionStats
GET /orgs/{organizationId}/sites/{siteId}/scans/{siteScanId} getSiteScanById
GET /orgs/{organizationId}/sites/{siteId}/topics/{siteTopicId} getSiteTopicById
POST /git/installations installGitSyncProviderOnTarget
POST /orgs/{organizationId}/sites/{siteId}/permissions inviteToSite
GET /spaces/{spaceId}/change-requests/{changeRequestId}/conversations listChangeRequestConversations
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/meta-links listChangeRequestPageMetaLinks
GET /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId}/change-requests listChangeRequestsForSiteFinding
GET /git/installations/{installationId}/github/repos/{accountName}/{repositoryName}/branches listGitHubRepoBranchesForGitSyncInstallation
GET /git/installations/{installationId}/github/repos listGitHubRepositoriesForGitSyncInstallation
GET /git/installations/{installationId}/gitlab/projects/{projectId}/branches listGitLabProjectBranchesForGitSyncInstallation
GET /git/installations/{installationId}/gitlab/projects listGitLabProjectsForGitSyncInstallation
GET /org/{organizationId}/imports listImportRuns
GET /orgs/{organizationId}/agent/conversations listOrganizationAgentConversations
GET /orgs/{organizationId}/audit-event-actions listOrganizationAuditEventActions
GET /orgs/{organizationId}/audit-events listOrganizationAuditEvents
GET /orgs/{organizationId}/styleguides listOrganizationStyleguides
GET /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId}/pages listPagesForSiteFinding
GET /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId}/questions listQuestionsForSiteFinding
GET /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId}/records listRecordsForSiteFinding
GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/meta-links listRevisionPageMetaLinks
GET /orgs/{organizationId}/sites/{siteId}/channels listSiteChannels
GET /orgs/{organizationId}/sites/{siteId}/context-connections listSiteContextConnections
GET /orgs/{organizationId}/sites/{siteId}/context-records listSiteContextRecords
GET /orgs/{organizationId}/sites/{siteId}/findings listSiteFindings
GET /orgs/{organizationId}/sites/{siteId}/spaces/git/installations listSiteGitSyncInstallations
GET /orgs/{organizationId}/sites/{siteId}/answers/{siteQuestionAnswerId}/sources listSiteQuestionAnswerSources
GET /orgs/{organizationId}/sites/{siteId}/answers listSiteQuestionAnswers
GET /orgs/{organizationId}/sites/{siteId}/questions/{siteQuestionId}/sources listSiteQuestionSources
GET /orgs/{organizationId}/sites/{siteId}/questions listSiteQuestions
GET /orgs/{organizationId}/sites/{siteId}/scans listSiteScans
GET /orgs/{organizationId}/sites/{siteId}/styleguide/runs listSiteStyleguideRuns
GET /orgs/{organizationId}/sites/{siteId}/topics listSiteTopics
GET /spaces/{spaceId}/content/page/{pageId}/meta-links listSpacePageMetaLinks
GET /orgs/{organizationId}/styleguide-templates listStyleguideTemplates
GET /orgs/{organizationId}/sites/{siteId}/permissions/teams listTeamPermissionsInSite
GET /orgs/{organizationId}/sites/{siteId}/permissions/users listUserPermissionsInSite
POST /orgs/{organizationId}/sites/{siteId}/search/prewarm prewarmSiteSearch
PUT /orgs/{organizationId}/agent/conversations/{conversationId} provisionOrganizationAgentConversation
DELETE /orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId} removeTeamFromSite
DELETE /orgs/{organizationId}/sites/{siteId}/permissions/users/{userId} removeUserFromSite
POST /orgs/{organizationId}/sites/{siteId}/agents/feedback submitAgentFeedbackToSite
POST /orgs/{organizationId}/sites/{siteId}/agent-feedback submitSiteAgentFeedback
POST /orgs/{organizationId}/sites/{siteId}/context-connections/{siteContextConnectionId}/sync syncSiteContextConnection
POST /orgs/{organizationId}/sites/{siteId}/context-connections/{siteContextConnectionId}/test testSiteContextConnection
POST /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId}/change-requests triggerChangeRequestsForSiteFinding
DELETE /git/installations/{installationId} uninstallGitSyncInstallation
PATCH /spaces/{spaceId}/change-requests/{changeRequestId}/conversations/{conversationId} updateChangeRequestConversation
PATCH /git/installations/{installationId} updateGitSyncInstallationById
PATCH /orgs/{organizationId}/agent/conversations/{conversationId} updateOrganizationAgentConversation
PUT /orgs/{organizationId}/sites/{siteId}/agent-settings updateSiteAgentSettingsById
PATCH /orgs/{organizationId}/sites/{siteId}/channels/{siteChannelId} updateSiteChannelById
PATCH /orgs/{organizationId}/sites/{siteId}/context-connections/{siteContextConnectionId} updateSiteContextConnectionById
PATCH /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId} updateSiteExternalLinkById
PATCH /orgs/{organizationId}/sites/{siteId}/findings/{siteFindingId} updateSiteFindingById
PATCH /orgs/{organizationId}/sites/{siteId}/topics/{siteTopicId} updateSiteTopicById
PATCH /orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId} updateTeamPermissionInSite
PATCH /orgs/{organizationId}/sites/{siteId}/permissions/users/{userId} updateUserPermissionInSite
PUT /orgs/{organizationId}/sites/{siteId}/context-records upsertSiteContextRecords
"""
)
PENDING: tuple[Pending, ...] = (*DOCUMENTED, *NAMED, *LATER, *NEWER)
