"""Whose rights a job has: those of whoever has started it, as they are when it runs."""

from db.enums import TokenScope
from db.sharing import PointReads
from resolvers.access.tokens import actor_of_token
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Unauthenticated
from resolvers.jobs.claims import Claim
from resolvers.sign_in.sessions import actor_of_session


async def bearer_of(ctx: Context, claim: Claim) -> Actor:
    """The actor that a job is done as; Unauthenticated when its token or session has ended."""
    points = ctx.points
    assert points is not None
    actor = await _actor(ctx, points, claim)
    if claim.started_by_id != actor.user_id:
        raise Unauthenticated("it was started by somebody who is not there any more")
    return actor


async def _actor(ctx: Context, points: PointReads, claim: Claim) -> Actor:
    if claim.token_id is not None:
        try:
            return await actor_of_token(points, claim.token_id, ctx.now())
        except ApiError as error:
            raise Unauthenticated(f"what it was started with does not hold: {error.message}") from (
                error
            )
    if claim.session_id is not None:
        actor = await actor_of_session(points, claim.session_id, ctx.now())
        if actor is None:
            raise Unauthenticated("the session in which it was started has ended")
        return actor
    if claim.started_by_id is not None and claim.started_by_id == claim.arguments.get("owner"):
        # The server has started it for them, as a configuration of theirs says.
        return Actor(claim.started_by_id, frozenset(TokenScope))
    return OPERATOR
