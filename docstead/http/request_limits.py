"""How many requests a token, a session or an address may send to /graphql and /v1.

Counted in the memory of each process, for so many callers that it stays small however many come
(resolvers/core/rate_limits.py). Callers on the machine itself are not limited.
"""

from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from starlette.types import Scope

from docstead.http.client_addresses import client_address
from docstead.http.rate_limit_headers import COUNTED
from docstead.settings import Settings
from resolvers.access.tokens import digest
from resolvers.core.actors import Actor
from resolvers.core.errors import Unauthenticated
from resolvers.core.rate_limits import RateLimit
from rest_compat.routing import ANY_ORIGIN

# Wrong tokens that one address may send in a minute.
WRONG_TOKENS = 30
# Many readers may stand behind one content token: so many times what an address may send.
CONTENT_TOKENS = 20
# Objects of a GraphQL operation that count as one request more.
OBJECTS_PER_REQUEST = 100


class RequestLimits:
    """The limits of one process, by settings; a limit of 0 is none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._accounts = _limit(settings.requests_per_token)
        self._addresses = _limit(settings.requests_per_address)
        self._content_tokens = _limit(settings.requests_per_address * CONTENT_TOKENS)
        self._wrong_tokens = RateLimit(WRONG_TOKENS)

    async def admit(self, scope: Scope, authenticate: Callable[[], Awaitable[Actor]]) -> Actor:
        """The actor of a request, which counts for a limit; RateLimited when that is reached.

        Unauthenticated as `authenticate` raises it; after too many wrong tokens RateLimited.
        """
        address = client_address(scope, self._settings)
        limited = self._settings.limit_loopback or not _is_loopback(address)
        token = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        try:
            actor = await authenticate()
        except Unauthenticated:
            if limited and token is not None:
                self._wrong_tokens.must(address, 1, "wrong tokens")
            elif limited:
                self._count(scope, self._addresses, address)
            raise
        # Events have limits of their own (resolvers/core/rate_limits.py).
        if not limited or scope.get(ANY_ORIGIN):
            return actor
        if actor.user_id is not None:
            self._count(scope, self._accounts, actor.token_id or actor.session_id or actor.user_id)
        elif actor.visitor is not None and token is not None:
            self._count(scope, self._content_tokens, digest(token.decode("latin-1")))
        else:
            self._count(scope, self._addresses, address)
        return actor

    def charge(self, scope: Scope, objects: int) -> None:
        """Count a GraphQL operation by the objects that it may read, beside its request."""
        counted = scope.get(COUNTED)
        units = objects // OBJECTS_PER_REQUEST
        if counted is not None and units:
            limit, key = counted
            limit.must(key, units, "requests")

    def _count(self, scope: Scope, limit: RateLimit | None, key: str) -> None:
        if limit is not None:
            scope[COUNTED] = limit, key
            limit.must(key, 1, "requests")


def _limit(per_minute: int) -> RateLimit | None:
    return RateLimit(per_minute) if per_minute else None


def _is_loopback(address: str) -> bool:
    try:
        # The network of ::1 is ::, which holds no other address that anybody has.
        return ip_address(address).is_loopback or address == "::"
    except ValueError:
        # A socket of the machine has no address.
        return not address
