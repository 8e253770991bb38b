"""Search in whole documentation: every page by its title, parts by headings and phrases."""

import logging
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from content.documents.sections import Section, sections_of
from content.search.words import stems_of, word_texts
from db.session import Session
from tests.conftest import Api, World
from tests.docstead.test_site_walk import documents
from tests.sources import imported, sources

QUERY = """query($space: ID!, $text: String!, $first: Int!) { space(id: $space) {
  search(query: $text, first: $first) {
    totalCount nodes { id: pageId title path sections { id: sectionId title path body html } }
  }
} }"""
# Most pages are among so many hits, behind the others that have the same title; all are among more,
# for the words of a title may be in most titles of a space.
FIRST, LAST = 10, 30
MOST = 0.95
# Longer headings are no queries.
HEADING_WORDS = 20
# What a word of a title is cut to.
SHORTEST = 3
# Headings and phrases of one page.
SAMPLE = 3
PHRASE = 5
# Pages that have a phrase or a heading; of more, the query is not one to find a page by.
MANY = 20
MARKED = re.compile("<mark>(.*?)</mark>", re.S)
# Shown with --log-cli-level=info.
FIGURES = logging.getLogger(__name__)


@dataclass
class Walk:
    """One space, what was looked for in it, and what was wrong with the answers."""

    api: Api
    world: World
    space: str
    places: dict[str, Counter[int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    async def find(self, query: str, first: int) -> list[dict[str, Any]]:
        """What is found, with excerpts that are verified."""
        data = await self.api.data(
            QUERY, self.world.reader, space=self.space, text=query, first=first
        )
        found = data["space"]["search"]
        nodes: list[dict[str, Any]] = found["nodes"]
        if found["totalCount"] != len(nodes) and len(nodes) < first:
            self.faults.append(f"{query!r}: {len(nodes)} of {found['totalCount']} pages")
        for node in nodes:
            for section in node["sections"]:
                self.check_excerpt(query, section)
        return nodes

    def check_excerpt(self, query: str, section: dict[str, Any]) -> None:
        """HTML with nothing in it but `mark` elements, around words of the query."""
        body, html = section["body"], section["html"]
        plain = html.replace("<mark>", "").replace("</mark>", "")
        marks = MARKED.findall(html)
        asked = set(stems_of(word_texts(query)))
        begun = (*word_texts(query), *asked)
        if (
            "<" in plain
            or ">" in plain
            or unescape(plain) != body
            or len(body) > 200
            or len(marks) != html.count("<mark>")
        ):
            self.faults.append(f"{query!r}: excerpt {html!r} of {body!r}")
        for mark in marks:
            words = word_texts(unescape(mark))
            if not words or not all(word.startswith(begun) for word in words):
                self.faults.append(f"{query!r}: marks {mark!r}")
        if not marks and not asked & set(stems_of(word_texts(section["title"]))) and body:
            titles = word_texts(section["title"])
            if not any(word.startswith(begun) for word in titles):
                self.faults.append(f"{query!r}: nothing marked in {html!r}")

    async def look(
        self, kind: str, query: str, page: dict[str, Any], most: int = FIRST
    ) -> dict[str, Any] | None:
        """The page among what is found; its place is noted."""
        nodes = await self.find(query, most)
        ids = [node["id"] for node in nodes]
        if page["id"] not in ids:
            self.faults.append(f"{kind} {query!r}: {page['path']} is not among {most}")
            return None
        place = ids.index(page["id"]) + 1
        self.places.setdefault(kind, Counter())[place] += 1
        return nodes[place - 1]

    def figures(self) -> list[str]:
        """How many were found at which place."""
        return [
            f"{kind}: {sum(places.values())} found, {places[1]} first, "
            f"{sum(number for place, number in places.items() if place <= 5)} of the first 5"
            for kind, places in self.places.items()
        ]


def shortened(title: str) -> str | None:
    """The title without the end of its last word; None where that is too short to be cut."""
    cut = title[:-1]
    last = re.search(r"\w+$", cut)
    if last is None or len(last[0]) < SHORTEST or not last[0].isascii():
        return None
    return cut


@pytest.mark.parametrize("number", range(len(sources("gauge-manual", "docstead-guide"))))
async def test_everything_is_found(api: Api, session: Session, world: World, number: int) -> None:
    source = sources("gauge-manual", "docstead-guide")[number]
    space = (await imported(session, world, api, source, Path(source).stem)).id
    walk = Walk(api, world, space)
    answer = await api.rest("GET", f"/spaces/{space}/content/pages", world.reader)
    pages = [page for page in documents(answer.json()["pages"]) if not page.get("noIndex")]
    sections: dict[str, list[Section]] = {}
    for page in pages:
        read = await api.rest(
            "GET", f"/spaces/{space}/content/page/{page['id']}?format=document", world.reader
        )
        sections[page["id"]] = sections_of(read.json()["document"])
    await by_titles(walk, pages)
    await by_headings(walk, pages, sections)
    await by_phrases(walk, pages, sections)
    for line in walk.figures():
        FIGURES.info("%s, %d pages, %s", Path(source).stem, len(pages), line)
    assert not walk.faults, "\n".join(walk.faults)
    titles = walk.places["title"]
    assert titles.total() == len(pages)
    first = sum(number for place, number in titles.items() if place <= FIRST)
    assert first >= MOST * len(pages)
    for kind in ("beginning", "heading", "phrase"):
        assert walk.places[kind].total() > 1


async def by_titles(walk: Walk, pages: list[dict[str, Any]]) -> None:
    """Every page by its title, and by its title while it is typed."""
    same = Counter(tuple(word_texts(page["title"])) for page in pages)
    for page in pages:
        words = tuple(word_texts(page["title"]))
        assert words, page["path"]
        most = LAST + same[words] - 1
        await walk.look("title", page["title"] + " ", page, most)
        if (cut := shortened(page["title"])) is not None:
            await walk.look("beginning", cut, page, 2 * most)


async def by_headings(
    walk: Walk, pages: list[dict[str, Any]], sections: dict[str, list[Section]]
) -> None:
    """Headings that are the only ones of their words lead to their section."""
    texts = {id: [word_texts(one.heading) for one in found] for id, found in sections.items()}
    titles = [word_texts(page["title"]) for page in pages]
    for page in pages:
        own = [one for one in sections[page["id"]] if one.anchor is not None]
        looked = 0
        for section in own:
            words = word_texts(section.heading)
            joined = f" {' '.join(words)} "
            known = [other for found in (*texts.values(), titles) for other in found]
            if (
                not 2 <= len(words) <= HEADING_WORDS
                or sum(joined in f" {' '.join(one)} " for one in known) != 1
            ):
                continue
            looked += 1
            if looked > SAMPLE:
                break
            query = f'"{section.heading.replace(chr(34), " ")}"'
            hit = await walk.look("heading", query, page)
            if hit is None:
                continue
            anchors = {one["id"]: one for one in hit["sections"]}
            if section.anchor not in anchors:
                walk.faults.append(f"{query}: no section {section.anchor} in {page['path']}")
            elif anchors[section.anchor]["path"] != f"{page['path']}#{section.anchor}":
                walk.faults.append(f"{query}: {anchors[section.anchor]['path']}")


async def by_phrases(
    walk: Walk, pages: list[dict[str, Any]], sections: dict[str, list[Section]]
) -> None:
    """Some words in a row of each page find it, if not many pages have them."""
    whole = {
        id: f" {' '.join(word_texts(chr(10).join(f'{one.heading} {one.text}' for one in found)))} "
        for id, found in sections.items()
    }
    chance = random.Random(1)
    for page in pages:
        words = whole[page["id"]].split()
        for _ in range(SAMPLE if len(words) >= PHRASE else 0):
            start = chance.randint(0, len(words) - PHRASE)
            phrase = " ".join(words[start : start + PHRASE])
            if sum(f" {phrase} " in text for text in whole.values()) <= MANY:
                await walk.look("phrase", f'"{phrase}"', page, 2 * MANY)
