"""Commands for the content of spaces: importing, going back to a revision, emptying the bin."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import typer
from strawberry import ID, Some

from content.errors import ContentError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.sources.opening import SourceTree, open_source
from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, printable, progress_bar, show
from docstead.settings import Settings
from jobs.import_docs import Imported, Prepared, Progress, TooLargeError, import_space, prepare
from jobs.purge import purge as empty_bin
from resolvers.content.changes import ChangesRow
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read, run
from resolvers.organizations.operations import get_organization
from resolvers.spaces.operations import TITLE_LENGTH, CreateSpaceInput
from resolvers.writing.operations import ContentWrite, changes_of_write
from resolvers.writing.rollbacks import RollBackSpaceInput, roll_back_space

WARNINGS_SHOWN = 20


def import_docs(
    source: Annotated[
        str, typer.Argument(help="Folder, Git repository or Git bundle with the documentation.")
    ],
    organization: Annotated[
        str, typer.Option("--organization", help="Id of the organization that gets the space.")
    ],
    title: Annotated[
        str | None, typer.Option("--title", help="Title of the space; that of its first page.")
    ] = None,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Import documentation in the Git layout into a new space of an organization."""
    settings = settings_of(data_dir, database_url)
    inputs.check({"organization": organization})
    if title is not None:
        inputs.check({"input": CreateSpaceInput(title=Some(title))})
    imported, warnings = asyncio.run(_import(settings, source, organization, title))
    value = {
        "space": {"id": imported.space.id, "title": imported.space.title},
        "revision": imported.revision.id,
        "pages": imported.pages,
        "files": imported.files,
        "warnings": list(warnings),
    }
    show(value, json, _report(imported, warnings))


async def _import(
    settings: Settings, source: str, organization: str, title: str | None
) -> tuple[Imported, tuple[str, ...]]:
    async with open_server(settings, create=True) as server, server.context_of(OPERATOR) as ctx:
        # Asked first, for reading a large source takes a while.
        await read(ctx, get_organization, ID(organization))
        try:
            with open_source(source) as tree, progress_bar() as show_progress:
                layout, prepared = await asyncio.to_thread(
                    _read, tree, partial(show_progress, "reading pages")
                )
                space = CreateSpaceInput(title=Some(title or layout.title[:TITLE_LENGTH]))
                imported = await run(ctx, import_space, organization, space, prepared)
        except (ContentError, TooLargeError) as error:
            raise CommandError(str(error)) from error
    return imported, layout.warnings


def _read(tree: SourceTree, progress: Progress) -> tuple[SpaceImport, Prepared]:
    layout = read_space(tree)
    return layout, prepare(layout, tree.commit, progress)


def _report(imported: Imported, warnings: tuple[str, ...]) -> str:
    lines = [
        f"space     {imported.space.id}  {printable(imported.space.title)}",
        f"revision  {imported.revision.id}",
        f"content   {imported.pages} pages, {imported.files} files",
    ]
    lines += [f"warning   {printable(warning)}" for warning in warnings[:WARNINGS_SHOWN]]
    if len(warnings) > WARNINGS_SHOWN:
        lines.append(f"and {len(warnings) - WARNINGS_SHOWN} more warnings; --json lists them all")
    return "\n".join(lines)


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
