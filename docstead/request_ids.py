"""The id of a request: in the header X-Request-Id of its answer, and in its lines of the log."""

import logging
import re
import secrets
from contextvars import ContextVar
from typing import Any

from rest_compat.log_redaction import redacted

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


class RequestIds(logging.Filter):
    """Gives each record the `request_id` that it belongs to; `-` for none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes."""
        record.request_id = request_id.get()
        return True


class Lines(logging.Formatter):
    """Lines of the log, and traces below them, without tokens, signatures and keys."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return redacted(super().format(record))


# For logging.config.dictConfig; warnings and errors of all parts, on the standard error output.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_ids": {"()": "docstead.request_ids.RequestIds"}},
    "formatters": {
        "line": {
            "class": "docstead.request_ids.Lines",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        }
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "stream": "ext://sys.stderr",
            "formatter": "line",
            "filters": ["request_ids"],
        }
    },
    "root": {"level": "WARNING", "handlers": ["stderr"]},
}
