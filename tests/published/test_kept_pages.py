"""Kept pages: whoever asks gets what a server without any would answer, after any write."""

from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from db.session import Database
from published.rendered_pages import RequestHeaders, key_of
from tests.conftest import settle
from tests.published.kept_sites import SITE_WRITES, Kept, kept, said

__all__ = ["kept"]
STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(SITE_WRITES)), st.integers(0, 7)), min_size=1, max_size=4
)


@settings(
    max_examples=8, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(steps=STEPS)
async def test_any_writes(kept: Kept, steps: list[tuple[str, int]]) -> None:
    for name, number in steps:
        await SITE_WRITES[name](kept, number)
        await settle(kept.session)
        await kept.compare()


async def test_each_write(kept: Kept) -> None:
    """Each of them is seen by the next request, and so is the write that takes it back."""
    await kept.compare()
    for name in SITE_WRITES:
        for number in (0, 1):
            await SITE_WRITES[name](kept, number)
            await settle(kept.session)
            # What is as it was before the write that was taken back was read twice then.
            await kept.compare(times=2 - number)


async def test_a_kept_page_is_one_read(kept: Kept, database: Database) -> None:
    statements: list[str] = []
    path = f"/sites/{kept.site.id}/other"
    first = await kept.keeping.get(path)
    watch, database.watch = database.watch, statements.append
    answers = [await kept.keeping.get(path) for _ in range(3)]
    known = await kept.keeping.get(path, headers={"If-None-Match": first.headers["etag"]})
    head = await kept.keeping.head(path)
    part = await kept.keeping.get(path, headers={"Range": "bytes=0-9"})
    markdown = await kept.keeping.get(f"{path}.md")
    read = len(statements)
    again = await kept.keeping.get(
        f"{path}.md", headers={"If-None-Match": f"W/{markdown.headers['etag']}"}
    )
    database.watch = watch
    assert {answer.text for answer in (*answers, part)} == {first.text}
    assert (known.status_code, known.text, head.status_code) == (304, "", 200)
    assert known.headers["etag"] == first.headers["etag"]
    assert again.status_code == 304
    versions = [text for text in statements if "site_version" in text]
    # One for each answer; the Markdown was read once, with its versions.
    assert len(versions) == 8
    assert len(statements) == read + 1
    assert all("site_version" in text for text in statements[:6])


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/other/",
        "/v/path-1/more",
        "/llms.txt",
        "/sitemap.xml",
        "/sitemap-pages.xml",
        "/robots.txt",
    ],
)
async def test_lists_and_redirects_are_kept(kept: Kept, database: Database, path: str) -> None:
    statements: list[str] = []
    address = f"/sites/{kept.site.id}{path}"
    first = await kept.keeping.get(address)
    watch, database.watch = database.watch, statements.append
    again = await kept.keeping.get(address)
    # A redirect has no tag that a client could know.
    known = await kept.keeping.get(
        address, headers={"If-None-Match": first.headers.get("etag", "*")}
    )
    database.watch = watch
    assert said(again) == said(first)
    assert known.status_code == (304 if first.status_code == 200 else 307)
    assert known.headers.get("location") == first.headers.get("location")
    assert len(statements) == 2
    assert all("site_version" in text for text in statements)


async def test_codings_are_kept(kept: Kept) -> None:
    path = f"/sites/{kept.site.id}/other"
    plain = await kept.keeping.get(path, headers={"Accept-Encoding": "identity"})
    for coding in ("gzip", "zstd"):
        for _ in range(3):
            answer = await kept.keeping.get(path, headers={"Accept-Encoding": coding})
            assert answer.headers["content-encoding"] == coding
            assert answer.text == plain.text
            assert answer.headers["etag"] == f"W/{plain.headers['etag']}"
            assert int(answer.headers["content-length"]) < len(plain.content)
        head = await kept.keeping.head(path, headers={"Accept-Encoding": coding})
        assert head.headers["content-encoding"] == coding


async def test_what_is_in_no_key(kept: Kept) -> None:
    """Claims that cannot be written, long keys, and headers that are sent twice."""
    path = f"/sites/{kept.site.id}/other"
    deep = quote('{"a":' + "[" * 300 + "]" * 300 + "}")
    for cookie in (f"gitbook-visitor-public={deep}", f"gitbook-visitor-public=%7B%7D{'x' * 3000}"):
        answer = await kept.keeping.get(path, headers={"Cookie": cookie})
        assert said(answer) == said(await kept.plain.get(path, headers={"Cookie": cookie}))
    long = "/" * 5_000 + path[1:]
    markdown = [("Accept", "text/html"), ("Accept", "text/markdown")]
    for address, headers in ((long, []), (path, markdown), (path, markdown[1:]), (path, [])):
        expected = await kept.plain.get(f"http://docs.test{address}", headers=headers)
        answer = await kept.keeping.get(f"http://docs.test{address}", headers=headers)
        assert said(answer) == said(expected)
    scope = {"headers": [], "raw_path": long.encode(), "path": long}
    assert key_of(scope, RequestHeaders.of(scope), "http://docs.test", None) is None
