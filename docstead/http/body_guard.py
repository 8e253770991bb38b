"""Request bodies as JSON, guarded before anything is parsed.

    BodyError                   an ApiError, so both interfaces know how to show it
    ├── MalformedBody           400  not the JSON that is allowed
    ├── BodyTimeout             408  the body did not arrive in time
    ├── BodyTooLarge            413
    └── UnsupportedMediaType    415  media type, charset or content coding

`parse_json` is pure; `read_json` reads an ASGI request. Every scan is linear in the body.

Where JSON leaves a choice: of a key given twice the last value counts, as in every browser (no
second parser stands behind this one that could read it differently); integers that do not fit
into 64 bits are refused, because they would silently lose digits; NUL is refused, because
PostgreSQL cannot store it.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import orjson
from starlette.types import Receive, Scope

from content.documents.limits import BODY_LEVELS, BODY_VALUES
from docstead.http.time_limits import ClientDisconnected, TimeLimit, TimeLimitPassed
from resolvers.core.errors import ApiError

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"

# Brackets become +1 and -1 (as signed bytes), so that a running sum is the depth.
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
# Digits become "0" and everything else a blank, so that a long number is a plain substring.
_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else 0x20 for byte in range(256))
_LONG_INTEGER = re.compile(rb"(?<![0-9.eE+\-])-?[0-9]{19,}+(?![.eE])")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """Bounds of one JSON body; the body itself may have at most `bytes` bytes."""

    bytes: int = 10_000_000
    depth: int = BODY_LEVELS
    digits: int = 40
    values: int = BODY_VALUES
    seconds: float = 30.0


class BodyError(ApiError):
    """A body that is not taken; the message is written for the caller."""

    status = 400
    code = "BAD_REQUEST"


class MalformedBody(BodyError):
    """The body is not JSON, or not JSON that is allowed here."""


class BodyTimeout(BodyError):
    """The body did not arrive in time."""

    status = 408
    code = "REQUEST_TIMEOUT"


class BodyTooLarge(BodyError):
    """The body has too many bytes."""

    status = 413
    code = "PAYLOAD_TOO_LARGE"


class UnsupportedMediaType(BodyError):
    """The headers announce something other than JSON in UTF-8 without a content coding."""

    status = 415
    code = "UNSUPPORTED_MEDIA_TYPE"


def parse_json(data: bytes, limits: BodyLimits) -> JSON:
    """Parse one JSON value; raises MalformedBody or BodyTooLarge, and nothing else."""
    if len(data) > limits.bytes:
        raise _too_large(limits)
    if not data.strip():
        raise MalformedBody("The body is empty; JSON is expected.")
    _scan(data, limits)
    try:
        value: JSON = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedBody(f"The body is not valid JSON in UTF-8: {error}.") from None
    return value


def kind_of(value: JSON) -> str:
    """Name a JSON value's type with its article, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"


def _scan(data: bytes, limits: BodyLimits) -> None:
    """Refuse what is costly or lossy to parse; the JSON grammar itself is the parser's matter."""
    unescaped = data.replace(b"\\\\", b"")  # what is left of backslashes starts an escape
    if b"\\u0000" in unescaped:
        raise MalformedBody("The body contains the character U+0000, which is not allowed.")
    digits = data.translate(_DIGITS)
    long_number = b"0" * 19 in digits
    openings = data.count(b"[") + data.count(b"{")
    separators = data.count(b",")
    if not long_number and openings <= limits.depth and separators < limits.values:
        return
    # Strings may hold all of that, so look again at what stands outside of them.
    bare = b'""'.join(unescaped.replace(b'\\"', b"").split(b'"')[::2])
    if bare.count(b",") >= limits.values:
        raise MalformedBody(f"The body has more than the {limits.values} values allowed.")
    depths = accumulate(array("b", bare.translate(_STEPS, _NOT_BRACKETS)))
    if openings > limits.depth and max(depths, default=0) > limits.depth:
        raise MalformedBody(f"The body is nested deeper than the {limits.depth} levels allowed.")
    if long_number:
        if b"0" * (limits.digits + 1) in bare.translate(_DIGITS):
            raise MalformedBody(f"A number has more than the {limits.digits} digits allowed.")
        for match in _LONG_INTEGER.finditer(bare):
            if not -(2**63) <= int(match[0]) < 2**64:
                raise MalformedBody(f"The integer {match[0].decode()} does not fit into 64 bits.")


JSON_TYPES = ("application/json",)
# What browsers send from any page without asking first is plain text; JSON may be in it.
BEACON_TYPES = ("application/json", "text/plain")


def check_content_type(content_type: str | None, types: Sequence[str] = JSON_TYPES) -> None:
    """Raise UnsupportedMediaType unless this Content-Type is one of the `types`, in UTF-8."""
    allowed = " or ".join(types)
    if content_type is None:
        raise UnsupportedMediaType(f"Content-Type is missing; send {allowed}.")
    if content_type == "application/json":
        return
    media_type, _, parameters = content_type.partition(";")
    if media_type.strip().lower() not in types:
        raise UnsupportedMediaType(
            f"Content-Type {_shown(content_type)} is not supported; send {allowed}."
        )
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        charset = value.strip().strip('"').lower()
        if name.strip().lower() == "charset" and charset not in ("utf-8", "utf8"):
            raise UnsupportedMediaType(
                f"The charset {_shown(charset)} is not supported; use UTF-8."
            )


def _shown(value: str) -> str:
    """Quote a header's value for a message, without control characters and not at length."""
    return ascii(value[:80])


async def read_body(scope: Scope, receive: Receive, limits: BodyLimits) -> bytes:
    """Read the body of an ASGI request, chunked or not, and stop at the limit.

    Raises BodyTooLarge, BodyTimeout, UnsupportedMediaType (for a content coding such as gzip,
    which could hide a large body in a small one) or ClientDisconnected.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and _exceeds(value, limits.bytes):
            raise _too_large(limits)
        if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            raise UnsupportedMediaType("A Content-Encoding is not supported; send the body plain.")
    chunks: list[bytes] = []
    size = 0
    try:
        with TimeLimit(limits.seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnected
                chunk = message.get("body", b"")
                size += len(chunk)
                if size > limits.bytes:
                    raise _too_large(limits)
                if not message.get("more_body", False):
                    return b"".join((*chunks, chunk)) if chunks else chunk
                chunks.append(chunk)
    except TimeLimitPassed:
        raise BodyTimeout(f"The body did not arrive within {limits.seconds:g} seconds.") from None


def _too_large(limits: BodyLimits) -> BodyTooLarge:
    return BodyTooLarge(f"The body is larger than the {limits.bytes} bytes that are allowed.")


def _exceeds(content_length: bytes, limit: int) -> bool:
    significant = content_length.lstrip(b"0")
    return len(significant) > len(str(limit)) or int(significant or b"0") > limit


async def read_json(
    scope: Scope, receive: Receive, limits: BodyLimits, types: Sequence[str] = JSON_TYPES
) -> JSON:
    """Check the headers, read the body and parse it; raises BodyError or ClientDisconnected."""
    content_types = [value for name, value in scope["headers"] if name == b"content-type"]
    if len(content_types) > 1:
        raise UnsupportedMediaType("Content-Type is given more than once.")
    check_content_type(content_types[0].decode("latin-1") if content_types else None, types)
    return parse_json(await read_body(scope, receive, limits), limits)
