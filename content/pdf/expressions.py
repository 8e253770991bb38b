"""Expressions on paper: variables are known, visitors are not."""

from __future__ import annotations

from content.json_types import JsonObject


class Expressions:
    """What expressions and conditions of a page say."""

    def __init__(self, space: JsonObject, page: JsonObject) -> None:
        self._space = space
        self._page = page

    def text(self, expression: str) -> str | None:
        """The text of an expression; empty when it has no value."""
        scope, _, name = expression.strip().partition(".vars.")
        variables = {"space": self._space, "page": self._page}.get(scope)
        if variables is None or name not in variables:
            return ""
        value = variables[name]
        return str(value).lower() if isinstance(value, bool) else str(value)

    def holds(self, condition: str) -> bool:
        """Whether content with a condition is printed."""
        return True
