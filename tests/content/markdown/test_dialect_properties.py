"""Documents of all of the dialect come back from their Markdown as they were."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from content.documents.content_references import read_reference
from content.documents.nodes import block, fragment, inline, paragraph, text
from content.markdown.parser import parse_document
from content.markdown.spelling import write_markdown
from content.merge.nodes import canonical
from tests.content import dialect
from tests.content.markdown.test_markdown_writer import document

LINES = {kind: dialect.lines(st.just(kind)) for kind in dialect.INLINES}
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def plain(value: Any) -> Any:
    """A document without node keys, and with the marks of a leaf in one order."""
    if isinstance(value, dict):
        kept = {name: plain(item) for name, item in value.items() if name != "key"}
        if kept.get("object") == "leaf":
            kept["marks"] = sorted(kept["marks"], key=canonical)
        return kept
    return [plain(item) for item in value] if isinstance(value, list) else value


def comes_back(nodes: list[Any]) -> None:
    """The document of the Markdown of these blocks is theirs."""
    markdown = write_markdown(document(nodes))
    again = parse_document(markdown, resolve=read_reference)
    assert plain(again) == plain(document(nodes)), markdown


@pytest.mark.parametrize("kind", dialect.BLOCKS)
@SETTINGS
@given(data=st.data())
def test_blocks(kind: str, data: st.DataObject) -> None:
    comes_back([data.draw(dialect.leaves()[kind])])


@pytest.mark.parametrize("kind", dialect.CONTAINERS)
@SETTINGS
@given(data=st.data())
def test_containers(kind: str, data: st.DataObject) -> None:
    comes_back([data.draw(dialect.containers(1)[kind])])


@pytest.mark.parametrize("kind", dialect.INLINES)
@SETTINGS
@given(data=st.data())
def test_inlines(kind: str, data: st.DataObject) -> None:
    comes_back([block("paragraph", data.draw(LINES[kind]))])


@SETTINGS
@given(st.lists(dialect.all_blocks(2), min_size=1, max_size=3))
def test_documents(nodes: list[Any]) -> None:
    comes_back(nodes)


def test_addresses_in_angle_brackets_stay_text() -> None:
    comes_back([paragraph([text("<0@0> <a@b> < c@d>")])])


def test_a_block_as_json_has_its_notes_in_it() -> None:
    def noted() -> Any:
        note = fragment("body", [block("divider")], "annotation-body")
        return paragraph([text("a "), inline("annotation", [text("b")], {}, [note])])

    # No tag holds such a width.
    kept = block("columns", [block("column", [noted()], {"width": "%}"})])
    assert "[^" not in write_markdown(document([kept]))
    comes_back([kept])
    comes_back([kept, noted()])


@pytest.mark.parametrize("value", ["\n{%", "a\n  {% b", "a\n> {% b", "a\n\n{%\n", "a\n%\n{ %"])
def test_values_over_lines_with_what_looks_like_a_tag(value: str) -> None:
    ref = {"kind": "openapi", "spec": value}
    comes_back([block("openapi-schemas", None, {"ref": ref})])
