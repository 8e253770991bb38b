"""Paths of files from the nodes of a map: what changes is read, what is kept is bounded."""

from content.links.file_index import Cache, indexed_files, places_at
from content.links.meaning import Place
from content.merkle.node import Value
from content.merkle.write import update
from content.recent_cache import RecentCache
from tests.content.merkle_store import Store, build


def entry(path: str | None) -> Value:
    return {"title": "T"} if path is None else {"title": "T", "git": {"path": path}}


def test_only_nodes_that_are_new_are_read() -> None:
    store = Store()
    cache: Cache = RecentCache(100_000, lambda node: node.weight)
    entries = {f"p{n:04}": entry(f"docs/{n}.md" if n % 2 else None) for n in range(2000)}
    root, nodes = build(entries)
    store.nodes.update(nodes)
    parts = store.run(indexed_files({"page": root, "file": None}, cache))
    assert store.fetched == set(nodes)
    assert places_at(parts, ["docs/7.md", "docs/7", "docs/8.md", ""]) == {
        "docs/7.md": [Place(0, "page", "p0007")],
        "docs/7": [Place(4, "page", "p0007")],
    }
    after, made = store.run(update(root, {"p0007": entry("docs/seven/README.md"), "p0009": None}))
    store.nodes.update(made)
    parts = store.run(indexed_files({"page": after}, cache))
    assert store.fetched == set(made)
    # The same node of another kind of things is another one.
    files = store.run(indexed_files({"file": after}, cache))
    found = places_at([*parts, *files], ["docs/7.md", "docs/9.md", "docs/seven", "docs/11.md"])
    assert found == {
        "docs/seven": [Place(3, "page", "p0007")],
        "docs/11.md": [Place(0, "page", "p0011"), Place(2, "file", "p0011")],
    }


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache: RecentCache[str, str] = RecentCache(6, len)
    for word in ("one", "two"):
        cache.put(word, word)
    assert cache.get("one") == "one"
    cache.put("six", "six")
    assert [cache.get(word) for word in ("one", "two", "six")] == ["one", None, "six"]
    cache.put("larger than all", "larger than all")
    assert cache.get("larger than all") is None
    cache.put("two", "two")
    assert cache.get("two") == "two"
