"""Answers of /v1 as they are committed: ids, times and secrets have names that stay.

A row of the seed is called by its table and its number, in the order in which rows were made, and
a person by what they are: `{site_space 1}`, `{editor}`. What the request made is called so:
`{new comment 1}`. A time is `{then}` when it was before the request, `{now}` since it began, and
`{later}` when it is still to come.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import String, cast, literal, select, union_all

from db.base import utc_now
from db.models.all import metadata
from db.session import Database

FOLDER = Path(__file__).parent / "answers"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# What is random and in no row: keys of new blocks, ids inside of contents, signatures, secrets, and
# cursors, which have a fingerprint of what they are of.
RANDOM = re.compile(
    r"(?<=docstead_feed_)[0-9A-Za-z]+|(?<=whsec_)[0-9A-Za-z+/]{43}="
    r"|\bWy[IJ][\w-]{9,}|eyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-f]{64}\b"
    r"|(?<![\w-])(?!whsec_)[\w-]{43}(?![\w-])|\b[0-9A-Za-z]{36}\b"
    r"|\b(?=[0-9A-Za-z]*[a-z])(?=[0-9A-Za-z]*[A-Z])[0-9A-Za-z]{20}\b"
)
# When a signed address ends: as a member of its query, and in the ETag of what holds one.
ENDS = re.compile(r"(?<=expires=)\d+|(?<=})-\d+(?=\"$)")
# An object of at least so many characters is written once in an answer.
LONG = 150
# Headers that say something about the answer.
HEADERS = ("location", "etag", "deprecation", "link")


IDS = union_all(
    *(
        select(literal(number), cast(table.c.id, String))
        for number, table in enumerate(metadata.tables.values())
        if "id" in table.c
    )
)


async def ids_of_rows(database: Database) -> dict[str, str]:
    """The id of every row that has one, with the name of its table; in the order of ids."""
    names = [*metadata.tables]
    async with database.connection() as connection:
        rows = sorted((number, id) for number, id in await connection.execute(IDS))
    return {id: names[number] for number, id in rows}


@dataclass
class Names:
    """Names of what is not the same in each run; `known` are further texts with names."""

    known: dict[str, str]
    # Cut to milliseconds, as all times are.
    began: datetime = field(default_factory=utc_now)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, text: str) -> str:
        """The name of a text, a new one for one that has none."""
        if text not in self.known:
            self._numbers[kind] = number = self._numbers.get(kind, 0) + 1
            self.known[text] = f"{{{kind} {number}}}"
        return self.known[text]

    def add_rows(self, rows: Mapping[str, str], prefix: str = "") -> None:
        for id, table in rows.items():
            if id not in self.known:
                self.add(f"{prefix}{table}", id)

    def put_into(self, value: Any) -> Any:
        """A value of JSON with the names in it; its members sorted."""
        if isinstance(value, dict):
            return {self.put_into(key): self.put_into(value[key]) for key in sorted(value)}
        if isinstance(value, list):
            return [self.put_into(one) for one in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        for known in sorted(self.known, key=len, reverse=True):
            if len(known) > 8 and known in text:
                text = text.replace(known, self.known[known])
        text = TIME.sub(lambda found: self._time(found[0]), ENDS.sub("{end}", text))
        return RANDOM.sub(lambda found: self.add("random", found[0]), text)

    def _time(self, text: str) -> str:
        time = datetime.fromisoformat(text)
        if time > datetime.now(UTC):
            return "{later}"
        return "{then}" if time < self.began else "{now}"


def shown(response: httpx2.Response, names: Names) -> dict[str, Any]:
    """What is committed of an answer."""
    answer: dict[str, Any] = {"status": response.status_code}
    headers = {name: response.headers[name] for name in HEADERS if name in response.headers}
    if headers:
        answer["headers"] = headers
    if response.content:
        answer["body"] = response.json()
    named: dict[str, Any] = shortened(names.put_into(answer), {})
    return named


def shortened(value: Any, known: dict[str, Any]) -> Any:
    """The value with objects that were there before replaced by their ids."""
    if isinstance(value, list):
        return [shortened(one, known) for one in value]
    if not isinstance(value, dict):
        return value
    text = json.dumps(value)
    if "id" in value and len(text) >= LONG:
        if text in known:
            return {"as before": value["id"]}
        known[text] = value
    return {name: shortened(one, known) for name, one in value.items()}


def file_of(operation_id: str) -> Path:
    return FOLDER / f"{operation_id}.json"


def text_of(value: Any) -> str:
    """JSON as it is committed: what is short stays on one line."""
    return _lines(value, 0) + "\n"


def _lines(value: Any, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(line) + depth <= 88:
        return line
    inner = " " * (depth + 1)
    if isinstance(value, dict):
        parts = [
            f"{inner}{json.dumps(name, ensure_ascii=False)}: {_lines(one, depth + 1)}"
            for name, one in value.items()
        ]
    else:
        parts = [f"{inner}{_lines(one, depth + 1)}" for one in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([first, ",\n".join(parts), " " * depth + last])
