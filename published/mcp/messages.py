"""Messages of the Model Context Protocol over HTTP: what a body asks for, and how it is answered.

Two generations of the protocol are spoken, both without sessions. Up to 2025-11-25 clients begin
with `initialize`; since 2026-07-28 each request says in `params._meta`, and again in headers, which
version it is of. Nothing here knows what a method does.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, RATE_LIMITED = -32602, -32603, -32000
RESOURCE_NOT_FOUND = -32002
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022

# With `initialize`, oldest first; and those whose requests say everything themselves.
HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
# Only this version, and clients that name none, know several messages in one body.
BATCHES = "2025-03-26"
MOST_MESSAGES = 10
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
# Which parameter of a method the header with its name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
ID_LENGTH, METHOD_LENGTH = 256, 100
Id = str | int | float | None


class RpcError(Exception):
    """An error that is answered to one message; `status` is that of HTTP where it goes alone."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a client. Without `expects_answer` it is a notification, or an answer."""

    method: str
    params: Json
    id: Id = None
    expects_answer: bool = True
    # The version that it is of; None where that was agreed with `initialize`.
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The messages of one body; those that are none are the errors that answer them."""

    messages: Sequence[Message | tuple[Id, RpcError]]
    is_batch: bool = False
    # Whether its requests say everything themselves.
    modern: bool = False


def read_body(value: Any, headers: Mapping[str, str]) -> Body:
    """The messages of a body; RpcError for one that is none at all."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in HANDSHAKE:
        return Body([_modern(value, headers, version)], modern=True)
    if not isinstance(value, list):
        return Body([_message(value)])
    if version not in (None, BATCHES):
        raise RpcError(INVALID_REQUEST, f"several messages in one body are none of {version}")
    if not 1 <= len(value) <= MOST_MESSAGES:
        problem = f"the body has {len(value)} messages; 1 to {MOST_MESSAGES} are allowed"
        raise RpcError(INVALID_REQUEST, problem)
    return Body([_message(item) for item in value], is_batch=True)


def _message(value: Any) -> Message | tuple[Id, RpcError]:
    """A message, or what is wrong with it."""
    if not isinstance(value, dict):
        return None, RpcError(INVALID_REQUEST, "a message must be an object")
    id = value.get("id")
    known_id = id if _is_id(id) else None
    if value.get("jsonrpc") != "2.0":
        return known_id, RpcError(INVALID_REQUEST, 'jsonrpc: must be "2.0"')
    if "method" not in value and ("result" in value or "error" in value):
        # An answer: nothing is ever asked of a client.
        return Message("", {}, expects_answer=False)
    method, params = value.get("method"), value.get("params", {})
    if not isinstance(method, str) or not 1 <= len(method) <= METHOD_LENGTH:
        problem = f"method: must be a text of 1 to {METHOD_LENGTH} characters"
        return known_id, RpcError(INVALID_REQUEST, problem)
    if "id" in value and known_id is None:
        problem = f"id: must be a number, or a text of 1 to {ID_LENGTH} characters"
        return None, RpcError(INVALID_REQUEST, problem)
    if not isinstance(params, dict):
        return known_id, RpcError(INVALID_PARAMS, "params: must be an object")
    return Message(method, params, known_id, expects_answer="id" in value)


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return 1 <= len(value) <= ID_LENGTH
    return isinstance(value, int | float) and not isinstance(value, bool)


# ------------------------------------------------------------------ requests that say everything


def _modern(value: Any, headers: Mapping[str, str], version: str) -> Message | tuple[Id, RpcError]:
    message = _message(value)
    if not isinstance(message, Message):
        return message
    if not message.expects_answer:
        return message if version in MODERN else (None, _unsupported(version))
    try:
        _check_envelope(message, headers, version)
    except RpcError as error:
        return message.id, error
    return Message(message.method, message.params, message.id, version=version)


def _check_envelope(message: Message, headers: Mapping[str, str], version: str) -> None:
    """RpcError for a request that does not say what it must, or says it in two ways."""
    meta = message.params.get("_meta")
    if not isinstance(meta, dict):
        if version not in MODERN:
            raise _unsupported(version)
        raise RpcError(INVALID_PARAMS, f"params._meta: must be an object with {VERSION_KEY!r}")
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]
    if missing:
        raise RpcError(INVALID_PARAMS, f"params._meta: lacks {', '.join(missing)}")
    if meta[VERSION_KEY] != version:
        raise _mismatch(VERSION_HEADER, f"params._meta[{VERSION_KEY!r}]")
    if version not in MODERN:
        raise _unsupported(version)
    if headers.get(METHOD_HEADER) != message.method:
        raise _mismatch(METHOD_HEADER, "method")
    named = _NAMED.get(message.method)
    named_value = message.params.get(named) if named is not None else None
    if named_value is not None and _decoded(headers.get(NAME_HEADER)) != named_value:
        raise _mismatch(NAME_HEADER, f"params.{named}")


def _mismatch(header: str, member: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, f"the header {header} is not what {member} says")


def _unsupported(version: str) -> RpcError:
    supported = [*HANDSHAKE, *MODERN]
    message = f"version {version[:50]!r} of the protocol is not supported"
    return RpcError(
        UNSUPPORTED_VERSION, message, {"supported": supported, "requested": version[:50]}
    )


def _decoded(value: str | None) -> str | None:
    """The value of a header; what is not ASCII is written as `=?base64?...?=`."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


# ------------------------------------------------------------------ answers


def result_of(message: Message, result: Json, server: Json) -> Json:
    """The answer with a result, as the version of its request has it."""
    if message.version is not None:
        # Nothing is to be kept: the next answer may be another one.
        meta = {**result.get("_meta", {}), SERVER_KEY: server}
        result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **result,
                  "_meta": meta}  # fmt: skip
    return {"jsonrpc": "2.0", "id": message.id, "result": result}


def error_of(id: Id, error: RpcError) -> Json:
    """The answer with an error."""
    described: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    return {"jsonrpc": "2.0", "id": id, "error": described}


# By code, of an error that is all there is to answer; of requests that say everything, and of all.
_STATUS = {PARSE_ERROR: 400, INVALID_REQUEST: 400, HEADER_MISMATCH: 400, UNSUPPORTED_VERSION: 400,
           RATE_LIMITED: 429}  # fmt: skip
_MODERN_STATUS = {**_STATUS, INVALID_PARAMS: 400, METHOD_NOT_FOUND: 404}


def status_of(error: RpcError, *, modern: bool) -> int:
    """The status of HTTP for an error that goes alone."""
    return (_MODERN_STATUS if modern else _STATUS).get(error.code, 200)
