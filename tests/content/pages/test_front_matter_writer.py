"""Front matter that is written reads as the same page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.errors import ContentError
from content.json_types import JsonObject
from content.pages.front_matter import FrontMatter, read_front_matter, split_front_matter
from content.pages.front_matter_writer import heading_says, source_head, write_front_matter
from content.safe_yaml import dump_yaml, load_yaml


def read_back(matter: FrontMatter) -> FrontMatter:
    yaml, body, _ = split_front_matter(write_front_matter(matter) + "body")
    assert body == "body"
    return read_front_matter(yaml or "", "a.md")


def said(matter: FrontMatter) -> FrontMatter:
    """What the text says, without how the reader came to it."""
    return replace(matter, given=frozenset(), warnings=(), condition_problem=None, id=None)


TEXTS = [
    "title: Hello\ndescription: A sentence.\nicon: bolt\nemoji: 1f600\nhidden: true\n",
    "noIndex: true\nnoRobotsIndex: yes\nvars: {port: 80, on: true, name: 'x: y', half: 0.5}\n",
    "cover: a b.png\ncoverDark: c.png\ncoverY: -1.5\n",
    "cover: {light: a.png, dark: 7, mask: m}\ncoverDark: b.png\n",
    "cover: {light: a.png, dark: b.png}\ncoverDark: [1]\ncoverY: far\n",
    "cover: {dark: b.png}\ncoverDark: c.png\n",
    "layout: {outline: {visible: false}, width: wide, cover: {visible: false, size: full}}\n",
    "layout: {cover: bogus, coverSize: full, metadata: {visible: no, at: top}, banner: {a: 1}}\n",
    "layout: {cover: {size: full}, coverSize: bogus, tags: false}\n",
    "layout: [a]\nvars: 7\nhidden: perhaps\nif: ')('\n",
    "if: visitor.claims.x == 'a'\ntags: [a, {b: null}]\ndate: 2025-01-31\nversion: '1.0'\n",
    f"title: {'t' * 300}\ndescription: {'d' * 301}\n",
    "text: |\n  ---\n  # no\n\n  end  \nyes: 'no'\n'---': '...'\n'<<': {a: '<<'}\n'': ''\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_read_is_written(text: str) -> None:
    matter = read_front_matter(text, "a.md")
    again = read_back(matter)
    assert said(again) == said(matter)
    assert write_front_matter(again) == write_front_matter(matter)


# Without backslashes, only NUL is written as one and a zero.
TEXT = st.text(st.characters(exclude_characters="\\", exclude_categories=["Cs"]), max_size=12)
KEY = st.sampled_from(
    ["title", "description", "icon", "emoji", "hidden", "noIndex", "cover", "coverDark", "coverY",
     "layout", "vars", "if", "tags", "light", "dark", "visible", "size", "mask", "width",
     "coverSize", "coverMask", "outline"]
)  # fmt: skip
SCALAR = (
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | TEXT
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["true", "wide", "full", "radial", "a.png", "1.5e3", "0x1f", "=", "2020-1-1"])
)  # fmt: skip
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY | TEXT, inner),
    max_leaves=8,
)


@given(st.dictionaries(KEY | TEXT, VALUE, max_size=6))
def test_any_mapping_comes_back(value: JsonObject) -> None:
    text = dump_yaml(value)
    if "\\0" in text:
        # NUL is no text.
        with pytest.raises(ContentError):
            load_yaml(text, "a.md")
        return
    assert load_yaml(text, "a.md") == value
    matter = read_front_matter(text, "a.md")
    assert said(read_back(matter)) == said(matter)


@pytest.mark.parametrize("text", ["yes", "2025-01-31", "0123", "1_000", "12:30:45", "=", "1.5e3"])
def test_texts_stay_texts_for_other_readers(text: str) -> None:
    assert dump_yaml({"a": text}) == f"a: '{text}'\n"


def test_canonical_spelling() -> None:
    matter = FrontMatter(
        description="Two\nlines", icon="bolt", hidden=True, cover={"ref": "a.png", "yPos": 0},
        layout={"width": "wide", "cover": False, "coverSize": "full", "outline": False},
        variables={"port": 80}, condition="visitor.x", extra={"tags": ["a"]},
    )  # fmt: skip
    assert write_front_matter(matter) == (
        "---\ndescription: |-\n  Two\n  lines\nicon: bolt\nhidden: true\ncover: a.png\nlayout:\n"
        "  width: wide\n  cover:\n    visible: false\n    size: full\n  outline:\n"
        "    visible: false\nvars:\n  port: 80\nif: visitor.x\ntags:\n- a\n---\n"
    )
    assert write_front_matter(FrontMatter()) == ""


@pytest.mark.parametrize(
    ("text", "body", "head"),
    [
        ("---\na: 1 # why\n---\n\n# T\n\nBody\n", "Body\n", "---\na: 1 # why\n---\n\n# T\n\n"),
        ("\ufeff---\na: 1\n---\n", "", "---\na: 1\n---\n"),
        ("---\na: 1\n---\n\nBody\n", "\nBody\n", "---\na: 1\n---\n\n"),
        ("---\na: 1\n---\n<!-- c -->\n# T\nBody\n", "<!-- c -->\nBody\n", None),
        ("# T\n\nBody\n", "Body\n", None),
        (f"---\na: {'x' * 80_000}\n---\nBody\n", "Body\n", None),
    ],
)
def test_heads_of_sources(text: str, body: str, head: Any) -> None:
    assert source_head(text, body) == head


def test_headings_that_say_the_title() -> None:
    assert heading_says("Plain & simple", "# Plain & simple\n")
    assert not heading_says("A *b*", "# A *b*\n")
    assert not heading_says("C #", "# C #\n")
