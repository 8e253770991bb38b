"""One set of limits for all ways in: what Markdown makes can come back as JSON."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from content.documents import limits
from content.documents.keys import content_digest
from content.documents.shape import DocumentError, checked_document
from content.errors import SourceLimitError
from content.git.layout import read_space
from content.imports.packing import PackLimits, pack
from content.markdown.parser import parse_document
from content.markdown.spelling import parse_with_style, write_markdown
from content.sources.zip import open_files
from docstead.http.body_guard import BodyLimits, parse_json
from docstead.settings import Settings
from jobs.import_docs import TooLargeError, prepare

DOCS = Path(__file__).parents[3] / "docs" / "writing.md"


def test_the_table_of_the_documentation_has_these_limits() -> None:
    rows = [
        f"| {what} | {number:,} {unit} | {when} |"
        for what, (number, unit, when) in limits.TABLE.items()
    ]
    text = DOCS.read_text(encoding="utf-8")
    assert "\n".join(["| What | At most | Checked |", "| --- | --- | --- |", *rows, ""]) in text
    # With what stands around a document in a request.
    assert Settings().body_limit > limits.BYTES * 1.1


def written_back(markdown: str) -> None:
    """A page of this Markdown comes back from its JSON, as the body of a request takes it."""
    document: Any = parse_with_style(markdown)
    body = orjson.dumps({"variables": {"input": {"operations": [{"page": {"body": document}}]}}})
    parse_json(body, BodyLimits())
    checked = checked_document(document)
    assert content_digest(checked) == content_digest(document)
    again = parse_document(write_markdown(checked))
    assert content_digest(again) == content_digest(document)


# What containers hold, in each other: each with its own way to nest.
OPENINGS = st.sampled_from(
    [("<details>\n<summary>s[^1]</summary>\n\n", "\n\n</details>"),
     ("{% hint %}\n", "\n{% endhint %}"),
     ("{% tabs %}\n{% tab %}\n", "\n{% endtab %}\n{% endtabs %}"),
     ("{% columns %}\n{% column %}\n", "\n{% endcolumn %}\n{% endcolumns %}")]
)  # fmt: skip
INNER = st.sampled_from(
    ["a[^1]", ">" * 40 + " a[^1]", "".join("  " * level + "* a\n" for level in range(40)),
     "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>" + "<ul><li>" * 7 + "x"
     + "</li></ul>" * 7 + "</td></tr></tbody></table>",
     "<div data-node='" + '{"object":"block","type":"x","nodes":[' * 60 + "]}" * 60 + "'></div>",
     "<div data-node='{\"object\":\"block\",\"type\":\"x\",\"data\":" + '{"a":' * 90 + "1"
     + "}" * 90 + "}'></div>"]
)  # fmt: skip


def nested(openings: list[tuple[str, str]], times: int, inner: str) -> str:
    starts = "".join(start for start, _ in openings) * times
    ends = "".join(end for _, end in openings[::-1]) * times
    return f"{starts}{inner}{ends}"


@given(st.lists(OPENINGS, min_size=1, max_size=3), st.integers(1, 34), INNER, INNER)
def test_whatever_is_nested_can_be_written_back(
    openings: list[tuple[str, str]], times: int, inner: str, note: str
) -> None:
    text = nested(openings, times, inner)
    indented = nested(openings, times, note).replace("\n", "\n    ")
    written_back(text)
    written_back(f"{text}\n\n[^1]: {indented}\n")


def test_large_pages_can_be_written_back() -> None:
    written_back("\n".join(f"* item {number}" for number in range(10_000)))
    written_back(f"```\n{'x' * 900_000}\n```\n")
    with pytest.raises(DocumentError, match="100,000 nodes"):
        checked_document({"object": "document", "nodes": [{"object": "block", "type": "p",
                                                           "nodes": []}] * 100_001})  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x" * 1_000_001, "has 1,000,001 characters"),
        ("x\n\n" * 50_001, "has 50,001 lines that are not blank"),
        ("* a\n" * 34_000, "has 102,001 nodes"),
    ],
)
def test_imports_say_which_page_is_beyond_them(text: str, problem: str) -> None:
    tree = open_files({"docs/README.md": b"# Home\n\nx", "docs/large.md": text.encode()})
    space = read_space(tree, directory="docs")
    with pytest.raises(TooLargeError) as refused:
        prepare(space, None)
    assert f"docs/large.md: {problem}" in str(refused.value)
    numbers = iter(range(100))
    with pytest.raises(SourceLimitError, match=re.escape(f"'docs/large.md': {problem}")):
        pack(
            space, PackLimits(10, 10), lambda: f"id{next(numbers)}", lambda *row: None,
            base="", pictures={},
        )  # fmt: skip
