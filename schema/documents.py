"""From the text of a GraphQL document to an operation that may be executed.

Parsing, limits and validation depend on the text alone, so their outcome is kept by text; the
cost depends on a few variables as well and is kept with the document by their values. A refusal
is kept too: asking again for something wrong costs nothing.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    NoFragmentCyclesRule,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    get_variable_values,
    parse,
    specified_rules,
    validate,
)

from schema import limits as document_limits
from schema.cost import CostEstimator, sizing_variables
from schema.cost_table import CostTable
from schema.engine.engine import Plan
from schema.limits import FragmentCycle, Limits, exceeded, operations_of

FormattedError: TypeAlias = dict[str, Any]


class Refused(Exception):
    """A request that is not executed; `errors` are in the form of a GraphQL response."""

    def __init__(
        self,
        code: str,
        errors: list[GraphQLError],
        *,
        status: int = 400,
        extensions: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.errors = [formatted(error, code, status) for error in errors]
        self.extensions = extensions or {}

    def again(self) -> "Refused":
        """The same refusal without the traceback of an earlier request."""
        refused = Refused(self.code, [], status=self.status, extensions=self.extensions)
        refused.errors = self.errors
        return refused


def formatted(error: GraphQLError, code: str, status: int) -> FormattedError:
    """An error in the form of a GraphQL response, with its code and HTTP status."""
    body: FormattedError = {**error.formatted}
    body["extensions"] = {"code": code, "status": status, **(error.extensions or {})}
    return body


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSettings:
    """What documents may be and how many are kept.

    `cached_bytes` counts text; the parsed form of a document takes about 300 times as much memory.
    """

    limits: Limits = field(default_factory=Limits)
    costs: CostTable = field(default_factory=CostTable)
    introspection: bool = True
    cached_documents: int = 1_000
    cached_bytes: int = 250_000


@dataclass(slots=True)
class Document:
    """A valid document with its operations and the costs that are already known."""

    node: DocumentNode
    operations: list[OperationDefinitionNode]
    sizing: tuple[str, ...]
    costs: OrderedDict[tuple[object, ...], "int | Refused"] = field(default_factory=OrderedDict)
    # What the engine has made of its operations, by name.
    plans: dict[str | None, Plan] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a valid document, ready to be executed with `variables` as sent."""

    document: Document
    node: OperationDefinitionNode
    variables: dict[str, Any]
    cost: int

    @property
    def name(self) -> str | None:
        """Its name, None for the only operation of a document."""
        return self.node.name.value if self.node.name else None


class Documents:
    """Documents for one schema; for one event loop, it holds no lock."""

    def __init__(self, schema: GraphQLSchema, settings: DocumentSettings | None = None) -> None:
        self.schema = schema
        self.settings = settings or DocumentSettings()
        self.limits = self.settings.limits
        self.estimator = CostEstimator(schema, self.limits, self.settings.costs)
        self._rules = list(specified_rules)
        if not self.settings.introspection:
            self._rules.append(NoSchemaIntrospectionCustomRule)
        self._cache: OrderedDict[str, Document | Refused] = OrderedDict()
        self._cached_bytes = 0

    def document(self, text: str) -> Document:
        """The parsed and valid document of this text; raises Refused."""
        known = self._cache.get(text)
        if known is None:
            try:
                known = self._prepare(text)
            except Refused as refused:
                known = refused.again()
            self._keep(text, known)
        else:
            self._cache.move_to_end(text)
        if isinstance(known, Refused):
            raise known.again()
        return known

    def _keep(self, text: str, known: Document | Refused) -> None:
        if len(text) > min(self.limits.bytes, self.settings.cached_bytes):
            return
        self._cache[text] = known
        self._cached_bytes += len(text)
        while (
            len(self._cache) > self.settings.cached_documents
            or self._cached_bytes > self.settings.cached_bytes
        ):
            forgotten, _ = self._cache.popitem(last=False)
            self._cached_bytes -= len(forgotten)

    def _prepare(self, text: str) -> Document:
        node = self._parse(text)
        hide = not self.settings.introspection
        try:
            errors = document_limits.check(node, self.limits)
        except FragmentCycle:
            cycles = validate(self.schema, node, [NoFragmentCyclesRule], hide_suggestions=hide)
            raise Refused("GRAPHQL_VALIDATION_FAILED", cycles) from None
        if errors:
            raise Refused("QUERY_TOO_COMPLEX", errors)
        errors = validate(self.schema, node, self._rules, max_errors=20, hide_suggestions=hide)
        if errors:
            raise Refused("GRAPHQL_VALIDATION_FAILED", errors)
        return Document(node, operations_of(node), tuple(sorted(sizing_variables(node))))

    def _parse(self, text: str) -> DocumentNode:
        size = len(text.encode(errors="replace"))
        if size > self.limits.bytes:
            error = exceeded("bytes", size, self.limits.bytes, "Bytes of the document", None)
            raise Refused("QUERY_TOO_COMPLEX", [error])
        maximum = self.limits.tokens
        try:
            return parse(text, max_lexical_tokens=maximum, max_comments=maximum)
        except GraphQLSyntaxError as error:
            if error.description.startswith("Document contains more than"):
                error.message = error.description
                error.extensions = {"limit": "tokens", "maximum": maximum}
                raise Refused("QUERY_TOO_COMPLEX", [error]) from None
            raise Refused("GRAPHQL_PARSE_FAILED", [error]) from None

    def select(self, document: Document, name: str | None) -> OperationDefinitionNode:
        """The operation to execute; raises Refused when `name` does not determine one."""
        operations = document.operations
        if name:
            for operation in operations:
                if operation.name and operation.name.value == name:
                    return operation
            problem = f"operationName: the document has no operation named {name[:100]!r}."
        elif len(operations) == 1:
            return operations[0]
        elif operations:
            problem = "operationName is needed, the document has more than one operation."
        else:
            problem = "query: the document has no operation."
        raise Refused("OPERATION_RESOLUTION_FAILURE", [GraphQLError(problem)])

    def operation(
        self,
        document: Document,
        node: OperationDefinitionNode,
        variables: dict[str, Any],
    ) -> Operation:
        """Check variables and cost of a selected operation; raises Refused."""
        coerced = get_variable_values(
            self.schema,
            node.variable_definitions or (),
            variables,
            max_errors=20,
            hide_suggestions=not self.settings.introspection,
        )
        if isinstance(coerced, list):
            raise Refused("BAD_USER_INPUT", coerced)
        cost = self._cost(document, node, coerced.coerced)
        return Operation(document, node, variables, cost)

    def _cost(
        self, document: Document, node: OperationDefinitionNode, variables: dict[str, Any]
    ) -> int:
        # Absent and null differ: an argument's default applies to the first only.
        sizing = (variables.get(name, "") for name in document.sizing)
        key = (id(node), *(value if isinstance(value, int | None) else "" for value in sizing))
        known = document.costs.get(key)
        if known is None:
            found = self.estimator.check(document.node, node, variables)
            cost = {"requested": found.cost, "limit": self.limits.cost}
            known = (
                Refused("QUERY_TOO_COMPLEX", found.errors, extensions={"cost": cost})
                if found.errors
                else found.cost
            )
            document.costs[key] = known
            if len(document.costs) > 20:
                document.costs.popitem(last=False)
        if isinstance(known, Refused):
            raise known.again()
        return known
