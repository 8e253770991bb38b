"""Whether a custom host name leads to this server.

The default provider looks at DNS only: certificates are the business of whatever stands before the
server. Another provider may know more, and use the other states.
"""

from typing import Protocol

from db.site_enums import CustomHostnameStatus
from fetching.errors import FetchError
from fetching.host_names import HostRecord, LookUp, look_up

# States that say that the name leads elsewhere; others may be passing.
WRONG = frozenset(
    {
        CustomHostnameStatus.DNS_NO_CNAME,
        CustomHostnameStatus.DNS_WRONG_CNAME,
        CustomHostnameStatus.DNS_CLOUDFLARE_PROXIED,
        CustomHostnameStatus.INVALID_DOMAIN,
    }
)


class HostnameProvider(Protocol):
    """Knows the state of custom host names."""

    async def status(self, hostname: str) -> CustomHostnameStatus:
        """The state of a name now; it takes a few seconds at most and raises nothing."""
        ...


class DnsProvider:
    """Compares a name with the host that custom names have to lead to."""

    def __init__(self, target: str, look_up: LookUp = look_up) -> None:
        """`target` is the public host of the server, a name or an address."""
        self._target = target.lower().rstrip(".")
        self._look_up = look_up

    async def status(self, hostname: str) -> CustomHostnameStatus:
        """`live` for an alias of the public host, and for a name with its addresses."""
        try:
            record = await self._look_up(hostname)
            if record is None:
                return CustomHostnameStatus.DNS_NO_CNAME
            own = await self._look_up(self._target)
        except FetchError:
            return CustomHostnameStatus.INTERNAL_ERROR
        if self._leads_here(record, own):
            return CustomHostnameStatus.LIVE
        if record.canonical == hostname:
            return CustomHostnameStatus.DNS_NO_CNAME
        return CustomHostnameStatus.DNS_WRONG_CNAME

    def _leads_here(self, record: HostRecord, own: HostRecord | None) -> bool:
        if record.canonical == self._target:
            return True
        if own is None:
            return False
        if record.canonical == own.canonical:
            return True
        # One address elsewhere, and some of the readers would not get here.
        return bool(record.addresses) and record.addresses <= own.addresses
