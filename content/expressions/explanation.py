"""Why a condition is met or not: what it comes to, what goes wrong, and which values it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from content.expressions.errors import ExpressionError
from content.expressions.evaluation import evaluate
from content.expressions.parser import parse
from content.expressions.references import Path, references
from content.expressions.syntax import UNDEFINED
from content.expressions.values import Value, truthy


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a condition in a context."""

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
