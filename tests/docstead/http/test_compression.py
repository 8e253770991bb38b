"""Compressed answers: the same bytes for whoever accepts a coding, and tags that stay right."""

import asyncio
import gc
import gzip
import zlib
from random import Random
from typing import Any

import httpx2
import pytest
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from content.collector import collector_paused
from db.session import Session
from docstead.http import content_coding
from docstead.http.content_coding import CODERS, IN_PLACE, SMALLEST, Gzip, Zstd, chosen_coding, zstd
from docstead.http.exchange import Exchanges
from tests import factories
from tests.conftest import Api, World
from tests.docstead.http.test_file_downloads import stored
from tests.factories import make_member, make_user

TEXT = "A sentence that is said again and again. " * 100


def decoded(response: httpx2.Response) -> bytes:
    """The bytes of a response that was streamed raw, without its coding."""
    coding = response.headers.get("content-encoding")
    if coding == "gzip":
        return gzip.decompress(response.content)
    return zstd.decompress(response.content) if coding == "zstd" else response.content


async def fetch(
    client: httpx2.AsyncClient, url: str, accept: str | None, method: str = "GET", **headers: str
) -> httpx2.Response:
    """A response with its bytes as they were sent."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if accept is not None:
        sent["Accept-Encoding"] = accept
    request = client.build_request(method, url, headers=sent)
    if accept is None:
        del request.headers["accept-encoding"]
    response = await client.send(request, stream=True)
    raw = b"".join([chunk async for chunk in response.aiter_raw()])
    await response.aclose()
    plain = httpx2.Response(response.status_code, headers={}, content=raw)
    plain.headers = response.headers
    return plain


@pytest.mark.parametrize(
    ("accept", "coding"),
    [
        ("", None),
        ("gzip", "gzip"),
        ("x-gzip", "gzip"),
        ("GZIP", "gzip"),
        ("gzip, deflate, br", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("zstd", "zstd"),
        ("gzip;q=1.0, zstd;q=0.5", "gzip"),
        ("gzip;q=0.2, zstd;q=0.5", "zstd"),
        ("gzip;q=0", None),
        ("gzip;q=0.0, zstd;q=0", None),
        ("gzip ; Q=0", None),
        ("gzip;q=0, *", "zstd"),
        ("zstd;q=0, *", "gzip"),
        ("*", "zstd"),
        ("*;q=0", None),
        ("*;q=0, gzip", "gzip"),
        ("identity", None),
        ("identity;q=0.5, gzip", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=1, gzip;q=1", "gzip"),
        ("identity;q=0", None),
        ("br", None),
        ("deflate", None),
        ("gzip;q=nonsense", None),
        ("gzip;q=2", None),
        ("gzip;q=nan", None),
        ("gzipped", None),
        (",,gzip,,", "gzip"),
        ("gzip," * 400, None),
    ],
)
def test_which_coding_is_asked_for(accept: str, coding: str | None) -> None:
    assert chosen_coding(accept) == coding


def test_long_headers_are_not_remembered() -> None:
    before = content_coding._chosen.cache_info().currsize
    for number in range(10):
        assert chosen_coding(f"gzip,{number}{'x' * 100_000}") is None
    assert content_coding._chosen.cache_info().currsize == before


@pytest.mark.parametrize("name", CODERS)
def test_a_reader_can_read_what_came_so_far(name: str) -> None:
    random, coder = Random(name), CODERS[name]()
    reader: Any = zlib.decompressobj(31) if name == "gzip" else zstd.ZstdDecompressor()
    for _ in range(20):
        piece = random.randbytes(random.randint(1, 3000)).hex().encode()
        assert reader.decompress(coder.piece(piece, last=False)) == piece
    assert reader.decompress(coder.piece(b"", last=True)) == b""
    assert reader.eof


async def answered(
    app: ASGIApp, path: str = "/", method: str = "GET", accept: str = "gzip", **headers: str
) -> tuple[list[Message], httpx2.Response]:
    """All messages of an answer, and the answer."""
    messages: list[Message] = []

    async def collect(message: Message) -> None:
        messages.append(message)

    async def nothing() -> Message:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    sent = {"accept-encoding": accept, **headers}
    pairs = [(name.encode(), value.encode()) for name, value in sent.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": pairs}
    await Exchanges(compression=True).answer(app, scope, nothing, collect)
    body = b"".join(message.get("body", b"") for message in messages[1:])
    made = httpx2.Response(messages[0]["status"])
    made.headers = httpx2.Headers(messages[0]["headers"])
    made._content = body
    return messages, made


def streamed(*chunks: bytes, **headers: str) -> ASGIApp:
    async def pieces() -> Any:
        for chunk in chunks:
            yield chunk

    return StreamingResponse(pieces(), headers=headers, media_type="text/plain")


async def test_each_chunk_of_a_stream_leaves_at_once() -> None:
    chunks = [b"first " * 10, b"second " * 9000, b"", b"third"]
    for given in ({}, {"Content-Length": str(sum(map(len, chunks)))}):
        messages, response = await answered(streamed(*chunks, **given))
        assert "content-length" not in response.headers
        assert decoded(response) == b"".join(chunks)
        reader = zlib.decompressobj(31)
        seen = [reader.decompress(message["body"]) for message in messages[1:]]
        assert [one for one in seen if one] == [one for one in chunks if one]
        assert messages[-1]["more_body"] is False


@pytest.mark.parametrize(
    ("response", "coded"),
    [
        (PlainTextResponse("x" * SMALLEST), True),
        (PlainTextResponse("x" * (SMALLEST - 1)), False),
        (Response(TEXT, media_type="application/json; charset=utf-8"), True),
        (Response(TEXT, media_type="application/graphql-response+json; charset=utf-8"), True),
        (Response(TEXT, media_type="text/markdown"), True),
        (Response(TEXT, media_type="application/xml"), True),
        (Response(TEXT, media_type="IMAGE/SVG+XML"), True),
        (Response(TEXT, media_type="application/schema+json"), True),
        (Response(TEXT, media_type="application/rss+xml; charset=utf-8"), True),
        (Response(TEXT, media_type="image/png"), False),
        (Response(TEXT, media_type="application/pdf"), False),
        (Response(TEXT, media_type="application/octet-stream"), False),
        (Response(TEXT), False),
        (PlainTextResponse(TEXT, 404), True),
        (PlainTextResponse(TEXT, 206), False),
        (PlainTextResponse(TEXT, 200, {"Content-Range": "bytes 0-1/2"}), False),
        (PlainTextResponse(TEXT, 200, {"Content-Encoding": "br"}), False),
        (PlainTextResponse(TEXT, 200, {"Cache-Control": "private, no-transform"}), False),
    ],
)
async def test_what_is_compressed(response: Response, coded: bool) -> None:
    _, found = await answered(response)
    assert (found.headers.get("content-encoding") == "gzip") is coded
    assert found.headers.get_list("vary") == (["Accept-Encoding"] if coded else [])
    assert decoded(found) == response.body
    if coded:
        assert found.headers.get_list("content-length") == [str(len(found.content))]
        _, plain = await answered(response, accept="identity")
        assert plain.headers["vary"] == "Accept-Encoding"
        assert plain.content == response.body
        assert plain.headers["content-length"] == str(len(response.body))
        _, head = await answered(response, method="HEAD")
        for name in ("content-encoding", "vary", "content-type"):
            assert head.headers[name] == found.headers[name]
        assert "content-length" not in head.headers


async def test_large_answers_are_compressed_beside_the_event_loop() -> None:
    """While a coder works on a large piece, other things go on."""
    running: list[str] = []

    class Slow(Gzip):
        def piece(self, data: bytes, *, last: bool) -> bytes:
            with pytest.raises(RuntimeError):
                asyncio.get_running_loop()
            running.append("coded")
            return data

    large = PlainTextResponse("x" * (IN_PLACE + 1))
    before = CODERS["gzip"]
    CODERS["gzip"] = Slow
    try:
        await answered(large)
    finally:
        CODERS["gzip"] = before
    assert running == ["coded"]


async def test_tags_of_compressed_answers_are_weak() -> None:
    def app(status: int) -> ASGIApp:
        headers = {"ETag": '"abc"', "Vary": "Accept", "Accept-Ranges": "bytes"}
        return PlainTextResponse(TEXT if status == 200 else "", status, headers)

    _, full = await answered(app(200))
    assert full.headers["etag"] == 'W/"abc"'
    assert full.headers["vary"] == "Accept, Accept-Encoding"
    assert "accept-ranges" not in full.headers
    _, plain = await answered(app(200), accept="identity")
    assert plain.headers["etag"] == '"abc"'
    assert plain.headers["accept-ranges"] == "bytes"
    for sent, named in (
        ('W/"abc"', 'W/"abc"'), ('"abc"', '"abc"'), ('"x", W/"abc"', 'W/"abc"'),
        ('W/"abc", "abc"', '"abc"'), ("*", '"abc"'),
    ):  # fmt: skip
        _, known = await answered(app(304), **{"if-none-match": sent})
        assert known.headers["etag"] == named
        assert known.headers["vary"] == "Accept, Accept-Encoding"


async def test_a_failure_before_the_first_byte_is_answered() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"5000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        raise RuntimeError("the password is hunter2")

    _, response = await answered(app, headers_="x")
    assert response.status_code == 500
    assert b"hunter2" not in response.content
    assert response.headers["x-request-id"]


async def test_a_failure_after_it_is_nobody_elses() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * 2000, "more_body": True})
        raise RuntimeError("later")

    with pytest.raises(RuntimeError, match="later"):
        await answered(app)


@pytest.mark.parametrize("name", CODERS)
async def test_who_hangs_up_leaves_no_coder_behind(name: str) -> None:
    """A coder holds up to a megabyte, and the collector of a server comes by rarely."""

    async def endless() -> Any:
        while True:
            yield b"some text " * 10_000
            await asyncio.sleep(0)

    async def hang_up() -> None:
        messages: list[Message] = []
        gone = asyncio.Event()

        async def send(message: Message) -> None:
            messages.append(message)
            if len(messages) == 4:
                gone.set()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        headers = [(b"accept-encoding", name.encode())]
        scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
        response = StreamingResponse(endless(), media_type="text/plain")
        await Exchanges(compression=True).answer(response, scope, receive, send)
        assert (b"content-encoding", name.encode()) in messages[0]["headers"]

    gc.collect()
    with collector_paused():
        for _ in range(3):
            await hang_up()
        coders = [one for one in gc.get_objects() if isinstance(one, Gzip | Zstd)]
        assert [one for one in coders if one._coder is not None] == []


@pytest.fixture
async def many(world: World, session: Session) -> World:
    """An organization whose lists are long enough to be compressed."""
    for number in range(30):
        user = await make_user(session, f"Somebody with a name, the {number}th")
        await make_member(session, world.organization, None, user)
    await session.commit()
    return world


async def test_both_doors(api: Api, many: World) -> None:
    token = await api.token_of(many.admin)
    for url in (
        f"/v1/orgs/{many.organization.id}/members?limit=100", "/v1/openapi.json",
        "/schemas/document/1.json", "/schemas/document/1.d.ts",
    ):  # fmt: skip
        plain = await fetch(api.client, url, None, Authorization=f"Bearer {token}")
        assert plain.status_code == 200
        assert "content-encoding" not in plain.headers
        for coding in CODERS:
            coded = await fetch(api.client, url, coding, Authorization=f"Bearer {token}")
            assert coded.headers["content-encoding"] == coding
            assert decoded(coded) == plain.content
            assert len(coded.content) < len(plain.content) / 2
    query = (
        "query($id: ID!) { organization(id: $id) { members { nodes { user { displayName } } } } }"
    )
    for coding in CODERS:
        answer = await api.client.post(
            "/graphql",
            json={"query": query, "variables": {"id": many.organization.id}},
            headers={"Authorization": f"Bearer {token}", "Accept-Encoding": coding},
        )
        assert answer.headers["content-encoding"] == coding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert len(answer.json()["data"]["organization"]["members"]["nodes"]) > 30
    small = await api.client.post(
        "/graphql", json={"query": "{ viewer { id } }"}, headers={"Accept-Encoding": "gzip"}
    )
    assert "content-encoding" not in small.headers
    assert "vary" not in small.headers


async def test_content_is_known_by_its_tag_with_and_without_compression(
    api: Api, world: World, session: Session
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    token = f"Bearer {await api.token_of(world.admin)}"
    url = f"/v1/spaces/{space.id}/content"
    plain = await fetch(api.client, url, None, Authorization=token)
    tag = plain.headers["etag"]
    assert not tag.startswith("W/")
    for accept in (None, "gzip", "zstd"):
        for sent in (tag, f"W/{tag}"):
            again = await fetch(api.client, url, accept, Authorization=token, If_None_Match=sent)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == sent


SVG = b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<g/>" * 500 + b"</svg>"


async def test_parts_of_files_are_never_compressed(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr("tests.docstead.http.test_file_downloads.BYTES", SVG)
    url = await stored(api)
    whole = await fetch(api.client, url, "gzip")
    assert decoded(whole) == SVG
    assert whole.headers["etag"].startswith('W/"')
    assert "accept-ranges" not in whole.headers
    plain = await fetch(api.client, url, None)
    assert plain.headers["content-length"] == str(len(SVG))
    tag = plain.headers["etag"]
    part = await fetch(api.client, url, "gzip", Range="bytes=5-1999", If_Range=tag)
    assert part.status_code == 206
    assert part.content == SVG[5:2000]
    assert part.headers["etag"] == tag
    assert "content-encoding" not in part.headers
    # Parts of compressed bytes and of plain ones are never put together.
    mixed = await fetch(api.client, url, "gzip", Range="bytes=5-1999", If_Range=f"W/{tag}")
    assert mixed.status_code == 200
    for sent in (tag, f"W/{tag}"):
        known = await fetch(api.client, url, "gzip", If_None_Match=sent)
        assert (known.status_code, known.headers["etag"]) == (304, sent)
    head = await fetch(api.client, url, "gzip", "HEAD")
    assert head.headers["content-encoding"] == "gzip"
    assert head.headers["etag"] == f"W/{tag}"


async def test_pages_for_people_are_compressed(api: Api) -> None:
    page = await api.client.get("/graphql", headers={"Accept": "text/html"})
    script = page.text.split('src="')[1].split('"')[0].removeprefix(".").removeprefix("/")
    asset = await fetch(api.client, f"/{script}", "zstd, gzip")
    assert asset.headers["content-encoding"] == "zstd"
    assert "immutable" in asset.headers["cache-control"]
    plain = await fetch(api.client, f"/{script}", None)
    assert decoded(asset) == plain.content
    known = await fetch(api.client, f"/{script}", "zstd", If_None_Match=asset.headers["etag"])
    assert (known.status_code, known.headers["etag"]) == (304, asset.headers["etag"])
