"""An event for an integration, and what came of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from content.json_types import JsonObject


class Outcome(StrEnum):
    """How an event has ended. All but COMPLETE are failures of the script, or of its endpoint."""

    COMPLETE = "complete"
    # It has thrown an error, or has answered nothing that is an HTTP answer.
    ERROR = "error"
    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    # Nothing was left that could go on.
    UNFINISHED = "unfinished"
    # Its process has ended in another way, or has broken the protocol.
    CRASHED = "crashed"
    # The script cannot be loaded.
    UNUSABLE = "unusable"
    # The endpoint has given no answer.
    UNREACHABLE = "unreachable"


class BusyError(Exception):
    """So many events wait already, or have waited too long: it may be tried again."""


class UnavailableError(Exception):
    """Scripts cannot run on this server, as the message says."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What a script has logged: `level` is debug, info, warn or error; `at` in milliseconds."""

    level: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Call:
    """One event for one script.

    `version` names the script's text: two texts never have the same. `installation` is whose share
    of the server it takes. `origins` are those that the script may fetch from, None = any public
    one. `body` is that of the request of a fetch event, of the media type `content_type`.
    """

    version: str
    script: str
    installation: str
    event: JsonObject
    environment: JsonObject
    body: bytes | None = None
    content_type: str = ""
    origins: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """The HTTP answer of a script: its headers in order, names in lower case."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header, "" when it is absent."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an event: `response` is None where the script gave none.

    `error` says why, in words for the author of the script. Times are in milliseconds.
    """

    outcome: Outcome
    response: Response | None = None
    error: str = ""
    log: Sequence[LogEntry] = field(default_factory=tuple)
    cpu: float = 0
    wall: float = 0
    fetches: int = 0
    # Whether what it shows may follow from the theme that it was asked for: the script has looked
    # at it, or nobody knows.
    themed: bool = True

    @property
    def failed(self) -> bool:
        """Whether an integration has not taken an event. What it does not handle, it has taken."""
        response = self.response
        return self.outcome is not Outcome.COMPLETE or response is None or response.status >= 500
