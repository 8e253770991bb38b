"""MCP servers, people and integrations of docs sites in /v1."""

from rest_compat.shape import Renamed, nested, shape
from rest_compat.shapes.organizations import USER
from schema.types.sites import integrations, mcp_servers as site_mcp_servers, people as site_people

MCP_SERVER = shape(
    "SiteMcpServer",
    site_mcp_servers.SiteMcpServer,
    "id name url headers",
    {"object": "site-mcp-server"},
    urls=nested(shape("SiteMcpServerUrls", site_mcp_servers.SiteMcpServerUrls, "location")),
)

SITE_PERMISSION = shape(
    "UserSitePermission",
    site_people.SitePerson,
    "",
    permission=Renamed("role"),
    user=nested(USER),
    origin=nested(
        shape("SitePermissionOrigin", site_people.SiteRoleOrigin, "type organization? space?")
    ),
)

INTEGRATION = shape(
    "Integration",
    integrations.Integration,
    "name title version description? summary?",
    {"object": "integration"},
)
INTEGRATION_SCRIPT = shape(
    "SiteIntegrationScript",
    integrations.SiteIntegrationScript,
    "script contentSecurityPolicy? cookies",
)
