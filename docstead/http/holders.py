"""Whoever a signed address was made for, as they are when it is opened (decision 168)."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from db.base import utc_now
from db.enums import TokenScope
from db.sharing import PointReads
from resolvers.access.tokens import actor_of_token
from resolvers.core.actors import OPERATOR, Actor, Program
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Unauthenticated
from resolvers.core.policy_asked import PolicyNotAskedError, asking_policy
from resolvers.sign_in.sessions import actor_of_session

# Gives the context of an actor.
ContextOf = Callable[[Actor], AbstractAsyncContextManager[Context]]


async def actor_of_holder(points: PointReads, holder: str) -> Actor:
    """The actor that `holder_of` has written into an address whose signature is right;
    Unauthenticated when the token or the session has ended."""
    kind, _, id = holder.partition("~")
    if not holder:
        return OPERATOR
    if kind == "token":
        return await actor_of_token(points, id, utc_now())
    if kind == "session":
        actor = await actor_of_session(points, id, utc_now())
        if actor is None:
            raise Unauthenticated("the session has ended")
        return actor
    program = None if kind == "person" else Program(kind)
    return Actor(id, frozenset(TokenScope), program=program, service=program is not None)


class Holders:
    """Says whether those for whom addresses were made may read still what these lead to."""

    def __init__(self, points: PointReads, context_of: ContextOf) -> None:
        self._points, self._context_of = points, context_of

    async def may(self, holder: str, check: Callable[[Context], Awaitable[object]]) -> bool:
        """Whether `check`, an operation that refuses those who may not, lets the holder pass."""
        try:
            actor = await actor_of_holder(self._points, holder)
            async with self._context_of(actor) as ctx:
                with asking_policy() as mark:
                    await check(ctx)
                if not mark.value:
                    raise PolicyNotAskedError(str(check))
        except ApiError as error:
            if error.status >= 500:
                raise
            return False
        return True
