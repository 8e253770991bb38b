"""Hostile values for requests: paths, queries and bodies that a caller may send."""

import random
import re
from typing import Any
from urllib.parse import quote

from rest_compat.endpoint import Plan, plan_of
from rest_compat.table import Row

# Percent-encoded already: what stands in a URL.
TEXTS = [
    "%00",
    "a%00b",
    "%0A",
    "id%0A",
    "%0D%0AX-Evil:%201",
    "%FF%FE",
    "%ED%A0%80",
    "%C0%AF",
    "%25zz",
    "%2e%2e%2f%2e%2e",
    "%F0%9F%98%80",
    "%E2%80%A8",
    "%D9%A3",
    "%5C",
    "%27%3B%20DROP%20TABLE%20space--",
    "-1",
    "0",
    "1e9",
    "9" * 30,
    "9223372036854775808",
    "2147483648",
    "1_000",
    "null",
    "true",
    "NaN",
    "x" * 65,
    "x" * 5000,
    "%7B%7D",
    "a,b,,c",
    "%20",
    "me",
]
# Queries of search: words of the languages of both engines, and what is no word.
SEARCHES = [
    "%22", "%22%22%22", "hello%20AND", "NOT%20hello", "hello*", "%5Ehello", "title:hello",
    "NEAR(a%20b)", "%7Bscope%7D:x", "-hello", "hello%20%2B%20world", "%28%28%28", "a%26b%7Cc%21d",
    "%27hello%27%3AA", "hello%3A*", "%3C-%3E", "hello%5C", "%5C%27", "%E6%9D%B1",
    "%E6%9D%B1%E4%BA%AC",
    "%01sabc", "%EF%BF%BF", "e%CC%81", "%CC%81", "o%27neil", "%3Cb%3Ehello%3C%2Fb%3E", "h" * 512,
    "h%20" * 170, "%22hello%20world", "HELLO", "%EF%BC%A8ello", "_", "%25", "%00hello",
    "x" * 10_000,
]  # fmt: skip
# Tokens of a page: of no list, of the wrong types, of times outside of every calendar.
CURSORS = [
    "e30",
    "W10",
    "bnVsbA",
    "WyJhIiwxXQ",
    "!!!",
    "=",
    "WyJhIiwiXHUwMDAwIl0",
    "A" * 3000,
]
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    1e300,
    2**31,
    2**63 - 1,
    2**64 - 1,
    "",
    " ",
    "x" * 300,
    "\ufffe\uffff",
    "\u202e\u2028",
    "😀" * 60,
    "'; DROP TABLE space; --",
    "../../etc/passwd",
    "javascript:alert(1)",
    "http://",
    "http://[",
    "http://x" + "y" * 3000,
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    [],
    [None],
    [[[]]],
    ["x"] * 1001,
    {},
    {"": None},
    {"type": "space"},
    {"type": [], "space": {}, "markdown": {}, "document": {"nodes": [{"object": []}]}},
    {"markdown": "x", "document": {"object": "document", "nodes": [1, None, {"nodes": [[]]}]}},
]
RAW_BODIES = [
    b"",
    b"null",
    b"[]",
    b'"text"',
    b"17",
    b"{",
    b"\xff\xfe",
    b'{"title": "\\u0000"}',
    b'{"title": "\\ud800"}',
    b'{"title": "\xed\xa0\x80"}',
    b'{"title": NaN}',
    b'{"title": 1e999}',
    b'{"title": ' + b"9" * 5000 + b"}",
    b"[" * 5000,
    b'{"a":' * 200 + b"1" + b"}" * 200,
    b'{"title": "a", "title": null}',
]
CONTENT_TYPES = ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=x"]


class Hostile:
    """Makes requests for rows; the same from the same seed. `known` are ids that exist."""

    def __init__(self, seed: int, known: dict[str, list[str]]) -> None:
        self._random = random.Random(seed)
        self._known = known

    def request(self, row: Row) -> tuple[str, str, dict[str, Any]]:
        """Method, encoded path with query, and options of one request."""
        plan = plan_of(row)
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda found: self._path_value(found[1]), row.path)
        query = self._query(plan)
        method = row.method
        if self._random.random() < 0.05:
            method = self._random.choice(["GET", "PUT", "PATCH", "DELETE", "POST", "TRACE", "HEAD"])
        return method, f"{path}?{query}" if query else path, self._body(plan)

    def _path_value(self, name: str) -> str:
        known = self._known.get(name, [])
        if known and self._random.random() < 0.75:
            return quote(self._random.choice(known), safe="")
        return self._random.choice(TEXTS)

    def _query(self, plan: Plan) -> str:
        parts = []
        for name in [*plan.query, *plan.row.choices]:
            for _ in range(self._random.choice([0, 0, 1, 1, 2])):
                values = CURSORS if name == "page" and self._random.random() < 0.7 else TEXTS
                if name == "query" and self._random.random() < 0.8:
                    values = SEARCHES
                parts.append(f"{name}={self._random.choice(values)}")
        if self._random.random() < 0.2:
            parts.append(self._random.choice(["%FF=%FF", "&&&", "=", "limit", "a[b]=1", "%00=%00"]))
        return "&".join(parts)

    def _body(self, plan: Plan) -> dict[str, Any]:
        chance = self._random.random()
        if plan.body is None:
            return {"content": self._random.choice(RAW_BODIES)} if chance < 0.1 else {}
        if chance < 0.2:
            return {
                "content": self._random.choice(RAW_BODIES),
                "headers": {"Content-Type": "application/json"},
            }
        if chance < 0.25:
            return {
                "content": b"{}",
                "headers": {"Content-Type": self._random.choice(CONTENT_TYPES)},
            }
        return {"json": self._value(plan.body.schema, 0)}

    def _value(self, schema: dict[str, Any], depth: int) -> Any:
        """A value that follows the schema here and breaks it there."""
        if self._random.random() < 0.25 and depth > 0:
            return self._random.choice(VALUES)
        if "anyOf" in schema or "oneOf" in schema:
            choices = schema.get("anyOf") or schema["oneOf"]
            return self._value(self._random.choice(choices), depth + 1)
        if "enum" in schema:
            return self._random.choice(schema["enum"])
        type_ = schema.get("type", "object")
        type_ = type_[0] if isinstance(type_, list) else type_
        if type_ == "object":
            properties = schema.get("properties", {})
            return {
                name: self._value(part, depth + 1)
                for name, part in properties.items()
                if self._random.random() < 0.6
            }
        if type_ == "array":
            items = schema.get("items", {})
            return [self._value(items, depth + 1) for _ in range(self._random.randrange(3))]
        plain = {"boolean": True, "integer": 7, "number": 7.5}
        if type_ in plain:
            return plain[type_]
        ids = [one for ids in self._known.values() for one in ids]
        return self._random.choice(["text", *ids[:6]])
