"""A process that asks for spaces, each with a key of its own, until it is done or killed.

Its arguments are the URL of the database, the ids of an organization and of a person, how many, and
where it waits to be killed: a key, and `working` or `answered` (before anybody hears of it), or
nothing. It prints a line before the first one, the key and the id of each, and that it waits.
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

WAITING = "waiting"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, organization_id: str, person_id: str, number: str, waits: str) -> None:
    database = Database(url, durable=False)
    answers = RememberedAnswers(database.points)
    say("asking")

    async def reach(place: str) -> None:
        if place == waits:
            say(WAITING)
            await asyncio.Event().wait()

    for key in map(str, range(int(number))):
        asked = keyed_request([key], "Bearer somebody", [b"a space"])
        assert asked is not None
        async with database.session() as session:
            ctx = Context(Actor(person_id, frozenset(TokenScope)), session)
            title = f"Space {key}"

            async def make(ctx: Context = ctx, key: str = key, title: str = title) -> Answer:
                input = CreateSpaceInput(title=Some(title))
                space = await run(ctx, create_space, organization_id, input)
                await reach(f"{key} working")
                return Answer(201, space.id.encode())

            answer = await answers.answer(ctx, asked, make)
        await reach(f"{key} answered")
        say(f"{key} {answer.body.decode()}")
    await database.close()
