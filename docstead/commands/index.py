"""The command that builds the index of content."""

import asyncio
from typing import Annotated

import typer

from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, progress_bar, show
from jobs.reindex import Indexed, reindex as index_again
from resolvers.core.actors import OPERATOR


def reindex(
    space: Annotated[
        str | None, typer.Option("--space", help="Id of the one space to index; all without it.")
    ] = None,
    missing: Annotated[
        bool, typer.Option("--missing", help="Only spaces that are not indexed yet.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Build the index of content again: what search finds, and what links to what.

    The server keeps it up to date; this is for after changes of `public_url`, or of the database
    by other means. The server may run meanwhile: until a space is done, it finds only a part.
    """
    settings = settings_of(data_dir, database_url)

    async def go() -> list[Indexed]:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            with progress_bar() as show_progress:
                return await index_again(
                    ctx,
                    space,
                    again=not missing,
                    progress=lambda id, done, total: show_progress(f"indexing {id}", done, total),
                )

    done = [space for space in asyncio.run(go()) if not space.taken]
    pages = sum(space.pages for space in done)
    spaces = [{"id": space.space_id, "pages": space.pages} for space in done]
    value = {"spaces": spaces, "pages": pages}
    text = f"indexed {len(done)} space{'' if len(done) == 1 else 's'} with {pages} pages"
    show(value, json, text)
