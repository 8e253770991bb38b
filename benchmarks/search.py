"""`python -m benchmarks.search`: search among 20,000 pages, through /v1, in one process.

The pages are there twice: in one space that is all an organization has, and in 200 spaces of
another. Each query is asked again and again of a warm server, of the space, of both organizations,
and of a site with the 200 spaces, by a person and by a visitor; the best and the median of 20 are
printed in ms, with how long it took to index the pages and to follow one edit.
"""

import argparse
import asyncio
import bisect
import datetime as dt
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from content.documents.keys import assign_keys
from content.documents.nodes import block, paragraph, text
from content.ordering import spread
from db.base import utc_now
from db.content_enums import PageType
from db.enums import Role
from db.ids import new_id
from db.migrate import migrate
from db.models.organizations import Member, Organization, User
from db.models.site_settings import PublishingAuth
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database
from docstead.asgi import create_app
from docstead.garbage import settle
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access import content_tokens
from resolvers.access.content_tokens import Grant
from resolvers.access.tokens import create_token
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.runners import run
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, first_revision
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import begin_with, commit_revision
from tests.postgres import TemporaryPostgres

WORDS, TIMES, SPACES = 20_000, 20, 200
# The driver plans a statement anew so many times.
WARM = 6
CHARACTERS, RUN = 2_000, 16
PHRASE = 5
CHARACTERS_OF_A_QUERY = 512
FIRST = "page0"


def _sums(number: int) -> list[float]:
    return list(itertools.accumulate(1 / (rank + 3) for rank in range(number)))


class Texts:
    """Random texts with words as frequent as those of a language."""

    def __init__(self) -> None:
        self._random = random.Random(1)
        letters = "abcdefghijklmnoprstuvw"
        self.words = [
            "".join(self._random.choices(letters, k=self._random.randint(3, 10)))
            for _ in range(WORDS)
        ]
        self.characters = [chr(0x4E00 + 7 * rank) for rank in range(CHARACTERS)]
        self._word_sums, self._character_sums = _sums(WORDS), _sums(CHARACTERS)

    def make(self, length: int) -> str:
        """A text of so many words."""
        return " ".join(self._some(self.words, self._word_sums, length))

    def run(self, length: int) -> str:
        """So many Chinese characters without a blank."""
        return "".join(self._some(self.characters, self._character_sums, length))

    def _some(self, chosen: list[str], sums: list[float], length: int) -> list[str]:
        top = sums[-1]
        return [chosen[bisect.bisect(sums, self._random.random() * top)] for _ in range(length)]


def page(texts: Texts, number: int, order: str, changes: Changes) -> Page:
    """A page of about 180 words under three headings, and some Chinese."""
    nodes = []
    for _ in range(3):
        nodes += [block("heading-2", [text(texts.make(4))]), paragraph([text(texts.make(60))])]
    nodes.append(paragraph([text(texts.run(RUN))]))
    assign_keys(nodes, str(number))
    document: dict[str, Any] = {"object": "document", "data": {}, "nodes": nodes}
    return Page(
        space_id="", revision_id="", id=f"page{number}", type=PageType.DOCUMENT,
        title=texts.make(3), parent_id=None, order=order, slug=f"page-{number}",
        description=texts.make(8), document_id=changes.add_document("", document),
    )  # fmt: skip


@dataclass
class Filled:
    """What was written: an organization with its spaces, who may read it, and seconds of writes."""

    organization: str
    site: str
    spaces: list[str] = field(default_factory=list)
    token: str = ""
    whole: float = 0
    edit: float = 0


async def fill(ctx: Context, texts: Texts, pages: int, spaces: int) -> Filled:
    """An organization with a person who may read it, and pages in so many spaces on a site."""
    session = ctx.session
    organization, user = Organization(title="Acme"), User(display_name="Ada")
    user.email = f"{new_id()}@b.example"
    session.add_all([organization, user])
    await session.flush()
    session.add(Member(organization_id=organization.id, user_id=user.id, role=Role.READ))
    site = Site(
        organization_id=organization.id, title="Docs", published=True,
        adaptive_content=True,
    )  # fmt: skip
    session.add(site)
    await session.flush()
    session.add(PublishingAuth(site_id=site.id))
    filled = Filled(organization.id, site.id)
    for place in range(spaces):
        space = Space(
            organization_id=organization.id, title=f"Space {place}", revision_id=new_id(),
            position=f"V{place:05}",
        )  # fmt: skip
        session.add(space)
        await session.flush()
        filled.spaces.append(space.id)
        session.add(
            SiteSpace(
                site_id=site.id, space_id=space.id, path=f"s{place}", position=place, place=place
            )
        )
        await _fill_space(ctx, texts, space, pages // spaces, filled)
    _, filled.token = await create_token(session, user.id, "bench")
    return filled


async def _fill_space(ctx: Context, texts: Texts, space: Space, pages: int, filled: Filled) -> None:
    target = Target(space.id, space, None, await first_revision(ctx, space.id, "Big"))
    space.revision_id = target.revision.id
    await begin_with(ctx, space, target.revision)
    changes = Changes()
    for number, order in enumerate(spread(pages)):
        changes.pages[f"page{number}"] = page(texts, number, order, changes)
    start = time.perf_counter()
    await commit_revision(ctx, target, changes)
    filled.whole += time.perf_counter() - start
    edit = Changes(before={FIRST: changes.pages[FIRST]})  # type: ignore[dict-item]
    edit.pages[FIRST] = page(texts, 0, changes.pages[FIRST].order, edit)  # type: ignore[union-attr]
    start = time.perf_counter()
    await commit_revision(ctx, target, edit)
    filled.edit += time.perf_counter() - start


def queries_of(texts: Texts) -> dict[str, str]:
    """What people type, by the name that it has in the figures."""
    words, characters = texts.words, texts.characters
    long = " ".join(words[:200])
    return {
        "a word of every page": f"{words[0]} ",
        "two frequent words": f"{words[20]} {words[100]} ",
        "the two most frequent words": f"{words[0]} {words[1]} ",
        "three words": f"{words[5]} {words[50]} {words[300]} ",
        "a rare word": f"{words[3000]} ",
        "two letters": words[0][:2],
        "three letters": words[0][:3],
        "two letters of rare words": words[9000][:2],
        "a word and two letters": f"{words[0]} {words[1][:2]}",
        "a word and three letters": f"{words[30]} {words[60][:3]}",
        "a phrase": f'"{words[0]} {words[1]}"',
        "a phrase of three": f'"{words[0]} {words[1]} {words[2]}"',
        "a phrase and two letters": f"{words[0]}_{words[1][:2]}",
        "a phrase and three letters": f"{words[0]}_{words[1][:3]}",
        "a phrase of two and two letters": f"{words[0]}_{words[1]}_{words[2][:2]}",
        "a phrase of two and three letters": f"{words[0]}_{words[1]}_{words[2][:3]}",
        "a phrase of rare words": f'"{words[3000]} {words[0]}"',
        "rare words and two letters": f"{words[0]}_{words[9000][:2]}",
        "16 frequent words": " ".join(words[:16]) + " ",
        "16 words of 512 characters": long[:CHARACTERS_OF_A_QUERY],
        "8 phrases": " ".join(f'"{words[n]} {words[n + 1]}"' for n in range(8)),
        "a phrase of 16": f'"{" ".join(words[:16])}"',
        "a character": characters[0],
        "two characters": "".join(characters[:2]),
        "three characters": "".join(characters[:3]),
        "a run of characters": "".join(characters[:PHRASE]),
        "any of two frequent words": f"{words[0]} {words[1]} zzzz ",
        "any of 15 frequent words": " ".join(words[:15]) + " zzzz ",
        "any of a phrase of frequent words": f'zzzz "{words[0]} {words[1]}" ',
        "any of a phrase and two letters": f"zzzz {words[0]}_{words[1][:2]}",
        "nothing": "zzzz yyyy ",
    }


@dataclass(frozen=True)
class Place:
    """Where is searched: an operation of /v1, and whose token it gets."""

    name: str
    path: str
    token: str
    site: bool = False

    async def ask(self, client: httpx2.AsyncClient, query: str) -> Mapping[str, Any]:
        """The answer to a query."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if self.site:
            body = {"query": query, "scope": {"mode": "all"}}
            answer = await client.post(f"/v1{self.path}?limit=10", json=body, headers=headers)
        else:
            params: dict[str, Any] = {"query": query, "limit": 10}
            answer = await client.get(f"/v1{self.path}", params=params, headers=headers)
        answer.raise_for_status()
        found: Mapping[str, Any] = answer.json()
        return found


async def places_of(server: Server, one: Filled, many: Filled) -> list[Place]:
    """Everywhere that is searched."""
    await server.file_access()
    key = server._token_key
    if key is None:
        raise RuntimeError("the server has no key for tokens")
    expires = utc_now() + dt.timedelta(hours=1)
    visits = {
        filled.site: content_tokens.issue(
            key, Grant(filled.organization, filled.site, "any", "any"), expires, []
        )
        for filled in (one, many)
    }
    site = f"/orgs/{many.organization}/sites/{many.site}/search"
    space = f"/spaces/{one.spaces[0]}/search"
    return [
        Place("space", space, one.token),
        Place("visitor", space, visits[one.site]),
        Place("org 1", f"/orgs/{one.organization}/search", one.token),
        Place("org 200", f"/orgs/{many.organization}/search", many.token),
        Place("site", site, many.token, site=True),
        Place("site visitor", site, visits[many.site], site=True),
    ]


async def write(server: Server, texts: Texts, pages: int, spaces: int) -> Filled:
    """Fill an organization, and print how long that took."""

    async def wanted(ctx: Context) -> Filled:
        # The benchmark writes what it measures; nobody else has access.
        policy_was_asked()
        return await fill(ctx, texts, pages, spaces)

    async with server.context_of(OPERATOR) as ctx:
        filled = await run(ctx, wanted)
    print(
        f"{pages} pages in {spaces} spaces written and indexed in {filled.whole:.1f} s,"
        f" one page in {filled.edit / spaces * 1000:.0f} ms"
    )
    return filled


async def ask_all(
    server: Server, settings: Settings, places: list[Place], queries: Mapping[str, str], times: int
) -> None:
    """Ask everything everywhere and print the figures."""
    print(f"  {'':34}" + "".join(f"{place.name:>20}" for place in places))
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
        for name, query in queries.items():
            print(f"  {name:34}", end="", flush=True)
            for place in places:
                taken = []
                for _ in range(times + WARM):
                    start = time.perf_counter()
                    answer = await place.ask(client, query)
                    taken.append((time.perf_counter() - start) * 1000)
                taken = taken[WARM:]
                figures = f"{min(taken):.1f} {statistics.median(taken):.1f}"
                print(f"{answer['count']:6} {figures:>13}", end="", flush=True)
            print()


async def measure(url: str, pages: int, times: int) -> None:
    """Fill a database and print the figures."""
    database = Database(url)
    await migrate(database)
    texts = Texts()
    settings = Settings(data_dir=Path(tempfile.mkdtemp()))
    server = Server(settings, database)
    one = await write(server, texts, pages, 1)
    many = await write(server, texts, pages, SPACES)
    if not database.is_sqlite:
        async with database.connection() as connection:
            await connection.exec_driver_sql("ANALYZE")
            await connection.commit()
    # As a server does when it starts: what was made to fill the database is not looked through.
    settle(settings.gc_threshold)
    places = await places_of(server, one, many)
    await ask_all(server, settings, places, queries_of(texts), times)
    await database.close()


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=20_000)
    options.add_argument("--times", type=int, default=TIMES)
    options.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    chosen = options.parse_args()
    if chosen.database != "postgresql":
        folder = tempfile.mkdtemp()
        print("SQLite")
        asyncio.run(measure(f"sqlite:///{folder}/search.sqlite3", chosen.pages, chosen.times))
    if chosen.database != "sqlite":
        with TemporaryPostgres() as server:
            print("PostgreSQL")
            url = server.create_database("search")
            asyncio.run(measure(url, chosen.pages, chosen.times))


if __name__ == "__main__":
    main()
