"""Rison: JSON values written so that they need no escapes in an address.

`(name:Ada,'beta user':!t,plans:!(pro,2))` is an object. A text that is neither a number nor one of
these marks stands without quotes; in quotes `!` escapes `!` and `'`. The outermost object may go
without its parentheses.
"""

from __future__ import annotations

import re
from typing import Any

from content.errors import RisonError

DEPTH_LIMIT = 32
_WORD = re.compile(r"[^-0-9 '!:(),*@$][^ '!:(),*@$]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE]-?[0-9]+)?")
_MARKS = {"t": True, "f": False, "n": None}
# Beyond this a number takes long to read, and nothing could be done with it.
_DIGITS = 400


def read_rison_object(text: str) -> dict[str, Any]:
    """The object that a text is, with or without parentheses around it; RisonError otherwise."""
    whole = text if text.startswith("(") else f"({text})"
    # Errors name places as the text has them.
    reader = _Reader(whole, 0 if whole is text else 1)
    value = reader.value(0)
    reader.end()
    if not isinstance(value, dict):
        raise RisonError("must be an object, such as (name:value)")
    return value


class _Reader:
    """Reads a text from its beginning to its end."""

    def __init__(self, text: str, shift: int) -> None:
        self._text, self._at, self._shift = text, 0, shift

    def _fail(self, message: str) -> RisonError:
        return RisonError(f"character {max(self._at - self._shift, 0) + 1}: {message}")

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _takes(self, mark: str) -> bool:
        if self._next() != mark:
            return False
        self._at += 1
        return True

    def end(self) -> None:
        """RisonError when something is left."""
        if self._next():
            raise self._fail(f"{self._next()!r} stands behind the value")

    def value(self, depth: int) -> Any:
        """Any value."""
        if depth > DEPTH_LIMIT:
            raise self._fail(f"values are nested deeper than {DEPTH_LIMIT} levels")
        if self._takes("("):
            return self._object(depth)
        if self._takes("'"):
            return self._quoted()
        if self._takes("!"):
            return self._marked(depth)
        return self._word() if _WORD.match(self._text, self._at) else self._number()

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        if self._takes(")"):
            return members
        while True:
            name = self._quoted() if self._takes("'") else self._word()
            if not self._takes(":"):
                raise self._fail("a colon must follow the name of a member")
            members[name] = self.value(depth + 1)
            if self._takes(")"):
                return members
            if not self._takes(","):
                raise self._fail("a comma or a closing parenthesis must follow a member")

    def _array(self, depth: int) -> list[Any]:
        items: list[Any] = []
        if self._takes(")"):
            return items
        while True:
            items.append(self.value(depth + 1))
            if self._takes(")"):
                return items
            if not self._takes(","):
                raise self._fail("a comma or a closing parenthesis must follow an item")

    def _marked(self, depth: int) -> Any:
        if self._takes("("):
            return self._array(depth)
        mark = self._next()
        if mark not in _MARKS or not mark:
            raise self._fail("behind ! there must be t, f, n or a list in parentheses")
        self._at += 1
        return _MARKS[mark]

    def _quoted(self) -> str:
        parts: list[str] = []
        while True:
            character = self._next()
            if not character:
                raise self._fail("a quoted text has no end")
            self._at += 1
            if character == "'":
                return "".join(parts)
            if character == "!":
                character = self._next()
                if character not in ("!", "'"):
                    raise self._fail("in quotes only ! and ' can stand behind !")
                self._at += 1
            parts.append(character)

    def _word(self) -> str:
        match = _WORD.match(self._text, self._at)
        if match is None:
            raise self._fail("a name or a text is expected")
        self._at = match.end()
        return match[0]

    def _number(self) -> int | float:
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            raise self._fail("a value is expected")
        if len(match[0]) > _DIGITS:
            raise self._fail("the number is too long")
        self._at = match.end()
        return float(match[0]) if match[1] or match[2] else int(match[0])
