"""Conditions of pages, sections and site spaces: expressions that decide who sees them."""

from __future__ import annotations

from content.expressions.errors import ExpressionError
from content.expressions.parser import parse
from content.expressions.references import require_roots

# The names that a condition may begin with.
CONDITION_ROOTS = ("visitor", "space", "page")
MAX_CONDITION_LENGTH = 1024
# The condition that no visitor meets.
NEVER = "false"


def condition_problem(text: str) -> str | None:
    """Why this is no condition: what is wrong, and at which character; None when it is one."""
    try:
        require_roots(parse(text), CONDITION_ROOTS)
    except ExpressionError as error:
        return str(error)
    return None
