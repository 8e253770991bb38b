"""Makes a failing document smaller: what is printed of a difference should fit on a screen."""

from collections.abc import Awaitable, Callable, Iterator
from copy import deepcopy
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLSchema,
    InlineFragmentNode,
    NoUnusedFragmentsRule,
    NoUnusedVariablesRule,
    print_ast,
    specified_rules,
    validate,
)

from tests.schema.engine.random_documents import Request

Fails = Callable[[Request], Awaitable[bool]]
RULES = [
    rule for rule in specified_rules if rule not in (NoUnusedVariablesRule, NoUnusedFragmentsRule)
]
MOST_ROUNDS = 400


async def smallest(schema: GraphQLSchema, request: Request, fails: Fails) -> Request:
    """The request with everything left out that is not needed to make `fails` true.

    Unused variables and fragments may stay in between; the result is valid but for those.
    """
    rounds = 0
    smaller = True
    while smaller and rounds < MOST_ROUNDS:
        smaller = False
        for document in variants(request.document):
            rounds += 1
            if rounds > MOST_ROUNDS:
                break
            candidate = Request(print_ast(document), request.variables, request.operation)
            if not validate(schema, document, RULES) and await fails(candidate):
                request, smaller = candidate, True
                break
    for name in list(request.variables):
        rest = {key: value for key, value in request.variables.items() if key != name}
        candidate = Request(request.text, rest, request.operation)
        if await fails(candidate):
            request = candidate
    return request


def variants(document: DocumentNode) -> Iterator[DocumentNode]:
    """Every document with one thing less, the largest things first."""
    for path in sorted(removable(document, ()), key=len):
        changed = deepcopy(document)
        *outer, attribute, index = path
        node = at(changed, tuple(outer))
        items = list(getattr(node, attribute))
        removed = items.pop(index)
        if attribute == "selections" and isinstance(removed, InlineFragmentNode):
            yield _replaced(document, path, removed.selection_set.selections)
        if items or attribute not in ("selections", "definitions"):
            object.__setattr__(node, attribute, tuple(items))
            yield changed


def _replaced(document: DocumentNode, path: tuple[Any, ...], by: Any) -> DocumentNode:
    """The selections of an inline fragment in its place."""
    changed = deepcopy(document)
    *outer, attribute, index = path
    node = at(changed, tuple(outer))
    items = list(getattr(node, attribute))
    items[index : index + 1] = by
    object.__setattr__(node, attribute, tuple(items))
    return changed


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


LISTS = ("definitions", "variable_definitions", "selections", "arguments", "directives")


def removable(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The places of everything that stands in a list of the document."""
    for attribute in LISTS:
        for index, child in enumerate(getattr(node, attribute, None) or ()):
            here = (*path, attribute, index)
            yield here
            yield from removable(child, here)
    inner = getattr(node, "selection_set", None)
    if inner is not None:
        yield from removable(inner, (*path, "selection_set"))
