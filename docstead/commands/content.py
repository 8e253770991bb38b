"""Commands for the content of spaces: importing, going back to a revision, emptying the bin."""

import asyncio
import posixpath
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import typer
from strawberry import ID, Some

from content.errors import ContentError, LayoutError
from content.git.config import CONFIG_NAME
from content.git.layout import read_space, space_folders
from content.git.space_import import SpaceImport
from content.git.summary import RepeatedFileError
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

WARNINGS_SHOWN, FOLDERS_SHOWN = 20, 20


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
    folder: Annotated[
        str | None,
        typer.Option("--folder", help="Folder of the source that the space is in, if not all."),
    ] = None,
    repeated_as_links: Annotated[
        bool,
        typer.Option(
            "--repeated-as-links",
            help="Take a file that SUMMARY.md lists several times as one page, and as links to it "
            "in all places but the first; else such a source is refused.",
        ),
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Import documentation in the Git layout into a new space of an organization.

    A source that holds several spaces is answered with their folders; name one with --folder.
    """
    settings = settings_of(data_dir, database_url)
    inputs.check({"organization": organization})
    if title is not None:
        inputs.check({"input": CreateSpaceInput(title=Some(title))})
    place = None if folder is None else folder.strip("/")
    imported, warnings = asyncio.run(
        _import(settings, source, organization, title, place, repeated_as_links)
    )
    value = {
        "space": {"id": imported.space.id, "title": imported.space.title},
        "revision": imported.revision.id,
        "pages": imported.pages,
        "files": imported.files,
        "warnings": list(warnings),
    }
    show(value, json, _report(imported, warnings))


async def _import(
    settings: Settings,
    source: str,
    organization: str,
    title: str | None,
    folder: str | None,
    repeated_as_links: bool,
) -> tuple[Imported, tuple[str, ...]]:
    async with open_server(settings, create=True) as server, server.context_of(OPERATOR) as ctx:
        # Asked first, for reading a large source takes a while.
        await read(ctx, get_organization, ID(organization))
        try:
            with open_source(source) as tree, progress_bar() as show_progress:
                layout, prepared = await asyncio.to_thread(
                    _read, tree, folder, repeated_as_links, partial(show_progress, "reading pages")
                )
                space = CreateSpaceInput(title=Some(title or layout.title[:TITLE_LENGTH]))
                imported = await run(ctx, import_space, organization, space, prepared)
        except RepeatedFileError as error:
            raise CommandError(
                f"{error}; with --repeated-as-links it is a link in all places but the first"
            ) from error
        except (ContentError, TooLargeError) as error:
            raise CommandError(str(error)) from error
    return imported, layout.warnings


def _read(
    tree: SourceTree, folder: str | None, repeated_as_links: bool, progress: Progress
) -> tuple[SpaceImport, Prepared]:
    if folder is None:
        folders = space_folders(tree.paths())
        if len(folders) > 1:
            listed = ", ".join(name or "." for name in folders[:FOLDERS_SHOWN])
            more = len(folders) - FOLDERS_SHOWN
            raise LayoutError(
                f"the source holds {len(folders)} spaces: import them one after the other with "
                f"--folder: {listed}{f' and {more} more' if more > 0 else ''}"
            )
    layout = read_space(tree, directory=folder or "", repeated_as_links=repeated_as_links)
    if not layout.pages:
        kinds = Counter(posixpath.splitext(path)[1] or path for path in tree.paths())
        files = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(5))
        raise LayoutError(
            f"there is no page in {folder or 'the source'}: expected are Markdown files (.md), "
            f"with or without {CONFIG_NAME} and SUMMARY.md; there {'are' if files else 'is'} "
            f"{files or 'nothing'}"
        )
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
