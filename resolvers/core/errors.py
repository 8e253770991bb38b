"""The one error tree. Rules raise these; nothing below the two doors knows HTTP.

ApiError
├── Unauthenticated     401  no token, or one that is unknown, expired or revoked
├── Forbidden           403  the caller sees the object but may not do this
├── NotFound            404  absent, or the caller may not see it (existence is never revealed)
│   └── NothingToDelete      of what was to be deleted; /v1 answers 204 to that
├── BadRequest          400  unreadable input, bad cursor, impossible position
├── Conflict            409  nothing would change, a name is taken, somebody else was faster
│   └── StaleRevision        the content has moved on from the expected revision
├── PreconditionFailed  412  the object's state forbids the action
├── AnotherUser         412  the credentials are of another account than the client expects
├── Invalid             422  a value breaks its schema; `fields` names each
├── KeyReused           422  an Idempotency-Key that has come with another request already
├── RateLimited         429  too many requests
├── NotInstalled        501  this installation lacks packages for it; the message names them
├── Unavailable         503  try again later
├── OutcomeUnknown      503  a write whose commit was not acknowledged: it is stored, or it is not
├── Unanswered          503  a write that is stored, whose answer could not be made
├── StorageFull         507  no space is left for what was to be stored; nothing was
└── DeadlineExceeded    504  the request took longer than it may
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self


@dataclass(frozen=True, slots=True)
class FieldError:
    """One invalid value: where it stands, what is wrong and what is allowed."""

    path: str
    message: str


class ApiError(Exception):
    """An expected error with its code for GraphQL and its status for /v1."""

    code = "INTERNAL"
    status = 500
    # Seconds after which it is worth trying again, for the header Retry-After.
    retry_after: int | None = None
    # What a program needs to go on, by name; both doors show it beside the code.
    facts: Mapping[str, str] = MappingProxyType({})

    def __init__(self, message: str, fields: tuple[FieldError, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields

    @classmethod
    def at(cls, path: str, message: str) -> Self:
        """The error about one field."""
        return cls(f"{path}: {message}", (FieldError(path, message),))


class Unauthenticated(ApiError):
    code = "UNAUTHENTICATED"
    status = 401


class Forbidden(ApiError):
    code = "FORBIDDEN"
    status = 403


class NotFound(ApiError):
    code = "NOT_FOUND"
    status = 404


class NothingToDelete(NotFound):
    """The row to delete or withdraw is not there; for /v1 that is no error."""


class BadRequest(ApiError):
    code = "BAD_REQUEST"
    status = 400


class Conflict(ApiError):
    code = "CONFLICT"
    status = 409


class StaleRevision(Conflict):
    """The content has another revision than the caller expected; `revision` is its id."""

    def __init__(self, message: str, revision: str) -> None:
        super().__init__(message)
        self.revision = revision
        self.facts = {"currentRevision": revision}


class PreconditionFailed(ApiError):
    code = "PRECONDITION_FAILED"
    status = 412


class AnotherUser(ApiError):
    code = "ANOTHER_USER"
    status = 412


class Invalid(ApiError):
    code = "INVALID"
    status = 422


class KeyReused(ApiError):
    code = "IDEMPOTENCY_KEY_REUSED"
    status = 422


class RateLimited(ApiError):
    code = "RATE_LIMITED"
    status = 429


class NotInstalled(ApiError):
    code = "NOT_INSTALLED"
    status = 501


class Unavailable(ApiError):
    code = "UNAVAILABLE"
    status = 503
    retry_after = 1


class NoCapacity(Unavailable):
    """Nothing has failed: there was no room for it, and soon there may be."""


class OutcomeUnknown(ApiError):
    """Not to be repeated by programs that know no better: no Retry-After."""

    code = "OUTCOME_UNKNOWN"
    status = 503
    facts: Mapping[str, str] = MappingProxyType({"outcome": "unknown"})


class Unanswered(ApiError):
    """As above: a repetition would write again."""

    code = "UNANSWERED"
    status = 503
    facts: Mapping[str, str] = MappingProxyType({"outcome": "written"})


class StorageFull(ApiError):
    code = "STORAGE_FULL"
    status = 507
    retry_after = 60
    facts: Mapping[str, str] = MappingProxyType({"outcome": "not-written"})


class DeadlineExceeded(ApiError):
    code = "DEADLINE_EXCEEDED"
    status = 504


def invalid(path: str, message: str) -> Invalid:
    """An Invalid error about one field."""
    return Invalid.at(path, message)


@contextmanager
def invalid_at(path: str, *errors: type[Exception], without: str = "") -> Iterator[None]:
    """An Invalid error about one field for each of these errors, which say what is wrong.

    Their messages may begin with a word, `without` which the problem is shown.
    """
    try:
        yield
    except errors as error:
        raise invalid(path, str(error).removeprefix(without)) from error
