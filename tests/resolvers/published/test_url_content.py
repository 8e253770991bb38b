"""What addresses lead to: for people, in /v1, on published sites; and embedded pages."""

import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from db.enums import DefaultLevel
from db.models.site_settings import ShareLink
from db.models.sites import Site, SiteSection, SiteSpace
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.content.documents import PageMarkdownArguments, page_markdown
from resolvers.content.pages import get_page
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, BadRequest, Invalid, NotFound, Unauthenticated
from resolvers.core.installation import ImportAccess, Settings
from resolvers.core.runners import read
from resolvers.published.embeds import get_embed, get_space_embed
from resolvers.published.url_content import get_content_by_url
from tests.conftest import Api, Queries, World, context, settle
from tests.factories import make_site, make_space
from tests.fetching.servers import Loopback, serving
from tests.seeds import Seed, sow

OWN = "https://docs.example.net"


def at_home(ctx: Context) -> Context:
    ctx.settings = Settings(public_url=OWN)
    return ctx


async def led(ctx: Context, url: str) -> tuple[Any, ...]:
    """Ids of what an address leads to: collection, space, number of the request, page."""
    found = await read(at_home(ctx), get_content_by_url, url)
    return (
        found.collection and found.collection.id,
        found.space and found.space.id,
        found.change_request and found.change_request.number,
        found.page and found.page.id,
    )


@pytest.fixture
async def seed(session: Session, world: World) -> Seed:
    found = await sow(session, world)
    session.expunge_all()
    return found


async def test_addresses_of_this_server(session: Session, world: World, seed: Seed) -> None:
    space, collection = seed.space.id, seed.collection.id
    organization, request = world.organization.id, seed.change_request
    number = request.number
    expected: dict[str, tuple[Any, ...]] = {
        f"/c/{collection}": (collection, None, None, None),
        f"/o/{organization}/c/{collection}": (collection, None, None, None),
        f"/v1/collections/{collection}": (collection, None, None, None),
        f"/s/{space}": (None, space, None, None),
        f"/s/{space}/": (None, space, None, None),
        f"//s//{space}": (None, space, None, None),
        f"/o/{organization}/s/{space}": (None, space, None, None),
        f"/s/{space}/home/child": (None, space, None, "child"),
        f"/s/{space}/HOME/Child?x=1#there": (None, space, None, "child"),
        f"/s/{space}/home%2Fchild": (None, space, None, "child"),
        f"/s/{space}/~/changes/{number}": (None, space, number, None),
        f"/s/{space}/~/changes/{number}/start": (None, space, number, "home"),
        f"/s/{space}/~/changes/{request.id}/new": (None, space, number, "new"),
        f"/s/{space}/~/revisions/{seed.revision.id}": (None, space, None, None),
        f"/s/{space}/~/revisions/{seed.revision.id}/home": (None, space, None, "home"),
        f"/v1/spaces/{space}": (None, space, None, None),
        f"/v1/spaces/{space}/content": (None, space, None, None),
        f"/v1/spaces/{space}/content/page/deep": (None, space, None, "deep"),
        f"/v1/spaces/{space}/content/path/home/child": (None, space, None, "child"),
        f"/v1/spaces/{space}/change-requests/{request.id}": (None, space, number, None),
        f"/v1/spaces/{space}/change-requests/{number}/content/page/new": (
            None, space, number, "new",
        ),
    }  # fmt: skip
    for path, ids in expected.items():
        for base in (OWN, "http://DOCS.example.net:8080"):
            assert await led(context(session, world.reader), base + path) == ids, path


async def test_addresses_that_lead_nowhere(session: Session, world: World, seed: Seed) -> None:
    space = seed.space.id
    for path in (
        "", "/", "/s", "/s/nothing", "/c/nothing", f"/c/{seed.collection.id}/more",
        f"/s/{space}/nothing", f"/s/{space}/~/changes/99", f"/s/{space}/~/revisions/nothing",
        f"/s/{space}/~/else", f"/v1/spaces/{space}/comments", "/v1/user",
        f"/o/{world.organization.id}", f"/o/{world.organization.id}/sites/{seed.site.id}",
        f"/sites/{seed.site.id}", f"/s/{seed.hidden.id}", "/%ff/%f0",
    ):  # fmt: skip
        with pytest.raises(NotFound):
            await led(context(session, world.reader), OWN + path)
    for person in (world.outsider,):
        with pytest.raises(NotFound):
            await led(context(session, person), f"{OWN}/s/{space}")
    with pytest.raises(NotFound):
        await led(context(session, world.guest), f"{OWN}/c/{seed.collection.id}")
    with pytest.raises(NotFound):
        await led(context(session, world.reader), f"https://other.example/s/{space}")
    for wrong, error in (("text", Invalid), ("ftp://a.example", Invalid), ("", Invalid),
                         (f"{OWN}/s/%00", Invalid),
                         ("https://a.example/" + "a" * 2048, BadRequest)):  # fmt: skip
        with pytest.raises(error, match="url: "):
            await led(context(session, world.reader), wrong)


@dataclass
class Places:
    """A site with two sections, of which the first has two variants; ids of spaces by name."""

    site: Site
    spaces: dict[str, str]


@pytest.fixture
async def places(session: Session, world: World) -> Places:
    world.organization.hostname = "acme"
    site = await make_site(session, world.organization, published=True, basename="guide")
    spaces, kept = {}, []
    for position, title in enumerate(("Docs", "API")):
        section = SiteSection(site_id=site.id, title=title, path=title.lower(), position=position)
        session.add(section)
        await session.flush()
        kept.append(section)
    for section, path in ((kept[0], "v1"), (kept[0], "v2"), (kept[1], "main")):
        space = await make_space(session, world.organization)
        placed = SiteSpace(
            site_id=site.id, section_id=section.id, space_id=space.id, path=path,
            position=len(spaces),
        )  # fmt: skip
        session.add(placed)
        await session.flush()
        section.default_site_space_id = section.default_site_space_id or placed.id
        spaces[path] = space.id
    site.default_section_id = kept[0].id
    session.add(ShareLink(site_id=site.id, name="On", secret="k" * 20))
    session.add(ShareLink(site_id=site.id, name="Off", secret="n" * 20, active=False))
    session.add(world.organization)
    await settle(session)
    return Places(site, spaces)


async def test_addresses_of_published_sites(session: Session, world: World, places: Places) -> None:
    expected = {
        "": "v1",
        "/docs": "v1",
        "/Docs/V2": "v2",
        "/v2": "v2",
        "/v/v2": "v2",
        "/api": "main",
        "/api/main": "main",
        "/" + "k" * 20: "v1",
        "/" + "k" * 20 + "/api": "main",
    }
    for path, name in expected.items():
        for base in ("https://acme.docs.example.net/guide", f"{OWN}/sites/{places.site.id}"):
            found = await led(context(session, world.reader), base + path)
            assert found == (None, places.spaces[name], None, None), path
    for url in (
        "https://acme.docs.example.net",
        "https://acme.docs.example.net/other",
        "https://other.docs.example.net/guide",
        "https://a.acme.docs.example.net/guide",
        # Pages that are not there, and a key that was switched off.
        "https://acme.docs.example.net/guide/docs/nothing",
        "https://acme.docs.example.net/guide/" + "n" * 20,
    ):
        with pytest.raises(NotFound):
            await led(context(session, world.reader), url)
    with pytest.raises(NotFound):
        await led(context(session, world.outsider), "https://acme.docs.example.net/guide")


@pytest.mark.parametrize(
    ("changes", "base"),
    [
        ({"hostname": "docs.acme.example"}, "https://docs.acme.example"),
        ({"proxy_origin": "acme.example/help/Docs"}, "http://acme.example/help/docs"),
    ],
)
async def test_addresses_under_names_of_the_owner(
    session: Session, world: World, places: Places, changes: dict[str, str], base: str
) -> None:
    await session.begin_write()
    site = await session.get_one(Site, places.site.id)
    for name, value in changes.items():
        setattr(site, name, value)
    await settle(session)
    ctx = context(session, world.reader)
    assert (await led(ctx, f"{base}/api"))[1] == places.spaces["main"]
    assert (await led(ctx, base))[1] == places.spaces["v1"]
    visitor = Actor(
        visitor=Visitor(
            site.id,
            site.organization_id,
            site_space_ids=frozenset(),
            space_ids=frozenset(places.spaces.values()),
        )
    )
    with pytest.raises(NotFound):
        await led(Context(visitor, session), f"{base}/api")
    await session.begin_write()
    (await session.get_one(Site, places.site.id)).published = False
    await settle(session)
    with pytest.raises(NotFound):
        await led(context(session, world.reader), f"{base}/api")


async def test_pages_of_published_sites(session: Session, world: World, seed: Seed) -> None:
    await session.begin_write()
    site = await session.get_one(Site, seed.site.id)
    site.published, site.hostname = True, "docs.acme.example"
    await settle(session)
    base, space, number = "https://docs.acme.example", seed.space.id, seed.change_request.number
    section = await session.get_one(SiteSection, seed.known["siteSectionId"][0])
    for path, request, page in (
        ("/home/child", None, "child"), (f"/{section.path}/home", None, "home"),
        (f"/~/changes/{number}/start", number, "home"),
        (f"/~/revisions/{seed.revision.id}/home", None, "home"),
    ):  # fmt: skip
        found = await led(context(session, world.reader), base + path)
        assert found == (None, space, request, page), path


async def test_statements_of_a_published_address(
    session: Session, world: World, places: Places, queries: Queries
) -> None:
    ctx = context(session, world.reader)
    # The site, its sections, its site spaces, those that may be seen, and the space.
    with queries(5):
        await led(ctx, "https://acme.docs.example.net/guide/api")


async def test_content_in_both_doors(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    space = seed.space.id
    url = f"http://docs.test/s/{space}/~/changes/{seed.change_request.number}/start"
    response = await api.rest("GET", "/urls/content", world.reader, params={"url": url})
    body = response.json()
    assert body.keys() == {"space", "changeRequest", "page"}
    assert (body["space"]["id"], body["page"]["id"]) == (space, "home")
    query = """query($url: String!) { contentByUrl(url: $url) {
      collection { id } space { id } changeRequest { number } page { id: pageId title } } }"""
    data = await api.data(query, world.reader, url=url)
    assert data["contentByUrl"] == {
        "collection": None, "space": {"id": space},
        "changeRequest": {"number": seed.change_request.number},
        "page": {"id": "home", "title": "Start"},
    }  # fmt: skip
    url = f"http://docs.test/c/{seed.collection.id}"
    response = await api.rest("GET", "/urls/content", world.reader, params={"url": url})
    assert response.json().keys() == {"collection"}
    missing = await api.rest("GET", "/urls/content", world.reader)
    assert missing.status_code == 422
    assert missing.json()["error"]["message"] == "url: is required"
    assert (await api.rest("GET", "/urls/content", None, params={"url": url})).status_code == 401


# ------------------------------------------------------------------ embeds

HEAD = b"""<html><head><meta charset="utf-8"><title>Guide \xe2\x80\x93 one</title>
<meta property="og:site_name" content="Acme"><link rel="icon" href="icon.png?v=1"></head>"""
FILES = {
    "/page": ("text/html; charset=utf-8", HEAD),
    "/plain": ("text/html", b"<p>No head"),
    "/bad-icon": ("text/html", b'<title>A</title><link rel=icon href="javascript:alert(1)">'),
    "/long": ("text/html", b"<title>" + b"a" * 2000 + b"</title>"),
    "/files/A%20b.pdf": ("application/pdf", b"%PDF"),
    "/huge": ("text/html", b" " * 5_000_001),
}


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with serving(FILES) as running:
        yield running


def fetching(ctx: Context, server: Loopback) -> Context:
    ctx.imports = ImportAccess(Fetcher(Allowance(frozenset({("127.0.0.1", server.port)}))))
    return ctx


async def test_embedded_pages(session: Session, world: World, server: Loopback) -> None:
    await settle(session)
    ctx = fetching(context(session, world.outsider), server)

    async def shown(path: str) -> tuple[str, str, str | None]:
        found = await read(ctx, get_embed, server.url + path)
        assert (found.type.value, found.html) == ("link", None)
        return found.title, found.site, found.icon

    assert await shown("page") == ("Guide – one", "Acme", f"{server.url}icon.png?v=1")
    assert await shown("plain") == ("127.0.0.1", "127.0.0.1", None)
    assert await shown("bad-icon") == ("A", "127.0.0.1", None)
    assert await shown("long") == ("a" * 300, "127.0.0.1", None)
    assert await shown("files/A%20b.pdf") == ("A b.pdf", "127.0.0.1", None)
    for path in ("missing", "huge"):
        assert await shown(path) == (f"127.0.0.1/{path}", "127.0.0.1", None)
    for url in ("text", "ftp://a.example", ""):
        with pytest.raises(Invalid, match="url: "):
            await read(ctx, get_embed, url)


async def test_only_allowed_addresses_are_fetched(
    session: Session, world: World, server: Loopback
) -> None:
    await settle(session)
    ctx = context(session, world.reader)
    ctx.imports = ImportAccess(Fetcher())
    found = await read(ctx, get_embed, f"{server.url}page")
    assert (found.title, found.site, found.icon) == ("127.0.0.1/page", "127.0.0.1", None)
    assert server.requests == []


async def test_who_may_embed(session: Session, world: World, server: Loopback) -> None:
    space = await make_space(session, world.organization)
    hidden = await make_space(session, world.organization, default_level=None)
    site = await make_site(session, world.organization, space, published=True)
    await settle(session)
    url = f"{server.url}page"
    visitor = Actor(visitor=Visitor(site.id, site.organization_id, space_ids=frozenset({space.id})))
    refused: list[tuple[Context, Any, tuple[str, ...], type[ApiError]]] = [
        (Context(visitor, session), get_space_embed, (hidden.id, url), NotFound),
        (Context(Actor(), session), get_embed, (url,), Unauthenticated),
        (Context(Actor(), session), get_space_embed, (space.id, url), NotFound),
        (context(session, world.outsider), get_space_embed, (space.id, url), NotFound),
        (context(session, world.reader), get_space_embed, (hidden.id, url), NotFound),
    ]
    for ctx, operation, arguments, error in refused:
        with pytest.raises(error):
            await read(fetching(ctx, server), operation, *arguments)
    # Nothing that a visitor reads has this address.
    for operation, arguments in ((get_embed, (url,)), (get_space_embed, (space.id, url))):
        found = await read(fetching(Context(visitor, session), server), operation, *arguments)
        assert (found.type.value, found.title) == ("link", "127.0.0.1/page")
    assert server.requests == []
    ctx = fetching(context(session, world.reader), server)
    assert (await read(ctx, get_space_embed, space.id, url)).site == "Acme"


async def test_embeds_in_both_doors(
    api: Api, world: World, session: Session, server: Loopback
) -> None:
    space = await make_space(session, world.organization, default_level=DefaultLevel.READ)
    await session.commit()
    allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
    api.server.imports = ImportAccess(Fetcher(allowance))
    url = f"{server.url}page"
    expected = {
        "type": "link", "title": "Guide – one", "site": "Acme", "icon": f"{server.url}icon.png?v=1",
    }  # fmt: skip
    for path in ("/urls/embed", f"/spaces/{space.id}/embed"):
        response = await api.rest("GET", path, world.reader, params={"url": url})
        assert response.json() == expected
    query = """query($space: ID!, $url: String!) {
      embed(url: $url) { ...shown } spaceEmbed(spaceId: $space, url: $url) { ...shown }
      space(id: $space) { id } }
    fragment shown on Embed { type title site icon html }"""
    data = await api.data(query, world.reader, space=space.id, url=url)
    assert data["embed"] == data["spaceEmbed"] == expected | {"type": "LINK", "html": None}
    # What comes after a fetch is still read.
    assert data["space"] == {"id": space.id}


async def test_signed_addresses_of_files_in_texts_are_made_anew(
    api: Api, session: Session, world: World, seed: Seed
) -> None:
    """What was read and is sent back holds addresses that end; the file stays the same."""
    query = """query($id: ID!) { page(spaceId: $id, id: "child") {
      ... on DocumentPage { markdown } } }"""
    write = """mutation($id: ID!, $text: String!) { updatePage(spaceId: $id, input: {
      page: "child", body: {markdown: $text}}) { changed } }"""
    space = seed.space.id

    async def written(text: str) -> str:
        await api.data(write, world.creator, id=space, text=text)
        return str((await api.data(query, world.creator, id=space))["page"]["markdown"])

    ctx = context(session, world.creator)
    ctx.settings = Settings(public_url="http://docs.test")
    ctx.files = await api.server.file_access()
    read_first = await written("![x](docstead:file?file=apng)\n")
    elsewhere = f"http://docs.test/files/{seed.hidden.id}/abc/a.png?file=apng"
    await written(f"{read_first}\n![gone]({elsewhere})\n`{read_first.split()[-1]}`\n")
    moment = ctx.clock() + dt.timedelta(hours=5)
    later = replace(ctx, clock=lambda: moment)
    page = await read(later, get_page, space, "child")
    (markdown,) = await page_markdown(later, [page], PageMarkdownArguments())
    await session.commit()
    anew, gone, code = markdown.split()[-3:]
    ended = read_first.split()[-1]
    assert anew != ended
    assert anew.partition("expires=")[0] == ended.partition("expires=")[0]
    assert anew.endswith("&file=apng)")
    # Code, and what is not there, stay as they are written.
    assert (gone, code) == (f"![gone]({elsewhere})", f"`{ended}`")
