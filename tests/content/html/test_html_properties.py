"""Whatever a document holds: balanced HTML, nothing that runs, all of its text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.documents.nodes import paragraph, text
from content.html.document import BLOCKS, INLINES, render_document
from content.html.inlines import MARKS
from content.html.markup import escape_breakable, safe_address
from content.html.rendering import Options
from content.markdown.parser import parse_document
from tests.content.html.html_reader import read_html
from tests.content.markdown.test_markdown_properties import BOMBS, MARKDOWN
from tests.growth import soon

Node = dict[str, Any]
NASTY = [
    "<script>alert(1)</script>", "</p></div>", '" onload="x()', "' onerror='x()", "<!--", "-->",
    "javascript:alert(1)", "JaVa\nScript:x", "java\tscript:x", " javascript:x", "vbscript:x",
    "data:text/html,<script>x</script>", "&#106;avascript:x", "]]>", "<svg onload=x()>", "\x00",
    "\ud800", "//evil.example", "\\\\evil.example", "https://ok.example/?a=<b>&c=\"d\"",
    "<img src=x onerror=x()>", "</style><script>", "</title>", "{{x}}", "$$", "\\frac{", "1f600",
    "<math><mtext><table><mglyph><style><img src=x onerror=x()>", "<a href=javascript:x>y</a>",
]  # fmt: skip
STRINGS = st.one_of(st.sampled_from(NASTY), st.text(max_size=20))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 500), st.floats(), STRINGS)
REFERENCES = st.one_of(
    st.fixed_dictionaries({"kind": st.just("url"), "url": STRINGS}),
    st.fixed_dictionaries({"kind": STRINGS, "page": STRINGS}),
)
NAMES = st.sampled_from(
    ["title", "style", "id", "align", "ref", "refDark", "url", "formula", "alt", "caption", "icon",
     "label", "kind", "code", "expression", "syntax", "width", "height", "start", "method", "path",
     "schemas", "props", "integration", "block", "source", "checked", "highlighted", "overflow"]
)  # fmt: skip
DATA = st.dictionaries(
    NAMES,
    st.one_of(SCALARS, REFERENCES, st.lists(SCALARS, max_size=3),
              st.dictionaries(NAMES, SCALARS, max_size=3)),
    max_size=6,
)  # fmt: skip
TABLES = st.fixed_dictionaries(
    {
        "view": st.fixed_dictionaries(
            {"type": st.sampled_from(["grid", "cards"]), "columns": st.just(["a", "b"]),
             "coverDefinition": st.just("b"), "targetDefinition": st.just("a"),
             "columnWidths": st.dictionaries(st.sampled_from("ab"), SCALARS)}
        ),
        "definition": st.fixed_dictionaries(
            {name: st.fixed_dictionaries(
                {"id": st.just(name), "title": STRINGS,
                 "type": st.sampled_from(["text", "number", "checkbox", "files", "users", "rating",
                                          "select", "content-ref", "image"]),
                 "max": SCALARS, "options": st.lists(DATA, max_size=2)}) for name in "ab"}
        ),
        "records": st.dictionaries(
            STRINGS,
            st.fixed_dictionaries(
                {"orderIndex": STRINGS,
                 "values": st.dictionaries(
                     st.sampled_from("ab"),
                     st.one_of(SCALARS, REFERENCES, st.lists(STRINGS, max_size=2)))}
            ),
            max_size=2,
        ),
    }
)  # fmt: skip
LEAVES = st.fixed_dictionaries(
    {"object": st.just("leaf"), "text": STRINGS,
     "marks": st.lists(st.fixed_dictionaries(
         {"type": st.sampled_from([*MARKS, "other"]), "data": DATA}), max_size=3)}
)  # fmt: skip
TEXTS = st.fixed_dictionaries({"object": st.just("text"), "leaves": st.lists(LEAVES, max_size=3)})


def nodes(kind: str, types: list[str], children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {
            "object": st.just(kind),
            "type": st.sampled_from([*types, "unknown"]),
            "data": st.one_of(DATA, TABLES),
            "nodes": st.lists(children, max_size=3),
            "fragments": st.lists(
                st.fixed_dictionaries(
                    {"object": st.just("fragment"), "fragment": STRINGS,
                     "type": st.sampled_from(["caption", "annotation-body", "expandable-body",
                                              "expandable-title"]),
                     "nodes": st.lists(children, max_size=2)}
                ),
                max_size=2,
            ),
        }
    )  # fmt: skip


INLINE = st.recursive(TEXTS, lambda inner: nodes("inline", list(INLINES), inner), max_leaves=5)
BLOCK = st.recursive(INLINE, lambda inner: nodes("block", list(BLOCKS), inner), max_leaves=12)
DOCUMENTS = st.fixed_dictionaries(
    {"object": st.just("document"), "data": st.just({}), "nodes": st.lists(BLOCK, max_size=4)}
)


@settings(max_examples=150)
@given(DOCUMENTS, st.booleans())
def test_any_document_is_balanced_html_without_anything_that_runs(
    document: Node, paper: bool
) -> None:
    def inserted(reference: Node) -> Node:
        return document

    html = render_document(document, Options(paper=paper, reusable=inserted)).html
    assert read_html(html).faults == []
    html.encode()


@given(st.lists(st.text(max_size=30), max_size=5))
def test_text_is_preserved(texts: list[str]) -> None:
    nodes = [paragraph([text(content)]) for content in texts]
    shown = "".join(read_html(render_document({"object": "document", "nodes": nodes}).html).text)
    # A paragraph of blanks is none.
    unseen = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
    expected = "".join(content for content in texts if unseen.sub("x", content).strip())
    kept = re.compile("[\x00-\x1f\x7f\ufffd\ufffe\uffff\r\n]")
    assert kept.sub("", shown) == kept.sub("", expected)


@settings(max_examples=150)
@given(MARKDOWN)
def test_any_markdown_is_harmless_html(markdown: str) -> None:
    assert read_html(render_document(parse_document(markdown)).html).faults == []


@given(st.text())
def test_long_words_may_be_broken_without_a_loss(written: str) -> None:
    made = escape_breakable(written)
    plain = "".join(read_html(made).text)
    kept = re.compile("[\x00-\x1f\x7f\ufffd\ufffe\uffff]")
    assert kept.sub("", plain) == kept.sub("", written)


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_rendered_soon(name: str) -> None:
    document = parse_document(BOMBS[name])
    with soon():
        render_document(document)


def test_deep_documents_end_in_text() -> None:
    node: Node = {"object": "text", "leaves": [{"text": "bottom", "marks": []}]}
    for _ in range(400):
        node = {"object": "block", "type": "blockquote", "nodes": [node]}
    html = render_document({"object": "document", "nodes": [node]}).html
    assert "bottom" in html
    assert read_html(html).faults == []


@pytest.mark.parametrize(
    "url",
    ["javascript:x", "JAVASCRIPT:x", " javascript:x", "java\nscript:x", "java\x00script:x",
     "\x01javascript:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x", "",
     "a" * 9_000, "\u2028javascript:x", "ms-settings:x"],
)  # fmt: skip
def test_addresses_that_are_refused(url: str) -> None:
    assert safe_address(url) is None


@pytest.mark.parametrize(
    ("url", "address"),
    [("https://a.b/c?d=e#f", None), ("HTTP://a.b", None), ("mailto:a@b.c", None), ("tel:+41", None),
     ("../a/b.md", None), ("#anchor", None), ("/a:b", None), ("?q=a:b", None),
     (" https://a.b/c d ", "https://a.b/c%20d")],
)  # fmt: skip
def test_addresses_that_are_allowed(url: str, address: str | None) -> None:
    assert safe_address(url) == (address or url)
