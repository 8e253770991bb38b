"""What an operation declares of itself: `@operation(takes_turns=True)`.

The runners (resolvers/core/runners.py) and both interfaces read it. Most operations are plain
functions, which declare nothing: a token is needed, and a write has one transaction.
"""

import functools
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Transactions(Enum):
    """The transactions of a write."""

    # One, which `run` begins and ends.
    ONE = "one"
    # The write does slow work before its transaction. Each step that reads or writes goes through
    # `run` and has its own; nothing is locked between two of them.
    IN_STEPS = "in steps"
    # A step that slow work follows: its transaction ends with it, even where one is held for all
    # writes of the request (resolvers/core/transactions.py).
    BEFORE_SLOW_WORK = "before slow work"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What `run` and `read` have to know of an operation; TypeError for what makes no sense."""

    # Whether calls without a token, and writes of visitors with a content token, are let through to
    # the policy.
    open_to_all: bool = False
    # Whether a query itself runs exactly one statement, so that alone it needs no snapshot. Its
    # return annotation is the model of the row that it finds.
    one_statement: bool = False
    # Whether a write of content waits ten seconds for the one before it, and then is a Conflict.
    takes_turns: bool = False
    transactions: Transactions = Transactions.ONE
    # Whether a write that has changed something leaves an entry in the audit log: false for what
    # nobody has asked for, such as the result of a check, and for what happens all the time.
    audited: bool = True
    # What the audit log calls a write; None: by the name of the function.
    action: str | None = None

    def __post_init__(self) -> None:
        if self.one_statement and self.writes:
            raise TypeError("an operation of one statement is a query: it has no transactions")
        in_steps = self.transactions is Transactions.IN_STEPS
        if in_steps and self.takes_turns:
            raise TypeError("an operation in steps waits in none itself: its last step does")

    @property
    def writes(self) -> bool:
        """Whether it says something that only holds of a write."""
        several = self.transactions is not Transactions.ONE
        return self.takes_turns or several or not self.audited or self.action is not None

    def __call__(self, function: Callable[P, Coroutine[Any, Any, T]]) -> "Operation[P, T]":
        """Declare it of a function."""
        return Operation(function, self)


# As a decorator it reads `@operation(...)`.
operation = Declaration
PLAIN = Declaration()


class Operation(Generic[P, T]):
    """A function with its declaration; called, it is the function."""

    def __init__(
        self, function: Callable[P, Coroutine[Any, Any, T]], declaration: Declaration
    ) -> None:
        if declaration.one_statement and not isinstance(_returned(function), type):
            raise TypeError(f"{function.__name__}: one statement finds the row of one model")
        self.function: Final = function
        self.declaration: Final = declaration
        # Both interfaces print the docstring and read arguments from the signature.
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        return self.function(*args, **kwargs)


def declaration_of(function: Callable[..., Any]) -> Declaration:
    """What an operation declares; nothing where it is a plain function."""
    return function.declaration if isinstance(function, Operation) else PLAIN


def model_of_one_statement(function: Callable[..., Any]) -> type[Any] | None:
    """The model of the row that an operation finds in one statement; None of all others."""
    if not declaration_of(function).one_statement:
        return None
    model: type[Any] = _returned(function)
    return model


def check_runs(function: Callable[..., Any], *, writes: bool) -> None:
    """TypeError when an operation is declared as a write and run as a query, or the reverse."""
    declaration = declaration_of(function)
    if declaration.writes and not writes:
        raise TypeError(f"{function.__name__}: it is declared as a write, and run as a query")
    if declaration.one_statement and writes:
        raise TypeError(f"{function.__name__}: it is declared as a query, and run as a write")


def _returned(function: Callable[..., Any]) -> Any:
    return function.__annotations__["return"]
