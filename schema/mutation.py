"""The root of mutations: one line per operation. Each is one transaction.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

import resolvers.adaptive_schemas
import resolvers.change_requests
import resolvers.collections
import resolvers.comment_replies
import resolvers.comments
import resolvers.conflict_resolution
import resolvers.content_deletions
import resolvers.content_import
import resolvers.content_templates
import resolvers.content_writes
import resolvers.custom_hostnames
import resolvers.customizations
import resolvers.insights_events
import resolvers.merging
import resolvers.moves
import resolvers.organizations
import resolvers.page_edits
import resolvers.publishing_auth
import resolvers.reaction_edits
import resolvers.review_requests
import resolvers.reviews
import resolvers.share_links
import resolvers.site_mcp_servers
import resolvers.site_order
import resolvers.site_publishing
import resolvers.site_redirect_batches
import resolvers.site_redirects
import resolvers.site_revalidation
import resolvers.site_section_groups
import resolvers.site_sections
import resolvers.site_spaces
import resolvers.sites
import resolvers.space_lifecycle
import resolvers.spaces
import resolvers.transfers
import resolvers.uploads
import resolvers.users
from schema.types.adaptive_content import SiteAdaptiveSchema
from schema.types.customization import SiteCustomization, SiteSpaceCustomization
from schema.types.deletions import (
    DeleteCollectionPayload,
    DeleteCommentPayload,
    DeleteCommentReplyPayload,
    DeleteCustomHostnamePayload,
    DeleteFilePayload,
    DeletePagePayload,
    DeleteRedirectPayload,
    DeleteReusableContentPayload,
    DeleteShareLinkPayload,
    DeleteSiteMcpServerPayload,
    DeleteSitePayload,
    DeleteSiteRedirectPayload,
    DeleteSiteSectionGroupPayload,
    DeleteSiteSectionPayload,
    DeleteSiteSpaceCustomizationPayload,
    DeleteSiteSpacePayload,
    DeleteSpacePayload,
    RemoveSectionFromGroupPayload,
    WithdrawReviewRequestPayload,
)
from schema.types.discussions import ChangeRequest, Comment, CommentReply, ReactionPayload
from schema.types.hostnames import CustomHostname
from schema.types.imports import ImportContentResult
from schema.types.merging import ChangeRequestMerge, ChangeRequestUpdate, MergeConflict
from schema.types.people import Organization, User
from schema.types.publishing import SitePublishingAuth, SiteRevalidation
from schema.types.reviews import Review, ReviewRequests
from schema.types.share_links import ShareLink
from schema.types.site_mcp_servers import SiteMcpServer
from schema.types.site_redirects import SiteRedirect, SiteRedirectResults
from schema.types.site_structure import SiteSection, SiteSectionGroup, SiteStructureItem
from schema.types.sites import Site, SiteSpace
from schema.types.spaces import Collection, Space
from schema.types.writing import ContentWrite, FileUpload
from schema.wiring import mutation


@strawberry.type(description="Everything that can be changed; each field is one transaction.")
class Mutation:
    update_user: User | None = mutation(resolvers.users.update_user)
    update_organization: Organization | None = mutation(resolvers.organizations.update_organization)
    create_collection: Collection | None = mutation(resolvers.collections.create_collection)
    update_collection: Collection | None = mutation(resolvers.collections.update_collection)
    delete_collection: DeleteCollectionPayload | None = mutation(
        resolvers.collections.delete_collection
    )
    move_collection: Collection | None = mutation(resolvers.moves.move_collection)
    transfer_collection: Collection | None = mutation(resolvers.transfers.transfer_collection)
    create_space: Space | None = mutation(resolvers.spaces.create_space)
    update_space: Space | None = mutation(resolvers.spaces.update_space)
    delete_space: DeleteSpacePayload | None = mutation(resolvers.space_lifecycle.delete_space)
    restore_space: Space | None = mutation(resolvers.space_lifecycle.restore_space)
    duplicate_space: Space | None = mutation(resolvers.space_lifecycle.duplicate_space)
    move_space: Space | None = mutation(resolvers.moves.move_space)
    transfer_space: Space | None = mutation(resolvers.transfers.transfer_space)
    create_site: Site | None = mutation(resolvers.sites.create_site)
    update_site: Site | None = mutation(resolvers.sites.update_site)
    delete_site: DeleteSitePayload | None = mutation(resolvers.sites.delete_site)
    set_custom_hostname: CustomHostname | None = mutation(
        resolvers.custom_hostnames.set_custom_hostname
    )
    recheck_custom_hostname: CustomHostname | None = mutation(
        resolvers.custom_hostnames.recheck_custom_hostname
    )
    delete_custom_hostname: DeleteCustomHostnamePayload | None = mutation(
        resolvers.custom_hostnames.delete_custom_hostname
    )
    track_insights_events: int | None = mutation(resolvers.insights_events.track_insights_events)
    add_site_space: SiteSpace | None = mutation(resolvers.site_spaces.add_site_space)
    update_site_space: SiteSpace | None = mutation(resolvers.site_spaces.update_site_space)
    delete_site_space: DeleteSiteSpacePayload | None = mutation(
        resolvers.site_spaces.delete_site_space
    )
    move_site_space: SiteSpace | None = mutation(resolvers.site_order.move_site_space)
    publish_site: Site | None = mutation(resolvers.site_publishing.publish_site)
    unpublish_site: Site | None = mutation(resolvers.site_publishing.unpublish_site)
    sort_site_structure: SiteStructureItem | None = mutation(
        resolvers.site_order.sort_site_structure
    )
    add_site_section: SiteSection | None = mutation(resolvers.site_sections.add_site_section)
    update_site_section: SiteSection | None = mutation(resolvers.site_sections.update_site_section)
    delete_site_section: DeleteSiteSectionPayload | None = mutation(
        resolvers.site_sections.delete_site_section
    )
    move_site_section: SiteSection | None = mutation(
        resolvers.site_order.move_site_section, deprecated="Use `sortSiteStructure`."
    )
    add_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.site_section_groups.add_site_section_group
    )
    update_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.site_section_groups.update_site_section_group
    )
    delete_site_section_group: DeleteSiteSectionGroupPayload | None = mutation(
        resolvers.site_section_groups.delete_site_section_group
    )
    move_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.site_order.move_site_section_group, deprecated="Use `sortSiteStructure`."
    )
    add_section_to_group: SiteSectionGroup | None = mutation(
        resolvers.site_section_groups.add_section_to_group
    )
    remove_section_from_group: RemoveSectionFromGroupPayload | None = mutation(
        resolvers.site_section_groups.remove_section_from_group
    )
    replace_site_customization: SiteCustomization | None = mutation(
        resolvers.customizations.replace_site_customization
    )
    override_site_space_customization: SiteSpaceCustomization | None = mutation(
        resolvers.customizations.override_site_space_customization
    )
    delete_site_space_customization: DeleteSiteSpaceCustomizationPayload | None = mutation(
        resolvers.customizations.delete_site_space_customization
    )
    create_site_mcp_server: SiteMcpServer | None = mutation(
        resolvers.site_mcp_servers.create_site_mcp_server
    )
    update_site_mcp_server: SiteMcpServer | None = mutation(
        resolvers.site_mcp_servers.update_site_mcp_server
    )
    delete_site_mcp_server: DeleteSiteMcpServerPayload | None = mutation(
        resolvers.site_mcp_servers.delete_site_mcp_server
    )
    create_share_link: ShareLink | None = mutation(resolvers.share_links.create_share_link)
    update_share_link: ShareLink | None = mutation(resolvers.share_links.update_share_link)
    delete_share_link: DeleteShareLinkPayload | None = mutation(
        resolvers.share_links.delete_share_link
    )
    update_site_adaptive_schema: SiteAdaptiveSchema | None = mutation(
        resolvers.adaptive_schemas.update_adaptive_schema
    )
    create_site_redirect: SiteRedirect | None = mutation(
        resolvers.site_redirects.create_site_redirect
    )
    update_site_redirect: SiteRedirect | None = mutation(
        resolvers.site_redirects.update_site_redirect
    )
    delete_site_redirect: DeleteSiteRedirectPayload | None = mutation(
        resolvers.site_redirects.delete_site_redirect
    )
    write_site_redirects: SiteRedirectResults | None = mutation(
        resolvers.site_redirect_batches.write_site_redirects
    )
    update_site_publishing_auth: SitePublishingAuth | None = mutation(
        resolvers.publishing_auth.update_site_publishing_auth
    )
    set_site_revalidation: SiteRevalidation | None = mutation(
        resolvers.site_revalidation.set_site_revalidation
    )
    regenerate_site_revalidation_secret: SiteRevalidation | None = mutation(
        resolvers.site_revalidation.regenerate_site_revalidation_secret
    )
    regenerate_site_publishing_auth: SitePublishingAuth | None = mutation(
        resolvers.publishing_auth.regenerate_site_publishing_auth
    )
    create_change_request: ChangeRequest | None = mutation(
        resolvers.change_requests.create_change_request
    )
    update_change_request: ChangeRequest | None = mutation(
        resolvers.change_requests.update_change_request
    )
    pull_change_request: ChangeRequestUpdate | None = mutation(
        resolvers.merging.pull_change_request
    )
    merge_change_request: ChangeRequestMerge | None = mutation(
        resolvers.merging.merge_change_request
    )
    resolve_conflict: MergeConflict | None = mutation(
        resolvers.conflict_resolution.resolve_conflict
    )
    request_reviewers: ReviewRequests | None = mutation(resolvers.review_requests.request_reviewers)
    withdraw_review_request: WithdrawReviewRequestPayload | None = mutation(
        resolvers.review_requests.withdraw_review_request
    )
    submit_review: Review | None = mutation(resolvers.reviews.submit_review)
    post_comment: Comment | None = mutation(resolvers.comments.post_comment)
    update_comment: Comment | None = mutation(resolvers.comments.update_comment)
    delete_comment: DeleteCommentPayload | None = mutation(resolvers.comments.delete_comment)
    reply_to_comment: CommentReply | None = mutation(resolvers.comment_replies.reply_to_comment)
    update_comment_reply: CommentReply | None = mutation(
        resolvers.comment_replies.update_comment_reply
    )
    delete_comment_reply: DeleteCommentReplyPayload | None = mutation(
        resolvers.comment_replies.delete_comment_reply
    )
    add_reaction: ReactionPayload | None = mutation(resolvers.reaction_edits.add_reaction)
    remove_reaction: ReactionPayload | None = mutation(resolvers.reaction_edits.remove_reaction)
    apply_template: ContentWrite | None = mutation(resolvers.content_templates.apply_template)
    create_file_upload: FileUpload | None = mutation(resolvers.uploads.create_file_upload)
    apply_content_changes: ContentWrite | None = mutation(
        resolvers.content_writes.apply_content_changes
    )
    import_content: ImportContentResult | None = mutation(resolvers.content_import.import_content)
    create_page: ContentWrite | None = mutation(resolvers.page_edits.create_page)
    update_page: ContentWrite | None = mutation(resolvers.page_edits.update_page)
    rename_page: ContentWrite | None = mutation(resolvers.page_edits.rename_page)
    move_page: ContentWrite | None = mutation(resolvers.page_edits.move_page)
    delete_page: DeletePagePayload | None = mutation(resolvers.content_deletions.delete_page)
    revert_page: ContentWrite | None = mutation(resolvers.page_edits.revert_page)
    create_file: ContentWrite | None = mutation(resolvers.page_edits.create_file)
    replace_file: ContentWrite | None = mutation(resolvers.page_edits.replace_file)
    delete_file: DeleteFilePayload | None = mutation(resolvers.content_deletions.delete_file)
    create_reusable_content: ContentWrite | None = mutation(
        resolvers.page_edits.create_reusable_content
    )
    update_reusable_content: ContentWrite | None = mutation(
        resolvers.page_edits.update_reusable_content
    )
    delete_reusable_content: DeleteReusableContentPayload | None = mutation(
        resolvers.content_deletions.delete_reusable_content
    )
    set_space_variables: ContentWrite | None = mutation(resolvers.page_edits.set_space_variables)
    set_redirect: ContentWrite | None = mutation(resolvers.page_edits.set_redirect)
    delete_redirect: DeleteRedirectPayload | None = mutation(
        resolvers.content_deletions.delete_redirect
    )
