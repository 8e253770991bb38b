"""Search finds pages by their titles, typed as they are and with a mistake: counted over all titles
of whole documentation, and of a space whose titles are alike."""

import logging
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from content.search.words import word_texts
from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, World, settle
from tests.published.test_sites import make_pages
from tests.sources import imported, sources

# Pages whose titles begin with the query, among so many, for so many of all titles.
EXACT, AMONG_EXACT = 0.98, 3
MISTYPED, AMONG_MISTYPED = 0.90, 5
LISTED = 10
# Of one source; more are chosen by chance, the same each time.
MOST_TITLES = 400
# A word that is long enough for a mistake to be seen as one.
_WORD = re.compile(r"[^\W\d_]{4,}")
# Shown with --log-cli-level=info.
FIGURES = logging.getLogger(__name__)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ACTIONS = ("Create", "Configure", "Delete", "Monitor", "Upgrade", "Restore", "Schedule", "Import")
THINGS = (
    "a workspace", "storage buckets", "the gateway", "access tokens", "log pipelines", "a cluster",
    "retention policies", "custom domains", "the command line", "webhook receivers",
)  # fmt: skip


def mistyped(title: str) -> str | None:
    """A title with one wrong letter in one of its words; None where no word is long enough."""
    chance = random.Random(title)
    words = [match for match in _WORD.finditer(title) if match[0].isascii()]
    if not words:
        return None
    word = chance.choice(words)
    place, letter = word.start() + chance.randrange(len(word[0])), chance.choice(LETTERS)
    head, tail = title[:place], title[place:]
    return chance.choice((
        head + tail[1:],
        head + letter + tail,
        head + letter + tail[1:],
        head + tail[1:2] + tail[:1] + tail[2:] if tail[1:2].isalpha() else head + tail[1:],
    ))  # fmt: skip


async def titles_of(api: Api, world: World, space: Space) -> dict[str, str]:
    """The titles of the pages that search may find, by their ids."""
    answer = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.admin)
    waiting: list[dict[str, Any]] = answer.json()["pages"]
    titles: dict[str, str] = {}
    while waiting:
        page = waiting.pop()
        hidden = page.get("noIndex") is True
        waiting += [] if hidden else page.get("pages", [])
        if page["type"] == "document" and word_texts(page["title"]) and not hidden:
            titles[page["id"]] = page["title"]
    return titles


async def places(
    api: Api, world: World, space: Space, queries: Sequence[tuple[str, str]], titles: dict[str, str]
) -> list[int]:
    """At which place each query finds a page with the title that is meant; many where it does
    not."""
    found = []
    path = f"/spaces/{space.id}/search"
    for query, title in queries:
        answer = await api.rest("GET", path, world.admin, params={"query": query, "limit": LISTED})
        assert answer.status_code == 200, answer.text
        words = word_texts(title)
        meant = [word_texts(titles.get(hit["id"], "")) == words for hit in answer.json()["items"]]
        found.append(meant.index(True) + 1 if True in meant else 1_000)
    return found


async def check(api: Api, world: World, space: Space) -> None:
    titles = await titles_of(api, world, space)
    chosen = sorted(set(titles.values()))
    chosen = random.Random(1).sample(chosen, min(len(chosen), MOST_TITLES))
    exact = await places(api, world, space, [(title, title) for title in chosen], titles)
    changed = [(other, title) for title in chosen if (other := mistyped(title)) is not None]
    typos = await places(api, world, space, changed, titles)
    for what, found, among, share, queries in (
        ("exact", exact, AMONG_EXACT, EXACT, [(title, title) for title in chosen]),
        ("mistyped", typos, AMONG_MISTYPED, MISTYPED, changed),
    ):
        good = sum(place <= among for place in found)
        missed = [query for query, place in zip(queries, found, strict=True) if place > among]
        FIGURES.info("%s: %s %s of %s among the first %s; missed: %s", space.title, what, good,
                     len(found), among, missed[:40])  # fmt: skip
        assert good >= share * len(found), (what, missed)


@pytest.mark.parametrize("source", sources("docstead-guide", "gauge-manual", "team-handbook"))
async def test_titles_of_whole_documentation(
    api: Api, world: World, session: Session, source: str
) -> None:
    space = await imported(session, world, api, source, Path(source).stem)
    await session.commit()
    await check(api, world, space)


async def test_titles_that_are_alike(api: Api, world: World, session: Session) -> None:
    """Eighty pages whose titles share their words, a quarter of them with signs between, and whose
    texts name each other's titles."""
    titles = [f"{action} {thing}" for action in ACTIONS for thing in THINGS]
    titles[::4] = [title.lower().replace(" ", "_") for title in titles[::4]]
    pages: dict[str, dict[str, Any]] = {
        f"p{number}": {
            "title": title,
            "text": f"How to {title.lower()}. See also {titles[number - 7]} and "
                    f"{titles[number - 23].lower()}.\n\n## {titles[number - 11]}\n\nMore of it.",
        }
        for number, title in enumerate(titles)
    }  # fmt: skip
    space = await make_pages(session, world, "Alike", **pages)
    await settle(session)
    await check(api, world, space)
