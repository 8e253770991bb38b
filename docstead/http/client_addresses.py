"""The address of whoever sends a request, behind as many proxies as the settings say."""

from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope

from db.audit_enums import AuditDoor
from docstead.request_ids import NONE, request_id
from docstead.settings import Settings
from resolvers.core.actors import Origin

# One household or office has a network of so many bits, and all addresses in it.
IPV6_BITS = 64
# Characters of an address, with its zone and port.
LONGEST = 100


def client_address(scope: Scope, settings: Settings) -> str:
    """The address of the client, by which it is limited: of IPv6 the first 64 bits.

    It is that of the connection, unless a header of the proxy is named
    (`DOCSTEAD_CLIENT_ADDRESS_HEADER`). Of several addresses in it those on the right were written
    by the operator's own proxies, and whatever is left of them by anybody. A request without the
    header did not come through the proxy: the connection counts.
    """
    client = scope.get("client")
    connection = client[0] if client else ""
    if not settings.client_address_header:
        return _network(connection) or connection
    name = settings.client_address_header.lower().encode()
    listed = b",".join(value for header, value in scope["headers"] if header == name)
    addresses = listed.decode("latin-1").split(",")
    hops = settings.client_address_hops
    address = addresses[-hops] if len(addresses) >= hops else addresses[0]
    return _network(address.strip()) or _network(connection) or connection


def origin_of(door: AuditDoor, scope: Scope, settings: Settings) -> Callable[[], Origin]:
    """Says, when it is called during a request, where that comes from."""
    return partial(_origin, door, scope, settings)


def _origin(door: AuditDoor, scope: Scope, settings: Settings) -> Origin:
    id = request_id.get()
    return Origin(door, client_address(scope, settings), None if id == NONE else id)


def _network(text: str) -> str | None:
    """An address, of IPv6 its network; None for what is none. Ports are taken off."""
    return _read_network(text) if len(text) <= LONGEST else None


@lru_cache(maxsize=4096)
def neighbourhood(address: str) -> str:
    """The network of an address of `client_address` with its neighbours: of IPv4 the first 24 bits,
    of IPv6 48. What is no address is one by itself."""
    try:
        bits = 48 if isinstance(ip_address(address), IPv6Address) else 24
    except ValueError:
        return address
    return str(ip_network(f"{address}/{bits}", strict=False))


# The same callers come again; reading an address takes longer than counting it.
@lru_cache(maxsize=4096)
def _read_network(text: str) -> str | None:
    host = text
    if text.startswith("["):
        host = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> (128 - IPV6_BITS) << (128 - IPV6_BITS)))
    return str(address)
