"""The root of mutations: one line per operation. Each is one transaction.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

from resolvers.change_requests import operations as change_requests, reviews
from resolvers.comments import operations as comments
from resolvers.customization import fonts, operations as customization
from resolvers.git import configurations, operations as git, organization_exports, tree_imports
from resolvers.imports import operations as imports, runs
from resolvers.insights import events
from resolvers.integrations import entries, installations, operations as integrations
from resolvers.jobs import operations as jobs
from resolvers.merging import conflict_resolution, operations as merging
from resolvers.notifications import feed_tokens, operations as notifications
from resolvers.organizations import (
    agent_instructions,
    invitation_writes,
    joining,
    member_writes,
    operations as organizations,
    team_members,
    teams,
    users,
)
from resolvers.pdf import runs as pdf_runs
from resolvers.permissions import operations as permissions
from resolvers.sign_in import operations as sign_in
from resolvers.sign_on import providers
from resolvers.sites import (
    adaptive_schemas,
    custom_hostnames,
    mcp_servers,
    operations as sites,
    order,
    publishing,
    publishing_auth,
    redirects,
    revalidation,
    section_groups,
    sections,
    share_links,
    spaces as site_spaces,
)
from resolvers.spaces import collections, operations as spaces, transfers
from resolvers.specifications import operations as specifications
from resolvers.storage import operations as storage
from resolvers.tokens import operations as tokens, service_accounts
from resolvers.translations import glossary, operations as translations
from resolvers.webhooks import operations as webhooks
from resolvers.writing import edits, operations as writing, rollbacks, templates, uploads
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment, CommentReply, ReactionPayload
from schema.types.customization import SiteCustomization, SiteSpaceCustomization
from schema.types.deletions import (
    DeleteCollectionPayload,
    DeleteCommentPayload,
    DeleteCommentReplyPayload,
    DeleteCustomFontPayload,
    DeleteCustomHostnamePayload,
    DeleteFilePayload,
    DeleteGitConfigurationPayload,
    DeleteInstallationPayload,
    DeleteIntegrationPayload,
    DeleteInvitationPayload,
    DeleteLegacyGitInstallationPayload,
    DeletePagePayload,
    DeleteRedirectPayload,
    DeleteReusableContentPayload,
    DeleteSamlProviderPayload,
    DeleteServiceAccountPayload,
    DeleteShareLinkPayload,
    DeleteSiteMcpServerPayload,
    DeleteSitePayload,
    DeleteSiteRedirectPayload,
    DeleteSiteSectionGroupPayload,
    DeleteSiteSectionPayload,
    DeleteSiteSpaceCustomizationPayload,
    DeleteSiteSpacePayload,
    DeleteSpacePayload,
    DeleteSpecificationPayload,
    DeleteTeamPayload,
    DeleteTranslationPayload,
    DeleteWebhookPayload,
    RemoveMemberPayload,
    RemoveSectionFromGroupPayload,
    RemoveTeamFromCollectionPayload,
    RemoveTeamFromSpacePayload,
    RemoveTeamMemberPayload,
    RemoveUserFromCollectionPayload,
    RemoveUserFromSpacePayload,
    WithdrawReviewRequestPayload,
)
from schema.types.git import GitConfiguration, GitConfigurationSecretPayload, GitOperation
from schema.types.imports import ImportContentResult
from schema.types.integrations import (
    Installation,
    Integration,
    ProgramTokenPayload,
    SiteInstallation,
    SpaceInstallation,
)
from schema.types.invitations import (
    Invitation,
    InviteToCollectionPayload,
    InviteToSpacePayload,
    InviteUsersPayload,
    SentInvitation,
)
from schema.types.jobs import ImportRun, Job
from schema.types.merging import ChangeRequestMerge, ChangeRequestUpdate, MergeConflict
from schema.types.notifications import CreateFeedTokenPayload, FeedToken
from schema.types.organizations import Member, Organization, Team, TeamMember, User
from schema.types.permissions import TeamGrant, UserGrant
from schema.types.reviews import Review, ReviewRequests
from schema.types.sign_on import SamlProvider
from schema.types.sites.adaptive_content import SiteAdaptiveSchema
from schema.types.sites.hostnames import CustomHostname
from schema.types.sites.mcp_servers import SiteMcpServer
from schema.types.sites.publishing import SitePublishingAuth, SiteRevalidation
from schema.types.sites.redirects import SiteRedirect, SiteRedirectResults
from schema.types.sites.share_links import ShareLink
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSection, SiteSectionGroup, SiteStructureItem
from schema.types.spaces import Collection, Space
from schema.types.specifications import Specification
from schema.types.storage import AgentInstructions, CustomFont, StorageUploadUrl
from schema.types.tokens import CreateTokenPayload, ServiceAccount, Token
from schema.types.translations import GlossaryPayload, Translation
from schema.types.webhooks import Webhook, WebhookDelivery, WebhookSecretPayload
from schema.types.writing import ContentWrite, FileUpload
from schema.wiring import mutation


@strawberry.type(description="Everything that can be changed; each field is one transaction.")
class Mutation:
    update_user: User | None = mutation(users.update_user)
    update_organization: Organization | None = mutation(organizations.update_organization)
    update_member: Member | None = mutation(member_writes.update_member)
    remove_member: RemoveMemberPayload | None = mutation(member_writes.remove_member)
    set_sso_member: Member | None = mutation(member_writes.set_sso_member)
    record_last_seen: Member | None = mutation(member_writes.record_last_seen)
    create_token: CreateTokenPayload | None = mutation(tokens.create_token)
    revoke_token: Token | None = mutation(tokens.revoke_token)
    end_session: User | None = mutation(sign_in.end_session)
    end_other_sessions: User | None = mutation(sign_in.end_other_sessions)
    mark_notifications_read: User | None = mutation(notifications.mark_notifications_read)
    mark_notifications_unread: User | None = mutation(notifications.mark_notifications_unread)
    update_notification_settings: User | None = mutation(notifications.update_notification_settings)
    set_space_notification_level: Space | None = mutation(
        notifications.set_space_notification_level
    )
    create_feed_token: CreateFeedTokenPayload | None = mutation(feed_tokens.create_feed_token)
    revoke_feed_token: FeedToken | None = mutation(feed_tokens.revoke_feed_token)
    create_service_account: ServiceAccount | None = mutation(
        service_accounts.create_service_account
    )
    update_service_account: ServiceAccount | None = mutation(
        service_accounts.update_service_account
    )
    delete_service_account: DeleteServiceAccountPayload | None = mutation(
        service_accounts.delete_service_account
    )
    create_service_token: CreateTokenPayload | None = mutation(
        service_accounts.create_service_token
    )
    invite_users_to_organization: InviteUsersPayload | None = mutation(
        invitation_writes.invite_users_to_organization
    )
    resend_invitation: SentInvitation | None = mutation(invitation_writes.resend_invitation)
    create_organization_invite: Invitation | None = mutation(
        invitation_writes.create_organization_invite
    )
    update_invitation: Invitation | None = mutation(invitation_writes.update_invitation)
    delete_invitation: DeleteInvitationPayload | None = mutation(
        invitation_writes.delete_invitation
    )
    accept_invitation: Member | None = mutation(joining.accept_invitation)
    join_organization: Member | None = mutation(joining.join_organization)
    create_team: Team | None = mutation(teams.create_team)
    update_team: Team | None = mutation(teams.update_team)
    delete_team: DeleteTeamPayload | None = mutation(teams.delete_team)
    update_team_members: Team | None = mutation(team_members.update_team_members)
    set_team_member: TeamMember | None = mutation(team_members.set_team_member)
    remove_team_member: RemoveTeamMemberPayload | None = mutation(team_members.remove_team_member)
    create_saml_provider: SamlProvider | None = mutation(providers.create_saml_provider)
    update_saml_provider: SamlProvider | None = mutation(providers.update_saml_provider)
    delete_saml_provider: DeleteSamlProviderPayload | None = mutation(
        providers.delete_saml_provider
    )
    create_collection: Collection | None = mutation(collections.create_collection)
    update_collection: Collection | None = mutation(collections.update_collection)
    delete_collection: DeleteCollectionPayload | None = mutation(collections.delete_collection)
    move_collection: Collection | None = mutation(spaces.move_collection)
    transfer_collection: Collection | None = mutation(transfers.transfer_collection)
    invite_to_collection: InviteToCollectionPayload | None = mutation(
        permissions.invite_to_collection
    )
    update_user_permission_in_collection: UserGrant | None = mutation(
        permissions.update_user_permission_in_collection
    )
    remove_user_from_collection: RemoveUserFromCollectionPayload | None = mutation(
        permissions.remove_user_from_collection
    )
    update_team_permission_in_collection: TeamGrant | None = mutation(
        permissions.update_team_permission_in_collection
    )
    remove_team_from_collection: RemoveTeamFromCollectionPayload | None = mutation(
        permissions.remove_team_from_collection
    )
    create_space: Space | None = mutation(spaces.create_space)
    update_space: Space | None = mutation(spaces.update_space)
    delete_space: DeleteSpacePayload | None = mutation(spaces.delete_space)
    restore_space: Space | None = mutation(spaces.restore_space)
    duplicate_space: Space | None = mutation(spaces.duplicate_space)
    move_space: Space | None = mutation(spaces.move_space)
    transfer_space: Space | None = mutation(transfers.transfer_space)
    invite_to_space: InviteToSpacePayload | None = mutation(permissions.invite_to_space)
    update_user_permission_in_space: UserGrant | None = mutation(
        permissions.update_user_permission_in_space
    )
    remove_user_from_space: RemoveUserFromSpacePayload | None = mutation(
        permissions.remove_user_from_space
    )
    update_team_permission_in_space: TeamGrant | None = mutation(
        permissions.update_team_permission_in_space
    )
    remove_team_from_space: RemoveTeamFromSpacePayload | None = mutation(
        permissions.remove_team_from_space
    )
    create_site: Site | None = mutation(sites.create_site)
    update_site: Site | None = mutation(sites.update_site)
    delete_site: DeleteSitePayload | None = mutation(sites.delete_site)
    set_custom_hostname: CustomHostname | None = mutation(custom_hostnames.set_custom_hostname)
    recheck_custom_hostname: CustomHostname | None = mutation(
        custom_hostnames.recheck_custom_hostname
    )
    delete_custom_hostname: DeleteCustomHostnamePayload | None = mutation(
        custom_hostnames.delete_custom_hostname
    )
    track_insights_events: int | None = mutation(events.track_insights_events)
    add_site_space: SiteSpace | None = mutation(site_spaces.add_site_space)
    update_site_space: SiteSpace | None = mutation(site_spaces.update_site_space)
    delete_site_space: DeleteSiteSpacePayload | None = mutation(site_spaces.delete_site_space)
    move_site_space: SiteSpace | None = mutation(order.move_site_space)
    publish_site: Site | None = mutation(publishing.publish_site)
    unpublish_site: Site | None = mutation(publishing.unpublish_site)
    sort_site_structure: SiteStructureItem | None = mutation(order.sort_site_structure)
    add_site_section: SiteSection | None = mutation(sections.add_site_section)
    update_site_section: SiteSection | None = mutation(sections.update_site_section)
    delete_site_section: DeleteSiteSectionPayload | None = mutation(sections.delete_site_section)
    move_site_section: SiteSection | None = mutation(
        order.move_site_section, deprecated="Use `sortSiteStructure`."
    )
    add_site_section_group: SiteSectionGroup | None = mutation(
        section_groups.add_site_section_group
    )
    update_site_section_group: SiteSectionGroup | None = mutation(
        section_groups.update_site_section_group
    )
    delete_site_section_group: DeleteSiteSectionGroupPayload | None = mutation(
        section_groups.delete_site_section_group
    )
    move_site_section_group: SiteSectionGroup | None = mutation(
        order.move_site_section_group, deprecated="Use `sortSiteStructure`."
    )
    add_section_to_group: SiteSectionGroup | None = mutation(section_groups.add_section_to_group)
    remove_section_from_group: RemoveSectionFromGroupPayload | None = mutation(
        section_groups.remove_section_from_group
    )
    replace_site_customization: SiteCustomization | None = mutation(
        customization.replace_site_customization
    )
    override_site_space_customization: SiteSpaceCustomization | None = mutation(
        customization.override_site_space_customization
    )
    delete_site_space_customization: DeleteSiteSpaceCustomizationPayload | None = mutation(
        customization.delete_site_space_customization
    )
    create_site_mcp_server: SiteMcpServer | None = mutation(mcp_servers.create_site_mcp_server)
    update_site_mcp_server: SiteMcpServer | None = mutation(mcp_servers.update_site_mcp_server)
    delete_site_mcp_server: DeleteSiteMcpServerPayload | None = mutation(
        mcp_servers.delete_site_mcp_server
    )
    create_share_link: ShareLink | None = mutation(share_links.create_share_link)
    update_share_link: ShareLink | None = mutation(share_links.update_share_link)
    delete_share_link: DeleteShareLinkPayload | None = mutation(share_links.delete_share_link)
    update_site_adaptive_schema: SiteAdaptiveSchema | None = mutation(
        adaptive_schemas.update_adaptive_schema
    )
    create_site_redirect: SiteRedirect | None = mutation(redirects.create_site_redirect)
    update_site_redirect: SiteRedirect | None = mutation(redirects.update_site_redirect)
    delete_site_redirect: DeleteSiteRedirectPayload | None = mutation(
        redirects.delete_site_redirect
    )
    write_site_redirects: SiteRedirectResults | None = mutation(redirects.write_site_redirects)
    update_site_publishing_auth: SitePublishingAuth | None = mutation(
        publishing_auth.update_site_publishing_auth
    )
    set_site_revalidation: SiteRevalidation | None = mutation(revalidation.set_site_revalidation)
    regenerate_site_revalidation_secret: SiteRevalidation | None = mutation(
        revalidation.regenerate_site_revalidation_secret
    )
    regenerate_site_publishing_auth: SitePublishingAuth | None = mutation(
        publishing_auth.regenerate_site_publishing_auth
    )
    create_change_request: ChangeRequest | None = mutation(change_requests.create_change_request)
    update_change_request: ChangeRequest | None = mutation(change_requests.update_change_request)
    pull_change_request: ChangeRequestUpdate | None = mutation(merging.pull_change_request)
    merge_change_request: ChangeRequestMerge | None = mutation(merging.merge_change_request)
    resolve_conflict: MergeConflict | None = mutation(conflict_resolution.resolve_conflict)
    request_reviewers: ReviewRequests | None = mutation(reviews.request_reviewers)
    withdraw_review_request: WithdrawReviewRequestPayload | None = mutation(
        reviews.withdraw_review_request
    )
    submit_review: Review | None = mutation(reviews.submit_review)
    post_comment: Comment | None = mutation(comments.post_comment)
    update_comment: Comment | None = mutation(comments.update_comment)
    delete_comment: DeleteCommentPayload | None = mutation(comments.delete_comment)
    reply_to_comment: CommentReply | None = mutation(comments.reply_to_comment)
    update_comment_reply: CommentReply | None = mutation(comments.update_comment_reply)
    delete_comment_reply: DeleteCommentReplyPayload | None = mutation(comments.delete_comment_reply)
    add_reaction: ReactionPayload | None = mutation(comments.add_reaction)
    remove_reaction: ReactionPayload | None = mutation(comments.remove_reaction)
    apply_template: ContentWrite | None = mutation(templates.apply_template)
    create_file_upload: FileUpload | None = mutation(uploads.create_file_upload)
    apply_content_changes: ContentWrite | None = mutation(writing.apply_content_changes)
    roll_back_space: ContentWrite | None = mutation(rollbacks.roll_back_space)
    import_content: ImportContentResult | None = mutation(imports.import_content)
    start_pdf: Job | None = mutation(pdf_runs.start_pdf)
    start_organization_export: Job | None = mutation(organization_exports.start_organization_export)
    start_import_run: ImportRun | None = mutation(runs.start_import_run)
    cancel_import_run: ImportRun | None = mutation(runs.cancel_import_run)
    import_git_repository: GitOperation | None = mutation(git.import_git_repository)
    import_uploaded_tree: GitOperation | None = mutation(tree_imports.import_uploaded_tree)
    export_to_git_repository: GitOperation | None = mutation(git.export_to_git_repository)
    delete_legacy_git_installation: DeleteLegacyGitInstallationPayload | None = mutation(
        git.delete_legacy_git_installation
    )
    set_git_configuration: GitConfigurationSecretPayload | None = mutation(
        configurations.set_git_configuration
    )
    delete_git_configuration: DeleteGitConfigurationPayload | None = mutation(
        configurations.delete_git_configuration
    )
    run_git_configuration: GitConfiguration | None = mutation(configurations.run_git_configuration)
    cancel_job: Job | None = mutation(jobs.cancel_job)
    retry_job: Job | None = mutation(jobs.retry_job)
    create_specification: Specification | None = mutation(specifications.create_specification)
    put_specification: Specification | None = mutation(specifications.put_specification)
    update_specification: Specification | None = mutation(specifications.update_specification)
    delete_specification: DeleteSpecificationPayload | None = mutation(
        specifications.delete_specification
    )
    publish_integration: Integration | None = mutation(integrations.publish_integration)
    unpublish_integration: DeleteIntegrationPayload | None = mutation(
        integrations.unpublish_integration
    )
    set_integration_development_mode: Integration | None = mutation(
        integrations.set_development_mode
    )
    disable_integration_development_mode: Integration | None = mutation(
        integrations.disable_development_mode
    )
    queue_integration_task: Integration | None = mutation(integrations.queue_integration_task)
    create_integration_token: ProgramTokenPayload | None = mutation(
        installations.create_integration_token
    )
    install_integration: Installation | None = mutation(installations.install_integration)
    update_installation: Installation | None = mutation(installations.update_installation)
    uninstall_integration: DeleteInstallationPayload | None = mutation(
        installations.uninstall_integration
    )
    create_installation_token: ProgramTokenPayload | None = mutation(
        installations.create_installation_token
    )
    install_on_space: SpaceInstallation | None = mutation(entries.install_on_space)
    update_space_installation: SpaceInstallation | None = mutation(
        entries.update_space_installation
    )
    uninstall_from_space: DeleteInstallationPayload | None = mutation(entries.uninstall_from_space)
    install_on_site: SiteInstallation | None = mutation(entries.install_on_site)
    update_site_installation: SiteInstallation | None = mutation(entries.update_site_installation)
    uninstall_from_site: DeleteInstallationPayload | None = mutation(entries.uninstall_from_site)
    create_webhook: WebhookSecretPayload | None = mutation(webhooks.create_webhook)
    update_webhook: Webhook | None = mutation(webhooks.update_webhook)
    rotate_webhook_secret: WebhookSecretPayload | None = mutation(webhooks.rotate_webhook_secret)
    delete_webhook: DeleteWebhookPayload | None = mutation(webhooks.delete_webhook)
    send_webhook_test: WebhookDelivery | None = mutation(webhooks.send_webhook_test)
    redeliver_webhook_delivery: WebhookDelivery | None = mutation(
        webhooks.redeliver_webhook_delivery
    )
    generate_storage_upload_url: StorageUploadUrl | None = mutation(
        storage.generate_storage_upload_url
    )
    create_custom_font: CustomFont | None = mutation(fonts.create_custom_font)
    update_custom_font: CustomFont | None = mutation(fonts.update_custom_font)
    delete_custom_font: DeleteCustomFontPayload | None = mutation(fonts.delete_custom_font)
    update_agent_instructions: AgentInstructions | None = mutation(
        agent_instructions.update_agent_instructions
    )
    create_translation: Translation | None = mutation(translations.create_translation)
    update_translation: Translation | None = mutation(translations.update_translation)
    run_translation: Translation | None = mutation(translations.run_translation)
    delete_translation: DeleteTranslationPayload | None = mutation(translations.delete_translation)
    update_glossary_entries: GlossaryPayload | None = mutation(glossary.update_glossary_entries)
    create_page: ContentWrite | None = mutation(edits.create_page)
    update_page: ContentWrite | None = mutation(edits.update_page)
    rename_page: ContentWrite | None = mutation(edits.rename_page)
    move_page: ContentWrite | None = mutation(edits.move_page)
    delete_page: DeletePagePayload | None = mutation(edits.delete_page)
    revert_page: ContentWrite | None = mutation(edits.revert_page)
    create_file: ContentWrite | None = mutation(edits.create_file)
    replace_file: ContentWrite | None = mutation(edits.replace_file)
    delete_file: DeleteFilePayload | None = mutation(edits.delete_file)
    create_reusable_content: ContentWrite | None = mutation(edits.create_reusable_content)
    update_reusable_content: ContentWrite | None = mutation(edits.update_reusable_content)
    delete_reusable_content: DeleteReusableContentPayload | None = mutation(
        edits.delete_reusable_content
    )
    set_space_variables: ContentWrite | None = mutation(edits.set_space_variables)
    set_redirect: ContentWrite | None = mutation(edits.set_redirect)
    delete_redirect: DeleteRedirectPayload | None = mutation(edits.delete_redirect)
