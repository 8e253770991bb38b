"""How a page is spelled stays in its JSON document, where it is not in canonical form."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.keys import node_digests
from content.documents.nodes import block, paragraph, text
from content.documents.shape import checked_document
from content.markdown.parser import parse_document
from content.markdown.writer.document import write_markdown
from tests.content.markdown.test_document_writer import PIECES
from tests.content.markdown.test_markdown_properties import walk

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
    document = parse_document(page, keep_style=True)
    assert "style" not in document["data"]
    assert write_markdown(document) == page


@pytest.mark.parametrize("name", KEPT)
def test_a_page_comes_back_as_it_was(name: str) -> None:
    document = parse_document(KEPT[name], keep_style=True)
    assert write_markdown(document) == KEPT[name]
    plain = parse_document(KEPT[name])
    assert content(document) == content(plain)
    assert write_markdown(plain) != KEPT[name]
    assert checked_document(copy.deepcopy(document)) == document


def test_what_is_usual_is_said_once() -> None:
    document = parse_document("- a\n\nb\n\n- c\n\nd\n\n* e\n", keep_style=True)
    assert document["data"] == {"schemaVersion": 1, "style": {"bullet": "-"}}
    assert [node.get("style") for node in document["nodes"]] == [*[None] * 4, {"bullet": "*"}]


def test_canonical_markdown_says_nothing() -> None:
    canonical = (
        "## a\n\nb _c_ **d** (e)\\\nf\n\n* g\n  * h\n\n1. i\n2. j\n\n***\n\n```js\nk\n```\n\n"
        '| l | m |\n| --- | ---: |\n| n |  |\n\n{% hint style="info" %}\no\n{% endhint %}\n'
    )
    document = parse_document(canonical, keep_style=True)
    assert document["data"] == {"schemaVersion": 1}
    assert all("style" not in node for node in walk(document))


def test_new_blocks_are_spelled_as_the_page_is() -> None:
    document = parse_document("- a\n- b\n\n*c*\n", keep_style=True)
    item = block("list-item", [paragraph([text("x")])])
    document["nodes"].insert(1, block("divider"))
    document["nodes"].append(block("list-unordered", [item]))
    assert write_markdown(document) == "- a\n- b\n\n***\n\n*c*\n\n- x\n"


def test_an_edited_paragraph_is_one_line() -> None:
    document = parse_document("one two\nthree\n", keep_style=True)
    document["nodes"][0]["nodes"] = [text("one two three four")]
    assert write_markdown(document) == "one two three four\n"


def test_a_style_that_does_not_fit_is_left_aside() -> None:
    document = parse_document("# a\nb\n", keep_style=True)
    document["nodes"][0] = paragraph([text("a")])
    assert write_markdown(document) == "a\n\nb\n"


VALUES: list[Any] = [
    None, True, -1, 0, 3, 10**9, "", "-", "\n", "x\n\n# y", "---", "____", "`", "~~~", "'", "()",
    "|", "| - |", "<", [], [1, -1], [10**9], ["x"], [0, None], {}, "outside", "figures", "plain",
]  # fmt: skip
NAMES = [
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
    document = parse_document(markdown, keep_style=True)
    once = write_markdown(document)
    assert write_markdown(parse_document(once, keep_style=True)) == once
    assert content(parse_document(once)) in (
        content(document),
        content(parse_document(write_markdown(parse_document(markdown)))),
    )
