"""Conditions of pages, sections and site spaces: expressions that decide who sees them.

An explanation says why a condition is met or not: its value or error, and the values it reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from content.errors import ExpressionError
from content.expressions.evaluation import evaluate
from content.expressions.parser import parse
from content.expressions.references import Path, references, require_roots
from content.expressions.syntax import UNDEFINED
from content.expressions.values import Value, truthy


@dataclass(frozen=True, slots=True)
class Explanation:
    """The value or the error of a condition in a context, and the values it reads."""

    holds: bool
    # What is wrong with it; conditions with a problem are not met.
    problem: str | None
    # The names that it may read and what they are, UNDEFINED for what is not there.
    reads: Mapping[Path, Value]


def explain(text: str | None, context: Mapping[str, Value]) -> Explanation:
    """Explain a condition; it holds exactly when `holds` says so."""
    if text is None or not text.strip():
        return Explanation(True, None, {})
    try:
        expression = parse(text)
    except ExpressionError as error:
        return Explanation(False, str(error), {})
    reads = {path: _value(path, context) for path in sorted(references(expression))}
    try:
        return Explanation(truthy(evaluate(expression, context)), None, reads)
    except ExpressionError as error:
        return Explanation(False, str(error), reads)


def _value(path: Path, context: Mapping[str, Value]) -> Value:
    at: Value = context
    for name in path:
        if not isinstance(at, Mapping) or name not in at:
            return UNDEFINED
        at = at[name]
    return at


# The names that a condition may begin with.
CONDITION_ROOTS = ("visitor", "space", "page")
MAX_CONDITION_LENGTH = 1024
# The condition that no visitor meets.
NEVER = "false"


def condition_problem(text: str) -> str | None:
    """The syntax error of a condition with its position; None for a valid one."""
    try:
        require_roots(parse(text), CONDITION_ROOTS)
    except ExpressionError as error:
        return str(error)
    return None
