"""The command that publishes a space: its site is made, or found, and its address printed."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from strawberry import ID, Some

from db.enums import SiteVisibility
from db.models.sites import Site
from db.models.spaces import Space
from docstead.commands.shared import DatabaseUrl, DataDir, all_rows, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, printable, show
from resolvers.addresses.sites import site_urls
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.sites.fields import SortedSites, sites_of_spaces
from resolvers.sites.operations import (
    CreateSiteInput,
    UpdateSiteInput,
    create_site,
    get_site,
    update_site,
)
from resolvers.sites.publishing import publish_site
from resolvers.sites.spaces import AddSiteSpaceInput, add_site_space
from resolvers.spaces.operations import get_space

# Of a site whose space has a title that is too short for one.
TITLE, SHORTEST = "Documentation", 2


@dataclass(frozen=True, slots=True)
class Publication:
    """A site that shows a space; `steps` says what had to be done for it."""

    site: Site
    address: str | None
    steps: tuple[str, ...]


def publish(
    space: Annotated[
        str, typer.Argument(metavar="SPACE", help="Id of the space, as `import-docs` prints it.")
    ],
    site: Annotated[
        str | None,
        typer.Option("--site", help="Id of the site; the first with the space, else a new one."),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="Title of a new site; that of the space.")
    ] = None,
    visibility: Annotated[
        SiteVisibility | None,
        typer.Option("--visibility", help="Who can see the site; public where it is new."),
    ] = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Publish a space on a site, which is made when there is none; print its address."""
    if site is not None and title is not None:
        raise CommandError("--title is for a new site; leave it out, or --site")
    settings = settings_of(data_dir, database_url)
    inputs.check({"space": space, "site": site})
    if title is not None:
        inputs.check({"input": CreateSiteInput(title=Some(title))})

    async def go() -> Publication:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            return await _publish(ctx, space, site, title, visibility)

    publication = asyncio.run(go())
    row = publication.site
    value: dict[str, Any] = {
        "site": {"id": row.id, "title": row.title, "visibility": row.visibility.value},
        "space": space,
        "url": publication.address,
        "done": list(publication.steps),
    }
    lines = [
        f"site      {row.id}  {printable(row.title)}",
        f"seen by   {row.visibility.value}",
        f"address   {publication.address or 'none before a share link is made'}",
    ]
    lines += [f"done      {step}" for step in publication.steps]
    show(value, json, "\n".join(lines))


async def _publish(
    ctx: Context,
    space_id: str,
    site_id: str | None,
    title: str | None,
    visibility: SiteVisibility | None,
) -> Publication:
    """Each step is a write of its own, and left out where nothing is to do: what is broken off can
    be run again."""
    space = await read(ctx, get_space, ID(space_id))
    steps: list[str] = []
    sites = await read(ctx, _sites_of, space)
    if site_id is not None:
        site = await read(ctx, get_site, ID(site_id))
        if site.id not in {row.id for row in sites}:
            await run(ctx, add_site_space, ID(site.id), AddSiteSpaceInput(space_id=ID(space.id)))
            steps.append("put the space on the site")
    elif sites and title is None:
        site = sites[0]
    else:
        own = title or (space.title if len(space.title.strip()) >= SHORTEST else TITLE)
        options = CreateSiteInput(
            title=Some(own),
            visibility=Some(visibility or SiteVisibility.PUBLIC),
            spaces=Some([ID(space.id)]),
        )
        site = await run(ctx, create_site, ID(space.organization_id), options)
        steps.append("made the site")
    if visibility is not None and site.visibility is not visibility:
        changes = UpdateSiteInput(visibility=Some(visibility))
        site = await run(ctx, update_site, ID(site.id), changes)
        steps.append(f"changed who sees it to {visibility.value}")
    if not site.published:
        site = await run(ctx, publish_site, ID(site.id))
        steps.append("published it")
    return Publication(site, await read(ctx, _address, site.id), tuple(steps))


async def _sites_of(ctx: Context, space: Space) -> list[Site]:
    return await all_rows(ctx, sites_of_spaces, space, SortedSites)


async def _address(ctx: Context, site_id: str) -> str | None:
    (urls,) = await site_urls(ctx, [await get_site(ctx, ID(site_id))], None)
    return urls.published
