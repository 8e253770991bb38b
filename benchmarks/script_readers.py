"""`python -m benchmarks.script_readers`: a reader of a page, alone and beside hostile scripts.

A server process on an example organization, with the limits that are the default. One reader asks
for the same page again and again; meanwhile eight strangers, each of another address of this
machine, ask for public endpoints whose scripts never end, fill memory, call themselves or log
without end.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.servers import free_port

ATTACKS = {
    "loop": "for (;;);",
    "memory": "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));",
    "recursion": "const down = () => down() + down(); down();",
    "log": "for (;;) console.log('x'.repeat(4000));",
}
COMMAND = [str(Path(sys.executable).parent / "docstead")]


def _run(*arguments: str) -> Any:
    done = subprocess.run([*COMMAND, *arguments, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*COMMAND, "serve", "--data-dir", str(folder / "data"), "--port", str(port)],
            stdout=log, stderr=log,
        )  # fmt: skip
        try:
            for _ in range(600):
                try:
                    httpx2.get(f"{base}/health", timeout=2).raise_for_status()
                    break
                except httpx2.HTTPError:
                    time.sleep(0.1)
            yield base
        finally:
            server.terminate()
            server.wait()


def _install(base: str, token: str) -> list[str]:
    """Publish and install the scripts; where each is reached."""
    with httpx2.Client(
        base_url=f"{base}/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60
    ) as client:
        organization = client.get("/orgs").json()["items"][0]["id"]
        paths = []
        for name, statements in ATTACKS.items():
            body = {
                "organization": organization, "title": name.title(), "description": "Attacks",
                "scopes": [],
                "script": f"export default {{ async fetch() {{ {statements} }} }};",
            }  # fmt: skip
            client.post(f"/integrations/{name}", json=body).raise_for_status()
            installed = client.post(
                f"/integrations/{name}/installations", json={"organization": organization}
            )
            paths.append(f"/integration-endpoints/{name}/installations/{installed.json()['id']}/x")
        return paths


async def _attack(base: str, path: str, number: int, counts: list[int]) -> None:
    # Each is another stranger.
    transport = httpx2.AsyncHTTPTransport(local_address=f"127.0.0.{number + 2}")
    async with httpx2.AsyncClient(base_url=base, transport=transport, timeout=60) as client:
        while True:
            try:
                await client.get(path)
                counts.append(number)
            except httpx2.HTTPError:
                await asyncio.sleep(0.05)


async def _read(url: str, seconds: float) -> list[float]:
    """Milliseconds of reads of a page, one after the other."""
    times: list[float] = []
    async with httpx2.AsyncClient(timeout=60, follow_redirects=True) as client:
        await client.get(url)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            begun = time.perf_counter()
            (await client.get(url)).raise_for_status()
            times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(0.01)
    return times


def _line(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"{name:28} n {len(times):5}  p50 {statistics.median(times):7.2f} ms  "
        f"p99 {p99:7.2f} ms  most {ordered[-1]:7.2f} ms"
    )


async def _measure(base: str, page: str, paths: list[str], seconds: float) -> None:
    print(f"load {os.getloadavg()[0]:.1f}, cores {os.cpu_count()}")
    print(_line("alone", await _read(page, seconds)))
    counts: list[int] = []
    strangers = [
        asyncio.create_task(_attack(base, paths[number % len(paths)], number, counts))
        for number in range(8)
    ]
    await asyncio.sleep(1)
    print(_line("beside eight strangers", await _read(page, seconds)))
    for task in strangers:
        task.cancel()
    await asyncio.gather(*strangers, return_exceptions=True)
    print(f"attacks answered: {len(counts)}; load {os.getloadavg()[0]:.1f}")
    print(_line("alone again", await _read(page, seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        demo = _run("demo", "--no-serve", "--data-dir", str(folder / "data"))
        with _serving(folder) as base:
            page = base + httpx2.URL(demo["site"]).path
            asyncio.run(_measure(base, page, _install(base, demo["token"]), seconds))


if __name__ == "__main__":
    main()
