"""Search against a naive reading of every page, with few words, so that phrases nearly match."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from content.search.query import Term, parse_query
from content.search.words import stems_of, word_texts
from db.session import Session
from resolvers.search import postgresql as search_postgresql, sqlite as search_sqlite
from tests import factories
from tests.conftest import Api, World
from tests.resolvers.search.test_search import Writer, search

WORDS = ("of", "off", "offer", "the", "thermal", "theory", "a", "an", "東京", "京都", "東京都", "é")
PAGES, FEW, QUERIES, LONGEST = 40, 10, 60, 4
Fields = tuple[tuple[str, ...], ...]


def text(chance: random.Random, most: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, most)))


def has(fields: Fields, term: Term) -> bool:
    """Whether the words of the term stand next to each other in a field."""
    *whole, last = term.words
    return any(
        list(words[start : start + len(whole)]) == whole
        and (words[start + len(whole)] in (last, *term.others)
             or (term.prefix and words[start + len(whole)].startswith(last)))
        for words in fields
        for start in range(len(words) - len(whole))
    )  # fmt: skip


def found(pages: dict[str, Fields], query: str) -> set[str]:
    """The pages with every term of a query, or else with any."""
    terms = parse_query(query).terms
    every = {id for id, one in pages.items() if all(has(one, term) for term in terms)}
    return every or {id for id, one in pages.items() if any(has(one, term) for term in terms)}


def queries(chance: random.Random) -> Iterable[str]:
    """Words, phrases, and both with an unfinished end."""
    for _ in range(QUERIES):
        words = text(chance, LONGEST)
        joined = words.replace(" ", "_")
        yield chance.choice((
            words, f"{words} ", f'"{words}"', joined, joined[:-1] or "a", f"{joined} ",
            f'{text(chance, 2)} "{words}" ', f"zzz {joined}", f'zzz "{words}" ',
        ))  # fmt: skip


async def written(session: Session, world: World, title: str) -> Writer:
    """A space without pages."""
    space = await factories.make_space(session, world.organization, title=title)
    await session.commit()
    return Writer(session, space)


@pytest.mark.parametrize("seed", range(3))
async def test_the_same_pages_as_by_reading_them(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """In a space and in the organization; where too many match, some of them are listed."""
    chance = random.Random(seed)
    writer = await written(session, world, "Full")
    other = await written(session, world, "Other")
    pages: dict[str, Fields] = {}
    rows = []
    for number in range(PAGES):
        id, title, description = f"p{number}", text(chance, 3), text(chance, 3)
        heading, body = text(chance, 3), text(chance, 12)
        markdown = f"## {heading}\n\n{body}\n"
        rows.append(writer.page(id, markdown, title=title, description=description))
        # As it is read: phrases are found across the ends of blocks.
        whole = f"{title}\n{description}\n{heading}\n{body}"
        pages[id] = tuple(
            tuple(stems_of(word_texts(one))) for one in (title, heading, description, whole)
        )
    await writer.write(*rows)
    await other.write(other.page("nothing", "Nothing.\n", title="Nothing"))
    path = f"/orgs/{world.organization.id}/search"
    for query in queries(chance):
        expected = found(pages, query)
        for most in (PAGES, FEW):
            for engine in (search_sqlite, search_postgresql):
                monkeypatch.setattr(engine, "most_ranked", lambda terms, most=most: most)
            listed = await search(api, writer.space, query, world.reader, limit=PAGES)
            assert set(listed) <= expected, query
            assert len(set(listed)) == len(listed) >= min(most, len(expected)), query
            answer = await api.rest("GET", path, world.reader, params={"query": query})
            spaces = [item["id"] for item in answer.json()["items"]]
            assert spaces == ([writer.space.id] if expected else []), query
            assert answer.json()["count"] == len(spaces), query


SPREAD = """query($id: ID!, $text: String!, $first: Int!, $after: String) {
  organization(id: $id) { search(query: $text) { nodes {
    id: spaceId pages(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id: pageId }
  } } } }
}"""


@pytest.mark.parametrize("most", [PAGES, FEW])
async def test_pages_that_come_with_their_spaces(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """They are those, in the order, with the number, of a list of the pages by itself."""
    chance = random.Random(most)
    for engine in (search_sqlite, search_postgresql):
        monkeypatch.setattr(engine, "most_ranked", lambda terms: most)
    for title in ("One", "Two", "Three"):
        writer = await written(session, world, title)
        await writer.write(
            *(
                writer.page(f"p{number}", f"{text(chance, 12)}\n", title=text(chance, 3))
                for number in range(PAGES // 2)
            )
        )

    async def pages(query: str, first: int, after: str | None = None) -> dict[str, Any]:
        variables = {"text": query, "first": first, "after": after}
        data = await api.data(SPREAD, world.reader, id=world.organization.id, **variables)
        nodes = data["organization"]["search"]["nodes"]
        return {node["id"]: node["pages"] for node in nodes}

    seen = 0
    for query in queries(chance):
        whole, some = await pages(query, PAGES), await pages(query, 3)
        assert list(whole) == list(some), query
        for space, one in some.items():
            ids = [node["id"] for node in whole[space]["nodes"]]
            assert [node["id"] for node in one["nodes"]] == ids[:3], query
            assert one["totalCount"] == whole[space]["totalCount"], query
            # Where fewer are ranked than can be listed, others are counted only.
            assert most < PAGES or one["totalCount"] == len(ids), query
            assert one["pageInfo"]["hasNextPage"] is (len(ids) > 3), query
            if len(some) == 1 and len(ids) > 3:
                more = await pages(query, 3, one["pageInfo"]["endCursor"])
                assert [node["id"] for node in more[space]["nodes"]] == ids[3:6], query
            seen += len(ids)
    assert seen > QUERIES
