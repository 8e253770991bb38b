"""Embeds of published pages: what a content token has fetched, and what it never has."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.reading import SessionReader
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.core import embed_cache
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.embed_cache import EmbedCache
from resolvers.core.errors import Invalid, NotFound
from resolvers.core.installation import ImportAccess
from resolvers.core.rate_limits import RateLimit, RateLimits
from resolvers.core.runners import read
from resolvers.published.embeds import get_embed, get_space_embed
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Changes, revision_of_space, write_revision
from resolvers.search.index import index_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.fetching.servers import Loopback, serving
from tests.published.sites import make_flat

PAGE = ("text/html", b"<title>Remote</title>")
FILES = {f"/{name}": PAGE for name in (
    "open", "hidden", "withheld", "reused", "draft", "linked", "nowhere", "moved", "elsewhere",
)}  # fmt: skip
OPEN = """{{% embed url="{0}open" %}}

[A link]({0}linked)

{{% if space.vars.edition == "pro" %}}
{{% embed url="{0}withheld" %}}
{{% endif %}}
"""


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with serving(FILES) as running:
        yield running


@dataclass
class Made:
    space: str
    other: str
    site: str
    organization: str
    preview: str
    url: str


def changes_of(space_id: str, pages: dict[str, tuple[str, str | None]]) -> Changes:
    """Pages by id: the body and a condition."""
    changes = Changes()
    for (id, (text, condition)), order in zip(pages.items(), spread(len(pages)), strict=True):
        document = parse_document(text, seed=id)
        changes.pages[id] = Page(
            space_id=space_id, revision_id="", id=id, type=PageType.DOCUMENT, title=id,
            parent_id=None, order=order, slug=id, condition=condition,
            document_id=changes.add_document(text, document),
        )  # fmt: skip
    return changes


@pytest.fixture
async def made(session: Session, world: World, server: Loopback) -> Made:
    published = await make_flat(session, world.organization, "one")
    space = published.site_spaces["one"].space_id
    other = await factories.make_space(session, world.organization)

    def embed(name: str) -> str:
        return f'{{% embed url="{server.url}{name}" %}}\n'

    ctx = context(session)
    changes = changes_of(space, {
        "home": (OPEN.format(server.url), None),
        "secret": (embed("hidden"), "visitor.claims.plan == 'pro'"),
        "gone": (embed("moved"), None),
    })  # fmt: skip
    reused = embed("reused")
    changes.contents["notice"] = ReusableContent(
        space_id=space, revision_id="", id="notice", title="Notice",
        document_id=changes.add_document(reused, parse_document(reused, seed="notice")),
    )  # fmt: skip
    row = await session.get(factories.Space, space)
    assert row is not None
    first = await write_revision(ctx, space, None, changes)
    row.revision_id = first.id
    await index_revision(ctx, space, None, first)
    edited = changes_of(space, {"home": (embed("draft"), None)})
    preview = await write_revision(ctx, space, first, edited)
    theirs = await write_revision(
        ctx, other.id, None, changes_of(other.id, {"home": (embed("elsewhere"), None)})
    )
    other.revision_id = theirs.id
    await index_revision(ctx, other.id, None, theirs)
    found = Made(space, other.id, published.site.id, world.organization.id, preview.id, server.url)
    await settle(session)
    return found


def visiting(session: Session, made: Made, server: Loopback, **seen: Any) -> Context:
    visitor = Visitor(made.site, made.organization, space_ids=frozenset({made.space}), **seen)
    ctx = Context(Actor(visitor=visitor), session)
    ctx.imports = ImportAccess(Fetcher(Allowance(frozenset({("127.0.0.1", server.port)}))))
    return ctx


@pytest.mark.parametrize(
    ("name", "seen", "fetched"),
    [
        ("open", {}, True),
        ("linked", {}, True),
        ("reused", {}, True),
        ("moved", {}, True),
        ("withheld", {}, False),
        ("hidden", {}, False),
        ("hidden", {"claims": {"plan": "pro"}}, True),
        ("draft", {}, False),
        ("draft", {"revision_id": True}, True),
        ("elsewhere", {}, False),
        ("nowhere", {}, False),
        ("open?x=1", {}, False),
    ],
)
async def test_only_what_a_visitor_reads_is_fetched(
    session: Session, made: Made, server: Loopback, name: str, seen: dict[str, Any], fetched: bool
) -> None:
    if "revision_id" in seen:
        seen = {"revision_id": made.preview}
    url = f"{server.url}{name}"
    for operation, arguments in ((get_space_embed, (made.space, url)), (get_embed, (url,))):
        ctx = visiting(session, made, server, **seen)
        found = await read(ctx, operation, *arguments)
        title = "Remote" if fetched else f"127.0.0.1/{name.partition('?')[0]}"
        assert (found.type.value, found.title, found.site) == ("link", title, "127.0.0.1")
    assert len(server.requests) == (2 if fetched else 0)
    ctx = visiting(session, made, server, **seen)
    with pytest.raises(NotFound):
        await read(ctx, get_space_embed, made.other, url)


async def test_nothing_of_the_database_is_held_meanwhile(
    session: Session, made: Made, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that is not alone begins a snapshot, which the read would keep."""
    alone: list[bool] = []
    fetch = SessionReader.fetch

    async def noted(self: SessionReader, *args: Any, **options: Any) -> list[Any]:
        alone.append(options["alone"])
        return await fetch(self, *args, **options)

    monkeypatch.setattr(SessionReader, "fetch", noted)
    for operation, arguments in ((get_space_embed, (made.space,)), (get_embed, ())):
        found = await read(
            visiting(session, made, server), operation, *arguments, f"{server.url}open"
        )
        assert found.title == "Remote"
    assert len(alone) > 4
    assert all(alone)


async def test_what_is_known_is_not_fetched_again(
    session: Session, made: Made, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    ctx = visiting(session, made, server)
    assert ctx.imports is not None
    ctx.imports = ImportAccess(ctx.imports.fetcher, embeds=EmbedCache(lambda: now[0]))
    ctx.limits = RateLimits(embeds=RateLimit(2, clock=lambda: 0.0))

    async def title(name: str) -> str:
        found = await read(ctx, get_space_embed, made.space, f"{server.url}{name}")
        return found.title

    assert [await title("open") for _ in range(3)] == ["Remote"] * 3
    assert len(server.requests) == 1
    now[0] = embed_cache.LASTS + 1
    assert await title("open") == "Remote"
    assert len(server.requests) == 2
    # The site has had its fetches: links, until there are new ones.
    assert await title("linked") == "127.0.0.1/linked"
    assert await title("open") == "Remote"
    ctx.limits = RateLimits()
    assert await title("linked") == "Remote"
    monkeypatch.setattr(embed_cache, "ADDRESSES", 1)
    assert await title("moved") == "Remote"
    assert len(server.requests) == 4
    assert await title("moved") == "Remote"
    assert len(server.requests) == 4


async def test_addresses_that_cannot_be_fetched(session: Session, made: Made) -> None:
    await session.begin_write()
    ctx = context(session)
    urls = [
        "http://127.0.0.1:1/secret", "https://docs.invalid/a%20b/", "http://10.0.0.1/",
        "https://www.youtube.com/watch?v=abcdefghijk", "http://user:pass@docs.invalid/x",
    ]  # fmt: skip
    text = "\n".join(f'{{% embed url="{url}" %}}\n' for url in urls)
    space = await session.get_one(factories.Space, made.space)
    before = await revision_of_space(ctx, space)
    revision = await write_revision(
        ctx, made.space, before, changes_of(made.space, {"a": (text, None)})
    )
    space.revision_id = revision.id
    await index_revision(ctx, made.space, before, revision)
    await settle(session)
    visitor = Visitor(made.site, made.organization, space_ids=frozenset({made.space}))
    ctx = Context(Actor(visitor=visitor), session)

    async def nowhere(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    ctx.imports = ImportAccess(Fetcher(resolve=nowhere))
    shown = [await read(ctx, get_space_embed, made.space, url) for url in urls]
    assert [(one.type.value, one.title, one.site) for one in shown] == [
        ("link", "127.0.0.1/secret", "127.0.0.1"),
        ("link", "docs.invalid/a b", "docs.invalid"),
        ("link", "10.0.0.1", "10.0.0.1"),
        ("rich", "youtube.com/watch", "youtube.com"),
        ("link", "docs.invalid/x", "docs.invalid"),
    ]
    for url in ("text", "ftp://a.example", "", "https://"):
        with pytest.raises(Invalid, match="url: "):
            await read(ctx, get_space_embed, made.space, url)


async def test_a_content_token_in_both_doors(
    api: Api, session: Session, made: Made, server: Loopback
) -> None:
    allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
    api.server.imports = ImportAccess(Fetcher(allowance))
    content = await api.rest(
        "POST", "/urls/published", None, {"url": f"http://docs.test/sites/{made.site}"}
    )
    headers = {"Authorization": f"Bearer {content.json()['apiToken']}"}
    expected = {"type": "link", "title": "Remote", "site": "127.0.0.1"}
    url = f"{server.url}open"
    for path in (f"/spaces/{made.space}/embed", "/urls/embed"):
        answer = await api.rest("GET", path, None, params={"url": url}, headers=headers)
        assert (answer.status_code, answer.json()) == (200, expected)
        answer = await api.rest(
            "GET", path, None, params={"url": f"{server.url}nowhere"}, headers=headers
        )
        assert (answer.status_code, answer.json()["title"]) == (200, "127.0.0.1/nowhere")
        assert (await api.rest("GET", path, None, headers=headers)).status_code == 422
    query = """query($space: ID!, $url: String!) {
      spaceEmbed(spaceId: $space, url: $url) { type title site } space(id: $space) { id } }"""
    answer = await api.client.post(
        "/graphql", json={"query": query, "variables": {"space": made.space, "url": url}},
        headers=headers,
    )  # fmt: skip
    assert answer.json()["data"] == {
        "spaceEmbed": expected | {"type": "LINK"}, "space": {"id": made.space},
    }  # fmt: skip
    assert len(server.requests) == 1
