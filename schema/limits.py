"""Limits on the shape of a GraphQL document, checked before it is validated.

Validation and execution may cost far more than a document's length suggests: fragments spread
twice by fragments that are spread twice double with every step. So each definition is walked
once, and what its spreads stand for is added up from the measures of the fragments, never
expanded. Only when the expanded size is known to be small, `check_merging` expands it.

What an operation costs to execute is the subject of `schema/cost.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graphql import (
    DefinitionNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    Node,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The largest values allowed; all but the first three count per operation."""

    bytes: int = 65_536  # of the document's text in UTF-8
    tokens: int = 2_000
    directives: int = 10  # on one field, fragment or operation
    depth: int = 24  # fields inside fields, through fragments
    aliases: int = 100  # after fragments are expanded, as the next two
    root_fields: int = 50
    selections: int = 5_000  # fields, spreads and inline fragments
    merges: int = 5_000  # pairs of fields of one selection set with the same response name
    list_size: int = 1_000  # `first`, `last` or `limit` of one list
    cost: int = 10_000  # points, see schema/cost.py


def exceeded(limit: str, value: int, maximum: int, what: str, node: Node | None) -> GraphQLError:
    """The error for a limit that was passed: which one, the value, the maximum and where.

    Counting may stop beyond the maximum, so the value is what was counted up to then.
    """
    return GraphQLError(
        f"{what}: at most {maximum} allowed, counted {value}.",
        [node] if node else None,
        extensions={"limit": limit, "value": value, "maximum": maximum},
    )


@dataclass(slots=True)
class Measure:
    """Counts of one definition; those of its fragments are added later."""

    selections: int = 0
    aliases: int = 0
    root_fields: int = 0
    depth: int = 0
    deepest: Node | None = None
    directives: int = 0  # the most on one node
    directed: Node | None = None
    spreads: list[tuple[str, int]] = field(default_factory=list)  # name, depth of the fields around

    def add(self, fragment: "Measure", depth: int, cap: int) -> None:
        """Count a fragment spread `depth` fields deep; sums stop at `cap`, for they may double."""
        self.selections = min(self.selections + fragment.selections, cap)
        self.aliases = min(self.aliases + fragment.aliases, cap)
        if depth == 0:
            self.root_fields = min(self.root_fields + fragment.root_fields, cap)
        if depth + fragment.depth > self.depth:
            self.depth, self.deepest = depth + fragment.depth, fragment.deepest


def measure(definition: OperationDefinitionNode | FragmentDefinitionNode) -> Measure:
    """Measure one definition by itself, with a note of what it spreads."""
    result = Measure()
    _note_directives(result, definition)
    stack: list[tuple[SelectionSetNode, int]] = [(definition.selection_set, 0)]
    while stack:
        selection_set, depth = stack.pop()
        for selection in selection_set.selections:
            result.selections += 1
            _note_directives(result, selection)
            match selection:
                case FieldNode():
                    result.root_fields += depth == 0
                    result.aliases += bool(selection.alias)
                    if depth + 1 > result.depth:
                        result.depth, result.deepest = depth + 1, selection
                    if selection.selection_set:
                        stack.append((selection.selection_set, depth + 1))
                case InlineFragmentNode():
                    stack.append((selection.selection_set, depth))
                case FragmentSpreadNode():
                    result.spreads.append((selection.name.value, depth))
    return result


def _note_directives(result: Measure, node: DefinitionNode | SelectionNode) -> None:
    directives: tuple[Node, ...] = getattr(node, "directives", None) or ()
    if len(directives) > result.directives:
        result.directives, result.directed = len(directives), node


def fragments_of(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    """The fragments of a document by name."""
    return {
        definition.name.value: definition
        for definition in document.definitions
        if isinstance(definition, FragmentDefinitionNode)
    }


def operations_of(document: DocumentNode) -> list[OperationDefinitionNode]:
    """The operations of a document in their order."""
    return [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]


class FragmentCycle(Exception):
    """A fragment spreads itself, directly or through others, so its size has no end."""


def innermost_first(measures: dict[str, Measure]) -> Iterator[str]:
    """Name every fragment after those it spreads; raises FragmentCycle.

    Chains of fragments may be long, hence no recursion.
    """
    named: set[str] = set()
    entered: set[str] = set()
    for root in measures:
        if root in entered:
            continue
        entered.add(root)
        path = [(root, iter(measures[root].spreads))]
        while path:
            name, spreads = path[-1]
            for spread, _ in spreads:
                if spread not in measures or spread in named:
                    continue
                if spread in entered:
                    raise FragmentCycle(spread)
                entered.add(spread)
                path.append((spread, iter(measures[spread].spreads)))
                break
            else:
                path.pop()
                named.add(name)
                yield name


def check(document: DocumentNode, limits: Limits) -> list[GraphQLError]:
    """The limits that a parsed document passes, none if it may be validated.

    Raises FragmentCycle: neither this check nor another may then follow the spreads. Unknown
    fragments count nothing, validation reports them.
    """
    cap = max(limits.selections, limits.aliases, limits.root_fields) + 1
    fragments = fragments_of(document)
    measures = {name: measure(definition) for name, definition in fragments.items()}
    complete: dict[str, Measure] = {}
    for name in innermost_first(measures):
        _complete(measures[name], complete, cap)
        complete[name] = measures[name]
    errors = [
        exceeded("directives", part.directives, limits.directives, "Directives", part.directed)
        for part in measures.values()
        if part.directives > limits.directives
    ]
    for operation in operations_of(document):
        measured = measure(operation)
        _complete(measured, complete, cap)
        errors.extend(_passed(measured, operation, limits))
        if not errors:
            errors.extend(check_merging(operation, fragments, limits))
    return errors


def _complete(measured: Measure, complete: dict[str, Measure], cap: int) -> None:
    for spread, depth in measured.spreads:
        if spread in complete:
            measured.add(complete[spread], depth, cap)


def _passed(
    measured: Measure, operation: OperationDefinitionNode, limits: Limits
) -> Iterator[GraphQLError]:
    rows: Iterable[tuple[str, int, str, Node | None]] = (
        ("directives", measured.directives, "Directives", measured.directed),
        ("depth", measured.depth, "Depth of fields", measured.deepest),
        ("aliases", measured.aliases, "Aliases", operation),
        ("root_fields", measured.root_fields, "Root fields", operation),
        ("selections", measured.selections, "Selections, fragments expanded", operation),
    )
    for limit, value, what, node in rows:
        maximum: int = getattr(limits, limit)
        if value > maximum:
            yield exceeded(limit, value, maximum, what, node)


def check_merging(
    operation: OperationDefinitionNode,
    fragments: dict[str, FragmentDefinitionNode],
    limits: Limits,
) -> list[GraphQLError]:
    """Bound the pairs of fields that validation compares to see whether they can be merged.

    The work is bounded by the number of selections, so that has to be checked before.
    """
    pairs = 0
    levels: list[list[SelectionSetNode]] = [[operation.selection_set]]
    while levels:
        names: Counter[str] = Counter()
        nested: dict[str, list[SelectionSetNode]] = {}
        for node in fields_of(levels.pop(), fragments):
            name = (node.alias or node.name).value
            names[name] += 1
            if node.selection_set:
                nested.setdefault(name, []).append(node.selection_set)
        pairs += sum(count * (count - 1) // 2 for count in names.values())
        if pairs > limits.merges:
            what = "Pairs of fields with the same name in one selection set"
            return [exceeded("merges", pairs, limits.merges, what, operation)]
        levels.extend(nested.values())
    return []


def fields_of(
    selection_sets: list[SelectionSetNode], fragments: dict[str, FragmentDefinitionNode]
) -> Iterator[FieldNode]:
    """The fields of merged selection sets, each fragment entered once, types left aside."""
    entered: set[str] = set()
    stack = list(selection_sets)
    while stack:
        for selection in stack.pop().selections:
            match selection:
                case FieldNode():
                    yield selection
                case InlineFragmentNode():
                    stack.append(selection.selection_set)
                case FragmentSpreadNode():
                    name = selection.name.value
                    if name in fragments and name not in entered:
                        entered.add(name)
                        stack.append(fragments[name].selection_set)
