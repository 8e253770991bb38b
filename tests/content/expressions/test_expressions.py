from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.errors import ExpressionError, ExpressionSyntaxError, ExpressionValueError
from content.expressions.evaluation import STEPS, Budget, display, evaluate, holds
from content.expressions.parser import MAX_DEPTH, MAX_LENGTH, parse
from content.expressions.references import references, require_roots
from content.expressions.syntax import UNDEFINED
from tests.growth import soon

CONTEXT: dict[str, Any] = {
    "space": {"vars": {"x": 3, "name": "Docs", "none": None, "half": 1.5, "yes": True}},
    "page": {"vars": {"x": 4}},
    "visitor": {"claims": {"roles": ["admin", "beta"], "plan": "pro", "unsigned": {"lang": "de"}}},
    "changeRequest": {"subject": " Fix ", "outdated": False, "createdBy": {"id": "u1"}},
    "reviews": [
        {"status": "approved", "reviewer": {"id": "u2"}},
        {"status": "approved", "reviewer": {"id": "u3"}},
        {"status": "changes-requested", "reviewer": {"id": "u4"}},
    ],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", UNDEFINED),
        ("  \n ", UNDEFINED),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("0x1F", 31),
        ("'a\\n\\x41\\u0042\\u{43}\\ud83d\\ude00'", "a\nABC😀"),
        ("space.vars.x", 3),
        ('space["vars"].x', 3),
        ("space?.vars?.x", 3),
        ("space.vars.missing", UNDEFINED),
        ("space.missing.deeper.still", UNDEFINED),
        ("nothing.at.all", UNDEFINED),
        ("nothing?.includes('x')", UNDEFINED),
        ("nothing?.a.b.includes('x')", UNDEFINED),
        ("visitor.claims.unsigned.lang === 'de'", True),
        ("visitor.claims.roles.includes('beta')", True),
        ("visitor.claims.roles[1]", "beta"),
        ("visitor.claims.roles[2]", UNDEFINED),
        ("visitor.claims.roles['0']", "admin"),
        ("visitor.claims.roles['00']", UNDEFINED),
        ("visitor.claims.roles.length", 2),
        ("'plan' in visitor.claims", True),
        ("'admin' in visitor.claims.roles", True),
        ("'ad' in 'admin'", True),
        ("0 in visitor.claims.roles", False),
        ("visitor.claims.plan.toUpperCase() + '!'", "PRO!"),
        ("changeRequest.subject.trim().startsWith('Fi')", True),
        ("changeRequest.subject.trim().endsWith('x')", True),
        ("[1, 'a', null, [true]].join('-')", "1-a--true"),
        ("[3, 1].map((n, i) => n + i)", [3, 2]),
        ("[3, 1].map((a, b, c) => c)", [UNDEFINED, UNDEFINED]),
        ("[1].map(() => 2)", [2]),
        ("[[1, 2], [3]].map(row => row.map(x => x * row.length))", [[2, 4], [3]]),
        ("reviews.filter(r => r.status == 'approved').length >= 2", True),
        ("reviews.every(r => r.reviewer.id != changeRequest.createdBy.id)", True),
        ("reviews.some(r => r.status === 'changes-requested')", True),
        ("reviews.map(reviews => reviews.status)[0]", "approved"),
        ("true ? 1 : false ? 2 : 3", 1),
        ("null ?? 'x'", "x"),
        ("0 ?? 'x'", 0),
        ("(null ?? 0) || 'x'", "x"),
        ("'a' && 'b' && 'c'", "c"),
        ("'' || 0 || 'c'", "c"),
        ("1 && 0 || 'c' && 'd'", "d"),
        ("(1 && null) ?? 'c'", "c"),
        ("1 == '1'", True),
        ("1 === '1'", False),
        ("true == 1", True),
        ("true === 1", False),
        ("null == undefined", True),
        ("null === undefined", False),
        ("[1] == 1", True),
        ("[] == ''", True),
        ("[1] == [1]", False),
        ("space == space", True),
        ("'10' < '9'", True),
        ("'10' < 9", False),
        ("undefined < 1", False),
        ("1 / 0 > 1000", True),
        ("-7 % 3", -1),
        ("+'12' + 1", 13),
        ("!!'x'", True),
        ("'Ü' < 'ä'", True),
        ("a?.5:1", 1),
        ("'x'.length", 1),
        ("'abc'[1]", "b"),
    ],
)
def test_values(text: str, value: Any) -> None:
    result = evaluate(parse(text), CONTEXT)
    assert result == value
    assert isinstance(result, bool) == isinstance(value, bool)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("a = 1", 3, "cannot be assigned"),
        ("a b", 3, "expected an operator or the end, found 'b'"),
        ("(1", 3, "expected ')'"),
        ("[1 2]", 4, "expected ','"),
        ("a.", 3, "expected a name behind '.', found the end"),
        ("1 +", 4, "expected a value, found the end"),
        ("a ? 1", 6, "expected ':'"),
        ("new Date()", 1, "'new' is not supported"),
        ("typeof a", 1, "'typeof' is not supported"),
        ("f(1)", 2, "only methods can be called"),
        ("a.constructor()", 3, "there is no method 'constructor'"),
        ("a.b.trim(1)", 5, "trim takes 0 argument(s), not 1"),
        ("a.some(1)", 8, "some takes a function"),
        ("a.includes(x => x)", 12, "functions are arguments of"),
        ("x => x", 3, "only allowed as arguments"),
        ("a.some(x => { 1 })", 13, "braces"),
        ("a.some(=> 1)", 8, "expected a value"),
        ("a.some(true => 1)", 8, "cannot be a parameter"),
        ("a; b", 2, "statements"),
        ("`a`", 1, "backticks"),
        ("'abc", 1, "no closing"),
        ("'\\ud800'", 1, "surrogate"),
        ("'\\u12'", 2, "hexadecimal"),
        ("'\\u{110000}'", 2, "no character above"),
        ("012", 1, "must not start with 0"),
        ("3px", 2, "must be apart"),
        ("a & b", 3, "only && is supported"),
        ("a ?? b || c", 8, "parentheses"),
        ("a || b ?? c", 8, "parentheses"),
        ("a && b ?? c", 8, "parentheses"),
        ("a ?? b && c", 3, "parentheses"),
        ("(" * 40 + "1" + ")" * 40, MAX_DEPTH + 1, "nested"),
        ("!" * 40 + "1", MAX_DEPTH + 1, "nested"),
        ("a" + ".b" * 40, 2 * MAX_DEPTH + 2, "nested"),
        ("1" + "+1" * 40, 2 * MAX_DEPTH + 2, "nested"),
        ("[" + "1," * 300 + "]", 514, "at most 256 parts"),
        ("1" * (MAX_LENGTH + 1), MAX_LENGTH + 1, "at most 1024 characters, not 1025"),
        ("#", 1, "'#' is not part"),
    ],
)
def test_errors_name_the_place_and_what_was_expected(
    text: str, position: int, problem: str
) -> None:
    for _ in range(2):
        # The second time it comes from the cache.
        with pytest.raises(ExpressionSyntaxError) as caught:
            parse(text)
        assert caught.value.position == position
        assert problem in caught.value.problem
        assert str(caught.value).startswith(f"character {position}: ")


def test_long_rows_of_alternatives_are_not_deep() -> None:
    text = " || ".join(f"a == {number}" for number in range(60))
    assert holds(text, {"a": 59})
    assert not holds(text, {"a": 60})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nothing.includes('x')", "undefined has no method 'includes'"),
        ("space.vars.none.trim()", "null has no method 'trim'"),
        ("space.trim()", "an object has no method 'trim'"),
        ("'a'.some(x => x)", "text has no method 'some'"),
        ("[1].trim()", "an array has no method 'trim'"),
        ("1 in 2", "'in' cannot look into a number"),
        ("'a' in nothing", "'in' cannot look into undefined"),
    ],
)
def test_expressions_without_a_value(text: str, problem: str) -> None:
    with pytest.raises(ExpressionValueError, match=problem):
        evaluate(parse(text), CONTEXT)
    assert not holds(text, CONTEXT)
    assert not holds(f"!({text})", CONTEXT)
    assert display(text, CONTEXT) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("space.vars.name", "Docs"),
        ("space.vars.x", "3"),
        ("space.vars.half * 2", "3"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("1e21", "1e+21"),
        ("123456789012345680000", "123456789012345680000"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        ("-1.5e-9", "-1.5e-9"),
        ("100.5", "100.5"),
        ("-0", "0"),
        ("space.vars.yes", "true"),
        ("space.vars.missing", ""),
        ("null", ""),
        ("[1]", ""),
        ("space", ""),
        ("1 +", ""),
    ],
)
def test_what_readers_see(text: str, shown: str) -> None:
    assert display(text, CONTEXT) == shown


def test_conditions() -> None:
    assert holds(None, {})
    assert holds("", {})
    assert holds(" \n", {})
    assert holds("visitor.claims.plan == 'pro'", CONTEXT)
    assert not holds("visitor.claims.plan == 'free'", CONTEXT)
    assert not holds("visitor.claims.plan ==", CONTEXT)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("", []),
        ("1", []),
        ("space.vars.x + page.vars['y']", ["page.vars.y", "space.vars.x"]),
        ("visitor.claims.roles.includes(space.vars.x)", ["space.vars.x", "visitor.claims.roles"]),
        ("visitor.claims[space.vars.x].z", ["space.vars.x", "visitor.claims"]),
        ("visitor?.claims?.a", ["visitor.claims.a"]),
        ("reviews.some(r => r.x == q)", ["q", "reviews"]),
        ("reviews.some(r => r.x).length", ["reviews"]),
        ("a ? b : !c", ["a", "b", "c"]),
        ("[a, -b][0]", ["a", "b"]),
    ],
)
def test_references(text: str, paths: list[str]) -> None:
    assert sorted(".".join(path) for path in references(parse(text))) == paths


def test_roots() -> None:
    require_roots(parse("space.vars.x && [1].some(v => v == page.vars.y)"), {"space", "page"})
    require_roots(parse(""), {"space"})
    with pytest.raises(ExpressionSyntaxError) as caught:
        require_roots(parse("space.vars.x && window.name"), {"space", "page"})
    assert caught.value.position == 17
    assert caught.value.problem == "'window' is unknown here; there are page, space"


@pytest.mark.parametrize(
    "text",
    [
        "[1].map(a => [a,a])" + ".map(b => [b,b])" * 15 + " + ''",
        "n.map(a => n.map(b => n.map(c => n.map(d => n.map(e => 1)))))",
        "n.map(a => n.join(n.join(n.join())))",
        "n.filter(a => n.includes(-1) || true).some(b => n.some(c => n.some(d => d in n)))",
        "t + t + t",
        "n.map(a => t.toUpperCase().toLowerCase())",
    ],
)
def test_work_is_bounded(text: str) -> None:
    context = {"n": list(range(1000)), "t": "x" * 1_000_000}
    with soon(), pytest.raises(ExpressionValueError, match=r"too much work|must not be longer"):
        evaluate(parse(text), context)


def test_a_budget_may_be_shared() -> None:
    budget = Budget(10)
    evaluate(parse("1 + 2"), {}, budget=budget)
    assert budget.steps == 7
    evaluate(parse("1 + 2 + 3"), {}, budget=budget)
    with pytest.raises(ExpressionValueError, match="too much work"):
        evaluate(parse("1 + 2"), {}, budget=budget)
    assert STEPS == 10_000


def test_deep_callers_get_the_error_of_the_language() -> None:
    def below(depth: int, text: str) -> None:
        if depth:
            below(depth - 1, text)
        else:
            evaluate(parse(text), CONTEXT)

    nested = "(" * 30 + "space.vars.deepest" + ")" * 30
    failed = []
    for depth in range(0, 990, 3):
        try:
            below(depth, f"{nested} + {depth}")
        except ExpressionError as error:
            failed.append(str(error))
        except RecursionError:
            break
    assert any("too deep" in message for message in failed)


SYNTAX = """a b n t space page visitor reviews .vars .claims .x ['x'] [0] [ ] ( ) , . ?. ?? ? : => !
- + * / % == === != < >= && || in 1 0 1.5 'x' "y" true null undefined .length .includes( .map(
.some( .filter( .join( .trim() x=> (x,y)=> { } ; = ` \\ \ud800 é"""
PIECES = st.sampled_from(SYNTAX.split())


@given(st.lists(PIECES, max_size=60).map(" ".join) | st.lists(PIECES, max_size=60).map("".join))
def test_any_text_gives_a_value_or_the_error_class(text: str) -> None:
    _check(text)


@given(st.text(max_size=1100))
def test_any_characters_give_a_value_or_the_error_class(text: str) -> None:
    _check(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)
OPERATORS = """+ - * / % == === != !== < <= > >= in && || ??"""


@given(st.sampled_from(OPERATORS.split()), JSON, JSON)
def test_any_two_values_can_be_combined(operator: str, a: Any, b: Any) -> None:
    _check(f"a {operator} b", {"a": a, "b": b})
    _check(f"-a {operator} !b", {"a": a, "b": b})
    _check(f"a[b] {operator} b[a]", {"a": a, "b": b})


METHODS = """includes(b) startsWith(b) endsWith(b) toLowerCase() toUpperCase() trim() join(b) join()
some(x=>x===b) every(x=>x<b) filter(x=>x) map((x,i)=>x+i)"""


@given(st.sampled_from(METHODS.split()), JSON, JSON)
def test_any_value_can_be_asked(method: str, a: Any, b: Any) -> None:
    _check(f"a.{method}", {"a": a, "b": b})


def _check(text: str, context: dict[str, Any] | None = None) -> None:
    context = CONTEXT if context is None else context
    problem = None
    with soon():
        try:
            expression = parse(text)
            references(expression)
            display(text, context)
            holds(text, context)
            evaluate(expression, context)
        except ExpressionError as error:
            problem = error
    assert problem is None or (1 <= problem.position <= len(text) + 1 and problem.problem)
