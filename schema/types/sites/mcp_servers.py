"""MCP servers of docs sites."""

import strawberry

from db.models import site_settings, sites
from resolvers import typed_fields
from resolvers.core.scalars import JsonObject, Url
from resolvers.sites import mcp_servers as site_mcp_servers
from schema.node import Node
from schema.types.sites.sites import Site
from schema.types.values import HttpHeader
from schema.wiring import batch, column, related, source_rows


@strawberry.type(description="Addresses of an MCP server of a site.")
class SiteMcpServerUrls:
    location: Url = column("The server in /v1.")


@strawberry.type(description="A server that a site's assistant may ask by MCP.")
class SiteMcpServer(Node):
    is_type_of = source_rows(site_settings.SiteMcpServer)
    name: str = column("Name, 1 to 100 characters.")
    url: Url = column("Its address.")
    headers: JsonObject = batch(
        site_mcp_servers.mcp_server_headers,
        "Headers that are sent with every request, by name; they hold secrets, so they are shown "
        "to the organization role `create`, and empty for others.",
    )
    typed_headers: list[HttpHeader] = batch(
        typed_fields.server_headers,
        "The headers as a list; empty for those who may not see them.",
    )
    urls: SiteMcpServerUrls = batch(site_mcp_servers.mcp_server_urls, "Its addresses.")
    site: Site = related(sites.Site, "site_id", "The site.")
