"""What manifests add to the policies of pages: hosts and digests, and nothing that opens them."""

import re

import pytest
from hypothesis import given, strategies as st

from published.answers import page_policy
from published.policies import MOST_CHARACTERS, MOST_SOURCES, sources_of

OWN = frozenset({"docs.example.org", "service.example.org"})
DIGEST = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
SOURCES = (
    "https://cdn.example", "cdn.example:443", "*.cdn.example", "wss://live.cdn.example", DIGEST,
    "http://plain.example", "'self'", "'unsafe-inline'", "'unsafe-eval'", "'strict-dynamic'",
    "'nonce-abc'", "*", "https:", "http:", "data:", "blob:", "https://*", "*.org", "'none'",
    "https://docs.example.org", "*.example.org", "docs.example.org:*", "service.example.org",
    "SERVICE.EXAMPLE.ORG/files/x.js", "javascript:alert(1)", "'report-sample'", "evil.example;",
)  # fmt: skip
ALLOWED = {"https://cdn.example", "cdn.example:443", "*.cdn.example", "wss://live.cdn.example",
           DIGEST}  # fmt: skip


@pytest.mark.parametrize("directive", ["script-src", "connect-src", "default-src"])
@given(st.lists(st.one_of(st.sampled_from(SOURCES), st.text(max_size=10)), max_size=8))
def test_only_hosts_of_others_and_digests(directive: str, written: list[str]) -> None:
    sources = sources_of([f"{directive} {' '.join(written)}"], OWN)
    known = {word for names in sources.values() for word in names}
    assert known & set(SOURCES) <= ALLOWED
    policy = page_policy("sha256-ours", sources=sources)
    (scripts,) = (part for part in policy.split("; ") if part.startswith("script-src "))
    for word in scripts.split()[1:]:
        assert (
            word == "'sha256-ours'" or word == DIGEST or re.match(r"[a-z0-9*]", word, re.IGNORECASE)
        )
        assert "unsafe" not in word
        assert word.rstrip(":*") not in ("https", "http", "data", "blob", "")
    # What no integration widens stays as it is.
    for standing in ("default-src 'none'", "base-uri 'none'", "form-action 'self'",
                     "frame-ancestors 'self'"):  # fmt: skip
        assert standing in policy.split("; ")


def test_hosts_of_the_manifest_are_added() -> None:
    policies = [
        "script-src https://cdn.example 'self'; img-src pixel.example; object-src *;",
        f"default-src https://all.example {DIGEST}",
    ]
    sources = sources_of(policies, OWN)
    assert sources["script-src"] == ["https://cdn.example", "https://all.example", DIGEST]
    assert sources["img-src"] == ["pixel.example", "https://all.example"]
    assert DIGEST not in sources["connect-src"]
    assert "object-src" not in sources
    assert sources_of(["script-src http://a.example"], OWN, plain=True) == {
        "script-src": ["http://a.example"]
    }
    many = " ".join(f"h{number}.example" for number in range(100))
    assert len(sources_of([f"img-src {many}"], OWN)["img-src"]) == MOST_SOURCES


@given(st.integers(0, 400), st.integers(1, 300))
def test_no_manifest_makes_a_header_that_proxies_refuse(number: int, length: int) -> None:
    hosts = " ".join(f"h{n}{'x' * length}.example" for n in range(number))
    sources = sources_of([f"default-src {hosts}"] * 10, OWN)
    added = sum(len(f" {source}") for named in sources.values() for source in named)
    assert added <= MOST_CHARACTERS
