"""When a delivery that has failed is tried again."""

import datetime as dt
import random
from dataclasses import dataclass

_SECOND, _MINUTE, _HOUR = dt.timedelta(seconds=1), dt.timedelta(minutes=1), dt.timedelta(hours=1)
# At once, for what passes by itself; then for a day and more.
SOON = (1 * _SECOND, 2 * _SECOND, 4 * _SECOND)
LATER = (1 * _MINUTE, 10 * _MINUTE, 1 * _HOUR, 6 * _HOUR, 24 * _HOUR)
PAUSES = (*SOON, *LATER)
# Pauses are longer by so much of theirs at most, so that endpoints do not come together.
JITTER = 0.1
# An endpoint that has taken nothing for so long is disabled.
LASTING = 24 * _HOUR
GONE, TOO_MANY_REQUESTS, SERVER_ERROR = 410, 429, 500


@dataclass(frozen=True, slots=True)
class Retry:
    """The next attempt: after which pause, and which step of the schedule that is."""

    pause: dt.timedelta
    step: int


def next_retry(step: int, status: int | None) -> Retry | None:
    """The retry after a failed attempt, `step` retries of the schedule having passed; None when
    the schedule has ended.

    Without an answer, and after 5xx and 429, it is tried again within seconds first.
    """
    passing = status is None or status == TOO_MANY_REQUESTS or status >= SERVER_ERROR
    step = step if passing else max(step, len(SOON))
    if status == GONE or step >= len(PAUSES):
        return None
    return Retry(PAUSES[step] * (1 + JITTER * random.random()), step + 1)  # noqa: S311 (no secret)
