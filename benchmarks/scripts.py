"""`python -m benchmarks.scripts`: events of integrations, alone and beside scripts that never end.

One server process with the limits that are the default. `loop` is how late the event loop of the
server is, asked every 5 ms: what requests of the server would wait for. The scripts are in
processes of their own, so on few cores they also compete with the server for these.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Sequence

from benchmarks.percentiles import percentile
from fetching.client import Fetcher
from runtime.calls import BusyError, Call, Outcome
from runtime.sandbox import Sandbox

WELL_BEHAVED = (
    "export default { async fetch(request) { const form = await request.formData();"
    " const event = JSON.parse(form.get('event'));"
    " return Response.json({ type: event.type, url: new URL('/x', 'http://a/').href }); } };"
)
RUNAWAY = "export default { fetch() { for (;;); } };"
GREEDY = (
    "export default { fetch() { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)) } };"
)


def _call(script: str, installation: str) -> Call:
    return Call(script, script, installation, {"type": "fetch"}, {"apiEndpoint": ""})


async def _events(sandbox: Sandbox, number: int) -> list[float]:
    """Milliseconds of events, one after the other."""
    times = []
    for _ in range(number):
        begun = time.perf_counter()
        answer = await sandbox.run(_call(WELL_BEHAVED, "well behaved"))
        assert answer.outcome == Outcome.COMPLETE, answer
        times.append(1000 * (time.perf_counter() - begun))
    return times


async def _runaway(sandbox: Sandbox, script: str) -> None:
    while True:
        try:
            await sandbox.run(_call(script, f"runaway {script[:40]}"))
        except BusyError:
            await asyncio.sleep(0.01)


async def _lateness(into: list[float]) -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0.005)
        into.append(1000 * (time.perf_counter() - begun) - 5)


def _line(name: str, times: Sequence[float]) -> str:
    ordered = sorted(times)
    p99 = percentile(ordered, 0.99)
    return f"{name:34} p50 {statistics.median(ordered):7.2f} ms  p99 {p99:7.2f} ms"


async def _part(sandbox: Sandbox, name: str, number: int, scripts: Sequence[str]) -> float:
    late: list[float] = []
    tasks = [asyncio.create_task(_lateness(late))]
    tasks += [asyncio.create_task(_runaway(sandbox, script)) for script in scripts]
    await asyncio.sleep(1)
    times = await _events(sandbox, number)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(_line(f"{name}: events", times))
    print(_line(f"{name}: loop", late))
    return statistics.median(times)


async def _run(number: int) -> None:
    sandbox = Sandbox(Fetcher())
    try:
        begun = time.perf_counter()
        await _events(sandbox, 1)
        print(f"first event, its process started    {1000 * (time.perf_counter() - begun):7.1f} ms")
        alone = await _part(sandbox, "alone", number, [])
        beside = await _part(sandbox, "beside one loop", number, [RUNAWAY])
        print(f"{'ratio':34} {beside / alone:.2f}")
        many = await _part(
            sandbox, "beside 8 loops, 8 that fill memory", number, [RUNAWAY, GREEDY] * 8
        )
        print(f"{'ratio':34} {many / alone:.2f}")
    finally:
        await sandbox.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200)
    asyncio.run(_run(parser.parse_args().events))


if __name__ == "__main__":
    sys.exit(main())
