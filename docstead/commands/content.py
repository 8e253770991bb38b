"""Commands for the content of spaces: going back to a revision, emptying the bin."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from strawberry import ID

from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, show
from docstead.settings import Settings
from jobs.purge import purge as empty_bin
from resolvers.content.changes import ChangesRow
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.writing.operations import ContentWrite, changes_of_write
from resolvers.writing.rollbacks import RollBackSpaceInput, roll_back_space


def rollback(
    space: Annotated[str, typer.Argument(help="Id of the space.")],
    revision: Annotated[str, typer.Argument(help="Id of the revision to go back to.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would change.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Take all content of a space back to an earlier revision."""
    settings = settings_of(data_dir, database_url)
    inputs.check({"space": space, "revision": revision})
    written, changes = asyncio.run(_rollback(settings, space, revision, dry_run))
    counts = Counter(change.type.value for change in changes.changes)
    redirects = 0 if changes.redirects is None else changes.redirects.total
    value = {
        "revision": written.revision.id,
        "changed": written.changed,
        "dryRun": dry_run,
        "changes": dict(sorted(counts.items())),
        "moreChanges": changes.more or 0,
        "redirects": redirects,
    }
    show(value, json, _changes_report(value))


async def _rollback(
    settings: Settings, space: str, revision: str, dry_run: bool
) -> tuple[ContentWrite, ChangesRow]:
    async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
        written = await run(
            ctx, roll_back_space, ID(space), ID(revision), RollBackSpaceInput(), dry_run
        )
        return written, await changes_of_write(ctx, written)


def _changes_report(value: Mapping[str, Any]) -> str:
    if not value["changed"]:
        return f"revision  {value['revision']}\nchanges   none: the content is the same"
    counted = [f"{count} {kind.replace('_', ' ')}" for kind, count in value["changes"].items()]
    if value["moreChanges"]:
        counted.append(f"{value['moreChanges']} more")
    if value["redirects"]:
        counted.append(f"{value['redirects']} redirects")
    would = "would change" if value["dryRun"] else "changes"
    return f"revision  {value['revision']}\n{would:<9} {', '.join(counted)}"


def purge(json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Remove spaces for good that were deleted more than seven days ago."""
    settings = settings_of(data_dir, database_url)

    async def go() -> int:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            return await empty_bin(ctx, ctx.now())

    count = asyncio.run(go())
    show({"removed": count}, json, f"removed {count} deleted space{'' if count == 1 else 's'}")
