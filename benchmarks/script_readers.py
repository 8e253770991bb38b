"""`python -m benchmarks.script_readers`: a reader of a page, alone and beside hostile scripts.

A server process on an example organization, with the limits that are the default. One reader asks
for the same page again and again; meanwhile eight strangers, each of another address of this
machine, ask for public endpoints whose scripts never end, fill memory, call themselves or log
without end; then eight others act in blocks of a page, of a script that is well and of one that
never ends.
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
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.percentiles import percentile
from benchmarks.servers import free_port

ATTACKS = {
    "loop": "for (;;);",
    "memory": "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));",
    "recursion": "const down = () => down() + down(); down();",
    "log": "for (;;) console.log('x'.repeat(4000));",
}
# A block that answers, and one that never does once somebody acts in it.
BLOCKS = {
    "well": "",
    "stuck": "if (event.action) for (;;);",
}
BLOCK = """
export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get("event"));
  if (event.type !== "ui_render") return new Response("OK");
  %s
  return Response.json({ element: { type: "block", children: [
    { type: "text", children: `Block ${event.state?.count ?? 0}` },
    { type: "button", label: "Press", onPress: { action: "press" } },
  ] }, state: { count: (event.state?.count ?? 0) + 1 }, props: event.props });
} };
"""
# Actions of one address before a stranger takes another one: more are refused.
OF_ADDRESS = 40
COMMAND = [str(Path(sys.executable).parent / "docstead")]


def run_command(*arguments: str) -> Any:
    """What a command answers as JSON."""
    done = subprocess.run([*COMMAND, *arguments, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server process on a folder; its address."""
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


def _put_blocks(base: str, token: str, site: str) -> dict[str, tuple[str, str]]:
    """Publish blocks and show each on a page; by name where readers act in it, and its key."""
    with httpx2.Client(
        base_url=f"{base}/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60
    ) as client:
        organization = client.get("/orgs").json()["items"][0]["id"]
        site_id = site.rstrip("/").rpartition("/")[2]
        spaces = client.get(f"/orgs/{organization}/sites/{site_id}/site-spaces").json()["items"]
        space = next(one["space"]["id"] for one in spaces if one.get("default", True))
        acting = {}
        for name, statements in BLOCKS.items():
            body = {
                "organization": organization, "title": name.title(), "description": "A block",
                "scopes": [], "script": BLOCK % statements,
                "blocks": [{"id": "b", "title": "Block"}],
            }  # fmt: skip
            client.post(f"/integrations/{name}", json=body).raise_for_status()
            path = f"/integrations/{name}/installations"
            installed = client.post(path, json={"organization": organization}).json()["id"]
            client.post(f"{path}/{installed}/spaces", json={"space": space}).raise_for_status()
            page = {"type": "insert_page", "slug": name, "title": name.title(),
                    "document": {"markdown": f"{{% @{name}/b %}}"}}  # fmt: skip
            changed = client.post(f"/spaces/{space}/content", json={"changes": [page]})
            changed.raise_for_status()
            html = ""
            for _ in range(50):
                html = client.get(f"{site}/{name}", follow_redirects=True).text
                if "data-block=" in html:
                    break
                time.sleep(0.2)
            attributes = [
                unescape(html.partition(f' {attribute}="')[2].partition('"')[0])
                for attribute in ("data-to", "data-block")
            ]
            acting[name] = str(httpx2.URL(site).join(attributes[0])), attributes[1]
        return acting


async def _act(to: str, key: str, number: int, counts: list[int]) -> None:
    body = {"block": key, "theme": "light", "action": {"action": "press"}, "state": {"count": 1}}
    address = 0
    while True:
        address += 1
        host = f"127.{number + 1}.{address // 250}.{address % 250 + 1}"
        transport = httpx2.AsyncHTTPTransport(local_address=host)
        async with httpx2.AsyncClient(transport=transport, timeout=60) as client:
            for _ in range(OF_ADDRESS):
                try:
                    await client.post(to, json=body)
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


def line_of(name: str, times: list[float]) -> str:
    """Milliseconds as one line of a report."""
    ordered = sorted(times)
    p99 = percentile(ordered, 0.99)
    return (
        f"{name:28} n {len(times):5}  p50 {statistics.median(times):7.2f} ms  "
        f"p99 {p99:7.2f} ms  most {ordered[-1]:7.2f} ms"
    )


Stranger = Callable[[int, list[int]], Coroutine[Any, Any, None]]


async def _beside(name: str, page: str, seconds: float, stranger: Stranger) -> None:
    counts: list[int] = []
    strangers = [asyncio.create_task(stranger(number, counts)) for number in range(8)]
    await asyncio.sleep(1)
    counts.clear()
    print(line_of(name, await _read(page, seconds)))
    print(f"  answered beside: {len(counts)}; load {os.getloadavg()[0]:.1f}")
    for task in strangers:
        task.cancel()
    await asyncio.gather(*strangers, return_exceptions=True)


async def _measure(
    base: str, page: str, paths: list[str], acting: dict[str, tuple[str, str]], seconds: float
) -> None:
    print(f"load {os.getloadavg()[0]:.1f}, cores {os.cpu_count()}")
    print(line_of("alone", await _read(page, seconds)))
    await _beside("beside eight strangers", page, seconds, lambda number, counts: _attack(
        base, paths[number % len(paths)], number, counts))  # fmt: skip
    for name, (to, key) in acting.items():
        await _beside(f"beside eight in blocks, {name}", page, seconds, partial(_act, to, key))
    print(line_of("alone again", await _read(page, seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        demo = run_command("demo", "--no-serve", "--data-dir", str(folder / "data"))
        with serving(folder) as base:
            page = base + httpx2.URL(demo["site"]).path
            paths = _install(base, demo["token"])
            acting = _put_blocks(base, demo["token"], page)
            asyncio.run(_measure(base, page, paths, acting, seconds))


if __name__ == "__main__":
    main()
