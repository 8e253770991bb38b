"""Sites and the spaces placed on them."""

import datetime as dt

import strawberry

from db.enums import (
    AgentsContext,
    SiteCustomizationFeature,
    SiteFeatureKey,
    SitePreviews,
    SiteType,
    SiteVisibility,
)
from db.models import organizations as people, sites, spaces
from resolvers.addresses import sites as site_urls
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import Url
from resolvers.customization import operations as customizations
from resolvers.insights import aggregates as insights_aggregates, segments as visitor_segments
from resolvers.insights.aggregates import InsightsArguments
from resolvers.integrations import fields as site_integrations, lists as integration_lists
from resolvers.integrations.lists import SearchArguments
from resolvers.published import conditions as site_conditions, previews as site_previews
from resolvers.published.conditions import ConditionArguments
from resolvers.published.previews import PreviewArguments
from resolvers.sites import (
    adaptive_schemas,
    custom_hostnames,
    fields as site_fields,
    mcp_servers as site_mcp_servers,
    people as site_people,
    publishing_auth,
    redirects as site_redirects,
    search as site_search,
    sections as site_sections,
    share_links as site_share_links,
    spaces as sites_spaces,
)
from resolvers.sites.redirects import SiteRedirectArguments
from resolvers.sites.search import SiteSearchArguments
from resolvers.sites.share_links import ShareLinkArguments
from resolvers.sites.spaces import SiteSpaceArguments
from resolvers.webhooks import operations as webhooks
from schema.node import Node
from schema.types.above import (
    Integration,
    SiteCustomization,
    SiteIntegrationScript,
    SiteMcpServer,
    SiteSection,
    SiteSectionGroup,
    SiteSpaceCustomization,
    SiteStructure,
    Space,
    Webhook,
)
from schema.types.insights import Insights, VisitorSegment
from schema.types.organizations import Organization
from schema.types.published.conditions import SiteConditions
from schema.types.search import SearchSpace
from schema.types.sites.adaptive_content import SiteAdaptiveSchema
from schema.types.sites.hostnames import CustomHostname
from schema.types.sites.people import SitePerson
from schema.types.sites.publishing import SitePreview, SitePublishingAuth
from schema.types.sites.redirects import SiteRedirect
from schema.types.sites.share_links import ShareLink
from schema.wiring import Connection, batch, column, related, source_rows, visible_related


@strawberry.type(description="Addresses of a site.")
class SiteUrls:
    location: Url = column("The site in /v1.")
    app: Url = column("The site for people who work on it.")
    published: Url | None = column("The site for its readers; only while it is published.")


@strawberry.type(description="A site served below another host's path.")
class SiteProxy:
    origin: str = column("Host and path under which readers find it.")
    target: Url = column("Where the proxy must forward to.")


@strawberry.type(description="A picture for light and for dark surroundings.")
class ThemedUrl:
    light: Url = column("The picture on a light background.")
    dark: Url = column("The picture on a dark background.")


@strawberry.type(description="The icon of a site: a picture or an emoji.")
class SiteIcon:
    icon: ThemedUrl | None = column("The picture.")
    emoji: str | None = column("The emoji: the character, or its code points in hexadecimal.")


@strawberry.type(description="Content that depends on the visitor.")
class SiteAdaptiveContent:
    enabled: bool = column("Whether it is on.")


@strawberry.type(
    description="What the caller may do with a site, by role: the scopes of the token are not "
    "looked at."
)
class SitePermissions:
    view: bool = column("See it.")
    view_settings: bool = column(
        "See its share links, redirects, MCP servers and the claims that it knows."
    )
    preview: bool = column("See it as visitors with chosen claims would.")
    view_insights: bool = column("See what visitors did on it.")
    edit: bool = column(
        "Change its settings, its structure, its look, and all that belongs to it but its host "
        "name; also see its authentication."
    )
    publish: bool = column("Publish it, and take it offline.")
    delete: bool = column("Delete it.")
    manage_hostname: bool = column("See and change its custom host name.")


@strawberry.type(description="Something that a site can do.")
class SiteFeature:
    key: SiteFeatureKey = column("Name of the feature.", attribute="id")
    plan: SiteType = column("The type of the site.")
    frozen: bool = column("Always false: every feature is on for every type.")
    customizations: list[SiteCustomizationFeature] | None = column(
        "Parts of the look that can be changed; only for the feature that is about them."
    )


@strawberry.type(description="A docs site built from spaces.")
class Site(Node):
    is_type_of = source_rows(sites.Site)
    title: str = column("Name, 2 to 128 characters.")
    type: SiteType = column("Type; every feature is on for every type.")
    visibility: SiteVisibility = column("Who can see it once it is published.")
    published: bool = column("Whether it is live for its audience.")
    basename: str | None = column("Its path below the organization's host.")
    hostname: str | None = column("Its own host name.")
    proxy: SiteProxy | None = batch(site_urls.site_proxies, "The address it is proxied under.")
    icon: SiteIcon | None = batch(site_fields.site_icons, "Its icon.")
    adaptive_content: SiteAdaptiveContent = batch(
        site_fields.site_adaptive_contents, "Content that depends on the visitor."
    )
    agents_context: AgentsContext = column("Whether assistants may read it.")
    previews: SitePreviews = column(
        "Who may preview its change requests and revisions while it is `public` or `unlisted`; "
        "with another visibility nobody may."
    )
    features: list[SiteFeature] = batch(site_fields.site_features, "What it can do.")
    created_at: dt.datetime = column("When it was made.")
    urls: SiteUrls = batch(site_urls.site_urls, "Its addresses.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization that owns it.", required=True
    )
    site_space_count: int = batch(
        site_fields.site_space_counts,
        "Number of spaces on it, with those in the bin and those you may not read.",
    )
    site_spaces: Connection["SiteSpace"] = batch(
        sites_spaces.site_spaces_of_sites,
        "Spaces on it that you may read, in their order.",
        arguments=SiteSpaceArguments,
    )
    default_site_space: "SiteSpace | None" = batch(
        sites_spaces.default_site_spaces, "The site space served at its root."
    )
    sections: Connection[SiteSection] = batch(
        site_sections.sections_of_sites,
        "Its sections that you may see, in the order in which they are shown.",
        arguments=PageArguments,
    )
    section_groups: Connection[SiteSectionGroup] = batch(
        site_sections.section_groups_of_sites,
        "Its groups of sections that you may see, in the order in which they are shown.",
        arguments=PageArguments,
    )
    default_section: SiteSection | None = visible_related(
        sites.SiteSection,
        "default_section_id",
        "The section chosen for its root; null without sections.",
    )
    structure: SiteStructure = batch(
        site_sections.structures_of_sites, "All that stands on it, in its order."
    )
    customization: SiteCustomization = batch(customizations.site_customizations, "How it looks.")
    mcp_servers: Connection[SiteMcpServer] = batch(
        site_mcp_servers.mcp_servers_of_sites,
        "Servers that its assistant may ask, oldest first; for those with an organization role.",
        arguments=PageArguments,
    )
    webhooks: Connection[Webhook] = batch(
        webhooks.webhooks_of_sites,
        "Endpoints that its events alone are sent to, oldest first; those that you administer.",
        arguments=PageArguments,
    )
    permissions: SitePermissions = batch(
        site_fields.site_permissions, "What the caller may do with it."
    )
    people: Connection[SitePerson] = batch(
        site_people.people_of_sites,
        "People who can see it as members or guests of its organization, by the ids of the "
        "people; guests see themselves only.",
        arguments=PageArguments,
    )
    integrations: Connection[Integration] = batch(
        integration_lists.integrations_of_sites,
        "Integrations that are installed on it, oldest first.",
        arguments=SearchArguments,
    )
    integration_scripts: list[SiteIntegrationScript] = batch(
        site_integrations.integration_scripts_of_sites,
        "Scripts that integrations add to its pages.",
    )
    custom_hostname: CustomHostname | None = batch(
        custom_hostnames.custom_hostnames_of_sites,
        "The host name that is claimed for it; for administrators of the organization.",
    )
    insights: Insights | None = batch(
        insights_aggregates.insights_of_sites,
        "What visitors did on it, counted; needs the organization role `create`.",
        arguments=InsightsArguments,
    )
    visitor_segments: Connection[VisitorSegment] | None = batch(
        visitor_segments.visitor_segments_of_sites,
        "Its visitors of the last 30 days by their claims, those with most events first; needs the "
        "organization role `create`.",
        arguments=PageArguments,
    )
    search: Connection[SearchSpace] = batch(
        site_search.search_sites,
        "Spaces of the site in which a query finds pages, with the best pages first.",
        arguments=SiteSearchArguments,
    )
    conditions: SiteConditions | None = batch(
        site_conditions.conditions_of_sites,
        "What its conditions come to for a visitor with some claims; needs the organization role "
        "`edit`.",
        arguments=ConditionArguments,
    )
    preview: SitePreview | None = batch(
        site_previews.previews_of_sites,
        "An address that shows it for an hour as a visitor with some claims sees it; while it is "
        "published, and with the organization role `edit`.",
        arguments=PreviewArguments,
    )
    publishing_auth: SitePublishingAuth | None = batch(
        publishing_auth.publishing_auths_of_sites,
        "How its visitors are authenticated; null without the organization role `create`.",
    )
    share_links: Connection[ShareLink] = batch(
        site_share_links.share_links_of_sites,
        "Its share links, oldest first; for members of the organization.",
        arguments=ShareLinkArguments,
    )
    adaptive_schema: SiteAdaptiveSchema | None = batch(
        adaptive_schemas.adaptive_schemas_of_sites,
        "The claims of visitors that it knows; for members of the organization.",
    )
    redirects: Connection[SiteRedirect] = batch(
        site_redirects.redirects_of_sites,
        "Its redirects, oldest first; for members of the organization.",
        arguments=SiteRedirectArguments,
    )


@strawberry.type(description="Addresses of a site space.")
class SiteSpaceUrls:
    published: Url | None = column("The space for readers; only while the site is published.")


@strawberry.type(description="A space placed on a site.")
class SiteSpace(Node):
    is_type_of = source_rows(sites.SiteSpace)
    path: str = column("Path on the site, 1 to 100 characters.")
    title: str = batch(sites_spaces.site_space_titles, "The title of the space.")
    default: bool = batch(
        sites_spaces.are_defaults,
        "Whether its section, or a site without sections, serves it at the root.",
    )
    condition: str | None = column("Expression that decides whether a visitor sees it.")
    section_id: strawberry.ID | None = column("Id of its section; null at the site's root.")
    section: SiteSection | None = related(sites.SiteSection, "section_id", "Its section.")
    has_advanced_customization_feature: bool = batch(
        sites_spaces.have_own_settings, "Whether it has settings of its own."
    )
    customization: SiteSpaceCustomization = batch(
        customizations.site_space_customizations,
        "How it looks: the settings of its site with its own on top of them.",
    )
    urls: SiteSpaceUrls = batch(site_urls.site_space_urls, "Its addresses.")
    space: Space = related(spaces.Space, "space_id", "The space.")
    site: Site = related(sites.Site, "site_id", "The site.")
