"""Working out what depends on the reader in a document: expressions, `if` blocks, templates.

Evaluating is pure: it makes a document of a document and a context, and never changes either.
What an expression is and how it fails is said by content/expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from content.errors import ExpressionError
from content.expressions.evaluation import Budget, display, holds
from content.expressions.parser import parse
from content.expressions.references import Path, references

# All expressions of one document together; each alone has the bound of the language.
DOCUMENT_STEPS = 200_000
# Documents that are checked on their way in are not that deep; others are left as they are.
DEPTH_LIMIT = 200
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_VARIABLES = (("space", "vars"), ("page", "vars"))

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The context and the bounds of an evaluation.

    `context` holds `space`, `page` and `visitor`. With `deterministic_only`, expressions stay
    that read anything but variables and the `claims` (paths below `visitor`) of which it is known
    that they are true, false or one of a few texts. Without `conditions` all `if` blocks stay,
    and only what is in them is evaluated.
    """

    context: Json
    deterministic_only: bool = False
    claims: Collection[Path] = ()
    conditions: bool = True

    def takes(self, text: str) -> bool:
        """Whether an expression is evaluated; one with a syntax error is, and fails."""
        if not self.deterministic_only:
            return True
        try:
            return all(map(self._is_known, references(parse(text))))
        except ExpressionError:
            return True

    def _is_known(self, path: Path) -> bool:
        return (len(path) > 2 and path[:2] in _VARIABLES) or path in self.claims


def variables_context(space: Json, page: Json | None, claims: Json | None = None) -> Json:
    """The context of an expression on a page of a space: variables, and claims of the visitor."""
    return {
        "space": {"vars": space},
        "page": {"vars": page or {}},
        "visitor": {"claims": {"unsigned": {}, **(claims or {})}},
    }


def has_expressions(markdown: str) -> bool:
    """Whether Markdown may hold expressions or conditions; False is certain."""
    return "{{" in markdown or "expression" in markdown or "{%" in markdown


def evaluate_document(document: Json, evaluation: Evaluation) -> Json:
    """The document as it is read: texts for expressions, what is in `if` blocks that hold.

    An expression that fails leaves an empty text, a condition that fails counts as false. What
    nothing depends on is shared with the document that was given.
    """
    worked = _Worked(evaluation)
    nodes = worked.nodes(document.get("nodes"), 0)
    return document if nodes is document.get("nodes") else {**document, "nodes": nodes}


class _Worked:
    """One evaluation of one document."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._budget = Budget(DOCUMENT_STEPS)

    def nodes(self, nodes: Any, depth: int) -> Any:
        """The nodes that are left, or the very same list when all of them are as they were."""
        if not isinstance(nodes, list) or depth > DEPTH_LIMIT:
            return nodes
        result: list[Any] = []
        changed = False
        for node in nodes:
            if not isinstance(node, dict):
                result.append(node)
                continue
            evaluated = self._node(node, depth)
            changed = changed or len(evaluated) != 1 or evaluated[0] is not node
            result.extend(evaluated)
        return result if changed else nodes

    def _node(self, node: Json, depth: int) -> list[Json]:
        kind, data = node.get("type"), node.get("data")
        expression = data.get("expression") if isinstance(data, dict) else None
        if kind == "expression" and isinstance(expression, str):
            return [self._text(node, expression)]
        if kind == "if" and isinstance(expression, str) and self._decides(expression):
            if not self._each(lambda budget: holds(expression, self._context, budget=budget)):
                return []
            children = self.nodes(node.get("nodes"), depth + 1)
            return list(children) if isinstance(children, list) else []
        return [self._with_parts(node, depth)]

    def _decides(self, expression: str) -> bool:
        return self._evaluation.conditions and self._evaluation.takes(expression)

    @property
    def _context(self) -> Json:
        return self._evaluation.context

    def _text(self, node: Json, expression: str) -> Json:
        if not self._evaluation.takes(expression):
            return node
        text = self._each(lambda budget: display(expression, self._context, budget=budget))
        text_node: Json = {
            "object": "text",
            "leaves": [{"object": "leaf", "text": text, "marks": []}],
        }
        return {**text_node, "key": node["key"]} if "key" in node else text_node

    def _each(self, work: Callable[[Budget], Any]) -> Any:
        """One expression: it gets its own bound, or what is left for the document if less."""
        budget = Budget(min(Budget().steps, self._budget.steps))
        before = budget.steps
        result = work(budget)
        self._budget.steps -= before - max(budget.steps, 0)
        return result

    def _with_parts(self, node: Json, depth: int) -> Json:
        changes: Json = {}
        for name in ("nodes", "fragments"):
            parts = node.get(name)
            evaluated = self.nodes(parts, depth + 1)
            if evaluated is not parts:
                changes[name] = evaluated
        data = node.get("data")
        if isinstance(data, dict):
            filled = self._data(data)
            if filled is not data:
                changes["data"] = filled
        return {**node, **changes} if changes else node

    def _data(self, data: Json) -> Json:
        """Templates `{{ expression }}` stand in addresses only: `url`, and those of references."""
        changes: Json = {}
        for name, value in data.items():
            filled: Any = value
            if name == "url" and isinstance(value, str):
                filled = self._filled(value)
            elif name in ("ref", "refDark") and isinstance(value, dict):
                filled = self._data(value) if value.get("kind") == "url" else value
            if filled is not value:
                changes[name] = filled
        return {**data, **changes} if changes else data

    def _filled(self, text: str) -> str:
        if "{{" not in text:
            return text

        def shown(match: re.Match[str]) -> str:
            expression = match[1].strip()
            if not self._evaluation.takes(expression):
                return match[0]
            return str(self._each(lambda budget: display(expression, self._context, budget=budget)))

        return _TEMPLATE.sub(shown, text)
