"""Integrations, installations, entries and events in /v1."""

from collections.abc import Mapping
from typing import Any

from rest_compat.shape import Form, Member, Shape, named_shape, nested, renamed, shape
from rest_compat.shapes.organizations import ORGANIZATION
from rest_compat.shapes.sites.sites import SITE
from rest_compat.shapes.spaces import SPACE
from schema.types import integrations

INTEGRATION = shape(
    integrations.Integration,
    "name version title description summary? previewImages target verified visibility scopes "
    "categories blocks contentSources configurations externalLinks contentSecurityPolicy?",
    {"object": "integration"},
    owner=nested(ORGANIZATION),
    urls=shape(integrations.IntegrationUrls, "location icon? app assets publicEndpoint"),
    permissions=shape(integrations.IntegrationPermissions, "admin"),
)
_TARGET = named_shape(
    "IntegrationInstallationTarget",
    integrations.InstallationPlace,
    "",
    organization=Member(reference=True),
)
INSTALLATION = named_shape(
    "IntegrationInstallation",
    integrations.Installation,
    "id status space_selection:spaceSelection site_selection:siteSelection spaces:spaceCount "
    "configuration createdAt updatedAt externalIds",
    urls=shape(integrations.InstallationUrls, "location app publicEndpoint"),
    target=_TARGET,
)
INSTALLED = named_shape(
    "InstalledIntegration", integrations.InstalledIntegration, "status", integration=INTEGRATION
)
ORGANIZATION_INSTALLATION = named_shape(
    "OrganizationInstallation",
    integrations.Installation,
    "",
    installation=INSTALLATION,
    integration=nested(INTEGRATION),
)
STATUS = named_shape("IntegrationStatus", integrations.InstalledIntegration, "status")
_ENTRY = "integration:integrationName installation:installationId status configuration externalIds"
_URLS = named_shape(
    "ContentInstallationUrls", integrations.InstallationUrls, "location publicEndpoint"
)


def _entry(name: str, type: Any, place: str, whole: Shape) -> tuple[Shape, Shape]:
    """The shapes of an entry with the id of its place, and with the place as a whole."""
    by_id: Any = {place: renamed(of=f"{place}Id")}
    extended: Any = {place: nested(whole)}
    return (
        named_shape(name, type, _ENTRY, urls=_URLS, **by_id),
        named_shape(f"{name}Extended", type, _ENTRY, urls=_URLS, **extended),
    )


SPACE_ENTRY, SPACE_ENTRY_EXTENDED = _entry(
    "IntegrationSpaceInstallation", integrations.SpaceInstallation, "space", SPACE
)
SITE_ENTRY, SITE_ENTRY_EXTENDED = _entry(
    "IntegrationSiteInstallation", integrations.SiteInstallation, "site", SITE
)
EXTENDED = {"extended": bool}


def space_entry(choices: Mapping[str, Any]) -> Form:
    """The shape of an entry for a space, as `extended` chooses it."""
    return SPACE_ENTRY_EXTENDED if choices.get("extended") else SPACE_ENTRY


def site_entry(choices: Mapping[str, Any]) -> Form:
    """The shape of an entry for a site, as `extended` chooses it."""
    return SITE_ENTRY_EXTENDED if choices.get("extended") else SITE_ENTRY


EVENT = shape(
    integrations.IntegrationEvent,
    "id integrationId installationId? createdAt payload status",
)
EVENT_WITH_TRACE = named_shape(
    "IntegrationEventWithTrace",
    integrations.IntegrationEvent,
    "",
    event=EVENT,
    trace=shape(
        integrations.IntegrationEventTrace,
        "",
        logs=nested(shape(integrations.IntegrationEventLog, "message timestamp level")),
    ),
)
RENDERED = named_shape(
    "ContentKitRenderOutput",
    integrations.RenderOutput,
    "type? element? state? props? returnValue?",
)
TOKEN = named_shape("APITemporaryToken", integrations.ProgramTokenPayload, "token")
SCRIPT = shape(integrations.SiteIntegrationScript, "script contentSecurityPolicy? cookies")
BLOCKS = shape(integrations.SpaceIntegrationBlocks, "name blocks")
