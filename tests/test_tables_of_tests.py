"""The tables that say where, when and for whom tests run name tests that are there."""

import re

import pytest

from tests import kinds, slow

TABLES = {
    "ONE_KIND": kinds.ONE_KIND,
    "DEALT": kinds.DEALT,
    "ON_EACH": kinds.ON_EACH,
    "SLOW": slow.SLOW,
}


@pytest.mark.parametrize("table", TABLES)
def test_what_is_named_is_there(table: str) -> None:
    """Else a test that gets another name would run elsewhere, and nobody would see it."""
    missing = []
    for name in TABLES[table]:
        path, _, function = name.partition("::")
        place = kinds.ROOT / path
        defined = rf"^(async )?def {function}\(" if function else ""
        if path.endswith("/"):
            is_there = place.is_dir()
        else:
            is_there = place.is_file() and bool(re.search(defined, place.read_text(), re.M))
        if not is_there:
            missing.append(name)
    assert missing == []


def test_what_runs_on_each_kind_would_be_dealt_out() -> None:
    others = [name for name in kinds.ON_EACH if not kinds._names(kinds.DEALT, name.split("::")[0])]
    assert others == []
