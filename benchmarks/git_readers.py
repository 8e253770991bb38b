"""`python -m benchmarks.git_readers`: readers of a page while a large repository is imported.

A server process on an example organization, and a real Git server on loopback with so many pages of
Markdown. One reader asks for a published page, another for a list in `/v1`, again and again; then
the repository is imported into a new space, by the server itself or by `docstead worker`.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from benchmarks.git_sync import MAIN, NAME, files_of
from benchmarks.script_readers import COMMAND, line_of, run_command, serving
from tests.git.server import GitServer, git_server

BUSY = ("running", "queued")


async def _read(url: str, headers: dict[str, str], ended: asyncio.Event) -> list[float]:
    """Milliseconds of reads, one after the other, until something has ended."""
    times: list[float] = []
    async with httpx2.AsyncClient(timeout=60, follow_redirects=True, headers=headers) as client:
        await client.get(url)
        while not ended.is_set():
            begun = time.perf_counter()
            (await client.get(url)).raise_for_status()
            times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(0.02)
    return times


async def _import(client: httpx2.AsyncClient, space: str, url: str) -> dict[str, Any]:
    wanted = {"url": url, "ref": MAIN}
    (await client.post(f"/spaces/{space}/git/import", json=wanted)).raise_for_status()
    while True:
        operation: dict[str, Any] = (await client.get(f"/spaces/{space}/git/operation")).json()
        if operation["state"] not in BUSY:
            return operation
        await asyncio.sleep(0.2)


async def _measure(base: str, page: str, token: str, remote: GitServer, quiet: float) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(base_url=f"{base}/v1", headers=headers, timeout=60) as client:
        organization = (await client.get("/orgs")).json()["items"][0]["id"]
        made = await client.post(f"/orgs/{organization}/spaces", json={"title": "Imported"})
        space = made.raise_for_status().json()["id"]
        listed = f"{base}/v1/orgs/{organization}/spaces"

        async def readers(name: str, ended: asyncio.Event) -> None:
            of_page, of_list = await asyncio.gather(
                _read(page, {}, ended), _read(listed, headers, ended)
            )
            print(line_of(f"{name}: page", of_page))
            print(line_of(f"{name}: list in /v1", of_list))

        print(f"load {os.getloadavg()[0]:.1f}, cores {os.cpu_count()}")
        ended = asyncio.Event()
        asyncio.get_running_loop().call_later(quiet, ended.set)
        await readers("alone", ended)
        ended, begun = asyncio.Event(), time.perf_counter()
        reading = asyncio.create_task(readers("meanwhile", ended))
        operation = await _import(client, space, remote.url(NAME))
        seconds = time.perf_counter() - begun
        ended.set()
        await reading
        if operation["state"] != "success":
            raise SystemExit(f"the import has failed: {operation.get('error')}")
        print(f"import {seconds:.1f} s; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--quiet", type=float, default=10)
    parser.add_argument("--worker", action="store_true", help="let `docstead worker` import")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        data = str(folder / "data")
        demo = run_command("demo", "--no-serve", "--data-dir", data)
        (folder / "git").mkdir()
        remote = stack.enter_context(git_server(folder / "git"))
        remote.make(NAME, files_of(Random(1), options.pages))
        os.environ["DOCSTEAD_GIT_HTTP"] = "true"
        os.environ["DOCSTEAD_FETCH_ALLOW"] = f"127.0.0.1:{remote.port}"
        os.environ["DOCSTEAD_JOBS"] = "false" if options.worker else "true"
        base = stack.enter_context(serving(folder))
        if options.worker:
            worker = subprocess.Popen([*COMMAND, "worker", "--data-dir", data])
            stack.callback(worker.wait)
            stack.callback(worker.terminate)
        page = base + httpx2.URL(demo["site"]).path
        asyncio.run(_measure(base, page, demo["token"], remote, options.quiet))


if __name__ == "__main__":
    sys.exit(main())
