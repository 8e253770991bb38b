"""The columns of an export as they are read: types, bounds, and what is made anew."""

import base64
import binascii
import datetime as dt
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import orjson
from sqlalchemy import JSON, Boolean, Enum, Integer, LargeBinary, String, Table

from content.hashing import content_id
from content.merkle.node import CorruptMapError, parse_node
from content.openapi.compression import checked_bytes
from db.base import LevelRank, RoleRank, Timestamp
from db.enums import DefaultLevel, Role
from db.ids import random_text
from db.models.integrations import MARK_LENGTH
from db.models.site_settings import PRIVATE_KEY_LENGTH, SHARE_KEY_LENGTH
from db.organization_rows import Json, columns_of, key_of
from db.row_copies import Row, Scalar
from db.site_enums import CustomHostnameStatus
from jobs.organization_archive import ArchiveError
from jobs.organization_schemas import document_problem, value_problem
from resolvers.core.sealing import Sealer, marked
from resolvers.webhooks.signing import new_secret

_LARGEST = 2**63
_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
# Their ids are those of two others, which are checked there.
_OF_TWO = frozenset({"space_installation", "site_installation"})
# What a version of a specification may unpack to.
MOST_UNPACKED: Final = 256_000_000
# Levels of a value of JSON.
DEEPEST: Final = 200


def _nothing(sealer: Sealer) -> None:
    return None


def _zero(sealer: Sealer) -> int:
    return 0


def _no(sealer: Sealer) -> bool:
    return False


def _sealed_secret(sealer: Sealer) -> str:
    return sealer.seal(secrets.token_urlsafe(32))


# What columns have that are in no export.
MADE: Final[Mapping[tuple[str, str], Callable[[Sealer], Scalar]]] = MappingProxyType(
    {
        ("custom_hostname", "checked_at"): _nothing,
        ("custom_hostname", "checking_since"): _nothing,
        ("custom_hostname", "status"): lambda sealer: CustomHostnameStatus.DNS_NO_CNAME.value,
        ("git_configuration", "credentials"): _nothing,
        ("git_configuration", "enabled"): _no,
        ("git_configuration", "hook_id"): lambda sealer: secrets.token_urlsafe(24),
        ("git_configuration", "hook_secret"): _sealed_secret,
        ("git_configuration", "next_at"): _nothing,
        ("installation", "failures"): _zero,
        ("installation", "next_attempt_at"): _nothing,
        ("installation", "position"): _zero,
        ("installation", "signing_secret"): _sealed_secret,
        ("integration", "secrets"): lambda sealer: sealer.seal("{}"),
        ("integration", "signing_secret"): _sealed_secret,
        ("integration", "token_mark"): lambda sealer: random_text(MARK_LENGTH),
        ("integration", "verified"): _no,
        ("organization", "sso"): _no,
        ("saml_provider", "trusted"): _no,
        ("site", "hostname"): _nothing,
        ("site_mcp_server", "headers"): lambda sealer: "{}",
        ("site_publishing_auth", "private_key"): lambda sealer: random_text(PRIVATE_KEY_LENGTH),
        ("site_revalidation", "failures"): _zero,
        ("site_revalidation", "last_attempt_at"): _nothing,
        ("site_revalidation", "last_error"): _nothing,
        ("site_revalidation", "last_status"): _nothing,
        ("site_revalidation", "last_success_at"): _nothing,
        ("site_revalidation", "secret"): lambda sealer: marked(
            sealer, random_text(PRIVATE_KEY_LENGTH)
        ),
        ("site_share_link", "secret"): lambda sealer: random_text(SHARE_KEY_LENGTH),
        ("user_account", "email_verified_at"): _nothing,
        ("webhook", "enabled"): _no,
        ("webhook", "failing_since"): _nothing,
        ("webhook", "next_attempt_at"): _nothing,
        ("webhook", "old_secret"): _nothing,
        ("webhook", "old_secret_until"): _nothing,
        ("webhook", "position"): _zero,
        ("webhook", "secret"): lambda sealer: sealer.seal(new_secret()),
    }
)


def made_here(table: Table, sealer: Sealer) -> dict[str, Scalar]:
    """New values of the columns of a row that are in no export."""
    return {column: make(sealer) for (name, column), make in MADE.items() if name == table.name}


@dataclass(frozen=True, slots=True)
class Line:
    """One row of an export, whose values have the types and bounds of their columns."""

    table: Table
    number: int
    value: Json
    # Its columns: those of JSON without a value, too.
    names: frozenset[str]

    @classmethod
    def read(cls, table: Table, number: int, data: bytes) -> "Line":
        """Check a line; ArchiveError says what is wrong with it."""
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ArchiveError(f"{_place(table, number)}: is no JSON") from error
        if not isinstance(value, dict):
            raise ArchiveError(f"{_place(table, number)}: is no object")
        columns = columns_of(table)
        unknown = sorted(value.keys() - set(columns))
        if unknown:
            raise ArchiveError(
                f"{_place(table, number)}: has {unknown[0][:64]!r}, which this version does not "
                "know"
            )
        names = frozenset(
            name for name in columns
            if name in value or (isinstance(table.columns[name].type, JSON)
                                 and table.columns[name].nullable)
        )  # fmt: skip
        line = cls(table, number, value, names)
        for column in table.primary_key.columns:
            if column.name not in value:
                raise line.refused(f"{column.name} is missing")
        for name, member in value.items():
            problem = _problem(table.columns[name], member)
            if problem is None:
                problem = value_problem(table.name, name, member)
            if problem is not None:
                raise line.refused(f"{name} {problem}")
        line._check_ids()
        line._check_data()
        return line

    def refused(self, problem: str) -> ArchiveError:
        """The error that says what is wrong with it."""
        return ArchiveError(f"{_place(self.table, self.number)}: {problem}")

    def text(self, name: str) -> str:
        """A value that has to be there."""
        value = self.value.get(name)
        if not isinstance(value, str):
            raise self.refused(f"{name} is missing")
        return value

    def _check_ids(self) -> None:
        """Ids are as this server makes them: they are also in names of files and addresses. Content
        is named by what it is."""
        if key_of(self.table) == "id" and self.table.name not in _OF_TWO:
            id = str(self.value["id"])
            if _ID.fullmatch(id) is None:
                raise self.refused(f"{id[:64]!r} is no id")
        data = self.value.get("data")
        if self.table.name == "content_node":
            right = content_id(base64.b64decode(str(data)))
        elif self.table.name == "document":
            markdown = orjson.dumps([self.value.get("markdown")])
            right = content_id(markdown + base64.b64decode(str(data)))
        else:
            return
        if self.value["id"] != right:
            raise self.refused("its id is not that of its content")

    def _check_data(self) -> None:
        """What is stored as bytes is what is read of it."""
        if "data" not in self.value or not isinstance(self.table.columns.data.type, LargeBinary):
            return
        data = base64.b64decode(str(self.value["data"]))
        problem = None
        try:
            if self.table.name == "content_node":
                parse_node(str(self.value["id"]), data)
            elif self.table.name == "document":
                problem = document_problem(orjson.loads(data))
            elif not isinstance(orjson.loads(checked_bytes(data, MOST_UNPACKED)), dict):
                problem = "is no object"
        except (CorruptMapError, ValueError) as error:
            problem = str(error)
        if problem is not None:
            raise self.refused(f"data: {problem}")


def _place(table: Table, number: int) -> str:
    return f"data/{table.name}.jsonl, line {number}"


def _problem(column: Any, value: Any) -> str | None:
    """What is wrong with a value of a column; None where nothing is."""
    kind = column.type
    if isinstance(kind, JSON):
        if value is None and not column.nullable:
            return "must not be null"
        return _json_problem(value)
    if isinstance(kind, RoleRank):
        good = value is None or value in [role.value for role in Role]
        return None if good else "is no role"
    if isinstance(kind, LevelRank):
        good = value is None or value in [level.value for level in DefaultLevel]
        return None if good else "is no level"
    if value is None:
        return None if column.nullable else "must not be null"
    if isinstance(kind, Boolean):
        return None if isinstance(value, bool) else "must be true or false"
    if isinstance(kind, Integer):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return None if whole and -_LARGEST <= value < _LARGEST else "must be a whole number"
    if not isinstance(value, str):
        return "must be a text"
    if isinstance(kind, Timestamp):
        return _time_problem(value)
    if isinstance(kind, LargeBinary):
        return _binary_problem(value)
    if isinstance(kind, Enum):
        return None if value in kind.enums else f"is none of {', '.join(kind.enums)}"
    if not isinstance(kind, String):
        return "has a type that is not read"
    if kind.length is not None and len(value) > kind.length:
        return f"has more than {kind.length} characters"
    return _text_problem(value)


def _time_problem(value: str) -> str | None:
    try:
        moment = dt.datetime.fromisoformat(value)
        if moment.tzinfo is None:
            return "has no zone"
        # What databases store; the first and the last day of all times may have no such.
        moment.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return "is no time"
    return None


def _binary_problem(value: str) -> str | None:
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return "is not Base64"
    return None


def _text_problem(value: str) -> str | None:
    if "\0" in value:
        return "has the character NUL"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "has half a character"
    return None


def _json_problem(value: Any) -> str | None:
    waiting = [(value, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > DEEPEST:
            return f"is nested more than {DEEPEST} levels deep"
        if isinstance(part, str):
            problem = _text_problem(part)
            if problem is not None:
                return problem
        elif isinstance(part, dict):
            waiting += [(inner, depth + 1) for pair in part.items() for inner in pair]
        elif isinstance(part, list):
            waiting += [(inner, depth + 1) for inner in part]
        elif isinstance(part, float) and (part != part or part in (float("inf"), float("-inf"))):
            return "has a number that is none"
    return None


def substituted(value: Any, ids: Mapping[str, str]) -> Any:
    """A value of JSON with other ids in place of some."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, dict):
        return {name: substituted(member, ids) for name, member in value.items()}
    if isinstance(value, list):
        return [substituted(member, ids) for member in value]
    return value


def row_of_line(table: Table, value: Json, names: frozenset[str]) -> Row:
    """The values of a row in the order of the columns that are in an export."""
    return [_scalar(table.columns[name].type, value.get(name), name in value)
            for name in columns_of(table) if name in names]  # fmt: skip


def _scalar(kind: Any, value: Any, is_there: bool) -> Scalar:
    if isinstance(kind, JSON):
        return json.dumps(value, ensure_ascii=False) if is_there else None
    if isinstance(kind, RoleRank):
        return 0 if value is None else Role(value).rank
    if isinstance(kind, LevelRank):
        return 0 if value is None else DefaultLevel(value).rank
    scalar: Scalar = value
    return scalar
