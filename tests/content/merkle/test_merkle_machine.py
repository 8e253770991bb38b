"""A stored map behaves as a dict, whatever is done to it in whatever order."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from content.merkle.node import Value
from content.merkle.read import Change, count, diff, lookup, scan
from content.merkle.write import update
from tests.content.merkle_store import Store, keys_of_height, reachable


def pool() -> list[str]:
    """Random keys would hardly ever start a node; more than half of these do, up to level 3."""
    high = (keys_of_height(height, many) for height, many in enumerate((30, 25, 15, 4)))
    return sorted({"", "é", "中文", "\U0001f600", "0", "~"}.union(*high))


# Enough keys that start no node for a run that is stored in pieces.
FLAT = sorted(keys_of_height(0, 700))

# They are looked for when the test runs: there are few of level 3.
keys = st.deferred(lambda: st.sampled_from(pool()))
values = st.dictionaries(
    st.text(max_size=3), st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=3)
)


class MapMachine(RuleBasedStateMachine):
    revisions = Bundle("revisions")

    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.root: str | None = None
        self.model: dict[str, Value] = {}

    def change(self, changes: dict[str, Value | None]) -> None:
        before = self.store.run(reachable(self.root))
        root, nodes = self.store.run(update(self.root, changes))
        assert not before & nodes.keys(), "a node of the old map was returned as new"
        self.store.nodes |= nodes
        after = self.store.run(reachable(root))
        assert nodes.keys() <= after <= before | nodes.keys()
        self.root = root
        self.model |= {key: value for key, value in changes.items() if value is not None}
        for key in (key for key, value in changes.items() if value is None):
            self.model.pop(key, None)

    @rule(target=revisions, changes=st.dictionaries(keys, st.none() | values, max_size=40))
    def set_and_delete(self, changes: dict[str, Value | None]) -> tuple[str | None, dict]:
        self.change(changes)
        return self.root, dict(self.model)

    @rule(target=revisions, start=st.integers(0, 690), size=st.integers(1, 700), value=values)
    def set_a_flat_range(self, start: int, size: int, value: Value) -> tuple[str | None, dict]:
        self.change(dict.fromkeys(FLAT[start : start + size], value))
        return self.root, dict(self.model)

    @rule(target=revisions, low=keys, high=keys)
    def delete_a_range(self, low: str, high: str) -> tuple[str | None, dict]:
        self.change({key: None for key in self.model if low <= key <= high})
        return self.root, dict(self.model)

    @rule(target=revisions, keep=keys)
    def delete_all_but_one(self, keep: str) -> tuple[str | None, dict]:
        self.change({key: None for key in self.model if key != keep})
        return self.root, dict(self.model)

    @rule(wanted=st.lists(keys | st.sampled_from(FLAT) | st.text(max_size=4), max_size=20))
    def lookup(self, wanted: list[str]) -> None:
        found = self.store.run(lookup(self.root, wanted))
        assert found == {key: self.model[key] for key in wanted if key in self.model}

    @rule(prefix=st.text("0129é", max_size=3))
    def scan(self, prefix: str) -> None:
        found = self.store.run(scan(self.root, prefix))
        assert found == [
            (key, self.model[key]) for key in sorted(self.model) if key.startswith(prefix)
        ]

    @rule(revision=revisions)
    def diff(self, revision: tuple[str | None, dict[str, Value]]) -> None:
        root, model = revision
        expected = [
            Change(key, model.get(key), self.model.get(key))
            for key in sorted(model.keys() | self.model.keys())
            if repr_json(model.get(key)) != repr_json(self.model.get(key))
        ]
        assert self.store.run(diff(root, self.root)) == expected
        assert self.store.run(diff(self.root, root)) == [
            Change(key, after, before) for key, before, after in expected
        ]

    @invariant()
    def is_what_a_first_import_gives(self) -> None:
        assert self.root == Store().build(self.model)
        assert self.store.run(count(self.root)) == len(self.model)


def repr_json(value: Value | None) -> list[tuple[str, str]] | None:
    """Tells true from 1, which dict equality does not."""
    return None if value is None else sorted((key, repr(item)) for key, item in value.items())


TestMap = MapMachine.TestCase
TestMap.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
