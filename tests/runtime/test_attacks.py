"""Scripts that try to get out, or to take more than their share."""

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace

import pytest

from runtime import limits
from runtime.calls import BusyError, Call, Outcome
from runtime.limits import Limits
from runtime.preparers import ScriptError
from runtime.sandbox import Sandbox
from tests.fetching.servers import answering, response
from tests.runtime.scripts import bundle, call, sandbox, texts

# All in one script, chosen by the event: starting a process for each would take most time.
RUNAWAY = {
    "loop": ("for (;;);", Outcome.CPU),
    "regular expression": ("/^(a+)+$/.test('a'.repeat(40) + 'b');", Outcome.CPU),
    "regular expression with references": (
        "/^(a*)*\\1(a*)*\\2b$/.test('a'.repeat(40));",
        Outcome.CPU,
    ),
    "microtasks": ("const again = () => Promise.resolve().then(again); await again();", Outcome.CPU),
    "microtasks beside": (
        "(function again() { queueMicrotask(again); })(); await new Promise(() => {});",
        Outcome.CPU,
    ),
    "host calls": ("for (;;) crypto.randomUUID();", Outcome.CPU),
    "timers": (
        "const again = () => setTimeout(again, 0); again(); await new Promise(() => {});",
        Outcome.CPU,
    ),
    "digits": ("let n = 3n; for (;;) n *= n;", Outcome.CPU),
    "sort": (
        "const a = Array.from({ length: 5e5 }, (_, i) => i); for (;;) a.sort(() => -1);",
        Outcome.CPU,
    ),
    "finally": ("for (;;) try { throw 1 } catch {} finally { continue }", Outcome.CPU),
    "getter in the answer": (
        "const r = new Response('x'); Object.defineProperty(r, 'status', { get() { for (;;); } });"
        " return r;",
        Outcome.CPU,
    ),
    "log": ("for (;;) console.log('x'.repeat(5000));", Outcome.CPU),
    "postponed": ("ctx.waitUntil((async () => { await null; for (;;); })()); return new Response();",
                  Outcome.CPU),
    "nothing": ("await new Promise(() => {});", Outcome.UNFINISHED),
    "nothing behind": (
        "ctx.waitUntil(new Promise(() => {})); return new Response();",
        Outcome.UNFINISHED,
    ),
}  # fmt: skip
MEMORY = {
    "typed arrays": "const a = []; for (;;) a.push(new Uint8Array(8e6));",
    "one typed array": "new Uint8Array(2e9);",
    "strings": "const a = []; for (let i = 0; ; i++) a.push((i + '').padEnd(5e6));",
    "array": "new Array(3e7).fill(0);",
    "buffers of blobs": "const a = []; for (;;) a.push(new ArrayBuffer(1e7));",
}
RECURSION = {
    "function": "const f = () => f() + 1; f();",
    "json": "JSON.parse('['.repeat(1e5));",
    "proxy": "let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); p.x;",
    "sort": "const f = () => [1, 2].sort(f); f();",
    "getter": "const o = { get x() { return this.x; } }; o.x;",
}


def table(cases: dict[str, str]) -> str:
    """A script with these statements, chosen by `event.which`."""
    branches = [
        f"if (event.which === {name!r}) {{ {statements} }}" for name, statements in cases.items()
    ]
    return bundle(" ".join(branches) + " return new Response('end');")


def chosen(script: str, which: str) -> Call:
    """The event that runs one of them."""
    return Call(script, script, "attacker", {"type": "x", "which": which}, {})


@pytest.mark.parametrize("which", RUNAWAY)
async def test_runaway_scripts_are_ended(shared: Sandbox, which: str) -> None:
    script = table({name: statements for name, (statements, _) in RUNAWAY.items()})
    answer = await shared.run(chosen(script, which))
    assert answer.outcome == RUNAWAY[which][1], answer
    # The kernel looks at the timer of a process at each of its ticks.
    assert answer.cpu < 5 * shared.limits.cpu_milliseconds
    assert len(answer.log) <= limits.LOG_ENTRIES
    assert sum(len(text) for text in texts(answer)) <= limits.LOG_CHARACTERS


@pytest.mark.parametrize("which", MEMORY)
async def test_memory_is_bounded(which: str) -> None:
    # With time enough to fill it.
    async with sandbox(Limits(cpu_milliseconds=5_000)) as running:
        answer = await running.run(chosen(table(MEMORY), which))
        assert answer.outcome in (Outcome.MEMORY, Outcome.ERROR), answer
        assert "memory" in answer.error or "length" in answer.error
        assert (await running.run(chosen(table(MEMORY), "none"))).outcome == Outcome.COMPLETE


@pytest.mark.parametrize("which", RECURSION)
async def test_recursion_is_an_error_of_the_script(shared: Sandbox, which: str) -> None:
    answer = await shared.run(chosen(table(RECURSION), which))
    assert answer.outcome in (Outcome.ERROR, Outcome.CPU, Outcome.COMPLETE), answer
    if answer.outcome == Outcome.ERROR:
        assert "stack" in answer.error


async def test_wall_time_ends_what_waits() -> None:
    async with sandbox(Limits(wall_seconds=0.3)) as running:
        waiting = call("await new Promise((resolve) => setTimeout(resolve, 60000));")
        answer = await running.run(waiting)
        assert answer.outcome == Outcome.WALL
        assert answer.wall < 30_000
    # So long that a busy machine has answered before.
    async with sandbox(Limits(wall_seconds=4)) as running:
        postponed = call(
            "ctx.waitUntil(new Promise((resolve) => setTimeout(resolve, 60000)));"
            "return new Response('early');"
        )
        answer = await running.run(postponed)
        assert answer.outcome == Outcome.WALL
        assert answer.response is not None
        assert answer.response.body == b"early"


@pytest.mark.parametrize(
    ("statements", "complaint"),
    [
        ("return new Response(new Uint8Array(11e6));", "more than 10000000 bytes"),
        ("return new Response('', { headers: { a: 'x'.repeat(40000) } });", "more than 32768"),
        (
            "const h = new Headers(); for (let i = 0; i < 200; i++) h.append('h' + i, 'x');"
            " return new Response('', { headers: h });",
            "more than 100 headers",
        ),
        ("return 'text';", "did not return a Response"),
        ("return { status: 200, headers: [], body: '' };", "did not return a Response"),
        ("return new Response('', { status: 99 });", "status 99"),
        ("return new Response('', { headers: { a: 'x\\r\\nSet-Cookie: y' } });", "not allowed"),
        ("return new Response('', { headers: { 'a b': 'x' } });", "not the name"),
        (
            "Headers.prototype._list = () => [['a', 'x\\r\\ny: z']]; return new Response('');",
            "characters that are not allowed",
        ),
        (
            "Object.defineProperty(Response.prototype, 'status', { get: () => 7 });"
            "return new Response('');",
            "not in the range",
        ),
        ("throw null;", "null"),
        ("throw { toString() { throw 1; }, get name() { throw 2; } };", "cannot be shown"),
    ],
)
async def test_answers_are_checked(shared: Sandbox, statements: str, complaint: str) -> None:
    answer = await shared.run(call(statements))
    assert answer.response is None
    assert answer.outcome in (Outcome.ERROR, Outcome.MEMORY, Outcome.CPU)
    assert complaint in answer.error or answer.outcome == Outcome.CPU, answer


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("null", "null was thrown"),
        ("undefined", "undefined was thrown"),
        ("'out of memory in the shop'", "out of memory in the shop was thrown"),
        ("7n", "7n was thrown"),
        ("Symbol('x')", "Symbol(x) was thrown"),
        ("{ status: 1 }", "{ status: 1 } was thrown"),
        ("() => 1", "[Function: anonymous] was thrown"),
        ("new Error('out of memory')", "Error: out of memory"),
    ],
)
async def test_anything_can_be_thrown(shared: Sandbox, value: str, shown: str) -> None:
    """It is said what, and nothing of it is taken for a want of memory."""
    for statements in (f"throw {value};", f"await Promise.reject({value});"):
        answer = await shared.run(call(statements))
        assert answer.outcome == Outcome.ERROR
        assert answer.error.startswith(shown)


@pytest.mark.parametrize(
    "statements",
    [
        # The engine throws null where no error has room, and drops what it was to go on with.
        "const a = []; for (;;) a.push({});",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]);",
        "let a = null; for (;;) a = { a };",
        "const f = () => { const a = []; for (;;) a.push([1]); }; f();",
    ],
)
async def test_a_want_of_memory_is_one_whatever_is_left_of_it(statements: str) -> None:
    async with sandbox(Limits(cpu_milliseconds=5_000)) as running:
        answer = await running.run(call(statements))
    assert answer.outcome == Outcome.MEMORY
    assert "memory" in answer.error


TAMPERING = [
    # Everything that the interfaces are made of, replaced.
    "Array.prototype.push = Array.prototype.map = () => { throw 1; };",
    "JSON.stringify = () => '}{'; JSON.parse = () => ({});",
    "Promise.prototype.then = function () { return this; };",
    "Object.prototype.kind = 'done'; Object.prototype.error = ['x', 'y'];",
    "Uint8Array.prototype.toBase64 = () => '!!';",
    "Map.prototype.get = Map.prototype.set = () => { throw 1; };",
    "String.prototype.slice = () => '\\u0000';",
    "globalThis.Promise = globalThis.Response = undefined;",
]


@pytest.mark.parametrize("tampering", TAMPERING)
async def test_tampering_harms_only_the_event_itself(shared: Sandbox, tampering: str) -> None:
    script = bundle(
        f"if (event.tamper) {{ {tampering} }}"
        "console.log('x'); return Response.json({ ok: [1, 2].map((n) => n + 1) });"
    )

    def event(tamper: bool) -> Call:
        return Call(script, script, "i", {"type": "x", "tamper": tamper}, {})

    harmed = await shared.run(event(True))
    assert harmed.response is None or harmed.response.status in (200, 500)
    intact = await shared.run(event(False))
    assert intact.outcome == Outcome.COMPLETE
    assert intact.response is not None
    assert intact.response.body == b'{"ok":[2,3]}'


async def test_nothing_of_the_machine_is_in_reach(shared: Sandbox) -> None:
    answer = await shared.run(
        call(
            """
            const names = ["process", "require", "Deno", "Bun", "std", "os", "bjson", "scriptArgs",
              "print", "load", "read", "host", "host_call", "host_send", "XMLHttpRequest",
              "WebSocket", "Worker", "importScripts", "SharedArrayBuffer"];
            const failures = [];
            for (const name of ["std", "os", "fs", "node:fs", "file:///etc/passwd", "/etc/passwd",
                                "./script.js", "child_process"]) {
              await import(name).then(() => failures.push(name), () => {});
            }
            for (const make of [() => Function("return this")(), () => (0, eval)("this"),
                                () => (async () => {}).constructor("return this")()]) {
              const all = await make();
              failures.push(...names.filter((name) => name in all));
            }
            return Response.json(failures);
            """
        )
    )
    assert answer.response is not None, answer
    assert answer.response.body == b"[]"


async def test_events_share_nothing(shared: Sandbox) -> None:
    script = bundle(
        """
        const before = [globalThis.left ?? null, Array.prototype.left ?? null, handler.left ?? null];
        globalThis.left = Array.prototype.left = handler.left = environment.secrets.own;
        return Response.json({ before, random: Math.random(), id: crypto.randomUUID(),
          zone: new Date(2020, 0, 1).getTimezoneOffset() });
        """
    )
    answers = await asyncio.gather(
        *(
            shared.run(Call(script, script, f"i{n}", {"type": "x"}, {"secrets": {"own": f"s{n}"}}))
            for n in range(6)
        )
    )
    bodies = [answer.response.body if answer.response else b"" for answer in answers]
    assert len(set(bodies)) == 6
    assert all(b'"before":[null,null,null]' in body for body in bodies)
    assert all(b'"zone":0' in body for body in bodies)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/",
        "http://localhost:1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "ftp://example.com/",
        "http://user:secret@example.com/",
    ],
)
async def test_private_addresses_are_not_fetched(shared: Sandbox, url: str) -> None:
    answer = await shared.run(
        call(
            "try { await fetch(event.url); return new Response('fetched'); }"
            " catch (error) { return new Response(`${error.name}: ${error.message}`); }",
            event={"type": "x", "url": url},
        )
    )
    assert answer.response is not None
    assert answer.response.body.startswith(b"TypeError")


async def test_fetches_are_bounded_and_clean() -> None:
    async with (
        answering(response(b"pong", "Content-Type: text/plain")) as server,
        answering(response(b"", f"Location: {server.url}", status="302 Found")) as redirecting,
        sandbox(Limits(cpu_milliseconds=2_000), server.port, redirecting.port) as running,
    ):
        many = call(
            "const answers = await Promise.allSettled(Array.from({ length: 60 }, () =>"
            " fetch(event.url).then((r) => r.text())));"
            "return Response.json(answers.map((a) => a.value ?? a.reason.message));",
            event={"type": "x", "url": server.url},
        )
        answer = await running.run(many)
        assert answer.response is not None, answer
        assert answer.response.body.count(b'"pong"') == limits.FETCHES
        assert answer.response.body.count(b"50 times at most") == 10
        assert server.connections == limits.FETCHES

        sneaky = call(
            "const headers = new Headers({ Host: 'other.example', 'Content-Length': '3', Cookie: 'c',"
            " Authorization: 'secret', 'X-Own': 'yes', 'Accept-Encoding': 'br' });"
            "const r = await fetch(event.url, { headers });"
            "return Response.json([r.redirected, r.url, await r.text()]);",
            event={"type": "x", "url": redirecting.url},
        )
        await running.run(sneaky)
        (first,), last = redirecting.requests, server.requests[-1]
        assert "other.example" not in first + last
        assert "content-length: 3" not in (first + last).lower()
        assert "authorization: secret" in first.lower()
        # What is meant for one server is not sent to another.
        assert "secret" not in last
        assert "x-own: yes" in last.lower()

        listed = call(
            "return new Response(await fetch(event.url).then((r) => r.text(), String));",
            event={"type": "x", "url": redirecting.url},
            origins=[redirecting.url.rstrip("/")],
        )
        answer = await running.run(listed)
        assert answer.response is not None
        assert b"may not fetch from there" in answer.response.body


async def test_answers_to_fetches_are_bounded() -> None:
    huge = response(b"x" * (limits.FETCH_BYTES + 1))
    async with answering(huge) as server, sandbox(None, server.port) as running:
        answer = await running.run(
            call(
                "return new Response(await fetch(event.url).then((r) => r.text(), String));",
                event={"type": "x", "url": server.url},
            )
        )
        assert answer.response is not None, answer
        assert f"more than {limits.FETCH_BYTES}".encode() in answer.response.body


async def test_broken_texts_arrive_as_what_they_are(shared: Sandbox) -> None:
    answer = await shared.run(
        call(
            "console.log('\\ud800 a\\u0000b', event.text);"
            "const bytes = new Uint8Array([0xff, 0x61, 0xc3]);"
            "return new Response(new TextDecoder().decode(bytes) + '|' + event.text + '|\\udc00');",
            event={"type": "x", "text": "\ud800 \u0000 \U0001f600"},
        )
    )
    assert answer.response is not None, answer
    assert answer.response.body.decode() == "\ufffda\ufffd|\ufffd \x00 \U0001f600|\ufffd"
    assert "a\x00b" in texts(answer)[0]


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("for (;;);", "computing time"),
        ("const x = ;", "SyntaxError"),
        ("throw new Error('at load');", "at load"),
        ("export default 7;", "no function fetch"),
        ("export const fetch = () => 1;", "no function fetch"),
        ("import x from 'fs'; export default x;", "could not load module"),
        ("await fetch('http://example.com/'); export default { fetch() {} };", "while an event"),
        ("await new Promise(() => {}); export default { fetch() {} };", "did not end"),
        ("const a = []; for (;;) a.push(new Uint8Array(1e6));", "memory"),
    ],
)
async def test_scripts_that_cannot_be_loaded(script: str, complaint: str) -> None:
    async with sandbox(Limits(load_milliseconds=300)) as running:
        with pytest.raises(ScriptError, match=complaint):
            await running.check(script)


CONFINED = """
import os, signal, socket
from runtime.processes.confinement import confine_event, confine_preparer
assert {confine}
tries = dict(
    open=lambda: open("/etc/passwd"),
    create=lambda: os.open("/tmp/x", os.O_CREAT | os.O_RDWR),
    socket=lambda: socket.socket(),
    unix=lambda: socket.socket(socket.AF_UNIX),
    fork=lambda: os.fork() or os._exit(0),
    kill=lambda: os.kill(os.getppid(), 0),
    exec=lambda: os.execv("/bin/true", ["true"]),
    unlink=lambda: os.unlink("/tmp/x"),
    listing=lambda: os.listdir("/"),
    chmod=lambda: os.chmod("/tmp", 0o777),
    pipe=os.pipe,
    dup=lambda: os.dup(0),
    timer=lambda: signal.setitimer(signal.ITIMER_PROF, 0),
    handler=lambda: signal.signal(signal.SIGPROF, signal.SIG_IGN),
    session=os.setsid,
    nice=lambda: os.nice(-5),
)
allowed = []
for name, attempt in tries.items():
    try:
        attempt()
    except OSError:
        continue
    allowed.append(name)
os.write(1, ",".join(allowed).encode())
os._exit(0)
"""


@pytest.mark.parametrize(
    ("confine", "allowed"),
    [
        ("confine_event()", ""),
        # It forks, and sets the timers of what it forks.
        ("confine_preparer(1024)", "fork,timer,handler"),
    ],
)
async def test_kernel_refuses_what_scripts_do_not_need(confine: str, allowed: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", CONFINED.format(confine=confine)),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert output.decode() == allowed


async def test_events_of_others_run_beside_a_runaway_script() -> None:
    """What an installation does at most is bounded, so that others have their places."""
    bounds = Limits(events_at_once=3, events_of_installation=2, events_of_installation_waiting=4)
    async with sandbox(bounds) as running:
        sleeping = call(
            "await new Promise((r) => setTimeout(r, 2000)); return new Response('late');"
        )
        tasks = [asyncio.create_task(running.run(sleeping)) for _ in range(8)]
        await asyncio.sleep(0)
        other = await running.run(call("return new Response('other');"))
        assert other.response is not None
        # Two run, four wait; it had the third place before them.
        assert sum(task.done() for task in tasks) <= 3
        ended = [task.exception() for task in tasks if task.done()]
        assert sum(isinstance(error, BusyError) for error in ended) == 2
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_preparer_that_was_killed_is_started_again(shared: Sandbox) -> None:
    event = call("return new Response(String(1));")
    await shared.run(event)
    started = shared.started
    (preparer,) = [
        task.result()
        for version, task in shared._preparers._ready.items()
        if version == event.version
    ]
    os.killpg(preparer._process.pid, signal.SIGKILL)
    answer = await shared.run(event)
    if answer.outcome != Outcome.COMPLETE:
        answer = await shared.run(event)
    assert answer.outcome == Outcome.COMPLETE
    assert shared.started == started + 1


async def test_cancelled_events_leave_no_process() -> None:
    waiting = call(
        "if (event.waits) await new Promise((r) => setTimeout(r, 20000)); return new Response();"
    )
    async with sandbox() as running:
        # Its process is there already, however long starting one takes.
        await running.run(waiting)
        task = asyncio.create_task(running.run(replace(waiting, event={"waits": True})))
        (preparer,) = [one.result() for one in running._preparers._ready.values()]
        while preparer.users == 0:  # noqa: ASYNC110 (nothing says it)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert preparer.users == 0
        group = preparer._process.pid
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)


# Scripts may replace what writes our messages, so that any JSON arrives.
FORGED = {
    "a number without end": '{"level": "info", "text": "x", "at": Infinity}',
    "no number": '{"level": "info", "text": "x", "at": NaN}',
    "another type": '{"level": {}, "text": "x", "at": []}',
    "a list": "[]",
    "nothing": "",
    "a number alone": "1e999",
    "too deep": "[" * 100_000,
    "deep and whole": "[" * 100_000 + "]" * 100_000,
    "another message behind": '{}}{"kind": "done"',
    "many digits": "1" * 10_000,
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED.keys())
async def test_forged_messages_end_the_event_alone(forged: str, shared: Sandbox) -> None:
    script = (
        f"JSON.stringify = () => {json.dumps(forged)}; console.log('x'); return new Response();"
    )
    answer = await shared.run(call(script, installation="forger"))
    assert answer.outcome in {Outcome.CRASHED, Outcome.COMPLETE}
    assert all(len(entry.text) <= limits.LOG_ENTRY for entry in answer.log)
    after = await shared.run(call("return new Response('well')", installation="forger"))
    assert after.response is not None
    assert after.response.body == b"well"
