"""The trace of one operation: what each field of its plan has cost."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from db.metering import Spent
from schema.engine.plan import Field


@dataclass(slots=True)
class FieldCost:
    """Calls of one field's source, in seconds; `rows` are the parents that it was called for."""

    calls: int = 0
    rows: int = 0
    statements: int = 0
    sql_seconds: float = 0.0
    python_seconds: float = 0.0


class OperationTrace:
    """Filled by the engine; only fields with a function of their own are there.

    The time of a field is that of its function. Making the answer of what the functions gave is
    in the total.
    """

    def __init__(self, spent: Spent, *, shown: bool = True) -> None:
        """`shown` says whether it is part of the answer."""
        self.spent = spent
        self.shown = shown
        self.fields: dict[Field, FieldCost] = {}
        self._start = perf_counter()

    def meter(self) -> tuple[int, float]:
        """Statements and their seconds so far."""
        return self.spent.statements, self.spent.seconds

    def record(self, field: Field, rows: int, seconds: float, before: tuple[int, float]) -> None:
        """A source was called for so many rows; `before` is what `meter` gave before it."""
        statements, sql_seconds = before
        cost = self.fields.setdefault(field, FieldCost())
        cost.calls += 1
        cost.rows += rows
        cost.statements += self.spent.statements - statements
        sql = self.spent.seconds - sql_seconds
        cost.sql_seconds += sql
        cost.python_seconds += max(0.0, seconds - sql)

    def report(self) -> dict[str, Any]:
        """The trace as it stands in an answer; durations in milliseconds."""
        total = perf_counter() - self._start
        return {
            "milliseconds": _milliseconds(total),
            "statements": self.spent.statements,
            "sqlMilliseconds": _milliseconds(self.spent.seconds),
            "fields": [
                {
                    "field": field.coordinate,
                    "name": field.name,
                    "calls": cost.calls,
                    "rows": cost.rows,
                    "statements": cost.statements,
                    "sqlMilliseconds": _milliseconds(cost.sql_seconds),
                    "pythonMilliseconds": _milliseconds(cost.python_seconds),
                }
                for field, cost in self.fields.items()
            ],
        }


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
