"""Commands that write content in the Git layout."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from strawberry import ID

from content.errors import ContentError
from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, CommandError, printable, show
from docstead.settings import Settings
from jobs.export_docs import FolderExport, plan_folder_export, write_folder
from resolvers.core import inputs
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read
from resolvers.git.contents import RevisionContent, content_to_export
from resolvers.git.plans import Plan, plan_of_export

SHOWN = 20


def export_docs(
    space: Annotated[str, typer.Argument(help="Id of the space.")],
    folder: Annotated[Path, typer.Argument(help="Folder to write to; it is made if need be.")],
    change_request: Annotated[
        str | None,
        typer.Option("--change-request", help="Its content, by id or number, not the primary one."),
    ] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", help="An older revision of the space.")
    ] = None,
    directory: Annotated[
        str, typer.Option("--directory", help="Folder in it that the space is in, if not all.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would change.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write a space into a folder in the Git layout: only what changes.

    Files that say already what they are to say stay as they are. Only files that an export has
    written, and that nobody has changed since, are deleted.
    """
    settings = settings_of(data_dir, database_url)
    inputs.check({"space": space, "changeRequest": change_request, "revision": revision})
    export, plan = asyncio.run(
        _export(settings, space, folder, change_request, revision, directory, dry_run)
    )
    value = {"folder": str(folder), "dryRun": dry_run, **plan.as_json(), "kept": list(export.kept)}
    show(value, json, _report(plan, export, dry_run))


async def _export(
    settings: Settings,
    space: str,
    folder: Path,
    change_request: str | None,
    revision: str | None,
    directory: str,
    dry_run: bool,
) -> tuple[FolderExport, Plan]:
    async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
        content: RevisionContent = await read(
            ctx,
            content_to_export,
            ID(space),
            None if change_request is None else ID(change_request),
            None if revision is None else ID(revision),
        )

        def work() -> tuple[FolderExport, Plan]:
            export = plan_folder_export(
                content, folder, directory=directory.strip("/"), space_id=space
            )
            plan = plan_of_export(export.changes, export.tree)
            if not plan.conflicts and not dry_run:
                write_folder(export)
            return export, plan

        try:
            export, plan = await asyncio.to_thread(work)
        except (ContentError, OSError) as error:
            raise CommandError(str(error)) from error
    if plan.conflicts:
        named = "; ".join(
            f"{conflict.path}: {conflict.reason}" for conflict in plan.conflicts[:SHOWN]
        )
        raise CommandError(f"nothing was written: {named}")
    return export, plan


def _report(plan: Plan, export: FolderExport, dry_run: bool) -> str:
    return "\n".join(
        [
            *plan_lines(plan, dry_run),
            *(f"stays     {printable(path)}: it was changed here" for path in export.kept[:SHOWN]),
        ]
    )


def plan_lines(plan: Plan, dry_run: bool) -> list[str]:
    """What a plan says, for people."""
    would = "would change" if dry_run else "changes"
    if not plan.changes:
        lines = [f"{would:<9} nothing: all is as it should be"]
    else:
        counted = ", ".join(f"{count} {name}" for name, count in sorted(plan.counts.items()))
        lines = [f"{would:<9} {counted}"]
    for change in plan.changes[:SHOWN]:
        before = f" (was {change.before})" if change.before is not None else ""
        name = change.name if change.path in (None, change.name) else (
            f"{change.name}  {change.path}"
        )  # fmt: skip
        lines.append(f"  {change.change:<8} {change.kind:<17} {printable(name + before)}")
    if len(plan.changes) > SHOWN:
        lines.append(f"  and {len(plan.changes) - SHOWN} more; --json lists them")
    lines += [f"warning   {printable(warning)}" for warning in plan.warnings[:SHOWN]]
    return lines
