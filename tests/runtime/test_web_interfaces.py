"""What scripts find of the web, by what they compute with it."""

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from jwt.algorithms import RSAAlgorithm

from runtime.calls import Call, Outcome
from runtime.limits import Limits
from runtime.multipart import Part, read_multipart, write_multipart
from runtime.sandbox import Sandbox
from tests.fetching.servers import answering, response
from tests.runtime.scripts import BUNDLE, call, sandbox, texts

# Expressions, and what they are as JSON.
EXPRESSIONS: dict[str, Any] = {
    # URLs
    "new URL('../q?x=1#z', 'http://A.b:80/c/d/e').href": "http://a.b/c/q?x=1#z",
    "new URL('http://bücher.example/ä?ö').href": "http://xn--bcher-kva.example/%C3%A4?%C3%B6",
    "URL.canParse('http://')": False,
    "URL.parse('x') === null": True,
    "(() => { try { new URL('x') } catch (e) { return e.name } })()": "TypeError",
    "(() => { const u = new URL('http://a/?x=1'); u.searchParams.append('y', 'a b&c'); return u.href })()":
        "http://a/?x=1&y=a+b%26c",
    "(() => { const u = new URL('http://a/?x=1'); const p = u.searchParams; u.search = '?z=2'; return p.get('z') })()":
        "2",
    "(() => { const u = new URL('http://a/b'); u.pathname = '/c d'; u.hash = 'h'; u.protocol = 'https'; return String(u) })()":
        "https://a/c%20d#h",
    "JSON.stringify({ u: new URL('http://a') })": '{"u":"http://a/"}',
    "[...new URLSearchParams('a=1&a=2&b=%FF&c=%zz+')]":
        [["a", "1"], ["a", "2"], ["b", "\ufffd"], ["c", "%zz "]],
    "new URLSearchParams({ a: \"it's (1)~*\" }).toString()": "a=it%27s+%281%29%7E*",
    "Object.fromEntries(new URLSearchParams([['x', 1]]))": {"x": "1"},
    # Texts and bytes
    "[...new TextEncoder().encode('é😀\\ud800')]": [195, 169, 240, 159, 152, 128, 239, 191, 189],
    "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))": "a",
    "(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([0xf0, 0x9f]), { stream: true }) + d.decode(new Uint8Array([0x98, 0x80])) })()":
        "😀",
    "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name } })()":
        "TypeError",
    "btoa('\\u00ff\\u0000')": "/wA=",
    "atob(' aGk ').length": 2,
    "(() => { try { btoa('€') } catch (e) { return [e.name, e.code, e instanceof Error] } })()":
        ["InvalidCharacterError", 5, True],
    # Headers
    "(() => { const h = new Headers({ 'X-B': ' 1 ', a: '2' }); h.append('x-b', '3'); h.append('Set-Cookie', 'p'); h.append('Set-Cookie', 'q'); return [...h] })()":
        [["a", "2"], ["set-cookie", "p"], ["set-cookie", "q"], ["x-b", "1, 3"]],
    "new Headers([['a', '1']]).has('A')": True,
    # Requests and responses
    "await new Response('x').text()": "x",
    "await Response.json({ a: 1 }, { status: 201 }).json()": {"a": 1},
    "Response.json(1).headers.get('content-type')": "application/json",
    "(() => { const r = Response.redirect('http://a/b', 307); return [r.status, r.headers.get('location')] })()":
        [307, "http://a/b"],
    "await (async () => { const r = new Response('ab'); const c = r.clone(); return [await r.text(), await c.text(), r.bodyUsed] })()":
        ["ab", "ab", True],
    "await (async () => { const r = new Response('ab'); await r.text(); try { await r.text() } catch (e) { return e.name } })()":
        "TypeError",
    "await new Request('http://a', { method: 'post', body: new URLSearchParams({ a: 'b c' }) }).formData().then((f) => f.get('a'))":
        "b c",
    "(() => { const r = new Request('http://a/b#c', { method: 'put', body: 'x' }); return [r.method, r.url, r.headers.get('content-type'), r instanceof Request] })()":
        ["PUT", "http://a/b#c", "text/plain;charset=UTF-8", True],
    "(() => { try { new Request('http://a', { body: 'x' }) } catch (e) { return e.name } })()": "TypeError",
    "new Request('http://a', { method: 'GET', body: null }).body === null": True,
    "await new Request(new Request('http://a', { method: 'POST', body: 'x' }), { headers: { a: 'b' } }).text()": "x",
    # Forms and blobs
    "await (async () => { const f = new FormData(); f.append('a', '1'); f.append('a', '2'); f.set('b', new Blob(['x'], { type: 'text/css' }), 'c.css'); const raw = await new Response(f).blob(); const g = await new Response(raw).formData(); return [g.getAll('a'), g.get('b').name, g.get('b').type, await g.get('b').text()] })()":
        [["1", "2"], "c.css", "text/css", "x"],
    "await new Blob(['ab', new Uint8Array([99]), new Blob(['d'])]).slice(1, 3).text()": "bc",
    # Streams
    "await new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('a')); c.enqueue(new TextEncoder().encode('b')); c.close() } })).text()":
        "ab",
    "await (async () => { const parts = []; for await (const c of new Response('abc').body) parts.push(...c); return parts })()":
        [97, 98, 99],
    "await new Response(ReadableStream.from(['a', 'b', 'c']).pipeThrough(new TransformStream({ transform(c, o) { o.enqueue(c.toUpperCase()) }, flush(o) { o.enqueue('!') } })).pipeThrough(new TextEncoderStream())).text()":
        "ABC!",
    "await (async () => { const { readable, writable } = new TransformStream(); const w = writable.getWriter(); w.write(new Uint8Array([65])); w.close(); return new Response(readable).text() })()":
        "A",
    "await (async () => { const [a, b] = new Response('xy').body.tee(); return [await new Response(a).text(), await new Response(b).text()] })()":
        ["xy", "xy"],
    "await new ReadableStream({ pull(c) { c.error(new Error('broken')) } }).getReader().read().catch((e) => e.message)":
        "broken",
    # Signals and timers
    "await new Promise((resolve) => setTimeout(resolve, 1, 'late'))": "late",
    "await new Promise((resolve) => { let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); resolve(n) } }, 1) })":
        3,
    "await new Promise((resolve) => { const t = setTimeout(() => resolve('no'), 1); clearTimeout(t); setTimeout(() => resolve('yes'), 5) })":
        "yes",
    "await new Promise((resolve) => AbortSignal.timeout(1).addEventListener('abort', (e) => resolve(e.target.reason.name)))":
        "TimeoutError",
    "(() => { const c = new AbortController(); c.abort(); return [c.signal.aborted, c.signal.reason.name, AbortSignal.any([c.signal]).aborted] })()":
        [True, "AbortError", True],
    "await fetch('http://a.example/', { signal: AbortSignal.abort() }).catch((e) => [e.name, e instanceof DOMException])":
        ["AbortError", True],
    "(() => { const c = new AbortController(), t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, { signal: c.signal }); t.addEventListener('x', () => n++, { signal: AbortSignal.abort() }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x')); return n })()":
        1,
    # Copies
    "(() => { const a = { d: new Date(0), m: new Map([[1, new Set([2])]]), l: [1n] }; a.self = a; const b = structuredClone(a); return [b.self === b, b !== a, b.d.getTime(), b.m.get(1).has(2), String(b.l[0])] })()":
        [True, True, 0, True, "1"],
    "(() => { try { structuredClone(() => 1) } catch (e) { return e.name } })()": "DataCloneError",
    # Cryptography: RFC 4231, NIST, and what it signs itself
    "new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'))).toHex()":
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "await (async () => { const k = await crypto.subtle.importKey('raw', new TextEncoder().encode('Jefe'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']); const d = new TextEncoder().encode('what do ya want for nothing?'); const s = await crypto.subtle.sign('HMAC', k, d); return [new Uint8Array(s).toHex(), await crypto.subtle.verify('HMAC', k, s, d), await crypto.subtle.verify('HMAC', k, s, d.slice(1))] })()":
        ["5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", True, False],
    "await (async () => { const k = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']); const iv = crypto.getRandomValues(new Uint8Array(12)); const c = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, k, new Uint8Array([1, 2])); const wrong = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, k, new Uint8Array(c.byteLength)).catch((e) => e.name); return [c.byteLength, [...new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, k, c))], wrong] })()":
        [18, [1, 2], "OperationError"],
    "await crypto.subtle.importKey('raw', new Uint8Array(3), 'AES-GCM', false, []).catch((e) => e.name)": "DataError",
    "await crypto.subtle.importKey('spki', Uint8Array.fromHex('302a300506032b657f032100' + '07'.repeat(32)), 'Ed25519', false, []).catch((e) => e.name)": "NotSupportedError",
    "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())": True,
    "Math.random() !== Math.random() && Math.random() < 1": True,
    # What libraries look for to find out where they run
    "[typeof process, typeof require, typeof window, typeof self, typeof navigator]":
        ["undefined", "undefined", "undefined", "object", "object"],
    "(() => { try { null.x } catch (e) { return e.stack.startsWith('TypeError: ') } })()": True,
}  # fmt: skip


async def test_interfaces(shared: Sandbox) -> None:
    """All in one script, so that there is one process; each is an event of its own."""
    cases = " ".join(
        f"case {number}: return Response.json({{ value: {expression} }});"
        for number, expression in enumerate(EXPRESSIONS)
    )
    script = BUNDLE % f"switch (event.which) {{ {cases} }}"
    wrong = {}
    for number, (expression, expected) in enumerate(EXPRESSIONS.items()):
        event = {"type": "x", "which": number}
        answer = await shared.run(Call(script, script, "i", event, {}))
        body = answer.response and json.loads(answer.response.body).get("value")
        if body != expected:
            wrong[expression] = (body, answer.error)
    assert wrong == {}


RSA = """
const pem = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const rs256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const data = new TextEncoder().encode("header.payload");
const signing = await crypto.subtle.importKey("pkcs8", pem(event.pkcs8), rs256, false, ["sign"]);
const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", signing, data);
const spki = await crypto.subtle.importKey("spki", pem(event.spki), rs256, true, ["verify"]);
const jwk = await crypto.subtle.importKey("jwk", event.jwk, rs256, false, ["verify"]);
const forged = new Uint8Array(signature.slice(0));
forged[0] ^= 1;
return Response.json([
  await crypto.subtle.verify("RSASSA-PKCS1-v1_5", spki, signature, data),
  await crypto.subtle.verify("RSASSA-PKCS1-v1_5", jwk, signature, data),
  await crypto.subtle.verify("RSASSA-PKCS1-v1_5", jwk, forged, data),
  await crypto.subtle.sign("RSASSA-PKCS1-v1_5", spki, data).catch((error) => error.name),
  new Uint8Array(signature).toBase64(),
]);
"""


async def test_signatures_with_rsa(shared: Sandbox) -> None:
    key = rsa.generate_private_key(65_537, 2_048)
    public = key.public_key()
    der = serialization.Encoding.DER
    event = {
        "type": "x",
        "pkcs8": base64.b64encode(
            key.private_bytes(der, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        ).decode(),
        "spki": base64.b64encode(
            public.public_bytes(der, serialization.PublicFormat.SubjectPublicKeyInfo)
        ).decode(),
        "jwk": RSAAlgorithm.to_jwk(public, as_dict=True),
    }
    answer = await shared.run(call(RSA, event=event))
    assert answer.response is not None, answer
    *checks, signature = json.loads(answer.response.body)
    assert checks == [True, True, False, "InvalidAccessError"]
    public.verify(
        base64.b64decode(signature), b"header.payload", padding.PKCS1v15(), hashes.SHA256()
    )


async def test_fetch_brings_answers_as_they_were_sent() -> None:
    answered = response(b'{"a":"\xc3\xa4"}', "Content-Type: application/json", "X-Own: 1")
    async with answering(answered) as server, sandbox(Limits(), server.port) as running:
        answer = await running.run(
            call(
                "const r = await fetch(new Request(event.url, { method: 'POST', body: 'hello',"
                " headers: { 'User-Agent': 'mine' } }));"
                "return Response.json([r.ok, r.status, r.headers.get('x-own'), r.type, await r.json()]);",
                event={"type": "x", "url": f"{server.url}path?q=1#hash"},
            )
        )
        assert answer.response is not None, answer
        assert json.loads(answer.response.body) == [True, 200, "1", "basic", {"a": "ä"}]
        (request,) = server.requests
        assert request.startswith("POST /path?q=1 HTTP/1.1\r\n")
        assert "user-agent: mine\r\n" in request.lower()
        assert request.lower().count("user-agent") == 1
        assert "content-type: text/plain;charset=utf-8\r\n" in request.lower()


async def test_response_comes_before_what_is_postponed(shared: Sandbox) -> None:
    event = call(
        "ctx.waitUntil((async () => { await new Promise((r) => setTimeout(r, 300));"
        " console.log('postponed'); throw new Error('late'); })());"
        "AbortSignal.timeout(30000); return new Response('first', { status: 202 });"
    )
    first, rest = await shared.respond(event)
    assert first is not None
    assert (first.status, first.body, rest.done()) == (202, b"first", False)
    answer = await rest
    assert answer.outcome == Outcome.COMPLETE
    assert texts(answer)[0] == "postponed"
    assert "late" in texts(answer)[1]
    # The timer that is left is not waited for.
    assert answer.wall < 5_000


async def test_body_of_a_request_arrives(shared: Sandbox) -> None:
    show = (
        "const inner = new Request('http://a/', { method: 'POST', body,"
        " headers: { 'content-type': 'x/y' } });"
        "return new Response(await inner.arrayBuffer(),"
        " { headers: { 'x-kind': typeof body, 'x-type': inner.headers.get('content-type') } });"
    )
    for body, kind in ((b"a=1&b=\xc3\xa9", "string"), (bytes(range(256)), "object")):
        answer = await shared.run(call(show, body=body, content_type="image/png"))
        assert answer.response is not None, answer
        assert answer.response.body == body
        assert answer.response.header("x-kind") == kind
        assert answer.response.header("x-type") == "x/y"
    answer = await shared.run(call("return Response.json(body);"))
    assert answer.response is not None
    assert answer.response.body == b"null"


async def test_log_shows_values(shared: Sandbox) -> None:
    answer = await shared.run(
        call(
            "console.log('text', 1, null, undefined, [1, { a: 'b' }], new Map([[1, 2]]));"
            "console.warn(new TypeError('bad', { cause: new Error('inner') }));"
            "const o = {}; o.o = o; console.error(o);"
            "console.error(new AggregateError([new Error('one')], 'many'));"
            "return new Response();"
        )
    )
    assert [entry.level for entry in answer.log] == ["info", "warn", "error", "error"]
    first, second, third, fourth = texts(answer)
    assert first == 'text 1 null undefined [ 1, { a: "b" } ] Map { [ 1, 2 ] }'
    assert second.startswith("TypeError: bad\n    at ")
    assert "Caused by: Error: inner" in second
    assert third == "{ o: [Circular] }"
    assert fourth.startswith("AggregateError: many")
    assert "With: Error: one" in fourth


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [Part("a", b"1")],
        [Part("a", b"\r\n--x--\r\n"), Part("b", b"\x00\xff\r\n", "f.bin", "image/png")],
        [Part('na"me\r\n', "\u00e4".encode(), 'fi"le\n', "text/plain")],
    ],
)
def test_forms_are_read_as_they_were_written(parts: list[Part]) -> None:
    body, content_type = write_multipart(parts)
    read = read_multipart(body, content_type.partition("boundary=")[2])
    assert [part.data for part in read] == [part.data for part in parts]
    assert [part.content_type for part in read] == [part.content_type for part in parts]
    assert len({part.name for part in read}) == len({part.name for part in parts})


@pytest.mark.parametrize(
    "body", [b"", b"--x", b"--x\r\n\r\n--x--", b"--x\r\na: b\r\n\r\n\r\n--x--"]
)
def test_what_is_no_form_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="form"):
        read_multipart(body, "x")
