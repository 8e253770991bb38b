"""Everything the dialect has comes back from documents, in canonical form."""

# Samples of Markdown stand on one line, however long.
# ruff: noqa: E501

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from content.documents.nodes import block, inline, leaf, mark, paragraph, text
from content.markdown.originals import read_originals
from content.markdown.parser import parse_document
from content.markdown.rewriting import rewrite_markdown
from content.markdown.round_trip import OTHER, difference_kinds, round_trip
from content.markdown.spelling import write_markdown
from content.markdown.writer.document import DocumentWriter

Node = dict[str, Any]

CANONICAL = [
    "Text with **bold**, _italic_, ~~gone~~, `code`, <kbd>K</kbd>, <sub>a</sub> and <sup>b</sup>.",
    "**:** a\\\n\\--- | -\\\n_ _ \\_\\\n\\===\\\n1\\. a\\\n\\# b",
    "**:**",
    "**_both_ of them** a\\\nsecond line",
    "snake_case 2 * 3 a < b & c $5 {x} #no - + 1.5 50% ~ x[0] (y) !",
    '<mark style="color:orange;background-color:purple;">a</mark>',
    "[a **b**](page.md#anchor) ![alt](i.png) [t](u \"title\") [m.md](m.md \"mention\")",
    '<img src="i.png" alt="" data-size="line"> a <img src="j.png" alt="J" data-size="original">',
    '<img src="i.png" alt="" data-size="line">',
    '<picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="" data-size="line"></picture> a',
    '<a href="u" class="button primary" data-icon="github">Label</a> <a class="button secondary">Off</a>',
    '<button type="button" class="button primary" data-action="search" data-query="q">S</button> b',
    'a <i class="fa-github">:github:</i> :house: <span data-gb-custom-inline data-tag="emoji" data-code="fffff">\U000fffff</span>',
    'a <code class="expression">space.vars.x</code> $$a_b$$',
    "word[^1] and **two words**[^2]\n\n[^1]: note\n\n[^2]: first\n\n    second",
    'both <a data-footnote-ref href="#user-content-fn-1">these words</a>\n\n[^1]: note',
    "word[^own]\n\n[^own]: note",
    "## One\n\n### Two\n\n#### Three",
    '## T _x_ <a href="#a-b" id="a-b"></a>',
    '<h2 align="center">Middle <strong>b</strong></h2>\n\n<h3 align="right" id="i">E</h3>',
    '<p align="center">a <a href="u">b</a><br>c</p>',
    "* a\n* b\n  * c\n    1. d\n    2. e\n* f\n\n  second\n\n  ```js\n  code\n  ```",
    "3. a\n4. b",
    "* [ ] a\n* [x] b\n  * [x] c",
    "* a\n\n- b",
    "1. a\n\n1) b",
    "> a\n>\n> > b\n>\n> * c",
    "***",
    "```js\nx\n\ny\n```",
    "````\n```\n````",
    '{% code title="a.js" overflow="wrap" lineNumbers="true" fullWidth="false" expandable="true" %}\n```js\nx\n```\n{% endcode %}',
    '<pre class="language-js" data-title="t" data-overflow="wrap" data-line-numbers><code class="lang-js">a &#x3C;b\n<strong>lit\n</strong><em>c</em> <code class="expression">space.vars.x</code>\n</code></pre>',
    '<pre><code>see <a data-footnote-ref href="#user-content-fn-1">this</a>\n</code></pre>\n\n[^1]: note',
    "$$\na\n  b\n$$",
    '{% hint style="warning" icon="books" %}\na\n\n* b\n{% endhint %}',
    '{% tabs fullWidth="true" %}\n{% tab title="A" icon="i" %}\na\n{% endtab %}\n\n{% tab title="B" %}\n{% endtab %}\n{% endtabs %}',
    "{% stepper %}\n{% step %}\n## S\n\na\n{% endstep %}\n\n{% step %}\nb\n{% endstep %}\n{% endstepper %}",
    '{% columns fullWidth="true" %}\n{% column width="50%" valign="top" %}\nx\n{% endcolumn %}\n\n{% column %}\ny\n{% endcolumn %}\n{% endcolumns %}',
    "<details>\n\n<summary>T <strong>x</strong></summary>\n\na\n\n</details>",
    "<details open>\n\n<summary>T</summary>\n\na\n\n</details>",
    "![a](i.png)",
    "![a](i.png) ![b](j.png)",
    '<figure><img src="a.png" alt="b" width="50" height="20%"><figcaption><p>c <a href="u">d</a></p><p>e</p></figcaption></figure>',
    '<figure><picture><source srcset="d" media="(prefers-color-scheme: dark)"><img src="l" alt=""></picture><figcaption></figcaption></figure>',
    '<div align="left" data-full-width="true" data-with-frame="true"><figure><img src="a" alt=""><figcaption></figcaption></figure> <figure><img src="b" alt=""><figcaption></figcaption></figure></div>',
    '<img src="x.svg" alt="" class="gitbook-drawing">',
    '{% columns %}\n{% column width="33.33333333333333%" %}\n{% endcolumn %}\n\n{% column width="200" %}\n{% endcolumn %}\n\n{% column width="wide" %}\n{% endcolumn %}\n{% endcolumns %}',
    '{% hint style="tip" %}\na\n{% endhint %}',
    "{% raw %}{{ x }}{% endraw %}",
    "{% x %} is no tag",
    '<table><thead><tr><th data-type="users" data-multiple>U</th><th data-type="users">O</th></tr></thead><tbody><tr><td><a href="u">u</a></td><td></td></tr></tbody></table>',
    '{% embed url="https://a.b" %}',
    '{% embed url="https://a.b" fullWidth="true" %}\ncap\n{% endembed %}',
    '{% file src="a.pdf" %}\nThe file\n{% endfile %}',
    '{% content-ref url="a/b.md" %}\n[b.md](a/b.md)\n{% endcontent-ref %}',
    '{% include "../.gitbook/includes/name.md" %}\n\n{% include "/reusable-content/abc1" %}',
    '{% if visitor.claims.a == "b" && space.vars.c %}\nx\n{% endif %}',
    '{% openapi src="a.json" path="/p" method="get" expanded="true" %}\n[a.json](a.json)\n{% endopenapi %}',
    '{% openapi-operation spec="s" path="/x" method="get" %}\n{% endopenapi-operation %}',
    '{% openapi-schemas spec="s" schemas="A,B" grouped="false" %}\n{% endopenapi-schemas %}',
    '{% openapi-webhook spec="s" name="n" method="post" %}\n{% endopenapi-webhook %}',
    "{% @mermaid/diagram content='a\n\nb \"c\"' %}\n\n{% @a/b url=\"u\" %}",
    '{% updates format="full" %}\n{% update date="2025-12-25" tags="a,b" %}\nnew\n{% endupdate %}\n{% endupdates %}',
    '{% prompt description="d" icon="i" openInAIProviders="true" defaultExpanded="full" %}\n```\np\n```\n{% endprompt %}',
    '{% new a="1" %}\n\nx\n\n{% endnew %}',
    '<!-- note -->\n\n<video src="a">\n</video>\n\n[u]: https://a.b "T"',
    "a <u>b</u>",
    "{% hint style=\"info\" %}\n<video src=\"a\">\n\n{% endhint %}",
    "| A | B \\| C |\n| --- | :---: |\n| **x** | y \\| `z\\|` |\n|  | a<br>b |",
    '<table data-header-hidden><thead><tr><th width="120">A</th><th align="right">B</th><th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="3">R</th><th data-type="select">S<select multiple><option value="o1" label="One" color="blue"></option></select></th><th data-type="files">F</th><th data-type="image">I</th></tr></thead><tbody><tr><td>a <strong>b</strong></td><td></td><td>1.5</td><td>true</td><td>2</td><td><span data-option="o1">One</span></td><td><a href="f.pdf">f.pdf</a></td><td><a href="i.png">i.png</a></td></tr></tbody></table>',
    '<table data-view="cards" data-card-size="large" data-column-title-hidden data-search="false"><thead><tr><th></th><th data-type="content-ref" data-hidden data-card-target></th><th data-type="image" data-hidden data-card-cover></th></tr></thead><tbody><tr><td>T<br>x</td><td><a href="p.md">p.md</a></td><td></td></tr></tbody></table>',
]  # fmt: skip


def plain(value: Any) -> Any:
    """A document without node keys."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if name != "key"}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("markdown", CANONICAL)
def test_canonical_markdown_comes_back_as_it_is(markdown: str) -> None:
    document = parse_document(markdown)
    assert write_markdown(document) == markdown + "\n"
    assert plain(parse_document(write_markdown(document))) == plain(document)


@pytest.mark.parametrize(
    "content",
    [
        "a\\ ",
        "\\ \n\\",
        " \\",
        "\\\n",
        "!",
        "&",
        "a&#x20;",
        " _\n_ b",
        "a _ \nb_",
        " * a*",
        "a * b",
    ],
)
def test_characters_at_the_ends_of_lines_come_back(content: str) -> None:
    document = {"nodes": [paragraph([text(content)])]}
    assert plain(parse_document(write_markdown(document)))["nodes"] == document["nodes"]


@pytest.mark.parametrize("markdown", CANONICAL)
def test_the_same_in_containers(markdown: str) -> None:
    if "[^" in markdown:
        return  # notes stand at the end of the page
    for container in ('{{% hint style="info" %}}\n{}\n{{% endhint %}}', "> {}", "* x\n\n  {}"):
        lead = {">": "> ", "*": "  "}.get(container[0], "")
        body = markdown.replace("\n", f"\n{lead}").replace(f"\n{lead}\n", f"\n{lead.rstrip()}\n")
        document = parse_document(container.format(body))
        again = parse_document(write_markdown(document))
        assert plain(again) == plain(document)


def test_all_of_the_dialect_on_one_page() -> None:
    page = "\n\n".join(sample for sample in CANONICAL if "[^" not in sample) + "\n"
    document = parse_document(page)
    assert plain(parse_document(write_markdown(document))) == plain(document)


PIECES = [
    "\n", "\n\n", "\n\n", "  ", "    ", "* ", "1. ", "> ", "# ", "```", "$$", "[", "](", ")", "|",
    "|-|", "**", "_", "`", "<kbd>", "</kbd>", "<a href='x'>", "</a>", "<details>", "<summary>",
    "</summary>", "</details>", "<table>", "<figure>", "</figure>", '<img src="x">', "[^1]",
    "{% hint %}", "{% endhint %}", "{% tabs %}", "{% tab %}", "{% endtab %}", "{% endtabs %}",
    '{% embed url="x" %}', "{% endembed %}", "%}", "-->", "word", "é", "\t", "\\", "&amp;", "- ",
    "---\n", "===\n", "[ ] ", "~~", ":house:", "<br>", "<u>", "<p>", "!", "<", ">", "&", "***",
    "| a | b |\n| - | - |\n| c | d |\n",
]  # fmt: skip


# What the rest of the dialect, other HTML and unusual blanks are made of.
MORE_PIECES = [
    "{% stepper %}", "{% step %}", "{% endstep %}", "{% endstepper %}", "{% columns %}",
    "{% column %}", "{% endcolumn %}", "{% endcolumns %}", "{% if a %}", "{% endif %}",
    '{% include "a" %}', '{% content-ref url="a" %}', "{% endcontent-ref %}", '{% file src="a" %}',
    "{% endfile %}", "{% updates %}", '{% update date="1" %}', "{% endupdate %}", "{% endupdates %}",
    "{% prompt %}", "{% endprompt %}", "{% openapi-operation %}", "{% endopenapi-operation %}",
    "{% @a/b %}", "{% code %}", "{% endcode %}", "<pre><code>", "</code></pre>", "<strong>",
    "</strong>", "<em>", "</em>", "</p>", "<h2>", "</h2>", "<table><thead><tr><th>",
    "</th></tr></thead><tbody><tr><td>", "</td></tr></tbody></table>", "<figcaption>", "</div>",
    '<div align="center">', "[^1]: ", "[^2]: x", "[r]: x\n", "[r]", "<sub>", "</sub>", "$$x$$",
    "<mark>", "</mark>", '<mark style="color:red;">', "&#x20;", "\u00a0", "\u2028", "\x0b", "\x0c",
    "* [x] ", "10) ", "+ ", "~~~\n", "\\\n", "  \n", "<http://a.b>", '"', "0", "![a](b)",
    '[a](b "mention")', '<img src="a" alt="b" data-size="line">', '<i class="fa-a">', "</i>",
    '<code class="expression">', "<code>", "</code>", "<picture>", "</picture>",
    '<button type="button" class="button">', "</button>", '<a href="#x" id="x"></a>', "#### ",
]  # fmt: skip


@given(st.lists(st.sampled_from([*PIECES, *MORE_PIECES]), max_size=25).map("".join))
@example("a *<code>*</code>")
@example("*a<code>*</code>")
@example('<button type="" class="button">~~</button>~~')
@example("<a href><i class=\"fa-a\"><a f=''></i></a>")
@example("* [x]\n<")
@example("* [x]  \n<")
@example("x\x0b<br>")
@example("\\\n\x0b*")
@example("n\x0b  \n[")
@example("}\u2028<em>!</em>")
@example(" - >\t<p")
@example("a[^1]\n\n[^1]:\n    ```\n      x\n    ```")
def test_canonical_form_of_all_pieces_is_stable(markdown: str) -> None:
    once = write_markdown(parse_document(markdown))
    assert write_markdown(parse_document(once)) == once


@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=3),
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.lists(st.sampled_from(["[^a]", "[^b]", " x", "\n\n    y"]))
        ),
        max_size=4,
    ),
)
@example(["a"], [("a", ["[^a]"])])
@example(["a", "b"], [("a", ["[^b]"]), ("b", ["[^a]"]), ("a", [" x"])])
def test_footnotes_in_footnotes_are_stable(
    references: list[str], notes: list[tuple[str, list[str]]]
) -> None:
    """Also of one label several times, of themselves, and of each other."""
    lines = [f"[^{label}]: note{''.join(parts)}" for label, parts in notes]
    markdown = "\n\n".join([" ".join(f"word[^{label}]" for label in references), *lines])
    document = parse_document(markdown)
    once = write_markdown(document)
    assert write_markdown(parse_document(once)) == once
    assert plain(parse_document(once)) == plain(document)


@pytest.mark.parametrize(
    "markdown",
    [
        "*<p>*", "<kbd><e></kbd>", "\u2028<e>", ">\n\u2028", "\u2028<h2>r", "**<p>**{",
        "* [x] <u>", "* [x] &#x20;<", "><picture>~\n</picture>", "- <e>\n\x0b",
        "{% hint %}\n<img src='x' alt='' class='gitbook-drawing'>\n\n{% endhint %}",
    ],
)  # fmt: skip
def test_the_canonical_form_is_of_the_same_document(markdown: str) -> None:
    document = parse_document(markdown)
    assert plain(parse_document(write_markdown(document))) == plain(document)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("<strong></strong><p>")
@example("a<br><p>b</p>")
@example("**<a href='x'>* </a>")
@example("* [^1]: ")
@example('{% embed url="x" %}\n\n' * 40)
def test_canonical_form_is_stable(markdown: str) -> None:
    once = write_markdown(parse_document(markdown))
    assert write_markdown(parse_document(once)) == once


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.integers(0, 30))
def test_rewriting_never_changes_the_document(markdown: str, at: int) -> None:
    document = parse_document(markdown)
    assert rewrite_markdown(document, [markdown]) == markdown
    edited = copy.deepcopy(document)
    edited["nodes"].insert(min(at, len(edited["nodes"])), paragraph([text("added")]))
    canonical = parse_document(write_markdown(edited))
    assert plain(parse_document(rewrite_markdown(edited, [markdown]))) in (
        plain(edited),
        plain(canonical),
    )


@given(
    st.lists(st.sampled_from(CANONICAL), min_size=1, max_size=4),
    st.integers(1, 6),
    st.sampled_from(["append", "replace", "remove"]),
)
def test_an_edited_end_keeps_the_blank_lines_behind_it(
    blocks: list[str], ends: int, edit: str
) -> None:
    markdown = "\n\n".join(blocks)
    edited = parse_document(markdown)
    if edit != "append":
        edited["nodes"].pop()
    if edit != "remove":
        edited["nodes"].append(paragraph([text("added")]))
    usual = rewrite_markdown(edited, [f"{markdown}\n"])
    assert rewrite_markdown(edited, [markdown + ends * "\n"]) == (
        usual.rstrip("\n") + ends * "\n" if usual else ""
    )


STYLED = """Setext
------

- one \\(1\\)
-   two
+ other

wrapped
line  \nhard [a][r] word[^n]

[^n]: the note

[r]: target.md

|a|b|
|:-|-|
|1|2|


* * *
- [X] done
- [ ] open

  more
<https://a.b>
"""


def test_untouched_blocks_keep_their_source() -> None:
    document = parse_document(STYLED)
    assert DocumentWriter(document, None, read_originals([STYLED])).write() == STYLED
    for at, node in enumerate(document["nodes"]):
        edited = copy.deepcopy(document)
        edited["nodes"][at] = paragraph([text("replaced")])
        written = rewrite_markdown(edited, [STYLED])
        if node["type"] == "paragraph" and "hard" in str(node):
            continue  # it took the note with it
        kept = [line for line in STYLED.split("\n") if line.strip()]
        lost = [line for line in kept if line not in written.split("\n")]
        assert len(lost) <= 4, (node["type"], lost)
        assert "replaced" in written


def test_an_edited_list_keeps_its_style() -> None:
    source = "- one \\(1\\)\n- two\n\n  - deep \\(2\\)\n- three"
    document = parse_document(source)
    document["nodes"][0]["nodes"][1]["nodes"][0] = paragraph([text("changed")])
    document["nodes"][0]["nodes"].append(block("list-item", [paragraph([text("new")])]))
    assert rewrite_markdown(document, [source]) == (
        "- one \\(1\\)\n- changed\n  - deep \\(2\\)\n- three\n- new\n"
    )


def test_two_sides_of_a_merge() -> None:
    ours, theirs = "a \\(1\\)\n\n- b", "a\n\n* b\n\nc \\(3\\)\n"
    merged = parse_document("a (1)\n\n* b\n\nc (3)")
    assert rewrite_markdown(merged, [ours, theirs]) == "a \\(1\\)\n\n- b\n\nc \\(3\\)\n"


@pytest.mark.parametrize(
    "node",
    [
        block("poll", [paragraph([text("q & ' <x>")])], {"options": ["a", {"b": None}]}),
        block("integration", None, {"integration": "a", "block": "b", "props": {"n": 1}}),
        block("paragraph", [text("a "), inline("later", [text("in")], {"x": "</span>'"}), text(" b")]),
    ],
)  # fmt: skip
def test_what_the_dialect_has_no_form_for_is_kept_as_json(node: Node) -> None:
    document = {"object": "document", "data": {"schemaVersion": 1}, "nodes": [node]}
    assert plain(parse_document(write_markdown(document))) == document


@pytest.mark.parametrize(
    "markdown",
    [
        "<div data-node='no json'></div>",
        '<div data-node=\'{"object":"inline"}\'></div>',
        '<div data-node=\'{"object":"block","type":"x y"}\'></div>',
    ],
)
def test_json_that_is_no_block_stays_markdown(markdown: str) -> None:
    (node,) = parse_document(markdown)["nodes"]
    assert node["data"] == {"source": markdown}


def test_unknown_marks_and_colours_leave_their_text() -> None:
    leaves = [leaf("a", [mark("later")]), leaf("b", [mark("color", {"text": "x;y"})])]
    document = {"nodes": [block("paragraph", [{"object": "text", "leaves": leaves}])]}
    assert write_markdown(document) == "ab\n"


def test_links_are_what_the_caller_makes_of_references() -> None:
    document = parse_document(
        '[a](p)\n\n{% content-ref url="p" %}\n{% endcontent-ref %}',
        resolve=lambda url: {"kind": "page", "page": url},
    )
    written = write_markdown(document, link=lambda ref: f"to/{ref['page']}.md")
    assert written.split("\n")[0] == "[a](to/p.md)"
    assert '{% content-ref url="to/p.md" %}\n[p.md](to/p.md)' in written


def test_round_trip_of_one_page() -> None:
    source = "- a \\(b) (b\\)\n- c\n"
    trip = round_trip(source)
    assert (trip.alone, trip.kept, trip.same_document, trip.local) == (True, True, True, True)
    plain = round_trip(source, parse_document)
    assert (plain.alone, plain.kept, plain.same_document, plain.local) == (False, True, True, True)
    kinds = {kind for difference in plain.differences for kind in difference.kinds}
    assert "escapes that nothing needs" in kinds
    assert difference_kinds("a", "b") == (OTHER,)
    assert round_trip("* a\n").differences == ()
