from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, strategies as st

from content.documents.evaluation import Evaluation, evaluate_document, variables_context
from content.documents.plain_text import plain_text
from content.markdown.parser import parse_document

CONTEXT = variables_context({"version": "2.0", "beta": True, "n": 3}, {"x": 1}, {"plan": "pro"})
ALL = Evaluation(CONTEXT)
KNOWN = Evaluation(CONTEXT, deterministic_only=True)
VALUES = Evaluation(CONTEXT, deterministic_only=True, conditions=False)


def expression(text: str) -> dict[str, Any]:
    return {
        "object": "inline", "type": "expression", "key": "e", "isVoid": True,
        "data": {"expression": text},
    }  # fmt: skip


def paragraph(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"object": "block", "type": "paragraph", "data": {}, "nodes": list(nodes)}


def text(value: str) -> dict[str, Any]:
    return {"object": "text", "leaves": [{"object": "leaf", "text": value, "marks": []}]}


def condition(value: str, *nodes: dict[str, Any]) -> dict[str, Any]:
    return {"object": "block", "type": "if", "data": {"expression": value}, "nodes": list(nodes)}


def document(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"object": "document", "data": {}, "nodes": list(nodes)}


def shown(*nodes: dict[str, Any], evaluation: Evaluation = ALL) -> list[dict[str, Any]]:
    given = document(*nodes)
    before = copy.deepcopy(given)
    result = evaluate_document(given, evaluation)
    assert given == before
    nodes_left: list[dict[str, Any]] = result["nodes"]
    return nodes_left


def test_expressions_become_text() -> None:
    assert shown(paragraph(text("v"), expression("space.vars.version"))) == [
        paragraph(text("v"), {**text("2.0"), "key": "e"})
    ]
    for failing in ("space.vars.", "nothing.trim()", "space.vars.missing", ""):
        assert shown(paragraph(expression(failing))) == [paragraph({**text(""), "key": "e"})]


def test_values_alone_leave_conditions() -> None:
    """Also those that do not hold: whoever edits sees what is in them, with its values."""
    claim = expression("visitor.claims.plan")
    for one in ("space.vars.beta", "!space.vars.beta", "visitor.claims.plan", "a b"):
        left = shown(
            condition(one, paragraph(expression("space.vars.version"), claim)), evaluation=VALUES
        )
        assert left == [condition(one, paragraph({**text("2.0"), "key": "e"}, claim))]


def test_conditions_give_way_to_what_is_in_them() -> None:
    inside = paragraph(expression("page.vars.x"))
    assert shown(condition("space.vars.beta", inside, condition("true", paragraph(text("b"))))) == [
        paragraph({**text("1"), "key": "e"}),
        paragraph(text("b")),
    ]
    for false in ("!space.vars.beta", "nothing.trim()", "1 +", "visitor.claims.missing"):
        assert shown(condition(false, inside), paragraph(text("c"))) == [paragraph(text("c"))]
    assert shown(condition("", paragraph(text("a")))) == [paragraph(text("a"))]


def test_everywhere_in_a_document() -> None:
    table = {
        "object": "block", "type": "table", "data": {}, "isVoid": True,
        "fragments": [
            {"object": "fragment", "fragment": "f", "type": "table-cell",
             "nodes": [paragraph(expression("space.vars.n")), condition("false", paragraph())]},
        ],
    }  # fmt: skip
    line = {"object": "block", "type": "code-line", "nodes": [expression("space.vars.n + 1")]}
    code = {"object": "block", "type": "code", "data": {"syntax": "sh"}, "nodes": [line]}
    made_table, made_code = shown(table, code)
    assert made_table["fragments"][0]["nodes"] == [paragraph({**text("3"), "key": "e"})]
    assert made_code["nodes"][0]["nodes"] == [{**text("4"), "key": "e"}]


def test_templates_stand_in_addresses_only() -> None:
    url = "https://a.example/{{ visitor.claims.plan }}/{{space.vars.n}}/{{ 1 + }}"
    link = {"object": "inline", "type": "link", "data": {"ref": {"kind": "url", "url": url}}}
    embed = {"object": "block", "type": "embed", "data": {"url": url, "fullWidth": True}}
    made_link, made_embed, plain = shown(paragraph(link), embed, paragraph(text(url)))
    assert made_link["nodes"][0]["data"]["ref"]["url"] == "https://a.example/pro/3/"
    assert made_embed["data"] == {"url": "https://a.example/pro/3/", "fullWidth": True}
    assert plain == paragraph(text(url))


def test_deterministic_only_leaves_what_depends_on_a_visitor() -> None:
    private = condition("visitor.claims.plan == 'pro'", paragraph(expression("page.vars.x")))
    mixed = expression("space.vars.version + visitor.claims.plan")
    public = expression("space.vars['version']")
    whole = expression("space.vars[page.vars.x]")
    nodes = (private, paragraph(mixed, public, whole))
    result = shown(*nodes, evaluation=KNOWN)
    assert result[0]["type"] == "if"
    assert result[0]["nodes"] == [paragraph({**text("1"), "key": "e"})]
    assert result[1] == paragraph(mixed, {**text("2.0"), "key": "e"}, whole)
    known = Evaluation(CONTEXT, deterministic_only=True, claims={("visitor", "claims", "plan")})
    assert shown(*nodes, evaluation=known)[0] == paragraph({**text("1"), "key": "e"})


def test_a_document_without_expressions_is_the_same_one() -> None:
    given = document(paragraph(text("a")), {"object": "block", "type": "divider", "data": {}})
    assert evaluate_document(given, ALL) is given


def test_markdown_with_conditions() -> None:
    source = """Now <code class="expression">space.vars.version</code>

{% if space.vars.beta %}
Beta
{% endif %}

{% if space.vars.n == 4 %}
Four
{% endif %}
"""
    result = evaluate_document(dict(parse_document(source)), ALL)
    assert plain_text(result).split() == ["Now", "2.0", "Beta"]


def test_all_expressions_of_a_document_share_a_bound() -> None:
    heavy = "[1,2,3,4,5,6,7,8].map(a => [1,2,3,4,5,6,7,8].map(b => a * b)).length"
    result = shown(paragraph(*(expression(heavy) for _ in range(3000))))
    texts = [node["leaves"][0]["text"] for node in result[0]["nodes"]]
    assert texts[0] == "8"
    assert texts[-1] == ""


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    | st.sampled_from(["expression", "if", "space.vars.x", "{{ x }}", "url"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["nodes", "fragments", "type", "data", "expression", "ref", "url", "kind", "key"]
        ),
        inner,
    ),
    max_leaves=30,
)  # fmt: skip


@given(ANY, st.booleans())
def test_any_document_gives_a_document(nodes: Any, known: bool) -> None:
    given = {"object": "document", "data": {}, "nodes": nodes}
    before = copy.deepcopy(given)
    result = evaluate_document(given, KNOWN if known else ALL)
    assert result["object"] == "document"
    assert given == before


def test_documents_that_are_nested_without_end() -> None:
    node = paragraph(expression("space.vars.n"))
    for _ in range(5000):
        node = {"object": "block", "type": "hint", "data": {}, "nodes": [node]}
    assert evaluate_document(document(node), ALL)["object"] == "document"
