"""Rison is read as it is written; everything else is refused with its place."""

import json
import re
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from content.errors import RisonError
from content.rison import DEPTH_LIMIT, read_rison_object

WORD = re.compile(r"[^-0-9 '!:(),*@$][^ '!:(),*@$]*")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def text_of(value: str) -> str:
    if WORD.fullmatch(value):
        return value
    return "'" + value.replace("!", "!!").replace("'", "!'") + "'"


def written(value: Any) -> str:
    """A value as Rison, by the rules of the notation."""
    if isinstance(value, bool) or value is None:
        return {True: "!t", False: "!f", None: "!n"}[value]
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, list):
        return f"!({','.join(map(written, value))})"
    if isinstance(value, dict):
        members = [f"{text_of(name)}:{written(one)}" for name, one in value.items()]
        return f"({','.join(members)})"
    return json.dumps(value).replace("+", "")


@given(st.dictionaries(st.text(), VALUES, max_size=4))
@example({"a": -0.5, "b": [1e300, 10**30]})
def test_what_is_written_is_read(value: dict[str, Any]) -> None:
    text = written(value)
    assert read_rison_object(text) == value
    if value:
        assert read_rison_object(text[1:-1]) == value


@given(st.text(alphabet="()!':,atfn01-.e \x00é*", max_size=30))
@example("!" * 30)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_rison_object(text)
    except RisonError:
        return
    assert isinstance(found, dict)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("()", {}),
        ("", {}),
        ("(a:!t,b:!f,c:!n)", {"a": True, "b": False, "c": None}),
        ("a:0,b:-1,c:1.5,d:1e3,e:2e-1", {"a": 0, "b": -1, "c": 1.5, "d": 1000.0, "e": 0.2}),
        (
            "(plans:!(pro,'a b','it!'s !!'),'x y':())",
            {"plans": ["pro", "a b", "it's !"], "x y": {}},
        ),
        ("(a:'',b:'1')", {"a": "", "b": "1"}),
    ],
)
def test_examples(text: str, value: dict[str, Any]) -> None:
    assert read_rison_object(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a:1", "character 5: a comma or a closing parenthesis must follow a member"),
        ("a:1)", "character 5: ')' stands behind the value"),
        ("(a)", "character 3: a colon must follow the name of a member"),
        ("(a:!x)", "character 5: behind ! there must be t, f, n or a list in parentheses"),
        ("(a:'b", "character 6: a quoted text has no end"),
        ("(a:'!b')", "character 6: in quotes only ! and ' can stand behind !"),
        ("(a:1x)", "character 5: a comma or a closing parenthesis must follow a member"),
        ("(1:2)", "character 2: a name or a text is expected"),
        ("a:", "character 3: a value is expected"),
        ("a:" + "1" * 401, "character 3: the number is too long"),
        (
            "a:" + "!(" * (DEPTH_LIMIT + 1),
            f"character {3 + 2 * DEPTH_LIMIT}: values are nested deeper than 32 levels",
        ),
    ],
)
def test_what_is_no_rison(text: str, message: str) -> None:
    with pytest.raises(RisonError) as caught:
        read_rison_object(text)
    assert str(caught.value) == message
