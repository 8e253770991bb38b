"""Hostile requests to published sites: whatever is sent, a reader gets an answer and no fault."""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from db.models.site_settings import AdaptiveSchema
from db.models.sites import Site
from db.session import Session
from docstead.asgi import create_app
from docstead.settings import Settings
from published import visits
from tests.conftest import Api, World, settle
from tests.factories import make_site
from tests.published.sites import CLAIMS_SCHEMA
from tests.published.test_sites import make_pages

Headers = Sequence[tuple[bytes, bytes]]
HOST = b"docs.test"
DEEP = 20_000


def unsigned_token(payload: bytes) -> str:
    """A token in form, with a signature of nobody."""
    parts = (b'{"alg":"HS256","typ":"JWT"}', payload, b"signature")
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


class Door:
    """The service, asked with requests that no client would send."""

    def __init__(self, api: Api) -> None:
        self._app = create_app(
            Settings(public_url="http://docs.test", data_dir=api.server.settings.data_dir),
            api.server,
        )

    async def get(
        self, path: bytes, query: bytes = b"", headers: Headers = (), host: bytes = HOST
    ) -> tuple[int, dict[str, str]]:
        """Status and headers of an answer; the application's own error is the test's."""
        status, given, _ = await self.whole(path, query, headers, host)
        return status, given

    async def whole(
        self, path: bytes, query: bytes = b"", headers: Headers = (), host: bytes = HOST
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        sent: list[Mapping[str, Any]] = []

        body = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> dict[str, Any]:
            for message in body:
                return message
            # The connection stays open: what is streamed looks at it until it has ended.
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
            "scheme": "http", "raw_path": path, "query_string": query, "root_path": "",
            "path": _unquoted(path), "headers": [(b"host", host), *headers],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {},
        }  # fmt: skip
        await self._app(scope, receive, send)
        start = sent[0]
        given = {str(name, "latin-1"): str(value, "latin-1") for name, value in start["headers"]}
        return start["status"], given, b"".join(one.get("body", b"") for one in sent[1:])


def _unquoted(path: bytes) -> str:
    return unquote_to_bytes(path).decode("utf-8", errors="replace")


@pytest.fixture
async def made(session: Session, world: World) -> Site:
    """A site that takes claims, under the host of its organization too."""
    guide = await make_pages(session, world, "Guide", start={}, deep={"parent_id": "start"})
    site = await make_site(
        session, world.organization, guide, title="Handbook", published=True,
        adaptive_content=True,
    )  # fmt: skip
    session.add(AdaptiveSchema(site_id=site.id, json_schema=CLAIMS_SCHEMA))
    (await session.merge(world.organization)).hostname = "acme"
    await settle(session)
    return site


@pytest.fixture
def door(api: Api) -> Door:
    return Door(api)


HOSTILE_TOKENS = {
    "deeply nested": unsigned_token(b"[" * DEEP),
    "with a deeply nested member": unsigned_token(b'{"a":' * DEEP),
    "not of base64": "a.€.c",
    "of a control character": "a.\r\nSet-Cookie: b=c.d",
    "of an endless time": unsigned_token(b'{"exp":1e400}'),
    "of a time that is a text": unsigned_token(b'{"exp":"' + b"9" * 5000 + b'"}'),
    "of nothing": ".." ,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE_TOKENS)
@pytest.mark.parametrize("adaptive", [True, False])
async def test_hostile_tokens(
    door: Door, session: Session, made: Site, name: str, adaptive: bool
) -> None:
    (await session.merge(made)).adaptive_content = adaptive
    await session.commit()
    path = f"/sites/{made.id}".encode()
    query = f"jwt_token={quote(HOSTILE_TOKENS[name])}".encode()
    status, headers = await door.get(path, query)
    assert status < 500
    # What nobody has verified is not kept.
    assert "set-cookie" not in headers
    cookie = f"gitbook-visitor-token={HOSTILE_TOKENS[name]}".encode()
    status, _ = await door.get(path, headers=[(b"cookie", cookie)])
    assert status == 200


QUERIES = {
    "a long number": f"visitor.language={'9' * 300}",
    "a number beyond 64 bits": "visitor.language=99999999999999999999999",
    "a lone surrogate": 'visitor.language="\\ud800"',
    "a nested list": f"visitor.language={'[' * 1000}",
    "a NUL": "visitor.language=%00&q=%00",
    "a search for NUL": "q=%00",
    "a search for bytes": "q=%ff%fe",
    "a search for nothing but signs": "q=%22%22%27%28%2A%3A%26%7C%21",
    "a long search": f"q={'word%20' * 500}",
}


@pytest.mark.parametrize("name", QUERIES)
async def test_hostile_queries(door: Door, made: Site, name: str) -> None:
    query = QUERIES[name].encode()
    status, _ = await door.get(f"/sites/{made.id}".encode(), query)
    assert status < 500
    values = json.dumps({"language": 10**40, "more": "\ud800"})
    for text in (QUERIES[name], values, "[" * 1000, "\udcff"):
        cookie = b"gitbook-visitor-public=" + quote(text, errors="replace").encode()
        status, _ = await door.get(f"/sites/{made.id}".encode(), query, [(b"cookie", cookie)])
        assert status < 500


HOSTS = (b"a[b.docs.test", b"[x.docs.test", b"a]b.docs.test", b"x:y.docs.test:99999999",
         b"\x00.docs.test", b"\x00", b"\xff\xfe", b"a@acme.docs.test", b"a/b.docs.test",
         b"", b"acme.docs.test:", b"acme.docs.test:x", b"." * 3000, b"\xbd.docs.test",
         b"acme.docs.test/%00", b"x" * 60_000, b"acme.docs.test?a", b"acme.docs.test#a",
         b"[::1].docs.test", b"[v1.x].docs.test", b"a\tb.docs.test")  # fmt: skip


@pytest.mark.parametrize("host", HOSTS, ids=lambda one: one[:20].hex())
async def test_hostile_hosts(door: Door, made: Site, host: bytes) -> None:
    for path in (b"/", b"/start", b"/~gitbook/auth/login", b"/~gitbook/auth/logout"):
        status, headers = await door.get(path, host=host)
        assert status < 500
        assert "evil" not in headers.get("location", "")


TRICKS = ("", "/~gitbook/auth/login", "/~gitbook/auth/logout", "/~gitbook/auth/login?location=x")


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("slashes", ["//", "///", "/\\", "/%5c", "/%2f", "/\t/", "/./", "/.//"])
async def test_no_redirect_leads_elsewhere(
    door: Door, session: Session, made: Site, slashes: str, trick: str
) -> None:
    (await session.merge(made)).adaptive_content = False
    await session.commit()
    for root, host in ((f"/sites/{made.id}", HOST), ("", b"acme.docs.test")):
        path, _, query = f"{root}{slashes}evil.example{trick}".partition("?")
        for more in ("", f"jwt_token={unsigned_token(b'{}')}"):
            given = "&".join(part for part in (query, more) if part)
            status, headers = await door.get(path.encode(), given.encode(), host=host)
            assert status < 500
            location = headers.get("location", "/")
            assert location.startswith(("/", "http://docs.test/", "http://acme.docs.test/"))
            assert not location.startswith(("//", "/\\", "/\t"))


async def test_a_path_adds_nothing_to_a_cookie(door: Door, made: Site) -> None:
    for root, host in ((f"/sites/{made.id}", HOST), ("", b"acme.docs.test")):
        path = f"{root}/a;%20Domain=docs.test;x/~gitbook/auth/logout"
        _, headers = await door.get(path.encode(), host=host)
        attributes = headers.get("set-cookie", "").split(";")
        assert not [one for one in attributes if one.strip().lower().startswith(("domain", "x"))]


ODD = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"/", b"//", b"..", b"~", b"/~/changes/", b"/~/revisions/", b"/~preview/", b"v/",
         b"%00", b"%ff", b"%2f", b"%25", b"%2500", b"start", b".md", b"/llms-full.txt/", b"9" * 30,
         b"llms.txt", b"sitemap.xml", b"sitemap-pages.xml", b"~gitbook/auth/login",
         b"~gitbook/auth/logout", b"\xc3\xa9", b"%c3", b"a" * 3000, b";", b"?", b"#", b"\\"]
    ),
)  # fmt: skip
PATHS = st.lists(ODD, max_size=5).map(b"/".join) | st.lists(ODD, max_size=5).map(b"".join)
NAMES = st.sampled_from([b"q", b"jwt_token", b"visitor.language", b"location", b"a", b"visitor."])
PAIRS = st.lists(st.tuples(NAMES, ODD).map(b"=".join), max_size=4).map(b"&".join)
# Servers refuse lines within headers before an application sees them.
VALUE = ODD.map(lambda text: bytes(byte for byte in text if byte not in b"\r\n\0"))
COOKIES = st.tuples(
    st.sampled_from(
        [b"gitbook-visitor-token", b"gitbook-visitor-public", b"gitbook-visitor-public-query"]
    ),
    VALUE,
).map(b"=".join)
HEADERS = st.lists(
    st.one_of(
        COOKIES.map(lambda value: (b"cookie", value)),
        st.tuples(
            st.sampled_from([b"accept", b"if-none-match", b"x-forwarded-host", b"accept-language"]),
            VALUE,
        ),
    ),
    max_size=3,
)


@settings(
    max_examples=40, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(path=PATHS, query=PAIRS, headers=HEADERS, own_host=st.booleans())
@example(path=b"llms-full.txt", query=b"", headers=[], own_host=False)
async def test_odd_requests(
    door: Door, made: Site, path: bytes, query: bytes, headers: Headers, own_host: bool
) -> None:
    root = b"" if own_host else f"/sites/{made.id}".encode()
    host = b"acme.docs.test" if own_host else HOST
    status, _ = await door.get(root + b"/" + path, query, headers, host)
    assert status < 500


async def test_a_long_path_is_no_work_for_cookies(
    door: Door, made: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the beginning of a path may be the base of a site, which has a cookie of its own."""
    names: list[str] = []
    real = visits.token_cookie

    def counted(base: str) -> str:
        names.append(base)
        return real(base)

    monkeypatch.setattr(visits, "token_cookie", counted)
    counts = []
    for segments in (20, 2_000):
        names.clear()
        path = f"/sites/{made.id}/" + "a/" * segments
        await door.get(path.encode(), host=HOST)
        counts.append(len(names))
    assert counts[0] == counts[1] <= 20
