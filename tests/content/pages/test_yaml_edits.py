"""Values of YAML change, and nothing else of it."""

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
        ("title", "B", "title: 'A'  # why\n", "title: B\n"),
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
