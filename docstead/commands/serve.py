"""The command that runs the server."""

import asyncio
import os
import socket
from contextlib import nullcontext
from typing import Annotated, Any

import typer
import uvicorn
from uvicorn.supervisors import Multiprocess

from docstead.commands.shared import DatabaseUrl, DataDir, open_database, settings_of
from docstead.commands.terminal import CommandError
from docstead.garbage import share_arenas
from docstead.http.connections import BoundedConnection
from docstead.monitoring.logs import log_configuration
from docstead.monitoring.spans import missing_packages
from docstead.monitoring.workers import shared_folder
from docstead.settings import PREFIX, Settings

GRACE_SECONDS = 10
# A worker that says nothing for so long is started anew. It says nothing either while Python
# starts, which takes long where much else is going on: it must not be stopped for that.
SILENT_SECONDS = 30


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port to listen on.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Server processes.")] = None,
    jobs: Annotated[
        bool | None,
        typer.Option(
            "--jobs/--no-jobs", help="Whether the server processes do jobs, which they do else."
        ),
    ] = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Run the server; an empty database is migrated first."""
    share_arenas()
    settings = settings_of(data_dir, database_url, host=host, port=port, workers=workers, jobs=jobs)
    check_ready(settings)
    typer.echo(f"GraphiQL  {settings.public_url}/graphql\n/v1       {settings.public_url}/v1")
    run_server(settings)


def check_ready(settings: Settings) -> None:
    """Migrate an empty database; CommandError when the database or the port cannot be used, or
    packages are missing."""
    if problem := missing_packages(os.environ):
        raise CommandError(problem)

    async def go() -> None:
        async with open_database(settings, create=True):
            pass

    asyncio.run(go())
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise CommandError(
                f"cannot listen on {settings.host}:{settings.port} ({error.strerror}); "
                "choose another with --port"
            ) from None


def run_server(settings: Settings) -> None:
    """Serve until told to stop. Worker processes read the settings from the environment."""
    for name in ("data_dir", "database_url", "public_url", "host", "port", "workers", "jobs"):
        value = getattr(settings, name)
        os.environ[f"{PREFIX}{name.upper()}"] = str(value)
    # Where metrics of all processes are asked for, they find each other in a folder.
    several = settings.workers > 1 and bool(settings.metrics_token)
    with shared_folder() if several else nullcontext():
        _run_uvicorn(settings)


class Supervisor(Multiprocess):
    """uvicorn's supervisor of server processes, which notices at once that one has died.

    It asks each in turn and waits for the answer. While it has the other end of their pipe open,
    too, one that was killed before it answered keeps it waiting for `SILENT_SECONDS`, and meanwhile
    no other is started anew.
    """

    def keep_subprocess_alive(self) -> None:
        """Start processes anew that have died or hang."""
        for process in self.processes:
            process.child_conn.close()
        super().keep_subprocess_alive()


def _run_uvicorn(settings: Settings) -> None:
    application = "docstead.server_process:create_app"
    options: dict[str, Any] = {
        "factory": True,
        "host": settings.host,
        "port": settings.port,
        "workers": settings.workers,
        "http": BoundedConnection,
        "log_config": log_configuration(settings.log_format, settings.log_levels),
        # docstead/monitoring/requests.py has what is in it, and more.
        "access_log": False,
        "timeout_graceful_shutdown": GRACE_SECONDS,
        "timeout_worker_healthcheck": SILENT_SECONDS,
        "server_header": False,
        # Which header of a proxy counts is a setting (docstead/http/client_addresses.py).
        "proxy_headers": False,
    }
    if settings.workers == 1:
        uvicorn.run(application, **options)
        return
    config = uvicorn.Config(application, **options)
    Supervisor(config, sockets=[config.bind_socket()]).run()
