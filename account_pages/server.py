"""The port of the account pages to the server process, which `docstead` implements."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from starlette.types import Scope

from resolvers.core.actors import Actor, Origin
from resolvers.core.context import Context
from resolvers.sign_on.openid_tokens import OpenIdClient

# What says where a request comes from.
AskOrigin = Callable[[], Origin]
OriginOf = Callable[[Scope], AskOrigin]


class Settings(Protocol):
    @property
    def public_url(self) -> str:
        """The address of the service, without a slash at its end."""


class Server(Protocol):
    """One server process."""

    @property
    def settings(self) -> Settings:
        """The settings of the installation."""

    @property
    def openid(self) -> OpenIdClient:
        """What asks OpenID Connect providers."""

    def context_of(
        self, actor: Actor, address: str = "", origin: AskOrigin | None = None
    ) -> AbstractAsyncContextManager[Context]:
        """The Context of one request of an actor, for `async with`."""

    def in_background(self, work: Coroutine[Any, Any, None]) -> object:
        """Begin what no answer waits for; Unavailable when too much of it is under way."""

    async def find_session(self, secret: str) -> Actor | None:
        """The person who is signed in with a cookie; None when its session has ended."""
