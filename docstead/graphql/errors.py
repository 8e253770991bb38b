"""Errors of executed operations in the form of a GraphQL response.

Expected errors, those of the tree in resolvers/core/errors.py, carry their code, status, message
and fields to the caller. Everything else is a fault of ours: logged once with an id, answered with
that id and nothing else.
"""

import logging
import secrets
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from graphql import GraphQLError

from resolvers.core.database_errors import expected
from resolvers.core.errors import ApiError
from schema.refusals import FormattedError, formatted

logger = logging.getLogger("docstead.graphql")

Headers = list[tuple[bytes, bytes]]
LOGGED_AT_MOST = 10  # causes of one operation; a broken resolver may fail in every row


class ErrorReport:
    """The errors of one operation; equal causes get one id and one line in the log."""

    def __init__(self, operation: str | None = None) -> None:
        self.operation = operation
        self._ids: dict[int, str] = {}
        self._causes: list[BaseException] = []  # kept alive, so that an id() stays theirs

    def execution(self, errors: Iterable[GraphQLError]) -> list[FormattedError]:
        """Errors of fields, with their paths."""
        return [self._field_error(error) for error in errors]

    def request(self, error: Exception) -> FormattedError:
        """An error outside of any field."""
        return self._body(error)

    def _field_error(self, error: GraphQLError) -> FormattedError:
        cause = error.original_error
        if isinstance(cause, GraphQLError) and cause.nodes:
            # The executor's own errors have a node when they are about an argument's value;
            # those about a value that a resolver returned have none and are ours.
            return formatted(error, "BAD_USER_INPUT", 400)
        body = formatted(error, "INTERNAL", 500)  # for its path and locations
        body.update(self._body(cause or error))
        return body

    def _body(self, cause: Exception) -> FormattedError:
        api_error = expected(cause)
        if api_error is not None:
            return expected_body(api_error)
        extensions = {"code": "INTERNAL", "status": 500, "id": self._logged(cause)}
        return {"message": "Internal error.", "extensions": extensions}

    def _logged(self, cause: Exception) -> str:
        logged = self._ids.get(id(cause))
        if logged:
            return logged
        if len(self._causes) >= LOGGED_AT_MOST:
            return self._ids[id(self._causes[-1])]
        error_id = self._ids[id(cause)] = secrets.token_hex(8)
        self._causes.append(cause)
        logger.error("Internal error %s in operation %r", error_id, self.operation, exc_info=cause)
        return error_id


def expected_body(error: ApiError) -> FormattedError:
    """An expected error without a place in the document."""
    extensions: dict[str, Any] = {"code": error.code, "status": error.status, **error.facts}
    if error.retry_after is not None:
        # Other fields may have an answer, so it is no header of the response.
        extensions["retryAfter"] = error.retry_after
    if error.fields:
        extensions["fields"] = [asdict(field) for field in error.fields]
    return {"message": error.message, "extensions": extensions}


class MethodNotAllowed(ApiError):
    """The method is none of those that `allowed` names, separated by commas."""

    code = "METHOD_NOT_ALLOWED"
    status = 405

    def __init__(self, message: str, allowed: str) -> None:
        super().__init__(message)
        self.allowed = allowed


class NotAcceptable(ApiError):
    """Accept allows neither media type of a GraphQL response."""

    code = "NOT_ACCEPTABLE"
    status = 406


def error_headers(error: Exception, status: int) -> Headers:
    """The headers that belong to an error's status."""
    headers: Headers = []
    if isinstance(error, MethodNotAllowed):
        headers.append((b"allow", error.allowed.encode()))
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    retry_after = getattr(error, "retry_after", None)
    if isinstance(retry_after, int):
        headers.append((b"retry-after", str(retry_after).encode()))
    return headers
