"""What commands share: their options, opening the database, calling operations."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from db.audit_enums import AuditDoor
from db.session import Database
from db.standing import current, head
from docstead.commands.terminal import CommandError
from docstead.server import Server
from docstead.settings import Settings, load_settings
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments
from resolvers.lists.listings import Listing

P = ParamSpec("P")
T = TypeVar("T")

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the embedded database and of files.")
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option("--database-url", help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME."),
]

PAGE = 1000


def settings_of(
    data_dir: Path | None = None, database_url: str | None = None, **flags: Any
) -> Settings:
    """The settings with the flags of a command."""
    return load_settings(data_dir=data_dir, database_url=database_url, **flags)


def make_data_dir(folder: Path) -> None:
    """Make the data folder, unless it is there; a new one is for its owner only.

    The database in it holds the documentation of everybody and the key that signs addresses.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


@asynccontextmanager
async def open_database(settings: Settings, *, create: bool = False) -> AsyncIterator[Database]:
    """The database, which must be migrated; with `create` an empty one is migrated first."""
    if not settings.database_url:
        make_data_dir(settings.data_dir)
    database = Database(settings.database, pool_size=2)
    try:
        standing = await current(database)
        if standing is None and create:
            # What runs migrations is loaded where there is one to run.
            from db.migrate import migrate

            await migrate(database)
        elif standing is None:
            raise CommandError("the database is empty; run `docstead migrate` first")
        elif standing != head():
            raise CommandError(
                f"the database stands at migration {standing}, this version needs {head()}; "
                "make a backup and run `docstead migrate`"
            )
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_server(settings: Settings, *, create: bool = False) -> AsyncIterator[Server]:
    """The server's contexts for a command, with the bytes of files; no requests are served."""
    async with open_database(settings, create=create) as database:
        yield Server(settings, database, AuditDoor.COMMAND)


def as_operator(
    settings: Settings,
    runner: Callable[..., Awaitable[T]],
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    /,
    *args: P.args,
    **options: P.kwargs,
) -> T:
    """Call an operation with the operator's rights; the runner is `run` or `read`."""

    async def go() -> T:
        async with open_server(settings, create=True) as server, server.context_of(OPERATOR) as ctx:
            return await runner(ctx, operation, *args, **options)

    return asyncio.run(go())


async def all_rows(
    ctx: Context, listing: Listing, parent: Any, arguments: Callable[..., PageArguments]
) -> list[Any]:
    """All rows of a list, which is read in pages."""
    rows: list[Any] = []
    after = None
    while True:
        (part,) = await listing(ctx, [parent], arguments(first=PAGE, after=after))
        rows += part.rows
        after = part.next_cursor
        if after is None:
            return rows
