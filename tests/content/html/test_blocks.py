"""Every block, inline and mark as HTML."""

from __future__ import annotations

import re
from typing import Any

import pytest

from content.documents.anchors import heading_anchors
from content.documents.nodes import block, fragment, inline, leaf, mark, paragraph, text
from content.html.document import BLOCKS, INLINES, render_document
from content.html.rendering import Options, Target
from content.markdown.parser import parse_document
from tests.content.html.html_reader import read_html, text_of

Node = dict[str, Any]
PAGE = {"kind": "page", "page": "p1"}
PICTURE = {"kind": "file", "file": "f1"}


def resolve(reference: Node) -> Target:
    known = {
        "page": Target(href="guide/page", title="The page"),
        "anchor": Target(href="#there", title="The place"),
        "file": Target(href="/files/f1", title="tide.png", image="/files/f1", size=1_234_567,
                       width=600, height=300),
        "user": Target(title="Ada"),
        "url": Target(href=str(reference.get("url")), image=str(reference.get("url")),
                      title=str(reference.get("url"))),
    }  # fmt: skip
    return known.get(str(reference.get("kind")), Target(broken=True))


def html(*nodes: Node, **options: Any) -> str:
    document: Node = {"object": "document", "data": {}, "nodes": list(nodes)}
    made = render_document(document, Options(**{"resolve": resolve, **options})).html
    assert read_html(made).faults == []
    return made


def of(markdown: str, **options: Any) -> str:
    return html(*parse_document(markdown)["nodes"], **options)


@pytest.mark.parametrize(
    ("markdown", "start"),
    [
        ("שלום world", '<p dir="rtl">'), ("12 «العربية»", '<p dir="rtl">'), ("world שלום", "<p>"),
        ("1 — 2 →", "<p>"), ("Привет", "<p>"),
        ("* العربية\n* a", '<ul dir="rtl"><li><p dir="rtl">'), ("* a\n* العربية", "<ul><li><p>"),
        ("> שלום", '<blockquote dir="rtl">'), ("## שלום", '<h2 id="שלום" dir="rtl">'),
        ("| א | b |\n| - | - |\n| 1 | 2 |", '<div class="table" tabindex="0"><table dir="rtl">'),
    ],
)  # fmt: skip
def test_text_runs_as_its_first_letter(markdown: str, start: str) -> None:
    assert of(markdown).startswith(start)


def words(content: str, *marks: Node) -> Node:
    return {"object": "text", "leaves": [leaf(content, list(marks))]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bold", "<strong>x</strong>"), ("italic", "<em>x</em>"), ("code", "<code>x</code>"),
        ("keyboard", "<kbd>x</kbd>"), ("strikethrough", "<s>x</s>"),
        ("superscript", "<sup>x</sup>"), ("subscript", "<sub>x</sub>"), ("unknown", "x"),
    ],
)  # fmt: skip
def test_marks(name: str, expected: str) -> None:
    assert html(paragraph([words("x", mark(name))])) == f"<p>{expected}</p>"


def test_marks_of_colour_are_classes_and_code_stands_innermost() -> None:
    colour = mark("color", {"text": "orange", "background": "$info"})
    made = html(paragraph([words("x", mark("code"), mark("bold"), colour)]))
    assert made == (
        '<p><span class="text-orange background-info"><strong><code>x</code></strong></span></p>'
    )
    assert html(paragraph([words("x", mark("color", {"text": "red;x:y"}))])) == "<p>x</p>"


def test_text_is_escaped_and_breaks_are_kept() -> None:
    assert html(paragraph([words('a < b & "c"\nnext')])) == (
        "<p>a &lt; b &amp; &quot;c&quot;<br>next</p>"
    )
    assert text_of(html(paragraph([words("nul\x00 bell\x07 half\ud800")]))) == "nul� bell� half�"


def test_headings_have_anchors_that_differ() -> None:
    made = render_document(parse_document("## Öffnung\n\n### Öffnung\n\n#### x\n\n## note\n"))
    assert [(one.level, one.id, one.text) for one in made.headings] == [
        (1, "offnung", "Öffnung"), (2, "offnung-1", "Öffnung"), (3, "x", "x"), (1, "note", "note"),
    ]  # fmt: skip
    assert '<h2 id="offnung">' in made.html
    assert '<h4 id="x">' in made.html


def test_ids_are_made_by_the_caller() -> None:
    made = of("# One\n\nword[^1]\n\n[^1]: body\n", identify=lambda name: f"p7-{name}")
    ids = [values["id"] for _, values in read_html(made).elements if "id" in values]
    assert ids == [
        "p7-one", "p7-fnref-1", "p7-note:1:reference", "p7-note:1:body", "p7-fn-1",
    ]  # fmt: skip


def test_paragraphs_are_aligned() -> None:
    assert html(block("paragraph", [text("x")], {"align": "end"})) == '<p class="align-end">x</p>'
    assert html(paragraph([text("")])) == ""


def test_lists() -> None:
    made = of("3. a\n4. b\n   * c\n")
    assert made.startswith('<ol start="3"><li><p>a</p></li><li><p>b</p><ul>')
    tasks = of("* [ ] open\n* [x] done\n")
    assert tasks.count("<li ") == 2
    assert 'aria-label="Open"' in tasks
    assert 'class="task done"' in tasks


def test_quotes_dividers_and_hints() -> None:
    assert of("> a\n") == "<blockquote><p>a</p></blockquote>"
    assert of("***\n") == "<hr>"
    made = of('{% hint style="danger" %}\nhot\n{% endhint %}\n')
    assert 'class="hint hint-danger" role="note"' in made
    assert 'aria-label="Danger"' in made
    assert 'hint-info"' in html(block("hint", [paragraph([text("x")])], {"style": "<x>"}))


def test_code_has_title_numbers_colours_and_marked_lines() -> None:
    lines = [block("code-line", [text("def f(): # <b>")]),
             block("code-line", [text("    return 'x'")], {"highlighted": True})]  # fmt: skip
    made = html(block("code", lines, {"syntax": "python", "title": "a.py", "lineNumbers": True,
                                      "overflow": "wrap"}))  # fmt: skip
    assert "<figcaption>a.py</figcaption>" in made
    assert 'class="code-lines numbered wrap"' in made
    assert '<span class="k">def</span>' in made
    assert '<span class="c"># &lt;b&gt;</span>' in made
    assert '<span class="line highlighted">' in made
    assert "".join(read_html(made).text) == "a.pydef f(): # <b>\n    return 'x'\n"


def test_code_of_unknown_languages_and_with_marks_stays_as_it_is() -> None:
    plain = html(block("code", [block("code-line", [text("x = 1")])], {"syntax": "no-such"}))
    assert '<span class="line">x = 1\n</span>' in plain
    marked = block("code-line", [words("def", mark("bold")), text(" f")])
    made = html(block("code", [marked], {"syntax": "python"}))
    assert '<span class="line"><strong>def</strong> f\n</span>' in made


def test_very_long_code_has_no_colours() -> None:
    line = block("code-line", [text("x = 1 # " + "y" * 5_000)])
    assert 'class="c"' not in html(block("code", [line], {"syntax": "python"}))


def test_formulas_are_mathml_and_fall_back_to_tex() -> None:
    made = of("$$\n\\frac{a}{b} + x^2\n$$\n")
    assert "<mfrac>" in made
    assert "<mo>+</mo>" in made
    assert 'display="block"' in made
    broken = html(block("math", None, {"formula": "\\frac{"}))
    assert text_of(broken) == "\\frac{"
    assert '<code class="formula formula-source">' in broken


@pytest.mark.parametrize(
    "formula",
    ["\\href{javascript:alert(1)}{x}", "\\style{color:red}{x}", "\\text{<script>alert(1)</script>}",
     "\\class{a onclick=b}{x}", "\\unicode{x3c}script", "x" * 20_000, "{" * 3_000],
)  # fmt: skip
def test_nasty_formulas_are_harmless(formula: str) -> None:
    html(block("math", None, {"formula": formula}))


def test_images_have_sizes_captions_and_a_dark_twin() -> None:
    caption = [fragment("c", [paragraph([text("A tide")])], "caption")]
    one = block("image", None, {"ref": PICTURE, "refDark": PICTURE, "alt": "Curve", "width": 400},
                caption)  # fmt: skip
    made = html(block("images", [one], {"align": "center", "withFrame": True}))
    assert 'class="images align-center framed"' in made
    sized = '<img src="/files/f1" alt="Curve" width="400" height="200"'
    light, dark = re.findall(f"{sized}[^>]*>", made)
    assert 'class="for-light"' in light
    assert 'class="for-dark"' in dark
    assert 'loading="lazy"' in light
    assert 'loading="lazy"' in dark
    assert "<figcaption><p>A tide</p></figcaption>" in made
    assert html(one, paper=True).count("<img") == 1
    wide = html(block("image", None, {"ref": PICTURE, "width": {"value": 52, "unit": "%"}}))
    assert 'class="share-50"' in wide
    assert 'alt=""' in wide


def test_images_that_cannot_be_shown_say_what_they_are() -> None:
    made = html(block("image", None, {"ref": {"kind": "tag"}, "alt": "A map"}))
    assert "<img" not in made
    assert text_of(made) == "A map"


def test_files_embeds_and_links_to_pages() -> None:
    file = html(block("file", None, {"ref": PICTURE}))
    assert '<a href="/files/f1">tide.png</a>' in file
    assert "1.2 MB" in file
    embed = html(block("embed", None, {"url": "https://example.com/film"}))
    assert '<a href="https://example.com/film">' in embed
    assert "<iframe" not in embed
    assert html(block("embed", None, {"url": "javascript:x"})).count("<a ") == 0
    page = html(block("content-ref", None, {"ref": PAGE}))
    assert page == '<p class="content-ref"><a href="guide/page">The page</a></p>'


def test_tabs_show_every_tab_under_its_title() -> None:
    tab = block("tabs-item", [paragraph([text("body")])], {"title": "One"})
    made = html(block("tabs", [tab, tab]))
    assert '<section class="tab" id="tab:one">' in made
    assert '<section class="tab" id="tab:one:2">' in made
    assert text_of(made) == "Onebody" * 2


def test_steps_are_numbered() -> None:
    step = block("stepper-step", [paragraph([text("do")])], {"title": "T"})
    assert text_of(html(block("stepper", [step, step]))) == "1Tdo2Tdo"


def test_columns_have_shares() -> None:
    left = block("column", [paragraph([text("l")])], {"width": "33.3%"})
    made = html(block("columns", [left, block("column", [paragraph([text("r")])])]))
    assert '<div class="column share-35"><p>l</p></div><div class="column"><p>r</p></div>' in made


def test_expandables_are_details_and_open_on_paper() -> None:
    source = "<details>\n\n<summary>More <b>x</b></summary>\n\nbody\n\n</details>\n"
    assert '<details class="expandable"><summary>More <strong>x</strong></summary>' in of(source)
    assert " open>" in of(source, paper=True)


def test_conditions_and_expressions_are_asked_for() -> None:
    inner = paragraph([inline("expression", data={"expression": "space.vars.x"})])
    node = block("if", [inner], {"expression": "visitor.claims.beta"})
    assert html(node, condition=lambda source: source != "visitor.claims.beta") == ""
    shown = html(node, evaluate=lambda source: f"<{source}>")
    assert shown == "<p>&lt;space.vars.x&gt;</p>"
    assert '<code class="expression">space.vars.x</code>' in html(node)
    empty = block("if", [inner], {"expression": " "})
    assert html(empty, condition=lambda source: False) != ""


def test_reusable_content_is_inserted_but_never_in_itself() -> None:
    ref = {"kind": "reusable-content", "reusableContent": "r1"}
    node = block("reusable-content", None, {"ref": ref})
    body: Node = {"object": "document", "data": {}, "nodes": [paragraph([text("inside")]), node]}
    assert html(node, reusable=lambda reference: body) == "<p>inside</p>"
    assert html(node) == ""


def test_reusable_contents_cannot_multiply() -> None:
    def body(reference: Node) -> Node:
        level = int(str(reference["reusableContent"])) + 1
        ref = {"kind": "reusable-content", "reusableContent": str(level)}
        below = block("reusable-content", None, {"ref": ref})
        return {"object": "document", "nodes": [paragraph([text("x")]), *[below] * 10]}

    ref = {"kind": "reusable-content", "reusableContent": "0"}
    made = html(block("reusable-content", None, {"ref": ref}), reusable=body)
    assert 0 < made.count("<p>x</p>") <= 200


def test_annotations_are_numbered_notes() -> None:
    made = of("one[^a] two[^b]\n\n[^a]: first *note*\n[^b]: second\n")
    assert made.count('role="doc-noteref"') == 2
    assert '<section class="notes" role="doc-endnotes">' in made
    # Links of other programs lead there, too.
    place = '<span id="fn-1" class="old-anchor"></span>'
    body = '<div class="note-body"><p>first <em>note</em></p></div>'
    assert f'<li id="note:1:body">{place}{body}' in made
    assert made.count('role="doc-backlink"') == 2


def test_links_mentions_buttons_emoji_icons() -> None:
    link = inline("link", [text("here")], {"ref": PAGE, "title": "T"})
    assert html(paragraph([link])) == '<p><a href="guide/page" title="T">here</a></p>'
    unnamed = inline("link", [text("")], {"ref": PAGE})
    assert text_of(html(paragraph([unnamed]))) == "The page"
    broken = inline("link", [text("gone")], {"ref": {"kind": "tag"}})
    assert html(paragraph([broken])) == '<p><span class="broken-link">gone</span></p>'
    person = inline("mention", data={"ref": {"kind": "user", "user": "u"}})
    assert html(paragraph([person])) == '<p><span class="mention">Ada</span></p>'
    button = inline("button", data={"label": "Go", "kind": "secondary", "ref": PAGE})
    assert '<a href="guide/page" class="button secondary">Go</a>' in html(paragraph([button]))
    idle = inline("button", data={"label": "Go", "icon": "bolt"})
    assert html(paragraph([idle])) == (
        '<p><span class="button primary"><span class="icon icon-bolt" aria-hidden="true"></span>'
        "Go</span></p>"
    )
    assert "👩‍🚀" in html(paragraph([inline("emoji", data={"code": "1f469-200d-1f680"})]))
    for code in ("d800", "110000", "0", "x", ""):
        assert html(paragraph([inline("emoji", data={"code": code})])) == ""
    icon = inline("icon", data={"icon": "x onload=1"})
    assert html(paragraph([icon])) == ""


def test_inline_images() -> None:
    line = inline("inline-image", data={"ref": PICTURE, "alt": "A", "size": "line"})
    assert (
        '<img src="/files/f1" alt="A" width="600" height="300" class="inline-image line">'
        in html(paragraph([line]))
    )


def test_openapi_blocks_say_what_they_know() -> None:
    data = {"path": "/pets/{id}", "method": "post", "ref": {"kind": "openapi", "spec": "shop"}}
    operation = html(block("openapi-operation", None, data))
    assert text_of(operation) == "POST/pets/{id}Specificationshop"
    old = {"path": "/pets", "method": "get", "ref": {"kind": "url", "url": "https://x.y/a.json"}}
    assert '<a href="https://x.y/a.json">' in html(block("swagger", None, old))
    schemas = {"schemas": ["Pet", "Owner"], "ref": {"kind": "openapi", "spec": "shop"}}
    assert text_of(html(block("openapi-schemas", None, schemas))) == (
        "SchemasNamesPet OwnerSpecificationshop"
    )
    hook = {"name": "sold", "method": "post", "ref": {"kind": "openapi", "spec": "shop"}}
    assert "Webhook" in html(block("openapi-webhook", None, hook))


def test_integrations_show_their_source_or_their_address() -> None:
    drawing = {"integration": "mermaid", "block": "mermaid", "props": {"content": "a --> b"}}
    assert "a --&gt; b" in html(block("integration", None, drawing))
    linked = {"integration": "x", "block": "y", "url": "https://example.com"}
    assert '<a href="https://example.com">' in html(block("integration", None, linked))
    assert html(block("integration", None, {"integration": "x", "block": "y"})) == ""


def test_unknown_nodes_show_their_children() -> None:
    assert html(block("later", [paragraph([text("x")])])) == "<p>x</p>"
    assert html(block("later", None, {"url": "x"})) == ""
    assert html(paragraph([inline("later", [text("x")])])) == "<p>x</p>"


def test_verbatim_html_is_sanitized() -> None:
    source = '<div onclick="x()">a <b>b</b><script>alert(1)</script><a href="javascript:x">l</a>'
    made = of(f"{source}\n")
    assert made == "<div>a <b>b</b><a>l</a></div>"
    assert of("<!-- hidden -->\n") == ""
    assert text_of(of("a <u>b</u> <blink>c</blink>\n")) == "a b c"


IMG = '<img src="https://x.example/a.png" alt="A" class="inline-image" loading="lazy">'
NO_ALT = IMG.replace('"A"', '""')


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ('<a href="https://e.example">\n<img src="https://x.example/a.png" alt="A">\n</a>',
         f'<a href="https://e.example">\n{IMG}\n</a>'),
        ('<figure><a href="https://e.example"><img alt="A" src="https://x.example/a.png"></a></figure>',
         f'<div><a href="https://e.example">{IMG.replace(" src=", " SRC=")}</a></div>'),
        ('a <img src="https://x.example/a.png" alt="A" width="10" onerror="x"> b',
         f'<p>a {IMG.replace(" load", " width=10 load")} b</p>'),
        ("<center><b>x</b><img src=https://x.example/a.png width=5%></center>",
         f'<div><b>x</b>{NO_ALT}</div>'),
        ("<center><b>x</b><img src=data:image/png,x><img alt=y><img src=javascript:x></center>",
         "<div><b>x</b></div>"),
    ],
)  # fmt: skip
def test_images_of_kept_html_are_shown(markdown: str, expected: str) -> None:
    def attributes(made: str) -> list[str]:
        return sorted(re.findall(r"[^\s<>]+", made.lower().replace('"', "")))

    assert attributes(of(markdown)) == attributes(expected)
    assert "<img" not in of(markdown, paper=True)


SILENT = [
    "[ ](https://e.example)", "[&nbsp;](https://e.example)", "[![](x.png)](https://e.example)",
    "[**&#x20;**](https://e.example)", "[<i class='fa-star'>:star:</i>](https://e.example)",
    "[\u200b](https://e.example)", '<a href="https://e.example"><img src="x.png" width="9"></a>',
]  # fmt: skip


@pytest.mark.parametrize("markdown", SILENT)
def test_links_that_say_nothing_have_the_name_of_what_they_lead_to(markdown: str) -> None:
    assert 'aria-label="https://e.example"' in of(markdown)


@pytest.mark.parametrize(
    "markdown",
    ["[x](https://e.example)", "[![A](x.png)](https://e.example)", "[:star:](https://e.example)",
     "[](https://e.example)", "[`x`](https://e.example)"],
)  # fmt: skip
def test_links_that_say_something_have_no_other_name(markdown: str) -> None:
    assert "aria-label" not in of(markdown)


def test_every_block_and_inline_of_the_model_is_in_the_tables() -> None:
    blocks = {
        "paragraph", "heading-1", "heading-2", "heading-3", "list-ordered", "list-unordered",
        "list-tasks", "list-item", "divider", "blockquote", "hint", "code", "code-line", "math",
        "images", "image", "file", "drawing", "embed", "expandable", "tabs", "tabs-item",
        "stepper", "stepper-step", "columns", "column", "table", "content-ref",
        "reusable-content", "integration", "swagger", "openapi-operation", "openapi-schemas",
        "openapi-webhook", "if",
    }  # fmt: skip
    inlines = {
        "link", "emoji", "icon", "expression", "inline-math", "inline-image", "annotation",
        "mention", "button",
    }  # fmt: skip
    assert blocks <= set(BLOCKS)
    assert inlines <= set(INLINES)


@pytest.mark.parametrize(
    "source",
    ["##", "## <!-- nothing -->", '## <a id="x"></a>', "### <b></b>", "## \\", "## &nbsp;"],
)
def test_a_heading_that_shows_nothing_is_a_place_only(source: str) -> None:
    document = parse_document(f"{source}\n\nText\n")
    rendered = render_document(document, Options(resolve=resolve))
    anchors = list(heading_anchors(document).values())
    assert all(rendered.html.count(f'id="{anchor}"') == 1 for anchor in anchors)
    if source != "## \\":
        assert re.search(r"<h[2-6]", rendered.html) is None
        assert rendered.headings == ()
    assert "<p>Text</p>" in rendered.html


def test_a_heading_may_be_a_picture_or_a_formula() -> None:
    for source in ("## ![x](https://a.test/x.png)", "## $$x$$"):
        made = of(source)
        assert re.search(r"<h2 id=.*<(?:img|math).*</h2>", made)


def test_heads_of_tables_of_html_are_those_of_columns() -> None:
    head = '<tr><th>A</th><th colspan="2">B</th><th scope="row">C</th></tr>'
    made = html(block("markdown", None, {"source": (
        f"<table><thead>{head}</thead><tbody><tr><th>D</th><td>E</td></tr></tbody></table>\n"
    )}))  # fmt: skip
    assert made.count('scope="col"') == 2
    assert '<th scope="row">C</th>' in made
    assert "<th>D</th>" in made
