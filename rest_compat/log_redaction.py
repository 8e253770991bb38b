"""Requests in the log, without tokens, keys and signatures.

Addresses of sites hold keys of share links and tokens of previews in their path, those of files,
PDFs and uploads a signature in their query, requests a token in a header. `logged_path` leaves the
parts of a path out that may be such a key; `redacted` takes out of any text what has the form of
one, for the messages and traces of faults, which may name anything.
"""

import re

from starlette.types import Scope

# What stands where something was left out.
LEFT_OUT = "…"
# Of a path; longer ones say no more.
PATH_LENGTH = 200
# Parts of the service whose paths open nothing.
_PLAIN = frozenset(
    {"v1", "graphql", "files", "pdf", "health", "livez", "readyz", "metrics", "favicon.ico"}
)
_SITES = "sites"
_SECRETS = re.compile(
    # Tokens of sites, visitors and previews: JSON in base64, with its signature.
    r"\bey[JA][\w-]{6,}(?:\.[\w-]*){0,2}"
    # Tokens of people.
    r"|\bdocstead_(?:feed_)?[A-Za-z0-9]{8,}"
    r"|(?<=/~preview/)[^/\s'\"]+"
    # Invitations.
    r"|(?<=/invites/)[^/\s'\"]+"
    r"|(?<=/invitations/)[^/\s'\"]+"
    # Addresses by which people end mail.
    r"|(?<=/notifications/unsubscribe/)[^/\s'\"]+"
    r"|(?i:(?<=\bbearer )\S+)"
    # Who signs in to another server, in its address.
    r"|(?<=://)[^/\s:@'\"]*:[^/\s@'\"]*(?=@)"
    r"|(?i:(?<=\bbasic )[A-Za-z0-9+/=]{8,})"
    # Members of a query or a form, and cookies.
    r"|(?i:(?:signature|jwt_token|gitbook-visitor-token|share_?key|token|secret|password|samlresponse|session))"
    r"(?:=|%3D)[^&\s'\"]+"
)


# Each secret has one of these before or in it. Looking for them takes a tenth of the time.
_SIGNS = (
    "eyj", "eya", "docstead_", "/~preview/", "/invit", "/unsubscribe/", "bearer ", "basic ",
    "://", "=", "%3d",
)  # fmt: skip


def redacted(text: str) -> str:
    """A text without what has the form of a token, a signature or a key with its name."""
    lowered = text.lower()
    if not any(sign in lowered for sign in _SIGNS):
        return text
    return _SECRETS.sub(_without_value, text)


def _without_value(match: re.Match[str]) -> str:
    name, equals, _ = match[0].partition("=")
    return f"{name}={LEFT_OUT}" if equals else LEFT_OUT


def logged_path(scope: Scope) -> str:
    """The path of a request as the log has it.

    Below a site any segment may be the key of a share link, so the log has the site alone; on a
    host of sites, which no route has taken, it has nothing.
    """
    first, *others = scope["path"].removeprefix("/").split("/")
    routed = "endpoint" in scope
    if routed and first in _PLAIN:
        return redacted(scope["path"])[:PATH_LENGTH]
    if routed and first == _SITES and others:
        return f"/{_SITES}/{redacted(others[0])[:PATH_LENGTH]}" + (
            f"/{LEFT_OUT}" if others[1:] else ""
        )
    return f"/{first}/{LEFT_OUT}" if routed else f"/{LEFT_OUT}"
