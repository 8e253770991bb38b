"""The root of queries: one line per operation.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

import resolvers.adaptive_schemas
import resolvers.change_requests
import resolvers.collections
import resolvers.comment_replies
import resolvers.comments
import resolvers.computed_content
import resolvers.content_changes
import resolvers.content_revisions
import resolvers.custom_hostnames
import resolvers.customizations
import resolvers.documents
import resolvers.embeds
import resolvers.files
import resolvers.insights_aggregates
import resolvers.members
import resolvers.nodes
import resolvers.organizations
import resolvers.pages
import resolvers.published_lookup
import resolvers.published_sites
import resolvers.publishing_auth
import resolvers.reusable_contents
import resolvers.reviews
import resolvers.site_conditions
import resolvers.site_mcp_servers
import resolvers.site_previews
import resolvers.site_redirect_lookup
import resolvers.site_revalidation
import resolvers.site_section_fields
import resolvers.site_section_groups
import resolvers.site_sections
import resolvers.site_spaces
import resolvers.sites
import resolvers.spaces
import resolvers.subdomains
import resolvers.url_content
import resolvers.users
from schema.node import Node
from schema.types.adaptive_content import SiteAdaptiveSchema, TemplateConditions
from schema.types.addresses import ContentAtUrl, Embed
from schema.types.content import ComputedRevision, Document, File, Page, ReusableContent, Revision
from schema.types.content_changes import ContentChanges
from schema.types.customization import SiteCustomization, SiteSpaceCustomization
from schema.types.discussions import ChangeRequest, Comment, CommentReply
from schema.types.hostnames import CustomHostname, Subdomain
from schema.types.insights import Insights
from schema.types.people import Member, Organization, User
from schema.types.published import PublishedContentSite, PublishedSiteLookup
from schema.types.publishing import SitePreview, SitePublishingAuth, SiteRevalidation
from schema.types.reviews import Review
from schema.types.site_conditions import SiteConditions
from schema.types.site_mcp_servers import SiteMcpServer
from schema.types.site_redirects import SiteRedirectMatch
from schema.types.site_structure import SiteSection, SiteSectionGroup, SiteStructure
from schema.types.sites import Site, SiteSpace
from schema.types.spaces import Collection, Space
from schema.wiring import query


@strawberry.type(description="Everything that can be read.")
class Query:
    node: Node | None = query(resolvers.nodes.get_node)
    nodes: list[Node | None] = query(resolvers.nodes.get_nodes)
    viewer: User | None = query(resolvers.users.get_viewer)
    user: User | None = query(resolvers.users.get_user)
    organization: Organization | None = query(resolvers.organizations.get_organization)
    member: Member | None = query(resolvers.members.get_member)
    space: Space | None = query(resolvers.spaces.get_space)
    collection: Collection | None = query(resolvers.collections.get_collection)
    revision: Revision | None = query(resolvers.content_revisions.get_revision)
    page: Page | None = query(resolvers.pages.get_page)
    page_by_path: Page | None = query(resolvers.pages.get_page_by_path)
    file: File | None = query(resolvers.files.get_file)
    reusable_content: ReusableContent | None = query(
        resolvers.reusable_contents.get_reusable_content
    )
    revision_changes: ContentChanges | None = query(resolvers.content_changes.get_revision_changes)
    change_request_changes: ContentChanges | None = query(
        resolvers.content_changes.get_change_request_changes
    )
    document: Document | None = query(resolvers.documents.get_document)
    page_document: Document | None = query(resolvers.documents.get_page_document)
    reusable_content_document: Document | None = query(
        resolvers.documents.get_reusable_content_document
    )
    computed_document: Document | None = query(resolvers.computed_content.get_computed_document)
    computed_revision: ComputedRevision | None = query(
        resolvers.computed_content.get_computed_revision
    )
    site: Site | None = query(resolvers.sites.get_site)
    custom_hostname: CustomHostname | None = query(resolvers.custom_hostnames.get_custom_hostname)
    content_by_url: ContentAtUrl | None = query(resolvers.url_content.get_content_by_url)
    embed: Embed | None = query(resolvers.embeds.get_embed)
    space_embed: Embed | None = query(resolvers.embeds.get_space_embed)
    subdomain: Subdomain | None = query(resolvers.subdomains.get_subdomain)
    site_insights: Insights | None = query(resolvers.insights_aggregates.get_site_insights)
    site_space: SiteSpace | None = query(resolvers.site_spaces.get_site_space)
    site_structure: SiteStructure | None = query(resolvers.site_section_fields.get_site_structure)
    site_section: SiteSection | None = query(resolvers.site_sections.get_site_section)
    site_section_group: SiteSectionGroup | None = query(
        resolvers.site_section_groups.get_site_section_group
    )
    site_conditions: SiteConditions | None = query(resolvers.site_conditions.get_site_conditions)
    site_customization: SiteCustomization | None = query(
        resolvers.customizations.get_site_customization
    )
    site_space_customization: SiteSpaceCustomization | None = query(
        resolvers.customizations.get_site_space_customization
    )
    site_mcp_server: SiteMcpServer | None = query(resolvers.site_mcp_servers.get_site_mcp_server)
    site_adaptive_schema: SiteAdaptiveSchema | None = query(
        resolvers.adaptive_schemas.get_adaptive_schema
    )
    site_template_conditions: TemplateConditions | None = query(
        resolvers.adaptive_schemas.get_template_conditions
    )
    site_redirect_by_source: SiteRedirectMatch | None = query(
        resolvers.site_redirect_lookup.get_site_redirect_by_source
    )
    published_site: PublishedSiteLookup | None = query(
        resolvers.published_lookup.get_published_site
    )
    published_content_site: PublishedContentSite | None = query(
        resolvers.published_sites.get_published_content_site
    )
    site_publishing_auth: SitePublishingAuth | None = query(
        resolvers.publishing_auth.get_site_publishing_auth
    )
    site_preview: SitePreview | None = query(resolvers.site_previews.get_site_preview)
    site_revalidation: SiteRevalidation | None = query(
        resolvers.site_revalidation.get_site_revalidation
    )
    change_request: ChangeRequest | None = query(resolvers.change_requests.get_change_request)
    review: Review | None = query(resolvers.reviews.get_review)
    comment: Comment | None = query(resolvers.comments.get_comment)
    comment_reply: CommentReply | None = query(resolvers.comment_replies.get_comment_reply)
