"""The cookie of a session: whoever has it is the person, so no script and no other host gets it."""

import hashlib
import hmac

from starlette.responses import Response
from starlette.types import Scope

from resolvers.sign_in.sessions import IDLE

NAME = "docstead-session"
# Browsers take a cookie with this prefix only over TLS, of the very host, and for all its paths.
SECURE_NAME = f"__Host-{NAME}"


def is_secure(public_url: str) -> bool:
    """Whether browsers reach the service over TLS."""
    return public_url.startswith("https:")


def cookie_name(public_url: str) -> str:
    """The name of the cookie of a service."""
    return SECURE_NAME if is_secure(public_url) else NAME


def session_secret(scope: Scope, public_url: str) -> str | None:
    """The text of the session's cookie in a request.

    None without one, and where there are several: one of them was put there by another host.
    """
    name = cookie_name(public_url)
    values = []
    for header, value in scope["headers"]:
        if header == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                key, _, text = pair.strip().partition("=")
                if key == name:
                    values.append(text)
    return values[0] if len(values) == 1 else None


def set_session(response: Response, secret: str, public_url: str) -> None:
    """Give the browser a session."""
    response.set_cookie(
        cookie_name(public_url),
        secret,
        max_age=int(IDLE.total_seconds()),
        path="/",
        httponly=True,
        secure=is_secure(public_url),
        # Links from elsewhere arrive signed in; requests of other sites' pages do not.
        samesite="lax",
    )


def clear_session(response: Response, public_url: str) -> None:
    """Take the session's cookie from the browser."""
    response.delete_cookie(
        cookie_name(public_url),
        path="/",
        httponly=True,
        secure=is_secure(public_url),
        samesite="lax",
    )


def form_token(secret: str) -> str:
    """What forms of a session carry: other sites cannot know it, and the cookie does not follow."""
    return hashlib.sha256(b"form of " + secret.encode("latin-1", "replace")).hexdigest()


def is_form_token(text: str, secret: str) -> bool:
    """Whether a form was made for this session."""
    return hmac.compare_digest(text.encode("utf-8", "replace"), form_token(secret).encode())
