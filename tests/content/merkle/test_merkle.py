"""What makes stored maps fit for revisions: sharing, cheap diffs, bounds, clear errors."""

import orjson
import pytest
from hypothesis import given, settings, strategies as st

from content.hashing import content_id
from content.merkle.node import CorruptMapError, Value, canonical, parse_node
from content.merkle.read import Change, count, diff, lookup, scan
from content.merkle.write import height, pieces, update
from tests.content.merkle_store import Store, build, keys_of_height, pages, reachable

PAGES = pages(5000)
SAMPLE = sorted(PAGES)[::311]


@pytest.fixture(scope="module")
def space() -> tuple[Store, str]:
    store = Store()
    root = store.build(PAGES)
    assert root is not None
    return store, root


def test_content_id_is_20_base_62_digits_of_the_hash() -> None:
    assert content_id(b"") == "rzWtdMwJelxEeMmeB0Ei"
    assert content_id(b"a") != content_id(b"b")


def test_bytes_of_a_small_map_never_change() -> None:
    root, nodes = build({"b": {"z": 1, "a": "é"}, "a": {}})
    assert nodes == {root: '{"entries":{"a":{},"b":{"a":"é","z":1}}}'.encode()}


def test_root_of_a_large_map_never_changes(space: tuple[Store, str]) -> None:
    # Stored revisions hold such ids: another one here would end all sharing with them.
    assert space[1] == "wG5f5OPkdYUu9JXNn3WT"


def test_heights_thin_out_by_32_then_64() -> None:
    heights = [height(str(number)) for number in range(100_000)]
    assert 2800 < sum(h >= 1 for h in heights) < 3450
    assert 25 < sum(h >= 2 for h in heights) < 75


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_history_does_not_show(data: st.DataObject) -> None:
    pool = [*keys_of_height(0, 300), *keys_of_height(1, 40), *keys_of_height(2, 10)]
    final = {key: {"v": key} for key in data.draw(st.sets(st.sampled_from(pool), max_size=350))}
    order = data.draw(st.permutations(list(final)))
    detours = data.draw(st.sets(st.sampled_from(pool), max_size=30)) - final.keys()
    store, root, rest = Store(), None, order
    while rest:
        size = data.draw(st.integers(1, max(1, len(order) // 3)))
        part, rest = rest[:size], rest[size:]
        # Values that are replaced later and keys that go again must leave no trace.
        root = store.update(root, {**{k: {"old": 1} for k in part}, **{k: {} for k in detours}})
        root = store.update(root, {key: final[key] for key in part})
    root = store.update(root, dict.fromkeys(detours))
    assert root == build(final)[0]


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.dictionaries(
            st.text(max_size=2),
            st.floats(allow_nan=False, allow_infinity=False)
            | st.integers(-(2**63), 2**64 - 1)
            | st.text(max_size=2),
        ),
        max_size=60,
    )
)
def test_any_text_and_number_comes_back(items: dict[str, Value]) -> None:
    store = Store()
    assert store.run(scan(store.build(items))) == sorted(items.items())


@pytest.mark.parametrize("key", SAMPLE)
def test_an_edit_stores_one_node_per_level(space: tuple[Store, str], key: str) -> None:
    store, root = space
    before = store.run(reachable(root))
    new_root, nodes = store.run(update(root, {key: {"title": "edited"}}))
    assert new_root in nodes
    assert 1 < len(nodes) <= 4
    assert not before & nodes.keys()
    assert len(store.fetches) <= 4
    assert len(store.fetched) <= 4


@pytest.mark.parametrize("key", SAMPLE)
def test_adding_and_deleting_store_few_nodes(space: tuple[Store, str], key: str) -> None:
    store, root = space
    removed, nodes = store.run(update(root, {key: None}))
    assert 1 < len(nodes) <= 5
    grown = Store()
    grown.nodes = store.nodes | nodes
    back, nodes = grown.run(update(removed, {key: PAGES[key]}))
    assert back == root
    assert len(nodes) <= 5
    assert nodes.items() <= store.nodes.items()


def test_an_update_that_changes_nothing_stores_nothing(space: tuple[Store, str]) -> None:
    store, root = space
    same = {**{key: PAGES[key] for key in SAMPLE}, "absent": None}
    assert store.run(update(root, same)) == (root, {})
    assert store.run(update(root, {})) == (root, {})


def test_reading_one_entry_reads_one_node_per_level(space: tuple[Store, str]) -> None:
    store, root = space
    for key in SAMPLE:
        assert store.run(lookup(root, [key])) == {key: PAGES[key]}
        assert len(store.fetched) <= 4


def test_reading_many_entries_takes_one_fetch_per_level(space: tuple[Store, str]) -> None:
    store, root = space
    assert store.run(lookup(root, [*SAMPLE, "absent"])) == {key: PAGES[key] for key in SAMPLE}
    assert len(store.fetches) <= 4
    assert len(store.fetched) <= 4 * len(SAMPLE)


def test_a_scan_reads_only_the_leaves_with_its_prefix(space: tuple[Store, str]) -> None:
    store, root = space
    prefix = SAMPLE[len(SAMPLE) // 2][:8]
    found = store.run(scan(root, prefix))
    assert found == [(key, PAGES[key]) for key in sorted(PAGES) if key.startswith(prefix)]
    assert 5 < len(found) < 40
    # Leaves of 32 entries on average: now and then several short ones hold them.
    assert len(store.fetched) <= 10


def test_counting_reads_the_root_only(space: tuple[Store, str]) -> None:
    store, root = space
    assert store.run(count(root)) == 5000
    assert store.fetched == {root}


@settings(max_examples=30, deadline=None)
@given(changed=st.sets(st.sampled_from(sorted(PAGES)), min_size=1, max_size=12))
def test_a_diff_reads_only_what_changed(changed: set[str]) -> None:
    store = Store()
    root = store.build(PAGES)
    edited = store.update(root, {key: {"title": "edited"} for key in changed})
    assert store.run(diff(root, edited)) == [
        Change(key, PAGES[key], {"title": "edited"}) for key in sorted(changed)
    ]
    depth = len(store.fetches)
    assert depth <= 4
    assert len(store.fetched) <= 2 * depth * len(changed)


def test_a_diff_of_maps_of_unlike_height_reads_little(space: tuple[Store, str]) -> None:
    store, root = space
    (high,) = keys_of_height(3, 1)
    grown = Store()
    grown.nodes = dict(store.nodes)
    # The empty key comes first, where heights do not count, and leaves the cut to the high one.
    taller = grown.update(root, {"": {}, high: {}, SAMPLE[-1]: None})
    assert taller is not None
    levels = [parse_node(node_id, grown.nodes[node_id]).level for node_id in (root, taller)]
    assert levels[0] < levels[1]
    assert grown.run(diff(root, taller)) == [
        Change("", None, {}),
        Change(high, None, {}),
        Change(SAMPLE[-1], PAGES[SAMPLE[-1]], None),
    ]
    assert len(grown.fetched) <= 2 * 3 * (levels[1] + 1)


def test_a_diff_of_equal_maps_reads_nothing(space: tuple[Store, str]) -> None:
    store, root = space
    assert store.run(diff(root, root)) == []
    assert store.fetches == []


def test_a_diff_tells_true_from_one() -> None:
    store = Store()
    roots = [store.build({"key": {"v": value}}) for value in (1, True, 1.0)]
    assert len(set(roots)) == 3
    assert len(store.run(diff(roots[0], roots[1]))) == 1
    assert len(store.run(diff(roots[0], roots[2]))) == 1


def test_the_empty_map() -> None:
    store = Store()
    assert build({}) == (None, {})
    assert store.run(update(None, {"absent": None})) == (None, {})
    assert store.run(lookup(None, ["a"])) == {}
    assert store.run(scan(None)) == []
    assert store.run(count(None)) == 0
    assert store.run(diff(None, None)) == []
    assert store.run(reachable(None)) == frozenset()
    assert store.fetches == []
    root = store.build({"a": {}})
    assert store.run(update(root, {"a": None})) == (None, {})


# Keys somebody chose so that they never, or always, start a node.


@pytest.mark.parametrize("wanted", [0, 1])
def test_chosen_keys_cannot_make_a_large_node(wanted: int) -> None:
    items: dict[str, Value] = {key: {"v": 1} for key in keys_of_height(wanted, 3000)}
    store = Store()
    root = store.build(items)
    for data in store.nodes.values():
        node = orjson.loads(data)
        part = node.get("entries") or node.get("children") or node["pieces"]
        assert len(part) <= 256
    key = sorted(items)[1500]
    assert store.run(lookup(root, [key])) == {key: {"v": 1}}
    assert len(store.fetched) <= 4
    new_root, nodes = store.run(update(root, {key: {"v": 2}}))
    assert len(nodes) <= 4
    assert new_root == build({**items, key: {"v": 2}})[0]


@settings(max_examples=50)
@given(st.integers(1, 2000), st.randoms(use_true_random=False))
def test_pieces_have_bounds(size: int, random) -> None:
    run = sorted(str(random.getrandbits(64)) for _ in range(size))
    parts = pieces(run)
    assert [key for part in parts for key in part] == run
    assert all(len(part) <= 256 for part in parts)
    assert len(parts) == 1 or min(map(len, parts)) >= 64


def test_adding_to_a_long_run_moves_few_cuts() -> None:
    keys = sorted(keys_of_height(0, 3000))
    run = keys[:1500] + keys[1501:]
    before, after = ({tuple(part) for part in pieces(keys)} for keys in (run, keys))
    assert len(after - before) <= 2


# Damage and bad input.


def test_a_missing_node_is_named(space: tuple[Store, str]) -> None:
    store, root = space
    for missing in [root, next(iter(store.nodes.keys() - {root}))]:
        broken = Store()
        broken.nodes = {key: data for key, data in store.nodes.items() if key != missing}
        with pytest.raises(CorruptMapError, match=f"{missing}.*missing") as caught:
            broken.run(scan(root))
        assert caught.value.node_id == missing


def test_an_altered_node_is_named(space: tuple[Store, str]) -> None:
    store, root = space
    altered = next(key for key, data in store.nodes.items() if data.startswith(b'{"entries"'))
    broken = Store()
    broken.nodes = {**store.nodes, altered: store.nodes[altered].replace(b"thing", b"think", 1)}
    with pytest.raises(CorruptMapError, match=f"{altered}.*do not match"):
        broken.run(reachable(root))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"{}",
        b'{"entries":{}}',
        b'{"entries":{"a":1}}',
        b'{"entries":{"b":{},"a":{}}}',
        b'{"children":{"a":["x",1]},"level":0}',
        b'{"children":{"a":["x",1]}}',
        b'{"children":{"a":["x",0]},"level":1}',
        b'{"children":{"a":"x"},"level":1}',
        b'{"level":0,"pieces":{"a":["x",1]}}',
    ],
)
def test_bytes_that_are_no_node_are_refused(data: bytes) -> None:
    with pytest.raises(CorruptMapError, match=content_id(data)):
        parse_node(content_id(data), data)


@pytest.mark.parametrize(("first_key", "size", "level"), [("b", 1, 1), ("a", 2, 1), ("a", 1, 2)])
def test_a_child_that_contradicts_its_parent_is_refused(
    first_key: str, size: int, level: int
) -> None:
    store = Store()
    child = store.build({"a": {}})
    parent = canonical({"children": {first_key: [child, size]}, "level": level})
    store.nodes[content_id(parent)] = parent
    with pytest.raises(CorruptMapError, match=f"{child}.*parent"):
        store.run(scan(content_id(parent)))


def test_pieces_of_pieces_are_refused() -> None:
    store = Store()
    pair = [[key, *build({key: {}})] for key in "abcd"]
    store.nodes = {root: nodes[root] for _, root, nodes in pair}

    def add(children: dict[str, list[object]]) -> str:
        data = canonical({"level": 0, "pieces": children})
        store.nodes[content_id(data)] = data
        return content_id(data)

    inner = [add({k: [r, 1] for k, r, _ in half}) for half in (pair[:2], pair[2:])]
    root = add({"a": [inner[0], 2], "c": [inner[1], 2]})
    with pytest.raises(CorruptMapError, match="in pieces itself"):
        store.run(update(root, {"a": {"v": 1}}))


DEEP: dict[str, object] = {}
for _ in range(252):
    DEEP = {"d": DEEP}


@pytest.mark.parametrize(
    "value",
    [
        {"v": float("nan")},
        {"v": float("inf")},
        {"v": 2**64},
        {"v": "\ud800"},
        {"v": (1, 2)},
        {"v": b"bytes"},
        {1: "v"},
        [],
        "text",
        {"v": DEEP},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_value_that_is_no_json_object_is_refused(value: Value) -> None:
    with pytest.raises(ValueError, match="value of key 'a page'"):
        build({"a page": value})
    with pytest.raises(ValueError, match="value of key 'a page'"):
        Store().run(update(None, {"a page": value}))


def test_the_deepest_value_accepted_is_stored() -> None:
    store = Store()
    value: Value = {}
    accepted = 0
    for depth in range(300):
        try:
            root = store.build({"key": value})
        except ValueError:
            break
        accepted = depth
        assert store.run(lookup(root, ["key"])) == {"key": value}
        value = {"d": value}
    assert 200 < accepted < 299


def test_a_key_that_is_not_unicode_is_refused() -> None:
    for changes in ({"\ud800": {}}, {"\ud800": None}):
        with pytest.raises(ValueError, match=r"key '\\ud800': not valid Unicode"):
            Store().run(update(None, changes))
