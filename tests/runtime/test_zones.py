"""Time zones of scripts, against what Python makes of the same database."""

import datetime as dt
import json
from importlib import resources
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from runtime.host import zones

zones.load(json.loads(zones.packed()))
NAMES = sorted(json.loads(zones.packed())["names"])


@given(st.sampled_from(NAMES), st.datetimes(dt.datetime(2, 1, 3), dt.datetime(8999, 12, 1)))
def test_clocks_of_all_zones(name: str, at: dt.datetime) -> None:
    known = zones.zone({"name": name.swapcase()})
    assert known in (name, "UTC")
    utc = at.replace(tzinfo=dt.UTC)
    with (resources.files("tzdata") / "zoneinfo" / name).open("rb") as file:
        there = utc.astimezone(ZoneInfo.from_file(file))
    seconds, letters = zones.clock({"zone": name, "milliseconds": 1000 * int(utc.timestamp())})
    assert (dt.timedelta(seconds=seconds), letters) == (there.utcoffset(), there.tzname())
    # 400 years later, also behind the last year that Python has, it is the same day by the rules.
    if at.year > 2100:
        later = int(utc.timestamp()) + 20 * zones._CYCLE
        assert zones.clock({"zone": name, "milliseconds": 1000 * later}) == [seconds, letters]


@pytest.mark.parametrize("milliseconds", [-8.64e15, 8.64e15, -0.5, 0.25])
def test_every_time_that_a_date_can_have(milliseconds: float) -> None:
    for name in NAMES:
        seconds, letters = zones.clock({"zone": name, "milliseconds": milliseconds})
        assert abs(seconds) < 86_400
        assert letters


@given(st.text(max_size=20))
def test_what_is_no_zone(name: str) -> None:
    known = zones.zone({"name": name})
    assert known is None or known.lower() == name.lower() or known == "UTC"


def test_names_of_universal_time() -> None:
    for name in ("UTC", "etc/utc", "GMT", "Zulu", "Greenwich", "Etc/UCT"):
        assert zones.zone({"name": name}) == "UTC"
    for name in ("Factory", "localtime", "../zoneinfo/UTC", "Europe/Berlin\x00"):
        assert zones.zone({"name": name}) is None
