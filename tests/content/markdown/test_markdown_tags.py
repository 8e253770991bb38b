"""The dialect: block tags and the HTML that stands for blocks."""

# Samples of Markdown stand on one line, however long.
# ruff: noqa: E501

from __future__ import annotations

from typing import Any

import pytest

from content.markdown.parser import parse_document

Node = dict[str, Any]


def tree(node: Node) -> Any:
    """A node as [type, data, children, fragments], texts as plain strings."""
    if node["object"] == "text":
        return "".join(leaf["text"] for leaf in node["leaves"])
    found: list[Any] = [node["type"]]
    if node.get("data"):
        found.append(node["data"])
    found += [tree(child) for child in node.get("nodes", [])]
    found += [[part["fragment"], *map(tree, part["nodes"])] for part in node.get("fragments", [])]
    return found


def blocks(markdown: str) -> list[Any]:
    return [tree(node) for node in parse_document(markdown)["nodes"]]


def url(target: str) -> Node:
    return {"kind": "url", "url": target}


def source(text: str) -> list[Any]:
    return ["markdown", {"source": text}]


P = "paragraph"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            '{% hint style="warning" icon="i" %}\na\n\n* b\n{% endhint %}',
            [
                [
                    "hint",
                    {"style": "warning", "icon": "i"},
                    [P, "a"],
                    ["list-unordered", ["list-item", [P, "b"]]],
                ]
            ],
        ),
        (
            '{% hint style="odd" %}\na\n{% endhint %}',
            [["hint", {"style": "info", "attributes": {"style": "odd"}}, [P, "a"]]],
        ),
        (
            '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n\n{% tab title="B" %}\n{% endtab %}\n{% endtabs %}',
            [["tabs", ["tabs-item", {"title": "A"}, [P, "a"]], ["tabs-item", {"title": "B"}]]],
        ),
        (
            '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\n{% endcode %}\n```\n{% endcode %}',
            [
                [
                    "code",
                    {"syntax": "js", "title": "a.js", "overflow": "wrap", "lineNumbers": True},
                    ["code-line", "{% endcode %}"],
                ]
            ],
        ),
        ('{% embed url="https://a.b" %}', [["embed", {"url": "https://a.b"}]]),
        (
            '{% embed url="https://a.b" %}\ncap\n{% endembed %}',
            [["embed", {"url": "https://a.b"}, ["caption", [P, "cap"]]]],
        ),
        (
            '{% embed url="a" %}\n\ntext\n\n{% embed url="b" %}\nc\n{% endembed %}',
            [["embed", {"url": "a"}], [P, "text"], ["embed", {"url": "b"}, ["caption", [P, "c"]]]],
        ),
        (
            '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}',
            [["content-ref", {"ref": url("a.md")}]],
        ),
        (
            '{% file src="a.pdf" %}\nThe file\n{% endfile %}',
            [["file", {"ref": url("a.pdf")}, ["caption", [P, "The file"]]]],
        ),
        (
            "{% stepper %}\n{% step %}\n## S\n{% endstep %}\n{% endstepper %}",
            [["stepper", ["stepper-step", ["heading-1", "S"]]]],
        ),
        (
            '{% columns %}\n{% column width="50%" valign="top" %}\nx\n{% endcolumn %}\n{% endcolumns %}',
            [
                [
                    "columns",
                    [
                        "column",
                        {"width": {"value": 50, "unit": "%"}, "verticalAlignment": "top"},
                        [P, "x"],
                    ],
                ]
            ],
        ),
        (
            '{% if visitor.claims.a == "b" %}\nx\n{% endif %}',
            [["if", {"expression": 'visitor.claims.a == "b"'}, [P, "x"]]],
        ),
        (
            '{% include "/reusable-content/abc1" %}',
            [
                [
                    "reusable-content",
                    {"ref": {"kind": "reusable-content", "reusableContent": "abc1"}},
                ]
            ],
        ),
        (
            '{% openapi src="a.json" path="/p" method="get" expanded="true" %}\n[a](a.json)\n{% endopenapi %}',
            [["swagger", {"path": "/p", "method": "get", "expanded": True, "ref": url("a.json")}]],
        ),
        (
            '{% openapi-schemas spec="s" schemas="A, B" grouped="false" %}\n{% endopenapi-schemas %}',
            [
                [
                    "openapi-schemas",
                    {
                        "schemas": ["A", "B"],
                        "grouped": False,
                        "ref": {"kind": "openapi", "spec": "s"},
                    },
                ]
            ],
        ),
        (
            '{% @mermaid/diagram content="a\n\nb \\"c\\"" %}',
            [
                [
                    "integration",
                    {
                        "integration": "mermaid",
                        "block": "diagram",
                        "props": {"content": 'a\n\nb "c"'},
                    },
                ]
            ],
        ),
        (
            "<details>\n\n<summary>T <b>x</b></summary>\n\na\n\n</details>",
            [["expandable", ["expandable-title", [P, "T x"]], ["expandable-body", [P, "a"]]]],
        ),
        (
            "<details open><summary>T</summary>\na\n</details>",
            [
                [
                    "expandable",
                    {"open": True},
                    ["expandable-title", [P, "T"]],
                    ["expandable-body", [P, "a"]],
                ]
            ],
        ),
        (
            '<figure><img src="a.png" alt="b" width="50"><figcaption><p>c</p></figcaption></figure>',
            [
                [
                    "images",
                    [
                        "image",
                        {"ref": url("a.png"), "alt": "b", "width": 50},
                        ["caption", [P, "c"]],
                    ],
                ]
            ],
        ),
        (
            '<div align="left" data-with-frame="true"><figure><img src="a" alt=""></figure></div>',
            [["images", {"align": "left", "withFrame": True}, ["image", {"ref": url("a")}]]],
        ),
        (
            '<picture><source srcset="d" media="(prefers-color-scheme: dark)"><img src="l" alt=""></picture>',
            [["images", ["image", {"ref": url("l"), "refDark": url("d")}]]],
        ),
        ('<img src="x.svg" alt="" class="gitbook-drawing">', [["drawing", {"ref": url("x.svg")}]]),
        ('<p align="center">a <b>b</b></p>\nc', [[P, {"align": "center"}, "a b"], [P, "c"]]),
        ('<h3 align="right">a</h3>', [["heading-2", {"align": "end"}, "a"]]),
        (
            '<pre class="language-js" data-title="t" data-line-numbers><code class="lang-js">a &#x3C;\n\n<strong>b\n</strong>c\n</code></pre>',
            [
                [
                    "code",
                    {"syntax": "js", "title": "t", "lineNumbers": True},
                    ["code-line", "a <"],
                    ["code-line", ""],
                    ["code-line", {"highlighted": True}, "b"],
                    ["code-line", "c"],
                ]
            ],
        ),
    ],
)
def test_dialect(markdown: str, expected: list[Any]) -> None:
    assert blocks(markdown) == expected
    indented = "* item\n\n" + "\n".join(f"  {line}".rstrip() for line in markdown.split("\n"))
    (listed,) = blocks(indented)
    assert listed[1][2:] == expected, "the same within a list item"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            '{% new a="1" %}\nx\n{% endnew %}',
            [source('{% new a="1" %}'), [P, "x"], source("{% endnew %}")],
        ),
        ("{% hint %}\nx", [source("{% hint %}"), [P, "x"]]),
        ("x\n{% endhint %}", [[P, "x"], source("{% endhint %}")]),
        ("{% tab %}\nx\n{% endtab %}", [source("{% tab %}"), [P, "x"], source("{% endtab %}")]),
        (
            "{% tabs %}\nstray\n{% tab %}\nx\n{% endtab %}\n{% endtabs %}",
            [
                source("{% tabs %}"),
                [P, "stray"],
                source("{% tab %}"),
                [P, "x"],
                source("{% endtab %}"),
                source("{% endtabs %}"),
            ],
        ),
        ("{% code %}\nx\n{% endcode %}", [source("{% code %}"), [P, "x"], source("{% endcode %}")]),
        (
            '{% content-ref url="a" %}\nmore words\n{% endcontent-ref %}',
            [
                source('{% content-ref url="a" %}'),
                [P, "more words"],
                source("{% endcontent-ref %}"),
            ],
        ),
        (
            "{% hint %}\n{% tabs %}\nx\n{% endhint %}",
            [["hint", {"style": "info"}, source("{% tabs %}"), [P, "x"]]],
        ),
        ("a {% hint %} b", [[P, "a {% hint %} b"]]),
        ("{% hint %} a {% endhint %} b", [[P, "{% hint %} a {% endhint %} b"]]),
        ("{% broken", [[P, "{% broken"]]),
        ("<!-- note -->", [source("<!-- note -->")]),
        ('<video src="a">\n</video>', [source('<video src="a">\n</video>')]),
        (
            "<table><tr><td>no head</td></tr></table>",
            [source("<table><tr><td>no head</td></tr></table>")],
        ),
        ("<figure><figure></figure>", [source("<figure><figure></figure>")]),
    ],
)
def test_what_is_not_known_is_kept(markdown: str, expected: list[Any]) -> None:
    assert blocks(markdown) == expected


def test_card_table() -> None:
    (table,) = parse_document(
        '<table data-view="cards" data-card-size="large" data-search="false"><thead><tr><th></th>'
        '<th data-hidden data-card-target data-type="content-ref"></th>'
        '<th data-hidden data-card-cover data-type="image">Cover</th></tr></thead><tbody><tr>'
        '<td><strong>T</strong><br>x</td><td><a href="p.md">p.md</a></td><td><a href="c.png">c</a>'
        "</td></tr><tr><td></td><td></td><td></td></tr></tbody></table>"
    )["nodes"]
    assert table["data"]["view"] == {
        "type": "cards",
        "cardSize": "large",
        "columns": ["column1"],
        "targetDefinition": "column2",
        "coverDefinition": "column3",
    }
    assert table["data"]["attributes"] == {"data-search": "false"}
    first, second = table["data"]["records"].values()
    assert first["values"]["column2"] == url("p.md")
    assert first["values"]["column3"] == url("c.png")
    assert second["values"]["column2"] is None
    assert tree(table["fragments"][0]["nodes"][0]) == [P, "T\nx"]


def test_typed_columns() -> None:
    (table,) = parse_document(
        '<table data-header-hidden><thead><tr><th width="120">A</th><th data-type="number">N</th>'
        '<th data-type="checkbox">C</th><th data-type="rating" data-max="3">R</th>'
        '<th data-type="select" data-multiple>S<select><option value="o1" label="One" color="blue">'
        '</option></select></th><th data-type="files">F</th></tr></thead><tbody><tr><td>a</td>'
        '<td>1.5</td><td>true</td><td>2</td><td><span data-option="o1">One</span></td>'
        '<td><a href="f.pdf">f</a></td></tr></tbody></table>'
    )["nodes"]
    assert table["data"]["view"]["columnWidths"] == {"column1": 120}
    assert table["data"]["view"]["hideHeader"] is True
    (record,) = table["data"]["records"].values()
    values = list(record["values"].values())[1:]
    assert values == [1.5, True, 2, ["o1"], [url("f.pdf")]]
    select = table["data"]["definition"]["column5"]
    assert select["title"] == "S"
    assert select["options"] == [{"value": "o1", "label": "One", "color": "blue"}]


def test_table_with_a_cell_that_does_not_fit_is_kept() -> None:
    text = (
        '<table><thead><tr><th data-type="number">N</th></tr></thead>'
        "<tbody><tr><td>many</td></tr></tbody></table>"
    )
    assert blocks(text) == [source(text)]
