"""When the next mail of somebody is due."""

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from db.notification_enums import DigestFrequency as Digest

# From the first notification that was not sent yet to the mail. There is none before the next
# notification, so it is also the least time between two mails.
PAUSES: Final[Mapping[Digest, dt.timedelta]] = MappingProxyType(
    {
        Digest.IMMEDIATE: dt.timedelta(minutes=5),
        Digest.DAILY: dt.timedelta(days=1),
        Digest.WEEKLY: dt.timedelta(days=7),
    }
)


def due_at(now: dt.datetime, digest: Digest) -> dt.datetime | None:
    """When what comes now is sent by mail; None where it is not."""
    pause = PAUSES.get(digest)
    return None if pause is None else now + pause
