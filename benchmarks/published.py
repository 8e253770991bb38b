"""What readers and renderers ask for: published pages beside nginx, addresses, page documents.

A site of two spaces, of 50 and of 5,000 pages. All is asked for again and again of a warm server,
then each page of the large space once, by one client after the other, as a crawler does.
"""

import asyncio
import time
from dataclasses import dataclass, field

import orjson

from benchmarks.contenders import PRODUCT
from benchmarks.http import Request
from benchmarks.measure import Figures, Load, measure
from benchmarks.nginx import NGINX, static_files
from benchmarks.page_spaces import PageSpaces, fill_pages
from benchmarks.progress import progress
from benchmarks.servers import Running, Store, free_port, migrated, running, store
from benchmarks.usage import cpu_seconds, resident_megabytes
from db.models.site_settings import PublishingAuth
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database

SITE, PAGE = "site_benchmark", "section-0/page-7"
ROOT = f"/sites/{SITE}"
CONNECTIONS, WARM_UP = 16, 0.3
DOCUMENT = """query($s: ID!, $p: ID!) { page(spaceId: $s, id: $p) { id title path
  ... on DocumentPage { document } } }"""
TREE = """query($s: ID!) { revision(spaceId: $s) { pages(first: 100) { nodes { id title path
  ... on DocumentPage { pages(first: 50) { nodes { id title path } } } } } } }"""
PRODUCT_NAME, NGINX_NAME = "Docstead", "nginx, files"


@dataclass(frozen=True, slots=True)
class Crawl:
    """Pages of a large space that were asked for once: CPU and time of each in ms, the slowest,
    and memory behind it."""

    of: int
    pages: int
    cpu: float
    mean: float
    slowest: float
    megabytes: float


@dataclass(slots=True)
class PublishedResults:
    """Figures by what is asked for and who is asked, and the crawl."""

    figures: dict[str, dict[str, Figures]] = field(default_factory=dict)
    crawl: Crawl | None = None


async def fill_site(database: Database, large: int) -> PageSpaces:
    """A public site with a space of 50 pages and a large one."""
    data = await fill_pages(database, large)
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
    return data


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request on a connection of its own."""

    status: int
    headers: dict[str, str]
    body: bytes


async def fetched(server: Running, path: str) -> Answer:
    """The answer to a plain GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *lines = head.decode().split("\r\n")
    return Answer(int(status.split()[1]), dict(line.split(": ", 1) for line in lines), body)


def _pages(tag: str) -> dict[str, Request]:
    """Requests for a published page; `tag` is that of its HTML."""
    page = f"{ROOT}/{PAGE}"
    return {
        "published page, HTML": Request("GET", page, ""),
        "published page, HTML, gzip": Request("GET", page, "", b"", ("Accept-Encoding: gzip",)),
        "published page, Markdown": Request("GET", f"{page}.md", ""),
        "published page, known (304)": Request("GET", page, "", b"", (f"If-None-Match: {tag}",)),
    }


def _reads(data: PageSpaces, url: str) -> dict[str, Request]:
    """Requests of a renderer, and of people."""
    space, token = data.spaces[50], data.token
    content = f"/v1/spaces/{space}/content"

    def graphql(query: str, **variables: str) -> Request:
        body = orjson.dumps({"query": query, "variables": variables})
        return Request("POST", "/graphql", token, body)

    address = orjson.dumps({"url": f"{url}{ROOT}/{PAGE}"})
    return {
        "root of a site, redirect": Request("GET", f"{ROOT}/", ""),
        "urls/published": Request("POST", "/v1/urls/published", token, address),
        "page document, /v1": Request("GET", f"{content}/page/s0p7?format=document", token),
        "page document, GraphQL": graphql(DOCUMENT, s=space, p="s0p7"),
        "page tree of 50, /v1": Request("GET", f"{content}/pages", token),
        "page tree of 50, GraphQL": graphql(TREE, s=space),
        "search of 50 pages, /v1": Request("GET", f"/v1/spaces/{space}/search?query=page", token),
    }


async def measure_published(
    kind: str, seconds: float, crawled: int, large: int
) -> PublishedResults:
    """All figures on one kind of database, with a space of so many pages."""
    results = PublishedResults()
    with store(kind) as database:
        progress(f"{kind}: filling a site of 50 and {large:,} pages")
        async with migrated(database.url) as connected:
            data = await fill_site(connected, large)
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        environment = {"DOCSTEAD_DATABASE_URL": database.url, "DOCSTEAD_PUBLIC_URL": url}
        async with running(PRODUCT(port, database), port, environment) as server:
            page = await fetched(server, f"{ROOT}/{PAGE}")
            markdown = await fetched(server, f"{ROOT}/{PAGE}.md")
            asked = {**_pages(page.headers["etag"]), **_reads(data, url)}
            progress(f"{kind}: published pages and what renderers ask for")
            for name, request in asked.items():
                await _load(results, name, PRODUCT_NAME, server, database, request, seconds)
            progress(f"{kind}: {crawled:,} pages once")
            results.crawl = await crawl(server, crawled, large)
        if NGINX is None:
            progress("without nginx beside it: the Debian package nginx is not installed")
            return results
        files = {f"{ROOT}/{PAGE}.html": page.body, f"{ROOT}/{PAGE}.md": markdown.body}
        async with static_files(files) as server:
            tag = (await fetched(server, f"{ROOT}/{PAGE}")).headers["ETag"]
            for name, request in _pages(tag).items():
                await _load(results, name, NGINX_NAME, server, Store(""), request, seconds)
    return results


async def _load(
    results: PublishedResults,
    name: str,
    contender: str,
    server: Running,
    database: Store,
    request: Request,
    seconds: float,
) -> None:
    await measure(server, database, Load(request, WARM_UP, CONNECTIONS, expected=1.0))
    load = Load(request, seconds, CONNECTIONS)
    results.figures.setdefault(name, {})[contender] = await measure(server, database, load)


async def crawl(server: Running, number: int, large: int) -> Crawl:
    """Pages of the large space, each once, one after the other."""
    pages = [f"{ROOT}/pages-{large}/section-{n // 49}/page-{n % 49}" for n in range(number)]
    # The first page reads the tree of the space.
    await fetched(server, pages.pop())
    times, before = [], cpu_seconds(server.pid)
    for page in pages:
        began = time.perf_counter()
        if (answer := await fetched(server, page)).status != 200:
            raise SystemExit(f"{page}: {answer.status}")
        times.append(1000 * (time.perf_counter() - began))
    spent = 1000 * (cpu_seconds(server.pid) - before)
    megabytes = resident_megabytes(server.pid)
    return Crawl(
        large, len(pages), spent / len(pages), sum(times) / len(times), max(times), megabytes
    )
