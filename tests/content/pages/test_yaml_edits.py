"""Values of YAML change, and nothing else of it."""

import re

import pytest
from hypothesis import given, settings, strategies as st

from content.json_types import JsonObject
from content.pages.yaml_edits import edit_yaml
from content.safe_yaml import dump_yaml, load_yaml

TEXT = """# top
title: 'A'  # why
layout:
    width: wide
    outline:
        visible: false
# of the variables
vars:
  a: 1
  note: |
    text
    # no comment
tags: [a,  b]

# end
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("title", "B", "title: 'A'  # why\n", "title: B  # why\n"),
        ("tags", ["a"], "tags: [a,  b]\n", "tags:\n- a\n"),
        ("new", True, "tags: [a,  b]\n", "tags: [a,  b]\nnew: true\n"),
        ("vars", {"a": 2, "note": "text\n# no comment\n"}, "  a: 1\n", "  a: 2\n"),
        (
            "layout",
            {"width": "wide", "outline": {"visible": True}},
            "visible: false",
            "visible: true",
        ),
    ],
)
def test_one_key(key: str, value: object, old: str, new: str) -> None:
    there = load_yaml(TEXT, "")
    assert isinstance(there, dict)
    assert edit_yaml(TEXT, {**there, key: value}) == TEXT.replace(old, new)  # type: ignore[dict-item]


def test_a_key_goes_with_its_lines() -> None:
    there = load_yaml(TEXT, "")
    assert isinstance(there, dict)
    del there["layout"]
    block = "layout:\n    width: wide\n    outline:\n        visible: false\n"
    assert edit_yaml(TEXT, there) == TEXT.replace(block, "")


@pytest.mark.parametrize(
    ("text", "values", "edited"),
    [
        # What stands in comments is no part of a value that is empty.
        (
            "redirects:  # old\n  # a: b.md\n\nroot: .\n",
            {"redirects": {"c": "d.md"}, "root": "."},
            "redirects:  # old\n  c: d.md\n  # a: b.md\n\nroot: .\n",
        ),
        # Of a key that is there twice the last one counts.
        ("# 1\na: 1\nb: 2\na: 3 # 2", {"a": 4, "b": 2}, "# 1\na: 1\nb: 2\na: 4 # 2\n"),
        ("a: 1\nb: 2 # of b\na: 3\n", {"a": 3, "b": 5}, "a: 1\nb: 5 # of b\na: 3\n"),
        ("a: 1\n# of b\nb: 2\na: 3\n", {"b": 2}, "# of b\nb: 2\n"),
        ("m:\n  a: 1\n  a: 2\n", {"m": {"b": 1}}, "m:\n  b: 1\n"),
        ("\ufeffa: 1 # one\n", {"a": 2}, "a: 2 # one\n"),
    ],
)
def test_comments_and_repeated_keys(text: str, values: JsonObject, edited: str) -> None:
    assert edit_yaml(text, values) == edited


@st.composite
def _commented(draw: st.DrawFn) -> tuple[str, JsonObject]:
    """YAML with comments everywhere and keys that are there several times, and other values."""
    lines: list[str] = []
    number = iter(range(1000))

    def comment(indent: str) -> None:
        for _ in range(draw(st.integers(0, 2))):
            lines.append(draw(st.sampled_from(("", f"{indent}# c{next(number)}."))))

    def value(name: str, indent: str) -> None:
        spelling = draw(st.sampled_from(("x", "'y'", '"z"', "[1,  2]", "", "7", "{a: b}")))
        behind = f"  # c{next(number)}." if draw(st.booleans()) else ""
        lines.append(f"{indent}{name}: {spelling}{behind}")

    comment("")
    for name in draw(st.lists(st.sampled_from("abcm"), min_size=1, max_size=5)):
        if name != "m":
            value(name, "")
        else:
            lines.append("m:")
            for inner in draw(st.lists(st.sampled_from("def"), min_size=1, max_size=4)):
                comment("  ")
                value(inner, "  ")
        comment("")
    text = "\n".join(lines) + draw(st.sampled_from(("", "\n")))
    loaded = load_yaml(text, "")
    assert isinstance(loaded, dict)
    new = st.sampled_from((1, "n", None, {"k": "v"}))
    values = {name: draw(new) if name != "m" and draw(st.booleans()) else there
              for name, there in loaded.items()}  # fmt: skip
    if isinstance(inner := loaded.get("m"), dict):
        values["m"] = {name: draw(new) if draw(st.booleans()) else there
                       for name, there in inner.items()}  # fmt: skip
        if draw(st.booleans()):
            values["m"]["new"] = "n"
    return text, values


@given(_commented())
@settings(max_examples=150, deadline=None)
def test_no_comment_is_lost_where_values_change(case: tuple[str, JsonObject]) -> None:
    text, values = case
    edited = edit_yaml(text, values)
    assert load_yaml(edited, "") == values
    assert re.findall(r"# c\d+\.", edited) == re.findall(r"# c\d+\.", text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab: #-'\"\n", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(("x", "y z", "1")), inner, max_size=2)
    ),
    max_leaves=6,
)
MAPPINGS = st.dictionaries(st.sampled_from(("a", "b", "c d", "true")), VALUES, max_size=3)


@given(MAPPINGS, MAPPINGS)
@settings(max_examples=60)
def test_what_is_written_is_read(before: JsonObject, after: JsonObject) -> None:
    edited = edit_yaml(dump_yaml(before) if before else "", after)
    assert (load_yaml(edited, "") or {}) == after
