"""Identifiers sort by creation and never repeat."""

import re
from concurrent.futures import ThreadPoolExecutor

from db.ids import new_id


def test_ids_sort_in_the_order_they_were_made() -> None:
    ids = [new_id() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch("[0-9A-Za-z]{20}", id) for id in ids)


def test_threads_never_share_an_id() -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = [id for part in pool.map(lambda _: [new_id() for _ in range(500)], range(16))
               for id in part]  # fmt: skip
    assert len(set(ids)) == 8_000


def test_prefix_goes_in_front() -> None:
    assert re.fullmatch("site_[0-9A-Za-z]{20}", new_id("site_"))
