"""Requests that are not executed, and errors in the form of a GraphQL response."""

from typing import Any, TypeAlias

from graphql import GraphQLError

FormattedError: TypeAlias = dict[str, Any]


class Refused(Exception):
    """A request that is not executed; `errors` are in the form of a GraphQL response.

    There is at least one: a response whose list of errors is empty is none.
    """

    def __init__(
        self,
        code: str,
        errors: list[GraphQLError],
        *,
        status: int = 400,
        extensions: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        if not errors:
            raise ValueError(f"{code}: a refusal needs an error")
        self.code = code
        self.status = status
        self.errors = [formatted(error, code, status) for error in errors]
        self.extensions = extensions or {}

    def again(self) -> "Refused":
        """A copy without the traceback of an earlier request."""
        refused = Refused.__new__(Refused, self.code)
        refused.code, refused.status = self.code, self.status
        refused.errors, refused.extensions = self.errors, self.extensions
        return refused


def formatted(error: GraphQLError, code: str, status: int) -> FormattedError:
    """An error in the form of a GraphQL response, with its code and HTTP status."""
    body: FormattedError = {**error.formatted}
    body["extensions"] = {"code": code, "status": status, **(error.extensions or {})}
    return body
