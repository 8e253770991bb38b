"""Uploads to organizations: what an address takes, and who makes what of it once."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from sqlalchemy import select

from content.openapi.compression import decompressed
from db.base import utc_now
from db.enums import EditMode
from db.models.specifications import SpecificationContent
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from jobs.purge import clear_storage
from jobs.table import KINDS
from published.html.styles import site_style
from resolvers.core.actors import OPERATOR
from resolvers.storage.operations import LIFETIME, USED_LIFETIME
from tests import factories
from tests.bucket_server import KEY_ID, SECRET, bucket_server
from tests.conftest import Api, World, settle
from tests.jobs.queue import Queue

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40


# Fonts say in which second they were made.
@cache
def font(flavor: str | None = "woff2", **tables: Any) -> bytes:
    """A font with one letter."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    pen = TTGlyphPen(None)
    for number, point in enumerate([(0, 0), (500, 0), (250, 700)]):
        (pen.lineTo if number else pen.moveTo)(point)
    pen.closePath()
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "A": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "A": (500, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Test", "styleName": "Regular"})
    builder.setupOS2(**tables)
    builder.setupPost()
    builder.font.flavor = flavor
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


class Files:
    """What somebody uploads to the organization."""

    def __init__(self, api: Api, world: World) -> None:
        self.api, self.world = api, world
        self.path = f"/orgs/{world.organization.id}"

    async def begin(self, data: bytes, kind: str, name: str, type: str, changes: Any = None) -> Any:
        file = {"name": name, "type": type, "size": len(data), **(changes or {})}
        person = self.world.admin
        body = {"file": file, "kind": kind}
        return await self.api.rest("POST", f"{self.path}/storage/upload", person, body)

    async def send(self, answer: Any, data: bytes) -> Any:
        return await self.api.client.put(answer.json()["url"], content=data)

    async def upload(self, data: bytes, kind: str, name: str, type: str) -> str:
        begun = await self.begin(data, kind, name, type)
        assert begun.status_code == 201, begun.text
        sent = await self.send(begun, data)
        assert sent.status_code == 200, sent.text
        key: str = begun.json()["key"]
        return key

    async def rest(self, method: str, path: str, body: Any = None) -> Any:
        return await self.api.rest(method, f"{self.path}{path}", self.world.admin, body)


@pytest.fixture
async def files(api: Api, world: World, session: Session) -> Files:
    await session.commit()
    return Files(api, world)


async def test_a_font_is_uploaded_made_shown_and_deleted(files: Files, session: Session) -> None:
    await session.commit()
    data = font()
    key = await files.upload(data, "customization_font", "a.woff2", "font/woff2")
    assert (await files.api.client.get(f"/storage/{key}")).status_code == 404
    faces = [{"weight": 400, "storageKey": key}]
    made = await files.rest("PUT", "/fonts", {"fontFamily": "Brand", "fontFaces": faces})
    assert made.status_code == 201, made.text
    shown = made.json()
    assert (shown["custom"], shown["fontFamily"], shown["permissions"]) == (
        True, "Brand", {"edit": True},
    )  # fmt: skip
    (source,) = shown["fontFaces"][0]["sources"]
    assert source["format"] == "woff2"
    got = await files.api.client.get(source["url"])
    assert got.content == data
    assert got.headers["content-type"] == "font/woff2"
    # Pages of all hosts may load it.
    assert got.headers["access-control-allow-origin"] == "*"
    # As the font of a site it is in the style sheet of its pages.
    site = await factories.make_site(session, files.world.organization, published=True)
    await session.commit()
    look = await files.rest("PUT", f"/sites/{site.id}/customization", {
        "styling": {"font": {name: shown[name] for name in
                             ("id", "custom", "fontFamily", "fontFaces")}}})  # fmt: skip
    assert look.status_code == 200, look.text
    css = site_style(look.json()["styling"]).css
    assert f'url("{source["url"]}") format("woff2")' in css
    # A key makes one thing.
    again = await files.rest("PUT", "/fonts", {"fontFamily": "Other", "fontFaces": faces})
    assert (again.status_code, "used already" in again.text) == (412, True)
    # Another weight; the first one keeps its file.
    bold = await files.upload(font("woff"), "customization_font", "b.woff", "font/woff")
    faces = [{"weight": 400, "storageKey": None}, {"weight": 700, "storageKey": bold}]
    changed = await files.rest("POST", f"/fonts/{shown['id']}", {"fontFaces": faces})
    assert changed.status_code == 201, changed.text
    assert [face["sources"][0]["format"] for face in changed.json()["fontFaces"]] == [
        "woff2", "woff",
    ]  # fmt: skip
    assert changed.json()["fontFaces"][0] == shown["fontFaces"][0]
    assert (await files.rest("DELETE", f"/fonts/{shown['id']}")).status_code == 205
    assert (await files.api.client.get(source["url"])).status_code == 404
    async with files.api.server.context_of(OPERATOR) as ctx:
        assert await clear_storage(ctx, utc_now()) == 2
    assert [path async for path in ctx.blobs.paths(key)] == []


async def test_what_is_no_font_is_refused_where_it_arrives(files: Files) -> None:
    for data, problem in (
        (font(None), "no WOFF2"),
        (b"wOF2" + b"\x00" * 100, "cannot be read"),
        (font()[:-40], "cannot be read"),
        (font(fsType=2), "licence"),
    ):
        begun = await files.begin(data, "customization_font", "a.woff2", "font/woff2")
        sent = await files.send(begun, data)
        assert (sent.status_code, problem in sent.text) == (422, True), (problem, sent.text)
        faces = [{"weight": 400, "storageKey": begun.json()["key"]}]
        made = await files.rest("PUT", "/fonts", {"fontFamily": "Brand", "fontFaces": faces})
        assert (made.status_code, "not arrived" in made.text) == (412, True)
    faces = [{"weight": 400, "storageKey": "nothing"}]
    made = await files.rest("PUT", "/fonts", {"fontFamily": "Brand", "fontFaces": faces})
    assert made.status_code == 404


async def test_an_address_takes_what_was_announced_once(files: Files) -> None:
    for more, at in (
        ({"size": 0}, "file.size"), ({"size": 1.5}, "file.size"), ({"size": 10**9}, "file.size"),
        ({"type": "image/svg+xml"}, "file.type"), ({"name": ""}, "file.name"),
    ):  # fmt: skip
        refused = await files.begin(PNG, "organization_logo", "a.png", "image/png", more)
        assert (refused.status_code, at in refused.text) == (400, True), refused.text
    begun = await files.begin(PNG, "organization_logo", "a.png", "image/png")
    url = begun.json()["url"]
    client = files.api.client
    other = url.replace("signature=", "signature=0")
    assert (await client.put(other, content=PNG)).status_code == 404
    assert (await client.put(url, content=PNG + b"x")).status_code == 413
    assert (await client.put(url, content=PNG[:-1])).status_code == 422
    assert (await client.put(url, content=PNG)).status_code == 200
    assert (await client.put(url, content=PNG)).status_code == 409


async def test_a_logo_is_shown_while_it_is_the_logo(files: Files) -> None:
    key = await files.upload(PNG, "organization_logo", "a.png", "image/png")
    url = f"http://docs.test/storage/{key}"
    answer = await files.rest("PATCH", "", {"logo": url})
    assert answer.json()["urls"]["logo"] == url, answer.text
    got = await files.api.client.get(url)
    assert (got.content, got.headers["x-content-type-options"]) == (PNG, "nosniff")
    assert (await files.api.client.get(url, headers={"If-None-Match": got.headers["etag"]})
            ).status_code == 304  # fmt: skip
    assert (await files.rest("PATCH", "", {"logo": url})).status_code == 200
    assert (await files.rest("PATCH", "", {"logo": None})).status_code == 200
    assert (await files.api.client.get(url)).status_code == 404
    gone = await files.rest("PATCH", "", {"logo": "http://docs.test/storage/nothing"})
    assert gone.status_code == 404


async def test_files_are_imported_by_a_run(files: Files, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await session.commit()
    keys = [
        await files.upload(text.encode(), "import_file", name, "text/markdown")
        for name, text in (("one.md", "# One\n\n[Two](two.md)\n"), ("two.md", "# Two\n"))
    ]
    runs = f"/org/{world.organization.id}/imports"

    async def start(**source: Any) -> Any:
        body = {"source": {"type": "file", **source}, "target": {"space": space.id}}
        return await files.api.rest("POST", runs, world.admin, body)

    for source, at in (
        ({}, "source.files"), ({"files": keys, "url": "http://a.example/"}, "source.url"),
        ({"files": keys, "format": "website"}, "source.format"),
    ):  # fmt: skip
        refused = await start(**source)
        assert (refused.status_code, at in refused.text) == (400, True), refused.text
    begun = await start(files=keys)
    assert begun.status_code == 201, begun.text
    assert (await start(files=keys)).status_code == 412
    await Queue(files.api.server).work(KINDS)
    run = (await files.api.rest("GET", f"{runs}/{begun.json()['id']}", world.admin)).json()
    assert run["status"] == "completed", run
    assert sorted(page["path"] for page in run["pages"]) == ["one.md", "two.md"]
    async with files.api.server.context_of(OPERATOR) as ctx:
        assert await clear_storage(ctx, utc_now() + LIFETIME) == 0
        assert await clear_storage(ctx, utc_now() + USED_LIFETIME) == 2


async def test_what_an_organization_tells_agents(files: Files, world: World) -> None:
    path = f"/orgs/{world.organization.id}/agent-instructions"
    empty = (await files.api.rest("GET", path, world.reader)).json()
    assert (empty["object"], empty["instructions"]["nodes"]) == ("agent-instructions", [])
    broken = {"instructions": {"object": "document", "data": {}, "nodes": [{"object": "x"}]}}
    refused = await files.api.rest("PUT", path, world.admin, broken)
    assert (refused.status_code, "instructions.nodes" in refused.text) == (422, True)
    words = {"object": "leaf", "text": "Be brief.", "marks": []}
    paragraph = {
        "object": "block", "type": "paragraph", "isVoid": False, "data": {},
        "nodes": [{"object": "text", "leaves": [words]}],
    }  # fmt: skip
    document = {"object": "document", "data": {}, "nodes": [paragraph]}
    written = await files.api.rest("PUT", path, world.admin, {"instructions": document})
    assert written.json()["updatedBy"] == world.admin.id, written.text
    assert "Be brief." in (await files.api.rest("GET", path, world.reader)).text


async def test_the_server_says_its_versions(api: Api) -> None:
    answer = await api.client.get("/v1/")
    assert answer.json().keys() == {"version", "build"}
    assert answer.status_code == 200


async def test_fonts_and_logos_lie_in_a_bucket(
    database: Database, world: World, session: Session, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """They are served from there, and nothing of them is in the folder."""
    await settle(session)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with bucket_server() as bucket:
        settings = Settings(
            public_url="http://docs.test", data_dir=tmp_path / "data",
            files_url="s3://docs/uploads", s3_endpoint=bucket.endpoint,
        )  # fmt: skip
        server = Server(settings, database)
        transport = httpx2.ASGITransport(app=create_app(settings, server))
        async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
            files = Files(Api(server, client), world)
            key = await files.upload(font(), "customization_font", "a.woff2", "font/woff2")
            faces = [{"weight": 400, "storageKey": key}]
            made = await files.rest("PUT", "/fonts", {"fontFamily": "Brand", "fontFaces": faces})
            assert made.status_code == 201, made.text
            (source,) = made.json()["fontFaces"][0]["sources"]
            logo = await files.upload(PNG, "organization_logo", "a.png", "image/png")
            shown = f"http://docs.test/storage/{logo}"
            changed = await files.rest("PATCH", "", {"logo": shown})
            assert changed.status_code == 200, changed.text
            for address, data, kind in (
                (source["url"], font(), "font/woff2"), (shown, PNG, "image/png"),
            ):  # fmt: skip
                got = await client.get(address)
                assert (got.status_code, got.headers["content-type"]) == (200, kind)
                assert len(got.content) == len(data)
            stored = sum(len(data) for data, _ in bucket.objects.values())
            assert stored >= len(font()) + len(PNG)
            assert [path for path in (tmp_path / "data").rglob("*") if path.is_file()] == []
            # They go with what they belong to.
            assert (await files.rest("DELETE", f"/fonts/{made.json()['id']}")).status_code == 205
            assert (await client.get(source["url"])).status_code == 404
        await server.finish_background()


@pytest.mark.parametrize("place", ["folder", "bucket"])
async def test_a_specification_is_uploaded(
    place: str, database: Database, world: World, session: Session, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    await settle(session)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with bucket_server() as bucket:
        in_bucket = {"files_url": "s3://docs/uploads", "s3_endpoint": bucket.endpoint}
        settings = Settings(
            public_url="http://docs.test", data_dir=tmp_path / place,
            **(in_bucket if place == "bucket" else {}),
        )  # fmt: skip
        server = Server(settings, database)
        transport = httpx2.ASGITransport(app=create_app(settings, server))
        async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
            files = Files(Api(server, client), world)
            text = factories.SPECIFICATION_TEXT.encode()
            key = await files.upload(text, "import_file", "api.yaml", "application/yaml")
            assert bool(bucket.objects) == (place == "bucket")
            path, body = "/openapi/uploaded", {"source": {"upload": key}}
            made = await files.rest("PUT", path, body)
            assert made.status_code == 201, made.text
            # It is used once, as it is, and by nobody who has other kinds or none.
            assert (await files.rest("PUT", path, body)).status_code == 412
            logo = await files.upload(PNG, "organization_logo", "a.png", "image/png")
            for wrong in (logo, "nothing"):
                answer = await files.rest("PUT", path, {"source": {"upload": wrong}})
                assert answer.status_code == 404
                assert "source.upload" in answer.text
            both = await files.rest("PUT", path, {"source": {"upload": key, "text": "x"}})
            assert both.status_code == 400
            (stored,) = (await session.scalars(select(SpecificationContent))).all()
            assert decompressed(stored.data) == text
        await server.finish_background()
