"""The whole text of a site is sent while it is written: in bounded memory, others in between."""

import asyncio
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import update

from db.enums import SiteVisibility
from db.models.sites import Site
from db.session import Session
from docstead.asgi import create_app
from docstead.settings import Settings
from published import whole_texts
from resolvers.published.lists import PART
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.test_sites import make_pages

LINE = "Some words with *emphasis* and a [link](p3.md) or two.\n\n"
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Reader:
    """A client of the application that reads as fast as it is let, and may hang up."""

    def __init__(self, api: Api, path: str, method: str = "GET") -> None:
        self._app = create_app(
            Settings(public_url="http://docs.test", data_dir=api.server.settings.data_dir),
            api.server,
        )
        self._path, self._method = path, method
        self.status, self.headers, self.pieces = 0, dict[str, str](), list[int]()
        self.text = b""
        self.keeps = True
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.has_some = asyncio.Event()
        self.hangs_up = asyncio.Event()

    async def read(self) -> None:
        body = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            for message in body:
                return message
            await self.hangs_up.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
                return
            data = message.get("body", b"")
            if data:
                self.pieces.append(len(data))
                self.text += data if self.keeps else b""
                self.has_some.set()
            await self.goes_on.wait()

        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1", "method": self._method, "scheme": "http",
            "path": self._path, "raw_path": self._path.encode(), "query_string": b"",
            "root_path": "", "headers": [(b"host", b"docs.test")], "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80), "state": {},
        }  # fmt: skip
        await self._app(scope, receive, send)


async def site_of(session: Session, world: World, pages: int, lines: int) -> Site:
    texts = {
        f"p{number}": {"text": f"{number}\n\n{LINE * lines}", "order": f"V{number:03}"}
        for number in range(pages)
    }
    space = await make_pages(session, world, "Guide", **texts)
    made = await factories.make_site(
        session, world.organization, space, title="Handbook", published=True
    )
    await settle(session)
    return made


async def whole(api: Api, site: Site, **options: Any) -> Reader:
    reader = Reader(api, f"/sites/{site.id}/llms-full.txt", **options)
    await reader.read()
    return reader


async def test_pieces_are_the_pages_in_their_order(
    api: Api, session: Session, world: World
) -> None:
    site = await site_of(session, world, PART + 3, lines=1)
    first = await whole(api, site)
    assert first.status == 200
    assert first.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "content-length" not in first.headers
    assert len(first.pieces) > 3
    second = Reader(api, f"/sites/{site.id}/llms-full.txt/2")
    await second.read()
    pages = [
        (await api.client.get(f"/sites/{site.id}/p{number}.md")).text for number in (1, PART - 1)
    ]
    parts = first.text.decode().split("\n---\n\n[Part 2 of 2](")
    assert len(parts) == 2
    assert parts[1].startswith("http")
    assert parts[0].startswith("# P0\n")
    assert f"\n{pages[0]}\n# P2\n" in parts[0]
    assert parts[0].endswith(pages[1])
    assert parts[0].count("\n# P") == PART - 1
    assert second.text.decode().startswith(f"# P{PART}\n")
    assert "[Part" not in second.text.decode()
    head = await whole(api, site, method="HEAD")
    assert (head.status, head.text) == (200, b"")
    assert "content-length" not in head.headers
    assert (await api.client.get(f"/sites/{site.id}/llms-full.txt/3")).status_code == 404


async def test_memory_does_not_grow_with_the_text(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same bound for shorter texts.
    monkeypatch.setattr(whole_texts, "CHARACTERS", 10_000)

    async def peak(site: Site) -> tuple[int, int]:
        # Texts that never change stay in caches with bounds of their own.
        await whole(api, site)
        reader = Reader(api, f"/sites/{site.id}/llms-full.txt")
        reader.keeps = False
        tracemalloc.start()
        try:
            await reader.read()
            return tracemalloc.get_traced_memory()[1], sum(reader.pieces)
        finally:
            tracemalloc.stop()

    small, few = await peak(await site_of(session, world, 12, lines=50))
    large, many = await peak(await site_of(session, world, 48, lines=50))
    assert many > 3.9 * few > 3 * whole_texts.CHARACTERS
    assert large < 1.5 * small


async def test_others_come_in_between_and_who_hangs_up_stops_it(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_texts, "CHARACTERS", 20_000)
    site = await site_of(session, world, 24, lines=25)
    stuck = [Reader(api, f"/sites/{site.id}/llms-full.txt") for _ in range(5)]
    for reader in stuck:
        reader.goes_on.clear()
    tasks = [asyncio.create_task(reader.read()) for reader in stuck]
    async with asyncio.timeout(60):
        await asyncio.gather(*(reader.has_some.wait() for reader in stuck))
        # Clients that do not read hold nothing that others need.
        assert (await api.client.get(f"/sites/{site.id}/p1")).status_code == 200
        other = await whole(api, site)
        assert other.text.count(b"\n# P") == 23
        stuck[0].goes_on.set()
        await tasks[0]
        assert stuck[0].text == other.text
        for reader in stuck[1:]:
            reader.hangs_up.set()
        await asyncio.gather(*tasks[1:])
        assert all(reader.text != other.text for reader in stuck[1:])


@pytest.mark.parametrize(
    "change", [{"published": False}, {"visibility": SiteVisibility.SHARE_LINK}]
)
async def test_nothing_more_comes_of_a_site_that_is_closed_meanwhile(
    api: Api,
    session: Session,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
) -> None:
    monkeypatch.setattr(whole_texts, "CHARACTERS", 10_000)
    site = await site_of(session, world, 6, lines=100)
    reader = Reader(api, f"/sites/{site.id}/llms-full.txt")
    reader.goes_on.clear()
    task = asyncio.create_task(reader.read())
    async with asyncio.timeout(60):
        await reader.has_some.wait()
        await session.execute(update(Site).where(Site.id == site.id).values(**change))
        await settle(session)
        reader.goes_on.set()
        # The answer ends, whole or broken off.
        await asyncio.gather(task, return_exceptions=True)
    assert b"# P0" in reader.text
    assert b"# P5" not in reader.text
