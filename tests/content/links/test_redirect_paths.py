"""Sources of redirects: how they are written, compared, and what is put behind a destination."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import given, strategies as st

from content.errors import SlugError
from content.links.redirect_paths import (
    MAX_SOURCE,
    Source,
    is_below,
    keys_above,
    path_below,
    path_key,
    path_segments,
    read_source,
    with_path,
    with_query,
)

SEGMENTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="/%"),
    min_size=1,
    max_size=8,
).filter(lambda text: text not in (".", ".."))
PATHS = st.lists(SEGMENTS, min_size=1, max_size=5)


def written(segments: list[str], wildcard: bool = False) -> str:
    return "/" + "/".join(quote(one, safe="") for one in segments) + ("/*" if wildcard else "")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("/old", Source("old", False)),
        ("/Old/Page.html", Source("old/page.html", False)),
        ("/docs/*", Source("docs", True)),
        ("/caf%C3%A9", Source("café", False)),
        ("/cafe%CC%81", Source("café", False)),
        ("/STRASSE", Source("strasse", False)),
        ("/stra%C3%9Fe", Source("strasse", False)),
        ("/a%2Fb", Source("a/b", False)),
        ("/a%252Fb", Source("a/b", False)),
        ("/~a_b-c.d", Source("~a_b-c.d", False)),
    ],
)
def test_sources(text: str, source: Source) -> None:
    assert read_source(text) == source


@pytest.mark.parametrize(
    "text",
    ["", "/", "old", "/old/", "//old", "/a//b", "/a b", "/a?b", "/a#b", "/é", "/*", "/a*", "/a/*/b",
     "/a/*b", "/a/**", "/%", "/%2", "/%zz", "/%00", "/%0a", "/a\n", "https://a.example/b", "/%2F",
     "/" + "a" * MAX_SOURCE],
)  # fmt: skip
def test_bad_sources(text: str) -> None:
    with pytest.raises(SlugError):
        read_source(text)


@given(PATHS, st.booleans())
def test_a_request_for_the_source_has_its_key(segments: list[str], wildcard: bool) -> None:
    text = written(segments, wildcard)
    if len(text) > MAX_SOURCE or "*" in "".join(segments):
        return
    source = read_source(text)
    plain = written(segments)
    for asked in (plain, plain.lower(), plain + "/", "/" + plain, quote(plain), unquote(plain)):
        found = path_segments(asked)
        assert path_key(found) == source.key
        assert keys_above(found)[0] == source.key
    below = path_segments(plain + "/x/Y")
    assert source.key in keys_above(below)
    assert below[source.key.count("/") + 1 :] == ["x", "Y"]


@given(PATHS)
def test_keys_are_compared_once_and_for_all(segments: list[str]) -> None:
    key = path_key(segments)
    assert path_key(path_segments(key)) == key
    assert keys_above(segments)[-1] == path_key(segments[:1])
    assert len(keys_above(segments)) == len(segments)


@given(PATHS, PATHS)
def test_what_is_put_behind_an_address_is_found_below_it(
    base: list[str], segments: list[str]
) -> None:
    root = "https://docs.example.com" + written(base)
    url = with_path(root, segments)
    assert urlsplit(url).netloc == "docs.example.com"
    below = path_below(root, url)
    assert below is not None
    assert path_key(below) == path_key(path_segments("/".join(segments)))


@pytest.mark.parametrize(
    ("url", "segments", "expected"),
    [
        ("https://a.example", ["b"], "https://a.example/b"),
        ("https://a.example/", ["b", "c d"], "https://a.example/b/c%20d"),
        ("https://a.example/x?q=1#top", ["b"], "https://a.example/x/b?q=1#top"),
        ("https://a.example/x", [], "https://a.example/x"),
        ("https://a.example/x", ["..", ".", "é?#"], "https://a.example/x/%C3%A9%3F%23"),
        ("https://a.example/x/", [], "https://a.example/x/"),
    ],
)
def test_paths_behind_addresses(url: str, segments: list[str], expected: str) -> None:
    assert with_path(url, segments) == expected


@pytest.mark.parametrize(
    ("url", "below"),
    [
        ("https://docs.example.com/help", []),
        ("https://DOCS.example.com/Help/a/B", ["a", "B"]),
        ("http://docs.example.com/help/a", ["a"]),
        ("https://docs.example.com/helper", None),
        ("https://docs.example.com/", None),
        ("https://other.example.com/help/a", None),
        ("https://docs.example.com/help/a?x=1", None),
        ("https://docs.example.com/help/a#top", None),
        ("https://docs.example.com/help/%00", None),
    ],
)
def test_own_addresses_are_recognised(url: str, below: list[str] | None) -> None:
    assert path_below("https://docs.example.com/help", url) == below


def test_own_addresses_may_have_a_query() -> None:
    base = "https://docs.example.com/help"
    for url in (base, f"{base}/", f"{base}/a?x=1", f"{base}/A#top"):
        assert is_below(base, url)
    for url in ("https://docs.example.com/?a=/help", "https://a.example/help", f"{base}er"):
        assert not is_below(base, url)


def test_the_query_of_the_request_is_kept() -> None:
    assert with_query("https://a.example/b", "") == "https://a.example/b"
    assert with_query("https://a.example/b", "x=1&y") == "https://a.example/b?x=1&y"
    assert with_query("https://a.example/b?a=1#c", "x=1") == "https://a.example/b?a=1&x=1#c"
