"""The root of queries: one line per operation.

Root fields may be null, so that one that fails leaves the answers of the others.
"""

import strawberry

from resolvers import nodes as objects
from resolvers.addresses import subdomains
from resolvers.change_requests import operations as change_requests, reviews
from resolvers.comments import operations as comments
from resolvers.content import changes, computed, documents, files, pages
from resolvers.customization import fonts, operations as customization
from resolvers.git import configurations, exports, operations as git
from resolvers.imports import runs
from resolvers.insights import aggregates
from resolvers.integrations import (
    entries,
    installations,
    lists as integration_lists,
    operations as integrations,
    reading as integration_reading,
    rendering,
)
from resolvers.jobs import operations as jobs
from resolvers.organizations import (
    agent_instructions,
    invitations,
    joining,
    members,
    operations as organizations,
    teams,
    users,
)
from resolvers.published import (
    conditions,
    embeds,
    operations as published,
    previews,
    redirect_lookup,
    sites as published_sites,
    url_content,
)
from resolvers.revisions import read_targets
from resolvers.sign_on import providers
from resolvers.sites import (
    adaptive_schemas,
    custom_hostnames,
    mcp_servers,
    operations as sites,
    publishing_auth,
    revalidation,
    section_groups,
    sections,
    spaces as site_spaces,
)
from resolvers.spaces import collections, operations as spaces
from resolvers.specifications import operations as specifications
from resolvers.system import operations as system
from resolvers.tokens import service_accounts
from resolvers.translations import glossary, operations as translations
from resolvers.webhooks import operations as webhooks
from schema.node import Node
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment, CommentReply
from schema.types.content.changes import ContentChanges
from schema.types.content.pages import (
    ComputedRevision,
    ContentExport,
    Document,
    File,
    Page,
    ReusableContent,
    Revision,
)
from schema.types.customization import SiteCustomization, SiteSpaceCustomization
from schema.types.git import GitConfiguration, GitInfo, GitOperation
from schema.types.insights import Insights
from schema.types.integrations import (
    Installation,
    InstalledIntegration,
    Integration,
    IntegrationCatalogue,
    IntegrationEvent,
    RenderOutput,
    SiteInstallation,
    SpaceInstallation,
)
from schema.types.invitations import Invitation, OrganizationsOfDomain
from schema.types.jobs import ImportRun, Job
from schema.types.organizations import Member, Organization, Team, User
from schema.types.published.addresses import PublishedContentSite, PublishedSiteLookup
from schema.types.published.conditions import SiteConditions
from schema.types.published.url_content import ContentAtUrl, Embed
from schema.types.reviews import Review
from schema.types.sign_on import SamlProvider, SignOnOptions
from schema.types.sites.adaptive_content import SiteAdaptiveSchema, TemplateConditions
from schema.types.sites.hostnames import CustomHostname, Subdomain
from schema.types.sites.mcp_servers import SiteMcpServer
from schema.types.sites.publishing import SitePreview, SitePublishingAuth, SiteRevalidation
from schema.types.sites.redirects import SiteRedirectMatch
from schema.types.sites.sites import Site, SiteSpace
from schema.types.sites.structure import SiteSection, SiteSectionGroup, SiteStructure
from schema.types.spaces import Collection, Space
from schema.types.specifications import Specification, SpecificationVersion
from schema.types.storage import AgentInstructions, ApiInformation, CustomFont
from schema.types.tokens import ServiceAccount
from schema.types.translations import GlossaryEntry, Translation
from schema.types.webhooks import Webhook, WebhookDelivery
from schema.wiring import query


@strawberry.type(description="Everything that can be read.")
class Query:
    node: Node | None = query(objects.get_node)
    nodes: list[Node | None] = query(objects.get_nodes)
    viewer: User | None = query(users.get_viewer)
    user: User | None = query(users.get_user)
    organization: Organization | None = query(organizations.get_organization)
    member: Member | None = query(members.get_member)
    team: Team | None = query(teams.get_team)
    service_account: ServiceAccount | None = query(service_accounts.get_service_account)
    saml_provider: SamlProvider | None = query(providers.get_saml_provider)
    sign_on_options: SignOnOptions | None = query(providers.get_sign_on_options)
    invitation: Invitation | None = query(invitations.get_invitation)
    job: Job | None = query(jobs.get_job)
    git_info: GitInfo | None = query(git.get_git_info)
    git_operation: GitOperation | None = query(git.get_git_operation)
    git_configuration: GitConfiguration | None = query(configurations.get_git_configuration)
    specification: Specification | None = query(specifications.get_specification)
    specification_version: SpecificationVersion | None = query(
        specifications.get_specification_version
    )
    latest_specification_version: SpecificationVersion | None = query(
        specifications.get_latest_specification_version
    )
    api_information: ApiInformation | None = query(system.get_api_information)
    custom_font: CustomFont | None = query(fonts.get_custom_font)
    agent_instructions: AgentInstructions | None = query(agent_instructions.get_agent_instructions)
    translation: Translation | None = query(translations.get_translation)
    glossary_entry: GlossaryEntry | None = query(glossary.get_glossary_entry)
    integration: Integration | None = query(integrations.get_integration)
    integration_catalogue: IntegrationCatalogue | None = query(integration_lists.list_integrations)
    integration_event: IntegrationEvent | None = query(integration_reading.get_integration_event)
    integration_status: InstalledIntegration | None = query(
        integration_reading.get_integration_status
    )
    installation: Installation | None = query(installations.get_installation)
    space_installation: SpaceInstallation | None = query(entries.get_space_installation)
    site_installation: SiteInstallation | None = query(entries.get_site_installation)
    own_integration: Integration | None = query(integration_reading.get_own_integration)
    compressed_integration_ui: RenderOutput | None = query(
        rendering.render_integration_ui_compressed
    )
    integration_ui: RenderOutput | None = query(rendering.render_integration_ui)
    webhook: Webhook | None = query(webhooks.get_webhook)
    webhook_delivery: WebhookDelivery | None = query(webhooks.get_webhook_delivery)
    import_run: ImportRun | None = query(runs.get_import_run)
    organizations_for_email_domain: OrganizationsOfDomain | None = query(
        joining.get_organizations_for_email_domain
    )
    space: Space | None = query(spaces.get_space)
    collection: Collection | None = query(collections.get_collection)
    revision: Revision | None = query(read_targets.get_revision)
    page: Page | None = query(pages.get_page)
    page_by_path: Page | None = query(pages.get_page_by_path)
    file: File | None = query(files.get_file)
    reusable_content: ReusableContent | None = query(files.get_reusable_content)
    revision_changes: ContentChanges | None = query(changes.get_revision_changes)
    change_request_changes: ContentChanges | None = query(changes.get_change_request_changes)
    document: Document | None = query(documents.get_document)
    page_document: Document | None = query(documents.get_page_document)
    reusable_content_document: Document | None = query(documents.get_reusable_content_document)
    computed_document: Document | None = query(computed.get_computed_document)
    computed_revision: ComputedRevision | None = query(computed.get_computed_revision)
    site: Site | None = query(sites.get_site)
    custom_hostname: CustomHostname | None = query(custom_hostnames.get_custom_hostname)
    content_by_url: ContentAtUrl | None = query(url_content.get_content_by_url)
    content_export: ContentExport | None = query(exports.get_content_export)
    embed: Embed | None = query(embeds.get_embed)
    space_embed: Embed | None = query(embeds.get_space_embed)
    subdomain: Subdomain | None = query(subdomains.get_subdomain)
    site_insights: Insights | None = query(aggregates.get_site_insights)
    site_space: SiteSpace | None = query(site_spaces.get_site_space)
    site_structure: SiteStructure | None = query(sections.get_site_structure)
    site_section: SiteSection | None = query(sections.get_site_section)
    site_section_group: SiteSectionGroup | None = query(section_groups.get_site_section_group)
    site_conditions: SiteConditions | None = query(conditions.get_site_conditions)
    site_customization: SiteCustomization | None = query(customization.get_site_customization)
    site_space_customization: SiteSpaceCustomization | None = query(
        customization.get_site_space_customization
    )
    site_mcp_server: SiteMcpServer | None = query(mcp_servers.get_site_mcp_server)
    site_adaptive_schema: SiteAdaptiveSchema | None = query(adaptive_schemas.get_adaptive_schema)
    site_template_conditions: TemplateConditions | None = query(
        adaptive_schemas.get_template_conditions
    )
    site_redirect_by_source: SiteRedirectMatch | None = query(
        redirect_lookup.get_site_redirect_by_source
    )
    published_site: PublishedSiteLookup | None = query(published.get_published_site)
    published_content_site: PublishedContentSite | None = query(
        published_sites.get_published_content_site
    )
    site_publishing_auth: SitePublishingAuth | None = query(
        publishing_auth.get_site_publishing_auth
    )
    site_preview: SitePreview | None = query(previews.get_site_preview)
    site_customization_preview: SitePreview | None = query(previews.get_site_customization_preview)
    site_revalidation: SiteRevalidation | None = query(revalidation.get_site_revalidation)
    change_request: ChangeRequest | None = query(change_requests.get_change_request)
    review: Review | None = query(reviews.get_review)
    comment: Comment | None = query(comments.get_comment)
    comment_reply: CommentReply | None = query(comments.get_comment_reply)
