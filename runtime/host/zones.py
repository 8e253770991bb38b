"""Time zones of the IANA database: what clocks show in them, and what that is called.

No file opens where scripts run, so the server reads the database, once, and hands it to them.
"""

import base64
import datetime as dt
import io
import json
from functools import lru_cache
from importlib import resources
from typing import Any
from zoneinfo import ZoneInfo

_EPOCH = dt.datetime.fromtimestamp(0, dt.UTC)
# The calendar repeats itself after 400 years, and so do the rules of zones.
_CYCLE = 146_097 * 86_400
# Seconds from 1970: the year 2, before which there are no other rules, and 9000.
_FIRST, _LAST = -62_104_060_800, 221_845_132_800
_NO_PLACES = frozenset({"Factory", "localtime"})
# Names in lower case -> the name, and the place of its data; these as base64; zones that were used.
_names: dict[str, tuple[str, int]] = {}
_data: list[str] = []
_used: dict[str, ZoneInfo] = {}


@lru_cache(maxsize=1)
def packed() -> str:
    """All zones as JSON: their names, and what each of them has, which several may share."""
    root = resources.files("tzdata")
    places: dict[bytes, int] = {}
    names = {
        name: places.setdefault((root / "zoneinfo" / name).read_bytes(), len(places))
        for name in (root / "zones").read_text().split()
        if name not in _NO_PLACES
    }
    return json.dumps(
        {"names": names, "data": [base64.b64encode(data).decode() for data in places]}
    )


def load(zones: dict[str, Any]) -> None:
    """Have the zones that the server has packed."""
    _data[:] = zones["data"]
    _names.update({name.lower(): (name, place) for name, place in zones["names"].items()})


def zone(arguments: dict[str, Any]) -> str | None:
    """The name of a zone in its usual capitals, `UTC` for all of its names; None for none."""
    name, place = _names.get(str(arguments["name"]).lower(), ("", -1))
    if place in {_names["etc/utc"][1], _names["etc/gmt"][1]}:
        return "UTC"
    return name or None


def clock(arguments: dict[str, Any]) -> list[Any]:
    """How many seconds clocks of a zone are before UTC at a time, and what they are called then."""
    name, seconds = str(arguments["zone"]), int(arguments["milliseconds"] // 1000)
    if name not in _used:
        data = base64.b64decode(_data[_names[name.lower()][1]])
        _used[name] = ZoneInfo.from_file(io.BytesIO(data), name)
    if seconds > _LAST:
        seconds -= -((_LAST - seconds) // _CYCLE) * _CYCLE
    there = (_EPOCH + dt.timedelta(seconds=max(seconds, _FIRST))).astimezone(_used[name])
    distance = there.utcoffset() or dt.timedelta()
    return [int(distance.total_seconds()), there.tzname()]
