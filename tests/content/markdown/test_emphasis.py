"""Emphasis beside Chinese, Japanese and Korean: as authors mean it; elsewhere as in CommonMark."""

from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from markdown_it.rules_inline import emphasis, strikethrough

from content.documents.nodes import block, leaf
from content.html.document import render_document
from content.markdown.engine import make_engine
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from tests.content.markdown.test_dialect_properties import comes_back

STRICT = make_engine()
STRICT.inline.ruler.at("emphasis", emphasis.tokenize)
STRICT.inline.ruler.at("strikethrough", strikethrough.tokenize)
FRIENDLY = make_engine()


def shown(markdown: str) -> str:
    html = str(render_document(parse_document(markdown)).html)
    return html.removeprefix("<p>").removesuffix("</p>")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**注意：**内容", "<strong>注意：</strong>内容"),
        ("这是**“标题”**的内容", "这是<strong>“标题”</strong>的内容"),
        ("**例（1）**を見る", "<strong>例（1）</strong>を見る"),
        ("**支持Dns over quic：**打开", "<strong>支持Dns over quic：</strong>打开"),
        ("한국어**(굵게)**는", "한국어<strong>(굵게)</strong>는"),
        ("太*「斜」*字", "太<em>「斜」</em>字"),
        ("~~旧。~~新", "<s>旧。</s>新"),
        ("𠮷**（罕）**字", "𠮷<strong>（罕）</strong>字"),
        # As everywhere.
        ("这是_斜体_的", "这是_斜体_的"),
        ("a**(b)**c", "a**(b)**c"),
        ("**a:**b", "**a:**b"),
        ("你 ** 好 ** 吗", "你 ** 好 ** 吗"),
        ("🎉**!**🎉", "🎉<strong>!</strong>🎉"),
    ],
)
def test_what_authors_mean(markdown: str, html: str) -> None:
    assert shown(markdown) == html


ASCII = st.text("ab*_~ ().,\"'-[]`\n", max_size=30)
MIXED = st.text("中：（”aあ가* _~(.", max_size=24)


@given(ASCII | st.text(st.characters(max_codepoint=0x10FF), max_size=30))
def test_other_scripts_are_read_as_in_commonmark(markdown: str) -> None:
    assert tokens(FRIENDLY, markdown) == tokens(STRICT, markdown)


def tokens(engine: Any, markdown: str) -> list[Any]:
    return [token.as_dict() for token in engine.parse(markdown, {})]


MARKS = st.lists(st.sampled_from(["bold", "italic", "strikethrough"]), unique=True, max_size=2)
LEAVES = st.lists(st.tuples(st.text("中：（”aあ*(._~", min_size=1, max_size=4), MARKS), min_size=1)


@given(LEAVES)
@example([("注意：", ["bold"]), ("内容", [])])
@example([("中", []), ("：", ["italic"]), ("（", ["bold", "italic"]), ("中", [])])
def test_marks_come_back(leaves: list[tuple[str, list[str]]]) -> None:
    comes_back([block("paragraph", [{"object": "text", "leaves": joined(leaves)}])])


def joined(leaves: list[tuple[str, list[str]]]) -> list[Any]:
    """Leaves, those of equal marks beside each other as one."""
    groups: list[tuple[str, list[str]]] = []
    for content, marks in leaves:
        names = sorted(marks)
        if groups and groups[-1][1] == names:
            groups[-1] = (groups[-1][0] + content, names)
        else:
            groups.append((content, names))
    return [
        leaf(content, [{"object": "mark", "type": name} for name in names])
        for content, names in groups
    ]


@given(MIXED)
def test_what_is_written_is_read_again(markdown: str) -> None:
    once = write_markdown(parse_document(markdown))
    assert write_markdown(parse_document(once)) == once
