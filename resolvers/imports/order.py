"""The order of siblings when some of them follow a source: as few sort keys change as possible."""

from bisect import bisect_left
from collections.abc import Sequence

from content.ordering import between, spread
from resolvers.revisions import limits as content_limits


def keys_in_order(new_order: Sequence[str], there: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Sort keys by id for `there` (ids with their keys, in order) with `new_order` in its order.

    Those of `there` that are not wanted keep their places among the others. Wanted ones that are
    new come behind the one before them, the first before the next one that is there, or last.
    """
    keys = dict(there)
    order = _merged(new_order, [id for id, _ in there])
    unchanged = _increasing([(id, keys[id]) for id in order if id in keys])
    result: dict[str, str] = {}
    run: list[str] = []
    low: str | None = None
    for id in [*order, None]:
        if id is not None and id not in unchanged:
            run.append(id)
            continue
        high = None if id is None else keys[id]
        _fill(run, low, high, result)
        run = []
        if id is not None:
            result[id] = low = keys[id]
    if any(len(key) > content_limits.KEY for key in result.values()):
        return dict(zip(order, spread(len(order)), strict=True))
    return result


def _merged(new_order: Sequence[str], there: Sequence[str]) -> list[str]:
    """All ids: the places of wanted ones are filled with them in their order, new ones between."""
    own, old_ids = set(new_order), set(there)
    old = iter([id for id in new_order if id in old_ids])
    # Each place of a wanted one takes the next of those that were there, and the new ones behind.
    behind: dict[str | None, list[str]] = {}
    last: str | None = None
    for id in new_order:
        if id in old_ids:
            last = id
        else:
            behind.setdefault(last, []).append(id)
    result: list[str] = []
    first = True
    for id in there:
        if id not in own:
            result.append(id)
            continue
        if first:
            result += behind.pop(None, [])
            first = False
        placed = next(old)
        result += [placed, *behind.pop(placed, [])]
    return result + behind.pop(None, [])


def _increasing(items: Sequence[tuple[str, str]]) -> set[str]:
    """Ids of a longest run of items whose keys increase."""
    ends: list[str] = []
    places: list[int] = []
    above: list[int] = []
    for number, (_, key) in enumerate(items):
        at = bisect_left(ends, key)
        above.append(places[at - 1] if at else -1)
        ends[at : at + 1] = [key]
        places[at : at + 1] = [number]
    run: set[str] = set()
    number = places[-1] if places else -1
    while number >= 0:
        run.add(items[number][0])
        number = above[number]
    return run


def _fill(ids: Sequence[str], low: str | None, high: str | None, result: dict[str, str]) -> None:
    """Keys for ids between two others: the middle one first, so that they stay short."""
    if high is None:
        # Keys at the end are a counter.
        for id in ids:
            low = result[id] = between(low, None)
        return
    waiting = [(0, len(ids), low, high)]
    while waiting:
        start, end, left, right = waiting.pop()
        if start < end:
            middle = (start + end) // 2
            key = result[ids[middle]] = between(left, right)
            waiting += [(start, middle, left, key), (middle + 1, end, key, right)]
