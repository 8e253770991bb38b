"""The log of a server: one record a line, as text or as JSON, without secrets.

Loggers of ours begin with `docstead`; `docstead.requests` has one record for each request,
`docstead.statements` one for each slow statement. A record's `fields` are what it says in parts:
members of the JSON, words behind the message of a line of text.
"""

import datetime as dt
import json
import logging
import logging.config
import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO

import orjson

from docstead.request_ids import NONE, request_id
from rest_compat.log_redaction import redacted

REQUESTS, STATEMENTS = "docstead.requests", "docstead.statements"
FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error", "off")
# Beyond every level.
OFF = logging.CRITICAL + 10
DEFAULT_LEVELS = {"": logging.WARNING, REQUESTS: logging.INFO}
# What would begin a line, move the cursor of a terminal or reverse the direction of text.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# The attribute of records whose words and fields hold no secrets.
CLEAN = "clean"
_NAME = re.compile(r"[A-Za-z_][\w.]{0,100}")
# Of a trace, in characters; a chain of failures can be endless.
TRACE_LENGTH = 100_000


class RequestIds(logging.Filter):
    """Gives each record the `request_id` that it belongs to; `-` for none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes."""
        record.request_id = redacted(request_id.get())
        return True


class Lines(logging.Formatter):
    """Records as lines of text. What continues a record, a trace, is indented."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The first line, which nothing in it ends."""
        return _printable(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, without tokens, signatures and keys."""
        text = super().format(record)
        if not getattr(record, CLEAN, False):
            text = redacted(text)
        if "\n" not in text:
            return text
        first, *others = text[:TRACE_LENGTH].splitlines()
        return "\n".join([first, *(f"  {_printable(line)}" for line in others)])


class JsonLines(logging.Formatter):
    """Records as JSON objects, one a line; a failure with its trace is in the same object."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, without tokens, signatures and keys in its texts."""
        moment = dt.datetime.fromtimestamp(record.created, dt.UTC)
        value: dict[str, Any] = {
            "time": f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "requestId": getattr(record, "request_id", NONE),
        }
        fields: Mapping[str, Any] = getattr(record, "fields", {})
        if getattr(record, CLEAN, False):
            value |= {"message": record.getMessage(), **fields}
        else:
            value["message"] = redacted(record.getMessage())
            for name, field in fields.items():
                value[name] = redacted(field) if isinstance(field, str) else field
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            value["error"] = {
                "type": type(error).__name__,
                "message": redacted(str(error))[:TRACE_LENGTH],
                "trace": redacted(self.formatException(record.exc_info))[:TRACE_LENGTH],
            }
        try:
            text = orjson.dumps(value).decode()
        except TypeError:  # half a surrogate pair, or what is no JSON
            return json.dumps(value, default=str)
        # Such characters stand in texts only.
        return text if text.isprintable() else _CONTROLS.sub(_json_escaped, text)


class StandardError(logging.StreamHandler[TextIO]):
    """Writes to the standard error output; what nobody reads any more is lost without a word."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)


def _printable(text: str) -> str:
    return text if text.isprintable() else _CONTROLS.sub(_escaped, text)


def _json_escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")


def read_levels(text: str) -> dict[str, int]:
    """Levels by the names of loggers, `""` for all others, as `warning,docstead.mail=info` says.

    ValueError names the part that is wrong.
    """
    levels: dict[str, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, level = (word.strip() for word in part.rpartition("="))
        if level.lower() not in LEVELS:
            raise ValueError(f"{level!r} is no level; use {', '.join(LEVELS)}")
        if equals and not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a logger, such as docstead.requests")
        levels[name] = OFF if level.lower() == "off" else logging.getLevelName(level.upper())
    return levels


def log_configuration(format: str, levels: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`: all records on the standard error output.

    `format` is one of FORMATS, `levels` as in `read_levels`, over DEFAULT_LEVELS.
    """
    by_name = DEFAULT_LEVELS | read_levels(levels)
    formatter = "docstead.monitoring.logs." + ("JsonLines" if format == "json" else "Lines")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_ids": {"()": "docstead.monitoring.logs.RequestIds"}},
        "formatters": {"line": {"()": formatter}},
        "handlers": {
            "stderr": {
                "class": "docstead.monitoring.logs.StandardError",
                "formatter": "line",
                "filters": ["request_ids"],
            }
        },
        "root": {"level": by_name.pop(""), "handlers": ["stderr"]},
        "loggers": {name: {"level": level} for name, level in by_name.items()},
    }


# Texts and numbers in a statement; numbers of parameters stay.
_LITERALS = re.compile(r"'(?:[^']|'')*'|(?<![\w$:?.])\d+(?:\.\d+)?\b")
STATEMENT_LENGTH = 2_000


def without_literals(statement: str) -> str:
    """A statement on one line, without the values in it."""
    return _LITERALS.sub("…", " ".join(statement.split()))[:STATEMENT_LENGTH]


class SlowStatements:
    """Notes statements that take longer than some milliseconds."""

    def __init__(self, milliseconds: int) -> None:
        self._seconds = milliseconds / 1000
        self._log = logging.getLogger(STATEMENTS)

    def ended(self, statement: str, seconds: float) -> None:
        """Look at a statement that has ended, from any thread."""
        if seconds < self._seconds:
            return
        text, milliseconds = without_literals(statement), round(seconds * 1000, 1)
        fields = {"milliseconds": milliseconds, "statement": text}
        self._log.warning("%.1f ms: %s", milliseconds, text, extra={"fields": fields})
