"""The root of queries: one line per operation.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

import resolvers.addresses.subdomains
import resolvers.change_requests.operations
import resolvers.change_requests.reviews
import resolvers.comments.operations
import resolvers.comments.replies
import resolvers.content.changes
import resolvers.content.computed
import resolvers.content.documents
import resolvers.content.files
import resolvers.content.pages
import resolvers.content.reusable_contents
import resolvers.customization.operations
import resolvers.insights.aggregates
import resolvers.nodes
import resolvers.organizations.members
import resolvers.organizations.operations
import resolvers.organizations.users
import resolvers.published.conditions
import resolvers.published.embeds
import resolvers.published.operations
import resolvers.published.previews
import resolvers.published.redirect_lookup
import resolvers.published.sites
import resolvers.published.url_content
import resolvers.revisions.read_targets
import resolvers.sites.adaptive_schemas
import resolvers.sites.custom_hostnames
import resolvers.sites.mcp_servers
import resolvers.sites.operations
import resolvers.sites.publishing_auth
import resolvers.sites.revalidation
import resolvers.sites.section_fields
import resolvers.sites.section_groups
import resolvers.sites.sections
import resolvers.sites.spaces
import resolvers.spaces.collections
import resolvers.spaces.operations
from schema.node import Node
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment, CommentReply
from schema.types.content.changes import ContentChanges
from schema.types.content.pages import (
    ComputedRevision,
    Document,
    File,
    Page,
    ReusableContent,
    Revision,
)
from schema.types.customization import SiteCustomization, SiteSpaceCustomization
from schema.types.insights import Insights
from schema.types.organizations import Member, Organization, User
from schema.types.published.addresses import PublishedContentSite, PublishedSiteLookup
from schema.types.published.conditions import SiteConditions
from schema.types.published.url_content import ContentAtUrl, Embed
from schema.types.reviews import Review
from schema.types.sites.adaptive_content import SiteAdaptiveSchema, TemplateConditions
from schema.types.sites.hostnames import CustomHostname, Subdomain
from schema.types.sites.mcp_servers import SiteMcpServer
from schema.types.sites.publishing import SitePreview, SitePublishingAuth, SiteRevalidation
from schema.types.sites.redirects import SiteRedirectMatch
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSection, SiteSectionGroup, SiteStructure
from schema.types.spaces import Collection, Space
from schema.wiring import query


@strawberry.type(description="Everything that can be read.")
class Query:
    node: Node | None = query(resolvers.nodes.get_node)
    nodes: list[Node | None] = query(resolvers.nodes.get_nodes)
    viewer: User | None = query(resolvers.organizations.users.get_viewer)
    user: User | None = query(resolvers.organizations.users.get_user)
    organization: Organization | None = query(resolvers.organizations.operations.get_organization)
    member: Member | None = query(resolvers.organizations.members.get_member)
    space: Space | None = query(resolvers.spaces.operations.get_space)
    collection: Collection | None = query(resolvers.spaces.collections.get_collection)
    revision: Revision | None = query(resolvers.revisions.read_targets.get_revision)
    page: Page | None = query(resolvers.content.pages.get_page)
    page_by_path: Page | None = query(resolvers.content.pages.get_page_by_path)
    file: File | None = query(resolvers.content.files.get_file)
    reusable_content: ReusableContent | None = query(
        resolvers.content.reusable_contents.get_reusable_content
    )
    revision_changes: ContentChanges | None = query(resolvers.content.changes.get_revision_changes)
    change_request_changes: ContentChanges | None = query(
        resolvers.content.changes.get_change_request_changes
    )
    document: Document | None = query(resolvers.content.documents.get_document)
    page_document: Document | None = query(resolvers.content.documents.get_page_document)
    reusable_content_document: Document | None = query(
        resolvers.content.documents.get_reusable_content_document
    )
    computed_document: Document | None = query(resolvers.content.computed.get_computed_document)
    computed_revision: ComputedRevision | None = query(
        resolvers.content.computed.get_computed_revision
    )
    site: Site | None = query(resolvers.sites.operations.get_site)
    custom_hostname: CustomHostname | None = query(
        resolvers.sites.custom_hostnames.get_custom_hostname
    )
    content_by_url: ContentAtUrl | None = query(resolvers.published.url_content.get_content_by_url)
    embed: Embed | None = query(resolvers.published.embeds.get_embed)
    space_embed: Embed | None = query(resolvers.published.embeds.get_space_embed)
    subdomain: Subdomain | None = query(resolvers.addresses.subdomains.get_subdomain)
    site_insights: Insights | None = query(resolvers.insights.aggregates.get_site_insights)
    site_space: SiteSpace | None = query(resolvers.sites.spaces.get_site_space)
    site_structure: SiteStructure | None = query(resolvers.sites.section_fields.get_site_structure)
    site_section: SiteSection | None = query(resolvers.sites.sections.get_site_section)
    site_section_group: SiteSectionGroup | None = query(
        resolvers.sites.section_groups.get_site_section_group
    )
    site_conditions: SiteConditions | None = query(
        resolvers.published.conditions.get_site_conditions
    )
    site_customization: SiteCustomization | None = query(
        resolvers.customization.operations.get_site_customization
    )
    site_space_customization: SiteSpaceCustomization | None = query(
        resolvers.customization.operations.get_site_space_customization
    )
    site_mcp_server: SiteMcpServer | None = query(resolvers.sites.mcp_servers.get_site_mcp_server)
    site_adaptive_schema: SiteAdaptiveSchema | None = query(
        resolvers.sites.adaptive_schemas.get_adaptive_schema
    )
    site_template_conditions: TemplateConditions | None = query(
        resolvers.sites.adaptive_schemas.get_template_conditions
    )
    site_redirect_by_source: SiteRedirectMatch | None = query(
        resolvers.published.redirect_lookup.get_site_redirect_by_source
    )
    published_site: PublishedSiteLookup | None = query(
        resolvers.published.operations.get_published_site
    )
    published_content_site: PublishedContentSite | None = query(
        resolvers.published.sites.get_published_content_site
    )
    site_publishing_auth: SitePublishingAuth | None = query(
        resolvers.sites.publishing_auth.get_site_publishing_auth
    )
    site_preview: SitePreview | None = query(resolvers.published.previews.get_site_preview)
    site_revalidation: SiteRevalidation | None = query(
        resolvers.sites.revalidation.get_site_revalidation
    )
    change_request: ChangeRequest | None = query(
        resolvers.change_requests.operations.get_change_request
    )
    review: Review | None = query(resolvers.change_requests.reviews.get_review)
    comment: Comment | None = query(resolvers.comments.operations.get_comment)
    comment_reply: CommentReply | None = query(resolvers.comments.replies.get_comment_reply)
