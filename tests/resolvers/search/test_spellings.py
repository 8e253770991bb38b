"""Words in other forms and with mistakes, titles and phrases: on both databases, by both doors."""

import random
from typing import Any

import pytest
from sqlalchemy import func, select

from db.models.content_index import Spelling
from db.session import Session
from jobs.reindex import reindex
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.statements import statement
from resolvers.search import spellings
from resolvers.search.spellings import shared_letters
from tests import factories
from tests.conftest import Api, Queries, World
from tests.resolvers.search.test_search import Writer, search
from tests.resolvers.search.test_search_audiences import Searches, only_for, searches

__all__ = ["searches"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FOUND = """query($id: ID!, $text: String!) { space(id: $id) { search(query: $text) { nodes {
  id: pageId ancestors { title } sections { html }
} } } }"""


@pytest.fixture
async def writer(session: Session, world: World) -> Writer:
    space = await factories.make_space(session, world.organization, title="Manual")
    await session.commit()
    return Writer(session, space)


def mistyped(word: str, chance: random.Random) -> str:
    """A word with one mistake of any kind, at any place."""
    place = chance.randrange(len(word))
    letter = chance.choice(LETTERS)
    swap = word[:place] + word[place : place + 2][::-1] + word[place + 2 :]
    return chance.choice((
        word[:place] + word[place + 1 :], swap,
        word[:place] + letter + word[place + 1 :], word[:place] + letter + word[place:],
    ))  # fmt: skip


async def test_forms_titles_and_phrases(api: Api, world: World, writer: Writer) -> None:
    filler = "Workflow workflows workflow, and a query.\n"
    await writer.write(
        writer.page("many", filler * 20, title="About workflow activities"),
        writer.page("plural", "Nothing else.\n", title="Workflows"),
        writer.page("one", "Nothing more.\n", title="Workflow"),
        writer.page("steps", "* First step\n* Second stage\n\n## Third part\n\nFourth piece.\n"),
    )

    async def found(query: str) -> list[str]:
        return await search(api, writer.space, query, world.reader)

    # The title itself, then its other forms, then all else.
    assert await found("workflows") == ["plural", "one", "many"]
    assert await found("Workflow ") == ["one", "plural", "many"]
    for query in ("queries", "activity", "about workflow activity", "querie"):
        assert await found(query) == ["many"], query
    for query in ('"step second"', '"stage third part fourth"', '"part fourth"', '"steps first"'):
        assert await found(query) == ["steps"], query
    assert await found('"second third"') == []
    data = await api.data(FOUND, world.reader, id=writer.space.id, text='"part fourth"')
    (node,) = data["space"]["search"]["nodes"]
    assert node["sections"]


async def test_every_mistake_in_every_word(api: Api, world: World, writer: Writer) -> None:
    """Every word of five letters or more finds its page with one mistake, the page is marked, and
    every title with a mistake in one word finds its page first."""
    chance = random.Random(1)
    words = ["".join(chance.choices("bcdfglmnprst", k=chance.randint(5, 12))) for _ in range(60)]
    await writer.write(
        *(
            writer.page(f"p{number}", f"The {word} is here.\n", title=f"Guide {word} {number}")
            for number, word in enumerate(words)
        )
    )
    for number in chance.sample(range(len(words)), 25):
        wrong = mistyped(words[number], chance)
        for query in (wrong, f"{wrong} ", f"guide {wrong} {number} "):
            ids = await search(api, writer.space, query, world.reader)
            assert f"p{number}" in ids[:2], (query, words[number])
        data = await api.data(FOUND, world.reader, id=writer.space.id, text=f"{wrong} ")
        (node,) = [one for one in data["space"]["search"]["nodes"] if one["id"] == f"p{number}"]
        assert f"<mark>{words[number]}</mark>" in node["sections"][0]["html"]


async def test_what_is_there_is_not_respelled(api: Api, world: World, writer: Writer) -> None:
    await writer.write(
        writer.page("form", "A form with data.\n"), writer.page("from", "It comes from here.\n")
    )
    assert await search(api, writer.space, "form ", world.reader) == ["form"]
    # Each word is there, but on no page together.
    assert await search(api, writer.space, "from data ", world.reader) == ["form"]
    # Nothing is spelled so: pages with any word.
    assert await search(api, writer.space, "data zzzzzz ", world.reader) == ["form"]
    assert await search(api, writer.space, "dta zzzzzz ", world.reader) == []
    for short in ("dat ", "frm ", "12345 ", "日本誤字"):
        assert await search(api, writer.space, short, world.reader) == [], short


async def test_pages_of_a_list_with_other_spellings(api: Api, world: World, writer: Writer) -> None:
    await writer.write(*(writer.page(f"p{n}", "Kubernetes cluster.\n") for n in range(25)))
    path, seen = f"/spaces/{writer.space.id}/search", []
    params: dict[str, Any] = {"query": "kuberntes clusetr", "limit": 10}
    while True:
        answer = (await api.rest("GET", path, world.reader, params=params)).json()
        assert answer["count"] == 25
        seen += [item["id"] for item in answer["items"]]
        if "next" not in answer:
            break
        params = {**params, "page": answer["next"]["page"]}
    assert sorted(seen) == sorted(f"p{n}" for n in range(25))
    path = f"/orgs/{world.organization.id}/search"
    answer = await api.rest("GET", path, world.reader, params={"query": "kuberntes"})
    (item,) = answer.json()["items"]
    assert len(item["pages"]) == 10


async def test_words_of_pages_that_are_not_seen_change_nothing(searches: Searches) -> None:
    """Neither those of `if` blocks, nor those of another space, nor those of removed pages."""
    writer = searches.writer
    await writer.write(
        writer.page("open", "A pumpkin.\n\n" + only_for("A zucchini.")),
        writer.page("gone", "An aubergine.\n"),
    )
    await writer.write(removed=("gone",))
    member, visitor = await searches.member(), await searches.visitor()
    for query in ("pumpkni", "pumkin "):
        assert await searches.ids(query, member) == ["open"]
        assert await searches.ids(query, visitor) == ["open"]
    for query in ("zuchini", "zucchiin "):
        assert await searches.ids(query, member) == ["open"]
        for ids, answer in await searches.answers(query, visitor):
            assert ids == []
            assert "zucchini" not in answer
    assert await searches.ids("aubergne", member) == []
    # The whole answer is that to a word which is like none.
    (_, nothing), *_ = await searches.answers("xxxxxxxx", visitor)
    (_, secret), *_ = await searches.answers("zuchinix", visitor)
    assert nothing.replace("xxxxxxxx", "") == secret.replace("zuchinix", "")


async def test_spellings_follow_a_page(
    api: Api, world: World, session: Session, writer: Writer, queries: Queries
) -> None:
    """A write adds the words of its pages; an index that is built again has no others."""

    async def number() -> int:
        return (await session.scalars(select(func.count()).select_from(Spelling))).one()

    others = [writer.page(f"p{n}", f"Common words and w{n}x.\n") for n in range(40)]
    await writer.write(*others, writer.page("a", "Alphabet.\n"))
    before = await number()
    queries.statements.clear()
    await writer.write(writer.page("a", "Betting.\n"))
    written = [text for text in queries.statements if "INTO spelling" in text]
    assert len(written) == 1
    assert await number() == before + 2
    await reindex(Context(OPERATOR, session), writer.space.id, again=True)
    assert await number() == before
    assert await search(api, writer.space, "bettign ", world.reader) == ["a"]
    assert await search(api, writer.space, "alphabte ", world.reader) == []


async def test_the_number_of_statements_and_what_is_compared_are_bounded(
    api: Api, world: World, writer: Writer, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(1)
    words = {f"con{''.join(chance.choices(LETTERS, k=6))}" for _ in range(800)}
    await writer.write(writer.page("a", " ".join(sorted(words)) + "\n"), writer.page("b", "B.\n"))
    compared = 0
    real = spellings.distance

    def counted(word: str, other: str, most: int) -> int:
        nonlocal compared
        compared += 1
        return real(word, other, most)

    monkeypatch.setattr(spellings, "distance", counted)
    monkeypatch.setattr(spellings, "READ", 500)
    # The statement of other tests holds their own number.
    monkeypatch.setattr(spellings, "_with_letters", statement(spellings._with_letters.build))
    hostile = ("conxxxxxx " * 50, " ".join(f"con{letter * 5}" for letter in LETTERS), "c" * 512,
               " ".join(f"{letter}{'o' * 20}" for letter in LETTERS), "conaaaaa")  # fmt: skip
    for query in hostile:
        compared = 0
        queries.statements.clear()
        answer = await api.rest(
            "GET", f"/spaces/{writer.space.id}/search", world.reader, params={"query": query[:512]}
        )
        assert answer.status_code == 200, answer.text
        # The token, the space, three searches, words, which of them are there, and what is shown.
        assert len(queries.statements) <= 10
        assert compared <= 2 * 7 * spellings.COMPARED * 500


def test_a_word_with_a_mistake_shares_its_beginning_or_its_end() -> None:
    chance = random.Random(1)
    for _ in range(3000):
        word = "".join(chance.choices("abc", k=chance.randint(5, 12)))
        wrong = mistyped(word, chance)
        if len(wrong) < 4:
            continue
        start, end = shared_letters(wrong)
        assert word.startswith(start) or word[::-1].startswith(end[1:]), (word, wrong)
