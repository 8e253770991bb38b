"""`python -m benchmarks.published`: pages of published sites, kept, verified, made anew, crawled.

Linux with wrk only. The server has one core, the load (and PostgreSQL) another. Figures are
requests/s, and CPU of the server by request.
"""

import argparse
import asyncio
import re
import time
from collections.abc import Sequence

from benchmarks.contenders import PRODUCT
from benchmarks.page_spaces import fill_pages
from benchmarks.servers import Running, free_port, migrated, pin_load, running, store
from benchmarks.usage import cpu_seconds, resident_megabytes
from db.models.site_settings import PublishingAuth
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database

SITE, PAGE = "site_benchmark", "section-0/page-7"
ROOT = f"/sites/{SITE}"
CONNECTIONS, SECONDS, CRAWLED = 16, 3, 1_000
CACHES = {"kept": {}, "nothing kept": {"DOCSTEAD_PAGE_CACHE_MEGABYTES": "0"}}


async def fill_site(database: Database) -> None:
    """A public site with the spaces of 50 and of 5,000 pages."""
    data = await fill_pages(database)
    async with database.session() as session:
        await session.begin_write()
        space = await session.get_one(Space, data.spaces[50])
        site = Site(
            id=SITE, organization_id=space.organization_id, title="Handbook", published=True
        )
        session.add(site)
        await session.flush()
        session.add(PublishingAuth(site_id=SITE))
        for place, (pages, id) in enumerate(data.spaces.items()):
            placed = SiteSpace(
                site_id=SITE, space_id=id, path=f"pages-{pages}", position=place, place=place
            )
            session.add(placed)
            await session.flush()
            site.default_site_space_id = site.default_site_space_id or placed.id
        await session.commit()


async def load(server: Running, path: str, headers: Sequence[str] = ()) -> str:
    """Requests/s and CPU of one address under load."""
    options = [option for header in headers for option in ("-H", header)]
    command = ("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *options)
    before = cpu_seconds(server.pid)
    process = await asyncio.create_subprocess_exec(
        *command, f"http://127.0.0.1:{server.port}{path}", stdout=asyncio.subprocess.PIPE
    )
    output = (await process.communicate())[0].decode()
    spent = cpu_seconds(server.pid) - before
    number = int(re.search(r"(\d+) requests in", output)[1])  # type: ignore[index]
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)[1]  # type: ignore[index]
    refused = "" if "Non-2xx" not in output or headers else " (not all answers are 200)"
    return f"{float(rate):,.0f} / {1e6 * spent / max(number, 1):,.0f} us{refused}"


async def fetched(server: Running, path: str) -> dict[str, str]:
    """The headers of the answer to a request on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    head = (await reader.read()).partition(b"\r\n\r\n")[0].decode()
    writer.close()
    await writer.wait_closed()
    status, *lines = head.split("\r\n")
    return {"status": status.split()[1], **dict(line.split(": ", 1) for line in lines)}


async def crawl(server: Running) -> str:
    """Each page of the large space once, one after the other."""
    pages = [f"section-{n // 49}/page-{n % 49}" for n in range(CRAWLED)]
    await fetched(server, f"{ROOT}/pages-5000/{pages[-1]}")
    before, began = cpu_seconds(server.pid), time.monotonic()
    for page in pages:
        answer = await fetched(server, f"{ROOT}/pages-5000/{page}")
        if answer["status"] != "200":
            raise SystemExit(f"{page}: {answer['status']}")
    spent, passed = cpu_seconds(server.pid) - before, time.monotonic() - began
    return (
        f"{1000 * passed / CRAWLED:.1f} ms a page, {1000 * spent / CRAWLED:.1f} ms CPU, then "
        f"{resident_megabytes(server.pid):.0f} MB"
    )


async def measured(kind: str) -> None:
    """All figures on one kind of database."""
    with store(kind) as database:
        async with migrated(database.url) as connected:
            await fill_site(connected)
        for name, settings in CACHES.items():
            port = free_port()
            environment = {"DOCSTEAD_DATABASE_URL": database.url, **settings}
            async with running(PRODUCT(port, database), port, environment) as server:
                tag = (await fetched(server, f"{ROOT}/{PAGE}"))["etag"]
                loads = {
                    "HTML": (f"{ROOT}/{PAGE}", ()),
                    "HTML, gzip": (f"{ROOT}/{PAGE}", ("Accept-Encoding: gzip",)),
                    "Markdown": (f"{ROOT}/{PAGE}.md", ()),
                    "304": (f"{ROOT}/{PAGE}", (f"If-None-Match: {tag}",)),
                }
                for title, (path, headers) in loads.items():
                    await fetched(server, path)
                    print(f"{kind}, {name}, {title}: {await load(server, path, headers)}")
                print(f"{kind}, {name}, {CRAWLED} pages once: {await crawl(server)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.published", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    pin_load()
    asyncio.run(measured(parser.parse_args().database))


if __name__ == "__main__":
    main()
