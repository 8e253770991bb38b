"""Which dependencies of sources lead back: as a walk from each of them says."""

from hypothesis import given, settings, strategies as st

from resolvers.content.source_dependencies import leading_back

_SPACES = st.sampled_from("abcdefgh")
_EDGES = st.dictionaries(_SPACES, st.sets(_SPACES, max_size=3))


def reached(edges: dict[str, set[str]], start: str) -> set[str] | None:
    """The spaces behind one; None where one of them was not followed."""
    others: set[str] = set()
    waiting = [start]
    while waiting:
        space = waiting.pop()
        if space not in edges:
            return None
        waiting += edges[space] - others
        others |= edges[space]
    return others


@settings(max_examples=500)
@given(_EDGES, st.sets(st.tuples(_SPACES, _SPACES), max_size=6))
def test_what_leads_back(edges: dict[str, set[str]], more: set[tuple[str, str]]) -> None:
    # Spaces that were not followed may have dependencies that are asked for, too.
    dependencies = {(space, other) for space, others in edges.items() for other in others}
    dependencies |= {(space, other) for space, other in more if space not in edges}
    dependencies = {(space, other) for space, other in dependencies if space != other}
    expected = set()
    for space, other in dependencies:
        there = reached(edges, other)
        if there is None or space in there:
            expected.add((space, other))
    assert leading_back(edges, dependencies) == expected


def test_long_chains_are_walked() -> None:
    chain = {str(number): {str(number + 1)} for number in range(5_000)}
    closed = {**chain, "5000": {"0"}}
    assert leading_back(closed, {("0", "1")}) == {("0", "1")}
    assert leading_back({**chain, "5000": set()}, {("0", "1")}) == set()
