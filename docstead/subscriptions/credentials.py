"""Who is behind a connection, and whether that still holds: by the same header or cookie."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.types import Scope

from docstead.graphql.endpoint import CREDENTIAL
from docstead.subscriptions.subscribers import Credential
from resolvers.access.tokens import digest
from resolvers.core.actors import Actor

Find = Callable[[Scope], Awaitable[Actor]]
# What scripts of our own pages send where they can; a WebSocket of a page cannot.
SCRIPT_HEADER = (b"x-requested-with", b"WebSocket")


def header_of(scope: Scope, name: bytes) -> str | None:
    """The first value of a header."""
    for header, value in scope["headers"]:
        if header == name:
            text: str = value.decode("latin-1")
            return text
    return None


def credential_of(actor: Actor, scope: Scope, find: Find) -> Credential:
    """The credential of an actor who was found in a request; `find` finds them anew."""
    text = header_of(scope, b"authorization") or scope.get(CREDENTIAL) or ""

    async def again() -> Actor:
        return await find(scope)

    return Credential(digest(text), actor, again)


def may_connect(scope: Scope, public_url: str, origins: frozenset[str]) -> bool:
    """Whether a WebSocket may be opened: by a program, a page of our own, or of an allowed origin.

    Browsers open them for pages of any origin, with cookies, and say which page that is.
    """
    origin = header_of(scope, b"origin")
    if origin is None or "*" in origins or origin.lower() in origins:
        return True
    return is_own(scope, public_url)


def is_own(scope: Scope, public_url: str) -> bool:
    """Whether a page of this service has opened a WebSocket: by its origin."""
    origin, public = header_of(scope, b"origin"), urlsplit(public_url)
    hosts = {public.netloc.lower(), (header_of(scope, b"host") or "").lower()}
    return origin is not None and origin.lower() in {f"{public.scheme}://{host}" for host in hosts}


def as_request(scope: Scope, public_url: str, authorization: str | None) -> Scope:
    """A WebSocket as the request that says who has opened it.

    The cookie counts where a page of our own has; a token comes with the first message.
    """
    headers = [header for header in scope["headers"] if header[0] != SCRIPT_HEADER[0]]
    if authorization is not None:
        headers = [header for header in headers if header[0] != b"authorization"]
        headers.append((b"authorization", authorization.encode("latin-1", "replace")))
    elif is_own(scope, public_url):
        headers.append(SCRIPT_HEADER)
    else:
        headers = [header for header in headers if header[0] != b"cookie"]
    return {**scope, "type": "http", "method": "POST", "headers": headers}
