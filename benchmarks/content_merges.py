"""`python -m benchmarks.content_merges`: merges of spaces and documents without a database.

Medians of the CPU time of one thread, in milliseconds. Spaces are in maps in memory, so nodes are
parsed and verified as when they come from a database; reading and writing rows comes on top.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from content.markdown.parser import parse_document
from content.merge.documents import merge_documents
from content.ordering import spread
from tests.content.merge.stored_spaces import Snapshot, Stored

Json = dict[str, Any]
PAGES = 5000
WORDS = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "all", "ess", "ing")]


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


def edited(
    stored: Stored, base: Snapshot, pages: Mapping[str, Json], body: str, first: int, new: int
) -> Snapshot:
    """20 pages with another body, and `new` pages more in one folder."""
    chosen = [f"page{number:05d}" for number in range(first, first + 20 * 211, 211)]
    changes = {id: {**pages[id], "document_id": body} for id in chosen}
    for number in range(new):
        id = f"{body}{number}"
        added = {"parent": "page00000", "slug": id, "order": f"x{id}1"}
        changes[id] = {**page_of(PAGES, "V"), **added}
    return stored.edited(base, changes)


def measured(call: Callable[[], object], rounds: int) -> float:
    """The median of the CPU time of a call, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        call()
        times.append(1e3 * (time.process_time() - started))
    return statistics.median(times)


def spaces(rounds: int) -> list[tuple[str, float, str]]:
    """20 pages of 5,000: other ones, the same ones, and with new pages in one folder."""
    random = Random(1)
    texts = [paragraph(random) for _ in range(40)]
    bodies: dict[str, Json] = {}
    for name, at, words in (("base", 0, ""), ("ours", 10, " by us"), ("theirs", 30, " by them")):
        body = [*texts[:at], texts[at] + words, *texts[at + 1 :]]
        bodies[name] = parse_document("\n\n".join(body))
    stored, keys = Stored(bodies), spread(100)
    # 100 pages at the top, 49 below each.
    pages = {f"page{n:05d}": page_of(n, keys[n % 50 or n // 50]) for n in range(PAGES)}
    base = stored.snapshot(pages)
    many = len(stored.nodes)
    results = []
    for name, shift, new in (
        ("20 pages here, 20 others there", 7, 0),
        ("the same 20 pages of 40 blocks on both sides", 0, 0),
        ("the same with 5 new pages each in one folder", 0, 5),
    ):
        ours = edited(stored, base, pages, "ours", 1, new)
        theirs = edited(stored, base, pages, "theirs", 1 + shift, new)
        took = measured(partial(stored.merge, base, ours, theirs), rounds)
        merged = stored.merge(base, ours, theirs)
        read = f"read {len(stored.nodes_read)} nodes (a version has {many})"
        wrote = f"{len(stored.documents_read)} documents, wrote {len(merged.pages)} pages"
        results.append((name, took, f"{read} and {wrote}"))
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
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.content_merges", description=__doc__
    )
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for title, rows in (("Spaces", spaces(rounds)), ("Documents", documents(rounds))):
        print(f"\n{title}\n")
        for name, took, shown in rows:
            print(f"| {name} | {took:.1f} ms | {shown} |")


if __name__ == "__main__":
    main()
