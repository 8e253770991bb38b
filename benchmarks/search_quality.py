"""`python -m benchmarks.search_quality SOURCE...`: does search find what people look for?

Each source (a folder, repository or bundle in the Git layout) is imported into a space. A seeded
generator makes four kinds of queries of its pages: whole titles, four distinctive words of a page,
titles and rare words with one typo, and the same in the other number. Each is asked of
`/v1/spaces/{id}/search` in this process. Printed are how many are found first, among the first
three and not among the first ten, and milliseconds and CPU of an answer. A page with the title
that was asked for counts as the page.
"""

import argparse
import asyncio
import math
import random
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from sqlalchemy import func, select, text
from strawberry import Some

from benchmarks.servers import migrated, store
from content.git.layout import read_space, space_folders
from content.search.words import word_texts
from content.sources.opening import open_source
from db.content_enums import SearchAudience
from db.enums import Role
from db.models.content_index import IndexedPage, IndexedSection
from db.models.organizations import Member, Organization, User
from db.session import Database
from docstead.asgi import create_app
from docstead.garbage import settle
from docstead.server import Server
from docstead.settings import Settings
from jobs.import_docs import import_space, prepare
from resolvers.access.tokens import create_token
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.spaces.operations import CreateSpaceInput

TITLES, OTHERS = 240, 160
LISTED, FIRST = 10, 3
# Words that are looked for by themselves: long enough to be mistyped, on few pages.
SHORTEST, RARE, DISTINCTIVE = 5, 3, 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WARM = 20
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and the pages any of which is what it looks for."""

    text: str
    pages: frozenset[str]


@dataclass(slots=True)
class Docs:
    """The pages of one space: words of titles and of whole pages, folded."""

    titles: dict[str, str] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    # On how many pages a word is.
    spread: Counter[str] = field(default_factory=Counter)

    def titled(self, title: str) -> frozenset[str]:
        """The pages with the same words in their titles."""
        words = word_texts(title)
        return frozenset(id for id, other in self.titles.items() if word_texts(other) == words)

    def with_word(self, word: str) -> frozenset[str]:
        return frozenset(id for id, words in self.words.items() if word in words)

    def distinctive(self, id: str) -> list[str]:
        """The words of a page that others have least, in relation to how often it has them."""
        counts = Counter(word for word in self.words[id] if word.isalpha() and word.isascii())
        weight = {
            word: (1 + math.log(count)) * math.log(1 + len(self.words) / self.spread[word])
            for word, count in counts.items()
            if len(word) >= SHORTEST
        }
        return sorted(weight, key=lambda word: (-weight[word], word))[:DISTINCTIVE]


async def read_docs(server: Server, client: httpx2.AsyncClient, space: str) -> Docs:
    """What people of the organization find in a space."""
    docs = Docs()
    answer = await client.get(f"/v1/spaces/{space}/content/pages")
    stack = list(answer.raise_for_status().json()["pages"])
    while stack:
        page = stack.pop()
        stack.extend(page.get("pages", ()))
        if page["type"] == "document":
            docs.titles[page["id"]] = page["title"]
    statement = (
        select(IndexedPage.page_id, IndexedSection.heading, IndexedSection.body)
        .join(IndexedSection, IndexedSection.page == IndexedPage.id)
        .where(
            IndexedPage.space_id == space,
            IndexedPage.searchable,
            IndexedPage.audience != SearchAudience.VISITORS,
            IndexedSection.position >= 0,
        )
        .order_by(IndexedPage.id, IndexedSection.position)
    )
    async with server.database.session() as session:
        found = await session.execute(select(IndexedPage.page_id).where(IndexedPage.searchable))
        searchable = set(found.scalars())
        for id, heading, body in await session.execute(statement):
            docs.words.setdefault(id, []).extend(word_texts(f"{heading}\n{body}"))
    docs.titles = {id: title for id, title in docs.titles.items() if id in searchable}
    for id, title in docs.titles.items():
        docs.words.setdefault(id, []).extend(word_texts(title))
    docs.words = {id: docs.words[id] for id in docs.titles}
    for words in docs.words.values():
        docs.spread.update(set(words))
    return docs


def mistyped(word: str, chance: random.Random) -> str:
    """A word with a letter left out, replaced or too many, or with two in the wrong order."""
    place = chance.randrange(len(word))
    letter = chance.choice(LETTERS)
    match chance.choice(("drop", "swap", "replace", "insert")):
        case "drop":
            return word[:place] + word[place + 1 :]
        case "swap":
            place = min(place, len(word) - 2)
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        case "replace":
            return word[:place] + letter + word[place + 1 :]
        case _:
            return word[:place] + letter + word[place:]


def other_number(word: str) -> str:
    """The plural of an English singular, or the singular of a plural."""
    if word.endswith("ies") and len(word) > SHORTEST:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if re.search("[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def changed(
    docs: Docs, chance: random.Random, change: Callable[[str], str], number: int
) -> list[Query]:
    """Titles with a word that is changed, and words of few pages that are, by turns."""
    queries: list[Query] = []
    ids = sorted(docs.titles)
    for turn in range(20 * number):
        if len(queries) == number:
            break
        id = chance.choice(ids)
        if turn % 2:
            places = [
                match
                for match in _WORD.finditer(docs.titles[id])
                if len(match[0]) >= SHORTEST and match[0].isascii()
            ]
            if not places:
                continue
            place = chance.choice(places)
            other = change(place[0].lower())
            title = docs.titles[id]
            if other != place[0].lower():
                text = title[: place.start()] + other + title[place.end() :]
                queries.append(Query(text, docs.titled(title)))
            continue
        rare = [word for word in docs.distinctive(id) if docs.spread[word] <= RARE]
        if rare:
            word = chance.choice(rare)
            other = change(word)
            # What is a word itself is not mistyped to whoever reads it.
            if other not in docs.spread:
                queries.append(Query(other, docs.with_word(word)))
    return queries


def queries_of(docs: Docs) -> dict[str, list[Query]]:
    """The queries of each kind; the same for the same pages."""
    chance = random.Random(1)
    ids = sorted(id for id, title in docs.titles.items() if word_texts(title))
    whole = chance.sample(ids, min(len(ids), TITLES))
    four: list[Query] = []
    for _ in range(TITLES):
        words = docs.distinctive(id := chance.choice(ids))
        if len(words) >= 4:
            four.append(Query(" ".join(chance.sample(words, 4)), frozenset([id])))
    return {
        "exact title": [Query(docs.titles[id], docs.titled(docs.titles[id])) for id in whole],
        "four words": four,
        "one typo": changed(docs, chance, lambda word: mistyped(word, chance), OTHERS),
        "other number": changed(docs, chance, other_number, OTHERS),
    }


@dataclass(slots=True)
class Asked:
    """The places of what was looked for, and the times and CPU times of the answers."""

    places: list[int | None] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    cpu: float = 0.0

    def line(self) -> str:
        number = len(self.places)
        first = sum(place == 0 for place in self.places)
        among = sum(place is not None and place < FIRST for place in self.places)
        missing = sum(place is None for place in self.places)
        times = sorted(self.times)
        return (
            f"{first:4}/{number} {among:4}/{number} {missing:4}"
            f" {1000 * statistics.median(times):8.1f} {1000 * times[int(number * 0.99)]:8.1f}"
            f" {1000 * self.cpu / number:8.1f}"
        )


async def ask(client: httpx2.AsyncClient, space: str, queries: Sequence[Query]) -> Asked:
    """Ask all queries, each as a person types it."""
    asked = Asked()
    for query in queries:
        start, cpu = time.perf_counter(), time.process_time()
        answer = await client.get(
            f"/v1/spaces/{space}/search", params={"query": query.text, "limit": LISTED}
        )
        asked.times.append(time.perf_counter() - start)
        asked.cpu += time.process_time() - cpu
        ids = [item["id"] for item in answer.raise_for_status().json()["items"]]
        places = [place for place, id in enumerate(ids) if id in query.pages]
        asked.places.append(places[0] if places else None)
        if not places or places[0]:
            asked.failed.append(f"{query.text!r} at {places[:1]}")
    return asked


async def fill(server: Server, sources: Sequence[str]) -> tuple[str, dict[str, str]]:
    """A person's token, and the space of each source."""
    spaces: dict[str, str] = {}
    async with server.context_of(OPERATOR) as ctx:
        session = ctx.session
        await session.begin_write()
        organization, user = Organization(title="Acme"), User(display_name="Ada")
        user.email = "ada@b.example"
        session.add_all([organization, user])
        await session.flush()
        session.add(Member(organization_id=organization.id, user_id=user.id, role=Role.READ))
        _, token = await create_token(session, user.id, "bench")
        id = organization.id
        await session.commit()
    for source in sources:
        async with server.context_of(OPERATOR) as ctx:
            ctx.files = await server.file_access()
            with open_source(source) as tree:
                folder, *_ = [*space_folders(tree.paths()), ""]
                prepared = prepare(read_space(tree, directory=folder), tree.commit)
                title = Path(source).stem
                start = time.process_time()
                done = await run(
                    ctx, import_space, id, CreateSpaceInput(title=Some(title)), prepared
                )
            seconds = time.process_time() - start
            print(f"{title}: {done.pages} pages written and indexed in {seconds:.1f} s of CPU")
            spaces[title] = done.space.id
    return token, spaces


async def index_bytes(database: Database) -> int:
    """How much the words of all pages take."""
    if database.is_sqlite:
        statement = (
            "SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%search_%' OR name LIKE '%spelling'"
        )
    else:
        statement = (
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
            "WHERE (relname LIKE 'search_%' OR relname = 'spelling') AND relkind = 'r'"
        )
    async with database.connection() as connection:
        return int((await connection.execute(text(statement))).scalar() or 0)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


async def measure(kind: str, sources: Sequence[str], show: bool) -> None:
    """Import into a database of this kind, ask and print."""
    with store(kind) as stored, _folder() as folder:
        async with migrated(stored.url) as database:
            settings = Settings(data_dir=folder)
            server = Server(settings, database)
            token, spaces = await fill(server, sources)
            async with server.database.session() as session:
                sections = select(
                    func.sum(func.length(IndexedSection.body + IndexedSection.heading))
                )
                text_size = (await session.execute(sections)).scalar()
            size = await index_bytes(database)
            if not database.is_sqlite:
                async with database.connection() as connection:
                    await connection.execute(text("ANALYZE"))
                    await connection.commit()
            settle(settings.gc_threshold)
            transport = httpx2.ASGITransport(app=create_app(settings, server))
            headers = {"Authorization": f"Bearer {token}"}
            print(f"{kind}: index of words {size:,} bytes, of {text_size:,} characters of text")
            print(f"{'':31} {'first':>8} {'in 3':>8} none {'p50 ms':>8} {'p99':>8} {'CPU':>8}")
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://x", headers=headers
            ) as client:
                for title, space in spaces.items():
                    docs = await read_docs(server, client, space)
                    for name, queries in queries_of(docs).items():
                        await ask(client, space, queries[:WARM])
                        asked = await ask(client, space, queries)
                        print(f"{title[:15]:15} {name:15} {asked.line()}", flush=True)
                        for line in asked.failed if show else ():
                            print("   ", line)


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.search_quality")
    options.add_argument("sources", nargs="+")
    options.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    options.add_argument("--show", action="store_true", help="print what is not found first")
    chosen = options.parse_args()
    kinds = ("sqlite", "postgresql") if chosen.database == "both" else (chosen.database,)
    for kind in kinds:
        asyncio.run(measure(kind, chosen.sources, chosen.show))


if __name__ == "__main__":
    main()
