"""Finding the literals of a GraphQL document in its text, without parsing it.

One regular expression knows just enough of the lexical grammar to tell numbers and strings from
digits in names and quotes in comments. On the text of a valid document it agrees with the lexer;
where a text is malformed, what it leaves between the literals holds a quote, a hash sign or half a
number outside of any token, which no valid document has there. So two texts with the same
skeleton, of which one is valid, have the same tokens but for the values of their literals.
"""

import re
from itertools import pairwise
from typing import TypeAlias

# What is between the literals, and in the place of each literal its kind.
Skeleton: TypeAlias = tuple[str | int, ...]

INT, FLOAT, STRING = range(3)  # kinds

# Surrogates are not characters of GraphQL. At each place of a token only one way leads on, so the
# time is linear. Groups are not possessive: with those, Python 3.11.2 finds no block strings.
_BLOCK_STRING = r'"""(?:[^"\\\ud800-\udfff]++|\\"""|\\(?!""")|"(?!""))*"""'
_STRING = r'"(?!"")(?:[^"\\\n\r\ud800-\udfff]++|\\["\\/bfnrtu])*"'
_COMMENT = r"\#[^\n\r\ud800-\udfff]*+"
_NUMBER = (
    r"(?:-|(?<![A-Za-z0-9_.])|(?<=\.\.\.))"
    r"(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![A-Za-z0-9_.])"
)
# A quote that begins no string: no document is valid with it, so what follows is one piece. Looking
# for tokens in there would start anew at each of its quotes.
_MALFORMED = r'"[\s\S]*+'
# The set in front lets the search skip everything else at once.
_TOKEN = re.compile(
    rf'((?=["#0-9-])(?:{_BLOCK_STRING}|{_STRING}|{_COMMENT}|{_NUMBER}|{_MALFORMED}))'
)
_IS_STRING = re.compile(_STRING).fullmatch


def split(text: str) -> tuple[Skeleton, tuple[str, ...]]:
    """The skeleton of a text and its Int, Float and String literals as they are written.

    Comments, block strings and what is malformed stay in the skeleton.
    """
    parts: list[str | int] = [*_TOKEN.split(text)]
    literals: list[str] = []
    for index in range(1, len(parts), 2):
        token: str = parts[index]  # type: ignore[assignment]
        first = token[0]
        if first == '"':
            if not _IS_STRING(token):
                continue
            parts[index] = STRING
        elif first == "#":
            continue
        elif token.isdigit() or token[1:].isdigit():
            parts[index] = INT
        else:
            parts[index] = FLOAT
        literals.append(token)
    return tuple(parts), tuple(literals)


def starts(text: str) -> list[int]:
    """Where the literals of `split` begin."""
    return [match.start() for match in _TOKEN.finditer(text) if _is_literal(match[0])]


def _is_literal(token: str) -> bool:
    return _IS_STRING(token) is not None if token[0] == '"' else token[0] != "#"


class Shift:
    """Positions in one text as positions in another with the same skeleton."""

    def __init__(self, text: str, other: str) -> None:
        ends = [(0, 0)]
        ends += [
            (token.end(), two.end())
            for token, two in zip(_TOKEN.finditer(text), _TOKEN.finditer(other), strict=True)
        ]
        ends.append((len(text) + 1, 0))
        self._stretches = [(end, after, moved - end) for (end, moved), (after, _) in pairwise(ends)]

    def __call__(self, position: int) -> int:
        """The position in the other text of a token that starts at `position` in the first."""
        return next(
            position + moved for start, after, moved in self._stretches if start <= position < after
        )
