"""Requests for one account only: the client names whom it takes the credentials to be of.

A browser sends the cookie of whoever has signed in last, whichever page asks. What was written
under one name is not to be stored under another one.
"""

from starlette.types import Scope

from resolvers.core.actors import EXPECTED_USER, Actor
from resolvers.core.errors import AnotherUser, Unauthenticated

_NAME = EXPECTED_USER.lower().encode()


def expected(actor: Actor, scope: Scope) -> Actor:
    """The actor, unless a header of the request names another user."""
    for name, value in scope["headers"]:
        if name == _NAME and value.decode("latin-1").strip() != actor.user_id:
            if actor.nobody:
                raise Unauthenticated(f"{EXPECTED_USER}: nobody is signed in")
            raise AnotherUser.at(
                EXPECTED_USER, "the credentials are those of another user; nothing was done"
            )
    return actor
