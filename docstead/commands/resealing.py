"""The command that seals secrets with the present key."""

import asyncio
from collections import Counter

import typer

from docstead.commands.shared import DatabaseUrl, DataDir, open_server, settings_of
from docstead.commands.terminal import AsJson, progress_bar, show
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read, run
from resolvers.system.resealing import TABLES, count_rows, reseal as reseal_portion


def reseal(
    json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None
) -> None:
    """Seal secrets with the present key again that a former one has sealed.

    After a change of `secret_key`, with the key before in `former_secret_keys`: when it has ended
    without a fault, the former key is needed no more. The server may run meanwhile, with both.
    """
    settings = settings_of(data_dir, database_url)
    counts, unreadable = Counter[str](), dict[str, list[str]]()

    async def go() -> None:
        async with open_server(settings) as server, server.context_of(OPERATOR) as ctx:
            totals = {kind: await read(ctx, count_rows, kind) for kind in TABLES}
            done, total = 0, sum(totals.values())
            with progress_bar() as show_progress:
                for kind in TABLES:
                    last: str | None = ""
                    while last is not None:
                        portion = await run(ctx, reseal_portion, kind, last)
                        last, done = portion.last, done + portion.rows
                        counts.update(rows=portion.rows, renewed=portion.renewed)
                        if portion.unreadable:
                            table = unreadable.setdefault(kind.__tablename__, [])
                            table += portion.unreadable
                        show_progress(f"sealing {kind.__tablename__}", done, total)

    asyncio.run(go())
    value = {"rows": counts["rows"], "renewed": counts["renewed"], "unreadable": unreadable}
    lines = [f"sealed {counts['renewed']} of {counts['rows']} rows again"]
    lines += [f"no key opens {name}: {', '.join(ids)}" for name, ids in unreadable.items()]
    show(value, json, "\n".join(lines))
    if unreadable:
        raise typer.Exit(1)
