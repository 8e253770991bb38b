"""A document that is shared by texts with other literals answers as each text by itself would."""

from collections.abc import Coroutine
from typing import Any

import pytest
from graphql import (
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSyntaxError,
    StringValueNode,
    build_schema,
    execute_sync,
    get_variable_values,
    parse,
    validate,
)
from hypothesis import given, settings, strategies as st

from schema.cost import CostEstimator
from schema.cost_table import CostTable
from schema.documents import Documents, DocumentSettings
from schema.engine.engine import Engine
from schema.execution import execute
from schema.limits import Limits
from schema.literals import FLOAT, INT, split
from schema.refusals import Refused

SCHEMA = build_schema(
    """
    scalar Json
    scalar Even
    scalar Gap
    enum Color { RED GREEN }
    input Choice @oneOf { number: Int name: String }
    input Filter {
      ids: [ID!] size: Int = 3 ratio: Float text: String color: Color inner: Filter json: Json
      choice: Choice grid: [[Int]]
    }
    type Query {
      echo(
        int: Int float: Float id: ID text: String ids: [ID!] grid: [[Int!]] filter: Filter
        json: Json even: Even gap: Gap color: Color flag: Boolean need: ID! = "given"
      ): String
      full(gap: Gap!): String
      fail(text: String): String
      item(id: ID): Item
      items(first: Int = 2): [Item!]!
    }
    type Mutation { write(text: String!, size: Int): Item }
    type Subscription { changed(id: ID!): Item }
    type Item {
      name(prefix: String, size: Int): String
      fail(text: String): String!
      children(first: Int, last: Int): [Item!]!
    }
    """
)


def resolve(source: Any, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    """Answer with the arguments as they arrived; `fail` fails with them."""
    said = repr(sorted(arguments.items()))
    if info.field_name == "fail":
        raise ValueError(said)
    if info.field_name in ("items", "children"):
        return [said] * max(0, min(3, arguments.get("first") or 0))
    return said


for type_ in ("Query", "Mutation", "Item"):
    for its_field in SCHEMA.type_map[type_].fields.values():
        its_field.resolve = resolve


def even(value: Any) -> int:
    number = int(value)
    if number % 2:
        raise GraphQLError("Even cannot be odd.")
    return number


def gap(node: Any) -> str | None:
    value = node.value if isinstance(node, StringValueNode) else "?"
    return value or None


SCHEMA.type_map["Even"].coerce_input_value = even
SCHEMA.type_map["Even"].coerce_input_literal = lambda node: even(node.value)
SCHEMA.type_map["Gap"].coerce_input_literal = gap

LIMITS = Limits(list_size=50, cost=300)
SETTINGS = DocumentSettings(limits=LIMITS)
ENGINE = Engine(SCHEMA)
ESTIMATOR = CostEstimator(SCHEMA, LIMITS, CostTable())


def plain(text: str, variables: dict[str, Any]) -> Any:
    """Data, errors and cost, or the refusal, by graphql-core alone."""
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return "GRAPHQL_PARSE_FAILED", [error.formatted]
    if errors := validate(SCHEMA, document, max_errors=20):
        return "GRAPHQL_VALIDATION_FAILED", [error.formatted for error in errors]
    operation = document.definitions[0]
    values = get_variable_values(
        SCHEMA, operation.variable_definitions or (), variables, max_errors=20
    )
    if isinstance(values, list):
        return "BAD_USER_INPUT", [error.formatted for error in values]
    found = ESTIMATOR.check(document, operation, values.coerced)
    if found.errors:
        return "QUERY_TOO_COMPLEX", [error.formatted for error in found.errors]
    result = execute_sync(SCHEMA, document, variable_values=variables)
    errors = [error.formatted for error in result.errors or ()]
    return result.data, errors, found.cost


def completed(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that waits for nothing."""
    with pytest.raises(StopIteration) as stopped:
        coroutine.send(None)
    return stopped.value.value


def without(code: str, error: dict[str, Any]) -> dict[str, Any]:
    """A refused request's error without what every one has: the code and the HTTP status."""
    extensions = {
        key: value
        for key, value in error["extensions"].items()
        if (key, value) not in (("code", code), ("status", 400))
    }
    bare = {key: value for key, value in error.items() if key != "extensions"}
    return {**bare, "extensions": extensions} if extensions else bare


def shared(store: Documents, text: str, variables: dict[str, Any]) -> Any:
    """The same through a store that may know the text's skeleton."""
    try:
        document = store.document(text)
        operation = store.operation(document, store.select(document, None), variables)
    except Refused as refused:
        return refused.code, [without(refused.code, error) for error in refused.errors]
    result = completed(execute(ENGINE, operation, None))
    errors = [error.formatted for error in result.errors or ()]
    return result.data, errors, operation.cost


# Literals as they may be written, most of them where they fit.
@st.composite
def mostly(draw: Any, common: Any, rare: Any) -> str:
    return draw(rare if draw(st.integers(0, 24)) == 13 else common)


INTS = mostly(
    st.integers(-3, 20).map(str), st.sampled_from(["2147483647", "2147483648", "-0", "9" * 30])
)
FLOATS = st.sampled_from(["1.5", "-0.25", "1e3", "1E-3", "0.0", "1e999"])
UNESCAPED = st.characters(exclude_characters='"\\\n\r', codec="utf-8")
STRINGS = mostly(
    st.one_of(
        st.text(UNESCAPED, max_size=8).map('"{}"'.format),
        st.sampled_from(['""', '"a"', '"5"', '"\\""', '"\\u0061"', '"\\u{1F600}"']),
    ),
    st.sampled_from(['"\\uD800"', '"\\q"']),
)
BLOCKS = st.sampled_from(['"""a"""', '""""""', '""" 1 "2" """'])
OTHERS = st.sampled_from(["null", "true", "RED", "$v", "[]", "{}", "[1, 2.5]"])
WILD = st.one_of(INTS, FLOATS, STRINGS, BLOCKS, OTHERS)
JSON = st.one_of(WILD, st.tuples(INTS, STRINGS).map(lambda two: f"[{two[0]}, {{a: {two[1]}}}]"))
IDS = st.one_of(STRINGS, INTS)
CHOICE = st.one_of(INTS.map("{{number: {}}}".format), STRINGS.map("{{name: {}}}".format))
FILTER = st.tuples(IDS, IDS, st.one_of(INTS, FLOATS), STRINGS, CHOICE, st.one_of(JSON, OTHERS)).map(
    lambda given: "{{ids: [{}, {}], ratio: {}, inner: {{text: {}, choice: {}}}, json: {}}}".format(
        *given
    )
)
ARGUMENTS = {
    "int": INTS,
    "float": st.one_of(FLOATS, INTS),
    "id": IDS,
    "text": st.one_of(STRINGS, BLOCKS),
    "ids": st.one_of(
        IDS,
        IDS.map("[{}, $v]".format),
        st.lists(IDS, max_size=2).map(lambda some: f"[{' '.join(some)}]"),
    ),
    "grid": st.one_of(INTS, INTS.map("[[{}], 2]".format)),
    "filter": FILTER,
    "json": JSON,
    "even": st.one_of(INTS, STRINGS),
    "gap": STRINGS,
    "need": IDS,
}


@st.composite
def arguments(draw: Any, names: tuple[str, ...]) -> str:
    chosen = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    parts = []
    for name in chosen:
        fitting = ARGUMENTS.get(name, INTS)
        parts.append(f"{name}: {draw(mostly(fitting, WILD))}")
    return f"({' '.join(parts)})" if parts else ""


@st.composite
def item_fields(draw: Any, depth: int = 0) -> str:
    parts = []
    for index in range(draw(st.integers(1, 2))):
        alias = draw(st.sampled_from([f"c{index}: ", f"d{depth}{index}: ", "", ""]))
        name = draw(st.sampled_from(["name", "fail", "children"] if depth < 2 else ["name"]))
        if name == "children":
            inner = draw(item_fields(depth=depth + 1))
            parts.append(f"{alias}children{draw(arguments(('first', 'last')))} {{ {inner} }}")
        else:
            names = ("prefix", "size") if name == "name" else ("text",)
            parts.append(f"{alias}{name}{draw(arguments(names))}")
    return draw(st.sampled_from([" ", "\n", " # 1 \n"])).join(parts)


ARGUMENTS |= {"prefix": STRINGS}
ECHO = ("int", "float", "id", "text", "ids", "grid", "filter", "json", "even", "gap", "need")


@st.composite
def texts(draw: Any) -> str:
    parts = []
    for index in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(["echo", "echo", "fail", "item", "items"]))
        alias = draw(st.sampled_from([f"c{index}: ", f"a{index}: ", f"b{index}: ", f"{name}: "]))
        if name in ("item", "items"):
            names = ("id",) if name == "item" else ("first",)
            part = f"{name}{draw(arguments(names))} {{ {draw(item_fields())} ...F }}"
        else:
            part = f"{name}{draw(arguments(ECHO if name == 'echo' else ('text',)))}"
        if draw(st.integers(0, 9)) == 0:
            condition = draw(st.sampled_from(["true", "false", "false", "1"]))
            part = f"... @skip(if: {condition}) {{ {part} }}"
        parts.append(alias + part if part[0] != "." else part)
    body = "\n  ".join(parts)
    fragment = f"fragment F on Item {{ {draw(item_fields(depth=2))} }}" if "...F" in body else ""
    heads = ["query ($v: Int = 3) "] if "$v" in body else ["", "query Q "]
    head = draw(st.sampled_from(heads))
    return f"{head}{{ {body} }}\n{fragment}"


def relettered(draw: Any, text: str) -> str:
    """The same text with literals of the same kinds drawn anew."""
    skeleton, literals = split(text)
    given = iter(literals)
    parts: list[str] = []
    for part in skeleton:
        if isinstance(part, str):
            parts.append(part)
            continue
        old = next(given)
        fresh = {INT: INTS, FLOAT: FLOATS}.get(part, STRINGS)
        parts.append(old if draw(st.integers(0, 2)) == 0 else draw(fresh))
    return "".join(parts)


def test_shared_answers_are_the_plain_ones() -> None:
    known = Documents(SCHEMA, SETTINGS)

    @settings(max_examples=150, deadline=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        text = data.draw(texts())
        variables = data.draw(st.sampled_from([{}, {}, {"v": 7}, {"v": "x"}, {"0": 1, "1": "a"}]))
        for written in (text, relettered(data.draw, text), relettered(data.draw, text), text):
            assert shared(known, written, variables) == plain(written, variables), written

    check()
    # What was drawn was neither all new, nor all refused, nor all known.
    lookups = known.lookups
    assert min(lookups.known, lookups.lifted, lookups.prepared) > 20, lookups


@pytest.mark.parametrize(
    "texts",
    [
        # Merged fields with other literals conflict, however these are spelled.
        ['{ a: fail(text: "x") a: fail(text: "x") }', '{ a: fail(text: "x") a: fail(text: "y") }'],
        [
            '{ a: fail(text: "a") a: fail(text: "\\u0061") }',
            '{ a: fail(text: "a") a: fail(text: "b") }',
        ],
        [
            "{ item { ...F ... { a: name(size: 1) } } } fragment F on Item { a: name(size: 1) }",
            "{ item { ...F ... { a: name(size: 1) } } } fragment F on Item { a: name(size: 2) }",
        ],
        [
            "{ a: item { b: name(size: 1) } a: item { b: name(size: 1) } }",
            "{ a: item { b: name(size: 1) } a: item { b: name(size: 2) } }",
        ],
        # Kinds are never taken for each other.
        ["{ echo(id: 1) }", '{ echo(id: "1") }', "{ echo(id: 1.0) }"],
        ["{ echo(float: 1) }", "{ echo(float: 1.0) }", '{ echo(float: "1") }'],
        ["{ echo(int: 1) }", "{ echo(int: 3000000000) }", "{ echo(int: -0) }"],
        ["{ echo(even: 2) }", "{ echo(even: 3) }", "{ echo(even: 4) }"],
        ['{ echo(gap: "a") }', '{ echo(gap: "") }'],
        ['{ full(gap: "a") }', '{ full(gap: "") }'],
        ['{ echo(need: "a") }', "{ echo }"],
        # What is not lifted is told apart.
        ["query ($v: Int = 1) { echo(int: $v) }", "query ($v: Int = 2) { echo(int: $v) }"],
        ["{ echo(json: [1]) }", "{ echo(json: [2]) }", '{ echo(json: {a: "b"}) }'],
        ["query ($v: Int) { echo(grid: [[1, $v]]) }", "query ($v: Int) { echo(grid: [[2, $v]]) }"],
        # Errors are about the text that was sent.
        ['{ x: fail(text: "a") fail }', '{ x: fail(text: "long\\n") fail }'],
        [
            '{ a: echo(text: "a")\n item { fail(text: "b") } }',
            '{ a: echo(text: "")\n item { fail(text: "") } }',
        ],
        ["{ items(first: 1) { name } }", "{ items(first: 51) { name } }"],
        [
            "{ echo(int: 1) items(first: 1) { name } }",
            "{ echo(int: 10) items(first: 51) { name } }",
        ],
        [
            "{ echo(int: 1) items(first: 1) { children(first: 50) { name } } }",
            "{ echo(int: 100) items(first: 9) { children(first: 50) { name } } }",
        ],
        [
            'query ($v: Int!) { a: echo(text: "a") echo(int: $v) }',
            'query ($v: Int!) { a: echo(text: "aa") echo(int: $v) }',
        ],
        ["query A { echo(int: 1) }", "query A { echo(int: 22) }"],
        [
            'mutation { write(text: "a", size: 1) { name(size: 1) } }',
            'mutation { write(text: "b", size: 2) { name(size: 3) } }',
        ],
    ],
)
def test_texts_of_one_skeleton(texts: list[str]) -> None:
    for order in (texts, texts[::-1]):
        store = Documents(SCHEMA, SETTINGS)
        for variables in ({}, {"v": 5}, {"v": None}):
            for text in [*order, *order]:
                assert shared(store, text, variables) == plain(text, variables), text


def test_a_null_variable_beside_a_literal_is_located_in_the_text() -> None:
    """Such an argument fails only in the execution, about a value within it."""
    store = Documents(SCHEMA, SETTINGS)
    for text in ("a", "longer"):
        document = (
            f'query ($v: String = "x") {{ a: echo(text: "{text}")'
            f' echo(filter: {{text: "{text}", choice: {{number: 1}}, ids: ["{text}", "b"]}})'
            f' b: echo(filter: {{text: "{text}", ids: ["{text}"], inner: {{text: $v}}}}) }}'
        )
        for variables in ({}, {"v": None}, {"v": "y"}):
            assert shared(store, document, variables) == plain(document, variables)
    choice = 'query ($v: Int!) {{ echo(filter: {{text: "{}", choice: {{number: $v}}}}) }}'
    listed = 'query ($v: ID = 1) {{ echo(ids: ["{}", $v]) }}'
    for pattern in (choice, listed):
        for text in ("a", "longer"):
            for variables in ({}, {"v": None}, {"v": 1}):
                written = pattern.format(text)
                assert shared(store, written, variables) == plain(written, variables)


def test_hits_are_counted() -> None:
    store = Documents(SCHEMA, SETTINGS)
    for text in (
        "{ echo(int: 1) }",
        "{ echo(int: 2) }",
        "{ echo(int: 2) }",
        "{ echo }",
        "{ echo }",
    ):
        store.document(text)
    assert (store.lookups.prepared, store.lookups.lifted, store.lookups.known) == (2, 1, 2)
    assert store.document("{ echo(int: 3) }").parsed is store.document("{ echo(int: 1) }").parsed


def test_lists_are_not_shared_by_requests() -> None:
    store = Documents(SCHEMA, SETTINGS)
    values = []
    for _ in range(3):
        document = store.document('{ echo(ids: "a") }')
        operation = store.operation(document, store.select(document, None), {})
        values.append(next(iter(operation.variables.coerced.values())))
    assert values == [["a"]] * 3
    assert len({id(value) for value in values}) == 3
    assert store.lookups.prepared == 1


def test_subscriptions_are_not_lifted() -> None:
    store = Documents(SCHEMA, SETTINGS)
    one = store.document('subscription { changed(id: "a") { name } }')
    other = store.document('subscription { changed(id: "b") { name } }')
    assert one.parsed is not other.parsed


def test_texts_of_a_forgotten_document_are_forgotten() -> None:
    store = Documents(SCHEMA, DocumentSettings(cached_documents=2))
    first = store.document("{ echo(int: 1) }").parsed
    for number in range(20):
        store.document(f"{{ echo(int: {number}) }}")
    assert store.document("{ echo(int: 1) }").parsed is first
    assert len(first.texts) == 2
    for number in range(6):
        for _ in range(2):
            store.document(f"{{ a{number}: echo(int: 1) }}")
    assert not first.texts
    assert store.document("{ echo(int: 1) }").parsed is not first


def test_a_text_that_is_too_long_by_its_literals_is_refused() -> None:
    store = Documents(SCHEMA, DocumentSettings(limits=Limits(bytes=40)))
    store.document('{ echo(text: "a") }')
    with pytest.raises(Refused, match="QUERY_TOO_COMPLEX"):
        store.document('{ echo(text: "%s") }' % ("a" * 40))
    with pytest.raises(Refused, match="QUERY_TOO_COMPLEX"):
        store.document('{ echo(text: "%s") }' % ("é" * 20))
