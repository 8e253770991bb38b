"""A process that merges the open change requests of a space, until it is done or killed.

Its arguments are the URL of the database, the id of the space, that of a person, and `pull` to
pull instead of merging. It prints a line before the first one.
"""

import asyncio
import sys

from sqlalchemy import select

from db.content_enums import ChangeRequestStatus
from db.enums import TokenScope
from db.models.discussions import ChangeRequest
from db.session import Database
from resolvers.context import Actor, Context, run
from resolvers.merging import merge_change_request, pull_change_request


async def main(url: str, space_id: str, person_id: str, kind: str = "merge") -> None:
    database = Database(url, durable=False)
    statement = select(ChangeRequest.id).where(
        ChangeRequest.space_id == space_id, ChangeRequest.status == ChangeRequestStatus.OPEN
    )
    async with database.session() as session:
        open_ones = list((await session.execute(statement.order_by(ChangeRequest.id))).scalars())
    sys.stdout.write("merging\n")
    sys.stdout.flush()
    for id in open_ones:
        async with database.session() as session:
            ctx = Context(Actor(person_id, frozenset(TokenScope)), session)
            operation = pull_change_request if kind == "pull" else merge_change_request
            await run(ctx, operation, space_id, id)
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
