"""The id of a request: in the header X-Request-Id of its answer, and in its lines of the log."""

import re
import secrets
from contextvars import ContextVar

HEADER = b"x-request-id"
NONE = "-"
# What is safe in a log, a header and an address: no blanks, quotes, controls or line ends.
_SANE = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,128}")

# Of the request that is being answered; tasks and threads that it starts inherit it.
request_id: ContextVar[str] = ContextVar("request_id", default=NONE)


def given_or_new(sent: bytes | None) -> bytes:
    """The id that a request came with, when it is sane; else a new one of 32 hexadecimal digits."""
    if sent is not None and _SANE.fullmatch(sent):
        return sent
    return secrets.token_hex(16).encode()
