"""Tokens with a shared key are those of the library that knows all kinds of tokens."""

import base64
import json
from typing import Any

import jwt
import pytest
from hypothesis import given, strategies as st

from content.json_web_tokens import (
    BadSignature,
    BadToken,
    OtherAlgorithm,
    signed,
    unverified,
    verified,
)

KEY = b"a key that is long enough for SHA-256"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below),
    max_leaves=6,
)
# Names whose values the library looks at are for whoever reads a payload.
PAYLOADS = st.dictionaries(st.text(max_size=6).map(lambda name: f"x{name}"), VALUES, max_size=4)
SIGNATURE_ONLY: Any = {
    f"verify_{name}": False for name in ("exp", "nbf", "iat", "aud", "iss", "sub", "jti")
}


def by_library(text: str) -> Any:
    return jwt.decode(text, KEY, algorithms=["HS256"], options=SIGNATURE_ONLY)


@given(PAYLOADS)
def test_both_write_and_read_the_same(payload: dict[str, Any]) -> None:
    text = signed(payload, KEY)
    assert text == jwt.encode(payload, KEY, "HS256", sort_headers=True)
    assert verified(text, KEY) == unverified(text) == by_library(text) == payload
    with pytest.raises(BadSignature):
        verified(text, KEY + b"!")


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "alg": st.sampled_from(["HS256", "HS384", "none", "hs256", "RS256"]) | VALUES,
        "kid": VALUES,
        "crit": VALUES | st.just(["b64"]),
        "b64": VALUES,
        "typ": VALUES,
        "jwk": VALUES,
    },
)


@given(HEADERS | VALUES, PAYLOADS | VALUES, st.data())
def test_what_is_taken_the_library_takes_too(header: Any, payload: Any, data: Any) -> None:
    text = f"{part(header)}.{part(payload)}"
    key = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    signature = base64.urlsafe_b64encode(key.sign(text.encode(), KEY)).decode().rstrip("=")
    text = f"{text}.{signature}"
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.sampled_from(["", "=", ".", "A", "-", "é", "\x00", "\ud800"]))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 1)) :]
    try:
        taken = verified(text, KEY)
    except BadToken:
        return
    assert taken == by_library(text)


@pytest.mark.parametrize("text", ["", "a", "..", "a.b.c", "e30.e30.", ".".join("abcd"), "[" * 10])
def test_no_token(text: str) -> None:
    with pytest.raises(BadToken):
        verified(text, KEY)
    deep = base64.urlsafe_b64encode(b"[" * 100_000).decode()
    with pytest.raises(BadToken):
        unverified(f"e30.{deep}.e30")


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_no_other_algorithm_is_taken(algorithm: str) -> None:
    text = jwt.encode({"a": 1}, KEY * 2, algorithm)
    with pytest.raises(OtherAlgorithm):
        verified(text, KEY * 2)
    unsigned = jwt.encode({"a": 1}, None, "none")
    with pytest.raises(OtherAlgorithm):
        verified(unsigned, KEY)
