"""A process that asks for spaces, each with a key of its own, until it is done or killed.

Its arguments are the URL of the database, the ids of an organization and of a person, and how
many. It prints a line before the first one, and the key and the id of each.
"""

import asyncio
import sys

from strawberry import Some

from db.enums import TokenScope
from db.session import Database
from resolvers.access.idempotency import Answer, RememberedAnswers, keyed_request
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.spaces.operations import CreateSpaceInput, create_space


async def main(url: str, organization_id: str, person_id: str, number: str) -> None:
    database = Database(url, durable=False)
    answers = RememberedAnswers(database.points)
    sys.stdout.write("asking\n")
    sys.stdout.flush()
    for key in map(str, range(int(number))):
        asked = keyed_request([key], "Bearer somebody", [b"a space"])
        assert asked is not None
        async with database.session() as session:
            ctx = Context(Actor(person_id, frozenset(TokenScope)), session)
            title = f"Space {key}"

            async def make(ctx: Context = ctx, title: str = title) -> Answer:
                input = CreateSpaceInput(title=Some(title))
                space = await run(ctx, create_space, organization_id, input)
                return Answer(201, space.id.encode())

            answer = await answers.answer(ctx, asked, make)
        sys.stdout.write(f"{key} {answer.body.decode()}\n")
        sys.stdout.flush()
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
