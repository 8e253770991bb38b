"""`python -m benchmarks.merges`: what merges of spaces and documents cost, without a database.

Medians in milliseconds of one thread. Spaces are in maps in memory, so nodes are parsed and
verified as they are when they come from a database; reading and writing rows comes on top.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from content.markdown.parser import parse_document
from content.merge.documents import merge_documents
from content.merge.maps import Read, Snapshot, merge_snapshots
from content.merge.space import Merged
from content.merkle.walk import run
from content.merkle.write import build, update
from content.ordering import spread
from content.page_keys import child_key

Json = dict[str, Any]
PAGES = 5000
WORDS = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "all", "ess", "ing")]


class Memory:
    """Maps and documents in memory, and how many of them a merge read."""

    def __init__(self) -> None:
        self.nodes: dict[str, bytes] = {}
        self.documents: dict[str, Json] = {}
        self.read = [0, 0]

    def built(self, items: Mapping[str, Json]) -> str | None:
        root, nodes = build(items)
        self.nodes |= nodes
        return root

    def changed(self, root: str | None, changes: Mapping[str, Json | None]) -> str | None:
        root, nodes = run(update(root, changes), self._nodes)
        self.nodes |= nodes
        return root

    def _nodes(self, ids: frozenset[str]) -> dict[str, bytes]:
        return {id: self.nodes[id] for id in ids}

    def merge(self, base: Snapshot, ours: Snapshot, theirs: Snapshot) -> Merged:
        self.read = [0, 0]
        merging = merge_snapshots(base, ours, theirs)
        try:
            wanted = next(merging)
            while True:
                self.read[0] += len(wanted.nodes)
                self.read[1] += len(wanted.documents)
                wanted = merging.send(
                    Read(
                        nodes=self._nodes(wanted.nodes),
                        documents={id: self.documents[id] for id in wanted.documents},
                    )
                )
        except StopIteration as stop:
            found: Merged = stop.value
            return found


def paragraph(random: Random) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.randint(5, 60)))


def page_of(number: int, order: str) -> Json:
    parent = {} if number % 50 == 0 else {"parent": f"page{number - number % 50:05d}"}
    return {
        "type": "document",
        "title": f"How to configure the thing number {number}",
        "slug": f"thing-{number}",
        "description": "What it is for, when to use it, and what to look out for.",
        "order": order,
        "document_id": "base",
        **parent,
    }


def space(memory: Memory) -> tuple[dict[str, Json], Snapshot]:
    """A space of 5,000 pages below 100 others."""
    keys = spread(100)
    pages = {f"page{n:05d}": page_of(n, keys[n % 50 or n // 50]) for n in range(PAGES)}
    return pages, snapshot(memory, pages)


def snapshot(memory: Memory, pages: Mapping[str, Json]) -> Snapshot:
    slugs = {child_key(p.get("parent"), p["slug"], id): {"id": id} for id, p in pages.items()}
    return Snapshot(
        pages_root=memory.built(pages),
        slugs_root=memory.built(slugs),
        files_root=None,
        contents_root=None,
        variables={},
    )


def edited(
    memory: Memory, base: Snapshot, pages: Mapping[str, Json], body: str, first: int, new: bool
) -> Snapshot:
    """20 pages with another body; with `new` also 5 pages more in one folder."""
    chosen = [f"page{number:05d}" for number in range(first, first + 20 * 211, 211)]
    changes: dict[str, Json | None] = {id: {**pages[id], "document_id": body} for id in chosen}
    slugs: dict[str, Json | None] = {}
    for number in range(5 if new else 0):
        id = f"{body}{number}"
        changes[id] = {
            **page_of(PAGES, "zx"),
            "parent": "page00000",
            "slug": id,
            "order": f"x{id}1",
        }
        slugs[child_key("page00000", id, id)] = {"id": id}
    return Snapshot(
        pages_root=memory.changed(base.pages_root, changes),
        slugs_root=memory.changed(base.slugs_root, slugs),
        files_root=None,
        contents_root=None,
        variables={},
    )


def measured(call: Callable[[], object], rounds: int) -> float:
    """The median of the time of a call, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - started))
    return statistics.median(times)


def spaces(rounds: int) -> list[tuple[str, float, str]]:
    """20 pages of 5,000: other ones, the same ones, and with new pages in one folder."""
    memory, random = Memory(), Random(1)
    texts = [paragraph(random) for _ in range(40)]
    for name, at, words in (("base", 0, ""), ("ours", 10, " by us"), ("theirs", 30, " by them")):
        body = [*texts[:at], texts[at] + words, *texts[at + 1 :]]
        memory.documents[name] = parse_document("\n\n".join(body))
    pages, base = space(memory)
    results = []
    for name, shift, new in (
        ("20 pages here, 20 others there", 7, False),
        ("the same 20 pages of 40 blocks on both sides", 0, False),
        ("the same with 5 new pages each in one folder", 0, True),
    ):
        ours = edited(memory, base, pages, "ours", 1, new)
        theirs = edited(memory, base, pages, "theirs", 1 + shift, new)
        found = measured(lambda o=ours, t=theirs: memory.merge(base, o, t), rounds)  # type: ignore[misc]
        merged = memory.merge(base, ours, theirs)
        read = f"{memory.read[0]} of {len(memory.nodes)} nodes, {memory.read[1]} documents read"
        results.append((name, found, f"{read}, {len(merged.pages)} pages written"))
    return results


def documents(rounds: int) -> list[tuple[str, float, str]]:
    """Documents of 1,000 and 10,000 blocks, and ones made to be slow."""
    random = Random(2)
    texts = [paragraph(random) for _ in range(10_000)]
    results = []

    def run_on(name: str, base: list[str], ours: list[str], theirs: list[str], seeds: str) -> None:
        found = [
            parse_document("\n\n".join(text), seed=seed)
            for text, seed in zip((base, ours, theirs), seeds, strict=True)
        ]
        took = measured(lambda: merge_documents(*found, page="page"), rounds)
        merged = merge_documents(*found, page="page")
        shown = f"{len(merged.document['nodes'])} blocks, {len(merged.conflicts)} conflicts"
        results.append((name, took, shown))

    def changed(base: list[str], first: int, step: int) -> list[str]:
        return [t + " more" if n % step == first else t for n, t in enumerate(base)]

    for size in (1000, 10_000):
        base = texts[:size]
        sides = changed(base, 3, 50), changed(base, 7, 50)
        run_on(f"{size} blocks, 2 % edited on each side", base, *sides, "aaa")
        run_on(f"{size} blocks, 2 % edited, all keys new", base, *sides, "abc")
    others = [[paragraph(random) for _ in range(1000)] for _ in range(2)]
    run_on("1000 blocks, all written anew on both sides", texts[:1000], *others, "abc")
    same = ["the same words"] * 10_000
    run_on("10000 equal blocks, some gone", same, same[:9000], [*same[:9500], "end"], "abc")
    backwards = texts[9999::-1]
    run_on("10000 blocks turned around", texts, backwards, changed(texts, 3, 50), "abc")
    one = [" ".join(texts[:1000])]
    sides = [one[0].replace("bing ", "changed ")], [one[0].replace("dall ", "other ")]
    run_on(f"one block of {len(one[0].split())} words", one, *sides, "aaa")
    words = [" ".join(f"{random.choice('ab')}" for _ in range(50_000)) for _ in range(3)]
    run_on("one block of 50000 words, two in turn", *([text] for text in words), "aaa")  # type: ignore[arg-type]
    return results


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.merges", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for title, rows in (("Spaces", spaces(rounds)), ("Documents", documents(rounds))):
        print(f"\n{title}\n")
        for name, took, shown in rows:
            print(f"| {name} | {took:.1f} ms | {shown} |")


if __name__ == "__main__":
    main()
