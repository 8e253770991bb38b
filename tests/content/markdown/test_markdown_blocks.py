"""Ordinary Markdown: blocks, marks, links, tables, lists, footnotes."""

from __future__ import annotations

from typing import Any

import pytest

from content.documents.plain_text import plain_text
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown

Node = dict[str, Any]


def outline(node: Node) -> Any:
    """A node as (type, data?, children...), texts as strings with marks in angle brackets."""
    if node["object"] == "text":
        parts = []
        for leaf in node["leaves"]:
            names = ",".join(mark["type"] for mark in leaf["marks"])
            parts.append(f"<{names}>{leaf['text']}</>" if names else leaf["text"])
        return "".join(parts)
    head = (node["type"], node["data"]) if node.get("data") else (node.get("type"),)
    children = [outline(child) for child in node.get("nodes", [])]
    fragments = [
        (part["fragment"], [outline(n) for n in part["nodes"]])
        for part in node.get("fragments", [])
    ]
    return (*head, *children, *fragments)


def blocks(markdown: str) -> list[Any]:
    return [outline(node) for node in parse_document(markdown)["nodes"]]


def url(target: str) -> Node:
    return {"ref": {"kind": "url", "url": target}}


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("", [("paragraph", "")]),
        (
            "one\ntwo\n\nthree  \nfour\\\nfive",
            [("paragraph", "one two"), ("paragraph", "three\nfour\nfive")],
        ),
        (
            "# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6",
            [
                ("heading-1", "1"),
                ("heading-1", "2"),
                ("heading-2", "3"),
                ("heading-3", "4"),
                ("heading-3", "5"),
                ("heading-3", "6"),
            ],
        ),
        ('## T *x* <a href="#a-b" id="a-b"></a>', [("heading-1", {"id": "a-b"}, "T <italic>x</>")]),
        ("***\n\n---", [("divider",), ("divider",)]),
        ("> a\n>\n> > b", [("blockquote", ("paragraph", "a"), ("blockquote", ("paragraph", "b")))]),
        (
            "```js a=1\nx\n\ny\n```",
            [
                (
                    "code",
                    {"syntax": "js", "attributes": {"info": "a=1"}},
                    ("code-line", "x"),
                    ("code-line", ""),
                    ("code-line", "y"),
                ),
            ],
        ),
        ("    indented", [("code", ("code-line", "indented"))]),
        (
            "3. a\n4. b",
            [
                (
                    "list-ordered",
                    {"start": 3},
                    ("list-item", ("paragraph", "a")),
                    ("list-item", ("paragraph", "b")),
                )
            ],
        ),
        (
            "* a\n  * b\n\n    c",
            [
                (
                    "list-unordered",
                    (
                        "list-item",
                        ("paragraph", "a"),
                        ("list-unordered", ("list-item", ("paragraph", "b"), ("paragraph", "c"))),
                    ),
                ),
            ],
        ),
        (
            "* [ ] a\n* [x] **b**\n* c",
            [
                (
                    "list-tasks",
                    ("list-item", {"checked": False}, ("paragraph", "a")),
                    ("list-item", {"checked": True}, ("paragraph", "<bold>b</>")),
                    ("list-item", ("paragraph", "c")),
                ),
            ],
        ),
        ("$$\na\n  b\n$$", [("math", {"formula": "a\n  b"})]),
        ("*", [("list-unordered", ("list-item", ("paragraph", "")))]),
    ],
)
def test_blocks(markdown: str, expected: list[Any]) -> None:
    assert blocks(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            "**a *b* `c`** ~~d~~",
            ["<bold>a </><bold,italic>b</><bold> </><bold,code>c</> <strikethrough>d</>"],
        ),
        (
            "<kbd>K</kbd>H<sub>2</sub>x<sup>3</sup>",
            ["<keyboard>K</>H<subscript>2</>x<superscript>3</>"],
        ),
        ("a &amp; \\* b<br>c", ["a & * b\nc"]),
        ("[a **b**](x.md#y)", [("link", url("x.md#y"), "a <bold>b</>")]),
        ('[a](x.md "t")', [("link", {**url("x.md"), "title": "t"}, "a")]),
        ("<https://a.b/c d>", ["<https://a.b/c d>"]),
        ("<https://a.b/ü>", [("link", url("https://a.b/ü"), "https://a.b/ü")]),
        ("[a][r]\n\n[r]: b.md", [("link", url("b.md"), "a")]),
        ('[a](x.md "mention")', [("mention", url("x.md"))]),
        ("[x](javascript:alert)", ["[x](javascript:alert)"]),
        ("a ![alt *x*](i.png)", ["a ", ("inline-image", {**url("i.png"), "alt": "alt x"})]),
        (
            '<img src="i.png" alt="" data-size="line"> a',
            [("inline-image", {**url("i.png"), "size": "line"}), " a"],
        ),
        ("$$a_b$$ c", [("inline-math", {"formula": "a_b"}), " c"]),
        ('<a href="x.md">b *c*</a>', [("link", url("x.md"), "b <italic>c</>")]),
        (
            'x <a href="u" class="button secondary" data-icon="i">L</a>',
            ["x ", ("button", {"label": "L", "kind": "secondary", "icon": "i", **url("u")})],
        ),
        ('x <i class="fa-github">:github:</i>', ["x ", ("icon", {"icon": "github"})]),
        (
            'x <code class="expression">space.vars.a</code>',
            ["x ", ("expression", {"expression": "space.vars.a"})],
        ),
        (
            'x <span data-gb-custom-inline data-tag="emoji" data-code="2705">y</span>',
            ["x ", ("emoji", {"code": "2705"})],
        ),
        (
            "a <u>b</u> <kbd>c",
            [
                "a ",
                ("markdown", {"source": "<u>"}),
                "b",
                ("markdown", {"source": "</u>"}),
                " ",
                ("markdown", {"source": "<kbd>"}),
                "c",
            ],
        ),
        (
            "word[^1] and[^1]\n\n[^1]: note *x*",
            [
                ("annotation", "word", ("body", [("paragraph", "note <italic>x</>")])),
                " and",
                ("markdown", {"source": "[^1]"}),
            ],
        ),
        ("[^missing]", ["[^missing]"]),
    ],
)
def test_inlines(markdown: str, expected: list[Any]) -> None:
    (block,) = blocks(markdown)
    assert list(block[1:]) == expected


def test_colour_mark() -> None:
    (node,) = parse_document('<mark style="color:orange;background-color:$info;">a</mark>')["nodes"]
    assert node["nodes"][0]["leaves"][0]["marks"] == [
        {"object": "mark", "type": "color", "data": {"text": "orange", "background": "$info"}}
    ]
    (node,) = parse_document('<mark style="position:fixed">a</mark>')["nodes"]
    assert node["nodes"][0]["data"] == {"source": '<mark style="position:fixed">'}


def test_labels_of_footnotes_are_style() -> None:
    source = "word[^n] and[^n]\n\n[^n]: note\n"
    document = parse_document(source)
    note = document["nodes"][0]["nodes"][0]
    assert (note["data"], note["style"]) == ({}, {"label": "n"})
    assert write_markdown(document) == source
    # As documents of earlier versions have it.
    note["data"] = note.pop("style")
    assert write_markdown(document) == source
    (plain,) = parse_document("word[^1]\n\n[^1]: note\n")["nodes"]
    assert "style" not in plain["nodes"][0]


def test_a_second_definition_is_not_taken_for_the_first() -> None:
    document = parse_document("word[^n]\n\n[^n]: one\n\n[^n]: two\n")
    note, kept = document["nodes"][0]["nodes"][0], document["nodes"][1]
    assert (note["type"], kept["data"]) == ("annotation", {"source": "[^n-2]: two"})
    written = write_markdown(document)
    assert written == "word[^n]\n\n[^n]: one\n\n[^n-2]: two\n"
    assert blocks(written) == blocks("word[^n]\n\n[^n]: one\n\n[^n]: two\n")
    # Another reference is to the first one as well.
    again = parse_document("a[^n] b[^n]\n\n[^n]: one\n\n[^n]: two\n")
    assert blocks(write_markdown(again)) == [outline(node) for node in again["nodes"]]


@pytest.mark.parametrize(
    "beside",
    [
        "* a\n\n      b",
        "```\n    a\n    ```",
        "* ```\n      a\n      ```",
        "1. a\n\n       | b |\n       | - |",
    ],
)
def test_what_stands_beside_the_label_of_a_note_goes_on_below(beside: str) -> None:
    document = parse_document(f"word[^1]\n\n[^1]: {beside}\n")
    body = document["nodes"][0]["nodes"][0]["fragments"][0]["nodes"]
    assert len(body) == 1
    assert plain_text(document).split()[:2] == ["word", "a"]


def test_html_of_a_footnote_is_not_that_of_its_line() -> None:
    source = "a <font>x</font>[^1]\n\n[^1]: has <font>y</font>\n"
    assert write_markdown(parse_document(source)) == source


def test_footnote_without_reference_is_kept() -> None:
    assert blocks("a\n\n[^n]: body\n    more") == [
        ("paragraph", "a"),
        ("markdown", {"source": "[^n]: body\n    more"}),
    ]


@pytest.mark.parametrize(
    "rest", ["| b |", "| b[^1] |", "| b |\nb[^1]", "| b |\n\nc[^1]", "| b |\n\n[^2]: d[^1]"]
)
@pytest.mark.parametrize("head", ["a[^1]", "a[^1] x", "a[^1]  [^1]: note", "*a*[^1] [^2]"])
def test_footnotes_of_heads_of_tables_are_not_lost(head: str, rest: str) -> None:
    document = parse_document(f"| {head} |\n| - |\n{rest}\n\n[^1]: note\n")
    markdown = write_markdown(document)
    assert markdown.endswith("[^1]: note\n")
    assert write_markdown(parse_document(markdown)) == markdown
    (column,) = document["nodes"][0]["data"]["definition"].values()
    assert column["title"].startswith("a")
    assert "\n" not in column["title"]


def test_footnotes_that_refer_to_each_other_end() -> None:
    found = blocks("x[^a]\n\n[^a]: see[^b]\n\n[^b]: see[^a]")
    assert found[0] == (
        "paragraph",
        (
            "annotation",
            "x",
            ("body", [("paragraph", "see", ("markdown", {"source": "[^b]"}))]),
        ),
    )
    assert found[1] == ("markdown", {"source": "[^b]: see[^a]"})


def test_unused_link_definition_is_kept() -> None:
    assert blocks('[u]: https://a.b "T"\n\n[x]\n\n[x]: c') == [
        ("markdown", {"source": '[u]: https://a.b "T"'}),
        ("paragraph", ("link", url("c"), "x")),
    ]


def test_lone_image_is_an_image_block_where_one_may_stand() -> None:
    assert blocks('![a](i.png "c")') == [
        ("images", ("image", {**url("i.png"), "alt": "a"}, ("caption", [("paragraph", "c")])))
    ]
    assert blocks("* ![](i.png)") == [
        ("list-unordered", ("list-item", ("paragraph", ("inline-image", url("i.png")))))
    ]


def test_pipe_table() -> None:
    (table,) = parse_document("| A | *B* | C |\n|:-:|--:|---|\n| **x** | y \\| z |\n")["nodes"]
    assert table["isVoid"] is True
    assert table["data"]["view"] == {
        "type": "grid",
        "columns": ["column1", "column2", "column3"],
        "hideHeader": False,
    }
    definitions = table["data"]["definition"].values()
    assert [(d["title"], d["type"], d["textAlignment"]) for d in definitions] == [
        ("A", "text", "center"),
        ("B", "text", "right"),
        ("C", "text", "left"),
    ]
    (record,) = table["data"]["records"].values()
    fragments = {part["fragment"]: part for part in table["fragments"]}
    cells = [outline(fragments[record["values"][d["id"]]]["nodes"][0]) for d in definitions]
    assert cells == [("paragraph", "<bold>x</>"), ("paragraph", "y | z"), ("paragraph", "")]


def test_resolve_makes_references() -> None:
    asked: list[str] = []

    def resolve(target: str) -> dict[str, Any] | None:
        asked.append(target)
        return {"kind": "page", "page": "p1"} if target == "a.md" else None

    document = parse_document("[a](a.md) [b](b.md)", resolve=resolve)
    links = [node for node in document["nodes"][0]["nodes"] if node.get("type") == "link"]
    assert [link["data"]["ref"] for link in links] == [
        {"kind": "page", "page": "p1"},
        {"kind": "url", "url": "b.md"},
    ]
    assert asked == ["a.md", "b.md"]
