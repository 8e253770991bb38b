"""URLs as browsers read them."""

from typing import Any

from ada_url import URL

from runtime.host.texts import well_formed

_PARTS = (
    "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname",
    "search", "hash",
)  # fmt: skip
_SETTABLE = frozenset(_PARTS) - {"origin"}


def _parts(url: URL) -> list[str]:
    return [str(getattr(url, part)) for part in _PARTS]


def parse(arguments: dict[str, Any]) -> list[str] | None:
    """The parts of a URL, relative to `base` unless that is None; None for what is none."""
    base = arguments["base"]
    try:
        text = well_formed(arguments["url"])
        return _parts(URL(text) if base is None else URL(text, base=well_formed(base)))
    except ValueError:
        return None


def replace(arguments: dict[str, Any]) -> list[str] | None:
    """The parts of a URL with another `value` of one; None where that makes no URL."""
    name = arguments["part"]
    if name not in _SETTABLE:
        return None
    url = URL(arguments["url"])
    try:
        setattr(url, name, well_formed(arguments["value"]))
    except ValueError:
        return _parts(url) if name != "href" else None
    return _parts(url)
