"""Random expressions have the values that JavaScript gives them."""

from __future__ import annotations

import json
import random
import subprocess
from typing import Any

from content.errors import ExpressionError
from content.expressions.evaluation import evaluate
from content.expressions.parser import parse
from content.expressions.syntax import UNDEFINED
from content.expressions.values import is_number, number_of, number_text
from tests.node_packages import NODE, program

SCRIPT = NODE / "expressions.js"

CONTEXT: dict[str, Any] = {
    "a": 3, "b": "3", "c": None, "d": True, "e": "", "f": -0.5, "g": [1, "2", None, [3]],
    "h": {"x": 1, "y": {"z": "w"}}, "i": "Straße", "j": 1e21, "k": [], "l": " 0x10 ",
}  # fmt: skip
LITERALS = (
    "0", "1", "-1", "1.5", "1e21", "1e-7", "123456789", "0.1", "'a'", "'B'", "' 12 '", "''",
    "'1e3'", "'Infinity'", "'1_0'", "'nan'", "true", "false", "null", "undefined", "[]", "[1, 'x']",
)  # fmt: skip
METHODS = (
    "includes({})", "startsWith({})", "endsWith({})", "toLowerCase()", "toUpperCase()", "trim()",
    "join({})", "join()", "some(v => v == {})", "every(v => v != {})", "filter(v => v > {})",
    "map((v, n) => n + v)", "length",
)  # fmt: skip
BINARY = (
    "+", "-", "*", "/", "%", "==", "===", "!=", "!==", "<", "<=", ">", ">=", "&&", "||", "??",
)  # fmt: skip


def written(chance: random.Random, depth: int) -> str:
    """A random expression; parentheses stand where JavaScript would refuse a mix without."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice([*CONTEXT, *LITERALS])
    inner = [written(chance, depth - 1) for _ in range(3)]
    kind = chance.randrange(12)
    if kind < 5:
        operator = chance.choice(BINARY)
        if operator in ("&&", "||", "??") or chance.random() < 0.3:
            return f"({inner[0]}) {operator} ({inner[1]})"
        return f"{inner[0]} {operator} {inner[1]}".replace("--", "- -").replace("++", "+ +")
    if kind == 5:
        return f"({inner[0]} ? {inner[1]} : {inner[2]})"
    if kind == 6:
        return f"{chance.choice('!-+')}({inner[0]})"
    if kind == 7:
        return f"[{inner[0]}, {inner[1]}]"
    if kind == 8:
        return f"({inner[0]})?.{chance.choice(['x', 'y', 'y?.z', 'x.length', 'y.z'])}"
    if kind == 9:
        return f"({inner[0]})?.[{inner[1]}]"
    return f"({inner[0]})?.{chance.choice(METHODS).format(inner[1])}"


def shown(value: Any) -> list[str]:
    """A value as the script shows it."""
    if value is UNDEFINED:
        return ["undefined", "undefined"]
    if isinstance(value, bool):
        return ["boolean", str(value).lower()]
    if is_number(value):
        return ["number", number_text(number_of(value))]
    if isinstance(value, str):
        return ["string", value]
    return ["object", json.dumps(_json(value), separators=(",", ":"), ensure_ascii=False)]


def _json(value: Any) -> Any:
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    if value is UNDEFINED or (is_number(value) and abs(number_of(value)) in (float("inf"),)):
        return None
    if is_number(value):
        number = number_of(value)
        if number != number:
            return None
        # The digits of JavaScript; those with an exponent are not compared.
        whole = number.is_integer() and abs(number) < 1e21
        return int(number_text(number)) if whole else number
    return value


def test_values_are_those_of_javascript() -> None:
    chance = random.Random(7)
    expressions = [written(chance, chance.randint(1, 3)) for _ in range(6000)]
    expressions = [text for text in expressions if len(text) <= 1024]
    answer = subprocess.run(
        [program("node"), str(SCRIPT)],
        input=json.dumps({"context": CONTEXT, "expressions": expressions}),
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    compared = 0
    for text, (kind, value) in zip(expressions, json.loads(answer.stdout), strict=True):
        try:
            ours = shown(evaluate(parse(text), CONTEXT))
        except ExpressionError:
            ours = ["error", ""]
        if kind == "function" or (kind == "error" and ours[0] != "error"):
            # A member that only JavaScript has, or a missing one, which is no error here.
            continue
        if kind == "object" and "e" in value.lower():
            # Numbers with exponents are written in more than one way in JSON.
            continue
        compared += 1
        assert ours == [kind, value], text
    assert compared > 5000
