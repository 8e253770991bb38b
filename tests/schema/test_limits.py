"""Limits and cost of documents: attacks are refused by counting, not by waiting."""

import pytest
from graphql import build_schema, get_introspection_query, parse

from schema import limits as document_limits
from schema.cost_table import CostTable
from schema.documents import Documents, DocumentSettings, Refused
from schema.limits import Limits

SCHEMA = build_schema(
    """
    type Query {
      space(id: ID): Space!
      spaces(first: Int, after: String): SpaceConnection!
      recent(limit: Int = 5): [Space!]!
      search(first: Int): [Result!]!
      things(ids: [ID!]!): [Space]!
      ping: String
    }
    type Mutation { rename(id: ID!, title: String!): Space!, remove(id: ID!): ID }
    type Subscription { changed: Space }
    union Result = Space | Comment
    type PageInfo { endCursor: String }
    type SpaceConnection { edges: [SpaceEdge!]! nodes: [Space!]! pageInfo: PageInfo! total: Int }
    type SpaceEdge { cursor: String node: Space! }
    type CommentConnection { nodes: [Comment!]! pageInfo: PageInfo! total: Int }
    type Space {
      id: ID! title: String parent: Space urls: Urls tags: [Tag!]!
      comments(first: Int = 20, last: Int): CommentConnection!
    }
    type Urls { app: String }
    type Tag { name: String }
    type Comment { id: ID! body: String author: User space: Space }
    type User { name: String }
    """
)
COSTS = CostTable(
    list_sizes={"Space.tags": 3}, weights={"User.slow": 5}, values=frozenset({"Urls", "PageInfo"}),
    by_id=frozenset({"Query.things"}),
)  # fmt: skip


def documents(costs: CostTable = COSTS, introspection: bool = True, **limits: int) -> Documents:
    settings = DocumentSettings(limits=Limits(**limits), costs=costs, introspection=introspection)
    return Documents(SCHEMA, settings)


def cost(text: str, variables: dict[str, object] | None = None, **limits: int) -> int:
    store = documents(**limits)
    document = store.document(text)
    return store.operation(document, store.select(document, None), variables or {}).cost


def refusal(text: str, variables: dict[str, object] | None = None, **limits: int) -> Refused:
    with pytest.raises(Refused) as caught:
        cost(text, variables, **limits)
    return caught.value


def doubling(steps: int, innermost: str) -> str:
    """A document that stands for 2 ** steps times the innermost selections."""
    fragments = [f"fragment F{i} on Space {{ ...F{i + 1} ...F{i + 1} }}" for i in range(steps)]
    last = f"fragment F{steps} on Space {{ {innermost} }}"
    return "{ space { ...F0 } } " + " ".join(fragments) + last


@pytest.mark.parametrize(
    ("limits", "text", "limit", "value"),
    [
        ({"bytes": 20}, "{ ping } # äöü äöü", "bytes", 24),
        ({"depth": 2}, "{ space { parent { id } } }", "depth", 3),
        (
            {"depth": 2},
            "{ ...A } fragment A on Query { space { ... { parent { id } } } }",
            "depth",
            3,
        ),
        ({"aliases": 1}, "{ a: ping b: ping }", "aliases", 2),
        (
            {"root_fields": 2},
            "{ ping ...A } fragment A on Query { ping ... { ping } }",
            "root_fields",
            3,
        ),
        ({"directives": 1}, "{ ping @a @b }", "directives", 2),
        ({"directives": 1}, "{ ...A } fragment A on Query @a @b @c { ping }", "directives", 3),
        ({"directives": 1}, "query @a @b { ping }", "directives", 2),
        (
            {"selections": 4},
            "{ space { ...A } } fragment A on Space { id title parent { id } }",
            "selections",
            6,
        ),
        ({"merges": 2}, "{ ping ping ping }", "merges", 3),
        ({"merges": 2}, "{ ...A ping ... { ping } } fragment A on Query { ping }", "merges", 3),
        ({"list_size": 10}, "{ spaces(first: 11) { total } }", "list_size", 11),
        ({"cost": 10}, "{ spaces(first: 11) { nodes { id } } }", "cost", 11),
    ],
)
def test_error_names_limit_value_and_maximum(
    limits: dict[str, int], text: str, limit: str, value: int
) -> None:
    refused = refusal(text, **limits)
    error = refused.errors[0]
    assert refused.code == "QUERY_TOO_COMPLEX"
    assert error["extensions"]["limit"] == limit
    assert error["extensions"]["value"] >= min(value, limits[limit] + 1)
    assert error["extensions"]["maximum"] == limits[limit]
    assert str(limits[limit]) in error["message"]
    assert limit == "bytes" or error["locations"]


@pytest.mark.parametrize("text", ["{ ping ping ping ping }", "{ ping } " + "#\n" * 6])
def test_tokens_and_comments_are_limited(text: str) -> None:
    refused = refusal(text, tokens=5)
    assert refused.code == "QUERY_TOO_COMPLEX"
    assert refused.errors[0]["extensions"]["limit"] == "tokens"


def test_syntax_error_is_no_limit() -> None:
    assert refusal("{ ping").code == "GRAPHQL_PARSE_FAILED"


def test_what_just_fits_is_allowed() -> None:
    text = "{ a: ping space { parent { id } } }"
    assert cost(text, depth=3, aliases=1, root_fields=2, selections=4, cost=3) == 3


@pytest.mark.parametrize("innermost", ["id", "parent { id }", ""])
def test_doubling_fragments_are_counted_not_expanded(
    innermost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = doubling(150, innermost)
    visits = 0
    measure = document_limits.measure

    def counted(definition: object) -> document_limits.Measure:
        nonlocal visits
        visits += 1
        return measure(definition)  # type: ignore[arg-type]

    monkeypatch.setattr(document_limits, "measure", counted)
    errors = document_limits.check(parse(text), Limits())
    assert visits == len(parse(text).definitions)
    assert [error.extensions["limit"] for error in errors if error.extensions] == ["selections"]


def test_small_exponential_document_is_refused() -> None:
    text = doubling(13, "id")
    assert len(text) < 679
    assert refusal(text).errors[0]["extensions"]["limit"] == "selections"


@pytest.mark.parametrize(
    "text",
    [
        "{ space { ...A } } fragment A on Space { ...A }",
        "{ space { ...A } } fragment A on Space { parent { ...B } } fragment B on Space { ...A }",
        "{ ping } fragment A on Space { ...B ...B } fragment B on Space { parent { ...A ...A } }",
    ],
)
def test_cyclic_fragments_are_a_validation_error(text: str) -> None:
    refused = refusal(text)
    assert refused.code == "GRAPHQL_VALIDATION_FAILED"
    assert "within itself" in refused.errors[0]["message"]


def test_long_chain_of_fragments_does_not_exhaust_the_stack() -> None:
    chain = [f"fragment F{i} on Space {{ parent {{ ...F{i + 1} }} }}" for i in range(5_000)]
    text = "{ space { ...F0 } } " + " ".join(chain) + " fragment F5000 on Space { id }"
    errors = document_limits.check(parse(text), Limits())
    assert {error.extensions["limit"] for error in errors if error.extensions} == {
        "depth",
        "selections",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ ping }", 1),
        ("{ __typename }", 0),
        ("{ space { id title } }", 1),
        ("{ space { parent { parent { id } } } }", 3),
        ("{ space { urls { app } } }", 1),
        ("{ space { tags { name } } }", 1 + 3),
        ("{ recent { id } }", 5),
        ("{ recent(limit: 7) { id } }", 7),
        ("{ search { __typename } }", 50),
        ("{ spaces { nodes { id } } }", 50),
        ("{ spaces(first: null) { nodes { id } } }", 50),
        ("{ spaces(first: 0) { nodes { id } } }", 1),
        ("{ spaces(first: -5) { nodes { id } } }", 1),
        ("{ spaces(first: 10) { total pageInfo { endCursor } } }", 1),
        ("{ spaces(first: 10) { nodes { id } edges { node { id } } } }", 10),
        ("{ spaces(first: 10) { edges { cursor node { parent { id } } } } }", 20),
        ("{ spaces(first: 10) { list: nodes { comments { nodes { author { name } } } } } }", 410),
        ("{ spaces(first: 10) { nodes { comments { total } } } }", 20),
        ("{ space { comments(last: 4) { nodes { id } } } }", 1 + 4),
        ("mutation { remove(id: 1) }", 1),
        (
            "{ search(first: 2) { ...on Space { parent { id } } ...on Comment { space { id } } } }",
            6,
        ),
    ],
)
def test_cost_is_a_point_per_object(text: str, expected: int) -> None:
    assert cost(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{ a: recent(limit: 10) { parent { id } } a: recent(limit: 10) { parent { title } } }",
        "{ ...A ...A ... { ...A } } fragment A on Query { recent(limit: 10) { parent { id } } }",
        "{ spaces(first: 10) { nodes { parent { id } parent { title } ... { parent { id } } } } }",
    ],
)
def test_merged_fields_count_once(text: str) -> None:
    assert cost(text) == 20


def test_aliases_count_each() -> None:
    assert (
        cost("{ a: spaces(first: 10) { nodes { id } } b: spaces(first: 5) { nodes { id } } }") == 15
    )


def test_variables_decide_sizes_and_inclusion() -> None:
    text = """query ($n: Int = 3, $with: Boolean!) {
      spaces(first: $n) { nodes { id parent @include(if: $with) { id } } }
      space @skip(if: $with) { id }
    }"""
    assert cost(text, {"with": False}) == 3 + 1
    assert cost(text, {"with": True}) == 6
    assert cost(text, {"with": True, "n": 100}) == 200
    assert cost(text, {"with": True, "n": None}) == 100
    assert refusal(text, {"with": True, "n": 1_001}).errors[0]["extensions"]["limit"] == "list_size"


def test_absent_and_null_variables_are_told_apart_when_costs_are_kept() -> None:
    store = documents()
    text = "query ($n: Int) { recent(limit: $n) { id } }"
    document = store.document(text)
    node = store.select(document, None)
    costs = [
        store.operation(document, node, given).cost for given in ({}, {"n": None}, {}, {"n": 2})
    ]
    assert costs == [5, 50, 5, 2]


def test_default_limit_refuses_nested_lists_with_the_cost_in_the_answer() -> None:
    refused = refusal("{ spaces(first: 100) { nodes { comments(first: 100) { nodes { id } } } } }")
    assert refused.extensions["cost"] == {"requested": 10_100, "limit": 10_000}


def test_declared_weights_count() -> None:
    store = documents(CostTable(weights={"Query.search": 4}))
    document = store.document("{ search(first: 3) { __typename } }")
    assert store.operation(document, store.select(document, None), {}).cost == 12


def test_standard_introspection_is_allowed_and_cheap() -> None:
    standard = get_introspection_query(
        directive_is_repeatable=True, schema_description=True, input_value_deprecation=True
    )
    assert cost(standard) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
        "{"
        + " ".join(
            f"a{i}: __schema {{ types {{ fields {{ args {{ type {{ name }} }} }} }} }}"
            for i in range(40)
        )
        + "}",
        "{ __schema { types {"
        + " ".join(f"a{i}: fields {{ args {{ type {{ name }} }} }}" for i in range(60))
        + "} } }",
    ],
)
def test_introspection_cannot_be_multiplied(text: str) -> None:
    assert refusal(text).code in ("GRAPHQL_VALIDATION_FAILED", "QUERY_TOO_COMPLEX")


def test_introspection_switched_off_hides_names() -> None:
    store = documents(introspection=False)
    with pytest.raises(Refused, match="GRAPHQL_VALIDATION_FAILED"):
        store.document("{ __schema { types { name } } }")
    with pytest.raises(Refused) as caught:
        store.document("{ spacess { id } ... on Quary { ping } space(idd: 1) { id } }")
    for error in caught.value.errors:
        assert "Did you mean" not in error["message"]
    with pytest.raises(Refused) as suggesting:
        documents().document("{ spacess { id } }")
    assert "Did you mean 'spaces'" in suggesting.value.errors[0]["message"]


def test_outcomes_are_kept_within_bounds() -> None:
    settings = DocumentSettings(cached_documents=3, cached_bytes=100)
    store = Documents(SCHEMA, settings)
    first = store.document("{ ping }")
    assert store.document("{ ping }") is first
    once = store.document("{ once: ping }")
    for i in range(10):
        store.document(f"{{ a{i}: ping }}")
        with pytest.raises(Refused):
            store.document(f"{{ b{i}: pong }}")
    # What was asked for again stays, unless its text alone had to go.
    assert store.document("{ ping }").parsed is first.parsed
    assert store.document("{ once: ping }").parsed is not once.parsed
    assert len(store._parsed) <= 3
    large = "{ ping } #" + "x" * 100
    assert store.document(large) is not store.document(large)


def test_refusals_are_kept_and_do_not_grow() -> None:
    store = documents()
    found = []
    for _ in range(3):
        with pytest.raises(Refused) as caught:
            store.document("{ pong }")
        found.append(caught.value)
    assert found[0].errors is found[2].errors
    assert len({id(refused) for refused in found}) == 3


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("query A { ping } query B { ping }", None, "operationName is needed"),
        ("query A { ping } query B { ping }", "C", "no operation named 'C'"),
        ("{ ping }", "A", "no operation named"),
    ],
)
def test_operation_has_to_be_determined(text: str, name: str | None, problem: str) -> None:
    store = documents()
    with pytest.raises(Refused, match="OPERATION_RESOLUTION_FAILURE") as caught:
        store.select(store.document(text), name)
    assert problem in caught.value.errors[0]["message"]


IDS = "query($ids: [ID!]!) { things(ids: $ids) { comments(first: 9) { nodes { body } } } }"


@pytest.mark.parametrize("count", [0, 1, 2, 100])
def test_objects_by_their_ids_cost_their_number_times_what_is_below(count: int) -> None:
    ids = [str(number) for number in range(count)]
    listed = ", ".join(f'"{id}"' for id in ids)
    literal = f"{{ things(ids: [{listed}]) {{ comments(first: 9) {{ nodes {{ body }} }} }} }}"
    assert cost(literal) == cost(IDS, {"ids": ids}) == max(1, count * 10)


def test_one_id_is_a_list_of_one() -> None:
    assert cost('{ things(ids: "1") { title } }') == 1
    assert cost("query($id: ID!) { things(ids: [$id]) { title } }", {"id": "1"}) == 1
    assert cost('query($ids: [ID!]! = ["1", "2"]) { things(ids: $ids) { title } }') == 2
    assert cost("query($ids: [ID!]!) { things(ids: $ids) { title } }", {"ids": "1"}) == 1


def test_the_cost_of_ids_is_known_by_their_number() -> None:
    store = documents()
    document = store.document(IDS)
    operation = store.select(document, None)
    for count in (3, 1, 3, 2):
        given = {"ids": ["a"] * count}
        assert store.operation(document, operation, given).cost == count * 10


def test_too_many_ids_are_refused_before_execution() -> None:
    refused = refusal(IDS, {"ids": ["a"] * 101}, cost=1000)
    (error,) = refused.errors
    assert (refused.code, error["extensions"]["value"]) == ("QUERY_TOO_COMPLEX", 1010)
