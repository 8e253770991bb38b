"""The root of mutations: one line per operation. Each is one transaction.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

import resolvers.change_requests.operations
import resolvers.change_requests.reviews
import resolvers.comments.operations
import resolvers.comments.replies
import resolvers.customization.operations
import resolvers.imports.operations
import resolvers.insights.events
import resolvers.merging.conflict_resolution
import resolvers.merging.operations
import resolvers.organizations.operations
import resolvers.organizations.users
import resolvers.sites.adaptive_schemas
import resolvers.sites.custom_hostnames
import resolvers.sites.mcp_servers
import resolvers.sites.operations
import resolvers.sites.order
import resolvers.sites.publishing
import resolvers.sites.publishing_auth
import resolvers.sites.redirect_batches
import resolvers.sites.redirects
import resolvers.sites.revalidation
import resolvers.sites.section_groups
import resolvers.sites.sections
import resolvers.sites.share_links
import resolvers.sites.spaces
import resolvers.spaces.collections
import resolvers.spaces.lifecycle
import resolvers.spaces.moves
import resolvers.spaces.operations
import resolvers.spaces.transfers
import resolvers.writing.deletions
import resolvers.writing.operations
import resolvers.writing.page_edits
import resolvers.writing.templates
import resolvers.writing.uploads
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment, CommentReply, ReactionPayload
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
from schema.types.imports import ImportContentResult
from schema.types.merging import ChangeRequestMerge, ChangeRequestUpdate, MergeConflict
from schema.types.organizations import Organization, User
from schema.types.reviews import Review, ReviewRequests
from schema.types.sites.adaptive_content import SiteAdaptiveSchema
from schema.types.sites.hostnames import CustomHostname
from schema.types.sites.mcp_servers import SiteMcpServer
from schema.types.sites.publishing import SitePublishingAuth, SiteRevalidation
from schema.types.sites.redirects import SiteRedirect, SiteRedirectResults
from schema.types.sites.share_links import ShareLink
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSection, SiteSectionGroup, SiteStructureItem
from schema.types.spaces import Collection, Space
from schema.types.writing import ContentWrite, FileUpload
from schema.wiring import mutation


@strawberry.type(description="Everything that can be changed; each field is one transaction.")
class Mutation:
    update_user: User | None = mutation(resolvers.organizations.users.update_user)
    update_organization: Organization | None = mutation(
        resolvers.organizations.operations.update_organization
    )
    create_collection: Collection | None = mutation(resolvers.spaces.collections.create_collection)
    update_collection: Collection | None = mutation(resolvers.spaces.collections.update_collection)
    delete_collection: DeleteCollectionPayload | None = mutation(
        resolvers.spaces.collections.delete_collection
    )
    move_collection: Collection | None = mutation(resolvers.spaces.moves.move_collection)
    transfer_collection: Collection | None = mutation(
        resolvers.spaces.transfers.transfer_collection
    )
    create_space: Space | None = mutation(resolvers.spaces.operations.create_space)
    update_space: Space | None = mutation(resolvers.spaces.operations.update_space)
    delete_space: DeleteSpacePayload | None = mutation(resolvers.spaces.lifecycle.delete_space)
    restore_space: Space | None = mutation(resolvers.spaces.lifecycle.restore_space)
    duplicate_space: Space | None = mutation(resolvers.spaces.lifecycle.duplicate_space)
    move_space: Space | None = mutation(resolvers.spaces.moves.move_space)
    transfer_space: Space | None = mutation(resolvers.spaces.transfers.transfer_space)
    create_site: Site | None = mutation(resolvers.sites.operations.create_site)
    update_site: Site | None = mutation(resolvers.sites.operations.update_site)
    delete_site: DeleteSitePayload | None = mutation(resolvers.sites.operations.delete_site)
    set_custom_hostname: CustomHostname | None = mutation(
        resolvers.sites.custom_hostnames.set_custom_hostname
    )
    recheck_custom_hostname: CustomHostname | None = mutation(
        resolvers.sites.custom_hostnames.recheck_custom_hostname
    )
    delete_custom_hostname: DeleteCustomHostnamePayload | None = mutation(
        resolvers.sites.custom_hostnames.delete_custom_hostname
    )
    track_insights_events: int | None = mutation(resolvers.insights.events.track_insights_events)
    add_site_space: SiteSpace | None = mutation(resolvers.sites.spaces.add_site_space)
    update_site_space: SiteSpace | None = mutation(resolvers.sites.spaces.update_site_space)
    delete_site_space: DeleteSiteSpacePayload | None = mutation(
        resolvers.sites.spaces.delete_site_space
    )
    move_site_space: SiteSpace | None = mutation(resolvers.sites.order.move_site_space)
    publish_site: Site | None = mutation(resolvers.sites.publishing.publish_site)
    unpublish_site: Site | None = mutation(resolvers.sites.publishing.unpublish_site)
    sort_site_structure: SiteStructureItem | None = mutation(
        resolvers.sites.order.sort_site_structure
    )
    add_site_section: SiteSection | None = mutation(resolvers.sites.sections.add_site_section)
    update_site_section: SiteSection | None = mutation(resolvers.sites.sections.update_site_section)
    delete_site_section: DeleteSiteSectionPayload | None = mutation(
        resolvers.sites.sections.delete_site_section
    )
    move_site_section: SiteSection | None = mutation(
        resolvers.sites.order.move_site_section, deprecated="Use `sortSiteStructure`."
    )
    add_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.sites.section_groups.add_site_section_group
    )
    update_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.sites.section_groups.update_site_section_group
    )
    delete_site_section_group: DeleteSiteSectionGroupPayload | None = mutation(
        resolvers.sites.section_groups.delete_site_section_group
    )
    move_site_section_group: SiteSectionGroup | None = mutation(
        resolvers.sites.order.move_site_section_group, deprecated="Use `sortSiteStructure`."
    )
    add_section_to_group: SiteSectionGroup | None = mutation(
        resolvers.sites.section_groups.add_section_to_group
    )
    remove_section_from_group: RemoveSectionFromGroupPayload | None = mutation(
        resolvers.sites.section_groups.remove_section_from_group
    )
    replace_site_customization: SiteCustomization | None = mutation(
        resolvers.customization.operations.replace_site_customization
    )
    override_site_space_customization: SiteSpaceCustomization | None = mutation(
        resolvers.customization.operations.override_site_space_customization
    )
    delete_site_space_customization: DeleteSiteSpaceCustomizationPayload | None = mutation(
        resolvers.customization.operations.delete_site_space_customization
    )
    create_site_mcp_server: SiteMcpServer | None = mutation(
        resolvers.sites.mcp_servers.create_site_mcp_server
    )
    update_site_mcp_server: SiteMcpServer | None = mutation(
        resolvers.sites.mcp_servers.update_site_mcp_server
    )
    delete_site_mcp_server: DeleteSiteMcpServerPayload | None = mutation(
        resolvers.sites.mcp_servers.delete_site_mcp_server
    )
    create_share_link: ShareLink | None = mutation(resolvers.sites.share_links.create_share_link)
    update_share_link: ShareLink | None = mutation(resolvers.sites.share_links.update_share_link)
    delete_share_link: DeleteShareLinkPayload | None = mutation(
        resolvers.sites.share_links.delete_share_link
    )
    update_site_adaptive_schema: SiteAdaptiveSchema | None = mutation(
        resolvers.sites.adaptive_schemas.update_adaptive_schema
    )
    create_site_redirect: SiteRedirect | None = mutation(
        resolvers.sites.redirects.create_site_redirect
    )
    update_site_redirect: SiteRedirect | None = mutation(
        resolvers.sites.redirects.update_site_redirect
    )
    delete_site_redirect: DeleteSiteRedirectPayload | None = mutation(
        resolvers.sites.redirects.delete_site_redirect
    )
    write_site_redirects: SiteRedirectResults | None = mutation(
        resolvers.sites.redirect_batches.write_site_redirects
    )
    update_site_publishing_auth: SitePublishingAuth | None = mutation(
        resolvers.sites.publishing_auth.update_site_publishing_auth
    )
    set_site_revalidation: SiteRevalidation | None = mutation(
        resolvers.sites.revalidation.set_site_revalidation
    )
    regenerate_site_revalidation_secret: SiteRevalidation | None = mutation(
        resolvers.sites.revalidation.regenerate_site_revalidation_secret
    )
    regenerate_site_publishing_auth: SitePublishingAuth | None = mutation(
        resolvers.sites.publishing_auth.regenerate_site_publishing_auth
    )
    create_change_request: ChangeRequest | None = mutation(
        resolvers.change_requests.operations.create_change_request
    )
    update_change_request: ChangeRequest | None = mutation(
        resolvers.change_requests.operations.update_change_request
    )
    pull_change_request: ChangeRequestUpdate | None = mutation(
        resolvers.merging.operations.pull_change_request
    )
    merge_change_request: ChangeRequestMerge | None = mutation(
        resolvers.merging.operations.merge_change_request
    )
    resolve_conflict: MergeConflict | None = mutation(
        resolvers.merging.conflict_resolution.resolve_conflict
    )
    request_reviewers: ReviewRequests | None = mutation(
        resolvers.change_requests.reviews.request_reviewers
    )
    withdraw_review_request: WithdrawReviewRequestPayload | None = mutation(
        resolvers.change_requests.reviews.withdraw_review_request
    )
    submit_review: Review | None = mutation(resolvers.change_requests.reviews.submit_review)
    post_comment: Comment | None = mutation(resolvers.comments.operations.post_comment)
    update_comment: Comment | None = mutation(resolvers.comments.operations.update_comment)
    delete_comment: DeleteCommentPayload | None = mutation(
        resolvers.comments.operations.delete_comment
    )
    reply_to_comment: CommentReply | None = mutation(resolvers.comments.replies.reply_to_comment)
    update_comment_reply: CommentReply | None = mutation(
        resolvers.comments.replies.update_comment_reply
    )
    delete_comment_reply: DeleteCommentReplyPayload | None = mutation(
        resolvers.comments.replies.delete_comment_reply
    )
    add_reaction: ReactionPayload | None = mutation(resolvers.comments.operations.add_reaction)
    remove_reaction: ReactionPayload | None = mutation(
        resolvers.comments.operations.remove_reaction
    )
    apply_template: ContentWrite | None = mutation(resolvers.writing.templates.apply_template)
    create_file_upload: FileUpload | None = mutation(resolvers.writing.uploads.create_file_upload)
    apply_content_changes: ContentWrite | None = mutation(
        resolvers.writing.operations.apply_content_changes
    )
    import_content: ImportContentResult | None = mutation(
        resolvers.imports.operations.import_content
    )
    create_page: ContentWrite | None = mutation(resolvers.writing.page_edits.create_page)
    update_page: ContentWrite | None = mutation(resolvers.writing.page_edits.update_page)
    rename_page: ContentWrite | None = mutation(resolvers.writing.page_edits.rename_page)
    move_page: ContentWrite | None = mutation(resolvers.writing.page_edits.move_page)
    delete_page: DeletePagePayload | None = mutation(resolvers.writing.deletions.delete_page)
    revert_page: ContentWrite | None = mutation(resolvers.writing.page_edits.revert_page)
    create_file: ContentWrite | None = mutation(resolvers.writing.page_edits.create_file)
    replace_file: ContentWrite | None = mutation(resolvers.writing.page_edits.replace_file)
    delete_file: DeleteFilePayload | None = mutation(resolvers.writing.deletions.delete_file)
    create_reusable_content: ContentWrite | None = mutation(
        resolvers.writing.page_edits.create_reusable_content
    )
    update_reusable_content: ContentWrite | None = mutation(
        resolvers.writing.page_edits.update_reusable_content
    )
    delete_reusable_content: DeleteReusableContentPayload | None = mutation(
        resolvers.writing.deletions.delete_reusable_content
    )
    set_space_variables: ContentWrite | None = mutation(
        resolvers.writing.page_edits.set_space_variables
    )
    set_redirect: ContentWrite | None = mutation(resolvers.writing.page_edits.set_redirect)
    delete_redirect: DeleteRedirectPayload | None = mutation(
        resolvers.writing.deletions.delete_redirect
    )
