"""When a delivery that has failed is tried again."""

import datetime as dt
import random
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_SECOND, _MINUTE, _HOUR = dt.timedelta(seconds=1), dt.timedelta(minutes=1), dt.timedelta(hours=1)
# At once, for what passes by itself; then for a day and more.
SOON = (1 * _SECOND, 2 * _SECOND, 4 * _SECOND)
LATER = (1 * _MINUTE, 10 * _MINUTE, 1 * _HOUR, 6 * _HOUR, 24 * _HOUR)
PAUSES = (*SOON, *LATER)
# Pauses are longer by so much of theirs at most, so that endpoints do not come together.
JITTER = 0.1
NOT_LATER = dt.timedelta()
# An endpoint that has taken nothing for so long is disabled.
LASTING = 24 * _HOUR
GONE, TOO_MANY_REQUESTS, SERVER_ERROR = 410, 429, 500


@dataclass(frozen=True, slots=True)
class Retry:
    """The next attempt: after which pause, and which step of the schedule that is."""

    pause: dt.timedelta
    step: int


def later_by(retry_after: str, now: dt.datetime) -> dt.timedelta:
    """How long the header Retry-After asks to wait: seconds, or until a date; nothing that can be
    read is no wait, and none is longer than the last pause."""
    try:
        if retry_after.isascii() and retry_after.isdecimal():
            # More digits are more than the longest.
            wait = int(retry_after[:9]) * _SECOND
        else:
            until = parsedate_to_datetime(retry_after)
            # Of a date without a zone the standard says that it is UTC.
            wait = (until if until.tzinfo else until.replace(tzinfo=dt.UTC)) - now
    except (TypeError, ValueError, OverflowError):
        return NOT_LATER
    return min(max(wait, NOT_LATER), PAUSES[-1])


def next_retry(
    step: int,
    status: int | None,
    later: dt.timedelta = NOT_LATER,
    age: dt.timedelta = NOT_LATER,
) -> Retry | None:
    """The retry after a failed attempt, `step` retries of the schedule having passed, and not
    before the endpoint has asked for it; None when the schedule has ended.

    Without an answer, and after 5xx and 429, it is tried again within seconds first. `age` is the
    time since the first attempt: an endpoint that always asks for longer pauses than those of the
    schedule gets no more time than it.
    """
    passing = status is None or status == TOO_MANY_REQUESTS or status >= SERVER_ERROR
    step = step if passing else max(step, len(SOON))
    if status == GONE or step >= len(PAUSES) or (later > PAUSES[step] and age >= LASTING):
        return None
    pause = max(PAUSES[step], later) * (1 + JITTER * random.random())  # noqa: S311 (no secret)
    return Retry(pause, step + 1)
