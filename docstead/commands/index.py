"""The command that builds the index of content."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress as ProgressBar, TextColumn

from docstead.commands.shared import (
    AsJson,
    DatabaseUrl,
    DataDir,
    errors,
    open_server,
    settings_of,
    show,
)
from jobs.reindex import Indexed, Progress, reindex as index_again
from resolvers.core.context import OPERATOR


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
            with _progress_bar() as progress:
                return await index_again(ctx, space, again=not missing, progress=progress)

    done = [one for one in asyncio.run(go()) if not one.taken]
    pages = sum(one.pages for one in done)
    value = {"spaces": [{"id": one.space_id, "pages": one.pages} for one in done], "pages": pages}
    text = f"indexed {len(done)} space{'' if len(done) == 1 else 's'} with {pages} pages"
    show(value, json, text)


@contextmanager
def _progress_bar() -> Iterator[Progress]:
    """Shows the pages that are done, where somebody watches."""
    if not errors.is_terminal:
        yield lambda space_id, done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with ProgressBar(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("indexing", total=None)
        yield lambda space_id, done, total: bar.update(
            task, description=f"indexing {space_id}", completed=done, total=total
        )
