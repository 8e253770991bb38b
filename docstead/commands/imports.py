"""The command that reads documentation in the Git layout, for a new space or one that is there."""

import asyncio
import posixpath
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer
from strawberry import ID, Some

from content.errors import ContentError, LayoutError
from content.git.config import CONFIG_NAME
from content.git.import_links import page_paths
from content.git.layout import read_space, space_folders
from content.git.space_import import SpaceImport
from content.git.summary import RepeatedFileError
from content.sources.opening import SourceTree, open_source
from docstead.commands.export import plan_lines
from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, complain, printable, progress_bar, show
from docstead.settings import Settings
from jobs.import_docs import Imported, TooLargeError, import_space, prepare
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import StaleRevision
from resolvers.core.runners import read, run
from resolvers.git.contents import spaces_with
from resolvers.git.plans import Plan, plan_of_import
from resolvers.imports.tree_writes import TreeUpdate, prepare_update, write_update
from resolvers.organizations.operations import get_organization
from resolvers.spaces.operations import TITLE_LENGTH, CreateSpaceInput
from resolvers.writing.received_files import Place

Json = dict[str, Any]
WARNINGS_SHOWN, FOLDERS_SHOWN = 20, 20
# How often an update begins anew because somebody else has written meanwhile.
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says."""

    source: str
    organization: str | None
    title: str | None
    space: str | None
    change_request: str | None
    folder: str | None
    repeated_as_links: bool
    anew: bool
    dry_run: bool
    json: bool


def import_docs(
    source: Annotated[
        str, typer.Argument(help="Folder, Git repository or Git bundle with the documentation.")
    ],
    organization: Annotated[
        str | None,
        typer.Option("--organization", help="Id of the organization that gets a new space."),
    ] = None,
    space: Annotated[
        str | None,
        typer.Option("--space", help="Id of the space whose content the documentation becomes."),
    ] = None,
    change_request: Annotated[
        str | None,
        typer.Option(
            "--change-request", help="With --space, the change request that gets it in its place."
        ),
    ] = None,
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
    anew: Annotated[
        bool,
        typer.Option("--new", help="Make another space where there is one of this documentation."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would change.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Import documentation in the Git layout into a new space, or as the content of one.

    With --space pages that are there keep their ids, and what the source does not have is deleted.
    A source that holds several spaces is answered with their folders; name one with --folder.
    """
    settings = settings_of(data_dir, database_url)
    if (organization is None) == (space is None):
        raise CommandError("name either --organization, which gets a new space, or --space")
    if change_request is not None and space is None:
        raise CommandError("--change-request is one of the space that --space names")
    if space is not None and (title is not None or anew):
        raise CommandError("--title and --new are for new spaces, not for --space")
    inputs.check({"organization": organization, "space": space, "changeRequest": change_request})
    if title is not None:
        inputs.check({"input": CreateSpaceInput(title=Some(title))})
    place = None if folder is None else folder.strip("/")
    options = Options(
        source, organization, title, space, change_request, place, repeated_as_links, anew,
        dry_run, json,
    )  # fmt: skip
    value, text = asyncio.run(_import(settings, options))
    show(value, json, text)


async def _import(settings: Settings, options: Options) -> tuple[Json, str]:
    create = options.space is None
    async with open_server(settings, create=create) as server, server.context_of(OPERATOR) as ctx:
        if options.organization is not None:
            # Asked first, for reading a large source takes a while.
            await read(ctx, get_organization, ID(options.organization))
        try:
            with open_source(options.source) as tree, progress_bar() as show_progress:
                report = partial(show_progress, "reading pages")
                layout = await asyncio.to_thread(_read, tree, options)
                if options.space is not None:
                    return await _update(ctx, options, tree, layout, report)
                return await _make(ctx, options, tree, layout, report)
        except RepeatedFileError as error:
            raise CommandError(
                f"{error}; with --repeated-as-links it is a link in all places but the first"
            ) from error
        except (ContentError, TooLargeError) as error:
            raise CommandError(str(error)) from error


Report = Callable[[int, int], None]


async def _make(
    ctx: Context, options: Options, tree: SourceTree, layout: SpaceImport, report: Report
) -> tuple[Json, str]:
    assert options.organization is not None
    title = options.title or layout.title[:TITLE_LENGTH]
    if not options.anew:
        paths = [path for page, path in page_paths(layout) if page.git_oid is not None]
        there = await read(ctx, spaces_with, ID(options.organization), title, paths)
        if there:
            raise CommandError(
                f"the space {there[0].id} has this documentation already; update it with "
                f"--space {there[0].id}, or make another one with --new"
            )
    prepared = await asyncio.to_thread(prepare, layout, tree.commit, report)
    if options.dry_run:
        value: Json = {"dryRun": True, "title": title, "pages": prepared.pages,
                       "files": prepared.all_files, "warnings": list(layout.warnings)}  # fmt: skip
        lines = [f"would make a space with {prepared.pages} pages, {prepared.all_files} files"]
        return value, "\n".join([*lines, *_warnings(layout.warnings)])
    space = CreateSpaceInput(title=Some(title))
    imported = await run(ctx, import_space, options.organization, space, prepared)
    return _made(imported, layout.warnings), _made_report(imported, layout.warnings)


async def _update(
    ctx: Context, options: Options, tree: SourceTree, layout: SpaceImport, report: Report
) -> tuple[Json, str]:
    """Make the source the content of the space; what changes is shown before it does."""
    assert options.space is not None
    place = Place(options.space, options.change_request)
    for attempt in range(ATTEMPTS):
        update = await prepare_update(
            ctx, place, layout, tree.commit, read_new=tree.read, progress=report
        )
        plan = plan_of_import(update)
        if attempt == 0 and not options.json and not options.dry_run:
            for line in plan_lines(plan, dry_run=True):
                complain(line)
        try:
            written = await write_update(ctx, update, dry_run=options.dry_run)
        except StaleRevision:
            if attempt + 1 == ATTEMPTS:
                raise
            continue
        break
    value: Json = {
        "space": {"id": options.space},
        "revision": written.revision.id,
        "changed": written.changed,
        "dryRun": options.dry_run,
        "pages": update.prepared.pages,
        "files": update.prepared.all_files,
        **plan.as_json(),
    }
    return value, _update_report(update, plan, value)


def _update_report(update: TreeUpdate, plan: Plan, value: Json) -> str:
    lines = [f"revision  {value['revision']}"]
    if value["dryRun"] or not value["changed"]:
        lines += plan_lines(plan, value["dryRun"])
    prepared = update.prepared
    return "\n".join([*lines, f"content   {prepared.pages} pages, {prepared.all_files} files"])


def _read(tree: SourceTree, options: Options) -> SpaceImport:
    folder = options.folder
    if folder is None:
        folders = space_folders(tree.paths())
        if len(folders) > 1:
            listed = ", ".join(name or "." for name in folders[:FOLDERS_SHOWN])
            more = len(folders) - FOLDERS_SHOWN
            raise LayoutError(
                f"the source holds {len(folders)} spaces: import them one after the other with "
                f"--folder: {listed}{f' and {more} more' if more > 0 else ''}"
            )
    layout = read_space(tree, directory=folder or "", repeated_as_links=options.repeated_as_links)
    if not layout.pages:
        kinds = Counter(posixpath.splitext(path)[1] or path for path in tree.paths())
        files = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(5))
        raise LayoutError(
            f"there is no page in {folder or 'the source'}: expected are Markdown files (.md), "
            f"with or without {CONFIG_NAME} and SUMMARY.md; there {'are' if files else 'is'} "
            f"{files or 'nothing'}"
        )
    return layout


def _made(imported: Imported, warnings: tuple[str, ...]) -> Json:
    return {
        "space": {"id": imported.space.id, "title": imported.space.title},
        "revision": imported.revision.id,
        "pages": imported.pages,
        "files": imported.files,
        "warnings": list(warnings),
    }


def _made_report(imported: Imported, warnings: tuple[str, ...]) -> str:
    lines = [
        f"space     {imported.space.id}  {printable(imported.space.title)}",
        f"revision  {imported.revision.id}",
        f"content   {imported.pages} pages, {imported.files} files",
    ]
    return "\n".join([*lines, *_warnings(warnings)])


def _warnings(warnings: tuple[str, ...]) -> list[str]:
    lines = [f"warning   {printable(warning)}" for warning in warnings[:WARNINGS_SHOWN]]
    if len(warnings) > WARNINGS_SHOWN:
        lines.append(f"and {len(warnings) - WARNINGS_SHOWN} more warnings; --json lists them all")
    return lines
