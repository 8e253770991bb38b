"""Which network addresses a request of the server may be sent to.

The tables follow the IANA registries of special-purpose addresses. They are written out, because
what Python calls global differs between its versions.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from fetching.errors import FetchError

_REFUSED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; metadata of some clouds
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # services of a cloud's host, at a public address
        "169.254.0.0/16",  # link-local, with the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; metadata of some clouds
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_REFUSED_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, tunnels of Teredo
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: any IPv4 address inside
        "3fff::/20",  # documentation
    )
)
# Translated to IPv4 on the way; what counts is the address inside.
_NAT64 = IPv6Network("64:ff9b::/96")
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")


def is_public(address: str) -> bool:
    """Whether an address, as a resolver gives it, is one of the public internet."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return _is_public_v4(parsed)
    if parsed.scope_id is not None:
        return False
    return _is_public_v6(parsed)


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _REFUSED_V4)


def _is_public_v6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    if address in _NAT64:
        return _is_public_v4(IPv4Address(int(address) & 0xFFFFFFFF))
    if address not in _PUBLIC_V6:
        return False
    return not any(address in network for network in _REFUSED_V6)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Hosts with their ports that the operator lets the server reach wherever they are."""

    pairs: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def read(cls, text: str) -> "Allowance":
        """From `host:port` pairs separated by commas; ValueError names one that is none."""
        return cls(frozenset(_pair(part) for part in text.split(",") if part.strip()))

    def permits(self, host: str, port: int, addresses: Iterable[str]) -> bool:
        """Whether a host that has these addresses may be connected to."""
        listed = list(addresses)
        return bool(listed) and ((host, port) in self.pairs or all(map(is_public, listed)))


def _pair(text: str) -> tuple[str, int]:
    host, colon, port = text.strip().rpartition(":")
    if not colon or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(f"{text.strip()!r} is not host:port")
    try:
        return host_name(host), int(port)
    except FetchError as error:
        raise ValueError(f"{text.strip()!r} is not host:port") from error


def host_name(text: str) -> str:
    """A host as it is resolved and compared: lower-case ASCII, an IPv6 address without brackets.

    FetchError for what is no host.
    """
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    if ":" in text:
        try:
            address = IPv6Address(text)
        except ValueError as error:
            raise FetchError(f"{text[:100]!r} is not a host") from error
        if address.ipv4_mapped is None or address.scope_id is not None:
            return address.compressed
        # Python writes these in one way up to 3.12 and in another one since.
        inside = int(address.ipv4_mapped)
        return f"::ffff:{inside >> 16:x}:{inside & 0xFFFF:x}"
    try:
        name = text.encode("idna").decode("ascii") if not text.isascii() else text
    except UnicodeError as error:
        raise FetchError(f"{text[:100]!r} is not a host") from error
    name = name.lower().removesuffix(".")
    if len(name) > 253 or not _HOST.fullmatch(name):
        raise FetchError(f"{text[:100]!r} is not a host")
    return name
