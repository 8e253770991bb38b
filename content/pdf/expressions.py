"""Expressions on paper: variables are known, visitors are not."""

from __future__ import annotations

from content.documents.evaluation import Evaluation, variables_context
from content.expressions.evaluation import display, holds
from content.json_types import JsonObject


class Expressions:
    """What expressions and conditions of a page say to everybody."""

    def __init__(self, space: JsonObject, page: JsonObject) -> None:
        self._context = variables_context(space, page)
        self._everybody = Evaluation(self._context, deterministic_only=True)

    def text(self, expression: str) -> str | None:
        """The text of an expression; empty when it fails or asks for the visitor."""
        return display(expression, self._context) if self._everybody.takes(expression) else ""

    def holds(self, condition: str) -> bool:
        """Whether content with a condition is printed: what only some visitors see is, too."""
        return not self._everybody.takes(condition) or holds(condition, self._context)
