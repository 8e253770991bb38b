"""What operations declare: combinations that make no sense stop the start."""

import inspect
from typing import Any, get_type_hints

import pytest

from db.models.spaces import Space
from resolvers.core.context import Context
from resolvers.core.declarations import (
    PLAIN,
    Declaration,
    Transactions,
    declaration_of,
    model_of_one_statement,
    operation,
)
from resolvers.merging.operations import merge_change_request
from resolvers.spaces.operations import get_space, update_space
from resolvers.writing.edits import create_page
from resolvers.writing.templates import apply_template
from rest_compat.table import done, get
from schema.wiring import mutation, query, summary


async def plain(ctx: Context, id: str = "a") -> Space:
    """Find a space."""
    raise AssertionError


@pytest.mark.parametrize(
    "parts",
    [
        {"one_statement": True, "takes_turns": True},
        {"one_statement": True, "transactions": Transactions.IN_STEPS},
        {"one_statement": True, "transactions": Transactions.BEFORE_SLOW_WORK},
    ],
)
def test_a_query_of_one_statement_is_no_write(parts: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="is a query: it has no transactions"):
        operation(**parts)


def test_a_write_in_steps_waits_in_its_last_step() -> None:
    with pytest.raises(TypeError, match="in steps waits in none itself"):
        operation(transactions=Transactions.IN_STEPS, takes_turns=True)


def test_one_statement_finds_a_row() -> None:
    async def spaces(ctx: Context) -> list[Space]:
        return []

    with pytest.raises(TypeError, match="spaces: one statement finds the row of one model"):
        operation(one_statement=True)(spaces)


@pytest.mark.parametrize(
    "declaration",
    [
        operation(takes_turns=True),
        operation(transactions=Transactions.IN_STEPS),
    ],
)
def test_a_write_is_not_run_as_a_query(declaration: Declaration) -> None:
    write = declaration(plain)
    problem = "plain: it is declared as a write, and run as a query"
    with pytest.raises(TypeError, match=problem):
        query(write)
    with pytest.raises(TypeError, match=problem):
        get("/spaces", "getSpaces", "spaces", write, None)  # type: ignore[arg-type]


def test_a_query_is_not_run_as_a_write() -> None:
    declared = operation(one_statement=True)(plain)
    problem = "plain: it is declared as a query, and run as a write"
    with pytest.raises(TypeError, match=problem):
        mutation(declared)
    with pytest.raises(TypeError, match=problem):
        done("/spaces", "postSpaces", "spaces", declared)


def test_what_operations_declare() -> None:
    assert declaration_of(update_space) is PLAIN
    assert model_of_one_statement(update_space) is None
    assert model_of_one_statement(get_space) is Space
    for operation_in_steps in (merge_change_request, create_page):
        assert declaration_of(operation_in_steps).transactions is Transactions.IN_STEPS
    assert declaration_of(apply_template).takes_turns


def test_a_declared_function_is_read_like_a_plain_one() -> None:
    """By its names, its docstring and its signature, from which both interfaces make arguments."""
    declared = operation(one_statement=True)(plain)
    assert declared.__name__ == "plain"
    assert summary(declared) == "Find a space."
    assert inspect.signature(declared) == inspect.signature(plain)
    assert get_type_hints(declared) == {"ctx": Context, "id": str, "return": Space}
