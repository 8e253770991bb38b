"""Whole documentation as a published site, walked page by page as readers and machines do."""

import logging
import re
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World
from tests.content.html.html_reader import Reader, read_html
from tests.published.test_frame import ALLOWED
from tests.sources import imported, sources

HOST = "http://docs.test"
# Addresses that a link of a page may have: on the page, of the site, complete.
KNOWN = ("#", "/", "http://", "https://", "mailto:", "tel:")
LOCATION = re.compile("<loc>(.*?)</loc>")
SAMPLE = 8
# Shown with --log-cli-level=info.
FIGURES = logging.getLogger(__name__)


@dataclass
class Walk:
    """The pages of a site that were read, by their paths, and what was wrong with them."""

    api: Api
    root: str
    pages: dict[str, Reader] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    async def read(self, path: str) -> None:
        """One page, as a browser gets it."""
        start = time.perf_counter()
        answer = await self.api.client.get(path)
        self.seconds.append(time.perf_counter() - start)
        self.statuses[path] = answer.status_code
        if answer.status_code != 200:
            self.faults.append(f"{path}: {answer.status_code}")
            return
        self.pages[path] = page = read_html(answer.text, ALLOWED)
        self.faults += [f"{path}: {fault}" for fault in page.faults]
        titles = [tag for tag, _ in page.elements if tag == "h1"]
        if len(titles) != 1:
            self.faults.append(f"{path}: {len(titles)} h1")
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        self.faults += [
            f"{path}: id {id} twice" for id in {one for one in ids if ids.count(one) > 1}
        ]

    async def follow(self) -> None:
        """Every address on the pages that this server answers for."""
        for path, page in self.pages.items():
            for tag, attributes in page.elements:
                address = attributes.get("href") or attributes.get("src")
                if not address:
                    if tag == "a":
                        self.faults.append(f"{path}: a link to nowhere")
                    continue
                if not address.startswith(KNOWN):
                    self.faults.append(f"{path}: {tag} leads to {address!r}")
                elif address.startswith(("/", HOST)):
                    await self._check(path, address.removeprefix(HOST).partition("#")[0])

    async def _check(self, path: str, target: str) -> None:
        if target not in self.statuses:
            self.statuses[target] = await self._status(target)
        if self.statuses[target] != 200:
            self.faults.append(f"{path}: {target} is answered with {self.statuses[target]}")

    async def _status(self, target: str) -> int:
        """How an address is answered, as its kind of client asks for it."""
        if target.endswith("/~gitbook/mcp"):
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            headers = {"Accept": "application/json, text/event-stream"}
            return (await self.api.client.post(target, json=ping, headers=headers)).status_code
        answer = await self.api.client.get(target)
        if "/~gitbook/pdf?" in target and answer.status_code == 307:
            # One is printed; the others would take a second each.
            if any("/~gitbook/pdf?" in one for one in self.statuses):
                return 200
            answer = await self.api.client.get(answer.headers["location"])
        return answer.status_code

    def figures(self) -> str:
        """How long pages took, in milliseconds."""
        times = sorted(second * 1000 for second in self.seconds)
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        return f"{len(times)} pages, median {statistics.median(times):.1f} ms, p99 {p99:.1f} ms"


def documents(pages: Iterable[Any]) -> Iterable[Any]:
    """The documents of a table of contents."""
    for page in pages:
        if page["type"] == "document":
            yield page
        yield from documents(page.get("pages", ()))


async def published(api: Api, world: World, spaces: list[Space]) -> list[str]:
    """The paths of the sections of a published site that has one for each space."""
    sites = f"/orgs/{world.organization.id}/sites"
    first, *others = [space.id for space in spaces]
    made = await api.rest("POST", sites, world.creator, {"title": "All docs", "spaces": [first]})
    site = made.json()["id"]
    for space in others:
        added = await api.rest(
            "POST", f"{sites}/{site}/sections", world.creator, {"spaceId": space}
        )
        assert added.status_code == 201, added.text
    assert (await api.rest("POST", f"{sites}/{site}/publish", world.creator)).status_code == 200
    sections = (await api.rest("GET", f"{sites}/{site}/sections", world.creator)).json()["items"]
    return [f"/sites/{site}", *(f"/sites/{site}/{one['path']}" for one in sections[1:])]


async def test_every_page_of_a_site(api: Api, session: Session, world: World) -> None:
    names = sources("gauge-manual", "docstead-guide")
    spaces = [
        await imported(session, world, api, name, f"{Path(name).stem} {number}")
        for number, name in enumerate(names)
    ]
    roots = await published(api, world, spaces)
    walk = Walk(api, roots[0])
    paths: list[str] = []
    for space, root in zip(spaces, roots, strict=True):
        answer = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.reader)
        listed = [page["path"] for page in documents(answer.json()["pages"])]
        # The landing page has the address of its section.
        own = [root, *(f"{root}/{path}" for path in listed[1:])]
        for path in own:
            await walk.read(path)
        paths += own
        await renderer(walk, root, listed)
        await markdown(walk, root, listed)
    await walk.follow()
    await machines(walk, roots, paths)
    await searches(walk, roots)
    FIGURES.info("%s; %d addresses followed", walk.figures(), len(walk.statuses))
    assert not walk.faults, "\n".join(walk.faults)


async def renderer(walk: Walk, root: str, listed: list[str]) -> None:
    """Some pages as a renderer of its own reads them: the address, a token, the page."""
    for path in listed[:: max(1, len(listed) // SAMPLE)]:
        asked = {"url": f"{HOST}{root}/{path}"}
        found = (await walk.api.rest("POST", "/urls/published", None, asked)).json()
        space = f"/spaces/{found['space']}"
        site = f"/orgs/{found['organization']}/sites/{found['site']}/published"
        frame = await asked_with(walk, found["apiToken"], site)
        assert frame["site"]["id"] == found["site"]
        revision = (await asked_with(walk, found["apiToken"], space))["revision"]
        name = quote(found["pathname"], safe="")
        page = await asked_with(walk, found["apiToken"], f"{space}/content/path/{name}")
        assert page["path"] == path
        body = f"{space}/revisions/{revision}/page/{page['id']}/document?evaluated=true"
        document = await asked_with(walk, found["apiToken"], body)
        assert document["object"] == "document"
        assert document["nodes"]


async def asked_with(walk: Walk, token: str, path: str) -> dict[str, Any]:
    """What /v1 answers to the bearer of a content token."""
    headers = {"Authorization": f"Bearer {token}"}
    answer = await walk.api.rest("GET", path, None, headers=headers)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def markdown(walk: Walk, root: str, listed: list[str]) -> None:
    """Every page as Markdown, at its address with `.md`."""
    for path in listed:
        answer = await walk.api.client.get(f"{root}/{path}.md")
        if answer.status_code != 200 or not answer.text.startswith(("# ", "---\n")):
            walk.faults.append(f"{path}.md: {answer.status_code} {answer.text[:40]!r}")


async def machines(walk: Walk, roots: list[str], paths: list[str]) -> None:
    """Lists name the pages of the tables of contents, in their order, and nothing else."""
    get = walk.api.client.get
    assistants = re.findall(
        r"^- \[.*?\]\((\S+?)\)(?:: |$)", (await get(f"{roots[0]}/llms.txt")).text, re.M
    )
    index = LOCATION.findall((await get(f"{roots[0]}/sitemap.xml")).text)
    assert index == [f"{HOST}{root}/sitemap-pages.xml" for root in roots]
    maps = [LOCATION.findall((await get(one)).text) for one in index]
    for listed in (assistants, [address for part in maps for address in part]):
        assert [one.removeprefix(HOST) for one in listed] == paths
    part, number, length = 200, 1, 0
    while part == 200:
        answer = await get(f"{roots[0]}/llms-full.txt" + (f"/{number}" if number > 1 else ""))
        part, number, length = answer.status_code, number + 1, length + len(answer.content)
    assert (part, number - 2) == (404, -(-len(paths) // 100))
    assert length > 0


async def searches(walk: Walk, roots: list[str]) -> None:
    """The titles of some pages are found."""
    for path in list(walk.pages)[:: max(1, len(walk.pages) // SAMPLE)]:
        page = walk.pages[path]
        title = next(
            one["content"] for _, one in page.elements if one.get("property") == "og:title"
        )
        root = max((one for one in roots if path.startswith(one)), key=len)
        found = await walk.api.client.get(root, params={"q": title})
        links = [one["href"] for tag, one in read_html(found.text, ALLOWED).elements if tag == "a"]
        if path not in [link.partition("#")[0] for link in links]:
            walk.faults.append(f"{path}: not found by {title!r}")
