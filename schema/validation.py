"""Validation by graphql-core's rules in one walk that calls at each node only who looks at it.

graphql-core's own walk asks every rule for its functions at each kind of node, for every document
anew, and visits names, which no rule looks at: a third of what validating a document costs. Which
rules look at what is found out once here; rules, errors and their order are graphql-core's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from graphql import (
    BREAK,
    SKIP,
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    Node,
    TypeInfo,
    ValidationContext,
    Visitor,
    assert_valid_schema,
    visit,
)
from graphql.language.visitor import EnterLeaveVisitor
from graphql.validation.validate import (
    FragmentNestingVisitor,
    ValidationAbortedError,
    query_document_keys_to_validate,
)

from schema.limits import fragments_of

# A rule: made with a context, or with the fragments of the document.
Rule: TypeAlias = type[Visitor]
# Number of a rule, and the names of its methods for a kind of node.
Step: TypeAlias = tuple[int, str | None, str | None]
Call: TypeAlias = Callable[..., Any]
# Members of nodes that hold names.
NAMES = frozenset({"name", "alias"})


class RuleSet:
    """Rules, and which of their methods are called at which kind of node."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._nested: tuple[Rule, ...] = (FragmentNestingVisitor, *self.rules)
        self._steps: dict[tuple[bool, str], tuple[Step, ...]] = {}
        keys = query_document_keys_to_validate
        if not self.steps("name", nested=True):
            keys = {
                kind: tuple(key for key in members if key not in NAMES)
                for kind, members in keys.items()
            }
        self.keys: Mapping[str, tuple[str, ...]] = keys

    def steps(self, kind: str, *, nested: bool) -> tuple[Step, ...]:
        """Rules that visit nodes of a kind; with `nested`, the nesting of fragments comes first."""
        steps = self._steps.get((nested, kind))
        if steps is None:
            rules = self._nested if nested else self.rules
            named = (
                (number, _method(rule, "enter", kind), _method(rule, "leave", kind))
                for number, rule in enumerate(rules)
            )
            steps = tuple(step for step in named if step[1] or step[2])
            self._steps[nested, kind] = steps
        return steps


def _method(rule: Rule, verb: str, kind: str) -> str | None:
    """The name of a rule's method: that for the kind, or else the one for all kinds."""
    for name in (f"{verb}_{kind}", verb):
        if getattr(rule, name, None) is not None:
            return name
    return None


def validated(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: RuleSet,
    *,
    max_errors: int,
    hide_suggestions: bool,
) -> list[GraphQLError]:
    """The errors of a document, as `graphql.validate` gives them."""
    assert_valid_schema(schema)
    errors: list[GraphQLError] = []

    def on_error(error: GraphQLError) -> None:
        if len(errors) >= max_errors:
            problem = "Too many validation errors, error limit reached. Validation aborted."
            raise ValidationAbortedError(problem)
        errors.append(error)

    type_info = TypeInfo(schema)
    context = ValidationContext(schema, document, type_info, on_error, hide_suggestions)
    visitors: list[Any] = [rule(context) for rule in rules.rules]  # type: ignore[call-arg]
    fragments = fragments_of(document)
    if fragments:
        visitors.insert(0, FragmentNestingVisitor(fragments))
    walk = _Walk(rules, type_info, visitors, nested=bool(fragments))
    try:
        visit(document, walk, rules.keys)  # type: ignore[arg-type]
    except ValidationAbortedError as error:
        # Without the frames of the validation, which the kept refusal would hold.
        error.__context__ = None
        errors.append(error.with_traceback(None))
    except RecursionError:
        errors.append(ValidationAbortedError("Validation aborted."))
    return errors


class _Walk(Visitor):
    """Tells types and rules of each node; a rule may leave out what is below one, or stop."""

    def __init__(
        self, rules: RuleSet, type_info: TypeInfo, visitors: Sequence[Any], *, nested: bool
    ) -> None:
        super().__init__()
        self._rules, self._type_info, self._nested = rules, type_info, nested
        self._visitors = visitors
        # By rule: the node below which it looks at nothing, or BREAK.
        self._skipping: list[Any] = [None] * len(visitors)

    def get_enter_leave_for_kind(self, kind: str) -> EnterLeaveVisitor:
        """The functions for a kind of node, made when it is first met."""
        functions = self.enter_leave_map.get(kind)
        if functions is None:
            functions = self.enter_leave_map[kind] = self._functions(kind)
        return functions

    def _functions(self, kind: str) -> EnterLeaveVisitor:
        steps = self._rules.steps(kind, nested=self._nested)
        enter_types: Call | None = getattr(self._type_info, f"enter_{kind}", None)
        leave_types: Call | None = getattr(self._type_info, f"leave_{kind}", None)
        if not (steps or enter_types or leave_types):
            return EnterLeaveVisitor(None, None)
        skipping = self._skipping
        enters = [(number, self._bound(number, name)) for number, name, _ in steps if name]
        leaves = [(number, self._bound(number, name)) for number, _, name in steps]

        def enter(node: Node, *place: Any) -> None:
            if enter_types is not None:
                enter_types(node)
            for number, function in enters:
                if skipping[number] is None:
                    result = function(node, *place)  # type: ignore[misc]
                    if result is not None:
                        skipping[number] = _skipped(result, node)

        def leave(node: Node, *place: Any) -> None:
            for number, function in leaves:
                skipped = skipping[number]
                if skipped is node:
                    skipping[number] = None
                elif skipped is None and function is not None:
                    result = function(node, *place)
                    if result is BREAK or result is True:
                        skipping[number] = BREAK
            if leave_types is not None:
                leave_types()

        return EnterLeaveVisitor(enter, leave)

    def _bound(self, number: int, name: str | None) -> Call | None:
        return None if name is None else getattr(self._visitors[number], name)


def _skipped(result: Any, node: Node) -> Any:
    """The part that a rule skips by its result: all below the node, the rest, or nothing."""
    if result is BREAK or result is True:
        return BREAK
    return node if result is SKIP or result is False else None
