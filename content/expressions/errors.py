"""What can go wrong with an expression: it cannot be read, or it has no value."""

from __future__ import annotations

from content.errors import ContentError


class ExpressionError(ContentError):
    """An expression that cannot be used; `position` counts characters of its text from 1."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(f"character {position}: {problem}")
        self.position = position
        self.problem = problem


class ExpressionSyntaxError(ExpressionError):
    """Text that is no expression of the language, or one that is too long, deep or large."""


class ExpressionValueError(ExpressionError):
    """An expression without a value: a call of something missing, or too much work."""
