"""Working out expressions: values, conditions and the text that a reader sees.

`context` holds what the names stand for: JSON values, or mappings that look them up on demand.
Evaluation is bounded by steps, so it always ends, and never changes what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from content.errors import ExpressionError, ExpressionValueError
from content.expressions.parser import parse
from content.expressions.syntax import (
    UNDEFINED,
    Array,
    Binary,
    Call,
    Chain,
    Conditional,
    Expression,
    Function,
    Literal,
    Logical,
    Member,
    Name,
    Part,
    Unary,
)
from content.expressions.values import (
    TAKES_FUNCTION,
    Value,
    add,
    array_includes,
    calculate,
    call_text_method,
    call_with_function,
    compare,
    is_array,
    join,
    loosely_equal,
    number_of,
    number_text,
    strictly_equal,
    text_of,
    truthy,
)

V = TypeVar("V")

STEPS = 10_000
# How many characters of text cost one step more.
CHARACTERS_PER_STEP = 256
# What it costs to make text or a number of an array, whatever is in it.
ARRAY_STEPS = 250


class _Stopped(Exception):
    """A `?.` met nothing; caught where its row of members starts."""


@dataclass(slots=True)
class Budget:
    """Steps that are left; one budget may be shared by all expressions of a document."""

    steps: int = STEPS

    def spend(self, steps: int, position: int) -> None:
        """Take steps away; ExpressionValueError when there are too few."""
        self.steps -= steps
        if self.steps < 0:
            raise ExpressionValueError(position, "the expression takes too much work")


def evaluate(
    expression: Expression, context: Mapping[str, Value], *, budget: Budget | None = None
) -> Value:
    """The value of an expression, UNDEFINED for a blank one; ExpressionValueError without one.

    Missing names and members are undefined; calling a method of something that has none fails.
    """
    if expression.root is None:
        return UNDEFINED
    try:
        return _Evaluation(context, budget or Budget()).value(expression.root)
    except RecursionError as error:
        raise ExpressionValueError(1, "the expression is nested too deep here") from error


def holds(text: str | None, context: Mapping[str, Value], *, budget: Budget | None = None) -> bool:
    """Whether a condition is met: a blank one is, one that is wrong or fails is not."""
    if text is None or not text.strip():
        return True
    try:
        return truthy(evaluate(parse(text), context, budget=budget))
    except ExpressionError:
        return False


def display(text: str, context: Mapping[str, Value], *, budget: Budget | None = None) -> str:
    """The text shown in place of an expression: text, a number, true or false; else nothing."""
    try:
        value = evaluate(parse(text), context, budget=budget)
    except ExpressionError:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(number_of(value))
    return value if isinstance(value, str) else ""


class _Evaluation:
    """One run over the parts of an expression."""

    __slots__ = ("_budget", "_names", "_scopes")

    def __init__(self, context: Mapping[str, Value], budget: Budget) -> None:
        self._names = context
        self._budget = budget
        # Parameters of the functions that are being called, the innermost last.
        self._scopes: list[dict[str, Value]] = []

    def value(self, part: Part) -> Value:
        """The value of a part."""
        self._budget.spend(1, part.position)
        match part:
            case Literal():
                return part.value
            case Name():
                for scope in reversed(self._scopes):
                    if part.name in scope:
                        return scope[part.name]
                return self._names.get(part.name, UNDEFINED)
            case Member():
                return self._member(part)
            case Call():
                return self._call(part)
            case Binary():
                return self._binary(part)
            case Logical():
                return self._logical(part)
            case Unary():
                value = self.value(part.of)
                if part.operator == "!":
                    return not truthy(value)
                self._spend_on_arrays(part, value)
                number = self._safely(part, lambda: number_of(value))
                return -number if part.operator == "-" else number
            case Conditional():
                return self.value(part.yes if truthy(self.value(part.test)) else part.no)
            case Array():
                return [self.value(item) for item in part.items]
            case Chain():
                try:
                    return self.value(part.of)
                except _Stopped:
                    return UNDEFINED

    def _member(self, part: Member) -> Value:
        of = self.value(part.of)
        if of is None or of is UNDEFINED:
            if part.optional:
                raise _Stopped
            # The key is not looked at: what is missing has nothing, whatever is asked of it.
            return UNDEFINED
        key = self.value(part.key)
        self._spend_on_arrays(part, key)
        if isinstance(of, Mapping):
            name = self._safely(part, lambda: text_of(key))
            return of.get(name, UNDEFINED)
        if isinstance(of, str | list | tuple):
            if key == "length":
                return len(of)
            index = self._safely(part, lambda: text_of(key))
            if index.isascii() and index.isdigit() and len(index) < 16:
                at = int(index)
                if str(at) == index and at < len(of):
                    return of[at]
        return UNDEFINED

    def _call(self, part: Call) -> Value:
        of = self.value(part.of)
        if (of is None or of is UNDEFINED) and part.optional:
            raise _Stopped
        if isinstance(of, str) and part.method not in TAKES_FUNCTION and part.method != "join":
            arguments = [self.value(cast(Part, argument)) for argument in part.arguments]
            self._budget.spend(len(of) // CHARACTERS_PER_STEP, part.position)
            self._spend_on_arrays(part, *arguments)
            return self._safely(part, lambda: call_text_method(of, part.method, arguments))
        if is_array(of):
            items = cast("list[Value]", of)
            if part.method in TAKES_FUNCTION:
                function = cast(Function, part.arguments[0])
                return call_with_function(
                    items, part.method, lambda item, index: self._apply(function, item, index)
                )
            if part.method in ("includes", "join"):
                arguments = [self.value(cast(Part, argument)) for argument in part.arguments]
                self._budget.spend(len(items), part.position)
                if part.method == "includes":
                    return array_includes(items, arguments[0])
                return self._joined(part, items, arguments)
        raise ExpressionValueError(part.position, f"{_kind(of)} has no method {part.method!r}")

    def _joined(self, part: Call, items: list[Value], arguments: list[Value]) -> Value:
        separator = arguments[0] if arguments else UNDEFINED
        self._spend_on_arrays(part, items, separator)
        return self._safely(
            part, lambda: join(items, "," if separator is UNDEFINED else text_of(separator))
        )

    def _apply(self, function: Function, item: Value, index: int) -> Value:
        arguments: list[Value] = [item, index]
        # Parameters beyond those two are undefined.
        scope = {
            name: arguments[place] if place < 2 else UNDEFINED
            for place, name in enumerate(function.parameters)
        }
        self._scopes.append(scope)
        try:
            return self.value(function.body)
        finally:
            self._scopes.pop()

    def _spend_on_arrays(self, part: Part, *values: Value) -> None:
        """Pay for arrays that are about to become text: few parts can make very large ones."""
        for value in values:
            if is_array(value):
                self._budget.spend(ARRAY_STEPS, part.position)

    def _logical(self, part: Logical) -> Value:
        value: Value = UNDEFINED
        for item in part.items:
            value = self.value(item)
            if part.operator == "&&":
                decided = not truthy(value)
            elif part.operator == "||":
                decided = truthy(value)
            else:
                decided = value is not None and value is not UNDEFINED
            if decided:
                break
        return value

    def _binary(self, part: Binary) -> Value:
        left, right = self.value(part.left), self.value(part.right)
        self._spend_on_arrays(part, left, right)
        result = self._safely(part, lambda: self._combine(part, left, right))
        if isinstance(result, str):
            self._budget.spend(len(result) // CHARACTERS_PER_STEP, part.position)
        return result

    def _combine(self, part: Binary, left: Value, right: Value) -> Value:
        match part.operator:
            case "===":
                return strictly_equal(left, right)
            case "!==":
                return not strictly_equal(left, right)
            case "==":
                return loosely_equal(left, right)
            case "!=":
                return not loosely_equal(left, right)
            case "<" | "<=" | ">" | ">=":
                return compare(part.operator, left, right)
            case "+":
                return add(left, right)
            case "in":
                return self._is_in(part, left, right)
            case operator:
                return calculate(operator, left, right)

    def _is_in(self, part: Binary, left: Value, right: Value) -> bool:
        """Unlike in JavaScript, `in` looks for elements of arrays and parts of texts."""
        if is_array(right):
            items = cast("list[Value]", right)
            self._budget.spend(len(items), part.position)
            return array_includes(items, left)
        if isinstance(right, str | Mapping):
            return text_of(left) in right
        raise ExpressionValueError(part.position, f"'in' cannot look into {_kind(right)}")

    def _safely(self, part: Part, work: Callable[[], V]) -> V:
        """The result of work on values; what has none fails at the place of the part."""
        try:
            return work()
        except ValueError as error:
            if isinstance(error, ExpressionError):
                raise
            raise ExpressionValueError(part.position, str(error)) from error


def _kind(value: Value) -> str:
    if value is None or isinstance(value, bool):
        return text_of(value)
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "a number"
    if is_array(value):
        return "an array"
    return "undefined" if value is UNDEFINED else "an object"
