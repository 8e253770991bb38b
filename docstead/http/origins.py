"""Origins as settings name them: the part of a URL before its path."""

import re

# Stands for every origin.
ANY = "*"
_ORIGIN = re.compile(
    r"[a-z][a-z0-9+.-]*://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.ASCII
)
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def read_origins(text: str) -> frozenset[str]:
    """Origins separated by commas, as browsers write them; ValueError names one that is none."""
    origins = set()
    for part in filter(None, (item.strip() for item in text.split(","))):
        origin = part.lower()
        if origin != ANY and not _ORIGIN.fullmatch(origin):
            raise ValueError(f"{part!r} is no origin")
        origins.add(origin.removesuffix(_DEFAULT_PORTS.get(origin.partition(":")[0], " ")))
    return frozenset(origins)
