"""Policies of pages, and what of the policies of integrations is added to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

# Sources of one directive that are added.
MOST_SOURCES = 30
# Characters of all that is added: a header has to get through the proxies before the server.
MOST_CHARACTERS = 3_000
# What integrations may have loaded; none of the others is ever widened.
DIRECTIVES = (
    "script-src", "connect-src", "img-src", "style-src", "font-src", "frame-src", "media-src",
)  # fmt: skip
_HOST = re.compile(
    r"(?:(?P<scheme>https|wss|http)://)?(?P<host>(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)"
    r"(?::(?:[0-9]{1,5}|\*))?(?:/[A-Za-z0-9._~/%-]*)?",
    re.IGNORECASE,
)
_DIGEST = re.compile(r"'sha(?:256|384|512)-[A-Za-z0-9+/_-]{43,88}={0,2}'")


def sources_of(
    policies: Iterable[str], own_hosts: frozenset[str], *, plain: bool = False
) -> dict[str, list[str]]:
    """The sources that manifests name, by directive: hosts and digests, and no others.

    Never whatever is inline, made of texts or on one of our own hosts, which have files of
    strangers. Hosts without TLS only where the service has none itself.
    """
    sources: dict[str, dict[str, None]] = {}
    left = MOST_CHARACTERS
    for policy in policies:
        directives = dict(_directives(policy))
        for name in DIRECTIVES:
            for source in directives.get(name, directives.get("default-src", ())):
                named = sources.get(name, {})
                fits = source not in named and len(named) < MOST_SOURCES and len(source) < left
                if fits and _is_allowed(source, name, own_hosts, plain):
                    sources[name] = named
                    named[source] = None
                    left -= len(source) + 1
    return {name: list(named) for name, named in sources.items()}


def _directives(policy: str) -> Iterator[tuple[str, list[str]]]:
    for part in policy.split(";"):
        words = part.split()
        if words:
            yield words[0].lower(), words[1:]


def _is_allowed(source: str, directive: str, own_hosts: frozenset[str], plain: bool) -> bool:
    if _DIGEST.fullmatch(source):
        return directive in ("script-src", "style-src")
    match = _HOST.fullmatch(source)
    if match is None:
        return False
    if (match["scheme"] or "").lower() == "http" and not plain:
        return False
    host = match["host"].lower()
    if host.startswith("*.") and host.count(".") < 2:
        return False
    return not any(_covers(host, own) for own in own_hosts)


def _covers(host: str, own: str) -> bool:
    return own.endswith(host[1:]) if host.startswith("*.") else own == host


def policy_with(policy: str, sources: Mapping[str, Sequence[str]]) -> str:
    """A policy of ours with more sources."""
    directives: dict[str, list[str]] = dict(_directives(policy))
    for name, added in sources.items():
        standing = [source for source in directives.get(name, []) if source != "'none'"]
        directives[name] = list(dict.fromkeys([*standing, *added]))
    return "; ".join(" ".join([name, *values]) for name, values in directives.items())
