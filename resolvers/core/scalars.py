"""Custom scalars: their Python types, how they are read and how they are written."""

import datetime as dt
import json
from typing import Any, NewType, cast
from urllib.parse import urlsplit

import orjson

Url = NewType("Url", str)
JsonObject = NewType("JsonObject", dict[str, Any])
JsonValue = NewType("JsonValue", object)

URL_LENGTH = 2048


def write_time(value: dt.datetime) -> str:
    """RFC 3339 in UTC with milliseconds: 2026-01-31T08:00:00.000Z."""
    return value.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(value: str) -> dt.datetime:
    """A time with a zone, in UTC; ValueError otherwise."""
    try:
        moment = dt.datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{value!r} is not an ISO 8601 date-time") from error
    if moment.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone; write for example {value}Z")
    try:
        return moment.astimezone(dt.UTC)
    except OverflowError as error:
        raise ValueError(f"{value!r} is out of the range of times") from error


def read_url(value: str) -> str:
    """An absolute http or https URL of at most 2,048 characters; ValueError otherwise."""
    if not isinstance(value, str) or len(value) > URL_LENGTH:
        raise ValueError(f"a URL is text of at most {URL_LENGTH} characters")
    try:
        parts = urlsplit(value)
        bad = parts.scheme not in {"http", "https"} or not parts.hostname
    except ValueError as error:
        raise ValueError(f"{value!r} is not a URL") from error
    if bad or any(character.isspace() or ord(character) < 32 for character in value):
        raise ValueError(f"{value!r} is not an absolute http or https URL")
    return value


def read_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("must be a JSON object")
    return cast("dict[str, Any]", read_value(value))


def read_value(value: Any) -> Any:
    """Whatever JSON can hold; ValueError otherwise."""
    # A literal in a document can say what no JSON can: it would be stored and break every answer.
    try:
        orjson.dumps(value)
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "must hold what JSON can: text, finite numbers, whole numbers of at most 64 bits"
        ) from error
    return value
