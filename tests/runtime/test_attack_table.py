"""More of what scripts may try: random programs, tricks with our own objects, storms and leaks.

Whatever it is, the event ends within its bounds, and the next one of the same script is well.
"""

import asyncio
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from runtime import limits
from runtime.calls import Call, Outcome
from runtime.limits import Limits
from runtime.sandbox import Sandbox
from tests.fetching.servers import answering, response
from tests.runtime.scripts import bundle, call, sandbox

ENDED = {Outcome.CPU, Outcome.MEMORY, Outcome.ERROR, Outcome.UNFINISHED, Outcome.CRASHED}
ANY = ENDED | {Outcome.COMPLETE}
# All in one script, chosen by the event; each with what may come of it.
TABLE: dict[str, tuple[str, set[Outcome]]] = {
    # Prototypes and classes of what scripts are given.
    "constructors": (
        "const leaks = []; for (const one of [Request, Response, Headers, URL, crypto.subtle.digest,"
        " fetch, console.log]) for (const name of ['host', 'ask', 'host_call', 'timers']) { if (await"
        " one.constructor('return typeof ' + name)() !== 'undefined') leaks.push(name); }"
        " return Response.json(leaks);", {Outcome.COMPLETE}),
    "prototypes": (
        "for (const one of [Request, Response, Headers, URL, AbortSignal, ReadableStream, FormData]) {"
        " Object.setPrototypeOf(one.prototype, new Proxy({}, { get() { throw 1; } })); one.prototype"
        ".constructor = null; } return new Response('x');", ANY),
    "not a response": ("return new Proxy(new Response('x'), {});", {Outcome.ERROR}),
    "thenable": ("return { then(go) { go({ then(again) { again(new Response('x')); } }); } };", ANY),
    "endless thenable": ("const t = { then(go) { go(t); } }; return t;", {Outcome.CPU}),
    "status as an object": (
        "const r = new Response(''); Object.defineProperty(r, 'status', { get: () => ({ valueOf: () =>"
        " 200 }) }); return r;", ANY),
    "own private fields": ("return new (class extends Response { get headers() { return {"
                           " _list: () => [[{}, {}]] }; } })('x');", ENDED),
    "key of another": ("return Response.json(CryptoKey._bytes(Symbol(), {}));", {Outcome.ERROR}),
    "clock and chance": (
        "Date.now = () => NaN; Math.random = () => 7; crypto.getRandomValues = (a) => a;"
        " await new Promise((go) => setTimeout(go, NaN)); return new Response(crypto.randomUUID());",
        {Outcome.COMPLETE}),
    # Regular expressions that are long, and that take long.
    "long expression": ("new RegExp('(a|b)'.repeat(2e5)).test('ab');", ANY),
    "deep expression": ("new RegExp('('.repeat(1e5) + ')'.repeat(1e5));", ENDED),
    "counted expression": ("new RegExp('((a{0,9999}){0,9999}){0,9999}b').test('a'.repeat(99));", ANY),
    "lookbehind": ("/(?<=(a+)+)c/.test('a'.repeat(5e4) + 'b');", ENDED | {Outcome.COMPLETE}),
    "long replacement": ("'x'.repeat(1e5).replace(/x/g, '$&'.repeat(1e4));", ENDED),
    # Large things, of every kind that has a size.
    "long text": ("'x'.repeat(2 ** 30 - 26).split('');", ENDED),
    "joined texts": ("let t = 'x'.repeat(1e5); for (;;) t += t;", ENDED),
    "growing buffer": (
        "const b = new ArrayBuffer(1, { maxByteLength: 2 ** 40 }); b.resize(2 ** 39);", ENDED),
    "buffer of 2 GB": ("new Uint8Array(2 ** 31);", ENDED),
    "long array": ("new Array(2 ** 32 - 1).fill(0);", ENDED),
    "sparse array": ("const a = []; a[2 ** 31] = 1; return Response.json(a);", ENDED),
    "large numbers": ("(2n ** 2n ** 30n).toString();", ENDED),
    "base64": ("const b = new Uint8Array(9e7); b.toBase64();", ENDED),
    "copies": ("let o = {}; for (let i = 0; i < 1e6; i++) o = { o, i }; structuredClone(o);", ENDED),
    "large body": ("await new Blob([new Uint8Array(6e7), new Uint8Array(6e7)]).text();", ENDED),
    "derived for long": (
        "const k = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false,"
        " ['deriveBits']); await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt: new"
        " Uint8Array(8), iterations: 2e9 }, k, 512);", {Outcome.CPU}),
    # Storms of what is postponed.
    "promises": ("await Promise.all(Array.from({ length: 3e6 }, async () => { await null; }));", ENDED),
    "async recursion": ("const f = async () => { await f(); }; await f();", ENDED),
    "waits": ("const again = async () => { await null; ctx.waitUntil(again()); }; ctx.waitUntil(again());"
              " return new Response();", ENDED),
    "thousand timers": ("for (let i = 0; i < 2000; i++) setTimeout(() => {}, 1e9);", {Outcome.ERROR}),
    "weak references": (
        "const r = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 1e5; i++)"
        " r.register({}, i); return new Response('x');", ANY),
    # Bodies without end.
    "endless answer": (
        "return new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1e5)); } }));",
        ENDED),
    "endless request": (
        "await fetch('https://example.com/', { method: 'POST', body: new ReadableStream({ pull(c) {"
        " c.enqueue(new Uint8Array(1e5)); } }) });", ENDED),
    "endless branches": (
        "let s = new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1e5)); } })).body;"
        " for (;;) { const [a, b] = s.tee(); s = a; await b.getReader().read(); }", ENDED),
    "silent stream": ("return new Response(new ReadableStream({}));", {Outcome.UNFINISHED}),
    # Headers and methods of fetches, written past our checks.
    "method": ("await fetch('https://example.com/', { method: 'GET / HTTP/1.1\\r\\nX-A: b' });",
               {Outcome.ERROR}),
    "address": ("Object.defineProperty(Request.prototype, 'url', { get: () =>"
                " 'https://example.com/ HTTP/1.1\\r\\nX-A: b' }); await fetch('https://a.example/');",
                {Outcome.ERROR}),
    "header": ("Headers.prototype._list = () => [['x-a', 'b\\r\\nx-c: d']];"
               " await fetch('https://example.com/');", {Outcome.ERROR}),
    # What is left behind when the answer is there.
    "timers behind": ("setInterval(() => { for (;;); }, 1); return new Response('x');",
                      {Outcome.COMPLETE}),
    "fetch behind": ("fetch('https://example.com/').catch(() => { for (;;); });"
                     " return new Response('x');", {Outcome.COMPLETE}),
    "microtasks behind": (
        "const again = () => Promise.resolve().then(again); setTimeout(again); ctx.waitUntil(new"
        " Promise((go) => setTimeout(go, 20))); return new Response('x');", {Outcome.CPU}),
}  # fmt: skip
BRANCHES = " ".join(
    f"if (event.which === {name!r}) {{ {statements} }}" for name, (statements, _) in TABLE.items()
)
SCRIPT = bundle(BRANCHES + " return new Response('well');")


def chosen(which: str) -> Call:
    return Call(SCRIPT, SCRIPT, "attacker", {"type": "x", "which": which}, {})


@pytest.mark.parametrize("which", TABLE)
async def test_each_attack_ends(shared: Sandbox, which: str) -> None:
    begun = time.monotonic()
    answer = await shared.run(chosen(which))
    assert answer.outcome in TABLE[which][1], answer
    assert answer.cpu < 5 * shared.limits.cpu_milliseconds, answer
    assert time.monotonic() - begun < 60
    if which == "constructors":
        assert answer.response is not None
        assert answer.response.body == b"[]"
    after = await shared.run(chosen("nothing"))
    assert after.response is not None
    assert after.response.body == b"well"


# ------------------------------------------------------------------ random programs

NAMES = (
    "event", "environment", "ctx", "request", "globalThis", "Response", "Request", "Headers", "JSON",
    "Promise", "Object", "Array.prototype", "Object.prototype", "Function.prototype", "crypto.subtle",
    "fetch", "setTimeout", "console", "Symbol.iterator", "new Uint8Array(9)", "[]", "{}", "null", "NaN",
    "'text'", "1e9", "() => x", "x",
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]})[{two[1]}]"),
        st.tuples(inner, inner).map(lambda two: f"Reflect.apply({two[0]}, {two[1]}, [x])"),
        st.tuples(inner, inner).map(lambda two: f"Object.assign({two[0]}, {{ a: {two[1]} }})"),
        st.tuples(inner, inner).map(lambda two: f"new Proxy({two[0]}, {two[1]})"),
        inner.map(lambda one: f"structuredClone({one})"),
        inner.map(lambda one: f"await ({one})"),
        inner.map(lambda one: f"new Response({one})"),
        inner.map(lambda one: f"Object.setPrototypeOf({one}, null)"),
        inner.map(lambda one: f"JSON.stringify({one})"),
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    VALUES.map(lambda one: f"x = {one};"),
    VALUES.map(lambda one: f"try {{ x = {one}; }} catch (error) {{ x = error; }}"),
    st.tuples(VALUES, VALUES).map(lambda two: f"try {{ ({two[0]}).k = {two[1]}; }} catch {{}}"),
    VALUES.map(lambda one: f"for (let i = 0; i < 1e4; i++) {{ try {{ x = {one}; }} catch {{}} }}"),
    VALUES.map(lambda one: f"try {{ ctx.waitUntil({one}); }} catch {{}}"),
    VALUES.map(lambda one: f"return {one};"),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(STATEMENTS, max_size=5), min_size=6, max_size=6))
def test_random_programs_end(programs: list[list[str]]) -> None:
    """Each in a function of one script, so that they need one preparer."""
    branches = " ".join(
        f"if (event.which === {number}) {{ let x; {' '.join(program)} }}"
        for number, program in enumerate(programs)
    )
    script = bundle(branches + " return new Response('well');")

    async def run() -> None:
        async with sandbox(Limits(cpu_milliseconds=100, wall_seconds=3)) as running:
            for number in range(len(programs) + 1):
                event: dict[str, Any] = {"type": "x", "which": number}
                answer = await running.run(Call("random", script, "attacker", event, {}))
                assert answer.outcome in ANY | {Outcome.WALL}, (
                    programs[number : number + 1],
                    answer,
                )
            for _ in range(5):
                if answer.response is not None:
                    break
                # A busy machine had no time for it.
                answer = await running.run(Call("random", script, "attacker", event, {}))
            assert answer.response is not None
            assert answer.response.body == b"well"

    asyncio.run(run())


# ------------------------------------------------------------------ fetches


async def test_a_storm_of_fetches_is_bounded() -> None:
    async with (
        answering(response(b"x" * 1_000)) as server,
        sandbox(Limits(cpu_milliseconds=3_000, wall_seconds=20), server.port) as running,
    ):
        answer = await running.run(call(
            "const all = Array.from({ length: 20000 }, () => fetch(event.url).then(() => 1, () => 0));"
            "return Response.json((await Promise.all(all)).reduce((one, other) => one + other));",
            event={"type": "x", "url": server.url},
        ))  # fmt: skip
        assert answer.outcome in {Outcome.COMPLETE, Outcome.CPU, Outcome.MEMORY}, answer
        assert server.connections <= limits.FETCHES
        after = await running.run(call("return new Response('well');"))
        assert after.response is not None


async def test_redirects_to_private_addresses_are_not_followed() -> None:
    targets = ("http://169.254.169.254/latest", "http://127.0.0.1:1/", "http://[::1]:1/", "//10.0.0.1/",
               "file:///etc/passwd", "http://user:secret@127.0.0.1/")  # fmt: skip
    for target in targets:
        answer_of_server = response(b"", f"Location: {target}", status="302 Found")
        async with answering(answer_of_server) as server, sandbox(None, server.port) as running:
            answer = await running.run(call(
                "return new Response(await fetch(event.url).then((r) => 'followed ' + r.url, String));",
                event={"type": "x", "url": server.url},
            ))  # fmt: skip
            assert answer.response is not None, answer
            assert answer.response.body.startswith(b"TypeError"), (target, answer.response.body)


async def test_nothing_is_written_into_a_request_beside_it() -> None:
    async with answering(response(b"ok")) as server, sandbox(None, server.port) as running:
        for statements in (
            "new Headers({ 'x-a': 'b\\r\\nx-c: d' })", "new Headers({ 'x-a\\r\\nx-c': 'd' })",
            "fetch(event.url + '?q=\\r\\nx-c: d')", "fetch(event.url, { method: 'A\\r\\nx-c: d' })",
            "fetch(event.url, { method: 'POST', body: 'x', headers: { 'transfer-encoding': 'chunked',"
            " 'content-length': '0', connection: 'upgrade', te: 'trailers' } })",
        ):  # fmt: skip
            await running.run(call(
                f"await ({statements}); return new Response();",
                event={"type": "x", "url": server.url},
            ))  # fmt: skip
        heads = [request.partition("\r\n\r\n")[0].lower() for request in server.requests]
        assert len(heads) == 2
        for head in heads:
            assert not re.search(r"^(x-c|te|transfer-encoding|upgrade):", head, re.MULTILINE), head


async def test_what_a_server_sends_without_end_is_bounded() -> None:
    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65_536)
                await writer.drain()
        except ConnectionError:
            pass

    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, sandbox(Limits(wall_seconds=20), port) as running:
        answer = await running.run(call(
            "return new Response(await fetch(event.url).then((r) => r.text(), String));",
            event={"type": "x", "url": f"http://127.0.0.1:{port}/"},
        ))  # fmt: skip
        assert answer.response is not None, answer
        assert b"more than" in answer.response.body
