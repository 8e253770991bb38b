"""Guarded JSON bodies: what is refused, with which status, and that nothing else escapes."""

import asyncio
import json

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from docstead.http.body_guard import (
    BodyError,
    BodyLimits,
    BodyTimeout,
    BodyTooLarge,
    ClientDisconnected,
    MalformedBody,
    UnsupportedMediaType,
    check_content_type,
    parse_json,
    read_json,
)

LIMITS = BodyLimits(bytes=2_000_000, depth=64, digits=40, values=1_000, seconds=5.0)


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not valid JSON"),
        (b"NaN", "not valid JSON"),
        (b"[Infinity]", "not valid JSON"),
        (b"1e999", "infinity"),
        (b"\xff\xfe", "not valid JSON"),
        (b'"\xed\xa0\x80"', "UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'"\x00"', "not valid JSON"),
        (b'"a\\u0000b"', "U+0000"),
        (b'"\\ud800"', "surrogate"),
        (b'"\\udc00"', "surrogate"),
        (nested(65), "64 levels"),
        (b"[" * 1_000_000, "64 levels"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "64 levels"),
        (b"1" * 100_000, "40 digits"),
        (b"0." + b"1" * 41, "40 digits"),
        (b"[18446744073709551616]", "64 bits"),
        (b'{"a":-9223372036854775809}', "64 bits"),
        (b"[" + b"0," * 1_000 + b"0]", "1000 values"),
    ],
)
def test_malformed_json_is_refused_with_its_problem(data: bytes, problem: str) -> None:
    with pytest.raises(MalformedBody) as caught:
        parse_json(data, LIMITS)
    assert caught.value.status == 400
    assert problem in caught.value.message


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (nested(64), json.loads(nested(64))),
        (b'"' + b"[" * 1_000 + b'"', "[" * 1_000),
        (b'"' + b"1" * 1_000 + b'"', "1" * 1_000),
        (b'"' + b"," * 2_000 + b'"', "," * 2_000),
        (b'["\\"", "' + b"{" * 100 + b'"]', ['"', "{" * 100]),
        (b'["\\\\", "' + b"{" * 100 + b'"]', ["\\", "{" * 100]),
        (b'"\\\\u0000"', "\\u0000"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"[18446744073709551615, -9223372036854775808]", [2**64 - 1, -(2**63)]),
        (b"0.12345678901234567890123", 0.12345678901234567890123),
        (b"12345678901234567890123.5", 12345678901234567890123.5),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b"null", None),
    ],
)
def test_unusual_but_valid_json_is_taken(data: bytes, value: object) -> None:
    assert parse_json(data, LIMITS) == value


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('ab\\"[{1,'), inner),
    max_leaves=30,
)


def depth_of(value: object) -> int:
    if isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth_of, inner), default=0)
    return 0


@settings(deadline=None)  # the machine may be busy
@given(JSON_VALUES, st.booleans())
def test_every_value_survives_when_its_depth_is_allowed(value: object, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    depth = depth_of(value)
    assert parse_json(data, BodyLimits(depth=depth)) == value
    if depth:
        with pytest.raises(MalformedBody, match="levels"):
            parse_json(data, BodyLimits(depth=depth - 1))


@settings(deadline=None)  # the machine may be busy
@given(st.binary(max_size=60) | st.text('[]{}",:\\u0d8123eE.- ').map(str.encode))
def test_nothing_but_a_body_error_escapes(data: bytes) -> None:
    try:
        value = parse_json(data, BodyLimits(depth=3, digits=5))
    except BodyError:
        return
    assert value == orjson.loads(data)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON; Charset=UTF-8",
        'application/json;charset="utf-8"',
        "application/json; profile=x",
    ],
)
def test_json_in_utf8_is_a_supported_content_type(content_type: str) -> None:
    check_content_type(content_type)


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/jsonp",
        "text/plain; a=application/json",
        "application/json, text/plain",
    ],
)
def test_every_other_content_type_is_refused(content_type: str | None) -> None:
    with pytest.raises(UnsupportedMediaType) as caught:
        check_content_type(content_type)
    assert caught.value.status == 415


class Request:
    """An ASGI request that arrives in the given chunks; with `ends=False` it never completes."""

    def __init__(self, *chunks: bytes, ends: bool = True, **headers: str) -> None:
        self.chunks = list(chunks)
        self.ends = ends
        self.read = 0
        given_headers = {"content_type": "application/json", **headers}
        self.scope = {
            "type": "http",
            "headers": [
                (name.replace("_", "-").encode(), value.encode())
                for name, value in given_headers.items()
            ],
        }

    async def receive(self) -> dict[str, object]:
        if self.read == len(self.chunks):
            if self.ends:
                return {"type": "http.disconnect"}
            await asyncio.Event().wait()
        self.read += 1
        more = self.read < len(self.chunks) or not self.ends
        return {"type": "http.request", "body": self.chunks[self.read - 1], "more_body": more}


async def test_chunks_are_joined() -> None:
    request = Request(b'{"a"', b"", b": 1}")
    assert await read_json(request.scope, request.receive, LIMITS) == {"a": 1}


async def test_body_without_length_is_cut_off_at_the_limit() -> None:
    request = Request(*[b"x" * 1_000] * 100)
    with pytest.raises(BodyTooLarge) as caught:
        await read_json(request.scope, request.receive, BodyLimits(bytes=3_000))
    assert caught.value.status == 413
    assert request.read == 4


@pytest.mark.parametrize("length", ["3001", "9" * 5_000])
async def test_announced_length_is_refused_before_reading(length: str) -> None:
    request = Request(b"{}", content_length=length)
    with pytest.raises(BodyTooLarge):
        await read_json(request.scope, request.receive, BodyLimits(bytes=3_000))
    assert request.read == 0


async def test_compressed_body_is_refused() -> None:
    request = Request(b"\x1f\x8b", content_encoding="gzip")
    with pytest.raises(UnsupportedMediaType, match="Content-Encoding"):
        await read_json(request.scope, request.receive, LIMITS)


async def test_second_content_type_is_refused() -> None:
    request = Request(b"{}")
    request.scope["headers"] *= 2
    with pytest.raises(UnsupportedMediaType, match="more than once"):
        await read_json(request.scope, request.receive, LIMITS)


async def test_slow_body_times_out() -> None:
    request = Request(b"{", ends=False)
    with pytest.raises(BodyTimeout) as caught:
        await read_json(request.scope, request.receive, BodyLimits(seconds=0.05))
    assert caught.value.status == 408


async def test_disconnect_while_reading() -> None:
    request = Request()
    with pytest.raises(ClientDisconnected):
        await read_json(request.scope, request.receive, LIMITS)
