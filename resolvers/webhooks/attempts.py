"""What the log keeps of each attempt."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.event_enums import EventType
from db.models.webhooks import Webhook, WebhookDelivery
from resolvers.core.scalars import JsonObject, read_time, write_time
from resolvers.lists.batches import computed_from

# Bytes of an answer, characters of an error, and attempts that are kept of one delivery.
_TYPES = {type.value: type for type in EventType}
ANSWER_BYTES, ERROR_LENGTH, MOST_ATTEMPTS = 4_096, 1_000, 20


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request and what came of it; `error` is None where the endpoint has taken it."""

    at: dt.datetime
    milliseconds: int
    # Without signatures.
    request_headers: Mapping[str, str]
    status: int | None = None
    # The beginning of the body.
    answer: str | None = None
    error: str | None = None
    # The header with which the endpoint says when to come again.
    retry_after: str = ""

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "at": write_time(self.at),
            "milliseconds": self.milliseconds,
            "requestHeaders": dict(self.request_headers),
            "status": self.status,
            # PostgreSQL stores no NUL in text.
            "answer": self.answer and self.answer.replace("\x00", "\ufffd"),
            "error": self.error and self.error[:ERROR_LENGTH].replace("\x00", "\ufffd"),
        }


@dataclass(frozen=True, slots=True)
class LoggedAttempt:
    """An attempt as it is shown."""

    at: dt.datetime
    milliseconds: int
    request_headers: JsonObject
    status: int | None
    answer: str | None
    error: str | None


@computed_from("attempts")
async def logged_attempts(
    ctx: Any, rows: Sequence[WebhookDelivery], arguments: Any
) -> list[list[LoggedAttempt]]:
    """The newest attempts of each delivery, in order."""
    return [[_logged(stored) for stored in row.attempts] for row in rows]


def _logged(stored: Mapping[str, Any]) -> LoggedAttempt:
    return LoggedAttempt(
        read_time(stored["at"]),
        stored["milliseconds"],
        JsonObject(stored["requestHeaders"]),
        stored["status"],
        stored["answer"],
        stored["error"],
    )


@computed_from("types")
async def webhook_types(
    ctx: Any, rows: Sequence[Webhook], arguments: Any
) -> list[list[EventType] | None]:
    """The types that endpoints ask for; those that a newer version wrote are left out."""
    return [
        None if row.types is None else [_TYPES[name] for name in row.types if name in _TYPES]
        for row in rows
    ]
