"""Events that go to an endpoint over HTTP."""

import asyncio
import json

from fetching.addresses import Allowance
from fetching.client import Fetcher
from runtime.calls import Outcome
from runtime.endpoint import Endpoints
from runtime.multipart import read_multipart
from tests.fetching.servers import answering, response
from tests.runtime.scripts import call


async def test_event_is_sent_in_the_published_format() -> None:
    received = bytearray()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        received.extend(head + await reader.readexactly(length))
        writer.write(response(b"body", "X-Own: 1", "Keep-Alive: 5", status="202 Accepted"))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        endpoints = Endpoints(Fetcher(Allowance(frozenset({("127.0.0.1", port)}))), 5)
        event = call("", event={"type": "fetch", "eventId": "e"}, body=b"\xff\x00")
        answered = await endpoints.run(event, f"http://127.0.0.1:{port}/")
    assert answered.outcome == Outcome.COMPLETE
    assert answered.response is not None
    assert (answered.response.status, answered.response.body) == (202, b"body")
    assert answered.response.header("x-own") == "1"
    assert answered.response.header("keep-alive") == ""
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1 HTTP/1.1")
    boundary = head.partition(b"boundary=")[2].partition(b"\r\n")[0].decode()
    fields = {part.name: part for part in read_multipart(body, boundary)}
    assert list(fields) == ["event", "environment", "fetch-body"]
    assert json.loads(fields["event"].data) == {"type": "fetch", "eventId": "e"}
    assert json.loads(fields["environment"].data)["apiEndpoint"] == "http://api.example"
    assert fields["fetch-body"].data == b"\xff\x00"


async def test_endpoints_that_give_no_answer() -> None:
    endpoints = Endpoints(Fetcher(), 2)
    for url in ("http://127.0.0.1:9/", "http://10.0.0.1/", "file:///etc/passwd", "http://[::1]:80"):
        answer = await endpoints.run(call(""), url)
        assert (answer.outcome, answer.response) == (Outcome.UNREACHABLE, None)
        assert answer.error
    async with answering(response(b"x" * 50, "Content-Encoding: gzip")) as server:
        allowed = Fetcher(Allowance(frozenset({("127.0.0.1", server.port)})))
        answer = await Endpoints(allowed, 2).run(call(""), server.url)
        assert answer.outcome == Outcome.UNREACHABLE
        assert "gzip" in answer.error
