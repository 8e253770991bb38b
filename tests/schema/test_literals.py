"""Literals are found in a text as the lexer finds them."""

from functools import partial

import pytest
from graphql import GraphQLSyntaxError, Lexer, Source, TokenKind
from hypothesis import example, given, strategies as st

from schema.literals import FLOAT, INT, STRING, Shift, split, starts
from tests.growth import assert_growth

KINDS = {TokenKind.INT: INT, TokenKind.FLOAT: FLOAT, TokenKind.STRING: STRING}


def lexed(text: str) -> list[tuple[int, int, str]]:
    """Start, kind and text of the literals by graphql-core's lexer."""
    lexer = Lexer(Source(text))
    found = []
    while lexer.advance().kind is not TokenKind.EOF:
        token = lexer.token
        if token.kind in KINDS:
            found.append((token.start, KINDS[token.kind], text[token.start : token.end]))
    return found


def scanned(text: str) -> list[tuple[int, int, str]]:
    skeleton, literals = split(text)
    kinds = [part for part in skeleton if isinstance(part, int)]
    return list(zip(starts(text), kinds, literals, strict=True))


TOKENS = st.sampled_from(
    [
        *("a", "a1", "_1e5", "x0", "0", "-0", "1", "12", "-7", "1.5", "-1.5e-3", "2E+4", "0e0"),
        *('""', '"a"', '"\\""', '"\\\\"', '"\\u0041"', '"#"', '"1"', '"a b"', '"é😀"', '"\'"'),
        *('""""""', '"""a"""', '"""a "b" c"""', '"""\\""" 5 """', '"""\n "\\ "" """', '"""5"""'),
        *("#\n", '# "a\n', "# 1 a\r", "{", "}", "(", ")", "[", "]", ":", "...", "$a", "$b1", "@c"),
        *("!", "=", "|", "&", ",", " ", "\n", "\t", "\ufeff", '"""a\r\nb"""'),
    ]
)


@given(st.lists(TOKENS, max_size=12).map("".join))
@example('""""""0')
@example('"""a \\""" "b" c\\""" 0')
def test_literals_are_those_of_the_lexer(text: str) -> None:
    try:
        expected = lexed(text)
    except GraphQLSyntaxError:
        split(text)  # whatever it is, it raises nothing
        return
    assert scanned(text) == expected


@given(st.text(alphabet='a1-.e"\\u#\n\ud800 {', max_size=14))
def test_malformed_texts_share_no_skeleton_with_valid_ones(text: str) -> None:
    """What the lexer refuses keeps a trace of it in the skeleton, or a literal that is refused."""
    try:
        lexed(text)
    except GraphQLSyntaxError:
        pass
    else:
        return
    skeleton, literals = split(text)
    replaced = iter(literals)
    refilled = "".join(next(replaced) if isinstance(part, int) else part for part in skeleton)
    assert refilled == text
    plain = {INT: "1", FLOAT: "1.5", STRING: '"a"'}
    valid = "".join(plain[part] if isinstance(part, int) else part for part in skeleton)
    if split(valid)[0] != skeleton:
        return
    try:
        lexed(valid)
    except GraphQLSyntaxError:
        return
    assert any("\\u" in literal for literal in literals)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{ a(x: 1) }", "{ a(x: 1.0) }"),
        ("{ a(x: 1) }", '{ a(x: "1") }'),
        ('{ a(x: "1") }', '{ a(x: """1""") }'),
        ("{ a(x: 1) }", "{ a(x: 1)  }"),
        ("{ a(x: 1) } # 1", "{ a(x: 1) } # 2"),
        ("{ a1 }", "{ a2 }"),
    ],
)
def test_what_is_not_the_same_has_another_skeleton(one: str, other: str) -> None:
    assert split(one)[0] != split(other)[0]


def test_positions_move_with_the_literals_before_them() -> None:
    text, other = '{ a(x: 1) b(y: "uv", z: 2) c }', '{ a(x: 1000) b(y: "", z: -2) c }'
    shift = Shift(text, other)
    for name in "abcxyz}":
        assert shift(text.index(name)) == other.index(name)
    assert shift(text.index('"uv"')) == other.index('""')


@pytest.mark.parametrize("before", ["", '"', '"""'])
@pytest.mark.parametrize(
    "part",
    ['"', "-", '"\\', '\\"', "1.", '"""', '\\"""', '"a', '"\n', "#\ud800", '""" '],
    ids=ascii,
)
def test_time_is_linear(part: str, before: str) -> None:
    """Where a string begins that does not end, its end is looked for once."""
    assert_growth(lambda size: partial(split, before + part * size), 20_000)
