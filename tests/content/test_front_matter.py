from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.errors import ContentError, YamlError
from content.front_matter import read_front_matter, split_front_matter
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
    assert (plain.cover, plain.extra) == ({"ref": "a.png", "refDark": "b.png"}, {})
    newer = read_front_matter("cover: {light: a.png, mask: m}", "a.md")
    assert newer.cover == {"ref": "a.png"}
    assert newer.extra == {"cover": {"light": "a.png", "mask": "m"}}


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
