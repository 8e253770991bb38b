"""End tags that are indented as the list above them, or less than their tag in the list above."""

import re
from itertools import product

import pytest
from hypothesis import given, strategies as st

from content.documents.keys import content_digest
from content.documents.nodes import Node, children_of, walk
from content.documents.plain_text import plain_text
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from tests.growth import assert_growth


def outline(node: Node) -> str:
    """Types of blocks, those in others in brackets."""
    parts = [
        str(child.get("type")) + outline(child)
        for child in children_of(node)
        if child.get("object") == "block"
    ]
    return f"({' '.join(parts)})" if parts else ""


TWO = "list-unordered(list-item(paragraph) list-item(paragraph))"
CASES = {
    "in the last item": (
        "{% hint %}\n* a\n* b\n\n  {% endhint %}\n\nafter\n",
        f"(hint({TWO}) paragraph)",
    ),
    "in an item of an item": (
        "{% hint %}\n* a\n  * b\n\n    {% endhint %}\n",
        "(hint(list-unordered(list-item(paragraph list-unordered(list-item(paragraph))))))",
    ),
    "in an item before others": (
        "{% hint %}\n* a\n  {% endhint %}\n* b\n* c\n",
        f"(hint(list-unordered(list-item(paragraph))) {TWO})",
    ),
    "with the next tag in the item": (
        "{% tabs %}\n{% tab %}\n1. a\n   {% endtab %}\n\n   {% tab %}\n   b\n   {% endtab %}\n"
        "   {% endtabs %}\n",
        "(tabs(tabs-item(list-ordered(list-item(paragraph))) tabs-item(paragraph)))",
    ),
    "not indented": (
        "1. a\n\n   {% hint %}\n   b\n{% endhint %}\n",
        "(list-ordered(list-item(paragraph hint(paragraph))))",
    ),
    "not indented, in an item of an item": (
        "* a\n  * b\n    <details>\n    <summary>s</summary>\n\n    c\n</details>\n",
        "(list-unordered(list-item(paragraph list-unordered(list-item(paragraph expandable)))))",
    ),
    "of no tag": ("* a\n  {% endhint %}\n", "(list-unordered(list-item(paragraph markdown)))"),
    "in a quote": (
        "{% hint %}\n> a\n> {% endhint %}\n",
        "(markdown blockquote(paragraph markdown))",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_end_tags_are_brought_to_their_tags(case: str) -> None:
    source, expected = CASES[case]
    document = parse_with_style(source)
    assert outline(document) == expected
    assert write_markdown(document) == source
    # As it is written without its spelling, it is the same document.
    assert content_digest(parse_document(write_markdown(parse_document(source)))) == content_digest(
        document
    )


def test_numbers_go_on_behind_an_end_tag() -> None:
    document = parse_document("{% hint %}\n3. a\n4. b\n   {% endhint %}\n5. c\n")
    starts = [
        (node["data"] or {}).get("start")  # type: ignore[union-attr]
        for node in walk([document])
        if node.get("type") == "list-ordered"
    ]
    assert starts == [3, 5]


LINES = st.sampled_from(
    ["* word{n}", "1. word{n}", "word{n}", "> word{n}", "{{% hint %}}", "{{% endhint %}}",
     "{{% tabs %}}", "{{% tab %}}", "{{% endtab %}}", "{{% endtabs %}}", "<details>",
     "<summary>word{n}</summary>", "</details>", "", ""]
)  # fmt: skip
INDENTED = st.tuples(st.sampled_from([0, 0, 2, 3, 4, 6]), LINES)


@given(st.lists(INDENTED, max_size=16))
def test_nothing_is_lost_or_moved(lines: list[tuple[int, str]]) -> None:
    source = "\n".join(
        " " * indent + line.format(n=number) for number, (indent, line) in enumerate(lines)
    )
    document = parse_with_style(source)
    assert re.findall(r"word\d+", plain_text(document)) == re.findall(r"word\d+", source)
    assert content_digest(parse_document(write_markdown(document))) == content_digest(document)


def test_twice_the_end_tags_are_twice_the_work() -> None:
    def of(size: int, text: str) -> object:
        source = text * size
        return lambda: parse_document(source)

    for text in ("{% hint %}\n* a\n  * b\n    {% endhint %}\n* c\n\nx\n\n",
                 "* a\n  {% hint %}\n  b\n{% endhint %}\n\nx\n\n", "* a\n  {% endhint %}\n",
                 "{% hint %}\n* a\n  {% tab %}\n"):  # fmt: skip
        assert_growth(lambda size, text=text: of(size, text), 50)  # type: ignore[misc]


LISTS = (
    "1. a\n2. b",
    "* a\n  * b",
    "1. a\n\n   more",
    "1. a\n   * b\n\n     c",
    "* a\n\n  ```\n  x\n  ```",
)


@pytest.mark.parametrize("body", LISTS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_tags_behind_lists_are_tags_however_they_are_indented(body: str, gap: str) -> None:
    for end, following, other, last in product((0, 2, 3, 4, 5), repeat=4):
        document = parse_document(
            f'{{% tabs %}}\n{{% tab title="A" %}}\n{body}{gap}{" " * end}{{% endtab %}}'
            f'{gap}{" " * following}{{% tab title="B" %}}\n{body}'
            f"{gap}{' ' * other}{{% endtab %}}{gap}{' ' * last}{{% endtabs %}}\n"
        )
        (tabs,) = document["nodes"]
        assert tabs["type"] == "tabs"
        assert [tab["data"]["title"] for tab in tabs["nodes"]] == ["A", "B"]
        assert not any(node.get("type") == "markdown" for node in walk([document]))


def test_indented_code_that_shows_tags_stays_code() -> None:
    for text in (
        "a\n\n    {% endtab %}\n",
        "{% hint %}\n1. a\n\nb\n\n    {% endtab %}\n{% endhint %}\n",
        "{% hint %}\n    {% endhint %}\n    more\n{% endhint %}\n",
    ):
        kinds = [node.get("type") for node in walk([parse_document(text)])]
        assert "code" in kinds
