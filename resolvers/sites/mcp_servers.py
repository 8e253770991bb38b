"""MCP servers of sites: other servers that a site's assistant may ask (docs/sites.md).

The headers that are sent to them hold secrets: values are shown to those who could set them.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import strawberry
from strawberry import Maybe

from db.enums import Role
from db.models.site_settings import SiteMcpServer
from db.models.sites import Site
from db.prepared import ACTOR_RANK
from resolvers.access.policy import ranks_of
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, InSite, SiteId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import invalid
from resolvers.core.pagination import by_id
from resolvers.core.scalars import JsonObject, Url
from resolvers.core.statements import rows_in
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.sites.locks import find_part, locked_part
from resolvers.sites.operations import must_site

HEADERS, NAME_LENGTH, VALUE_LENGTH = 20, 100, 512
# RFC 9110: a name is a token; a value that every server reads alike is printable ASCII.
_TOKEN = re.compile(rf"[!#$%&'*+\-.^_`|~0-9A-Za-z]{{1,{NAME_LENGTH}}}")
_VALUE = re.compile(rf"[\x20-\x7e]{{1,{VALUE_LENGTH}}}")
_HEADERS = (
    "Headers that are sent with every request, by name: at most 20, values of 1 to 512 printable "
    "ASCII characters"
)

McpServerId = Annotated[strawberry.ID, inputs.argument("Id of the MCP server.")]


@strawberry.input(description="An MCP server for a site.")
class CreateSiteMcpServerInput:
    name: str = inputs.text("Name.", min=1, max=100, required=True)
    url: Url = inputs.field("Its address.", required=True)
    headers: Maybe[JsonObject] = inputs.field(f"{_HEADERS}; none when absent.")


@strawberry.input(description="Changes to an MCP server; absent fields stay as they are.")
class UpdateSiteMcpServerInput:
    name: Maybe[str] = inputs.text("Name.", min=1, max=100)
    url: Maybe[Url] = inputs.field("Its address.")
    headers: Maybe[JsonObject] = inputs.field(f"{_HEADERS}; they replace all that there are.")


mcp_servers_of_sites = Listing(
    "mcp_servers_of_sites",
    SiteMcpServer,
    SiteMcpServer.site_id,
    by_id(SiteMcpServer),
    about="MCP servers of sites, oldest first; only for those with an organization role.",
)


@reads("id", "headers", ACTOR_RANK)
async def mcp_server_headers(
    ctx: Context, rows: Sequence[SiteMcpServer], arguments: Any
) -> list[JsonObject]:
    """The headers of each server for the organization role `create`; empty for others."""
    ranks = await ranks_of(ctx, SiteMcpServer, rows)
    return [
        JsonObject(dict(row.headers) if rank >= Role.CREATE.rank else {})
        for row, rank in zip(rows, ranks, strict=True)
    ]


_organizations = rows_in(Site.id, "sites", Site.id, Site.organization_id)


@reads("id", "site_id")
async def mcp_server_urls(
    ctx: Context, rows: Sequence[SiteMcpServer], arguments: Any
) -> list[Urls]:
    """Where each server is found in /v1."""
    organizations = dict(await _organizations.rows(ctx, sites={row.site_id for row in rows}))
    base = f"{ctx.settings.public_url}/v1/orgs"
    return [
        Urls(
            location=f"{base}/{organizations[row.site_id]}/sites/{row.site_id}/mcp-servers/{row.id}"
        )
        for row in rows
    ]


@operation(one_statement=True)
async def get_site_mcp_server(
    ctx: Context,
    id: McpServerId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    projection: Projection = ALL,
) -> SiteMcpServer:
    """An MCP server of a site; needs an organization role, and `create` to see its headers."""
    return await find_part(ctx, SiteMcpServer, id, site_id, organization_id, projection=projection)


async def create_site_mcp_server(
    ctx: Context,
    site_id: SiteId,
    input: CreateSiteMcpServerInput,
    organization_id: InOrganization = None,
) -> SiteMcpServer:
    """Name an MCP server that a site's assistant may ask; needs the organization role `create`."""
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    server = SiteMcpServer(
        site_id=site.id,
        name=input.name,
        url=input.url,
        headers=_checked(inputs.given(input.headers, JsonObject({}))),
        created_at=ctx.now(),
    )
    ctx.session.add(server)
    await ctx.session.flush()
    return server


async def update_site_mcp_server(
    ctx: Context,
    id: McpServerId,
    input: UpdateSiteMcpServerInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteMcpServer:
    """Change an MCP server of a site; needs the organization role `create`."""
    server = await locked_part(ctx, SiteMcpServer, id, site_id, organization_id)
    inputs.assign(server, input, "name", "url")
    if input.headers is not None:
        server.headers = _checked(input.headers.value)
    return server


async def delete_site_mcp_server(
    ctx: Context,
    id: McpServerId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Remove an MCP server from a site; needs the organization role `create`."""
    with finding_what_to_delete():
        server = await locked_part(ctx, SiteMcpServer, id, site_id, organization_id)
    await ctx.session.delete(server)
    return Deletion(deleted_id=server.id, site_id=server.site_id)


def _checked(headers: JsonObject) -> dict[str, str]:
    """Headers as they are stored; Invalid names the one that is wrong."""
    if len(headers) > HEADERS:
        raise invalid("headers", f"has {len(headers)} headers; at most {HEADERS} are allowed")
    names: set[str] = set()
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise invalid(
                "headers",
                f"{name[:100]!r} is no name of a header: 1 to {NAME_LENGTH} letters, digits and "
                "any of !#$%&'*+-.^_`|~",
            )
        if name.lower() in names:
            raise invalid(f"headers.{name}", "is given twice; capitals do not matter")
        names.add(name.lower())
        if not isinstance(value, str) or not _VALUE.fullmatch(value):
            # What was given may be a secret: it is not repeated.
            problem = f"must be text of 1 to {VALUE_LENGTH} printable ASCII characters"
            raise invalid(f"headers.{name}", problem)
    return dict(headers)
