"""Scripts get the same answers of web interfaces as in another engine, by a list of snippets."""

import json

from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from runtime.limits import Limits
from tests.node_packages import run_node
from tests.runtime.scripts import call, sandbox

_PAIR = RSAAlgorithm.to_jwk(rsa.generate_private_key(65_537, 2048), as_dict=True)
RSA = json.dumps({name: value for name, value in _PAIR.items() if name != "key_ops"})
_KEY = "crypto.subtle.importKey('raw', new TextEncoder().encode('password'),"
_BITS = "new Uint8Array(await crypto.subtle.deriveBits("
SNIPPETS = [
    # Headers, forms, addresses.
    "[...new Headers([['b', '2'], ['a', '1'], ['a', '3'], ['set-cookie', 'x'], ['set-cookie', 'y']])]",
    "(() => { const u = new URL('https://a.b/'); u.searchParams.set('k', 'é +&'); return u.href })()",
    "new URLSearchParams('a=1&a=2').size",
    "[...(await new Response('a=1&b=%20', { headers: { 'content-type': "
    "'application/x-www-form-urlencoded' } }).formData())]",
    "await (async () => { const f = new FormData(); f.append('f', new File(['x'], 'n.txt', { type: "
    "'text/plain' })); const g = await new Response(f).formData(); return [g.get('f').name, "
    "g.get('f').type, await g.get('f').text()] })()",
    "new Headers({ 'a b': 'c' })", "new Headers({ a: 'b\\r\\nc' })", "new Request('/relative')",
    # Requests and their bodies.
    "await (async () => { const r = new Request('https://a.example/x', { method: 'POST', body: '{}', "
    "headers: { a: 'b' } }); const q = new Request(r, { headers: { c: 'd' } }); return [q.method, "
    "q.headers.get('a'), q.headers.get('c'), await q.text(), r.bodyUsed] })()",
    "await (async () => { const r = new Request('https://a.example/x', { method: 'POST', body: 'x' }); "
    "const c = r.clone(); return [await r.text(), await c.text(), r.bodyUsed] })()",
    "await (async () => { const r = new Response('hi'); r.body.getReader(); return [r.bodyUsed, "
    "r.body.locked] })()",
    "await (async () => { const r = new Response('hello').body.getReader(); const one = await "
    "r.read(); return [one.done, one.value.length, (await r.read()).done] })()",
    "new Response('x', { status: 101 })", "Response.redirect('https://a.example/x?y').status",
    "await (async () => { const c = new AbortController(); c.abort(); await fetch("
    "'https://a.example', { signal: c.signal }) })()",
    # Streams.
    "await (async () => { const { readable, writable } = new TransformStream({ transform(c, k) { "
    "k.enqueue(c.toUpperCase()) } }); const w = writable.getWriter(); w.write('a'); w.close(); "
    "return await new Response(readable.pipeThrough(new TextEncoderStream())).text() })()",
    "new CountQueuingStrategy({ highWaterMark: 3 }).size()",
    "new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size(new Uint8Array(7))",
    # Copies, clocks, tasks.
    "structuredClone({ b: new Map([[1, { c: 2 }]]), d: [1, , 3] }).b.get(1).c",
    "structuredClone(() => 1)", "performance.timeOrigin > 1e12 && performance.now() < 1e9",
    "await new Promise((go) => queueMicrotask(() => go('later')))",
    "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))",
    # Cryptography.
    f"[...{_BITS}{{ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 10 }}, await "
    f"{_KEY} 'PBKDF2', false, ['deriveBits']), 128))]",
    f"[...{_BITS}{{ name: 'HKDF', hash: 'SHA-512', salt: new Uint8Array(8), info: new Uint8Array(3) }},"
    f" await {_KEY} 'HKDF', false, ['deriveBits']), 256))]",
    f"(await crypto.subtle.exportKey('jwk', await crypto.subtle.deriveKey({{ name: 'PBKDF2', hash: "
    f"'SHA-256', salt: new Uint8Array(8), iterations: 10 }}, await {_KEY} 'PBKDF2', false, "
    "['deriveKey']), { name: 'AES-GCM', length: 256 }, true, ['encrypt']))).k",
    "await (async () => { const k = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', "
    "true, ['encrypt', 'decrypt']); const a = { name: 'AES-CBC', iv: new Uint8Array(16) }; const e = "
    "await crypto.subtle.encrypt(a, k, new TextEncoder().encode('hello')); return [[...new Uint8Array("
    "e)], new TextDecoder().decode(await crypto.subtle.decrypt(a, k, e))] })()",
    "await (async () => { const k = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', "
    "true, ['decrypt']); await crypto.subtle.decrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, k, "
    "new Uint8Array(16)) })()",
    "await (async () => { const k = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: "
    "'P-256' }, false, ['sign', 'verify']); const a = { name: 'ECDSA', hash: 'SHA-256' }; const s = "
    "await crypto.subtle.sign(a, k.privateKey, new Uint8Array(3)); return [s.byteLength, await "
    "crypto.subtle.verify(a, k.publicKey, s, new Uint8Array(3)), k.privateKey.extractable, "
    "k.publicKey.usages] })()",
    "(await crypto.subtle.exportKey('jwk', await crypto.subtle.generateKey({ name: 'HMAC', hash: "
    "'SHA-384' }, true, ['sign']))).alg",
    "await crypto.subtle.digest('MD5', new Uint8Array(1))",
    # Numbers, dates and the order of texts.
    *(f"({number}).toLocaleString({options})"
      for number in ("1234.5", "-1234567.8915", "0", "-0.0001", "1e15", "NaN", "0.5")
      for options in ("", "'en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }",
                      "'en-US', { style: 'percent' }", "'en-US', { useGrouping: false }")),
    *(f"new Date({at}).{method}({options})"
      for at in ("0", "1735689599000", "NaN")
      for method in ("toLocaleString", "toLocaleDateString", "toLocaleTimeString")
      for options in ("", "'en-US', { timeZone: 'UTC' }")),
    *(f"new Date({at}).toLocaleDateString('en-US', {options})"
      for at in ("0", "1735689599000")
      for options in (
          "{ year: 'numeric', month: 'short', day: 'numeric' }", "{ dateStyle: 'medium' }",
          "{ month: 'long', year: 'numeric' }", "{ month: 'long', day: 'numeric' }",
          "{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }",
          "{ year: '2-digit', month: '2-digit', day: '2-digit' }", "{ dateStyle: 'full' }",
          "{ dateStyle: 'long' }", "{ weekday: 'short' }", "{ month: 'short' }")),
    "new Date(1735689599000).toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' })",
    "new Date(1735689599000).toLocaleTimeString('en-US', { hour12: false })",
    "['b', 'a', 'C', 'é', 'e', 'É', 'Z', 'f'].sort((one, other) => one.localeCompare(other))",
    # The objects of Intl.
    *(f"new Intl.NumberFormat('en-US', {options}).format({number})"
      for number in ("1234.5", "-0.125", "0", "NaN", "-Infinity")
      for options in ("{}", "{ style: 'currency', currency: 'USD' }",
                      "{ style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }",
                      "{ style: 'currency', currency: 'JPY' }", "{ style: 'percent' }",
                      "{ style: 'currency', currency: 'CHF' }")),
    "[1.5, 2].map(Intl.NumberFormat('en-US').format)",
    "new Intl.NumberFormat('en-US', { style: 'currency' })",
    "new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(0))",
    "Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format(1735689599000)",
    "Intl.DateTimeFormat().resolvedOptions().timeZone",
    "new Intl.DateTimeFormat('en-US').format(NaN)",
    # Time zones: their offsets through the years, names, clocks, and parts of a date.
    *(f"new Date({time}).toLocaleString('en-US', {{ timeZone: '{zone}', timeZoneName: '{name}' }})"
      for zone in ("Europe/Berlin", "america/new_york", "Asia/Kolkata", "Australia/Lord_Howe",
                   "America/Adak", "America/Havana", "Africa/Monrovia", "Pacific/Kiritimati",
                   "Etc/GMT+5", "GMT", "+05:30", "-0230")
      for time in ("0", "1.7e12", "1.72e12", "-5e12", "2e14")
      for name in ("short", "shortOffset", "longOffset")),
    "new Date(1.72e12).toLocaleTimeString('en-US', { timeZone: 'US/Pacific', timeStyle: 'full' })",
    "new Date(8.6e15).toLocaleString('en-US', { timeZone: 'America/New_York', timeZoneName: 'shortOffset' })",
    *(f"{call}({{ ...{options}, timeZone: 'Asia/Tokyo' }})" for call in (
        "((o) => new Intl.DateTimeFormat('en-US', o).formatToParts(1.72e12).map((one) => [one.type, one.value.replace('\\u202f', ' ')]))",
        "((o) => new Date(1.72e12).toLocaleDateString('en-US', o))",
        "((o) => new Date(1.72e12).toLocaleTimeString('en-US', o))")
      for options in ("{}", "{ hour12: false, hour: '2-digit', minute: '2-digit' }",
                      "{ hourCycle: 'h23', hour: 'numeric' }", "{ hourCycle: 'h11', hour: 'numeric' }",
                      "{ minute: 'numeric' }", "{ timeZoneName: 'short' }",
                      "{ dateStyle: 'full', timeStyle: 'long' }", "{ dateStyle: 'medium' }",
                      "{ weekday: 'short', hour: 'numeric' }", "{ month: 'long', day: 'numeric', hour: '2-digit' }",
                      "{ month: 'short', year: 'numeric' }")),
    "Intl.DateTimeFormat('en-US', { timeZone: 'Mars/Phobos' })", "new Date(0).toLocaleString([], { timeZone: '' })",
    "new Date(0).toLocaleTimeString('en', { timeZone: '+24:00' })", "Intl.DateTimeFormat('en', { timeZone: null })",
    "new Date(NaN).toLocaleDateString('en', { timeZone: 'Mars/Phobos' })",
    "new Intl.DateTimeFormat('en', { timeZone: 'europe/BERLIN' }).resolvedOptions().timeZone",
    "['Etc/UTC', 'GMT', 'zulu', '+01', '-00:00'].map((zone) => new Intl.DateTimeFormat('en', { timeZone: zone })"
    ".resolvedOptions().timeZone)",
    "['z10', 'z2', 'a', 'z1'].sort(new Intl.Collator('en', { numeric: true }).compare)",
    "['z10', 'z2', 'B', 'a'].sort(Intl.Collator('en').compare)",
    "[0, 1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map((n) => new Intl.PluralRules('en', { type: "
    "'ordinal' }).select(n))",
    "[0, 1, 2, 1.5].map((n) => new Intl.PluralRules('en').select(n))",
    *(f"new Intl.ListFormat('en', {options}).format({items})"
      for options in ("{}", "{ type: 'disjunction' }")
      for items in ("[]", "['a']", "['a', 'b']", "['a', 'b', 'c']")),
    *(f"new Intl.RelativeTimeFormat('en', {options}).format({value}, '{unit}')"
      for options in ("{}", "{ numeric: 'auto' }") for unit in ("day", "hours", "month", "second")
      for value in ("-1", "0", "1", "-3", "1234.5")),
    "new Intl.RelativeTimeFormat('en').format(1, 'eon')",
    # Compression.
    *(f"await new Response(new Blob(['hello '.repeat(1000)]).stream().pipeThrough(new "
      f"CompressionStream('{format}')).pipeThrough(new DecompressionStream('{format}'))).text().then("
      "(text) => text.length)" for format in ("gzip", "deflate", "deflate-raw")),
    "await new Response(new Blob(['no']).stream().pipeThrough(new DecompressionStream('gzip'))).text()",
    "new CompressionStream('br2')",
    # Keys with two halves.
    *(f"await (async () => {{ const pair = await crypto.subtle.generateKey({algorithm}, true, ['sign', "
      f"'verify']); const subtle = crypto.subtle; const data = new Uint8Array(9); const way = {way}; "
      "const out = []; for (const format of ['jwk', 'spki', 'raw']) { const key = await "
      "subtle.importKey(format, await subtle.exportKey(format, pair.publicKey), "
      f"{algorithm}, true, ['verify']); out.push(key.type, key.algorithm.name); for (const to of "
      "['jwk', 'pkcs8']) { const own = await subtle.importKey(to, await subtle.exportKey(to, "
      f"pair.privateKey), {algorithm}, false, ['sign']); const signed = await subtle.sign(way, own, "
      "data); out.push(signed.byteLength, own.type, await subtle.verify(way, key, signed, data), await "
      "subtle.verify(way, key, signed, new Uint8Array(8))) } } const jwk = await subtle.exportKey('jwk', "
      "pair.privateKey); return [...out, jwk.kty, jwk.crv, jwk.key_ops, jwk.d.length, jwk.x.length] })()"
      for algorithm, way in (
          ("{ name: 'ECDSA', namedCurve: 'P-256' }", "{ name: 'ECDSA', hash: 'SHA-256' }"),
          ("{ name: 'ECDSA', namedCurve: 'P-521' }", "{ name: 'ECDSA', hash: 'SHA-512' }"),
          ("{ name: 'Ed25519' }", "'Ed25519'"))),
    *(f"await (async () => {{ const subtle = crypto.subtle; const jwk = {RSA}; const way = {{ name: "
      f"'{name}', hash: 'SHA-256' }}; const own = await subtle.importKey('jwk', jwk, way, true, "
      f"['{do}']); const {{ n, e }} = jwk; const key = await subtle.importKey('jwk', {{ kty: 'RSA', n, "
      f"e }}, way, true, ['{undo}']); const facts = [key.algorithm.modulusLength, "
      "[...key.algorithm.publicExponent], (await subtle.exportKey('jwk', key)).alg, Object.entries(await "
      "subtle.exportKey('jwk', own)).sort()]; const data = new Uint8Array([1, 2]); "
      + {"sign": "const signed = await subtle.sign({ name: way.name, saltLength: 32 }, own, data); return "
                 "[facts, await subtle.verify({ name: way.name, saltLength: 32 }, key, signed, data), "
                 "await subtle.verify({ name: way.name, saltLength: 32 }, key, signed, signed)] })()",
         "decrypt": "const closed = await subtle.encrypt({ name: way.name }, key, data); return [facts, "
                    "[...new Uint8Array(await subtle.decrypt({ name: way.name }, own, closed))]] })()",
         }[do]
      for name, do, undo in (("RSASSA-PKCS1-v1_5", "sign", "verify"), ("RSA-PSS", "sign", "verify"),
                             ("RSA-OAEP", "decrypt", "encrypt"))),
    "await crypto.subtle.importKey('spki', await crypto.subtle.exportKey('spki', (await "
    "crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])).publicKey), "
    "{ name: 'RSA-PSS', hash: 'SHA-256' }, true, ['verify'])",
    "Object.keys(structuredClone(JSON.parse('{\"__proto__\": {\"a\": 1}}')))",
]  # fmt: skip


async def test_the_same_answers_as_another_engine() -> None:
    theirs = json.loads(await run_node("web_interfaces.js", stdin=json.dumps(SNIPPETS)))
    tries = "".join(
        f"try {{ answers.push(JSON.stringify(await (async () => ({snippet}))()) ?? 'undefined') }}"
        f" catch (error) {{ answers.push('throws ' + error.name) }};"
        for snippet in SNIPPETS
    )
    async with sandbox(Limits(cpu_milliseconds=2_000)) as running:
        answer = await running.run(
            call(f"const answers = []; {tries} return Response.json(answers)")
        )
    assert answer.response is not None, answer.error
    ours = json.loads(answer.response.body)
    differences = [both for both in zip(SNIPPETS, ours, theirs, strict=True) if both[1] != both[2]]
    assert differences == [], "\n".join(f"{both[0][:300]}\n{both[1:]}" for both in differences)


async def test_what_only_workers_have() -> None:
    async with sandbox() as running:
        answer = await running.run(call("""
          const bytes = (text) => new TextEncoder().encode(text);
          const { readable, writable } = new IdentityTransformStream();
          const writer = writable.getWriter();
          writer.write(bytes("through"));
          writer.close();
          const begun = Date.now();
          await scheduler.wait(30);
          return Response.json([
            crypto.subtle.timingSafeEqual(bytes("a"), bytes("a")),
            crypto.subtle.timingSafeEqual(bytes("a"), bytes("b")),
            await new Response(readable).text(), Date.now() - begun >= 25,
          ]);
        """))  # fmt: skip
    assert answer.response is not None
    assert json.loads(answer.response.body) == [True, False, "through", True]


async def test_whether_a_script_has_looked_at_the_theme_is_known() -> None:
    """Only what follows from the theme is drawn for dark surroundings, too."""
    event = {
        "type": "ui_render",
        "context": {"type": "document", "theme": "dark", "editable": False},
    }
    looking = {
        "return new Response(event.context.type)": False,
        "return new Response(String(environment.theme))": False,
        "return new Response(event.context.theme)": True,
        "const { theme } = event.context; return new Response(theme)": True,
        "return Response.json({ ...event.context })": True,
        "return new Response(JSON.stringify(event))": True,
        "return new Response(Object.values(event.context).join())": True,
        "return new Response(structuredClone(event).context.type)": True,
        "event.context.theme = 'own'; return new Response(event.context.theme)": False,
        "return new Response(Object.keys(event.context).join())": False,
    }
    async with sandbox() as running:
        for statements, themed in looking.items():
            answer = await running.run(call(statements, event=event))
            assert answer.response is not None, (statements, answer.error)
            assert answer.themed is themed, statements
            if "JSON.stringify" in statements:
                assert json.loads(answer.response.body) == event
        # An event that is read in another way may say it.
        script = call("return new Response('x')").script.replace(
            'JSON.parse(form.get("event"))', 'eval(`(${form.get("event")})`)'
        )
        answer = await running.run(call("", event=event, script=script, version=script))
        assert answer.themed is True
