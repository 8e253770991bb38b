"""How many requests a token, a session or an address may send to /graphql and /v1.

Counted in the memory of each process, for so many callers that it stays small however many come
(resolvers/core/rate_limits.py). Callers on the machine itself are not limited, but for scripts of
integrations, which run there.
"""

from collections.abc import Awaitable, Callable, Hashable
from functools import lru_cache
from ipaddress import ip_address

from starlette.types import Scope

from docstead.http.client_addresses import client_address
from docstead.http.rate_limit_headers import COUNTED
from docstead.monitoring.requests import observation_of
from docstead.settings import Settings
from resolvers.access.tokens import digest
from resolvers.core.actors import Actor
from resolvers.core.errors import Unauthenticated
from resolvers.core.rate_limits import Quota, RateLimit
from rest_compat.routing import ANY_ORIGIN
from runtime.script_requests import MARK

# Wrong tokens that one address may send in a minute.
WRONG_TOKENS = 30
# Objects that a request may read; so many more count as one request more.
OBJECTS_PER_REQUEST = 100
# What may come at once comes back as much faster than what may come in a minute.
BURST_FACTOR = 2
# Where the scope of a request holds how often its caller may search and write.
QUOTA = "docstead.quota"
_MARK = MARK.encode()


class RequestLimits:
    """The limits of one process, by settings; a limit of 0 is none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        per_token, at_once = settings.requests_per_token, settings.requests_at_once
        self._accounts = _limit(per_token)
        self._bursts = None
        if 0 < at_once < per_token:
            self._bursts = RateLimit(per_token * BURST_FACTOR, at_once=at_once)
        self._addresses = _limit(settings.requests_per_address)
        # Many readers may stand behind one content token.
        many = settings.content_token_multiplier
        self._content_tokens = _limit(settings.requests_per_address * many)
        self._wrong_tokens = RateLimit(WRONG_TOKENS)
        self._searches = _limit(settings.searches_per_caller)
        self._searches_of_content_tokens = _limit(settings.searches_per_caller * many)
        self._writes = _limit(settings.writes_per_space)

    async def admit(self, scope: Scope, authenticate: Callable[[], Awaitable[Actor]]) -> Actor:
        """The actor of a request, which counts for a limit; RateLimited when that is reached.

        Unauthenticated as `authenticate` raises it; after too many wrong tokens RateLimited.
        """
        address = client_address(scope, self._settings)
        limited = self._is_limited(scope, address)
        token = next((value for name, value in scope["headers"] if name == b"authorization"), None)
        try:
            actor = await authenticate()
        except Unauthenticated:
            if limited and token is not None:
                self._wrong_tokens.must(address, 1, "wrong tokens")
            elif limited:
                self._count(scope, self._addresses, address)
            raise
        if (observation := observation_of(scope)) is not None:
            observation.actor = actor
        # Events have limits of their own (resolvers/core/rate_limits.py).
        if not limited or scope.get(ANY_ORIGIN):
            return actor
        if actor.user_id is not None:
            key = actor.token_id or actor.session_id or actor.user_id
            # By person: with more tokens nobody searches or writes more.
            scope[QUOTA] = Quota(actor.user_id, self._searches, self._writes)
            if self._bursts is not None:
                # Headers are about the minute.
                scope[COUNTED] = self._accounts, key
                self._bursts.must(key, 1, "requests")
            self._count(scope, self._accounts, key)
        elif actor.visitor is not None and token is not None:
            key = digest(token.decode("latin-1"))
            scope[QUOTA] = Quota(key, self._searches_of_content_tokens, self._writes)
            self._count(scope, self._content_tokens, key)
        else:
            scope[QUOTA] = Quota(address, self._searches, self._writes)
            self._count(scope, self._addresses, address)
        return actor

    def charge(self, scope: Scope, objects: int) -> None:
        """Count an operation by the objects that it may read, beyond those of its request."""
        counted = scope.get(COUNTED)
        units = (objects - 1) // OBJECTS_PER_REQUEST
        if counted is not None and units > 0:
            limit, key = counted
            limit.must(key, units, "requests")

    def quota_of_visitor(self, scope: Scope) -> Quota | None:
        """How often whoever reads a page of a site may search, by their address."""
        address = client_address(scope, self._settings)
        return Quota(address, self._searches, None) if self._is_limited(scope, address) else None

    def _is_limited(self, scope: Scope, address: str) -> bool:
        if self._settings.limit_loopback or not _is_loopback(address):
            return True
        return any(name == _MARK for name, _ in scope["headers"])

    def _count(self, scope: Scope, limit: RateLimit | None, key: Hashable) -> None:
        if limit is not None:
            scope[COUNTED] = limit, key
            limit.must(key, 1, "requests")


def _limit(per_minute: int) -> RateLimit | None:
    return RateLimit(per_minute) if per_minute else None


@lru_cache(maxsize=4096)
def _is_loopback(address: str) -> bool:
    try:
        # The network of ::1 is ::, which holds no other address that anybody has.
        return ip_address(address).is_loopback or address == "::"
    except ValueError:
        # A socket of the machine has no address.
        return not address
