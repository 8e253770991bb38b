"""Integrations, their installations, entries, events and tasks."""

from resolvers.core.pagination import PageArguments
from resolvers.integrations import (
    entries,
    fields,
    installations,
    lists,
    operations as integrations,
    reading,
    rendering,
)
from resolvers.integrations.lists import (
    ExternalIdArguments,
    IntegrationArguments,
    SearchArguments,
    TargetArguments,
)
from resolvers.organizations import operations as organizations
from resolvers.sites import operations as sites
from resolvers.spaces import operations as spaces
from rest_compat.shapes.integrations import (
    BLOCKS,
    EVENT,
    EVENT_WITH_TRACE,
    EXTENDED,
    INSTALLATION,
    INSTALLED,
    INTEGRATION,
    ORGANIZATION_INSTALLATION,
    RENDERED,
    SCRIPT,
    STATUS,
    TOKEN,
    site_entry,
    space_entry,
)
from rest_compat.table import array, delete, done, get, page, patch, post

TAG, SPACE_TAG = "integrations", "space-integrations"
ALL = "/integrations"
ONE = f"{ALL}/{{integrationName}}"
DEV = f"{ONE}/dev"
INSTALLATIONS = f"{ONE}/installations"
INSTALLED_ONE = f"{INSTALLATIONS}/{{installationId}}"
SPACES, SITES = f"{INSTALLED_ONE}/spaces", f"{INSTALLED_ONE}/sites"
ON_SPACE, ON_SITE = f"{SPACES}/{{spaceId}}", f"{SITES}/{{siteId}}"
ORGANIZATION = "/orgs/{organizationId}"
SITE = f"{ORGANIZATION}/sites/{{siteId}}"
NAME = {"name": "integrationName"}

ROUTES = (
    page(ALL, "listIntegrations", TAG, lists.list_integrations,
         lists.integrations_of_catalogue, IntegrationArguments, INTEGRATION),
    get(ONE, "getIntegrationByName", TAG, integrations.get_integration, INTEGRATION, **NAME),
    post(ONE, "publishIntegration", TAG, integrations.publish_integration, INTEGRATION, **NAME),
    delete(ONE, "unpublishIntegration", TAG, integrations.unpublish_integration, **NAME),
    done(DEV, "setIntegrationDevelopmentMode", TAG, integrations.set_development_mode, "PUT",
         status=204, **NAME),
    done(DEV, "disableIntegrationDevelopmentMode", TAG, integrations.disable_development_mode,
         "DELETE", status=205, **NAME),
    done(f"{ONE}/tasks", "queueIntegrationTask", TAG, integrations.queue_integration_task,
         status=204, **NAME),
    post(f"{ONE}/token", "createIntegrationToken", TAG, installations.create_integration_token,
         TOKEN, **NAME),
    get(f"{ONE}/render", "renderIntegrationUIWithGet", TAG,
        rendering.render_integration_ui_compressed, RENDERED, query_names={"request": "request"},
        cache_control=lambda output: output.cache_control, **NAME),
    post(f"{ONE}/render", "renderIntegrationUIWithPost", TAG, rendering.render_integration_ui,
         RENDERED, reading=True, cache_control=lambda output: output.cache_control, **NAME),
    page(f"{ONE}/events", "listIntegrationEvents", TAG, integrations.get_integration,
         lists.events_of_integrations, PageArguments, EVENT, **NAME),
    get(f"{ONE}/events/{{eventId}}", "getIntegrationEvent", TAG, reading.get_integration_event,
        EVENT_WITH_TRACE),
    page(INSTALLATIONS, "listIntegrationInstallations", TAG, reading.get_own_integration,
         lists.installations_of_integrations, ExternalIdArguments, INSTALLATION, **NAME),
    post(INSTALLATIONS, "installIntegration", TAG, installations.install_integration, INSTALLATION,
         status=201, location=f"{INSTALLATIONS}/{{id}}", **NAME),
    page(f"{ONE}/spaces", "listIntegrationSpaceInstallations", TAG, reading.get_own_integration,
         lists.space_entries_of_integrations, ExternalIdArguments, space_entry, choices=EXTENDED,
         **NAME),
    page(f"{ONE}/sites", "listIntegrationSiteInstallations", TAG, reading.get_own_integration,
         lists.site_entries_of_integrations, ExternalIdArguments, site_entry, choices=EXTENDED,
         **NAME),
    get(INSTALLED_ONE, "getIntegrationInstallationById", TAG, installations.get_installation,
        INSTALLATION, id="installationId"),
    patch(INSTALLED_ONE, "updateIntegrationInstallation", TAG, installations.update_installation,
          INSTALLATION, id="installationId"),
    delete(INSTALLED_ONE, "uninstallIntegration", TAG, installations.uninstall_integration,
           id="installationId"),
    post(f"{INSTALLED_ONE}/tokens", "createIntegrationInstallationToken", TAG,
         installations.create_installation_token, TOKEN, id="installationId"),
    page(SPACES, "listIntegrationInstallationSpaces", TAG, installations.get_installation,
         lists.space_entries_of_installations, PageArguments, space_entry, choices=EXTENDED,
         id="installationId"),
    post(SPACES, "installIntegrationOnSpace", TAG, entries.install_on_space, space_entry,
         status=201, location=f"{SPACES}/{{space}}", choices=EXTENDED),
    get(ON_SPACE, "getIntegrationSpaceInstallation", TAG, entries.get_space_installation,
        space_entry, choices=EXTENDED),
    patch(ON_SPACE, "updateIntegrationSpaceInstallation", TAG, entries.update_space_installation,
          space_entry, choices=EXTENDED),
    delete(ON_SPACE, "uninstallIntegrationFromSpace", TAG, entries.uninstall_from_space),
    page(SITES, "listIntegrationInstallationSites", TAG, installations.get_installation,
         lists.site_entries_of_installations, PageArguments, site_entry, choices=EXTENDED,
         id="installationId"),
    post(SITES, "installIntegrationOnSite", TAG, entries.install_on_site, site_entry,
         status=201, location=f"{SITES}/{{site}}", choices=EXTENDED),
    get(ON_SITE, "getIntegrationSiteInstallation", TAG, entries.get_site_installation,
        site_entry, choices=EXTENDED),
    patch(ON_SITE, "updateIntegrationSiteInstallation", TAG, entries.update_site_installation,
          site_entry, choices=EXTENDED),
    delete(ON_SITE, "uninstallIntegrationFromSite", TAG, entries.uninstall_from_site),
    page(f"{ORGANIZATION}/integrations", "listOrganizationIntegrations", TAG,
         organizations.get_organization, lists.integrations_of_organizations,
         IntegrationArguments, INTEGRATION),
    page(f"{ORGANIZATION}/integrations/installations-status", "listOrganizationIntegrationsStatus",
         TAG, organizations.get_organization, lists.statuses_of_organizations, TargetArguments,
         INSTALLED),
    get(f"{ORGANIZATION}/integrations/{{integrationName}}/installation_status",
        "getOrganizationIntegrationStatus", TAG, reading.get_integration_status, STATUS, **NAME),
    page(f"{ORGANIZATION}/installations", "listOrganizationInstallations", TAG,
         organizations.get_organization, lists.installations_of_organizations, SearchArguments,
         ORGANIZATION_INSTALLATION),
    page(f"{SITE}/integrations", "listSiteIntegrations", TAG, sites.get_site,
         lists.integrations_of_sites, SearchArguments, INTEGRATION),
    array(f"{SITE}/integration-scripts", "listSiteIntegrationScripts", TAG, sites.get_site,
          fields.integration_scripts_of_sites, SCRIPT),
    page("/spaces/{spaceId}/integrations", "listSpaceIntegrations", SPACE_TAG, spaces.get_space,
         lists.integrations_of_spaces, SearchArguments, INTEGRATION),
    array("/spaces/{spaceId}/integration-blocks", "listSpaceIntegrationsBlocks", SPACE_TAG,
          spaces.get_space, fields.blocks_of_spaces, BLOCKS),
)  # fmt: skip
