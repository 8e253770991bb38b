"""`python -m benchmarks.search`: search in a space of 20,000 pages, through /v1, in one process.

Each query is asked again and again of a warm server; the median and the slowest of 20 are printed,
with how long it took to index the pages and to follow one edit.
"""

import argparse
import asyncio
import bisect
import itertools
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from content.markdown.keys import assign_keys
from content.markdown.nodes import block, paragraph, text
from content.ordering import spread
from db.content_enums import PageType
from db.enums import Role
from db.ids import new_id
from db.migrate import migrate
from db.models.people import Member, Organization, User
from db.models.spaces import Space
from db.session import Database
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.content_commits import commit_revision, follow_revision
from resolvers.content_targets import Target
from resolvers.context import OPERATOR, Context, policy_was_asked, run
from resolvers.page_rows import Page
from resolvers.revisions import Changes, first_revision
from resolvers.tokens import create_token
from tests.postgres import TemporaryPostgres

WORDS, TIMES = 20_000, 20


class Texts:
    """Random texts with words as frequent as those of a language."""

    def __init__(self) -> None:
        self._random = random.Random(1)
        letters = "abcdefghijklmnoprstuvw"
        self.words = [
            "".join(self._random.choices(letters, k=self._random.randint(3, 10)))
            for _ in range(WORDS)
        ]
        self._sums = list(itertools.accumulate(1 / (rank + 3) for rank in range(WORDS)))

    def make(self, length: int) -> str:
        """A text of so many words."""
        top = self._sums[-1]
        return " ".join(
            self.words[bisect.bisect(self._sums, self._random.random() * top)]
            for _ in range(length)
        )


def page(texts: Texts, number: int, order: str, changes: Changes) -> Page:
    """A page of about 180 words under three headings."""
    nodes = []
    for _ in range(3):
        nodes += [block("heading-2", [text(texts.make(4))]), paragraph([text(texts.make(60))])]
    assign_keys(nodes, str(number))
    document: dict[str, Any] = {"object": "document", "data": {}, "nodes": nodes}
    return Page(
        space_id="", revision_id="", id=f"page{number}", type=PageType.DOCUMENT,
        title=texts.make(3), parent_id=None, order=order, slug=f"page-{number}",
        description=texts.make(8), document_id=changes.add_document("", document),
    )  # fmt: skip


async def fill(ctx: Context, texts: Texts, pages: int) -> tuple[str, str, float, float]:
    """A space with pages and a person who may read it: space, token, seconds of two writes."""
    session = ctx.session
    organization, user = Organization(title="Acme"), User(display_name="Ada", email="a@b.example")
    session.add_all([organization, user])
    await session.flush()
    session.add(Member(organization_id=organization.id, user_id=user.id, role=Role.READ))
    space = Space(organization_id=organization.id, title="Big", revision_id=new_id(), position="V")
    session.add(space)
    await session.flush()
    target = Target(space.id, space, None, await first_revision(ctx, space.id, "Big"))
    space.revision_id = target.revision.id
    await follow_revision(ctx, target, None)
    changes = Changes()
    for number, order in enumerate(spread(pages)):
        changes.pages[f"page{number}"] = page(texts, number, order, changes)
    start = time.perf_counter()
    await commit_revision(ctx, target, changes)
    whole = time.perf_counter() - start
    edit = Changes(before={"page7": changes.pages["page7"]})  # type: ignore[dict-item]
    edit.pages["page7"] = page(texts, 7, changes.pages["page7"].order, edit)  # type: ignore[union-attr]
    start = time.perf_counter()
    await commit_revision(ctx, target, edit)
    one = time.perf_counter() - start
    _, token = await create_token(session, user.id, "bench")
    return space.id, token, whole, one


async def measure(url: str, pages: int) -> None:
    """Fill a database and print the figures."""
    database = Database(url)
    await migrate(database)
    texts = Texts()
    settings = Settings(data_dir=Path(tempfile.mkdtemp()))
    server = Server(settings, database)
    async with server.context_of(OPERATOR) as ctx:

        async def write(ctx: Context) -> tuple[str, str, float, float]:
            # The benchmark writes what it measures; nobody else has access.
            policy_was_asked()
            return await fill(ctx, texts, pages)

        space, token, whole, one = await run(ctx, write)
    print(f"{pages} pages written and indexed in {whole:.1f} s, one page in {one * 1000:.0f} ms")
    if not database.is_sqlite:
        async with database.connection() as connection:
            await connection.exec_driver_sql("ANALYZE")
            await connection.commit()
    words = texts.words
    queries = {
        "in every page": words[0],
        "two frequent words": f"{words[20]} {words[100]} ",
        "three words": f"{words[5]} {words[50]} {words[300]} ",
        "a rare word": f"{words[3000]} ",
        "a beginning": f"{words[30]} {words[60][:3]}",
        "a phrase": f'"{words[1]} {words[2]}"',
        "nothing": "zzzz yyyy ",
    }
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
        for name, query in queries.items():
            times = []
            for _ in range(TIMES + 2):
                start = time.perf_counter()
                answer = await client.get(
                    f"/v1/spaces/{space}/search", params={"query": query, "limit": 10},
                    headers=headers,
                )  # fmt: skip
                times.append((time.perf_counter() - start) * 1000)
                answer.raise_for_status()
            times = times[2:]
            median = statistics.median(times)
            print(f"  {name:20} {answer.json()['count']:5}  {median:6.1f} ms  {max(times):6.1f} ms")
    await database.close()


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=20_000)
    options.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    chosen = options.parse_args()
    if chosen.database != "postgresql":
        folder = tempfile.mkdtemp()
        print("SQLite")
        asyncio.run(measure(f"sqlite:///{folder}/search.sqlite3", chosen.pages))
    if chosen.database != "sqlite":
        with TemporaryPostgres() as server:
            print("PostgreSQL")
            asyncio.run(measure(server.create_database("search"), chosen.pages))


if __name__ == "__main__":
    main()
