"""The guarded client against real servers on loopback, which tests have to allow."""

import asyncio
import gzip
import ssl
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from fetching.errors import FetchError
from tests.fetching.servers import Loopback, answering, response

HERE = Path(__file__).parent
QUICK = FetchLimits(step_seconds=20, total_seconds=30, bytes=100_000, redirects=3)

# Without the time, so that tests have the same names in every process.
GZIP = gzip.compress(b"x" * 99, mtime=0)


def client_for(*servers: Loopback, limits: FetchLimits = QUICK) -> Fetcher:
    pairs = frozenset(("127.0.0.1", server.port) for server in servers)
    return Fetcher(Allowance(pairs), limits)


async def test_fetches_what_is_there() -> None:
    answer = response(
        b"hello",
        "Content-Type: Text/Plain; charset=latin-1",
        'Content-Disposition: attachment; filename="a.txt"',
        "Set-Cookie: a=b",
    )
    async with answering(answer) as server:
        fetcher = client_for(server)
        found = await fetcher.get(server.url + "ü?q=ä#part")
        await fetcher.get(server.url)
    assert (found.data, found.content_type, found.charset) == (b"hello", "text/plain", "latin-1")
    assert found.file_name == "a.txt"
    assert found.url == server.url + "%C3%BC?q=%C3%A4"
    assert server.requests[0].startswith("GET /%C3%BC?q=%C3%A4 HTTP/1.1\r\n")
    # A client without a memory: no cookies, no kept connections, no credentials.
    assert server.connections == 2
    assert "ookie" not in server.requests[1]
    assert "uthorization" not in "".join(server.requests)


async def test_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(response(b"canary")) as canary, answering(response(b"real")) as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, canary.url)
        assert (await client_for(server).get(server.url)).data == b"real"
        assert canary.connections == 0


def resolving(*addresses: str) -> Callable[[str, int], "asyncio.Future[list[str]]"]:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve  # type: ignore[return-value]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001"])
async def test_loopback_is_never_connected_to(host: str) -> None:
    async with answering(response(b"secret")) as canary:
        with pytest.raises(FetchError):
            await Fetcher(limits=QUICK).get(f"http://{host}:{canary.port}/")
        assert canary.connections == 0


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["0.0.0.0"]]
)
async def test_names_of_loopback_are_never_connected_to(addresses: list[str]) -> None:
    async with answering(response(b"secret")) as canary:
        fetcher = Fetcher(limits=QUICK, resolve=resolving(*addresses))
        with pytest.raises(FetchError, match="not on the public internet"):
            await fetcher.get(f"http://docs.example:{canary.port}/")
        assert canary.connections == 0


async def test_the_checked_address_is_the_one_connected_to() -> None:
    """A name that resolves differently the second time finds nobody who asks."""
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    async with answering(response(b"first")) as server:
        allowance = Allowance(frozenset({("docs.example", server.port)}))
        fetcher = Fetcher(allowance, QUICK, resolve=rebinding)
        found = await fetcher.get(f"http://docs.example:{server.port}/")
    assert found.data == b"first"
    assert asked == ["docs.example"]
    assert f"Host: docs.example:{server.port}\r\n" in server.requests[0]


async def test_certificates_are_verified_for_the_name_not_the_address() -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(HERE / "localhost.crt", HERE / "localhost.key")
    names: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: names.append(name)
    trusting = ssl.create_default_context(cafile=str(HERE / "localhost.crt"))
    async with answering(response(b"over TLS"), tls=serving) as server:
        hosts = ("docs.example", "other.example")
        allowance = Allowance(frozenset((host, server.port) for host in hosts))
        options = {"resolve": resolving("127.0.0.1")}
        fetcher = Fetcher(allowance, QUICK, tls=trusting, **options)
        assert (await fetcher.get(f"https://docs.example:{server.port}/")).data == b"over TLS"
        with pytest.raises(FetchError, match=r"cannot be reached.*certificate"):
            await fetcher.get(f"https://other.example:{server.port}/")
        distrusting = Fetcher(allowance, QUICK, **options)
        with pytest.raises(FetchError, match=r"cannot be reached.*certificate"):
            await distrusting.get(f"https://docs.example:{server.port}/")
    assert names == ["docs.example", "other.example", "docs.example"]
    assert len(server.requests) == 1


async def test_redirects_are_followed_with_the_same_check() -> None:
    async with answering(response(b"secret")) as canary, answering(response(b"end")) as end:
        moved = response(b"", f"Location: {end.url}", status="302 Found")
        inward = response(b"", f"Location: {canary.url}", status="301 Moved")
        async with answering(moved) as first, answering(inward) as second:
            fetcher = client_for(first, second, end)
            found = await fetcher.get(first.url)
            assert (found.data, found.url) == (b"end", end.url)
            with pytest.raises(FetchError, match="not on the public internet"):
                await fetcher.get(second.url)
        assert canary.connections == 0


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("/again", "more than 3 redirects"),
        ("file:///etc/passwd", "not an http or https URL"),
        ("http://user:secret@docs.example/", "must not hold credentials"),
        ("gopher://docs.example/", "not an http or https URL"),
    ],
)
async def test_redirects_that_are_not_followed(target: str, problem: str) -> None:
    async with answering(response(b"", f"Location: {target}", status="302 Found")) as server:
        with pytest.raises(FetchError, match=problem) as failure:
            await client_for(server).get(server.url)
    assert "secret" not in str(failure.value)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("ftp://docs.example/", "not an http or https URL"),
        ("file:///etc/passwd", "not an http or https URL"),
        ("docs.example", "not an http or https URL"),
        ("http://", "not an http or https URL"),
        ("", "not an http or https URL"),
        ("http://u:p@docs.example/", "credentials"),
        ("http://u@docs.example/", "credentials"),
        ("http://docs.example/a b", "blanks"),
        ("http://docs.example/\r\nX: y", "blanks"),
        ("http://docs.example\\@127.0.0.1/", "blanks, backslashes"),
        ("http://docs.example:0/", "port 0"),
        ("http://docs.example:99999/", "is not a URL"),
        ("http://[::1/", "is not a URL"),
        ("http://a..b/", "is not a host"),
        ("http://docs.example/" + "x" * 3000, "more than 2048 characters"),
    ],
)
async def test_urls_that_are_refused(url: str, problem: str) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        raise AssertionError("nothing is resolved for it")

    with pytest.raises(FetchError, match=problem) as failure:
        await Fetcher(resolve=resolve).get(url)
    assert "u:p" not in str(failure.value)


def bomb(coding: str) -> bytes:
    zeros = b"\0" * 50_000_000
    packed = gzip.compress(zeros, 1, mtime=0) if coding == "gzip" else zlib.compress(zeros, 1)
    return response(packed, f"Content-Encoding: {coding}")


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 65_536)
        await writer.drain()


async def dripping(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.1)


async def silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


# What does not end is met by one limit, however busy the machine is; all others by none.
HASTY = {
    "dripping": FetchLimits(step_seconds=30, total_seconds=1.0, bytes=1_000_000),
    "silent": FetchLimits(step_seconds=0.5, total_seconds=60, bytes=1_000_000),
}
PATIENT = FetchLimits(step_seconds=30, total_seconds=60, bytes=1_000_000)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (bomb("gzip"), "more than 1000000 bytes"),
        (bomb("deflate"), "more than 1000000 bytes"),
        (endless, "more than 1000000 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n", "more than 1000000 bytes"),
        (dripping, "took longer than 1 seconds"),
        (silent, "did not answer in time"),
        (response(b"x", "Content-Encoding: br"), "only gzip, deflate are accepted"),
        (response(b"x", "Content-Encoding: gzip, gzip"), "only gzip, deflate are accepted"),
        (response(b"damaged", "Content-Encoding: gzip"), "not valid gzip"),
        (response(GZIP[:-9], "Content-Encoding: gzip"), "ends too early"),
        (response(gzip.compress(b"") * 1_001, "Content-Encoding: gzip"), "more than 1000 parts"),
        (response(b"", status="404 Not Found"), "status 404"),
        (response(b"", status="204 No Content"), "status 204"),
        (response(b"", status="302 Found"), "redirects"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "no valid HTTP answer"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "no valid HTTP answer"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 300_000, "no valid HTTP answer"),
        (b"", "no valid HTTP answer"),
    ],
)  # fmt: skip
async def test_hostile_answers(answer: bytes, problem: str) -> None:
    limits = HASTY.get(getattr(answer, "__name__", ""), PATIENT)
    async with answering(answer) as server:
        with pytest.raises(FetchError, match=problem) as failure:
            await client_for(server, limits=limits).get(server.url)
        assert server.url in str(failure.value) or "Content-Encoding" in str(answer)


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0), "gzip"),
        (zlib.compress(b"one two"), "deflate"),
        (zlib.compress(b"one two")[2:-4], "deflate"),
        (b"one two", "identity"),
    ],
)
async def test_codings(body: bytes, coding: str) -> None:
    async with answering(response(body, f"Content-Encoding: {coding}")) as server:
        assert (await client_for(server).get(server.url)).data == b"one two"


async def test_body_of_an_unwanted_type_is_not_read() -> None:
    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n")
        await endless(writer)

    async with answering(answer) as server:
        with pytest.raises(FetchError, match="is video/mp4, which is not wanted"):
            await client_for(server).get(server.url, accepts="text/html".__eq__)


async def test_nobody_listens() -> None:
    async with answering(response()) as server:
        pass
    with pytest.raises(FetchError, match="cannot be reached"):
        await client_for(server).get(server.url)


async def test_callers_narrow_the_limits() -> None:
    async with answering(response(b"12345678")) as server, answering(silent) as slow:
        fetcher = client_for(server, slow)
        with pytest.raises(FetchError, match="more than 7 bytes"):
            await fetcher.get(server.url, max_bytes=7)
        with pytest.raises(FetchError, match=r"longer than 0\.1 seconds"):
            await fetcher.get(slow.url, seconds=0.1)
