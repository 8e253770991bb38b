from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.errors import ContentError, YamlError
from content.pages.front_matter import (
    KEYS,
    FrontMatter,
    _Reader,
    read_front_matter,
    read_variables,
    split_front_matter,
)
from content.pages.layout_options import LAYOUT_DEFAULTS, WORDS, read_layout, whole_layout
from content.pages.stored import repaired_page
from content.safe_yaml import load_yaml


def test_split_takes_only_a_leading_block() -> None:
    assert split_front_matter("---\na: 1\n---\n# T\n") == ("a: 1\n", "# T\n", 3)
    assert split_front_matter("\ufeff---\r\na: 1\r\n---\r\nx")[0] == "a: 1\r\n"
    assert split_front_matter("---\n---\nx") == ("", "x", 2)
    assert split_front_matter("# T\n---\na: 1\n---\n") == (None, "# T\n---\na: 1\n---\n", 0)
    assert split_front_matter("---\nnever closed") == (None, "---\nnever closed", 0)


def test_known_keys_are_typed_and_others_preserved() -> None:
    matter = read_front_matter(
        "title: 42\ndescription: >-\n  two\n  lines\nhidden: true\nnoIndex: 'true'\nemoji: 0031\n"
        "cover: a.png\ncoverDark: b.png\ncoverY: -1.5\ncoverHeight: 300\nid: Abc123\n"
        "if: visitor.claims.x\nvars: {port: 80}\ntags: [a]\ndate: 2025-01-31\n",
        "a.md",
    )
    assert (matter.title, matter.description, matter.emoji) == ("42", "two lines", "0031")
    assert (matter.hidden, matter.no_index, matter.no_robots_index) == (True, True, False)
    assert matter.cover == {"ref": "a.png", "refDark": "b.png", "yPos": -1.5}
    assert (matter.id, matter.condition, matter.variables) == (
        "Abc123",
        "visitor.claims.x",
        {"port": 80},
    )
    assert matter.extra == {"coverHeight": 300, "tags": ["a"], "date": "2025-01-31"}
    assert matter.warnings == ()


def test_values_that_do_not_fit_are_kept_with_a_warning() -> None:
    matter = read_front_matter("hidden: maybe\nvars: {1a: x}\ntitle: [x]\nid: a/b", "a.md")
    assert matter.extra == {"hidden": "maybe", "vars": {"1a": "x"}, "title": ["x"], "id": "a/b"}
    assert len(matter.warnings) == 4
    assert matter.hidden is False


def test_long_description_is_cut_and_kept_whole() -> None:
    whole = "d" * 301
    matter = read_front_matter(f"description: {whole}", "a.md")
    assert matter.description == "d" * 300
    assert matter.extra == {"description": whole}
    assert len(matter.warnings) == 1


def test_cover_as_a_mapping() -> None:
    plain = read_front_matter("cover: {light: a.png, dark: b.png}", "a.md")
    assert (plain.cover, plain.extra) == ({"ref": "a.png", "yPos": 0, "refDark": "b.png"}, {})
    newer = read_front_matter("cover: {light: a.png, mask: m}", "a.md")
    assert newer.cover == {"ref": "a.png", "yPos": 0}
    assert newer.extra == {"cover": {"mask": "m"}}


@pytest.mark.parametrize(
    ("yaml_text", "line"),
    [
        ("a: [", 2),
        ("ok: 1\na: b: c", 3),
        ("- a", 2),
        ("a: !!python/object:os.system x", 2),
        ("a: &x [*x]", 2),
        ("a: 1\n\tb: 2", 3),
        ("{a: 1}: 2", 2),
        ('a: "\\ud800"', 2),
        ('ok: 1\nb: "x\\0"', 3),
    ],
)
def test_invalid_yaml_names_file_and_line(yaml_text: str, line: int) -> None:
    with pytest.raises(YamlError, match=r"^guide/a\.md, line \d+: ") as caught:
        read_front_matter(yaml_text, "guide/a.md")
    assert (caught.value.path, caught.value.line) == ("guide/a.md", line)


def test_yaml_bombs_are_refused() -> None:
    levels = "\n".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]" for i in range(1, 12))
    for bomb in (f"l0: &l0 [x]\n{levels}", "[" * 30_000, "a" * 70_000):
        with pytest.raises(YamlError):
            read_front_matter(bomb, "a.md")


def test_yaml_gives_json_types_only() -> None:
    loaded = load_yaml(
        "a: 2025-01-01\nb: yes\nc: .inf\nd: 1e999\n5: ~\ne: 99999999999999999999", "x"
    )
    assert loaded == {
        "a": "2025-01-01",
        "b": "yes",
        "c": ".inf",
        "d": "1e999",
        "5": None,
        "e": "99999999999999999999",
    }


@given(st.text(max_size=80))
def test_any_yaml_text_is_read_or_refused(text: str) -> None:
    try:
        read_front_matter(text, "a.md")
        message = "a.md"
    except ContentError as error:
        message = str(error)
    assert message.startswith("a.md")


def test_parts_of_a_mapping_that_do_not_fit_stay_alone() -> None:
    matter = read_front_matter(
        "layout: {outline: {visible: false}, title: false, metadata: {visible: 'no', at: top},\n"
        "  width: huge, banner: {visible: true}, cover: {visible: false, size: background}}\n"
        "vars: {a: 1, b c: 2, d: [e]}\ncover: {light: a.png, dark: 7, mask: m}\n",
        "a.md",
    )
    assert matter.layout == {"outline": False, "title": False, "metadata": False, "cover": False}
    assert matter.variables == {"a": 1}
    assert matter.cover == {"ref": "a.png", "yPos": 0}
    assert matter.extra == {
        "layout": {
            "metadata": {"at": "top"}, "width": "huge", "banner": {"visible": True},
            "cover": {"size": "background"},
        },
        "vars": {"b c": 2, "d": ["e"]},
        "cover": {"dark": 7, "mask": "m"},
    }  # fmt: skip
    assert len(matter.warnings) == 3
    assert "'width', 'cover.size'" in "".join(matter.warnings)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("visitor.claims.a", "visitor.claims.a"), ("false", "false"), ("true", "true"),
        ("''", None), ("", None), ("[a]", "false"), ("{a: b}", "false"), ("'a =='", "false"),
        ("site.x", "false"), (f"visitor.claims.{'a' * 1100}", "false"),
    ],
)  # fmt: skip
def test_a_condition_that_cannot_be_read_hides(condition: str, expected: str | None) -> None:
    matter = read_front_matter(f"if: {condition}", "a.md")
    unread = expected == "false" and condition != "false"
    assert matter.condition == expected
    assert (matter.condition_problem is not None, bool(matter.warnings)) == (unread, unread)
    if unread:
        assert matter.extra == load_yaml(f"if: {condition}", "a.md")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS | st.sampled_from(["wide", "full", "yes", "1f600", "bolt", "visitor.claims.a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["visible", "size", "light", "dark", "outline", "cover", "width"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
KNOWN = st.sampled_from(sorted({key for keys in KEYS.values() for key in keys} | {"id"}))


def whole(matter: FrontMatter) -> dict[str, Any]:
    """What the fields and `extra` say together, in the form of front matter."""
    said: dict[str, Any] = {
        key: getattr(matter, name)
        for name, (key, *_) in KEYS.items()
        if name in matter.given and name != "cover"
    }
    if matter.id is not None:
        said["id"] = matter.id
    return {**said, **matter.extra}


@given(st.dictionaries(KNOWN | st.text(max_size=4), VALUES, max_size=6))
def test_any_value_of_any_key_is_read_or_kept(given_values: dict[str, Any]) -> None:
    matter = _Reader(dict(given_values)).read()
    for text, limit in (
        (matter.title, 255), (matter.description, 300), (matter.icon, 50), (matter.emoji, 50),
        (matter.condition, 1024), (matter.id, 40),
    ):  # fmt: skip
        assert text is None or (isinstance(text, str) and 0 < len(text) <= limit)
    assert all(type(one) is bool for one in (matter.hidden, matter.no_index))
    layout = whole_layout(matter.layout)
    assert layout.keys() == LAYOUT_DEFAULTS.keys()
    assert all(type(one) is type(LAYOUT_DEFAULTS[name]) for name, one in layout.items())
    assert all(layout[name] in words for name, words in WORDS.items())
    assert read_layout(matter.layout) == (matter.layout, {}, ())
    assert read_variables(matter.variables) == matter.variables
    if matter.cover is not None:
        assert isinstance(matter.cover["ref"], str)
        assert isinstance(matter.cover["yPos"], (int, float))
    # Nothing is lost: each key has become a field, or is there still.
    covers = {"cover", "coverDark", "coverY"} if matter.cover is not None else set()
    empty = {"layout", "vars"}
    assert given_values.keys() - covers - empty <= whole(matter).keys()
    # What has not become a field is named, unless it is foreign or nothing.
    odd = [
        key
        for key in matter.extra
        if key in {"hidden", "icon", "emoji", "id", "title"} and given_values[key] is not None
    ]
    assert len(matter.warnings) >= len(odd)
    # A page that is stored with it is read as it is.
    entry = {"title": "T", **{name: getattr(matter, name) for name in matter.given}}
    entry = {name: value for name, value in entry.items() if value not in (None, {})}
    entry["extra"] = matter.extra
    assert repaired_page(dict(entry)) == entry
