"""Integrations, installations, entries and events."""

import datetime as dt

import strawberry

from db.integration_enums import (
    InstallationSelection,
    InstallationStatus,
    IntegrationCategory,
    IntegrationEventStatus,
    IntegrationLogLevel,
    IntegrationRuntime,
    IntegrationScope,
    IntegrationTarget,
    IntegrationVisibility,
)
from db.models import (
    integrations as models,
    organizations as people,
    sites as site_models,
    spaces as space_models,
)
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, JsonValue, Url
from resolvers.integrations import fields, lists as integration_lists, rendering
from resolvers.integrations.lists import ExternalIdArguments, IntegrationArguments
from schema.node import Node
from schema.types.above import (
    Installation as InstallationType,
    IntegrationEvent as IntegrationEventType,
    Organization,
    Site,
    SiteInstallation as SiteInstallationType,
    Space,
    SpaceInstallation as SpaceInstallationType,
    User,
)
from schema.wiring import (
    Connection,
    batch,
    column,
    instances_of,
    itself,
    related,
    source_rows,
    visible_related,
)


@strawberry.type(description="Addresses of an integration.")
class IntegrationUrls:
    location: Url = column("The integration in /v1.")
    icon: Url | None = column("Its icon.")
    app: Url = column("The integration for people.")
    assets: Url = column("Where its pictures are.")
    public_endpoint: Url = column("Where everybody reaches its script.")


@strawberry.type(description="What the caller may do with an integration.")
class IntegrationPermissions:
    admin: bool = column("Publish and remove it.")


@strawberry.type(description="An integration.")
class Integration(Node):
    is_type_of = source_rows(models.Integration)
    name: str = column("Its name, which is unique.")
    version: int = column("How often it was published.")
    title: str = column("What people call it.")
    description: str = column("What it is, in a sentence.")
    summary: str | None = column("What it is, in Markdown.")
    runtime: IntegrationRuntime = column("What its script is written for.")
    visibility: IntegrationVisibility = column("Who may see and install it.")
    target: IntegrationTarget = column("What it may be installed on.")
    verified: bool = column("Whether the operator of the server vouches for it.")
    scopes: list[IntegrationScope] = batch(fields.scopes, "What it may do where it is installed.")
    categories: list[IntegrationCategory] = batch(fields.categories, "What it is about.")
    blocks: list[JsonObject] = column("Its blocks.")
    content_sources: list[JsonObject] = column("Its sources of content.")
    external_links: list[JsonObject] = column("Links to pages about it.")
    configurations: JsonObject = column(
        "By `account`, `space` and `site`: a schema, or the id of a component."
    )
    content_security_policy: JsonValue | None = column(
        "What its scripts and blocks may load: a policy, or an object of directives."
    )
    preview_images: list[Url] = batch(fields.preview_images, "Addresses of pictures of it.")
    created_at: dt.datetime = column("When it was first published.")
    updated_at: dt.datetime = column("When it was last published.")
    owner: Organization = related(
        people.Organization, "organization_id", "The organization that publishes it."
    )
    urls: IntegrationUrls = batch(fields.integration_urls, "Its addresses.")
    permissions: IntegrationPermissions = batch(
        fields.integration_permissions, "What the caller may do with it."
    )
    installations: Connection[InstallationType] = batch(
        integration_lists.installations_of_integrations,
        "Where it is installed: in organizations that you administer, or all with its own token.",
        arguments=ExternalIdArguments,
    )
    space_installations: Connection[SpaceInstallationType] = batch(
        integration_lists.space_entries_of_integrations,
        "Its entries for spaces that you may see.",
        arguments=ExternalIdArguments,
    )
    site_installations: Connection[SiteInstallationType] = batch(
        integration_lists.site_entries_of_integrations,
        "Its entries for sites that you may see.",
        arguments=ExternalIdArguments,
    )
    events: Connection[IntegrationEventType] = batch(
        integration_lists.events_of_integrations,
        "Events that it got in the last 30 days, newest first; for administrators of its owner.",
        arguments=PageArguments,
    )


@strawberry.type(description="The integrations that may be chosen from.")
class IntegrationCatalogue:
    is_type_of = instances_of(integration_lists.IntegrationCatalogue)
    integrations: Connection[Integration] = batch(
        integration_lists.integrations_of_catalogue,
        "Public integrations, and all of organizations that you administer, oldest first.",
        arguments=IntegrationArguments,
    )


@strawberry.type(description="Addresses of an installation or of one of its entries.")
class InstallationUrls:
    location: Url = column("It in /v1.")
    app: Url = column("It for people.")
    public_endpoint: Url = column("Where everybody reaches the script for it.")


@strawberry.type(description="Where an integration is installed.")
class InstallationPlace:
    is_type_of = source_rows(models.Installation)
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )


@strawberry.type(description="An integration that is installed in an organization.")
class Installation(Node):
    is_type_of = source_rows(models.Installation)
    status: InstallationStatus = column("How it stands.")
    configuration: JsonObject = batch(
        fields.configurations, "Its configuration; `********` stands for secrets."
    )
    space_selection: InstallationSelection = column("For which spaces it has entries.")
    site_selection: InstallationSelection = column("For which sites it has entries.")
    external_ids: list[str] = column("Ids by which it is found.")
    created_at: dt.datetime = column("When it was installed.")
    updated_at: dt.datetime = column("When it was last changed.")
    integration: Integration = related(models.Integration, "integration_id", "The integration.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )
    target: InstallationPlace = itself("Where it is installed.")
    installation: InstallationType = itself("The installation, beside its integration.")
    account: User = related(people.User, "account_id", "What it acts as.")
    space_count: int = batch(integration_lists.space_counts, "For how many spaces it has an entry.")
    urls: InstallationUrls = batch(fields.installation_urls, "Its addresses.")
    spaces: Connection[SpaceInstallationType] = batch(
        integration_lists.space_entries_of_installations,
        "Its entries for spaces that you may see.",
        arguments=PageArguments,
    )
    sites: Connection[SiteInstallationType] = batch(
        integration_lists.site_entries_of_installations,
        "Its entries for sites that you may see.",
        arguments=PageArguments,
    )


@strawberry.type(description="How something that is installed stands.")
class InstalledIntegration:
    is_type_of = source_rows(models.Installation)
    status: InstallationStatus = column("How it stands.")
    integration: Integration = related(models.Integration, "integration_id", "The integration.")


@strawberry.type(description="The entry of an installation for a space.")
class SpaceInstallation:
    is_type_of = source_rows(models.SpaceInstallation)
    status: InstallationStatus = column("How it stands.")
    configuration: JsonObject = batch(
        fields.configurations, "Its configuration; `********` stands for secrets."
    )
    external_ids: list[str] = column("Ids by which it is found.")
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    integration_name: str = batch(fields.integration_names, "The name of the integration.")
    installation_id: strawberry.ID = column("The id of the installation.")
    space_id: strawberry.ID = column("The id of the space.")
    integration: Integration = related(models.Integration, "integration_id", "The integration.")
    installation: Installation | None = visible_related(
        models.Installation, "installation_id", "The installation."
    )
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")
    urls: InstallationUrls = batch(fields.space_entry_urls, "Its addresses.")


@strawberry.type(description="The entry of an installation for a site.")
class SiteInstallation:
    is_type_of = source_rows(models.SiteInstallation)
    status: InstallationStatus = column("How it stands.")
    configuration: JsonObject = batch(
        fields.configurations, "Its configuration; `********` stands for secrets."
    )
    external_ids: list[str] = column("Ids by which it is found.")
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    integration_name: str = batch(fields.integration_names, "The name of the integration.")
    installation_id: strawberry.ID = column("The id of the installation.")
    site_id: strawberry.ID = column("The id of the site.")
    integration: Integration = related(models.Integration, "integration_id", "The integration.")
    installation: Installation | None = visible_related(
        models.Installation, "installation_id", "The installation."
    )
    site: Site | None = visible_related(site_models.Site, "site_id", "The site.")
    urls: InstallationUrls = batch(fields.site_entry_urls, "Its addresses.")


@strawberry.type(description="A line of the trace of an event.")
class IntegrationEventLog:
    message: str = column("What was written.")
    timestamp: dt.datetime = column("When.")
    level: IntegrationLogLevel = column("How serious it is.")


@strawberry.type(description="What happened while an integration worked on an event.")
class IntegrationEventTrace:
    is_type_of = source_rows(models.IntegrationEvent)
    logs: list[IntegrationEventLog] = batch(fields.event_logs, "The lines, in order.")


@strawberry.type(description="An event that an integration got.")
class IntegrationEvent(Node):
    is_type_of = source_rows(models.IntegrationEvent)
    integration_id: strawberry.ID = column("The id of the integration.")
    installation_id: strawberry.ID | None = column("The id of the installation.")
    type: str = column("The type of the event.")
    payload: JsonObject = column("What the integration got.")
    status: IntegrationEventStatus = column("What came of it.")
    created_at: dt.datetime = column("When it happened.")
    event: IntegrationEventType = itself("The event, beside its trace.")
    trace: IntegrationEventTrace = itself("What happened while the integration worked on it.")


@strawberry.type(description="A script that an integration adds to the pages of a site.")
class SiteIntegrationScript:
    script: Url = column("Address of the script.")
    content_security_policy: str | None = column("What the script has to be allowed.")
    cookies: bool = column("Whether it sets cookies.")


@strawberry.type(description="The blocks that an integration offers in a space.")
class SpaceIntegrationBlocks:
    name: str = column("The name of the integration.")
    blocks: list[JsonObject] = column("Its blocks.")


@strawberry.type(
    description="What an integration has rendered: an element, or the value of a component."
)
class RenderOutput:
    is_type_of = instances_of(rendering.RenderOutput)
    type: str | None = column("`element` or `complete`.")
    element: JsonObject | None = column("The root of the elements.")
    state: JsonObject | None = column("The state of the component.")
    props: JsonObject | None = column("The properties of the component.")
    return_value: JsonObject | None = column("With what the component is complete.")
    cache_control: str | None = column("What the integration says of keeping it.")


@strawberry.type(description="A token of an integration or of an installation.")
class ProgramTokenPayload:
    token: str = column("What is sent as `Authorization: Bearer <token>`.")
