"""From the text of a GraphQL document to an operation that may be executed.

Parsing, limits and validation depend on the text alone, so their outcome is kept by text; a
refusal is kept too: asking again for something wrong costs nothing. Texts that differ only in
their literals share one parsed document where schema/lifting.py allows it. The cost depends on a
few variables as well and is kept with the operation by their values.

What is refused of a shared document is found out again with the text as it is, so that every
error is about the text that was sent.
"""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    NoFragmentCyclesRule,
    NoSchemaIntrospectionCustomRule,
    UniqueFragmentNamesRule,
    parse,
    specified_rules,
    validate,
)

from schema import limits as document_limits
from schema.bounded_cache import BoundedCache
from schema.cost import CostEstimator
from schema.cost_table import CostTable
from schema.generations import Generations
from schema.lifting import lift
from schema.limits import FragmentCycle, Limits, exceeded
from schema.literals import Skeleton, split
from schema.operations import (
    Document,
    Operation,
    ParsedDocument,
    PreparedOperation,
    parsed_document,
)
from schema.refusals import Refused
from schema.validation import RuleSet, validated

COSTS_KEPT = 20  # of one operation
MAX_ERRORS = 20  # of the validation of one document

# A text, or what is the same in all texts that share a document: the literals that were not lifted.
ParsedKey: TypeAlias = str | tuple[Skeleton, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSettings:
    """Limits of documents, and how many are cached.

    `cached_bytes` counts text; the parsed form of a document takes about 300 times as much memory.
    """

    limits: Limits = field(default_factory=Limits)
    costs: CostTable = field(default_factory=CostTable)
    introspection: bool = True
    cached_documents: int = 1_000
    cached_bytes: int = 100_000


@dataclass(slots=True)
class Lookups:
    """Hits and misses of the cache since the start."""

    known: int = 0  # the very text
    lifted: int = 0  # a text with other literals
    prepared: int = 0  # nothing, so the text was parsed and validated


class Documents:
    """Documents for one schema; for one event loop, it holds no lock."""

    def __init__(self, schema: GraphQLSchema, settings: DocumentSettings | None = None) -> None:
        self.schema = schema
        self.settings = settings or DocumentSettings()
        self.limits = self.settings.limits
        self.estimator = CostEstimator(schema, self.limits, self.settings.costs)
        self.lookups = Lookups()
        rules = list(specified_rules)
        if not self.settings.introspection:
            rules.append(NoSchemaIntrospectionCustomRule)
        self._rules = RuleSet(rules)
        count, weight = self.settings.cached_documents, self.settings.cached_bytes
        # Documents by their exact text are light: they refer to a parsed one that is kept itself.
        self._texts: BoundedCache[str, Document | Refused] = BoundedCache(
            count, weight, self._unlink
        )
        self._parsed: Generations[ParsedKey, ParsedDocument] = Generations(
            count, weight, self._forget
        )
        # Which literals of a skeleton are not lifted.
        self._fixed: BoundedCache[Skeleton, tuple[int, ...]] = BoundedCache(count, weight)

    def document(self, text: str) -> Document:
        """The valid document of this text; raises Refused."""
        cached = self._texts.get(text)
        if cached is None:
            return self._similar(text) or self._new(text, lifting=True)
        self.lookups.known += 1
        if isinstance(cached, Refused):
            raise cached.again()
        cached.parsed.asked = True
        return cached

    def has_seen(self, text: str) -> bool:
        """Whether this very text is kept, with what is wrong with it perhaps."""
        return text in self._texts

    def _similar(self, text: str) -> Document | None:
        """The document by what is known of other texts."""
        parsed = self._parsed.get(text)
        if parsed is not None:
            self.lookups.known += 1
            return self._link(Document(text, parsed, {}))
        if self._size(text) > self.limits.bytes:
            return None
        skeleton, literals = split(text)
        fixed = self._fixed.get(skeleton)
        if fixed is None:
            return None
        parsed = self._parsed.get((skeleton, tuple([literals[index] for index in fixed])))
        if parsed is None or parsed.lifted is None:
            return None
        values = parsed.lifted.values(literals)
        if values is None:
            return None
        self.lookups.lifted += 1
        return self._link(Document(text, parsed, values))

    def _new(self, text: str, *, lifting: bool) -> Document:
        """The document of a text of which nothing is known, or nothing but its skeleton."""
        self.lookups.prepared += 1
        cacheable = len(text) <= self.limits.bytes
        try:
            node = self._prepare(text)
        except Refused as refused:
            if cacheable:
                self._texts.put(text, refused.again(), len(text))
            raise
        key: ParsedKey = text
        values = None
        skeleton, literals = split(text) if lifting else ((), ())
        lifted = lift(self.schema, node, text) if literals else None
        if lifted is not None and (values := lifted.values(literals)) is None:
            lifted = None  # a scalar that reads a literal as null; variables may not be that
        if lifted is not None and self._fixed.put(skeleton, lifted.fixed, len(text)):
            key = (skeleton, tuple([literals[index] for index in lifted.fixed]))
        parsed = parsed_document(self.schema, text, node, lifted, not self.settings.introspection)
        document = Document(text, parsed, values or {})
        return self._link(document) if self._parsed.put(key, parsed, len(text)) else document

    def _link(self, document: Document) -> Document:
        """Keep a document by its text, as long as the parsed one is kept."""
        # Lists would be handed to the resolvers of several requests.
        if not any(isinstance(value, list | dict) for value in document.values.values()):
            self._texts.put(document.text, document, len(document.text))
            document.parsed.texts.add(document.text)
        return document

    def _unlink(self, cached: Document | Refused) -> None:
        if isinstance(cached, Document):
            cached.parsed.texts.discard(cached.text)

    def _forget(self, parsed: ParsedDocument) -> None:
        for text in tuple(parsed.texts):
            self._texts.drop(text)

    def _prepare(self, text: str) -> DocumentNode:
        """Parse and check a text; raises Refused."""
        node = self._parse(text)
        hide = not self.settings.introspection
        try:
            errors = document_limits.check(node, self.limits)
        except FragmentCycle:
            # The rule of cycles looks at the first fragment of a name, spreads mean the last one.
            rules = [UniqueFragmentNamesRule, NoFragmentCyclesRule]
            errors = validate(self.schema, node, rules, MAX_ERRORS, hide_suggestions=hide)
            raise Refused("GRAPHQL_VALIDATION_FAILED", errors) from None
        if errors:
            raise Refused("QUERY_TOO_COMPLEX", errors)
        errors = validated(
            self.schema, node, self._rules, max_errors=MAX_ERRORS, hide_suggestions=hide
        )
        if errors:
            raise Refused("GRAPHQL_VALIDATION_FAILED", errors)
        return node

    def _parse(self, text: str) -> DocumentNode:
        size = self._size(text)
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

    def _size(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(errors="replace"))

    def select(self, document: Document, name: str | None) -> PreparedOperation:
        """The operation to execute; raises Refused when `name` does not determine one."""
        operations = document.parsed.operations
        if name:
            for operation in operations:
                if operation.name == name:
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
        self, document: Document, prepared: PreparedOperation, variables: dict[str, Any]
    ) -> Operation:
        """Check variables and cost of a selected operation; raises Refused."""
        values = prepared.variables.read(variables)
        if isinstance(values, list):
            if document.values:
                return self._as_sent(document, prepared, variables)
            raise Refused("BAD_USER_INPUT", values)
        if document.values:
            values.coerced.update(document.values)
        cost = self._cost(document.parsed.node, prepared, values.coerced)
        if isinstance(cost, Refused):
            if document.values:
                return self._as_sent(document, prepared, variables)
            raise cost.again()
        return Operation(document, prepared, values, cost)

    def _as_sent(
        self, document: Document, prepared: PreparedOperation, variables: dict[str, Any]
    ) -> Operation:
        """The operation with all its literals; raises Refused with locations in its text."""
        plain = self._new(document.text, lifting=False)
        return self.operation(plain, self.select(plain, prepared.name), variables)

    def _cost(
        self, node: DocumentNode, prepared: PreparedOperation, variables: dict[str, Any]
    ) -> int | Refused:
        # Absent and null differ: an argument's default applies to the first only.
        sizing = [variables.get(name, "") for name in prepared.sizing]
        key = tuple(map(_size_of, sizing))
        cached = prepared.costs.get(key)
        if cached is None:
            estimate = self.estimator.check(node, prepared.node, variables)
            cost = {"requested": estimate.cost, "limit": self.limits.cost}
            cached = (
                Refused("QUERY_TOO_COMPLEX", estimate.errors, extensions={"cost": cost})
                if estimate.errors
                else estimate.cost
            )
            prepared.costs[key] = cached
            if len(prepared.costs) > COSTS_KEPT:
                prepared.costs.popitem(last=False)
        return cached


def _size_of(value: object) -> object:
    """The part of a variable's value that a cost depends on: lengths of lists, and integers."""
    if isinstance(value, list):
        return len(value)
    return value if isinstance(value, int | None) else ""
