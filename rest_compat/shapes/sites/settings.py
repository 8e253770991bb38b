"""MCP servers and people of docs sites in /v1."""

from rest_compat.shape import named_shape, renamed, shape
from rest_compat.shapes.organizations import USER
from schema.types.sites import mcp_servers as site_mcp_servers, people as site_people

MCP_SERVER = shape(
    site_mcp_servers.SiteMcpServer,
    "id name url headers",
    {"object": "site-mcp-server"},
    urls=shape(site_mcp_servers.SiteMcpServerUrls, "location"),
)

SITE_PERMISSION = named_shape(
    "UserSitePermission",
    site_people.SitePerson,
    "",
    permission=renamed("role"),
    user=USER,
    origin=named_shape(
        "SitePermissionOrigin", site_people.SiteRoleOrigin, "type organization? space?"
    ),
)
