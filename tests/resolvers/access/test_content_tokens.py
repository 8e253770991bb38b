"""The text of content tokens is that of every library of JSON Web Tokens."""

import datetime as dt

import jwt
import pytest
from hypothesis import given, strategies as st

from content.json_web_tokens import ALGORITHM
from resolvers.access import integration_tokens
from resolvers.access.content_tokens import Grant, issue, verify
from resolvers.access.integration_tokens import LIFETIME, Program
from resolvers.core.errors import Unauthenticated

NAMES = st.text(max_size=20)
CLAIMS = st.dictionaries(NAMES, NAMES | st.integers() | st.booleans() | st.none(), max_size=4)


@given(NAMES, NAMES, CLAIMS, st.lists(NAMES, max_size=3), st.binary(min_size=32, max_size=64))
def test_tokens_are_those_of_the_library(
    organization: str, site: str, claims: dict[str, object], spaces: list[str], key: bytes
) -> None:
    ends = dt.datetime(2126, 1, 1, tzinfo=dt.UTC)
    grant = Grant(
        organization_id=organization,
        site_id=site,
        site_space_id="p",
        space_id=site,
        claims=claims,
        authenticated=True,
    )
    text = issue(key, grant, ends, spaces)
    payload = jwt.decode(text, key, [ALGORITHM])
    assert text == jwt.encode(payload, key, ALGORITHM, sort_headers=True)
    assert (payload["spaces"], payload.get("claims", {})) == (spaces, claims)
    assert verify(key, text, ends - dt.timedelta(days=1)) == grant


def test_tokens_of_integrations_are_none() -> None:
    """They are signed with the same key."""
    now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    for program in Program:
        text = integration_tokens.issue(b"k" * 32, program, "id", "mark", now + LIFETIME)
        assert integration_tokens.kind_of(text) is program
        with pytest.raises(Unauthenticated):
            verify(b"k" * 32, text, now)
