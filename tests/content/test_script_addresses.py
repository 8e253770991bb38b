"""Addresses that run a script are known in every spelling, and harmless ones stay."""

from html import escape
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from content.documents.nodes import paragraph, text
from content.documents.shape import DocumentError, checked_document
from content.imports.markdown_links import script_links, without_script_links
from content.markdown.parser import parse_document
from content.script_addresses import (
    BROKEN,
    may_run_script,
    runs_script,
    script_members,
    without_scripts,
)
from tests.content.html.test_html_properties import DATA
from tests.growth import Work, assert_growth

SCRIPTS = ["javascript:alert(1)", "vbscript:msgbox(1)", "data:text/html,<script>alert(1)</script>"]
HARMLESS = [
    "https://example.com/?q=javascript:alert(1)", "/javascript:x", "#javascript:x",
    "?data:text/html", "mailto:a@example.com", "docs/data:x.md", "./javascript:x", "",
    "data:image/png;base64,AAAA",
    "javascript", "data", "metadata:x", "https://example.com/a&b", "ftp://example.com", "tel:+1",
]  # fmt: skip
# The URL standard: dropped in front, and dropped anywhere.
IN_FRONT = "".join(map(chr, range(0x21)))
ANYWHERE = "\t\n\r"


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """A script address in one of the ways that browsers understand."""
    address = draw(st.sampled_from(SCRIPTS))
    scheme, _, rest = address.partition(":")
    between = st.text(ANYWHERE, max_size=3)
    letters = (
        draw(between) + (letter.upper() if draw(st.booleans()) else letter) for letter in scheme
    )
    return draw(st.text(IN_FRONT, max_size=5)) + "".join(letters) + draw(between) + ":" + rest


@st.composite
def entities(draw: st.DrawFn) -> str:
    """The same with some of its characters as entities of HTML."""
    ways = (str, lambda sign: f"&#{ord(sign)};", lambda sign: f"&#x{ord(sign):X};", escape)
    # The entity of NUL means another character.
    spelled = draw(spellings()).replace("\x00", "")
    return "".join(draw(st.sampled_from(ways))(sign) for sign in spelled)


@given(st.one_of(spellings(), entities()))
@example("java&Tab;script&colon;alert(1)")
@example("java&#9;script:alert(1)")
@example("&NewLine;javascript:alert(1)")
@example("\t" * 5000 + "javascript:alert(1)")
@example("javas" + "\n" * 5000 + "cript:alert(1)")
@example("javas" + "&Tab;" * 40 + "cript:alert(1)")
def test_every_spelling_is_known(address: str) -> None:
    assert runs_script(address)
    assert may_run_script(address)
    document = {"object": "document", "nodes": [paragraph([text("x")])]}
    document["nodes"][0]["data"] = {"a": [{"ref": {"kind": "url", "url": address}}]}
    if "\x00" not in address:
        with pytest.raises(DocumentError) as refused:
            checked_document(document)
        assert refused.value.path == "nodes[0].data.a[0].ref.url"
    assert list(script_members(without_scripts(document))) == []


@pytest.mark.parametrize("address", HARMLESS)
def test_harmless_addresses_stay(address: str) -> None:
    assert not runs_script(address)
    value = {"data": {"url": address, "title": "javascript:x"}}
    assert without_scripts(value) is value
    assert script_links(f"[x]({address})") == []


WAYS = (
    "[x]({})", "[x](<{}>)", "![x]({})", '<a href="{}">x</a>', "<a href='{}'>x</a>",
    '<a HREF = "{}">x</a>', '{{% embed url="{}" %}}',
    '{{% content-ref url="{}" %}}\n\n{{% endcontent-ref %}}',
    "[x]\n\n[x]: {}", '<img src="{}" alt="">', '<table data-view="cards"><tbody><tr><td>'
    '<a href="{}">x</a></td></tr></tbody></table>', '<a href="{}" class="button primary">x</a>',
)  # fmt: skip


@given(st.sampled_from(WAYS), entities())
@example("<a href={}>x</a>", "javascript:alert(1)")
@example("<a href={}>x</a>", "java&Tab;script:alert(1)")
def test_markdown_leads_to_none_of_them(way: str, address: str) -> None:
    if any(sign in address for sign in " \x00\x0b\x0c<>\"'\n\r\t\x1f"):
        address = escape(address.replace("\x00", "")).replace("\n", "&#10;").replace("\r", "&#13;")
    markdown = way.format(address)
    # Whatever the dialect makes of it, the document has none.
    assert list(script_members(dict(parse_document(markdown)))) == []
    clean = without_script_links(markdown)
    assert list(script_links(clean)) == []
    if script_links(markdown):
        assert BROKEN in clean


@pytest.mark.parametrize(
    "markdown",
    ["[x](javascript\\:x)", "[x](data\\:text/html,x)", "[x]( \n javascript:x)",
     "[x](\n<javascript:x>\n)", "[x]\n\n[x]:\n  javascript:x", "> [x]:\n> java&Tab;script:x",
     "<JavaScript:x>", "\\` [x](javascript:x) `", "\\\\\\` [x](javascript:x) `",
     "<a title='`' href='javascript:x'>x</a> `", "<a title=` href=javascript:x>x</a> `",
     "<button formaction='javascript:x'>", "<form action=javascript:x>",
     '<object data="javascript:x"></object>'],
)  # fmt: skip
def test_what_other_readers_of_markdown_would_follow(markdown: str) -> None:
    assert len(script_links(markdown)) == 1
    clean = without_script_links(markdown)
    assert (script_links(clean), clean.count(BROKEN)) == ([], 1)


def test_code_and_prose_stay() -> None:
    markdown = (
        'Write `<a href="javascript:x">` or javascript: x.\n\n```html\n'
        '<a href="javascript:x">y</a>\n```\n\nhref = javascript\n\n'
        "\\\\`[x](javascript:x)` ``\\` [x](javascript:x)``\n"
        "`<javascript:x>` \\<javascript:x>\n"
        "[^1]:\n  data: is a scheme\n"
    )
    assert script_links(markdown) == []
    assert without_script_links(markdown) == markdown


@given(DATA)
def test_any_data_is_the_same_or_clean(data: Any) -> None:
    clean = without_scripts(data)
    assert list(script_members(clean)) == []
    assert clean == data if not list(script_members(data)) else clean != data


@pytest.mark.parametrize(
    "bomb",
    ["s\\t", "%0d", "s", "d\\n", " s c r", 'href="', "data", "&#115;",
     "](\n", "[x]:\n", "<data:", "> ", "\\\\", "\\`", "<a `"],
)  # fmt: skip
def test_long_texts_are_searched_soon(bomb: str) -> None:
    turns = count()

    def work(size: int) -> Work:
        # What was searched is remembered, so each text is another one.
        text = f"javascript: {next(turns)} {bomb * size}"
        return lambda: [may_run_script(text), script_links(text), without_script_links(text)]

    assert_growth(work, 500)
