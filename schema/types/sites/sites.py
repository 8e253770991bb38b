"""Sites and the spaces placed on them."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

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
from resolvers.lists.batches import by_key, visible_by_key
from resolvers.published import conditions as site_conditions, previews as site_previews
from resolvers.published.conditions import ConditionArguments
from resolvers.published.previews import PreviewArguments
from resolvers.sites import (
    adaptive_schemas,
    custom_hostnames,
    features as site_features,
    fields as site_fields,
    integrations as site_integrations,
    mcp_servers as site_mcp_servers,
    people as site_people,
    publishing_auth,
    redirect_fields as site_redirect_fields,
    rights as site_rights,
    search as site_search,
    section_fields as site_section_fields,
    share_link_fields,
    space_fields as site_space_fields,
)
from resolvers.sites.integrations import IntegrationArguments
from resolvers.sites.redirect_fields import SiteRedirectArguments
from resolvers.sites.search import SiteSearchArguments
from resolvers.sites.share_link_fields import ShareLinkArguments
from resolvers.sites.space_fields import SiteSpaceArguments
from schema.node import Node
from schema.types.insights import Insights, VisitorSegment
from schema.types.sites.adaptive_content import SiteAdaptiveSchema
from schema.types.sites.hostnames import CustomHostname
from schema.types.sites.redirects import SiteRedirect
from schema.types.sites.share_links import ShareLink
from schema.wiring import Connection, batch, column, source_rows

if TYPE_CHECKING:
    from schema.types.customization import SiteCustomization, SiteSpaceCustomization
    from schema.types.organizations import Organization
    from schema.types.published.conditions import SiteConditions
    from schema.types.search import SearchSpace
    from schema.types.sites.integrations import Integration, SiteIntegrationScript
    from schema.types.sites.mcp_servers import SiteMcpServer
    from schema.types.sites.people import SitePerson
    from schema.types.sites.publishing import SitePreview, SitePublishingAuth
    from schema.types.sites.structure import SiteSection, SiteSectionGroup, SiteStructure
    from schema.types.spaces import Space

LazyPreview = Annotated["SitePreview", strawberry.lazy("schema.types.sites.publishing")]
LazyAuth = Annotated["SitePublishingAuth", strawberry.lazy("schema.types.sites.publishing")]
LazySection = Annotated["SiteSection", strawberry.lazy("schema.types.sites.structure")]
LazyGroup = Annotated["SiteSectionGroup", strawberry.lazy("schema.types.sites.structure")]
LazyStructure = Annotated["SiteStructure", strawberry.lazy("schema.types.sites.structure")]


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
    features: list[SiteFeature] = batch(site_features.site_features, "What it can do.")
    created_at: dt.datetime = column("When it was made.")
    urls: SiteUrls = batch(site_urls.site_urls, "Its addresses.")
    organization: Annotated["Organization", strawberry.lazy("schema.types.organizations")] = batch(
        by_key(people.Organization, "organization_id", required=True),
        "The organization that owns it.",
        key="organization_id",
    )
    site_space_count: int = batch(
        site_fields.site_space_counts,
        "Number of spaces on it, with those in the bin and those you may not read.",
    )
    site_spaces: Connection["SiteSpace"] = batch(
        site_space_fields.site_spaces_of_sites,
        "Spaces on it that you may read, in their order.",
        arguments=SiteSpaceArguments,
    )
    default_site_space: "SiteSpace | None" = batch(
        site_space_fields.default_site_spaces, "The site space served at its root."
    )
    sections: Connection[LazySection] = batch(
        site_section_fields.sections_of_sites,
        "Its sections that you may see, in the order in which they are shown.",
        arguments=PageArguments,
    )
    section_groups: Connection[LazyGroup] = batch(
        site_section_fields.section_groups_of_sites,
        "Its groups of sections that you may see, in the order in which they are shown.",
        arguments=PageArguments,
    )
    default_section: LazySection | None = batch(
        visible_by_key(sites.SiteSection, "default_section_id"),
        "The section chosen for its root; null without sections.",
        key="default_section_id",
    )
    structure: LazyStructure = batch(
        site_section_fields.structures_of_sites, "All that stands on it, in its order."
    )
    customization: Annotated["SiteCustomization", strawberry.lazy("schema.types.customization")] = (
        batch(customizations.site_customizations, "How it looks.")
    )
    mcp_servers: Connection[
        Annotated["SiteMcpServer", strawberry.lazy("schema.types.sites.mcp_servers")]
    ] = batch(
        site_mcp_servers.mcp_servers_of_sites,
        "Servers that its assistant may ask, oldest first; for those with an organization role.",
        arguments=PageArguments,
    )
    permissions: SitePermissions = batch(
        site_rights.site_permissions, "What the caller may do with it."
    )
    people: Connection[Annotated["SitePerson", strawberry.lazy("schema.types.sites.people")]] = (
        batch(
            site_people.people_of_sites,
            "People who can see it as members or guests of its organization, by the ids of the "
            "people; guests see themselves only.",
            arguments=PageArguments,
        )
    )
    integrations: Connection[
        Annotated["Integration", strawberry.lazy("schema.types.sites.integrations")]
    ] = batch(
        site_integrations.integrations_of_sites,
        "Integrations that are installed on it, by name.",
        arguments=IntegrationArguments,
    )
    integration_scripts: list[
        Annotated["SiteIntegrationScript", strawberry.lazy("schema.types.sites.integrations")]
    ] = batch(
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
    search: Connection[Annotated["SearchSpace", strawberry.lazy("schema.types.search")]] = batch(
        site_search.search_sites,
        "Spaces of the site in which a query finds pages, with the best pages first.",
        arguments=SiteSearchArguments,
    )
    conditions: (
        Annotated["SiteConditions", strawberry.lazy("schema.types.published.conditions")] | None
    ) = batch(
        site_conditions.conditions_of_sites,
        "What its conditions come to for a visitor with some claims; needs the organization role "
        "`edit`.",
        arguments=ConditionArguments,
    )
    preview: LazyPreview | None = batch(
        site_previews.previews_of_sites,
        "An address that shows it for an hour as a visitor with some claims sees it; while it is "
        "published, and with the organization role `edit`.",
        arguments=PreviewArguments,
    )
    publishing_auth: LazyAuth | None = batch(
        publishing_auth.publishing_auths_of_sites,
        "How its visitors are authenticated; null without the organization role `create`.",
    )
    share_links: Connection[ShareLink] = batch(
        share_link_fields.share_links_of_sites,
        "Its share links, oldest first; for members of the organization.",
        arguments=ShareLinkArguments,
    )
    adaptive_schema: SiteAdaptiveSchema | None = batch(
        adaptive_schemas.adaptive_schemas_of_sites,
        "The claims of visitors that it knows; for members of the organization.",
    )
    redirects: Connection[SiteRedirect] = batch(
        site_redirect_fields.redirects_of_sites,
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
    title: str = batch(site_space_fields.site_space_titles, "The title of the space.")
    default: bool = batch(
        site_space_fields.are_defaults,
        "Whether its section, or a site without sections, serves it at the root.",
    )
    condition: str | None = column("Expression that decides whether a visitor sees it.")
    section_id: strawberry.ID | None = column("Id of its section; null at the site's root.")
    section: LazySection | None = batch(
        by_key(sites.SiteSection, "section_id"), "Its section.", key="section_id"
    )
    has_advanced_customization_feature: bool = batch(
        site_space_fields.have_own_settings, "Whether it has settings of its own."
    )
    customization: Annotated[
        "SiteSpaceCustomization", strawberry.lazy("schema.types.customization")
    ] = batch(
        customizations.site_space_customizations,
        "How it looks: the settings of its site with its own on top of them.",
    )
    urls: SiteSpaceUrls = batch(site_urls.site_space_urls, "Its addresses.")
    space: Annotated["Space", strawberry.lazy("schema.types.spaces")] = batch(
        by_key(spaces.Space, "space_id"), "The space.", key="space_id"
    )
    site: Site = batch(by_key(sites.Site, "site_id"), "The site.", key="site_id")
