"""What is said of a job that has failed, and whether it is tried again."""

import re

from db.models.jobs import ERROR_LENGTH
from resolvers.core.errors import (
    ApiError,
    Conflict,
    DeadlineExceeded,
    OutcomeUnknown,
    RateLimited,
    StorageFull,
    Unavailable,
)

# What may be otherwise the next time.
_PASSING = (Conflict, DeadlineExceeded, OutcomeUnknown, RateLimited, StorageFull, Unavailable)
_WORDS = re.compile(r"\S+")


def worth_another_attempt(error: Exception) -> bool:
    """Whether the same job may succeed later: not where its request is at fault."""
    return not isinstance(error, ApiError) or isinstance(error, _PASSING)


def without_secrets(message: str) -> str:
    """A message without what may be secret in the addresses that it names.

    Administrators of an organization read messages of jobs that others have started.
    """
    return _WORDS.sub(lambda word: _cleaned(word[0]), message[: 2 * ERROR_LENGTH])


def _cleaned(word: str) -> str:
    """A word, which may be an address, without who signs in there and without parameters: of both
    any part may be a key."""
    scheme, colon, rest = word.partition("://")
    if not colon:
        return word
    path, *parameters = re.split(r"[?#]", rest, maxsplit=1)
    parts = (part.rpartition("@") for part in path.split("/"))
    shown = "/".join(f"***@{tail}" if at else tail for _, at, tail in parts)
    return f"{scheme}://{shown}{'?***' if parameters else ''}"
