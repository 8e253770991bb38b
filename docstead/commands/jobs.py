"""Commands for jobs: the process that does them, and how they stand."""

import asyncio
import logging.config
import signal
from typing import Annotated, Any

import typer
from strawberry import ID

from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.session import Database
from docstead.commands.shared import (
    DatabaseUrl,
    DataDir,
    open_database,
    open_server,
    settings_of,
)
from docstead.commands.terminal import AsJson, printable, progress_bar, show
from docstead.monitoring.logs import log_configuration
from docstead.server import Server
from docstead.settings import Settings
from docstead.subscriptions.wakeups import Wakeups, name_of_job
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read, run
from resolvers.jobs.operations import cancel_job, find_jobs, get_job, retry_job
from rest_compat.selections import project
from rest_compat.shapes.jobs import JOB

jobs_app = typer.Typer(
    help="Jobs: how far they are; cancelling and trying again.", no_args_is_help=True
)
Json = dict[str, Any]
JobIdArgument = Annotated[str, typer.Argument(metavar="JOB", help="Id of the job.")]
# Between two looks at a job that is followed.
SECONDS = 0.5


def worker(
    at_once: Annotated[
        int | None, typer.Option("--at-once", help="Jobs that it does at the same time.")
    ] = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Do jobs, as server processes do; any number may run on PostgreSQL.

    Asked to stop, it gives back what it has begun; other processes go on with it.
    """
    settings = settings_of(data_dir, database_url, jobs_at_once=at_once, jobs=True)
    logging.config.dictConfig(log_configuration(settings.log_format, settings.log_levels))
    typer.echo(f"doing jobs, {settings.jobs_at_once} at once")
    asyncio.run(_work(settings))


async def _work(settings: Settings) -> None:
    async with open_database(settings, create=True):
        pass
    server = Server(settings, Database(settings.database, pool_size=settings.pool_size))
    # Who follows events and jobs does so elsewhere.
    wakeups = Wakeups(server.database.url)
    server.on_events = wakeups.say
    server.on_job = lambda organization_id, job_id: wakeups.say(
        [name_of_job(organization_id, job_id)]
    )
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopped.set)
    try:
        async with server.running():
            await stopped.wait()
    finally:
        await wakeups.close()


@jobs_app.command("list", epilog="Example: docstead jobs list --state failed --json")
def list_jobs(
    organization: Annotated[
        str | None, typer.Option("--organization", help="Id of the organization; all without it.")
    ] = None,
    kind: Annotated[JobKind | None, typer.Option("--kind", help="Only of this kind.")] = None,
    state: Annotated[JobState | None, typer.Option("--state", help="Only in this state.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many at most.")] = 50,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show jobs of all organizations and of the installation itself, newest first."""
    settings = settings_of(data_dir, database_url)

    async def go() -> list[Json]:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            return await project(
                ctx, JOB, await read(ctx, find_jobs, organization, kind, state, limit)
            )

    jobs = asyncio.run(go())
    show({"jobs": jobs}, json, "\n".join(map(_line, jobs)) or "no jobs")


@jobs_app.command("show", epilog="Example: docstead jobs show 0WZ3Yq8sT1aBcD2eF3gH --follow")
def show_job(
    job: JobIdArgument,
    follow: Annotated[
        bool, typer.Option("--follow", help="Show how far it is until it has ended.")
    ] = False,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show a job; exit status 1 when it has failed or was cancelled and is followed."""
    settings = settings_of(data_dir, database_url)

    async def go() -> Json:
        async with open_server(settings) as server:
            row = await _read(server, job)
            with progress_bar() as show_progress:
                while follow and not row.state.has_ended:
                    show_progress(row.stage or row.state.value, row.done, row.total or 0)
                    await asyncio.sleep(SECONDS)
                    row = await _read(server, job)
            async with server.context_of(OPERATOR) as ctx:
                (value,) = await project(ctx, JOB, [row])
            return value

    value = asyncio.run(go())
    show(value, json, _line(value))
    if follow and value["state"] != JobState.SUCCEEDED.value:
        raise typer.Exit(1)


async def _read(server: Server, id: str) -> Job:
    async with server.context_of(OPERATOR) as ctx:
        return await read(ctx, get_job, ID(id))


@jobs_app.command("cancel", epilog="Example: docstead jobs cancel 0WZ3Yq8sT1aBcD2eF3gH")
def cancel(
    job: JobIdArgument,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Cancel a job: one that waits at once, one that runs within about a second."""
    _change(settings_of(data_dir, database_url), cancel_job, job, json)


@jobs_app.command("retry", epilog="Example: docstead jobs retry 0WZ3Yq8sT1aBcD2eF3gH")
def retry(
    job: JobIdArgument,
    json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Try a job again that has failed or was cancelled, with the rights of who has started it."""
    _change(settings_of(data_dir, database_url), retry_job, job, json)


def _change(settings: Settings, operation: Any, job: str, json: bool) -> None:
    async def go() -> Json:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            (value,) = await project(ctx, JOB, [await run(ctx, operation, ID(job))])
            return value

    value = asyncio.run(go())
    show(value, json, _line(value))


def _line(job: Json) -> str:
    """A job on one line."""
    parts = [job["id"], job["kind"], job["state"]]
    if job.get("stage") and "finishedAt" not in job:
        of = f"/{job['total']}" if "total" in job else ""
        parts.append(f"{job['stage']} {job['done']}{of}")
    if job.get("error"):
        parts.append(job["error"])
    return printable("  ".join(parts))
