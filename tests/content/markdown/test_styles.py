"""How a page is spelled stays in its JSON document, where it is not in canonical form."""

import copy
from typing import Any

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from content.documents.keys import content_digest, node_digests
from content.documents.nodes import block, paragraph, text
from content.documents.shape import checked_document
from content.json_types import JsonObject
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from tests.content.markdown.test_document_writer import PIECES
from tests.content.markdown.test_markdown_properties import walk
from tests.growth import assert_growth

KEPT = {
    "bullets": "- a\n- b\n\n  - c\n",
    "bullets of neighbours": "- a\n\n* b\n\n+ c\n",
    "delimiters": "1) a\n2) b\n",
    "equal numbers": "1. a\n1. b\n1. c\n",
    "blanks behind markers": "*   a\n\n    b\n* c\n",
    "loose lists": "* a\n\n* b\n\n* c\n",
    "blank lines": "a\n\n\nb\n# c\nd\n",
    "no blank lines": "a\n* b\n* c\n",
    "blank lines with blanks": "1. a\n   \n   b\n",
    "lines of paragraphs": "* one two\n  three\n* [ ] x\n\n> four\n> five six\n",
    "blanks behind lines": "one \ntwo \n",
    "hard breaks": "one  \ntwo\n",
    "italic": "*a* and *b*\n",
    "bold": "__a__ and __b__\n",
    "marks around links": "**[a](b)** c\n",
    "escapes": "a \\(b\\) c\n\n* \\(d\\)\n\n## e \\(f\\)\n",
    "escapes in one block": "a \\(b\\)\n\na (b)\n\na (c)\n",
    "escapes in words": "a\\_b c\\_d\n",
    "entities": "1 &gt; 2 &amp; 3 &lt; 4\n",
    "dividers": "---\n\na\n\n---\n\n* * *\n",
    "levels of headings": "# a\n\n##### b\n\n###### c\n",
    "code fences": "````js\na\n````\n\n~~~\nb\n~~~\n",
    "empty lines of code": "* a\n\n  ```\n  b\n  \n  c\n  ```\n",
    "rules of tables": "| a | b |\n| :--- | :---: |\n| c | d |\n",
    "other rules of tables": "| a | b |\n|----|---|\n| c | d |\n",
    "padded tables": "| a   | bbbb |\n| --- | ---- |\n| ccc | d    |\n",
    "heads of tables": "| `a` | **b** |\n| --- | --- |\n| c | d |\n",
    "tags": "{% hint style='info' %}\na\n{% endhint %}\n",
    "bodies of tags": '{% code title="a" %}\n\n```\nb\n```\n\n{% endcode %}\n',
    "figures": '<figure><img src="a" alt=""><figcaption></figcaption></figure>\n',
    "captions": '<figure><img src="a" alt=""><figcaption>b</figcaption></figure>\n',
    "ends": "\n\na",
}


def content(document: Any) -> list[bytes]:
    digests = node_digests(document)
    return [digests[id(node)] for node in document["nodes"]]


def test_escapes_behind_the_box_of_a_task_are_needed() -> None:
    page = "* [ ] \\===\n* [x] \\- a\n* [ ] 1\\. a\n* [ ] \\# a\n"
    document = parse_with_style(page)
    assert "style" not in document["data"]
    assert write_markdown(document) == page


@pytest.mark.parametrize("name", KEPT)
def test_a_page_comes_back_as_it_was(name: str) -> None:
    document = parse_with_style(KEPT[name])
    assert write_markdown(document) == KEPT[name]
    plain = parse_document(KEPT[name])
    assert content(document) == content(plain)
    assert write_markdown(plain) != KEPT[name]
    assert checked_document(copy.deepcopy(document)) == document


def test_what_is_usual_is_said_once() -> None:
    document = parse_with_style("- a\n\nb\n\n- c\n\nd\n\n* e\n")
    assert document["data"] == {"schemaVersion": 1, "style": {"bullet": "-"}}
    assert [node.get("style") for node in document["nodes"]] == [*[None] * 4, {"bullet": "*"}]


def test_canonical_markdown_says_nothing() -> None:
    canonical = (
        "## a\n\nb _c_ **d** (e)\\\nf\n\n* g\n  * h\n\n1. i\n2. j\n\n***\n\n```js\nk\n```\n\n"
        '| l | m |\n| --- | ---: |\n| n |  |\n\n{% hint style="info" %}\no\n{% endhint %}\n'
    )
    document = parse_with_style(canonical)
    assert document["data"] == {"schemaVersion": 1}
    assert all("style" not in node for node in walk(document))


def test_new_blocks_are_spelled_as_the_page_is() -> None:
    document = parse_with_style("- a\n- b\n\n*c*\n")
    item = block("list-item", [paragraph([text("x")])])
    document["nodes"].insert(1, block("divider"))
    document["nodes"].append(block("list-unordered", [item]))
    assert write_markdown(document) == "- a\n- b\n\n***\n\n*c*\n\n- x\n"


def test_an_edited_paragraph_is_one_line() -> None:
    document = parse_with_style("one two\nthree\n")
    document["nodes"][0]["nodes"] = [text("one two three four")]
    assert write_markdown(document) == "one two three four\n"


def test_a_style_that_does_not_fit_is_left_aside() -> None:
    document = parse_with_style("# a\nb\n")
    document["nodes"][0] = paragraph([text("a")])
    assert write_markdown(document) == "a\n\nb\n"


VALUES: list[Any] = [
    None, True, -1, 0, 3, 10**9, "", "-", "\n", "x\n\n# y", "---", "____", "`", "~~~", "'", "()",
    "|", "| - |", "<", " {#a}", [], [1, -1], [10**9], ["x"], [0, None], {}, "outside", "figures",
    "plain",
]  # fmt: skip
NAMES = [
    "anchor",
    "bodies", "bold", "break", "bullet", "captions", "delimiter", "divider", "end", "ends",
    "entities", "escapes", "fence", "filled", "gap", "images", "italic", "level", "links", "loose",
    "pad", "padded", "quote", "rule", "rules", "start", "step", "tail", "titles", "words",
]  # fmt: skip
PAGE = "\n\n".join(KEPT.values())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_style_leaves_the_document_as_it_is(data: st.DataObject) -> None:
    document: Any = parse_document(PAGE)
    styles = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES), max_size=4)
    document["data"]["style"] = data.draw(styles)
    nodes = [node for node in walk(document) if node["object"] == "block"]
    for node in data.draw(st.lists(st.sampled_from(nodes), max_size=8)):
        node["style"] = data.draw(styles)
    again = parse_document(write_markdown(document))
    assert content(again) == content(document)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, *KEPT.values()]), max_size=20).map("".join))
def test_what_is_written_stays(markdown: str) -> None:
    document = parse_with_style(markdown)
    once = write_markdown(document)
    assert write_markdown(parse_with_style(once)) == once
    assert content(parse_document(once)) in (
        content(document),
        content(parse_document(write_markdown(parse_document(markdown)))),
    )


# ------------------------------------------------------------------ blocks with their own lines

ODD = (
    "A  &#x20;\n\n- b \\(c\\)\n\n\n\n\n| d |\n| - |\n\n\tcode\n> e\n>\n\nf<br>g <kbd>h</kbd>\n   \n"
    "Heading\n---\n* i\n\n  * j\ntext\n"
)


def test_a_block_keeps_lines_that_pages_do_not_have() -> None:
    document = orjson.loads(orjson.dumps(parse_with_style(ODD)))
    assert write_markdown(document) == ODD
    assert content_digest(parse_document(ODD)) == content_digest(document)


def test_a_block_that_changed_is_written_anew() -> None:
    """Its lines do not mean any more what it holds; those of the others stay."""
    document = orjson.loads(orjson.dumps(parse_with_style("a<br>b\n\nc<br>d\n")))
    first, second = document["nodes"]
    first["style"]["source"] = "other<br>words"
    assert write_markdown(document) == "a\\\nb\n\nc<br>d\n"
    second["nodes"][0]["leaves"][0]["text"] = "e\nf"
    assert write_markdown(document) == "a\\\nb\n\ne\\\nf\n"


@pytest.mark.parametrize(
    "source",
    ["[x](javascript:alert(1))", "<!--", "```", "a\n\nb", "{% hint %}", "", "# a", "<script>", 7,
     None, ["a"], "a" * 300_000, "{% if x %}", "[^1]: a", "[a]: https://example.com"],
)  # fmt: skip
@pytest.mark.parametrize("text", ["a", "[a](https://example.com)", "x[^1]", "**a**"])
def test_lines_that_mean_something_else_are_not_used(source: Any, text: str) -> None:
    document = parse_document(f"{text}\n\nb\n")
    expected = write_markdown(document)
    for node in document["nodes"]:  # type: ignore[union-attr]
        node["style"] = {"source": source, "gap": str(source)}  # type: ignore[index, call-overload]
    assert write_markdown(document) == expected


def test_lines_are_kept_of_resolved_links_with_their_urls() -> None:
    def resolve(url: str) -> JsonObject:
        return {"kind": "page", "page": url.removesuffix(".md")}

    source = "See [a](a.md)<br>now.\n"
    document = orjson.loads(orjson.dumps(parse_with_style(source, resolve=resolve)))
    assert write_markdown(document, link=lambda ref: f"{ref['page']}.md") == source
    # The page has moved.
    moved = write_markdown(document, link=lambda ref: f"x/{ref['page']}.md")
    assert moved == "See [a](x/a.md)\\\nnow.\n"


@pytest.mark.parametrize(
    "line", ["a \\(b\\)\n\n", "- a \\(b\\)\n", "| a |\n| - |\n\n", "> a\n>\n\n"]
)
def test_lines_are_compared_in_time_in_proportion(line: str) -> None:
    assert_growth(lambda size: lambda: write_markdown(parse_with_style(line * size)), 50)
