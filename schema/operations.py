"""Documents that were parsed and found valid, and the operations in them.

A text that stands in the cache with its own literals is a Document; all texts that differ only in
lifted literals share one ParsedDocument.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    Source,
)
from graphql.execution.values import VariableValues

from schema.cost import sizing_variables
from schema.engine.engine import Plan
from schema.lifting import LiftedDocument
from schema.limits import operations_of
from schema.literals import Shift
from schema.refusals import Refused
from schema.variables import VariableReader


@dataclass(slots=True, eq=False)
class PreparedOperation:
    """One operation of a parsed document, with the costs that are already known.

    `sizing` names the variables on which the cost depends, `costs` are by their values.
    """

    node: OperationDefinitionNode
    name: str | None
    kind: OperationType
    variables: VariableReader
    sizing: tuple[str, ...]
    costs: OrderedDict[tuple[object, ...], int | Refused] = field(default_factory=OrderedDict)
    plan: Plan | None = None  # what the engine has made of it


@dataclass(slots=True, eq=False)
class ParsedDocument:
    """A valid document, read from `text`; with `lifted` it stands for other texts as well."""

    text: str
    node: DocumentNode
    operations: list[PreparedOperation]
    lifted: LiftedDocument | None
    texts: set[str] = field(default_factory=set)  # for which a Document is kept
    asked: bool = False  # since it came, or since its last turn to go


@dataclass(slots=True, eq=False)
class Document:
    """A valid text: its parsed document, and the values of its literals that were lifted."""

    text: str
    parsed: ParsedDocument
    values: dict[str, Any]


@dataclass(slots=True, eq=False)
class Operation:
    """One operation of a valid document, ready to be executed.

    `variables` are coerced; lifted literals are among them.
    """

    document: Document
    prepared: PreparedOperation
    variables: VariableValues
    cost: int

    @property
    def name(self) -> str | None:
        """Its name, None for the only operation of a document."""
        return self.prepared.name

    def located(self, errors: list[GraphQLError]) -> list[GraphQLError]:
        """Errors of the execution with the locations that they have in the text as it was sent."""
        text, parsed = self.document.text, self.document.parsed
        if text == parsed.text:
            return errors
        source, shift = Source(text), Shift(parsed.text, text)
        shared = parsed.node.loc and parsed.node.loc.source
        return [
            _moved(error, source, shift) if error.positions and error.source is shared else error
            for error in errors
        ]


def _moved(error: GraphQLError, source: Source, shift: Shift) -> GraphQLError:
    positions = [shift(position) for position in error.positions or ()]
    return GraphQLError(
        error.message, None, source, positions, error.path, error.original_error, error.extensions
    )


def parsed_document(
    schema: GraphQLSchema,
    text: str,
    node: DocumentNode,
    lifted: LiftedDocument | None,
    hide_suggestions: bool,
) -> ParsedDocument:
    """A valid document, read from a text, with what its operations need for every request."""
    used = lifted.node if lifted else node
    sizing = tuple(sorted(sizing_variables(used)))
    operations = [
        PreparedOperation(
            operation,
            own.name.value if own.name else None,
            own.operation,
            # Clients give values for the variables that they have written.
            VariableReader(schema, own, hide_suggestions),
            sizing,
        )
        for own, operation in zip(operations_of(node), operations_of(used), strict=True)
    ]
    return ParsedDocument(text, used, operations, lifted)
