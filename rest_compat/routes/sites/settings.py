"""MCP servers and people of docs sites."""

from resolvers.core.pagination import PageArguments
from resolvers.sites import (
    mcp_servers as site_mcp_servers,
    operations as sites,
    people as site_people,
)
from rest_compat.routes.sites.sites import ONE as SITE
from rest_compat.shapes.sites.settings import (
    MCP_SERVER,
    SITE_PERMISSION,
)
from rest_compat.table import delete, get, page, patch, post

MCP_TAG = "site-mcp-servers"
MCP_SERVERS = f"{SITE}/mcp-servers"
MCP = f"{MCP_SERVERS}/{{siteMcpServerId}}"

ROUTES = (
    page(MCP_SERVERS, "listSiteMcpServers", MCP_TAG, sites.get_site,
         site_mcp_servers.mcp_servers_of_sites, PageArguments, MCP_SERVER),
    post(MCP_SERVERS, "createSiteMcpServer", MCP_TAG, site_mcp_servers.create_site_mcp_server,
         MCP_SERVER, status=201, location=f"{MCP_SERVERS}/{{id}}"),
    get(MCP, "getSiteMcpServerById", MCP_TAG, site_mcp_servers.get_site_mcp_server, MCP_SERVER),
    patch(MCP, "updateSiteMcpServerById", MCP_TAG, site_mcp_servers.update_site_mcp_server,
          MCP_SERVER),
    delete(MCP, "deleteSiteMcpServerById", MCP_TAG, site_mcp_servers.delete_site_mcp_server),
    page(f"{SITE}/permissions/aggregate", "listPermissionsAggregateInSite", "site-users",
         sites.get_site, site_people.people_of_sites, PageArguments, SITE_PERMISSION),
)  # fmt: skip
