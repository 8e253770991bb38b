"""Text of `if` blocks is for people of the organization: visitors' searches know nothing of it."""

import random
import re
from typing import Any

import pytest
from sqlalchemy import select

from db.models.content_index import ContentIndex, IndexedPage
from db.models.sites import Site
from db.session import Session
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from tests import factories
from tests.chance import without_ids
from tests.conftest import Api, Queries, World
from tests.resolvers.search.test_search import Writer
from tests.rest_compat.published.test_visitors import token

SPACE = """query($id: ID!, $query: String!) { space(id: $id) {
  search(query: $query, first: 50) {
    totalCount nodes { id: pageId title path sections { id: sectionId title path body html } }
  }
} }"""
SITE = """query($id: ID!, $query: String!) { site(id: $id) {
  search(query: $query, mode: ALL, first: 5) { totalCount nodes { id: spaceId pages(first: 20) {
    totalCount nodes { id: pageId title path sections { id: sectionId title path body html } }
  } } }
} }"""


class Searches:
    """A published site of one space, and everything that searches in it answers."""

    def __init__(self, api: Api, world: World, writer: Writer, site: Site) -> None:
        self.api, self.world, self.writer, self.site = api, world, writer, site

    async def member(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {await self.api.token_of(self.world.reader)}"}

    async def visitor(self, **claims: Any) -> dict[str, str]:
        return await token(self.api, self.site, claims=claims)

    async def answers(self, query: str, headers: dict[str, str]) -> list[tuple[list[str], str]]:
        """Ids of the pages that each search finds, and its answer as text."""
        organization = f"/orgs/{self.site.organization_id}"
        rest = self.api.rest
        params = {"query": query}
        found: list[tuple[list[str], str]] = []
        space = f"/spaces/{self.writer.space.id}/search"
        one = await rest("GET", space, None, headers=headers, params=params)
        ids = [item["id"] for item in one.json()["items"]]
        assert one.json()["count"] == len(ids)
        found.append((ids, one.text))
        several = await rest(
            "POST", f"{organization}/sites/{self.site.id}/search", None,
            {"query": query, "scope": {"mode": "all"}}, headers=headers,
        )  # fmt: skip
        everywhere = await rest(
            "GET", f"{organization}/search", None, headers=headers, params=params
        )
        for answer in (several, everywhere):
            if answer.status_code != 200:
                # The organization is not there for visitors.
                assert answer.status_code == 404
                continue
            items = answer.json()["items"]
            assert answer.json()["count"] == len(items)
            pages = [page["id"] for item in items for page in item["pages"]]
            assert bool(pages) == bool(items)
            found.append((pages, answer.text))
        for document, id in ((SPACE, self.writer.space.id), (SITE, self.site.id)):
            answer = await self.api.client.post(
                "/graphql", headers=headers,
                json={"query": document, "variables": {"id": id, "query": query}},
            )  # fmt: skip
            (shown,) = answer.json()["data"].values()
            lists = [shown["search"]]
            if document is SITE:
                lists = [node["pages"] for node in shown["search"]["nodes"]]
                assert shown["search"]["totalCount"] == len(lists)
            nodes = [node for part in lists for node in part["nodes"]]
            assert sum(part["totalCount"] for part in lists) == len(nodes)
            found.append(([node["id"] for node in nodes], answer.text))
        return found

    async def page(self, query: str) -> str:
        """The page of the published site with what was found; without the query itself."""
        answer = await self.api.client.get(f"/sites/{self.site.id}", params={"q": query})
        assert answer.status_code == 200
        (main,) = re.findall("<main.*</main>", answer.text, re.S)
        return str(main).replace(f"“{query}”", "").replace(f'value="{query}"', "")

    async def ids(self, query: str, headers: dict[str, str]) -> list[str]:
        """The pages that are found, which are the same for all searches."""
        lists = [ids for ids, _ in await self.answers(query, headers)]
        assert all(sorted(ids) == sorted(lists[0]) for ids in lists)
        return sorted(lists[0])


@pytest.fixture
async def searches(api: Api, session: Session, world: World) -> Searches:
    space = await factories.make_space(session, world.organization, title="Manual")
    site = await factories.make_site(
        session, world.organization, space, published=True, adaptive_content=True
    )
    await session.commit()
    return Searches(api, world, Writer(session, space), site)


def only_for(text: str, condition: str = "visitor.claims.beta") -> str:
    return f"{{% if {condition} %}}\n{text}\n{{% endif %}}\n"


INCLUDE = '{% include "/reusable-content/notice" %}\n'


async def test_visitors_do_not_find_it_and_others_do(searches: Searches) -> None:
    writer = searches.writer
    await writer.write(
        writer.page(
            "guide", "An apple.\n\n" + only_for("## Pears\n\nA pear and a plum.") + "\nEnd.\n"
        ),
        writer.page("plain", "An apple and a plum.\n"),
        writer.page("closed", "An apple.\n\n" + only_for("A pear."), no_index=True),
    )
    # Those whose claims meet the condition do not find it either.
    for visitor in (await searches.visitor(), await searches.visitor(beta=True)):
        assert await searches.ids("apple", visitor) == ["guide", "plain"]
        assert await searches.ids("plum", visitor) == ["plain"]
        for query in ("pear ", "pears", "pe", '"a pear"', "guide pear", "apple pear"):
            for ids, answer in await searches.answers(query, visitor):
                assert "guide" not in ids or query in ("guide pear", "apple pear")
                assert "pear" not in without_ids(answer).lower()
            assert "A pear" not in re.sub("</?mark>", "", await searches.page(query))
    member = await searches.member()
    assert await searches.ids("apple", member) == ["guide", "plain"]
    assert await searches.ids("plum", member) == ["guide", "plain"]
    assert await searches.ids("pears", member) == ["guide"]
    for _, answer in await searches.answers("pear", member):
        assert "A pear and a plum." in re.sub("</?mark>", "", answer)


async def test_hits_lead_to_the_anchors_that_pages_have(searches: Searches) -> None:
    """A heading that a visitor does not see has taken the plain anchor."""
    writer = searches.writer
    body = only_for("## Setup\n\nA pear.") + "\n## Setup\n\nAn apple.\n"
    await writer.write(writer.page("guide", body))
    path = f"/spaces/{writer.space.id}/search?query=apple"
    for headers in (await searches.visitor(), await searches.member()):
        (item,) = (await searches.api.rest("GET", path, None, headers=headers)).json()["items"]
        assert [one["path"] for one in item["sections"]] == ["guide#setup-1"]


async def test_what_is_included(searches: Searches) -> None:
    """A content that is included has `if` blocks, is included in one, or both."""
    writer, member, visitor = searches.writer, await searches.member(), await searches.visitor()
    await writer.write(
        writer.page("open", INCLUDE), writer.page("inside", f"Text.\n\n{only_for(INCLUDE)}"),
        contents={"notice": f"Lemon.\n\n{only_for('Melon.')}"},
    )  # fmt: skip
    assert await searches.ids("lemon", member) == ["inside", "open"]
    assert await searches.ids("melon", member) == ["inside", "open"]
    assert await searches.ids("lemon", visitor) == ["open"]
    assert await searches.ids("melon", visitor) == []
    # The index follows: the condition goes, and comes for all of it.
    await writer.write(contents={"notice": "Lemon. Melon.\n"})
    assert await searches.ids("melon", visitor) == ["open"]
    await writer.write(contents={"notice": only_for("Lemon. Melon.")})
    assert await searches.ids("lemon", visitor) == []
    assert await searches.ids("lemon", member) == ["inside", "open"]


async def test_the_index_follows(session: Session, searches: Searches) -> None:
    writer, member, visitor = searches.writer, await searches.member(), await searches.visitor()
    await writer.write(writer.page("a", "A pear.\n"))
    assert await searches.ids("pear", visitor) == ["a"]
    await writer.write(writer.page("a", only_for("A pear.")))
    assert (await searches.ids("pear", visitor), await searches.ids("pear", member)) == ([], ["a"])
    await writer.write(writer.page("a", title="Pears"))
    assert await searches.ids("pears", visitor) == ["a"]
    await writer.write(writer.page("a", no_index=True))
    assert (await searches.ids("pears", visitor), await searches.ids("pears", member)) == ([], [])
    await writer.write(writer.page("a", "A pear.\n", no_index=False))
    assert await searches.ids("pear", visitor) == ["a"]
    await writer.write(removed=("a",))
    assert list(await session.scalars(select(IndexedPage.id))) == []


async def test_spaces_of_older_versions(session: Session, searches: Searches) -> None:
    """Visitors find nothing in them until they are indexed again, which the server does."""
    writer, member, visitor = searches.writer, await searches.member(), await searches.visitor()
    await writer.write(writer.page("a", f"Plum.\n\n{only_for('A pear.')}"))
    await session.begin_write()
    state = await session.get_one(ContentIndex, writer.space.id)
    state.format = 1
    await session.commit()
    ctx = Context(OPERATOR, session)
    (done,) = await reindex(ctx, again=False)
    assert done.space_id == writer.space.id
    assert await searches.ids("plum", visitor) == ["a"]
    assert (await searches.ids("pear", visitor), await searches.ids("pear", member)) == ([], ["a"])


CONDITIONS = ("true", "visitor.claims.x", "(", "1 == 2")


def random_text(chance: random.Random, words: dict[str, bool], *, inside: bool, depth: int) -> str:
    """Blocks within each other; each text is a word of its own, of which `words` says whether it
    is in an `if` block."""
    pieces: list[str] = []
    for _ in range(chance.randint(1, 3)):
        word = "w" + "".join(chance.choices("bcdfghjklm", k=9))
        kind = chance.choice(("text", "heading", "if", "hint", "tabs", "list", "details", "table"))
        if kind == "if" or (kind in ("hint", "tabs", "details") and depth < 3):
            within = inside or kind == "if"
            text = random_text(chance, words, inside=within, depth=depth + 1) if depth < 3 else word
            if depth >= 3:
                words[word] = within
            pieces.append(
                {
                    "if": only_for(text, chance.choice(CONDITIONS)),
                    "hint": f'{{% hint style="info" %}}\n{text}\n{{% endhint %}}\n',
                    "tabs": '{% tabs %}\n{% tab title="T" %}\n' + text
                            + "\n{% endtab %}\n{% endtabs %}\n",
                    "details": f"<details>\n\n<summary>S</summary>\n\n{text}\n\n</details>\n",
                }[kind]
            )  # fmt: skip
            continue
        words[word] = inside
        pieces.append(
            {"heading": f"## {word}\n", "list": f"* {word}\n",
             "table": f"| {word} | A |\n| --- | --- |\n| b | c |\n"}.get(kind, f"{word}\n")
        )  # fmt: skip
    return "\n".join(pieces)


@pytest.mark.parametrize("seed", range(4))
async def test_words_of_if_blocks_are_in_no_answer(searches: Searches, seed: int) -> None:
    chance = random.Random(seed)
    words: dict[str, bool] = {}
    writer = searches.writer
    texts = [random_text(chance, words, inside=False, depth=0) for _ in range(6)]
    notice = random_text(chance, words, inside=False, depth=1)
    await writer.write(
        *(
            writer.page(f"p{number}", f"Common.\n\n{text}\n" + (INCLUDE if number % 2 else ""))
            for number, text in enumerate(texts)
        ),
        contents={"notice": notice},
    )
    secret = {word for word, inside in words.items() if inside}
    assert secret
    member, visitor = await searches.member(), await searches.visitor(x=True)
    asked = chance.sample(sorted(words), min(len(words), 12))
    for query in [*asked, "common", "common " + " ".join(sorted(secret)[:9])]:
        everyone = await searches.ids(query, member)
        assert everyone, query
        if query in words or query == "common":
            expected = [] if query in secret else everyone
            assert await searches.ids(query, visitor) == expected, query
        shown = [text for _, text in await searches.answers(query, visitor)]
        for text in (*shown, await searches.page(query)):
            assert not [word for word in secret - set(query.split()) if word in text]
            if query in secret:
                assert query not in text


async def test_no_more_statements(
    api: Api, world: World, searches: Searches, queries: Queries
) -> None:
    writer = searches.writer
    await writer.write(
        *(writer.page(f"p{number}", f"Plum.\n\n{only_for('Pear.')}") for number in range(20))
    )
    path, params = f"/spaces/{writer.space.id}/search", {"query": "plum"}
    await api.rest("GET", path, world.reader, params=params)
    # The token, the space, the pages, the revision; what was found in these pages is known, and how
    # many there are.
    with queries(4):
        answer = await api.rest("GET", path, world.reader, params={**params, "limit": "50"})
    assert answer.json()["count"] == 20
    # What was asked before: the token, and whether the reader finds the space and its index so.
    with queries(2):
        again = await api.rest("GET", path, world.reader, params={**params, "limit": "50"})
    assert again.content == answer.content
    # Where others follow, their number is asked for.
    with queries(5):
        answer = await api.rest("GET", path, world.reader, params={**params, "limit": "19"})
    assert (answer.json()["count"], len(answer.json()["items"])) == (20, 19)


def readings(statement: str) -> int:
    """How many common table expressions SQLite reads to plan a statement: it reads each wherever it
    is named, with all that it names."""
    _, *parts = re.split(r'("?\w+"?) AS MATERIALIZED', statement)
    last, _, selected = parts[-1].rpartition("\n SELECT shown")
    read: dict[str, int] = {}

    def read_by(part: str) -> int:
        return sum(read.get(name, 0) for name in re.findall(r'(?:FROM|JOIN) "?(\w+)', part))

    for name, part in zip(parts[::2], [*parts[1:-1:2], last], strict=True):
        read[name.strip('"')] = 1 + read_by(part)
    return read_by(selected)


async def test_little_is_read_to_plan_a_search(searches: Searches, queries: Queries) -> None:
    """One name more can double it; at 15,000 planning took longer than all the rest."""
    if not searches.api.server.database.is_sqlite:
        # PostgreSQL reads each once.
        return
    writer = searches.writer
    await writer.write(writer.page("a", "A pear.\n"))
    queries.statements.clear()
    await searches.ids("pear", await searches.member())
    ranking = [text for text in queries.statements if "\n SELECT shown" in text]
    assert ranking
    assert all(1_000 < readings(text) < 3_000 for text in ranking)
